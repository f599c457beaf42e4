"""Examples that the description of the API shows; tests ask each of them."""

from __future__ import annotations

from typing import Any

_CARDS = [
    {"id": "a01", "kind": "animal", "animals": [{"head": "lion", "body": "elephant"}]},
    {"id": "a02", "kind": "animal", "animals": [{"head": "giraffe", "body": "giraffe"}]},
    {"id": "t01", "kind": "task", "require": ["lion"], "forbid": ["blue-crab"]},
]

QUESTIONS: Any = {
    "galapa-go": {
        "summary": "A round of Galapa Go",
        "value": {
            "game": "galapa-go",
            "players": ["red", "blue"],
            "lead": "red",
            "layout": ["a01", "a02"],
            "deck_left": 15,
            "tasks": ["t01"],
            "won": {},
            "box": [],
            "actions": [
                {"t": 1.2, "player": "red", "do": "cover", "card": "a01"},
                {"t": 1.9, "player": "blue", "do": "cover", "card": "a02"},
            ],
            "cards": _CARDS,
        },
    },
    "panda-gorilla": {
        "summary": "A card of Panda, Gorilla & Co on a sign",
        "value": {
            "game": "panda-gorilla",
            "board": {"rows": 2, "cols": 3, "entrance": [[0, 1]], "signs": [[0, 0], [0, 2]]},
            "tiles": [{"row": 0, "col": 0, "card": "p01", "rotation": 0}],
            "chips": [
                {"row": 0, "col": 0, "quarter": "nw", "player": "red", "size": "large"},
            ],
            "final": True,
            "cards": [
                {
                    "id": "p01",
                    "kind": "path",
                    "paths": ["n", "e"],
                    "quarters": {"nw": "dark", "ne": "light", "se": "dark", "sw": "dark"},
                }
            ],
        },
    },
}
