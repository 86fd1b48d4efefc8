// One chart of a page. What changes is drawn at once on canvases (picture.js); once it rests, Plotly draws the same
// figure under them, and they are put away: hover with names and units, clicks and export are Plotly's.
import { lab } from "../shared/lab.js";
import { leave, painted } from "./last.js";
import { calledOf, namedAt } from "./marks.js";
import { Picture } from "./picture.js";
import { Swipe } from "./swipe.js";

const SETTLED = 120; // milliseconds without news after which Plotly draws
const CONFIG = { displayModeBar: false, responsive: false };
const NARROW = 500, // pixels: narrower is a phone that stands upright
  MEDIUM = 800, // a tablet that stands upright, or a page at twice its size
  LOW = 350; // lower is a phone on its side, a small frame or a flat window
const NOTHING = new Map();

// A part of a layout with other attributes, or of a list of them with other entries by their number.
function changed(part, other) {
  return Array.isArray(part) ? Object.assign([...part], other) : { ...part, ...other };
}

// The range of an axis at a panel, or on the way to the next one.
function rangeAt(ranges, panel) {
  const at = Math.min(Math.floor(panel), ranges.length - 1),
    next = ranges[at + 1] ?? ranges[at];
  return ranges[at].map((end, i) => end + (next[i] - end) * (panel - at));
}

let library = null;
// Plotly, fetched once for all charts of the page; where it does not come, the canvases stay.
function plotly(address) {
  library ??= window.Plotly
    ? Promise.resolve(window.Plotly)
    : new Promise((done, failed) => {
        const script = Object.assign(document.createElement("script"), { src: new URL(address, document.baseURI) });
        script.onload = () => done(window.Plotly);
        script.onerror = () => {
          library = null;
          failed(new Error("no plotly.js"));
        };
        document.head.append(script);
      });
  return library;
}

// Plotly takes the element of an empty word away, and does not bring it back with the next word.
const spelled = (trace) =>
  Array.isArray(trace.text) && trace.mode?.includes("text")
    ? { ...trace, text: trace.text.map((word) => word || "\u200b") }
    : trace;

export class Chart {
  // `root` is the element that holds it, `key` its name in films, `address` that of plotly.js; without one the
  // canvases stay.
  constructor(root, key, address) {
    Object.assign(this, { root, key, address });
    this.revision = null; // of its message's film, where it is none of the player's
    this.figure = null; // { data, layout }, every array read
    this.moving = NOTHING; // trace -> what differs of it now: { x, y, text }
    this.light = null; // trace -> its opacity, while a word lights a mark
    this.over = null; // the figure of a dragged slider's frame
    this.film = null; // the film's chart that it shows; none where it stands still
    this.frame = null; // the time that it shows, with a fraction between two
    this.turned = 0; // which of its panels a narrow screen shows, with a fraction between two
    this.heard = []; // Plotly's events: [name, function]
    this.gd = root.querySelector(".gd") ?? document.createElement("div"); // Plotly's node
    this.gd.className = "gd";
    root.append(this.gd);
    this.picture = new Picture(root);
    this.resized = new ResizeObserver(() => this.fit());
    this.resized.observe(root);
    window.addEventListener("beforeprint", this);
    document.fonts.ready.then(() => this.figure && !this.drawn && this.paint());
  }

  // The figure that is seen.
  get seen() {
    return this.over ?? this.figure;
  }

  get size() {
    return { width: this.root.clientWidth, height: this.seen.layout.height ?? this.root.clientHeight };
  }

  // The layout at the size of now; where that is narrow, medium or low, or wider than the screen that swipes it, with what
  // the figure says of its parts there, and one of its panels.
  get layout() {
    const { size, panels } = this,
      { layout } = this.seen,
      { medium = {}, swiped = {}, narrow = {}, low = {} } = layout.meta ?? {},
      { width, height } = size,
      wide = width > this.root.parentElement?.clientWidth + 1;
    const others = {
      ...(width < MEDIUM && medium),
      ...(wide && swiped),
      ...(width < NARROW && narrow),
      ...(height < LOW && low),
    };
    const parts = Object.entries(others).map(([part, other]) => [part, changed(layout[part], other)]);
    const whole = { ...layout, ...Object.fromEntries(parts), ...size };
    return panels ? { ...whole, xaxis: { ...whole.xaxis, range: rangeAt(panels.ranges, this.turned) } } : whole;
  }

  // Panels beside each other on one axis, of which a narrow screen shows one; none where all are shown.
  get panels() {
    const panels = this.seen?.layout.meta?.panels;
    return panels && this.root.clientWidth < NARROW ? panels : null;
  }

  // Bring a panel by its number; with a fraction, what lies between two.
  turn(panel) {
    if (panel === this.turned) return;
    this.turned = panel;
    this.unread = true; // Plotly shows the values under a finger, also under one that swipes
    this.paint();
  }

  // Take another figure.
  show(figure, moving = NOTHING) {
    this.figure = figure;
    this.light = null;
    this.over = null;
    this.moving = moving;
    this.root.swipe?.fit();
    this.paint();
  }

  // Give its traces other numbers and words.
  move(moving) {
    this.moving = moving;
    this.paint();
  }

  // Lay the figure of a dragged slider's frame over its own, until the next one is shown or `back` is called; what
  // belongs to the axes that are kept is its own.
  follow(figure, kept) {
    if (!this.figure) return;
    const { top, bottom } = this.root.getBoundingClientRect();
    if (bottom <= 0 || top >= window.innerHeight) return;
    const on = (part) =>
      ["xaxis", "yaxis", "xref", "yref"].some((name) => kept.includes(String(part[name]).replace(" domain", "")));
    const layout = { ...figure.layout };
    for (const axis of kept)
      layout[axis.replace(/^[xy]/, "$&axis")] = this.figure.layout[axis.replace(/^[xy]/, "$&axis")];
    for (const list of kept.length ? ["annotations", "shapes"] : []) {
      const sent = layout[list] ?? [],
        names = new Set(sent.map((one) => one.name));
      const stay = (this.figure.layout[list] ?? []).filter((one) => on(one) && !(one.name && names.has(one.name)));
      layout[list] = [...stay, ...sent];
    }
    this.over = { data: [...figure.data, ...this.own.filter(on)], layout };
    this.paint();
  }

  back() {
    if (!this.over) return;
    this.over = null;
    this.paint();
  }

  // Give traces another opacity, all their own again without one.
  dim(light) {
    this.light = light;
    this.paint();
  }

  // What the mark under a pointer is called.
  under({ clientX, clientY }) {
    const { axes, marks } = this.picture;
    if (!this.figure || !axes) return [];
    const { left, top } = this.root.getBoundingClientRect();
    return calledOf(namedAt(marks, this.data, axes, clientX - left, clientY - top) ?? {});
  }

  // The traces as they are drawn now.
  get data() {
    return this.over ? this.over.data : this.own;
  }

  // Those of its own figure, at the time of now.
  get own() {
    return this.figure.data.map((trace, i) => {
      const now = this.moving.get(i);
      return now || this.light?.has(i) ? { ...trace, ...now, opacity: this.light?.get(i) ?? trace.opacity } : trace;
    });
  }

  paint() {
    clearTimeout(this.later);
    if (!this.figure) return;
    const own = this.seen.layout.height; // others are as tall as their place
    this.root.style.height = own ? `${own}px` : "";
    const { width, height } = this.size;
    if (!width || !height) return; // out of sight: it is drawn once it has a size
    const can = this.picture.can(this.seen); // what the canvases cannot draw, such as bars, Plotly draws alone
    if (can) this.picture.draw(this.data, this.layout);
    if (can && this.key === "main") painted();
    this.later = setTimeout(() => this.rest(), can && this.drawn ? SETTLED : 0);
  }

  // Plotly, once it has come.
  get plotly() {
    return plotly(this.address);
  }

  // The figure as it is seen now, { data, layout }, for Plotly.
  get current() {
    return { data: this.data.map(spelled), layout: this.layout };
  }

  // Plotly's own picture takes the place of the canvases.
  async rest() {
    const news = this.later;
    if (this.over || !this.root.isConnected || !(this.address || window.Plotly)) return;
    try {
      const Plotly = await this.plotly;
      if (news !== this.later) return;
      const { data, layout } = this.current;
      await Plotly.react(this.gd, data, layout, CONFIG);
    } catch {
      return; // the picture on the canvases stays
    }
    this.drawn = true;
    if (this.unread) window.Plotly.Fx.unhover(this.gd);
    this.unread = false;
    if (this.key === "main") painted();
    for (const [event, hear] of this.heard.splice(0)) this.gd.on(event, hear);
    if (news === this.later) this.picture.hide();
  }

  // Hear an event of Plotly's.
  on(event, hear) {
    if (this.drawn) this.gd.on(event, hear);
    else this.heard.push([event, hear]);
  }

  fit() {
    const { width, height } = this.root.getBoundingClientRect();
    if (this.figure && (width !== this.wide || height !== this.high)) this.paint();
    this.wide = width;
    this.high = height;
  }

  // Say its size on the screen, in which it goes to paper (print.css).
  handleEvent() {
    this.root.style.setProperty("--wide", this.root.clientWidth);
    this.root.style.setProperty("--high", this.root.clientHeight);
  }

  end() {
    clearTimeout(this.later);
    this.resized.disconnect();
    window.removeEventListener("beforeprint", this);
    if (lab.charts.get(this.key) === this) {
      lab.charts.delete(this.key);
      if (this.key === "main" && this.picture.drawn) leave(this.picture);
    }
    if (this.drawn) window.Plotly.purge(this.gd);
  }
}

// Put up a chart of the player's film, or one with a film of one frame, which `read` reads. Returns what takes it down.
export function putUp(root, { key, alt, plotly, revision }, read) {
  root.setAttribute("aria-label", alt);
  if (root.chart?.key !== key) {
    root.chart?.end();
    root.chart = new Chart(root, key, plotly);
  }
  if (key === "main") {
    root.swipe ??= new Swipe(root.parentElement, root);
    root.swipe.fit();
  }
  const { chart } = root;
  lab.charts.set(key, chart);
  if (revision === null) lab.player?.join(chart);
  else if (revision !== chart.revision) still(chart, revision, read);
  return () => {
    chart.end();
    root.swipe?.end();
    root.chart = root.swipe = null;
  };
}

async function still(chart, revision, read) {
  chart.revision = revision;
  const [{ figure }] = (await read()).charts;
  if (chart.revision === revision) chart.show(figure);
}
