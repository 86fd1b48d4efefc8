// What an animation computes before and beside its drawing.
import assert from "node:assert/strict";
import { test } from "node:test";
import { changed, chosen, durations, indexer, paletteOf } from "../../assets/export/animation.js";
import { nearestColorIndex, quantize } from "../../assets/vendor/gifenc/gifenc.js";

const sum = (numbers) => numbers.reduce((one, other) => one + other, 0);
const pixel = (r, g, b) => (255 * 2 ** 24 + (b << 16) + (g << 8) + r) >>> 0;

test("a short film is shown whole", () => {
  assert.deepEqual(chosen(1), [0]);
  assert.deepEqual(chosen(2), [0, 1]);
  for (const n of [101, 150]) assert.deepEqual(chosen(n), [...Array(n).keys()]);
});

test("a longer film shows 150 frames, evenly", () => {
  for (const n of [151, 200, 1001]) {
    const frames = chosen(n),
      steps = frames.slice(1).map((frame, i) => frame - frames[i]),
      even = (n - 1) / 149;
    assert.equal(frames.length, 150);
    assert.deepEqual([frames[0], frames.at(-1)], [0, n - 1]);
    assert.ok(steps.every((step) => step === Math.floor(even) || step === Math.ceil(even)));
  }
});

test("short films are slower, long ones fifteen seconds", () => {
  const [player, short, shortest, long] = [101, 25, 3, 1001].map((n) => durations(chosen(n)));
  assert.deepEqual([...new Set(player.slice(0, -1))], [60]);
  assert.deepEqual([...new Set(short.slice(0, -1))], [250]); // six seconds in all
  assert.deepEqual(shortest.slice(0, -1), [600, 600]);
  assert.equal(sum(long.slice(0, -1)), 15000);
  for (const all of [player, short, shortest, long]) {
    assert.equal(all.at(-1), 2000); // the last picture is read
    assert.ok(all.every((one) => one % 10 === 0 && one >= 20)); // browsers slow down what is faster
  }
});

test("pixels that stay are clear, but at first", () => {
  const one = Uint8Array.from([1, 2, 3]),
    next = Uint8Array.from([1, 5, 3]);
  assert.deepEqual([...changed(one, null, 9)], [1, 2, 3]);
  assert.deepEqual([...changed(next, one, 9)], [9, 5, 9]);
});

test("few colours stay exactly what they are", () => {
  const pixels = Uint32Array.from([
    pixel(255, 255, 255),
    pixel(255, 255, 255),
    pixel(224, 224, 224),
    pixel(17, 18, 19),
  ]);
  const palette = paletteOf(pixels, quantize);
  assert.deepEqual(palette, [
    [255, 255, 255],
    [224, 224, 224],
    [17, 18, 19],
  ]);
  assert.deepEqual([...indexer(palette, nearestColorIndex)(pixels)], [0, 0, 1, 2]);
});

test("frequent colours stay, the others are near", () => {
  const often = Array.from({ length: 100 }, (_, i) => Array(50).fill(pixel(i, 255 - i, 7))).flat(),
    seldom = Array.from({ length: 4096 }, (_, i) =>
      pixel((i % 16) * 17, (Math.floor(i / 16) % 16) * 17, (i >> 8) * 17),
    );
  const palette = paletteOf(Uint32Array.from([...often, ...seldom]), quantize),
    indices = indexer(palette, nearestColorIndex);
  assert.ok(palette.length <= 255 && palette.length > 200);
  for (const [i, at] of indices(Uint32Array.from(often)).entries())
    assert.deepEqual(palette[at], [Math.floor(i / 50), 255 - Math.floor(i / 50), 7]);
  const far = [...indices(Uint32Array.from(seldom))].map((at, i) => {
    const [r, g, b] = [seldom[i] & 255, (seldom[i] >> 8) & 255, (seldom[i] >> 16) & 255];
    return Math.hypot(palette[at][0] - r, palette[at][1] - g, palette[at][2] - b);
  });
  assert.ok(sum(far) / far.length < 40); // a cube of 255 in 127 parts: half its diagonal is 44
});
