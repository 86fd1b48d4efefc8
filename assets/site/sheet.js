// The student's sheet on a page of the site: a script of its own, which a page loads when there is something to write or
// to read.
import { lab } from "../shared/lab.js";
import { enterSheet, openSheet } from "../sheet/sheet.js";

const plainOf = (innerHTML) => Object.assign(document.createElement("div"), { innerHTML }).textContent;

lab.site.sheet = {
  open: openSheet,
  bet({ page: { lesson, bet } }, guess, right) {
    const said = (words) => words.map((word) => plainOf(bet.options[word])).join(" then "),
      mine = guess.split(".");
    if (!mine.every((word) => word in bet.options)) return; // the truth was opened without a bet
    const link = `${location.href.split(/[?#]/)[0]}#guess=open`;
    const entry = { title: document.title, question: plainOf(bet.question), right: said(right), link };
    enterSheet({ kind: "bet", key: lesson, mine: said(mine), ...entry });
  },
  task({ page: { lesson }, shown }, { key, goal }, measurement) {
    const seed = shown.answer.knobs.seed?.value,
      setup = seed === undefined ? "" : `seed ${seed}`,
      entry = { title: document.title, goal: plainOf(goal), measurement: plainOf(measurement), setup };
    enterSheet({ kind: "task", key: `${lesson}/${key}`, ...entry, link: location.href });
  },
};
