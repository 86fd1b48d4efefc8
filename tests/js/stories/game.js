// The stage of the game, and its page on a site without a server.
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { lab } from "../../../assets/shared/lab.js";
import { mountChart, mountServed } from "../../../assets/stage/served.js";
import { CHART, PLAYER } from "../drawn.js";
import { messageOf, packed, until } from "../film.js";
import { page } from "../page.js";
import { act, click, hand, hears, keys, open, tick } from "../reader.js";

const read = (name) => readFileSync(new URL(name, import.meta.url));
const STAGE = ".chart",
  BOX = { left: 100, top: 50, width: 800, height: 400 };
const bytes = gunzipSync(read("../films/game-opening.film.gz")),
  BOARD = JSON.parse(bytes.subarray(4, 4 + bytes.readUInt32LE(0)));
let body, sent;

const watch = () => ({ place: lab.player?.ask.place, waiting: lab.player?.ask.waiting, left: lab.player?.ask.left });
const says = hears("sends");
// Python's message of a game with so many rounds: what was asked, and the number of the question that it answers.
async function hear({ rounds = 8, asked = 0, heard = null, game = "g" } = {}) {
  const film = structuredClone(BOARD);
  film.times = [asked];
  film.sentences = [`Round ${asked + 1} of ${rounds}`];
  film.charts[0].pick.ask.left = rounds - asked;
  const revision = `${game} ${rounds} ${asked} ${heard}`,
    head = { revision, reset: game, start: 0, plays: null, question: null, heard };
  await act(`Python says ${JSON.stringify({ rounds, asked, heard: heard !== null, game })}`, async () => {
    const send = (what, said) => {
      sent = said;
      says(what, { ...said, n: typeof said.n });
    };
    mountServed({ parentElement: body, data: messageOf(head, packed(messageOf(film))), setStateValue: send });
    await until(() => lab.player.name === revision);
  });
}
async function anew(more) {
  body = open(`<div class="st-key-main">${CHART}</div>${PLAYER}`, { watch });
  const spot = body.querySelector(".st-key-main");
  for (const part of spot.querySelectorAll(".swipe, .chart")) part.box = BOX;
  mountChart({ parentElement: spot, data: messageOf({ key: "main", alt: "a", plotly: "p.js", revision: null }) });
  await hear(more);
}
// Press at a place, and let go there or at another one.
function slide(from, to = from, clientY = 250) {
  const { left, right } = lab.player.ask.box(lab.charts.get("main"), "x"),
    at = (place) => Math.round(BOX.left + left + (place / 100) * (right - left));
  hand("pointerdown", STAGE, { clientX: at(from), clientY });
  if (to !== from) hand("pointermove", STAGE, { clientX: at(to), clientY, pointerType: "touch" });
  hand("pointerup", STAGE, { clientX: at(to), clientY });
}

const WORLD = {
  key: "still",
  name: "w",
  title: "Still",
  alt: "What you heard",
  rules: "Play.",
  moved: "It stood.",
  caption: "c",
  marker: 11,
  boards: { light: BOARD.charts[0].figure },
  f: [
    [0, 1, 2],
    [2, 1, 0],
  ],
  noise: [0, 0],
  rivals: [{ name: "GP-UCB", regret: 1, does: "learns" }],
};

export const stories = {
  "a slide chooses, a double click asks once": async () => {
    await anew();
    slide(30, 60);
    slide(60);
    slide(60);
    page.later(351);
    slide(30);
  },
  "a click beside the axes asks nothing": async () => {
    await anew();
    slide(-20);
    slide(30, 30, 10);
  },
  "questions wait, and end with the rounds": async () => {
    await anew({ rounds: 3 });
    keys("Enter Enter Enter Enter");
    await hear({ rounds: 3, asked: 1, heard: sent.n });
    await hear({ rounds: 3, asked: 2, heard: sent.n });
    await hear({ rounds: 3, asked: 3, heard: sent.n });
    keys("Enter");
  },
  "another game forgets what waited": async () => {
    await anew();
    keys("Enter ArrowRight Enter");
    await hear({ game: "other" });
    tick(9000);
  },
  "keys and buttons choose a place": async () => {
    await anew();
    keys("ArrowRight Shift+ArrowLeft PageDown End PageDown Home ArrowLeft");
    act("a key that repeats", () => page.press("Enter", body.querySelector(STAGE), { repeat: true }));
    click('[data-do="right"]');
    click('[data-do="ask"]');
  },
  "a pack of worlds goes from world to world": async () => {
    const walk = ["still", "other"].map((view) => ({ file: "game.html", view })),
      [first, last] = ["index.html", "seen.html"].map((file) => ({ file })),
      said = JSON.stringify({ file: "game.html", walks: { "": [first, ...walk, last] } }),
      html = read("../../../assets/game/site.html").toString().replace("@PLAYER@", PLAYER),
      around = `<nav><a></a><span id="walk"></span></nav><h1></h1><button id="look"></button><p class="settings"></p>`;
    open(`${html}${around}<script id="lab-page"></script>`, { address: "http://lab.test/game.html#moment=still" });
    document.getElementById("lab-page").textContent = said;
    const stands = (key) => until(() => lab.player?.name.startsWith(`${key}-`));
    await act("its page opens", async () => {
      await import("../../../assets/site/site.js?worlds");
      lab.site.worlds.push(...["still", "other"].map((key) => ({ ...WORLD, key, name: key })));
      await import("../../../assets/game/site.js?worlds");
      await stands("still");
    });
    keys("n");
    await act("the browser goes there", async () => {
      history.replaceState(null, "", page.went.at(-1));
      window.dispatchEvent(page.event("hashchange"));
      await stands("other");
    });
  },
  "the site plays a world to its end": async () => {
    const html = read("../../../assets/game/site.html").toString().replace("@PLAYER@", PLAYER),
      around = `<h1></h1><button id="look"></button><p class="settings"></p><script id="lab-page">{}</script>`;
    open(`${html}${around}`, { address: "http://lab.test/game.html#moment=still&theme=light", watch });
    await act("its page opens", async () => {
      await import("../../../assets/site/site.js?game");
      lab.site.worlds.push({ ...WORLD, key: "other" }, WORLD);
      await import("../../../assets/game/site.js");
      for (const part of document.querySelectorAll(".swipe, .chart")) part.box = BOX;
      await until(() => lab.player?.film.charts.length);
    });
    for (const n of [1, 2]) {
      keys("Home Enter");
      await act("its answer comes", async () => {
        tick(0);
        await until(() => lab.player.time === n);
      });
    }
  },
};
