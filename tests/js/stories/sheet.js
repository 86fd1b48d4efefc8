// The student's sheet: the first and the last answer to a bet, the first solution of a task, notes; and a browser that
// keeps nothing.
import { enterSheet, sheetRows } from "../../../assets/sheet/sheet.js";
import { act, open, say } from "../reader.js";

const BET = { kind: "bet", key: "race", title: "The race", question: "Which wins?", right: "None", link: "http://l/r" };
const TASK = {
  kind: "task",
  key: "race/low",
  title: "The race",
  goal: "Find one.",
  measurement: "one is 7",
  link: "l",
};
const written = () =>
  sheetRows({ bets: {}, tasks: {}, notes: "", ...kept })
    .slice(1)
    .map((row) => say(row));
let kept;
const begin = (setItem) => {
  open();
  kept = {};
  globalThis.localStorage = { getItem: () => JSON.stringify(kept), setItem };
};

export const stories = {
  "it holds first and last bets": () => {
    begin((_, text) => {
      kept = JSON.parse(text);
    });
    act("a bet", () => enterSheet({ ...BET, mine: "The wide band" }));
    written();
    act("another answer, and a task twice", () => {
      enterSheet({ ...BET, mine: "None" });
      for (const setup of ["seed 3", "seed 4"]) enterSheet({ ...TASK, setup });
    });
    kept.notes = "Ask about the width.";
    written();
  },
};
