// The address bar: what is written there without an entry in the history, and what Python hears of a step back.
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import address from "../../assets/address/address.js";
import { lab } from "../../assets/shared/lab.js";
import { page } from "./page.js";

beforeEach(() => {
  page.open("", "http://lab.test/Bands?V=1&embed_options=dark_theme");
  Object.assign(lab.steps, { count: 0, unheard: false });
});

test("the words replace the address, not Streamlit's", () => {
  address({ data: { back: "0", words: "V=2&t=5" } });
  assert.equal(location.search, "?embed_options=dark_theme&V=2&t=5");
});

test("an unheard step stops writing", async () => {
  await import("../../assets/address/steps.js?one");
  window.dispatchEvent(page.event("popstate"));
  assert.equal(new URLSearchParams(location.search).get("back"), "1");
  await new Promise((done) => setTimeout(done, 5));
  assert.equal(new URLSearchParams(location.search).get("back"), null);
  address({ data: { back: "0", words: "V=2" } });
  assert.match(location.search, /V=1/);
  address({ data: { back: "1", words: "V=2" } });
  assert.match(location.search, /V=2/);
});

test("a damaged link is mended before Streamlit reads", async () => {
  page.open("", "http://lab.test/Bands?V=1&amp;t=%205#x");
  await import("../../assets/address/open.js?mends");
  assert.equal(location.search + location.hash, "?V=1&t=5#x");
  assert.equal(document.body.textContent, "");
});

test("a closed sandbox names the page's own address", async () => {
  page.open("", "http://lab.test/Bands?V=1&embed=true");
  window.origin = "null";
  await import("../../assets/address/open.js?sandbox");
  delete window.origin;
  assert.match(document.body.textContent, /cannot run in this frame.*http:\/\/lab.test\/Bands\?V=1$/);
  assert.equal(document.querySelector("a").target, "_blank");
});
