// Pictures and films of a chart: names, captions, buttons, what a browser can write, and a film's page in one file.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { beforeEach, test } from "node:test";
import { make } from "../../assets/export/alone.js";
import { reel } from "../../assets/export/animation.js";
import { picture, unmarked, wrapped } from "../../assets/export/drawing.js";
import mountExport from "../../assets/export/export.js";
import { writes, written } from "../../assets/export/video.js";
import { lab } from "../../assets/shared/lab.js";
import { decode } from "../../assets/stage/decode.js";
import { CHART, PLAYER } from "./drawn.js";
import { filmOf, messageOf, packed, until } from "./film.js";
import { page } from "./page.js";

const html = (name) => readFileSync(new URL(`../../assets/export/${name}.html`, import.meta.url), "utf8");
let body, drawn, saved;
const film = () => decode(filmOf(4).buffer);
const DATA = {
  key: "main",
  alt: "Regret",
  name: "lesson-bands-main",
  caption: "Seed 1.",
  label: "",
  labels: null,
  hall: false,
  height: null,
  encoders: null,
};

beforeEach(() => {
  body = page.open(html("export"));
  [drawn, saved] = [[], []];
  window.Plotly = { toImage: async (figure) => drawn.push(figure) && "<svg></svg>" };
  URL.createObjectURL = () => "blob:1";
  URL.revokeObjectURL = () => {};
  const create = document.createElement.bind(document);
  document.createElement = (name) => {
    const el = create(name);
    if (name === "a") el.click = () => saved.push(el.download);
    if (name === "canvas") el.toBlob = (done) => done(new Blob(["png"]));
    return el;
  };
  window.Image = class {
    set src(_) {
      setImmediate(() => this.onload());
    }
  };
  const { figure } = film().charts[0];
  lab.charts.clear();
  lab.charts.set("main", {
    plotly: Promise.resolve(),
    current: figure,
    figure,
    layout: figure.layout,
    film: film().charts[0],
  });
  lab.charts.set("widths", lab.charts.get("main"));
});
const button = (kind) => body.querySelector(`[data-as="${kind}"]`);
const notes = (figure) => figure.layout.annotations.map(({ text }) => text);
async function press(kind, data = {}) {
  mountExport({ parentElement: body, data: { ...DATA, ...data } });
  button(kind).onclick();
  await until(() => saved.length || body.querySelector("output").textContent);
}

test("a picture is named by its time", async () => {
  lab.now = { t: 2, html: "V<sub>T</sub> is  <b>large</b>." };
  await press("png", { labels: ["a", "b", "t = 3 of 9 · late"] });
  assert.deepEqual(saved, ["lesson-bands-main-t-3-of-9.png"]);
  assert.deepEqual(notes(drawn[0]), ["t = 3 of 9 · late. Seed 1.", "V_T is large."]);
  assert.deepEqual([drawn[0].layout.width, drawn[0].layout.height], [1200, 675]);
});

test("a chart below the stage has no headline", async () => {
  await press("svg", { key: "widths", label: "at the end" });
  assert.deepEqual([saved, notes(drawn[0])], [["lesson-bands-main-at-the-end.svg"], ["at the end. Seed 1."]]);
});

test("a browser that cannot draw says so", async () => {
  window.Plotly.toImage = () => Promise.reject(new Error("no"));
  await press("png");
  assert.match(body.querySelector("output").textContent, /try SVG/);
  assert.equal(button("png").disabled, false);
});

test("only kinds that can be written are offered", async () => {
  window.VideoEncoder = { isConfigSupported: async ({ codec }) => ({ supported: codec.startsWith("vp09") }) };
  mountExport({ parentElement: body, data: { ...DATA, encoders: { gif: "g", webm: "w", mp4: "m" } } });
  await until(() => !button("webm").hidden);
  const hidden = ["png", "svg", "gif", "webm", "mp4"].filter((kind) => button(kind).hidden);
  assert.deepEqual([hidden, button("gif").getAttribute("aria-label")], [["mp4"], "GIF of: Regret"]);
  mountExport({ parentElement: body, data: DATA });
  assert.deepEqual(
    ["gif", "webm", "mp4"].map((kind) => button(kind).hidden),
    [true, true, true],
  );
  delete window.VideoEncoder;
  assert.equal(await writes("mp4"), false);
});

test("an animation is cancelled by its own button", async () => {
  const data = { ...DATA, encoders: { gif: "data:text/javascript,export const GIFEncoder = 1" } };
  lab.player = { film: film() };
  window.Plotly.toImage = () => new Promise(() => {});
  mountExport({ parentElement: body, data });
  button("gif").onclick();
  assert.equal(button("gif").textContent, "Cancel 0 %");
  const { making } = body.querySelector(".export");
  button("gif").onclick();
  assert.ok(making.signal.aborted);
});

test("text too wide is wrapped", () => {
  assert.deepEqual(wrapped("one two three four", 60, "20px Sans"), ["one", "two", "three", "four"]);
  assert.deepEqual(wrapped("one two three four", 100, "20px Sans"), ["one two", "three four"]);
  assert.equal(unmarked("<b>a</b>\n <i>b</i>"), "a b");
});

test("headline and caption have room beside the chart", () => {
  const { figure } = film().charts[0],
    made = picture(figure, { height: null, hall: false }, { caption: "a < b", headline: "H" }, { lines: 1, heads: 1 }),
    [foot, head] = made.figure.layout.annotations;
  assert.deepEqual([foot.text, head.text, foot.y, head.y], ["a &lt; b", "H", 0, 1]);
  const { margin } = made.figure.layout;
  assert.ok(margin.b > figure.layout.margin.b && margin.t > figure.layout.margin.t);
});

test("a reel has each frame's words", () => {
  const part = film().charts[0],
    { frames, drawn: at } = reel(film(), part, part.figure.layout, {
      caption: "Seed 1.",
      headed: true,
      height: null,
      hall: false,
    });
  assert.deepEqual(frames, [0, 1, 2, 3]);
  const { figure } = at(2);
  assert.deepEqual([figure.data[0].text, notes(figure)], [["word 2"], ["t = 2. Seed 1.", "sentence 2"]]);
});

test("a video's pictures follow each other in time", async () => {
  const added = [];
  const part = class {},
    encoder = {
      BufferTarget: class {
        buffer = "bytes";
      },
      Mp4OutputFormat: part,
      WebMOutputFormat: part,
    };
  encoder.CanvasSource = class {
    add = async (...at) => added.push(at);
  };
  encoder.Output = class {
    addVideoTrack() {}
    start() {}
    finalize() {}
    cancel() {
      this.cancelled = true;
    }
  };
  const { charts } = film(),
    made = reel(film(), charts[0], charts[0].figure.layout, { ...DATA, headed: true }),
    shares = [];
  assert.equal(await written(made, "webm", { encoder, told: (share) => shares.push(share) }), "bytes");
  assert.deepEqual(added, [
    [0, 0.6],
    [0.6, 0.6],
    [1.2, 0.6],
    [1.8, 2],
  ]);
  assert.deepEqual(shares, [0, 0.25, 0.5, 0.75]);
});

test("an animation alone says why it fails", async (t) => {
  const posted = [];
  t.mock.method(globalThis, "fetch", async (where, sent) =>
    sent ? posted.push([where, sent.body]) : new Response(filmOf(2)),
  );
  await make({ key: "main", kind: "mp4", encoder: "" });
  assert.match(posted[0].join(), /^failed,Error: it writes no mp4, so name a file \*\.gif$/);
});

test("a page in one file plays and walks", async () => {
  const end = 3,
    plain = {
      charts: ["main"],
      said: { sentences: ["x"], index: [0], start: 0, reset: "bands:1" },
      end,
      walks: true,
      ways: { n: "next.html", p: "before.html", i: "index.html" },
    },
    message = messageOf({ revision: 9, reset: "bands:1", start: 0, plays: null }, packed(filmOf(6)));
  body = page.open(
    `<div id="finding"><div class="live"></div></div><div class="st-key-main">${CHART}</div><div id="player">${PLAYER}</div>
    <script id="lab-page">x</script><script id="lab-message">x</script>`,
  );
  Object.assign(lab, { now: null, player: null });
  document.getElementById("lab-page").textContent = JSON.stringify(plain);
  document.getElementById("lab-message").textContent = Buffer.from(message).toString("base64");
  body.querySelector(".chart").box = { left: 0, top: 0, width: 900, height: 400 };
  lab.charts.clear();
  await import("../../assets/export/offline.js");
  await until(() => lab.player?.name === 9);
  assert.equal(body.querySelector(".live").innerHTML, "sentence 0");
  page.press("PageDown"); // plays to where the stop ends
  assert.deepEqual([lab.player.clock.runs, lab.player.ends], [true, end]);
  page.press("PageDown"); // is there
  assert.deepEqual([lab.player.t, page.went], [end, []]);
  for (const key of ["PageDown", "PageUp", "n", "p", "i"]) page.press(key);
  assert.deepEqual(page.went, ["next.html", "before.html", "next.html", "before.html", "index.html"]);
  lab.course = null;
});
