// What a click asks on a chart, or a place that is chosen with the keys (`Pick.ask`), and the handles that keys move
// (`Pick.handles`). Both are shown over the figure by elements of their own: it stays as it is. One question is sent at
// a time: others wait for its answer, and are seen to wait.
import { element } from "../shared/element.js";
import { lab } from "../shared/lab.js";
import { ending } from "../shared/listen.js";
import { axis } from "../stage/geometry.js";

const SLIP = 8; // pixels that a finger may slip and still be tapping
const SLACK = 30; // pixels beside and below a panel that belong to it
const LEAPS = 10; // places, or units of a handle, that Shift moves at once
const TOLD_AFTER = 350; // milliseconds after the last key until Python hears of a handle
const DOUBLE = 350; // milliseconds in which a second click on the same place belongs to the first
const LOST = 4000; // milliseconds after which a question that got no answer is sent again

// The text of a knob of questions, pairs of round and place, with one more: those of later rounds are dropped.
export function withQuery(code, film, { t, place }) {
  const row = Math.floor(t / film.rounds.lasting.length),
    before = code.split("_").filter((one) => parseInt(one, 10) < row);
  return [...before, `${row}-${place}`].join("_");
}

export class Ask {
  constructor(player) {
    this.player = player;
    this.place = null; // chosen with the keys; of a stage without time also with the pointer
    this.sent = null; // the question that Python has not answered, and whether its answer is seen
    this.queue = []; // places of those that wait
    this.grip = 0; // handle that the keys move
    this.row = player.root.querySelector(".asking");
    this.button = player.root.querySelector('[data-do="ask"]');
  }

  get chart() {
    return lab.charts.get("main");
  }

  // Questions that are left, null for any number; undefined where the stage takes none.
  get left() {
    return this.chart?.film?.pick?.ask?.left;
  }

  // What the stage says about questions, where it takes another one and somebody answers it.
  get asks() {
    const ask = this.chart?.film?.pick?.ask,
      answered = ask && (ask.key === null || this.player.follower.said?.has(ask.key));
    return answered && ask.left !== 0 ? ask : null;
  }

  // Whether the stage has no time, and keys and buttons choose a place at once.
  get always() {
    return this.player.last === 0 && this.left !== undefined;
  }

  // A chart shows a film: what it takes is another one's.
  stand(chart) {
    if (chart.key !== "main") return;
    const { asks, always } = this;
    chart.root.classList.toggle("asks", !!asks);
    chart.root.classList.toggle("slides", always);
    this.player.root.classList.toggle("aims", always);
    this.row.hidden = !asks;
    if (asks || chart.film.pick?.handles) chart.root.tabIndex = 0;
    if (asks) this.make(chart, 2 * asks.axes.length);
    this.show();
  }

  // A finger that moves chooses where it does not scroll.
  point(e) {
    const { clientX: x, clientY: y } = e,
      still = this.was?.x === x && this.was.y === y; // the page moved under the mouse
    this.was = { x, y };
    if (still || (e.pointerType === "touch" && !this.always)) return;
    const place = this.at(e);
    if (!this.always) this.show(place);
    else if (place !== null) this.move(place);
  }

  // What a press ends with: Plotly lays an element of its own over the page meanwhile.
  press(e) {
    ending(e, (up, far) => {
      const place = far <= SLIP ? this.at(up) : null;
      if (place !== null) this.put(up, place);
    });
  }

  // The place under a pointer, null outside the panels.
  at(e) {
    const { axes = [], places } = this.asks ?? {};
    for (const axis of axes) {
      const at = this.player.grip.place(this.chart, axis, e);
      if (!at) continue;
      const { share, length, beside } = at;
      if (share * length > -SLACK / 2 && (share - 1) * length < SLACK / 2 && beside < SLACK)
        return Math.round(Math.max(0, Math.min(1, share)) * (places - 1));
    }
    return null;
  }

  // ------------------------------------------------------------------ questions
  get waiting() {
    return [...(this.sent ? [this.sent.place] : []), ...this.queue];
  }

  // Ask at a place, once those before are answered. A double click, or a key that is held, asks once.
  put(e, place) {
    const last = this.clicked,
      now = { at: performance.now(), x: e.clientX, y: e.clientY };
    this.clicked = now;
    if (last && now.at - last.at < DOUBLE && Math.hypot(now.x - last.x, now.y - last.y) <= SLIP)
      return this.player.write("A double click queries once.");
    const { asks } = this;
    if (!asks || (asks.left !== null && this.waiting.length >= asks.left)) return;
    this.player.write("");
    this.place = this.always ? place : null;
    this.queue.push(place);
    this.next();
  }

  // The film that holds an answer may have an address: it is fetched at once, and plays while Python hears of the question.
  async next() {
    const { player, asks } = this;
    if (!this.sent && asks && this.queue.length) {
      player.halt();
      clearTimeout(player.later);
      const n = Math.floor(performance.now() * 1000),
        sent = { n, t: player.time, place: this.queue.shift(), tries: 0, seen: false };
      this.sent = sent;
      if (asks.key !== null) this.fetch(asks.key, sent);
      else this.post();
    }
    this.show();
  }

  async fetch(key, sent) {
    const { player } = this,
      code = withQuery(player.follower.said.get(key), player.film, sent),
      aim = player.server.addressOf(player.data.question, "film", { [key]: code }),
      wanted = () => player.leads && this.sent === sent,
      film = await player.server.filmOf(aim, wanted, () => {});
    if (!wanted()) return;
    if (film) {
      player.take(aim, film);
      player.answer();
      sent.seen = true;
    }
    this.post();
  }

  // Python takes each question once, so sending again does no harm.
  post() {
    const { n, t, place } = this.sent;
    clearTimeout(this.lost);
    this.lost = setTimeout(() => this.post(), LOST);
    this.sent.tries += 1;
    const said = { n, t, place, reset: this.player.reset, tries: this.sent.tries };
    this.player.send("ask", said);
  }

  // Python has answered a question by its number; return whether that answer is to be seen yet.
  hear(n) {
    if (!this.sent || this.sent.n !== n) return false;
    const { seen } = this.sent;
    clearTimeout(this.lost);
    this.sent = null;
    this.next();
    return !seen;
  }

  // Another page or moment: nobody waits any more.
  drop() {
    clearTimeout(this.lost);
    Object.assign(this, { sent: null, queue: [], place: null });
  }

  // ------------------------------------------------------------------ what is seen
  // The questions without an answer, and a place: that under the pointer, or the one that was chosen.
  show(place = null) {
    const { asks, chart, waiting } = this,
      { axes = [], places } = chart?.film?.pick?.ask ?? {},
      all = waiting.map((at, i) => ["asked", at, i ? "waits" : "queried", `${1.3 * i}em`]), // one below the other
      chosen = place ?? this.place;
    if (!chart) return;
    if (asks && chosen !== null && !waiting.includes(chosen)) all.push(["aim", chosen, "query here", ""]);
    const x = (name, at) => {
      const { first, last } = axis(chart.layout, name);
      return `x = ${(first + (at / (places - 1)) * (last - first)).toFixed(2)}`;
    };
    const marks = all.flatMap(([kind, at, said, down]) =>
      axes.map((name) => ({ kind, name, share: at / (places - 1), words: `${said}: ${x(name, at)}`, down })),
    );
    this.lay(chart, marks);
    if (asks) this.button.childNodes[0].data = `Query ${x(axes[0], this.aim)}`;
    if (this.sent) chart.root.dataset.waits = true;
    else delete chart.root.dataset.waits;
  }

  // A panel by one of its axes: its sides in pixels of the chart.
  box(chart, name) {
    const own = axis(chart.layout, name),
      other = axis(chart.layout, own.own.anchor),
      [x, y] = own.across ? [own, other] : [other, own];
    return { left: x.from, right: x.to, top: y.to, bottom: y.from };
  }

  // Elements over the panels, made once and only changed.
  make(chart, many) {
    chart.marks ??= [];
    while (chart.marks.length < many) {
      const mark = element("div", { className: "aim", hidden: true }, element("b", {}, " "));
      chart.root.append(mark);
      chart.marks.push(mark);
    }
  }

  // Lay them there, each at a share of a panel's width with words beside it, over its height or at a y.
  lay(chart, marks) {
    this.make(chart, marks.length);
    for (const [i, mark] of chart.marks.entries()) {
      mark.hidden = i >= marks.length;
      if (mark.hidden) continue;
      const { kind, name, share, words, down = "", y = null } = marks[i],
        { left, right, top, bottom } = this.box(chart, name),
        said = mark.firstElementChild;
      mark.dataset.kind = kind;
      mark.style.left = `${left + share * (right - left)}px`;
      mark.style.top = `${y === null ? top : bottom - y * (bottom - top)}px`;
      mark.style.height = y === null ? `${bottom - top}px` : "";
      said.childNodes[0].data = words;
      said.style.fontSize = `${chart.layout.font.size}px`;
      said.style.translate = share < 0.2 ? "0" : share > 0.8 ? "-100%" : "-50%";
      said.style.top = down;
    }
  }

  // ------------------------------------------------------------------ keys
  // The place at which keys and buttons ask.
  get aim() {
    return this.place ?? Math.round((this.asks.places - 1) / 2);
  }

  move(place) {
    if (!this.asks) return;
    this.place = place === null ? null : Math.max(0, Math.min(this.asks.places - 1, place));
    this.show();
  }

  // Choose a place with the keys.
  start() {
    if (!this.asks) return;
    this.chart.root.focus();
    this.move(this.aim);
  }

  // What keys do while the chart has the focus, or on a stage without time.
  acts(e) {
    const { chart, asks } = this,
      focus = e.composedPath()[0] === chart?.root,
      handles = chart?.film?.pick?.handles ?? {};
    if (focus && Object.keys(handles).length) return this.bends(chart, handles, e.shiftKey);
    if (!asks || !(this.always || (focus && this.place !== null))) return null;
    const by = (n) => () => this.move(this.aim + n),
      ask = () => !e.repeat && this.put({}, this.aim);
    return {
      previous: by(-1),
      next: by(1),
      previousEvent: by(-LEAPS),
      nextEvent: by(LEAPS),
      backward: by(-LEAPS),
      forward: by(LEAPS),
      first: () => this.move(0),
      last: () => this.move(Infinity),
      enter: ask,
      play: ask,
      ...(!this.always && { escape: () => this.move(null) }),
    };
  }

  // Left and right choose a handle, up and down move it.
  bends(chart, handles, far) {
    const { grip: marks, follower } = this.player,
      all = Object.entries(handles).flatMap(([key, { x }]) => x.map((_, number) => ({ key, number }))),
      one = all[this.grip % all.length],
      { axes, x, y, unit } = handles[one.key];
    const choose = (n) => () => {
      this.grip = (this.grip + n + all.length) % all.length;
      this.ring(chart, handles, all[this.grip]);
    };
    const up = (n) => () => {
      this.lifted = (this.lifted ?? 0) + n * (far ? LEAPS : 1);
      const text = marks.bent(chart, one, y[one.number] + this.lifted * unit);
      follower.pull(one.key, text);
      clearTimeout(this.later);
      this.later = setTimeout(() => {
        this.lifted = 0;
        follower.lift();
        marks.send({ key: one.key, text });
      }, TOLD_AFTER);
    };
    const [back, on] = [choose(-1), choose(1)];
    return axes.length && x.length
      ? { previous: back, previousEvent: back, next: on, nextEvent: on, up: up(1), down: up(-1) }
      : null;
  }

  ring(chart, handles, { key, number }) {
    const { axes, x, y } = handles[key];
    const marks = axes.map((name) => {
      const { first, last } = axis(chart.layout, name);
      return { kind: "held", name, share: x[number], words: "", y: (y[number] - first) / (last - first) };
    });
    this.lay(chart, marks);
  }

  end() {
    clearTimeout(this.later);
    clearTimeout(this.lost);
  }
}
