// What the stage of the chase and the pictures of the export compute.
import assert from "node:assert/strict";
import { test } from "node:test";
import { clamp, lasting, mix, part } from "../../assets/chase/chase.js";
import { frame } from "../../assets/export/drawing.js";

test("a part is 0 before and 1 behind", () => {
  assert.deepEqual(
    [0, 0.4, 0.5, 0.6, 1].map((p) => part(p, 0.4, 0.6)).map((v) => Math.round(1e9 * v) / 1e9),
    [0, 0, 0.5, 1, 1],
  );
  assert.deepEqual([clamp(-1, 0, 2), clamp(3, 0, 2), mix(2, 6, 0.25)], [0, 2, 3]);
});

test("chart, headline and caption fit the picture", () => {
  for (const hall of [false, true]) {
    for (const height of [null, 120, 300, 520, 900, 1600]) {
      for (const width of [300, 700, 1200, 2400]) {
        for (const lines of [1, 2, 4]) {
          for (const heads of [0, 1, 2]) {
            const { scale, room, head, tall, wide } = frame({ layout: { width } }, { height, hall }, lines, heads);
            assert.ok(
              scale * wide <= 1920 + 1e-6 && scale * (tall + room + head) <= 1080 + 1e-6,
              `${hall} ${height} ${width} ${lines} ${heads}`,
            );
            assert.ok(tall > 0 && wide > 0 && head > 0 === heads > 0);
            if (height) assert.ok(tall <= 1.25 * height && wide <= 3.4 * height); // its labels are placed for that
          }
        }
      }
    }
  }
});

test("a run shows its first three rounds slowly", () => {
  const round = (first, begun) => [0, 1, 2, 3].reduce((sum, i) => sum + lasting(first + i, begun), 0);
  for (const begun of [0, 41]) {
    assert.deepEqual(
      [0, 4, 8].map((i) => round(begun + i, begun)),
      [2440, 2440, 2440],
    );
    for (const i of [12, 40]) assert.ok(Math.abs(round(begun + i, begun) - 600) < 1e-9);
  }
});
