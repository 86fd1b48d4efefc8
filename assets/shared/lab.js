// What the scripts of a page share: the one name of ours on `window`. Streamlit runs the script of each component by
// itself, puts a new component up before it takes the old one down, and draws its charts anew at any time. What must
// outlast that stands here, with who writes it and who reads it. A name that is not listed cannot be written.

function create() {
  const charts = new Map();
  return Object.preventExtensions({
    // Key -> chart (stage/chart.js) that stands on the page. chart; player, pointers, grip.
    charts,
    // The chart of one of Plotly's nodes; undefined without one. export; tests, benchmarks.
    chart: (node) => [...charts.values()].find((chart) => chart.gd === node),
    // { t, reset, html }: the frame on screen, the page and moment that it belongs to, its sentence. player; live, export and the next
    // player on the same page; tests, benchmarks.
    now: null,
    // The player that was told something last: it is in charge. player; tests, benchmarks.
    player: null,
    // Whether fingers are heard. fingers.
    hears: false,
    // In a frame of somebody's slides, who talks with them; null elsewhere. embed; keys.
    embed: null,
    // On a site without a server, who takes what the script of a film hands over, puts up and plays the stage, and the
    // worlds that are played.
    // site; films and worlds of a site.
    site: null,
    // { page, label, finding }: what is on screen in words, for the speaker window. shown; speaker.
    shown: null,
    // The speaker's button that was told something last. speaker.
    speaker: null,
    // The bar of a course that was told something last, null outside a course. course; keys.
    course: null,
    // The room whose code this browser has open, null for none. room; qr.
    room: null,
    // Question of a course -> hands that were counted for each of its answers; they outlast a step back. course.
    hands: new Map(),
    // Steps back and forward in the browser's history, and whether Python has yet to hear of one. address.
    steps: { count: 0, unheard: false },
  });
}

globalThis.lab ??= create();
export const { lab } = globalThis;
