// Small components: the strip of worlds, the theme of a link, the card of keys, what keys do everywhere.
import { mock } from "node:test";
import theme from "../../../assets/player/theme.js";
import { everywhere } from "../../../assets/shared/everywhere.js";
import mountStrip from "../../../assets/strip/strip.js";
import { act, click, hears, keys, open, say } from "../reader.js";

const dot = (world, more) => ({
  x: world / 10,
  row: 0,
  world,
  title: `world ${world}`,
  holds: true,
  here: false,
  ...more,
});
const STRIP = { here: "here", broken: "#c00", label: "worlds", limit: [0.5, "limit"] };
function strip(says, of) {
  const body = open('<div class="strip"></div>');
  const data = { says, strip: of };
  act("it is mounted", () => mountStrip({ parentElement: body, data, setTriggerValue: hears("asks for") }));
}

export const stories = {
  "a strip counts, marks and opens worlds": () => {
    strip("It holds in **90** of 100", { ...STRIP, dots: [dot(3), dot(7, { holds: false }), dot(9, { here: true })] });
    keys("ArrowLeft Enter Home ArrowLeft", ".worlds");
    click(document.querySelectorAll("[role=option]")[2]);
  },
  "a theme reloads only another's page": () => {
    const [dark, light] = ["rgb(14, 17, 23)", "rgb(255, 255, 255)"];
    for (const [asked, background, search = ""] of [
      ["dark", dark],
      ["light", light],
      ["dark", light],
      ["dark", light, "?embed_options=dark_theme"],
      ["light", dark, "?embed_options=dark_theme&embed_options=x"],
    ]) {
      open("", { address: `http://lab.test/Bands${search}` });
      document.body.style.background = background;
      act(`${asked} is asked for on ${background}`, () =>
        theme({ data: { theme: asked }, setStateValue: hears("says") }),
      );
    }
  },
  "a digit presses the moment of its place": () => {
    const body = open('<div class="st-key-moment"><button>a</button><button>b</button></div>');
    for (const one of body.querySelectorAll("button")) one.onclick = hears(`presses ${one.textContent}`);
    for (const key of ["2", "1", "3"]) act(`key ${key}`, () => everywhere.moment({ key }));
  },
  "of digits pressed meanwhile the last one waits": () => {
    const body = choices("aria-checked"),
      app = body.querySelector("main");
    press("2");
    app.setAttribute("data-test-script-state", "running");
    press("1", "3", "5");
    pass(400);
    app.setAttribute("data-test-script-state", "notRunning");
    pass(40);
    press("2", "3"); // which is chosen by now
    pass(400);
    press("1"); // after what was under way
    pass(2000);
  },
  "each digit of an order waits": () => {
    choices("aria-pressed");
    press("2", "1", "3", "3", "2");
    pass(2000);
  },
  "what takes too long is not waited for": () => {
    const app = choices("aria-checked").querySelector("main");
    app.setAttribute("data-test-script-state", "running");
    press("2", "1");
    pass(5000);
    pass(200);
    app.setAttribute("data-test-script-state", "notRunning");
    pass(2000);
  },
};

// A page of Streamlit with three choices; a click on one chooses it.
function choices(state) {
  const body = open(
    `<main data-test-script-state="notRunning"><div class="st-key-moment">${"<button></button>".repeat(3)}</div></main>`,
  );
  const all = body.querySelectorAll("button");
  for (const [i, one] of all.entries()) {
    one.setAttribute(state, "false");
    one.onclick = () => {
      say(`presses ${i + 1}`);
      for (const other of all) other.setAttribute(state, String(other === one));
    };
  }
  return body;
}
function press(...all) {
  for (const key of all) act(`key ${key}`, () => everywhere.moment({ key }));
}
// Time passes bit by bit: a timer that is set meanwhile counts from when it is set.
const pass = (ms) =>
  act(`${ms} ms later`, () => {
    for (let at = 0; at < ms; at += 40) mock.timers.tick(40);
  });
