// The one object that the scripts share.
import assert from "node:assert/strict";
import { test } from "node:test";
import { lab } from "../../assets/shared/lab.js";

test("a chart is found by Plotly's node", () => {
  const [node, chart] = [{}, {}];
  lab.charts.set("main", Object.assign(chart, { gd: node }));
  assert.equal(lab.chart(node), chart);
  assert.deepEqual([lab.chart({}), lab.chart(null)], [undefined, undefined]);
  lab.charts.clear();
});

test("a name outside the list is refused", () => {
  assert.throws(() => {
    lab.paintd = 1;
  }, TypeError);
});

test("a second script finds the first's object", async () => {
  const again = await import("../../assets/shared/lab.js?second");
  assert.equal(again.lab, lab);
  assert.equal(globalThis.lab, lab);
});
