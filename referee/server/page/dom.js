// Elements without templates: text is always text, never markup, so nothing that a deck, a player
// or a server says can become part of the page.

const SVG = "http://www.w3.org/2000/svg";

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "value" || name === "checked" || name === "disabled" || name === "selected") {
      element[name] = value;
    } else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.flat(Infinity).filter((child) => child || child === 0));
  return element;
}

/** Returns an HTML element: `h("p", {class: "note"}, "text", child)`. */
export function h(tag, attributes, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** Returns an SVG element. */
export function svg(tag, attributes, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

/**
 * Puts children in place of those there, but only where something has changed: what has the
 * focus keeps it, pictures are not loaded anew, and a film that plays plays on.
 */
export function show(element, ...children) {
  const next = h("div", null, ...children);
  if (next.innerHTML === element.dataset.shown) return false;
  const shown = next.innerHTML;
  const focused = element.contains(document.activeElement) ? document.activeElement.dataset.focus : null;
  const opened = new Set([...element.querySelectorAll("details[open][data-focus]")].map((d) => d.dataset.focus));
  keepPlaying(element, next);
  element.replaceChildren(...next.childNodes);
  element.dataset.shown = shown;
  for (const each of element.querySelectorAll("details[data-focus]")) {
    if (opened.has(each.dataset.focus)) each.open = true;
  }
  if (focused) element.querySelector(`[data-focus="${CSS.escape(focused)}"]`)?.focus();
  return true;
}

/** Puts films that play into the place of those that would begin anew. */
function keepPlaying(element, next) {
  for (const film of [...element.querySelectorAll("video")].filter((each) => !each.paused)) {
    const same = (root) => [...root.querySelectorAll("video")].filter((each) => each.src === film.src);
    same(next)[same(element).indexOf(film)]?.replaceWith(film);
  }
}

let count = 0;

/** Returns an id that no other element has. */
export function freshId(word) {
  count += 1;
  return `${word}-${count}`;
}

/** Returns a labelled field: the label names it for everybody, screen readers included. */
export function field(label, control, note) {
  const id = control.id || freshId("field");
  control.id = id;
  const hint = note ? h("small", { id: `${id}-note` }, note) : null;
  if (hint) control.setAttribute("aria-describedby", hint.id);
  return h("div", { class: "field" }, h("label", { for: id }, label), control, hint);
}

/** Returns a select of `[value, label]` pairs. */
export function select(options, chosen, attributes) {
  return h(
    "select",
    attributes,
    options.map(([value, label]) => h("option", { value, selected: value === chosen }, label)),
  );
}
