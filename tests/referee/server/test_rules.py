"""Questions, photographs, health and figures: what needs no table."""

import io
import json
import re
import struct
from pathlib import Path

import pytest
from av import open as open_video
from PIL import Image

from referee.judge import judge
from referee.server.app import create_app
from referee.server.examples import QUESTIONS
from referee.server.problems import Code
from referee.server.settings import Limits, Settings
from tests.referee.server.conftest import BASE, TestClient

SAMPLE = Path(__file__).parents[2] / "data" / "recordings" / "sample.mp4"
PNG = b"\x89PNG\r\n\x1a\n" + struct.pack(">I4sII", 13, b"IHDR", 30_000, 30_000)


def problem(answer, status):
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    body = answer.json()
    assert body["status"] == status
    assert body["type"]
    assert body["title"]
    assert body["detail"]
    assert body["code"] in set(Code)
    assert (body["code"] == "failed") == (status == 500)
    for error in body.get("errors", ()):
        assert all(error[key] for key in ("place", "expected", "got"))
        assert not re.search(r"\.\d", error["place"]), "a list is spelled players[0]"
    assert bool(body.get("errors")) == (status in (413, 422))
    return body


def test_health_says_that_the_service_is_there(client):
    answer = client.get(f"{BASE}/health").json()
    assert answer["status"] == "ok"
    assert (answer["tables"], answer["watched"]) == (0, 0)
    assert client.get("/health").json() == answer


def test_metrics_are_what_prometheus_reads(client):
    answer = client.get(f"{BASE}/metrics")
    assert answer.headers["content-type"].startswith("text/plain")
    assert "table_referee_tables 0.0" in answer.text
    assert "# TYPE table_referee_rulings_total counter" in answer.text


@pytest.mark.parametrize("name", QUESTIONS)
def test_every_example_of_a_question_is_answered_as_the_rules_answer(client, name):
    question = QUESTIONS[name]["value"]
    answer = client.post(f"{BASE}/judge", json=question)
    assert answer.status_code == 200
    assert answer.json() == json.loads(json.dumps(judge(question)))


def test_a_question_may_name_a_deck(client):
    question = {**QUESTIONS["galapa-go"]["value"], "tasks": ["t05"]}
    del question["cards"]
    answer = client.post(f"{BASE}/judge", json=question, params={"deck": "galapa-go"})
    assert answer.status_code == 200, answer.text
    assert {claim["card"] for claim in answer.json()["claims"]} == {"a01", "a02"}
    problem(client.post(f"{BASE}/judge", json=question, params={"deck": "none"}), 404)


def test_a_bad_question_names_place_expected_and_got(client):
    question = json.loads(json.dumps(QUESTIONS["galapa-go"]["value"]))
    question["actions"][1]["player"] = "pink"
    body = problem(client.post(f"{BASE}/judge", json=question), 422)
    assert body["errors"] == [
        {"place": "actions[1].player", "expected": "red or blue", "got": "'pink'"}
    ]


@pytest.mark.parametrize("text", ["", "[", "[]", '"x"', '{"game": "\\ud800"}', '{"game": NaN}'])
def test_what_is_no_question_is_a_problem(client, text):
    headers = {"Content-Type": "application/json"}
    assert problem(client.post(f"{BASE}/judge", content=text, headers=headers), 422)["errors"]


def test_a_name_that_utf8_cannot_spell_is_refused(client):
    hands = [("\ud800", ["h01", "h02"], "h04"), ("ann", ["h05", "h06"], "h07")]
    players = [
        {"name": name, "hand": hand, "locked": locked, "used": []} for name, hand, locked in hands
    ]
    question = {"game": "exploring-galapagos", "players": players, "shared": []}
    answer = client.post(
        f"{BASE}/judge",
        content=json.dumps(question),
        headers={"Content-Type": "application/json"},
        params={"deck": "exploring-galapagos"},
    )
    assert problem(answer, 422)["errors"][0]["place"] == "players[0].name"


def test_a_question_that_is_too_large_is_not_read(client):
    for body in (b"[" * 2_000_000, (b"[" * 200_000 for _ in range(10))):
        headers = {"Content-Type": "application/json"}
        problem(client.post(f"{BASE}/judge", content=body, headers=headers), 413)


def photograph() -> bytes:
    """A frame of the sample recording as a JPEG."""
    import cv2  # noqa: PLC0415 - only this test draws a picture

    with open_video(str(SAMPLE)) as container:
        frame = next(container.decode(video=0)).to_ndarray(format="bgr24")
    return cv2.imencode(".jpg", frame)[1].tobytes()


def test_a_photograph_is_read(client):
    files = {"picture": ("table.jpg", photograph(), "image/jpeg")}
    answer = client.post(f"{BASE}/score", files=files, data={"deck": "galapa-go"})
    assert answer.status_code == 200, answer.text
    seen = {piece["id"] for piece in answer.json()["seen"]}
    assert {"a14", "a19", "a03"} <= seen
    assert "doubts" in answer.json()


ISLANDS = (SAMPLE.parents[1] / "pictures" / "exploring-galapagos.jpg").read_bytes()
SEATED = {
    "deck": "exploring-galapagos",
    "seats": "ann@bottom,bob@left,eve@top,kim@right",
    "used": "ann:color,bob:time+zone",
}


def test_a_photograph_is_read_with_who_sits_where_and_what_they_used(client):
    files = {"picture": ("table.jpg", ISLANDS, "image/jpeg")}
    answer = client.post(f"{BASE}/score", files=files, data=SEATED)
    assert answer.status_code == 200, answer.text
    players = {player["name"]: player for player in answer.json()["position"]["players"]}
    used = {name: player["used"] for name, player in players.items()}
    assert used == {"ann": ["color"], "bob": ["time", "zone"], "eve": [], "kim": []}


@pytest.mark.parametrize(
    ("told", "place"),
    [
        ({"seats": "ann"}, "seats"),
        ({"seats": "ann@north"}, "seats"),
        ({"seats": "ann@top,ann@left"}, "seats"),
        ({"used": "ann"}, "used"),
        ({"used": "ann:luck"}, "used"),
        ({"used": "nobody:time"}, "used"),
        ({"deck": "galapa-go"}, "seats"),
        ({"deck": "galapa-go", "seats": ""}, "used"),
        ({"seats": "x" * 500}, "seats"),
    ],
)
def test_seats_and_methods_that_cannot_be_are_refused_before_the_photograph_is_read(
    client, told, place
):
    files = {"picture": ("table.jpg", ISLANDS, "image/jpeg")}
    answer = client.post(f"{BASE}/score", files=files, data={**SEATED, **told})
    assert problem(answer, 422)["errors"][0]["place"] == place


@pytest.mark.parametrize(
    ("picture", "status"), [(b"", 422), (b"no picture", 422), (PNG + b"rest", 413)]
)
def test_what_is_no_photograph_is_refused_before_it_is_decoded(client, picture, status):
    files = {"picture": ("table.png", picture, "image/png")}
    problem(client.post(f"{BASE}/score", files=files, data={"deck": "galapa-go"}), status)


def test_a_photograph_that_is_cut_short_is_a_problem(client):
    files = {"picture": ("table.jpg", photograph()[:2000], "image/jpeg")}
    answer = client.post(f"{BASE}/score", files=files, data={"deck": "galapa-go"})
    (error,) = problem(answer, 422)["errors"]
    assert error["place"] == "picture"
    assert error["got"] == "a JPEG file that is damaged or breaks off"


def test_a_photograph_that_is_a_strip_is_a_problem_of_the_picture(client, tmp_path):
    strip = io.BytesIO()
    Image.new("RGB", (60_000, 8)).save(strip, "PNG")
    files = {"picture": ("strip.png", strip.getvalue(), "image/png")}
    answer = client.post(f"{BASE}/score", files=files, data={"deck": "galapa-go"})
    body = problem(answer, 422)
    assert [error["place"] for error in body["errors"]] == ["picture"]
    assert body["detail"] == (
        "picture: expected a picture of at least 16 x 16 pixels, got 60000 x 8"
    )


def test_a_photograph_of_an_unknown_deck_is_a_problem(client):
    files = {"picture": ("table.jpg", photograph(), "image/jpeg")}
    problem(client.post(f"{BASE}/score", files=files, data={"deck": "../galapa-go"}), 404)


def test_a_photograph_that_is_too_large_is_refused(data):
    app = create_app(Settings(data, limits=Limits(picture_bytes=1000)))
    files = {"picture": ("table.jpg", b"\xff\xd8" + b"0" * 200_000, "image/jpeg")}
    with TestClient(app, base_url="http://localhost") as client:
        problem(client.post(f"{BASE}/score", files=files, data={"deck": "galapa-go"}), 413)


def test_the_api_describes_itself_with_examples(client):
    text = client.get("/openapi.json").json()
    judged = text["paths"][f"{BASE}/judge"]["post"]["requestBody"]["content"]["application/json"]
    assert set(judged["examples"]) == set(QUESTIONS)
    assert "ProblemBody" in text["components"]["schemas"]
    assert client.get("/docs").status_code == 200


def test_what_is_not_there_is_a_problem_too(client):
    problem(client.get(f"{BASE}/nothing"), 404)
    problem(client.delete(f"{BASE}/health"), 405)


@pytest.mark.parametrize("path", ["/judge", "/score", "/import"])
def test_a_route_that_only_takes_is_not_said_to_be_missing(client, path):
    """The page's files are sought last: no question to the API is one for them."""
    answer = client.get(BASE + path)
    assert problem(answer, 405)["code"] == "method-not-allowed"
    assert answer.headers["allow"] == "POST"
