// Everything that happened, newest first; each line can be corrected.

import { h } from "../dom.js";
import { truthOf } from "../match.js";
import { playerName } from "../players.js";
import { breachText, noticeText } from "../said.js";
import { clock, listed, number, t, tOr } from "../texts.js";

const MOST = 200;

export function historyPart(match, acts) {
  const events = match.events.slice(-MOST).reverse();
  if (!events.length) return [h("p", { class: "empty" }, t("history.none"))];
  return [h("ol", { class: "history" }, events.map((event) => item(match, event, acts)))];
}

function item(match, event, acts) {
  const truth = truthOf(match, event);
  const isChanged = match.corrections.has(event.seq);
  const isAnew = match.toldAnew.has(event.seq);
  const isFixed = isAnew || event.type === "notice" || (event.type === "correction" && isChanged);
  const words = eventText(event);
  return h(
    "li",
    { class: `event kind-${event.type}`, "data-seq": event.seq },
    h("time", null, event.t === undefined ? "" : clock(event.t, 1)),
    isAnew
      ? h("span", null, h("del", null, words), " ", h("span", { class: "note" }, t("history.anew")))
      : h("span", null, isChanged ? [h("del", null, words), " ", truth && event.type !== "correction" && h("ins", null, eventText(truth))] : words),
    !isFixed &&
      h(
        "button",
        { class: "small quiet", type: "button", onclick: () => acts.correct(event), "data-focus": `history-${event.seq}`, "aria-label": t("correct.which", { what: words }) },
        t(event.type === "correction" ? "correct.take-back" : "correct.this"),
      ),
  );
}

/** Returns an event as a sentence. */
export function eventText(event) {
  const player = event.player ? playerName(event.player) : "";
  switch (event.type) {
    case "layout":
      return t("event.layout", { count: event.cards.length });
    case "task":
      return t("event.task", { round: number(event.round), tasks: listed(event.tasks) });
    case "claim":
    case "withdrawn":
      return t(`event.${event.type}`, { player, card: event.card });
    case "round":
      return roundText(event);
    case "action":
      return actionText(event, player);
    case "correction":
      return t(event.replace === null ? "event.struck" : "event.corrected", { seq: number(event.of), why: event.why || t("correct.no-why") });
    case "placed":
      return placedText(event);
    case "scored":
      return t(event.taken ? "event.not-scored" : "event.scored", { points: pointsText(event.points ?? event.area?.points ?? {}) });
    case "hands":
      return t("event.hands", { points: pointsText(Object.fromEntries((event.players ?? []).map((each) => [each.name, each.score]))) });
    case "notice":
      return noticeText(event);
    default:
      return event.text ?? event.type;
  }
}

function roundText(event) {
  const winners = event.claims.filter((claim) => claim.verdict === "correct").map((claim) => playerName(claim.player));
  const round = number(event.round);
  const head = event.ended_by ? t("event.round", { round, how: t(`ended.${event.ended_by}`) }) : t("event.round-open", { round });
  return `${head} ${winners.length ? t("event.correct", { players: listed(winners) }) : t("event.correct-nobody")}`;
}

function actionText(event, player) {
  const values = { player, card: event.card ?? "", animals: listed((event.animals ?? []).map((each) => tOr(`feature.${each}`, each))) };
  return t(`event.do.${event.do}`, values);
}

function placedText(event) {
  const place = { row: number(event.row), col: number(event.col), card: event.card ?? t("card.pond"), rotation: number(event.rotation ?? 0) };
  if (event.taken) return t("event.taken", place);
  const chip = event.chip && t("event.chip", { player: playerName(event.chip.player), size: t(`size.${event.chip.size}`) });
  const text = [t(event.pond ? "event.pond" : "event.placed", place), chip].filter(Boolean).join(" ");
  const faults = [event.illegal ?? []].flat();
  return faults.length ? `${text} ${t("event.illegal", { reason: faults.map(breachText).join("; ") })}` : text;
}

function pointsText(points) {
  const words = Object.entries(points).map(([player, count]) => `${playerName(player)} ${count === null ? "?" : number(count)}`);
  return words.length ? listed(words) : number(0);
}
