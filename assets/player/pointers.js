// Words of the finding and marks of the figures that name each other: <span class="points" data-mark="CMM"> and the
// traces whose "meta" is "CMM", or several names with | between, or a list with a name a point. Under the pointer or with the focus, a word lights its
// mark; a mark under the pointer lights its words. Only Plotly's hover events are used.
import { lab } from "../shared/lab.js";
import { listen } from "../shared/listen.js";

const DIM = 0.25; // share of the opacity that the other named marks keep
export const namesOf = (trace, i) => (Array.isArray(trace.meta) ? trace.meta[i] : trace.meta)?.split("|") ?? [];

export function pointers(spot) {
  let lit = null;
  const paint = (name) => {
    for (const chart of lab.charts.values()) {
      const traces = chart.figure?.data ?? [];
      const named = [...traces.keys()].filter((i) => typeof traces[i].meta === "string");
      const here = name && named.some((i) => namesOf(traces[i]).includes(name));
      if (!here && !chart.light) continue;
      const share = (i) => (namesOf(traces[i]).includes(name) ? 1 : DIM);
      chart.dim(here ? new Map(named.map((i) => [i, (traces[i].opacity ?? 1) * share(i)])) : null);
    }
  };
  const light = (name) => {
    if (name !== lit) {
      lit = name;
      paint(name);
    }
  };
  const words = (names) => {
    for (const word of spot.querySelectorAll("[data-mark]"))
      word.classList.toggle("lit", names.includes(word.dataset.mark));
  };

  const over = (e) => light(e.target.closest?.("[data-mark]")?.dataset.mark ?? null);
  const out = () => light(null);

  // A chart is listened to when the pointer first enters it.
  const meet = (e) => {
    const chart = lab.chart(e.target.closest?.(".js-plotly-plot"));
    if (!chart || chart.named) return;
    chart.named = true;
    const tell = (names) => window.dispatchEvent(new CustomEvent("tvbo:mark", { detail: names }));
    chart.on("plotly_hover", (event) => tell(event.points?.flatMap((p) => namesOf(p.data, p.pointNumber)) ?? []));
    chart.on("plotly_unhover", () => tell([]));
  };
  const hear = (e) => words(e.detail);
  const ends = [
    listen(spot, { pointerover: over, pointerleave: out, focusin: over, focusout: out }),
    listen(document, { pointerover: meet }),
    listen(window, { "tvbo:mark": hear }),
  ];
  return () => {
    light(null);
    for (const end of ends) end();
  };
}
