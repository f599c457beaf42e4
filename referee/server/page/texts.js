// Every text of the page, in one file for each language.

export const LANGUAGES = { en: "English", de: "Deutsch" };

let texts = {};
let english = {};
let language = "en";
let plurals = new Intl.PluralRules(language);

/** Loads a language; English where it is none of ours. */
export async function loadTexts(wanted) {
  language = wanted in LANGUAGES ? wanted : "en";
  plurals = new Intl.PluralRules(language);
  [texts, english] = await Promise.all([textsOf(language), textsOf("en")]);
  document.documentElement.lang = language;
}

async function textsOf(name) {
  const response = await fetch(`texts/${name}.json`);
  return response.json();
}

export function currentLanguage() {
  return language;
}

/** Returns the English texts whose keys begin so: `[key, text]`. */
export function englishTexts(beginning) {
  return Object.entries(english).filter(([key]) => key.startsWith(beginning));
}

/**
 * Returns a text with its blanks filled in: `t("round.number", {number: 2})`.
 *
 * Numbers are written as the language writes them; of a text with another form for one thing
 * (`key.one`), `count` says which it is.
 */
export function t(key, values = {}) {
  const form = typeof values.count === "number" ? `${key}.${plurals.select(values.count)}` : key;
  const text = texts[form] ?? texts[key];
  if (text === undefined) return key;
  return text.replace(/\{(\w+)\}/g, (blank, name) => (name in values ? written(values[name]) : blank));
}

function written(value) {
  return typeof value === "number" ? number(value) : String(value);
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

/** Returns a share as the language writes it: 0.875 is "87.5%" or "87,5 %". */
export function percent(share) {
  return new Intl.NumberFormat(language, { style: "percent", minimumFractionDigits: 1, maximumFractionDigits: 1 }).format(share);
}

/** Returns a day and a time of it, given in seconds since 1970. */
export function moment(seconds) {
  return new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" }).format(1000 * seconds);
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

/** Returns several things of which one is meant: "a, b or c". */
export function eitherOf(words) {
  return new Intl.ListFormat(language, { type: "disjunction" }).format(words);
}
