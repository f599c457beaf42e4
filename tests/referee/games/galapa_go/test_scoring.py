"""Properties of a round's ruling that hold whatever is done at the table."""

import string

from hypothesis import given, settings
from hypothesis import strategies as st

from referee.games.galapa_go.matching import matching_cards
from referee.games.galapa_go.model import (
    COLOURS,
    CRABS,
    SPECIES,
    Animal,
    AnimalCard,
    Cover,
    EndedBy,
    GiveUp,
    Guess,
    NoMatch,
    Pass,
    RoundPosition,
    Rulings,
    Special,
    SpecialKind,
    Task,
    Variant,
    Verdict,
    Withdraw,
)
from referee.games.galapa_go.scoring import rule_round

FEATURES = (*SPECIES, "red-crab", "blue-crab")
FEW = settings(max_examples=60, deadline=None)

animals = st.builds(Animal, st.sampled_from(SPECIES), st.sampled_from(SPECIES))
faces = st.tuples(
    st.lists(animals, min_size=1, max_size=2).map(tuple),
    st.lists(st.sampled_from(CRABS), unique=True).map(tuple),
)
tasks = st.builds(
    Task,
    st.just("t"),
    st.frozensets(st.sampled_from(FEATURES), max_size=2),
    st.frozensets(st.sampled_from(FEATURES), max_size=2),
)
specials = st.builds(Special, st.just("s"), st.sampled_from(SpecialKind))
rulings = st.builds(
    Rulings,
    st.sampled_from(["void", "judged"]),
    st.sampled_from(["animals", "cards"]),
    st.sampled_from(["penalty", "none"]),
)


ANY_TASK = st.one_of(tasks, specials)


@st.composite
def positions(draw, turned=ANY_TASK):
    drawn = draw(st.lists(faces, min_size=2, max_size=len(string.ascii_lowercase) // 2))
    cards = [
        AnimalCard(name, *face) for name, face in zip(string.ascii_lowercase, drawn, strict=False)
    ]
    laid_out = draw(st.integers(1, len(cards)))
    players = tuple(draw(st.permutations(COLOURS))[: draw(st.integers(2, 6))])
    won = dict.fromkeys(players, ())
    box = []
    for card in cards[laid_out:]:
        owner = draw(st.sampled_from([*players, "box"]))
        if owner == "box":
            box.append(card.id)
        else:
            won[owner] = (*won[owner], card.id)
    task = draw(turned)
    variant = Variant.NORMAL
    if isinstance(task, Task) and draw(st.booleans()):
        variant = Variant.COMPLEX
    return RoundPosition(
        players=players,
        lead=draw(st.sampled_from(players)),
        layout=tuple(cards[:laid_out]),
        tasks=(task,) if variant is Variant.NORMAL else (task, draw(tasks)),
        won=won,
        box=tuple(box),
        deck_left=draw(st.sampled_from([0, 15])),
        variant=variant,
        rulings=draw(rulings),
    )


@st.composite
def courses(draw, position, max_size=14):
    ids = [card.id for card in position.layout]
    actions, t = [], 0.0
    for _ in range(draw(st.integers(0, max_size))):
        t += draw(st.sampled_from([0.0, 0.25, 1.0]))
        player = draw(st.sampled_from(position.players))
        named = draw(st.lists(st.sampled_from(SPECIES), max_size=2))
        choices = [
            Cover(t, player, draw(st.sampled_from(ids))),
            Cover(t, player, draw(st.sampled_from(ids))),
            Withdraw(t, player),
            Pass(t, player),
            NoMatch(t, player),
            Guess(t, player, tuple(named)),
        ]
        choices += [GiveUp(t, player, card) for card in position.won[player]]
        actions.append(draw(st.sampled_from(choices)))
    return actions


@given(st.data())
@FEW
def test_cards_are_neither_made_nor_lost(data):
    """deck + table + won + box stays the number of Animal cards, each card in one place."""
    position = data.draw(positions())
    result = rule_round(position, data.draw(courses(position)))
    before = [card.id for card in position.layout] + [*position.box]
    after = [*result.layout, *result.box]
    for player in position.players:
        before += position.won[player]
        after += result.won[player]
    assert sorted(after) == sorted(before)


@given(st.data())
@FEW
def test_one_card_a_player_and_one_penalty_at_most(data):
    """G1, G16."""
    position = data.draw(positions())
    result = rule_round(position, data.draw(courses(position)))
    for player in position.players:
        gained = set(result.won[player]) - set(position.won[player])
        lost = set(position.won[player]) - set(result.won[player])
        assert len(gained) + len(lost) <= 1
        if lost:
            verdicts = [claim.verdict for claim in result.claims if claim.player == player]
            assert Verdict.WRONG in verdicts


@given(st.data())
@FEW
def test_one_claim_on_a_card_stands_at_most(data):
    """G5, G6: of a player and of a card; and claims are numbered as they were placed."""
    position = data.draw(positions())
    result = rule_round(position, data.draw(courses(position)))
    assert [claim.order for claim in result.claims] == [*range(1, len(result.claims) + 1)]
    assert [claim.t for claim in result.claims] == sorted(claim.t for claim in result.claims)
    standing = [
        claim for claim in result.claims if claim.verdict in (Verdict.CORRECT, Verdict.WRONG)
    ]
    assert len({claim.card for claim in standing}) == len(standing)
    assert len({claim.player for claim in standing}) == len(standing)


@given(st.data())
@FEW
def test_the_end_stays_the_end(data):
    """What comes later does not change what ended a round; void claims change nothing (G9)."""
    position = data.draw(positions())
    actions = [a for a in data.draw(courses(position)) if not isinstance(a, GiveUp)]
    result = rule_round(position, actions)
    if result.ended_at is None:
        assert result.ended_by is result.ended_t is None
        assert (result.layout, result.box) == (
            tuple(card.id for card in position.layout),
            position.box,
        )
        assert dict(result.won) == dict(position.won)
        assert result.lead == position.lead
        assert not result.redeal
        assert not result.game_over
        return
    first = rule_round(position, actions[: result.ended_at + 1])
    assert (first.ended_by, first.ended_at, first.ended_t) == (
        result.ended_by,
        result.ended_at,
        result.ended_t,
    )
    assert rule_round(position, actions[: result.ended_at]).ended_by is None
    if position.rulings.late_claims == "void":
        assert (result.won, result.box, result.lead) == (first.won, first.box, first.lead)


@given(st.data())
@FEW
def test_order_does_not_matter_on_different_cards(data):
    """G7: in plain tasks everybody who is right wins, whoever was first, if all covered at once."""
    position = data.draw(positions(turned=tasks))
    players = position.players
    if len(position.layout) < len(players):
        return
    ids = data.draw(st.permutations([card.id for card in position.layout]))
    fitting = {card.id for card in matching_cards(position.layout, position.tasks, Rulings())}
    covers = [Cover(1.0, player, card) for player, card in zip(players, ids, strict=False)]
    rest = {card for card in fitting if card not in ids[: len(players)]}
    one = rule_round(position, covers)
    other = rule_round(position, data.draw(st.permutations(covers)))
    if not rest:
        return  # none-left may end the round before the last Camera
    assert one.ended_by is other.ended_by is EndedBy.ALL_COVERED
    assert (one.won, one.layout, one.lead) == (other.won, other.layout, other.lead)
    assert sorted(one.box) == sorted(other.box)
    assert {(c.player, c.verdict) for c in one.claims} == {
        (c.player, c.verdict) for c in other.claims
    }


@given(st.data())
@FEW
def test_claim_is_right_exactly_where_the_card_matches(data):
    position = data.draw(positions(turned=tasks))
    result = rule_round(position, data.draw(courses(position)))
    for claim in result.claims:
        if claim.verdict is Verdict.CORRECT:
            assert claim.card in result.matching
        if claim.verdict is Verdict.WRONG:
            assert claim.card not in result.matching
            assert claim.reason.startswith("does not match: ")


@given(faces, tasks)
def test_match_is_what_the_rulebook_says(face, task):
    """G3, G4: looked at feature by feature, independently of the engine's sets."""
    card = AnimalCard("x", *face)

    def shows(feature):
        if feature.endswith("-crab"):
            return feature.removesuffix("-crab") in card.crabs
        return any(feature in (animal.head, animal.body) for animal in card.animals)

    expected = all(map(shows, task.require)) and not any(map(shows, task.forbid))
    assert bool(matching_cards([card], [task], Rulings())) == expected
