// The time player. It steps every chart of a page together, in the browser, without asking Python.
// Python sends a film once: for each chart the arrays of each moving trace, one row a frame.
// It hears back only when the reader pauses or lets go.

// All that the player reads of the page around it, which others write: Streamlit gives an element with a key the
// class st-key-KEY, its charts are Plotly's nodes, and window.Plotly is there once one is drawn. Each answer may be
// missing (null, undefined, false). Then the player does less: a key does nothing; and if the first chart cannot be
// moved, Python hears of it ("plain") and draws the charts of now itself at every run.
const PAGE = {
  plotly: () => window.Plotly,                                              // its public react and animate
  chart: (key) => document.querySelector(`.st-key-${key} .js-plotly-plot`), // Plotly's node: data, layout, on, emit
  drawn: (gd) => !!gd?.data,                                                // Plotly has begun to draw on this node
  mark: (gd) => gd.layout?.meta,                                            // which film the figure is of: our own word
  sized: (gd) => !!gd.layout?.width,                                        // Streamlit has said how large it is
  redrawn: (gd) => gd.emit?.("plotly_redraw"),                              // Streamlit's chart listens to this event
  lecture: () => document.querySelector(".st-key-lecture input"),
  moments: () => document.querySelectorAll(".st-key-moment button"),
  bet: () => document.querySelector(".st-key-bet_open button"),
  betting: () => !!document.querySelector(".st-key-bet_panel"),
  answer: () => document.querySelector(".st-key-bet_panel button"),
  link: () => document.querySelector(".st-key-drawer_link summary"),
};

const ICON = {
  home: "M4 5v14M20 5L8 12l12 7z", back: "M17 5L6 12l11 7z", play: "M7 5l12 7-12 7z",
  pause: "M7 5v14M17 5v14", next: "M7 5l11 7-11 7z", event: "M5 5l9 7-9 7zM18 5v14", end: "M4 5l12 7-12 7zM20 5v14",
};
// Stand in for the follower of sliders and what it draws on a page that plays offline.
const NO_SLIDERS = { load() {}, pull() {}, lift() {}, stop() {}, ahead: false };
const NO_OVERLAY = { draw() {}, restore() {}, stands: false };
const TAKEN = (window.__tvboTaken ??= new Set());  // marks of the figures that some player of this page has moved
const STEPS = 65000, GAP = -32768;     // the same two numbers as in player.py
const TICK = 60;                       // milliseconds a frame at speed 1
const PAUSE = 30;                      // milliseconds between two pictures while a film plays, at least
const LEAP = 250;                      // milliseconds that a film goes on at most between two pictures
const QUIET = 350;                     // wait after a key before telling Python
const PATIENCE = 5000;                 // wait for the first chart before Python hears that it cannot be moved
// Whether a row of a track is what a trace of a chart holds.
const same = (row, held) => row === held || (row.length === held?.length && row.every((v, i) => Object.is(v, held[i])));
const calm = () => window.matchMedia("(prefers-reduced-motion: reduce)").matches;

// A message is two texts (JSON), each after its length (four bytes), and the numbers of all films. The first text
// is about this run; the second is the film, and is read only when the film is new.
function parse(bytes) {
  const text = (at) => {
    const size = new DataView(bytes.buffer, bytes.byteOffset).getUint32(at, true);
    return bytes.subarray(at + 4, at + 4 + size);
  };
  const read = (part) => JSON.parse(new TextDecoder().decode(part));
  const head = text(0), film = text(4 + head.length), data = read(head);
  data.film = () => Object.assign(data, read(film), { numbers: bytes.subarray(8 + head.length + film.length) });
  return data;
}

function unpack(buffer, numbers) {
  const size = 2 * buffer.frames * buffer.width, flat = new Float32Array(size / 2), rows = [];
  const codes = new Int16Array(numbers.slice(buffer.start, buffer.start + size).buffer);
  for (let i = 0; i < codes.length; i++) {
    const value = buffer.low + (codes[i] + STEPS / 2) * buffer.step;
    flat[i] = codes[i] === GAP ? NaN : buffer.log ? 10 ** value : value;
  }
  for (let i = 0; i < buffer.frames; i++) rows.push(flat.subarray(i * buffer.width, (i + 1) * buffer.width));
  return rows;
}

class Player {
  constructor(root) {
    this.root = root; this.t = 0; this.way = 0; this.timer = null; this.speed = 1; this.drawing = null; this.wanted = null;
    this.film = { n: 1, charts: [], events: [], labels: [] };
    this.seen = new Map();
    for (const [name, path] of Object.entries(ICON)) {
      const spot = root.querySelector(`[data-do="${name}"]`);
      if (spot) spot.innerHTML = `<svg viewBox="0 0 24 24" aria-hidden="true"><path d="${path}"/></svg>`;
    }
    this.bar = root.querySelector("input"); this.out = root.querySelector("output");
    this.button = root.querySelector('[data-do="play"]'); this.rate = root.querySelector("select");
    root.addEventListener("click", (e) => {
      const what = e.target.closest("[data-do]")?.dataset.do;
      if (what) this.act(what);
    });
    this.bar.oninput = () => { const t = Math.round(+this.bar.value); this.halt(); this.show(t); };
    this.bar.onchange = () => this.tell();
    this.rate.onchange = () => { this.speed = +this.rate.value; if (this.timer) { this.halt(); this.play(); } };
    this.follower = typeof Follower === "undefined" ? NO_SLIDERS : new Follower(this);
    this.overlay = typeof Overlay === "undefined" ? NO_OVERLAY : new Overlay(this);
    this.grip = new Grip(this);
    this.keys = (e) => this.key(e);
    this.mount = new MutationObserver(() => this.recheck());
    window.addEventListener("keydown", this.keys, true);
    this.mount.observe(document.body, { childList: true, subtree: true });
  }

  // Streamlit puts a new player up before it takes the old one down. Two that draw their films over the same chart,
  // each whenever the other one has, never end: the one that was told something last is in charge.
  get leads() { return window.__tvboPlayer === this; }

  lead() {
    if (this.leads) return;
    window.__tvboPlayer?.halt();
    window.__tvboPlayer = this;
  }

  load(data, send) {
    this.lead();
    this.send = send;
    const again = this.revision === data.revision, elsewhere = this.reset !== data.reset;
    if (!again) {
      this.revision = data.revision;
      this.film = data.film();
      this.rows = data.buffers.map((b) => unpack(b, data.numbers));
      this.bar.max = data.n - 1;
      this.seen.clear();
    }
    if (elsewhere) {
      this.halt(); clearTimeout(this.later);
      // A player that is mounted anew on the same page and moment goes on where the last one stood.
      this.t = window.__tvboNow?.reset === data.reset ? window.__tvboNow.t : data.start;
    }
    this.reset = data.reset;
    this.t = Math.min(this.t, data.n - 1);
    this.follower.load(data.follow);
    if (again && this.overlay.stands && !this.follower.ahead) return this.restore();
    if (again && elsewhere) return this.show(this.t);
    window.__tvboNow = { t: this.t, reset: this.reset };
    window.dispatchEvent(new CustomEvent("tvbo:frame", { detail: window.__tvboNow }));
    this.recheck();
    this.label();
    this.doubt();
  }

  // Where the stage cannot be moved (see PAGE), Python hears of it; a tab out of sight draws nothing and is asked later.
  doubt() {
    clearTimeout(this.doubted);
    this.doubted = setTimeout(() => {
      if (document.hidden) return this.doubt();
      const stage = this.film.charts[0];
      if (this.leads && stage && !PAGE.chart(stage.key)?.__tvboMet) this.send?.("plain", true);
    }, PATIENCE);
  }

  // A chart and its film come in two messages, in either order: an old film must not move a new chart's traces.
  owns(gd, chart) { return !chart.mark || PAGE.mark(gd) === chart.mark; }

  // The marks of all figures that were drawn over the figure that Streamlit knows for this chart, and its own.
  marks(chart) {
    const stood = this.film.stood[chart.key]?.[0], all = (window.__tvboMarks ??= new Map());
    if (!all.has(stood)) all.set(stood, new Set([stood]));
    return all.get(stood);
  }

  // Streamlit draws a new chart twice, the second time at its size: until that has happened, hands off.
  meet(gd) {
    if (gd.__tvboMeeting || !PAGE.sized(gd)) return;
    gd.__tvboMeeting = true;
    // Whoever is in charge by then goes on: another player may have taken over meanwhile.
    requestAnimationFrame(() => setTimeout(() => { gd.__tvboMet = true; window.__tvboPlayer?.recheck(); }));
  }

  // From here on this chart is this film's.
  take(gd, chart) {
    this.seen.set(chart.key, gd);
    if (chart.mark) { this.marks(chart).add(chart.mark); TAKEN.add(chart.mark); }
    gd.__tvboFilm = chart.mark;
    this.listen(gd, chart);
  }

  // Look again once the next frame is on screen.
  soon() {
    if (this.coming) return;
    this.coming = true;
    requestAnimationFrame(() => setTimeout(() => {
      this.coming = false; this.shown = this.revision;
      this.recheck();
    }));
  }

  // Draw the film's own figures over frames that followed a slider.
  restore() {
    for (const chart of this.film.charts) {
      const gd = PAGE.chart(chart.key);
      if (gd?.__tvboOver && PAGE.plotly()) this.replace(gd, chart);
    }
    this.overlay.restore();
    this.show(this.t);
  }

  // What the follower of sliders asks of its host.
  get time() { return this.film.times[this.t]; }
  drawFrame(frame) { this.overlay.draw(frame); }
  settle(ahead) {
    if (!ahead || !this.overlay.stands) this.recheck();
    if (this.overlay.stands && !ahead) this.restore();
  }

  // Draw the film's figure, at our time, over the one that stands. Streamlit's own size is kept.
  replace(gd, chart) {
    gd.__tvboOver = false;
    const data = chart.figure.data.map((trace) => ({ ...trace }));
    for (const k of chart.tracks) data[k.trace][k.attribute] = this.value(k, this.t);
    this.take(gd, chart);
    gd.__tvboFrame = this.t;
    const { width, height } = gd.layout;
    // Plotly throws where it is still at work on this very figure for a new stage: that drawing will do.
    const draw = async () => PAGE.plotly().react(gd, data, { ...chart.figure.layout, width, height });
    draw().then(() => this.inform(gd)).catch(() => {});
  }

  // Streamlit hears of a new figure once it is on screen, so that a resized window keeps it.
  inform(gd) {
    clearTimeout(gd.__tvboTell);
    gd.__tvboTell = setTimeout(() => gd.isConnected && PAGE.redrawn(gd), QUIET);
  }

  // A chart that Streamlit has drawn anew shows the frame Python knew; bring it to ours.
  recheck() {
    if (!this.leads) return;
    for (const chart of this.follower.ahead ? [] : this.film.charts) {
      const gd = PAGE.chart(chart.key);
      if (!PAGE.drawn(gd) || !PAGE.plotly()) {
        if (gd && this.seen.get(chart.key) !== gd && !gd.__tvboWait) {
          gd.__tvboWait = true;
          const until = performance.now() + PATIENCE;
          const wait = () => { if (PAGE.drawn(gd) && PAGE.plotly()) { gd.__tvboWait = false; window.__tvboPlayer?.recheck(); }
                               else if (gd.isConnected && performance.now() < until) setTimeout(wait, 15);
                               else gd.__tvboWait = false; };
          wait();
        }
        continue;
      }
      if (!gd.__tvboMet) { this.meet(gd); continue; }
      if (!this.owns(gd, chart)) {
        if (!chart.figure || !this.marks(chart).has(PAGE.mark(gd))) continue;
        // The first chart is the stage: it is on screen before the others are drawn.
        if (chart === this.film.charts[0] || this.shown === this.revision) this.replace(gd, chart);
        else this.soon();
      } else if (this.seen.get(chart.key) !== gd) {
        // A chart that Streamlit mounts again has the figure that it was told of last, and not as an array any more.
        const fresh = !TAKEN.has(chart.mark), stood = this.film.stood[chart.key];
        this.take(gd, chart);
        const known = gd.__tvboFrame ?? (fresh && stood?.[0] === chart.mark ? stood[1] : null);
        if (known !== this.t) this.paint(gd, chart, this.t);
        else gd.__tvboFrame = this.t;
      }
    }
  }

  listen(gd, chart) {
    this.grip.listen(gd, chart);
    if (!chart.pick || gd.__tvboPick) return;
    gd.__tvboPick = true;
    let swiped = false;  // for Plotly the end of a swipe is a click too
    gd.addEventListener("pointerdown", ({ clientX: x, clientY: y }) => {
      const up = (e) => { swiped = e.type === "pointercancel" || Math.hypot(e.clientX - x, e.clientY - y) >= NUDGE; };
      swiped = false;
      for (const end of ["pointerup", "pointercancel"]) window.addEventListener(end, up, { capture: true, once: true });
    }, true);
    gd.on?.("plotly_click", (e) => {
      const p = e.points?.[0];
      if (!p || swiped || performance.now() - this.grip.dropped < QUIET) return;
      if (chart.pick.t) this.jump(this.nearest(+p[chart.pick.t]));
      if (chart.pick.x) this.send?.("x", +p[chart.pick.x]);
    });
  }

  // The frame whose time is nearest to a clicked one; a long film does not show every time.
  nearest(time) {
    const far = this.film.times.map((t) => Math.abs(t - time));
    return far.indexOf(Math.min(...far));
  }

  // What a track shows at a frame; `way` behind it, where the film says that the same thing moves, it is on its way.
  value(track, t, way = 0) {
    if (track.buffer === undefined) return track.text[t];
    const rows = this.rows[track.buffer], next = rows[t + 1];
    let row = rows[t];
    if (way && next && track.cuts && !track.cuts.includes(t)) row = row.map((v, i) => (Number.isNaN(next[i]) ? v : v + way * (next[i] - v)));
    if (track.tiles === 1) return row;
    const n = row.length, tiled = new Float32Array(n * track.tiles);
    for (let i = 0; i < track.tiles; i++) tiled.set(row, i * n);
    return tiled;
  }

  // Draw what differs from what stands on a chart, in one call: Plotly.animate with an inline frame.
  async paint(gd, chart, t, way = 0) {
    const change = new Map();
    for (const k of chart.tracks) {
      const row = this.value(k, t, way);
      if (!same(row, gd.data[k.trace]?.[k.attribute])) change.set(k.trace, { ...change.get(k.trace), [k.attribute]: row });
    }
    gd.__tvboFrame = t + way;
    if (change.size) await this.move(gd, change, chart.redraw).catch(() => {});
  }

  // Give traces other numbers and words: index -> what changes.
  move(gd, change, redraw = false) {
    const traces = this.listed(gd, change);
    return PAGE.plotly().animate(gd, { data: traces.map((i) => change.get(i) ?? {}), traces },
      { mode: "immediate", frame: { duration: 0, redraw }, transition: { duration: 0 } });
  }

  // The traces to name to Plotly.animate: it empties a panel of which it hears nothing, and moves the traces that it
  // draws next to each other. So in each panel one, or all from the first that changes to the last.
  listed(gd, change) {
    const panels = new Map();
    gd.data.forEach(({ xaxis = "x", yaxis = "y" }, i) => panels.set(xaxis + yaxis, [...(panels.get(xaxis + yaxis) ?? []), i]));
    return [...panels.values()].flatMap((all) => {
      const some = all.filter((i) => change.has(i));
      return some.length ? all.filter((i) => i >= some[0] && i <= some.at(-1)) : all.slice(-1);
    });
  }

  // Show a frame, or while the film plays a picture between this one and the next.
  show(t, way = 0) {
    t = Math.max(0, Math.min(this.film.n - 1, t));
    const news = t !== this.t || !way;
    this.t = t; this.way = way;
    if (news) {
      this.label();
      window.__tvboNow = { t, reset: this.reset };
      window.dispatchEvent(new CustomEvent("tvbo:frame", { detail: window.__tvboNow }));
    }
    this.wanted = [t, way];
    if (!this.drawing) this.drawing = this.catchUp().finally(() => { this.drawing = null; });
  }

  // Never queue frames behind a slow chart: draw the newest one that is wanted.
  async catchUp() {
    while (this.wanted !== null) {
      const [t, way] = this.wanted; this.wanted = null;
      const jobs = [];
      for (const chart of this.film.charts) {
        const gd = PAGE.chart(chart.key);
        if (gd?.__tvboOver) continue;  // a frame stands there, and its film is on its way
        if (gd?.__tvboMet && PAGE.plotly() && this.owns(gd, chart)) jobs.push(this.paint(gd, chart, t, way));
      }
      await Promise.all(jobs);
      if (!way) window.__tvboPainted = t;
    }
  }

  label() {
    if (!this.timer) this.bar.value = this.t;
    this.out.textContent = this.film.labels[this.t] ?? "";
    shownNow(this.reset, { label: this.out.textContent });
    this.bar.setAttribute("aria-valuetext", this.out.textContent);
  }

  play() {
    if (calm()) return this.event(1);
    if (this.t >= this.film.n - 1) this.show(0);
    this.button.innerHTML = `<svg viewBox="0 0 24 24" aria-hidden="true"><path d="${ICON.pause}"/></svg>`;
    this.button.setAttribute("aria-label", "Pause");
    // Time goes on by the clock, and its mark with it. What takes long to draw leaves pictures out, but none at which
    // something happens; a tab out of sight stands still.
    let before = performance.now(), due = before, place = this.t;
    this.bar.step = "any";
    const step = (now) => {
      this.timer = requestAnimationFrame(step);
      const last = this.film.n - 1, stop = this.film.events.find((e) => e > this.t) ?? last;
      place = Math.min(place + Math.min(Math.max(now - before, 0), LEAP) * this.speed / TICK, stop, last);
      before = now;
      this.bar.value = place;
      if (this.drawing || now < due) return;
      due = now + PAUSE;
      if (this.t >= last) return this.pause();
      this.show(Math.floor(place), place % 1);
    };
    this.timer = requestAnimationFrame(step);
  }

  // A picture that stays is a computed one.
  halt() {
    if (!this.timer) return;
    cancelAnimationFrame(this.timer); this.timer = null; this.bar.step = 1;
    this.button.innerHTML = `<svg viewBox="0 0 24 24" aria-hidden="true"><path d="${ICON.play}"/></svg>`;
    this.button.setAttribute("aria-label", "Play");
    this.label();
    if (this.way) this.show(this.t);
  }

  pause() { this.halt(); this.tell(); }
  // The reset travels along, so that Python knows which page and moment a time belongs to.
  tell() { clearTimeout(this.later); this.say(); this.send?.("t", { t: this.t, reset: this.reset }); }
  // For those who hear the page, once time stands still.
  say() {
    const { events, labels } = this.film, at = events.indexOf(this.t);
    const spot = this.root.querySelector(".said");
    if (spot) spot.textContent = `${labels[this.t] ?? ""}${at < 0 ? "" : `, event ${at + 1} of ${events.length}`}`;
  }
  tellLater() { clearTimeout(this.later); this.later = setTimeout(() => this.tell(), QUIET); }
  jump(t) { this.halt(); this.show(t); this.tellLater(); }
  event(way) {
    const list = this.film.events;
    const t = way > 0 ? list.find((e) => e > this.t) : [...list].reverse().find((e) => e < this.t);
    this.jump(t ?? (way > 0 ? this.film.n - 1 : 0));
  }

  act(what) {
    ({ home: () => this.jump(0), end: () => this.jump(this.film.n - 1), back: () => this.jump(this.t - 1),
       next: () => this.jump(this.t + 1), event: () => this.event(1),
       play: () => (this.timer ? this.pause() : this.play()) })[what]?.();
  }

  key(e) {
    if (!this.leads) return;
    if (e.ctrlKey || e.metaKey || e.altKey || e.isComposing) return;
    const el = e.composedPath()[0], tag = el?.tagName, type = el?.type;
    const writing = (tag === "INPUT" && type !== "range" && type !== "checkbox" && type !== "radio")
      || tag === "TEXTAREA" || el?.isContentEditable;
    if (writing) return;
    const ours = el === this.bar;
    // A focused slider or list keeps its arrows; the clicker's page keys always move time.
    const keepsArrows = !ours && (type === "range" || type === "radio" || tag === "SELECT"
      || ["slider", "listbox", "option", "combobox", "radio", "tab"].includes(el?.getAttribute?.("role")));
    const keepsSpace = !ours && (tag === "BUTTON" || tag === "A" || tag === "SUMMARY" || type === "checkbox" || keepsArrows);
    const k = e.key;
    if (PAGE.betting() && !/^[bBdDlLqQ.]$/.test(k)) return;  // time stands still until the bet is placed
    const step = { PageDown: () => this.jump(this.t + 1), PageUp: () => this.jump(this.t - 1) }[k]
      || (!keepsArrows && { ArrowRight: () => (e.shiftKey ? this.event(1) : this.jump(this.t + 1)),
        ArrowLeft: () => (e.shiftKey ? this.event(-1) : this.jump(this.t - 1)),
        Home: () => this.jump(0), End: () => this.jump(this.film.n - 1) }[k])
      || (!keepsSpace && k === " " && (() => this.act("play")))
      || ((k === "b" || k === "B" || k === ".") && (() => this.blank()))
      || ((k === "l" || k === "L") && (() => PAGE.lecture()?.click()))
      || ((k === "d" || k === "D") && (() => this.bet()))
      || ((k === "q" || k === "Q" || (k === "Escape" && document.getElementById(LINK_CODE))) && (() => this.code()))
      || (/^[1-9]$/.test(k) && (() => this.moment(+k)));
    if (!step) return;
    e.preventDefault(); e.stopPropagation();
    step();
  }

  // A moment has a time of its own: a pause that Python has not heard of yet would come too late.
  moment(number) {
    clearTimeout(this.later);
    PAGE.moments()[number - 1]?.click();
  }

  // Opens the page's bet; once it is open, the keyboard goes to its first answer.
  bet() {
    const door = PAGE.bet();
    if (door) door.click();
    else PAGE.answer()?.focus();
  }

  code() {
    if (PAGE.link() || document.getElementById(LINK_CODE)) showLinkCode(() => this.tell());
  }

  blank() {
    const id = "tvbo-blank", old = document.getElementById(id);
    if (old) return old.remove();
    const sheet = document.createElement("div");
    sheet.id = id;
    sheet.style.cssText = "position:fixed;inset:0;background:#000;z-index:2147483647";
    sheet.onclick = () => sheet.remove();
    document.body.append(sheet);
  }

  end() {
    this.halt(); clearTimeout(this.later); clearTimeout(this.doubted); this.mount.disconnect(); this.follower.stop();
    if (this.leads) window.__tvboPlayer = null;
    window.removeEventListener("keydown", this.keys, true);
    document.getElementById(LINK_CODE)?.stop();
  }
}

export default function ({ parentElement, data, setStateValue }) {
  const root = parentElement.querySelector(".player");
  root.player ??= new Player(root);
  if (root.player.sent !== data) root.player.load(parse(data), setStateValue);
  root.player.sent = data;
  return () => { root.player?.end(); root.player = null; };
}
