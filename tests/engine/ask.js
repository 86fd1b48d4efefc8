// Asks the browser's own Python, in Node: `node ask.js PYODIDE ARCHIVES... LESSONS OUT < questions`: LESSONS is JSON,
// [[key, number], ...], and each line a question, what and text with a space between. Each answer becomes a file of OUT,
// of its line's number; the seconds are printed.
import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { startPython } from "../../assets/engine/python.js";

const [folder, ...files] = process.argv.slice(2),
  [lessons, out] = files.splice(-2),
  { loadPyodide } = await import(pathToFileURL(`${folder}/pyodide.mjs`).href),
  begun = performance.now(),
  seconds = () => ((performance.now() - begun) / 1000).toFixed(1);
const python = await startPython(
  loadPyodide,
  { indexURL: `${folder}/` },
  files.map((file) => new Uint8Array(readFileSync(file))),
  JSON.parse(lessons),
);
const ready = seconds();
for (const [i, line] of readFileSync(0, "utf8").split("\n").entries()) {
  const [what, text] = line.split(/ (.*)/);
  if (what) writeFileSync(`${out}/${i}`, what === "get" ? python.get(text).bytes : JSON.stringify(python.say(what, text)));
}
console.log(`ready after ${ready} s, all answered after ${seconds()} s`);
