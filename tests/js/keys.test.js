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

const MEANT = Object.fromEntries(
  `PageDown forward, PageUp backward, ArrowRight next, ArrowLeft previous, Home first, End last, Enter enter,
  Escape escape, . blank, b blank, B blank, l lecture, L lecture, d bet, D bet, q code, Q code, ? card, a aim, A aim,
  s speaker, S speaker, 1 moment, 9 moment, n nextPage, P previousPage, i index`
    .split(/,\s+/)
    .map((pair) => pair.split(" "))
    .concat([[" ", "play"]]),
);
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

test("every key has its one meaning", () => {
  for (const [key, means] of Object.entries(MEANT)) assert.equal(meaning(pressed(key)), means, key);
  for (const key of ["0", "x", "F5", "Tab", "Shift", undefined]) assert.equal(meaning(pressed(key)), null, key);
});

test("with Shift only the arrows mean something else", () => {
  assert.equal(meaning(pressed("ArrowRight", { shiftKey: true })), "nextEvent");
  assert.equal(meaning(pressed("ArrowLeft", { shiftKey: true })), "previousEvent");
  for (const key of ["PageDown", "Home", " ", "B", "ArrowUp"]) {
    assert.equal(meaning(pressed(key, { shiftKey: true })), meaning(pressed(key)), key);
  }
});

test("shortcuts and composed characters mean nothing", () => {
  for (const held of ["ctrlKey", "metaKey", "altKey", "isComposing"]) {
    for (const key of Object.keys(MEANT)) assert.equal(meaning(pressed(key, { [held]: true })), null, `${held} ${key}`);
  }
});

test("what is typed into a field means nothing", () => {
  for (const on of FIELDS) for (const key of Object.keys(MEANT)) assert.equal(meaning(pressed(key, { on })), null, key);
  assert.deepEqual(
    FIELDS.map(isField),
    FIELDS.map(() => true),
  );
  for (const on of [...SLIDERS, ...BUTTONS, BODY, undefined]) assert.equal(isField(on), false);
});

test("sliders and lists keep arrows, not a clicker's", () => {
  for (const on of SLIDERS) {
    for (const key of ["ArrowLeft", "ArrowRight", "Home", "End", " ", "Enter"])
      assert.equal(meaning(pressed(key, { on })), null, key);
    for (const key of ["PageDown", "PageUp", "b", ".", "l", "d", "q", "5"])
      assert.equal(meaning(pressed(key, { on })), MEANT[key] ?? "moment");
  }
});

test("a button keeps only what presses it", () => {
  for (const on of BUTTONS) {
    for (const key of Object.keys(MEANT))
      assert.equal(meaning(pressed(key, { on })), [" ", "Enter"].includes(key) ? null : MEANT[key], key);
  }
});

test("a list keeps the letter S", () => {
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

test("a press is used up where it acts", () => {
  const done = [],
    use = (name) => () => done.push(name);
  const event = (key) => pressed(key, { preventDefault: use("prevented"), stopPropagation: use("stopped") });
  press(event("b"), { lecture: use("lecture"), blank: undefined });
  assert.deepEqual(done, []);
  press(event("l"), { lecture: use("lecture") });
  assert.deepEqual(done, ["prevented", "stopped", "lecture"]);
});

test("the speaker window sends no other key", () => {
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

test("while a course asks, digits count hands", () => {
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

test("the card has every meaning once", () => {
  const told = ROWS.flatMap(([meanings]) => meanings),
    elsewhere = ["up", "down", "enter", "aim", "nextPage", "previousPage", "index"]; // on one stage, or in a pack
  assert.deepEqual([...told, ...elsewhere].sort(), Object.keys(KEYS).sort());
});

test("an open card alone hears keys", () => {
  const inside = (key) => ({ key, shiftKey: key === "?", composedPath: () => [BODY, { id: CARD }] });
  assert.equal(meaning(inside("PageDown")), null);
  assert.equal(meaning(inside("b")), null);
  assert.equal(meaning(inside("?")), "card");
});
