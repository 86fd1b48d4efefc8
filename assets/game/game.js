// The stage of the game: draws what was asked and heard, moves a cursor, sends one question at a time. A question that
// comes before the last answer waits its turn, and is seen to wait.
import { everywhere } from "../shared/everywhere.js";
import { press } from "../shared/keys.js";
import { lab } from "../shared/lab.js";

const DOUBLE = 350; // ms in which a second click or tap on the same place belongs to the first
const LOST = 4000; // ms after which a question that got no answer is sent again
const STILL = 8; // px that a finger may slip and still be tapping
const FADE = 0.92; // opacity of a circle per round of age
const FAINT = 0.28; // of the oldest

const minus = (v) => v.toFixed(2).replace("-", "−");

class Game {
  constructor(root) {
    this.root = root;
    this.stage = root.querySelector(".stage");
    this.svg = root.querySelector(".stage svg");
    this.ask = root.querySelector(".ask");
    this.at = null;
    this.tries = 0;
    this.sent = null; // the question that is on its way: its number and its arm
    this.queue = []; // arms of those that wait
    root.addEventListener("click", (e) => this.press(e));
    this.stage.addEventListener("pointermove", (e) => this.move(e));
    this.stage.addEventListener("pointerdown", (e) => {
      this.down = e.button === 0 ? { x: e.clientX, y: e.clientY } : null;
    });
    this.stage.addEventListener("pointercancel", () => {
      this.down = null;
    });
    this.stage.addEventListener("pointerup", (e) => this.up(e));
    this.keys = (e) => this.key(e);
    window.addEventListener("keydown", this.keys, true);
    this.sizes = new ResizeObserver(() => this.draw());
    this.sizes.observe(this.stage);
  }

  load(data, send) {
    const other = this.data?.game !== data.game;
    this.data = data;
    this.send = send;
    if (other) {
      this.at = null;
      this.queue = [];
    }
    this.at ??= Math.floor(data.arms / 2);
    if (other || (this.sent && data.asked.length > this.sent.n)) this.free();
    const { ink, soft, paper, grid, hall } = data.look,
      style = this.root.style;
    for (const [name, value] of Object.entries({ ink, soft, paper, grid })) style.setProperty(`--${name}`, value);
    this.root.classList.toggle("hall", !!hall);
    this.root.classList.toggle("over", data.asked.length >= data.rounds);
    const status = this.root.querySelector(".status");
    if (status.textContent !== data.status) status.textContent = data.status;
    this.root.querySelector(".gone i").style.width = `${(100 * data.asked.length) / data.rounds}%`;
    this.root.querySelector(".rounds").textContent = data.rounds;
    lab.game = this;
    lab.course?.label();
    this.next();
    this.help();
    this.draw();
  }

  // Rounds that are not played yet; a course says how many there are before it leaves them.
  get left() {
    return this.data.rounds - this.data.asked.length;
  }

  x(arm) {
    return arm / (this.data.arms - 1);
  }

  // A question at the cursor.
  put() {
    if (this.data.asked.length + this.waiting.length >= this.data.rounds) return;
    this.queue.push(this.at);
    this.next();
    this.help();
    this.draw();
  }

  // The questions without an answer, in their order.
  get waiting() {
    return [...(this.sent ? [this.sent.arm] : []), ...this.queue];
  }

  next() {
    if (this.sent || !this.queue.length) return;
    this.sent = { n: this.data.asked.length, arm: this.queue.shift() };
    this.root.classList.add("waiting");
    this.post();
  }

  // The server takes each number once, so sending again does no harm.
  post() {
    clearTimeout(this.lost);
    this.lost = setTimeout(() => this.post(), LOST);
    this.tries += 1;
    this.send("ask", { game: this.data.game, ...this.sent, narrow: innerWidth < 640, try: this.tries });
  }

  free() {
    clearTimeout(this.lost);
    this.sent = null;
    this.root.classList.remove("waiting");
  }

  // Whether a click is the second half of a double click, which asks once.
  twice(e) {
    const last = this.clicked;
    this.clicked = { at: performance.now(), x: e.clientX, y: e.clientY };
    const again =
      !!last && this.clicked.at - last.at < DOUBLE && Math.hypot(e.clientX - last.x, e.clientY - last.y) <= STILL;
    if (again) this.help("A double click asks once.");
    return again;
  }

  help(said = "") {
    const n = this.queue.length,
      coarse = matchMedia("(pointer: coarse)").matches;
    const usual = coarse
      ? "Tap to ask there; or slide, then ask."
      : "Click to ask there; or ← → move (Shift: bigger steps), Enter asks.";
    const wait = n ? `${n === 1 ? "One question waits" : `${n} questions wait`} for the answer before.` : "";
    this.root.querySelector(".help").textContent = said || wait || usual;
    this.root.classList.toggle("fresh", !this.data.asked.length && !this.waiting.length);
  }

  to(arm) {
    const next = Math.max(0, Math.min(this.data.arms - 1, Math.round(arm)));
    if (next === this.at) return;
    this.at = next;
    this.cursor();
  }

  // The arm under a pointer; null outside the axes.
  under(e) {
    const box = this.stage.getBoundingClientRect(),
      g = this.box;
    const px = e.clientX - box.left,
      py = e.clientY - box.top,
      slack = 14;
    if (px < g.l - slack || px > g.r + slack || py < g.t - slack || py > g.b + 2 * slack) return null;
    return ((px - g.l) / (g.r - g.l)) * (this.data.arms - 1);
  }

  move(e) {
    if (this.was && this.was.x === e.clientX && this.was.y === e.clientY) return; // the page moved, not the mouse
    this.was = { x: e.clientX, y: e.clientY };
    const arm = this.under(e);
    if (arm !== null) this.to(arm);
  }

  up(e) {
    const from = this.down;
    this.down = null;
    if (!from || e.button !== 0) return;
    if (Math.hypot(e.clientX - from.x, e.clientY - from.y) > STILL) return; // a slide chooses, it does not ask
    const arm = this.under(e);
    if (arm === null || this.twice(e)) return;
    this.to(arm);
    this.put();
  }

  press(e) {
    const what = e.target.closest?.("[data-do]")?.dataset.do;
    if (what === "ask" && !this.twice(e)) this.put();
    if (what === "left") this.to(this.at - 1);
    if (what === "right") this.to(this.at + 1);
  }

  key(e) {
    const by = (n) => () => this.to(this.at + n),
      ask = () => {
        if (!e.repeat) this.put();
      };
    const buttons = ["left", "right"]; // that Enter presses; the arrows move the cursor there as well
    press(
      e,
      {
        forward: by(10),
        backward: by(-10),
        next: by(1),
        previous: by(-1),
        nextEvent: by(10),
        previousEvent: by(-10),
        first: () => this.to(0),
        last: () => this.to(this.data.arms - 1),
        enter: ask,
        play: ask,
        ...everywhere,
      },
      (el) => this.root.contains(el) && !buttons.includes(el.dataset.do),
    );
  }

  draw() {
    const { width, height } = this.stage.getBoundingClientRect();
    if (!this.data || !width || !height) return;
    const { tick, label } = this.data.look,
      reach = this.data.reach;
    this.box = { l: 2.6 * tick, r: width - Math.max(12, tick), t: 2.35 * label, b: height - 1.5 * tick - 1.5 * label };
    const { l, r, t, b } = this.box,
      X = (x) => l + x * (r - l),
      Y = (y) => (t + b) / 2 - ((y / reach) * (b - t)) / 2;
    this.X = X;
    this.svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    const write = (x, y, text, more = "") =>
      `<text x="${x}" y="${y}" font-size="${tick}" fill="var(--ink)" ${more}>${text}</text>`;
    let out = "";
    for (let y = -Math.floor(reach); y <= reach; y++) {
      out +=
        `<path d="M${l} ${Y(y)}H${r}" stroke="var(--grid)" stroke-width="${y ? 1 : 2.5}"/>` +
        write(l - 8, Y(y) + tick * 0.35, String(y).replace("-", "−"), 'text-anchor="end"');
    }
    for (let x = 0; x <= 10; x += 2) {
      out +=
        `<path d="M${X(x / 10)} ${b}v6" stroke="var(--soft)"/>` +
        write(X(x / 10), b + 1.35 * tick + 4, String(x / 10), 'text-anchor="middle"');
    }
    out +=
      `<path d="M${l} ${t}V${b}H${r}" fill="none" stroke="var(--soft)" stroke-width="1.2"/>` +
      write(l - 1.6 * tick, 0.95 * label, "reward heard, y", `style="font-size:${label}px"`) +
      write((l + r) / 2, height - 0.35 * label, "action x", `text-anchor="middle" style="font-size:${label}px"`);
    this.svg.innerHTML = `${out}${this.circles(X, Y)}${this.pending(X)}<g class="now"></g>`;
    this.cursor();
  }

  // What was heard: hollow circles that fade with age, the latest with its number.
  circles(X, Y) {
    const { asked, heard, look } = this.data,
      size = look.marker / 2,
      last = asked.length - 1;
    return asked
      .map((arm, i) => {
        const old = FADE ** (last - i),
          x = X(this.x(arm)),
          y = Y(heard[i]),
          newest = i === last;
        const mark = `<circle class="heard" cx="${x}" cy="${y}" r="${newest ? size + 2 : size}" fill="none" stroke="var(--ink)"
        stroke-width="${newest ? 3.2 : 2.2}" opacity="${Math.max(old, FAINT).toFixed(3)}"/>`;
        if (!newest) return mark;
        const left = this.x(arm) > 0.86;
        return `${mark}<text x="${x + (left ? -1 : 1) * (size + 9)}" y="${y + look.tick * 0.35}" font-size="${look.label}"
        font-weight="650" fill="var(--ink)" stroke="var(--paper)" stroke-width="5" paint-order="stroke"
        text-anchor="${left ? "end" : "start"}">${minus(heard[i])}</text>`;
      })
      .join("");
  }

  // What is asked and not yet heard: a dotted line with the number of its round.
  pending(X) {
    const { look, asked } = this.data,
      { t, b, r } = this.box;
    return this.waiting
      .map((arm, i) => {
        const x = X(this.x(arm)),
          left = x > r - 6 * look.label;
        return `<g class="pending"><path d="M${x} ${t}V${b}" stroke="var(--ink)" stroke-width="2" stroke-dasharray="2 6"/>
        <text x="${x + (left ? -8 : 8)}" y="${t + (1 + (i % 4)) * 1.25 * look.label}" font-size="${look.label}" fill="var(--ink)"
        stroke="var(--paper)" stroke-width="5" paint-order="stroke" text-anchor="${left ? "end" : "start"}">${
          i ? `waits: round ${asked.length + 1 + i}` : `asked: round ${asked.length + 1}`
        }</text></g>`;
      })
      .join("");
  }

  cursor() {
    const place = this.x(this.at).toFixed(2),
      { l, r, t, b } = this.box ?? {},
      spot = this.svg.querySelector(".now");
    this.ask.textContent = `Ask at x = ${place}`;
    this.stage.setAttribute("aria-valuenow", place);
    this.stage.setAttribute("aria-valuetext", `x = ${place}`);
    if (!spot || this.data.asked.length >= this.data.rounds) return;
    const { tick, label } = this.data.look,
      x = this.X(this.x(this.at)),
      s = label * 0.55;
    const side = x > r - 5 * label ? "end" : x < l + 5 * label ? "start" : "middle";
    spot.innerHTML = `<path d="M${x} ${t}V${b}" stroke="var(--soft)" stroke-width="1.5" stroke-dasharray="5 4"/>
      <path d="M${x - s} ${b}L${x} ${b - 1.7 * s}L${x + s} ${b}Z" fill="var(--ink)" stroke="var(--paper)" stroke-width="1.5"/>
      <text x="${x}" y="${t - 6}" font-size="${tick}" font-weight="600" text-anchor="${side}" fill="var(--ink)"
        stroke="var(--paper)" stroke-width="6" paint-order="stroke">x = ${place}</text>`;
  }

  end() {
    if (lab.game === this) lab.game = null;
    lab.course?.label();
    window.removeEventListener("keydown", this.keys, true);
    this.sizes.disconnect();
    clearTimeout(this.lost);
  }
}

export default function mountGame({ parentElement, data, setStateValue }) {
  const root = parentElement.querySelector(".game");
  root.game ??= new Game(root);
  root.game.load(data, setStateValue);
  return () => {
    root.game?.end();
    root.game = null;
  };
}
