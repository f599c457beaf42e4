// The start: tables that are watched, and ways to begin.

import { api } from "../api.js";
import { h } from "../dom.js";
import { badge } from "../players.js";
import { isKeeper } from "../session.js";
import { moment, t } from "../texts.js";
import { complain } from "../voice.js";

export function homeView(main) {
  const list = h("ul", { class: "tables" });
  const note = h("p", { class: "note" }, t("loading"));
  const file = h("input", { type: "file", accept: ".zip", class: "unseen", id: "import", onchange: bringIn });
  main.append(
    h(
      "section",
      { class: "hero" },
      h("h1", null, t("home.title")),
      h("p", { class: "lead" }, t("home.lead")),
      isKeeper() && h(
        "p",
        { class: "row" },
        h("a", { class: "button primary", href: "#/new" }, t("home.new")),
        h("a", { class: "button", href: "#/photo" }, t("home.photo")),
      ),
    ),
    h("section", { class: "panel" }, h("h2", null, t("home.tables")), note, list, isKeeper() && [file, h("label", { class: "button small", for: "import" }, t("home.import"))]),
  );

  async function bringIn() {
    if (!file.files.length) return;
    try {
      const table = await api.importMatch(file.files[0]);
      location.hash = `#/table/${table.id}`;
    } catch (error) {
      complain(error);
    }
  }

  async function refresh() {
    try {
      const { tables } = await api.tables();
      note.textContent = tables.length ? "" : t("home.none");
      note.hidden = tables.length > 0;
      list.replaceChildren(...tables.reverse().map((table) => item(table, refresh)));
    } catch (error) {
      note.hidden = false;
      note.textContent = error.message;
    }
  }

  refresh();
}

function item(table, refresh) {
  const [kind, name] = Object.entries(table.source)[0] ?? ["", ""];
  const remove = async () => {
    if (!confirm(t("home.remove-sure"))) return;
    try {
      await api.removeTable(table.id);
    } catch (error) {
      complain(error);
    }
    refresh();
  };
  return h(
    "li",
    null,
    h(
      "a",
      { class: "table-link", href: `#/table/${table.id}` },
      h("strong", null, t(`game.${table.game}`)),
      h("span", { class: `state ${table.state}` }, t(`state.${table.state}`)),
      h("span", { class: "note" }, `${t(`source.${kind}`)}: ${name}`),
      h("time", { class: "note", datetime: new Date(1000 * table.created).toISOString() }, moment(table.created)),
      h("span", { class: "row tight" }, table.players.map((player) => badge(player, table.players))),
    ),
    isKeeper() && h("button", { class: "small quiet", type: "button", onclick: remove, "aria-label": t("home.remove-which", { name: `${t(`game.${table.game}`)}, ${name}` }) }, t("home.remove")),
  );
}
