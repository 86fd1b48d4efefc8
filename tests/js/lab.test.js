// The one object that the scripts share.
import assert from "node:assert/strict";
import { test } from "node:test";
import { lab } from "../../assets/shared/lab.js";

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
