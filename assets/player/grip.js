// What is dragged on a chart itself: the time, in panels with an axis of time, and the marks of knobs along their axes.
// A finger takes hold of marks only, and of the line of now, when it moves along their axis sideways or has rested there:
// everything else it does scrolls the page.
// Where a pixel lies on an axis follows from the figure's own layout: size, margins, domains and ranges.

import { listen, NUDGE, RESTS } from "../shared/listen.js";
import { axis } from "../stage/geometry.js";

const GRASP = 14,
  FINGER = 26; // pixels from a mark at which it is still taken hold of

export class Grip {
  constructor(player) {
    this.player = player;
    this.held = null;
    this.dropped = -Infinity;
  }

  point(chart, e) {
    if (this.held || e.buttons) return;
    const axes = this.find(chart, e).map((found) => found.axis[0]);
    for (const name of ["x", "y"]) chart.root.classList.toggle(`grip-${name}`, axes.includes(name));
  }

  take(chart, e) {
    if (e.button !== 0 || !e.isPrimary) return;
    const found = this.find(chart, e);
    if (!found.length) return;
    const waits = e.pointerType === "touch"; // for the finger to say whether it drags or scrolls
    this.held = { ...found[0], found, chart, from: [e.clientX, e.clientY], dragged: false, waits };
    if (waits) this.held.rests = setTimeout(this.rest, RESTS, this.held);
    this.stopListening?.(); // of a press whose end was lost
    const drop = () => this.drop(),
      acts = { pointermove: (e) => this.drag(e), pointerup: drop, pointercancel: drop };
    this.stopListening = listen(window, acts, true);
  }

  // A finger has rested on what it lies on.
  rest(held) {
    held.waits = false;
    held.chart.root.classList.add("held");
  }

  // Whether what it does is no swipe.
  get drags() {
    return !!this.held && !this.held.waits;
  }

  // What lies under the pointer: the marks of knobs, or else a panel with an axis of time.
  find(chart, e) {
    const picks = chart.film?.pick,
      { follower, time } = this.player,
      touch = e.pointerType === "touch";
    const reach = touch ? FINGER : GRASP,
      marks = [];
    for (const [key, axis] of Object.entries(picks?.knobs ?? {})) {
      const at = this.place(chart, axis, e),
        stands = this.stops(chart, key).get(follower.said?.get(key)) ?? [];
      if (!at?.inside) continue;
      const panel = stands.findIndex((one) => Number.isFinite(one) && Math.abs(this.pixels(at, one)) < reach);
      if (panel >= 0) marks.push({ axis, key, panel });
    }
    if (marks.length) return marks;
    const handle = this.handle(chart, e, 2 * reach);
    if (handle) return [handle];
    const over = (axis, at) =>
      at?.inside && (!touch || Math.abs(this.pixels(at, time + this.zero(chart, axis))) < reach);
    return (picks?.along ?? [])
      .filter((axis) => over(axis, this.place(chart, axis, e)))
      .slice(0, 1)
      .map((axis) => ({ axis }));
  }

  // The handle of a code that is nearest to the pointer: each moves one of its numbers.
  handle(chart, e, reach) {
    let found = null,
      near = reach;
    for (const [key, { axes, x, y }] of Object.entries(chart.film?.pick?.handles ?? {}))
      for (const axis of axes) {
        const up = this.place(chart, axis, e),
          across = up && this.place(chart, chart.layout[axis.replace("y", "yaxis")].anchor, e);
        if (!across || across.share < -0.1 || across.share > 1.1) continue;
        for (const [number, at] of x.entries()) {
          const far = Math.hypot(this.pixels(across, at), this.pixels(up, y[number]));
          if (far < near) {
            near = far;
            found = { axis, key, number };
          }
        }
      }
    return found;
  }

  // The text of a code whose handle is at a height.
  bent(chart, { key, number }, height) {
    const { numbers, y, unit, most, still } = chart.film.pick.handles[key],
      moved = Math.round((height - y[number]) / unit) + numbers[number];
    const next = numbers.with(number, Math.max(-most, Math.min(most, moved)));
    return next.some(Boolean) ? next.join("_") : still;
  }

  // The text of each stop of a knob -> its places on the axis of the mark, one a panel in which that stands.
  stops(chart, key) {
    const texts = this.player.follower.question?.knobs[key] ?? [],
      places = chart.film?.pick?.places?.[key];
    return new Map(texts.map((text, i) => [text, [places?.[i] ?? Number(text)].flat()]));
  }

  // Where time 0 lies on an axis of time.
  zero(chart, axis) {
    return chart.film?.pick?.zeros?.[axis] ?? 0;
  }

  // The panel of an axis on screen, and the pointer's place along it.
  place(chart, name, e) {
    const own = axis(chart.layout, name),
      other = own && axis(chart.layout, own.own.anchor ?? "");
    if (!other) return null;
    const { from, to, across, log } = own,
      box = chart.root.getBoundingClientRect(),
      smaller = box.width / chart.root.offsetWidth || 1; // in a small frame of somebody's slides (embed.css)
    const x = (e.clientX - box.left) / smaller,
      y = (e.clientY - box.top) / smaller,
      [along, aside] = across ? [x, y] : [y, x];
    const share = (along - from) / (to - from),
      beside = Math.max(Math.min(other.from, other.to) - aside, aside - Math.max(other.from, other.to)); // pixels outside
    const inside = share >= 0 && share <= 1 && beside <= 0;
    return { share, range: own.own.range, log, length: Math.abs(to - from), beside, inside };
  }

  value({ share, range, log }) {
    const v = range[0] + Math.min(Math.max(share, 0), 1) * (range[1] - range[0]);
    return log ? 10 ** v : v;
  }

  // How far a value lies from the pointer, in pixels.
  pixels({ share, range, log, length }, value) {
    return (((log ? Math.log10(value) : value) - range[0]) / (range[1] - range[0]) - share) * length;
  }

  drag(e) {
    const held = this.held,
      player = this.player;
    const by = [Math.abs(e.clientX - held.from[0]), Math.abs(e.clientY - held.from[1])];
    if (!held.dragged && Math.hypot(...by) < NUDGE) return;
    if (held.waits) {
      if (by[0] <= by[1] || !held.found.some(({ axis }) => axis[0] === "x")) return this.drop();
      held.waits = false;
    }
    if (!held.dragged)
      Object.assign(
        held,
        held.found.find(({ axis }) => axis[0] === (by[0] < by[1] ? "y" : "x")),
      );
    held.dragged = true;
    e.preventDefault();
    const at = held.chart.root.isConnected && this.place(held.chart, held.axis, e);
    if (!at) return;
    if (held.number !== undefined) {
      held.text = this.bent(held.chart, held, this.value(at));
      player.follower.pull(held.key, held.text);
    } else if (held.key) {
      const stops = [...this.stops(held.chart, held.key)],
        far = stops.map(([, all]) => Math.abs(this.pixels(at, all[held.panel])));
      held.text = stops[far.indexOf(Math.min(...far.filter(Number.isFinite)))]?.[0];
      if (held.text !== undefined) player.follower.pull(held.key, held.text);
    } else {
      const t = player.nearest(this.value(at) - this.zero(held.chart, held.axis));
      player.halt();
      if (t !== player.t) player.show(t);
    }
  }

  // Let go: Python hears of the time, or of the knob's value.
  drop() {
    const held = this.held;
    this.held = null;
    this.stopListening();
    clearTimeout(held?.rests);
    held?.chart.root.classList.remove("held");
    if (!held?.dragged) return;
    this.dropped = performance.now(); // Plotly may take a drag that ends where it began for a click
    if (!held.key) return this.player.tell();
    this.player.follower.lift();
    this.send(held);
  }

  send({ key, text }) {
    if (text !== undefined && text !== this.player.follower.said?.get(key))
      this.player.send?.("knob", { key, text, at: performance.now() });
  }
}
