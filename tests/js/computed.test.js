// What the scripts compute: bytes of films, frames and colours of animations, sizes, by another way.
import assert from "node:assert/strict";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { changed, durations, frameNumbers, indexer, paletteOf } from "../../assets/export/animation.js";
import { frame } from "../../assets/export/drawing.js";
import { withQuery } from "../../assets/player/ask.js";
import { ROWS } from "../../assets/shared/card.js";
import { KEYS } from "../../assets/shared/keys.js";
import { lab } from "../../assets/shared/lab.js";
import { decode, shownAt, values } from "../../assets/stage/decode.js";
import { filmIn, headOf } from "../../assets/stage/message.js";
import { nearestColorIndex, quantize } from "../../assets/vendor/gifenc/gifenc.js";

const sum = (numbers) => numbers.reduce((one, other) => one + other, 0);

// ------------------------------------------------------------------ films and messages, written here byte by byte
function sized(head, rest = []) {
  const text = Buffer.from(JSON.stringify(head)),
    size = Buffer.alloc(4);
  size.writeUInt32LE(text.length);
  return Buffer.concat([size, text, Buffer.from(rest)]);
}
// A film with one array at most: its head [rows, width, low, step, log], and its bytes.
const film = (head, about, bytes) => sized({ n: 2, charts: [], ...head, arrays: about ? [about] : [] }, bytes);
const read = (...written) => decode(new Uint8Array(film(...written)).buffer);

test("codes are sums along rows and from above", () => {
  // codes [-32500, -32499] and [-32500, -32497]: along the rows -32500, 1 and -32500, 3; then from row to row 0, 2.
  // With the sign in the lowest bit: 64999 (253, 231 low and high), 2, 0, 4.
  assert.deepEqual(read({}, [2, 2, 10, 0.5, 0], [231, 2, 0, 4, 253, 0, 0, 0]).rows[0].map(String), [
    "10,10.5",
    "10,11.5",
  ]);
  // A gap's code -32768, then 32500: differences -32768 and 65268, which is -268 in 16 bits; signed 65535 and 535.
  assert.deepEqual([...read({}, [1, 2, 0, 1, 0], [255, 23, 255, 2]).rows[0][0]], [Number.NaN, 65000]);
  const [[[tenth, hundred]]] = read({}, [1, 2, -1, 3, 1], [231, 2, 253, 0]).rows; // powers of ten
  assert.ok(Math.abs(tenth - 0.1) < 1e-7 && hundred === 100);
});

test("a film that was cut off is refused", () => {
  const whole = film({}, [1, 2, 0, 1, 0], [231, 2, 253, 0]);
  for (const end of [2, 20, whole.length - 1])
    assert.throws(() => decode(new Uint8Array(whole.subarray(0, end)).buffer), `${end} bytes`);
});

test("a message is read wherever it lies", async () => {
  const body = sized({ start: 3, reset: "ν" }, gzipSync(film({ n: 7 })));
  for (const before of [0, 3]) {
    const memory = new Uint8Array(before + body.length);
    memory.set(body, before);
    assert.deepEqual(headOf(memory.subarray(before)), { start: 3, reset: "ν" });
    assert.equal((await filmIn(memory.subarray(before))).n, 7);
  }
});

test("a question drops those of later rounds", () => {
  // Rounds are counted by how long their steps last: a film need not name them.
  const film = (steps) => ({ rounds: { steps: [], lasting: Array(steps).fill(600) } });
  assert.equal(withQuery("none", film(1), { t: 2, place: 40 }), "2-40");
  assert.equal(withQuery("3-4_7-1_9-2", film(4), { t: 4 * 7 + 2, place: 100 }), "3-4_7-100");
});

test("a track glides only where its film allows", () => {
  const rows = (...all) => ({ rows: [all.map((row) => Float32Array.from(row))] }),
    buffer = rows([0, 10], [4, 20], [8, 30]),
    value = (film, track, ...at) => [...values(film, { array: 0, ...track }, ...at)];
  assert.deepEqual(value(buffer, { cuts: [] }, 0, 0.5), [2, 15]);
  for (const track of [{ cuts: [0] }, {}]) assert.deepEqual(value(buffer, track, 0, 0.5), [0, 10]);
  assert.deepEqual(value(buffer, { cuts: [] }, 2, 0.5), [8, 30]); // the last frame
  assert.deepEqual(value(rows([0, 1], [Number.NaN, 2]), { cuts: [] }, 0, 0.5), [0, 1.5]); // no way towards a gap
});

test("rows, opacities and words at rest are shown", () => {
  const part = (attribute, more) => ({ figure: { data: [{}] }, tracks: [{ trace: 0, attribute, array: 0, ...more }] }),
    rounds = (frame, way) =>
      shownAt({ rows: [[[0], [1], [2], [3]]] }, part("y", { between: 1, cuts: [] }), frame, way).get(0).y[0];
  assert.deepEqual([rounds(0), rounds(1), rounds(0, 0.5), rounds(0, 0.25)], [1, 3, 2, 1.5]);
  const film = { rows: [[[0.2], [0.4]]] },
    dim = part("marker.opacity", { cuts: [] });
  dim.figure.data = [{ marker: { size: 3 } }, { legendgroup: "rest" }];
  assert.deepEqual(shownAt(film, dim, 1), new Map([[0, { marker: { size: 3, opacity: [0.4] } }]]));
  assert.deepEqual(shownAt(film, dim, 0, 0.5).get(1), { visible: false });
});

// ------------------------------------------------------------------ animations
const pixel = (r, g, b) => (255 * 2 ** 24 + (b << 16) + (g << 8) + r) >>> 0;

test("short films are whole, longer ones even", () => {
  for (const n of [1, 2, 101, 150]) assert.deepEqual(frameNumbers(n), [...Array(n).keys()]);
  for (const n of [151, 200, 1001]) {
    const frames = frameNumbers(n),
      even = (n - 1) / 149;
    assert.deepEqual([frames.length, frames[0], frames.at(-1)], [150, 0, n - 1]);
    for (const [i, at] of frames.slice(1).entries()) assert.ok(Math.abs(at - frames[i] - even) < 1);
  }
});

test("short films are slower, long ones fifteen seconds", () => {
  const all = [101, 25, 3, 1001].map((n) => durations(frameNumbers(n)));
  assert.deepEqual(all.map((one) => one[0]).slice(0, 3), [60, 250, 600]); // 25 frames take six seconds
  assert.equal(sum(all[3].slice(0, -1)), 15000);
  for (const one of all) {
    assert.equal(one.at(-1), 2000); // the last picture is read
    assert.ok(one.every((ms) => ms % 10 === 0 && ms >= 20)); // browsers slow down what is faster
  }
});

test("pixels that stay are clear, but at first", () => {
  assert.deepEqual([...changed(Uint8Array.from([1, 2, 3]), null, 9)], [1, 2, 3]);
  assert.deepEqual([...changed(Uint8Array.from([1, 5, 3]), Uint8Array.from([1, 2, 3]), 9)], [9, 5, 9]);
});

test("frequent colours stay, the others are near", () => {
  const often = Array.from({ length: 100 }, (_, i) => Array(50).fill(pixel(i, 255 - i, 7))).flat(),
    cube = (i) => [i % 16, (i >> 4) % 16, i >> 8].map((one) => 17 * one),
    seldom = Array.from({ length: 4096 }, (_, i) => pixel(...cube(i)));
  const palette = paletteOf(Uint32Array.from([...often, ...seldom]), quantize),
    shown = (pixels) => [...indexer(palette, nearestColorIndex)(Uint32Array.from(pixels))].map((at) => palette[at]);
  assert.ok(palette.length <= 255);
  for (const [i, colour] of shown(often).entries())
    assert.deepEqual(colour, [Math.floor(i / 50), 255 - Math.floor(i / 50), 7]);
  const far = shown(seldom).map((colour, i) => Math.hypot(...colour.map((one, j) => one - cube(i)[j])));
  assert.ok(sum(far) / far.length < 40); // a cube of 255 in 127 parts: half its diagonal is 44
});

test("chart, headline and caption fit the picture", () => {
  const all = [null, 120, 300, 520, 900, 1600].flatMap((height) =>
    [300, 700, 1200, 2400].flatMap((width) =>
      [1, 2, 4].flatMap((lines) => [0, 1, 2].map((heads) => ({ height, width, lines, heads }))),
    ),
  );
  for (const [hall, near] of [false, true].flatMap((one) => [1, 1.25].map((other) => [one, other])))
    for (const { height, width, lines, heads } of all) {
      const { scale, room, head, tall, wide } = frame({ layout: { width } }, { height, hall, near }, lines, heads);
      assert.ok(scale * wide <= 1920 + 1e-6 && scale * (tall + room + head) <= 1080 + 1e-6, `${height} ${width}`);
      assert.ok(tall > 0 && wide > 0 && head > 0 === heads > 0);
      if (height) assert.ok(tall <= 1.25 * height && wide <= 3.4 * height); // its labels are placed for that
    }
});

// ------------------------------------------------------------------ what all scripts share
test("the card has every meaning once", () => {
  const told = ROWS.flatMap(([meanings]) => meanings),
    elsewhere = ["up", "down", "enter", "aim", "nextPage", "previousPage", "index"]; // on one stage, or in a pack
  assert.deepEqual([...told, ...elsewhere].sort(), Object.keys(KEYS).sort());
});

test("all scripts share one object of listed names", async () => {
  assert.throws(() => {
    lab.paintd = 1;
  }, TypeError);
  assert.equal((await import("../../assets/shared/lab.js?second")).lab, lab);
});
