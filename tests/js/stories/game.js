// The stage of the game, and its page on a site without a server.
import { readFileSync } from "node:fs";
import mountGame from "../../../assets/game/game.js";
import { lab } from "../../../assets/shared/lab.js";
import { page } from "../page.js";
import { gameOf } from "../plays.js";
import { act, click, hand, hears, keys, open, tick } from "../reader.js";

const html = (name) => readFileSync(new URL(`../../../assets/game/${name}.html`, import.meta.url), "utf8");
const STAGE = ".stage";
let body;

function mount(more = {}) {
  if (!body?.isConnected) {
    body = open(html("game"), { watch: () => ({ at: lab.game?.at, waiting: lab.game?.queue.length }) });
    body.querySelector(STAGE).box = { left: 100, top: 50, width: 800, height: 400 };
  }
  const data = gameOf(more);
  act(`the page says ${JSON.stringify(more)}`, () =>
    mountGame({ parentElement: body, data, setStateValue: hears("sends") }),
  );
}
const anew = (more) => {
  body = null;
  mount(more);
};
// Press at an arm or a place, and let go there or at another one.
function slide(from, to = from, clientY = 250) {
  const at = (arm) => (arm > 100 ? arm : 100 + lab.game.X(arm / 100));
  hand("pointerdown", STAGE, { clientX: at(from), clientY });
  hand("pointerup", STAGE, { clientX: at(to), clientY });
}

const WORLD = {
  key: "still",
  name: "w",
  title: "Still",
  rules: "Play.",
  moved: "It stood.",
  caption: "c",
  looks: { light: gameOf().look },
  f: [
    [0, 1, 2],
    [2, 1, 0],
  ],
  noise: [0, 0],
  rivals: [{ name: "GP-UCB", regret: 1, does: "learns" }],
};

export const stories = {
  "a slide chooses, a double click asks once": () => {
    anew();
    slide(30, 60);
    slide(60);
    slide(60);
    page.later(351);
    slide(30, 30.3);
  },
  "a click beside the axes asks nothing": () => {
    anew();
    slide(105);
    slide(30, 30, 60);
  },
  "questions wait, and end with the rounds": () => {
    anew({ rounds: 3 });
    keys("Enter Enter Enter Enter Enter", STAGE);
    mount({ rounds: 3, asked: [50], heard: [1] });
  },
  "a question without an answer is sent again": () => {
    anew();
    keys("Enter", STAGE);
    tick(4000);
    mount({ asked: [50], heard: [1] });
    tick(9000);
  },
  "keys and buttons move the cursor": () => {
    anew();
    keys("ArrowRight Shift+ArrowLeft PageDown End PageDown Home ArrowLeft", STAGE);
    act("a key that repeats", () => page.press("Enter", body.querySelector(STAGE), { repeat: true }));
    click('[data-do="right"]');
    click('[data-do="ask"]');
  },
  "the site plays a world to its end": async () => {
    const page = `${html("site").replace("@STAGE@", html("game"))}<button id="look"></button><p class="settings"></p>`;
    open(page, { address: "http://lab.test/game.html#moment=still" });
    document.documentElement.dataset.look = "light";
    lab.site = { worlds: [{ ...WORLD, key: "other" }, WORLD] };
    document.querySelector(STAGE).box = { left: 0, top: 0, width: 800, height: 400 };
    await act("its page opens", () => import("../../../assets/game/site.js"));
    for (const _ of [1, 2]) {
      keys("Home Enter", STAGE);
      tick(0);
    }
  },
};
