// The stage of "Chase the peak". It draws and eases; every number comes from Python, one film a message.
// Time is a frame k = 4 * round + step and p, how much of that step has happened (1 at rest).
import { Follower } from "../player/follow.js";
import { LINK_CODE, showLinkCode } from "../player/qr.js";
import { shownNow } from "../player/shown.js";
import { Clock, calm } from "../shared/clock.js";
import { everywhere } from "../shared/everywhere.js";
import { press } from "../shared/keys.js";
import { lab } from "../shared/lab.js";
import { Strip } from "../strip/strip.js";

const LASTING = [620, 480, 620, 720]; // milliseconds of each step at speed 1: believe, choose, ask, pay
const SHOWN = 3; // rounds that are played so slowly that each step is seen
const BRISK = 600 / LASTING.reduce((sum, one) => sum + one); // and of the others a round takes 600 ms
const CALM = 900; // of a step, for readers who asked for less motion: it jumps
const QUIET = 350; // wait after a key before telling Python
const SLIP = 8; // px that a finger may slip and still be tapping
const HANG = 64; // px left of the page's edge in which the numbers of the first axis hang
const EDGE = 6; // px right of the last hill
const GRAB = 34; // px around a handle that take hold of it
const LEAST_PAID = 30; // regret at the top of the bar, at least: moments are compared
const ICON = { play: "M7 5l12 7-12 7z", pause: "M7 5v14M17 5v14" };
// How long a frame takes, of a run that began with that one.
export const lasting = (k, begun) => LASTING[k & 3] * (k - begun < 4 * SHOWN ? 1 : BRISK);
export const clamp = (v, a, b) => Math.max(a, Math.min(b, v));
export const ease = (p) => (p < 0.5 ? 4 * p * p * p : 1 - (2 - 2 * p) ** 3 / 2);
export const part = (p, a, b) => clamp((p - a) / (b - a), 0, 1);
export const mix = (a, b, p) => a + (b - a) * p;
const shown = (v) => v.toFixed(2).replace("-", "−");

// A message: the length of a text, the text (JSON), and the arrays that it names as 32-bit floats.
export function read(bytes) {
  const size = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
  const data = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + size)));
  const numbers = new Float32Array(bytes.slice(4 + size).buffer);
  let at = 0;
  for (const [name, learner, shape] of data.curves) {
    const wide = shape[1] ?? 1,
      rows = [];
    for (let i = 0; i < shape[0]; i++) rows.push(numbers.subarray(at + i * wide, at + (i + 1) * wide));
    at += shape[0] * wide;
    (learner < 0 ? data : data.learners[learner])[name] = rows;
  }
  return data;
}

class Chase {
  constructor(root) {
    this.root = root;
    this.k = 0;
    this.p = 1;
    this.drawn = 0;
    this.counter = 0;
    this.moved = [
      [0, 0, 0, 0, 0, 0],
      [0, 0, 0, 0, 0, 0],
    ]; // bends that Python has not heard of
    this.stage = root.querySelector(".stage");
    this.canvas = root.querySelector("canvas");
    this.pen = this.canvas.getContext("2d", { alpha: false });
    this.slider = root.querySelector("input");
    this.worlds = new Strip(root.querySelector(".strip"), (world) => this.open("world", world));
    this.out = root.querySelector("output");
    root.addEventListener("click", (e) => this.press(e));
    this.slider.oninput = () => {
      this.halt();
      this.show(+this.slider.value);
    };
    this.slider.onchange = () => this.tell();
    this.clock = new Clock((passed) => this.tick(passed));
    root.querySelector("select").onchange = (e) => {
      this.clock.speed = +e.target.value;
    };
    this.stage.addEventListener("pointerdown", (e) => this.down(e));
    this.stage.addEventListener("pointermove", (e) => this.move(e));
    this.stage.addEventListener("pointerup", (e) => this.up(e));
    this.stage.addEventListener("pointercancel", () => {
      this.from = this.held = null;
    });
    this.stage.addEventListener("pointerleave", () => {
      this.aim = null;
      this.draw();
    });
    this.follower = new Follower(this);
    this.own = null; // the film's data, while a frame of a slider stands
    this.keys = (e) => this.key(e);
    window.addEventListener("keydown", this.keys, true);
    this.sizes = new ResizeObserver(() => this.fit());
    this.sizes.observe(this.stage);
  }

  load(data, send) {
    lab.timeline = this;
    this.follower.load(data.follow);
    if (this.own && this.follower.ahead && this.own.reset === data.reset) {
      this.own = data;
      this.send = send;
      return;
    }
    this.own = null;
    const elsewhere = this.data?.reset !== data.reset,
      other = this.data?.revision !== data.revision;
    this.data = data;
    this.send = send;
    this.root.classList.remove("waiting");
    const { ink, soft, paper, grid, hall } = data.look,
      style = this.root.style;
    const colour = data.learners[0].colour;
    for (const [name, value] of Object.entries({ ink, soft, paper, grid, colour }))
      style.setProperty(`--${name}`, value);
    this.root.classList.toggle("hall", !!hall);
    this.root.classList.toggle("two", data.learners.length > 1);
    this.root.classList.toggle("fixed", data.fixed); // a game that is over: nothing is asked or reshaped
    this.slider.max = this.last;
    if (data.fixed && this.bending) this.reshape();
    if (other && !this.held)
      this.moved = [
        [0, 0, 0, 0, 0, 0],
        [0, 0, 0, 0, 0, 0],
      ];
    this.fit();
    if (elsewhere) {
      this.halt();
      clearTimeout(this.later);
      this.pending = null;
      this.goal = undefined;
      // A stage that is mounted anew on the same page and moment goes on where the last one stood.
      this.show(lab.now?.reset === data.reset ? lab.now.t : data.start);
    } else if (this.pending) {
      // the reader's own question: see it asked and paid, in a hidden world on to the next, until the score is said
      const row = this.pending.row;
      this.pending = null;
      this.show(4 * row + 1);
      this.run(Math.min(this.last, 4 * row + (data.unseen && row !== data.score ? 5 : 3)));
    } else this.show(this.k, this.p);
  }

  get last() {
    return 4 * this.data.rounds - 1;
  }

  // ------------------------------------------------------------------ what a page around this one asks (player/embed.js)
  get t() {
    return this.k;
  }

  nearest(time) {
    return time;
  }

  // Whether the arrows choose a place.
  get aims() {
    return this.place !== undefined && this.place !== null;
  }

  // Whether the reader, who sees no hill, is to ask in this round: what the learner would choose is not shown.
  get turn() {
    const { unseen, fixed } = this.data;
    return unseen && !fixed && (this.k & 3) === 1 && !this.asked;
  }

  // ------------------------------------------------------------------ what the follower of sliders asks of its host
  get time() {
    return this.k;
  }

  drawFrame({ stage, said }) {
    if (stage?.row !== this.k >> 2) return; // time has gone on meanwhile
    this.own ??= this.data;
    this.data = { ...this.own, ...stage };
    this.fit();
    window.dispatchEvent(new CustomEvent("tvbo:said", { detail: { html: said, reset: this.own.reset } }));
  }

  grey() {}

  settle(ahead) {
    if (this.own && !ahead) {
      this.uncover();
      this.show(this.k);
    }
  }

  uncover() {
    this.data = this.own;
    this.own = null;
    this.fit();
  }

  // ------------------------------------------------------------------ time
  show(k, p = 1) {
    this.k = clamp(k, 0, this.last);
    this.p = p;
    if (this.own && this.data.row !== this.k >> 2) this.uncover(); // a frame holds one round
    this.label();
    this.draw();
  }

  label() {
    const { data, k, slider } = this;
    slider.value = k;
    this.out.textContent = data.labels[k];
    shownNow(data.reset, { label: data.labels[k] });
    this.explain();
    slider.setAttribute("aria-valuetext", data.labels[k]);
    this.root.querySelectorAll("[data-step]").forEach((b) => {
      if (+b.dataset.step === k % 4) b.setAttribute("aria-current", "step");
      else b.removeAttribute("aria-current");
    });
    lab.now = { t: k, reset: data.reset };
    window.dispatchEvent(new CustomEvent("tvbo:frame", { detail: lab.now }));
    if (!this.playing) this.canvas.setAttribute("aria-label", this.state());
  }

  // The four steps stand in place of the odds while the reader goes step by step, or rests within a round.
  get stepping() {
    const through = this.playing && this.goal === this.last;
    return !through && !this.bending && ((this.k & 3) !== 3 || this.goal < this.last);
  }

  explain() {
    this.root.classList.toggle("stepping", this.stepping);
    this.worlds.load(this.data.odds, this.data.strip);
  }

  // The canvas in words: what stands on it now.
  state() {
    const { data } = this,
      r = this.k >> 2,
      s = this.k & 3;
    const each = data.learners.map((one) =>
      [
        one.name,
        s > 1 || (s === 1 && !this.turn) ? `asks at x = ${data.x[one.arms[r]].toFixed(2)}` : "",
        s > 1 ? `hears ${shown(one.y[r])}` : "",
        s > 2 && !data.unseen ? `gap ${shown(one.gap[r])}, paid so far ${one.paid[r].toFixed(1)}` : "",
      ]
        .filter(Boolean)
        .join(", "),
    );
    const peak = data.unseen ? "the hill is hidden" : `the peak is at x = ${data.x[data.best[r]].toFixed(2)}`;
    return `${data.alt}. Now: ${data.labels[this.k]}; ${peak}. ${each.join("; ")}`;
  }

  // Run from here to a frame, step by step; a run to the last frame is "playing".
  run(to) {
    this.halt();
    if (this.own) this.uncover();
    if (this.k >= to) return;
    this.goal = to;
    this.begun = this.k + 1;
    this.p = 1;
    this.waited = CALM;
    this.clock.start();
    this.face();
    if (calm()) this.hop(0);
  }

  get playing() {
    return this.clock.runs;
  }

  tick(passed) {
    if (calm()) return this.hop(passed);
    const before = this.k;
    while (passed > 0 && (this.p < 1 || this.k < this.goal)) {
      if (this.p >= 1) {
        this.k += 1;
        this.p = 0;
      }
      const lasts = lasting(this.k, this.begun),
        by = Math.min(passed, (1 - this.p) * lasts);
      passed -= by;
      this.p = Math.min(this.p + by / lasts, 1);
    }
    if (this.k !== before) this.label();
    this.draw();
    if (passed > 0) this.rest();
  }

  // Without motion: a whole step at a time.
  hop(passed) {
    this.waited += passed;
    if (this.waited < CALM) return;
    this.waited = 0;
    this.show(this.k + 1);
    if (this.k >= this.goal) this.rest();
  }

  rest() {
    this.halt();
    this.canvas.setAttribute("aria-label", this.state());
    this.draw();
    this.tell();
  }

  halt() {
    if (this.playing) this.p = 1;
    this.clock.stop();
    this.face();
  }

  face() {
    const go = this.root.querySelector(".go"),
      on = this.playing && this.goal === this.last;
    go.querySelector("path").setAttribute("d", on ? ICON.pause : ICON.play);
    go.setAttribute("aria-label", on ? "Pause" : "Play");
    this.explain();
  }

  play() {
    if (this.playing) return this.pause();
    if (this.k >= this.last) this.show(0);
    this.run(this.last);
  }

  pause() {
    this.halt();
    this.show(this.k);
    this.tell();
  }

  // One step on is seen happening; a second press does not wait for it.
  next(by = 1) {
    const k = this.playing && this.goal < this.last ? this.goal : this.k; // also of one that was not drawn yet
    this.halt();
    if (by === 1 && k < this.last) {
      this.show(k);
      this.run(k + 1);
    } else this.jump(k + by);
  }

  jump(k) {
    this.halt();
    this.show(k);
    this.tellLater();
  }
  tell() {
    clearTimeout(this.later);
    this.send?.("t", { t: this.k, reset: this.data.reset });
  }
  tellLater() {
    clearTimeout(this.later);
    this.later = setTimeout(() => this.tell(), QUIET);
  }

  press(e) {
    const step = e.target.closest?.("[data-step]")?.dataset.step,
      what = e.target.closest?.("[data-do]")?.dataset.do;
    if (step !== undefined) {
      const k = 4 * (this.k >> 2) + +step;
      this.halt();
      this.show(Math.max(0, k - 1));
      if (k) this.run(k);
      else this.tellLater();
    }
    ({
      home: () => this.jump(0),
      back: () => this.next(-1),
      next: () => this.next(1),
      play: () => this.play(),
      shape: () => this.reshape(),
    })[what]?.();
  }

  key(e) {
    if (!this.data) return;
    const to = (by) => () => this.next(by),
      code = () => showLinkCode(() => this.tell());
    const { blank, card, lecture } = everywhere,
      onStage = e.composedPath()[0] === this.stage;
    const acts = {
      forward: to(1),
      backward: to(-1),
      next: to(1),
      previous: to(-1),
      nextEvent: to(4),
      previousEvent: to(-4),
      first: () => this.jump(0),
      last: () => this.jump(this.last),
      play: () => this.play(),
      blank,
      card,
      lecture,
      code,
      escape: document.getElementById(LINK_CODE) && code,
      aim: () => this.startAim(),
      bet: () => document.querySelector(".st-key-bet_open button")?.click(),
      moment: () => {
        clearTimeout(this.later);
        everywhere.moment(e);
      },
      ...(onStage && (this.bending ? this.bendActs(e.shiftKey) : this.aimActs())),
    };
    press(e, acts, (el) => el === this.slider);
  }

  // ------------------------------------------------------------------ the reader's own question
  startAim() {
    if (this.data.fixed) return;
    this.stage.focus();
    this.place = this.data.learners[0].arms[this.k >> 2];
    this.draw();
  }

  // What keys do on the stage while the reader chooses a place.
  aimActs() {
    if (this.place === undefined || this.place === null) return null;
    const by = (n) => () => {
      this.place = clamp(this.place + n, 0, this.data.x.length - 1);
      this.draw();
    };
    return {
      previous: by(-1),
      next: by(1),
      previousEvent: by(-10),
      nextEvent: by(10),
      enter: () => this.ask(this.place),
      escape: () => {
        this.place = null;
        this.draw();
      },
    };
  }

  ask(arm) {
    this.halt();
    clearTimeout(this.later);
    this.place = null;
    this.pending = { row: this.k >> 2 };
    this.root.classList.add("waiting");
    this.send("ask", { row: this.k >> 2, arm, n: this.stamp() });
  }

  stamp() {
    return (Date.now() % 1e9) + this.counter++;
  }

  // ------------------------------------------------------------------ the two shapes
  reshape() {
    this.halt();
    this.bending = !this.bending;
    this.grip = this.grip ?? [0, 2];
    this.root.classList.toggle("bending", this.bending);
    this.root.querySelector(".shape").setAttribute("aria-pressed", String(this.bending));
    this.root.querySelector(".shape").textContent = this.bending ? "Done" : "Reshape the hill";
    this.aim = null;
    this.explain();
    this.fit();
  }

  shape(which) {
    return this.bent(this.data.shapes[which], [which === 0 ? 1 : 0, which === 1 ? 1 : 0]);
  }

  // A curve of the hill with the bends that Python has not heard of; `share` of each of the two shapes in it.
  bent(row, share) {
    const { bend, unit } = this.data;
    if (!this.moved.flat().some(Boolean)) return row;
    const out = Float32Array.from(row);
    for (const [which, units] of this.moved.entries()) {
      for (const [j, n] of units.entries()) {
        const by = n * unit * share[which];
        if (by) for (let i = 0; i < out.length; i++) out[i] += by * bend[j][i];
      }
    }
    return out;
  }

  lift(which, j, height) {
    const { data } = this,
      i = Math.round(data.handles[j] * (data.x.length - 1));
    const most = Math.min(data.highest, data.reach - 0.1); // a handle stays on the stage
    const want = Math.round((clamp(height, -most, most) - data.shapes[which][i]) / data.unit);
    this.moved[which][j] = clamp(want + data.bent[which][j], -data.most, data.most) - data.bent[which][j];
    this.draw();
  }

  sendBend() {
    const units = this.moved.map((row, which) => row.map((n, j) => n + this.data.bent[which][j]));
    this.root.classList.add("waiting");
    this.send("bend", { start: units[0], end: units[1], n: this.stamp() });
  }

  // What keys do on the stage while the reader bends the hill.
  bendActs(far) {
    const [which, j] = this.grip,
      count = this.data.handles.length * (this.data.moves ? 2 : 1);
    const at = which * this.data.handles.length + j;
    const choose = (n) => () => {
      const i = (at + n + count) % count;
      this.grip = [Math.floor(i / 6), i % 6];
      this.draw();
    };
    const up = (n) => () => {
      const i = Math.round(this.data.handles[j] * (this.data.x.length - 1));
      this.lift(which, j, this.shape(which)[i] + n * this.data.unit * (far ? 5 : 1));
      clearTimeout(this.bendLater);
      this.bendLater = setTimeout(() => this.sendBend(), QUIET);
    };
    const [back, on] = [choose(-1), choose(1)];
    return {
      previous: back,
      previousEvent: back,
      next: on,
      nextEvent: on,
      up: up(2),
      down: up(-2),
      escape: () => this.reshape(),
    };
  }

  // ------------------------------------------------------------------ pointer
  spot(e) {
    const box = this.stage.getBoundingClientRect(),
      x = (e.clientX - box.left) / this.smaller,
      y = (e.clientY - box.top) / this.smaller;
    const panel = this.panels.find((g) => x > g.l - 14 && x < g.r + 14 && y > g.t - 10 && y < g.b + 30);
    return {
      x,
      y,
      panel,
      arm: panel && Math.round(clamp((x - panel.l) / (panel.r - panel.l), 0, 1) * (this.data.x.length - 1)),
    };
  }

  handleAt({ x, y, panel }) {
    if (!panel) return null;
    let best = null,
      near = GRAB;
    for (let which = 0; which < (this.data.moves ? 2 : 1); which++) {
      const row = this.shape(which);
      this.data.handles.forEach((h, j) => {
        const far = Math.hypot(panel.X(h) - x, panel.Y(row[Math.round(h * (row.length - 1))]) - y);
        if (far < near) {
          near = far;
          best = { which, j, panel };
        }
      });
    }
    return best;
  }

  down(e) {
    if (e.button !== 0) return;
    const at = this.spot(e);
    this.from = { x: e.clientX, y: e.clientY };
    if (!this.bending) return;
    this.held = this.handleAt(at);
    if (this.held) {
      this.halt();
      this.grip = [this.held.which, this.held.j];
      this.stage.setPointerCapture(e.pointerId);
      e.preventDefault();
      this.draw();
    }
  }

  move(e) {
    const at = this.spot(e);
    if (this.held) {
      const { panel, which, j } = this.held;
      return this.lift(which, j, panel.value(at.y));
    }
    if (this.bending || e.pointerType === "touch") return;
    const aim = at.panel && !this.data.fixed ? at.arm : null;
    if (aim !== this.aim) {
      this.aim = aim;
      if (!this.playing) this.draw();
    }
  }

  up(e) {
    const from = this.from;
    this.from = null;
    if (this.held) {
      this.held = null;
      if (this.moved.flat().some(Boolean)) this.sendBend();
      return this.draw();
    }
    if (
      !from ||
      this.bending ||
      this.data.fixed ||
      e.button !== 0 ||
      Math.hypot(e.clientX - from.x, e.clientY - from.y) > SLIP
    )
      return;
    const at = this.spot(e);
    if (at.panel) this.ask(at.arm);
  }

  // ------------------------------------------------------------------ drawing
  fit() {
    const box = this.stage.getBoundingClientRect(),
      dpr = window.devicePixelRatio || 1;
    if (!this.data || !box.width || !box.height) return;
    if (this.canvas.width !== Math.round(box.width * dpr) || this.canvas.height !== Math.round(box.height * dpr)) {
      this.canvas.width = Math.round(box.width * dpr);
      this.canvas.height = Math.round(box.height * dpr);
    }
    // In a small frame of somebody's slides (embed.css) it is drawn for a larger one, and made smaller with its type.
    this.smaller = Number(getComputedStyle(this.root).getPropertyValue("--smaller")) || 1;
    this.dpr = dpr * this.smaller;
    this.w = box.width / this.smaller;
    this.h = box.height / this.smaller;
    this.font = getComputedStyle(this.root).fontFamily;
    const { tick, label } = this.data.look,
      n = this.data.learners.length,
      phone = this.w < 640;
    // Two hills with the towers of what both have paid between them; on a phone one below the other, towers beside.
    const high = this.data.reach,
      low = this.bending ? high : this.data.depth,
      gap = 1.3 * tick,
      hang = phone ? 1.6 * tick : HANG,
      wide = clamp(0.075 * this.w, 46, 66) * n + 0.4 * tick * (n - 1) + (phone ? 0 : 1.4 * tick),
      hill = phone ? this.w - hang - gap - wide : (this.w - hang - n * gap - wide - EDGE) / n,
      tall = this.h / (phone ? n : 1);
    const head = 1.5 * label + 2.1 * tick,
      foot = 2.5 * tick;
    this.panels = this.data.learners.map((_, i) => {
      const place = n - 1 - i, // who keeps everything comes first
        l = phone || !place ? hang : hang + hill + 2 * gap + wide,
        y0 = phone ? place * tall : 0;
      const g = { l, r: l + hill, t: y0 + head, b: y0 + tall - foot, top: y0, first: phone || !place };
      g.X = (x) => g.l + x * (g.r - g.l);
      g.Y = (y) => g.t + ((high - y) / (high + low)) * (g.b - g.t);
      g.value = (py) => high - ((py - g.t) / (g.b - g.t)) * (high + low);
      return g;
    });
    const l = hang + hill + gap;
    this.towers = { l, r: l + wide, t: head, b: this.h - foot, n };
    this.draw();
  }

  draw() {
    if (!this.data || !this.panels) return;
    this.drawn += 1;
    const c = this.pen;
    c.setTransform(this.dpr, 0, 0, this.dpr, 0, 0);
    c.fillStyle = this.data.look.paper;
    c.fillRect(0, 0, this.w + 1, this.h + 1); // the last pixels too, of which half may lie on the page
    for (const [i, one] of this.data.learners.entries()) this.panel(one, this.panels[i], i);
    this.ground();
  }

  text(
    words,
    x,
    y,
    { size = this.data.look.tick, align = "left", colour = this.data.look.ink, bold = false, halo = true } = {},
  ) {
    const c = this.pen;
    c.font = `${bold ? 650 : 400} ${size}px ${this.font}`;
    c.textAlign = align;
    c.textBaseline = "middle";
    if (halo) {
      c.strokeStyle = this.data.look.paper;
      c.lineWidth = 5;
      c.lineJoin = "round";
      c.setLineDash([]);
      c.strokeText(words, x, y);
    }
    c.fillStyle = colour;
    c.fillText(words, x, y);
  }

  line(g, row, colour, width, dash = []) {
    const c = this.pen,
      n = row.length - 1;
    c.beginPath();
    for (let i = 0; i <= n; i++) c.lineTo(g.X(i / n), g.Y(row[i]));
    c.strokeStyle = colour;
    c.lineWidth = width;
    c.lineJoin = "round";
    c.setLineDash(dash);
    c.stroke();
    c.setLineDash([]);
  }

  rule(x0, y0, x1, y1, colour, width = 1.5, dash = [4, 4]) {
    const c = this.pen;
    c.beginPath();
    c.moveTo(x0, y0);
    c.lineTo(x1, y1);
    c.strokeStyle = colour;
    c.lineWidth = width;
    c.setLineDash(dash);
    c.stroke();
    c.setLineDash([]);
  }

  axes(g, one, arm) {
    const { look, reach, x } = this.data,
      low = this.bending ? reach : this.data.depth,
      step = g.Y(0) - g.Y(1) < 1.3 * look.tick ? 2 : 1; // numbers stay apart
    for (let y = -step * Math.floor(low / step); y <= reach; y += step) {
      this.rule(g.l, g.Y(y), g.r, g.Y(y), look.grid, 1, []);
      if (g.first)
        this.text(String(y).replace("-", "−"), g.l - 0.6 * look.tick, g.Y(y), { align: "right", colour: look.soft });
    }
    this.rule(g.l, g.b, g.r, g.b, look.grey, 1.5, []);
    this.text(one.name, g.l, g.top + 0.8 * look.label, { size: look.label, colour: one.colour, bold: true });
    const size = 0.6 * look.tick,
      row = g.b + 1.75 * look.tick,
      asks = (this.k & 3) > 0 && !this.bending && !this.turn,
      here = this.mine(one) ? "you ask" : "asks here",
      [half, px] = [this.wide(here, true) / 2, g.X(arm / (x.length - 1))],
      at = clamp(px, g.l + half, g.r - half);
    for (const [end, align, words] of [
      [g.l, "left", "x = 0"],
      [g.r, "right", "x = 1"],
    ])
      if (!asks || Math.abs(at - end) > half + this.wide(words) + look.tick)
        this.text(words, end, row, { align, colour: look.soft });
    if (!asks) return;
    this.triangle(px, g.b + 2, -size, one.colour);
    this.text(here, at, row, { align: "center", colour: one.colour, bold: true });
  }

  // Whether the reader asks in the round of now.
  get asked() {
    return this.data.asked.includes(this.k >> 2);
  }
  mine(one) {
    return one.yours || this.asked;
  }

  wide(words, bold = false) {
    this.pen.font = `${bold ? 650 : 400} ${this.data.look.tick}px ${this.font}`;
    return this.pen.measureText(words).width;
  }

  // A triangle that points down at (x, y), or up where its size is negative.
  triangle(x, y, size, colour) {
    const c = this.pen;
    c.fillStyle = colour;
    c.beginPath();
    c.moveTo(x, y);
    c.lineTo(x - size, y - 1.5 * size);
    c.lineTo(x + size, y - 1.5 * size);
    c.fill();
  }

  // Above the axes: where the peak is now, and where it was before the hill travelled.
  above(g, f, peak, way) {
    const { look, shapes, moves } = this.data,
      n = f.length - 1,
      row = g.t - 0.35 * look.tick,
      word = row - 1.35 * look.tick;
    const put = (words, x, bold) => {
      const half = this.wide(words, bold) / 2,
        at = clamp(x, g.l + half, g.r - half);
      this.text(words, at, word, { align: "center", bold, colour: bold ? look.ink : look.soft });
      return [at, half];
    };
    this.triangle(g.X(peak / n), row, 0.5 * look.tick, look.ink);
    const [at, half] = put("the peak now", g.X(peak / n), true),
      before = shapes[0].indexOf(Math.max(...shapes[0])),
      was = this.wide("where it was") / 2;
    const there = clamp(g.X(before / n), g.l + was, g.r - was);
    if (moves && way > 0 && Math.abs(there - at) > half + was + 0.6 * look.tick) put("where it was", there, false);
  }

  panel(one, g, i) {
    const { data, k, p } = this,
      { look } = data,
      r = k >> 2,
      s = k & 3,
      c = this.pen,
      e = ease(p);
    const n = data.x.length - 1,
      far = s === 0 && r > 0 ? e : 1,
      was = Math.max(r - 1, 0);
    const blend = (rows) => (far >= 1 ? rows[r] : rows[r].map((v, i) => mix(rows[was][i], v, far)));
    const way = mix(data.way[was][0], data.way[r][0], r ? far : 1);
    const f = this.bent(blend(data.f), [1 - way, way]);
    const mean = blend(one.mean),
      lower = blend(one.lower),
      upper = blend(one.upper);
    const at = (row, x) => {
      const i = clamp(x * n, 0, n),
        j = Math.floor(i);
      return j >= n ? row[n] : mix(row[j], row[j + 1], i - j);
    };
    const X = (arm) => g.X(arm / n);
    this.axes(g, one, s > 1 || this.mine(one) ? one.arms[r] : one.choice[r]);
    c.save();
    c.beginPath();
    c.rect(g.l - 8, g.t - 8, g.r - g.l + 16, g.b - g.t + 8);
    c.clip();

    // believe: the band and the mean
    const dim = this.bending ? 0.28 : s === 0 && r === 0 ? e : 1;
    c.globalAlpha = 0.15 * dim;
    c.fillStyle = one.colour;
    c.beginPath();
    for (let i = 0; i <= n; i++) c.lineTo(X(i), g.Y(upper[i]));
    for (let i = n; i >= 0; i--) c.lineTo(X(i), g.Y(lower[i]));
    c.fill();
    c.globalAlpha = dim;
    if (s === 1) this.line(g, upper, one.colour, mix(1, 1.2 * look.line, Math.sin(Math.PI * Math.min(p, 0.5))));
    this.line(g, mean, one.colour, look.line, [2, 1.8 * look.line]);
    c.globalAlpha = 1;

    // the hill and its peak
    let peak = 0;
    for (let i = 1; i <= n; i++) if (f[i] > f[peak]) peak = i;
    if (!data.unseen || this.bending) {
      if (data.moves && way > 0 && !this.bending) this.line(g, data.shapes[0], look.past, 0.7 * look.truth);
      this.line(g, f, look.ink, look.truth);
    }

    // what was heard, as strong as it counts
    const mine = new Set(one.yours ? one.arms.keys() : data.asked);
    for (let i = 0; i < r; i++) {
      const w = far >= 1 ? one.weight[r][i] : mix(i === r - 1 ? 1 : one.weight[was][i], one.weight[r][i], far);
      this.dot(X(one.arms[i]), g.Y(one.y[i]), look.marker / 2, 0.12 + 0.48 * w, one.colour, mine.has(i), dim);
    }
    if (!this.bending) this.round({ one, g, f, upper, peak, r, s, p, e, at, X, mine: mine.has(r) });
    c.restore();
    if (this.bending) this.handles(g);
    else {
      if (!data.unseen) this.above(g, f, peak, way);
      if (this.stepping && !this.playing) this.names({ one, g, f, mean, upper, lower, r, s, X });
    }
    this.stacked(one, g, i, f, peak, r, s, p, X);
    if (!this.bending) this.aiming(g, X);
  }

  // An answer, as strong as it counts; the reader's own are diamonds.
  dot(x, y, size, alpha, colour, mine, dim = 1) {
    const c = this.pen;
    c.globalAlpha = alpha * dim;
    c.beginPath();
    if (mine) {
      c.moveTo(x, y - 1.4 * size);
      c.lineTo(x + 1.4 * size, y);
      c.lineTo(x, y + 1.4 * size);
      c.lineTo(x - 1.4 * size, y);
      c.closePath();
    } else c.arc(x, y, size, 0, 7);
    c.fillStyle = colour;
    c.fill();
    c.globalAlpha = 1;
  }

  // choose, ask and pay, as far as they have happened
  round({ one, g, f, upper, peak, r, s, p, e, at, X, mine }) {
    const { look, unseen } = this.data,
      c = this.pen,
      n = this.data.x.length - 1;
    if (s === 0) return;
    const from = r ? one.arms[r - 1] / n : 0.5,
      choice = one.choice[r] / n;
    const x = s === 1 ? mix(from, choice, e) : choice,
      top = g.Y(at(upper, x)),
      size = 0.95 * look.marker;
    if (s < 3 && !this.turn) {
      c.globalAlpha = mine && s > 1 ? 0.45 : 1;
      this.triangle(g.X(x), top - 2, size, one.colour);
      c.globalAlpha = 1;
    }
    if (s < 2) return;
    const arm = one.arms[r],
      px = X(arm),
      edge = g.Y(upper[arm]),
      hill = g.Y(f[arm]),
      heard = g.Y(one.y[r]);
    if (s === 3 && !unseen) {
      // the gap: up from the hill to the height of the peak
      const level = g.Y(f[peak]),
        grown = mix(hill, level, ease(part(p, 0, 0.4))),
        wide = 0.8 * look.marker;
      this.rule(X(peak), level, px, level, one.colour, 2);
      c.globalAlpha = p < 0.45 ? 0.6 : mix(0.6, 0.25, part(p, 0.45, 1));
      c.fillStyle = one.colour;
      c.fillRect(px - wide / 2, grown, wide, hill - grown);
      c.globalAlpha = 1;
    }
    const fall = unseen
      ? mix(edge, heard, p * p)
      : p < 0.6
        ? mix(edge, hill, part(p, 0, 0.6) ** 2)
        : mix(hill, heard, ease(part(p, 0.6, 1)));
    const end = s === 2 ? fall : heard;
    this.rule(px, end, px, g.b, one.colour, 0.75 * look.truth, []);
    this.dot(px, end, look.marker, 1, look.paper, mine);
    this.dot(px, end, 0.76 * look.marker, 1, one.colour, mine);
  }

  // Words at the marks, while time stands still.
  names({ one, g, f, mean, upper, lower, r, s, X }) {
    const { look, unseen } = this.data,
      n = f.length - 1,
      h = look.label,
      taken = [];
    const put = (words, x, y, colour) => {
      this.pen.font = `650 ${look.tick + 1}px ${this.font}`;
      const half = this.pen.measureText(words).width / 2 + 4,
        cx = clamp(x, g.l + half, g.r - half),
        cy = clamp(y, g.t + h / 2, g.b - h / 2);
      if (taken.some(([a, b, w]) => Math.abs(a - cx) < w + half && Math.abs(b - cy) < 1.15 * h)) return;
      taken.push([cx, cy, half]);
      this.text(words, cx, cy, { size: look.tick + 1, align: "center", colour, bold: true });
    };
    const arm = one.arms[r],
      px = X(arm);
    const aside = arm > n / 2 ? -1 : 1;
    if (s === 1 && !this.turn)
      put(
        this.mine(one) ? "it would ask" : "highest point",
        X(one.choice[r]) + aside * 6.2 * look.tick,
        g.Y(upper[one.choice[r]]) - 1.2 * look.marker,
        one.colour,
      );
    if (s === 2) put(`heard ${shown(one.y[r])}`, px + aside * 4.6 * look.tick, g.Y(one.y[r]), look.ink);
    if (s === 3 && !unseen)
      put(`gap ${shown(one.gap[r])}`, px, Math.max(g.Y(f[arm]), g.Y(one.y[r])) + look.marker + 0.7 * h, one.colour);
    if (s) return;
    let wide = 0,
      most = -1;
    for (let i = 10; i <= n - 10; i++) {
      const d = upper[i] - lower[i] - 3 * (Math.abs(i - arm) < 14);
      if (d > most) {
        most = d;
        wide = i;
      }
    }
    put("mean", X(wide), g.Y(mean[wide]) - 0.8 * h, one.colour);
    put("band", X(wide), g.Y(mix(mean[wide], lower[wide], 0.6)), one.colour);
  }

  // All gaps on top of each other, one slab a round; the newest flies there. All towers have one scale.
  stacked(one, g, i, f, peak, r, s, p, X) {
    const { data, pen: c } = this,
      { look } = data,
      { l, r: end, t, b, n } = this.towers,
      most = Math.max(data.fixed ? 0 : LEAST_PAID, ...data.learners.map((l) => l.paid[data.rounds - 1]));
    const high = (v) => b - (v / most) * (b - t - 0.9 * look.big),
      space = 0.4 * look.tick,
      wide = Math.min((end - l - (n - 1) * space) / n, 72),
      left = (l + end) / 2 - (n * wide + (n - 1) * space) / 2 + (n - 1 - i) * (wide + space);
    if (data.unseen && !((r === data.rounds - 1 || r === data.score) && s === 3))
      return this.text("?", left + wide / 2, b - look.label, { align: "center", size: look.big, bold: true });
    const fly = s === 3 ? ease(part(p, 0.45, 1)) : 0,
      done = s === 3 && fly >= 1 ? r + 1 : r;
    const base = (j) => (j ? one.paid[j - 1] : 0);
    c.fillStyle = one.colour;
    for (let j = 0; j < done; j++) {
      const y = high(one.paid[j]),
        tall = high(base(j)) - y;
      c.fillRect(left, y, wide, Math.max(tall - (tall > 2 ? 0.8 : 0), 0));
    }
    if (fly > 0 && fly < 1) {
      const arm = one.arms[r],
        bar = 0.8 * look.marker,
        a = [X(arm) - bar / 2, g.Y(f[peak]), bar, g.Y(f[arm]) - g.Y(f[peak])];
      const to = [left, high(one.paid[r]), wide, high(base(r)) - high(one.paid[r])];
      c.globalAlpha = 0.9;
      c.fillRect(...a.map((v, j) => mix(v, to[j], fly)));
      c.globalAlpha = 1;
    }
    const now = base(done),
      size = Math.min(look.big, wide / 2);
    this.text(now.toFixed(1), left + wide / 2, high(now) - 0.6 * look.big, {
      align: "center",
      size,
      bold: true,
      colour: one.colour,
      halo: false,
    });
  }

  // What the towers stand on.
  ground() {
    const { look } = this.data,
      { l, r, b } = this.towers,
      left = l - look.tick, // before it the axis of the hill has its words
      words = this.wide("regret so far") > this.w - 2 - left ? "regret" : "regret so far",
      half = this.wide(words) / 2,
      at = Math.min((l + r) / 2, this.w - half - 2);
    this.rule(l, b, r, b, look.grey, 1.5, []);
    this.text(words, at, b + 1.75 * look.tick, { align: "center", colour: look.soft, halo: false });
  }

  aiming(g, X) {
    const arm = this.place ?? this.aim,
      { look, x } = this.data;
    if (arm === null || arm === undefined) return;
    const px = X(arm),
      words = `ask here: x = ${x[arm].toFixed(2)}`;
    this.rule(px, g.t, px, g.b, look.soft, 1.5, [2, 4]);
    this.pen.font = `650 ${look.tick}px ${this.font}`;
    const half = this.pen.measureText(words).width / 2 + 3;
    this.text(words, clamp(px, g.l + half, g.r - half), g.b - 0.8 * look.tick, { align: "center", bold: true });
  }

  handles(g) {
    const { data, pen: c } = this,
      { look } = data;
    for (let which = data.moves ? 1 : 0; which >= 0; which--) {
      const row = this.shape(which);
      this.line(g, row, which ? look.soft : look.ink, 2, which ? [7, 6] : []);
      data.handles.forEach((h, j) => {
        const x = g.X(h),
          y = g.Y(row[Math.round(h * (row.length - 1))]),
          grip = this.grip[0] === which && this.grip[1] === j;
        c.beginPath();
        c.arc(x, y, grip ? 13 : 10, 0, 7);
        c.fillStyle = which ? look.paper : look.ink;
        c.fill();
        c.strokeStyle = grip ? look.grip : which ? look.ink : look.paper;
        c.lineWidth = grip ? 4 : 3;
        c.stroke();
      });
    }
    this.text(data.drag, (g.l + g.r) / 2, g.t + 0.6 * look.label, { align: "center", bold: true });
  }

  end() {
    this.halt();
    clearTimeout(this.later);
    clearTimeout(this.bendLater);
    window.removeEventListener("keydown", this.keys, true);
    if (lab.timeline === this) lab.timeline = null;
    this.follower.stop();
    this.sizes.disconnect();
  }
}

export default function ({ parentElement, data, setStateValue, setTriggerValue }) {
  const root = parentElement.querySelector(".chase");
  root.chase ??= new Chase(root);
  root.chase.open = setTriggerValue;
  if (root.chase.sent !== data) root.chase.load(read(data), setStateValue);
  root.chase.sent = data;
  return () => {
    root.chase?.end();
    root.chase = null;
  };
}
