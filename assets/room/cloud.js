// The queries of a hall while it plays: round by round downwards, actions across, larger where more phones asked. The
// reward that they look for stays on the server.
const ROOM = 14, // pixels around the places of the queries
  DOT = 4, // least radius of a query, in pixels, and what one phone more adds to its square
  MORE = 4;

// How many phones asked at each place in each round, as "round place" -> number.
function piles(queries) {
  const found = new Map();
  for (const one of queries) {
    for (const [round, place] of one.entries()) {
      const key = `${round} ${place}`;
      found.set(key, (found.get(key) ?? 0) + 1);
    }
  }
  return found;
}

export function drawCloud(canvas, queries, { rounds, places }) {
  const sharp = window.devicePixelRatio,
    { clientWidth: width, clientHeight: height } = canvas,
    pen = canvas.getContext("2d");
  canvas.width = width * sharp;
  canvas.height = height * sharp;
  pen.scale(sharp, sharp);
  pen.fillStyle = getComputedStyle(canvas).color;
  pen.globalAlpha = 0.5;
  for (const [key, count] of piles(queries)) {
    const [round, place] = key.split(" ").map(Number);
    pen.beginPath();
    pen.arc(
      ROOM + ((width - 2 * ROOM) * place) / (places - 1),
      ROOM + ((height - 2 * ROOM) * round) / (rounds - 1),
      Math.sqrt(DOT ** 2 + MORE * (count - 1)),
      0,
      2 * Math.PI,
    );
    pen.fill();
  }
}
