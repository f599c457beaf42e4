"""Who may do what: nobody is asked on loopback, everybody on a network."""

from __future__ import annotations

import re

import httpx2
import pytest
from starlette.websockets import WebSocketDisconnect

from referee.commands.console import CommandError
from referee.commands.serve import ServeOrder, link_of, serve, settings_of
from referee.server.app import create_app
from referee.server.examples import QUESTIONS
from referee.server.settings import LOOPBACK, Settings
from tests.referee.server.conftest import BASE, TestClient
from tests.referee.server.running import RunningService
from tests.referee.server.test_rules import problem

KEEPER, PLAYER = "keeper-token", "player-token"
PLAYERS_LINK = f"http://table.lan:8000/?token={PLAYER}"
QUESTION = QUESTIONS["galapa-go"]["value"]


@pytest.fixture
def guarded(data):
    settings = Settings(data, keeper_token=KEEPER, player_token=PLAYER, players_link=PLAYERS_LINK)
    with TestClient(create_app(settings), base_url="http://table.lan:8000") as client:
        yield client


@pytest.fixture
def local(data):
    app = create_app(Settings(data, hosts=LOOPBACK))
    with TestClient(app, base_url="http://127.0.0.1:8000") as client:
        yield client


def bearer(token):
    return {"Authorization": f"Bearer {token}"}


def test_without_a_token_nothing_is_told_but_that_the_service_is_there(guarded):
    assert guarded.get(f"{BASE}/health").status_code == 200
    for path in ("/tables", "/decks", "/metrics", "/recordings"):
        answer = guarded.get(BASE + path)
        problem(answer, 401)
        assert answer.headers["www-authenticate"] == "Bearer"
    for path in ("/", "/docs", "/openapi.json"):
        problem(guarded.get(path), 401)
    problem(guarded.get(f"{BASE}/tables", headers=bearer("wrong")), 401)
    problem(guarded.get(f"{BASE}/tables", headers=bearer("é".encode())), 401)


BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"


@pytest.mark.parametrize(
    ("languages", "language", "title"),
    [
        ("de-AT,de;q=0.9,en;q=0.8", "de", "Dieser Tisch fragt nach seinem Link"),
        ("fr,en;q=0.8,de;q=0.5", "en", "This table asks for its link"),
        ("fr;q=x", "en", "This table asks for its link"),
    ],
)
def test_a_browser_without_a_token_is_shown_where_to_get_one(guarded, languages, language, title):
    headers = {"Accept": BROWSER, "Accept-Language": languages}
    for path in ("/", "/docs", "/none", "/?token=wrong"):
        answer = guarded.get(path, headers=headers)
        assert answer.status_code == 401
        assert answer.headers["content-type"].startswith("text/html")
        assert answer.headers["www-authenticate"] == "Bearer"
        assert answer.headers["cache-control"] == "no-store"
        assert f'<html lang="{language}">' in answer.text
        assert f"<h1>{title}</h1>" in answer.text
        assert not re.search(r'(?:src|href)="(?!data:)', answer.text), "nothing may be fetched"


def test_a_program_without_a_token_is_answered_as_programs_are(guarded):
    for accept in ("*/*", "application/json"):
        problem(guarded.get("/", headers={"Accept": accept}), 401)
    problem(guarded.get(f"{BASE}/tables", headers={"Accept": BROWSER}), 401)
    problem(guarded.post("/", headers={"Accept": BROWSER}), 401)
    shown = guarded.get("/", headers={"Accept": BROWSER, **bearer(PLAYER)})
    assert shown.status_code == 200


def test_a_keeper_may_do_everything_and_a_player_may_look_and_speak(guarded):
    for token, status in ((KEEPER, 422), (PLAYER, 403)):
        assert guarded.get(f"{BASE}/tables", headers=bearer(token)).status_code == 200
        assert guarded.post(f"{BASE}/tables", json={}, headers=bearer(token)).status_code == status
    speak = f"{BASE}/tables/none/actions"
    order = {"player": "red", "do": "pass"}
    problem(guarded.post(speak, json=order, headers=bearer(PLAYER)), 404)
    judged = guarded.post(f"{BASE}/judge", json=QUESTION, headers=bearer(PLAYER))
    assert judged.status_code == 200
    for method, path in (
        ("DELETE", "/tables/none"),
        ("POST", "/tables/none/corrections"),
        ("POST", "/tables/none/actions/x"),
        ("POST", "/decks"),
        ("POST", "/recordings"),
        ("POST", "/import"),
    ):
        problem(guarded.request(method, BASE + path, headers=bearer(PLAYER)), 403)


def test_a_link_with_a_token_leaves_a_cookie_for_pictures_and_sockets(guarded):
    answer = guarded.get(f"{BASE}/tables", params={"token": PLAYER})
    assert answer.status_code == 200
    cookie = answer.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie
    assert guarded.get(f"{BASE}/tables").status_code == 200
    problem(guarded.post(f"{BASE}/tables", json={}), 403)


def test_a_wrong_token_leaves_no_cookie(guarded):
    answer = guarded.get(f"{BASE}/tables", params={"token": "wrong"})
    problem(answer, 401)
    assert "set-cookie" not in answer.headers


def test_a_web_socket_asks_for_the_token_too(guarded):
    with pytest.raises(WebSocketDisconnect), guarded.websocket_connect(f"{BASE}/tables/x/events"):
        pass
    with guarded.websocket_connect(f"{BASE}/tables/x/events?token={PLAYER}") as socket:
        with pytest.raises(WebSocketDisconnect) as closed:
            socket.receive_json()
        assert closed.value.reason == "There is no table of that id"


def test_a_name_that_leads_here_by_a_trick_is_not_answered(local):
    """DNS rebinding: a page of another site must not reach this machine by a name of its own."""
    assert local.get(f"{BASE}/tables").status_code == 200
    for host in ("evil.example", "127.0.0.1.evil.example:8000", "", "["):
        problem(local.get(f"{BASE}/tables", headers={"Host": host}), 403)
    for host in ("localhost:8000", "[::1]:8000", "127.0.0.1"):
        assert local.get(f"{BASE}/tables", headers={"Host": host}).status_code == 200


def test_a_page_of_another_origin_changes_nothing(local):
    for origin in ("http://evil.example", "null", "http://127.0.0.1:9"):
        headers = {"Origin": origin}
        problem(local.post(f"{BASE}/judge", json=QUESTION, headers=headers), 403)
        with (
            pytest.raises(WebSocketDisconnect),
            local.websocket_connect(f"{BASE}/tables/x/events", headers=headers),
        ):
            pass
    own = {"Origin": "http://127.0.0.1:8000"}
    assert local.post(f"{BASE}/judge", json=QUESTION, headers=own).status_code == 200


def test_other_origins_are_allowed_nothing(local):
    answer = local.get(f"{BASE}/tables", headers={"Origin": "http://evil.example"})
    assert not [name for name in answer.headers if name.startswith("access-control")]
    headers = {"Origin": "http://evil.example", "Access-Control-Request-Method": "POST"}
    assert local.options(f"{BASE}/judge", headers=headers).status_code == 405


@pytest.mark.parametrize("path", [f"{BASE}/tables", f"{BASE}/none", "/docs", f"{BASE}/metrics"])
def test_every_answer_carries_what_browsers_must_know(local, path):
    headers = local.get(path).headers
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert "frame-ancestors 'none'" in headers["content-security-policy"]
    assert path == "/docs" or headers["cache-control"] == "no-store"
    assert ("unsafe-inline' " in headers["content-security-policy"]) is False


def test_the_page_of_the_api_fetches_nothing_from_other_hosts(local):
    page = local.get("/docs").text
    assert "http://" not in page.replace("http://127.0.0.1", "")
    assert "https://" not in page


@pytest.mark.parametrize("host", sorted(LOOPBACK))
def test_on_loopback_nobody_is_asked_for_a_token(data, host):
    settings = settings_of(ServeOrder(host, 8000, data))
    assert (settings.keeper_token, settings.player_token) == (None, None)
    assert settings.hosts == LOOPBACK


def test_on_a_network_the_tokens_are_new_each_time(data):
    made = [settings_of(ServeOrder("0.0.0.0", 8000, data)) for _ in range(2)]
    tokens = {token for each in made for token in (each.keeper_token, each.player_token)}
    assert len(tokens) == 4
    assert min(map(len, tokens)) >= 12


def test_a_link_holds_the_token():
    assert link_of("192.168.1.5", 80, "abc") == "http://192.168.1.5:80/?token=abc"


def test_on_a_network_the_link_is_printed_and_opens(tmp_path):
    with RunningService(tmp_path, "--host", "0.0.0.0") as service:
        token = service.link.partition("token=")[2]
        port = service.client.base_url.port
        local = service.client.base_url.copy_with(host="127.0.0.1", port=port)
        assert service.client.get(f"{local}tables").status_code == 401
        answer = service.client.get(f"{local}tables", params={"token": token})
        assert answer.status_code == 200
        told = service.client.get(f"{local}health", params={"token": token}).json()
        link = httpx2.URL(told["players_link"])
        assert (link.host, link.port) == (service.client.base_url.host, port)
        players = bearer(link.params["token"])
        assert service.client.get(f"{local}tables", headers=players).status_code == 200
        assert service.client.delete(f"{local}tables/x", headers=players).status_code == 403


def test_only_a_keeper_is_told_what_players_open(guarded):
    for headers, link in (({}, None), (bearer(PLAYER), None), (bearer(KEEPER), PLAYERS_LINK)):
        for path in ("/health", f"{BASE}/health"):
            answer = guarded.get(path, headers=headers)
            assert answer.json()["players_link"] == link
            assert answer.headers["cache-control"] == "no-store"


def test_where_only_this_machine_can_come_there_is_no_link_for_players(local):
    assert local.get(f"{BASE}/health").json()["players_link"] is None


@pytest.mark.parametrize("host", ["", " "])
def test_no_address_is_not_every_address(tmp_path, host):
    with pytest.raises(CommandError, match=r"^--host: expected an address"):
        serve(ServeOrder(host, 0, tmp_path / "evenings"))
    assert not (tmp_path / "evenings").exists()


def test_an_address_that_cannot_be_had_leaves_nothing_behind(tmp_path):
    with pytest.raises(CommandError, match=r"--host 192\.0\.2\.1 .* expected an address"):
        serve(ServeOrder("192.0.2.1", 8000, tmp_path / "evenings"))
    assert not (tmp_path / "evenings").exists()
