// The button of a course: what a press does next, hands, a game that is left, and the picture of a stop.
import { readFileSync } from "node:fs";
import mountCourse from "../../../assets/course/course.js";
import mountPicture from "../../../assets/course/picture.js";
import { TOLD } from "../../../assets/player/page.js";
import { lab } from "../../../assets/shared/lab.js";
import { filmOf, until } from "../film.js";
import { page } from "../page.js";
import { act, click, hears, keys, open, say, tick } from "../reader.js";

const HTML = readFileSync(new URL("../../../assets/course/course.html", import.meta.url), "utf8");
const spot = (key, inside) => `<div class="st-key-${key}">${inside}</div>`;
const AROUND =
  ["course_after", "course_before"].map((key) => spot(key, '<a href="/x">x</a>')).join("") +
  ["bet_reveal", "guess_none"].map((key) => spot(key, "<button>x</button>")).join("");
const STOP = { reset: "1", version: 9, question: "bands", answers: 0, hands: [], scene: "bands:", revealed: false };
const ASKS = { answers: 3, question: "q" };
let body;

function stop(more = {}) {
  if (!body?.isConnected) {
    body = open(HTML + AROUND, { watch: () => ({ hands: lab.course?.hands, left: lab.course?.left }) });
    for (const one of body.querySelectorAll("[class*=st-key-]")) one.firstElementChild.onclick = hears(one.className);
  }
  const data = { ...STOP, plays: null, where: "Stop 2 of 5", next: "The race", begin: false, ...more };
  act(`a stop ${JSON.stringify(more)}`, () =>
    mountCourse({ parentElement: body, data, setStateValue: hears("sends") }),
  );
}
const anew = (more) => {
  body = null;
  stop(more);
};
// What the bar says after something else on its page has changed.
const when = (words, change) =>
  act(words, () => {
    change();
    lab.course.label();
  });
// A player of the stop's page that stands at t, of a film of ten frames.
const player = (t, more = {}) =>
  when(`a player at ${t} ${JSON.stringify(more)}`, () => {
    const does = {
      ask: {},
      playTo: hears("plays to"),
      finish: hears("finishes"),
      nearest: (time) => Math.min(time, 9),
    };
    lab.player = { reset: "bands:1", t, truth: null, film: { n: 10 }, clock: { runs: false }, ...does, ...more };
  });
const stands = (t) =>
  when(`it stands at ${t}`, () => {
    lab.player.clock.runs = false;
    lab.player.t = t;
  });
const runs = () =>
  when("it runs", () => {
    lab.player.clock.runs = true;
  });

export const stories = {
  "a stop without a film goes on, once": () => {
    anew();
    keys("PageDown PageDown");
    tick(3000);
    keys("PageDown PageUp");
    tick(3000);
    keys("PageUp");
  },
  "a stop plays, then goes on": () => {
    anew({ plays: 7 });
    keys("PageDown"); // nothing is skipped before the page has come
    player(2, { reset: "race:1" });
    keys("PageDown");
    player(2);
    keys("PageDown");
    runs();
    keys("PageDown");
    stands(7);
  },
  "the next stop that plays is played, too": () => {
    anew({ plays: 7 });
    player(2);
    keys("PageDown");
    stop({ plays: 7, reset: "2" });
    player(2);
    keys("PageDown");
  },
  "an ended film keeps its button a moment": () => {
    anew({ plays: 7 });
    player(6);
    runs();
    stands(7);
    keys("PageDown");
    tick(500);
  },
  "a question is revealed, then played": () => {
    anew(ASKS);
    player(2);
    keys("PageDown");
    stop({ reset: "2", revealed: true, hands: [0, 0, 0] }); // its film is on its way
    player(2, { truth: 9 }); // halted before
    keys("PageDown");
    when("the answer is told", () => document.documentElement.classList.add(TOLD));
  },
  "hands are counted, lowered, kept, counted anew": () => {
    anew(ASKS);
    keys("2 2 3 4");
    for (const digit of [2, 3, 3])
      act(`Shift and ${digit}`, () => page.press("#", body, { shiftKey: true, code: `Digit${digit}` }));
    tick(1500);
    lab.hands.clear(); // the tab is loaded again
    stop({ ...ASKS, reset: "2" });
    click('[data-do="anew"]');
  },
  "a game is left by a second press": () => {
    anew();
    const left = (rounds) =>
      when(`${rounds} rounds are left`, () => {
        lab.player = { reset: "bands:1", film: { n: 1 }, clock: { runs: false }, ask: { left: rounds } };
      });
    const later = (ms) => act(`${ms} ms later`, () => page.later(ms));
    left(2);
    keys("PageDown");
    later(900);
    keys("PageDown");
    left(1);
    keys("PageDown");
    later(1001);
    keys("PageDown");
    left(0);
    tick(3000);
    keys("PageDown");
  },
  "the last page has no next": () => {
    anew({ next: "" });
    keys("PageDown");
    stop({ begin: true, reset: "0" });
  },
  "the next film is fetched once, later": async () => {
    const ahead = { lesson: "race", query: [["m", "2"]] };
    anew({ ahead });
    stop({ ahead });
    tick(1500);
    await act("soon", () => Promise.resolve());
  },
  "a stop's picture is its frame, drawn small": async () => {
    body = open(spot("course_seen_1", '<div data-testid="stPageLink"><a>b</a></div><div class="spot"></div>'));
    globalThis.fetch = async () => new Response(filmOf(9));
    const place = body.querySelector(".spot");
    body.querySelector("a").onclick = hears("goes to the stop");
    const data = { ask: { lesson: "bands", query: [["x", "1"]] }, t: 6, alt: "a", lecture: false };
    await act("its frame comes", async () => {
      mountPicture({ parentElement: body.firstElementChild, data });
      await until(() => place.children.length);
      place.box = { left: 0, top: 0, width: 350, height: 156 };
      page.resized();
    });
    say(place.querySelectorAll("canvas")[1].pen.lines().join("; "));
    click(place);
  },
};
