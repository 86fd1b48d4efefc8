// The stage of "Chase the peak": time in steps, the reader's own question, and a hill that is bent.
import { readFileSync } from "node:fs";
import mountChase from "../../../assets/chase/chase.js";
import { page } from "../page.js";
import { chaseOf } from "../plays.js";
import { act, click, hand, hears, keys, open, picture, tick } from "../reader.js";

const HTML = readFileSync(new URL("../../../assets/chase/chase.html", import.meta.url), "utf8");
const STAGE = ".stage";
let body, chase;

function mount(more = {}) {
  if (!body?.isConnected) {
    const about = ["k", "p", "playing", "goal", "turn", "aims", "bending", "moved"];
    body = open(HTML, { watch: () => Object.fromEntries(about.map((name) => [name, chase?.[name]])) });
    body.querySelector(STAGE).box = { left: 0, top: 0, width: 1200, height: 500 };
  }
  act(`the page says ${JSON.stringify(more)}`, () => {
    const send = { setStateValue: hears("sends"), setTriggerValue: hears("asks") };
    mountChase({ parentElement: body, data: chaseOf(more), ...send });
    ({ chase } = body.querySelector(".chase"));
  });
}
const anew = (more) => {
  body = chase = null;
  mount(more);
};
const show = (k) => act(`step ${k}: ${chase.state()}`, () => chase.show(k));
const played = () =>
  act("its film plays to its end", () => {
    while (chase.playing) page.picture(250);
  });
const each = (names) => {
  for (const name of names.split(" ")) {
    keys(name);
    played();
  }
};

export const stories = {
  "keys go by steps and rounds": () => {
    anew();
    each("ArrowRight PageDown ArrowLeft Shift+ArrowRight End PageDown Home");
    keys("ArrowRight"); // a second press does not wait
    picture(100);
    keys("ArrowRight");
    played();
  },
  "a step button shows its step happening": () => {
    anew();
    show(6);
    click('[data-step="3"]');
    played();
    click('[data-step="0"]');
    played();
  },
  "a film plays, ends, and begins again": () => {
    anew();
    keys("Space");
    played();
    keys("Space");
  },
  "each step takes its time": () => {
    anew();
    keys("ArrowRight"); // "choose" takes 480 milliseconds
    picture(240, 240, 1);
  },
  "less motion goes by whole steps": () => {
    anew();
    page.media = "(prefers-reduced-motion: reduce)";
    keys("Space");
    picture(250, 250, 250, 250);
  },
  "the stage is told in words": () => {
    anew();
    for (const k of [0, 7, 9]) show(k);
    mount({ unseen: true, learners: 1 });
    for (const k of [7, 8]) show(k);
  },
  "a click asks there and is paid": () => {
    anew();
    show(5);
    const clientX = chase.panels[0].X(0.5);
    for (const by of [20, 0]) {
      hand("pointerdown", STAGE, { clientX, clientY: 200 });
      hand("pointerup", STAGE, { clientX: clientX + by, clientY: 200 }); // a slide asks nothing
    }
    mount({ asked: [1], revision: "2" });
  },
  "a hidden world goes to the next turn": () => {
    anew({ unseen: true });
    show(5);
    act("a question", () => chase.ask(3));
    mount({ unseen: true, asked: [1], revision: "2" });
    act("it halts", () => chase.halt());
    show(9);
    act("a question", () => chase.ask(3));
    mount({ unseen: true, asked: [1, 2], revision: "3", score: 2 }); // the score is said
  },
  "key A aims with the arrows, Enter asks": () => {
    anew();
    keys("a");
    keys("ArrowRight Shift+ArrowRight ArrowLeft Enter", STAGE);
    keys("a");
    keys("Escape", STAGE);
    mount({ fixed: true, revision: "2" });
    keys("a"); // a game that is over
  },
  "a handle is lifted within bounds and sent": () => {
    anew();
    act("the hill is reshaped", () => chase.reshape());
    keys("ArrowUp ArrowRight", STAGE);
    tick(400);
    act("a handle is lifted far", () => chase.lift(0, 1, 99));
    keys("Escape", STAGE);
  },
  "a dragged slider's frame lies over one round": () => {
    anew();
    show(5);
    const f = chase.data.f.map((row) => row.map((v) => v / 2)),
      lies = (row) => act(`the frame of round ${row}`, () => chase.drawFrame({ stage: { row, f }, said: "s" }));
    for (const row of [0, 1]) lies(row); // time has gone on from round 0
    show(5);
    show(8);
  },
};
