// The speaker window and the lab's side of it, on one channel.
import { readFileSync } from "node:fs";
import { lab } from "../../../assets/shared/lab.js";
import mountSpeaker from "../../../assets/speaker/button.js";
import { page } from "../page.js";
import { act, click, event, hears, keys, open, tick } from "../reader.js";

const html = (name) => readFileSync(new URL(`../../../assets/speaker/${name}.html`, import.meta.url), "utf8");
const MOMENTS = Object.entries({ Tight: "Look.", Missed: "And now?" });
const PAGE = { page: "bands", lesson: "Confidence bands", path: "speaker", question: "How wide?", moments: MOMENTS };
const MORE = { chosen: 1, after: "Theorems", course: null };
const ADDRESS = "http://lab.test/speaker#tvbo-x";
let number = 0;

function begin() {
  open(html("button") + /<body>([\s\S]*)<script>/.exec(html("window"))[1], { address: ADDRESS });
  window.name = "tvbo-x";
}
const mount = (more = {}) =>
  act(`the page says ${JSON.stringify(more)}`, () =>
    mountSpeaker({ parentElement: document.body, data: { ...PAGE, ...MORE, ...more } }),
  );
const openWindow = () => act("the window opens", () => import(`../../../assets/speaker/window.js?${number++}`));
function shows(shown) {
  lab.shown = shown;
  event("tvbo:shown");
}
const COURSE = { next: "The race", line: "Go.", at: 2 };
const STOPS = [
  ["Drift", 5, false],
  ["Race", 7, true],
];

export const stories = {
  "the window says what is and what comes": async () => {
    begin();
    mount();
    await openWindow();
    for (const chosen of [2, 0]) mount({ chosen });
    shows({ page: "bands", label: "t = 3", finding: "<b>wide</b>" });
    shows({ page: "race", label: "t = 9", finding: "other" });
    mount({ course: { ...COURSE, stops: STOPS } });
    event("pagehide");
  },
  "a key pressed there is pressed here, once": () => {
    begin();
    mount();
    const other = new BroadcastChannel("tvbo-x"),
      heard = hears("pressed");
    window.addEventListener("keydown", (e) => heard(e.key, e.shiftKey ?? false));
    for (const [key, shift] of [["PageDown"], ["ArrowUp"], ["s"], ["x"], ["ArrowRight", true]])
      act(`there: ${key}`, () => other.postMessage({ kind: "press", key, shift }));
  },
  "the window's buttons and keys are sent": async () => {
    begin();
    await openWindow();
    const other = new BroadcastChannel("tvbo-x"); // the lab's window is another one
    other.postMessage({ kind: "page", ...PAGE, ...MORE });
    other.onmessage = ({ data }) => hears("hears")(data);
    click(document.querySelectorAll("#moments button")[1]);
    for (const one of document.querySelectorAll("[data-key]")) click(one);
    keys("Tab");
    keys("l Space", "#hold"); // Space presses the button itself
  },
  "the timer counts, halts and starts again": async () => {
    begin();
    mount();
    await openWindow();
    for (const seconds of [5, 60, 3600]) tick(1000 * seconds);
    click("#hold");
    tick(30000);
    click("#hold");
    tick(1000);
    click("#reset");
    tick(2000);
  },
  "a halted timer starts again from nothing": async () => {
    begin();
    mount();
    await openWindow();
    tick(5000);
    click("#hold");
    tick(3000);
    click("#reset");
    tick(4000);
    click("#hold");
    tick(2000);
  },
  "the window knows of an open bet": async () => {
    begin();
    mount({ moments: [], chosen: 0 });
    await openWindow();
    const asks = ["Which fails?", "CMM", "IGP"];
    for (const course of [null, { ...COURSE, stops: STOPS }, null]) mount({ moments: [], chosen: 0, asks, course });
    mount({ asks: [] });
  },
  "a refused window says how to allow it": () => {
    begin();
    mount();
    keys("s");
    globalThis.open = () => ({ focus: hears("is in front") });
    click(".speaker button");
  },
  "a field keeps its own undo": () => {
    begin();
    document.body.append(Object.assign(document.createElement("textarea"), { id: "field" }));
    mount();
    document.addEventListener("keydown", hears("hears"));
    for (const on of ["#field", "body"])
      act(`undo in ${on}`, () => page.press("z", document.querySelector(on), { ctrlKey: true }));
  },
};
