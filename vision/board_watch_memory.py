"""What is believed to lie on a board, and what a new look at some of it changes.

What is new on a bare space is believed at once where it is clearly seen; what takes back an earlier
look must be seen twice. What cannot be told changes nothing: it is looked at again.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from vision.table import BoardReading, ChipReading, Quad, SpaceReading, SpaceState

Space = tuple[int, int]
"""Row and column."""

CONFIRM_S = 0.25
"""A second look that is to confirm a first one comes at least so much later."""
_EXPLAINED = 0.55
"""Share of a space that a card must explain: fingers over it leave less."""
_CHIP_SCORE = 0.8
"""A chip may be looked at again and again until it passes for another one by chance: more is asked
of it than on a photograph, where it may be told with a doubt."""
_SUSPECT_SCORE, _RENAMED_SCORE = 0.9, 0.95
"""So sure must be that a chip can be named after all, or is another one than it was taken for."""
_SHIFTED = 0.08
"""Of a card's diagonal: a corner that went further did so by a hand, not by an error of reading."""
_BARE_EXPLAINED, _BARE_SCORE = 0.4, 0.9
"""The fine print of a bare space is seen less well, but nothing else is like it."""


@dataclass(frozen=True, slots=True)
class SpaceChange:
    """A space shows something else than it did, or the same card elsewhere upon it.

    Attributes:
        before: What was believed to lie there; None where nobody knew.
        after: What lies there now.
    """

    before: SpaceReading | None
    after: SpaceReading


@dataclass(frozen=True, slots=True)
class ChipChange:
    """A chip that came or went."""

    chip: ChipReading
    is_there: bool


@dataclass(frozen=True, slots=True)
class Comparison:
    """What a look has brought.

    Attributes:
        spaces: Spaces that changed.
        chips: Chips that went, then chips that came.
        known: Spaces of which all is known now.
        open: Spaces that must be looked at again.
    """

    spaces: tuple[SpaceChange, ...]
    chips: tuple[ChipChange, ...]
    known: tuple[Space, ...]
    open: tuple[Space, ...]


@dataclass(frozen=True, slots=True)
class Lying:
    """What lies on a card: chips that were named, and quarters where one may lie unread."""

    named: tuple[ChipReading, ...]
    obscure: frozenset[str] = frozenset()

    @property
    def quarters(self) -> frozenset[str]:
        """The quarters on which a chip lies or may lie."""
        return self.obscure | {chip.quarter for chip in self.named}


class BoardMemory:
    """Remembers one board.

    Args:
        meaning: What a space's reading means (`BoardReader.meaning`).
    """

    def __init__(self, meaning: Callable[[SpaceReading], str]) -> None:
        self._meaning = meaning
        self._spaces: dict[Space, SpaceReading] = {}
        self._chips: dict[Space, tuple[ChipReading, ...]] = {}
        self._guesses: dict[Space, tuple[float, str]] = {}
        self._doubted: set[Space] = set()
        self._suspects: set[tuple[Space, str]] = set()

    def reading(self, like: BoardReading) -> BoardReading:
        """All that is believed, with time and sizes of another reading."""
        return replace(
            like,
            spaces=tuple(self._spaces[space] for space in sorted(self._spaces)),
            chips=tuple(chip for space in sorted(self._chips) for chip in self._chips[space]),
        )

    def has_chip(self, chip: ChipReading) -> bool:
        """Whether it is known what chip lies on the quarter of one."""
        lying = self._chips.get((chip.row, chip.col), ())
        return any(known.quarter == chip.quarter for known in lying)

    @property
    def is_filled(self) -> bool:
        """Whether anything of the board has been told."""
        return bool(self._spaces)

    def compare(self, look: BoardReading) -> Comparison:
        """Compares a look at some spaces with what is believed, and believes what is sure."""
        spaces: list[SpaceChange] = []
        chips: list[ChipChange] = []
        known: list[Space] = []
        waiting: list[Space] = []
        for seen in look.spaces:
            place = (seen.row, seen.col)
            lying = Lying(
                tuple(chip for chip in look.chips if (chip.row, chip.col) == place),
                frozenset(each.quarter for each in look.obscure if (each.row, each.col) == place),
            )
            if not self._is_sure(place, seen, lying, look.timestamp_s):
                waiting.append(place)
                continue
            spaces += self._renew_space(place, seen)
            chips += self._renew_chips(place, lying)
            told = {chip.quarter for chip in self._chips[place]}
            self._suspects -= {(place, quarter) for quarter in told}
            is_all_told = told >= lying.quarters
            (known if is_all_told else waiting).append(place)
        gone_first = sorted(chips, key=lambda change: change.is_there)
        return Comparison(tuple(spaces), tuple(gone_first), tuple(known), tuple(waiting))

    def move(self, moved: Callable[[Quad], Quad]) -> None:
        """Carries everything over to where it lies in the picture of a camera that moved."""
        for place, space in self._spaces.items():
            self._spaces[place] = replace(space, quad_px=moved(space.quad_px))
        for place, chips in self._chips.items():
            laid = tuple(replace(chip, quad_px=moved(chip.quad_px)) for chip in chips)
            self._chips[place] = laid

    def _is_sure(self, place: Space, seen: SpaceReading, chips: Lying, now_s: float) -> bool:
        """Whether a look at a space can be believed, if need be as the second that says so."""
        if not _is_clear(seen):
            if seen.state is SpaceState.DOUBTFUL:
                self._doubted.add(place)
            return False
        if place not in self._doubted and not self._takes_back(place, seen, chips):
            self._guesses.pop(place, None)
            return True
        told = repr((self._meaning(seen), sorted(map(_named, chips.named))))
        first_s, first = self._guesses.get(place, (now_s, ""))
        if first != told:
            self._guesses[place] = (now_s, told)
            return False
        if now_s - first_s < CONFIRM_S - 1e-6:
            return False
        del self._guesses[place]
        self._doubted.discard(place)
        return True

    def _takes_back(self, place: Space, seen: SpaceReading, chips: Lying) -> bool:
        """Whether a look contradicts what is believed, beyond what is laid upon it."""
        before = self._spaces.get(place)
        if before is None:
            return False
        is_other = self._meaning(seen) != self._meaning(before)
        if is_other and not _may_be_covered(before):
            return True
        now = self._believable(place, chips)
        return any(chip not in now for chip in self._chips.get(place, ()))

    def _believable(self, place: Space, chips: Lying) -> tuple[ChipReading, ...]:
        """The chips of a look that can be named; what was known stands where one cannot.

        A chip is not changed for another one on its quarter: that it is one needs to be clearer
        than that it was the first one.
        """
        found = []
        old = {chip.quarter: chip for chip in self._chips.get(place, ())}
        for chip in chips.named:
            known = old.get(chip.quarter)
            if known is not None and (known.face_id == chip.face_id or chip.score < _RENAMED_SCORE):
                found.append(known)
            elif not _is_sure_chip(chip):
                self._suspects.add((place, chip.quarter))
            elif (place, chip.quarter) not in self._suspects or chip.score > _SUSPECT_SCORE:
                found.append(chip)
        told = {chip.quarter for chip in found}
        found += [old[quarter] for quarter in sorted((chips.obscure - told) & old.keys())]
        return tuple(found)

    def _renew_space(self, place: Space, seen: SpaceReading) -> Iterable[SpaceChange]:
        before = self._spaces.get(place)
        if before is not None and self._meaning(before) == self._meaning(seen):
            laid = replace(before, quad_px=seen.quad_px)
            self._spaces[place] = laid
            if seen.state is SpaceState.COVERED and _is_shifted(before, seen):
                yield SpaceChange(before, laid)
            return
        self._spaces[place] = seen
        if before is not None or seen.state is SpaceState.COVERED:
            yield SpaceChange(before, seen)

    def _renew_chips(self, place: Space, chips: Lying) -> Iterable[ChipChange]:
        old = self._chips.get(place, ())
        new = self._believable(place, chips)
        self._chips[place] = new
        yield from (ChipChange(chip, False) for chip in old if chip not in new)
        yield from (ChipChange(chip, True) for chip in new if chip not in old)


def _is_sure_chip(chip: ChipReading) -> bool:
    """Whether a chip can be named and placed, beyond what one picture is granted."""
    return chip.runner_up is None and chip.score > _CHIP_SCORE


def _is_clear(seen: SpaceReading) -> bool:
    if seen.state is SpaceState.EMPTY:
        return seen.explained > (_BARE_EXPLAINED if seen.score > _BARE_SCORE else _EXPLAINED)
    return seen.state is SpaceState.COVERED and seen.explained > _EXPLAINED


def _is_shifted(before: SpaceReading, after: SpaceReading) -> bool:
    """Whether a card lies elsewhere on its space than it did: somebody has laid it right."""
    away = max(math.dist(old, new) for old, new in zip(before.quad_px, after.quad_px, strict=True))
    return away > _SHIFTED * math.dist(before.quad_px[0], before.quad_px[2])


def _may_be_covered(space: SpaceReading) -> bool:
    """Whether a card may come to lie there: on nothing or on a pond."""
    return space.state is SpaceState.EMPTY or space.face_kind == "back"


def _named(chip: ChipReading) -> tuple[str, str]:
    return chip.quarter, chip.face_id
