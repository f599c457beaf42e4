// Who sits where at a table of Exploring Galapagos, and what each has used before: no photograph shows it.

import { h } from "../dom.js";
import { t } from "../texts.js";

const SIDES = ["bottom", "left", "top-left", "top", "top-right", "right"]; // clockwise from the camera
const MOST_PLAYERS = 5;
const METHODS = ["time", "color", "zone"];

/** Returns the fields, what reads them as the service takes it, `{seats, used}`, and whether it can. */
export function seatsField() {
  const rows = SIDES.map(row);
  const fault = h("p", { class: "fault", role: "alert", hidden: true });
  const element = h(
    "details",
    { class: "seats" },
    h("summary", null, t("seats.title")),
    h("p", { class: "note" }, t("seats.note")),
    h("div", { class: "scroll" }, h("table", null, h("thead", null, head()), h("tbody", null, rows.map((each) => each.element)))),
    fault,
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
  /** Whether the names can be sent; what is wrong with them is told beside them. */
  const isRight = () => {
    const told = namesFault(rows.map((each) => each.read().name).filter(Boolean));
    fault.textContent = told;
    fault.hidden = !told;
    if (told) element.open = true;
    return !told;
  };
  return { element, read, isRight };
}

/** Returns what is wrong with the names of players, in words; nothing where they can be used. */
export function namesFault(names) {
  const signed = names.find((name) => /[@,:]/.test(name));
  if (signed) return t("seats.fault.sign", { name: signed });
  const twice = names.find((name, index) => names.indexOf(name) < index);
  if (twice) return t("seats.fault.twice", { name: twice });
  return names.length > MOST_PLAYERS ? t("seats.fault.many", { most: MOST_PLAYERS }) : "";
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
