// What the page asks the service (`/api/v1`), and what it makes of refusals.

import { problemText } from "./said.js";

const BASE = "api/v1";

/** A refusal of the service, in a sentence for people. */
export class ApiError extends Error {
  constructor(status, problem) {
    super(problemText({ title: String(status), ...problem }));
    this.status = status;
    this.code = problem.code ?? "";
  }
}

let refused = () => {};

/** Says whom to tell that something was refused because only a table keeper may do it. */
export function onlyKeeper(listener) {
  refused = listener;
}

async function ask(method, path, body) {
  const options = { method, headers: { Accept: "application/json" }, credentials: "same-origin" };
  if (body instanceof FormData || body instanceof Blob) options.body = body;
  else if (body !== undefined) {
    options.headers["Content-Type"] = "application/json";
    options.body = JSON.stringify(body);
  }
  const response = await fetch(`${BASE}${path}`, options).catch(() => {
    throw new ApiError(0, { code: "unreachable" });
  });
  if (response.status === 204) return null;
  const answer = await response.json().catch(() => ({}));
  if (answer.code === "keeper-only") refused();
  if (!response.ok) throw new ApiError(response.status, answer);
  return answer;
}

const table = (id) => `/tables/${encodeURIComponent(id)}`;
const ofRound = (round) => (round ? `?round=${round}` : "");

export const api = {
  health: () => ask("GET", "/health"),
  decks: () => ask("GET", "/decks"),
  deck: (id) => ask("GET", `/decks/${encodeURIComponent(id)}`),
  addDeck: (file) => ask("POST", "/decks", file),
  recordings: () => ask("GET", "/recordings"),
  addRecording: (file) => ask("POST", `/recordings?name=${encodeURIComponent(file.name)}`, file),
  tables: () => ask("GET", "/tables"),
  openTable: (order) => ask("POST", "/tables", order),
  table: (id) => ask("GET", table(id)),
  removeTable: (id) => ask("DELETE", table(id)),
  claims: (id, round) => ask("GET", `${table(id)}/claims${ofRound(round)}`),
  scores: (id) => ask("GET", `${table(id)}/scores`),
  areas: (id) => ask("GET", `${table(id)}/areas`),
  events: (id, after) => ask("GET", `${table(id)}/events?after=${after}`),
  act: (id, action) => ask("POST", `${table(id)}/actions`, action),
  correct: (id, correction) => ask("POST", `${table(id)}/corrections`, correction),
  importMatch: (file) => ask("POST", "/import", file),
  score(picture, deck, told) {
    const form = new FormData();
    form.append("picture", picture);
    form.append("deck", deck);
    for (const [name, value] of Object.entries(told)) form.append(name, String(value));
    return ask("POST", "/score", form);
  },
};

export const urls = {
  card: (deck, card) => `${BASE}/decks/${encodeURIComponent(deck)}/images/${encodeURIComponent(card)}`,
  stream: (id) => `${BASE}${table(id)}/picture.mjpg`,
  picture: (id) => `${BASE}${table(id)}/picture.jpg?at=${Date.now()}`,
  exported: (id) => `${BASE}${table(id)}/export`,
  events(id, after) {
    const url = new URL(`${BASE}${table(id)}/events?after=${after}`, document.baseURI);
    url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
    return url.href;
  },
};
