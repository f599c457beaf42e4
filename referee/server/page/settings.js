// What a person has chosen on this device: language, light or dark, sound.

const KEY = "table-referee";
const DEFAULTS = { language: "", theme: "auto", voice: "off" };

function read() {
  try {
    return { ...DEFAULTS, ...JSON.parse(localStorage.getItem(KEY) ?? "{}") };
  } catch {
    return { ...DEFAULTS }; // a private window keeps nothing
  }
}

export const settings = read();

/** Keeps a choice. */
export function choose(name, value) {
  settings[name] = value;
  try {
    localStorage.setItem(KEY, JSON.stringify(settings));
  } catch {
    // It holds until the page is closed.
  }
  if (name === "theme") applyTheme();
}

export function applyTheme() {
  document.documentElement.dataset.theme = settings.theme;
}

/** Returns the language that was chosen, or else the browser's. */
export function wantedLanguage() {
  return settings.language || (navigator.language ?? "en").slice(0, 2);
}
