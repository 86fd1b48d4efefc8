// Words of the sentence and marks of the figures that name each other: the "meta" of a trace is what sentences call it,
// several words with | between. Under the pointer, with the focus or held by a finger, a word lights its marks; a mark
// under the pointer lights its words. The words are one stop of the Tab key, and arrows go from one to the next.
import { lab } from "../shared/lab.js";
import { listen } from "../shared/listen.js";
import { asWord, calledOf } from "../stage/marks.js";

const DIM = 0.25, // share of the opacity that the other named marks keep
  RESTED = 500; // milliseconds until a finger that rests on a word lights its mark; a shorter one scrolls or opens a term

// A sentence (HTML) in which each use of these words, the longest first, is an element that names it.
export function pointed(html, words) {
  if (!words.length) return html;
  const each = words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replaceAll(" ", "[ \u00a0]"));
  const pattern = new RegExp(`(?<![\\w-])(${each.sort((a, b) => b.length - a.length).join("|")})(?![\\w-])`, "gi");
  const element = (use) => `<span class="points" data-mark="${asWord(use)}">${use}</span>`;
  const parts = html.split(/(<[^>]*>|&\w+;)/);
  return parts.map((part, i) => (i % 2 ? part : part.replace(pattern, element))).join("");
}

// What the marks of the stage are called. A player has its film before the stage stands.
export function namedWords() {
  const figure = lab.charts.get("main")?.seen ?? lab.player?.film.charts[0]?.figure;
  return [...new Set(figure?.data.flatMap(calledOf))];
}

function lightUp(word) {
  for (const chart of lab.charts.values()) {
    const named = [...(chart.figure?.data ?? []).entries()].filter(([, trace]) => trace.meta);
    const on = (trace) => calledOf(trace).includes(word);
    const here = named.some(([, trace]) => on(trace));
    const share = ([i, trace]) => [i, (trace.opacity ?? 1) * (on(trace) ? 1 : DIM)];
    if (here || chart.light) chart.dim(here ? new Map(named.map(share)) : null);
  }
}

export function pointers(spot) {
  let lit = null,
    held;
  const light = (word) => {
    if (word !== lit) lightUp(word);
    lit = word;
  };
  const wordAt = ({ target }) =>
    (target.closest(".points") ?? target.closest("a")?.querySelector(".points"))?.dataset.mark ?? null;
  const all = () => [...spot.querySelectorAll(".points")];
  // A link to the glossary is a stop of its own, and the words in it are that stop.
  const stops = () => all().map((word) => word.closest("a") ?? word);
  const stopAt = (chosen) => {
    for (const one of stops()) if (one.tagName !== "A") one.setAttribute("tabindex", one === chosen ? "0" : "-1");
  };
  const out = () => {
    clearTimeout(held);
    light(null);
  };
  const turn = (e) => {
    const each = stops(),
      next = each[each.indexOf(e.target) + { ArrowRight: 1, ArrowLeft: -1 }[e.key]];
    if (!next || !wordAt(e)) return;
    e.preventDefault();
    stopAt(next);
    next.focus();
  };
  const own = {
    pointerover: (e) => e.pointerType !== "touch" && light(wordAt(e)),
    pointerdown: (e) => {
      clearTimeout(held);
      if (e.pointerType === "touch") held = setTimeout(() => light(wordAt(e)), RESTED);
    },
    pointerup: out,
    pointercancel: out,
    pointerleave: out,
    focusin: (e) => light(wordAt(e)),
    focusout: out,
    keydown: turn,
  };
  const reach = (e) => {
    const words = e.target.closest?.(".chart")?.chart?.under(e) ?? [];
    for (const word of all()) word.classList.toggle("lit", words.includes(word.dataset.mark));
  };
  const ends = [listen(spot, own), listen(document, { pointermove: reach })];
  return {
    write(html) {
      spot.innerHTML = html;
      stopAt(stops().find((one) => one.tagName !== "A"));
    },
    end() {
      out();
      for (const end of ends) end();
    },
  };
}
