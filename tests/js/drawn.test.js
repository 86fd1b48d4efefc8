// What the stage draws is what was approved.
import assert from "node:assert/strict";
import { test } from "node:test";
import { differences, sameAsApproved } from "./baseline.js";
import { everything } from "./drawn.js";

test("films are drawn as they were approved", async () => sameAsApproved("drawn", await everything()));

test("a difference is one sentence", () => {
  const before =
      "drift, t = 1\n  main line #111 2 px: 5 points @1.0,2.0\n  main fill #fff\ndrift, t = 2\n  main fill #111\n",
    now = before.replace("2 px", "3 px").replace("drift, t = 2", "drift, t = 3");
  assert.deepEqual(differences(before, now), [
    "drift, t = 1: main line #111: 2 became 3",
    "drift, t = 2: is gone",
    "drift, t = 3: is new",
  ]);
});

test("a place may round another way, nothing else", () => {
  const differ = (one, other) => differences(`a\n  ${one}\n`, `a\n  ${other}\n`).length;
  assert.equal(differ("text “2.1” @1.0,2.0", "text “2.1” @1.1,2.0"), 0);
  for (const other of ["text “2.1” @1.2,2.0", "text “2.2” @1.0,2.0", "text “2.1”"])
    assert.equal(differ("text “2.1” @1.0,2.0", other), 1);
});
