// The live picture: a stream where it works, single pictures where it does not, a polite word
// where there is none.

import { urls } from "../api.js";
import { h } from "../dom.js";
import { t } from "../texts.js";

const AGAIN_MS = 1500;

/** Returns the picture of a table, and what ends it (a stream goes on until it is let go). */
export function livePicture(id) {
  const note = h("figcaption", { class: "note" }, t("picture.waiting"));
  const image = h("img", { alt: t("picture.alt"), width: 1280, height: 720 });
  const element = h("figure", { class: "picture waiting" }, image, note);
  let isStream = true;
  let timer = 0;
  let isOver = false;

  image.addEventListener("load", () => {
    element.classList.remove("waiting");
    note.textContent = isStream ? "" : t("picture.single");
    note.hidden = isStream;
    if (!isStream) again();
  });
  image.addEventListener("error", () => {
    if (isOver) return;
    isStream = false;
    note.hidden = false;
    note.textContent = t("picture.none");
    again();
  });
  image.src = urls.stream(id);

  function again() {
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (!isOver) image.src = urls.picture(id);
    }, AGAIN_MS);
  }

  function end() {
    isOver = true;
    clearTimeout(timer);
    image.removeAttribute("src");
  }

  return { element, end };
}
