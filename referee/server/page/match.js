// What the events of a table come to: a fold without any page, so that it can be tested alone.

/** Returns a match of which nothing is known yet. */
export function emptyMatch() {
  return {
    events: [],
    toldAnew: new Set(), // the numbers of lines in whose place a later one stands
    corrections: new Map(), // by the number of what is corrected: the last correction in force
    rounds: new Map(), // by number: {number, tasks, ruling}
    layout: [],
    placed: new Map(), // by place: the last card there
    hands: [],
    notices: [],
    lastSeq: 0,
  };
}

/** Takes the next event in. */
export function addEvent(match, event) {
  tellAnew(match, event);
  match.events.push(event);
  match.lastSeq = event.seq;
  switch (event.type) {
    case "layout":
      match.layout = event.cards;
      break;
    case "task":
      roundOf(match, event.round).tasks = event.tasks;
      break;
    case "claim":
    case "withdrawn":
    case "action":
      if (event.round) roundOf(match, event.round);
      break;
    case "round":
      Object.assign(roundOf(match, event.round), { tasks: event.tasks, ruling: event });
      break;
    case "placed":
      place(match, event);
      break;
    case "hands":
      match.hands = [...match.hands.filter((each) => each.round !== event.round || event.round === undefined), event];
      break;
    case "notice":
      match.notices.push(event);
      break;
    case "correction":
      correct(match, event);
      break;
  }
  return match;
}

/** Marks the line that an event takes the place of: the one before it that is about the same. */
function tellAnew(match, event) {
  const key = keyOf(event);
  const before = key && match.events.findLast((each) => keyOf(each) === key);
  if (before) match.toldAnew.add(before.seq);
}

/** What a line is about: of lines that are told again, such as a card with its chip, the last one holds. */
function keyOf(event) {
  switch (event.type) {
    case "task":
    case "round":
      return [event.type, event.round].join();
    case "hands":
      return [event.type, event.round ?? event.t].join();
    case "scored":
      return [event.type, JSON.stringify(event.quarters ?? event.area?.quarters)].join();
    case "claim":
    case "withdrawn":
      return [event.type, event.round, event.player, event.card, event.t].join();
    case "placed":
      return [event.type, event.row, event.col, event.t].join();
    default:
      return null;
  }
}

/** Takes a card of a board; one that was moved on or taken away again is told as taken. */
function place(match, event) {
  const space = `${event.row},${event.col}`;
  if (!event.taken) match.placed.set(space, event);
  else if (match.placed.get(space)?.t === event.t) match.placed.delete(space);
}

function roundOf(match, number) {
  if (!match.rounds.has(number)) match.rounds.set(number, { number, tasks: [], ruling: null });
  return match.rounds.get(number);
}

function correct(match, event) {
  const target = match.events.find((each) => each.seq === event.of);
  if (target?.type === "correction") {
    // A correction of a correction takes it back.
    match.corrections.set(event.of, event);
    const before = match.events.filter(
      (each) => each.type === "correction" && each.of === target.of && !isStruck(match, each.seq),
    );
    if (before.length) match.corrections.set(target.of, before.at(-1));
    else match.corrections.delete(target.of);
  } else match.corrections.set(event.of, event);
  // What a correction changes is not told anew for these kinds, so it is written over here.
  if (target?.type === "placed") {
    const now = truthOf(match, target);
    if (now) match.placed.set(`${now.row},${now.col}`, now);
    else match.placed.delete(`${target.row},${target.col}`);
  }
  if (target?.type === "layout" && target === match.events.findLast((each) => each.type === "layout")) {
    match.layout = truthOf(match, target)?.cards ?? [];
  }
  if (target?.type === "task") roundOf(match, target.round).tasks = truthOf(match, target)?.tasks ?? [];
}

function isStruck(match, seq) {
  return match.corrections.has(seq);
}

/** Returns what an event says in truth; null where somebody struck it. */
export function truthOf(match, event) {
  const correction = match.corrections.get(event.seq);
  if (!correction) return event;
  return correction.replace === null ? null : { ...event, ...correction.replace };
}

/** Returns the numbers of the rounds in their order. */
export function roundNumbers(match) {
  return [...match.rounds.keys()].sort((a, b) => a - b);
}

/** Whether a round has ended: the rules say so, or the table has gone on, or nobody watches any more. */
export function isOver(match, number, isWatched = true) {
  const known = match.rounds.get(number);
  return !isWatched || Boolean(known?.ruling?.ended_by) || roundNumbers(match).some((other) => other > number);
}

/** Returns the claims of a round that meet on one card, one list for each such card. */
export function contested(claims) {
  const byCard = new Map();
  for (const claim of claims) byCard.set(claim.card, [...(byCard.get(claim.card) ?? []), claim]);
  return [...byCard.values()].filter((group) => new Set(group.map((claim) => claim.player)).size > 1);
}

/** Whether the frames cannot tell two of some players apart. */
export function isClose(group, close) {
  const players = new Set(group.map((claim) => claim.player));
  return close.some((pair) => pair.every((player) => players.has(player)));
}
