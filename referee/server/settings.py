"""What a service is started with, and how much it takes in."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from referee.annotation import paint_signs
from referee.decks import Deck
from referee.records import Json
from vision.film import Paint

Painter = Callable[[Iterable[Json], Deck], Paint]
"""Takes lines in the order of time and their deck; a function with a name, for other processes."""

LOOPBACK = frozenset({"127.0.0.1", "::1", "localhost"})
"""Hosts that only programs on this machine can reach."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How much the service takes in at once.

    Attributes:
        json_bytes: Body of a question or an order; a full Panda board is 60 kB.
        picture_bytes: A photograph of the table.
        pack_bytes: A deck pack, as it is sent.
        unpacked_bytes: All files of a deck pack together: what a decompression bomb exceeds.
        recording_bytes: A recording.
        import_bytes: An exported match.
        pixels: Width times height of any picture that is decoded.
        tables: Tables that are watched at the same time.
        deck_yaml_bytes: The text of a deck pack: a megabyte takes seconds to be read.
        offered: Cards in the offer of one question, each with all its places on the board.
        judges: Questions that are judged at the same time; what takes long keeps no other route.
        body_wait_s: How long the next piece of a body may take.
    """

    json_bytes: int = 1 << 20
    picture_bytes: int = 32 << 20
    pack_bytes: int = 128 << 20
    unpacked_bytes: int = 512 << 20
    recording_bytes: int = 4 << 30
    import_bytes: int = 512 << 20
    pixels: int = 64_000_000
    tables: int = 16
    deck_yaml_bytes: int = 1 << 20
    offered: int = 200
    judges: int = 2
    body_wait_s: float = 30.0


@dataclass(frozen=True, slots=True)
class Settings:
    """What a service is started with.

    Attributes:
        data: Folder for matches, decks, recordings and evidence; made where there is none.
        database: URL of a PostgreSQL database, or None for a file in the data folder.
        recordings: A second folder from which recordings may be watched, or None.
        keeper_token: What a table keeper shows, or None where nobody is asked for anything.
        player_token: What a player shows; None where there is no such role.
        players_link: What players open, or None where only this machine can open anything.
        hosts: Names by which browsers may call the service, without ports; None for any.
        limits: How much it takes in.
        painter: Draws what is known upon the live picture.
    """

    data: Path
    database: str | None = None
    recordings: Path | None = None
    keeper_token: str | None = None
    player_token: str | None = None
    players_link: str | None = None
    hosts: frozenset[str] | None = None
    limits: Limits = field(default_factory=Limits)
    painter: Painter = paint_signs
