// The student's sheet: the first and the last answer to a bet, the first solution of a task, and notes.
import { lab } from "../../../assets/shared/lab.js";
import { enterSheet, sheetRows } from "../../../assets/sheet/sheet.js";
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
