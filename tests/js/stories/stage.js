// A chart on its page: the last picture, Plotly's turn, panels that are swiped through, layouts of screens, dragged frames.
import { lab } from "../../../assets/shared/lab.js";
import { Chart } from "../../../assets/stage/chart.js";
import { mountChart } from "../../../assets/stage/served.js";
import { CHART } from "../drawn.js";
import { filmOf, messageOf, packed, until } from "../film.js";
import { act, click, open, say, tick } from "../reader.js";

const FIGURE = JSON.parse(new TextDecoder().decode(filmOf(1).subarray(4))).charts[0].figure;
const of = (trace) => filmOf(1, { charts: [{ key: "main", figure: { ...FIGURE, data: [trace] }, tracks: [] }] });
const WORD = of({ mode: "text", x: [0], y: [5], text: ["word"] });
let chart, end;

async function still(film = WORD, size = { left: 0, top: 0, width: 800, height: 400 }) {
  const watch = () => ({ drawn: chart?.picture.drawn, stands: chart?.picture.stands });
  chart = null;
  const body = open(`<div class="st-key-main">${CHART}</div>`, { watch });
  for (const part of body.querySelectorAll(".swipe, .chart")) part.box = size;
  const data = messageOf({ key: "main", alt: "a", plotly: "p.js", revision: 7 }, packed(film));
  await act("the chart comes", async () => {
    end = mountChart({ parentElement: body.firstElementChild, data });
    chart = lab.charts.get("main");
    await until(() => chart.figure);
  });
}

const SHAPES = {
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
const FRAME = {
  data: [{ name: "peak", y: [9] }],
  layout: {
    xaxis: { range: [0, 2] },
    xaxis2: { range: [7, 8] },
    annotations: [{ text: "now!", name: "now", xref: "x2", yref: "y2" }],
  },
};
// A chart without its element; what it shows after something was done to it.
function alone(words, does, more = {}) {
  const root = { clientWidth: 900, clientHeight: 500, getBoundingClientRect: () => ({ top: 10, bottom: 400 }) },
    one = Object.assign(Object.create(Chart.prototype), {
      figure: SHAPES,
      moving: new Map(),
      light: null,
      over: null,
      root,
    });
  Object.assign(one, { paint: () => say("  paints"), ...more });
  say(`> ${words}`);
  does(one);
  if (!one.figure) return say(`  no figure, over ${one.over}`);
  for (const trace of one.data) say(`  trace ${JSON.stringify(trace)}`);
  for (const [name, part] of Object.entries(one.layout)) if (name !== "meta") say(`  ${name} ${JSON.stringify(part)}`);
}
const SCREENS = {
  data: [],
  layout: {
    margin: { l: 60, t: 40 },
    yaxis: { domain: [0, 1] },
    annotations: [{ text: "a" }, { text: "b<br>c" }],
    meta: {
      medium: { margin: { l: 80 } },
      narrow: { margin: { l: 90 } },
      low: { yaxis: { domain: [0, 0.5] }, annotations: { 1: { text: "b" } } },
    },
  },
};

export const stories = {
  "a stage that leaves hands over its picture": async () => {
    await still();
    act("it leaves", () => {
      document.body.replaceChildren();
      end();
    });
    await still(); // the next one is painted
  },
  "a chart that rests is Plotly's": async () => {
    chart = { picture: {} };
    const react = async (_, data) => say(`  Plotly draws ${JSON.stringify(data[0].text)}`);
    window.Plotly = { react, purge() {}, Fx: { unhover() {} } };
    const body = open(CHART, { watch: () => ({ stands: chart.picture.stands, drawn: chart.drawn }) }),
      fresh = await import("../../../assets/stage/chart.js?fresh"), // which has not fetched Plotly yet
      repaint = () => act("soon", () => until(() => !chart.picture.stands));
    body.querySelector(".chart").box = { left: 0, top: 0, width: 800, height: 400 };
    chart = new fresh.Chart(body.querySelector(".chart"), "main", "p.js");
    await act("a figure comes", async () => {
      chart.show({ ...FIGURE, data: [{ mode: "text", x: [0], y: [5], text: ["word"] }] });
      await document.fonts.ready;
    });
    tick(120);
    await repaint();
    act("a word is empty", () => chart.move(new Map([[0, { text: [""] }]])));
    tick(119);
    tick(1); // Plotly keeps the element of an empty word
    await repaint();
    delete window.Plotly;
  },
  "a wide stage has a dot a screen": async () => {
    await still();
    const swipe = document.querySelector(".swipe"),
      fits = () => act("it fits its screen", () => chart.root.swipe.fit());
    swipe.box = { left: 0, top: 0, width: 400, height: 400 };
    swipe.style.setProperty("--abreast", "2");
    swipe.style.setProperty("--point", "1");
    fits(); // a page opens at its point
    click(document.querySelector(".dots").children[0]);
    act("a finger swipes", () => swipe.scrollTo({ left: 150 }));
    fits(); // after that the hand alone moves it
  },
  "a dragged slider's frame covers the chart meanwhile": () => {
    const next = { data: [{ y: [5] }], layout: {} };
    alone("another figure", (one) => one.show(next), { light: new Map([[0, 0.1]]), over: FRAME });
    alone("a frame", (one) => one.follow(FRAME, []));
    alone("a frame that keeps axes", (one) => one.follow(FRAME, ["x2", "y2"]));
    const moving = new Map([[1, { y: [0, 0] }]]);
    alone("below a frame kept axes move on", (one) => one.follow({ data: [], layout: {} }, ["x2", "y2"]), { moving });
    alone("back", (one) => {
      one.follow(FRAME, []);
      for (const _ of [1, 2]) one.back();
    });
    const below = { getBoundingClientRect: () => ({ top: 800, bottom: 900 }), clientWidth: 900, clientHeight: 500 };
    alone("out of sight", (one) => one.follow(FRAME, []), { root: below });
    alone("without a figure", (one) => one.follow(FRAME, []), { figure: null });
  },
  "phones and tablets get layouts of their own": () => {
    for (const [clientWidth, clientHeight] of [
      [900, 500],
      [600, 500],
      [390, 500],
      [900, 300],
    ])
      alone(`${clientWidth} x ${clientHeight}`, () => {}, { figure: SCREENS, root: { clientWidth, clientHeight } });
  },
};
