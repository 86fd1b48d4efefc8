// The glossary's notes: when they open and close, what they hold, where they lie.
import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import mountGlossary from "../../assets/glossary/glossary.js";
import { page } from "./page.js";

const ENTRIES = '<div id="term-regret"><dt>regret</dt><dd>What you <b>lose</b>.</dd></div>';
let body, term, note, end;
beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
  body = page.open('<p><a href="/Glossary#term-regret">regret</a> <b>other</b></p><div class="glossary"></div>');
  end = mountGlossary({ parentElement: body, data: new TextEncoder().encode(`light\n${ENTRIES}`) });
  term = body.querySelector("a");
  note = body.querySelector(".term-note");
  term.box = { left: 100, top: 100, width: 50, height: 20 };
  note.box = { left: 0, top: 0, width: 300, height: 80 };
});
const hand = (type, on, more) => on.dispatchEvent(page.event(type, { pointerType: "mouse", ...more }));

test("a pointer opens a note after a moment", () => {
  hand("pointerover", term);
  mock.timers.tick(399);
  assert.ok(!note.popped);
  mock.timers.tick(1);
  assert.ok(note.popped);
  assert.equal(note.innerHTML, "<dl><dt>regret</dt><dd>What you <b>lose</b>.</dd></dl>");
  assert.equal(term.getAttribute("aria-description"), "What you lose.");
  hand("pointerover", body.querySelector("b"));
  mock.timers.tick(219);
  assert.ok(note.popped);
  mock.timers.tick(1);
  assert.deepEqual([note.popped, term.getAttribute("aria-description")], [false, null]);
});

test("a pointer on the note keeps it open", () => {
  term.click();
  hand("pointerover", note);
  mock.timers.tick(1000);
  assert.ok(note.popped);
});

test("a word that points waits longer", () => {
  term.parentElement.dataset.mark = "CMM";
  hand("pointerover", term);
  mock.timers.tick(1099);
  assert.ok(!note.popped);
  mock.timers.tick(1);
  assert.ok(note.popped);
  hand("keydown", body, { key: "Escape" });
  assert.equal(note.popped, false);
  hand("pointerover", term, { pointerType: "touch" });
  mock.timers.tick(2000);
  assert.equal(note.popped, false);
});

test("a tap opens, a tap beside closes", () => {
  term.click();
  assert.ok(note.popped);
  body.querySelector("b").click();
  assert.equal(note.popped, false);
});

test("the focus opens and closes a note", () => {
  term.focus();
  hand("focusin", term);
  assert.ok(note.popped);
  hand("focusin", body);
  assert.equal(note.popped, false);
});

test("a sentence passes its words on", () => {
  window.dispatchEvent(page.event("tvbo:word", { detail: { focus: false, term } }));
  mock.timers.tick(400);
  assert.ok(note.popped);
});

test("a note stays within the window", () => {
  const place = (left, top) => {
    term.box = { left, top, width: 50, height: 20 };
    term.click();
    return [note.style.left, note.style.top];
  };
  assert.deepEqual(place(100, 100), ["100px", "128px"]);
  assert.deepEqual(place(1300, 100), ["1054px", "128px"]);
  assert.deepEqual(place(2, 700), ["12px", "612px"]);
});

test("a term without an entry opens nothing", () => {
  term.href = "/Glossary#term-other";
  term.click();
  assert.ok(!note.popped);
  end();
  assert.equal(body.querySelector(".term-note"), null);
});

test("the list shows the entry of its address", () => {
  body = page.open('<div class="glossary"></div>', "http://lab.test/Glossary#term-regret");
  mountGlossary({ parentElement: body, data: new TextEncoder().encode(`light listed\n${ENTRIES}`) });
  const entry = document.getElementById("term-regret");
  assert.deepEqual([entry.classList.contains("here"), entry.scrolled], [true, 1]);
});
