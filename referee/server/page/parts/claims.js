// The round: its Task, the claims in their order, the verdicts with reason and rule.

import { h } from "../dom.js";
import { contested, isClose, isOver, truthOf } from "../match.js";
import { badge, playerName } from "../players.js";
import { reasonText } from "../said.js";
import { isKeeper } from "../session.js";
import { clock, listed, number, t } from "../texts.js";
import { face } from "./cards.js";
import { frames, photoFinish } from "./finish.js";

const MARKS = { correct: "✓", wrong: "✗", withdrawn: "↩", void: "–" };

/**
 * Returns everything that is known of a round.
 *
 * @param {object} shown table, match, round, claims, close, isRevealed
 * @param {{correct: Function, reveal: Function}} acts What buttons do.
 */
export function roundPart(shown, acts) {
  const { table, match, round, claims, close } = shown;
  if (!round) return [h("p", { class: "empty" }, t("round.none"))];
  const known = match.rounds.get(round);
  const over = isOver(match, round, table.state === "open");
  const isTold = over || shown.isRevealed;
  return [
    tasks(table, match, known, acts),
    claims.length
      ? h("ol", { class: "claims", "aria-label": t("claims.label") }, claims.map((claim) => claimItem(claim, shown, isTold, acts)))
      : h("p", { class: "empty" }, t("claims.none")),
    over ? ending(shown, known) : running(shown, acts),
    finishes(claims, close, table.players),
  ];
}

function tasks(table, match, known, acts) {
  const event = match.events.findLast((each) => each.type === "task" && each.round === known.number);
  return h(
    "div",
    { class: "tasks" },
    known.tasks.map((task) => face(table.deck, task, "task")),
    h(
      "div",
      null,
      h("p", { class: "eyebrow" }, t(known.tasks.length > 1 ? "round.tasks" : "round.task")),
      h("p", null, listed(known.tasks) || t("round.no-task")),
      isKeeper() && event && truthOf(match, event) && h("button", { class: "small quiet", type: "button", onclick: () => acts.correct(event), "data-focus": `correct-${event.seq}` }, t("correct.this-task")),
    ),
  );
}

function claimItem(claim, shown, isTold, acts) {
  const { table, match, close } = shown;
  const verdict = claim.verdict === "withdrawn" || isTold ? claim.verdict : null;
  const event = match.events.find((each) => each.seq === claim.seq);
  const isCorrected = match.corrections.has(claim.seq);
  const tied = close.filter((pair) => pair.includes(claim.player)).map((pair) => pair.find((each) => each !== claim.player));
  return h(
    "li",
    { class: `claim ${verdict ?? "open"}`, "data-player": claim.player, "data-card": claim.card },
    h("span", { class: "order", "aria-hidden": "true" }, number(claim.order)),
    face(table.deck, claim.card),
    h(
      "div",
      { class: "what" },
      h("p", { class: "who" }, badge(claim.player, table.players), h("span", { class: "note" }, claim.card)),
      h("p", { class: "when" }, t("time.interval", { t: number(claim.t, 3), dt: number(claim.dt, 3) })),
      tied.length > 0 && h("p", { class: "close-call" }, h("strong", null, t("finish.close")), " ", t("claims.close-with", { players: listed(tied.map(playerName)) })),
      verdict && h("p", { class: "reason" }, reasonText(claim.reason), " ", ruleOf(claim) && h("span", { class: "note" }, t(`rule.${ruleOf(claim)}`))),
      isCorrected && h("p", { class: "note" }, t("claims.corrected", { why: match.corrections.get(claim.seq).why || t("correct.no-why") })),
      h("details", { "data-focus": `frames-${claim.seq}` }, h("summary", { "data-focus": `frames-${claim.seq}-s` }, t("claims.evidence")), frames(claim)),
    ),
    h("span", { class: "verdict" }, verdict ? [h("span", { "aria-hidden": "true" }, MARKS[verdict]), " ", t(`verdict.${verdict}`)] : t("verdict.pending")),
    isKeeper() && event && h("button", { class: "small quiet", type: "button", onclick: () => acts.correct(event), "data-focus": `correct-${event.seq}`, "aria-label": t("correct.which", { what: `${playerName(claim.player)}, ${claim.card}` }) }, t("correct.this")),
  );
}

/** Returns which rule of the game a verdict rests on, or nothing where the reason is the rule. */
function ruleOf(claim) {
  if (/lay there first/.test(claim.reason)) return "first-camera";
  if (/guess|named/.test(claim.reason)) return "memory";
  if (claim.verdict === "void" && !/round had ended/.test(claim.reason)) return "";
  return claim.verdict;
}

function running(shown, acts) {
  return h(
    "p",
    { class: "running" },
    h("span", null, t("round.running")),
    shown.claims.length > 0 && !shown.isRevealed && h("button", { class: "small", type: "button", onclick: acts.reveal, "data-focus": "reveal" }, t("round.reveal")),
  );
}

function ending(shown, known) {
  const { table } = shown;
  const ruling = known.ruling;
  if (!ruling) return h("p", { class: "note" }, t("round.unjudged"));
  return h(
    "div",
    { class: "ending" },
    h("p", null, h("strong", null, t(`ended.${ruling.ended_by ?? "open"}`)), " ", ruling.t !== undefined && h("span", { class: "note" }, clock(ruling.t, 1))),
    !ruling.ended_by && repair(shown),
    ruling.matching.length > 0 && h("div", { class: "matching" }, h("p", { class: "note" }, t("round.matching", { count: ruling.matching.length })), h("div", { class: "faces" }, ruling.matching.map((card) => face(table.deck, card)))),
    ruling.game_over
      ? h("p", { class: "winners" }, t("round.winners", { players: listed(ruling.winners.map(playerName)) }))
      : ruling.ended_by && h("p", null, t("round.lead", { player: playerName(ruling.lead) }), " ", ruling.redeal && t("round.redeal")),
  );
}

/** What ends a round that the table has left, such as after a correction: whoever did nothing has passed. */
function repair({ table, match, round, claims }) {
  const said = match.events.filter((each) => each.type === "action" && each.round === round).map((each) => truthOf(match, each));
  const passed = said.filter((each) => each?.do === "pass" || each?.do === "no-match").map((each) => each.player);
  const done = [...passed, ...claims.filter((claim) => claim.verdict !== "withdrawn").map((claim) => claim.player)];
  const idle = table.players.filter((player) => !done.includes(player));
  return isKeeper() && idle.length > 0 && h("p", { class: "note repair" }, t("round.repair", { pass: t("action.pass"), players: listed(idle.map(playerName)) }));
}

function finishes(claims, close, players) {
  const groups = contested(claims);
  if (!groups.length) return null;
  return h("section", { class: "finishes" }, h("h3", null, t("finish.title")), groups.map((group) => photoFinish(group, isClose(group, close), players)));
}
