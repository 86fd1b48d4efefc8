// The browser's own Python from both sides: what a page says where there is none, and what its worker tells and answers.
import assert from "node:assert/strict";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mock, test } from "node:test";
import { pathToFileURL } from "node:url";
import { Engine, refusal, sentence } from "../../assets/engine/engine.js";

const WEB = { location: { protocol: "https:" }, origin: "https://a.org", WebAssembly: {} };

test("each missing thing has its own sentence", () => {
  const said = [
    refusal(WEB),
    refusal({ ...WEB, location: { protocol: "file:" } }),
    refusal({ ...WEB, origin: "null" }),
    refusal({ ...WEB, WebAssembly: undefined }),
    sentence("TypeError: Failed to fetch"),
    sentence("RangeError: out of memory"),
    sentence("PythonError: KeyError"),
  ];
  assert.equal(said[0], "");
  assert.equal(new Set(said).size, said.length);
  assert.ok(said.slice(1).every((one) => /^[A-Z].*\.$/.test(one)));
});

// An engine with a worker that does what `hears` says; what the page is told.
function engine(hears) {
  const told = [],
    worker = { postMessage: (data) => hears(worker, data), terminate: () => told.push("ended") };
  return {
    told,
    worker,
    engine: new Engine(
      { size: 10 },
      (said) => told.push(said),
      () => worker,
    ),
  };
}

test("a worker that fails ends every wait", async () => {
  const { told, worker, engine: one } = engine(() => {}),
    answer = one.ask("page", "bands?"),
    other = one.response("film/bands?");
  worker.onmessage({ data: { loaded: 4 } });
  worker.onmessage({ data: { ready: true } });
  worker.onerror({ message: "killed: out of memory" });
  await assert.rejects(answer, /memory is full/);
  await assert.rejects(other, /memory is full/);
  assert.deepEqual(told.slice(0, 4), [{ loaded: 0, size: 10 }, { loaded: 4, size: 10 }, { ready: true }, "ended"]);
  one.wake(); // a hand at a control wakes it again
  assert.deepEqual(told.at(-1), { loaded: 0, size: 10 });
});

test("who waits outlasts a slow network", async () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const { told, worker, engine: one } = engine(() => {}),
    answer = one.ask("page", "bands?");
  for (const data of [{ loaded: 4 }, { loaded: 9 }, { ready: true }]) {
    mock.timers.tick(100_000);
    worker.onmessage({ data });
  }
  assert.ok(!told.includes("ended"));
  mock.timers.tick(120_000); // a worker that is silent is lost all the same
  await assert.rejects(answer, /stopped answering/);
  mock.timers.reset();
});

test("one answer that fails ends nothing", async () => {
  const { told, engine: one } = engine((worker, { id, what }) => {
    if (!id) return worker.onmessage({ data: { ready: true } });
    const answer = what === "page" ? { failed: "PythonError: TypeError" } : { said: 1 };
    queueMicrotask(() => worker.onmessage({ data: { id, ...answer } }));
  });
  await assert.rejects(one.ask("page", "bands?"), /The sliders answer on/);
  assert.deepEqual([await one.ask("drawer", "bands?"), told.includes("ended")], [{ said: 1 }, false]);
});

test("a text that stops the waking goes", () => {
  const heard = [],
    { worker, engine: one } = engine((_, data) => heard.push(data.own));
  for (const failed of ["TypeError: Failed to fetch", "PythonError: SyntaxError", ""]) {
    one.settings.own ??= "class Mine";
    one.wake();
    worker.onmessage({ data: { failed } });
  }
  assert.deepEqual(heard, ["class Mine", "class Mine", ""]);
});

test("films are answered like a server's", async () => {
  const { engine: one } = engine((worker, { id, text }) => {
    const status = text?.startsWith("film/none") ? 204 : 200;
    if (id) queueMicrotask(() => worker.onmessage({ data: { id, status, bytes: new Uint8Array([7]) } }));
  });
  const [there, none] = [await one.response("film/bands?"), await one.response("film/none?")];
  assert.deepEqual([there.status, [...new Uint8Array(await there.arrayBuffer())], none.status], [200, [7], 204]);
});

// A Pyodide that answers without any Python in it.
const FAKE = `export async function loadPyodide() {
  const desk = { get: (text) => ({ toJs: () => [200, new Uint8Array([text.length])], destroy() {} }), say: () => '{"a": 1}' };
  let done = 0;
  desk.run = () => JSON.stringify({ done: ++done, of: 3, left: 0 });
  return { loadPackage() {}, unpackArchive() {}, runPython() {}, toPy: (x) => x, pyimport: () => ({ open_desk: () => desk }) };
}`;

test("a worker answers films between two runs", async () => {
  const folder = mkdtempSync(join(tmpdir(), "engine-")),
    core = pathToFileURL(`${folder}/`).href,
    said = [];
  writeFileSync(join(folder, "pyodide.mjs"), FAKE);
  const asked = [],
    fetch = async (address, { integrity }) => {
      asked.push([address.split("/").pop(), integrity]);
      return new Response(new Uint8Array(5));
    };
  Object.assign(globalThis, {
    self: { fetch },
    location: { href: core },
    postMessage: (data) => said.push(data),
  });
  await import("../../assets/engine/worker.js");
  const settings = { core, packages: core, sums: { "pyodide.mjs": "sha256-x" }, archives: ["lab.tar.bz2"] };
  await self.onmessage({ data: settings });
  assert.deepEqual(said.at(-1), { ready: true });
  assert.deepEqual(asked.sort(), [
    ["lab.tar.bz2", ""],
    ["pyodide.mjs", "sha256-x"],
  ]);
  assert.ok(said.some(({ loaded }) => loaded === 10));
  said.length = 0;
  const runs = self.onmessage({ data: { id: 1, what: "run", text: "race?" } });
  await Promise.all([runs, self.onmessage({ data: { id: 2, what: "get", text: "film" } })]);
  const order = said.map(({ id, progress }) => (progress ? progress.done : `answer ${id}`));
  assert.deepEqual(order, [1, "answer 2", 2, 3, "answer 1"]);
});
