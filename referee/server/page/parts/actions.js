// What a camera cannot see: somebody passes, names animals, agrees that nothing fits.

import { api } from "../api.js";
import { field, h, select } from "../dom.js";
import { playerName, shape } from "../players.js";
import { isKeeper } from "../session.js";
import { t, tOr } from "../texts.js";
import { complain, toast } from "../voice.js";

export const SPECIES = ["crocodile", "elephant", "giraffe", "lion", "gorilla"];

const SEEN = ["cover", "withdraw"]; // what a camera should have seen: only a table keeper tells it
const SAID = ["give-up", "lead"];

/** Sends an action and says that it was taken. */
export async function act(id, action) {
  try {
    const event = await api.act(id, action);
    toast(t("action.done"), "good");
    return event;
  } catch (error) {
    complain(error);
    return null;
  }
}

/** Returns boxes to tick the animals that somebody names, and what reads them. */
export function animalsField(legend = t("action.animals")) {
  const boxes = SPECIES.map((species) => h("input", { type: "checkbox", value: species }));
  const other = h("input", { type: "text", autocomplete: "off" });
  const element = h(
    "fieldset",
    { class: "animals" },
    h("legend", null, legend),
    boxes.map((box) => h("label", { class: "tick" }, box, h("span", null, tOr(`feature.${box.value}`, box.value)))),
    field(t("action.other-animals"), other),
  );
  const read = () => [
    ...boxes.filter((box) => box.checked).map((box) => box.value),
    ...other.value.split(",").map((word) => word.trim()).filter(Boolean),
  ];
  return { element, read };
}

/**
 * Returns the pad for actions of a Galapa Go table.
 *
 * `layout()` gives the cards that lie there, `won()` those that each player has won, `round()` the
 * round that is shown: what is said is said of that one, and of the last one where none is.
 */
export function actionsPart(table, layout, won, round) {
  const say = (action) => act(table.id, round() ? { ...action, round: round() } : action);
  let player = table.players[0] ?? "";
  const state = h("div", { class: "players", role: "radiogroup", "aria-label": t("action.who") });
  const drawPlayers = () =>
    state.replaceChildren(
      ...table.players.map((each) =>
        h(
          "label",
          { class: "chip" },
          h("input", { type: "radio", name: "action-player", value: each, checked: each === player, onchange: () => { player = each; } }),
          shape(each),
          h("span", null, playerName(each)),
        ),
      ),
    );
  drawPlayers();
  const animals = animalsField();
  const everybody = async () => {
    for (const each of table.players) if (!(await say({ player: each, do: "no-match" }))) return;
  };
  const guess = () => {
    const named = animals.read();
    if (!named.length) return complain(new Error(t("action.no-animals")));
    say({ player, do: "guess", animals: named });
  };
  const told = isKeeper() ? [...SEEN, ...SAID] : SAID;
  const byHand = select(told.map((what) => [what, t(`action.${what}`)]), told[0], { onchange: drawCards });
  const cards = h("select", {});
  const send = () => {
    const what = byHand.value;
    const needsCard = what === "cover" || what === "give-up";
    if (needsCard && !cards.value) return complain(new Error(t("action.no-card")));
    say(needsCard ? { player, do: what, card: cards.value } : { player, do: what });
  };
  const cardsField = field(t("field.card"), cards);
  function drawCards() {
    const known = byHand.value === "give-up" ? (won()[player] ?? []) : layout();
    cards.replaceChildren(...known.map((card) => h("option", { value: card }, card)));
    cardsField.hidden = !["cover", "give-up"].includes(byHand.value);
  }
  cards.addEventListener("focus", drawCards);
  drawCards();
  return h(
    "div",
    { class: "actions" },
    state,
    h(
      "div",
      { class: "row" },
      h("button", { type: "button", "data-do": "pass", onclick: () => say({ player, do: "pass" }) }, t("action.pass")),
      h("button", { type: "button", "data-do": "no-match", onclick: () => say({ player, do: "no-match" }) }, t("action.no-match")),
      h("button", { type: "button", "data-do": "all-no-match", onclick: everybody }, t("action.all-no-match")),
    ),
    h("details", null, h("summary", null, t("action.guess")), animals.element, h("button", { type: "button", "data-do": "guess", onclick: guess }, t("action.send-guess"))),
    h("details", { ontoggle: drawCards }, h("summary", null, t("action.by-hand")), h("div", { class: "pair" }, field(t("action.what"), byHand), cardsField), h("button", { type: "button", "data-do": "by-hand", onclick: send }, t("action.send"))),
  );
}
