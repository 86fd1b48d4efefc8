// A course in a stand-in of a learning platform: what it keeps from page to page, and when it is completed.
import assert from "node:assert/strict";
import { test } from "node:test";

let loads = 0;

class Platform {
  values = new Map([["cmi.core.lesson_status", "not attempted"]]);
  calls = [];
  LMSInitialize = () => "true";
  LMSGetValue = (name) => this.values.get(name) ?? "";
  LMSSetValue = (name, value) => this.values.set(name, value) && "true";
  LMSCommit = () => this.calls.push("commit");
  LMSFinish = () => this.calls.push("finish");
}

// Open a page of the site in a frame of the platform; returns what tells it how a bet ended.
async function open(file, platform) {
  const heard = {},
    window = { addEventListener: (name, act) => (heard[name] = act) };
  window.parent = platform ? { API: platform } : window;
  const document = { currentScript: { dataset: { last: "twenty-seen.html", bets: "drift race" } } };
  Object.assign(globalThis, { window, document, location: { pathname: `/lab/${file}` } });
  loads += 1;
  await import(`../../assets/site/scorm.js?${loads}`);
  return (lesson, right) => heard["tvbo:told"]?.({ detail: { lesson, right } });
}

test("a course scores first bets and completes", async () => {
  const platform = new Platform(),
    is = (name) => platform.values.get(`cmi.core.${name}`);
  await open("twenty.html", platform);
  assert.equal(is("lesson_status"), "incomplete");
  const drift = await open("drift.html", platform);
  drift("drift", false);
  drift("drift", true); // the first one counts
  const race = await open("race.html", platform);
  race("race", true);
  race("plane", true); // no stop of the course asks this one
  assert.deepEqual([is("score.raw"), is("score.min"), is("score.max")], ["1", "0", "2"]);
  assert.equal(is("lesson_status"), "incomplete");
  await open("twenty-seen.html", platform);
  assert.equal(is("lesson_status"), "completed");
  assert.equal(platform.calls.at(-1), "finish");
});

test("a site outside a platform is quiet", async () => {
  const told = await open("twenty.html", null);
  assert.equal(told("drift", true), undefined);
});
