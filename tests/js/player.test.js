// The player's computing parts, without a page.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Grip } from "../../assets/player/grip.js";
import { Player } from "../../assets/player/player.js";
import { namesOf } from "../../assets/player/pointers.js";
import { values } from "../../assets/stage/decode.js";

const rows = (...all) => all.map((row) => Float32Array.from(row));
const value = (buffer, track, ...at) => Array.from(values({ rows: [buffer] }, { array: 0, ...track }, ...at));

test("a track glides only where its film allows", () => {
  const buffer = rows([0, 10], [4, 20], [8, 30]);
  assert.deepEqual(value(buffer, { cuts: [] }, 0, 0.5), [2, 15]);
  assert.deepEqual(value(buffer, { cuts: [0] }, 0, 0.5), [0, 10]); // cut here
  assert.deepEqual(value(buffer, {}, 0, 0.5), [0, 10]); // never on its way
  assert.deepEqual(value(buffer, { cuts: [] }, 2, 0.5), [8, 30]); // the last frame
  assert.deepEqual(value(rows([0, 1], [NaN, 2]), { cuts: [] }, 0, 0.5), [0, 1.5]); // towards a gap there is no way
});

test("tiles repeat a row", () => assert.deepEqual(value(rows([1, 2]), { tiles: 3 }, 0), [1, 2, 1, 2, 1, 2]));

test("a value lies where its axis says", () => {
  for (const log of [false, true]) {
    for (const share of [0, 0.25, 1]) {
      const at = { share, log, range: [-1, 3], length: 400 };
      assert.ok(Math.abs(Grip.prototype.pixels(at, Grip.prototype.value(at))) < 1e-9);
    }
  }
  assert.equal(Grip.prototype.value({ share: 2, range: [-1, 3] }), 3); // the axis ends there
  assert.equal(Grip.prototype.pixels({ share: 0, range: [0, 10], length: 400 }, 5), 200);
});

test("a trace names what its mark says", () => {
  assert.deepEqual(namesOf({ meta: "CMM|FST" }, 0), ["CMM", "FST"]);
  assert.deepEqual(namesOf({ meta: ["FB", "CMM"] }, 1), ["CMM"]);
  assert.deepEqual(namesOf({}, 0), []);
});

test("one sentence says why no film comes", () => {
  const spot = {},
    said = (status) => {
      Player.prototype.miss.call({ write: (words) => Object.assign(spot, { textContent: words }) }, status);
      return spot.textContent;
    };
  assert.match(said(undefined), /does not answer.*asked for again/);
  assert.match(said(503), /Many are asking/);
  assert.match(said(400), /new version: load the page anew/);
  assert.match(said(204), /no picture of this setting/);
  assert.equal(said(200), "");
});
