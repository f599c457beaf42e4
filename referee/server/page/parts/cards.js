// Faces of a deck.

import { urls } from "../api.js";
import { h } from "../dom.js";
import { t } from "../texts.js";

/** Returns a card's picture with its name; of a card that nobody could name, a "?". */
export function face(deck, card, kind = "") {
  if (!card) return h("span", { class: `face unknown ${kind}`, role: "img", "aria-label": t("card.unknown") }, "?");
  return h("img", { class: `face ${kind}`, src: urls.card(deck, card), alt: card, title: card, loading: "lazy" });
}
