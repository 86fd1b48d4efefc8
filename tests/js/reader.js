// A reader at a page: each act is written down with what it changed there and what the page said to others. What the
// reader does in tests/js/stories is approved as text in tests/js/acted, as what is drawn is in tests/js/drawn.
import { readdirSync } from "node:fs";
import { mock } from "node:test";
import { lab } from "../../assets/shared/lab.js";
import { Element, page } from "./page.js";

const STATE = ["hidden", "disabled", "checked", "open", "popped", "ariaPressed", "scrolled", "scrollLeft"];
const MOST = 240; // letters of one thing that is written down
const NOTHING = { now: null, player: null, course: null, embed: null, shown: null, room: null };
let lines, seen, watched;

const short = (value) => {
  if (typeof value === "number") return +value.toFixed(6);
  return value?.composedPath ? "event" : value instanceof Element ? value.tagName.toLowerCase() : value;
};
const written = (value) => JSON.stringify(value, (_, part) => short(part))?.slice(0, MOST) ?? String(value);
export function say(words) {
  lines.push(`  ${words}`.replace(/\u200b/g, "\\u200b").replace(/\s+$/, ""));
}
// A function that writes down what it is called with.
export const hears =
  (name) =>
  (...all) =>
    say(`${name} ${all.map(written).join(" ")}`);

// An element in a line: its name, attributes, state, style and own words. Pictures are approved as what is drawn.
function line(el) {
  const words = el.childNodes.map((one) => one.data?.trim()).join(" "),
    kept = [...el.attributes].filter(([name]) => !STATE.includes(name)),
    attributes = kept.map(([name, value]) => `${name}="${value.replace(/\d+\.\d{4,}/g, (one) => short(+one))}"`),
    state = STATE.filter((name) => el[name]).map((name) => (el[name] === true ? name : `${name} ${el[name]}`)),
    style = Object.entries(el.style).map(([name, value]) => `${name}: ${value}`);
  return [el.tagName.toLowerCase(), ...attributes, ...state, ...style, words.trim() && `“${words.trim()}”`]
    .filter(Boolean)
    .join(" ")
    .slice(0, MOST);
}
const nameOf = ({ tagName, id, className }) => `${tagName.toLowerCase()} ${id} ${className}`.trim();
const silent = (el) => ["SCRIPT", "STYLE"].includes(el.tagName) || (el.tagName === "SVG" && !el.getAttribute("role"));
const under = (el) => (silent(el) ? [] : [el, ...(el.tagName === "SVG" ? [] : el.children.flatMap(under))]);

function look() {
  const now = new Map(under(document.documentElement).map((el) => [el, [line(el), el.parentElement]])),
    around = { focus: nameOf(document.activeElement), address: location.href, went: page.went.join(" ") };
  for (const [name, value] of Object.entries({ ...around, ...watched?.() }))
    now.set(name, [`${name} = ${written(value)}`]);
  return now;
}

// Write down what is another now.
function note() {
  const now = look();
  for (const [el, [said, parent]] of seen) if (!now.has(el) && (!parent || now.has(parent))) say(`  gone: ${said}`);
  for (const [el, [said]] of now) if (seen.get(el)?.[0] !== said) say(`  ${said}`);
  seen = now;
}

// Open a page. `watch` returns what else to look at after every act.
export function open(html = "", { address, watch = null } = {}) {
  mock.restoreAll();
  mock.timers.reset();
  globalThis.fetch = async (address) => say(`fetches ${address}`);
  mock.timers.enable({ apis: ["setTimeout", "setInterval", "Date"] });
  const { setTimeout: later } = globalThis;
  globalThis.setTimeout = (does, ms = 0) => later(does, ms); // the mock never calls what has no delay
  const body = page.open(html, address);
  globalThis.open = hears("opens");
  Object.assign(lab, NOTHING);
  Object.assign(lab.steps, { count: 0, unheard: false });
  for (const all of [lab.charts, lab.hands]) all.clear();
  watched = watch;
  seen = look();
  return body;
}

// Do something; a promise is waited for.
export function act(words, does) {
  say(`> ${words}`);
  const done = does();
  if (done?.then) return done.then(note);
  note();
  return done;
}
const find = (on) => (typeof on === "string" ? document.querySelector(on) : on);
export const click = (on, more) => act(`click ${typeof on === "string" ? on : line(on)}`, () => find(on).click(more));
export const hand = (type, on, more = {}) =>
  act(`${type} ${typeof on === "string" ? on : line(on)} ${written(more)}`, () => {
    find(on).dispatchEvent(page.event(type, { button: 0, buttons: 0, isPrimary: true, pointerType: "mouse", ...more }));
  });
// Keys with names as in "Shift+ArrowRight", pressed on an element; whether each was used up.
export function keys(names, on = document.body) {
  for (const name of names.split(" ")) {
    const key = name.replace("Shift+", "").replace("Space", " ");
    act(`key ${name}`, () => {
      if (!page.press(key, find(on), { shiftKey: name.startsWith("Shift+") })) say("  not used");
    });
  }
}
export const tick = (ms) => act(`${ms} ms later`, () => mock.timers.tick(ms));
export const picture = (...all) => {
  for (const ms of all) act(`a picture ${ms} ms later`, () => page.picture(ms));
};
export const event = (type, detail, more) =>
  act(`${type} ${written(detail ?? more)}`, () => window.dispatchEvent(page.event(type, { detail, ...more })));

// What is told by all stories, a text a file.
export async function everything() {
  const texts = new Map();
  for (const file of readdirSync(new URL("stories/", import.meta.url)).sort()) {
    const { stories } = await import(`./stories/${file}`),
      all = [];
    for (const [name, tell] of Object.entries(stories)) {
      lines = [];
      try {
        await tell();
      } catch (problem) {
        throw new Error(`${file}, ${name}`, { cause: problem });
      }
      all.push(`${file.replace(".js", "")}, ${name}`, ...lines);
    }
    texts.set(file.replace(".js", ""), `${all.join("\n")}\n`);
  }
  mock.timers.reset();
  return texts;
}
