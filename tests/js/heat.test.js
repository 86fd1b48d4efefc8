// The heat map's lines and colours, from tables whose lines are known.
import assert from "node:assert/strict";
import test from "node:test";
import "./page.js";
import { heat } from "../../assets/stage/heat.js";
import { Pen } from "./pen.js";

const PLACES = Float32Array.of(0, 10, 20);
const contourLines = (z, contours) => {
  const pen = new Pen({ width: 20, height: 20 }),
    look = {
      zmin: 0,
      zmax: 2,
      colorscale: [
        [0, "rgb(0, 0, 0)"],
        [1, "rgb(200, 0, 0)"],
      ],
      line: { width: 1, color: "#fff" },
    };
  const shown = [];
  pen.lineTo = (x, y) => shown.push([...pen.from, x, y].map(Math.round));
  pen.moveTo = (x, y) => {
    pen.from = [x, y];
  };
  heat(pen, { z, contours, ...look }, PLACES, PLACES.slice().reverse());
  return shown;
};

test("a slope has upright lines at its heights", () => {
  const slope = [0, 1, 2].map(() => [0, 1, 2]);
  const found = contourLines(slope, { start: 0.5, end: 1.5, size: 1 });
  assert.deepEqual(found.map(([x, , to]) => [x, to]).sort(), [
    [15, 15],
    [15, 15],
    [5, 5],
    [5, 5],
  ]);
});

test("flat tables have no lines", () => {
  assert.deepEqual(
    contourLines(
      [
        [1, 1, 1],
        [1, 1, 1],
        [1, 1, 1],
      ],
      { start: 0.5, end: 1.5, size: 0.5 },
    ),
    [],
  );
});

test("a single peak has one closed line", () => {
  const found = contourLines(
    [
      [0, 0, 0],
      [0, 2, 0],
      [0, 0, 0],
    ],
    { start: 1, end: 1, size: 1 },
  );
  const ends = found.flatMap(([a, b, c, d]) => [`${a},${b}`, `${c},${d}`]).sort();
  assert.deepEqual(ends, ["10,15", "10,15", "10,5", "10,5", "15,10", "15,10", "5,10", "5,10"]);
});
