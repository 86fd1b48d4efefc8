// What a key means, once for everybody who listens for keys: the player, the speaker's
// button and the pages of a lecture pack. Each says what it does about a meaning; the others it leaves alone.

import { lab } from "./lab.js";

// Meaning -> its keys; Shift+KEY where Shift makes it something else. A letter means the same in both cases.
export const KEYS = {
  forward: ["PageDown"], // these two are a presenter's clicker: they move time whatever holds the focus
  backward: ["PageUp"],
  next: ["ArrowRight"],
  previous: ["ArrowLeft"],
  nextEvent: ["Shift+ArrowRight"],
  previousEvent: ["Shift+ArrowLeft"],
  up: ["ArrowUp"],
  down: ["ArrowDown"],
  first: ["Home"],
  last: ["End"],
  play: [" "],
  enter: ["Enter"],
  escape: ["Escape"],
  blank: ["b", "."],
  lecture: ["l"],
  moment: [..."123456789"],
  bet: ["d"],
  code: ["q"], // the QR code of the link
  card: ["?"], // of all keys
  aim: ["a"], // at a place of the stage
  speaker: ["s"], // its window
  nextPage: ["n"], // the last three in a lecture pack
  previousPage: ["p"],
  index: ["i"],
};
export const CARD = "tvbo-keys"; // the card of keys: while it is open, it alone hears them
export const MY_SHEET = "tvbo-sheet"; // the student's sheet: in it no key is ours
const MEANINGS = new Map(Object.entries(KEYS).flatMap(([means, keys]) => keys.map((key) => [key, means])));
// In a course the clicker walks through it, whatever else listens and wherever the focus is; while it asks, a digit is
// a hand in the hall for that answer, raised, or with Shift lowered.
const IN_A_COURSE = { forward: "onward", backward: "back" };
const MOVES = ["next", "previous", "nextEvent", "previousEvent", "up", "down", "first", "last"];
const PRESSES = ["play", "enter"];
// What the speaker window does not send to the lab's window.
const AT_HOME = ["up", "down", "card", "aim", "speaker", "nextPage", "previousPage", "index"];

const has = (el, roles) => roles.includes(el?.getAttribute?.("role"));
// Whether an element is typed in.
export const isField = (el) =>
  (el?.tagName === "INPUT" && !["range", "checkbox", "radio"].includes(el.type)) ||
  el?.tagName === "TEXTAREA" ||
  !!el?.isContentEditable;
const isList = (el) => el?.tagName === "SELECT" || has(el, ["listbox", "option", "combobox"]);
const isMoved = (el) =>
  isList(el) || ["range", "radio"].includes(el?.type) || has(el, ["slider", "radio", "tab", "menuitem"]);
const isButton = (el) => ["BUTTON", "A", "SUMMARY"].includes(el?.tagName) || el?.type === "checkbox";
// What an element that holds the focus keeps for itself.
const keeps = (el) => [
  ...(isMoved(el) ? MOVES : []),
  ...(isMoved(el) || isButton(el) ? PRESSES : []),
  ...(isList(el) ? ["speaker"] : []),
  // In a sentence the arrows go from word to word (player/pointers.js).
  ...(el?.closest?.(".live") ? ["next", "previous"] : []),
];

// A digit is known by its place on the keyboard: with Shift, and on some keyboards without, it writes something else.
const DIGIT = /^Digit([1-9])$/;
const nameOf = ({ key, code }) => DIGIT.exec(code)?.[1] ?? (key?.length === 1 ? key.toLowerCase() : key);
export const digitOf = (e) => Number(nameOf(e));

const meaningOf = (e) => {
  const name = nameOf(e);
  return (e.shiftKey && MEANINGS.get(`Shift+${name}`)) || MEANINGS.get(name) || null;
};

// What a key press means here, or null: a shortcut of the browser's, what is typed, and what the focused element keeps
// mean nothing. In a frame of somebody's slides a press may be for them ("deck"). `ours` says of an element that it keeps nothing: a bar or a stage that listens for keys itself.
export function meaning(e, ours = () => false) {
  if (e.ctrlKey || e.metaKey || e.altKey || e.isComposing) return null;
  const el = e.composedPath()[0],
    means = meaningOf(e);
  if (e.composedPath().some((one) => one.id === MY_SHEET)) return null;
  if (e.composedPath().some((one) => one.id === CARD)) return means === "card" ? means : null;
  if (lab.course && IN_A_COURSE[means]) return IN_A_COURSE[means];
  if (isField(el) || (!ours(el) && keeps(el).includes(means))) return null;
  if (means && lab.embed?.gives(means)) return "deck";
  return means === "moment" && lab.course?.asks ? (e.shiftKey ? "lowered" : "raised") : means;
}

// Do what a key press means: `acts` holds a function a meaning, of the event. The press is used up then.
export function press(e, acts, ours) {
  const act = acts[meaning(e, ours)];
  if (!act) return;
  e.preventDefault();
  e.stopPropagation();
  act(e);
}

// Whether a key that is pressed in the speaker window is pressed in the lab's window.
export function isRemote(e) {
  const means = meaningOf(e);
  return means !== null && !AT_HOME.includes(means);
}
