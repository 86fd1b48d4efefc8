// The player on a page: keys, buttons, clock, bets, clicks, the sentence and what Python hears.
import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import mountLive from "../../assets/player/live.js";
import { PAGE, TOLD } from "../../assets/player/page.js";
import { mountPlayer } from "../../assets/player/player.js";
import { shownNow } from "../../assets/player/shown.js";
import { lab } from "../../assets/shared/lab.js";
import { mountChart, mountServed } from "../../assets/stage/served.js";
import { CHART, PLAYER } from "./drawn.js";
import { filmOf, messageOf, packed, until } from "./film.js";
import { page } from "./page.js";

const CALM = "(prefers-reduced-motion: reduce)";
let body, sent, end, player;

beforeEach(() => {
  mock.timers.reset();
  body = page.open();
});

async function load(head = {}, film = filmOf(50, { events: [10, 20] })) {
  const mine = sent,
    all = { revision: Math.random(), reset: "bands:1", start: 3, plays: null, ...head };
  end = mountServed({
    parentElement: body,
    data: messageOf(all, packed(film)),
    setStateValue: (...said) => mine.push(said),
  });
  if (all.revision) await until(() => lab.player.name === all.revision);
  player = lab.player;
}

async function open(head, film) {
  Object.assign(lab, { now: null, player: null, course: null });
  lab.charts.clear();
  body.innerHTML = `<h1>?</h1><div class="st-key-main">${CHART}</div>${PLAYER}`;
  const spot = body.querySelector(".st-key-main");
  for (const part of spot.querySelectorAll(".swipe, .chart")) part.box = { left: 0, top: 0, width: 1000, height: 500 };
  mountChart({ parentElement: spot, data: messageOf({ key: "main", alt: "a", plotly: "p.js", revision: null }) });
  sent = [];
  await load(head, film);
}
const told = () => document.documentElement.classList.contains(TOLD);
const after = (frames) =>
  frames.map((ms) => {
    page.picture(ms);
    return player.t;
  });

test("a film opens at its start", async () => {
  await open();
  assert.deepEqual([player.t, lab.painted, lab.charts.get("main").frame], [3, 3, 3]);
  assert.deepEqual(lab.charts.get("main").data[0].text, ["word 3"]);
  assert.deepEqual([player.bar.value, player.bar.max, player.out.textContent], ["3", 49, "t = 3"]);
  assert.deepEqual([lab.now.t, lab.now.html, lab.shown], [3, "sentence 3", { page: "bands", label: "t = 3" }]);
});

test("every key moves time as the card says", async () => {
  await open();
  const at = [
    ["ArrowRight", 4],
    ["PageDown", 5],
    ["ArrowLeft", 4],
    ["PageUp", 3],
    ["ArrowRight", 10, { shiftKey: true }],
    ["ArrowRight", 20, { shiftKey: true }],
    ["ArrowLeft", 10, { shiftKey: true }],
    ["End", 49],
    ["PageDown", 49],
    ["Home", 0],
    ["PageUp", 0],
  ];
  for (const [key, t, more] of at) {
    assert.ok(page.press(key, body, more), key);
    assert.equal(player.t, t, key);
  }
});

test("a frame takes sixty milliseconds at speed one", async () => {
  await open({ start: 0 });
  page.press(" ");
  assert.deepEqual(after([60, 59, 1]), [1, 1, 2]);
  player.rate.value = "2";
  player.rate.onchange();
  assert.deepEqual(after([60]), [4]);
  assert.equal(player.bar.value, "4");
  assert.deepEqual(after([15]), [4]); // half way on
  assert.equal(lab.charts.get("main").frame, 4.5);
});

test("a film that plays skips no event", async () => {
  await open({ start: 8 });
  page.press(" ");
  assert.deepEqual(after([250, 250]), [10, 14]);
});

test("an ended film plays from its beginning", async () => {
  await open({ start: 49 });
  page.press(" ");
  assert.deepEqual([player.t, player.clock.runs], [0, true]);
  player.show(48);
  player.point = 48;
  after([200, 16]);
  assert.deepEqual([player.t, player.clock.runs], [49, false]);
});

test("a pause stands on a computed frame", async () => {
  await open({ start: 0 });
  page.press(" ");
  page.picture(90);
  assert.equal(lab.charts.get("main").frame, 1.5);
  page.press(" ");
  assert.equal(lab.charts.get("main").frame, 1);
  assert.deepEqual(sent, [["t", { t: 1, reset: "bands:1" }]]);
  assert.equal(body.querySelector(".said").textContent, "t = 1");
  assert.equal(player.button.getAttribute("aria-label"), "Play");
});

test("a step tells Python once, after it rests", async () => {
  await open();
  mock.timers.enable({ apis: ["setTimeout"] });
  for (const _ of [1, 2, 3]) page.press("ArrowRight");
  mock.timers.tick(349);
  assert.deepEqual(sent, []);
  mock.timers.tick(1);
  assert.deepEqual(sent, [["t", { t: 6, reset: "bands:1" }]]);
  lab.course = {};
  page.press("ArrowRight");
  mock.timers.tick(400);
  assert.equal(sent.length, 1); // in a course the address is the stop
});

test("a film played to a frame stops there", async () => {
  await open();
  player.playTo(6);
  after([60, 60, 60, 60, 60]);
  assert.deepEqual([player.t, player.clock.runs, player.ends], [6, false, null]);
  player.playTo(8);
  player.finish();
  assert.deepEqual([player.t, player.clock.runs], [8, false]);
  player.play();
  player.finish();
  assert.equal(player.t, 49);
});

test("less motion jumps where a film would play", async () => {
  await open();
  page.media = CALM;
  page.press(" ");
  assert.deepEqual([player.t, player.clock.runs], [10, false]);
  player.playTo(30);
  assert.deepEqual([player.t, player.clock.runs], [30, false]);
});

test("a bet is told at its frame", async () => {
  await open({ start: 4, plays: 9 });
  assert.deepEqual([player.clock.runs, told()], [true, false]);
  assert.equal(body.querySelector("h1").scrolled, 1);
  after([60, 60, 60, 60]);
  assert.deepEqual([player.t, told()], [8, false]);
  after([60, 60]);
  assert.deepEqual([player.t, told(), player.clock.runs], [9, true, false]);
  await load({ start: 0, reset: "bands:2" });
  assert.deepEqual([told(), player.truth, player.t], [false, null, 0]);
});

test("a paused bet is not told", async () => {
  await open({ start: 4, plays: 9 });
  after([60]);
  page.press(" ");
  assert.deepEqual([player.t, told()], [5, false]);
  page.press("End");
  assert.ok(told());
});

test("the same moment keeps the time", async () => {
  await open();
  player.show(7);
  await load({ start: 3 });
  assert.equal(player.t, 7);
  await load({ start: 3 }, filmOf(5));
  assert.equal(player.t, 4); // the film is shorter
  await load({ start: 1, reset: "bands:2" });
  assert.equal(player.t, 1);
});

test("a player put up anew goes on", async () => {
  await open();
  player.show(7);
  const old = player;
  end();
  await load();
  assert.deepEqual([player !== old, player.t, old.leads], [true, 7, false]);
  end();
  assert.equal(lab.player, null);
  assert.equal(page.press("ArrowRight"), false);
});

test("the slider of time halts, shows and tells", async () => {
  await open();
  player.play();
  player.bar.value = "12.4";
  player.bar.oninput();
  assert.deepEqual([player.t, player.clock.runs, sent.length], [12, false, 0]);
  player.bar.onchange();
  assert.deepEqual(sent[0], ["t", { t: 12, reset: "bands:1" }]);
  assert.equal(player.bar.getAttribute("aria-valuetext"), "t = 12");
});

test("a click on a chart goes there", async () => {
  const film = filmOf(50);
  const text = JSON.parse(Buffer.from(film.subarray(4)).toString());
  text.charts[0].pick = { t: "x", x: "y", along: [], knobs: {} };
  await open({}, messageOf(text));
  const chart = lab.charts.get("main"),
    click = (x, y) => chart.heard.find(([name]) => name === "plotly_click")[1]({ points: [{ x, y }] }),
    press = (type, clientX) => chart.root.dispatchEvent(page.event(type, { clientX, clientY: 0 }));
  player.grip.dropped = -Infinity;
  click(30.2, 0.7);
  assert.equal(player.t, 30);
  assert.deepEqual(sent, [["x", 0.7]]);
  press("pointerdown", 0);
  press("pointerup", 30);
  click(10, 0.1); // the end of a swipe
  assert.equal(player.t, 30);
  player.grip.dropped = performance.now();
  press("pointerdown", 0);
  press("pointerup", 0);
  click(10, 0.1); // the end of a drag
  assert.equal(player.t, 30);
});

test("key D opens the bet, then answers", async () => {
  await open();
  const pressed = [];
  body.querySelector("h1").innerHTML = '<div class="st-key-bet_open"><button>bet</button></div>';
  PAGE.bet().onclick = () => pressed.push("bet");
  page.press("d");
  assert.deepEqual(pressed, ["bet"]);
  body.querySelector("h1").innerHTML = '<div class="st-key-bet_pick"><button>a</button></div>';
  page.press("d");
  assert.equal(document.activeElement.textContent, "a");
});

test("key Q shows and hides the code", async () => {
  await open();
  assert.ok(page.press("q")); // no link here: nothing opens
  assert.equal(document.getElementById("tvbo-qr"), null);
  body.querySelector("h1").innerHTML =
    '<div class="st-key-drawer_link"><details><summary>Link</summary><code>http://lab.test/Bands?V=1</code></details></div><div class="st-key-qr"><img src="code.png"></div>';
  const clicks = [];
  PAGE.link().onclick = () => {
    clicks.push("link");
    body.querySelector("details").open = !body.querySelector("details").open;
  };
  page.press("q");
  const sheet = document.getElementById("tvbo-qr");
  assert.deepEqual([sheet.querySelector("p").textContent, clicks.length], ["http://lab.test/Bands", 1]);
  assert.equal(sent.at(-1)[0], "t"); // the link has the time of now
  page.press("Escape");
  assert.deepEqual([document.getElementById("tvbo-qr"), clicks.length], [null, 2]);
});

test("the sentence follows its own moment alone", async () => {
  await open();
  body.querySelector("h1").innerHTML = '<div class="live"></div>';
  const stop = mountLive({ parentElement: body, data: { sentences: ["own"], index: [0], start: 0, reset: "bands:1" } }),
    spot = body.querySelector(".live"),
    say = (type, detail) => {
      window.dispatchEvent(page.event(type, { detail }));
      return spot.innerHTML;
    };
  assert.equal(spot.innerHTML, "sentence 3");
  player.show(5);
  assert.equal(spot.innerHTML, "sentence 5");
  assert.equal(spot.getAttribute("aria-busy"), "true");
  assert.equal(say("tvbo:said", { reset: "bands:1", html: "dragged" }), "dragged");
  assert.equal(say("tvbo:said", { reset: "bands:2", html: "another" }), "dragged");
  assert.equal(say("tvbo:frame", { reset: "bands:2", t: 1, html: "another" }), "dragged");
  assert.equal(lab.shown.finding, "dragged");
  stop();
  player.show(6);
  assert.equal(spot.innerHTML, "dragged");
});

test("words and marks light each other", async () => {
  await open();
  body.querySelector("h1").innerHTML =
    '<div class="live"><span data-mark="CMM">a</span><span data-mark="FST">b</span></div>';
  mountLive({ parentElement: body, data: { sentences: ["x"], index: [0], start: 0, reset: "bands:9" } });
  const spot = body.querySelector(".live"),
    chart = lab.charts.get("main");
  spot.innerHTML = '<span data-mark="CMM">a</span><span data-mark="FST">b</span>';
  chart.show({
    data: [
      { meta: "CMM", x: [], y: [] },
      { meta: "FST", opacity: 0.8, x: [], y: [] },
      { x: [], y: [] },
    ],
    layout: chart.figure.layout,
  });
  spot.children[0].dispatchEvent(page.event("pointerover"));
  assert.deepEqual(
    chart.data.map(({ opacity }) => opacity),
    [1, 0.2, undefined],
  );
  spot.dispatchEvent(page.event("pointerleave"));
  assert.deepEqual(
    chart.data.map(({ opacity }) => opacity),
    [undefined, 0.8, undefined],
  );
  window.dispatchEvent(page.event("tvbo:mark", { detail: ["FST"] }));
  assert.deepEqual(
    spot.children.map((one) => one.classList.contains("lit")),
    [false, true],
  );
});

test("what is shown is of one page", () => {
  shownNow("bands:1", { label: "t = 1" });
  shownNow("bands:2", { finding: "f" });
  assert.deepEqual(lab.shown, { page: "bands", label: "t = 1", finding: "f" });
  shownNow("race:1", { label: "t = 9" });
  assert.deepEqual(lab.shown, { page: "race", label: "t = 9" });
});

test("without a server a player follows no slider", async () => {
  await open();
  const data = messageOf({ revision: 1, reset: "bands:7", start: 2, plays: null }, packed(filmOf(9)));
  body.querySelector(".player").player = null;
  mountPlayer({ parentElement: body, data, setStateValue: () => {} });
  await until(() => lab.player.film.n === 9);
  assert.deepEqual([lab.player.t, lab.player.last, lab.player.follower.ahead], [2, 8, false]);
});
