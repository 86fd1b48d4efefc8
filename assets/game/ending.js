// What the server says of a game, for a page without one, from the file of a world (lessons/game/scene.py): the rewards
// and the status between two questions, and after the last one places, verdict and picture. The words are those of
// lessons/game/words.py, the places those of tvbo_core/policies/human.py.
const SAME = 1e-9; // reward units: regrets closer than this are the same
const LEAST_REACH = 3.5; // the axis of rewards ends here, or beyond the largest one that was heard
const TALL = 3.5; // height of the hills, in distances between two rounds
const YOU = "You";

const threeDigits = (v) => v.toFixed(Math.abs(v) >= 100 ? 0 : Math.abs(v) >= 10 ? 1 : 2).replace("-", "−");
const short = (v) => v.toFixed(v >= 100 ? 0 : 1);
const ordinal = (n) => `${n}${([11, 12, 13].includes(n % 100) ? "" : ["", "st", "nd", "rd"][n % 10]) || "th"}`;
const placeOf = (world, arm) => (arm / (world.f[0].length - 1)).toFixed(2);

function statusOf(world, arms, heard) {
  const T = world.f.length,
    n = arms.length;
  if (n === T) return `All ${T} rounds are played.`;
  if (!n) return `Round 1 of ${T}: ask anywhere, nothing has been heard yet.`;
  const said = (t) => `${threeDigits(heard[t])} at x = ${placeOf(world, arms[t])}`,
    top = heard.indexOf(Math.max(...heard)),
    best = top === n - 1 ? "it is the best so far" : `the best, ${said(top)}, is ${n - top} rounds old`;
  return `Round ${n + 1} of ${T}: last reward ${said(n - 1)}; ${best}.`;
}

// What the stage is told before the last round.
export function message(world, arms) {
  const heard = arms.map((arm, t) => world.f[t][arm] + world.noise[t]),
    most = Math.max(0, ...heard.map(Math.abs));
  return {
    rounds: world.f.length,
    arms: world.f[0].length,
    asked: [...arms],
    heard: heard.map((y) => Number(y.toFixed(4))),
    reach: Math.max(LEAST_REACH, Math.ceil(2 * most + 0.5) / 2),
    status: statusOf(world, arms, heard),
  };
}

// Everybody by regret, the least first: one place more than there are players with less; among equals you come first.
export function standings(world, arms) {
  const mine = arms.reduce((sum, arm, t) => sum + (Math.max(...world.f[t]) - world.f[t][arm]), 0),
    all = [{ name: YOU, regret: mine, does: "" }, ...world.rivals],
    less = (one) => all.filter((other) => other.regret < one.regret - SAME).length;
  return all.map((one) => ({ ...one, place: 1 + less(one) })).sort((a, b) => a.place - b.place);
}

export function verdict(order) {
  const you = order.find((one) => one.name === YOU),
    rival = order.find((one) => one !== you),
    said = you.place > 1 ? "the best bandit" : "the next";
  return `<b>You came ${ordinal(you.place)}</b>: you paid ${threeDigits(you.regret)}, ${said}, ${rival.name}, ${threeDigits(rival.regret)}.`;
}

// The rows of the ladder: place, name, a bar of what was paid, and what a bandit does.
export function ladder(order) {
  const top = Math.max(...order.map((one) => one.regret)) || 1;
  const row = ({ name, place, regret, does }) => {
    const kind = name === YOU ? "you" : "",
      width = ((100 * regret) / top).toFixed(1);
    return `<tr${kind && ` class="${kind}"`}><td>${place}</td><th scope="row">${name}</th><td><i style="--paid:${width}"></i> ${short(regret)}</td><td class="does">${does}</td></tr>`;
  };
  return order.map(row).join("");
}

// The hill of every round below that of the round before, with your question on it (SVG).
export function hills(world, arms) {
  const [width, height, left, right, top, bottom] = [400, 340, 62, 10, 12, 24],
    T = world.f.length,
    all = world.f.flat(),
    [low, high] = [Math.min(...all), Math.max(...all)],
    tall = Math.max(TALL, T / 4),
    lift = world.f.map((row, t) => row.map((v) => ((v - low) / (high - low || 1)) * tall - t)),
    ends = [Math.max(...lift.flat()) + 0.6, Math.min(...lift.flat()) - 0.6],
    X = (arm) => (left + (arm / (world.f[0].length - 1)) * (width - left - right)).toFixed(1),
    Y = (up) => (top + ((ends[0] - up) / (ends[0] - ends[1])) * (height - top - bottom)).toFixed(1);
  const hill = (row, t) =>
    `<path class="${t && t < T - 1 ? "hill" : "hill edge"}" d="M${row.map((up, arm) => `${X(arm)} ${Y(up)}`).join("L")}"/>`;
  const mark = (arm, t) => {
    const [x, y] = [X(arm), Y(lift[t][arm])];
    return `<circle cx="${x}" cy="${y}" r="8.5"/><text class="asked" x="${x}" y="${y}" dy="0.36em">${t + 1}</text>`;
  };
  const peak = (row, t) => {
    const up = Math.max(...row),
      [x, y] = [+X(row.indexOf(up)), +Y(lift[t][row.indexOf(up)])];
    return `<path class="peak" d="M${x} ${y - 2}l-4 -7h8z"/>`;
  };
  const round = (t) =>
    `<text x="${left - 8}" y="${Y(lift[t][0])}" dy="0.36em" text-anchor="end">${t ? "" : "round "}${t + 1}</text>`;
  const tick = (arm, said) => `<text x="${X(arm)}" y="${height - 6}" text-anchor="middle">${said}</text>`;
  const alt = `You asked ${arms.map((arm, t) => `${placeOf(world, arm)} in round ${t + 1}`).join(", ")}`;
  return `<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${alt}">${lift.map(hill).join("")}${world.f.map(peak).join("")}${arms.map(mark).join("")}${[0, Math.floor(T / 3), T - 1].map(round).join("")}${tick(0, "x = 0")}${tick(world.f[0].length - 1, "1")}</svg>`;
}
