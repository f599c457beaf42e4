"""What is played in a recording: who sits there, what is laid out, what each round brings.

Rounds are drawn by lot to fit a scenario (a contested card, a wrong claim, nothing that fits);
the rules engine itself says what comes of the actions. Nothing here knows of pixels.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations

from datasets.art.paint import Rng
from referee.games.galapa_go.matching import matching_cards
from referee.games.galapa_go.model import (
    COLOURS,
    LAYOUT_SIZE,
    AnimalCard,
    AnyTask,
    Cover,
    NoMatch,
    PlayerAction,
    RoundPosition,
    RoundRuling,
    Rulings,
    Special,
    SpecialKind,
    Task,
    Variant,
    Withdraw,
)
from referee.games.galapa_go.scoring import rule_round

HAND_S = 0.62  # between two landings of one hand: lift, carry, land


@dataclass(frozen=True, slots=True)
class Scenario:
    """What a round is to show.

    Attributes:
        contest: A second Camera comes onto a taken card and moves on ("move") or home ("home").
        wrong: Players whose card does not fit.
        near: Claims come one to three frames apart.
        is_short: Fewer cards fit than there are players.
        late: Players who cover a card after the round has ended.
        is_empty: Nothing fits, and the players agree.
        specials: The Special Tasks that may be turned; none: a plain Task.
    """

    contest: str = ""
    wrong: int = 0
    near: bool = False
    is_short: bool = False
    late: int = 0
    is_empty: bool = False
    specials: tuple[SpecialKind, ...] = ()


SCENARIOS = {
    "plain": Scenario(),
    "wrong": Scenario(wrong=1),
    "contest-move": Scenario(contest="move"),
    "contest-home": Scenario(contest="home", is_short=True),
    "contest-wrong": Scenario(contest="move", wrong=1),
    "near": Scenario(near=True),
    "near-same": Scenario(contest="move", near=True),
    "none-left": Scenario(is_short=True),
    "late": Scenario(is_short=True, late=1),
    "no-match": Scenario(is_empty=True),
    "special": Scenario(specials=(SpecialKind.ANY_UNUSUAL, SpecialKind.ANY_NORMAL)),
    "most-least": Scenario(specials=(SpecialKind.MOST, SpecialKind.LEAST)),
}


@dataclass(frozen=True, slots=True)
class Move:
    """A Camera card is put down.

    Attributes:
        player: Whose it is.
        card: The Animal card that it comes to lie on.
        at_s: When it has landed, in seconds after the Task lay face up.
        until_s: When it is lifted again because another lay there first; None where it stays.
        to_home: Whether it is then taken home, and not to another card.
    """

    player: str
    card: str
    at_s: float
    until_s: float | None = None
    to_home: bool = False


@dataclass(frozen=True, slots=True)
class Round:
    """One round: the table before it, the cards put down, when it is over.

    Attributes:
        position: What the rules know at its start.
        moves: In the order of landing.
        no_match_s: When the players agree that nothing fits; None where they do not.
        over_s: When clearing up begins, or the next Task is reached for.
    """

    position: RoundPosition
    moves: tuple[Move, ...]
    no_match_s: float | None
    over_s: float


@dataclass(frozen=True, slots=True)
class Cards:
    """The cards of a deck by what they are for."""

    animals: tuple[AnimalCard, ...]
    tasks: tuple[Task, ...]
    specials: tuple[Special, ...]


@dataclass(frozen=True, slots=True)
class Setting:
    """What is known before the first round.

    Attributes:
        players: Clockwise.
        lead: The first lead player.
        variant: Normal or complex.
        won: How many cards each player has won before the recording.
    """

    players: tuple[str, ...]
    lead: str
    variant: Variant = Variant.NORMAL
    won: tuple[int, ...] = field(default=())


class NoRoundError(ValueError):
    """No round of these cards fits the scenarios asked for."""


def sample_setting(rng: Rng, seats: int, variant: Variant, won: int) -> Setting:
    """Draws players, lead and cards won before by lot; `won` is the most that one player has."""
    players = tuple(str(c) for c in rng.permutation(COLOURS)[:seats])
    lead = players[int(rng.integers(seats))]
    counts = tuple(int(rng.integers(0, won + 1)) for _ in players) if won else (0,) * seats
    return Setting(players, lead, variant, counts)


def sample_rounds(
    rng: Rng, cards: Cards, setting: Setting, scenarios: Sequence[str]
) -> tuple[Round, ...]:
    """Draws the rounds of a recording by lot.

    Args:
        rng: Source of all chance.
        cards: The deck that is played with.
        setting: Players, lead, variant.
        scenarios: Names of `SCENARIOS`, one a round; an agreed no-match is a round of its own.

    Raises:
        NoRoundError: If no layout was found that allows them.
    """
    for _ in range(300):
        position = _deal(rng, cards, setting)
        rounds: list[Round] = []
        used: set[str] = set()
        for name in scenarios:
            found = _sample_round(rng, cards, position, SCENARIOS[name], used)
            if found is None:
                break
            rounds.append(found)
            used |= {task.id for task in found.position.tasks}
            position = _after(position, rule_of(found, 0.0))
        if len(rounds) == len(scenarios):
            return tuple(rounds)
    raise NoRoundError(
        f"no layout of this deck allows the rounds {', '.join(scenarios)} "
        f"for {len(setting.players)} players"
    )


def actions_of(played: Round, shift_s: float) -> tuple[PlayerAction, ...]:
    """Returns what the players do, in the order of time; `shift_s` is added to every time."""
    actions: list[PlayerAction] = []
    for move in played.moves:
        actions.append(Cover(move.at_s + shift_s, move.player, move.card))
        if move.until_s is not None:
            actions.append(Withdraw(move.until_s + shift_s, move.player))
    if played.no_match_s is not None:
        actions += [
            NoMatch(played.no_match_s + shift_s, player) for player in played.position.players
        ]
    return tuple(sorted(actions, key=lambda action: action.t))


def rule_of(played: Round, shift_s: float) -> RoundRuling:
    """Returns what the rules say of a round."""
    return rule_round(played.position, actions_of(played, shift_s))


def _deal(rng: Rng, cards: Cards, setting: Setting) -> RoundPosition:
    order = [cards.animals[int(i)] for i in rng.permutation(len(cards.animals))]
    won, start = {}, 0
    for player, count in zip(
        setting.players, setting.won or (0,) * len(setting.players), strict=True
    ):
        won[player] = tuple(card.id for card in order[start : start + count])
        start += count
    size = min(LAYOUT_SIZE, len(order)) - start
    return RoundPosition(
        setting.players, setting.lead, tuple(order[start : start + size]), (), won, (),
        max(0, len(order) - LAYOUT_SIZE), setting.variant, Rulings(),
    )  # fmt: skip


def _after(position: RoundPosition, ruling: RoundRuling) -> RoundPosition:
    left = tuple(card for card in position.layout if card.id in ruling.layout)
    return RoundPosition(
        position.players,
        ruling.lead,
        left,
        (),
        ruling.won,
        ruling.box,
        position.deck_left,
        position.variant,
        position.rulings,
    )


def _sample_round(
    rng: Rng, cards: Cards, position: RoundPosition, scenario: Scenario, used: set[str]
) -> Round | None:
    seats = len(position.players)
    low, high = seats, LAYOUT_SIZE - scenario.wrong - scenario.late
    if scenario.is_empty:
        low, high = 0, 0
    elif scenario.is_short:
        low, high = (2 if scenario.contest else 1), seats - 1
    if scenario.specials:
        low, high = 1, len(position.layout)
    options = _task_options(rng, cards, position, scenario, used)
    for tasks in options:
        fits = [card.id for card in matching_cards(position.layout, tasks, position.rulings)]
        if low <= len(fits) <= high:
            others = [card.id for card in position.layout if card.id not in fits]
            turned = RoundPosition(
                position.players, position.lead, position.layout, tasks, position.won, position.box,
                position.deck_left, position.variant, position.rulings,
            )  # fmt: skip
            return _play(rng, turned, scenario, fits, others)
    return None


def _task_options(
    rng: Rng, cards: Cards, position: RoundPosition, scenario: Scenario, used: set[str]
) -> list[tuple[AnyTask, ...]]:
    if scenario.specials:
        fitting = [(s,) for s in cards.specials if s.kind in scenario.specials and s.id not in used]
        return [fitting[int(i)] for i in rng.permutation(len(fitting))]
    free = [task for task in cards.tasks if task.id not in used]
    order = [free[int(i)] for i in rng.permutation(len(free))]
    return list(combinations(order[:24], position.variant.tasks))


def _play(
    rng: Rng, position: RoundPosition, scenario: Scenario, fits: list[str], others: list[str]
) -> Round | None:
    """Draws who puts the Camera where and when."""
    if scenario.is_empty:
        agreed = float(rng.uniform(1.8, 3.0))
        return Round(position, (), agreed, agreed + float(rng.uniform(0.3, 0.8)))
    order = [str(p) for p in rng.permutation(position.players)]
    fits = [fits[int(i)] for i in rng.permutation(len(fits))]
    others = [others[int(i)] for i in rng.permutation(len(others))]
    if SpecialKind.MOST in scenario.specials:
        order = order[: 1 + (len(others) > 0)]
        targets = [*others[: len(order) - 1], fits[0]]
    elif scenario.is_short:
        order = order[: len(fits)]
        targets = fits
    else:
        wrong = min(scenario.wrong, len(others))
        targets = fits[: len(order) - wrong] + others[:wrong]
        if not scenario.contest:
            targets = [targets[int(i)] for i in rng.permutation(len(targets))]
    if len(targets) != len(order) or len(set(targets)) != len(targets):
        return None
    moves = _moves(rng, order, targets, scenario)
    if scenario.contest:
        moves = _contest(rng, position, moves, scenario)
    if scenario.late:
        moves += _late(rng, position, moves, others)
    moves.sort(key=lambda move: move.at_s)
    last = max([move.at_s for move in moves] + [(move.until_s or 0) + 0.8 for move in moves])
    return Round(position, tuple(moves), None, last + float(rng.uniform(0.9, 1.5)))


def _moves(
    rng: Rng, order: Sequence[str], targets: Sequence[str], scenario: Scenario
) -> list[Move]:
    at, moves = float(rng.uniform(1.25, 1.8)), []
    for player, card in zip(order, targets, strict=True):
        moves.append(Move(player, card, at))
        at += float(rng.uniform(0.035, 0.11)) if scenario.near else float(rng.uniform(0.3, 0.85))
    return moves


def _contest(
    rng: Rng, position: RoundPosition, moves: list[Move], scenario: Scenario
) -> list[Move]:
    """Lets another player come onto the first card covered, and go on from there."""
    first = moves[0]
    gap = float(rng.uniform(0.02, 0.06)) if scenario.near else float(rng.uniform(0.3, 0.6))
    at = first.at_s + gap
    until = at + float(rng.uniform(0.4, 1.0))
    if scenario.contest == "home":
        taking = {move.player for move in moves}
        idle = [player for player in position.players if player not in taking]
        player = idle[int(rng.integers(len(idle)))]
        later = [
            Move(m.player, m.card, max(m.at_s, at + 0.15 + 0.4 * i))
            for i, m in enumerate(moves[1:])
        ]
        return [first, Move(player, first.card, at, until, to_home=True), *later]
    second = moves[1]
    moved = Move(second.player, second.card, until + HAND_S + float(rng.uniform(0.1, 0.4)))
    return [first, Move(second.player, first.card, at, until), moved, *moves[2:]]


def _late(rng: Rng, position: RoundPosition, moves: list[Move], others: list[str]) -> list[Move]:
    taking = {move.player for move in moves}
    idle = [player for player in position.players if player not in taking]
    end = max(move.at_s for move in moves)
    return [
        Move(player, card, end + float(rng.uniform(0.3, 0.7)) * (i + 1))
        for i, (player, card) in enumerate(zip(idle[:1], others[:1], strict=False))
    ]
