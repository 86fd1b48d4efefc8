// The clock of films, on a screen whose pictures the test draws.
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { Clock } from "../../assets/shared/clock.js";

let now, waiting;
globalThis.requestAnimationFrame = (act) => {
  waiting.set(++number, act);
  return number;
};
globalThis.cancelAnimationFrame = (request) => waiting.delete(request);
let number = 0;

function picture(after) {
  now += after;
  const acts = [...waiting.values()];
  waiting.clear();
  for (const act of acts) act(now);
}

beforeEach(() => {
  now = 1000;
  waiting = new Map();
  performance.now = () => now;
});

test("a film goes on by time times speed", () => {
  const passed = [],
    clock = new Clock((by, at) => passed.push([by, at]));
  clock.start();
  picture(16);
  clock.speed = 2;
  picture(20);
  clock.speed = 0.5;
  picture(10);
  assert.deepEqual(passed, [
    [16, 1016],
    [40, 1036],
    [5, 1046],
  ]);
});

test("a tab out of sight stands still", () => {
  const passed = [],
    clock = new Clock((by) => passed.push(by));
  clock.start();
  picture(16);
  picture(60_000);
  picture(16);
  assert.deepEqual(passed, [16, 250, 16]);
});

test("a stopped clock ticks no more", () => {
  let ticks = 0;
  const clock = new Clock(() => {
    if (++ticks === 2) clock.stop();
  });
  assert.equal(clock.runs, false);
  clock.start();
  assert.equal(clock.runs, true);
  picture(16);
  picture(16);
  picture(16);
  assert.deepEqual([ticks, clock.runs, waiting.size], [2, false, 0]);
});
