// What follows a hand: sliders whose frames are fetched (follow.js), marks and time that are dragged on a chart (grip.js).
import { Follower } from "../../../assets/player/follow.js";
import { Grip } from "../../../assets/player/grip.js";
import { Player } from "../../../assets/player/player.js";
import { lab } from "../../../assets/shared/lab.js";
import { filmOf, until } from "../film.js";
import { act, hand, hears, open, picture, say } from "../reader.js";

const BAR = '<div data-testid="stSlider"><input type="range" min="0" step="1"></div>';
const STOPS = ["0", "1", "2", "3"];
let follower,
  answer,
  input,
  number = 0;

// A page with a slider of four stops, of which Python knows 1.
function begin(key = "V", answers = () => new Response(filmOf(1))) {
  const names = ["key", "drawn", "ahead", "asking", "refused", "closed"];
  follower = null;
  const body = open(`<div class="st-key-controls"><div class="st-key-${key}">${BAR}</div></div>`, {
    watch: () => follower && Object.fromEntries(names.map((name) => [name, follower[name]])),
  });
  answer = answers;
  globalThis.fetch = async (address) => {
    say(`  fetch ${address}`);
    return answer(address);
  };
  const host = { time: 5, drawFrame: () => say("  draws a frame"), take: (address) => say(`  takes ${address}`) };
  for (const name of ["halt", "grey", "settle"]) host[name] = hears(`  ${name}`);
  follower = new Follower(host);
  number += 1; // films are kept by address
  const query = Object.entries({ r: `${number}`, V: "1" });
  follower.load({ lesson: "bands", query, knobs: { V: STOPS }, addressed: true });
  input = body.querySelector("input");
  input.min = 0;
}
function take() {
  input.value = 1;
  hand("pointerdown", input);
}
function drag(value) {
  input.value = value;
  picture(16);
}
const rests = () => act("its answers come", () => until(() => !follower.asking));
const soon = () => act("soon", () => new Promise((done) => setImmediate(() => setImmediate(done))));

// ------------------------------------------------------------------ marks and time on a chart
const LAYOUT = {
  width: 500,
  height: 400,
  margin: { l: 50, r: 50, t: 50, b: 50 },
  xaxis: { range: [0, 10], domain: [0, 1], anchor: "y" },
  yaxis: { range: [0, 3], domain: [0, 1], anchor: "x" },
};
const KNOBS = { knobs: { V: "y" }, along: ["x"], zeros: {} };
// A chart on which V = 1 stands at 250 pixels, a unit is 100 pixels, and now, t = 2, stands at 130.
function chart(pick) {
  const root = open('<div class="chart"></div>').firstElementChild,
    player = {
      t: 2,
      time: 2,
      nearest: Math.round,
      send: (what, { key, text }) => say(`  sends ${what} ${key} ${text}`),
    };
  for (const name of ["halt", "show", "tell"]) player[name] = hears(`  ${name}`);
  const said = new Map([["V", "1"]]);
  player.follower = {
    said,
    question: { knobs: { V: STOPS } },
    lift() {},
    pull: (_, text) => say(`  pulls to ${text}`),
  };
  root.box = { left: 0, top: 0, width: 500, height: 400 };
  player.grip = new Grip(player);
  lab.player = player;
  player.ask = { stand() {} };
  Player.prototype.listen.call(player, { root, layout: LAYOUT, film: { pick }, on() {} });
}
// Press at the first place, move along the others, and let go at the last.
function pull(places, more) {
  const at = ([clientX, clientY]) => ({ clientX, clientY, ...more });
  hand("pointerdown", ".chart", at(places[0]));
  for (const place of places.slice(1)) hand("pointermove", ".chart", at(place));
  hand("pointerup", ".chart", at(places.at(-1)));
}

export const stories = {
  "a held slider fetches, a dragged one draws": async () => {
    begin();
    take();
    drag(3);
    await rests();
    picture(61); // a finger that rests fetches its film
    await rests();
    hand("pointerup", "input");
    picture(599, 2, 16);
    await soon();
  },
  "of many values the newest is drawn last": async () => {
    const waiting = [];
    begin("V", () => new Promise((done) => waiting.push(() => done(new Response(filmOf(1))))));
    take();
    for (const value of [3, 2, 0]) drag(value);
    while (follower.asking) {
      for (const one of waiting.splice(0)) one();
      await new Promise((done) => setImmediate(done));
    }
    say(`drawn: ${follower.drawn}`);
  },
  "without a frame the picture turns grey": async () => {
    begin("V", () => new Response(null, { status: 204 }));
    take();
    drag(2);
    await rests();
  },
  "a mark is dragged, beside it time": () => {
    chart(KNOBS);
    pull([
      [200, 262],
      [200, 259], // a press, no drag
      [200, 140],
    ]);
    pull([
      [200, 265],
      [330, 265],
    ]);
  },
  "a finger drags time at now alone": () => {
    chart({ ...KNOBS, knobs: {} });
    for (const x of [157, 155])
      pull(
        [
          [x, 100],
          [300, 100],
        ],
        { pointerType: "touch" },
      );
  },
  "a value lies where its axis says": () => {
    const { value, pixels } = Grip.prototype;
    for (const log of [false, true])
      for (const share of [0, 0.25, 1, 2]) {
        const at = { share, log, range: [-1, 3], length: 400 };
        say(`${share} of ${log ? "a logarithmic" : "an"} axis: ${value(at)}, ${pixels(at, value(at))} pixels away`);
      }
    say(`from 0 to 5: ${pixels({ share: 0, range: [0, 10], length: 400 }, 5)} pixels`);
  },
};
