// My sheet: what a student predicted, the tasks that were solved, and notes. It is kept in this browser alone, over all
// pages of one address; it can be copied, downloaded as text and printed.
import { element } from "../shared/element.js";
import { SHEET } from "../shared/keys.js";

const STORED = "tvbo-sheet", // where the browser keeps it
  MOST_NOTES = 2000; // letters of notes: with a bet and a task of each lesson they are one page of paper
const NO_SHEET = { bets: {}, tasks: {}, notes: "" };
const UNSTORED = "This browser keeps nothing for this address: copy or download the sheet before you close the page.";
const NO_ENTRY = "Nothing yet. A bet that you place, and a task that you solve, are written here.";

let unstored = null; // the sheet of this page, where the browser keeps none
function readSheet() {
  try {
    return { ...NO_SHEET, ...JSON.parse(localStorage.getItem(STORED) ?? "{}"), ...unstored };
  } catch {
    return { ...NO_SHEET, ...unstored };
  }
}

function keepSheet(sheet) {
  try {
    localStorage.setItem(STORED, JSON.stringify(sheet));
    unstored = null;
  } catch {
    unstored = sheet;
  }
}

const today = () => new Date().toLocaleDateString("en-GB", { day: "numeric", month: "long", year: "numeric" });

// Write a bet that was told, or a task that was solved. The first answer to a bet stays beside the last.
export function enterSheet({ kind, key, mine, ...entry }) {
  const sheet = readSheet();
  if (kind === "bet") {
    const { before = mine } = sheet.bets[key] ?? {};
    sheet.bets[key] = { ...entry, before, after: mine };
  } else sheet.tasks[key] ??= { ...entry, on: today() };
  keepSheet(sheet);
}

// Its parts: [title, [[headline, lines]]].
function sheetParts({ bets, tasks, notes }) {
  const bet = ({ title, question, before, after, right, link }) => {
    const mine =
      before === after ? [`My answer: ${after}`] : [`My first answer: ${before}`, `My last answer: ${after}`];
    return [`${title}: ${question}`, [...mine, `Measured: ${right}`, link]];
  };
  const task = ({ title, goal, measurement, setup, link, on }) => [
    `${title}: ${goal}`,
    [`${measurement} (${[setup, on].filter(Boolean).join(", ")})`, link],
  ];
  return [
    ["What I predicted", Object.values(bets).map(bet)],
    ["Tasks that I solved", Object.values(tasks).map(task)],
    ["Notes", notes ? [[notes, []]] : []],
  ].filter(([, rows]) => rows.length);
}

function sheetText(sheet) {
  const row = ([headline, lines]) => [headline, ...lines.map((line) => `  ${line}`)].join("\n");
  const all = sheetParts(sheet).map(([title, rows]) => [title.toUpperCase(), ...rows.map(row)].join("\n\n"));
  return [`My sheet · Drifting rewards lab · ${today()}`, ...all].join("\n\n");
}

function downloadText(words) {
  const href = URL.createObjectURL(new Blob([words], { type: "text/plain" }));
  element("a", { href, download: "my-sheet.txt" }).click();
  setTimeout(() => URL.revokeObjectURL(href), 1000);
}

// A browser has a clipboard on https and localhost alone; elsewhere the text is shown, chosen, to be copied by hand.
async function copyText(words, dialog, said) {
  try {
    await navigator.clipboard.writeText(words);
    said.textContent = "Copied.";
  } catch {
    const field = element("textarea", { readOnly: true, value: words, rows: 8, ariaLabel: "The sheet as text" });
    dialog.append(field);
    field.select();
    said.textContent = "Press Ctrl+C to copy the text below.";
  }
}

export function openSheet() {
  document.getElementById(SHEET)?.remove();
  const sheet = readSheet(),
    said = element("p", { className: "said", role: "status" }, unstored ? UNSTORED : ""),
    noted = element("p", { className: "noted" }, sheet.notes),
    notes = element("textarea", { value: sheet.notes, maxLength: MOST_NOTES, rows: 4, ariaLabel: "My notes" });
  notes.placeholder = "My notes";
  notes.oninput = () => {
    keepSheet({ ...readSheet(), notes: notes.value });
    noted.textContent = notes.value;
  };
  const rows = ([headline, lines]) =>
    element("li", {}, element("b", {}, headline), ...lines.map((line) => element("div", {}, line)));
  const listed = sheetParts({ ...sheet, notes: "" }).map(([title, all]) =>
    element("section", {}, element("h3", {}, title), element("ol", {}, ...all.map(rows))),
  );
  const pressed = (words, onclick) => element("button", { type: "button", onclick }, words);
  const dialog = element("dialog", { id: SHEET, ariaLabel: "My sheet" }),
    clear = () => {
      keepSheet(NO_SHEET);
      openSheet();
    };
  dialog.append(
    element("style", {}, SHEET_STYLE),
    element("h2", {}, `My sheet · ${today()}`),
    ...(listed.length ? listed : [element("p", {}, NO_ENTRY)]),
    element("h3", {}, "Notes"),
    notes,
    noted,
    element(
      "div",
      { className: "row" },
      pressed("Copy", () => copyText(sheetText(readSheet()), dialog, said)),
      pressed("Download", () => downloadText(sheetText(readSheet()))),
      pressed("Print", () => window.print()),
      pressed("Clear", clear),
      pressed("Close", () => dialog.close()),
    ),
    said,
  );
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
#${SHEET} { background: #fff; color: #000; border: 0; border-radius: 0.5rem; padding: 1.2em 1.6em; width: min(46rem, 94vw);
  max-height: 94vh; box-sizing: border-box; font: 16px/1.35 "Source Sans", sans-serif; }
#${SHEET} :is(h2, h3) { margin: 0.6em 0 0.3em; font-size: 1.1em; }
#${SHEET} ol { margin: 0; padding-left: 1.4em; }
#${SHEET} li { margin-bottom: 0.5em; overflow-wrap: anywhere; }
#${SHEET} textarea { width: 100%; box-sizing: border-box; font: inherit; color: inherit; background: inherit; }
#${SHEET} .noted { display: none; white-space: pre-wrap; }
#${SHEET} .row { display: flex; flex-wrap: wrap; gap: 0.5em; margin-top: 0.8em; }
#${SHEET} button { font: inherit; color: inherit; background: none; border: 1px solid #767676; border-radius: 0.4em;
  padding: 0 0.9em; min-height: 44px; cursor: pointer; }
#${SHEET}::backdrop { background: rgb(0 0 0 / 50%); }
@media print {
  @page { size: portrait; margin: 12mm; }
  body > :not(#${SHEET}) { display: none !important; }
  #${SHEET} { position: static; width: auto; max-width: none; max-height: none; padding: 0; font-size: 8.5pt; columns: 2; }
  #${SHEET} h2 { column-span: all; }
  #${SHEET} li { break-inside: avoid; margin-bottom: 0.3em; }
  #${SHEET} :is(textarea, .row, .said) { display: none; }
  #${SHEET} .noted { display: block; }
}
`;
