// Words of the finding and marks of the figures that name each other: <span class="points" data-mark="CMM"> and the
// traces whose "meta" is "CMM", or several names with | between, or a list with a name a point. Under the pointer or with the focus, a word lights its
// mark; a mark under the pointer lights its words. Only Plotly's public restyle and its hover events are used.
const DIM = 0.25;  // share of the opacity that the other named marks keep
const namesOf = (trace, i) => (Array.isArray(trace.meta) ? trace.meta[i] : trace.meta)?.split("|") ?? [];

function pointers(spot) {
  let lit = null;
  const charts = () => [...document.querySelectorAll(".js-plotly-plot")].filter((gd) => gd.data);
  const named = (gd) => gd.data.map((trace, i) => [trace, i]).filter(([trace]) => typeof trace.meta === "string");

  const paint = (name) => {
    for (const gd of charts()) {
      const traces = named(gd);
      const here = name && traces.some(([trace]) => namesOf(trace).includes(name));
      if (!here && !gd.__tvboLit) continue;
      gd.__tvboLit ??= new Map(traces.map(([trace, i]) => [i, trace.opacity ?? 1]));
      const whole = (i) => gd.__tvboLit.get(i) ?? 1;
      const opacity = traces.map(([trace, i]) => whole(i) * (!here || namesOf(trace).includes(name) ? 1 : DIM));
      if (!here) gd.__tvboLit = null;
      window.Plotly?.restyle(gd, { opacity }, traces.map(([, i]) => i));
    }
  };
  const light = (name) => { if (name !== lit) { lit = name; paint(name); } };
  const words = (names) => spot.querySelectorAll("[data-mark]").forEach((word) =>
    word.classList.toggle("lit", names.includes(word.dataset.mark)));

  const over = (e) => light(e.target.closest?.("[data-mark]")?.dataset.mark ?? null);
  const out = () => light(null);
  const pairs = [["pointerover", over], ["pointerleave", out], ["focusin", over], ["focusout", out]];
  for (const [what, act] of pairs) spot.addEventListener(what, act);

  // A chart is listened to when the pointer first enters it: it may be drawn anew at any time.
  const meet = (e) => {
    const gd = e.target.closest?.(".js-plotly-plot");
    if (!gd?.on || gd.__tvboNames) return;
    gd.__tvboNames = true;
    gd.on("plotly_hover", (event) => window.dispatchEvent(new CustomEvent("tvbo:mark", {
      detail: event.points?.flatMap((p) => namesOf(p.data, p.pointNumber)) ?? [] })));
    gd.on("plotly_unhover", () => window.dispatchEvent(new CustomEvent("tvbo:mark", { detail: [] })));
  };
  const hear = (e) => words(e.detail);
  document.addEventListener("pointerover", meet);
  window.addEventListener("tvbo:mark", hear);
  return () => {
    light(null);
    for (const [what, act] of pairs) spot.removeEventListener(what, act);
    document.removeEventListener("pointerover", meet);
    window.removeEventListener("tvbo:mark", hear);
  };
}
