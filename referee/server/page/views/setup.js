// From nothing to a watched table in four steps: picture, game and deck, players, check.

import { api, urls } from "../api.js";
import { field, h, select } from "../dom.js";
import { fileField } from "../parts/files.js";
import { livePicture } from "../parts/picture.js";
import { namesFault } from "../parts/seats.js";
import { COLOURS, PANDA_COLOURS, shape } from "../players.js";
import { noticeText, said } from "../said.js";
import { number, t } from "../texts.js";
import { complain } from "../voice.js";

const STEPS = ["source", "deck", "players", "check"];
const MAIN_KINDS = ["animal", "habitat", "path"];
const RULINGS = {
  "galapa-go": { late_claims: ["void", "judged"], most_least_counts: ["animals", "cards"], most_least_wrong: ["penalty", "none"] },
  "exploring-galapagos": { impact_on_zero: [false, true] },
  "panda-gorilla": { path_into_wall: [true, false], pond_adjacency: [false, true], supply: ["limited", "unlimited"], same_player_twice: ["once", "each"] },
};

const STREAM = /^(?:rtsps?|https?):\/\/(?:[^/?#]*@)?(?:\[[\da-f:.]+\]|[^:/?#[\]@]+)(?::(\d*))?(?:[/?#]|$)/i;

/** Whether a text can be the address of a stream, as the service asks it to be. */
function isStreamAddress(text) {
  const match = /[\s\p{C}]/u.test(text) ? null : STREAM.exec(text);
  return match !== null && Number(match[1] ?? 0) <= 65535;
}

export function setupView(main) {
  const order = {
    source: { kind: "recording", camera: "0", recording: "", stream: "" },
    realtime: true,
    record: false,
    deck: null,
    players: [],
    names: "",
    lead: "",
    variant: "normal",
    rulings: {},
  };
  let decks = [];
  let recordings = [];
  let remarks = []; // on the deck that was sent last
  let step = 0;
  let opened = null; // the table that step 4 has opened
  let stop = () => {};
  let isLeft = false;
  const steps = h("ol", { class: "steps" });
  const fault = h("p", { class: "fault", role: "alert", id: "setup-fault" }); // beside what it is about
  const body = h("form", { class: "panel setup", onsubmit: (event) => { event.preventDefault(); next(); } });
  main.append(h("h1", null, t("setup.title")), steps, body);

  async function load() {
    try {
      [{ decks }, { recordings }] = await Promise.all([api.decks(), api.recordings()]);
    } catch (error) {
      complain(error);
    }
    order.source.recording ||= recordings[0] ?? "";
    order.deck ??= decks[0] ?? null;
    if (!recordings.length) order.source.kind = "camera";
    if (!isLeft) draw();
  }

  function draw() {
    steps.replaceChildren(
      ...STEPS.map((name, index) =>
        h("li", { class: index < step ? "done" : index === step ? "now" : "", "aria-current": index === step ? "step" : null }, t(`setup.step.${name}`)),
      ),
    );
    const parts = { source: sourceStep, deck: deckStep, players: playersStep, check: checkStep };
    fault.hidden = true;
    body.replaceChildren(h("h2", { tabindex: -1 }, t(`setup.ask.${STEPS[step]}`)), ...parts[STEPS[step]]().filter(Boolean), ...(step > 0 ? [fault] : []), buttons());
  }

  function buttons() {
    return h(
      "div",
      { class: "row end" },
      step > 0 && h("button", { type: "button", onclick: back }, t("setup.back")),
      h("button", { class: "primary", type: "submit" }, t(step < 3 ? "setup.next" : "setup.start")),
    );
  }

  async function next() {
    const wrong = faultOf(step);
    if (wrong) return refuse(wrong);
    if (step === 3) {
      const table = opened;
      if (!table) return;
      opened = null; // it is not closed on the way out
      location.hash = `#/table/${table.id}`;
      return;
    }
    if (step === 2) {
      try {
        opened = await api.openTable(toOrder());
      } catch (error) {
        return complain(error);
      }
      if (isLeft) return close();
    }
    go(step + 1);
  }

  function refuse(text) {
    fault.textContent = text;
    fault.hidden = false;
    const input = body.querySelector("[aria-describedby~=setup-fault]");
    input?.setAttribute("aria-invalid", "true");
    input?.focus();
  }

  async function back() {
    if (step === 3) await close();
    go(step - 1);
  }

  function go(where) {
    step = where;
    draw();
    body.querySelector("h2").focus();
  }

  async function close() {
    stop();
    stop = () => {};
    const table = opened;
    opened = null;
    if (table) await api.removeTable(table.id).catch(() => {});
  }

  function faultOf(which) {
    const { source } = order;
    if (which === 0 && !source[source.kind].trim()) return t(`setup.fault.${source.kind}`);
    if (which === 0 && source.kind === "stream" && !isStreamAddress(source.stream.trim())) return t("setup.fault.stream-kind");
    if (which === 1 && !order.deck) return t("setup.fault.deck");
    if (which === 2 && playersOf().length < 2) return t("setup.fault.players");
    if (which === 2 && order.deck.game === "exploring-galapagos") return namesFault(playersOf());
    return "";
  }

  function playersOf() {
    if (order.deck?.game !== "exploring-galapagos") return order.players;
    return order.names.split(",").map((name) => name.trim()).filter(Boolean);
  }

  function toOrder() {
    const { source, deck } = order;
    const players = playersOf();
    const wanted = {
      game: deck.game,
      deck: deck.id,
      source: { [source.kind]: source[source.kind].trim() },
      players,
      variant: order.variant,
      rulings: Object.fromEntries(Object.entries(order.rulings).filter(([name]) => name in RULINGS[deck.game])),
      realtime: order.realtime,
      record: order.record && order.source.kind !== "recording",
    };
    if (players.includes(order.lead)) wanted.lead = order.lead;
    if (deck.game !== "galapa-go") wanted.variant = "normal";
    return wanted;
  }

  // ---- step 1: where the picture comes from -------------------------------------------------

  function sourceStep() {
    const { source } = order;
    const pick = (kind) =>
      h(
        "label",
        { class: "option" },
        h("input", { type: "radio", name: "source", value: kind, checked: source.kind === kind, onchange: () => { source.kind = kind; draw(); body.querySelector("input[name=source]:checked").focus(); } }),
        h("span", null, h("strong", null, t(`source.${kind}`)), h("small", null, t(`source.${kind}.what`))),
      );
    return [
      h("fieldset", { class: "options" }, h("legend", { class: "unseen" }, t("setup.ask.source")), ["camera", "recording", "stream"].map(pick)),
      source.kind === "recording" ? recordingField() : textField(source.kind),
    ];
  }

  function textField(kind) {
    const input = h("input", { type: "text", value: order.source[kind], placeholder: kind === "stream" ? "rtsp://…" : "0", oninput: type });
    const record = h("input", { type: "checkbox", id: "record", checked: order.record, onchange: (event) => { order.record = event.target.checked; } });
    const labelled = field(t(`source.${kind}`), input, t(`source.${kind}.note`));
    input.setAttribute("aria-describedby", `${input.getAttribute("aria-describedby")} ${fault.id}`);
    return h("div", { class: "stack" }, labelled, fault, h("p", { class: "check" }, record, h("label", { for: "record" }, t("setup.record"))));

    function type() {
      order.source[kind] = input.value;
      fault.hidden = true;
      input.removeAttribute("aria-invalid");
    }
  }

  function recordingField() {
    const list = select(recordings.map((name) => [name, name]), order.source.recording, { onchange: (event) => { order.source.recording = event.target.value; } });
    const file = h("input", { type: "file", accept: "video/*", onchange: send });
    const realtime = h("input", { type: "checkbox", id: "realtime", checked: order.realtime, onchange: (event) => { order.realtime = event.target.checked; } });
    return h("div", { class: "stack" }, field(t("source.recording"), list), fault, fileField(t("setup.upload-recording"), file), h("p", { class: "check" }, realtime, h("label", { for: "realtime" }, t("setup.realtime"))));

    async function send() {
      if (!file.files.length) return;
      file.disabled = true;
      try {
        const { recordings: [kept] } = await api.addRecording(file.files[0]);
        recordings = [...new Set([...recordings, kept])].sort();
        order.source.recording = kept;
        draw();
      } catch (error) {
        complain(error);
        file.disabled = false;
      }
    }
  }

  // ---- step 2: game and deck ----------------------------------------------------------------

  function deckStep() {
    const pick = (deck) =>
      h(
        "label",
        { class: "option deck" },
        h("input", { type: "radio", name: "deck", value: deck.id, checked: order.deck?.id === deck.id, onchange: () => { order.deck = deck; } }),
        deckFace(deck),
        h("span", null, h("strong", null, t(`game.${deck.game}`)), h("small", null, t("setup.deck-cards", { name: deck.name, count: deck.cards }))),
      );
    const file = h("input", { type: "file", accept: ".zip", onchange: send });
    return [
      h("fieldset", { class: "options" }, h("legend", { class: "unseen" }, t("setup.ask.deck")), decks.map(pick)),
      fileField(t("setup.upload-deck"), file, t("setup.upload-deck.note")),
      remarks.length > 0 && h("div", { role: "status" }, h("p", null, t("setup.remarks")), h("ul", { class: "notices" }, remarks.map((each) => h("li", null, said(each))))),
    ];

    async function send() {
      if (!file.files.length) return;
      file.disabled = true;
      try {
        const deck = await api.addDeck(file.files[0]);
        decks = [...decks.filter((each) => each.id !== deck.id), deck];
        order.deck = deck;
        remarks = deck.remarks ?? [];
        draw();
      } catch (error) {
        complain(error);
        file.disabled = false;
      }
    }
  }

  /** A card of the deck's main kind; which there are only the deck itself says. */
  function deckFace(deck) {
    const image = h("img", { alt: "", loading: "lazy" });
    api.deck(deck.id).then(
      ({ cards }) => {
        const card = cards.find((each) => MAIN_KINDS.includes(each.kind));
        if (card) image.src = urls.card(deck.id, card.id);
      },
      () => {}, // it is only an ornament
    );
    return image;
  }

  // ---- step 3: who plays --------------------------------------------------------------------

  function playersStep() {
    const { game } = order.deck;
    if (game === "exploring-galapagos") {
      const names = h("input", { type: "text", value: order.names, autocomplete: "off", oninput: (event) => { order.names = event.target.value; } });
      return [field(t("setup.names"), names, t("setup.names.note")), rulings(game)];
    }
    const known = game === "panda-gorilla" ? PANDA_COLOURS : COLOURS;
    order.players = order.players.filter((player) => known.includes(player));
    const toggle = (player) => {
      const at = order.players.indexOf(player);
      return h(
        "button",
        { type: "button", class: "colour", "aria-pressed": String(at >= 0), "data-player": player, onclick: () => flip(player) },
        shape(player, 36),
        h("span", null, t(`colour.${player}`)),
        h("span", { class: "place" }, at >= 0 ? number(at + 1) : ""),
      );
    };
    return [
      h("p", { class: "note" }, t("setup.colours.note")),
      h("div", { class: "colours", role: "group", "aria-label": t("setup.ask.players") }, known.map(toggle)),
      game === "galapa-go" && h("div", { class: "pair" }, leadField(), variantField()),
      rulings(game),
    ];

    function flip(player) {
      const { players } = order;
      order.players = players.includes(player) ? players.filter((each) => each !== player) : [...players, player];
      draw();
      body.querySelector(`[data-player=${player}]`).focus();
    }
  }

  function leadField() {
    const options = [["", t("setup.lead.first")], ...order.players.map((player) => [player, t(`colour.${player}`)])];
    return field(t("setup.lead"), select(options, order.lead, { onchange: (event) => { order.lead = event.target.value; } }), t("setup.lead.note"));
  }

  function variantField() {
    const options = ["normal", "complex"].map((variant) => [variant, t(`variant.${variant}`)]);
    return field(t("setup.variant"), select(options, order.variant, { onchange: (event) => { order.variant = event.target.value; } }));
  }

  function rulings(game) {
    const line = ([name, values]) => {
      const options = values.map((value) => [String(value), t(`ruling.${name}.${value}`)]);
      const chosen = String(order.rulings[name] ?? values[0]);
      return field(t(`ruling.${name}`), select(options, chosen, { onchange: (event) => choose(name, values, event.target.value) }));
    };
    return h("details", null, h("summary", null, t("setup.rulings")), h("p", { class: "note" }, t("setup.rulings.note")), h("div", { class: "pair" }, Object.entries(RULINGS[game]).map(line)));
  }

  function choose(name, values, text) {
    const value = values.find((each) => String(each) === text);
    if (value === values[0]) delete order.rulings[name];
    else order.rulings[name] = value;
  }

  // ---- step 4: does the camera see the table? -----------------------------------------------

  function checkStep() {
    const seen = h("p", { class: "note", role: "status" }, t("check.waiting"));
    const notices = h("ul", { class: "notices" });
    let state = "open";
    const { element, end } = livePicture(opened.id, () => state === "open");
    const timer = setInterval(look, 1500);
    stop = () => {
      end();
      clearInterval(timer);
    };
    look();
    return [element, seen, notices, h("ul", { class: "advice" }, ["whole", "light", "still"].map((name) => h("li", null, t(`check.${name}`))))];

    async function look() {
      if (!opened) return;
      try {
        const [table, { events }] = await Promise.all([api.table(opened.id), api.events(opened.id, 0)]);
        const layout = events.findLast((event) => event.type === "layout");
        const placed = new Set(events.filter((event) => event.type === "placed").map((event) => `${event.row},${event.col}`));
        state = table.state;
        if (table.state === "failed") seen.textContent = t("check.failed", { reason: said(table.reason) });
        else if (layout) seen.textContent = t("check.layout", { count: layout.cards.length });
        else if (placed.size) seen.textContent = t("check.placed", { count: placed.size });
        const texts = [...new Set(events.filter((event) => event.type === "notice").map(noticeText))];
        notices.replaceChildren(...texts.map((text) => h("li", null, text)));
      } catch (error) {
        seen.textContent = error.message;
      }
    }
  }

  load();
  return () => {
    isLeft = true;
    close();
  };
}
