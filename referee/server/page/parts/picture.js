// The live picture: a stream where it works, single pictures where it does not, a polite word
// where there is none.

import { urls } from "../api.js";
import { h } from "../dom.js";
import { t } from "../texts.js";

const AGAIN_MS = 1500;
const REST_MS = 3000; // a browser shows a picture of a stream when the next one begins, after two seconds
const PATIENCE_MS = 5000;

/**
 * Returns the picture of a table, and what ends it (a stream goes on until it is let go).
 *
 * `isWatched()` says whether somebody watches the table still, so that a picture may come;
 * `kept()` gives the address of a picture to show where none comes any more, or "".
 */
export function livePicture(id, isWatched = () => true, kept = () => "") {
  const note = h("figcaption", { class: "note" }, t("picture.waiting"));
  const image = h("img", { alt: t("picture.alt"), width: 1280, height: 720 });
  const element = h("figure", { class: "picture waiting" }, image, note);
  const since = Date.now();
  let way = "stream"; // or "single", picture by picture; or "kept", where none comes any more
  let timer = 0;
  let isOver = false;

  const isWaiting = () => element.classList.contains("waiting");

  // A stream is never loaded to its end, so its first frame is looked for instead.
  const looking = setInterval(() => {
    const waited = Date.now() - since;
    if (way === "stream" && image.naturalWidth > 0) seen();
    else if (isWaiting() && !isWatched() && waited > REST_MS) rest();
    else if (isWaiting() && way !== "kept" && waited > PATIENCE_MS) note.textContent = t("picture.none");
  }, 200);

  image.addEventListener("load", () => {
    seen();
    if (way === "single") again();
  });
  image.addEventListener("error", () => {
    if (isOver) return;
    note.hidden = false;
    if (way === "kept") return tell("picture.over");
    way = "single";
    tell("picture.none");
    again();
  });
  image.src = urls.stream(id);

  function tell(key) {
    note.textContent = t(key);
  }

  function seen() {
    clearInterval(looking);
    element.classList.remove("waiting");
    note.hidden = way === "stream";
    if (way === "single") tell("picture.single");
    if (way === "kept") tell("picture.kept");
  }

  /** Nobody watches, and no picture has come: a kept one is shown, or it is said that there is none. */
  function rest() {
    const url = kept();
    if (way === "kept" && image.getAttribute("src") === url) return;
    way = "kept";
    clearTimeout(timer);
    tell("picture.over");
    image.alt = t("picture.kept");
    if (url) image.src = url;
    else image.removeAttribute("src");
  }

  function again() {
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (!isOver && isWatched()) image.src = urls.picture(id);
    }, AGAIN_MS);
  }

  function end() {
    isOver = true;
    clearInterval(looking);
    clearTimeout(timer);
    image.removeAttribute("src");
  }

  return { element, end };
}
