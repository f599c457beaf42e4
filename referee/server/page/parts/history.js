// Everything that happened, newest first; the table keeper can correct each line.

import { h } from "../dom.js";
import { truthOf } from "../match.js";
import { playerName } from "../players.js";
import { breachText, noticeText } from "../said.js";
import { isKeeper } from "../session.js";
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
  const words = eventText(event, match);
  return h(
    "li",
    { class: `event kind-${event.type}`, "data-seq": event.seq },
    h("time", null, event.t === undefined ? "" : clock(event.t, 1)),
    isAnew
      ? h("span", null, h("del", null, words), " ", h("span", { class: "note" }, t("history.anew")))
      : h("span", null, isChanged ? [h("del", null, words), " ", truth && event.type !== "correction" && h("ins", null, eventText(truth, match))] : words),
    isKeeper() && !isFixed &&
      h(
        "button",
        { class: "small quiet", type: "button", onclick: () => acts.correct(event), "data-focus": `history-${event.seq}`, "aria-label": t("correct.which", { what: words }) },
        t(event.type === "correction" ? "correct.take-back" : "correct.this"),
      ),
  );
}

/** Returns an event of a match as a sentence. */
export function eventText(event, match) {
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
      return correctionText(event, match);
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

/** Nothing on the page is numbered, so what was corrected is said again. */
function correctionText(event, match) {
  const why = event.why || t("correct.no-why");
  const isBack = match.events.find((each) => each.seq === event.of)?.type === "correction";
  const target = correctedBy(event, match);
  const what = target ? eventText(target, match) : "";
  if (isBack) return t("event.taken-back", { what, why });
  if (event.replace === null || !target) return t("event.struck", { what, why });
  const now = eventText({ ...target, ...event.replace }, match);
  if (now !== what) return t("event.corrected", { what, now, why });
  return t("event.corrected-part", { what, why, parts: listed(Object.entries(event.replace).map(([name, value]) => partText(name, value, target[name]))) });
}

/** Returns the line that a correction is about in the end, though it may take back another one. */
function correctedBy(event, match) {
  const target = match.events.find((each) => each.seq === event.of);
  return target?.type === "correction" ? correctedBy(target, match) : target;
}

/** What a sentence does not tell: a time, who leads, a card of the layout. */
function partText(name, value, before) {
  const title = tOr(`field.${name}`, name);
  if (name === "t") return `${title}: ${number(value, 3)}`;
  if (name === "lead") return `${title}: ${playerName(value)}`;
  if (name !== "cards") return title;
  const changed = value.map((card, index) => [before[index]?.id, card.id]).filter(([was, is]) => was !== is);
  return changed.map((pair) => pair.join(" → ")).join(", ");
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
