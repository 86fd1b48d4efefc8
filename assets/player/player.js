// The time player: it moves every chart of a page through the times of a film, in the browser.
// A film is fetched once by its address, or is part of Python's message. It has a figure for each chart,
// and an array with a row a frame for each moving trace. Python gets a message only when time is paused or
// a mark is released.

import { Clock, calm } from "../shared/clock.js";
import { element, showHeadline } from "../shared/element.js";
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
// Takes the place of the follower of sliders (follow.js) where no server answers.
const NO_FOLLOWER = { load() {}, pull() {}, lift() {}, stop() {}, ahead: false };
const TICK = 60; // milliseconds from a frame to the next one at speed 1
const QUIET = 350; // milliseconds after the last key until its time is sent to Python
// Sentences about a picture: it is of the slider's former value, the server is silent, or it gave this status.
const FORMER = "This picture is of the setting before. Let go of the slider, and the new one is measured.";
const NO_ANSWER = "The server does not answer. The picture stays, and is asked for again.";
const OF_STATUS = new Map([
  [200, ""],
  [204, "There is no picture of this setting. The last one stays."],
  [400, "The lab has a new version: load the page anew."],
  [503, "Many are asking at once. The picture comes in a moment."],
]);
const EMPTY = { n: 1, charts: [], events: [], labels: [], times: [0], sentences: [], said: [] };

export class Player {
  // `server` has the functions that fetch films (addressOf, filmOf), and the class Follower, which lets the
  // stage follow a slider.
  constructor(root, server = null) {
    this.root = root;
    this.server = server;
    this.t = 0;
    this.film = EMPTY;
    this.ends = null; // frame at which this run of the clock stops, null for the last frame
    this.truth = null; // frame that answers a revealed bet, null without one
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
    this.stopListening = listen(window, { keydown: (e) => this.key(e) }, true);
  }

  // Streamlit mounts a new player before it removes the old one. The one that has last loaded a message is
  // `lab.player`, and it alone moves the charts.
  get leads() {
    return lab.player === this;
  }

  lead() {
    if (this.leads) return;
    lab.player?.halt();
    lab.player = this;
  }

  // Load the film of a message, from its address or, where it has none, by `read`.
  async load(head, read, send) {
    this.lead();
    const address = head.revision === null ? this.server.addressOf(head.question, "film") : null,
      data = { ...head, address };
    this.send = send;
    // While a query waits for its answer, a message from before it would undo it.
    if (this.ask.sent && head.reset === this.reset && head.heard !== this.ask.sent.n) return;
    this.data = data;
    this.follower.load(data.question && { addressed: data.address !== null, ...data.question });
    const name = data.address ?? data.revision;
    if (data.reset !== this.reset) {
      this.halt();
      this.truth = null; // it was of another page or moment
      document.documentElement.classList.remove(TOLD);
    }
    if (name === this.name) return this.begin(data);
    const wanted = () => this.leads && this.data === data;
    const film = data.address
      ? await this.server.filmOf(data.address, wanted, (status) => this.showStatus(status))
      : await read();
    if (film && wanted()) this.take(name, film, data);
  }

  // Show a film. `data` is the message that it belongs to, null for settings that Python does not have yet.
  take(name, film, data = null) {
    if (name === this.name) return data && this.begin(data);
    this.name = name;
    this.film = film;
    this.bar.max = this.last;
    this.drawSteps();
    this.showStatus(200);
    this.grey(false);
    if (data) this.begin(data, true);
    else this.draw();
  }

  // Go to the time of a message: its own on another page or in another moment, else the present one.
  begin(data, fresh = false) {
    const elsewhere = this.reset !== data.reset;
    if (elsewhere) {
      clearTimeout(this.later);
      this.ask.drop();
      // A player that is mounted again on the same page and in the same moment goes on at the present time.
      const again = lab.now?.reset === data.reset;
      this.t = again ? lab.now.t : data.start;
      // One that comes where the page had none, as after the steps of a table, is seen with its headline.
      if (!again && this.reset === undefined && window.parent === window) showHeadline();
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

  // Play the film of a bet from the time of its question to the frame that answers it, where the page shows
  // the truth.
  reveal(end) {
    this.ends = null;
    this.truth = end ?? null;
    if (this.truth === null) return;
    showHeadline(); // on a phone the reader has answered below the stage
    if (calm() || this.t >= end) return this.show(end);
    this.playTo(end);
  }

  // Draw every chart of the film at the present time.
  draw() {
    this.t = Math.min(this.t, this.last);
    for (const part of this.film.charts) {
      const chart = lab.charts.get(part.key);
      if (chart) this.place(chart, part);
    }
    this.label();
    this.announce();
  }

  // Take a chart that was mounted after the film came, if it is one of the film's.
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

  // Show why no film comes, by the status of the server's answer; 200 clears the sentence.
  showStatus(status) {
    this.write(OF_STATUS.get(status) ?? NO_ANSWER);
  }
  write(sentence) {
    const line = this.root.querySelector(".amiss");
    if (line) line.textContent = sentence;
  }

  // Whether the arrow keys choose a place, and not a time.
  get aims() {
    return this.ask.place !== null;
  }

  // The parts that the follower of sliders uses (follow.js).
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
  // Turn the picture grey until the slider is released: it shows the former value, and only runs have the new
  // one.
  grey(on) {
    const stage = lab.charts.get("main")?.root;
    if (!stage || stage.classList.contains("other") === on) return;
    stage.classList.toggle("other", on);
    this.write(on ? FORMER : "");
  }
  settle(ahead) {
    if (ahead || (this.data.address ?? this.data.revision) !== this.name) return; // another film is on its way
    this.grey(false);
    for (const chart of lab.charts.values()) chart.back();
    this.announce();
  }

  // Play the film of an answer, from its query on.
  answer() {
    const plays = this.film.charts[0].pick?.ask?.plays;
    if (!plays) return;
    this.show(plays[0]);
    this.playTo(plays[1]);
  }

  // Add the listeners of a chart, once. They act on the player in charge, which may be a later one.
  listen(chart) {
    this.ask.stand(chart);
    if (chart.hasListeners) return;
    chart.hasListeners = true;
    let swiped = false; // for Plotly the end of a swipe is a click too
    const on = (event, act, options) =>
      chart.root.addEventListener(event, (e) => lab.player && act(lab.player, e), options);
    on("pointermove", ({ grip }, e) => grip.point(chart, e));
    on("touchmove", ({ grip }, e) => grip.drags && e.cancelable && e.preventDefault(), { passive: false });
    const press = ({ grip }, e) => {
      grip.take(chart, e);
      swiped = false;
      ending(e, (_, far) => {
        swiped = far >= NUDGE;
      });
    };
    on("pointerdown", press, true);
    chart.on("plotly_click", (e) => {
      const p = e.points?.[0],
        { player } = lab,
        pick = chart.film?.pick;
      if (!p || !pick || !player || swiped || performance.now() - player.grip.dropped < QUIET) return;
      if (pick.t) player.jump(player.nearest(+p[pick.t]));
      if (pick.x) player.send?.("x", +p[pick.x]);
    });
    if (chart.key !== "main") return;
    on("pointermove", ({ ask }, e) => ask.point(e));
    on("pointerleave", ({ ask }) => ask.show());
    on("pointerdown", ({ ask }, e) => e.button === 0 && ask.press(e));
  }

  // The frame whose time is nearest to a clicked one.
  nearest(time) {
    return nearestFrame(this.film.times, time);
  }

  // Show frame t, or while the film plays a picture between it and the next one, at a fraction of the way.
  show(t, fraction = 0) {
    t = Math.max(0, Math.min(this.last, t));
    const isNew = t !== this.t || !fraction;
    this.t = t;
    // A film that is halted earlier leaves the truth hidden: its answer is seen on the stage first.
    if (this.truth !== null && t >= this.truth) document.documentElement.classList.add(TOLD);
    if (isNew) {
      this.label();
      this.announce();
    }
    for (const part of this.film.charts) {
      const chart = lab.charts.get(part.key);
      if (chart?.film !== part) continue;
      chart.frame = t + fraction;
      chart.move(shownAt(this.film, part, t, fraction));
    }
  }

  // Whether the film plays over several rounds, and not the steps of one.
  get playsRounds() {
    const n = this.film.rounds?.steps.length;
    return !!n && this.clock.runs && (this.ends === null || this.ends - this.begun > n);
  }

  // The frame whose sentence is shown. While rounds play it is the last frame of the round before: a step is
  // too short to read its sentence.
  get sentenceFrame() {
    return this.playsRounds ? Math.max(0, this.t - (this.t % this.film.rounds.steps.length) - 1) : this.t;
  }

  // Send the present time and its sentence to all parts of the page that show them.
  announce() {
    lab.now = { t: this.t, reset: this.reset, html: this.film.sentences[this.film.said[this.sentenceFrame]] };
    window.dispatchEvent(new CustomEvent("tvbo:frame", { detail: lab.now }));
  }

  label() {
    if (!this.clock.runs) this.bar.value = this.t;
    this.out.textContent = this.film.labels[this.t] ?? "";
    shownNow(this.reset, { label: this.out.textContent });
    this.bar.setAttribute("aria-valuetext", this.out.textContent);
    this.markStep();
  }

  // ------------------------------------------------------------------ rounds of steps
  drawSteps() {
    const steps = this.film.rounds?.steps ?? [];
    this.steps?.replaceChildren(
      ...steps.map((innerHTML, i) => element("button", { type: "button", innerHTML, onclick: () => this.playStep(i) })),
    );
  }

  // Play a step of the present round, from the frame before it.
  playStep(step) {
    const n = this.film.rounds.steps.length,
      t = this.t - (this.t % n) + step;
    this.halt();
    if (!t) return this.jump(0);
    this.show(t - 1);
    this.playTo(t);
  }

  // Mark the present step among the buttons of the steps.
  markStep() {
    const n = this.film.rounds?.steps.length;
    if (!this.steps) return;
    const at = this.playsRounds ? this.t : (this.ends ?? this.t);
    this.root.classList.toggle("stepping", !!n);
    for (const [i, step] of [...this.steps.children].entries()) {
      if (i === at % n) step.setAttribute("aria-current", "step");
      else step.removeAttribute("aria-current");
    }
  }

  // Milliseconds from frame t to the next one. In the first rounds (`slow` of them) every step takes its full
  // time; each round after them takes `brisk` milliseconds.
  lasting(t) {
    const { rounds } = this.film;
    if (!rounds) return TICK;
    const { lasting, slow, brisk } = rounds,
      n = lasting.length,
      all = lasting.reduce((sum, one) => sum + one);
    return lasting[(t + 1) % n] * (t - this.begun < n * slow ? 1 : brisk / all);
  }

  // Go one step on. Where a film has rounds, the step is played; a second press ends it at once.
  next() {
    const t = this.clock.runs && this.ends !== null ? this.ends : this.t;
    if (!this.film.rounds || t >= this.last) return this.jump(t + 1);
    this.halt();
    this.show(t);
    this.playTo(t + 1);
  }

  play() {
    if (calm()) return this.jumpToEvent(1);
    if (this.t >= this.last) this.show(0);
    this.run();
  }

  // Play up to a frame; with reduced motion, jump to it.
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
    this.setButton("pause", "Pause");
    this.begun = this.t; // where this run of the clock began
    this.point = this.t; // the present time, which may lie between two frames
    this.bar.step = "any";
    this.clock.start();
    this.markStep();
  }

  setButton(icon, words) {
    this.button.innerHTML = `<svg viewBox="0 0 24 24" aria-hidden="true"><path d="${ICON[icon]}"/></svg>`;
    this.button.setAttribute("aria-label", words);
  }

  // Move the time and its mark by the milliseconds that have passed. A slow browser draws fewer pictures, but
  // none of the events is left out: time stops at each of them for a picture.
  tick(passed) {
    const last = this.ends ?? this.last,
      stop = this.film.events.find((e) => e > this.t) ?? last;
    if (this.t >= last) return this.pause();
    this.bar.value = this.point = this.advanced(passed, Math.min(stop, last));
    this.show(Math.floor(this.point), this.point % 1);
  }

  // The point in time after some milliseconds, at most `end`.
  advanced(passed, end) {
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

  // Stop the clock, at a frame: between two of them a picture is only interpolated.
  halt() {
    if (!this.clock.runs) return;
    this.clock.stop();
    this.ends = null;
    this.bar.step = 1;
    this.setButton("play", "Play");
    this.label();
    this.show(this.t);
  }

  pause() {
    this.halt();
    this.tell();
  }
  // Send the time to Python, with the reset, which says to which page and moment it belongs. In a course the
  // address has the stop in place of the time, and a run for the message could delay the next stop.
  tell() {
    clearTimeout(this.later);
    this.updateStatus();
    if (!lab.course) this.send?.("t", { t: this.t, reset: this.reset });
  }
  // Update the status that a screen reader reads out when time has stopped.
  updateStatus() {
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
  jumpToEvent(direction) {
    const list = this.film.events;
    if (direction > 0) this.jump(list.find((e) => e > this.t) ?? this.last);
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
      // In a slide deck each press of the clicker goes to the next event: a film may have a hundred frames.
      forward: () => (lab.embed ? this.jumpToEvent(1) : this.next()),
      backward: () => (lab.embed ? this.jumpToEvent(-1) : this.jump(this.t - 1)),
      next: () => this.next(),
      previous: to(-1),
      ...everywhere,
      nextEvent: () => this.jumpToEvent(1),
      previousEvent: () => this.jumpToEvent(-1),
      first: () => this.jump(0),
      last: () => this.jump(this.last),
      play: () => this.act("play"),
      bet: () => this.bet(),
      code,
      aim: () => this.ask.start(),
      escape: document.getElementById(LINK_CODE) && code,
      // A moment has its own time, so a time that has not been sent yet is dropped.
      moment: () => {
        clearTimeout(this.later);
        everywhere.moment(e);
      },
      ...this.ask.acts(e),
    };
    press(e, acts, (el) => el === this.bar || el === this.ask.button);
  }

  // Open the page's bet; once it is open, move the focus to its first answer.
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
    this.stopListening();
    document.getElementById(LINK_CODE)?.stop();
  }
}
