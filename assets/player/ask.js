// What a click asks on a chart, or a place that is chosen with the keys (`Pick.ask`), and the handles that keys move
// (`Pick.handles`). Both are shown over the figure by elements of their own: it stays as it is.
import { lab } from "../shared/lab.js";

const SLIP = 8; // pixels that a finger may slip and still be tapping
const ENDS = ["pointerup", "pointercancel"];
const SLACK = 30; // pixels beside and below a panel that belong to it
const LEAPS = 10; // places, or units of a handle, that Shift moves at once
const TOLD_AFTER = 350; // milliseconds after the last key until Python hears of a handle

export class Ask {
  constructor(player) {
    this.player = player;
    this.place = null; // chosen with the keys
    this.grip = 0; // handle that the keys move
  }

  listen(chart) {
    if (!this.player.server) return; // nobody answers there
    chart.root.classList.toggle("asks", !!chart.film.pick?.ask);
    if (chart.film.pick?.ask || chart.film.pick?.handles) chart.root.tabIndex = 0;
    if (chart.asked) return this.show(chart, null);
    chart.asked = true;
    const hear = (event, act) => chart.root.addEventListener(event, (e) => lab.player && act(lab.player.ask, e));
    hear("pointermove", (ask, e) => e.pointerType !== "touch" && ask.show(chart, ask.at(chart, e)));
    hear("pointerleave", (ask) => ask.show(chart, null));
    hear("pointerdown", (ask, e) => e.button === 0 && ask.press(chart, e));
  }

  // What a press ends with: Plotly lays an element of its own over the page meanwhile.
  press(chart, { clientX: x, clientY: y }) {
    const up = (e) => {
      const still = e.type === "pointerup" && Math.hypot(e.clientX - x, e.clientY - y) <= SLIP,
        place = still ? this.at(chart, e) : null;
      for (const end of ENDS) window.removeEventListener(end, up, true);
      if (place !== null) this.send(chart, place);
    };
    for (const end of ENDS) window.addEventListener(end, up, true);
  }

  // The place under a pointer, null outside the panels.
  at(chart, e) {
    const { axes = [], places } = chart.film?.pick?.ask ?? {};
    for (const axis of axes) {
      const at = this.player.grip.place(chart, axis, e);
      if (!at) continue;
      const { share, length, beside } = at;
      if (share * length > -SLACK / 2 && (share - 1) * length < SLACK / 2 && beside < SLACK)
        return Math.round(Math.max(0, Math.min(1, share)) * (places - 1));
    }
    return null;
  }

  // Show a place in every panel; null for none.
  show(chart, place) {
    const { axes = [], places } = chart.film?.pick?.ask ?? {};
    this.mark(
      chart,
      place === null ? [] : axes,
      (axis) => {
        const { range } = this.box(chart, axis).axis,
          share = place / (places - 1);
        return [share, `ask here: x = ${(range[0] + share * (range[1] - range[0])).toFixed(2)}`];
      },
      "aim",
    );
  }

  // A panel by one of its axes: its sides in pixels of the chart.
  box(chart, name) {
    const { layout } = chart,
      { width, height, margin } = layout,
      of = (one) => layout[one.replace(/^[xy]/, "$&axis")],
      axis = of(name),
      other = of(axis.anchor),
      [x, y] = name[0] === "x" ? [axis, other] : [other, axis];
    const across = (share) => margin.l + (width - margin.l - margin.r) * share,
      up = (share) => margin.t + (height - margin.t - margin.b) * (1 - share);
    return {
      axis,
      left: across(x.domain[0]),
      right: across(x.domain[1]),
      top: up(y.domain[1]),
      bottom: up(y.domain[0]),
    };
  }

  // Elements over some panels: `at` says where along each, and what stands beside it.
  mark(chart, axes, at, name) {
    for (const old of chart.root.querySelectorAll(":scope > .aim, :scope > .held")) old.remove();
    for (const axis of axes) {
      const { left, right, top, bottom } = this.box(chart, axis),
        [share, words] = at(axis),
        mark = Object.assign(document.createElement("div"), { className: name });
      Object.assign(mark.style, {
        left: `${left + share * (right - left)}px`,
        top: `${top}px`,
        height: `${bottom - top}px`,
      });
      const said = Object.assign(document.createElement("b"), { textContent: words });
      said.style.translate = share < 0.2 ? "0" : share > 0.8 ? "-100%" : "-50%";
      mark.append(said);
      chart.root.append(mark);
    }
  }

  send(chart, place) {
    this.place = null;
    this.show(chart, null);
    this.player.question(place);
  }

  // ------------------------------------------------------------------ keys
  get chart() {
    return lab.charts.get("main");
  }

  // Choose a place with the keys.
  start() {
    const { chart } = this,
      pick = chart?.film?.pick;
    if (!pick?.ask) return;
    chart.root.focus();
    this.place ??= Math.round((pick.ask.places - 1) / 2);
    this.show(chart, this.place);
  }

  // What keys do while the chart has the focus.
  acts(e) {
    const { chart } = this,
      pick = chart?.film?.pick;
    if (!chart || e.composedPath()[0] !== chart.root) return null;
    if (Object.keys(pick?.handles ?? {}).length) return this.bends(chart, pick.handles, e.shiftKey);
    if (this.place === null) return null;
    const by = (n) => () => {
      this.place = Math.max(0, Math.min(pick.ask.places - 1, this.place + n));
      this.show(chart, this.place);
    };
    return {
      previous: by(-1),
      next: by(1),
      previousEvent: by(-LEAPS),
      nextEvent: by(LEAPS),
      enter: () => this.send(chart, this.place),
      escape: () => {
        this.place = null;
        this.show(chart, null);
      },
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
    this.mark(chart, axes, () => [x[number], ""], "held");
    for (const [i, mark] of [...chart.root.querySelectorAll(":scope > .held")].entries()) {
      const { axis, top, bottom } = this.box(chart, axes[i]),
        [low, high] = axis.range;
      mark.style.top = `${top + ((high - y[number]) / (high - low)) * (bottom - top)}px`;
      mark.style.height = "";
    }
  }

  end() {
    clearTimeout(this.later);
  }
}
