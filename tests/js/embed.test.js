// What a page around the frame may say, and which keys it gets.
import assert from "node:assert/strict";
import { test } from "node:test";
import { isForDeck, read } from "../../assets/player/embed.js";
import { meaning } from "../../assets/shared/keys.js";
import { lab } from "../../assets/shared/lab.js";

const MOMENTS = ["missed", "empty"];

test("a known message says what to do", () => {
  const known = [
    [{ tvbo: "play" }, ["play", null]],
    [{ tvbo: "pause" }, ["pause", null]],
    [{ tvbo: "step" }, ["step", 1]],
    [{ tvbo: "step", by: -3 }, ["step", -3]],
    [{ tvbo: "time", t: 0 }, ["time", 0]],
    [{ tvbo: "time", t: 40 }, ["time", 40]],
    [{ tvbo: "moment", key: "empty" }, ["moment", "empty"]],
  ];
  for (const [said, asked] of known) assert.deepEqual(read(said, MOMENTS), asked, JSON.stringify(said));
});

test("an unknown message asks for nothing", () => {
  const unknown = [
    undefined,
    null,
    "play",
    7,
    [],
    {},
    { play: true },
    { tvbo: "constructor" },
    { tvbo: ["play"] },
    { tvbo: "reveal" },
    ...[0, 1.5, NaN, Infinity, "1", null, 1e9].map((by) => ({ tvbo: "step", by })),
    ...[-1, 1.5, NaN, Infinity, "40", null, undefined, 1e9].map((t) => ({ tvbo: "time", t })),
    ...["", "none", 0, null, undefined, "length", ["empty"]].map((key) => ({ tvbo: "moment", key })),
  ];
  for (const said of unknown) assert.equal(read(said, MOMENTS), null, JSON.stringify(said));
  assert.equal(read({ tvbo: "moment", key: "empty" }, []), null);
});

test("a click leaves the deck few keys", () => {
  const at = (t, more = {}) => ({ t, last: 10, ...more });
  for (const means of ["forward", "backward", "next", "previous", "play", "up", "first"])
    assert.equal(isForDeck(means, false, at(5)), true, means);
  const given = (t, more) =>
    ["forward", "next", "nextEvent", "backward", "previous", "previousEvent", "play", "last", "up", "down"].filter(
      (means) => isForDeck(means, true, at(t, more)),
    );
  assert.deepEqual(given(5), ["up", "down"]);
  assert.deepEqual(given(10), ["forward", "next", "nextEvent", "up", "down"]);
  assert.deepEqual(given(0), ["backward", "previous", "previousEvent", "up", "down"]);
  assert.equal(isForDeck("next", true, at(10, { aims: true })), false); // it chooses a place
  assert.equal(isForDeck("forward", true, null), true); // nothing moves time yet
});

test("a deck's key means nothing else, inside alone", () => {
  const press = (key) => meaning({ key, composedPath: () => [{ tagName: "BODY", getAttribute: () => null }] });
  assert.equal(press("PageDown"), "forward");
  lab.embed = { gives: (means) => means === "forward" };
  assert.deepEqual([press("PageDown"), press("PageUp"), press("Tab")], ["deck", "backward", null]);
  lab.embed = null;
});
