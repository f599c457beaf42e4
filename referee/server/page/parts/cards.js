// Faces of a deck.

import { urls } from "../api.js";
import { h } from "../dom.js";

/** Returns a card's picture with its name. */
export function face(deck, card, kind = "") {
  return h("img", { class: `face ${kind}`, src: urls.card(deck, card), alt: card, title: card, loading: "lazy" });
}
