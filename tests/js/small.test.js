// Small components: the strip of worlds, the theme of a link, the card of keys, what keys do everywhere.
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import theme from "../../assets/player/theme.js";
import { card } from "../../assets/shared/card.js";
import { everywhere } from "../../assets/shared/everywhere.js";
import mountStrip from "../../assets/strip/strip.js";
import { page } from "./page.js";

let body;
beforeEach(() => {
  body = page.open();
});

const dot = (world, more) => ({
  x: world / 10,
  row: 0,
  world,
  title: `world ${world}`,
  holds: true,
  here: false,
  ...more,
});
const STRIP = { here: "here", broken: "#c00", label: "worlds", limit: [0.5, "limit"] };

test("a strip counts, marks and opens worlds", () => {
  body.innerHTML = '<div class="strip"></div>';
  const opened = [],
    dots = [dot(3), dot(7, { holds: false }), dot(9, { here: true })];
  mountStrip({
    parentElement: body,
    data: { says: "It holds in **90** of 100", strip: { ...STRIP, dots } },
    setTriggerValue: (...said) => opened.push(said),
  });
  const list = body.querySelector(".worlds"),
    reached = () => body.querySelector(".reached").title;
  assert.equal(body.querySelector("p b").textContent, "90");
  assert.deepEqual(
    body.querySelectorAll(".fails").map((one) => one.title),
    ["world 7"],
  );
  assert.equal(reached(), "world 9");
  page.press("ArrowLeft", list);
  assert.equal(reached(), "world 7");
  page.press("Enter", list);
  page.press("Home", list);
  assert.equal(reached(), "world 3");
  assert.equal(page.press("ArrowLeft", list), false);
  body.querySelectorAll("[role=option]")[2].click();
  assert.deepEqual(opened, [
    ["world", 7],
    ["world", 9],
  ]);
});

test("a strip without dots stands alone", () => {
  body.innerHTML = '<div class="strip"></div>';
  mountStrip({ parentElement: body, data: { says: "In **1**", strip: null } });
  assert.ok(body.querySelector(".strip").classList.contains("alone"));
  assert.deepEqual(body.querySelectorAll("[role=option]"), []);
});

test("a theme reloads only another's page", () => {
  const run = (asked, background, search = "") => {
    page.open("", `http://lab.test/Bands${search}`);
    document.body.style.background = background;
    const said = [];
    theme({ data: { theme: asked }, setStateValue: (...all) => said.push(all) });
    return said.length ? "stays" : page.went[0];
  };
  assert.equal(run("dark", "rgb(14, 17, 23)"), "stays");
  assert.equal(run("light", "rgb(255, 255, 255)"), "stays");
  assert.equal(run("dark", "rgb(255, 255, 255)", "?embed_options=dark_theme"), "stays");
  assert.equal(run("dark", "rgb(255, 255, 255)"), "http://lab.test/Bands?embed_options=dark_theme");
  assert.equal(
    run("light", "rgb(14, 17, 23)", "?embed_options=dark_theme&embed_options=x"),
    "http://lab.test/Bands?embed_options=x&embed_options=light_theme",
  );
});

test("the card names every key, and closes", () => {
  card();
  const rows = body.querySelectorAll("tr").map((row) => row.children.map((one) => one.textContent.trim()));
  assert.deepEqual(rows[1], ["← →", "a step of time"]);
  assert.ok(rows.some(([keys, does]) => keys === "1–9" && does.startsWith("a prepared moment")));
  assert.ok(rows.some(([keys]) => keys === "Shift ← Shift →"));
  card();
  assert.equal(document.getElementById("tvbo-keys"), null);
});

test("the black sheet comes and goes", () => {
  everywhere.blank();
  assert.match(document.getElementById("tvbo-blank").style.background, /#000/);
  everywhere.blank();
  assert.equal(document.getElementById("tvbo-blank"), null);
});

test("a digit presses the moment of its place", () => {
  body.innerHTML = '<div class="st-key-moment"><button>a</button><button>b</button></div>';
  const pressed = [];
  for (const one of body.querySelectorAll("button")) one.onclick = () => pressed.push(one.textContent);
  for (const key of ["2", "1", "3"]) everywhere.moment({ key });
  assert.deepEqual(pressed, ["b", "a"]);
});
