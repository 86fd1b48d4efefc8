// The button of a course: what a press does next, hands, a game that is left, and the picture of a stop.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { beforeEach, mock, test } from "node:test";
import mountCourse from "../../assets/course/course.js";
import { mountPicture } from "../../assets/course/picture.js";
import { TOLD } from "../../assets/player/page.js";
import { lab } from "../../assets/shared/lab.js";
import { filmOf, until } from "./film.js";
import { page } from "./page.js";

const HTML = readFileSync(new URL("../../assets/course/course.html", import.meta.url), "utf8");
const LINKS = ["course_after", "course_before"]
  .map((key) => `<div class="st-key-${key}"><a href="/x">x</a></div>`)
  .join("");
const BUTTONS = ["bet_reveal", "guess_none"]
  .map((key) => `<div class="st-key-${key}"><button>x</button></div>`)
  .join("");
const STOP = { reset: "1", version: 9, question: "bands", answers: 0, hands: [], scene: "bands:", revealed: false };
let body, pressed, sent, course;

beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
  body = page.open(HTML + LINKS + BUTTONS);
  Object.assign(lab, { player: null, game: null, course: null });
  lab.hands.clear();
  pressed = [];
  sent = [];
  for (const one of body.querySelectorAll("[class*=st-key-]"))
    one.firstElementChild.onclick = () => pressed.push(one.className.replace("st-key-", ""));
});

function stop(more = {}) {
  const data = { ...STOP, plays: null, where: "Stop 2 of 5", next: "The race", begin: false, ...more };
  mountCourse({ parentElement: body, data, setStateValue: (...said) => sent.push(said) });
  course = lab.course;
}
const says = () => body.querySelector('[data-do="next"]').textContent;
const where = () => body.querySelector(".where").textContent;
const onward = () => page.press("PageDown");

// A player of the stop's page that stands at t, of a film of ten frames.
function player(t, more = {}) {
  const done = [];
  lab.player = {
    reset: "bands:1",
    t,
    truth: null,
    film: { n: 10 },
    clock: { runs: false },
    nearest: (time) => Math.min(time, 9),
    playTo: (end) => done.push(["playTo", end]),
    finish: () => done.push(["finish"]),
    ...more,
  };
  course?.label();
  return done;
}

test("a stop without a film goes on, once", () => {
  stop();
  assert.equal(says(), "Next: The race ›");
  onward();
  onward();
  assert.deepEqual(pressed, ["course_after"]);
  mock.timers.tick(3000);
  onward();
  page.press("PageUp");
  assert.deepEqual(pressed, ["course_after", "course_after"]);
  mock.timers.tick(3000);
  page.press("PageUp");
  assert.equal(pressed.at(-1), "course_before");
});

test("a stop plays, then goes on", () => {
  const done = player(2);
  stop({ plays: 7 });
  assert.equal(says(), "Play");
  onward();
  assert.deepEqual([done, pressed], [[["playTo", 7]], []]);
  lab.player.clock.runs = true;
  course.label();
  assert.equal(says(), "To the end");
  onward();
  assert.deepEqual(done.at(-1), ["finish"]);
  lab.player.clock.runs = false;
  lab.player.t = 7;
  course.label();
  assert.equal(says(), "Next: The race ›");
  assert.ok(document.documentElement.classList.contains(TOLD));
});

test("an ended film keeps its button a moment", () => {
  player(6, { clock: { runs: true } });
  stop({ plays: 7 });
  lab.player.clock.runs = false;
  lab.player.t = 7;
  course.label();
  assert.equal(says(), "To the end");
  onward();
  assert.deepEqual(pressed, []);
  mock.timers.tick(500);
  assert.equal(says(), "Next: The race ›");
});

test("nothing is skipped before the page has come", () => {
  stop({ plays: 7 });
  onward();
  assert.deepEqual([says(), pressed], ["Play", []]);
  const done = player(2, { reset: "race:1" }); // of the page before
  onward();
  assert.deepEqual([done, pressed], [[], []]);
});

test("a question is revealed, then played", () => {
  player(2);
  stop({ answers: 3, question: "q" });
  assert.equal(says(), "Show what happened");
  onward();
  assert.deepEqual(pressed, ["bet_reveal"]);
  assert.deepEqual(sent, [["hands", "0.0.0"]]);
  stop({ reset: "2", revealed: true, hands: [0, 0, 0] });
  assert.equal(says(), "To the end"); // its film is on its way
  const done = player(2, { truth: 9 });
  assert.equal(says(), "Play"); // halted before
  onward();
  assert.deepEqual(done, [["playTo", 9]]);
  document.documentElement.classList.add(TOLD);
  course.label();
  assert.equal(says(), "Next: The race ›");
});

test("hands are counted, lowered, kept and counted anew", () => {
  stop({ answers: 3, question: "q" });
  for (const key of ["2", "2", "3", "4"]) page.press(key);
  assert.deepEqual([course.hands, where()], [[0, 2, 1], "Stop 2 of 5 · 3 hands · a hand for 3"]);
  page.press("@", body, { shiftKey: true, code: "Digit2" });
  for (const _ of [1, 2]) page.press("#", body, { shiftKey: true, code: "Digit3" });
  assert.deepEqual([course.hands, where()], [[0, 1, 0], "Stop 2 of 5 · 1 hand · a hand less for 3"]);
  mock.timers.tick(1500);
  assert.equal(where(), "Stop 2 of 5 · 1 hand");
  lab.hands.clear(); // the tab is loaded again
  stop({ reset: "2", answers: 3, question: "q" });
  assert.deepEqual(course.hands, [0, 1, 0]);
  body.querySelector('[data-do="anew"]').click();
  assert.deepEqual([course.hands, where()], [[0, 0, 0], "Stop 2 of 5"]);
});

test("hands of another question are dropped", () => {
  const kept = ["[1,2]", "[1,2,-1]", "[1,2,0.5]", "nonsense", "null"];
  for (const text of kept) {
    sessionStorage.setItem("tvbo-hands 9 q", text);
    lab.hands.clear();
    stop({ reset: text, answers: 3, question: "q" });
    assert.deepEqual(course.hands, [0, 0, 0], text);
  }
  sessionStorage.setItem("tvbo-hands 9 q", "[1,2,0]");
  lab.hands.clear();
  stop({ reset: "x", answers: 3, question: "q" });
  assert.deepEqual(course.hands, [1, 2, 0]);
});

test("a game is left by a second press", () => {
  lab.game = { left: 2 };
  stop();
  assert.equal(says(), "Leave the game …");
  onward();
  assert.deepEqual([says(), where()], ["Leave it: The race ›", "Stop 2 of 5 · 2 rounds left"]);
  page.later(900);
  onward();
  assert.deepEqual(pressed, []);
  lab.game.left = 1;
  course.label();
  assert.deepEqual([says(), where()], ["Leave the game …", "Stop 2 of 5"]);
  onward();
  assert.equal(where(), "Stop 2 of 5 · 1 round left");
  page.later(1001);
  onward();
  assert.deepEqual(pressed, ["course_after"]);
});

test("a finished game shows how it moved", () => {
  lab.game = { left: 0 };
  stop();
  assert.equal(says(), "Show how it moved");
  onward();
  assert.deepEqual(pressed, ["guess_none"]);
});

test("the last page has no next", () => {
  stop({ next: "" });
  assert.equal(body.querySelector('[data-do="next"]').hidden, true);
  onward();
  assert.deepEqual(pressed, []);
  stop({ begin: true, reset: "0" });
  assert.deepEqual([says(), body.querySelector('[data-do="back"]').hidden], ["Begin: The race ›", true]);
});

test("the next film is fetched once, later", async (t) => {
  const asked = [];
  t.mock.method(globalThis, "fetch", async (address) => asked.push(address));
  const ahead = { lesson: "race", query: [["m", "2"]] };
  stop({ ahead });
  stop({ ahead });
  assert.deepEqual(asked, []);
  mock.timers.tick(1500);
  await until(() => asked.length);
  assert.deepEqual(asked, ["film/race?m=2"]);
});

test("a stop's picture is its frame, drawn small", async (t) => {
  t.mock.method(globalThis, "fetch", async () => new Response(filmOf(9)));
  body.innerHTML =
    '<div class="st-key-course_seen_1"><div data-testid="stPageLink"><a href="/Bands">b</a></div><div class="spot"></div></div>';
  const spot = body.querySelector(".spot"),
    clicks = [];
  body.querySelector("a").onclick = () => clicks.push("link");
  mountPicture({
    parentElement: body.firstElementChild,
    data: { ask: { lesson: "bands", query: [["x", "1"]] }, t: 6, alt: "a", lecture: false },
  });
  await until(() => spot.children.length);
  spot.box = { left: 0, top: 0, width: 350, height: 156 };
  page.resized();
  const slide = spot.firstElementChild;
  assert.deepEqual([slide.style.transform, spot.style.aspectRatio], ["scale(0.5)", "700 / 312"]);
  const [, marks] = slide.querySelectorAll("canvas");
  assert.ok(marks.pen.lines().some((line) => line.includes("“word 6”")));
  spot.click();
  assert.deepEqual(clicks, ["link"]);
});
