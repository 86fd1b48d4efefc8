// A chart's pure part: which traces and which layout it draws, without a page.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Chart } from "../../assets/stage/chart.js";

const FIGURE = {
  data: [
    { name: "peak", xaxis: "x", yaxis: "y", y: [1, 2], opacity: 0.5 },
    { name: "regret", xaxis: "x2", yaxis: "y2", y: [3, 4] },
  ],
  layout: {
    xaxis: { range: [0, 1] },
    xaxis2: { range: [0, 9] },
    yaxis2: { range: [0, 5] },
    annotations: [
      { text: "V", xref: "x", yref: "y" },
      { text: "R", xref: "x2", yref: "y2 domain" },
      { text: "now", name: "now", xref: "x2", yref: "y2" },
    ],
    shapes: [],
  },
};

// A chart without its element, that counts how often it is painted.
function chart(more = {}) {
  return Object.assign(Object.create(Chart.prototype), {
    figure: FIGURE,
    moving: new Map(),
    light: null,
    over: null,
    painted: 0,
    root: { getBoundingClientRect: () => ({ top: 10, bottom: 400 }) },
    paint() {
      this.painted += 1;
    },
    ...more,
  });
}

globalThis.window ??= { innerHeight: 700 };

test("another figure is shown unlit and uncovered", () => {
  const one = chart({ light: new Map([[0, 0.1]]), over: { data: [], layout: {} } }),
    next = { data: [{ y: [5] }], layout: {} };
  one.show(next);
  assert.deepEqual([one.data, one.seen, one.light], [next.data, next, null]);
});

test("a dragged slider's frame covers the chart meanwhile", () => {
  const one = chart(),
    frame = { data: [{ y: [9] }], layout: { xaxis: { range: [0, 2] } } };
  one.follow(frame, []);
  assert.deepEqual([one.data, one.seen.layout], [frame.data, frame.layout]);
  one.back();
  assert.deepEqual([one.data, one.seen, one.painted], [FIGURE.data, FIGURE, 2]);
  one.back();
  assert.equal(one.painted, 2);
});

test("kept axes change only what a frame names", () => {
  const one = chart(),
    named = { text: "now!", name: "now", xref: "x2", yref: "y2" };
  one.follow(
    {
      data: [{ name: "peak", y: [9] }],
      layout: { xaxis: { range: [0, 2] }, xaxis2: { range: [7, 8] }, annotations: [named] },
    },
    ["x2", "y2"],
  );
  assert.deepEqual(
    one.data.map((trace) => trace.name),
    ["peak", "regret"],
  );
  assert.deepEqual(one.data[0].y, [9]);
  const { xaxis, xaxis2, yaxis2, annotations } = one.seen.layout;
  assert.deepEqual(
    [xaxis.range, xaxis2.range, yaxis2.range],
    [
      [0, 2],
      [0, 9],
      [0, 5],
    ],
  );
  assert.deepEqual(
    annotations.map(({ text }) => text),
    ["R", "now!"],
  );
});

test("below a frame kept axes move on", () => {
  const one = chart();
  one.moving = new Map([[1, { y: [0, 0] }]]);
  one.follow({ data: [], layout: {} }, ["x2", "y2"]);
  assert.deepEqual(one.data[0].y, [0, 0]);
});

test("a chart out of sight follows no slider", () => {
  for (const more of [{ root: { getBoundingClientRect: () => ({ top: 800, bottom: 900 }) } }, { figure: null }]) {
    const one = chart(more);
    one.follow({ data: [], layout: {} }, []);
    assert.deepEqual([one.over, one.painted], [null, 0]);
  }
});

test("phones and tablets get layouts of their own", () => {
  const meta = { medium: { margin: { l: 80 } }, narrow: { margin: { l: 90 } }, low: { yaxis: { domain: [0, 0.5] } } },
    figure = { data: [], layout: { margin: { l: 60, t: 40 }, yaxis: { domain: [0, 1] }, meta } };
  const on = (clientWidth, clientHeight) => chart({ root: { clientWidth, clientHeight }, figure }).layout;
  assert.deepEqual(
    [900, 600, 390].map((width) => on(width, 500).margin),
    [60, 80, 90].map((l) => ({ l, t: 40 })),
  );
  assert.deepEqual([on(900, 500).yaxis.domain[1], on(900, 300).yaxis.domain[1]], [1, 0.5]);
});

test("another screen replaces single entries of a list", () => {
  const annotations = [{ text: "a" }, { text: "b<br>c" }],
    figure = { data: [], layout: { annotations, meta: { low: { annotations: { 1: { text: "b" } } } } } };
  const said = (clientHeight) =>
    chart({ root: { clientWidth: 900, clientHeight }, figure }).layout.annotations.map(({ text }) => text);
  assert.deepEqual(
    [said(300), said(500)],
    [
      ["a", "b"],
      ["a", "b<br>c"],
    ],
  );
});
