// A frame over the charts of a page, while a slider is dragged.
// Whether two rows are the same: lists, or numbers as a figure packs them.
const alike = (one, other) => JSON.stringify(one) === JSON.stringify(other);

class Overlay {
  constructor(player) { this.player = player; this.others = new Set(); }

  // Whether a frame stands on a chart, and not the film's own figure.
  get stands() {
    const films = this.player.film.charts.map((chart) => PAGE.chart(chart.key));
    return [...films, ...this.others].some((gd) => gd?.isConnected && gd.__tvboOver);
  }

  // Draw a frame at once, where it can be seen.
  draw(frame) {
    if (!PAGE.plotly()) return;
    const films = new Set(this.player.film.charts.map((chart) => chart.key));
    for (const [key, drawn] of Object.entries(frame.charts)) {
      const gd = PAGE.chart(key);
      if (!PAGE.drawn(gd) || !this.seen(gd) || (films.has(key) && !gd.__tvboMet)) continue;
      if (!films.has(key)) { this.others.add(gd); gd.__tvboOwn ??= [gd.data, gd.layout]; }
      this.over(gd, drawn, key === "main" ? frame.kept : []);
    }
    if (frame.said !== null) this.say(frame.said);
  }

  // A chart that the player does not move: its own figure again, where no run draws it anew.
  restore() {
    for (const gd of this.others) if (gd.isConnected && gd.__tvboOwn) {
      const { width, height } = gd.layout;
      PAGE.plotly()?.react(gd, gd.__tvboOwn[0], { ...gd.__tvboOwn[1], width, height });
      gd.__tvboOwn = undefined; gd.__tvboOver = false;
    }
    this.others.clear();
  }

  seen(gd) {
    const box = gd.getBoundingClientRect();
    return box.bottom > 0 && box.top < window.innerHeight;
  }

  // Draw a frame over a chart; what belongs to the axes that are kept stays, and so do size and mark of the chart.
  over(gd, drawn, kept) {
    const on = (part) => ["xaxis", "yaxis", "xref", "yref"].some((k) => kept.includes(String(part[k]).replace(" domain", "")));
    const { width, height, meta } = gd.layout, layout = { ...drawn.layout, width, height, meta };
    for (const axis of kept) layout[axis.replace(/^[xy]/, "$&axis")] = gd.layout[axis.replace(/^[xy]/, "$&axis")];
    for (const list of kept.length ? ["annotations", "shapes"] : []) {
      const sent = layout[list] ?? [], names = new Set(sent.map((one) => one.name));
      layout[list] = [...(gd.layout[list] ?? []).filter((one) => on(one) && !(one.name && names.has(one.name))), ...sent];
    }
    const data = [...drawn.data, ...gd.data.filter(on)], looks = this.looks(data, layout);
    const moves = gd.__tvboOver && gd.__tvboLooks === looks;
    gd.__tvboOver = true; gd.__tvboLooks = looks;
    // Where nothing but numbers and words has changed, axes and notes are not drawn again. Plotly throws where it is
    // still at work on this very figure: the next frame will do.
    const draw = async () => (moves ? this.player.move(gd, this.change(gd, data)) : PAGE.plotly().react(gd, data, layout));
    draw().catch(() => { gd.__tvboLooks = null; });
  }

  // Everything about a figure but the numbers and words of its traces.
  looks(data, { datarevision, ...layout }) {
    return JSON.stringify([data.map(({ x, y, text, ...look }) => look), layout]);
  }

  // Index of a trace -> its numbers and words, where they are others than those that stand.
  change(gd, data) {
    const moving = data.map((trace, i) => [i, Object.fromEntries(["x", "y", "text"].filter((name) => name in trace)
      .map((name) => [name, trace[name]]).filter(([name, row]) => !alike(row, gd.data[i][name])))]);
    return new Map(moving.filter(([, rows]) => Object.keys(rows).length));
  }

  say(html) {
    window.dispatchEvent(new CustomEvent("tvbo:said", { detail: { html, reset: this.player.reset } }));
  }
}

