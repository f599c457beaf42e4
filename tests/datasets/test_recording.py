"""Recordings: the truth is what the frames show and what the rules say, and a seed is a promise."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import av
import cv2
import numpy as np
import pytest
from typer.testing import CliRunner

from datasets.choreography import camera_id
from datasets.compositing import to_pixels
from datasets.hand_trips import Trip
from datasets.motion import Leg, Pose, Track, corners_3d
from datasets.play import SCENARIOS, NoRoundError, actions_of, sample_rounds, sample_setting
from datasets.recording import DECK, KINDS, app
from datasets.take import TICKS, Recipe, Take, cards_of, prepare
from datasets.truth import describe_recording, describe_still, format_position
from datasets.video_file import Format, write_video
from referee.decks import Deck, load_deck
from referee.games.galapa_go.model import Cover, NoMatch, PlayerAction, Variant, Withdraw
from referee.judge import judge

SMALL = Recipe(4, size=(320, 180), fps=25, scenarios=("contest-move", "wrong"), is_plain=True)


@pytest.fixture(scope="module")
def deck() -> Deck:
    return load_deck(DECK)


@pytest.fixture(scope="module")
def take(deck: Deck) -> Take:
    return prepare(SMALL, deck)


def landings(take: Take) -> Iterator[tuple[str, float, float]]:
    """Yields for each Camera put down: its track, when it lands, the time that the truth gives."""
    for staged in take.motion.rounds:
        for move in staged.played.moves:
            land_s = staged.task_s + move.at_s
            yield camera_id(move.player), land_s, take.first_frame_s(land_s)


def test_the_truth_names_the_first_frame_at_rest(take: Take) -> None:
    times = [tick / TICKS for tick in take.ticks]
    count = 0
    for card, _, t in landings(take):
        track = take.motion.tracks[card]
        index = times.index(pytest.approx(t, abs=1e-6))
        rest, before = track.at(times[index]), track.at(times[index - 1])
        assert track.at(times[index] + 0.05) == rest
        assert np.hypot(rest.x_mm - before.x_mm, rest.y_mm - before.y_mm) > 0.0
        count += 1
    assert count == 7


def test_a_card_still_moves_visibly_just_before_it_lands(take: Take) -> None:
    for card, land_s, _ in landings(take):
        track = take.motion.tracks[card]
        rest, before = track.at(land_s), track.at(land_s - 1 / 25)
        assert np.hypot(rest.x_mm - before.x_mm, rest.y_mm - before.y_mm) > 1.0


def test_frames_show_the_camera_where_the_truth_has_it(deck: Deck, take: Take) -> None:
    staged = take.motion.rounds[0]
    move = staged.played.moves[-1]
    t = take.first_frame_s(staged.task_s + move.at_s)
    pose = take.motion.tracks[camera_id(move.player)].at(t)
    quad, _ = to_pixels(take.view, corners_3d(pose, take.places.card_mm))
    inside = np.zeros((180, 320), np.uint8)
    cv2.fillConvexPoly(inside, take.view.distort(quad).astype(np.int32), 1)
    film = take.film(deck)
    over_s = staged.task_s + staged.played.over_s
    quiet = film.frame(over_s - 0.2).astype(int)  # hands have gone, none has come to clear up

    def same(t_s: float) -> float:
        off = np.abs(film.frame(t_s).astype(int) - quiet).max(axis=2)
        return float((off[inside > 0] < 12).mean())

    assert same(t) > 0.35
    assert same(t - 2 / 25) < same(t) - 0.1


def test_every_landed_camera_lies_within_the_picture(take: Take) -> None:
    for card, land_s, _ in landings(take):
        pose = take.motion.tracks[card].at(land_s)
        pixels, seen = to_pixels(take.view, corners_3d(pose, take.places.card_mm))
        bent = take.view.distort(pixels)
        assert seen
        assert (bent >= 0).all()
        assert (bent <= take.recipe.size).all()


def test_the_same_seed_gives_the_same_frames(deck: Deck, take: Take) -> None:
    def digest(made: Take) -> str:
        total = hashlib.sha256()
        few = (*made.ticks[:2], *made.ticks[30:100:35])
        for frame in replace(made, ticks=few).frames(deck):
            total.update(frame.tobytes())
        return total.hexdigest()

    assert digest(prepare(SMALL, deck)) == digest(take)
    assert digest(prepare(replace(SMALL, seed=5), deck)) != digest(take)


def test_expect_is_the_judges_answer(deck: Deck, take: Take) -> None:
    truth = describe_recording(take, deck, "deck")
    for staged, told in zip(take.motion.rounds, truth["rounds"], strict=True):
        actions = [spelled(action, take) for action in actions_of(staged.played, staged.task_s)]
        question = {**format_position(staged.played.position), "actions": actions}
        assert judge(question, deck) == told["expect"]
        assert [claim["t"] for claim in told["claims"]] == [
            claim["t"] for claim in told["expect"]["claims"]
        ]
    assert truth["rounds"][0]["expect"]["claims"][1]["verdict"] == "withdrawn"
    assert "wrong" in [claim["verdict"] for claim in truth["rounds"][1]["expect"]["claims"]]
    assert truth["frames"] == len(take.ticks)


def spelled(action: PlayerAction, take: Take) -> dict[str, object]:
    words = {Cover: "cover", Withdraw: "withdraw", NoMatch: "no-match"}
    told: dict[str, object] = {
        "t": take.first_frame_s(action.t), "player": action.player, "do": words[type(action)],
    }  # fmt: skip
    return {**told, "card": action.card} if isinstance(action, Cover) else told


def test_cards_go_where_the_ruling_says(take: Take) -> None:
    ruling = take.motion.rounds[-1].ruling
    seats = dict(zip(ruling.won, take.places.seats, strict=True))
    for player, cards in ruling.won.items():
        for card in cards:
            end = take.motion.tracks[card].end
            home = seats[player].home
            assert np.hypot(end.x_mm - home.x_mm, end.y_mm - home.y_mm) < 200


@pytest.mark.parametrize("name", SCENARIOS)
def test_each_scenario_ends_as_its_name_says(deck: Deck, name: str) -> None:
    rng = np.random.default_rng(11)
    setting = sample_setting(rng, 4, Variant.NORMAL, 1)
    played = sample_rounds(rng, cards_of(deck), setting, (name,))[0]
    question = {
        **format_position(played.position),
        "actions": [
            {"t": a.t, "player": a.player, "do": "no-match"} if isinstance(a, NoMatch)
            else {"t": a.t, "player": a.player, "do": "withdraw"} if isinstance(a, Withdraw)
            else {"t": a.t, "player": a.player, "do": "cover", "card": a.card}  # type: ignore[union-attr]
            for a in actions_of(played, 0.0)
        ],
    }  # fmt: skip
    answer = judge(question, deck)
    verdicts = [claim["verdict"] for claim in answer["claims"]]
    expected = {
        "none-left": "none-left", "late": "none-left", "contest-home": "none-left",
        "no-match": "no-match", "most-least": "answered",
    }  # fmt: skip
    assert answer["ended_by"] == expected.get(name, "all-covered")
    assert ("wrong" in verdicts) == (name in {"wrong", "contest-wrong", "most-least"})
    assert ("withdrawn" in verdicts) == (name.startswith("contest") or name == "near-same")
    assert ("void" in verdicts) == (name == "late")


def test_no_layout_may_allow_the_rounds_asked_for(deck: Deck) -> None:
    rng = np.random.default_rng(0)
    setting = sample_setting(rng, 2, Variant.NORMAL, 0)
    with pytest.raises(NoRoundError, match="contest-home for 2 players"):
        sample_rounds(rng, cards_of(deck), setting, ("contest-home",))


def test_a_still_lists_every_face_from_the_lowest_to_the_highest(deck: Deck, take: Take) -> None:
    truth = describe_still(take, deck, "deck")
    kinds = [face["kind"] for face in truth["seen"]]
    assert [kinds.count(kind) for kind in ("animal", "task", "camera", "back")] == [14, 2, 3, 2]
    tasks = [face["id"] for face in truth["seen"] if face["kind"] == "task"]
    assert tasks[-1] == truth["position"]["tasks"][0]  # the later Task lies on the earlier one
    assert kinds[-2:] == ["back", "back"]  # the decks are thick
    won = [card for cards in truth["position"]["won"].values() for card in cards]
    assert len(truth["position"]["box"]) == 1  # what the wrong claim cost has left the table
    assert len(won) + len(truth["position"]["layout"]) == 14
    assert truth["expect"] == judge(truth["position"], deck)


@pytest.mark.parametrize("spoil", ["vfr", "drop"])
def test_irregular_frames_keep_their_own_times(deck: Deck, spoil: str) -> None:
    made = prepare(replace(SMALL, perturbations=(spoil,)), deck)
    steps = np.diff(made.ticks)
    assert made.ticks[0] == 0
    assert steps.min() > 0
    assert len(set(steps.tolist())) > 1
    for _, land_s, t in landings(made):
        earlier = [tick / TICKS for tick in made.ticks if tick / TICKS < t - 1e-5]
        assert max(earlier) < land_s <= t + 1e-5


def test_a_bump_moves_the_picture_for_good(deck: Deck) -> None:
    made = prepare(replace(SMALL, perturbations=("bump",)), deck)
    assert made.bumped is not None
    after, at = made.bumped
    origin = np.zeros((1, 2))
    shift = after.project(origin)[0] - made.view.project(origin)[0]
    assert np.hypot(*shift[0]) > 2
    assert made.view_at(at - 0.01) is made.view
    assert made.view_at(at + 1.0) is after


def test_a_leg_ends_at_its_target_and_no_sooner() -> None:
    leg = Leg(1.0, 2.0, Pose(0, 0, 0.0), Pose(100, 0, 6.0, 1.0), arch_mm=30.0, bow_mm=9.0)
    assert leg.at(0.5) == leg.source
    assert leg.at(2.0) == leg.target
    assert leg.at(1.999) != leg.target
    assert leg.at(1.5).lift_mm > 20
    assert abs(leg.at(1.5).angle) < 0.3  # the short way round, over 0
    track = Track(leg.source, (leg, Leg(3.0, 4.0, leg.target, leg.source)))
    assert track.at(2.5) == leg.target
    assert track.moves(2.9, 3.1)
    assert not track.moves(2.1, 2.9)


def test_what_lands_later_lies_above_though_it_set_out_sooner() -> None:
    home = Pose(0, 0, 0.0)
    sooner, later = (
        Track(home, (Leg(start, end, home, home),)) for start, end in ((1, 3), (2, 2.9))
    )
    for t_s in (2.95, 3.0, 9.0):
        assert sooner.last_end(t_s) > later.last_end(t_s)


def test_a_turning_card_shows_its_back_first() -> None:
    down, up = Pose(0, 0, 0.0, flip=0.0), Pose(0, 0, 0.0)
    back, face = corners_3d(down, (60, 80), back=True), corners_3d(up, (60, 80))
    assert back == pytest.approx(face, abs=1e-9)
    edge = corners_3d(replace(up, flip=0.5), (60, 80))
    assert edge[:, 0] == pytest.approx(np.zeros(4), abs=1e-9)
    assert np.ptp(edge[:, 2]) == pytest.approx(60)


def test_a_video_keeps_ticks_and_is_turned_by_its_tag(tmp_path: Path) -> None:
    shown = np.zeros((128, 64, 3), np.uint8)
    shown[:64, :, 2] = 255  # red above
    ticks = (0, 3000, 7000)
    path = tmp_path / "turned.mp4"
    form = Format((64, 128), 30, TICKS, turned=True)
    write_video(path, zip([shown] * 3, ticks, strict=True), form)
    with av.open(str(path)) as container:
        stream = container.streams.video[0]
        frames = list(container.decode(stream))
        assert [frame.pts for frame in frames] == list(ticks)
        assert stream.time_base is not None
        assert int(1 / stream.time_base) == TICKS
        stored = frames[0].to_ndarray(format="bgr24")
        upright = np.rot90(stored, (frames[0].rotation // 90) % 4)
    assert upright.shape == (128, 64, 3)
    assert upright[20, 32, 2] > 180
    assert upright[110, 32, 2] < 60


def test_film_writes_a_video_and_its_truth(tmp_path: Path) -> None:
    video = tmp_path / "short.mp4"
    options = ["--size", "160x90", "--fps", "8", "--rounds", "no-match", "--seats", "2"]
    result = CliRunner().invoke(app, ["film", str(video), *options, "--seed", "3"])
    assert result.exit_code == 0, result.output
    truth = json.loads(video.with_suffix(".truth.json").read_text())
    assert truth["rounds"][0]["expect"]["ended_by"] == "no-match"
    assert (video.parent / truth["deck"]).resolve() == DECK.resolve()
    with av.open(str(video)) as container:
        assert sum(1 for _ in container.decode(video=0)) == truth["frames"]


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (["--rounds", "boring"], "plain, wrong"),
        (["--size", "big"], "two even numbers"),
        (["--spoil", "rain"], "dim, drift"),
        (["--deck", "nowhere"], "nowhere"),
        (["--rounds", "contest-home", "--seats", "2"], "for 2 players"),
    ],
)
def test_a_wrong_option_is_named(tmp_path: Path, options: list[str], expected: str) -> None:
    result = CliRunner(env={"COLUMNS": "300"}).invoke(
        app, ["film", str(tmp_path / "a.mp4"), *options]
    )
    assert result.exit_code == 2
    assert expected in result.output


def test_all_kinds_name_known_scenarios() -> None:
    for recipe in KINDS.values():
        assert set(recipe.scenarios) <= set(SCENARIOS)


def test_a_hand_that_the_lens_leaves_out_of_sight_changes_nothing(deck: Deck, take: Take) -> None:
    view = replace(take.view, k1=-0.12)
    to_table = np.linalg.inv(view.plane())
    player, rests = take.motion.rounds[0].played.position.players[0], []
    for index in range(40):
        x, y, depth = to_table @ (-60 + index, 90, 1)
        track = Track(Pose(float(x / depth), float(y / depth), np.pi / 2))
        rests.append(Trip(player, track, (), index, index + 1))
    motion = replace(take.motion, trips=(), rests=tuple(rests))
    film = replace(take, view=view, filmed=replace(take.filmed, motion=motion)).film(deck)
    changes = [np.abs(film.frame(t + 0.5) - film.frame(-1.0)).sum() for t in range(40)]
    assert changes[0] == 0
    assert changes[-1] > 0
