"""What the page offers to whom: players what they may do, phones a link that lets them in."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from tests.system.test_page_in_browser import NO_SCORES, answering, made_table, stand_in

pytestmark = [
    pytest.mark.system,
    # The browser's own event loop is closed by its driver, after pytest has looked.
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]

Open = Callable[..., Any]
TASK = {"seq": 1, "type": "task", "t": 1.0, "round": 1, "tasks": ["t05"]}
CLAIM = {"seq": 2, "type": "claim", "t": 3.1, "round": 1, "player": "red", "card": "a07"}
LATER = {**TASK, "seq": 3, "t": 9.0, "round": 2, "tasks": ["t06"]}
PASSED = {"seq": 3, "type": "action", "t": 4.0, "round": 1, "player": "blue", "do": "pass"}
OPEN_ROUND = {
    **{"seq": 4, "type": "round", "t": 9.0, "round": 1, "tasks": ["t05"], "claims": []},
    **{"matching": [], "ended_by": None, "lead": "red", "winners": [], "game_over": False},
    **{"redeal": False, "won": {}},
}
CLAIMS = {
    "round": 1,
    "claims": [
        {
            **{key: CLAIM[key] for key in ("seq", "t", "player", "card")},
            **{"dt": 0.033, "order": 1, "verdict": "correct", "reason": "", "evidence": []},
        }
    ],
    "close": [],
}
LINK = "http://table.example:8000/?token=players"


def stand_in_for(
    page: Any, table: dict[str, Any], lines: list[dict[str, Any]], view: str = ""
) -> None:
    """Opens a table that some lines tell of."""
    stand_in(page, {"": table, "/claims": CLAIMS, "/scores": NO_SCORES}, lines)
    page.goto(f"{page.url.partition('#')[0]}#/table/made{view}")


def at_table(open_page: Open, state: str = "open", view: str = "") -> Any:
    """Opens a table with a claim in its first round, and a second round."""
    page = open_page()
    table = {**made_table("galapa-go", ["red", "blue"]), "state": state}
    stand_in_for(page, table, [TASK, CLAIM, LATER], view)
    return page


def becomes_player(page: Any) -> None:
    """Has the service take the page for a player's, at its next beginning."""
    page.evaluate("import('./api.js').then(({ api }) => api.addDeck(new Blob()).catch(() => 0))")


def test_what_is_said_is_said_of_the_round_that_is_shown(open_page: Open) -> None:
    page = at_table(open_page)
    sent: list[Any] = []

    def take(route: Any) -> None:
        sent.append(route.request.post_data_json)
        route.fulfill(status=201, json={})

    page.route("**/made/actions", take)
    page.get_by_role("button", name="Round 1", exact=True).click()
    page.get_by_text("Told of round 1").wait_for()
    page.get_by_role("button", name="Pass", exact=True).click()
    page.locator(".toast.good").wait_for()
    assert [told["round"] for told in sent] == [1]


def test_a_player_is_offered_only_what_a_player_may_do(open_page: Open) -> None:
    page = open_page()
    page.get_by_role("link", name="Set up a table").wait_for()
    refusal = {"status": 403, "title": "Forbidden", "code": "keeper-only", "detail": "refused"}
    page.route("**/api/v1/decks", lambda route: route.fulfill(status=422, json=refusal))
    becomes_player(page)
    answers = {
        "": made_table("galapa-go", ["red", "blue"]),
        "/claims": CLAIMS,
        "/scores": NO_SCORES,
    }
    stand_in(page, answers, [TASK, CLAIM, LATER])
    page.evaluate("location.hash = '#/table/made'")
    page.get_by_role("button", name="Pass", exact=True).wait_for()
    page.locator(".claim").wait_for()
    assert page.get_by_role("button", name=re.compile("^Change")).count() == 0
    assert page.locator("[data-do=by-hand]").count() == 1
    assert page.locator("option[value=cover]").count() == 0
    page.evaluate("location.hash = '#/'")
    page.locator(".hero").wait_for()
    assert page.get_by_role("link", name="Set up a table").count() == 0
    assert page.get_by_text("Bring in an exported match").count() == 0
    page.evaluate("location.hash = '#/new'")
    page.get_by_text("Only the table keeper may do that.").wait_for()


def test_phones_are_told_a_link_with_a_token(open_page: Open) -> None:
    page = open_page()
    page.route("**/api/v1/health", answering({"status": "ok", "players_link": LINK}))
    answers = {"": made_table("galapa-go", ["red", "blue"]), "/scores": NO_SCORES}
    stand_in(page, answers, [])
    page.goto(f"{page.url.partition('#')[0]}?token=x#/table/made/buzzer")
    link = page.locator(".players-link")
    assert link.get_attribute("href") == f"{LINK}#/table/made/buzzer"


def test_phones_are_told_that_they_cannot_reach_a_service_of_one_machine(open_page: Open) -> None:
    page = at_table(open_page, view="/buzzer")
    note = page.locator(".buzzer .note", has_text="--host 0.0.0.0")
    note.wait_for()
    assert "127.0.0.1" not in note.inner_text()


@pytest.mark.parametrize("state", ["ended", "failed"])
def test_a_table_that_nobody_watches_says_so_in_place_of_a_picture(
    open_page: Open, state: str
) -> None:
    page = at_table(open_page, state)
    page.locator(".picture", has_text="Nobody watches this table any more").wait_for()
    assert page.get_by_text("Waiting for the picture").count() == 0


def test_what_was_corrected_is_said_again(open_page: Open) -> None:
    page = open_page()
    told = {"type": "correction", "t": 10.0, "why": "seen"}
    lines = [
        {**told, "seq": 4, "of": 2, "replace": {"player": "blue"}},
        {**told, "seq": 5, "of": 2, "replace": {"t": 3.2}},
        {**told, "seq": 6, "of": 2, "replace": None},
        {**told, "seq": 7, "of": 6, "replace": None},
    ]
    stand_in_for(page, made_table("galapa-go", ["red", "blue"]), [TASK, CLAIM, LATER, *lines])
    said = page.locator(".event.kind-correction > span")
    said.nth(3).wait_for()
    texts = said.all_inner_texts()[::-1]
    assert texts[0].startswith(
        "Corrected: “Red covers a07.” was in truth “Blue covers a07.” (seen)"
    )
    assert texts[1].startswith("Corrected in “Red covers a07.”: Time in seconds: 3.200 (seen)")
    assert texts[2].startswith("This did not happen: “Red covers a07.” (seen)")
    assert texts[3].startswith("The correction of “Red covers a07.” was taken back (seen)")


def test_what_ends_a_round_that_was_left_open_is_told(open_page: Open) -> None:
    page = open_page()
    table = {**made_table("galapa-go", ["red", "blue", "green"]), "state": "ended"}
    stand_in_for(page, table, [TASK, CLAIM, PASSED, OPEN_ROUND])
    page.locator(".repair", has_text="enter “Pass” for: Green.").wait_for()
