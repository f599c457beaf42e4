"""Strict reading: what lacks is told at once, each with its place."""

from __future__ import annotations

import doctest

import pytest

from referee import fields
from referee.errors import FormatError
from referee.fields import read_object
from referee.judge import judge

KEYS = frozenset({"player", "do", "t"})


def test_examples_are_true() -> None:
    assert doctest.testmod(fields).failed == 0


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ({"player": "red", "t": 1}, "actions[0].do: expected this key, got nothing"),
        (
            {"t": 1},
            "actions[0].do and actions[0].player: expected these keys, got nothing",
        ),
        (
            {},
            "actions[0].do, actions[0].player and actions[0].t: expected these keys, got nothing",
        ),
    ],
)
def test_all_keys_that_lack_are_told_at_once(value: dict[str, object], told: str) -> None:
    with pytest.raises(FormatError) as refusal:
        read_object(value, "actions[0]", KEYS)
    assert str(refusal.value) == told


def test_a_question_with_nothing_in_it_names_all_that_it_needs() -> None:
    with pytest.raises(FormatError, match="tasks and won: expected these keys, got nothing"):
        judge({"game": "galapa-go", "cards": []})
