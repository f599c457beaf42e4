"""Whatever is sent, no answer says that the service failed."""

from __future__ import annotations

import json
from urllib.parse import quote

import hypothesis
import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from referee.server.app import create_app
from referee.server.examples import QUESTIONS
from referee.server.settings import Settings
from tests.referee.server.conftest import BASE, TestClient
from tests.referee.server.running import RECORDINGS, TINY, wait_for

LIGHT = hypothesis.settings(
    max_examples=40,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3)
    ),
    max_leaves=8,
)
DOINGS = ["cover", "withdraw", "pass", "no-match", "guess", "give-up", "lead"]
ACTIONS = st.fixed_dictionaries(
    {
        "player": st.sampled_from(["orange", "green", "pink"]),
        "do": st.sampled_from(
            ["cover", "withdraw", "pass", "no-match", "guess", "give-up", "lead"]
        ),
    },
    optional={
        "t": st.floats(0, 9) | PLAIN,
        "card": st.sampled_from(["a14", "a11", "a99"]),
        "animals": st.lists(st.sampled_from(["lion", "giraffe"])),
        "round": st.integers(0, 3),
    },
)
KEYS = ["t", "player", "card", "order", "tasks", "cards", "claims", "won", "dt", "do", "lead"]
LIKELY = st.sampled_from(["green", "a11", ["t01"], 0.5])
CORRECTIONS = st.fixed_dictionaries(
    {
        "seq": st.integers(1, 12),
        "replace": st.none()
        | st.dictionaries(
            st.sampled_from(KEYS),
            PLAIN | st.sampled_from(["green", "a11", ["t01"], 0.5]),
            max_size=3,
        ),
    }
)


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    settings = Settings(tmp_path_factory.mktemp("data"), recordings=RECORDINGS)
    with TestClient(
        create_app(settings), base_url="http://localhost", raise_server_exceptions=False
    ) as client:
        yield client


@pytest.fixture(scope="module")
def table(service):
    table = service.post(f"{BASE}/tables", json=TINY).headers["location"]
    wait_for(lambda: service.get(table).json()["state"] == "ended")
    return table


def expect_no_failure(answer):
    assert answer.status_code < 500, answer.text
    if answer.status_code >= 400:
        assert answer.headers["content-type"] == "application/problem+json"


def send(client, url, body):
    text = json.dumps(body)
    headers = {"Content-Type": "application/json"}
    expect_no_failure(client.post(url, content=text, headers=headers))


@LIGHT
@given(body=PLAIN, path=st.sampled_from(["judge", "tables", "decks", "import", "recordings"]))
def test_any_json_anywhere(service, body, path):
    send(service, f"{BASE}/{path}", body)


@LIGHT
@given(data=st.data(), name=st.sampled_from(sorted(QUESTIONS)))
def test_questions_with_one_value_replaced(service, data, name):
    question = json.loads(json.dumps(QUESTIONS[name]["value"]))
    holder, key = data.draw(st.sampled_from(places(question)))
    holder[key] = data.draw(PLAIN)
    send(service, f"{BASE}/judge", question)


def places(value, found=None):
    found = [] if found is None else found
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for key, inner in items:
        found.append((value, key))
        if isinstance(inner, dict | list):
            places(inner, found)
    return found


@LIGHT
@given(data=st.data(), path=st.sampled_from(["actions", "corrections"]))
def test_anything_said_at_a_table(service, table, data, path):
    body = data.draw(ACTIONS if path == "actions" else CORRECTIONS)
    send(service, f"{table}/{path}", body)
    for what in ("", "/photos", "/claims", "/scores", "/areas", "/events", "/export"):
        assert service.get(table + what).status_code == 200


@LIGHT
@given(
    path=st.sampled_from(["", "/photos", "/claims", "/events", "/evidence/", "/picture.jpg"]),
    table_id=st.text(
        st.characters(codec="ascii", exclude_characters="/?#"), min_size=1, max_size=12
    ),
    query=st.dictionaries(st.sampled_from(["round", "after", "token"]), st.text(max_size=5)),
)
def test_any_name_and_any_query(service, table, path, table_id, query):
    expect_no_failure(service.get(f"{BASE}/tables/{quote(table_id, safe='')}{path}", params=query))
    expect_no_failure(service.get(f"{table}{path}", params=query))
