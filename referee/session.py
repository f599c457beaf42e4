"""The match as a reducer: (Session, Event) -> (Session, announcements).

Nothing that happened is ever lost. An action that the rules do not allow is kept with the reason;
a correction is an event of its own, after which everything that followed is computed anew; what
can then no longer apply is kept as `NOT_APPLICABLE`, and counts again once it can. The same events
always give the same session and the same announcements.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from referee.engines import Engine, engine_of
from referee.errors import FormatError
from referee.events import (
    ActionObserved,
    Correction,
    Event,
    MatchEnded,
    MatchStarted,
    Note,
    Undo,
)
from referee.match import (
    Announcement,
    Entry,
    Kind,
    Session,
    Stage,
    Standing,
    beliefs_of,
    sentence_of,
)
from referee.rules import RuleViolation

Step = tuple[Session, tuple[Announcement, ...]]
_REFUSED = "That cannot be: "
"""How it is said that an event cannot be; the reason follows."""


def step(session: Session, event: Event) -> Step:
    """Returns the session after an event, and what is to be said about it.

    What cannot be, such as an action before the match has started, is kept and said to be refused.

    Raises:
        FormatError: if a match is started whose game or setup cannot be read: bad input.
    """
    transition = _TRANSITIONS.get((session.stage, type(event)))
    if transition is None:
        return _refuse(session, event, session.stage.value)
    return transition(session, event)


def replay(events: Iterable[Event]) -> Step:
    """Returns the session after some events, and everything that was said about them.

    Raises:
        FormatError: if a match is started whose game or setup cannot be read.
    """
    session, said = Session(), list[Announcement]()
    for event in events:
        session, new = step(session, event)
        said += new
    return session, tuple(said)


def refusal_in(said: Sequence[Announcement]) -> str | None:
    """Returns why the event that this is said about cannot be; None where it can."""
    if not any(each.kind is Kind.REFUSED for each in said):
        return None
    return " ".join(each.text.removeprefix(_REFUSED) for each in said)


def _start(session: Session, event: MatchStarted) -> Step:
    engine = engine_of(event.game)
    try:
        start = engine.rules.initial_state(engine.notation.parse_setup(event.setup))
    except RuleViolation as error:
        raise FormatError("setup", f"a setup of {event.game}", str(error)) from error
    session = replace(session, events=(*session.events, event), engine=engine, start=start)
    deck = f" with the deck {event.deck}" if event.deck else ""
    return session, (_say(session, Kind.STARTED, f"A match of {event.game} begins{deck}"),)


def _observe(session: Session, event: ActionObserved) -> Step:
    before, seq = session, len(session.events) + 1
    entry = _enter(_engine(session), session.state, seq, event)
    session = replace(session, events=(*session.events, event), entries=(*session.entries, entry))
    said = [_say(session, _kind_of(entry), sentence_of(entry))]
    said += (_say(session, Kind.NEWS, text) for text in entry.news)
    return session, (*said, *_new_outcome(before, session))


def _correct(session: Session, event: Correction) -> Step:
    seq, count = event.seq, len(session.events)
    is_action = session.entry_of(seq) is not None
    if seq > count:
        reason = f"expected the number of one of the {count} events, got {seq}"
    elif not is_action and seq not in session.targets and seq not in session.ends:
        reason = f"the event {seq} is nothing that can be corrected"
    elif not is_action and event.replace is not None:
        reason = f"the event {seq} is no action, it can only be taken back"
    else:
        return _revise(session, event, seq)
    return _refuse(session, event, reason)


def _undo(session: Session, event: Undo) -> Step:
    """Takes back the last event that stands: an action, a correction or the end of the match."""
    events = session.events
    counting = {entry.seq for entry in session.entries if entry.standing is Standing.COUNTS}
    corrections = {seq for seq in session.targets if isinstance(events[seq - 1], Correction)}
    standing = counting.union(corrections, session.ends) - beliefs_of(session).struck
    if not standing:
        return _refuse(session, event, "there is nothing to take back")
    return _revise(session, event, max(standing))


def _end(session: Session, event: MatchEnded) -> Step:
    events = (*session.events, event)
    session = replace(session, events=events, ends=(*session.ends, len(events)))
    why = f": {event.why}" if event.why else ""
    return session, (_say(session, Kind.ENDED, f"The match has ended{why}"),)


def _note(session: Session, event: Note) -> Step:
    session = replace(session, events=(*session.events, event))
    return session, (_say(session, Kind.NOTE, event.text),)


_TRANSITIONS: Mapping[tuple[Stage, type[Event]], Callable[[Session, Any], Step]] = {
    (Stage.EMPTY, MatchStarted): _start,
    (Stage.EMPTY, Note): _note,
    (Stage.RUNNING, ActionObserved): _observe,
    (Stage.RUNNING, Correction): _correct,
    (Stage.RUNNING, Undo): _undo,
    (Stage.RUNNING, MatchEnded): _end,
    (Stage.RUNNING, Note): _note,
    (Stage.ENDED, Correction): _correct,
    (Stage.ENDED, Undo): _undo,
    (Stage.ENDED, Note): _note,
}


def _revise(session: Session, event: Correction | Undo, target: int) -> Step:
    """Takes a correction in, and computes everything anew from the first action that it alters."""
    before, seq = session, len(session.events) + 1
    session = replace(
        session,
        events=(*session.events, event),
        targets={**session.targets, seq: target},
    )
    replaced = beliefs_of(session).replaced
    session = replace(session, entries=tuple(_recompute(session, before, replaced)))
    said = [
        *_what_was_revised(session, event, target),
        *_what_changed(session, before, target),
        *_new_outcome(before, session),
    ]
    return session, tuple(said)


def _recompute(
    session: Session, before: Session, replaced: Mapping[int, ActionObserved | None]
) -> Iterator[Entry]:
    engine, state = _engine(session), session.start
    was_replaced, is_same = beliefs_of(before).replaced, True
    for entry in before.entries:
        seen = session.events[entry.seq - 1]
        believed = replaced.get(entry.seq, seen)
        is_same = is_same and believed == was_replaced.get(entry.seq, seen)
        if is_same:
            new = entry
        elif isinstance(believed, ActionObserved):
            new = _enter(engine, state, entry.seq, believed, entry.has_counted)
        else:
            new = replace(entry, standing=Standing.TAKEN_BACK, objection="", news=(), state=state)
        yield new
        state = new.state


def _enter(
    engine: Engine, state: Any, seq: int, observed: ActionObserved, has_counted: bool = False
) -> Entry:
    """Returns what comes of an action in a state: a new state, or the reason why it has none."""
    not_counting = Standing.NOT_APPLICABLE if has_counted else Standing.REFUSED
    try:
        action = engine.notation.parse_action(observed.action)
    except FormatError as error:
        words = observed.action
        return Entry(seq, observed, not_counting, words, str(error), (), state, has_counted)
    words = engine.telling.describe_action(state, action)
    objection = engine.rules.explain(state, action)
    reason = f"{objection.reason} (rulebook: {objection.section})" if objection else ""
    if objection is not None and not objection.can_happen:
        return Entry(seq, observed, not_counting, words, reason, (), state, has_counted)
    after = engine.rules.apply(state, action)
    news = engine.telling.news(state, after)
    return Entry(seq, observed, Standing.COUNTS, words, reason, news, after, True)


def _what_was_revised(
    session: Session, event: Correction | Undo, target: int
) -> Iterator[Announcement]:
    why = f" ({event.why})" if event.why else ""
    done = session.events[target - 1]
    if not isinstance(done, ActionObserved):
        name = {Correction: "correction", Undo: "undo", MatchEnded: "end of the match"}[type(done)]
        text = f"The {name} {target} is taken back{why}"
        yield _say(session, Kind.RESTORED, text, target)
        return
    entry = next(entry for entry in session.entries if entry.seq == target)
    if entry.standing is Standing.TAKEN_BACK:
        text = f"Event {target} is taken back: {entry.words}{why}"
        yield _say(session, Kind.TAKEN_BACK, text, target)
    else:
        text = f"Event {target} is corrected: {sentence_of(entry)}{why}"
        yield _say(session, Kind.CORRECTED, text, target)


def _what_changed(session: Session, before: Session, target: int) -> Iterator[Announcement]:
    """Yields what came of each action and is another thing now; the target's own is said."""
    for old, new in zip(before.entries, session.entries, strict=True):
        label = f"Event {new.seq}"
        if new.seq != target and _worth(old) != _worth(new):
            yield _say(session, Kind.CHANGED, f"{label}: {sentence_of(new)}", new.seq)
        for gone in _without(old.news, new.news):
            yield _say(session, Kind.CHANGED, f"{label}: no longer: {gone}", new.seq)
        for come in _without(new.news, old.news):
            yield _say(session, Kind.CHANGED, f"{label}: now: {come}", new.seq)


def _worth(entry: Entry) -> tuple[ActionObserved, Standing, str]:
    return entry.observed, entry.standing, entry.objection


def _without(texts: Sequence[str], others: Sequence[str]) -> list[str]:
    return [text for text in texts if text not in others]


def _new_outcome(before: Session, session: Session) -> Iterator[Announcement]:
    outcome = session.outcome
    if outcome == before.outcome:
        return
    if outcome is None:
        yield _say(session, Kind.OUTCOME, "The game is not over any more")
        return
    scores = ", ".join(f"{player} {score}" for player, score in outcome.scores.items())
    winners = " and ".join(outcome.winners)
    yield _say(session, Kind.OUTCOME, f"The game is over: {scores}; won by {winners}")


def _kind_of(entry: Entry) -> Kind:
    if entry.standing is not Standing.COUNTS:
        return Kind.REFUSED
    return Kind.OBJECTION if entry.objection else Kind.DONE


def _refuse(session: Session, event: Event, reason: str) -> Step:
    session = replace(session, events=(*session.events, event))
    return session, (_say(session, Kind.REFUSED, f"{_REFUSED}{reason}"),)


def _say(session: Session, kind: Kind, text: str, about: int | None = None) -> Announcement:
    seq = len(session.events)
    return Announcement(seq, kind, seq if about is None else about, text)


def _engine(session: Session) -> Engine:
    if session.engine is None:
        raise RuleViolation("expected a match that has started")
    return session.engine
