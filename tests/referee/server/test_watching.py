"""What a watching process makes of its source: later times, lost rounds, kept pictures."""

from __future__ import annotations

import multiprocessing
import threading
from dataclasses import replace

import cv2
import numpy as np
import pytest

from referee.decks import load_deck
from referee.live import Told
from referee.server import watching
from referee.server.clips import ClipWriter
from referee.server.evidence import NAME, evidence_of, stem_of
from referee.server.film_ring import KEPT_S, FilmRing, encode_jpeg
from referee.server.watching import (
    Counted,
    Later,
    Lines,
    Message,
    Over,
    Picture,
    WatchOrder,
)
from referee.watch import watch
from referee.watch_orders import WatchSettings
from tests.referee.server.running import RECORDINGS
from tests.referee.watched import FIRST, claim, question, task
from vision.live import Gap, LiveSource
from vision.live_feed import FileFeed
from vision.resources import SAMPLE_DECK, find_resource
from vision.source import VideoFile


class Orders(ClipWriter):
    """Remembers which frames films are made of, and makes none."""

    def __init__(self) -> None:
        super().__init__(is_patient=True)
        self.films: dict[str, list[str]] = {}

    def order(self, path, shots) -> None:
        self.films[path.name] = [jpeg.decode() for _, jpeg in shots]


def ring_of(*times: float, clips: ClipWriter | None = None) -> FilmRing:
    ring = FilmRing(clips or Orders())
    for t in times:
        ring.add(t, f"{t:g}".encode())
    return ring


def kept(tmp_path) -> dict[str, str]:
    return {path.stem.rsplit("-", 1)[1]: path.read_text() for path in tmp_path.iterdir()}


def test_pictures_before_at_and_after_a_claim_are_those_frames(tmp_path):
    ring = ring_of(0.9, 0.933, 0.967, 1.0, 1.033, 1.5, 1.6)
    ring.keep(tmp_path / "r1", 1.0, 0.017)
    assert kept(tmp_path) == {"before": "0.967", "at": "1", "after": "1.5"}


def test_the_picture_after_a_claim_is_waited_for(tmp_path):
    ring = ring_of(0.9, 1.0)
    ring.keep(tmp_path / "r1", 1.0, 0.05)
    assert kept(tmp_path) == {"before": "0.9", "at": "1"}
    ring.add(1.4, b"1.4")
    assert "after" not in kept(tmp_path)
    ring.finish()
    assert kept(tmp_path)["after"] == "1.4"


def test_what_lay_there_from_the_start_has_no_picture_before(tmp_path):
    ring_of(0.0, 0.6).keep(tmp_path / "r1", 0.0, 0.0)
    assert kept(tmp_path) == {"at": "0", "after": "0.6"}


def test_old_frames_are_forgotten(tmp_path):
    ring = ring_of(0.0, 1.0, KEPT_S + 0.5)
    ring.keep(tmp_path / "r1", 1.0, 0.017)
    assert "before" not in kept(tmp_path)


def test_a_film_shows_what_was_before_at_and_after_a_claim(tmp_path):
    clips = Orders()
    ring = ring_of(0.0, 0.4, 0.5, 1.0, 1.5, clips=clips)
    ring.keep(tmp_path / "r1", 1.5, 0.1)
    ring.keep(tmp_path / "r2", 1.4, 0.1)
    assert clips.films == {}  # what comes after is waited for
    for t in (1.8, 2.2, 2.25):
        ring.add(t, f"{t:g}".encode())
    assert clips.films == {"r2-film.mp4": ["0.4", "0.5", "1", "1.5", "1.8", "2.2"]}
    ring.finish()
    assert clips.films["r1-film.mp4"] == ["0.5", "1", "1.5", "1.8", "2.2", "2.25"]


def test_wide_pictures_are_made_smaller():
    wide = encode_jpeg(np.zeros((90, 160, 3), np.uint8), widest_px=80)
    assert wide.startswith(b"\xff\xd8")
    assert len(wide) < len(encode_jpeg(np.zeros((90, 160, 3), np.uint8)))


def test_names_of_evidence_are_safe_and_differ(tmp_path):
    cards = ("a07", "A07", "../a07", "a/07", "ä")
    lines = [claim(1, 1.25, "red", card, 1) for card in cards]
    stems = [stem_of(line) for line in lines]
    assert stems[0] == "r1-red-a07-1250"
    assert len(set(stems)) == len(cards)
    for line in lines:
        for moment in ("at", "before"):
            name = f"{stem_of(line)}-{moment}.jpg"
            assert NAME.fullmatch(name)
            (tmp_path / name).write_bytes(b"x")
        assert len(evidence_of(tmp_path, line)) == 2


def test_a_camera_that_is_opened_again_goes_on_where_the_match_was():
    said = (task(2, 10.0, "t1"), claim(2, 12.5, "red", "a1", 1))
    later = Later.after(said)
    assert (later.t, later.rounds) == (13.5, 2)
    told = later.shifted(Told(claim(1, 2.0, "red", "a1", 1), question(*FIRST)))
    assert (told.line["t"], told.line["round"]) == (15.5, 3)
    assert [action["t"] for action in told.question["actions"]] == [15.5, 16.5]
    ruled = later.shifted(Told({"type": "round", "t": 3.0, "round": 1, "claims": [{"t": 2.0}]}))
    assert ruled.line["claims"] == [{"t": 15.5}]
    assert Later().shifted(told) == told


class Pipe:
    """Keeps what a watching process sends."""

    def __init__(self) -> None:
        self.sent: list[Message] = []

    def send(self, message: Message) -> None:
        self.sent.append(message)

    def poll(self) -> bool:
        return False

    def lines(self) -> list[dict]:
        sent = [message for message in self.sent if isinstance(message, Lines)]
        return [told.line for lines in sent for told in lines.told]


def order(tmp_path, **others) -> WatchOrder:
    settings = WatchSettings(("orange", "green"), "orange")
    return replace(
        WatchOrder(find_resource(SAMPLE_DECK), "camera", "0", settings, True, (), tmp_path),
        **others,
    )


def test_a_live_source_is_watched_with_its_faults_told_and_kept(tmp_path, monkeypatch):
    evidence, recording = tmp_path / "evidence", tmp_path / "kept-1.mkv"
    evidence.mkdir()
    video = VideoFile(RECORDINGS / "tiny.mp4")
    source = LiveSource(lambda: FileFeed(video))
    source.gaps.append(Gap(2.0, 3.0))
    monkeypatch.setattr(watching, "open_source", lambda kind, what: source)
    monkeypatch.setattr(watching, "LATE_S", -1.0)
    pipe = Pipe()
    source.subscribe(lambda notice: None)
    said = (task(3, 50.0, "t1"),)
    threading.Timer(1.0, lambda: source._tell("camera-stalled", "it stalls", 1.0)).start()
    watching.run(order(evidence, said=said, recording=recording), pipe)
    lines = pipe.lines()
    kinds = [line["type"] for line in lines]
    assert sorted(set(kinds)) == ["claim", "layout", "notice", "round", "task"]
    ruled = lines[kinds.index("round")]
    assert (ruled["round"], ruled["incomplete"]) == (4, True)
    assert min(line["t"] for line in lines) >= 51.0
    assert pipe.sent[-1] == Over()
    figures = [message.values for message in pipe.sent if isinstance(message, Counted)][-1]
    assert figures["frames_grabbed"] == 213
    assert figures["frames_late"] == figures["frames_processed"] > 0
    assert figures["clock_seconds"] > 51.0
    assert any(isinstance(message, Picture) for message in pipe.sent)
    moments = [path.name.rsplit("-", 1)[1] for path in evidence.iterdir()]
    assert sorted(moments) == ["after.jpg", "at.jpg", "before.jpg", "film.mp4"]

    # What was kept has every frame, and comes to the same ruling when it is watched again.
    assert sum(1 for _ in VideoFile(recording).frames()) == 213
    deck = load_deck(find_resource(SAMPLE_DECK))
    again = list(watch(recording, deck, WatchSettings(("orange", "green"), "orange")))
    (claimed,) = (line for line in lines if line["type"] == "claim")
    (seen,) = (line for line in again if line["type"] == "claim")
    assert (seen["player"], seen["card"]) == (claimed["player"], claimed["card"])
    assert seen["t"] + 51.0 == pytest.approx(claimed["t"], abs=0.034)
    assert again[-1]["won"] == ruled["won"]


def test_a_film_that_a_camera_cannot_show_again_is_told_as_lost_once(tmp_path, monkeypatch):
    """What was to be written when the program was killed has gone with the frames."""
    video = VideoFile(RECORDINGS / "tiny.mp4")
    evidence = tmp_path / "evidence"
    evidence.mkdir()
    whole, lost = claim(1, 48.0, "red", "a3", 1), claim(1, 50.0, "red", "a1", 2)
    for ending in ("at.jpg", "film.mp4"):
        (evidence / f"{stem_of(whole)}-{ending}").write_bytes(b"x")
    (evidence / f"{stem_of(lost)}-at.jpg").write_bytes(b"x")
    (evidence / f"{stem_of(lost)}-film.part.mp4").write_bytes(b"x")
    said = [task(1, 40.0, "t1"), claim(1, 9.0, "red", "a2", 1), whole, lost]

    def told() -> list[dict]:
        source = LiveSource(lambda: FileFeed(video))
        monkeypatch.setattr(watching, "open_source", lambda kind, what: source)
        pipe = Pipe()
        watching.run(order(evidence, said=tuple(said)), pipe)
        return [line for line in pipe.lines() if line.get("code") == "evidence-lost"]

    (notice,) = told()
    assert notice["text"] == "the film of red on a1 at 50 s was lost when the program was stopped"
    assert notice["t"] >= 51.0
    assert not list(evidence.glob("*.part.mp4"))
    said.append(notice)
    assert told() == []


def test_a_source_that_cannot_be_opened_is_told(tmp_path):
    pipe = Pipe()
    watching.run(order(tmp_path, kind="recording", what=str(tmp_path / "none.mp4")), pipe)
    assert isinstance(pipe.sent[-1], Over)
    assert "none.mp4" in pipe.sent[-1].reason


SECRET = "http://anna:hidden@127.0.0.1:9/table?key=hidden"


def test_a_stream_that_cannot_be_opened_is_told_without_its_password(tmp_path, caplog):
    """Nor is anything logged: the table tells it, and a traceback would show the address."""
    pipe = Pipe()
    watching.run(order(tmp_path, kind="stream", what=SECRET), pipe)
    reason = pipe.sent[-1].reason
    assert reason.startswith("http://127.0.0.1:9/table: expected a stream, got: ")
    assert "hidden" not in reason
    assert caplog.text == ""


def test_no_failure_of_a_stream_logs_its_password(tmp_path, monkeypatch, caplog):
    def fail(kind, what):
        raise RuntimeError(f"{what} failed; anna:hidden@127.0.0.1:9 too")

    monkeypatch.setattr(watching, "open_source", fail)
    pipe = Pipe()
    watching.run(order(tmp_path, kind="stream", what=SECRET), pipe)
    assert pipe.sent[-1].reason == "http://127.0.0.1:9/table failed; 127.0.0.1:9 too"
    assert "RuntimeError" in caplog.text
    assert "hidden" not in caplog.text


def test_lines_that_hold_are_the_last_of_each_in_the_order_of_time():
    laid = {"type": "placed", "t": 4.0, "row": 1, "col": 2, "card": "p1", "rotation": 0}
    first = {**laid, "t": 2.0, "col": 3}
    told_better = {**laid, "chip": {"quarter": "nw"}}
    assert watching.holding([]) == []
    assert watching.holding([laid, first, told_better]) == [first, told_better]
    assert watching.holding([laid, first, {**laid, "taken": True}]) == [first]


def paint_count(lines, deck):
    """Paints a picture as bright as there are lines."""
    count = len(list(lines))
    return lambda image, at_s: np.full_like(image, 40 * count)


def test_every_picture_is_painted_with_what_is_known_by_then(tmp_path):
    what = str(RECORDINGS / "tiny.mp4")
    pipe = Pipe()
    ordered = order(tmp_path, kind="recording", what=what, is_paced=False, painter=paint_count)
    watching.run(ordered, pipe)
    known, brightness = 0, []
    for message in pipe.sent:
        if isinstance(message, Lines):
            known = len(pipe.lines())
        if isinstance(message, Picture):
            picture = cv2.imdecode(np.frombuffer(message.jpeg, np.uint8), cv2.IMREAD_GRAYSCALE)
            brightness.append(round(float(picture.mean()) / 40))
    assert brightness[0] == 0
    assert brightness == sorted(brightness)
    assert brightness[-1] == known > 0


def test_a_table_that_is_stopped_keeps_its_recording_to_the_last_frame(tmp_path):
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    recording = tmp_path / "kept-1.mkv"
    what = str(RECORDINGS / "tiny.mp4")
    ordered = order(tmp_path, kind="recording", what=what, recording=recording)
    process = context.Process(target=watching.run, args=(ordered, theirs), daemon=True)
    process.start()
    frames = 0.0
    while frames < 45:
        assert ours.poll(120)
        message = ours.recv()
        if isinstance(message, Counted):
            frames = message.values["frames_processed"]
    process.terminate()
    process.join(30)
    assert process.exitcode == 0
    # What an encoder still held back would be a second or more.
    assert sum(1 for _ in VideoFile(recording).frames()) >= frames
