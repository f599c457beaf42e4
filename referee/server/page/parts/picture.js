// The live picture: a stream where it works, single pictures where it does not, a polite word
// where there is none.

import { urls } from "../api.js";
import { h } from "../dom.js";
import { t } from "../texts.js";

const AGAIN_MS = 1500;
const PATIENCE_MS = 5000;

/**
 * Returns the picture of a table, and what ends it (a stream goes on until it is let go).
 *
 * `isWatched` says whether somebody watches the table still, so that a picture may come.
 */
export function livePicture(id, isWatched = () => true) {
  const note = h("figcaption", { class: "note" }, t("picture.waiting"));
  const image = h("img", { alt: t("picture.alt"), width: 1280, height: 720 });
  const element = h("figure", { class: "picture waiting" }, image, note);
  let isStream = true;
  let timer = 0;
  let isOver = false;

  // A stream is never loaded to its end, so its first frame is looked for instead.
  const looking = setInterval(() => {
    if (isStream && image.naturalWidth > 0) seen();
  }, 200);
  const patience = setTimeout(() => {
    if (element.classList.contains("waiting")) note.textContent = none();
  }, PATIENCE_MS);

  image.addEventListener("load", () => {
    seen();
    if (!isStream) again();
  });
  image.addEventListener("error", () => {
    if (isOver) return;
    isStream = false;
    note.hidden = false;
    note.textContent = none();
    again();
  });
  image.src = urls.stream(id);

  function seen() {
    clearInterval(looking);
    element.classList.remove("waiting");
    note.hidden = isStream;
    if (!isStream) note.textContent = t("picture.single");
  }

  function none() {
    return t(isWatched() ? "picture.none" : "picture.over");
  }

  function again() {
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (!isOver && isWatched()) image.src = urls.picture(id);
      else if (element.classList.contains("waiting")) note.textContent = none();
    }, AGAIN_MS);
  }

  function end() {
    isOver = true;
    clearInterval(looking);
    clearTimeout(patience);
    clearTimeout(timer);
    image.removeAttribute("src");
  }

  return { element, end };
}
