// Points now and after each round.

import { h } from "../dom.js";
import { badge, playerName } from "../players.js";
import { listed, number, t } from "../texts.js";

export function scoresPart(scores, players) {
  if (!scores) return [];
  const names = players.length ? players : Object.keys(scores.scores).sort();
  const ranked = Object.entries(scores.scores).sort(([, a], [, b]) => b - a);
  const rounds = scores.history.filter((each) => each.scores);
  return [
    scores.game_over && h("p", { class: "winners" }, t("round.winners", { players: listed(scores.winners.map(playerName)) })),
    ranked.length
      ? h("ol", { class: "ranking" }, ranked.map(([player, points]) => h("li", { "data-player": player }, badge(player, names), h("strong", null, number(points)))))
      : h("p", { class: "empty" }, t("scores.none")),
    rounds.length > 1 &&
      h(
        "details",
        { "data-focus": "score-rounds" },
        h("summary", { "data-focus": "score-rounds-s" }, t("scores.rounds")),
        h(
          "div",
          { class: "scroll" },
          h(
            "table",
            null,
            h("thead", null, h("tr", null, h("th", { scope: "col" }, t("scores.round")), ranked.map(([player]) => h("th", { scope: "col" }, playerName(player))))),
            h("tbody", null, rounds.map((each, index) => h("tr", null, h("th", { scope: "row" }, number(each.round ?? index + 1)), ranked.map(([player]) => h("td", null, number(each.scores[player] ?? 0)))))),
          ),
        ),
      ),
  ];
}
