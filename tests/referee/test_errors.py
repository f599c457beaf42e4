"""How a value is told to people: in few words, and none of Python's."""

import pytest

from referee.errors import shown


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (None, "null"),
        (True, "true"),
        (False, "false"),
        ("", "''"),
        ("a99", "'a99'"),
        (0, "0"),
        (1.5, "1.5"),
        ([], "an empty list"),
        ([["a"], None], "a list of 2"),
        ({}, "an empty object"),
        ({"a": None}, "an object with 1 key"),
        ({"a": 1, "b": [2]}, "an object with 2 keys"),
        ((), "none"),
        (("h03", "h05"), "h03, h05"),
        (tuple(range(9)), "0, 1, 2, 3, 4, 5, ..."),
    ],
)
def test_value_is_told_in_words(value, words):
    assert shown(value) == words


@pytest.mark.parametrize("value", ["x" * 10_000, 10**200, [[[]]] * 9_000, {"a" * 9_000: 1}])
def test_however_large_a_value_is_it_is_told_shortly(value):
    assert len(shown(value)) < 100
