// Words of the sentence and marks of the figures that name each other: the "meta" of a trace is what sentences call it,
// several words with | between. Under the pointer, with the focus or held by a finger, a word lights its marks; a mark
// under the pointer lights its words. The words are one stop of the Tab key, and arrows go from one to the next.
import { lab } from "../shared/lab.js";
import { listen } from "../shared/listen.js";
import { asWord, calledOf } from "../stage/marks.js";

const DIM = 0.25, // share of the opacity that the other named marks keep
  RESTED = 500; // milliseconds until a finger that rests on a word lights its mark; a shorter one scrolls or opens a term
const TURN = { ArrowRight: 1, ArrowLeft: -1 };

let latest = { words: "", pattern: null };
// Whole words, the longest first; hyphens hold a word together.
function patternOf(words) {
  const name = words.join("|");
  if (latest.words !== name) {
    const each = [...words]
      .sort((a, b) => b.length - a.length)
      .map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
    const pattern = new RegExp(`(?<![\\w-])(?:${each.join("|").replaceAll(" ", "[ \u00a0]")})(?![\\w-])`, "gi");
    latest = { words: name, pattern };
  }
  return latest.pattern;
}

// A sentence (HTML) in which each use of these words is an element that names it.
export function pointed(html, words) {
  if (!words.length) return html;
  const pattern = patternOf(words),
    element = (use) => `<span class="points" data-mark="${asWord(use)}">${use}</span>`;
  const parts = html.split(/(<[^>]*>|&\w+;)/);
  return parts.map((part, i) => (i % 2 ? part : part.replace(pattern, element))).join("");
}

// What the marks of the stage are called. A player has its film before the stage stands.
export function namedWords() {
  const figure = lab.charts.get("main")?.seen ?? lab.player?.film.charts[0]?.figure;
  return [...new Set((figure?.data ?? []).flatMap(calledOf))];
}

function lightUp(word) {
  for (const chart of lab.charts.values()) {
    const traces = chart.figure?.data ?? [];
    const named = [...traces.keys()].filter((i) => traces[i].meta);
    const here = word && named.some((i) => calledOf(traces[i]).includes(word));
    if (!here && !chart.light) continue;
    const share = (i) => (calledOf(traces[i]).includes(word) ? 1 : DIM);
    chart.dim(here ? new Map(named.map((i) => [i, (traces[i].opacity ?? 1) * share(i)])) : null);
  }
}

export function pointers(spot) {
  let lit = null,
    held = null;
  const light = (word) => {
    if (word !== lit) lightUp(word);
    lit = word;
  };
  const wordAt = ({ target }) => {
    const one = target.closest?.(".points") ?? target.closest?.("a")?.querySelector(".points");
    return one?.dataset.mark ?? null;
  };
  // A link to the glossary is a stop of its own, and the words in it are that stop.
  const stops = () => [...spot.querySelectorAll(".points")].map((word) => word.closest("a") ?? word);
  const stopAt = (chosen) => {
    for (const one of stops()) if (one.tagName !== "A") one.setAttribute("tabindex", one === chosen ? "0" : "-1");
  };
  const over = (e) => e.pointerType !== "touch" && light(wordAt(e));
  const out = () => {
    clearTimeout(held);
    held = null;
    light(null);
  };
  const rest = (e) => {
    const word = e.pointerType === "touch" && wordAt(e);
    clearTimeout(held);
    held = word ? setTimeout(() => light(word), RESTED) : null;
  };
  const turn = (e) => {
    const all = stops(),
      next = TURN[e.key] && all[all.indexOf(e.target.closest("a") ?? e.target) + TURN[e.key]];
    if (!next || !wordAt(e)) return;
    e.preventDefault();
    stopAt(next);
    next.focus();
  };
  const reach = (e) => {
    const words = e.target.closest?.(".chart")?.chart?.under(e) ?? [];
    for (const word of spot.querySelectorAll(".points"))
      word.classList.toggle("lit", words.includes(word.dataset.mark));
  };
  const own = { pointerover: over, pointerleave: out, focusin: (e) => light(wordAt(e)), focusout: out, keydown: turn };
  const menu = (e) => held && e.preventDefault(); // of a browser that opens one where a finger rests
  const touch = { pointerdown: rest, pointerup: out, pointercancel: out, contextmenu: menu };
  const ends = [listen(spot, { ...own, ...touch }), listen(document, { pointermove: reach })];
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
