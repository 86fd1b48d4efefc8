// What the server says of a game, for a page without one, from the file of a world (lessons/game/scene.py): the stage
// between two questions, and after the last one places, verdict and picture. The words are those of
// lessons/game/words.py, the places those of tvbo_core/policies/human.py.
const SAME = 1e-9; // reward units: regrets closer than this are the same
// Those of lessons/game/board.py.
const LEAST_REACH = 3.5,
  FADE = 0.92,
  FAINT = 0.28,
  NEAR_EDGE = 0.86,
  LARGER = 4;
const TALL = 3.5; // height of the hills, in distances between two rounds
const YOU = "You";

const threeDigits = (v) => v.toFixed(Math.abs(v) >= 100 ? 0 : Math.abs(v) >= 10 ? 1 : 2).replace("-", "−");
const short = (v) => v.toFixed(v >= 100 ? 0 : 1);
const ordinal = (n) => `${n}${([11, 12, 13].includes(n % 100) ? "" : ["", "st", "nd", "rd"][n % 10]) || "th"}`;
const placeOf = (world, arm) => (arm / (world.f[0].length - 1)).toFixed(2);

function statusOf(world, arms, heard) {
  const T = world.f.length,
    n = arms.length;
  if (!n) return world.rules;
  const observation = (t) => `${threeDigits(heard[t])} at x\u00a0=\u00a0${placeOf(world, arms[t])}`,
    top = heard.indexOf(Math.max(...heard)),
    best =
      top === n - 1
        ? "it is the highest so far"
        : `the highest so far, ${observation(top)}, came ${n - top} rounds ago`;
  return `Round ${n + 1} of ${T}: last observation ${observation(n - 1)}; ${best}.`;
}

// The film of a game before its last round (lessons/game/board.py), on the empty board in the colours of now.
export function film(world, arms, { data: [dots], layout }) {
  const heard = arms.map((arm, t) => world.f[t][arm] + world.noise[t]),
    places = world.f[0].length,
    last = arms.length - 1,
    reach = Math.max(LEAST_REACH, Math.ceil(2 * Math.max(0, ...heard.map(Math.abs)) + 0.5) / 2),
    said = heard.map((y, t) => (t === last ? `<b>\u00a0${y.toFixed(2).replace("-", "−")}\u00a0</b>` : ""));
  const marker = {
    ...dots.marker,
    size: arms.map((_, t) => world.marker + (t === last ? LARGER : 0)),
    opacity: arms.map((_, t) => +Math.max(FADE ** (last - t), FAINT).toFixed(2)),
  };
  const circles = {
    ...dots,
    marker,
    x: arms.map((arm) => arm / (places - 1)),
    y: heard.map((y) => Number(y.toFixed(4))),
    text: said,
    textposition: `middle ${arms[last] > NEAR_EDGE * (places - 1) ? "left" : "right"}`,
  };
  const axis = { ...layout.yaxis, range: [-reach, reach] },
    annotations = layout.annotations.slice(0, arms.length ? 1 : 2), // without the rules
    figure = { data: [circles], layout: { ...layout, yaxis: axis, annotations } },
    ask = { key: null, axes: ["x"], places, plays: null, left: world.f.length - arms.length };
  return {
    n: 1,
    charts: [{ key: "main", figure, tracks: [], pick: { ask } }],
    labels: [""],
    events: [],
    times: [arms.length],
    sentences: [statusOf(world, arms, heard)],
    said: [0],
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
    which = you.place > 1 ? "the best algorithm" : "the next";
  return `<b>You came ${ordinal(you.place)}</b>: your regret is ${threeDigits(you.regret)}; ${which}, ${rival.name}, has ${threeDigits(rival.regret)}.`;
}

// The rows of the ladder: place, name, a bar of its regret, and what a bandit does.
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
  const alt = `You queried ${arms.map((arm, t) => `${placeOf(world, arm)} in round ${t + 1}`).join(", ")}`;
  return `<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${alt}">${lift.map(hill).join("")}${world.f.map(peak).join("")}${arms.map(mark).join("")}${[0, Math.floor(T / 3), T - 1].map(round).join("")}${tick(0, "x = 0")}${tick(world.f[0].length - 1, "1")}</svg>`;
}
