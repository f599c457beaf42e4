"""A round's ruling against the rulebook read card by card, independently of the engine."""

import doctest
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.games.exploring_galapagos import notation, scoring
from referee.games.exploring_galapagos.model import (
    COLORS,
    TIMES,
    ZONES,
    HabitatAnimal,
    HabitatCard,
    Method,
    PlayerCards,
    RoundPosition,
    Rulings,
)
from referee.games.exploring_galapagos.scoring import determine_method, rule_round

FEW = settings(max_examples=150, deadline=None)

animals = st.builds(
    HabitatAnimal, st.sampled_from(COLORS), st.sampled_from(ZONES), st.sampled_from(TIMES)
)
faces = st.tuples(
    st.sampled_from(Method),
    st.sampled_from(TIMES),
    st.integers(0, 2),
    st.lists(animals, max_size=4).map(tuple),
)


def habitat(value, method="time", impact=0):
    return HabitatCard(f"h{value}", value, Method(method), "day", impact, ())


@st.composite
def positions(draw):
    """A round of 2 to 5 players, whoever has locked in; the shared hand is whole if not all."""
    cards = [HabitatCard(f"h{i}", i, *draw(faces)) for i in range(1, 19)]
    count = draw(st.integers(2, 5))
    size = 4 if count <= 3 else 3
    locked = draw(st.lists(st.booleans(), min_size=count, max_size=count))
    shared = [cards.pop() for _ in range(draw(st.integers(0, 3)) if all(locked) else 3)]
    players = []
    for name, has_locked in zip("abcde", locked, strict=False):
        own = [cards.pop() for _ in range(size)]
        used = tuple(draw(st.lists(st.sampled_from(Method), max_size=2)))
        last = own.pop() if has_locked else None
        players.append(PlayerCards(name, tuple(own), last, used))
    return RoundPosition(tuple(players), tuple(shared), Rulings(draw(st.booleans())))


def expected(player, shared, rulings):
    """Returns method, best number of animals and points as the rulebook's sections say in turn."""
    if player.locked is not None:
        method = player.locked.method
    else:
        ((method, often),) = Counter(card.method for card in shared).most_common(1)
        method = method if often > 1 else None
    own = [*player.hand, *([player.locked] if player.locked else [])]
    best = 0
    counts = method is not None and method not in player.used
    if counts:
        shown = [
            {"time": animal.time, "color": animal.color, "zone": animal.zone}[method]
            for card in [*own, *shared]
            for animal in card.animals
        ]
        best = max(Counter(shown).values(), default=0)
    icons = sum(card.impact for card in own)
    is_odd = (icons + sum(card.impact for card in shared)) % 2 == 1
    impact = (icons if is_odd else -icons) if counts or rulings.impact_on_zero else 0
    return method, best, impact, max(0, best + impact)


@given(positions())
@FEW
def test_ruling_is_what_the_rulebook_says(position):
    """E3, E4, E6 to E8, E10 to E12."""
    for player, ruled in zip(position.players, rule_round(position), strict=True):
        got = (ruled.method, ruled.base, ruled.impact, ruled.score)
        assert got == expected(player, position.shared, position.rulings)
        assert ruled.name == player.name
        assert ruled.reason


@given(positions(), st.data())
@FEW
def test_a_player_is_ruled_without_looking_at_the_others(position, data):
    """E12: alone at the table a player gets the same."""
    index = data.draw(st.integers(0, len(position.players) - 1))
    alone = RoundPosition((position.players[index],), position.shared, position.rulings)
    assert rule_round(alone) == (rule_round(position)[index],)


@given(positions(), st.randoms(use_true_random=False))
@FEW
def test_order_of_cards_changes_nothing(position, rng):
    """E5: where choices are equal the rulebook's order decides, not that of the cards."""

    def mixed(cards):
        return tuple(rng.sample(cards, len(cards)))

    players = tuple(
        PlayerCards(each.name, mixed(each.hand), each.locked, each.used)
        for each in position.players
    )
    other = RoundPosition(players, mixed(position.shared), position.rulings)
    assert rule_round(other) == rule_round(position)


@pytest.mark.parametrize(
    ("locked", "shared", "method"),
    [
        (None, "time time time", "time"),
        (None, "zone color zone", "zone"),
        (None, "color time time", "time"),
        (None, "time color zone", None),
        ("zone", "time time time", "zone"),
        ("color", "", "color"),
    ],
)
def test_method_is_the_locked_in_one_or_that_seen_most_often(locked, shared, method):
    """E6, and the proof of the rulebook's text that a tie of one and one cannot happen."""
    cards = [habitat(value, word) for value, word in enumerate(shared.split(), start=1)]
    player = PlayerCards("ann", (), habitat(9, locked) if locked else None)
    assert determine_method(player, cards) == method


@pytest.mark.parametrize("module", [scoring, notation])
def test_examples_in_the_docstrings_hold(module):
    result = doctest.testmod(module)
    assert (result.failed, result.attempted > 0) == (0, True)
