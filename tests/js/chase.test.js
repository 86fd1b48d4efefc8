// The stage of "Chase the peak": time in steps, the reader's own question, towers, and a hill that is bent.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { beforeEach, mock, test } from "node:test";
import mountChase from "../../assets/chase/chase.js";
import { lab } from "../../assets/shared/lab.js";
import { page } from "./page.js";
import { chaseOf } from "./plays.js";

const HTML = readFileSync(new URL("../../assets/chase/chase.html", import.meta.url), "utf8");
let body, sent, chase;

beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
  body = page.open(HTML);
  body.querySelector(".stage").box = { left: 0, top: 0, width: 1200, height: 500 };
  Object.assign(lab, { now: null, course: null });
  sent = [];
});
function mount(more) {
  const data = chaseOf(more);
  mountChase({
    parentElement: body,
    data,
    setStateValue: (...said) => sent.push(said),
    setTriggerValue: (...said) => sent.push(said),
  });
  chase = body.querySelector(".chase").chase;
}
const stage = () => body.querySelector(".stage");
const after = (key, more) => {
  page.press(key, body, more);
  while (chase.playing) page.picture(250);
  return chase.k;
};
// The slabs of a learner's tower: their heights, from the ground.
const slabs = (colour) => {
  const { l, r } = chase.towers;
  chase.pen.painted = [];
  chase.draw();
  return chase.pen.painted
    .filter(
      ({ how, path }) =>
        how === `fill ${colour}` && path.closed && path.strokes[0][0][0] >= l && path.strokes[0][0][0] < r,
    )
    .map(({ path }) => path.strokes[0][2][1] - path.strokes[0][0][1]);
};

test("keys go by steps and rounds", () => {
  mount();
  assert.deepEqual(
    [
      after("ArrowRight"),
      after("PageDown"),
      after("ArrowLeft"),
      after("ArrowRight", { shiftKey: true }),
      after("End"),
      after("PageDown"),
      after("Home"),
    ],
    [1, 2, 1, 5, 15, 15, 0],
  );
});

test("a second press does not wait", () => {
  mount();
  page.press("ArrowRight");
  page.picture(100);
  page.press("ArrowRight");
  while (chase.playing) page.picture(250);
  assert.equal(chase.k, 2);
});

test("a step button shows its step happening", () => {
  mount();
  chase.show(6);
  body.querySelector('[data-step="3"]').click();
  assert.deepEqual([chase.k, chase.playing], [6, true]);
  while (chase.playing) page.picture(250);
  assert.equal(chase.k, 7);
  assert.equal(body.querySelector('[aria-current="step"]').dataset.step, "3");
  body.querySelector('[data-step="0"]').click();
  while (chase.playing) page.picture(250);
  assert.equal(chase.k, 4);
});

test("a film that ends tells Python", () => {
  mount();
  page.press(" ");
  assert.equal(body.querySelector(".go").getAttribute("aria-label"), "Pause");
  while (chase.playing) page.picture(250);
  assert.deepEqual([chase.k, sent.at(-1)], [15, ["t", { t: 15, reset: "chase:1" }]]);
  page.press(" ");
  assert.deepEqual([chase.k, chase.playing], [0, true]);
});

test("each step takes its time", () => {
  mount();
  page.press("ArrowRight"); // "choose" takes 480 milliseconds
  page.picture(240);
  assert.deepEqual([chase.k, chase.p], [1, 0.5]);
  page.picture(240);
  page.picture(1);
  assert.equal(chase.playing, false);
});

test("less motion goes by whole steps", () => {
  page.media = "(prefers-reduced-motion: reduce)";
  mount();
  page.press(" ");
  assert.deepEqual([chase.k, chase.p], [1, 1]);
  for (const _ of [1, 2, 3, 4]) page.picture(250);
  assert.equal(chase.k, 2);
});

test("a tower has every round that is paid", () => {
  mount();
  const { learners } = chase.data;
  for (const [k, rounds] of [
    [0, 0],
    [3, 1],
    [4, 1],
    [14, 3],
    [15, 4],
  ]) {
    chase.show(k);
    for (const { colour } of learners) assert.equal(slabs(colour).length, rounds, `${k}`);
  }
  const scales = learners.flatMap(({ colour, gap }) => slabs(colour).map((tall, r) => (tall + 0.8) / gap[r])); // 0.8 pixels stay free
  assert.ok(Math.max(...scales) - Math.min(...scales) < 1e-6); // one scale for all
});

test("the stage is told in words", () => {
  mount();
  chase.show(0);
  assert.equal(chase.state(), "A hill. Now: Round 1: believe; the peak is at x = 0.30. forgets; keeps all");
  chase.show(7);
  assert.match(
    chase.state(),
    /Now: Round 2: pay; the peak is at x = 0\.45\. forgets, asks at x = 0\.10, hears 0\.22, gap 1\.86, paid so far 3\.4/,
  );
  mount({ unseen: true, learners: 1 });
  chase.show(7);
  assert.match(chase.state(), /the hill is hidden\. forgets, asks at x = 0\.10, hears 0\.22$/);
});

test("a click asks there and is paid", () => {
  mount();
  chase.show(5);
  const hand = (type, clientX, more) =>
      stage().dispatchEvent(page.event(type, { clientX, clientY: 200, button: 0, pointerType: "mouse", ...more })),
    [g] = chase.panels,
    x = g.X(0.5);
  hand("pointerdown", x);
  hand("pointerup", x + 20); // a slide asks nothing
  assert.deepEqual(sent, []);
  hand("pointerdown", x);
  hand("pointerup", x);
  assert.deepEqual([sent[0][0], sent[0][1].row, sent[0][1].arm], ["ask", 1, 10]);
  mount({ asked: [1], revision: "2" });
  assert.deepEqual([chase.k, chase.goal], [5, 7]);
});

test("a hidden world goes to the next turn", () => {
  mount({ unseen: true });
  chase.show(5);
  assert.equal(chase.turn, true);
  chase.ask(3);
  mount({ unseen: true, asked: [1], revision: "2" });
  assert.equal(chase.goal, 9);
  chase.halt();
  chase.show(9);
  chase.ask(3);
  mount({ unseen: true, asked: [1, 2], revision: "3", score: 2 });
  assert.equal(chase.goal, 11); // the score is said
});

test("key A aims with the arrows, Enter asks", () => {
  mount();
  page.press("a");
  assert.ok(chase.aims && document.activeElement === stage());
  for (const [key, more] of [["ArrowRight"], ["ArrowRight", { shiftKey: true }], ["ArrowLeft"], ["Enter"]])
    page.press(key, stage(), more);
  assert.equal(sent[0][1].arm, 11);
  page.press("a");
  page.press("Escape", stage());
  assert.equal(chase.aims, false);
  mount({ fixed: true, revision: "2" });
  page.press("a");
  assert.equal(chase.aims, false); // a game that is over
});

test("a handle is lifted within bounds and sent", () => {
  mount();
  chase.reshape();
  page.press("ArrowUp", stage());
  assert.deepEqual(chase.moved[0], [0, 0, 2, 0, 0, 0]);
  page.press("ArrowRight", stage());
  mock.timers.tick(400);
  assert.deepEqual(sent.at(-1)[1].start, [0, 0, 2, 0, 0, 0]);
  chase.lift(0, 1, 99);
  assert.ok(chase.shape(0)[4] <= 2.4 + 0.1); // a handle stays on the stage
  page.press("Escape", stage());
  assert.equal(chase.bending, false);
});

test("a dragged slider's frame lies over one round", () => {
  mount();
  chase.show(5);
  const row = chase.data.f.map((one) => one.map((v) => v / 2));
  chase.drawFrame({ stage: { row: 0, f: row }, said: "s" });
  assert.equal(chase.own, null); // time has gone on
  chase.drawFrame({ stage: { row: 1, f: row }, said: "s" });
  assert.equal(chase.data.f, row);
  chase.show(8);
  assert.equal(chase.own, null);
});
