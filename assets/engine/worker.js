// A worker with the browser's own Python in it. The page sends first what assets/engine/engine.js calls its settings, then
// { id, what, text, key }, and hears { id, bytes } of what is drawn, { id, said } of everything else, before it { id, progress }
// of runs, or { id, failed }; { giveUp: id } ends runs. Before all that it hears { loaded } bytes, and { ready } or { failed }.
import { startPython } from "./python.js";

const { fetch: load } = self;
let loaded = 0;

// A file by its name, checked by its sum where it is known, and counted while it comes.
async function counted(sums, address, options = {}) {
  const name = new URL(address, location.href).pathname.split("/").pop(),
    got = await load(address, { ...options, integrity: sums[name] ?? options.integrity ?? "" });
  if (!got.ok) throw new TypeError(`${name} did not come`);
  const count = new TransformStream({
    transform(part, on) {
      loaded += part.byteLength;
      postMessage({ loaded });
      on.enqueue(part);
    },
  });
  return new Response(got.body.pipeThrough(count), { status: got.status, headers: got.headers });
}

async function open({ core, packages, sums, archives, lesson, number, own }) {
  const bytesOf = async (address) => (await self.fetch(address)).arrayBuffer(),
    at = new URL(core, location.href).href;
  self.fetch = (address, options) => counted(sums, address?.url ?? address, options);
  // A script is imported, which checks no sum: it is fetched before, and the browser has it then.
  const scripts = Object.keys(sums).filter((name) => /\.m?js$/.test(name));
  const [boxes] = await Promise.all([Promise.all(archives.map(bytesOf)), ...scripts.map((name) => bytesOf(at + name))]);
  const { loadPyodide } = await import(`${at}pyodide.mjs`),
    options = { indexURL: at, packageBaseUrl: new URL(packages, location.href).href };
  return startPython(loadPyodide, options, boxes, [[lesson, number]], own);
}

let lab = null;
const given = new Set(); // numbers of orders that the reader gave up

// Run what a state waits for, one job after the other; between two of them other questions are answered.
async function runAll(python, id, text) {
  for (let state = { done: 0, of: 1 }; state.done < state.of; ) {
    if (given.delete(id)) return null;
    state = python.run(text);
    postMessage({ id, progress: state });
    await new Promise((done) => setTimeout(done));
  }
  return true;
}

async function answer({ id, what, text, key, name, value }) {
  const python = await lab;
  if (what === "get") return { id, ...python.get(text) };
  if (what === "chart") return { id, bytes: python.chart(text, key) };
  if (what === "check") return { id, said: python.check(text) };
  if (what === "own table") return { id, said: await python.table(text, key, name, value) };
  return { id, said: what === "run" ? await runAll(python, id, text) : python.say(what, text, key) };
}

self.onmessage = async ({ data }) => {
  try {
    if (data.giveUp) return given.add(data.giveUp);
    if (lab !== null) return postMessage(await answer(data));
    lab = open(data);
    await lab;
    postMessage({ ready: true });
  } catch (problem) {
    postMessage({ id: data.id, failed: `${problem.name}: ${problem.message}` });
  }
};
