// A page of the site without a server: what its address opens, what moments, sliders and bets write there, its worker.
import { readFileSync } from "node:fs";
import { PAGE } from "../../../assets/player/page.js";
import { lab } from "../../../assets/shared/lab.js";
import { Controls } from "../../../assets/site/controls.js";
import { OwnBandit } from "../../../assets/site/own.js";
import { TablePanel } from "../../../assets/site/table.js";
import { PLAYER } from "../drawn.js";
import { filmOf, packed, until } from "../film.js";
import { page } from "../page.js";
import { act, hears, keys, open, say } from "../reader.js";

const text = (name) => readFileSync(new URL(`../../../assets/${name}`, import.meta.url), "utf8");
const HTML = text("site/lesson.html").replace("@PLAYER@", PLAYER).replace("@EXPORT@", text("export/export.html"));
const stop = (text) => [text, text];
const V = {
  key: "V",
  name: "Drift",
  help: "Of rewards.",
  widget: "slider",
  stops: ["0", "1", "2"].map(stop),
  words: [],
};
const view = (key, t, more) => ({ key, title: "", line: "", t, file: key, ...more });
// What a page of these settings says, at a view's time.
const said = (name, { V: value = "1", moment = null, ...address } = {}) => ({
  lesson: "bands",
  question: "How wide?",
  address: { ...(value !== "1" && { V: value }), ...(moment && { moment }), ...address },
  along: value === "1" ? {} : { V: value },
  moment,
  moments: [{ key: "missed", line: "Look." }],
  knobs: { V: { ...V, label: "Drift", value, acts: true } },
  groups: [{ place: "beside", heading: "", knobs: ["V"] }],
  leads: "V",
  tasks: [],
  help: [],
  script: false,
  settings: "Drift: 1",
  waits: null,
  refused: "",
  scene: {
    times: [0, 1, 2, 3, 4, 5],
    start: 4,
    alt: name,
    screens: [1, 0],
    sentence: "",
    caption: "",
    notes: [],
    odds: `odds of ${name}`,
    strip: null,
    drawers,
    tables: [],
  },
  film: {
    lesson: "bands",
    query: [
      ["r", "1"],
      ["V", value],
    ],
    knobs: { V: ["0", "1", "2"] },
  },
  reset: "",
  caption: "Seed 1.",
});
const LESSON = {
  lesson: "bands",
  words: ["moment", "t", "v", "V"],
  question: "How wide?",
  films: "films-1",
  views: [
    view("opening", 4, { title: "Opening" }),
    view("missed", 2, { title: "Missed", line: "Look." }),
    view("bet", 1),
    view("truth", 5),
  ],
  bet: { question: "Which is widest?", options: { a: "First", b: "Second" }, alts: {}, ranks: false },
};
const AROUND =
  '<nav><a data-in href="race.html">r</a><button id="look"></button><span id="walk"></span></nav><h1></h1>';
let number = 0,
  gone = [],
  drawers = [], // of a scene
  bet = { right: ["a"], wagers: {} }; // what the truth says of it

const coded = (film) => Buffer.from(packed(film)).toString("base64");
const FILM = (name) => ({
  film: coded(filmOf(6)),
  page: said(name, name.startsWith("missed") ? { moment: "missed" } : {}),
  verdicts: { a: "You were right. " },
  ...bet,
  truth: "It was the first.",
});
// The file of a view's drawers: one with a chart that moves.
const BELOW = {
  film: coded(filmOf(6, {}, "widths")),
  captions: {},
  said: { widths: { text: "", charts: [{ key: "widths", alt: "Widths", caption: "", moves: true, as_of: "" }] } },
};
// A worker whose Python is there at once, and answers what it is asked.
class Python {
  postMessage({ id, what, text }) {
    say(`  the worker hears ${what ?? "its settings"} ${text ?? ""}`);
    const answers = {
      get: () => ({ status: 200, bytes: new Uint8Array(filmOf(6)) }),
      page: () => ({ said: { ...said(text, Object.fromEntries(new URLSearchParams(text.split("?")[1]))), wrong: [] } }),
    };
    queueMicrotask(() => this.onmessage({ data: what ? { id, ...answers[what]() } : { ready: true } }));
  }
  terminate() {}
}
// A worker whose files do not come.
class Away extends Python {
  postMessage() {
    queueMicrotask(() => this.onmessage({ data: { failed: "TypeError: Failed to fetch" } }));
  }
}
let python = Python;
// The script of a film hands it over once it is loaded; those that are gone hand over nothing.
function load(script) {
  const name = script.src.replace("films-1/", "").replace(".js", "");
  say(`  loads ${name}`);
  if (!gone.includes(name)) lab.site.take(name, name.endsWith(".below") ? BELOW : FILM(name));
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
const scripts = (n) =>
  Promise.all([import(`../../../assets/site/site.js?${n}`), import("../../../assets/site/fingers.js")]);
// Open a page at these words; its films are six frames long.
async function at(hash, name = "opening.light", t = null, more = {}, inside = "") {
  const html = `${AROUND}${HTML}<p class="settings"></p><script id="lab-page"></script>${inside}`;
  open(html, { address: `http://lab.test/bands.html${hash}`, watch: () => ({ t: lab.player?.t }) });
  document.getElementById("lab-page").textContent = JSON.stringify({ ...LESSON, ...more });
  document.querySelector("main").box = { left: 0, top: 0, width: 900, height: 500 };
  document.head.append = load;
  globalThis.Worker = python;
  number += 1;
  await stands(name, `it opens at ${hash}`, () => scripts(number), t);
}
const find = (selector) => document.querySelector(selector);

export const stories = {
  "an address opens moment, time, slider and look": async () => {
    await at("");
    await at("#t=1", "opening.light", 1);
    await at("#moment=missed&theme=dark", "missed.dark");
    await at("?moment=missed", "missed.light");
    await at("?theme=dark#theme=Light", "opening.light");
    await at("?theme=dark", "opening.dark");
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
  "a slider asks the page's own Python": async () => {
    await at("#t=3", "opening.light", 3, { engine: { size: 9 } });
    const bar = find(".st-key-V input");
    await stands("bands?t=3&V=2&theme=light", "a slider", () => {
      bar.value = 2;
      bar.oninput();
      bar.onchange();
    });
    await stands("opening.light", "a step back", () => find("#undo").click());
  },
  "controls set at once are all kept": async () => {
    await at("#t=3", "opening.light", 3, { engine: { size: 9 } });
    const { lesson } = lab.site;
    await stands("bands?t=3&V=2&seed=7&theme=light", "two controls, and a pause between", () => {
      lesson.setKnob("V", "2");
      lab.player.tell();
      say(`  a pause leaves ${location.hash}`);
      lesson.setKnob("seed", "7");
    });
    await stands("opening.light", "one step back", () => find("#undo").click());
  },
  "what a link sets outlives a failed waking": async () => {
    await at("#V=2"); // from a disk, or in a pack
    python = Away;
    await at("#V=2&t=1", "opening.light", 1, { engine: { size: 9 } });
    await stands("opening.dark", "the other look", () => find("#look").click());
    python = globalThis.Worker = Python;
    await stands("bands?V=2&t=1&theme=dark", "a hand wakes it", () => lab.site.lesson.engine.wake());
  },
  "the World goes through a page without its controls": async () => {
    await at("#kind=jumps&V=2", "bands?V=2&theme=light", null, { engine: { size: 9 }, others: ["kind"] });
    say(`  the next lesson opens at ${find("nav a").hash}`);
    await stands("opening.light", "the way it opens", () => find("#reset").click());
    say(`  the next lesson opens at ${find("nav a").hash}`);
  },
  "a link to keep is Python's": () =>
    at("?v=4&moment=missed", "bands?v=4&moment=missed&theme=light", null, { engine: { size: 9 } }),
  "a chart below moves on once Python wakes": async () => {
    drawers = [{ key: "widths", title: "Widths", charts: { widths: "" } }];
    await at("#t=3", "opening.light", 3, { engine: { size: 9 } });
    const moves = () =>
      lab.player.data.revision === "opening.light.below" &&
      lab.player.film.charts.includes(lab.charts.get("widths")?.film);
    await act("its drawer is opened", async () => {
      const drawer = find("#drawer-widths");
      drawer.open = true;
      drawer.ontoggle({ target: drawer });
      await until(moves);
    });
    await act("Python is ready", async () => {
      lab.site.lesson.engine.wake();
      await until(() => lab.player.data.question && moves());
    });
    drawers = [];
  },
  "what a hand types or holds stays": () => {
    open("<main></main>");
    const seed = { ...V, key: "seed", widget: "number", stops: [], low: 0, high: 99, step: 1, label: "Seed" },
      groups = [{ place: "beside", heading: "", knobs: ["seed", "V"] }],
      controls = new Controls(find("main"), (key, text) => say(`  ${key} becomes ${text}`)),
      draw = (number, value) => {
        const knobs = { seed: { ...seed, value: number, acts: true }, V: { ...V, label: "Drift", value, acts: true } };
        controls.draw({ knobs, groups, leads: null });
      };
    act("both stand", () => draw("1", "1"));
    const field = find(".st-key-seed input"),
      [bar, number] = find(".track").children;
    act("an answer while a seed is typed", () => {
      field.focus();
      field.value = "12";
      draw("1", "1");
    });
    act("it is set, and does not come", () => {
      field.reportValidity = () => true;
      field.dispatchEvent(page.event("change"));
      draw("1", "1");
    });
    act("an answer while a number is typed", () => {
      number.focus();
      number.value = "1.";
      draw("1", "0");
    });
    act("an answer while the slider is held", () => {
      document.body.focus();
      find(".track").pressed = true;
      bar.value = 2;
      bar.oninput();
      draw("1", "0");
    });
    act("it is let go", () => {
      find(".track").pressed = false;
      draw("1", "0");
    });
  },
  "choices for a table follow each other": async () => {
    open("<section></section>");
    const ask = async (_, text, { name }) => {
      say(`  asks for ${name} after ${text}`);
      return { said: { choices: `${text} ${name}` } };
    };
    const host = { asked: { words: "none" }, text: (words) => words, words: ({ choices }) => choices, engine: { ask } };
    host.go = async (words) => {
      host.asked = { words };
    };
    const table = new TablePanel(find("section"), host);
    await act("two at once", () => Promise.all(["unit", "lower"].map((name) => table.act("choose", name))));
  },
  "a bandit races as it was checked": async () => {
    open("<details></details>");
    let answer;
    const ask = () =>
      new Promise((done) => {
        answer = done;
      });
    const host = { answer: { knobs: { algos: { value: "gp" } } }, setKnob: hears("  sets") };
    host.engine = { settings: {}, sleep() {}, ask };
    await act("its text changes while it is checked", async () => {
      const bandit = new OwnBandit(find("details"), host, "algos");
      bandit.text.value = "class Mine";
      const over = bandit.race();
      bandit.text.value = "class";
      answer({ said: { word: "mine", lines: [] } });
      await over;
    });
    say(`  ${host.engine.settings.own} races`);
  },
  "a number is typed beside a slider": async () => {
    await at("#t=3", "opening.light", 3, { engine: { size: 9 } });
    const field = find(".st-key-V .track").children[1];
    act("no number", () => {
      field.value = "";
      field.onchange();
    });
    await stands("bands?t=3&V=2&theme=light", "a number between two stops", () => {
      field.value = "1.7";
      field.onchange();
    });
  },
  "an arrow goes to the next of uneven stops": () => {
    open("<main></main>");
    const knob = { ...V, stops: ["5", "10", "20", "40"].map(stop), label: "Memory", acts: true, value: "20" },
      groups = [{ place: "beside", heading: "", knobs: ["V"] }],
      controls = new Controls(find("main"), (key, text) => say(`  ${key} becomes ${text}`));
    act("it stands", () => controls.draw({ knobs: { V: knob }, groups, leads: null }));
    const press = (key) =>
      act(key, () => find(".track").children[1].onkeydown({ key, preventDefault: () => say("  no own step") }));
    for (const key of ["ArrowUp", "ArrowUp", "ArrowDown", "7"]) press(key);
  },
  "what is chosen stands first in its list": () => {
    open("<main></main>");
    const list = {
        ...V,
        key: "algos",
        widget: "pills",
        stops: ["a", "b", "c"].map(stop),
        label: "Algorithms",
        acts: true,
      },
      groups = [{ place: "beside", heading: "", knobs: ["algos"] }],
      controls = new Controls(find("main"), () => {}),
      draw = (value) => controls.draw({ knobs: { algos: { ...list, value } }, groups, leads: null });
    act("two are chosen", () => draw("b.c"));
    act("another one, by hand", () => {
      find("input").focus();
      draw("a.c");
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
  "an order is right as a whole": async () => {
    bet = { right: ["b", "a"], wagers: { "": coded(filmOf(1)) } };
    await at("", "opening.light", null, { bet: { ...LESSON.bet, ranks: true } });
    window.addEventListener("tvbo:told", ({ detail }) => say(`  it is ${detail.right ? "right" : "wrong"}`));
    for (const guess of ["a.b", "b.a"])
      await act(`the order ${guess}`, async () => {
        await lab.site.lesson.go(new Map(Object.entries({ guess, reveal: "true" })));
        await until(() => lab.player.clock.runs && lab.charts.get("wager")?.figure);
      });
    bet = { right: ["a"], wagers: {} };
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
    const inside = `<script type="application/json" id="opening.dark">${JSON.stringify(FILM("inside"))}</script>`,
      [opening] = LESSON.views;
    await at("", "opening.dark", null, { look: "dark", films: undefined, views: [opening] }, inside);
  },
  "the worker keeps films and pages": async () => {
    open();
    const kept = new Map([
        ["http://s/films-1/a.js", "kept film"],
        ["http://s/a.html", "kept page"],
        ["http://s/index.html", "kept front page"],
      ]),
      heard = {};
    globalThis.self = {
      registration: { scope: "http://s/" },
      addEventListener: (type, does) => (heard[type] = does),
      clients: { claim() {} },
    };
    const cache = {
      match: async (asked) => kept.get((asked.url ?? asked).split("?")[0]),
      put: ({ url }, got) => kept.set(url, got),
    };
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
    for (const name of ["films-1/a.js", "a.html", "b.html", "", "?course=x"]) await ask(`http://s/${name}`);
    await ask("http://s/a.html", "POST");
  },
};
