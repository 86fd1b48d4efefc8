// What a key means, for every listener at once.
import assert from "node:assert/strict";
import { test } from "node:test";
import { ROWS } from "../../assets/shared/card.js";
import { CARD, digitOf, isField, isRemote, KEYS, meaning, press } from "../../assets/shared/keys.js";
import { lab } from "../../assets/shared/lab.js";

const element = (tagName, more = {}) => ({
  tagName,
  getAttribute: (name) => (name === "role" ? (more.role ?? null) : null),
  ...more,
});
const BODY = element("BODY");
const pressed = (key, { on = BODY, ...more } = {}) => ({ key, composedPath: () => [on], ...more });

const MEANT = {
  PageDown: "forward",
  PageUp: "backward",
  ArrowRight: "next",
  ArrowLeft: "previous",
  Home: "first",
  End: "last",
  " ": "play",
  Enter: "enter",
  Escape: "escape",
  ".": "blank",
  b: "blank",
  B: "blank",
  l: "lecture",
  L: "lecture",
  d: "bet",
  D: "bet",
  q: "code",
  Q: "code",
  "?": "card",
  a: "aim",
  A: "aim",
  s: "speaker",
  S: "speaker",
  1: "moment",
  9: "moment",
  n: "nextPage",
  P: "previousPage",
  i: "index",
};
const SLIDERS = [
  element("INPUT", { type: "range" }),
  element("INPUT", { type: "radio" }),
  element("SELECT"),
  ...["slider", "listbox", "option", "combobox", "radio", "tab", "menuitem"].map((role) => element("DIV", { role })),
];
const BUTTONS = [element("BUTTON"), element("A"), element("SUMMARY"), element("INPUT", { type: "checkbox" })];
const FIELDS = [
  element("INPUT", { type: "text" }),
  element("INPUT", { type: "number" }),
  element("TEXTAREA"),
  element("DIV", { isContentEditable: true }),
];

test("every key has the one meaning that the pages teach", () => {
  for (const [key, means] of Object.entries(MEANT)) assert.equal(meaning(pressed(key)), means, key);
  for (const key of ["0", "x", "F5", "Tab", "Shift", undefined]) assert.equal(meaning(pressed(key)), null, key);
});

test("with Shift the arrows go to events and every other key means the same", () => {
  assert.equal(meaning(pressed("ArrowRight", { shiftKey: true })), "nextEvent");
  assert.equal(meaning(pressed("ArrowLeft", { shiftKey: true })), "previousEvent");
  for (const key of ["PageDown", "Home", " ", "B", "ArrowUp"]) {
    assert.equal(meaning(pressed(key, { shiftKey: true })), meaning(pressed(key)), key);
  }
});

test("a shortcut of the browser's and a character that is still being composed mean nothing", () => {
  for (const held of ["ctrlKey", "metaKey", "altKey", "isComposing"]) {
    for (const key of Object.keys(MEANT)) assert.equal(meaning(pressed(key, { [held]: true })), null, `${held} ${key}`);
  }
});

test("what is typed into a field means nothing, and a slider or a tick is no field", () => {
  for (const on of FIELDS) for (const key of Object.keys(MEANT)) assert.equal(meaning(pressed(key, { on })), null, key);
  assert.deepEqual(
    FIELDS.map(isField),
    FIELDS.map(() => true),
  );
  for (const on of [...SLIDERS, ...BUTTONS, BODY, undefined]) assert.equal(isField(on), false);
});

test("a slider, a list and a tab keep arrows, ends and what presses them; the clicker's keys and letters go through", () => {
  for (const on of SLIDERS) {
    for (const key of ["ArrowLeft", "ArrowRight", "Home", "End", " ", "Enter"])
      assert.equal(meaning(pressed(key, { on })), null, key);
    for (const key of ["PageDown", "PageUp", "b", ".", "l", "d", "q", "5"])
      assert.equal(meaning(pressed(key, { on })), MEANT[key] ?? "moment");
  }
});

test("a button keeps what presses it and nothing else", () => {
  for (const on of BUTTONS) {
    for (const key of Object.keys(MEANT))
      assert.equal(meaning(pressed(key, { on })), [" ", "Enter"].includes(key) ? null : MEANT[key], key);
  }
});

test("a list keeps the letter S, with which it looks for an entry", () => {
  for (const on of [element("SELECT"), element("DIV", { role: "option" })])
    assert.equal(meaning(pressed("s", { on })), null);
  assert.equal(meaning(pressed("s", { on: element("INPUT", { type: "range" }) })), "speaker");
});

test("a page's own bar keeps nothing", () => {
  const bar = element("INPUT", { type: "range" });
  for (const key of Object.keys(MEANT))
    assert.equal(
      meaning(pressed(key, { on: bar }), (el) => el === bar),
      MEANT[key],
      key,
    );
});

test("a press is used up where somebody acts on it, and only there", () => {
  const done = [],
    use = (name) => () => done.push(name);
  const event = (key) => pressed(key, { preventDefault: use("prevented"), stopPropagation: use("stopped") });
  press(event("b"), { lecture: use("lecture"), blank: undefined });
  assert.deepEqual(done, []);
  press(event("l"), { lecture: use("lecture") });
  assert.deepEqual(done, ["prevented", "stopped", "lecture"]);
});

test("the speaker window sends what moves time, presses, blanks and chooses, and no other key", () => {
  const sent = /^(Page(Up|Down)|Arrow(Left|Right)|Home|End|Enter|Escape| |[1-9bBdDlLqQ.])$/;
  for (const key of [
    ...Object.keys(MEANT),
    "0",
    "ArrowUp",
    "ArrowDown",
    "Tab",
    "F5",
    "z",
    "Delete",
    "constructor",
    undefined,
  ]) {
    assert.equal(isRemote({ key }), sent.test(key), key);
  }
});

test("while a course asks, a digit is a hand raised, with Shift one lowered, on every keyboard", () => {
  const keyboards = { American: ["3", "#"], French: ['"', "3"], numpad: ["3", "3"] };
  for (const [name, [plain, shifted]] of Object.entries(keyboards)) {
    const at = (key, shiftKey) => pressed(key, { shiftKey, code: name === "numpad" ? "Numpad3" : "Digit3" });
    for (const e of [at(plain, false), at(shifted, true)]) {
      assert.equal(digitOf(e), 3, name);
      assert.equal(meaning(e), "moment", name);
    }
    lab.course = { asks: true };
    assert.equal(meaning(at(plain, false)), "raised", name);
    assert.equal(meaning(at(shifted, true)), "lowered", name);
    for (const on of FIELDS) assert.equal(meaning({ ...at(plain, false), composedPath: () => [on] }), null, name);
    lab.course = { asks: false };
    assert.equal(meaning(at(plain, false)), "moment", name);
    lab.course = null;
  }
});

test("the card of keys has every meaning of a page once, and none that there is not", () => {
  const told = ROWS.flatMap(([meanings]) => meanings),
    elsewhere = ["up", "down", "enter", "aim", "nextPage", "previousPage", "index"]; // on one stage, or in a pack
  assert.deepEqual([...told, ...elsewhere].sort(), Object.keys(KEYS).sort());
});

test("while the card is open it alone hears keys", () => {
  const inside = (key) => ({ key, shiftKey: key === "?", composedPath: () => [BODY, { id: CARD }] });
  assert.equal(meaning(inside("PageDown")), null);
  assert.equal(meaning(inside("b")), null);
  assert.equal(meaning(inside("?")), "card");
});
