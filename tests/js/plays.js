// Made-up messages for the stages that play by rounds: the game's, and those of "Chase the peak".
import { messageOf } from "./film.js";

const COLOURS = { ink: "#111", soft: "#555", paper: "#fff", grid: "#eee", grey: "#777", past: "#aaa", grip: "#a0a" },
  LOOK = { ...COLOURS, tick: 14, label: 16, big: 28, line: 3, truth: 4, marker: 12, hall: false };
const GAME = { game: "g", rounds: 8, arms: 101, asked: [], heard: [], reach: 3.5, status: "Round 1 of 8", look: LOOK };

export const gameOf = (more = {}) => ({ ...GAME, ...more });

const ARMS = 21,
  LEARNERS = Object.entries({ forgets: "#c22", "keeps all": "#22c" });
const hill = (place) => Array.from({ length: ARMS }, (_, i) => 2 * Math.exp(-(((i / (ARMS - 1) - place) / 0.2) ** 2)));

// A hill that goes from 0.3 to 0.7 in as many rounds, and one learner or two that ask one arm after another.
export function chaseOf({ learners = 2, rounds = 4, ...more } = {}) {
  const numbers = [],
    curves = [],
    add = (name, who, rows) => {
      curves.push([name, who, [rows.length, rows[0].length]]);
      numbers.push(...rows.flat());
    },
    all = [...Array(rounds).keys()],
    f = all.map((r) => hill(0.3 + (0.4 * r) / (rounds - 1)));
  add("f", -1, f);
  add("shapes", -1, [hill(0.3), hill(0.7)]);
  const way = all.map((r) => [r / (rounds - 1)]),
    bump = (_, j) => hill((j + 0.5) / 6).map((v) => v / 2);
  add("way", -1, way);
  add("bend", -1, Array.from({ length: 6 }, bump));
  const who = LEARNERS.slice(0, learners).map(([name, colour], i) => {
    const arms = all.map((r) => [1 + r, 20 - r][i]),
      gap = all.map((r) => Math.max(...f[r]) - f[r][arms[r]]);
    const shifted = (by) => f.map((row) => row.map((v) => 0.8 * v + by));
    for (const [key, by] of Object.entries({ mean: 0, lower: -1, upper: 1 })) add(key, i, shifted(by));
    const weights = all.map((r) => 1 - 0.2 * r);
    add("weight", i, Array(rounds).fill(weights));
    return {
      name,
      colour,
      arms,
      choice: arms.map((arm) => (arm + 1) % ARMS),
      y: arms.map((arm, r) => f[r][arm] + 0.1),
      gap,
      paid: all.map((r) => gap.slice(0, r + 1).reduce((a, b) => a + b)),
      yours: false,
    };
  });
  const head = {
    curves,
    rounds,
    learners: who,
    look: LOOK,
    start: 0,
    reset: "chase:1",
    revision: "1",
    unseen: false,
    moves: true,
    fixed: false,
    handles: [0, 0.2, 0.4, 0.6, 0.8, 1],
    bent: [Array(6).fill(0), Array(6).fill(0)],
    unit: 0.1,
    most: 40,
    highest: 3,
    reach: 2.5,
    depth: 1.5,
    labels: all.flatMap((r) => ["believe", "choose", "ask", "pay"].map((step) => `Round ${r + 1}: ${step}`)),
    x: Array.from({ length: ARMS }, (_, i) => i / (ARMS - 1)),
    best: f.map((row) => row.indexOf(Math.max(...row))),
    asked: [],
    score: null,
    alt: "A hill",
    drag: "Drag the handles",
    odds: "In **9** of 10",
    strip: null,
    follow: null,
    ...more,
  };
  const text = JSON.stringify(head),
    spaces = " ".repeat((4 - (new TextEncoder().encode(text).length % 4)) % 4);
  return messageOf(head, new Uint8Array(Float32Array.from(numbers).buffer), spaces);
}
