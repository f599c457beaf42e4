// A field for a file: the browser's own one speaks the language of the browser, not that of the page.

import { freshId, h } from "../dom.js";
import { t } from "../texts.js";

/**
 * Returns a labelled field around the input of a file.
 *
 * The input lies over the whole field, unseen: it can still be reached by keyboard, and a file can
 * be dropped on it.
 */
export function fileField(label, input, note) {
  input.id ||= freshId("file");
  const name = h("span", { class: "note" }, t("file.none"));
  input.addEventListener("change", () => {
    name.textContent = input.files[0]?.name ?? t("file.none");
  });
  const hint = note ? h("small", { id: `${input.id}-note` }, note) : null;
  if (hint) input.setAttribute("aria-describedby", hint.id);
  return h(
    "div",
    { class: "field" },
    h("label", { for: input.id }, label),
    h("div", { class: "file" }, input, h("span", { class: "button small", "aria-hidden": "true" }, t("file.choose")), name),
    hint,
  );
}
