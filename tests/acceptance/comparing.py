"""What was seen in a recording against what was played."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from tests.acceptance.truth import Claim, ClaimKey, Round

_MILLISECOND = 0.001
"""Times of a replay are rounded to it, so an interval may end this much too early."""

Pair = tuple[Claim, Claim]


@dataclass(slots=True)
class Tally:
    """Counts over one recording or many; tallies add up.

    Attributes:
        frames_off: For every claim that was found, how many frames its time is off.
        within_dt: How many found claims have the true moment inside t plus or minus dt.
        wrong_orders: Pairs of claims in the wrong order that were not called too close.
        faults: What was wrong, in words.
    """

    rounds: int = 0
    rounds_right: int = 0
    claims: int = 0
    claims_false: int = 0
    frames_off: list[int] = field(default_factory=list)
    within_dt: int = 0
    wrong_orders: int = 0
    faults: list[str] = field(default_factory=list)

    def add(self, other: Tally) -> None:
        """Adds another tally to this one."""
        for name in (
            "rounds",
            "rounds_right",
            "claims",
            "claims_false",
            "within_dt",
            "wrong_orders",
        ):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.frames_off += other.frames_off
        self.faults += other.faults

    def share_within(self, frames: int) -> float:
        """Returns the share of all claims whose time is off by so many frames at most."""
        return _share(sum(off <= frames for off in self.frames_off), self.claims)

    @property
    def share_found(self) -> float:
        """Share of the claims that were found."""
        return _share(len(self.frames_off), self.claims)

    @property
    def share_within_dt(self) -> float:
        """Share of all claims whose true moment lies in the interval that was given."""
        return _share(self.within_dt, self.claims)

    @property
    def share_right(self) -> float:
        """Share of the rounds that are entirely right."""
        return _share(self.rounds_right, self.rounds)


def compare_rounds(
    played: Sequence[Round], seen: Sequence[Round], frame_times_s: Sequence[float]
) -> Tally:
    """Returns how well the rounds of a recording were seen.

    Args:
        played: The truth.
        seen: What a replay says.
        frame_times_s: Presentation time of every frame; times are compared by frame.
    """
    tally = Tally()
    pairs, extra = _pair_rounds(played, seen)
    for number, (true, found) in enumerate(pairs, start=1):
        tally.rounds += 1
        tally.claims += len(true.claims)
        if found is None:
            tally.faults.append(f"round {number}: not seen")
            continue
        faults = list(_faults(true, found))
        tally.rounds_right += not faults
        tally.faults += [f"round {number}: {fault}" for fault in faults]
        _count_claims(tally, true, found, frame_times_s)
    tally.rounds += len(extra)
    tally.claims_false += sum(len(found.claims) for found in extra)
    tally.faults += [f"a round that was not played, at {found.t:.2f} s" for found in extra]
    return tally


def _pair_rounds(
    played: Sequence[Round], seen: Sequence[Round]
) -> tuple[list[tuple[Round, Round | None]], list[Round]]:
    """Pairs every played round with the seen one of the same tasks, or else nearest in time."""
    left = list(seen)
    found: dict[int, Round] = {}
    for same_tasks in (True, False):
        for index, true in enumerate(played):
            choice = [each for each in left if not same_tasks or each.tasks == true.tasks]
            if index in found or not choice:
                continue
            found[index] = min(choice, key=lambda each: abs(each.t - true.t))
            left.remove(found[index])
    return [(true, found.get(index)) for index, true in enumerate(played)], left


def _faults(true: Round, found: Round) -> Iterator[str]:
    if true.tasks != found.tasks:
        yield f"task {_words(found.tasks)}, expected {_words(true.tasks)}"
    ours = [claim.key for claim in found.claims]
    if ours != [claim.key for claim in _as_told(true.claims, ours)]:
        yield f"claims {_told(found.claims)}, expected {_told(true.claims)}"
    for name, value in true.outcome.items():
        if found.outcome[name] != value:
            yield f"{name} {_plain(found.outcome[name])}, expected {_plain(value)}"


def _count_claims(tally: Tally, true: Round, found: Round, frame_times_s: Sequence[float]) -> None:
    pairs = _pair_claims(true.claims, found.claims)
    tally.claims_false += len(found.claims) - len(pairs)
    for played, seen in pairs:
        tally.frames_off.append(_frames_between(played.t, seen.t, frame_times_s))
        tally.within_dt += abs(played.t - seen.t) <= seen.dt + _MILLISECOND
    for (first, one), (second, other) in combinations(pairs, 2):
        too_close = frozenset((one.key.player, other.key.player)) in found.close
        ours = found.claims.index(one) - found.claims.index(other)
        theirs = true.claims.index(first) - true.claims.index(second)
        is_open = too_close or _is_at_once(first, second)
        tally.wrong_orders += (ours < 0) != (theirs < 0) and not is_open


def _as_told(played: Sequence[Claim], told: Sequence[ClaimKey]) -> list[Claim]:
    """The claims that were played; on cards of their own, those of one moment have no order."""
    ordered = list(played)
    for number, claim in enumerate(ordered[1:], start=1):
        before = ordered[number - 1]
        if _is_at_once(before, claim) and told.count(claim.key) and told.count(before.key):
            pair = sorted((before, claim), key=lambda each: told.index(each.key))
            ordered[number - 1 : number + 1] = pair
    return ordered


def _is_at_once(one: Claim, other: Claim) -> bool:
    return one.t == other.t and one.key.card != other.key.card


def _pair_claims(played: Sequence[Claim], seen: Sequence[Claim]) -> list[Pair]:
    """Pairs claims of one player on one card, the nearest in time first."""
    candidates = [
        (abs(true.t - found.t), i, j)
        for i, true in enumerate(played)
        for j, found in enumerate(seen)
        if true.key[:2] == found.key[:2]
    ]
    pairs: dict[int, int] = {}
    for _, i, j in sorted(candidates):
        if i not in pairs and j not in pairs.values():
            pairs[i] = j
    return [(played[i], seen[j]) for i, j in sorted(pairs.items())]


def _frames_between(one_s: float, other_s: float, frame_times_s: Sequence[float]) -> int:
    """Returns how many frames lie between two times, each taken to its nearest frame."""
    ends = [
        min(range(len(frame_times_s)), key=lambda index: abs(frame_times_s[index] - time_s))
        for time_s in (one_s, other_s)
    ]
    return abs(ends[0] - ends[1])


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 1.0


def _words(values: frozenset[str]) -> str:
    return "+".join(sorted(values)) or "none"


def _plain(value: object) -> str:
    if isinstance(value, dict):
        return (
            " ".join(f"{name}={_words(cards)}" for name, cards in sorted(value.items())) or "none"
        )
    return str(value)


def _told(claims: Sequence[Claim]) -> str:
    return (
        ", ".join(f"{c.key.player} {c.key.card} {c.key.verdict} {c.t:.3f}" for c in claims)
        or "none"
    )
