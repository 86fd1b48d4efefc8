// Texts that were approved: a file a name. `npm run approve` writes them, nothing else does; where a text differs, what
// is shown now lies beside the approved one as NAME.new, unless this is CI.
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const folder = (name) => fileURLToPath(new URL(`${name}/`, import.meta.url));
const PIXELS = 0.11; // a place is written to a tenth of a pixel, and may be rounded up or down
const PLACE = /^@(-?[\d.]+),(-?[\d.]+)(.*)$/;

function same(one, other) {
  if (one === other) return true;
  const [a, b] = [PLACE.exec(one), PLACE.exec(other)];
  return !!a && !!b && a[3] === b[3] && [1, 2].every((i) => Math.abs(a[i] - b[i]) <= PIXELS);
}

// Where two lines differ first: what became what; null where they say the same.
function change(one, other) {
  const [a, b] = [one.split(" "), other.split(" ")],
    at = Array.from({ length: Math.max(a.length, b.length) }).findIndex((_, i) => !same(a[i], b[i]));
  if (at < 0) return null;
  const [was, is] = [a, b].map((words) => (a.length === b.length ? words[at] : words.slice(at).join(" ")) || "nothing");
  return `${a.slice(0, at).join(" ")}: ${was} became ${is}`.replace(/^: /, "");
}

// A text by its headings, which are the lines without an indent.
function sections(text) {
  const found = new Map();
  let lines = [];
  for (const line of text.split("\n")) {
    if (line.startsWith(" ")) lines.push(line.trim());
    else if (line) {
      lines = [];
      found.set(line, lines);
    }
  }
  return found;
}

// What differs between two texts, a sentence a heading.
export function differences(before, now) {
  const [old, fresh] = [sections(before), sections(now)],
    found = [];
  for (const name of new Set([...old.keys(), ...fresh.keys()])) {
    const [a, b] = [old.get(name), fresh.get(name)];
    if (!a || !b) {
      found.push(`${name}: is ${a ? "gone" : "new"}`);
      continue;
    }
    const first = Array.from({ length: Math.max(a.length, b.length) }, (_, i) => change(a[i] ?? "", b[i] ?? "")).find(
      Boolean,
    );
    if (first) found.push(`${name}: ${a.length === b.length ? "" : `${a.length} lines became ${b.length}; `}${first}`);
  }
  return found;
}

// Fail where a text differs from the approved one of its folder.
export function sameAsApproved(kind, texts) {
  const at = folder(kind),
    found = [];
  for (const [name, text] of texts) {
    const file = `${at}${name}.txt`,
      said = differences(existsSync(file) ? readFileSync(file, "utf8") : "", text);
    found.push(...said);
    if (process.env.CI) continue;
    if (said.length) writeFileSync(`${at}${name}.new`, text);
    else rmSync(`${at}${name}.new`, { force: true });
  }
  for (const file of existsSync(at) ? readdirSync(at) : [])
    if (file.endsWith(".txt") && !texts.has(file.replace(".txt", ""))) found.push(`${file}: nothing shows it any more`);
  const hint = `${found.length} texts differ; where they should, run: npm run approve`;
  assert.equal(found.length, 0, [...found.slice(0, 20), hint].join("\n"));
}

// Approve all texts as they are now.
export function approve(kind, texts) {
  const at = folder(kind);
  if (process.env.CI)
    throw new Error("CI approves nothing: run `npm run approve` on your machine and read the difference.");
  rmSync(at, { recursive: true, force: true });
  mkdirSync(at);
  for (const [name, text] of texts) writeFileSync(`${at}${name}.txt`, text);
}
