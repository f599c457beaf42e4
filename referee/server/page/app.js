// The page: which view is shown, and the bar above it.

import { h, select } from "./dom.js";
import { isKeeper, loadSession } from "./session.js";
import { applyTheme, choose, settings, wantedLanguage } from "./settings.js";
import { LANGUAGES, currentLanguage, loadTexts, t } from "./texts.js";
import { buzzerView } from "./views/buzzer.js";
import { homeView } from "./views/home.js";
import { lostView } from "./views/lost.js";
import { photoView } from "./views/photo.js";
import { setupView } from "./views/setup.js";
import { tableView } from "./views/table.js";

const ROUTES = [
  [/^\/$/, homeView],
  [/^\/new$/, forKeeper(setupView)],
  [/^\/photo$/, forKeeper(photoView)],
  [/^\/table\/([^/]+)$/, tableView],
  [/^\/table\/([^/]+)\/buzzer$/, buzzerView],
];

/** Players are told at once that they may not, and not after all their typing. */
function forKeeper(view) {
  return (main, ...words) => (isKeeper() ? view(main, ...words) : lostView(main, t("lost.keeper"), t("problem.keeper-only")));
}

let leave = () => {};

function topBar() {
  const choice = (label, name, options, chosen, then) =>
    select(options, chosen, {
      "aria-label": label,
      title: label,
      class: "quiet",
      "data-setting": name,
      onchange: (event) => {
        choose(name, event.target.value);
        then?.();
      },
    });
  const voices = ["off", "tones", "speech"].map((voice) => [voice, t(`voice.${voice}`)]);
  const themes = ["auto", "light", "dark"].map((theme) => [theme, t(`theme.${theme}`)]);
  document.getElementById("top").replaceChildren(
    h("a", { class: "brand", href: "#/" }, h("img", { src: "icon.svg", alt: "", width: 28, height: 28 }), h("span", null, "Table Referee")),
    isKeeper() ? h("nav", { "aria-label": t("nav.label") }, h("a", { href: "#/new" }, t("nav.new")), h("a", { href: "#/photo" }, t("nav.photo"))) : "",
    h(
      "div",
      { class: "choices" },
      choice(t("choice.voice"), "voice", voices, settings.voice),
      choice(t("choice.theme"), "theme", themes, settings.theme),
      choice(t("choice.language"), "language", Object.entries(LANGUAGES), currentLanguage(), start),
    ),
  );
  document.getElementById("skip").textContent = t("nav.skip");
}

/** Returns the view that an address asks for, and the words in it. */
function shownBy(path) {
  const [pattern, view] = ROUTES.find(([known]) => known.test(path)) ?? [];
  try {
    if (pattern) return [view, ...pattern.exec(path).slice(1).map(decodeURIComponent)];
  } catch {
    // It was cut off in the middle of a letter.
  }
  return [lostView];
}

/** Shows what the address asks for. */
function route(isFirst) {
  leave();
  const path = location.hash.slice(1) || "/";
  const [view, ...words] = shownBy(path);
  const main = document.getElementById("main");
  main.replaceChildren();
  delete main.dataset.shown;
  document.title = "Table Referee";
  for (const link of document.querySelectorAll("#top nav a")) {
    if (link.hash === location.hash) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  leave = view(main, ...words) ?? (() => {});
  if (isFirst !== true) {
    scrollTo(0, 0);
    main.focus({ preventScroll: true }); // a screen reader begins where the new view begins
  }
}

async function start() {
  await Promise.all([loadTexts(wantedLanguage()), loadSession()]);
  topBar();
  route(true);
}

// The token of a link has become a cookie by now; it is not left where others can read it.
if (new URLSearchParams(location.search).has("token")) {
  history.replaceState(null, "", location.pathname + location.hash);
}
document.getElementById("skip").addEventListener("click", (event) => {
  event.preventDefault(); // the address says which view is shown
  document.getElementById("main").focus();
});
applyTheme();
addEventListener("hashchange", route);
await start();
