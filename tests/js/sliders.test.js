// What follows a hand: sliders whose frames are fetched (follow.js), marks and time that are dragged on a chart (grip.js).
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { Follower } from "../../assets/player/follow.js";
import { Grip } from "../../assets/player/grip.js";
import { lab } from "../../assets/shared/lab.js";
import { filmOf, until } from "./film.js";
import { page } from "./page.js";

let body,
  asked,
  host,
  follower,
  answer,
  number = 0;

beforeEach(() => {
  body = page.open(
    '<div class="st-key-controls"><div class="st-key-V"><div data-testid="stSlider"><input type="range" min="0" step="1"></div></div></div>',
  );
  [asked, answer] = [[], () => new Response(filmOf(1))];
  globalThis.fetch = async (address) => {
    asked.push(address);
    return answer(address);
  };
  host = { time: 5, done: [], halt: () => host.done.push("halt") };
  for (const act of ["drawFrame", "grey", "take", "settle"])
    host[act] = (said) =>
      host.done.push(act === "drawFrame" ? "frame" : `${act} ${typeof said === "string" ? said.split("?")[0] : said}`);
  follower = new Follower(host);
  number += 1; // films are kept by address
  const query = [
    ["r", `${number}`],
    ["V", "1"],
  ];
  follower.load({ lesson: "bands", query, knobs: { V: ["0", "1", "2", "3"] }, addressed: true });
  input().min = 0;
});
const input = () => body.querySelector("input");
const drag = (value) => {
  input().value = value;
  page.picture();
};
const take = () => {
  input().value = 1;
  input().dispatchEvent(page.event("pointerdown"));
};
const times = () => asked.map((one) => Object.fromEntries(new URLSearchParams(one.split("?")[1])));

test("a held slider fetches its neighbours' frames", () => {
  take();
  assert.deepEqual(
    times().map(({ V, t }) => [V, t]),
    [
      ["2", "5"],
      ["0", "5"],
    ],
  );
  assert.ok(asked.every((one) => one.startsWith("frame/bands?")));
});

test("a new value halts and is drawn", async () => {
  take();
  drag(3);
  await until(() => host.done.includes("frame"));
  assert.equal(host.done[0], "halt");
  assert.deepEqual([follower.drawn, follower.ahead], ["3", true]);
});

test("of many values the newest is drawn last", async () => {
  const open = [];
  answer = () => new Promise((done) => open.push(() => done(new Response(filmOf(1)))));
  take();
  for (const value of [3, 2, 0]) drag(value);
  while (follower.asking) {
    for (const one of open.splice(0)) one();
    await new Promise((done) => setImmediate(done));
  }
  assert.equal(follower.drawn, "0");
});

test("without a frame the picture turns grey", async () => {
  answer = () => new Response(null, { status: 204 });
  take();
  drag(2);
  await until(() => host.done.some((one) => one.startsWith("grey")));
  assert.ok(host.done.includes("grey true") && !host.done.includes("frame"));
});

test("a refused frame ends following", async () => {
  answer = () => new Response(null, { status: 503 });
  take();
  await until(() => follower.refused);
  answer = () => new Response(null, { status: 404 });
  follower.hold("V", null);
  await until(() => follower.closed);
  const before = asked.length;
  take();
  drag(3);
  assert.equal(asked.length, before);
});

test("let go, the follower settles a moment later", async () => {
  take();
  drag(3);
  input().dispatchEvent(page.event("pointerup"));
  page.picture(599);
  assert.equal(follower.key, "V");
  page.picture(2);
  page.picture();
  assert.deepEqual([follower.key, host.done.at(-1)], [null, "settle true"]);
  await until(() => host.done.some((one) => one.startsWith("take film/bands")));
});

test("a finger that rests fetches its film", async () => {
  take();
  drag(3);
  await until(() => !follower.asking);
  page.picture(61);
  assert.ok(asked.some((one) => one.startsWith(`film/bands?r=${number}&V=3`)));
});

test("a slider of no knob is left alone", () => {
  body.innerHTML = '<div class="st-key-other"><div data-testid="stSlider"><input type="range"></div></div>';
  take();
  assert.deepEqual([follower.key, asked], [null, []]);
});

// ------------------------------------------------------------------ marks and time on a chart
const LAYOUT = {
  width: 500,
  height: 400,
  margin: { l: 50, r: 50, t: 50, b: 50 },
  xaxis: { range: [0, 10], domain: [0, 1], anchor: "y" },
  yaxis: { range: [0, 3], domain: [0, 1], anchor: "x" },
};

function chart(pick) {
  body.innerHTML = '<div class="chart"></div>';
  const root = body.firstElementChild,
    player = {
      t: 2,
      time: 2,
      done: [],
      nearest: Math.round,
      halt: () => player.done.push("halt"),
      show: (t) => player.done.push(`show ${t}`),
      tell: () => player.done.push("tell"),
      send: (what, { key, text }) => player.done.push(`${what} ${key} ${text}`),
      follower: {
        said: new Map([["V", "1"]]),
        question: { knobs: { V: ["0", "1", "2", "3"] } },
        lift() {},
        pull: (_, text) => player.done.push(`pull ${text}`),
      },
    };
  root.box = { left: 0, top: 0, width: 500, height: 400 };
  player.grip = new Grip(player);
  lab.player = player;
  player.grip.listen({ root, layout: LAYOUT, film: { pick } });
  const hand = (type, clientX, clientY, more = {}) =>
    root.dispatchEvent(
      page.event(type, { clientX, clientY, button: 0, buttons: 0, isPrimary: true, pointerType: "mouse", ...more }),
    );
  return { player, root, hand };
}
const KNOBS = { knobs: { V: "y" }, along: ["x"], zeros: {} };

test("a mark is dragged to its nearest stop", () => {
  const { player, hand } = chart(KNOBS); // V = 1 stands at 250 pixels, a unit is 100 pixels
  hand("pointerdown", 200, 262);
  hand("pointermove", 200, 259);
  assert.deepEqual(player.done, []); // a press, no drag
  hand("pointermove", 200, 140);
  assert.deepEqual(player.done, ["pull 2"]);
  hand("pointerup", 200, 140);
  assert.equal(player.done.at(-1), "knob V 2");
});

test("beside every mark the pointer drags time", () => {
  const { player, hand } = chart(KNOBS);
  hand("pointerdown", 200, 265);
  hand("pointermove", 330, 265);
  hand("pointerup", 330, 265);
  assert.deepEqual(player.done, ["halt", "show 7", "tell"]);
});

test("a finger drags time at now alone", () => {
  const touch = { pointerType: "touch" },
    { player, hand } = chart({ ...KNOBS, knobs: {} }); // now stands at 130 pixels
  hand("pointerdown", 157, 100, touch);
  hand("pointermove", 300, 100, touch);
  assert.deepEqual(player.done, []);
  hand("pointerdown", 155, 100, touch);
  hand("pointermove", 290, 100, touch);
  assert.deepEqual(player.done, ["halt", "show 6"]);
});

test("the pointer's shape says what it would drag", () => {
  const { root, hand } = chart(KNOBS),
    shapes = (x, y) => {
      hand("pointermove", x, y);
      return ["x", "y"].filter((name) => root.classList.contains(`grip-${name}`)).join();
    };
  assert.deepEqual([shapes(200, 250), shapes(200, 300), shapes(20, 20)], ["y", "x", ""]);
});
