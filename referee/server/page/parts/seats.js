// Who sits where at a table of Exploring Galapagos, and what each has used before: no photograph shows it.

import { h } from "../dom.js";
import { t } from "../texts.js";

const SIDES = ["bottom", "left", "top-left", "top", "top-right", "right"]; // clockwise from the camera
const METHODS = ["time", "color", "zone"];

/** Returns the fields, and what reads them as the service takes it: `{seats, used}`. */
export function seatsField() {
  const rows = SIDES.map(row);
  const element = h(
    "details",
    { class: "seats" },
    h("summary", null, t("seats.title")),
    h("p", { class: "note" }, t("seats.note")),
    h("div", { class: "scroll" }, h("table", null, h("thead", null, head()), h("tbody", null, rows.map((each) => each.element)))),
  );
  const read = () => {
    const told = rows.map((each) => each.read());
    const named = told.filter((each) => each.name);
    const users = (named.length ? named : told).filter((each) => each.methods.length);
    return {
      seats: named.map((each) => `${each.name}@${each.side}`).join(","),
      used: users.map((each) => `${each.name || each.side}:${each.methods.join("+")}`).join(","),
    };
  };
  return { element, read };
}

function head() {
  const columns = [t("seats.side"), t("seats.name"), ...METHODS.map((method) => t(`method.${method}`))];
  return h("tr", null, columns.map((column) => h("th", { scope: "col" }, column)));
}

function row(side) {
  const label = t(`side.${side}`);
  const name = h("input", { type: "text", autocomplete: "off", maxlength: 40, "aria-label": t("seats.name-at", { side: label }), "data-side": side });
  const boxes = METHODS.map((method) => h("input", { type: "checkbox", value: method, "aria-label": t("seats.used-at", { side: label, method: t(`method.${method}`) }) }));
  const element = h("tr", null, h("th", { scope: "row" }, label), h("td", null, name), boxes.map((box) => h("td", null, box)));
  const read = () => ({ side, name: name.value.trim(), methods: boxes.filter((box) => box.checked).map((box) => box.value) });
  return { element, read };
}
