// My sheet: what a student predicted, the tasks that were solved, and notes. One text, kept in this browser alone over
// all pages of one address; it is shown, copied, downloaded and printed as it stands.
import { element } from "../shared/element.js";
import { MY_SHEET } from "../shared/keys.js";
import { save } from "../shared/save.js";

const MOST_NOTES = 2000; // letters of notes: with a bet and a task of each lesson they are two pages of paper
const UNSTORED = "This browser keeps nothing for this address: copy or download the sheet before you leave the page.";
const NO_ENTRY = "Nothing yet. A bet that you place, and a task that you solve, are written here.";

let unstored = null; // the sheet, where the browser keeps none
function readSheet() {
  let kept = unstored;
  try {
    kept ??= JSON.parse(localStorage.getItem(MY_SHEET));
  } catch {} // a sheet that cannot be read is empty
  return { bets: {}, tasks: {}, notes: "", ...kept };
}

function keepSheet(sheet) {
  try {
    localStorage.setItem(MY_SHEET, JSON.stringify(sheet));
  } catch {
    unstored = sheet;
  }
}

// Write a bet that was told, or a task that was solved. The first answer to a bet stays beside the last.
export function enterSheet({ kind, key, mine, ...entry }) {
  const sheet = readSheet();
  if (kind === "bet") sheet.bets[key] = { ...entry, before: sheet.bets[key]?.before ?? mine, after: mine };
  else sheet.tasks[key] ??= entry;
  keepSheet(sheet);
}

const today = () => new Date().toLocaleDateString("en-GB", { day: "numeric", month: "long", year: "numeric" });
// The sheet as paragraphs.
export function sheetRows({ bets, tasks, notes }) {
  const bet = ({ title, question, before, after, right, link }) => {
    const mine = before === after ? `My bet: ${after}` : `My first bet: ${before}\nMy last bet: ${after}`;
    return `${title}: ${question}\n${mine}\nMeasured: ${right}\n${link}`;
  };
  const task = ({ title, goal, measurement, setup, link }) =>
    `${title}: ${goal}\n${measurement}${setup && ` (${setup})`}\n${link}`;
  const part = (title, rows) => (rows.length ? [title, ...rows] : []);
  return [
    `My sheet, ${today()}`,
    ...part("WHAT I PREDICTED", Object.values(bets).map(bet)),
    ...part("TASKS THAT I SOLVED", Object.values(tasks).map(task)),
    ...part("NOTES", notes ? [notes] : []),
  ];
}

export function openSheet() {
  document.getElementById(MY_SHEET)?.remove();
  const kept = readSheet(),
    empty = !Object.keys({ ...kept.bets, ...kept.tasks }).length,
    text = element("pre"),
    said = element("p", { role: "status" }, unstored ? UNSTORED : empty ? NO_ENTRY : ""),
    notes = element("textarea", { value: kept.notes, maxLength: MOST_NOTES, rows: 3, placeholder: "My notes" }),
    pressed = (words, onclick) => element("button", { type: "button", onclick }, words),
    dialog = element("dialog", { id: MY_SHEET, ariaLabel: "My sheet" });
  const write = () => text.replaceChildren(...sheetRows(readSheet()).map((row) => element("span", {}, `${row}\n\n`)));
  notes.oninput = () => {
    keepSheet({ ...readSheet(), notes: notes.value });
    write();
  };
  // The notes of another tab are written into this one, which would write its own over them.
  window.onstorage = () => {
    notes.value = readSheet().notes;
    write();
  };
  write();
  // A browser has a clipboard on https and localhost alone; elsewhere the text is chosen, to be copied by hand.
  const copy = async () => {
    const wrote = navigator.clipboard?.writeText(text.textContent),
      copied = await wrote?.then(
        () => true,
        () => false,
      );
    if (!copied) getSelection().selectAllChildren(text);
    said.textContent = copied ? "Copied." : "Press Ctrl+C to copy the sheet.";
  };
  const clear = () => {
    if (!confirm("Delete all bets, tasks and notes of this sheet?")) return;
    keepSheet({});
    openSheet();
  };
  const does = {
    Copy: copy,
    Download: () => save(new Blob([text.textContent], { type: "text/plain" }), "my-sheet.txt"),
    Print: () => print(),
    Clear: clear,
  };
  const buttons = Object.entries({ ...does, Close: () => dialog.close() }).map((one) => pressed(...one));
  dialog.append(element("style", {}, SHEET_STYLE), text, notes, element("div", {}, ...buttons), said);
  dialog.onclose = () => dialog.remove();
  document.body.append(dialog);
  dialog.showModal();
}

// The button of a page of the server, with an entry that its run has written.
export default function mountSheet({ parentElement, data }) {
  if (data.kind) enterSheet(data);
  parentElement.querySelector("button").onclick = openSheet;
}

const SHEET_STYLE = `
#${MY_SHEET} { background: #fff; color: #000; border: 0; border-radius: 0.5rem; padding: 1.2em; width: min(46rem, 94vw);
  max-height: 94vh; box-sizing: border-box; font: 16px/1.35 "Source Sans", sans-serif; }
#${MY_SHEET} pre { font: inherit; margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; }
#${MY_SHEET} span { display: block; }
#${MY_SHEET} textarea { width: 100%; box-sizing: border-box; font: inherit; color: inherit; background: inherit; }
#${MY_SHEET} div { display: flex; flex-wrap: wrap; gap: 0.5em; margin-top: 0.8em; }
#${MY_SHEET} button { font: inherit; color: inherit; background: none; border: 1px solid #767676; border-radius: 0.4em;
  padding: 0 0.9em; min-height: 44px; cursor: pointer; }
@media print {
  @page { size: portrait; margin: 12mm; }
  body > :not(#${MY_SHEET}) { display: none !important; }
  #${MY_SHEET} { position: absolute; inset: 0; margin: 0; width: auto; max-width: none; max-height: none;
    padding: 0; font-size: 8.5pt; }
  #${MY_SHEET}::backdrop { display: none; }
  #${MY_SHEET} > :not(pre) { display: none; }
  #${MY_SHEET} pre { columns: 2; }
  #${MY_SHEET} pre span { break-inside: avoid; }
}
`;
