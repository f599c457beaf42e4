// What the referee says in English, read back and said in the page's language.

import { currentLanguage, eitherOf, englishTexts, listed, number, t, tOr } from "./texts.js";

const WORDS = ["colour", "side", "kind", "size", "feature", "method", "quarter", "word"];
const BLANK = /\{(\w+)\}/;
const BETWEEN = "; ";

// ---- sentences: doubts, failures, and what was expected where ---------------------------------

let patterns = null;

/** The sentences that are known, those with most words of their own first. */
function known() {
  patterns ??= englishTexts("said.")
    .map(([key, text]) => {
      const parts = text.split(BLANK);
      const literal = parts.filter((_, index) => index % 2 === 0);
      const names = parts.filter((_, index) => index % 2 === 1);
      return {
        key: key.replace(/\.one$/, ""),
        names,
        pattern: new RegExp(`^${interleaved(literal.map(escaped), names.map(blank))}$`, "s"),
        length: literal.join("").length,
      };
    })
    .sort((a, b) => b.length - a.length);
  return patterns;
}

function interleaved(literal, blanks) {
  return literal.map((text, index) => text + (blanks[index] ?? "")).join("");
}

/** What a blank may hold: any words, but a number where things are counted. */
function blank(name) {
  return name === "count" ? "(\\d+)" : "(.+?)";
}

function escaped(text) {
  return text.replace(/[.*+?^${}()|[\]\\/-]/g, "\\$&");
}

/** Returns a sentence of the referee in the page's language; as it came where it is not known. */
export function said(text) {
  return currentLanguage() === "en" ? text : (read(text) ?? text);
}

/** A sentence, or several behind each other: one whose blanks hold several is the last to be thought of. */
function read(text) {
  return (
    readSentence(text, (match) => !match.slice(1).some((each) => each.includes(BETWEEN))) ??
    readList(text, "every") ??
    readSentence(text, () => true) ??
    readBehind(text) ??
    readList(text, "some")
  );
}

function readSentence(text, isFit) {
  for (const { key, names, pattern } of known()) {
    const match = pattern.exec(text);
    if (match && isFit(match)) return t(key, Object.fromEntries(names.map((name, index) => [name, part(name, match[index + 1])])));
  }
  return null;
}

/** What stands in a blank: a number, a word of the game, or a sentence of its own. */
function part(name, text) {
  if (name === "count") return Number(text);
  const word = WORDS.find((kind) => tOr(`${kind}.${text}`, null) !== null);
  return word ? t(`${word}.${text}`) : (read(text) ?? readChoice(text) ?? text);
}

/** "red, blue or green" */
function readChoice(text) {
  if (!/^\S+(, \S+)* or \S+$/.test(text)) return null;
  return eitherOf(text.split(/, | or /).map((each) => part("", each)));
}

/** "where: what", of which only the second is a sentence. */
function readBehind(text) {
  for (let at = text.indexOf(": "); at > 0; at = text.indexOf(": ", at + 1)) {
    const behind = read(text.slice(at + 2));
    if (behind !== null) return `${part("", text.slice(0, at))}: ${behind}`;
  }
  return null;
}

/** "one thing; another one", of which every one is known, or some are. */
function readList(text, howMany) {
  const parts = text.split(BETWEEN);
  const words = parts.length > 1 ? parts.map(read) : [];
  const isRead = words.length > 0 && words[howMany]((each) => each !== null);
  return isRead ? words.map((each, index) => each ?? parts[index]).join(BETWEEN) : null;
}

/** Returns what was wrong with a request (contract §5), in a sentence. */
export function problemText({ code, detail, title, errors }) {
  const [first] = errors ?? [];
  const what = said(detail ?? title ?? "");
  const values = first ? { place: part("", first.place), expected: part("", first.expected), got: part("", first.got), what } : { what };
  const text = tOr(`problem.${code}`, what, values);
  return text.charAt(0).toUpperCase() + text.slice(1);
}

// ---- rulings: every reason is a sentence of the page's own, in English too ---------------------

const REASONS = [
  [/^(.+); placed after the round had ended, which the house judges$/, (m) => t("reason.late", { reason: reasonText(m[1]) })],
  [/^matches every feature asked for$/, () => t("reason.matches")],
  [/^shows an unusual animal$/, () => t("reason.any-unusual")],
  [/^shows a normal animal$/, () => t("reason.any-normal")],
  [/^shows the animal seen most often$/, () => t("reason.most")],
  [/^shows the animal seen least often$/, () => t("reason.least")],
  [/^(shows [^,]+|nothing is looked for)(, (shows [^,]+|nothing is looked for))+$/, (m) => m[0].split(", ").map(reasonText).join(" ")],
  [/^named the animal first$/, () => t("reason.named-first")],
  [/^another Camera( card)? lay there first$/, () => t("reason.other-first")],
  [/^nothing is looked for$/, () => t("reason.nothing-sought")],
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
  "nothing is looked for": "fault.nothing-sought",
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
  return currentLanguage() === "en" && reason ? reason : tOr(`breach.${rule}`, reason ?? rule ?? "");
}

/** Returns what a notice says, with the space of a board that it is about. */
export function noticeText({ code, text }) {
  const space = /row (\d+), column (\d+)/.exec(text ?? "");
  const where = space ? { row: number(space[1]), col: number(space[2]) } : {};
  const [, reason = ""] = /^[^:]+: (.+)$/s.exec(text ?? "") ?? [];
  return tOr(`notice.${code}`, said(text ?? ""), { ...where, reason: said(reason) });
}
