// The correction pad: a line was another one, or nothing happened; and why.

import { api } from "../api.js";
import { field, h, select } from "../dom.js";
import { truthOf } from "../match.js";
import { playerName } from "../players.js";
import { t } from "../texts.js";
import { toast } from "../voice.js";
import { face } from "./cards.js";
import { eventText } from "./history.js";

/** Opens the pad for a line. */
export function openCorrection({ table, match, deck }, event) {
  const truth = truthOf(match, event) ?? event;
  const edits = editsOf(event, truth, { table, match, deck });
  const why = h("input", { type: "text", maxlength: 400, autocomplete: "off" });
  // Inside the pad: what lies behind it is out of reach while it is open.
  const fault = h("p", { class: "fault", role: "alert", hidden: true });
  const dialog = h(
    "dialog",
    { class: "pad", "aria-labelledby": "pad-title", onclose: () => dialog.remove() },
    h(
      "form",
      { method: "dialog", onsubmit: (submitted) => { submitted.preventDefault(); send(changed()); } },
      h("h2", { id: "pad-title" }, t(event.type === "correction" ? "correct.take-back" : "correct.title")),
      h("p", { class: "quote" }, eventText(truth, match)),
      edits.map((edit) => edit.element),
      field(t("correct.why"), why, t("correct.why.note")),
      fault,
      h(
        "div",
        { class: "row end" },
        h("button", { type: "button", onclick: () => dialog.close() }, t("cancel")),
        h("button", { type: "button", class: edits.length ? "danger" : "primary", onclick: () => send(null) }, t(event.type === "correction" ? "correct.take-back" : "correct.strike")),
        edits.length > 0 && h("button", { type: "submit", class: "primary" }, t("correct.replace")),
      ),
    ),
  );
  document.body.append(dialog);
  dialog.showModal();

  function changed() {
    const replace = {};
    for (const { name, read, before } of edits) {
      const value = read();
      if (JSON.stringify(value) !== JSON.stringify(before)) replace[name] = value;
    }
    // An earlier correction of the same line is replaced whole, so what it said is said again.
    return { ...(match.corrections.get(event.seq)?.replace ?? {}), ...replace };
  }

  async function send(replace) {
    if (replace && !Object.keys(replace).length) return refuse(t("correct.nothing"));
    try {
      await api.correct(table.id, { seq: event.seq, replace, why: why.value.trim() });
      dialog.close();
      toast(t("correct.done"), "good");
    } catch (error) {
      refuse(error.message);
    }
  }

  function refuse(text) {
    fault.textContent = text;
    fault.hidden = false;
  }
}

function editsOf(event, truth, around) {
  const { table, match, deck } = around;
  const cards = (kinds) => deck.cards.filter((card) => kinds.includes(card.kind)).map((card) => card.id);
  switch (event.type) {
    case "claim":
      return [choice("player", truth, table.players, playerName), choice("card", truth, cardsAt(match, event.seq)), seconds(truth)];
    case "withdrawn":
      return [seconds(truth)];
    case "task":
      return [tasksEdit(truth, cards(["task", "special"]))];
    case "layout":
      return [layoutEdit(truth, cards(["animal"]), table.deck)];
    case "action":
      return [choice("player", truth, table.players, playerName), seconds(truth)];
    case "placed":
      return event.card ? [choice("card", truth, cards(["path"])), rotationEdit(truth)] : [];
    case "round":
      return match.rounds.get(event.round)?.ruling === event ? [choice("lead", truth, table.players, playerName)] : [];
    default:
      return [];
  }
}

/** Returns the cards that lay on the table when something happened. */
function cardsAt(match, seq) {
  const layout = match.events.findLast((each) => each.type === "layout" && each.seq < seq);
  return ((layout && truthOf(match, layout))?.cards ?? match.layout).map((card) => card.id).sort();
}

function choice(name, truth, values, words = (value) => value) {
  const known = values.includes(truth[name]) ? values : [truth[name], ...values];
  const control = select(known.map((value) => [value, words(value)]), truth[name], { "data-edit": name });
  return { name, before: truth[name], element: field(t(`field.${name}`), control), read: () => control.value };
}

function seconds(truth) {
  const control = h("input", { type: "number", step: "0.001", min: 0, value: truth.t, "data-edit": "t" });
  return { name: "t", before: truth.t, element: field(t("field.t"), control), read: () => Number(control.value) };
}

function rotationEdit(truth) {
  const control = select([0, 90, 180, 270].map((angle) => [String(angle), `${angle}°`]), String(truth.rotation ?? 0), {});
  return { name: "rotation", before: truth.rotation ?? 0, element: field(t("field.rotation"), control), read: () => Number(control.value) };
}

function tasksEdit(truth, cards) {
  const controls = truth.tasks.map((task) => select(cards.map((card) => [card, card]), task, { "aria-label": t("field.tasks") }));
  const element = h("div", { class: "field" }, h("span", null, t("field.tasks")), controls);
  return { name: "tasks", before: truth.tasks, element, read: () => controls.map((control) => control.value) };
}

/** A card of the layout that was taken for another one. */
function layoutEdit(truth, cards, deck) {
  const ids = truth.cards.map((card) => card.id);
  const wrong = select([["", "—"], ...ids.map((id) => [id, id])], "", {});
  const right = select(cards.map((id) => [id, id]), cards[0], {});
  const faces = h("p", { class: "faces" });
  const look = () => faces.replaceChildren(...(wrong.value ? [face(deck, wrong.value), "→", face(deck, right.value)] : []));
  wrong.addEventListener("change", look);
  right.addEventListener("change", look);
  const read = () => truth.cards.map((card) => (wrong.value && card.id === wrong.value ? { ...card, id: right.value } : card));
  const element = h("div", { class: "pair" }, field(t("field.seen-as"), wrong), field(t("field.in-truth"), right), faces);
  return { name: "cards", before: truth.cards, element, read };
}
