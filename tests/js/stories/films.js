// Films by address: asked for until they come, kept while the page is open, and not after nobody waits.
import { mock } from "node:test";
import { addressOf, ask, filmOf } from "../../../assets/stage/films.js";
import { filmOf as film } from "../film.js";
import { act, hears, open, say } from "../reader.js";

// A server that answers in this order, and then nothing but its last answer.
function server(...answers) {
  open();
  globalThis.fetch = async (address, { cache }) => {
    say(`  fetch ${address} ${cache ?? ""}`);
    const answer = answers.length > 1 ? answers.shift() : answers[0];
    if (answer === "gone") throw new TypeError("failed to fetch");
    if (answer === "damaged") return new Response(film(7).subarray(0, 20));
    if (answer === "old") return new Response(null, { status: 400, headers: { "Lab-Release": "new" } });
    return answer === 200 ? new Response(film(7)) : new Response(null, { status: answer });
  };
}
// Let everything that is under way go on, and the time with it.
async function go(milliseconds = 0) {
  for (let i = 0; i < 20; i++) await new Promise((done) => setImmediate(done));
  mock.timers.tick(milliseconds);
  for (let i = 0; i < 20; i++) await new Promise((done) => setImmediate(done));
}
const wanted = (address, waits = () => true) => filmOf(address, waits, hears("is told"));
const came = async (coming) => say(`came: ${(await coming)?.n}`);
async function asked(address) {
  const answer = await ask(address);
  say(`answer: ${answer && `${answer.status} ${answer.film?.n}`}`);
}

export const stories = {
  "a film is asked for until it comes": async () => {
    server("gone", 503, "damaged", 200);
    const coming = wanted("film/a?V=1");
    for (const _ of [1, 2, 3]) await act("1600 ms later", () => go(1600));
    await came(coming);
  },
  "an address answers with status and film": async () => {
    server(204, 400, "gone", 200);
    for (let i = 0; i < 4; i++) await asked("film/e?V=1");
  },
  "a film wanted twice is asked for once": async () => {
    server(200);
    const [one, other] = await Promise.all([wanted("film/c?V=1"), wanted("film/c?V=1")]);
    say(`the same: ${one === other}`);
  },
  "no film, or nonsense, is asked for once": async () => {
    for (const status of [204, 400]) {
      server(status);
      const coming = wanted(`film/none?status=${status}`);
      await go(60000);
      await came(coming);
    }
  },
  "an old page asks for the new release": async () => {
    server("old", 200, "old");
    await asked("film/f?V=1&r=before&m=2");
    await asked("film/f?r=before");
  },
  "an address holds settings and a frame's time": () => {
    open();
    const query = Object.entries({ V: "1", m: "2" });
    say(addressOf({ lesson: "bands", query }, "film"));
    say(addressOf({ lesson: "bands", query }, "frame", { m: "3", t: 0 }));
  },
};
