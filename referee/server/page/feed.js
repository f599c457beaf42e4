// The events of a table as they happen. A broken line is mended by asking for what came after
// the last event that arrived: nothing is lost, and nothing comes twice.

import { api, ApiError, urls } from "./api.js";

const WAITS_MS = [300, 1000, 2000, 4000, 8000];
const GONE = 1001;

/**
 * Follows a table.
 *
 * @param {string} id The table.
 * @param {{event: Function, state: Function}} listener Told each event in its order, and how the
 *   line is: "live", "broken" or "gone".
 * @returns {Function} Ends it.
 */
export function follow(id, listener) {
  let after = 0;
  let failures = 0;
  let isOver = false;
  let socket = null;
  let timer = 0;

  function take(event) {
    if (event.seq <= after) return;
    after = event.seq;
    listener.event(event);
  }

  function connect() {
    socket = new WebSocket(urls.events(id, after));
    socket.onopen = () => {
      failures = 0;
      listener.state("live");
    };
    socket.onmessage = (message) => take(JSON.parse(message.data));
    socket.onclose = (closed) => {
      if (isOver) return;
      if (closed.code === GONE && closed.reason) finish("gone");
      else mend();
    };
  }

  function mend() {
    listener.state("broken");
    const wait = WAITS_MS[Math.min(failures, WAITS_MS.length - 1)];
    failures += 1;
    clearTimeout(timer);
    timer = setTimeout(catchUp, wait);
  }

  // Plain requests also work where a proxy lets no WebSocket through.
  async function catchUp() {
    try {
      const { events } = await api.events(id, after);
      if (isOver) return;
      events.forEach(take);
      connect();
    } catch (error) {
      if (isOver) return;
      if (error instanceof ApiError && error.status === 404) finish("gone");
      else mend();
    }
  }

  function finish(state) {
    isOver = true;
    listener.state(state);
  }

  const hurry = () => {
    if (!isOver && failures > 0) {
      clearTimeout(timer);
      catchUp();
    }
  };
  addEventListener("online", hurry);
  connect();
  return () => {
    isOver = true;
    clearTimeout(timer);
    removeEventListener("online", hurry);
    socket?.close();
  };
}
