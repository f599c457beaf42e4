// A table that is watched: the picture, the round, scores, history, and what people say of it.

import { api, urls } from "../api.js";
import { h, show } from "../dom.js";
import { follow } from "../feed.js";
import { addEvent, emptyMatch, isOver, roundNumbers } from "../match.js";
import { actionsPart } from "../parts/actions.js";
import { roundPart } from "../parts/claims.js";
import { openCorrection } from "../parts/correction.js";
import { handsPart } from "../parts/hands.js";
import { eventText, historyPart } from "../parts/history.js";
import { livePicture } from "../parts/picture.js";
import { scoresPart } from "../parts/scores.js";
import { zooPart } from "../parts/zoo.js";
import { said } from "../said.js";
import { number, t } from "../texts.js";
import { announce, toast } from "../voice.js";
import { lostView } from "./lost.js";

const SETTLE_MS = 120; // lines that hold together come together
const LOOK_MS = 4000;
const FILM_MS = 3000; // the last picture and the film of a claim are there some time after it
const TOLD = new Set(["claim", "withdrawn", "round", "task", "notice", "scored", "hands", "action", "correction"]);

export function tableView(main, id) {
  const match = emptyMatch();
  const known = { table: null, deck: null, claims: [], close: [], scores: null, areas: null };
  const wish = { round: null, revealed: new Set() };
  const picture = livePicture(id, () => (known.table?.state ?? "open") === "open", lastKept);
  let knownSeq = 0; // what had happened before the page was opened is not announced
  let isLeft = false;
  let timer = 0;
  let laterTimer = 0;
  let unfollow = () => {};

  const title = h("h1", null, t("loading"));
  const line = h("p", { class: "line", role: "status" });
  const tabs = h("div", { class: "rounds" });
  const round = h("div", { id: "round" });
  const board = h("div");
  const scores = h("div");
  const history = h("div");
  const actions = h("div");
  const panel = (name, ...children) => h("section", { class: `panel ${name}`, "aria-labelledby": `h-${name}` }, h("h2", { id: `h-${name}` }, t(`panel.${name}`)), children);
  const buzzer = h("a", { class: "button small", href: `#/table/${encodeURIComponent(id)}/buzzer` }, t("table.buzzer"));
  const boardPanel = panel("board", board);
  const roundPanel = panel("round", tabs, round);
  const actionsRound = h("p", { class: "note" });
  const actionsPanel = panel("actions", h("p", { class: "note" }, t("action.note")), actionsRound, actions);
  boardPanel.hidden = true;
  actionsPanel.hidden = true;
  main.append(
    h("div", { class: "table-head" }, h("div", null, title, line), h("p", { class: "row" }, buzzer, h("a", { class: "button small", href: urls.exported(id), download: "" }, t("table.export")))),
    h("div", { class: "table-grid" }, h("div", { class: "main-side" }, picture.element, boardPanel, roundPanel), h("div", { class: "other-side" }, panel("scores", scores), actionsPanel, panel("history", history))),
  );

  const acts = {
    correct: (event) => openCorrection({ table: known.table, match, deck: known.deck }, event),
    reveal() {
      wish.revealed.add(shownRound());
      draw();
    },
  };

  /** The last picture that is kept of a claim; nothing where there is none. */
  function lastKept() {
    const pictures = known.claims.flatMap((claim) => claim.evidence ?? []).filter((url) => url.endsWith(".jpg"));
    return pictures.at(-1) ?? "";
  }

  function shownRound() {
    return wish.round ?? roundNumbers(match).at(-1) ?? null;
  }

  async function load() {
    try {
      known.table = await api.table(id);
      known.deck = await api.deck(known.table.deck);
    } catch (error) {
      if (!isLeft) lose(error);
      return;
    }
    if (isLeft) return;
    knownSeq = known.table.last_seq;
    title.textContent = t(`game.${known.table.game}`);
    document.title = `${t(`game.${known.table.game}`)} · Table Referee`;
    if (known.table.game !== "galapa-go") roundPanel.hidden = true;
    boardPanel.hidden = known.table.game === "galapa-go";
    buzzer.hidden = known.table.game !== "galapa-go";
    drawActions();
    unfollow = follow(id, { event: take, state: drawState });
    settle();
  }

  /** Nothing is to be seen here: no such table, or nobody answers. */
  function lose(error) {
    isLeft = true;
    picture.end();
    clearInterval(looking);
    lostView(main, t(error.code === "unknown-table" ? "lost.table" : "lost.answer"), error.message);
  }

  function take(event) {
    addEvent(match, event);
    if (event.seq > knownSeq && TOLD.has(event.type)) tell(event);
    settle();
    if (event.type === "claim") {
      clearTimeout(laterTimer);
      laterTimer = setTimeout(refresh, FILM_MS);
    }
  }

  function tell(event) {
    const isUrgent = event.type === "round" || event.type === "notice";
    const kind = { claim: "claim", round: "correct", notice: "notice" }[event.type] ?? "notice";
    announce(eventText(event, match), kind, isUrgent);
    if (["notice", "round", "correction"].includes(event.type)) toast(eventText(event, match), event.type === "notice" ? "bad" : "plain");
  }

  function settle() {
    clearTimeout(timer);
    timer = setTimeout(refresh, SETTLE_MS);
  }

  async function refresh() {
    const asked = shownRound();
    const { game } = known.table;
    try {
      const [table, claims, scored, areas] = await Promise.all([
        api.table(id),
        asked ? api.claims(id, asked) : { claims: [], close: [] },
        api.scores(id),
        game === "panda-gorilla" ? api.areas(id) : null,
      ]);
      Object.assign(known, { table, claims: claims.claims, close: claims.close, scores: scored, areas });
    } catch (error) {
      if (!isLeft) line.title = error.message; // the line itself says that it is broken
    }
    if (!isLeft) draw();
  }

  function draw() {
    const { table } = known;
    drawTabs();
    const shown = { table, match, round: shownRound(), claims: known.claims, close: known.close, isRevealed: wish.revealed.has(shownRound()) };
    if (table.game === "galapa-go") show(round, ...roundPart(shown, acts).filter(Boolean));
    if (table.game === "panda-gorilla" && known.deck.board) show(board, ...zooPart(known.deck, [...match.placed.values()], known.areas?.areas ?? []));
    if (table.game === "exploring-galapagos") show(board, ...drawHands(table));
    show(scores, ...scoresPart(known.scores, table.players).filter(Boolean));
    show(history, ...historyPart(match, acts));
    drawLine();
  }

  function drawHands(table) {
    if (!match.hands.length) return [h("p", { class: "empty" }, t("hands.none"))];
    return match.hands.toReversed().map((hands, index) => {
      const heading = h("summary", { "data-focus": `hands-${hands.seq}-s` }, t("round.number", { number: number(hands.round ?? match.hands.length - index) }));
      return h("details", { open: index === 0, "data-focus": `hands-${hands.seq}` }, heading, handsPart(hands, table.deck));
    });
  }

  function drawTabs() {
    const numbers = roundNumbers(match);
    actionsRound.textContent = shownRound() ? t("action.for-round", { number: number(shownRound()) }) : "";
    const pick = (each) => {
      wish.round = each === numbers.at(-1) ? null : each; // the last one moves on with the game
      settle();
    };
    show(
      tabs,
      ...numbers.map((each) =>
        h(
          "button",
          { type: "button", class: "tab", "aria-pressed": String(each === shownRound()), "data-focus": `tab-${each}`, onclick: () => pick(each) },
          t("round.number", { number: number(each) }),
          !isOver(match, each, known.table.state === "open") && h("span", { class: "dot" }, h("span", { class: "unseen" }, ` ${t("round.runs")}`)),
        ),
      ),
    );
  }

  let state = "live";

  function drawState(next) {
    state = next;
    drawLine();
    if (next === "gone") announce(t("line.gone"), "notice", true);
  }

  function drawLine() {
    const { table } = known;
    const words = state !== "live" ? t(`line.${state}`) : table.state === "failed" ? t("line.failed", { reason: said(table.reason) }) : t(`state.${table.state}`);
    line.className = `line ${state === "live" ? table.state : state}`;
    show(line, h("span", { class: "lamp", "aria-hidden": "true" }), h("span", null, words));
  }

  function drawActions() {
    const { table } = known;
    actionsPanel.hidden = table.game !== "galapa-go" || table.players.length === 0;
    const layout = () => match.layout.map((card) => card.id);
    const won = () => [...match.rounds.values()].findLast((each) => each.ruling)?.ruling.won ?? {};
    if (!actionsPanel.hidden) actions.replaceChildren(actionsPart(table, layout, won, shownRound));
  }

  // A source that ends or fails may say so without an event.
  const looking = setInterval(async () => {
    if (!known.table || isLeft) return;
    try {
      const table = await api.table(id);
      const hadPlayers = known.table.players.length;
      known.table = table;
      if (!hadPlayers && table.players.length) drawActions();
      drawLine();
    } catch {
      // The feed tells of a broken line.
    }
  }, LOOK_MS);

  load();
  return () => {
    isLeft = true;
    clearTimeout(timer);
    clearTimeout(laterTimer);
    clearInterval(looking);
    unfollow();
    picture.end();
  };
}
