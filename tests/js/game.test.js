// The stage of the game, and its page on a site without a server.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { beforeEach, mock, test } from "node:test";
import { standings } from "../../assets/game/ending.js";
import mountGame from "../../assets/game/game.js";
import { lab } from "../../assets/shared/lab.js";
import { page } from "./page.js";
import { gameOf } from "./plays.js";

const html = (name) => readFileSync(new URL(`../../assets/game/${name}.html`, import.meta.url), "utf8");
let body, sent, game;

beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
  body = page.open(html("game"));
  body.querySelector(".stage").box = { left: 100, top: 50, width: 800, height: 400 };
  sent = [];
  Object.assign(lab, { game: null, course: null });
});
function mount(more = {}) {
  mountGame({ parentElement: body, data: gameOf(more), setStateValue: (_, said) => sent.push(said) });
  game = lab.game;
}
const stage = () => body.querySelector(".stage");
const hand = (type, clientX, clientY = 250) => stage().dispatchEvent(page.event(type, { clientX, clientY, button: 0 }));
const at = (arm) => 100 + game.X(arm / 100);
const help = () => body.querySelector(".help").textContent;

test("a click asks at its place", () => {
  mount();
  hand("pointerdown", at(30));
  hand("pointerup", at(30) + 3);
  assert.deepEqual(
    sent.map(({ n, arm }) => [n, arm]),
    [[0, game.at]],
  );
  assert.ok(Math.abs(game.at - 30) <= 1);
});

test("a slide chooses, a double click asks once", () => {
  mount();
  hand("pointerdown", at(30));
  hand("pointerup", at(60));
  assert.equal(sent.length, 0);
  for (const _ of [1, 2]) {
    hand("pointerdown", at(60));
    hand("pointerup", at(60));
  }
  assert.deepEqual([sent.length, help()], [1, "A double click asks once."]);
  page.later(351);
  hand("pointerdown", at(60));
  hand("pointerup", at(60));
  assert.equal(game.queue.length, 1);
});

test("a click beside the axes asks nothing", () => {
  mount();
  for (const [x, y] of [
    [105, 250],
    [at(30), 60],
  ]) {
    hand("pointerdown", x, y);
    hand("pointerup", x, y);
  }
  assert.deepEqual(sent, []);
});

test("questions wait, and end with the rounds", () => {
  mount({ rounds: 3 });
  for (const _ of [1, 2, 3, 4, 5]) page.press("Enter", stage());
  assert.deepEqual([sent.length, game.queue.length, help()], [1, 2, "2 questions wait for the answer before."]);
  mount({ rounds: 3, asked: [50], heard: [1] });
  assert.deepEqual(
    sent.map(({ n }) => n),
    [0, 1],
  );
  assert.equal(help(), "One question waits for the answer before.");
});

test("a question without an answer is sent again", () => {
  mount();
  page.press("Enter", stage());
  mock.timers.tick(4000);
  assert.deepEqual(
    sent.map(({ n, try: tries }) => [n, tries]),
    [
      [0, 1],
      [0, 2],
    ],
  );
  mount({ asked: [50], heard: [1] });
  mock.timers.tick(9000);
  assert.equal(sent.length, 2);
});

test("keys move the cursor along its axis", () => {
  mount();
  const after = (key, more) => {
    page.press(key, stage(), more);
    return game.at;
  };
  assert.deepEqual(
    [
      after("ArrowRight"),
      after("ArrowLeft", { shiftKey: true }),
      after("PageDown"),
      after("End"),
      after("PageDown"),
      after("Home"),
      after("ArrowLeft"),
    ],
    [51, 41, 51, 100, 100, 0, 0],
  );
  assert.equal(stage().getAttribute("aria-valuetext"), "x = 0.00");
  page.press("Enter", stage(), { repeat: true });
  assert.deepEqual(sent, []);
  body.querySelector('[data-do="right"]').click();
  body.querySelector('[data-do="ask"]').click();
  assert.equal(sent[0].arm, 1);
});

test("the site plays a world to its end", async () => {
  mock.timers.reset();
  const world = {
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
  page.open(
    `${html("site").replace("@STAGE@", html("game"))}<button id="look"></button><p class="settings"></p>`,
    "http://lab.test/game.html#moment=still",
  );
  document.documentElement.dataset.look = "light";
  lab.site = { worlds: [{ ...world, key: "other" }, world] };
  const main = document.querySelector("main");
  main.querySelector(".stage").box = { left: 0, top: 0, width: 800, height: 400 };
  await import("../../assets/game/site.js");
  assert.equal(document.querySelector(".live").textContent, "Play.");
  for (const _ of [1, 2]) {
    page.press("Home", main.querySelector(".stage"));
    page.press("Enter", main.querySelector(".stage"));
    await new Promise((done) => setTimeout(done, 5));
  }
  assert.deepEqual([main.querySelector(".game").hidden, main.querySelector(".ending").hidden], [true, false]);
  assert.match(
    document.querySelector(".live").innerHTML,
    /You came 2nd<\/b>: you paid 2\.00, the best bandit, GP-UCB, 1\.00/,
  );
  assert.deepEqual(
    standings(world, [2, 0]).map(({ name, place }) => `${place} ${name}`),
    ["1 You", "2 GP-UCB"],
  );
});
