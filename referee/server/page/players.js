// Players are told apart by shape as well as by colour.

import { h, svg } from "./dom.js";
import { tOr } from "./texts.js";

export const COLOURS = ["red", "yellow", "green", "blue", "orange", "purple"];
/** The colours of players who have none of their own, clockwise, as in the picture. */
const OF_PLACES = ["yellow", "red", "green", "purple", "orange"];
export const PANDA_COLOURS = ["red", "yellow", "green", "blue"];

const SHAPES = {
  red: ["circle", { cx: 12, cy: 12, r: 9 }],
  yellow: ["polygon", { points: "12,2.5 22,20.5 2,20.5" }],
  green: ["rect", { x: 3.5, y: 3.5, width: 17, height: 17, rx: 2 }],
  blue: ["polygon", { points: "12,1.5 22.5,12 12,22.5 1.5,12" }],
  orange: ["polygon", { points: "12,2 22,9.6 18.2,21.5 5.8,21.5 2,9.6" }],
  purple: ["polygon", { points: "12,1 15.3,8.4 23.2,9.2 17.2,14.5 19,22.4 12,18.2 5,22.4 6.8,14.5 0.8,9.2 8.7,8.4" }],
};

/** Returns the colour that stands for a player: their own, or that of their place at the table. */
export function colourOf(player, players = []) {
  return player in SHAPES ? player : OF_PLACES[Math.max(players.indexOf(player), 0) % OF_PLACES.length];
}

export function playerName(player) {
  return tOr(`colour.${player}`, tOr(`side.${player}`, player)); // who has no name is called by the side
}

/** Returns a player's shape, which only repeats a name that stands beside it. */
export function shape(colour, size = 20) {
  const [tag, attributes] = SHAPES[colour] ?? SHAPES.red;
  return svg(
    "svg",
    { class: `shape ${colour}`, viewBox: "0 0 24 24", width: size, height: size, "aria-hidden": "true" },
    svg(tag, attributes),
  );
}

/** Returns the shape for use inside a drawing. */
export function shapeIn(colour, x, y, size) {
  const [tag, attributes] = SHAPES[colour] ?? SHAPES.red;
  return svg(
    "g",
    { class: `shape ${colour}`, transform: `translate(${x - size / 2} ${y - size / 2}) scale(${size / 24})` },
    svg(tag, attributes),
  );
}

/** Returns a player with shape and name. */
export function badge(player, players = []) {
  return h("span", { class: "badge" }, shape(colourOf(player, players)), h("span", null, playerName(player)));
}
