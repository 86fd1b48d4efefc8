// Pictures and films of a chart: names, captions, buttons, what a browser can write, and a film's page in one file.
import { readFileSync } from "node:fs";
import { make } from "../../../assets/export/alone.js";
import { reel } from "../../../assets/export/animation.js";
import { marked, picture, wrapped } from "../../../assets/export/drawing.js";
import mountExport from "../../../assets/export/export.js";
import { writes } from "../../../assets/export/video.js";
import { lab } from "../../../assets/shared/lab.js";
import { decode } from "../../../assets/stage/decode.js";
import { filmOf, until } from "../film.js";
import { act, open, say } from "../reader.js";

const HTML = readFileSync(new URL("../../../assets/export/export.html", import.meta.url), "utf8");
const film = () => decode(filmOf(4).buffer);
const DATA = { key: "main", alt: "Regret", name: "lesson-bands-main", caption: "Seed 1.", label: "", labels: null };
const MORE = { hall: false, height: null, encoders: null };
const GIF = { gif: "data:text/javascript,export const GIFEncoder = 1" };
let saved;

function begin() {
  open(HTML);
  saved = 0;
  const drawn = async ({ layout }) => {
    say(
      `  draws ${layout.width} x ${layout.height} with ${layout.annotations.map(({ text }) => `“${text}”`).join(", ")}`,
    );
    return "<svg></svg>";
  };
  window.Plotly = { toImage: drawn };
  URL.createObjectURL = () => "blob:1";
  URL.revokeObjectURL = () => {};
  const create = document.createElement.bind(document);
  document.createElement = (name) => {
    const el = create(name);
    if (name === "canvas") el.toBlob = (done) => done(new Blob(["png"]));
    if (name === "a") {
      el.click = () => {
        saved += 1;
        say(`  saves ${el.download}`);
      };
    }
    return el;
  };
  window.Image = class {
    set src(_) {
      setImmediate(() => this.onload());
    }
  };
  const [part] = film().charts,
    { figure } = part,
    chart = { plotly: Promise.resolve(), current: figure, figure, layout: figure.layout, film: part };
  for (const key of ["main", "widths"]) lab.charts.set(key, chart);
}
const mount = (more = {}) =>
  act(`the page says ${JSON.stringify(more)}`, () =>
    mountExport({ parentElement: document.body, data: { ...DATA, ...MORE, ...more } }),
  );
const button = (kind) => document.querySelector(`[data-as="${kind}"]`);
function press(kind, more) {
  mount(more);
  return act(`press ${kind}`, () => {
    button(kind).onclick();
    return until(() => saved || document.querySelector("output").textContent);
  });
}

export const stories = {
  "a picture is named by its time": async () => {
    begin();
    lab.now = { t: 2, html: "V<sub>T</sub> is  <b>large</b>." };
    await press("png", { labels: ["a", "b", "t = 3 of 9 · late"] });
  },
  "a chart below the stage has no headline": async () => {
    begin();
    await press("svg", { key: "widths", label: "at the end" });
  },
  "only kinds that can be written are offered": async () => {
    begin();
    window.VideoEncoder = { isConfigSupported: async ({ codec }) => ({ supported: codec.startsWith("vp09") }) };
    mount({ encoders: { gif: "g", webm: "w", mp4: "m" } });
    await act("the browser has answered", () => until(() => !button("webm").hidden));
    mount();
    delete window.VideoEncoder;
    say(`mp4 without an encoder: ${await writes("mp4")}`);
  },
  "an animation is cancelled by its own button": () => {
    begin();
    lab.player = { film: film() };
    window.Plotly.toImage = () => new Promise(() => {});
    mount({ encoders: GIF });
    act("press gif", () => button("gif").onclick());
    const { making } = document.querySelector(".export");
    act("press it again", () => button("gif").onclick());
    say(`cancelled: ${making.signal.aborted}`);
  },
  "words have room beside the chart": () => {
    begin();
    for (const wide of [60, 100]) say(wrapped("one two three four", wide, "20px Sans").join(" | "));
    say(marked("<b>a</b>\n <i>b</i> &lt; T<sup>0.737</sup>, <span>V<sub>T</sub></span>, e<sup>a b</sup>"));
    say(wrapped(marked("T<sup>0.737</sup> T<sup>0.83</sup>"), 100, "20px Sans").join(" | "));
    const [{ figure }] = film().charts,
      words = { caption: "a < b", headline: "H" },
      { layout } = picture(figure, { height: null, hall: false }, words, { lines: 1, heads: 1 }).figure;
    say(`${JSON.stringify(figure.layout.margin)} became ${JSON.stringify(layout.margin)}`);
    for (const { text, x, y } of layout.annotations) say(`${text} at ${x}, ${y}`);
  },
  "a reel has each frame's words": () => {
    begin();
    const [part] = film().charts,
      made = reel(film(), part, part.figure.layout, { ...DATA, ...MORE, headed: true });
    for (const frame of made.frames) {
      const { data, layout } = made.pictureAt(frame).figure;
      say(`${frame}: ${data[0].text}, ${layout.annotations.map(({ text }) => text).join(", ")}`);
    }
  },
  "an animation alone says why it fails": async () => {
    begin();
    globalThis.fetch = async (where, sent) => (sent ? say(`  posts ${where} ${sent.body}`) : new Response(filmOf(2)));
    await act("it is made", () => make({ key: "main", kind: "mp4", encoder: "" }));
  },
};
