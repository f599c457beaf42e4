// Where nothing is: what is missing, and the way back.

import { h } from "../dom.js";
import { t } from "../texts.js";

/** Shows that there is nothing here; `title` and `reason` say what, where it is known. */
export function lostView(main, title = t("lost.page"), reason = t("lost.page.why")) {
  main.replaceChildren(
    h(
      "section",
      { class: "hero lost", role: "alert" },
      h("h1", null, title),
      h("p", { class: "lead" }, reason),
      h("p", { class: "row" }, h("a", { class: "button primary", href: "#/" }, t("lost.home"))),
    ),
  );
}
