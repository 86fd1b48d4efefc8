// What the pictures of the export compute.
import assert from "node:assert/strict";
import { test } from "node:test";
import { frame } from "../../assets/export/drawing.js";

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
