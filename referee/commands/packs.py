"""`table-referee deck`: deck packs, printed and checked."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from referee.commands.console import CommandError, output
from referee.commands.outputs import expect_apart, replacing
from referee.deck_check import check_deck
from referee.decks import load_deck
from referee.fields import listed
from referee.printing import PAGES, print_deck


def print_pack(pack: Path, out: Path, page: str) -> None:
    """Writes a deck as a PDF to print and cut.

    Raises:
        RefereeError: If the deck or the output is not as it should be.
    """
    if page not in PAGES:
        raise CommandError(f"--page: expected {listed(list(PAGES))}, got {page!r}")
    expect_apart([out], [pack])
    deck = load_deck(pack)
    with replacing(out) as unfinished:
        print_deck(deck, unfinished, page)
    output().print(f"{out}: print it on both sides, turned over the long edge, at 100 % size.")


def check_pack(pack: Path) -> None:
    """Reads every file of a deck and says what is wrong or odd.

    Raises:
        RefereeError: If anything is.
    """
    deck = load_deck(pack)
    problems = check_deck(pack)
    if problems:
        raise CommandError("; ".join(problems))
    counts = Counter(card.kind for card in deck.cards)
    told = ", ".join(f"{count} {kind}" for kind, count in counts.items())
    output().print(f"{deck.name} ({deck.game}): {told}. Nothing wrong was found.")
