// A lesson in a frame of somebody's slides: what it says, does when it is asked, and which keys it gives away.
import { mock } from "node:test";
import mountEmbed from "../../../assets/player/embed.js";
import { lab } from "../../../assets/shared/lab.js";
import { page } from "../page.js";
import { act, click, event, hand, hears, keys, open, say } from "../reader.js";

let timeline, end;
function mount() {
  const body = open('<span></span><a href="http://lab.test/Race?embed=true&V=1">r</a><a href="#term-x">t</a>');
  mock.method(console, "warn", hears("warns"));
  window.parent = { postMessage: hears("says") };
  const does = { jump: hears("jumps"), play: hears("plays"), pause: hears("pauses"), nearest: (time) => time / 10 };
  timeline = { t: 3, time: 30, last: 10, later: null, clock: { runs: false }, ...does };
  Object.assign(lab, { player: timeline, now: { t: 3, reset: "bands:1" } });
  const data = { lesson: "bands", moments: ["missed"] };
  act("it opens", () => {
    end = mountEmbed({ parentElement: body, data, setTriggerValue: hears("asks Python") });
  });
}
const ask = (data, source = window.parent) =>
  act(`asked ${JSON.stringify(data)}`, () => window.dispatchEvent(page.event("message", { data, source })));
function frame(t, reset = "bands:1") {
  Object.assign(timeline, { t, time: 10 * t });
  event("tvbo:frame", { t, reset });
}

export const stories = {
  "it greets once and says each time": () => {
    mount();
    for (const t of [3, 4, 10]) frame(t);
    frame(10, "bands:2"); // opens there
    frame(5, "race:1"); // the page before
    act("it ends", end);
    window.parent = window; // a tab of its own
    say(`mounts ${mountEmbed({ parentElement: document.body, data: {} })}, ${lab.embed}`);
  },
  "it does what the page around asks": () => {
    mount();
    for (const data of [{ tvbo: "step", by: -2 }, { tvbo: "time", t: 70 }, { tvbo: "play" }, { tvbo: "pause" }])
      ask(data);
    timeline.clock.runs = true;
    for (const tvbo of ["play", "pause"]) ask({ tvbo });
    ask({ tvbo: "moment", key: "missed" });
    ask({ tvbo: "nonsense" });
    ask({ tvbo: "play" }, {}); // somebody else
  },
  "keys are the deck's until a click": () => {
    mount();
    keys("PageDown");
    hand("pointerdown", "body");
    keys("PageDown"); // the player's
    timeline.t = 10;
    keys("PageDown x");
    event("blur");
    keys("ArrowLeft");
  },
  "a link opens the whole lab": () => {
    mount();
    for (const link of document.querySelectorAll("a")) click(link);
  },
};
