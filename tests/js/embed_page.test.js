// A lesson in a frame of somebody's slides: what it says, does when it is asked, and which keys it gives away.
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import mountEmbed from "../../assets/player/embed.js";
import { lab } from "../../assets/shared/lab.js";
import { page } from "./page.js";

let body, said, sent, timeline, end;
beforeEach(() => {
  body = page.open("<span></span>");
  [said, sent] = [[], []];
  window.parent = { postMessage: (what) => said.push(what) };
  const done = [];
  timeline = { t: 3, time: 30, last: 10, later: null, done, clock: { runs: false }, nearest: (time) => time / 10 };
  timeline.jump = (t) => done.push(t);
  timeline.play = () => done.push("play");
  timeline.pause = () => done.push("pause");
  Object.assign(lab, { player: timeline, now: { t: 3, reset: "bands:1" } });
  const data = { lesson: "bands", moments: ["missed"] };
  end = mountEmbed({ parentElement: body, data, setTriggerValue: (...all) => sent.push(all) });
});
const ask = (data, source = window.parent) => window.dispatchEvent(page.event("message", { data, source }));
const frame = (t, reset = "bands:1") => {
  timeline.t = t;
  timeline.time = 10 * t;
  window.dispatchEvent(page.event("tvbo:frame", { detail: { t, reset } }));
};

test("a tab of its own mounts nothing", () => {
  end();
  window.parent = window;
  assert.equal(mountEmbed({ parentElement: body, data: {} }), undefined);
  assert.equal(lab.embed, null);
});

test("it greets once and says each time", () => {
  assert.deepEqual(said, [
    { tvbo: "ready", lesson: "bands", t: 30, moments: ["missed"] },
    { tvbo: "time", lesson: "bands", t: 30 },
  ]);
  said.length = 0;
  frame(3);
  frame(4);
  frame(10);
  frame(10, "bands:2"); // opens there
  frame(5, "race:1"); // the page before
  assert.deepEqual(
    said.map(({ tvbo, t }) => `${tvbo} ${t}`),
    ["time 40", "time 100", "end 100", "time 100"],
  );
});

test("it does what the page around asks", () => {
  for (const data of [{ tvbo: "step", by: -2 }, { tvbo: "time", t: 70 }, { tvbo: "play" }, { tvbo: "pause" }])
    ask(data);
  timeline.clock.runs = true;
  for (const what of ["play", "pause"]) ask({ tvbo: what });
  ask({ tvbo: "moment", key: "missed" });
  assert.deepEqual([timeline.done, sent], [[1, 7, "play", "pause"], [["moment", "missed"]]]);
});

test("others than the page around are not heard", (t) => {
  const warned = t.mock.method(console, "warn", () => {});
  ask({ tvbo: "play" }, {});
  ask({ tvbo: "nonsense" });
  assert.deepEqual([timeline.done, warned.mock.callCount()], [[], 1]);
});

test("keys are the deck's until a click", () => {
  assert.ok(page.press("PageDown"));
  assert.deepEqual(said.at(-1), { tvbo: "key", key: "PageDown" });
  body.dispatchEvent(page.event("pointerdown"));
  const before = said.length;
  assert.equal(page.press("PageDown"), false); // the player's
  timeline.t = 10;
  page.press("PageDown");
  page.press("x");
  assert.equal(said.length, before + 1);
  window.dispatchEvent(page.event("blur"));
  page.press("ArrowLeft");
  assert.deepEqual(said.at(-1), { tvbo: "key", key: "ArrowLeft" });
});

test("a link opens the whole lab", () => {
  body.innerHTML = '<a href="http://lab.test/Race?embed=true&V=1">r</a><a href="#term-x">t</a>';
  const opened = [];
  globalThis.open = (url, ...more) => opened.push(String(url), ...more);
  for (const link of body.querySelectorAll("a")) link.click();
  assert.deepEqual(opened, ["http://lab.test/Race?V=1", "_blank", "noopener"]);
});
