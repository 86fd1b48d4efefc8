// Films by address: asked for until they come, kept while the page is open, and not after nobody waits.
import assert from "node:assert/strict";
import { test } from "node:test";
import { addressOf, ask, filmOf } from "../../assets/stage/films.js";

// A film of one frame without charts, as the server writes it.
function film(n) {
  const text = new TextEncoder().encode(JSON.stringify({ n, charts: [], arrays: [] })),
    bytes = new Uint8Array(4 + text.length);
  new DataView(bytes.buffer).setUint32(0, text.length, true);
  bytes.set(text, 4);
  return bytes;
}

// A server that answers in this order, and then nothing but its last answer.
function server(t, ...answers) {
  const asked = [];
  t.mock.method(globalThis, "fetch", async (address, options) => {
    asked.push(address);
    if (options.cache === "reload") asked.reloads = (asked.reloads ?? 0) + 1;
    const answer = answers.length > 1 ? answers.shift() : answers[0];
    if (answer === "gone") throw new TypeError("failed to fetch");
    if (answer === "damaged") return new Response(film(7).subarray(0, 20));
    if (answer === "old") return new Response(null, { status: 400, headers: { "Lab-Release": "new" } });
    return answer === 200 ? new Response(film(7)) : new Response(null, { status: answer });
  });
  t.mock.timers.enable({ apis: ["setTimeout"] });
  return asked;
}

// Let everything that is under way go on, and the time with it.
async function go(t, milliseconds = 0) {
  for (let i = 0; i < 20; i++) await new Promise((done) => setImmediate(done));
  t.mock.timers.tick(milliseconds);
  for (let i = 0; i < 20; i++) await new Promise((done) => setImmediate(done));
}

test("a film is asked for until it comes", async (t) => {
  const asked = server(t, "gone", 503, 200),
    told = [];
  const coming = filmOf(
    "film/a?V=1",
    () => true,
    (status) => told.push(status),
  );
  await go(t, 1600);
  await go(t, 1600);
  assert.equal((await coming).n, 7);
  assert.deepEqual(told, [undefined, 503]);
  assert.equal(asked.length, 3);
});

test("a damaged answer is asked for again", async (t) => {
  const asked = server(t, "damaged", 200),
    told = [];
  const coming = filmOf(
    "film/d?V=1",
    () => true,
    (status) => told.push(status),
  );
  await go(t, 1600);
  assert.equal((await coming).n, 7);
  assert.deepEqual([told, asked.length], [[undefined], 2]);
  assert.equal(asked.reloads, 1); // the browser would keep the damaged one for good
});

test("an address answers with status and film", async (t) => {
  server(t, 204, 400, "gone", 200);
  const answers = [];
  for (let i = 0; i < 4; i++) answers.push(await ask("film/e?V=1"));
  assert.deepEqual(answers.slice(0, 3), [{ status: 204, film: null }, { status: 400, film: null }, null]);
  assert.deepEqual([answers[3].status, answers[3].film.n], [200, 7]);
});

test("nobody waiting, a film is not asked again", async (t) => {
  const asked = server(t, 503);
  const coming = filmOf(
    "film/b?V=1",
    () => false,
    () => {},
  );
  await go(t, 1600);
  assert.equal(await coming, null);
  assert.equal(asked.length, 1);
});

test("a film wanted twice is asked for once", async (t) => {
  const asked = server(t, 200);
  const want = () =>
    filmOf(
      "film/c?V=1",
      () => true,
      () => {},
    );
  const films = await Promise.all([want(), want()]);
  assert.equal(films[0], films[1]);
  assert.deepEqual(asked, ["film/c?V=1"]);
});

test("no film, or nonsense, is asked for once", async (t) => {
  for (const status of [204, 400]) {
    const asked = server(t, status),
      told = [];
    const coming = filmOf(
      `film/none?status=${status}`,
      () => true,
      (one) => told.push(one),
    );
    await go(t, 60000);
    assert.equal(await coming, null);
    assert.deepEqual([told, asked.length], [[status], 1]);
    t.mock.reset();
  }
});

test("an old page asks for the new release", async (t) => {
  const asked = server(t, "old", 200, "old");
  assert.equal((await ask("film/f?V=1&r=before&m=2")).film.n, 7);
  assert.deepEqual(asked.splice(0), ["film/f?V=1&r=before&m=2", "film/f?V=1&r=new&m=2"]);
  assert.deepEqual(await ask("film/f?r=before"), { status: 400, film: null });
  assert.equal(asked.length, 2);
});

test("an address holds settings and a frame's time", () => {
  const question = {
    lesson: "bands",
    query: [
      ["V", "1"],
      ["m", "2"],
    ],
  };
  assert.equal(addressOf(question, "film"), "film/bands?V=1&m=2");
  assert.equal(addressOf(question, "frame", { m: "3", t: 0 }), "frame/bands?V=1&m=3&t=0");
});
