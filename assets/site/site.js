// A page without a server: its views, its sliders, its bet, and the button that walks through a course or a pack. Charts,
// player and sentence are the app's own. A page in one file has its films in it, and loads nothing.
import mountEmbed from "../player/embed.js";
import mountLive from "../player/live.js";
import { Player } from "../player/player.js";
import { element } from "../shared/element.js";
import { press } from "../shared/keys.js";
import { lab } from "../shared/lab.js";
import { wordsOf, writeAddress } from "../shared/words.js";
import { putUp } from "../stage/chart.js";
import { decode, nearestFrame } from "../stage/decode.js";
import { unzipped } from "../stage/message.js";

const GONE =
  "This picture is not here: the network is away, or the site was copied in part. What you see is the one before; load the page again later.";
const BETWEEN = "Here stands one picture. The film plays at the marked stops of the slider.",
  ONE = "one picture";
const ASKED = "bet",
  TOLD_KEY = "truth",
  OPENING = "opening"; // keys of the views that are no moment (shell/static/view.py)

const page = JSON.parse(document.getElementById("lab-page").textContent);
const at = (query) => document.querySelector(query);

// ------------------------------------------------------------------ light and dark, lecture type, a frame of slides
const words = wordsOf(location.hash.slice(1)),
  large = !!page.hall && !matchMedia("(max-width: 640px), (max-height: 499px)").matches; // a pack, but on a phone
let look = page.look ?? words.get("theme") ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light"),
  hall = words.has("lecture") ? words.get("lecture") === "true" : large;
const framed = window.parent !== window && wordsOf(location.search).get("embed") === "true",
  lectures = at(".st-key-lecture input"),
  looks = at("#look"), // both are missing in a page in one file
  sandboxed = window.origin === "null"; // a frame whose sandbox has no `allow-same-origin`, or a disk

function wear() {
  document.documentElement.dataset.look = look;
  document.documentElement.classList.toggle("embedded", framed);
  document.body.className = hall ? "hall" : "desk";
  document.documentElement.classList.toggle("drawn", !!page.look); // its figures have their type already
  if (looks) looks.textContent = look === "dark" ? "Light" : "Dark";
  if (lectures) lectures.checked = hall;
  for (const link of document.querySelectorAll("a[data-in]")) link.hash = dressed(link.dataset.in);
}

// Words of an address, with those of the look.
function dressed(own) {
  const words = new URLSearchParams(own);
  words.set("theme", look);
  if (hall !== large) words.set("lecture", hall);
  return words;
}

// ------------------------------------------------------------------ films: scripts that hand over what they hold
const asked = new Map(),
  taken = new Map();
lab.site = { take: (name, said) => taken.set(name, said), worlds: [], stand, play };

// Run a script of the site; over once it has run, or does not come.
const load = (src) =>
  new Promise((done) => {
    const script = element("script", { src });
    script.onload = script.onerror = () => {
      script.remove();
      done();
    };
    document.head.append(script);
  });

const addressOf = (name) => `${page.films}/${name}.js`;
async function loaded(name) {
  const inside = document.getElementById(name); // of a page in one file
  if (inside) return JSON.parse(inside.textContent);
  await load(addressOf(name));
  if (!taken.has(name)) asked.delete(name); // it may come another time
  return taken.get(name) ?? null;
}
function film(name) {
  if (!asked.has(name)) asked.set(name, loaded(name));
  return asked.get(name);
}

// ------------------------------------------------------------------ films and pictures, read
const bytesOf = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
const opened = async (text) => decode(await unzipped(bytesOf(text)));

// The film of a stage with those of the charts in its drawers: one film, of which the player moves all charts.
async function joined(said, more) {
  const [film, own] = await Promise.all([opened(said.film), opened(more.film)]),
    before = film.rows.length,
    later = (track) => ("array" in track ? { ...track, array: track.array + before } : track),
    charts = own.charts.map((chart) => ({ ...chart, tracks: chart.tracks.map(later) }));
  return { ...film, rows: [...film.rows, ...own.rows], charts: [...film.charts, ...charts] };
}

// The pictures of a slider's stops, all unpacked as one.
async function apart({ pictures }) {
  const all = await unzipped(bytesOf(pictures)),
    found = [];
  for (let at = 0; at < all.byteLength; at += 4 + new DataView(all).getUint32(at, true))
    found.push(all.slice(at + 4, at + 4 + new DataView(all).getUint32(at, true)));
  return found;
}

// The picture of a stop, as the server's frame has it; null where it does not come.
async function pictureOf(one, stop) {
  const said = await film(`${one.pictures}.${look}`),
    place = said?.stops.indexOf(one.stops[stop]) ?? -1;
  if (place < 0) return null;
  said.read ??= apart(said);
  return { ...decode((await said.read)[place]), time: said.time };
}

// As a film of one picture, which the player shows.
const alone = (picture) => ({
  ...picture,
  labels: [ONE],
  events: [],
  times: [picture.time],
  sentences: [picture.said],
  said: [0],
});

// Let the player play a film, which is read meanwhile.
function play(name, film, head, told = () => {}) {
  const player = lab.player ?? new Player(at("#player .player"));
  player.load({ ...head, revision: name }, () => film, told);
}

// ------------------------------------------------------------------ what is shown
// { view, slider, stop, t }: key of the view, of the slider that was moved and its stop; null where none was, or for the
// view's own time.
let state = null,
  guess = [],
  ends = [],
  laid = null, // what the drawers hold: keys of charts
  shown = null, // the film on the stage: its file, what it said, what the player was told
  resting = null, // the reader's time, while a slider is dragged
  dragged = null, // what a drag waits for
  spoken = null;
const viewOf = (key) => page.views.find((one) => one.key === key),
  first = page.views?.[0].key, // the opening, where the page has one
  prepared = page.views?.filter(({ key }) => ![OPENING, ASKED, TOLD_KEY].includes(key));
const fileOf = ({ view, slider, stop }) =>
  slider ? viewOf(view).sliders.find((one) => one.key === slider).files[stop] : viewOf(view).file;

function asks() {
  const words = wordsOf(location.hash.slice(1)),
    found = { view: first, slider: null, stop: null, t: words.has("t") ? +words.get("t") : null };
  if (viewOf(words.get("moment"))) found.view = words.get("moment");
  for (const one of viewOf(found.view).sliders) {
    const stop = one.stops.indexOf(words.get(one.key));
    if (stop >= 0 && stop !== one.at) Object.assign(found, { slider: one.key, stop });
  }
  return found;
}

function address({ view, slider, stop, t }) {
  const words = new URLSearchParams();
  if (view !== first) words.set("moment", view);
  if (slider) words.set(slider, viewOf(view).sliders.find((one) => one.key === slider).stops[stop]);
  if (t !== null) words.set("t", t);
  return `#${dressed(words)}`;
}

async function show(next) {
  const other = next.view !== state?.view;
  state = next;
  resting = dragged = null;
  const view = viewOf(next.view);
  if (other) controls(view);
  bar();
  for (const one of view.sliders) turn(one, next.slider === one.key ? next.stop : one.at);
  const file = fileOf(next),
    slider = view.sliders.find((one) => one.key === next.slider),
    name = file ? `${file}.${look}` : `${slider.pictures}.${look}#${next.stop}`,
    found = await (file ? film(name) : pictureOf(slider, next.stop));
  if (state !== next) return;
  at(".gone").textContent = found ? "" : GONE;
  if (!found) return;
  const said = file ? found : { alt: page.question, times: [found.time] },
    reset = `${page.lesson}:${view.key}`;
  stand(said);
  speak(reset);
  for (const part of ["odds", "caption", "settings"]) at(`.${part}`).textContent = said[part] ?? "";
  at(".between").textContent = file ? "" : BETWEEN;
  at("#export-drawer").hidden = !said.caption || !page.films;
  const here = nearestFrame(said.times, next.t ?? view.t),
    plays = view.key === TOLD_KEY ? said.times.length - 1 : null,
    head = { start: plays && here === plays ? 0 : here, reset, plays };
  const paused = (what) => {
    if (what !== "t" || state !== next || !file) return;
    state.t = lab.player.time;
    writeAddress("replaceState", address(state));
    embed();
  };
  shown = { name, said, head, paused };
  play(name, file ? opened(said.film) : alone(found), head, paused);
  wager(view, said, name);
  while (!lab.player?.name?.startsWith(name)) {
    await new Promise((done) => requestAnimationFrame(done));
    if (state !== next) return;
  }
  if (plays === null && lab.player.t !== here && !lab.player.clock.runs) lab.player.show(here);
  embed();
  document.documentElement.dataset.ready = name; // who waits for the picture, such as a test, hears of it
  await fill();
  ahead(view, next);
}

// Fetch what a hand at a slider will ask for next: its pictures, and the nearest films.
function ahead(view, { slider, stop }) {
  for (const one of view.sliders) {
    if (one.pictures) film(`${one.pictures}.${look}`);
    for (const way of [-1, 1]) {
      let next = (slider === one.key ? stop : one.at) + way;
      while (one.files[next] === null) next += way;
      if (one.files[next]) film(`${one.files[next]}.${look}`);
    }
  }
}

// The bars of a bet, and beside the truth what is said of it.
let bars = () => {};
function wager({ key }, said, name) {
  const own = key === TOLD_KEY ? (said.wagers[guess.join(".")] ?? said.wagers[""]) : said.wager;
  document.documentElement.classList.toggle("asks", own !== undefined);
  bars();
  at("#wager").replaceChildren();
  bars = () => {};
  if (!own) return;
  at("#wager").className = key === TOLD_KEY ? "told" : "";
  at("#wager").append(element("figure", {}, spotOf("wager")));
  bars = chart(at("#wager"), "wager", page.bet.alts[key], own, name);
  if (key === TOLD_KEY) at(".truth").textContent = (said.verdicts[guess.join(".")] ?? "") + said.truth;
}

// The place of the stage with its screens of a phone, and the closed drawers below it, made anew where they hold other
// charts.
function stand({ alt, drawers = [], screens = [] }) {
  for (const [i, name] of ["--abreast", "--point"].entries())
    if (i in screens) document.documentElement.style.setProperty(name, screens[i]);
  if (!at("#stage").firstElementChild)
    at("#stage").replaceChildren(element("figure", { className: "stage st-key-stage_desk" }, spotOf("main")));
  chart(at("#stage"), "main", alt);
  const keys = drawers.map(([, alts]) => Object.keys(alts));
  if (laid?.join(";") === keys.join(";")) return;
  for (const end of ends.splice(0)) end();
  laid = keys;
  at("#below").replaceChildren(...drawers.map(([title, alts]) => drawer(title, Object.keys(alts))));
}

const unfolded = new Set(); // titles of the drawers that a reader has opened
function drawer(title, keys) {
  const turned = ({ target }) => {
    unfolded[target.open ? "add" : "delete"](title);
    fill();
  };
  const charts = keys.map((key) => element("figure", {}, element("figcaption"), spotOf(key)));
  return title
    ? element("details", { ontoggle: turned, open: unfolded.has(title) }, element("summary", {}, title), ...charts)
    : element("div", {}, ...charts);
}

// A chart in its place, with a film of its own where it has one.
const chart = (place, key, alt, own = null, name = null) =>
  putUp(
    place.querySelector(".chart"),
    { key, alt, plotly: page.films && "plotly.min.js", revision: own ? name : null },
    () => opened(own),
  );
const isOpen = (spot) => !spot.closest("details:not([open])");

// Fill the drawers, once one of them is open.
async function fill() {
  const now = shown,
    { name, said, head, paused } = now;
  if ([...at("#below").children].some((one) => one.tagName !== "DETAILS" || one.open) && said.drawers?.length) {
    const more = await film(`${name}.below`);
    if (shown !== now) return;
    if (!more) at(".gone").textContent = GONE;
    else if (now.more !== more) {
      now.more = more;
      for (const [, alts] of said.drawers)
        for (const [key, alt] of Object.entries(alts)) {
          const spot = at(`#below .st-key-${key}`),
            own = more.stills[key];
          spot.previousElementSibling.textContent = `${alt}${more.times[key] ?? ""}`;
          ends.push(chart(spot, key, alt, own, name));
        }
      if (more.film) play(`${name}.below`, joined(said, more), head, paused);
    }
  }
  await save();
}

// Pictures of the charts that are seen, and their films where they have one.
async function save() {
  if (!at("#export-drawer").open || !shown.said.caption) return;
  if (!lab.site.mountExport) await load("exports.js");
  const { said, more } = shown,
    alts = Object.assign({ main: said.alt }, ...said.drawers.map(([, alts]) => alts)),
    keys = Object.keys(alts).filter((key) => lab.charts.has(key) && isOpen(at(`main .st-key-${key}`)));
  if (!lab.player?.film || keys.some((key) => !lab.charts.get(key).figure)) return setTimeout(save, 100);
  const rows = at("#exports");
  while (rows.children.length > keys.length) rows.lastElementChild.remove();
  while (rows.children.length < keys.length) rows.append(at("#export").content.firstElementChild.cloneNode(true));
  for (const [i, key] of keys.entries()) {
    const { film } = lab.player,
      part = film.charts.find((one) => one.key === key && one.tracks.length),
      data = {
        key,
        alt: alts[key],
        name: `lesson-${page.lesson}-${key}`,
        caption: key === "main" ? said.caption : more.captions[key],
        label: "",
        labels: part ? film.labels : null,
        hall: false,
        height: lab.charts.get(key).figure.layout.height,
        encoders: part && location.protocol.startsWith("http") ? page.encoders : null, // modules, which no disk hands out
      },
      row = rows.children[i];
    row.querySelector("span").textContent = alts[key];
    lab.site.mountExport({ parentElement: row, data });
  }
}

// The line of HTML that shows the page as it stands in a frame. A page from a disk has no address for others.
function embed() {
  const frame = element("iframe", {
    src: `${location.href.split(/[?#]/)[0]}?embed=true${address({ ...state, t: lab.player?.time ?? state.t })}`,
    title: page.question,
    width: 900,
    height: 506,
    style: "border: 0",
  });
  at("#embed-drawer code").textContent = frame.outerHTML;
}

const spotOf = (key) =>
  element(
    "div",
    { className: `st-key-${key}` },
    element("div", { className: "swipe" }, element("div", { className: "chart", role: "img" })),
    element("div", { className: "dots" }),
  );

function speak(reset) {
  spoken?.();
  const data = { sentences: [""], index: [0], start: 0, reset, dark: look === "dark", hall };
  spoken = mountLive({ parentElement: at("#finding"), data });
}

// ------------------------------------------------------------------ controls
const go = (other) => {
  const next = { view: state.view, slider: null, stop: null, t: null, ...other };
  writeAddress("pushState", address(next));
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
  const made = element("button", { type: "button", textContent, onclick });
  if (pressed !== undefined) made.ariaPressed = String(pressed);
  return made;
};

function moments(view) {
  const choice = (one) => button(one.title, () => go({ view: one.key }), one === view);
  const opening = viewOf(OPENING);
  if (page.views.length === 1) return [];
  const row = [
    ...(opening ? [element("div", { className: "st-key-opening" }, choice(opening))] : []),
    element("div", { className: "st-key-moment" }, ...prepared.map(choice)),
  ];
  const bet = () => {
    guess = [];
    go({ view: ASKED });
  };
  return page.bet ? [...row, element("div", { className: "st-key-bet_open" }, button("Bet first", bet))] : row;
}

function answers(view) {
  const leave = element("div");
  if (viewOf(OPENING))
    leave.append(button(view.key === ASKED ? "Leave the bet" : "Back to the lesson", () => go({ view: OPENING })));
  if (view.key === TOLD_KEY) return [element("p", { className: "truth", ariaLive: "polite" }), leave];
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
    element("div", { className: "st-key-bet_pick" }, ...pick),
    element("div", { className: "st-key-bet_reveal" }, reveal),
    leave,
  ];
}

// Moving a slider puts the others back to where the view has them. Where some of its stops have a picture alone, the
// pictures follow the hand, and a mark shows where a film is.
function slider(one) {
  const bar = element("input", { type: "range", min: 0, max: one.stops.length - 1, step: 1 }),
    marks = one.files.map(
      (file, i) => file && element("i", { style: `--at: ${i / Math.max(one.stops.length - 1, 1)}` }),
    );
  const turned = () => ({
    ...state,
    slider: +bar.value === one.at ? null : one.key,
    stop: +bar.value,
    t: resting ?? (fileOf(state) ? (lab.player?.time ?? null) : state.t),
  });
  bar.oninput = () => (one.pictures ? drag(one, bar) : show(turned()));
  bar.onchange = () => {
    const next = turned();
    writeAddress("pushState", address(next));
    if (one.pictures) show(next);
  };
  const track = element("span", { className: "track" }, bar, ...(one.pictures ? marks.filter(Boolean) : []));
  return element("label", { className: `st-key-${one.key}` }, one.label, track, element("output"));
}

function turn(one, here) {
  const [bar, out] = at("#sliders").querySelectorAll(`.st-key-${one.key} :is(input, output)`);
  if (+bar.value !== here) bar.value = here;
  out.textContent = one.stops[here];
  bar.setAttribute("aria-valuetext", `${one.stops[here]}${one.files[here] ? "" : `, ${ONE}`}`);
}

// Lay the picture of a stop over the stage, at the time that pictures have, until the hand lets go.
async function drag(one, bar) {
  const stop = +bar.value,
    mine = {};
  dragged = mine;
  turn(one, stop);
  resting ??= fileOf(state) ? (lab.player?.time ?? null) : state.t;
  const picture = await pictureOf(one, stop),
    { player } = lab;
  if (dragged !== mine || !picture || !player) return;
  player.halt();
  if (player.time !== picture.time) player.show(player.nearest(picture.time));
  player.drawFrame(picture);
}

// ------------------------------------------------------------------ a walk through a course or a pack
// Steps { file, view, plays, begins }: title, views, last page. A site's is named in the address, a pack has one.
const walk = page.walks?.[wordsOf(location.search).get("course") ?? ""],
  moment = () => state?.view ?? wordsOf(location.hash.slice(1)).get("moment"),
  here = () => walk.findIndex((one) => one.file === page.file && (one.view ?? null) === moment());

// Go so many steps on; a look aside goes to the first step of its page.
function walkBy(by) {
  const place = here(),
    own = walk.findIndex(({ file }) => file === page.file),
    one = walk[place < 0 ? Math.max(own, 0) : place + by];
  if (!one) return;
  const t = one.plays && by > 0 ? one.begins : null;
  if (one.file === page.file && page.views) return go({ view: one.view, t });
  const words = { ...(one.view && { moment: one.view }), ...(t !== null && { t }) };
  location.href = `${one.file}${location.search}#${dressed(words)}`;
}

// The next thing of a step: its film is brought to its end, or is played, and then comes the next step.
function onward() {
  const { player } = lab;
  if (player?.clock.runs) player.finish();
  else if (player?.t < end()) player.playTo(end());
  else walkBy(1);
}

// The frame to which the film of this step plays, -1 where it does not.
const end = () => (shown && walk[here()]?.plays ? nearestFrame(shown.said.times, viewOf(state.view).t) : -1);

function bar() {
  if (!walk) return;
  const place = here(),
    where = place > 0 && place < walk.length - 1 ? `${place} of ${walk.length - 2}` : "";
  at("#walk").replaceChildren(
    ...(place === 0 ? [] : [button("‹ Back", () => walkBy(-1))]),
    where,
    ...(place === walk.length - 1 ? [] : [button("Next ›", onward)]),
  );
}
if (walk) {
  lab.course = { asks: false };
  const next = () => walkBy(1),
    back = () => walkBy(-1),
    acts = { onward, back, nextPage: next, previousPage: back, index: () => at("nav a").click() };
  window.addEventListener("keydown", (e) => press(e, acts), true);
  const tell = () => document.documentElement.classList.toggle("untold", lab.player?.t < end());
  window.addEventListener("tvbo:frame", tell); // how often it ends like this is told once the film has come there
  bar();
}

// ------------------------------------------------------------------ open
wear();
const dress = () => {
  wear();
  const own = new URLSearchParams(location.hash.slice(1)); // of a page without films
  writeAddress("replaceState", state ? address({ ...state, t: lab.player?.time ?? state.t }) : `#${dressed(own)}`);
};
if (looks)
  looks.onclick = () => {
    look = look === "dark" ? "light" : "dark";
    dress();
    if (state) show({ ...state }); // the same view in the other colours
  };
if (lectures)
  lectures.onchange = () => {
    hall = lectures.checked;
    dress();
    if (state) speak(`${page.lesson}:${state.view}`);
  };
// A word of the glossary leads to its page.
document.addEventListener("click", (e) => {
  const term = e.target.closest?.('a[href^="#term-"]');
  if (!term) return;
  e.preventDefault();
  location.href = `glossary.html${term.hash}`;
});
if (page.views) {
  at("#export-drawer").ontoggle = save;
  at("#embed-drawer").hidden = !page.films || !location.protocol.startsWith("http");
  at("#embed-drawer button").hidden = !navigator.clipboard || sandboxed; // a browser has it on https and localhost
  at("#embed-drawer button").onclick = () => navigator.clipboard.writeText(at("#embed-drawer code").textContent);
  if (framed) {
    const data = { lesson: page.lesson, moments: prepared.map(({ key }) => key) };
    mountEmbed({ parentElement: at("#embed"), data, setTriggerValue: (_, key) => go({ view: key }) });
  }
  document.fonts.ready.then(() => show(asks()));
  window.addEventListener("popstate", () => show(asks()));
}
// Over HTTP what was opened once opens again without a network. What came before the worker was there, it fetches itself.
if (location.protocol.startsWith("http") && !sandboxed && navigator.serviceWorker) {
  const { serviceWorker } = navigator,
    hand = () => serviceWorker.controller?.postMessage([...asked.keys()].map(addressOf));
  if (!serviceWorker.controller) serviceWorker.addEventListener("controllerchange", hand);
  serviceWorker.register("worker.js").catch(() => {});
}
