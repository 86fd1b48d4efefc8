// The speaker window and the lab's side of it, on one channel.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { beforeEach, mock, test } from "node:test";
import { lab } from "../../assets/shared/lab.js";
import mountSpeaker from "../../assets/speaker/button.js";
import { page } from "./page.js";

const html = (name) => readFileSync(new URL(`../../assets/speaker/${name}.html`, import.meta.url), "utf8");
const PAGE = {
  page: "bands",
  lesson: "Confidence bands",
  path: "speaker",
  question: "How wide?",
  moments: [
    ["Tight", "Look."],
    ["Missed", "And now?"],
  ],
  chosen: 1,
  after: "Theorems",
  course: null,
};
let body,
  number = 0;

beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout", "setInterval", "Date"] });
  body = page.open(
    html("button") + /<body>([\s\S]*)<script>/.exec(html("window"))[1],
    "http://lab.test/speaker#tvbo-x",
  );
  window.name = "tvbo-x";
  lab.shown = null;
});
const mount = (more = {}) => mountSpeaker({ parentElement: body, data: { ...PAGE, ...more } });
const openWindow = () => import(`../../assets/speaker/window.js?${number++}`);
const text = (id) => document.getElementById(id).textContent;

test("the window says what comes next", async () => {
  mount();
  await openWindow();
  assert.deepEqual(["lesson", "now", "line", "next", "next_line"].map(text), [
    "Confidence bands",
    "Now: 1 · Tight",
    "“Look.”",
    "Next: 2 · Missed (key 2)",
    "“And now?”",
  ]);
  mount({ chosen: 2 });
  assert.deepEqual(["now", "next", "next_line"].map(text), ["Now: 2 · Missed", "Next lesson: Theorems", ""]);
  mount({ chosen: 0 });
  assert.deepEqual(["now", "line", "next"].map(text), [
    "No prepared moment is chosen",
    "How wide?",
    "Next: 1 · Tight (key 1)",
  ]);
});

test("the window shows its page's screen", async () => {
  mount();
  await openWindow();
  lab.shown = { page: "bands", label: "t = 3", finding: "<b>wide</b>" };
  window.dispatchEvent(page.event("tvbo:shown"));
  assert.deepEqual([text("label"), text("finding")], ["t = 3", "wide"]);
  lab.shown = { page: "race", label: "t = 9", finding: "other" };
  window.dispatchEvent(page.event("tvbo:shown"));
  assert.deepEqual([text("label"), text("finding")], ["", ""]);
});

test("a course's stops stand with their minutes", async () => {
  mount({
    course: {
      next: "The race",
      line: "Go.",
      at: 2,
      stops: [
        ["Drift", 5, false],
        ["Race", 7, true],
      ],
    },
  });
  await openWindow();
  const stops = document.getElementById("course").children;
  assert.deepEqual(
    stops.map((one) => one.textContent),
    ["Drift, minute 0 to 5", "Race, minute 5 to 12 (leave out when late)"],
  );
  assert.deepEqual(
    stops.map((one) => one.getAttribute("aria-current")),
    [null, "step"],
  );
  assert.deepEqual(["next", "next_line", "next_key", "back_key"].map(text), [
    "Next: The race (Page Down)",
    "“Go.”",
    "Next thing",
    "Back",
  ]);
});

test("a key pressed there is pressed here, once", async () => {
  mount();
  const other = new BroadcastChannel("tvbo-x"),
    heard = [];
  window.addEventListener("keydown", (e) => heard.push(`${e.shiftKey ? "Shift " : ""}${e.key}`));
  for (const key of ["PageDown", "ArrowUp", "s", "x"]) other.postMessage({ kind: "press", key });
  other.postMessage({ kind: "press", key: "ArrowRight", shift: true });
  assert.deepEqual(heard, ["PageDown", "Shift ArrowRight"]);
});

test("the window's buttons and keys are sent", async () => {
  const sent = [],
    other = new BroadcastChannel("tvbo-x"); // the lab's window is another one
  await openWindow();
  other.postMessage({ kind: "page", ...PAGE });
  other.onmessage = ({ data }) => data.kind === "press" && sent.push([data.key, data.shift]);
  document.querySelectorAll("#moments button")[1].click();
  for (const one of document.querySelectorAll("[data-key]")) one.click();
  assert.deepEqual(sent, [
    ["2", undefined],
    ["PageUp", false],
    [" ", false],
    ["PageDown", false],
    ["ArrowRight", true],
    ["b", false],
  ]);
  sent.length = 0;
  page.press("Tab");
  page.press("l", document.getElementById("hold"));
  page.press(" ", document.getElementById("hold")); // presses the button itself
  assert.deepEqual(sent, [["l", undefined]]);
});

test("the timer counts, halts and starts again", async () => {
  mount();
  await openWindow();
  const after = (seconds) => {
    mock.timers.tick(1000 * seconds);
    return text("timer");
  };
  assert.deepEqual([after(5), after(60), after(3600)], ["0:05", "1:05", "1:01:05"]);
  document.getElementById("hold").click();
  assert.deepEqual([after(30), text("hold")], ["1:01:05", "Go on"]);
  document.getElementById("hold").click();
  assert.equal(after(1), "1:01:06");
  document.getElementById("reset").click();
  assert.equal(after(2), "0:02");
});

test("a lab that has left is said", async () => {
  mount();
  await openWindow();
  window.dispatchEvent(page.event("pagehide"));
  assert.match(text("now"), /closed, or loads again/);
});

test("a refused window says how to allow it", () => {
  mount();
  const asked = [];
  globalThis.open = (...all) => asked.push(...all) && null;
  assert.ok(page.press("s"));
  assert.deepEqual(asked.slice(0, 2), ["speaker#tvbo-x", "tvbo-x-speaker"]);
  assert.match(body.querySelector(".speaker p").textContent, /allow pop-ups/);
  globalThis.open = () => ({ focus() {} });
  body.querySelector(".speaker button").click();
  assert.equal(body.querySelector(".speaker p").textContent, "");
});

test("a field keeps its own undo", () => {
  body.append(Object.assign(document.createElement("textarea"), { id: "field" }));
  mount();
  const heard = [],
    undo = () => page.press("z", document.getElementById("field"), { ctrlKey: true });
  document.addEventListener("keydown", (e) => heard.push(e.key));
  undo();
  page.press("z", body, { ctrlKey: true });
  assert.deepEqual(heard, ["z"]);
});
