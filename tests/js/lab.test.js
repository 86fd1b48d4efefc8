// The one object that the scripts share.
import assert from "node:assert/strict";
import { test } from "node:test";
import { lab } from "../../assets/shared/lab.js";

test("a chart is found by the node that Plotly draws on, and others have none", () => {
  const [node, chart] = [{}, {}];
  lab.charts.set("main", Object.assign(chart, { gd: node }));
  assert.equal(lab.chart(node), chart);
  assert.deepEqual([lab.chart({}), lab.chart(null)], [undefined, undefined]);
  lab.charts.clear();
});

test("a name that the list does not hold cannot be written", () => {
  assert.throws(() => {
    lab.paintd = 1;
  }, TypeError);
});

test("a second script of the page finds the object of the first", async () => {
  const again = await import("../../assets/shared/lab.js?second");
  assert.equal(again.lab, lab);
  assert.equal(globalThis.lab, lab);
});
