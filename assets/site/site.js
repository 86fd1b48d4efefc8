// A page of a site without a server: its views, its sliders and its bet. Charts, player and sentence are the app's own.
import mountLive from "../player/live.js";
import { mountPlayer } from "../player/player.js";
import { lab } from "../shared/lab.js";
import { mountChart } from "../stage/chart.js";

const GONE =
  "This picture is not here: the network is away, or the site was copied in part. What you see is the one before; load the page again later.";
const ASKED = "bet",
  TOLD_KEY = "truth",
  OPENING = "opening"; // keys of the views that are no moment (shell/site/films.py)

const page = JSON.parse(document.getElementById("lab-page").textContent);
const at = (query) => document.querySelector(query);
const make = (name, props = {}, ...inside) => {
  const el = Object.assign(document.createElement(name), props);
  el.append(...inside);
  return el;
};

// ------------------------------------------------------------------ light and dark
const words = new URLSearchParams(location.hash.slice(1));
let look = words.get("theme") ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");

function wear() {
  document.documentElement.dataset.look = look;
  at("#look").textContent = look === "dark" ? "Light" : "Dark";
  for (const link of document.querySelectorAll("a[data-in]")) link.hash = `theme=${look}`;
}

// ------------------------------------------------------------------ films: scripts that hand over what they hold
const asked = new Map(),
  waiting = new Map();
lab.site = { take: (name, said) => waiting.get(name)?.(said), worlds: [] };

// Run a script of the site; over once it has run, or does not come.
const load = (src) =>
  new Promise((done) => {
    const script = make("script", { src });
    script.onload = script.onerror = () => {
      script.remove();
      done();
    };
    document.head.append(script);
  });

function film(name) {
  if (!asked.has(name)) {
    let said = null;
    waiting.set(name, (what) => {
      said = what;
    });
    asked.set(
      name,
      load(`${page.films}/${name}.js`).then(() => {
        if (!said) asked.delete(name); // it may come another time
        return said;
      }),
    );
  }
  return asked.get(name);
}

const bytesOf = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));

// A message as the server would write it (shell/film_message.py).
function messageOf(head, film = "") {
  const words = new TextEncoder().encode(JSON.stringify(head)),
    body = bytesOf(film),
    bytes = new Uint8Array(4 + words.length + body.length);
  new DataView(bytes.buffer).setUint32(0, words.length, true);
  bytes.set(words, 4);
  bytes.set(body, 4 + words.length);
  return bytes;
}

// ------------------------------------------------------------------ what is shown
// { view, slider, stop, t }: key of the view, of the slider that was moved and its stop; null where none was, or for the
// view's own time.
let state = null,
  guess = [],
  ends = [],
  charts = "",
  shown = null, // what can be saved: the file and its film, read
  spoken = null;
const viewOf = (key) => page.views.find((one) => one.key === key);
const fileOf = ({ view, slider, stop }) =>
  slider ? viewOf(view).sliders.find((one) => one.key === slider).files[stop] : viewOf(view).file;

function read() {
  const words = new URLSearchParams(location.hash.slice(1)),
    found = { view: OPENING, slider: null, stop: null, t: words.has("t") ? +words.get("t") : null };
  if (viewOf(words.get("moment"))) found.view = words.get("moment");
  for (const one of viewOf(found.view).sliders) {
    const stop = one.stops.indexOf(words.get(one.key));
    if (stop >= 0 && stop !== one.at) Object.assign(found, { slider: one.key, stop });
  }
  return found;
}

function address({ view, slider, stop, t }) {
  const words = new URLSearchParams();
  if (view !== OPENING) words.set("moment", view);
  if (slider) words.set(slider, viewOf(view).sliders.find((one) => one.key === slider).stops[stop]);
  if (t !== null) words.set("t", t);
  words.set("theme", look);
  return `#${words}`;
}

async function show(next) {
  const other = next.view !== state?.view;
  state = next;
  const view = viewOf(next.view);
  if (other) controls(view);
  for (const one of view.sliders) turn(one);
  const name = `${fileOf(next)}.${look}`,
    said = await film(name);
  if (state !== next) return;
  at(".gone").textContent = said ? "" : GONE;
  if (!said) return;
  const reset = `${page.lesson}:${view.key}`;
  stand(said, name);
  speak(reset);
  for (const part of ["odds", "caption", "settings"]) at(`.${part}`).textContent = said[part] ?? "";
  at("details").hidden = !said.captions;
  const near = (t) =>
      said.times.reduce((best, time, i) => (Math.abs(time - t) < Math.abs(said.times[best] - t) ? i : best), 0),
    plays = view.key === TOLD_KEY ? said.times.length - 1 : null,
    start = plays && near(next.t ?? view.t) === plays ? 0 : near(next.t ?? view.t),
    head = { start, reset, question: null, revision: name, plays };
  const paused = (what) => {
    if (what !== "t" || state.view !== next.view) return;
    state = { ...state, t: lab.player.time };
    history.replaceState(null, "", address(state));
  };
  mountPlayer({ parentElement: at("#player"), data: messageOf(head, said.film), setStateValue: paused });
  if (view.key === TOLD_KEY) at(".truth").textContent = (said.verdicts[guess.join(".")] ?? "") + said.truth;
  ready(name, said);
  for (const one of view.sliders)
    for (const near of [-1, 1]) {
      const file = one.files[(next.slider === one.key ? next.stop : one.at) + near];
      if (file) film(`${file}.${look}`);
    }
}

// Once the picture stands it can be saved, and who waits for it, such as a test, hears of it.
async function ready(name, said) {
  while (lab.player?.name !== name) await new Promise((done) => requestAnimationFrame(done));
  shown = said.captions && { said, film: lab.player.film };
  save();
  document.documentElement.dataset.ready = name;
}

// The places of the charts, made anew where others come: the stage above the player, what stands still at the end.
function stand(said, name) {
  const keys = Object.keys(said.alts);
  if (charts !== keys.join()) {
    for (const end of ends.splice(0)) end();
    charts = keys.join();
    const [stage, ...others] = keys.map(spotOf);
    at("#stage").replaceChildren(make("figure", { className: "stage st-key-stage_desk" }, stage));
    at("#others").replaceChildren(...others.map((spot) => make("figure", {}, make("figcaption"), spot)));
    at("#exports").replaceChildren(...keys.map(() => at("#export").content.firstElementChild.cloneNode(true)));
  }
  ends = keys.map((key, i) => {
    const spot = at(`main .st-key-${key}`),
      own = said.stills[key],
      head = { key, alt: said.alts[key], plotly: "plotly.min.js", revision: own ? name : null };
    if (i > 0) spot.previousElementSibling.textContent = said.alts[key];
    return mountChart({ parentElement: spot, data: messageOf(head, own) });
  });
}

// Pictures of the charts, and their films where they have one.
async function save() {
  if (!at("details").open || !shown) return;
  if (!lab.site.mountExport) await load("exports.js");
  const { said, film } = shown;
  for (const [i, key] of Object.keys(said.alts).entries()) {
    const part = film.charts.find((one) => one.key === key && one.tracks.length),
      data = {
        key,
        alt: said.alts[key],
        name: `lesson-${page.lesson}-${key}`,
        caption: said.captions[key],
        label: "",
        labels: part ? film.labels : null,
        hall: false,
        height: lab.charts.get(key).figure?.layout.height,
        encoders: part && location.protocol.startsWith("http") ? page.encoders : null, // modules, which no disk hands out
      },
      row = at("#exports").children[i];
    row.querySelector("span").textContent = said.alts[key];
    lab.site.mountExport({ parentElement: row, data });
  }
}

const spotOf = (key) =>
  make(
    "div",
    { className: `st-key-${key}` },
    make("div", { className: "swipe" }, make("div", { className: "chart", role: "img" })),
    make("div", { className: "dots" }),
  );

function speak(reset) {
  spoken?.();
  const data = { sentences: [""], index: [0], start: 0, reset, dark: look === "dark", hall: false };
  spoken = mountLive({ parentElement: at("#finding"), data });
}

// ------------------------------------------------------------------ controls
const go = (other) => {
  const next = { view: state.view, slider: null, stop: null, t: null, ...other };
  history.pushState(null, "", address(next));
  show(next);
};

function controls(view) {
  const bets = [ASKED, TOLD_KEY].includes(view.key);
  at("h1").textContent = bets ? page.bet.question : page.question;
  at("#views").replaceChildren(...(bets ? answers(view) : moments(view)));
  at(".line").textContent = view.line && `“${view.line}”`;
  at("#finding").hidden = bets;
  at("#sliders").replaceChildren(...view.sliders.map(slider));
}

const button = (textContent, onclick, pressed) => {
  const made = make("button", { type: "button", textContent, onclick });
  if (pressed !== undefined) made.ariaPressed = String(pressed);
  return made;
};

function moments(view) {
  const all = page.views.filter((one) => ![OPENING, ASKED, TOLD_KEY].includes(one.key)),
    choice = (one) => button(one.title, () => go({ view: one.key }), one === view);
  const row = [
    make("div", { className: "st-key-opening" }, choice(viewOf(OPENING))),
    make("div", { className: "st-key-moment" }, ...all.map(choice)),
  ];
  const bet = () => {
    guess = [];
    go({ view: ASKED });
  };
  return page.bet ? [...row, make("div", { className: "st-key-bet_open" }, button("Bet first", bet))] : row;
}

function answers(view) {
  const leave = make(
    "div",
    {},
    button(view.key === ASKED ? "Leave the bet" : "Go on", () => go({ view: OPENING })),
  );
  if (view.key === TOLD_KEY) return [make("p", { className: "truth", ariaLive: "polite" }), leave];
  const pick = Object.entries(page.bet.options).map(([word, says]) => {
    const place = guess.indexOf(word),
      chosen = place >= 0 && page.bet.ranks ? `${place + 1}. ${says}` : says;
    const choose = () => {
      const without = guess.filter((one) => one !== word);
      guess = page.bet.ranks ? (place >= 0 ? without : [...guess, word]) : [word];
      at("#views").replaceChildren(...answers(view));
    };
    return button(chosen, choose, place >= 0);
  });
  const reveal = button("Show what happened", () => go({ view: TOLD_KEY }));
  return [
    make("div", { className: "st-key-bet_pick" }, ...pick),
    make("div", { className: "st-key-bet_reveal" }, reveal),
    leave,
  ];
}

// A slider stands at stops that have films; moving one puts the others back to where the view has them.
function slider(one) {
  const bar = make("input", { type: "range", min: 0, max: one.stops.length - 1, step: 1 });
  const turned = () => ({ ...state, slider: +bar.value === one.at ? null : one.key, stop: +bar.value });
  bar.oninput = () => show(turned());
  bar.onchange = () => history.pushState(null, "", address(turned()));
  return make("label", { className: `st-key-${one.key}` }, one.label, bar, make("output"));
}

function turn(one) {
  const [bar, out] = at("#sliders").querySelectorAll(`.st-key-${one.key} :is(input, output)`),
    here = state.slider === one.key ? state.stop : one.at;
  if (+bar.value !== here) bar.value = here;
  out.textContent = one.stops[here];
  bar.setAttribute("aria-valuetext", one.stops[here]);
}

// ------------------------------------------------------------------ open
wear();
at("#look").onclick = () => {
  look = look === "dark" ? "light" : "dark";
  wear();
  const moment = new URLSearchParams(location.hash.slice(1)).get("moment"), // of a page without films
    own = new URLSearchParams(moment ? { moment, theme: look } : { theme: look });
  history.replaceState(null, "", state ? address({ ...state, t: lab.player?.time ?? state.t }) : `#${own}`);
  if (state) show({ ...state }); // the same view in the other colours
};
// A word of the glossary leads to its page.
document.addEventListener("click", (e) => {
  const term = e.target.closest?.('a[href^="#term-"]');
  if (!term) return;
  e.preventDefault();
  location.href = `glossary.html${term.hash}`;
});
if (page.views) {
  at("details").ontoggle = save;
  document.fonts.ready.then(() => show(read()));
  window.addEventListener("popstate", () => show(read()));
}
// Over HTTP what was opened once opens again without a network.
if (location.protocol.startsWith("http")) navigator.serviceWorker?.register("worker.js").catch(() => {});
