// The page of the game on a site without a server: its worlds, the stage, and how a game ended. Stage and player are those
// of every page (assets/site/site.js).
import { element } from "../shared/element.js";
import { lab } from "../shared/lab.js";
import { wordsOf, writeAddress } from "../shared/words.js";
import { film, hills, ladder, standings, verdict } from "./ending.js";

const { worlds, stand, play: show } = lab.site,
  at = (query) => document.querySelector(query);
let world,
  arms = [],
  tries = 0,
  heard = null; // number of the question that was answered last

function draw() {
  const look = document.documentElement.dataset.look,
    over = arms.length === world.f.length,
    now = film(world, arms, world.boards[look]),
    name = `${world.name}-${tries}`;
  at("#stage").hidden = at("#player").hidden = over;
  at(".ending").hidden = !over;
  stand({ alt: world.alt });
  show(`${name}-${arms.length}-${look}`, now, { start: 0, reset: name, plays: null, heard }, ask);
  at(".live").innerHTML = now.sentences[0];
  if (!over) return;
  const order = standings(world, arms);
  at(".live").innerHTML = verdict(order);
  at(".ladder tbody").innerHTML = ladder(order);
  at(".hills div").innerHTML = hills(world, arms);
  at(".moved").textContent = world.moved;
  at(".settings").textContent = world.caption;
  at(".live").focus(); // the stage, which had it, is gone
}

function ask(what, { n, t, place }) {
  if (what !== "ask" || t !== arms.length) return;
  arms.push(place);
  heard = n;
  setTimeout(draw);
}

function play(next) {
  world = next;
  arms = [];
  tries += 1;
  for (const part of [".ladder tbody", ".hills div", ".moved", ".settings"]) at(part).textContent = "";
  for (const button of at("#views div").children) button.ariaPressed = String(button.value === world.key);
  lab.site.walk?.bar();
  draw();
}

function choose(next) {
  const words = new URLSearchParams({ moment: next.key, theme: document.documentElement.dataset.look });
  writeAddress("replaceState", `#${words}`);
  play(next);
  lab.charts.get("main").root.focus(); // a button that keeps it would be pressed by the next Enter
}

if (worlds.length) {
  at(".missing").remove();
  const button = (one) =>
    element("button", { type: "button", value: one.key, textContent: one.title, onclick: () => choose(one) });
  at("#views div").replaceChildren(...worlds.map(button));
  at(".again").onclick = () => choose(world);
  at("#look").addEventListener("click", draw);
  const playNamed = () => {
    const wanted = wordsOf(location.hash.slice(1)).get("moment");
    play(worlds.find((one) => one.key === wanted) ?? worlds[0]);
  };
  window.addEventListener("hashchange", playNamed); // a pack goes from world to world so
  playNamed();
}
