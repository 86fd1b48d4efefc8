// Takes Streamlit's place in a file of its own: draws the charts, then mounts the player and the sentence as they are.
import mountLive from "../player/live.js";
import { mountPlayer } from "../player/player.js";
import { press } from "../shared/keys.js";
import { lab } from "../shared/lab.js";
import { Chart } from "../stage/chart.js";
import { filmIn } from "../stage/message.js";

const read = (id) => document.getElementById(id).textContent;
const page = JSON.parse(read("lab-page"));

// The film's message as it would come from the server.
function message() {
  const text = atob(read("lab-message").trim()),
    bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}

async function open() {
  await document.fonts.ready;
  for (const key of page.charts) {
    lab.charts.set(key, new Chart(document.querySelector(`.st-key-${key} .chart`), key, ""));
  }
  if (page.said) mountLive({ parentElement: document.getElementById("finding"), data: page.said });
  const spot = document.getElementById("player");
  if (spot) mountPlayer({ parentElement: spot, data: message(), setStateValue: () => {} });
  else for (const { key, figure } of (await filmIn(message())).charts) lab.charts.get(key).show(figure);
  document.documentElement.dataset.ready = "yes";
}

// N and P go to the neighbours in a lecture pack, I to its index. In a course one button does the next thing.
const to = (file) =>
  file &&
  (() => {
    location.href = file;
  });
let played = false;
function onward() {
  const { player } = lab;
  if (player?.clock.runs) return player.finish();
  if (player && page.end !== null && !played && player.t < page.end) {
    played = true;
    return player.playTo(page.end);
  }
  to(page.ways.n)?.();
}
if (page.walks) lab.course = { asks: false };
window.addEventListener(
  "keydown",
  (e) => {
    const { n, p, i } = page.ways;
    press(e, { nextPage: to(n), previousPage: to(p), index: to(i), onward, back: to(p) });
  },
  true,
);
open();
