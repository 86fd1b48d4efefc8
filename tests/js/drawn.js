// Draws the films of tests/js/films on canvases that write down what is painted, through the scripts that a page runs:
// chart, swipe and player. `npm run approve` writes what was drawn into tests/js/drawn; a reviewer reads the difference.
import { readdirSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { lab } from "../../assets/shared/lab.js";
import { mountChart, mountServed } from "../../assets/stage/served.js";
import { messageOf, until } from "./film.js";
import { page } from "./page.js";

const html = (name) => readFileSync(new URL(`../../assets/${name}`, import.meta.url), "utf8");
const FILMS = new URL("films/", import.meta.url);
export const CHART = '<div class="swipe"><div class="chart" role="img"></div></div><div class="dots"></div>';
export const PLAYER = html("player/player.html");
const HEIGHT = 520; // of a stage that has none of its own
const DESK = { width: 1100, height: HEIGHT },
  PHONE = { width: 390, height: HEIGHT },
  FLAT = { width: 844, height: 300 };

// The keys of a film's charts, the stage's first.
export function keysOf(packed) {
  const bytes = gunzipSync(packed),
    size = bytes.readUInt32LE(0);
  return JSON.parse(bytes.subarray(4, 4 + size)).charts.map(({ key }) => key);
}

// A page with a film: its charts at this size, and its player, which stands at the first frame.
export async function opened(name, size) {
  const packed = readFileSync(new URL(`${name}.film.gz`, FILMS)),
    keys = keysOf(packed),
    body = page.open(keys.map((key) => `<div class="st-key-${key}">${CHART}</div>`).join("") + PLAYER);
  lab.charts.clear();
  lab.now = null;
  for (const key of keys) {
    const spot = body.querySelector(`.st-key-${key}`);
    for (const part of [".swipe", ".chart"]) spot.querySelector(part).box = { left: 0, top: 0, ...size };
    mountChart({ parentElement: spot, data: messageOf({ key, alt: key, plotly: "plotly.js", revision: null }) });
  }
  const sent = [];
  const end = mountServed({
    parentElement: body,
    data: messageOf({ revision: 1, reset: `${name}:1`, start: 0, plays: null }, packed),
    setStateValue: (what, said) => sent.push([what, said]),
  });
  await until(() => lab.player?.film.charts.length);
  return { keys, body, sent, player: lab.player, end };
}

// What the charts have painted since it was asked last.
const painted = (keys) =>
  keys.flatMap((key) => {
    const { picture } = lab.charts.get(key);
    return ["below", "marks", "above"].flatMap((part) =>
      picture[part].lines().map((line) => `  ${key} ${part === "marks" ? "" : `${part} `}${line}`),
    );
  });

async function linesOf(name) {
  const found = [],
    say = (where, keys) => found.push(`${name}, ${where}`, ...painted(keys));
  const { keys, player, end } = await opened(name, DESK),
    time = () => `t = ${player.time}`;
  say(`desk, ${time()}`, keys);
  if (!name.endsWith("-dark")) {
    if (player.last > 1) {
      player.show(1);
      say(`desk, ${time()}`, keys);
      player.show(1, 0.5);
      say(`desk, half way from ${time()}`, keys.slice(0, 1));
    }
    player.show(player.last);
    say(`desk, ${time()}`, keys);
  }
  end();
  if (!name.endsWith("-opening")) return found;
  for (const [where, size] of Object.entries({ phone: PHONE, flat: FLAT })) {
    const { body, player, end } = await opened(name, size);
    painted(keys);
    player.show(1);
    say(`${where}, ${time()}`, keys.slice(0, 1));
    const swipe = body.querySelector(".swipe");
    for (const share of where === "phone" && lab.charts.get("main").panels ? [0.25, 1] : []) {
      swipe.scrollTo({ left: share * PHONE.width });
      say(
        `${where}, ${share} of a panel on, ${[...body.querySelectorAll(".dots button")].map((dot) => (dot.getAttribute("aria-current") === "true" ? `[${dot.textContent}]` : dot.textContent)).join(" ")}`,
        keys.slice(0, 1),
      );
    }
    end();
  }
  return found;
}

// Everything that is drawn, a text a lesson.
export async function everything() {
  const texts = new Map();
  for (const file of readdirSync(FILMS).sort()) {
    const name = file.replace(".film.gz", ""),
      lesson = name.split("-")[0];
    texts.set(lesson, [...(texts.get(lesson) ?? []), ...(await linesOf(name))]);
  }
  return new Map([...texts].map(([lesson, all]) => [lesson, `${all.join("\n")}\n`]));
}
