// Every text of the page, in one file for each language.

export const LANGUAGES = { en: "English", de: "Deutsch" };

let texts = {};
let language = "en";

/** Loads a language; English where it is none of ours. */
export async function loadTexts(wanted) {
  language = wanted in LANGUAGES ? wanted : "en";
  const response = await fetch(`texts/${language}.json`);
  texts = await response.json();
  document.documentElement.lang = language;
}

export function currentLanguage() {
  return language;
}

/** Returns a text with its blanks filled in: `t("round.number", {number: 2})`. */
export function t(key, values = {}) {
  const text = texts[key];
  if (text === undefined) return key;
  return text.replace(/\{(\w+)\}/g, (blank, name) => (name in values ? String(values[name]) : blank));
}

/** Returns a text, with its blanks filled in, if there is one of this key, else another one. */
export function tOr(key, other, values = {}) {
  return key in texts ? t(key, values) : other;
}

/** Returns a number as the language writes it. */
export function number(value, digits = 0) {
  return new Intl.NumberFormat(language, {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(value);
}

/** Returns a time on the table's clock: minutes, seconds and, where asked for, more. */
export function clock(seconds, digits = 0) {
  const minutes = Math.floor(seconds / 60);
  const rest = number(seconds - 60 * minutes, digits);
  return `${minutes}:${seconds - 60 * minutes < 10 ? "0" : ""}${rest}`;
}

/** Returns several things in a row: "a, b and c". */
export function listed(words) {
  return new Intl.ListFormat(language, { type: "conjunction" }).format(words);
}

// What the referee gives as a reason is English; here it is read back and said in the language.
const REASONS = [
  [/^(.+); placed after the round had ended, which the house judges$/, (m) => t("reason.late", { reason: reasonText(m[1]) })],
  [/^matches every feature asked for$/, () => t("reason.matches")],
  [/^shows an unusual animal$/, () => t("reason.any-unusual")],
  [/^shows a normal animal$/, () => t("reason.any-normal")],
  [/^shows the animal seen most often$/, () => t("reason.most")],
  [/^shows the animal seen least often$/, () => t("reason.least")],
  [/^named the animal first$/, () => t("reason.named-first")],
  [/^another Camera( card)? lay there first$/, () => t("reason.other-first")],
  [/^nobody has guessed it yet$/, () => t("reason.not-guessed-yet")],
  [/^nobody guessed it$/, () => t("reason.not-guessed")],
  [/^guessed by (\w+)$/, (m) => t("reason.guessed-by", { player: tOr(`colour.${m[1]}`, m[1]) })],
  [/^another player had answered first$/, () => t("reason.answered-before")],
  [/^the round had ended$/, () => t("reason.ended")],
  [/^the player's Camera lies already and may not be moved$/, () => t("reason.may-not-move")],
  [/^only the lead player covers a card in this round$/, () => t("reason.only-lead")],
  [/^does not match$/, () => t("reason.no-match")],
  [/^does not match: (.+)$/, (m) => t("reason.faults", { faults: listed(m[1].split(", ").map(faultWords)) })],
];

const FAULTS = {
  "no unusual animal": "fault.unusual",
  "no normal animal": "fault.normal",
  "not the animal seen most often": "fault.most",
  "not the animal seen least often": "fault.least",
};

function faultWords(fault) {
  if (fault in FAULTS) return t(FAULTS[fault]);
  const [word, ...rest] = fault.split(" ");
  const feature = tOr(`feature.${rest.join(" ")}`, rest.join(" "));
  if (word === "no") return t("fault.missing", { feature });
  if (word === "shows") return t("fault.shown", { feature });
  return fault;
}

/** Returns a reason of the referee in the page's language, or as it came. */
export function reasonText(reason) {
  for (const [pattern, words] of REASONS) {
    const match = pattern.exec(reason ?? "");
    if (match) return words(match);
  }
  return reason ?? "";
}

/** Returns which rule of the zoo a card or a chip breaks; in English with what lies there. */
export function breachText({ rule, reason }) {
  return language === "en" && reason ? reason : tOr(`breach.${rule}`, reason ?? rule ?? "");
}

/** Returns what a notice says, with the space of a board that it is about. */
export function noticeText({ code, text }) {
  const space = /row (\d+), column (\d+)/.exec(text ?? "");
  return tOr(`notice.${code}`, text ?? "", space ? { row: number(space[1]), col: number(space[2]) } : {});
}
