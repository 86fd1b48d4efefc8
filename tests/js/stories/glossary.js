// The glossary's notes: when they open and close, what they hold, where they lie.
import mountGlossary from "../../../assets/glossary/glossary.js";
import { act, click, hand, open, tick } from "../reader.js";

const ENTRIES = '<div id="term-regret"><dt>regret</dt><dd>What you <b>lose</b>.</dd></div>';
const data = (look) => new TextEncoder().encode(`${look}\n${ENTRIES}`);
let term, note, end;
function mount() {
  const body = open('<p><a href="/Glossary#term-regret">regret</a> <b>other</b></p><div class="glossary"></div>');
  act("the page opens", () => {
    end = mountGlossary({ parentElement: body, data: data("light") });
  });
  [term, note] = [body.querySelector("a"), body.querySelector(".term-note")];
  term.box = { left: 100, top: 100, width: 50, height: 20 };
  note.box = { left: 0, top: 0, width: 300, height: 80 };
}

export const stories = {
  "a pointer opens a note after a moment": () => {
    mount();
    hand("pointerover", term);
    for (const ms of [399, 1]) tick(ms);
    hand("pointerover", "b");
    for (const ms of [219, 1]) tick(ms);
    click("a");
    hand("pointerover", note); // a pointer on the note keeps it open
    tick(1000);
  },
  "a word that points waits longer": () => {
    mount();
    term.parentElement.dataset.mark = "CMM";
    hand("pointerover", term);
    for (const ms of [1099, 1]) tick(ms);
    hand("keydown", "body", { key: "Escape" });
    hand("pointerover", term, { pointerType: "touch" });
    tick(2000);
  },
  "taps and the focus open notes": () => {
    mount();
    click("a");
    click("b");
    act("focus", () => term.focus());
    hand("focusin", term);
    hand("focusin", "body");
  },
  "a note stays within the window": () => {
    mount();
    for (const [left, top] of [
      [100, 100],
      [1300, 100],
      [2, 700],
    ]) {
      term.box = { left, top, width: 50, height: 20 };
      click("a");
    }
  },
  "a term without an entry opens nothing": () => {
    mount();
    term.href = "/Glossary#term-other";
    click("a");
    act("it ends", end);
  },
  "the list shows the entry of its address": () => {
    const body = open('<div class="glossary"></div>', { address: "http://lab.test/Glossary#term-regret" });
    act("the list opens", () => mountGlossary({ parentElement: body, data: data("light listed") }));
  },
};
