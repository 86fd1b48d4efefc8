// A phone in a room, and the wall that counts the phones.
import { readFileSync } from "node:fs";
import { mock } from "node:test";
import mountRoom from "../../../assets/room/wall.js";
import { lab } from "../../../assets/shared/lab.js";
import { act, click, event, keys, open, say } from "../reader.js";

const html = (name) => readFileSync(new URL(`../../../assets/room/${name}.html`, import.meta.url), "utf8");
const BET = { state: "open", wait: 700, id: 4, v: "a", question: "Which?", options: ["One", "Two"], about: ["", "so"] };
const TOLD = { ...BET, state: "told", v: "c", right: [1], sentence: "It is two.", counts: [1, 2] };
let number = 0;

// What the server says next: status and body each; nothing is a lost connection.
function serves(...said) {
  globalThis.fetch = async (address, { method = "GET" } = {}) => {
    say(`${method} ${address}`);
    const [status, body] = said.shift() ?? [];
    if (!status) throw new TypeError("no connection");
    return { status, json: async () => body, text: async () => body };
  };
}
const soon = () => new Promise((done) => setImmediate(done));
const later = (ms) =>
  act(`${ms} ms later`, async () => {
    mock.timers.tick(ms);
    await soon();
  });
async function phone(...said) {
  open(/<body>([\s\S]*)<noscript>/.exec(html("phone"))[1], { address: "http://lab.test/r/abcde" });
  serves(...said);
  await act("the page opens", async () => {
    await import(`../../../assets/room/phone.js?${number++}`);
    await soon();
  });
}
async function tap(choice) {
  click(document.querySelectorAll("#answers button")[choice]);
  await act("a moment later", soon);
}
const DATA = { path: "r/ABCDE", code: "ABCDE", link: "lab.test/r/ABCDE", qr: "<svg/>", reset: "", seen: true };
async function wall(data, ...said) {
  serves(...said);
  await act(`the wall is told ${JSON.stringify(data)}`, async () => {
    mountRoom({ parentElement: document.body, data: { ...DATA, asks: false, reveals: false, ...data } });
    await soon();
  });
}

export const stories = {
  "a phone answers, changes its mind, and is told": async () => {
    await phone(
      [200, { state: "waiting", wait: 700, v: "0" }],
      [200, { ...BET, mine: null }],
      [204],
      [204],
      [200, { ...BET, state: "shut", v: "b", mine: 1 }],
      [200, { ...TOLD, mine: 1 }],
      [200, { state: "waiting", wait: 700, v: "d" }],
    );
    await later(700);
    await tap(0);
    await tap(1);
    for (let i = 0; i < 3; i++) await later(700);
  },
  "a reloaded phone has its answer, and sends another": async () => {
    await phone([200, { ...BET, ranks: true, mine: 1 }], [], [204], [409, "The answers are closed."]);
    await tap(0);
    serves([204], [204]);
    await later(2000);
    serves([409, "The answers are closed."]);
    await tap(1);
  },
  "a proxy's 502 or 503 is no refusal": async () => {
    await phone([502, "<h1>Bad Gateway</h1>"], [200, { ...BET, mine: null }], [503, "busy"], [204], [204]);
    await later(2000);
    await tap(0);
    await later(2000);
  },
  "a phone that did not answer, a lost room": async () => {
    await phone([200, { ...TOLD, mine: null }], [], [204], [409, "There is no such room."]);
    await later(700);
    await later(2000);
    await later(700);
  },
  "the wall counts, shows the code, tells the phones": async () => {
    open(html("wall"));
    await wall({}, [200, { phones: 1, answered: 0 }]);
    keys("q q");
    await wall({ reset: "race", asks: true }, [200, { phones: 30, answered: 12 }], [], [409, "Only the browser"]);
    await later(1000);
    await later(1000);
    await wall({ reset: "race:", reveals: true, seen: false });
    document.documentElement.classList.add("tvbo-told");
    serves([], [204]);
    await later(1000);
    await later(1000);
    await later(1000);
    event("keydown", null, { key: "x" });
    say(lab.room ? "a room is open" : "no room is open");
    document.documentElement.classList.remove("tvbo-told");
  },
};
