// Films and messages as the server writes them (answers/film_format.py, answers/film.py), of plain values.
import { gzipSync } from "node:zlib";

// The length of a text, the text (JSON) and what follows it.
const withText = (head, rest = new Uint8Array(), spaces = "") => {
  const text = Buffer.from(JSON.stringify(head) + spaces),
    size = Buffer.alloc(4);
  size.writeUInt32LE(text.length);
  return new Uint8Array(Buffer.concat([size, text, rest]));
};

export const messageOf = withText;

// A film whose stage, or another chart, holds one trace; a word moves in it.
export function filmOf(n, more = {}, key = "main") {
  const frames = [...Array(n).keys()],
    layout = {
      font: { family: "Sans", size: 14, color: "#111" },
      margin: { l: 60, r: 20, t: 20, b: 40 },
      xaxis: { range: [0, n - 1], domain: [0, 1], anchor: "y" },
      yaxis: { range: [0, 10], domain: [0, 1], anchor: "x" },
    },
    words = { trace: 0, attribute: "text", texts: frames.map((t) => [`word ${t}`]), text: frames };
  return withText({
    n,
    labels: frames.map((t) => `t = ${t}`),
    events: [],
    times: frames,
    sentences: frames.map((t) => `sentence ${t}`),
    said: frames,
    arrays: [],
    charts: [{ key, figure: { data: [{ mode: "text", x: [1], y: [5], meta: "CMM" }], layout }, tracks: [words] }],
    ...more,
  });
}

export const packed = (film) => new Uint8Array(gzipSync(film));

const PATIENCE = 30; // seconds; a busy machine is slow, not wrong

// Wait until something is so. The clocks of a page may be the test's own.
export async function until(claim) {
  for (const begun = process.uptime(); process.uptime() < begun + PATIENCE; ) {
    if (claim()) return;
    await new Promise((done) => setImmediate(done));
  }
  throw new Error(`it never came to this: ${claim}`);
}
