// No script of assets/ is left out.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";

const HERE = new URL("./", import.meta.url),
  ASSETS = new URL("../../assets/", import.meta.url);
const FILES = readdirSync(HERE, { recursive: true }).filter((name) => /\.test\.js$|^stories\//.test(name));
const NAMED = /(?:from|import\(?)\s*["`](\.[^"`?]+\.js)/g;

// The scripts that a file imports, with those that they import.
function behind(file, found = new Set()) {
  for (const [, name] of readFileSync(file, "utf8").matchAll(NAMED)) {
    const { href } = new URL(name, file);
    if (found.has(href)) continue;
    found.add(href);
    behind(new URL(href), found);
  }
  return found;
}

test("every script is run by a test", () => {
  const run = new Set(FILES.flatMap((name) => [...behind(new URL(name, HERE))])),
    scripts = readdirSync(ASSETS, { recursive: true }).filter((name) => name.endsWith(".js")),
    own = scripts.filter((name) => !name.startsWith("vendor"));
  assert.ok(own.length > 40);
  assert.deepEqual(
    own.filter((name) => !run.has(new URL(name, ASSETS).href)),
    [],
  );
});
