"""What may be seen of a match, by whom: everything where it is open, else what lies hidden not."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from referee.commands.play_match import describe_event
from referee.commands.play_menu import is_chosen_by_chance
from referee.engines import Engine
from referee.errors import FormatError
from referee.match import Announcement, Entry, Session, Stage


class View:
    """What may be seen of a match.

    Attributes:
        is_open: Whether everybody sees everything.
    """

    def __init__(self, engine: Engine, is_open: bool) -> None:
        self._engine = engine
        self.is_open = is_open

    def chooser(self, session: Session) -> str | None:
        """Returns who chooses now by what the others may not see, or None."""
        return None if session.stage is Stage.ENDED else self.chooser_in(session.state)

    def chooser_in(self, state: Any) -> str | None:
        """Returns who chooses in a state by what the others may not see, or None."""
        return None if self.is_open else self._engine.telling.chooser(state)

    def hidden_since(self, session: Session) -> int | None:
        """Returns the number of the action that hid what the players are to remember now.

        None where nothing is to be remembered, or everything is open.
        """
        since = None
        for entry in reversed(session.entries):
            if self.is_open or not self._is_withheld(entry.state):
                break
            since = entry.seq
        return since

    def _is_withheld(self, now: Any) -> bool:
        return self._engine.telling.withhold(now, now) is not now

    def table(self, session: Session) -> tuple[tuple[str, str], ...]:
        """Returns what lies on the table as whoever chooses sees it."""
        return self._table(session.state, self.chooser(session))

    def table_in(self, state: Any) -> tuple[tuple[str, str], ...]:
        """Returns what lies on the table in a state as whoever chooses in it sees it."""
        return self._table(state, self.chooser_in(state))

    def _table(self, state: Any, viewer: str | None) -> tuple[tuple[str, str], ...]:
        return self._engine.telling.describe_state(state, viewer, is_open=self.is_open)

    def striking(self, session: Session) -> tuple[object, ...]:
        """Returns what is worth seeing the table again for, once it differs.

        That is who chooses now by their own cards, also where everything is open, and what of the
        table is drawn and not told.
        """
        drawings = (how for _, how in self.table(session) if "\n" in how)
        return self._engine.telling.chooser(session.state), *drawings

    def tell(self, session: Session, seq: int) -> str:
        """Returns an event in words."""
        entry = session.entry_of(seq)
        return describe_event(session, seq) if entry is None else self._words(session, entry)

    def said(self, session: Session, said: Iterable[Announcement]) -> tuple[Announcement, ...]:
        """Returns announcements as they may be heard; in full where everything is open."""
        entries = {entry.seq: entry for entry in session.entries}

        def tell(each: Announcement) -> Announcement:
            entry = entries.get(each.about)
            if entry is None:
                return each
            words = self._words(session, entry)
            return replace(each, text=each.text.replace(entry.words, words))

        return tuple(tell(each) for each in said)

    def in_full(self, session: Session, entry: Entry) -> str:
        """Returns an action in words, with what only those know who did it."""
        action = self.action(entry)
        if action is None or is_chosen_by_chance(self._engine, action):
            return entry.words
        before = state_before(session, entry)
        return self._engine.telling.describe_choice(before, action) or entry.words

    def action(self, entry: Entry) -> Any:
        """Returns what was done, or None for what is no action of the game."""
        try:
            return self._engine.notation.parse_action(entry.observed.action)
        except FormatError:
            return None

    def _words(self, session: Session, entry: Entry) -> str:
        """Returns an action in words, without what is to be remembered now."""
        if self.is_open:
            return self.in_full(session, entry)
        action = self.action(entry) if self._is_withheld(session.state) else None
        if action is None:
            return entry.words
        before = self._engine.telling.withhold(state_before(session, entry), session.state)
        return self._engine.telling.describe_action(before, action)


def state_before(session: Session, entry: Entry) -> Any:
    """Returns the state in which an action was done."""
    place = session.entries.index(entry)
    return session.entries[place - 1].state if place else session.start
