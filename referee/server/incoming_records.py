"""The records of a match that is taken in: checked one by one, and judged by the rules here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from referee.decks import Deck
from referee.errors import FormatError, shown
from referee.fields import listed
from referee.judge import judge
from referee.ledger import fold, judged_again
from referee.records import Json, Kind, Record
from referee.rulings import read_rulings
from referee.server.corrections import check_correction
from referee.server.shapes import check_body, named_cards

_MOST_WORK = 3_000_000
"""Records read over and over, once for each ruling: an evening has some ten thousand."""


def checked_records(rows: Sequence[Record], spec: Json, deck: Deck) -> list[Record]:
    """Returns records as they can have been kept here, rulings as the rules here give them.

    Args:
        rows: As they were sent.
        spec: The table that they are said to be of, which has been checked.
        deck: Its deck.

    Raises:
        FormatError: If one of them cannot be.
    """
    checking = _Checking(spec, deck)
    for index, row in enumerate(rows):
        place = f"records[{index}]"
        if row.seq != index + 1:
            raise FormatError(f"{place}[0]", f"the number {index + 1}", str(row.seq))
        checking.take(row, place)
    return checking.records


class _Checking:
    """Takes records one after the other."""

    def __init__(self, spec: Json, deck: Deck) -> None:
        self.records: list[Record] = []
        self._spec = spec
        self._deck = deck
        self._cards = frozenset(card.id for card in deck.cards)
        self._is_first = True
        self._work = 0

    def take(self, record: Record, place: str) -> None:
        """Takes the next record.

        Raises:
            FormatError: If it cannot be.
        """
        where = f"{place}[2]"
        check_body(record.kind, record.body, where)
        for key, card in named_cards(record.body):
            if record.kind is not Kind.CORRECTION and card not in self._cards:
                raise FormatError(f"{where}.{key}", "a card of the deck", shown(card))
        if record.question is not None:
            self._check_question(record, f"{place}[3]")
        body = record.body
        match record.kind, body.get("type"):
            case Kind.CORRECTION, _:
                self._check_correction(body, where)
            case Kind.RULING, _:
                body = self._ruled(body["round"], where)
            case Kind.LINE, "round" if record.question is not None:
                body = judged_again(body, record.question, self._judge)
            case Kind.LINE, "hands":
                self._check_hands(body, where)
        self.records.append(replace(record, body=body))

    def _judge(self, question: Json) -> Json:
        return judge(question, self._deck)

    def _check_question(self, record: Record, place: str) -> None:
        """Refuses a question that is not of this table, or that the rules cannot answer."""
        question, spec = record.question or {}, self._spec
        if record.kind is not Kind.LINE:
            raise FormatError(place, "a question of what was seen alone", "one")
        try:
            self._judge(question)
        except FormatError as error:
            raise FormatError(f"{place}.{error.place}", error.expected, error.got) from error
        told, asked = _said(spec), _said({"variant": "normal", **question})
        if not self._is_first:
            del told["lead"]  # who leads later is for the rules to say
        self._is_first = False
        for name, value in told.items():
            if value is not None and value != asked[name]:
                expected = f"{_words(asked[name])}, as {place} has it"
                raise FormatError(f"table.{name}", expected, _words(value))

    def _check_correction(self, body: Json, place: str) -> None:
        try:
            check_correction(self.records, self._cards, body["seq"], body["replace"])
        except FormatError as error:
            raise FormatError(f"{place}.{error.place}", error.expected, error.got) from error

    def _ruled(self, number: int, place: str) -> Json:
        """Returns what held of a round when it was announced."""
        self._work += len(self.records)
        if self._work > _MOST_WORK:
            raise FormatError(place, "fewer rulings of so many records", "one more")
        shown_round = fold(self.records, self._judge).rounds.get(number)
        if shown_round is None or shown_round.ruling is None:
            raise FormatError(f"{place}.round", "a round that was seen", str(number))
        return shown_round.to_line()

    def _check_hands(self, body: Json, place: str) -> None:
        """Refuses points that the cards do not make; cards without a name make none."""
        told = self._spec["players"]
        for index, player in enumerate(body["players"]):
            if told and player["name"] not in told:
                got = shown(player["name"])
                raise FormatError(f"{place}.players[{index}].name", listed(told), got)
        try:
            ruled = self._judge({**body["position"], "rulings": self._spec["rulings"]})["players"]
        except FormatError:
            ruled = ()
        known = {player["name"]: player for player in ruled}
        for index, player in enumerate(body["players"]):
            truth = known.get(player["name"])
            if truth is not None and player["score"] not in (None, truth["score"]):
                expected = f"{truth['score']}, what the cards make"
                got = str(player["score"])
                raise FormatError(f"{place}.players[{index}].score", expected, got)


def _said(source: Json) -> Json:
    """Returns what a table and a question both say, spelled in one way."""
    said = {name: source.get(name) for name in ("game", "players", "variant", "lead")}
    return {**said, "rulings": read_rulings(source["game"], source.get("rulings", {}), "rulings")}


def _words(value: Any) -> str:
    if isinstance(value, dict):
        return listed([f"{name} {shown(each)}" for name, each in value.items()], "and")
    return shown(tuple(value) if isinstance(value, list) else value)
