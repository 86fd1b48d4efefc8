// Made-up messages for the stage of the game.

const COLOURS = { ink: "#111", soft: "#555", paper: "#fff", grid: "#eee", grey: "#777", past: "#aaa", grip: "#a0a" },
  LOOK = { ...COLOURS, tick: 14, label: 16, big: 28, line: 3, truth: 4, marker: 12, hall: false };
const GAME = { game: "g", rounds: 8, arms: 101, asked: [], heard: [], reach: 3.5, status: "Round 1 of 8", look: LOOK };

export const gameOf = (more = {}) => ({ ...GAME, ...more });
