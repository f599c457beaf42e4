// "Score this photo": a photograph and a deck in; what lies there, and what the rules say, out.

import { api } from "../api.js";
import { field, h, select, svg } from "../dom.js";
import { face } from "../parts/cards.js";
import { fileField } from "../parts/files.js";
import { handsPart } from "../parts/hands.js";
import { seatsField } from "../parts/seats.js";
import { zooPart } from "../parts/zoo.js";
import { breachText, said } from "../said.js";
import { number, percent, t, tOr } from "../texts.js";
import { announce, complain } from "../voice.js";

const MOST_NAMES = 40;

export function photoView(main) {
  const file = h("input", { type: "file", accept: "image/png,image/jpeg", required: true, onchange: preview });
  const deck = h("select", { required: true, onchange: drawTold });
  const final = h("input", { type: "checkbox", id: "final" });
  const finalLine = h("p", { class: "check", hidden: true }, final, h("label", { for: "final" }, t("photo.final")));
  const seats = seatsField();
  seats.element.hidden = true;
  let games = new Map();
  const button = h("button", { class: "primary", type: "submit" }, t("photo.score"));
  const result = h("div", { class: "result" });
  let shownUrl = "";
  let isLeft = false;
  main.append(
    h("h1", null, t("photo.title")),
    h("p", { class: "lead" }, t("photo.lead")),
    h(
      "form",
      { class: "panel photo-form", onsubmit: (event) => { event.preventDefault(); score(); } },
      fileField(t("photo.picture"), file, t("photo.picture.note")),
      field(t("photo.deck"), deck),
      finalLine,
      seats.element,
      h("div", { class: "row end" }, button),
    ),
    result,
  );

  api.decks().then(
    ({ decks }) => {
      games = new Map(decks.map((each) => [each.id, each.game]));
      deck.append(...decks.map((each) => h("option", { value: each.id }, `${t(`game.${each.game}`)} – ${each.name}`)));
      drawTold();
    },
    complain,
  );

  // Only a zoo has areas, and only hands have owners.
  function drawTold() {
    finalLine.hidden = games.get(deck.value) !== "panda-gorilla";
    seats.element.hidden = games.get(deck.value) !== "exploring-galapagos";
  }

  function told() {
    if (!seats.element.hidden) return seats.read();
    return finalLine.hidden ? {} : { final: final.checked };
  }

  function preview() {
    URL.revokeObjectURL(shownUrl);
    shownUrl = file.files.length ? URL.createObjectURL(file.files[0]) : "";
    result.replaceChildren(...(shownUrl ? [h("figure", { class: "picture" }, h("img", { src: shownUrl, alt: t("photo.alt") }))] : []));
  }

  async function score() {
    if (!file.files.length) return complain(new Error(t("photo.missing")));
    preview(); // what was found before is no answer to this
    if (!seats.element.hidden && !seats.isRight()) return;
    button.disabled = true;
    button.textContent = t("photo.busy");
    try {
      const [answer, whole] = await Promise.all([api.score(file.files[0], deck.value, told()), api.deck(deck.value)]);
      if (isLeft) return;
      await present(answer, whole);
      announce(`${t("photo.done", { count: answer.seen.length })} ${t("photo.done.doubts", { count: answer.doubts.length })}`);
    } catch (error) {
      const fault = h("p", { class: "fault", role: "alert" }, error.message);
      result.prepend(fault);
      fault.scrollIntoView({ block: "nearest" });
    } finally {
      button.disabled = false;
      button.textContent = t("photo.score");
    }
  }

  async function present(answer, whole) {
    const picture = h("img", { src: shownUrl, alt: t("photo.alt") });
    await picture.decode();
    const marks = svg("svg", { viewBox: `0 0 ${picture.naturalWidth} ${picture.naturalHeight}`, "aria-hidden": "true" }, marksOf(answer, picture.naturalWidth));
    result.replaceChildren(
      h("figure", { class: "picture marked" }, picture, marks),
      doubtsPanel(answer.doubts),
      ...rulings(answer, whole),
      seenPanel(answer.seen, whole),
    );
  }

  return () => {
    isLeft = true;
    URL.revokeObjectURL(shownUrl);
  };
}

/** What lies there, and what is in doubt; on a full board, where names would hide it, without names. */
function marksOf({ seen, doubts }, width) {
  const isNamed = seen.length <= MOST_NAMES;
  return [
    ...seen.map((piece) => mark(piece, isNamed ? piece.id : "", width)),
    ...doubts.filter((doubt) => doubt.quad).map((doubt) => mark({ kind: "doubt", quad: doubt.quad }, "?", width)),
  ];
}

function mark({ kind, quad }, name, width) {
  const size = Math.max(width / 70, 10);
  const [x, y] = quad[0];
  return svg("g", { class: `mark ${kind}` }, svg("polygon", { points: quad.map((point) => point.join()).join(" "), "stroke-width": size / 5 }), svg("text", { x, y: y - size / 4, "font-size": size }, name));
}

function doubtsPanel(doubts) {
  const items = doubts.map((doubt) => h("li", null, said(doubt.text)));
  return h("section", { class: doubts.length ? "panel doubts" : "panel" }, h("h2", null, t("photo.doubts")), doubts.length ? h("ul", null, items) : h("p", { class: "note" }, t("photo.no-doubts")));
}

function rulings(answer, deck) {
  const panel = (title, ...children) => h("section", { class: "panel" }, h("h2", null, title), children);
  if (answer.areas && deck.board) {
    const tiles = answer.seen.filter((piece) => piece.row !== undefined && piece.kind !== "chip").map((piece) => ({ ...piece, card: piece.id, pond: piece.kind === "back" }));
    return [panel(t("panel.board"), zooPart(deck, tiles, answer.areas), points(answer.points), illegal(answer.illegal))];
  }
  if (answer.players) return [panel(t("panel.board"), handsPart(answer, deck.id))];
  if (answer.matching) return [panel(t("photo.matching"), answer.matching.length ? h("div", { class: "faces" }, answer.matching.map((card) => face(deck.id, card))) : h("p", { class: "empty" }, t("photo.no-match")))];
  return [];
}

function points(all) {
  const words = Object.entries(all ?? {});
  return words.length > 0 && h("p", { class: "points" }, words.map(([player, count]) => t("zoo.points", { player: t(`colour.${player}`), count: number(count) })).join(" · "));
}

function illegal(all) {
  return all?.length > 0 && h("ul", { class: "notices" }, all.map((fault) => h("li", null, t("photo.illegal", { row: number(fault.row), col: number(fault.col), reason: breachText(fault) }))));
}

function seenPanel(seen, deck) {
  const row = (piece) =>
    h("tr", null, h("td", null, face(deck.id, piece.id)), h("th", { scope: "row" }, piece.id), h("td", null, tOr(`kind.${piece.kind}`, piece.kind)), h("td", null, percent(piece.score)));
  return h(
    "section",
    { class: "panel" },
    h("h2", null, t("photo.seen", { count: number(seen.length) })),
    h("div", { class: "scroll" }, h("table", { class: "seen" }, h("thead", null, h("tr", null, ["face", "card", "kind", "sure"].map((name) => h("th", { scope: "col" }, t(`photo.col.${name}`))))), h("tbody", null, seen.map(row)))),
  );
}
