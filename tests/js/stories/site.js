// A page of the site without a server: what its address opens, what moments, sliders and bets write there, its worker.
import { readFileSync } from "node:fs";
import { PAGE } from "../../../assets/player/page.js";
import { lab } from "../../../assets/shared/lab.js";
import { PLAYER } from "../drawn.js";
import { filmOf, packed, until } from "../film.js";
import { page } from "../page.js";
import { act, keys, open, say } from "../reader.js";

const text = (name) => readFileSync(new URL(`../../../assets/${name}`, import.meta.url), "utf8");
const HTML = text("site/lesson.html").replace("@PLAYER@", PLAYER).replace("@EXPORT@", text("export/export.html"));
const V = { key: "V", label: "Drift", stops: ["0", "1", "2"], at: 1, files: ["v0", "opening", "v2"] };
const view = (key, t, more) => ({ key, title: "", line: "", t, file: key, sliders: [], ...more });
const LESSON = {
  lesson: "bands",
  question: "How wide?",
  films: "films-1",
  views: [
    view("opening", 4, { title: "Opening", sliders: [V] }),
    view("missed", 2, { title: "Missed", line: "Look." }),
    view("bet", 1),
    view("truth", 5),
  ],
  bet: { question: "Which is widest?", options: { a: "First", b: "Second" }, alts: {}, ranks: false },
};
const AROUND =
  '<nav><a data-in href="race.html">r</a><button id="look"></button><span id="walk"></span></nav><h1></h1>';
let number = 0,
  gone = [];

const FILM = () => ({
  film: Buffer.from(packed(filmOf(6))).toString("base64"),
  times: [0, 1, 2, 3, 4, 5],
  caption: "Seed 1.",
  drawers: [],
  verdicts: { a: "You were right. " },
  wagers: {},
  truth: "It was the first.",
});
// The script of a film hands it over once it is loaded; those that are gone hand over nothing.
function load(script) {
  const name = script.src.replace("films-1/", "").replace(".js", "");
  say(`  loads ${name}`);
  if (!gone.includes(name)) lab.site.take(name, { ...FILM(), alt: name, odds: `odds of ${name}` });
  if (name === "exports") import("../../../assets/site/exports.js").then(() => script.onload());
  else script.onload();
}

// Do something and wait until the film of a name stands, at this time.
const stands = (name, words, does, t = null) =>
  act(words, async () => {
    await does();
    await until(() => {
      if (lab.player?.clock.runs) return true; // it plays at once
      page.picture(0); // it waits for the player a picture of the screen at a time
      return document.documentElement.dataset.ready === name && (t === null || lab.player.t === t);
    });
  });
// Open a page at these words; its films are six frames long.
async function at(hash, name = "opening.light", t = null, more = {}, inside = "") {
  const html = `${AROUND}${HTML}<p class="settings"></p><script id="lab-page"></script>${inside}`;
  open(html, { address: `http://lab.test/bands.html${hash}`, watch: () => ({ t: lab.player?.t }) });
  document.getElementById("lab-page").textContent = JSON.stringify({ ...LESSON, ...more });
  document.querySelector("main").box = { left: 0, top: 0, width: 900, height: 500 };
  document.head.append = load;
  number += 1;
  await stands(name, `it opens at ${hash}`, () => import(`../../../assets/site/site.js?${number}`), t);
}
const find = (selector) => document.querySelector(selector);

export const stories = {
  "an address opens moment, time, slider and look": async () => {
    await at("");
    await at("#t=1", "opening.light", 1);
    await at("#moment=missed&theme=dark", "missed.dark");
    await at("#V=2&t=3", "v2.light", 3);
    await at("#V=1"); // where it stands
    await at("#V=9&moment=nonsense");
  },
  "moments, looks and times are written there": async () => {
    await at("");
    await stands("missed.light", "a moment", () => find(".st-key-moment button").click());
    await stands("missed.dark", "the other look", () => find("#look").click());
    for (const t of [2, 0, 2])
      act(`a pause at ${t}`, () => {
        lab.player.jump(t);
        lab.player.tell();
      });
  },
  "a slider keeps the time": async () => {
    await at("#t=3");
    const bar = find(".st-key-V input");
    await stands("v2.light", "a slider", () => {
      bar.value = 2;
      bar.oninput();
      bar.onchange();
    });
    await stands("v0.light", "a slider at the beginning of time", () => {
      lab.player.jump(0);
      lab.player.tell();
      bar.value = 0;
      bar.oninput();
      bar.onchange();
    });
  },
  "a bet asks, is answered, and tells": async () => {
    await at("");
    await stands("bet.light", "the bet", () => PAGE.bet().click());
    act("an answer", () => find(".st-key-bet_pick button").click());
    await stands("truth.light", "what happened", () => PAGE.reveal().click());
    await act("its film plays", async () => {
      await until(() => lab.player.clock.runs);
      while (lab.player.clock.runs) page.picture(250);
    });
  },
  "a film that does not come is said": async () => {
    await at("");
    gone = ["missed.light"];
    await act("a moment", async () => {
      find(".st-key-moment button").click();
      await until(() => find(".gone").textContent);
    });
    gone = [];
  },
  "the Export drawer has a row a chart": async () => {
    await at("#t=3");
    await act("it is opened", async () => {
      find("#export-drawer").open = true;
      find("#export-drawer").ontoggle();
      await until(() => find("#exports span")?.textContent === "opening.light");
    });
  },
  "a pack plays a film before its answer": async () => {
    const walk = [
        { file: "index.html" },
        { file: "bands.html", view: "bet" },
        { file: "bands.html", view: "truth" },
        { file: "bands.html", view: "missed", plays: true, begins: 0 },
        { file: "race.html", view: "jumps", plays: true, begins: 0 },
      ],
      [, missed, bet, truth] = LESSON.views;
    await at("#moment=bet", "bet.light", null, {
      file: "bands.html",
      walks: { "": walk },
      views: [bet, truth, missed],
    });
    await stands("truth.light", "on to what happened", () => keys("PageDown"));
    keys("PageDown"); // the film is brought to its end
    await stands("missed.light", "on to a film", () => keys("PageDown"), 0);
    keys("PageDown PageDown"); // it plays, and is there
    keys("PageDown n i");
    await stands("truth.light", "back", () => keys("PageUp"));
    lab.course = null;
  },
  "a page in one file loads nothing": async () => {
    const inside = `<script type="application/json" id="opening.dark">${JSON.stringify({ ...FILM(), alt: "inside" })}</script>`,
      [{ sliders: _, ...opening }] = LESSON.views;
    await at(
      "",
      "opening.dark",
      null,
      { look: "dark", films: undefined, views: [{ ...opening, sliders: [] }] },
      inside,
    );
  },
  "the worker keeps films and pages": async () => {
    open();
    const kept = new Map([
        ["http://s/films-1/a.js", "kept film"],
        ["http://s/a.html", "kept page"],
      ]),
      heard = {};
    globalThis.self = {
      registration: { scope: "http://s/" },
      addEventListener: (type, does) => (heard[type] = does),
      clients: { claim() {} },
    };
    const cache = { match: async ({ url }) => kept.get(url), put: ({ url }, got) => kept.set(url, got) };
    globalThis.caches = { open: async () => cache };
    await import("../../../assets/site/worker.js");
    const ask = async (url, method = "GET") => {
      let answer = "left to the network";
      heard.fetch({ request: { url, method }, respondWith: (given) => (answer = given) });
      say(`${method} ${url}: ${((await answer)?.type ?? (await answer)) || "nothing"}`);
    };
    globalThis.fetch = async () => ({ ok: true, clone: () => "copy", type: "fresh" });
    for (const name of ["films-1/a.js", "a.html"]) await ask(`http://s/${name}`);
    globalThis.fetch = () => Promise.reject(new Error("away"));
    for (const name of ["films-1/a.js", "a.html", "b.html"]) await ask(`http://s/${name}`);
    await ask("http://s/a.html", "POST");
  },
};
