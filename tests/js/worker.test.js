// The worker of a site keeps to its own caches: other sites of the origin, and older releases, have theirs.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import vm from "node:vm";

const TEXT = readFileSync(new URL("../../assets/site/worker.js", import.meta.url), "utf8");

// Start a release of the site at a scope, with the caches of its origin.
async function start(scope, release, caches) {
  const heard = new Map(),
    self = { registration: { scope }, clients: { claim() {} }, addEventListener: (name, act) => heard.set(name, act) };
  const open = async (name) => {
    caches.add(name);
    return { addAll: async () => {} };
  };
  vm.runInNewContext(
    TEXT.replace("@RELEASE@", release).replace("@PLACES@", "python/").replace("@FIRST@", "index.html"),
    {
      self,
      caches: { open, keys: async () => [...caches], delete: async (name) => caches.delete(name) },
    },
  );
  for (const name of ["install", "activate"]) {
    let done;
    heard.get(name)({
      waitUntil: (promise) => {
        done = promise;
      },
    });
    await done;
  }
}

test("a site deletes its own old caches alone", async () => {
  const caches = new Set(["notes of somebody else"]);
  await start("https://host/a/", "films-1", caches);
  await start("https://host/a/b/", "films-1", caches);
  await start("https://host/", "films-1", caches);
  assert.equal(caches.size, 4);
  const before = [...caches];
  await start("https://host/a/", "films-2", caches);
  assert.equal(caches.size, 4);
  assert.deepEqual(
    before.filter((name) => !caches.has(name)),
    [before[1]],
  );
});
