// A Panda board: the cards as they lie, the areas on them, and the animals that found room.

import { urls } from "../api.js";
import { h, svg } from "../dom.js";
import { colourOf, playerName, shapeIn } from "../players.js";
import { listed, number, t } from "../texts.js";

const CELL = 100;
const HALF = CELL / 2;
const OFFSETS = { nw: [0, 0], ne: [1, 0], sw: [0, 1], se: [1, 1] };
const CHIP_PX = { large: 44, medium: 36, small: 28 };

/**
 * Returns a board with its areas.
 *
 * @param {object} deck The deck with its cards and its board.
 * @param {Array} tiles Cards and ponds: row, col, card and rotation, or pond.
 * @param {Array} areas Areas as `judge` answers.
 */
export function zooPart(deck, tiles, areas) {
  const { board } = deck;
  const box = `0 0 ${CELL * board.cols} ${CELL * board.rows}`;
  const told = areas.filter((area) => area.packing.length || area.chips.length);
  return [
    h(
      "figure",
      { class: "zoo" },
      svg(
        "svg",
        { viewBox: box, role: "img", "aria-label": t("zoo.alt", { cards: t("zoo.cards", { count: tiles.length }), areas: t("zoo.areas", { count: areas.length }) }) },
        grid(board),
        tiles.map((tile) => card(tile, deck)),
        areas.map(outline),
        areas.flatMap((area) => area.packing).map(animal),
        areas.flatMap((area) => area.chips).map(chip),
      ),
      h("figcaption", { class: "note" }, t("zoo.legend")),
    ),
    told.length
      ? h("ul", { class: "areas" }, told.map(areaItem))
      : h("p", { class: "empty" }, t("zoo.none")),
  ];
}

function grid({ rows, cols }) {
  const cells = [];
  for (let row = 0; row < rows; row += 1) {
    for (let col = 0; col < cols; col += 1) {
      cells.push(svg("rect", { class: "cell", x: CELL * col + 1, y: CELL * row + 1, width: CELL - 2, height: CELL - 2, rx: 6 }));
    }
  }
  return [...cells, ...rulers(rows, cols)];
}

/** The numbers by which history and doubts call a row and a column. */
function rulers(rows, cols) {
  const mark = (x, y, count) => svg("text", { class: "ruler", x, y }, number(count));
  const down = Array.from({ length: rows }, (_, row) => mark(8, CELL * row + HALF + 5, row));
  const along = Array.from({ length: cols }, (_, col) => mark(CELL * col + HALF, 19, col));
  return [...down, ...along];
}

function card(tile, deck) {
  const x = CELL * tile.col;
  const y = CELL * tile.row;
  const turn = `rotate(${tile.rotation ?? 0} ${x + HALF} ${y + HALF})`;
  const back = deck.cards.find((each) => each.kind === "back");
  const href = urls.card(deck.id, tile.pond ? back?.id : tile.card);
  return svg("image", { class: tile.illegal ? "illegal" : "", href, x: x + 1, y: y + 1, width: CELL - 2, height: CELL - 2, transform: turn, preserveAspectRatio: "none" });
}

const corner = ([row, col, quarter]) => [2 * col + OFFSETS[quarter][0], 2 * row + OFFSETS[quarter][1]];

/** The edge of an area: every side of a quarter behind which no quarter of the area lies. */
function outline(area) {
  const inside = new Set(area.quarters.map((quarter) => corner(quarter).join()));
  const path = [];
  for (const quarter of area.quarters) {
    const [x, y] = corner(quarter);
    const sides = [[0, -1, 0, 0, 1, 0], [1, 0, 1, 0, 1, 1], [0, 1, 0, 1, 1, 1], [-1, 0, 0, 0, 0, 1]];
    for (const [dx, dy, x1, y1, x2, y2] of sides) {
      if (!inside.has([x + dx, y + dy].join())) path.push(`M${(x + x1) * HALF} ${(y + y1) * HALF}L${(x + x2) * HALF} ${(y + y2) * HALF}`);
    }
  }
  return svg("path", { class: area.complete ? "area complete" : "area", d: path.join("") });
}

/** An animal on the quarters that it needs. */
function animal({ size, quarters }) {
  const xs = quarters.map((quarter) => corner(quarter)[0]);
  const ys = quarters.map((quarter) => corner(quarter)[1]);
  const [left, top] = [Math.min(...xs) * HALF, Math.min(...ys) * HALF];
  const [wide, high] = [(Math.max(...xs) + 1) * HALF - left, (Math.max(...ys) + 1) * HALF - top];
  const scale = Math.min(wide, high) / 50;
  return svg(
    "g",
    { class: `animal ${size}` },
    svg("rect", { x: left + 4, y: top + 4, width: wide - 8, height: high - 8, rx: 14 }),
    svg("g", { class: "drawn", transform: `translate(${left + wide / 2} ${top + high / 2}) scale(${scale})` }, drawn(size)),
    svg("title", null, t(`animal.${size}`)),
  );
}

/** Simple animals in a box of 50 around the origin. */
function drawn(size) {
  const part = (d, attributes = {}) => svg("path", { d, ...attributes });
  const dot = (cx, cy, r, name = "dark") => svg("circle", { class: name, cx, cy, r });
  if (size === "large") {
    return [part("M-9 18 L-9 -8 Q-9 -17 0 -17 L9 -17 Q14 -17 14 -12 L14 -9 L0 -8 L0 18 Z"), part("M-6 -16 L-8 -22 M-2 -17 L-2 -23", { class: "line" }), dot(5, -13, 1.6), dot(-5, -3, 2, "spot"), dot(-4, 6, 2.4, "spot"), dot(-6, 13, 1.8, "spot")];
  }
  if (size === "medium") {
    return [dot(-11, -10, 6), dot(11, -10, 6), dot(0, 2, 16, "light"), svg("ellipse", { class: "dark", cx: -6, cy: -1, rx: 4, ry: 5 }), svg("ellipse", { class: "dark", cx: 6, cy: -1, rx: 4, ry: 5 }), dot(-6, -2, 1.4, "light"), dot(6, -2, 1.4, "light"), svg("ellipse", { class: "dark", cx: 0, cy: 8, rx: 3, ry: 2 })];
  }
  return [part("M-16 10 Q-16 -10 0 -10 Q14 -10 15 6 L20 8 L14 10 Z"), part("M-9 9 Q-9 -5 -4 -9 M-2 10 Q-2 -5 2 -9 M6 10 Q6 -3 8 -7", { class: "line" }), dot(15, 6, 1.2)];
}

function chip({ row, col, quarter, player, size }) {
  const [x, y] = corner([row, col, quarter]);
  return svg("g", { class: "chip-on-board" }, svg("circle", { cx: (x + 0.5) * HALF, cy: (y + 0.5) * HALF, r: CHIP_PX[size] / 2 + 3 }), shapeIn(colourOf(player), (x + 0.5) * HALF, (y + 0.5) * HALF, CHIP_PX[size]));
}

function areaItem(area) {
  const counts = ["large", "medium", "small"].filter((size) => area.animals[size] > 0);
  const animals = counts.map((size) => t(`zoo.count.${size}`, { count: number(area.animals[size]) }));
  const points = Object.entries(area.points).map(([player, count]) => t("zoo.points", { player: playerName(player), count: number(count) }));
  const chips = area.chips.map((each) => `${playerName(each.player)} (${t(`size.${each.size}`)})`);
  return h(
    "li",
    { class: area.complete ? "complete" : "" },
    h("strong", null, t("zoo.area", { colour: t(`lawn.${area.colour}`), count: area.quarters.length })),
    h("span", { class: "tag" }, t(area.complete ? "zoo.complete" : "zoo.open")),
    chips.length > 0 && h("p", { class: "note" }, t("zoo.chips", { chips: listed(chips) })),
    animals.length > 0 && h("p", null, listed(animals)),
    points.length > 0 && h("p", { class: "points" }, listed(points)),
  );
}
