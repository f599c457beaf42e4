"""What a match is made of while it is played: each action with what came of it, and the beliefs.

`session` makes these values from events; nothing here changes them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from referee.engines import Engine
from referee.events import ActionObserved, Correction, Event
from referee.rules import Outcome


class Stage(StrEnum):
    """How far a match is."""

    EMPTY = "the match has not started"
    RUNNING = "the match runs"
    ENDED = "the match has ended"


class Standing(StrEnum):
    """What an action counts for."""

    COUNTS = "counts"  # the game goes on from it
    REFUSED = "refused"  # it cannot happen; it never counted
    NOT_APPLICABLE = "not-applicable"  # it counted once, and cannot any more since a correction
    TAKEN_BACK = "taken-back"  # somebody said that it did not happen


class Kind(StrEnum):
    """What an announcement is about."""

    STARTED = "started"
    DONE = "done"  # an action counts
    OBJECTION = "objection"  # it counts, but the rules do not allow it
    REFUSED = "refused"  # an event that cannot be
    NEWS = "news"  # what the rules make of it
    CORRECTED = "corrected"
    TAKEN_BACK = "taken-back"
    RESTORED = "restored"  # what was taken back stands again
    CHANGED = "changed"  # what came of a later action is another thing now
    OUTCOME = "outcome"
    ENDED = "ended"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class Announcement:
    """A sentence for the table.

    Attributes:
        seq: The event that it comes from.
        kind: What it is about.
        about: The action that it speaks of: that event, or an earlier one.
        text: The sentence.
    """

    seq: int
    kind: Kind
    about: int
    text: str


@dataclass(frozen=True, slots=True)
class Entry:
    """An action, and what came of it.

    Attributes:
        seq: The event that brought it.
        observed: What is believed to have happened; what was seen, where it is taken back.
        standing: What it counts for.
        words: The action in words.
        objection: What the rules have against it, with the section; empty for nothing.
        news: What it brought.
        state: The state of the game after it.
        has_counted: Whether it counted at any time.
    """

    seq: int
    observed: ActionObserved
    standing: Standing
    words: str
    objection: str
    news: tuple[str, ...]
    state: Any
    has_counted: bool


@dataclass(frozen=True, slots=True)
class Session:
    """A match as far as it has come.

    Attributes:
        events: Everything that happened; the event `seq` is `events[seq - 1]`.
        engine: The game that is played; None before the match has started.
        start: The state at the beginning.
        entries: Every action in the order of its event.
        targets: By the `seq` of a correction or an undo, the event that it is about.
        ends: The events that ended the match, those taken back among them.
    """

    events: tuple[Event, ...] = ()
    engine: Engine | None = None
    start: Any = None
    entries: tuple[Entry, ...] = ()
    targets: Mapping[int, int] = field(default_factory=dict)
    ends: tuple[int, ...] = ()

    @property
    def state(self) -> Any:
        """The state of the game now; None before the match has started."""
        return self.entries[-1].state if self.entries else self.start

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended by its rules, or None."""
        return self.engine.rules.outcome(self.state) if self.engine else None

    @property
    def stage(self) -> Stage:
        """How far the match is."""
        if self.engine is None:
            return Stage.EMPTY
        if self.ends and not beliefs_of(self).struck.issuperset(self.ends):
            return Stage.ENDED
        return Stage.RUNNING

    def entry_of(self, seq: int) -> Entry | None:
        """Returns the action that an event brought; None where it brought none."""
        return next((entry for entry in self.entries if entry.seq == seq), None)


@dataclass(frozen=True, slots=True)
class Beliefs:
    """What the corrections in force say.

    Attributes:
        replaced: By the `seq` of an action what happened in truth; None for nothing.
        struck: The corrections, undos and ends of the match that were taken back.
    """

    replaced: Mapping[int, ActionObserved | None]
    struck: frozenset[int]


def beliefs_of(session: Session) -> Beliefs:
    """Returns what corrections say; the last one about an event goes before those before it."""
    replaced: dict[int, ActionObserved | None] = {}
    struck: set[int] = set()
    for seq in sorted(session.targets, reverse=True):
        if seq in struck:
            continue
        event, target = session.events[seq - 1], session.targets[seq]
        if not isinstance(session.events[target - 1], ActionObserved):
            struck.add(target)
        elif target not in replaced:
            replaced[target] = event.replace if isinstance(event, Correction) else None
    return Beliefs(replaced, frozenset(struck))


def sentence_of(entry: Entry) -> str:
    """Returns an action in words, with what it counts for where that is not plain."""
    match entry.standing:
        case Standing.COUNTS:
            return f"{entry.words}; but {entry.objection}" if entry.objection else entry.words
        case Standing.REFUSED:
            return f"{entry.words} cannot be: {entry.objection}"
        case Standing.NOT_APPLICABLE:
            return f"{entry.words} does not apply any more: {entry.objection}"
        case Standing.TAKEN_BACK:
            return f"{entry.words} is taken back"
