// What is dragged on a chart itself: the time, in panels with an axis of time, and the mark of a knob along its axis.
// Where a pixel lies on an axis follows from the figure's own layout: size, margins, domains and ranges.
const GRASP = 14;                      // pixels from a mark at which it is still taken hold of
const NUDGE = 4;                       // pixels before a press is a drag, and no click

class Grip {
  constructor(player) {
    this.player = player; this.held = null; this.dropped = -Infinity;
    this.move = (e) => this.drag(e);
    this.lift = (e) => this.drop(e);
  }

  listen(gd, chart) {
    if (!chart.pick?.along?.length && !Object.keys(chart.pick?.knobs ?? {}).length) return;
    gd.__tvboPicks = chart.pick;
    if (gd.__tvboGrip) return;
    gd.__tvboGrip = true;
    gd.addEventListener("pointermove", (e) => {
      if (!this.held && e.buttons === 0) {
        const found = this.find(gd, e);
        gd.classList.toggle("grip-x", found?.axis[0] === "x"); gd.classList.toggle("grip-y", found?.axis[0] === "y");
      }
    });
    gd.addEventListener("pointerdown", (e) => {
      if (e.button !== 0 || e.pointerType === "touch") return;  // a finger scrolls the page
      this.held = this.find(gd, e);
      if (!this.held) return;
      Object.assign(this.held, { gd, from: [e.clientX, e.clientY], dragged: false });
      window.addEventListener("pointermove", this.move, true);
      window.addEventListener("pointerup", this.lift, true);
    }, true);
  }

  // What lies under the pointer: the mark of a knob, or a panel with an axis of time.
  find(gd, e) {
    const picks = gd.__tvboPicks, said = this.player.follower.said;
    for (const [key, axis] of Object.entries(picks?.knobs ?? {})) {
      const at = this.place(gd, axis, e), stands = Number(said?.get(key));
      if (at?.inside && Number.isFinite(stands) && Math.abs(this.pixels(at, stands)) < GRASP) return { axis, key };
    }
    const axis = (picks?.along ?? []).find((one) => this.place(gd, one, e)?.inside);
    return axis ? { axis } : null;
  }

  // The panel of an axis on screen, and the pointer's place along it.
  place(gd, name, e) {
    const of = (one) => gd.layout[one.replace(/^[xy]/, "$&axis")], axis = of(name), other = axis && of(axis.anchor ?? "");
    const { width, height, margin } = gd.layout;
    if (!axis?.range || !axis.domain || !other?.domain || !width || !height || !margin) return null;
    const box = gd.getBoundingClientRect(), across = name[0] === "x";
    const wide = width - margin.l - margin.r, high = height - margin.t - margin.b;
    const x = (e.clientX - box.left - margin.l) / wide, y = 1 - (e.clientY - box.top - margin.t) / high;
    const [mine, others] = across ? [x, y] : [y, x], [low, end] = axis.domain;
    const share = (mine - low) / (end - low);
    return { share, range: axis.range, log: axis.type === "log", length: (across ? wide : high) * (end - low),
             inside: share >= 0 && share <= 1 && others >= other.domain[0] && others <= other.domain[1] };
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
    const held = this.held, player = this.player;
    if (!held.dragged && Math.hypot(e.clientX - held.from[0], e.clientY - held.from[1]) < NUDGE) return;
    held.dragged = true;
    e.preventDefault();
    const at = held.gd.isConnected && this.place(held.gd, held.axis, e);
    if (!at) return;
    if (held.key) {
      const stops = player.follower.question?.knobs[held.key] ?? [], far = stops.map((one) => Math.abs(this.pixels(at, Number(one))));
      held.text = stops[far.indexOf(Math.min(...far.filter(Number.isFinite)))];
      if (held.text !== undefined) player.follower.pull(held.key, held.text);
    } else {
      const t = player.nearest(this.value(at));
      player.halt();
      if (t !== player.t) player.show(t);
    }
  }

  // Let go: Python hears of the time, or of the knob's value.
  drop(e) {
    const held = this.held;
    this.held = null;
    window.removeEventListener("pointermove", this.move, true);
    window.removeEventListener("pointerup", this.lift, true);
    if (!held?.dragged) return;
    this.dropped = performance.now();  // Plotly may take a drag that ends where it began for a click
    if (!held.key) return this.player.tell();
    this.player.follower.lift();
    if (held.text !== undefined && held.text !== this.player.follower.said?.get(held.key))
      this.player.send?.("knob", { key: held.key, text: held.text, at: performance.now() });
  }
}

