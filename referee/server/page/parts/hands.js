// A round of Exploring Galapagos: each player's hand and how the sum comes about.

import { h } from "../dom.js";
import { badge } from "../players.js";
import { number, t, tOr } from "../texts.js";
import { face } from "./cards.js";

/**
 * Returns the hands of a round with their sums.
 *
 * @param {object} hands `players` as `judge` answers; `hands` or `shared` where cards are told.
 */
export function handsPart(hands, deck) {
  const names = hands.players.map((player) => player.name);
  const shared = hands.shared ?? hands.position?.shared;
  return [
    shared?.length > 0 && h("div", { class: "shared" }, h("p", { class: "eyebrow" }, t("hands.shared")), h("div", { class: "faces" }, shared.map((card) => face(deck, card)))),
    h("ul", { class: "hands" }, hands.players.map((player) => handItem(player, names, hands, deck))),
  ];
}

function handItem(player, names, hands, deck) {
  const held = (hands.position?.players ?? []).find((each) => each.name === player.name) ?? player;
  const isKnown = player.score !== null;
  return h(
    "li",
    { class: "hand" },
    h("p", { class: "who" }, badge(player.name, names), h("strong", { class: "total" }, isKnown ? t("hands.points", { count: player.score }) : "–")),
    Array.isArray(held.hand) && h("div", { class: "faces" }, held.locked && face(deck, held.locked, "locked"), held.hand.map((card) => face(deck, card))),
    isKnown ? sumOf(player) : h("p", { class: "note" }, t("hands.unknown")),
  );
}

/** How a player's points come about. */
function sumOf(player) {
  const icons = player.own_impact + player.shared_impact;
  return [
    player.method
      ? h("p", null, t("hands.method", { method: t(`method.${player.method}`), choice: player.choice ? tOr(`choice.${player.choice}`, player.choice) : t("hands.no-choice") }))
      : h("p", null, t("hands.no-method")),
    h(
      "dl",
      { class: "sum" },
      h("div", null, h("dt", null, t("hands.base")), h("dd", null, number(player.base))),
      h("div", null, h("dt", null, t("hands.impact")), h("dd", null, signed(player.impact))),
      h("div", { class: "result" }, h("dt", null, t("hands.score")), h("dd", null, number(player.score))),
    ),
    h(
      "p",
      { class: "note" },
      player.own_impact === 0
        ? t("hands.no-icons")
        : player.impact === 0
          ? t("hands.no-impact")
          : t(icons % 2 ? "hands.odd" : "hands.even", { own: player.own_impact, shared: player.shared_impact, count: icons, icons }),
      player.base + player.impact < 0 ? ` ${t("hands.floor")}` : "",
    ),
  ];
}

function signed(value) {
  return value > 0 ? `+${number(value)}` : number(value).replace("-", "−");
}
