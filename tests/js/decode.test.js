// The form of films and of messages, from bytes that are written here by hand.
import assert from "node:assert/strict";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { decode, values } from "../../assets/stage/decode.js";
import { filmIn, headOf } from "../../assets/stage/message.js";

// A film with one array at most: its head [rows, width, low, step, log], and its bytes.
function film(head, about, bytes) {
  const text = Buffer.from(JSON.stringify({ n: 2, charts: [], ...head, arrays: about ? [about] : [] })),
    size = Buffer.alloc(4);
  size.writeUInt32LE(text.length);
  return Buffer.concat([size, text, Buffer.from(bytes ?? [])]);
}

const read = (...written) => decode(new Uint8Array(film(...written)).buffer);

test("codes are sums along rows and from above", () => {
  // codes [-32500, -32499] and [-32500, -32497]: along the rows -32500, 1 and -32500, 3; then from row to row 0, 2.
  // With the sign in the lowest bit: 64999 (253, 231 low and high), 2, 0, 4.
  const [rows] = read({}, [2, 2, 10, 0.5, 0], [231, 2, 0, 4, 253, 0, 0, 0]).rows;
  assert.deepEqual(rows.map(String), ["10,10.5", "10,11.5"]);
});

test("a gap's code is no number, sums wrap", () => {
  // codes [-32768, 32500]: differences -32768 and 65268, which is -268 in 16 bits; with their signs 65535 and 535.
  const [rows] = read({}, [1, 2, 0, 1, 0], [255, 23, 255, 2]).rows;
  assert.deepEqual([...rows[0]], [Number.NaN, 65000]);
});

test("a logarithmic array holds powers of ten", () => {
  const [rows] = read({}, [1, 2, -1, 3, 1], [231, 2, 253, 0]).rows;
  assert.ok(Math.abs(rows[0][0] - 0.1) < 1e-7 && rows[0][1] === 100);
});

test("arrays stand in their place in a figure", () => {
  const data = [{ z: { array: 0, rows: true }, marker: { size: { array: 0 } }, name: "a", x: [1, null], text: null }];
  const { charts, rows } = read(
    { charts: [{ key: "main", figure: { data, layout: {} }, tracks: [] }] },
    [1, 2, 10, 0.5, 0],
    [231, 2, 253, 0],
  );
  const [trace] = charts[0].figure.data;
  assert.equal(trace.z, rows[0]);
  assert.equal(trace.marker.size, rows[0][0]);
  assert.deepEqual([trace.name, trace.x, trace.text], ["a", [1, null], null]);
});

test("a track of words shows its frame's", () => {
  const track = { texts: [["a"], ["b"]], text: [1, 0, 1] };
  assert.deepEqual(
    [0, 1, 2].map((frame) => values({}, track, frame)),
    [["b"], ["a"], ["b"]],
  );
});

test("a film that was cut off is refused", () => {
  const whole = film({}, [1, 2, 0, 1, 0], [231, 2, 253, 0]);
  for (const end of [2, 20, whole.length - 1])
    assert.throws(() => decode(new Uint8Array(whole.subarray(0, end)).buffer), `${end} bytes`);
});

test("a message is read wherever it lies", async () => {
  const text = Buffer.from(JSON.stringify({ start: 3, reset: "ν" })),
    size = Buffer.alloc(4);
  size.writeUInt32LE(text.length);
  const body = Buffer.concat([size, text, gzipSync(film({ n: 7 }))]);
  for (const before of [0, 3]) {
    const memory = new Uint8Array(before + body.length);
    memory.set(body, before);
    const message = memory.subarray(before);
    assert.deepEqual(headOf(message), { start: 3, reset: "ν" });
    assert.equal((await filmIn(message)).n, 7);
  }
});
