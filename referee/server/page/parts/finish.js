// The photo finish: claims that meet on one card, with the frames that decide and the intervals
// within which each Camera came to lie.

import { h, svg } from "../dom.js";
import { colourOf, playerName, shapeIn } from "../players.js";
import { number, t } from "../texts.js";

const MOMENTS = ["before", "at", "after"];

const SLOWLY = 0.25;

/** Returns the frames before, at and after a claim, with its time, and the film of it. */
export function frames(claim) {
  const when = t("time.interval", { t: number(claim.t, 3), dt: number(claim.dt, 3) });
  if (!claim.evidence?.length) return h("p", { class: "note" }, t("finish.no-frames"), " ", when);
  const at = claim.evidence.find((url) => url.includes("-at."));
  return h(
    "div",
    { class: "frames" },
    claim.evidence.map((url) => (url.endsWith(".mp4") ? film(url, at, claim) : still(url, claim, when))),
  );
}

function still(url, claim, when) {
  const moment = MOMENTS.find((each) => url.includes(`-${each}.`)) ?? "at";
  const label = t(`finish.${moment}`);
  const alt = t("finish.alt", { moment: label, player: playerName(claim.player), card: claim.card });
  return h(
    "figure",
    { class: moment },
    h("a", { href: url, target: "_blank", rel: "noopener" }, h("img", { src: url, alt, loading: "lazy" })),
    h("figcaption", null, moment === "at" ? `${label} · ${when}` : label),
  );
}

/** A film is fetched when somebody plays it, and played slowly: hands are quick. */
function film(url, poster, claim) {
  const label = t("finish.film", { player: playerName(claim.player), card: claim.card });
  const slowly = (event) => {
    event.target.playbackRate = SLOWLY;
  };
  return h(
    "figure",
    { class: "film" },
    h("video", { src: url, poster, preload: "none", controls: true, muted: true, loop: true, playsinline: true, "aria-label": label, onplay: slowly }),
    h("figcaption", null, t("finish.film.note")),
  );
}

/** Returns the claims on one card, side by side, and what the frames say of their order. */
export function photoFinish(group, isClose, players) {
  const first = [...group].sort((a, b) => a.t - b.t);
  const [lead, second] = first;
  const verdict = isClose
    ? h("p", { class: "close-call" }, h("strong", null, t("finish.close")), " ", t("finish.close.why"))
    : h(
        "p",
        null,
        t("finish.first", { first: playerName(lead.player), second: playerName(second.player), gap: number(second.t - lead.t, 3), dt: number(lead.dt + second.dt, 3) }),
      );
  return h(
    "article",
    { class: isClose ? "finish close" : "finish" },
    h("h4", null, t("finish.card", { card: group[0].card })),
    verdict,
    axis(first, players),
    first.map((claim) =>
      h("div", { class: "lane" }, h("h5", null, `${number(claim.order)}. ${playerName(claim.player)}`), frames(claim)),
    ),
  );
}

/** Returns the intervals of some claims on one axis of time. */
function axis(claims, players) {
  const from = Math.min(...claims.map((claim) => claim.t - claim.dt));
  const to = Math.max(...claims.map((claim) => claim.t + claim.dt));
  const margin = Math.max(0.1 * (to - from), 0.01);
  const x = (seconds) => 60 + (520 * (seconds - from + margin)) / (to - from + 2 * margin);
  const height = 38 + 34 * claims.length;
  const label = claims
    .map((claim) => `${playerName(claim.player)}: ${t("time.interval", { t: number(claim.t, 3), dt: number(claim.dt, 3) })}`)
    .join("; ");
  return svg(
    "svg",
    { class: "axis", viewBox: `0 0 600 ${height}`, role: "img", "aria-label": label },
    svg("line", { class: "rule", x1: 40, x2: 590, y1: height - 30, y2: height - 30 }),
    claims.map((claim, index) => {
      const y = 18 + 34 * index;
      const left = x(claim.t - claim.dt);
      const wide = Math.max(x(claim.t + claim.dt) - left, 3);
      return svg(
        "g",
        null,
        svg("line", { class: "guide", x1: x(claim.t), x2: x(claim.t), y1: y, y2: height - 30 }),
        shapeIn(colourOf(claim.player, players), 20, y, 22),
        svg("rect", { class: `interval ${colourOf(claim.player, players)}`, x: left, y: y - 8, width: wide, height: 16, rx: 3 }),
        svg("line", { class: "moment", x1: x(claim.t), x2: x(claim.t), y1: y - 12, y2: y + 12 }),
      );
    }),
    claims.map((claim, index) =>
      svg("text", { class: "tick", x: x(claim.t), y: height - 7, "text-anchor": index === 0 ? "end" : "start" }, number(claim.t, 3)),
    ),
  );
}
