"""A match as it is watched, for tests: two rounds of Galapa Go of which every card is known."""

from __future__ import annotations

from typing import Any

from referee.games.galapa_go.cards import read_card
from referee.games.galapa_go.position import judge as judge_galapa
from referee.records import Json, Kind, Record

CARDS = [
    {"id": "a1", "kind": "animal", "animals": [{"head": "lion", "body": "lion"}]},
    {"id": "a2", "kind": "animal", "animals": [{"head": "lion", "body": "elephant"}]},
    {"id": "a3", "kind": "animal", "animals": [{"head": "giraffe", "body": "giraffe"}]},
    {"id": "a4", "kind": "animal", "animals": [{"head": "giraffe", "body": "gorilla"}]},
    {"id": "a5", "kind": "animal", "animals": [{"head": "crocodile", "body": "gorilla"}]},
    {"id": "t1", "kind": "task", "require": ["lion"], "forbid": []},
    {"id": "t2", "kind": "task", "require": ["giraffe"], "forbid": []},
]
PIECES = [read_card(card, "cards") for card in CARDS]


def judge(question: Json) -> Json:
    return judge_galapa(question, PIECES)


def question(*actions: Json, **others: Any) -> Json:
    return {
        "game": "galapa-go",
        "players": ["red", "blue"],
        "lead": "red",
        "layout": ["a1", "a2", "a3", "a4", "a5"],
        "deck_left": 10,
        "tasks": ["t1"],
        "won": {},
        "box": [],
        "actions": list(actions),
        **others,
    }


def cover(t: float, player: str, card: str) -> Json:
    return {"t": t, "player": player, "do": "cover", "card": card}


def task(number: int, t: float, name: str) -> Json:
    return {"type": "task", "t": t, "round": number, "tasks": [name]}


def claim(number: int, t: float, player: str, card: str, order: int, kind: str = "claim") -> Json:
    line = {"type": kind, "t": t, "round": number, "player": player, "card": card}
    return {**line, "order": order, "dt": 0.017}


FIRST = [cover(2.0, "red", "a1"), cover(3.0, "blue", "a3")]
"""Red is right, blue is wrong: no lion."""

LATER = question(
    cover(12.0, "blue", "a3"),
    tasks=["t2"],
    lead="red",
    won={"red": ["a1"]},
    layout=["a2", "a3", "a4", "a5"],
)


class Book:
    """Records one after the other."""

    def __init__(self) -> None:
        self.records: list[Record] = []

    def add(self, kind: Kind, body: Json, asked: Json | None = None) -> int:
        self.records.append(Record(len(self.records) + 1, kind, body, asked))
        return len(self.records)

    def line(self, body: Json, asked: Json | None = None) -> int:
        return self.add(Kind.LINE, body, asked)

    def act(self, number: int, t: float, player: str, do: str, **others: Any) -> int:
        body = {"t": t, "player": player, "do": do, "round": number, **others}
        return self.add(Kind.ACTION, body)

    def correct(self, seq: int, replace: Json | None) -> int:
        return self.add(Kind.CORRECTION, {"seq": seq, "replace": replace, "why": "", "t": 9.0})


def first_round() -> Book:
    book = Book()
    book.line({"type": "layout", "t": 0.0, "cards": [{"id": f"a{n}"} for n in range(1, 6)]})
    book.line(task(1, 1.0, "t1"), question())
    book.line(claim(1, 2.0, "red", "a1", 1), question(FIRST[0]))
    book.line(claim(1, 3.0, "blue", "a3", 2), question(*FIRST))
    return book


def two_rounds() -> Book:
    book = first_round()
    closed = {**judge(question(*FIRST)), "close": []}
    book.line({"type": "round", "t": 8.0, "round": 1, "tasks": ["t1"], **closed}, question(*FIRST))
    book.line(task(2, 10.0, "t2"), {**LATER, "actions": []})
    book.line(claim(2, 12.0, "blue", "a3", 1), LATER)
    return book
