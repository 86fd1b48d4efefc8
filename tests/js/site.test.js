// A page of the site without a server: what its address opens, what moments, sliders and bets write there, its worker.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { PAGE, TOLD } from "../../assets/player/page.js";
import { lab } from "../../assets/shared/lab.js";
import { PLAYER } from "./drawn.js";
import { filmOf, packed, until } from "./film.js";
import { page } from "./page.js";

const HTML = readFileSync(new URL("../../assets/site/lesson.html", import.meta.url), "utf8")
  .replace("@PLAYER@", PLAYER)
  .replace("@EXPORT@", readFileSync(new URL("../../assets/export/export.html", import.meta.url), "utf8"));
const V = { key: "V", label: "Drift", stops: ["0", "1", "2"], at: 1, files: ["v0", "opening", "v2"] };
const LESSON = {
  lesson: "bands",
  question: "How wide?",
  films: "films-1",
  views: [
    { key: "opening", title: "Opening", line: "", t: 4, file: "opening", sliders: [V] },
    { key: "missed", title: "Missed", line: "Look.", t: 2, file: "missed", sliders: [] },
    { key: "bet", title: "", line: "", t: 1, file: "bet", sliders: [] },
    { key: "truth", title: "", line: "", t: 5, file: "truth", sliders: [] },
  ],
  bet: { question: "Which is widest?", options: { a: "First", b: "Second" }, alts: {}, ranks: false },
};
let number = 0,
  gone = [];

// Open a page at these words; its films are six frames long.
async function open(hash) {
  page.open(
    `<nav><a data-in href="race.html">r</a><button id="look"></button></nav><h1></h1>${HTML}<p class="settings"></p><script id="lab-page"></script>`,
    `http://lab.test/bands.html${hash}`,
  );
  document.getElementById("lab-page").textContent = JSON.stringify(LESSON);
  document.querySelector("main").box = { left: 0, top: 0, width: 900, height: 500 };
  Object.assign(lab, { now: null, player: null });
  lab.charts.clear();
  document.head.append = (script) => {
    const name = script.src.replace("films-1/", "").replace(".js", ""),
      film = Buffer.from(packed(filmOf(6))).toString("base64"),
      verdicts = { a: "You were right. " },
      wagers = {};
    if (!gone.includes(name))
      lab.site.take(name, {
        film,
        alt: name,
        times: [0, 1, 2, 3, 4, 5],
        odds: `odds of ${name}`,
        caption: "Seed 1.",
        drawers: [],
        verdicts,
        wagers,
        truth: "It was the first.",
      });
    if (name === "exports") import("../../assets/site/exports.js").then(() => script.onload());
    else script.onload();
  };
  number += 1;
  await import(`../../assets/site/site.js?${number}`);
  await ready();
}
const shown = () => document.querySelector(".odds").textContent.replace("odds of ", "");
async function ready(name = null) {
  await until(() => {
    if (!lab.player?.clock.runs) page.picture(0); // it waits for the player a picture of the screen at a time
    return document.documentElement.dataset.ready && (name === null || shown() === name);
  });
}
const hash = () => Object.fromEntries(new URLSearchParams(location.hash.slice(1)));

test("an address opens moment, time, slider and look", async () => {
  const cases = [
    ["", "opening.light", 4],
    ["#t=1", "opening.light", 1],
    ["#moment=missed&theme=dark", "missed.dark", 2],
    ["#V=2&t=3", "v2.light", 3],
    ["#V=1", "opening.light", 4], // where it stands
    ["#V=9&moment=nonsense", "opening.light", 4],
  ];
  for (const [words, name, t] of cases) {
    await open(words);
    await ready(name);
    await until(() => lab.player.t === t);
    assert.equal(document.documentElement.dataset.look, name.split(".")[1], words);
  }
});

test("a moment is written into the address", async () => {
  await open("");
  document.querySelector(".st-key-moment button").click();
  await ready("missed.light");
  assert.deepEqual(hash(), { moment: "missed", theme: "light" });
  assert.equal(document.querySelector(".line").textContent, "“Look.”");
});

test("a pause writes its time", async () => {
  await open("");
  lab.player.jump(2);
  lab.player.tell();
  assert.deepEqual(hash(), { t: "2", theme: "light" });
  lab.player.jump(0);
  lab.player.tell();
  assert.equal(hash().t, "0");
  lab.player.jump(2);
  lab.player.tell();
  assert.match(document.querySelector("#embed-drawer code").textContent, /bands\.html\?embed=true#t=2&theme=light"/);
});

test("a slider keeps the time", async () => {
  await open("#t=3");
  const bar = document.querySelector(".st-key-V input");
  bar.value = 2;
  bar.oninput();
  bar.onchange();
  await ready("v2.light");
  assert.deepEqual([hash(), bar.getAttribute("aria-valuetext")], [{ V: "2", t: "3", theme: "light" }, "2"]);
});

test("the other look keeps the view", async () => {
  await open("#moment=missed");
  document.getElementById("look").click();
  await ready("missed.dark");
  assert.deepEqual(
    [hash().moment, hash().theme, document.getElementById("look").textContent],
    ["missed", "dark", "Light"],
  );
  assert.equal(document.querySelector("a[data-in]").hash, "#theme=dark");
});

test("a bet asks, is answered, and tells", async () => {
  await open("");
  PAGE.bet().click();
  await ready("bet.light");
  assert.equal(document.querySelector("h1").textContent, "Which is widest?");
  document.querySelector(".st-key-bet_pick button").click();
  assert.equal(document.querySelector(".st-key-bet_pick button").ariaPressed, "true");
  PAGE.reveal().click();
  await ready("truth.light");
  await until(() => lab.player.clock.runs);
  while (lab.player.clock.runs) page.picture(250);
  assert.ok(document.documentElement.classList.contains(TOLD));
});

test("a film that does not come is said", async () => {
  await open("");
  gone = ["missed.light"];
  document.querySelector(".st-key-moment button").click();
  await until(() => document.querySelector(".gone").textContent.startsWith("This picture is not here"));
  assert.equal(shown(), "opening.light");
  gone = [];
});

test("the Export drawer has a row a chart", async () => {
  await open("#t=3");
  const drawer = document.getElementById("export-drawer");
  assert.equal(drawer.hidden, false);
  drawer.open = true;
  drawer.ontoggle();
  await until(() => document.querySelector("#exports span")?.textContent === "opening.light");
  assert.equal(document.querySelector('#exports [data-as="png"]').getAttribute("aria-label"), "PNG of: opening.light");
});

test("the worker keeps films and pages", async () => {
  const kept = new Map([
      ["http://s/films-1/a.js", "film"],
      ["http://s/a.html", "old"],
    ]),
    heard = {};
  globalThis.self = { addEventListener: (type, act) => (heard[type] = act), clients: { claim() {} } };
  globalThis.caches = {
    open: async () => ({ match: async ({ url }) => kept.get(url), put: (request, got) => kept.set(request.url, got) }),
  };
  await import("../../assets/site/worker.js");
  const ask = async (url, method = "GET") => {
    let answer = "network";
    heard.fetch({ request: { url, method }, respondWith: (said) => (answer = said) });
    return answer;
  };
  globalThis.fetch = async () => ({ ok: true, clone: () => "copy", fresh: true });
  assert.equal(await ask("http://s/films-1/a.js"), "film");
  assert.ok((await ask("http://s/a.html")).fresh);
  assert.equal(kept.get("http://s/a.html"), "copy");
  globalThis.fetch = () => Promise.reject(new Error("away"));
  assert.equal(await ask("http://s/a.html"), "copy");
  assert.equal((await ask("http://s/b.html")).type, "error");
  assert.equal(await ask("http://s/a.html", "POST"), "network");
});
