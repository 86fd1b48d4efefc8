// A film of rounds: its pace, its named steps, a question at a place, and handles that move numbers of a code.
import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { STEPPING } from "../../assets/player/page.js";
import { lab } from "../../assets/shared/lab.js";
import { shownAt } from "../../assets/stage/decode.js";
import { mountChart, mountServed } from "../../assets/stage/served.js";
import { CHART, PLAYER } from "./drawn.js";
import { filmOf, messageOf, packed, until } from "./film.js";
import { page } from "./page.js";

const ROUNDS = { steps: ["<b>Ask</b>", "<b>Pay</b>"], lasting: [300, 500], slow: 2, brisk: 400 },
  ASK = { key: "asked", axes: ["x"], places: 11, plays: [2, 3] },
  HANDLES = { start: { axes: ["y"], x: [0, 19], y: [4, 6], numbers: [0, 2], unit: 0.5, most: 5, still: "drawn" } },
  BOX = { left: 0, top: 0, width: 1080, height: 560 }; // the panel is 1000 x 500 from (60, 20)
let body, sent, asked, player, number;

// A film of ten rounds with two steps, whose stage means this to a hand.
const filmWith = (pick, more = {}) => {
  const bytes = filmOf(20, { rounds: ROUNDS, arrays: [] }),
    size = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true),
    film = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + size)));
  film.charts[0].pick = pick;
  return messageOf({ ...film, ...more });
};
const open = async (pick = {}, more = {}) => {
  [sent, asked] = [[], []];
  number = Math.random();
  Object.assign(lab, { now: null, player: null, course: null });
  lab.charts.clear();
  body.innerHTML = `<div class="st-key-main">${CHART}</div>${PLAYER}`;
  const spot = body.querySelector(".st-key-main");
  for (const part of spot.querySelectorAll(".swipe, .chart")) part.box = BOX;
  mountChart({ parentElement: spot, data: messageOf({ key: "main", alt: "a", plotly: "p.js", revision: null }) });
  globalThis.fetch = async (address) => {
    asked.push(Object.fromEntries(new URLSearchParams(address.split("?")[1])));
    return new Response(filmWith(pick, address.startsWith("frame/") ? { said: null, kept: [] } : {}));
  };
  await load(pick, more);
};
const question = (code) => ({
  lesson: "chase",
  query: Object.entries({ r: `${number}`, asked: code, start: "0_2" }),
  knobs: {},
});
const load = async (pick, more) => {
  const head = {
    revision: Math.random(),
    reset: "chase:1",
    start: 3,
    plays: null,
    heard: null,
    question: question("none"),
    ...more,
  };
  mountServed({
    parentElement: body,
    data: messageOf(head, packed(filmWith(pick))),
    setStateValue: (...said) => sent.push(said),
  });
  await until(() => lab.player?.name === head.revision);
  player = lab.player;
};
// Python's message that it has heard of a question.
const hear = (heard) => {
  const head = { revision: 7, reset: "chase:1", start: 3, plays: null, heard, question: question("1-3") },
    data = messageOf(head, packed(filmWith({ ask: ASK })));
  mountServed({ parentElement: body, data, setStateValue: (...said) => sent.push(said) });
};
const root = () => body.querySelector(".chart");
const hand = (what, x, y, on = root()) =>
  on.dispatchEvent(
    page.event(what, { clientX: x, clientY: y, button: 0, buttons: 0, isPrimary: true, pointerType: "mouse" }),
  );
const playOn = () => {
  const seen = [];
  while (player.clock.runs) {
    page.picture(100);
    seen.push(player.point);
  }
  return seen;
};

beforeEach(() => {
  mock.timers.reset();
  body = page.open();
});

test("rows between two frames lie on the way", () => {
  const film = { rows: [[[0], [1], [2], [3]]] },
    part = { figure: { data: [{}] }, tracks: [{ trace: 0, attribute: "y", array: 0, between: 1, cuts: [] }] },
    at = (frame, way) => shownAt(film, part, frame, way).get(0).y[0];
  assert.deepEqual([at(0), at(1), at(0, 0.5), at(0, 0.25)], [1, 3, 2, 1.5]);
});

test("opacities move, words at rest are hidden", () => {
  const film = { rows: [[[0.2], [0.4]]] },
    data = [{ marker: { size: 3 } }, { legendgroup: "rest" }],
    part = { figure: { data }, tracks: [{ trace: 0, attribute: "marker.opacity", array: 0, cuts: [] }] };
  assert.deepEqual(shownAt(film, part, 1), new Map([[0, { marker: { size: 3, opacity: [0.4] } }]]));
  assert.deepEqual(shownAt(film, part, 0, 0.5).get(1), { visible: false });
});

test("a run shows its first rounds slowly", async () => {
  await open();
  for (const begun of [0, 7]) {
    player.begun = begun;
    const takes = [0, 1, 2, 3, 4, 5].map((i) => player.lasting(begun + i));
    assert.equal(
      takes.slice(0, 4).reduce((a, b) => a + b),
      1600,
    );
    assert.equal(takes[4] + takes[5], 400);
  }
});

test("a step is seen happening, and said once", async () => {
  await open();
  page.press("ArrowRight", body);
  const seen = playOn();
  assert.ok(seen.length > 2 && seen.every((one, i) => one >= (seen[i - 1] ?? 3)));
  assert.deepEqual([player.t, sent], [4, [["t", { t: 4, reset: "chase:1" }]]]);
});

test("a second press does not wait", async () => {
  await open();
  page.press("ArrowRight", body);
  page.picture(50);
  page.press("ArrowRight", body);
  playOn();
  assert.equal(player.t, 5);
});

test("steps are named while they are taken", async () => {
  await open();
  const named = () => document.documentElement.classList.contains(STEPPING);
  assert.equal(named(), false); // the end of a round
  page.press("ArrowRight", body);
  playOn();
  const steps = [...body.querySelectorAll(".steps button")];
  assert.deepEqual([named(), steps.map((one) => one.getAttribute("aria-current"))], [true, ["step", null]]);
  steps[1].click();
  playOn();
  assert.equal(player.t, 5);
  player.play();
  page.picture(100);
  assert.equal(named(), false); // it plays through
  player.halt();
});

test("a click asks there and plays its answer", async () => {
  await open({ ask: ASK }, { question: question("0-4_3-1") });
  hand("pointermove", 60 + 300, 200);
  assert.match(root().querySelector(".aim").textContent, /^ask here: x = 5.70$/);
  hand("pointerdown", 60 + 300, 200);
  hand("pointerup", 60 + 302, 200, window);
  await until(() => sent.length);
  assert.equal(asked.at(-1).asked, "0-4_1-3"); // later rounds are played again
  assert.deepEqual([sent[0][0], sent[0][1].t, sent[0][1].place], ["ask", 3, 3]);
  assert.deepEqual([player.t, player.clock.runs, player.ends], [2, true, 3]);
});

test("what Python said before the question is left", async () => {
  await open({ ask: ASK });
  hand("pointerdown", 360, 200);
  hand("pointerup", 360, 200, window);
  await until(() => sent.length);
  const before = player.data;
  hear(null);
  assert.equal(player.data, before);
  playOn();
  hear(sent[0][1].n);
  await until(() => player.name === 7);
  assert.deepEqual([player.ask.sent, player.clock.runs, player.t], [null, false, 3]); // it is not seen twice
});

test("slides and clicks outside ask nothing", async () => {
  await open({ ask: ASK });
  for (const [x, to, y] of [
    [300, 340, 200],
    [20, 20, 200],
    [300, 300, -60],
  ]) {
    hand("pointerdown", x, y);
    hand("pointerup", to, y, window);
  }
  assert.deepEqual([asked, player.ask.waiting], [[], []]);
});

test("a question waits, and is sent again", async () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  await open({ ask: ASK });
  for (const x of [360, 560]) {
    hand("pointerdown", x, 200);
    hand("pointerup", x, 200, window);
  }
  await until(() => sent.length);
  mock.timers.tick(4000);
  const places = () => sent.map(([, { n, place, tries }]) => [n === sent[0][1].n, place, tries]);
  assert.deepEqual(places(), [
    [true, 3, 1],
    [true, 3, 2],
  ]);
  page.later(1);
  hear(sent[0][1].n);
  await until(() => sent.length > 2);
  assert.deepEqual(places()[2], [false, 5, 1]);
});

test("files without a server take no question", async () => {
  await open({ ask: { ...ASK, key: "unknown" } });
  hand("pointermove", 360, 200);
  hand("pointerdown", 360, 200);
  hand("pointerup", 360, 200, window);
  page.press("a", body);
  assert.deepEqual([root().querySelector(".aim") ?? null, player.ask.waiting, player.aims], [null, [], false]);
});

test("keys choose a place and ask there", async () => {
  await open({ ask: ASK });
  page.press("a", body);
  assert.ok(player.aims && document.activeElement === root());
  for (const [key, more] of [["ArrowRight"], ["ArrowLeft", { shiftKey: true }], ["ArrowRight"]])
    page.press(key, root(), more);
  page.press("Enter", root());
  await until(() => sent.length);
  assert.deepEqual([sent[0][1].place, player.aims], [1, false]);
  page.press("a", body);
  page.press("Escape", root());
  assert.equal(player.aims, false);
});

test("a film without questions takes none", async () => {
  await open({});
  page.press("a", body);
  hand("pointerdown", 300, 200);
  hand("pointerup", 300, 200, window);
  assert.deepEqual([player.aims, asked], [false, []]);
});

test("a dragged handle moves one number", async () => {
  await open({ handles: HANDLES });
  const up = (y) => 20 + 500 * (1 - y / 10);
  hand("pointerdown", 60, up(4));
  hand("pointermove", 60, up(5.1), window);
  assert.equal(player.follower.text(), "2_2");
  hand("pointermove", 60, up(99), window);
  hand("pointerup", 60, up(99), window);
  assert.deepEqual(sent[0][1].text, "5_2"); // at most
  assert.equal(player.grip.bent(lab.charts.get("main"), { key: "start", number: 1 }, 5), "drawn");
});

test("keys choose a handle and move it", async () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  await open({ handles: HANDLES });
  root().focus();
  page.press("ArrowRight", root());
  page.press("ArrowUp", root());
  page.press("ArrowDown", root(), { shiftKey: true });
  mock.timers.tick(1000);
  assert.deepEqual([sent[0][0], sent[0][1].key, sent[0][1].text], ["knob", "start", "0_-5"]);
});
