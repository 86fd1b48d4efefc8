// The time player. It steps every chart of a page together, in the browser, without asking Python.
// A film comes once, by its address or with Python's message: for each chart its figure and the arrays of each moving
// trace, one row a frame. Python hears only when the reader pauses or lets go.

import { Clock, calm } from "../shared/clock.js";
import { element } from "../shared/element.js";
import { everywhere } from "../shared/everywhere.js";
import { press } from "../shared/keys.js";
import { lab } from "../shared/lab.js";
import { ending, listen, NUDGE } from "../shared/listen.js";
import { order } from "../shared/orders.js";
import { nearestFrame, shownAt } from "../stage/decode.js";
import { Ask } from "./ask.js";
import { Grip } from "./grip.js";
import { PAGE, TOLD } from "./page.js";
import { LINK_CODE, showLinkCode } from "./qr.js";
import { shownNow } from "./shown.js";

const ICON = {
  back: "M17 5L6 12l11 7z",
  play: "M7 5l12 7-12 7z",
  pause: "M7 5v14M17 5v14",
  next: "M7 5l11 7-11 7z",
  left: "M17 5L6 12l11 7z",
  right: "M7 5l11 7-11 7z",
};
// Stands in for the follower of sliders where no server answers.
const NO_FOLLOWER = { load() {}, pull() {}, lift() {}, stop() {}, ahead: false };
const TICK = 60; // milliseconds a frame at speed 1
const QUIET = 350; // wait after a key before telling Python
const OTHER = "This picture is of the setting before. Let go of the slider, and the new one is measured.";
const LATE = "The server does not answer. The picture stays, and is asked for again.";
const WHY = new Map([
  [200, ""],
  [204, "There is no picture of this setting. The last one stays."],
  [400, "The lab has a new version: load the page anew."],
  [503, "Many are asking at once. The picture comes in a moment."],
]);
const EMPTY = { n: 1, charts: [], events: [], labels: [], times: [0], sentences: [], said: [] };

export class Player {
  // `server` names and fetches films (addressOf, filmOf) and answers sliders while they are dragged (Follower).
  constructor(root, server = null) {
    this.root = root;
    this.server = server;
    this.t = 0;
    this.film = EMPTY;
    this.ends = null; // where it stops by itself, null for the end of the film
    this.truth = null; // where the answer of a revealed bet happens
    for (const [name, path] of Object.entries(ICON)) {
      const spot = root.querySelector(`[data-do="${name}"]`);
      if (spot) spot.innerHTML = `<svg viewBox="0 0 24 24" aria-hidden="true"><path d="${path}"/></svg>`;
    }
    this.bar = root.querySelector("input");
    this.out = root.querySelector("output");
    this.button = root.querySelector('[data-do="play"]');
    this.rate = root.querySelector("select");
    root.addEventListener("click", (e) => {
      const what = e.target.closest("[data-do]")?.dataset.do;
      if (what) this.act(what, e);
    });
    this.bar.oninput = () => {
      const t = Math.round(+this.bar.value);
      this.halt();
      this.show(t);
    };
    this.bar.onchange = () => this.tell();
    this.clock = new Clock((passed) => this.tick(passed));
    this.rate.onchange = () => {
      this.clock.speed = +this.rate.value;
    };
    this.follower = server ? new server.Follower(this) : NO_FOLLOWER;
    this.grip = new Grip(this);
    this.ask = new Ask(this);
    this.steps = root.querySelector(".steps");
    this.unhear = listen(window, { keydown: (e) => this.key(e) }, true);
  }

  // Streamlit puts a new player up before it takes the old one down: the one that was told something last is in charge.
  get leads() {
    return lab.player === this;
  }

  lead() {
    if (this.leads) return;
    lab.player?.halt();
    lab.player = this;
  }

  // Take a message: its film comes from its address, or `read` reads it.
  async load(head, read, send) {
    this.lead();
    const address = head.revision === null ? this.server.addressOf(head.question, "film") : null,
      data = { ...head, address };
    this.send = send;
    if (this.ask.sent && head.reset === this.reset && head.heard !== this.ask.sent.n) return; // of before the question
    this.data = data;
    this.follower.load(data.question && { addressed: data.address !== null, ...data.question });
    const name = data.address ?? data.revision;
    if (data.reset !== this.reset) {
      this.halt();
      this.truth = null; // of the page or moment before
      document.documentElement.classList.remove(TOLD);
    }
    if (name === this.name) return this.begin(data);
    const wanted = () => this.leads && this.data === data;
    const film = data.address
      ? await this.server.filmOf(data.address, wanted, (status) => this.miss(status))
      : await read();
    if (film && wanted()) this.take(name, film, data);
  }

  // Show a film: that of Python's message, or without `data` of settings that it has not heard of yet.
  take(name, film, data = null) {
    if (name === this.name) return data && this.begin(data);
    this.name = name;
    this.film = film;
    this.bar.max = this.last;
    this.nameSteps();
    this.miss(200);
    this.grey(false);
    if (data) this.begin(data, true);
    else this.draw();
  }

  // Stand where the message says, another page or moment at its own time.
  begin(data, fresh = false) {
    const elsewhere = this.reset !== data.reset;
    if (elsewhere) {
      clearTimeout(this.later);
      this.ask.drop();
      // A player that is mounted anew on the same page and moment goes on where the last one stood.
      this.t = lab.now?.reset === data.reset ? lab.now.t : data.start;
    }
    this.reset = data.reset;
    if (elsewhere || fresh) this.draw();
    if (elsewhere) return this.reveal(data.plays);
    if (this.ask.hear(data.heard)) return this.answer();
    if (fresh) return;
    this.announce();
    this.label();
    if (!this.follower.ahead) this.settle(false);
  }

  // The film of a bet runs from where the question stood to where its answer happens; then the page tells the truth.
  reveal(end) {
    this.ends = null;
    this.truth = end ?? null;
    if (this.truth === null) return;
    document.querySelector("h1")?.scrollIntoView({ block: "nearest" }); // who answered on a phone stands below the stage
    if (calm() || this.t >= end) return this.show(end);
    this.playTo(end);
  }

  // Draw every chart of the film, at our time.
  draw() {
    this.t = Math.min(this.t, this.last);
    for (const part of this.film.charts) {
      const chart = lab.charts.get(part.key);
      if (chart) this.place(chart, part);
    }
    this.label();
    this.announce();
  }

  // A chart was put up: it is one of the film's, or stands still.
  join(chart) {
    const part = this.film.charts.find((one) => one.key === chart.key);
    if (this.leads && part) this.place(chart, part);
  }

  place(chart, part) {
    chart.film = part;
    chart.frame = this.t;
    chart.show(part.figure, shownAt(this.film, part, this.t));
    this.listen(chart);
  }

  // Say why no film comes; nothing once one is there.
  miss(status) {
    this.write(WHY.get(status) ?? LATE);
  }
  write(words) {
    const spot = this.root.querySelector(".amiss");
    if (spot) spot.textContent = words;
  }

  // Whether the arrows choose a place.
  get aims() {
    return this.ask.place !== null;
  }

  // What the follower of sliders asks of its host.
  get time() {
    return this.film.times[this.t];
  }
  get last() {
    return this.film.n - 1;
  }
  drawFrame(frame) {
    for (const part of frame.charts)
      lab.charts.get(part.key)?.follow(part.figure, part.key === "main" ? frame.kept : []);
    if (frame.said !== null)
      window.dispatchEvent(new CustomEvent("tvbo:said", { detail: { html: frame.said, reset: this.reset } }));
  }
  // Of what only runs can tell the picture waits for the slider to be let go.
  grey(on) {
    const stage = lab.charts.get("main")?.root;
    if (!stage || stage.classList.contains("other") === on) return;
    stage.classList.toggle("other", on);
    this.write(on ? OTHER : "");
  }
  settle(ahead) {
    if (ahead || (this.data.address ?? this.data.revision) !== this.name) return; // the film is on its way
    this.grey(false);
    for (const chart of lab.charts.values()) chart.back();
    this.announce();
  }

  // The answer is seen: the film plays from the question on.
  answer() {
    const plays = this.film.charts[0].pick?.ask?.plays;
    if (!plays) return;
    this.show(plays[0]);
    this.playTo(plays[1]);
  }

  // Hear the pointer over a chart, on behalf of whichever player leads.
  listen(chart) {
    this.ask.stand(chart);
    if (chart.heeded) return;
    chart.heeded = true;
    let swiped = false; // for Plotly the end of a swipe is a click too
    const hear = (event, act, options) =>
      chart.root.addEventListener(event, (e) => lab.player && act(lab.player, e), options);
    hear("pointermove", ({ grip }, e) => grip.point(chart, e));
    hear("touchmove", ({ grip }, e) => grip.drags && e.cancelable && e.preventDefault(), { passive: false });
    const press = ({ grip }, e) => {
      grip.take(chart, e);
      swiped = false;
      ending(e, (_, far) => {
        swiped = far >= NUDGE;
      });
    };
    hear("pointerdown", press, true);
    chart.on("plotly_click", (e) => {
      const p = e.points?.[0],
        { player } = lab,
        pick = chart.film?.pick;
      if (!p || !pick || !player || swiped || performance.now() - player.grip.dropped < QUIET) return;
      if (pick.t) player.jump(player.nearest(+p[pick.t]));
      if (pick.x) player.send?.("x", +p[pick.x]);
    });
    if (chart.key !== "main") return;
    hear("pointermove", ({ ask }, e) => ask.point(e));
    hear("pointerleave", ({ ask }) => ask.show());
    hear("pointerdown", ({ ask }, e) => e.button === 0 && ask.press(e));
  }

  // The frame whose time is nearest to a clicked one.
  nearest(time) {
    return nearestFrame(this.film.times, time);
  }

  // Show a frame, or while the film plays a picture between this one and the next.
  show(t, way = 0) {
    t = Math.max(0, Math.min(this.last, t));
    const news = t !== this.t || !way;
    this.t = t;
    // Not where the film is halted before: the reader sees it happen first.
    if (this.truth !== null && t >= this.truth) document.documentElement.classList.add(TOLD);
    if (news) {
      this.label();
      this.announce();
    }
    for (const part of this.film.charts) {
      const chart = lab.charts.get(part.key);
      if (chart?.film !== part) continue;
      chart.frame = t + way;
      chart.move(shownAt(this.film, part, t, way));
    }
  }

  // Whether whole rounds go by, not steps of one.
  get rolls() {
    const n = this.film.rounds?.steps.length;
    return !!n && this.clock.runs && (this.ends === null || this.ends - this.begun > n);
  }

  // The frame whose sentence is said: while rounds go by it is that of the last one that is over, because a step is over
  // before its sentence is read.
  get told() {
    return this.rolls ? Math.max(0, this.t - (this.t % this.film.rounds.steps.length) - 1) : this.t;
  }

  // Everybody who shows a time hears of this one.
  announce() {
    lab.now = { t: this.t, reset: this.reset, html: this.film.sentences[this.film.said[this.told]] };
    window.dispatchEvent(new CustomEvent("tvbo:frame", { detail: lab.now }));
  }

  label() {
    if (!this.clock.runs) this.bar.value = this.t;
    this.out.textContent = this.film.labels[this.t] ?? "";
    shownNow(this.reset, { label: this.out.textContent });
    this.bar.setAttribute("aria-valuetext", this.out.textContent);
    this.nameStep();
  }

  // ------------------------------------------------------------------ rounds of steps
  nameSteps() {
    const steps = this.film.rounds?.steps ?? [];
    this.steps?.replaceChildren(
      ...steps.map((innerHTML, i) => element("button", { type: "button", innerHTML, onclick: () => this.to(i) })),
    );
  }

  // See a step of the round of now happen.
  to(step) {
    const n = this.film.rounds.steps.length,
      t = this.t - (this.t % n) + step;
    this.halt();
    if (!t) return this.jump(0);
    this.show(t - 1);
    this.playTo(t);
  }

  // The step of now is marked among the names, which stay where they are.
  nameStep() {
    const n = this.film.rounds?.steps.length;
    if (!this.steps) return;
    const at = this.rolls ? this.t : (this.ends ?? this.t);
    this.root.classList.toggle("stepping", !!n);
    for (const [i, step] of [...this.steps.children].entries()) {
      if (i === at % n) step.setAttribute("aria-current", "step");
      else step.removeAttribute("aria-current");
    }
  }

  // Milliseconds from a frame to the next one.
  lasting(t) {
    const { rounds } = this.film;
    if (!rounds) return TICK;
    const { lasting, slow, brisk } = rounds,
      n = lasting.length,
      all = lasting.reduce((sum, one) => sum + one);
    return lasting[(t + 1) % n] * (t - this.begun < n * slow ? 1 : brisk / all);
  }

  // One step on is seen happening, where a film has rounds; a second press does not wait for it.
  next() {
    const t = this.clock.runs && this.ends !== null ? this.ends : this.t;
    if (!this.film.rounds || t >= this.last) return this.jump(t + 1);
    this.halt();
    this.show(t);
    this.playTo(t + 1);
  }

  play() {
    if (calm()) return this.event(1);
    if (this.t >= this.last) this.show(0);
    this.run();
  }

  // Play on to a frame; where motion is reduced, be there at once.
  playTo(end) {
    if (calm()) return this.jump(end);
    this.ends = end;
    this.run();
  }
  finish() {
    const end = this.ends ?? this.last;
    this.halt();
    this.jump(end);
  }

  run() {
    this.face("pause", "Pause");
    this.point = this.begun = this.t; // between two frames
    this.bar.step = "any";
    this.clock.start();
    this.nameStep();
  }

  face(icon, words) {
    this.button.innerHTML = `<svg viewBox="0 0 24 24" aria-hidden="true"><path d="${ICON[icon]}"/></svg>`;
    this.button.setAttribute("aria-label", words);
  }

  // Time goes on by the clock, and its mark with it. What takes long to draw leaves pictures out, but none at which
  // something happens.
  tick(passed) {
    const last = this.ends ?? this.last,
      stop = this.film.events.find((e) => e > this.t) ?? last;
    if (this.t >= last) return this.pause();
    this.bar.value = this.point = this.on(passed, Math.min(stop, last));
    this.show(Math.floor(this.point), this.point % 1);
  }

  // Where time is after some milliseconds, at most at a frame.
  on(passed, end) {
    let { point } = this;
    while (passed > 0 && point < end) {
      const t = Math.floor(point),
        lasts = this.lasting(t),
        needs = (Math.min(t + 1, end) - point) * lasts;
      point = needs <= passed ? Math.min(t + 1, end) : point + passed / lasts;
      passed -= needs;
    }
    return point;
  }

  // A picture that stays is a computed one.
  halt() {
    if (!this.clock.runs) return;
    this.clock.stop();
    this.ends = null;
    this.bar.step = 1;
    this.face("play", "Play");
    this.label();
    this.show(this.t);
  }

  pause() {
    this.halt();
    this.tell();
  }
  // The reset travels along, so that Python knows which page and moment a time belongs to. In a course the address is
  // the stop, and the next press may turn the page: a run for the pause would be under way then.
  tell() {
    clearTimeout(this.later);
    this.say();
    if (!lab.course) this.send?.("t", { t: this.t, reset: this.reset });
  }
  // For those who hear the page, once time stands still.
  say() {
    const { events, labels } = this.film,
      at = events.indexOf(this.t);
    const spot = this.root.querySelector(".said");
    if (spot) spot.textContent = `${labels[this.t] ?? ""}${at < 0 ? "" : `, event ${at + 1} of ${events.length}`}`;
  }
  jump(t) {
    this.halt();
    this.show(t);
    clearTimeout(this.later);
    this.later = setTimeout(() => this.tell(), QUIET);
  }
  event(way) {
    const list = this.film.events;
    if (way > 0) this.jump(list.find((e) => e > this.t) ?? this.last);
    else this.jump(list.findLast((e) => e < this.t) ?? 0);
  }

  act(what, e) {
    ({
      left: () => this.ask.move(this.ask.aim - 1),
      right: () => this.ask.move(this.ask.aim + 1),
      ask: () => this.ask.put(e, this.ask.aim),
      back: () => this.jump(this.t - 1),
      next: () => this.next(),
      play: () => (this.clock.runs ? this.pause() : this.play()),
    })[what]?.();
  }

  key(e) {
    if (!this.leads) return;
    const to = (by) => () => this.jump(this.t + by),
      code = () => showLinkCode(() => this.tell());
    const acts = {
      // In a deck a press of the clicker is a step of the talk, and a frame is one of a hundred.
      forward: () => (lab.embed ? this.event(1) : this.next()),
      backward: () => (lab.embed ? this.event(-1) : this.jump(this.t - 1)),
      next: () => this.next(),
      previous: to(-1),
      ...everywhere,
      nextEvent: () => this.event(1),
      previousEvent: () => this.event(-1),
      first: () => this.jump(0),
      last: () => this.jump(this.last),
      play: () => this.act("play"),
      bet: () => this.bet(),
      code,
      aim: () => this.ask.start(),
      escape: document.getElementById(LINK_CODE) && code,
      // A moment has a time of its own: a pause that Python has not heard of yet would come too late.
      moment: () => {
        clearTimeout(this.later);
        everywhere.moment(e);
      },
      ...this.ask.acts(e),
    };
    press(e, acts, (el) => el === this.bar || el === this.ask.button);
  }

  // Opens the page's bet; once it is open, the keyboard goes to its first answer.
  bet() {
    if (PAGE.bet()) order("bet", () => PAGE.bet()?.click());
    else PAGE.answer()?.focus();
  }

  end() {
    this.halt();
    clearTimeout(this.later);
    this.follower.stop();
    this.ask.end();
    if (this.leads) lab.player = null;
    this.unhear();
    document.getElementById(LINK_CODE)?.stop();
  }
}
