// The page of the game on a site without a server: its worlds, the stage, and how a game ended.
import { everywhere } from "../shared/everywhere.js";
import { press } from "../shared/keys.js";
import { lab } from "../shared/lab.js";
import { wordsOf, writeAddress } from "../shared/words.js";
import { hills, ladder, message, standings, verdict } from "./ending.js";
import mountGame from "./game.js";

const { worlds } = lab.site,
  at = (query) => document.querySelector(query);
let world,
  arms = [],
  tries = 0,
  leave = null; // takes the stage down

function draw() {
  const look = world.looks[document.documentElement.dataset.look],
    over = arms.length === world.f.length;
  for (const [name, value] of Object.entries(look)) at("main").style.setProperty(`--${name}`, value);
  at(".game").hidden = over;
  at(".ending").hidden = !over;
  if (!over) {
    const data = { ...message(world, arms), game: `${world.name}-${tries}`, look };
    leave = mountGame({ parentElement: at("main"), data, setStateValue: ask });
  } else if (leave) {
    leave = leave(); // undefined
    const order = standings(world, arms);
    at(".live").innerHTML = verdict(order);
    at(".ladder tbody").innerHTML = ladder(order);
    at(".hills div").innerHTML = hills(world, arms);
    at(".moved").textContent = world.moved;
    at(".settings").textContent = world.caption;
    at(".live").focus(); // the stage, which had it, is gone
  }
}

function ask(_, { n, arm }) {
  if (n !== arms.length) return;
  arms.push(arm);
  setTimeout(draw);
}

function play(next) {
  world = next;
  arms = [];
  tries += 1;
  at(".live").textContent = world.rules;
  for (const part of [".ladder tbody", ".hills div", ".moved", ".settings"]) at(part).textContent = "";
  for (const button of at("#views div").children) button.ariaPressed = String(button.value === world.key);
  draw();
}

function choose(next) {
  const words = new URLSearchParams({ moment: next.key, theme: document.documentElement.dataset.look });
  writeAddress("replaceState", `#${words}`);
  play(next);
  at(".stage").focus(); // a button that keeps it would be pressed by the next Enter
}

if (worlds.length) {
  at(".missing").remove();
  const button = (one) => {
    const made = document.createElement("button");
    return Object.assign(made, { type: "button", value: one.key, textContent: one.title, onclick: () => choose(one) });
  };
  at("#views div").replaceChildren(...worlds.map(button));
  at(".again").onclick = () => choose(world);
  at("#look").addEventListener("click", draw);
  window.addEventListener("keydown", (e) => press(e, everywhere)); // what the stage leaves, and all once it is gone
  const wanted = wordsOf(location.hash.slice(1)).get("moment");
  play(worlds.find((one) => one.key === wanted) ?? worlds[0]);
}
