// Who looks at the page, and what they may do: the table keeper everything, players only look and speak.

import { api, onlyKeeper } from "./api.js";

/** Names by which each machine calls itself: no other one gets there by them. */
const ALONE = ["localhost", "127.0.0.1", "[::1]"];

let isKeeping = true;
let link = null;

/** Asks the service who looks; where it does not answer, each view says so itself. */
export async function loadSession() {
  const health = await api.health().catch(() => null);
  if (!health) return;
  link = health.players_link ?? null;
  // Only keepers are told the link; where there is none, only this machine can open the page.
  isKeeping = link !== null || ALONE.includes(location.hostname);
}

// Somebody on the keeper's machine may have opened the players' link: the first refusal tells.
onlyKeeper(() => {
  isKeeping = false;
});

/** Whether a table keeper looks. */
export function isKeeper() {
  return isKeeping;
}

/**
 * Returns what players open to get to a view, such as "#/table/…/buzzer"; null where nobody told it.
 *
 * Whoever opened the page by a name of the network is reached by it: a service in a container or
 * behind a proxy does not know it.
 */
export function playersLink(view) {
  if (link === null) return null;
  const url = new URL(link);
  const token = url.searchParams.get("token");
  const base = ALONE.includes(location.hostname) ? url : new URL(location.pathname, location.origin);
  if (token) base.searchParams.set("token", token);
  base.hash = view;
  return base.href;
}

/** Whether no other machine can open the page. */
export function isAlone() {
  return link === null && ALONE.includes(location.hostname);
}
