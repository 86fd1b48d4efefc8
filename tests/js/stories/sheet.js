// The student's sheet: the first and the last answer to a bet, the first solution of a task, and notes.
import { mock } from "node:test";
import { lab } from "../../../assets/shared/lab.js";
import { enterSheet, openSheet, sheetRows } from "../../../assets/sheet/sheet.js";
import { act, open, say } from "../reader.js";

const TASK = {
  kind: "task",
  key: "race/low",
  title: "The race",
  goal: "Find one.",
  measurement: "one is 7",
  link: "l",
};
const PAGE = {
  lesson: "race",
  bet: { question: "Which <b>wins</b>?", options: { wide: "The wide band", none: "None" } },
};
let kept;
function begin() {
  open("", { address: "http://lab.test/race.html#t=3" });
  document.title = "The race";
  mock.timers.setTime(12 * 3600 * 1000); // noon: the same day in every zone
  kept = { bets: {}, tasks: {}, notes: "" };
  const setItem = (_, text) => {
    kept = JSON.parse(text);
  };
  globalThis.localStorage = { getItem: () => JSON.stringify(kept), setItem };
}
const written = () => sheetRows(kept).slice(1).forEach(say);

export const stories = {
  "it holds first bets, first solutions, and notes": () => {
    begin();
    kept.notes = "Ask about the width."; // before the rest, which leaves them
    act("another answer, and a task twice", () => {
      for (const mine of ["The wide band", "None"])
        enterSheet({ kind: "bet", key: "race", title: "Race", question: "Which?", right: "None", link: "l", mine });
      for (const setup of ["seed 3", "seed 4"]) enterSheet({ ...TASK, setup });
    });
    written();
  },
  "it is cleared where nothing is stored": async () => {
    begin();
    const denied = () => {
      throw new Error("denied");
    };
    globalThis.localStorage = { getItem: denied, setItem: denied };
    globalThis.confirm = () => true;
    const alone = await import("../../../assets/sheet/sheet.js?denied");
    act("it is opened", alone.openSheet);
    const button = (name) => [...document.querySelectorAll("button")].find((one) => one.textContent === name);
    act("it is cleared", () => button("Clear").click());
  },
  "notes of another tab are kept": () => {
    begin();
    const notes = () => document.querySelector("textarea");
    act("it is opened", openSheet);
    act("another tab writes", () => {
      kept.notes = "Ask about";
      window.onstorage();
    });
    act("and this one goes on", () => {
      notes().value += " the width.";
      notes().oninput();
    });
    written();
  },
  "a page of a site writes what it tells": async () => {
    begin();
    lab.site = {};
    await import("../../../assets/site/sheet.js");
    act("a bet, none, and a task", () => {
      for (const guess of ["wide", "open"]) lab.site.sheet.bet({ page: PAGE }, guess, ["none"]);
      const shown = { answer: { knobs: { seed: { value: "3" } } } };
      lab.site.sheet.task({ page: PAGE, shown }, { key: "low", goal: "Find <i>one</i>." }, "one is 7");
    });
    written();
  },
};
