// Rulings for ears: read out, or as short tones; and always for screen readers.

import { h } from "./dom.js";
import { settings } from "./settings.js";
import { currentLanguage } from "./texts.js";

const TONES = { claim: [[660, 0.09]], correct: [[660, 0.1], [880, 0.16]], wrong: [[330, 0.12], [247, 0.2]], notice: [[440, 0.15]] };
const READ_MS = 80; // a letter, for slow readers
let audio = null;

/** Plays short tones, one after the other. */
function play(kind) {
  audio ??= new AudioContext();
  let at = audio.currentTime;
  for (const [pitch, length] of TONES[kind] ?? TONES.notice) {
    const tone = audio.createOscillator();
    const volume = audio.createGain();
    tone.frequency.value = pitch;
    volume.gain.setValueAtTime(0.0001, at);
    volume.gain.exponentialRampToValueAtTime(0.15, at + 0.01);
    volume.gain.exponentialRampToValueAtTime(0.0001, at + length);
    tone.connect(volume).connect(audio.destination);
    tone.start(at);
    tone.stop(at + length);
    at += length;
  }
}

function speak(text) {
  const words = new SpeechSynthesisUtterance(text);
  words.lang = currentLanguage();
  speechSynthesis.speak(words);
}

/** Tells something: to screen readers at once, to ears as the settings say, to eyes as a note. */
export function announce(text, kind = "notice", isUrgent = false) {
  tellReaders(text, isUrgent);
  if (settings.voice === "tones") play(kind);
  if (settings.voice === "speech" && "speechSynthesis" in window) speak(text);
}

/** Tells screen readers something. */
export function tellReaders(text, isUrgent = false) {
  const region = document.getElementById(isUrgent ? "assertive" : "polite");
  region.append(h("span", null, `${text} `));
  while (region.children.length > 4) region.firstChild.remove();
}

/** Shows a short note at the edge of the page. */
export function toast(text, kind = "plain") {
  const note = h("p", { class: `toast ${kind}` }, text);
  document.getElementById("toasts").append(note);
  setTimeout(() => note.remove(), Math.max(5000, READ_MS * text.length));
}

/** Tells of a refusal. */
export function complain(error) {
  toast(error.message, "bad");
  tellReaders(error.message, true);
}
