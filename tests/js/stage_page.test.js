// A stage on its page: the last picture, Plotly's turn, panels that are swiped through, and stills.
import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { lab } from "../../assets/shared/lab.js";
import { leave, painted } from "../../assets/stage/last.js";
import { mountChart } from "../../assets/stage/served.js";
import { CHART } from "./drawn.js";
import { filmOf, messageOf, packed, until } from "./film.js";
import { page } from "./page.js";

let body;
beforeEach(() => {
  mock.timers.reset();
  body = page.open(`<div class="st-key-main">${CHART}</div>`);
  lab.charts.clear();
});
const PLACE = { left: 10, top: 20, width: 300, height: 200 };
const box = () => Object.assign(document.createElement("div"), { className: "lab-picture" });

test("the last picture lies in the next's place", () => {
  const last = box();
  body.querySelector(".chart").box = { left: 1, top: 2, width: 30, height: 40 };
  leave({ box: last, place: PLACE });
  assert.deepEqual([last.isConnected, last.style.left, last.style.width], [true, "1px", "30px"]);
  painted();
  assert.equal(last.isConnected, false);
  page.picture();
  assert.equal(last.isConnected, false);
});

test("an open bet shows no last picture", () => {
  const last = box();
  body.innerHTML = '<div class="st-key-bet_panel"></div>';
  leave({ box: last, place: PLACE });
  assert.equal(last.isConnected, false);
});

test("a stage that leaves hands over its picture", async () => {
  const { chart, end } = await still();
  const { box: last } = chart.picture;
  body.replaceChildren();
  end();
  assert.ok(last.isConnected && last.parentElement === body);
  assert.equal(lab.charts.has("main"), false);
  await still();
  assert.equal(last.isConnected, false); // the next one is painted
});

const FIGURE = JSON.parse(new TextDecoder().decode(filmOf(1).subarray(4))).charts[0].figure;
const one = (trace) => filmOf(1, { charts: [{ key: "main", figure: { ...FIGURE, data: [trace] }, tracks: [] }] });

async function still(
  film = one({ mode: "text", x: [0], y: [5], text: ["word"] }),
  size = { left: 0, top: 0, width: 800, height: 400 },
) {
  body.innerHTML = `<div class="st-key-main">${CHART}</div>`;
  for (const part of body.querySelectorAll(".swipe, .chart")) part.box = size;
  const data = messageOf({ key: "main", alt: "a", plotly: "p.js", revision: 7 }, packed(film)),
    end = mountChart({ parentElement: body.firstElementChild, data }),
    chart = lab.charts.get("main");
  await until(() => chart.figure);
  return { chart, end };
}

test("a chart that rests is Plotly's", async () => {
  const drawn = [];
  window.Plotly = { react: async (_, data) => drawn.push(data), purge() {}, Fx: { unhover() {} } };
  const { chart } = await still();
  await until(() => chart.drawn && !chart.picture.stands);
  assert.deepEqual(drawn[0][0].text, ["word"]);
  mock.timers.enable({ apis: ["setTimeout"] });
  chart.move(new Map([[0, { text: [""] }]]));
  assert.ok(chart.picture.stands);
  mock.timers.tick(119);
  assert.equal(drawn.length, 1);
  mock.timers.tick(1);
  await until(() => !chart.picture.stands);
  assert.deepEqual(drawn[1][0].text, ["\u200b"]); // Plotly keeps the element of an empty word
  mock.timers.reset();
  delete window.Plotly;
});

test("what canvases cannot draw is left to Plotly", async () => {
  const { chart } = await still(one({ type: "bar", x: [1], y: [1] }));
  assert.equal(chart.picture.drawn, 0);
});

test("a chart is drawn once it has size", async () => {
  const { chart } = await still(undefined, { left: 0, top: 0, width: 0, height: 0 });
  assert.equal(chart.picture.drawn, 0);
  chart.root.box = { left: 0, top: 0, width: 800, height: 400 };
  page.resized();
  assert.equal(chart.picture.drawn, 1);
  page.resized();
  assert.equal(chart.picture.drawn, 1);
});

test("a wide stage has a dot a screen", async () => {
  const { chart } = await still();
  const [swipe, dots] = [body.querySelector(".swipe"), body.querySelector(".dots")];
  assert.equal(dots.children.length, 0);
  swipe.box = { left: 0, top: 0, width: 400, height: 400 };
  swipe.style.setProperty("--abreast", "2");
  swipe.style.setProperty("--point", "1");
  chart.root.swipe.fit();
  assert.deepEqual(
    dots.children.map((dot) => dot.getAttribute("aria-label")),
    ["Panel 1 of 2", "Panel 2 of 2"],
  );
  assert.equal(swipe.scrollLeft, 400); // a page opens at its point
  const current = () => dots.children.findIndex((dot) => dot.getAttribute("aria-current") === "true");
  assert.equal(current(), 1);
  dots.children[0].click();
  assert.deepEqual([swipe.scrollLeft, current()], [0, 0]);
  swipe.scrollTo({ left: 150 });
  chart.root.swipe.fit();
  assert.deepEqual([swipe.scrollLeft, current()], [150, 0]); // after that the hand alone moves it
});
