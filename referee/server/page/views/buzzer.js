// A player's telephone: one large button, and what it was pressed for.

import { api } from "../api.js";
import { field, h, select, show } from "../dom.js";
import { follow } from "../feed.js";
import { addEvent, emptyMatch, isOver, roundNumbers } from "../match.js";
import { act, animalsField } from "../parts/actions.js";
import { eventText } from "../parts/history.js";
import { colourOf, playerName, shape } from "../players.js";
import { reasonText } from "../said.js";
import { isAlone, playersLink } from "../session.js";
import { clock, number, t } from "../texts.js";
import { announce, complain } from "../voice.js";
import { lostView } from "./lost.js";

export function buzzerView(main, id) {
  const match = emptyMatch();
  const key = `table-referee-player-${id}`;
  const body = h("div", { class: "buzzer" });
  let table = null;
  let player = remembered();
  let scores = {};
  let clockAtLoad = { table: 0, here: 0 };
  let pressedAt = null;
  let isLeft = false;
  let unfollow = () => {};
  main.append(body);

  function remembered() {
    try {
      return sessionStorage.getItem(key) ?? "";
    } catch {
      return "";
    }
  }

  async function load() {
    try {
      await look();
    } catch (error) {
      if (!isLeft) lostView(main, t(error.code === "unknown-table" ? "lost.table" : "lost.answer"), error.message);
      return;
    }
    if (isLeft) return;
    const knownSeq = table.last_seq;
    unfollow = follow(id, {
      event(event) {
        addEvent(match, event);
        if (event.seq > knownSeq && event.type === "round") announce(ownResult() || eventText(event, match), "correct", true);
        settle();
      },
      state(state) {
        body.classList.toggle("broken", state !== "live");
      },
    });
    draw();
  }

  let timer = 0;
  function settle() {
    clearTimeout(timer);
    timer = setTimeout(async () => {
      await look().catch(() => {});
      if (!isLeft) drawNews();
    }, 120);
  }

  async function look() {
    const before = performance.now();
    table = await api.table(id);
    // The answer was made about half-way between asking and hearing.
    clockAtLoad = { table: table.clock, here: (before + performance.now()) / 2 };
    scores = (await api.scores(id)).scores;
  }

  function nowOnTable() {
    const isRunning = table.state === "open" && table.realtime;
    return clockAtLoad.table + (isRunning ? (performance.now() - clockAtLoad.here) / 1000 : 0);
  }

  function draw() {
    if (!table.players.includes(player)) return drawPlayers();
    const colour = colourOf(player, table.players);
    const button = h("button", { class: `buzz ${colour}`, type: "button", onclick: press }, shape(colour, 96), h("span", null, t("buzzer.press")));
    const quick = (what) => h("button", { type: "button", "data-do": what, onclick: () => act(id, { player, do: what }) }, t(`action.${what}`));
    body.replaceChildren(
      h("div", { class: "row spread" }, h("h1", null, t("buzzer.title", { player: playerName(player) })), h("button", { class: "small quiet", type: "button", onclick: other }, t("buzzer.other"))),
      h("div", { class: "news", "aria-live": "polite" }),
      button,
      h("div", { class: "answer", hidden: true }),
      h("div", { class: "row centre" }, quick("pass"), quick("no-match")),
    );
    drawNews();
  }

  function drawPlayers() {
    const pick = (each) => () => {
      player = each;
      try {
        sessionStorage.setItem(key, each);
      } catch {
        // It holds until the page is closed.
      }
      draw();
      body.querySelector(".buzz").focus();
    };
    body.replaceChildren(
      h("h1", null, t("buzzer.who")),
      h("p", { class: "empty", hidden: table.players.length > 0 }, t("buzzer.nobody")),
      h("div", { class: "colours" }, table.players.map((each) => h("button", { class: "colour", type: "button", "data-player": each, onclick: pick(each) }, shape(colourOf(each, table.players), 48), h("span", null, playerName(each))))),
      forPhones(),
    );
  }

  /** What other phones open: never an address without the players' token, nor one that only this machine knows. */
  function forPhones() {
    const link = playersLink(`#/table/${encodeURIComponent(id)}/buzzer`);
    if (link) return h("p", { class: "note" }, t("buzzer.address"), " ", h("a", { class: "players-link", href: link }, link));
    return h("p", { class: "note" }, t(isAlone() ? "buzzer.alone" : "buzzer.ask"));
  }

  function other() {
    player = "";
    drawPlayers();
  }

  function ownResult() {
    const last = [...match.rounds.values()].findLast((each) => each.ruling)?.ruling;
    const claim = last?.claims.findLast((each) => each.player === player);
    return claim ? t("buzzer.result", { verdict: t(`verdict.${claim.verdict}`), reason: reasonText(claim.reason) }) : "";
  }

  function drawNews() {
    const news = body.querySelector(".news");
    if (!news) return;
    const round = roundNumbers(match).at(-1);
    show(
      news,
      h("p", null, round ? t(isOver(match, round, table.state === "open") ? "buzzer.round-over" : "buzzer.round-runs", { number: number(round) }) : t("buzzer.no-round")),
      h("p", { class: "big" }, t("hands.points", { count: scores[player] ?? 0 })),
      ownResult() && h("p", { class: "note" }, ownResult()),
    );
  }

  // The moment counts at which the button was pressed, not that at which the answer is complete.
  function press() {
    pressedAt = Math.max(0, Math.round(1000 * nowOnTable()) / 1000);
    navigator.vibrate?.(60);
    announce(t("buzzer.pressed", { t: clock(pressedAt, 1) }), "claim");
    const animals = animalsField();
    const cards = select([["", t("buzzer.no-card")], ...match.layout.map((card) => [card.id, card.id])], "", {});
    const answer = body.querySelector(".answer");
    answer.hidden = false;
    answer.replaceChildren(
      h("p", { class: "stamp" }, t("buzzer.pressed", { t: clock(pressedAt, 1) })),
      animals.element,
      field(t("buzzer.card"), cards, t("buzzer.card.note")),
      h(
        "div",
        { class: "row end" },
        h("button", { type: "button", onclick: () => { answer.hidden = true; body.querySelector(".buzz").focus(); } }, t("cancel")),
        h("button", { type: "button", class: "primary", "data-do": "guess", onclick: () => send(animals.read(), cards.value) }, t("action.send-guess")),
      ),
    );
    answer.querySelector("input").focus();
  }

  async function send(animals, card) {
    if (!animals.length) return complain(new Error(t("action.no-animals")));
    const guess = { player, do: "guess", animals, t: pressedAt };
    if (await act(id, card ? { ...guess, card } : guess)) body.querySelector(".answer").hidden = true;
  }

  load();
  return () => {
    isLeft = true;
    clearTimeout(timer);
    unfollow();
  };
}
