"""The journal: what it keeps, what it notices, what is left of it after a kill."""

import os
import signal
import subprocess
import sys
import textwrap
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee import journal
from referee.events import ActionObserved, Note
from referee.journal import Journal, JournalError, event_line, head_line, read_chain, read_journal
from referee.session import Session, replay, step
from tests.referee.matches import GAMES, ROUND, STARTED, actions, random_match

EVENTS = [STARTED, *actions(*ROUND), Note("tea – with milk")]


def written(path, events=EVENTS):
    kept = Journal(path)
    for event in events:
        kept.append(event)
    kept.close()
    return path


def lines_of(path):
    return path.read_bytes().splitlines(keepends=True)


def refusal(path):
    with pytest.raises(JournalError) as caught:
        read_journal(path)
    assert str(caught.value).startswith(f"{path}: ")
    assert "\n" not in str(caught.value)
    return caught.value


@pytest.fixture
def path(tmp_path):
    return tmp_path / "match.jsonl"


def test_nothing_is_kept_at_first(path):
    written(path, [])
    chain = read_journal(path)
    assert (chain.events, chain.torn, chain.link.seq) == ((), "", 0)
    assert path.read_bytes() == head_line()[0].encode() + b"\n"


def test_what_was_written_is_read(path):
    assert read_journal(written(path)).events == tuple(EVENTS)


def test_a_journal_goes_on_where_it_stopped(path, tmp_path):
    written(path, EVENTS[:3])
    again = Journal(path)
    assert again.events == tuple(EVENTS[:3])
    assert [again.append(event) for event in EVENTS[3:]] == [4, 5, 6, 7]
    again.close()
    assert path.read_bytes() == written(tmp_path / "at once.jsonl").read_bytes()


def test_lines_have_one_spelling_on_every_machine(path):
    """These bytes are the format: journals that lie in people's cupboards must stay readable."""
    written(path, [Note("é")])
    assert path.read_text(encoding="ascii").splitlines() == [
        '{"journal":"table-referee","seal":"5745915fed9d6254f77a99161af628ea'
        '52158c2d673d02cb33e07e058c40d779","version":1}',
        '{"event":{"text":"\\u00e9","type":"note"},"seal":"7eb8bbdbcd504f0bcf8c39c95bff83e0'
        'acf29559ebd27ffcfab1917a004311d4","seq":1}',
    ]


@pytest.mark.parametrize("game", GAMES)
@given(seed=st.integers(0, 10_000))
@settings(max_examples=10, deadline=None)
def test_replay_says_the_same_byte_for_byte(game, seed, tmp_path_factory):
    path = tmp_path_factory.mktemp("match") / "match.jsonl"
    kept, session, said = Journal(path), Session(), []
    for event in random_match(game, Random(seed)):
        session, new = step(session, event)
        kept.append(event)
        said += new
    kept.close()
    again, resaid = replay(read_journal(path).events)
    assert repr(resaid).encode() == repr(tuple(said)).encode()
    assert again == session


@pytest.mark.parametrize("number", range(2, len(EVENTS) + 2))
def test_a_changed_line_is_noticed(path, number):
    lines = lines_of(written(path))
    changed = lines[number - 1].replace(b'"seq":', b'"seq": ')
    path.write_bytes(b"".join([*lines[: number - 1], changed, *lines[number:]]))
    assert refusal(path).place == f"line {number}"


def test_a_changed_action_is_noticed(path):
    path.write_bytes(written(path).read_bytes().replace(b"red cover a1", b"red cover a3"))
    assert refusal(path).place == "line 5"


def test_a_changed_line_with_a_seal_of_its_own_is_noticed_in_the_next(path):
    lines = lines_of(written(path))
    before = read_chain(b"".join(lines[:4]), "")
    forged = event_line(before.link, ActionObserved("1 red cover a3"))[0].encode() + b"\n"
    path.write_bytes(b"".join([*lines[:4], forged, *lines[5:]]))
    error = refusal(path)
    assert (error.place, "follows on another" in error.got) == ("line 6", True)


@pytest.mark.parametrize("number", range(2, len(EVENTS) + 1))
def test_a_line_taken_out_is_noticed(path, number):
    lines = lines_of(written(path))
    path.write_bytes(b"".join([*lines[: number - 1], *lines[number:]]))
    error = refusal(path)
    assert (error.place, "missing or moved" in error.got) == (f"line {number}", True)


@pytest.mark.parametrize("number", range(2, len(EVENTS) + 1))
def test_two_lines_that_changed_places_are_noticed(path, number):
    lines = lines_of(written(path))
    lines[number - 1], lines[number] = lines[number], lines[number - 1]
    path.write_bytes(b"".join(lines))
    assert refusal(path).place == f"line {number}"


def test_a_line_put_in_twice_is_noticed(path):
    lines = lines_of(written(path))
    path.write_bytes(b"".join([*lines[:4], lines[3], *lines[4:]]))
    assert refusal(path).place == "line 5"


def test_lines_cut_off_at_the_end_are_noticed_by_who_knows_the_seal(path):
    lines = lines_of(written(path))
    whole = read_journal(path).link
    path.write_bytes(b"".join(lines[:-1]))
    assert read_journal(path).link.seal != whole.seal


@pytest.mark.parametrize("left", [0, 1, 20, 150])
def test_a_torn_last_line_is_dropped_and_said(path, left):
    data = written(path).read_bytes()
    start = len(b"".join(lines_of(path)[:-1]))
    path.write_bytes(data[: start + min(left, len(data) - start - 1)])
    chain = read_journal(path)
    assert chain.events == tuple(EVENTS[:-1])
    assert len(chain.torn) == min(left, len(data) - start - 1)
    again = Journal(path)
    assert again.torn == chain.torn
    again.append(EVENTS[-1])
    again.close()
    assert path.read_bytes() == data


@pytest.mark.parametrize("left", range(0, len(head_line()[0]) + 1, 16))
def test_a_kill_before_the_first_line_was_whole_leaves_a_journal_to_begin(path, left):
    path.write_bytes(head_line()[0].encode()[:left])
    assert read_journal(written(path)).events == tuple(EVENTS)


def test_bytes_of_nothing_after_a_power_cut_are_a_torn_line(path):
    with written(path).open("ab") as file:
        file.write(b"\0" * 100)
    assert read_journal(path).events == tuple(EVENTS)


def test_kill_dash_nine_loses_nothing_that_was_said(path):
    """What the program has said it has kept; at most one more line is there, or torn."""
    code = f"""
        from pathlib import Path
        from referee.events import Note
        from referee.journal import Journal
        kept = Journal(Path({str(path)!r}))
        while True:
            print(kept.append(Note("x" * 2000)), flush=True)
    """
    with subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(code)], stdout=subprocess.PIPE, text=True
    ) as running:
        said = [int(running.stdout.readline()) for _ in range(30)]
        running.send_signal(signal.SIGKILL)
        said += [int(line) for line in running.stdout if line.endswith("\n")]
    kept = Journal(path)
    assert said == list(range(1, len(said) + 1))
    assert len(kept.events) in (len(said), len(said) + 1)
    assert kept.append(Note("on")) == len(kept.events) + 1
    kept.close()
    read_journal(path)


def test_two_programs_that_write_to_one_journal_are_told(path):
    one, other = Journal(path), Journal(path)
    one.append(Note("first"))
    with pytest.raises(JournalError, match="another program writes to it"):
        other.append(Note("second"))
    one.close()
    other.close()
    assert read_journal(path).events == (Note("first"),)


def test_a_full_disk_leaves_the_journal_as_it_was(path, monkeypatch):
    kept = Journal(path)
    kept.append(Note("first"))
    before = path.read_bytes()

    def write_half(file, data):
        if len(data) < 20:
            raise OSError(28, "No space left on device")
        return os.pwrite(file, data[: len(data) // 2], os.lseek(file, 0, os.SEEK_CUR))

    with monkeypatch.context() as patch:
        patch.setattr(journal.os, "write", write_half)
        with pytest.raises(OSError, match="No space"):
            kept.append(Note("second"))
    assert path.read_bytes() == before
    assert kept.append(Note("second")) == 2
    kept.close()
    assert read_journal(path).events == (Note("first"), Note("second"))


def head_with(**keys):
    record = {"journal": "table-referee", "version": 1, **keys}
    return journal._spell({**record, "seal": journal._seal("", record)}).encode() + b"\n"


def line_with(record):
    seal = journal._seal(head_line()[1].seal, record)
    line = journal._spell({**record, "seal": seal})
    return f"{head_line()[0]}\n{line}\n".encode()


@pytest.mark.parametrize(
    ("data", "place", "expected", "got"),
    [
        (b"players red\n", "line 1", "the head of a journal", "players red"),
        (b"\x89PNG\r\n\x1a\n", "line 1", "the head of a journal", "PNG"),
        (b"[1]\n", "line 1", "the head of a journal", "[1]"),
        (b'{"journal": 1e999}', "line 1", "the head of a journal", "1e999"),
        (head_with(version=2), "line 1", "a journal of version 1", "version 2"),
        (head_with(version="1"), "line 1", "a journal of version 1", "version '1'"),
        (head_with(game="x"), "line 1", "the line as it was written", "a changed one"),
        (line_with({"seq": 1}), "line 2: event", "this key", "nothing"),
        (line_with({"seq": 1, "event": 3}), "line 2: event", "an object", "3"),
        (line_with({"seq": 1, "event": {"type": "x"}}), "line 2: event.type", "note", "'x'"),
        (line_with({"seq": "1", "event": {}}), "line 2", "the event 1", "'1'"),
        (line_with({"seq": True, "event": {}}), "line 2", "the event 1", "true"),
        (line_with({"seq": 1, "event": {}, "x": 1}), "line 2: x", "one of the keys", "unknown"),
        (head_line()[0].encode() + b"\n\n", "line 2", "the line as it was", "''"),
        (head_line()[0].encode() + b'\n{"seq":NaN}\n', "line 2", "the line as it was", "NaN"),
    ],
)  # fmt: skip
def test_what_is_no_journal_is_refused_in_one_sentence(path, data, place, expected, got):
    path.write_bytes(data)
    error = refusal(path)
    assert error.place == place
    assert expected in error.expected
    assert got in error.got
