// The player on a page: keys, buttons, clock, bets, clicks, the sentence and what Python hears.
import mountLive from "../../../assets/player/live.js";
import { PAGE } from "../../../assets/player/page.js";
import { pointed } from "../../../assets/player/pointers.js";
import { lab } from "../../../assets/shared/lab.js";
import { mountChart, mountServed } from "../../../assets/stage/served.js";
import { CHART, PLAYER } from "../drawn.js";
import { filmOf, messageOf, packed, until } from "../film.js";
import { page } from "../page.js";
import { act, event, hand, hears, keys, open, picture, say, tick } from "../reader.js";

const CALM = "(prefers-reduced-motion: reduce)";
const FILM = filmOf(50, { events: [10, 20] });
let body,
  end,
  revision = 0;

function look() {
  const { player } = lab,
    chart = lab.charts.get("main");
  return {
    t: player?.t,
    runs: player?.clock.runs,
    ends: player?.ends,
    aims: player?.aims,
    sent: player?.ask?.sent,
    waiting: player?.ask?.waiting,
    drawn: chart?.frame,
    word: chart?.figure && chart.data[0].text,
  };
}
const tell = (head = {}, film = FILM, done = () => lab.player.name === revision) =>
  act(`Python says ${JSON.stringify(head)}`, async () => {
    const all = { revision: ++revision, reset: "bands:1", start: 3, plays: null, ...head };
    end = mountServed({ parentElement: body, data: messageOf(all, packed(film)), setStateValue: hears("sends") });
    await until(done);
  });
const load = (head, film) => tell(head, film);
function begin(head, film) {
  body = open(`<h1>?</h1><div class="st-key-main">${CHART}</div>${PLAYER}`, { watch: look });
  const spot = body.querySelector(".st-key-main");
  for (const part of spot.querySelectorAll(".swipe, .chart")) part.box = { left: 0, top: 0, width: 1000, height: 500 };
  mountChart({ parentElement: spot, data: messageOf({ key: "main", alt: "a", plotly: "p.js", revision: null }) });
  return load(head, film);
}
const show = (t) => act(`frame ${t} is shown`, () => lab.player.show(t));
// A film of ten rounds with two steps, whose stage means this to a hand; its panel is 920 x 440 from (60, 20).
const ROUNDS = { steps: ["<b>Ask</b>", "<b>Pay</b>"], lasting: [300, 500], slow: 2, brisk: 400 },
  ASK = { key: "asked", axes: ["x"], places: 11, plays: [2, 3] },
  HANDLES = { start: { axes: ["y"], x: [0, 19], y: [4, 6], numbers: [0, 2], unit: 0.5, most: 5, still: "drawn" } };
let film, question;
async function rounds(pick = {}, code = "none") {
  film = JSON.parse(Buffer.from(filmOf(20, { rounds: ROUNDS }).subarray(4)).toString());
  film.charts[0].pick = pick;
  const query = Object.entries({ r: "1", asked: code, start: "0_2" });
  question = { lesson: "chase", query, knobs: {} };
  await begin({ reset: "chase:1", heard: null, question }, messageOf(film));
  globalThis.fetch = async (address) => {
    say(`  fetch ${address}`);
    return new Response(messageOf({ ...film, ...(address.startsWith("frame/") ? { said: null, kept: [] } : {}) }));
  };
}
const mouse = (type, x, y) => hand(`pointer${type}`, ".chart", { clientX: 60 + 920 * x, clientY: 20 + 440 * (1 - y) });
const clicked = (x, to = x, y = 0.6) => {
  mouse("down", x, y);
  mouse("up", to, y);
};
const comes = () => act("its answer comes", () => until(() => lab.player.clock.runs));
const playOn = () => {
  while (lab.player.clock.runs) picture(100);
};
const heading = (html) =>
  act("its heading is another", () => {
    body.querySelector("h1").innerHTML = html;
  });

export const stories = {
  "every key moves time as the card says": async () => {
    await begin();
    keys(
      "ArrowRight PageDown ArrowLeft PageUp Shift+ArrowRight Shift+ArrowRight Shift+ArrowLeft End PageDown Home PageUp",
    );
  },
  "a frame takes sixty milliseconds at speed one": async () => {
    await begin({ start: 0 });
    keys("Space");
    picture(60, 59, 1);
    act("twice as fast", () => {
      lab.player.rate.value = "2";
      lab.player.rate.onchange();
    });
    picture(60, 15); // half way on
    keys("Space"); // a pause stands on a computed frame
  },
  "a film that plays skips no event": async () => {
    await begin({ start: 8 });
    keys("Space");
    picture(250, 250);
  },
  "a tab out of sight stands still": async () => {
    await begin({ start: 0 });
    keys("Space");
    picture(16, 60_000, 16);
  },
  "an ended film plays from its beginning": async () => {
    await begin({ start: 48 });
    keys("Space");
    picture(200, 16);
    keys("Space");
  },
  "a step tells Python once, after it rests": async () => {
    await begin();
    keys("ArrowRight ArrowRight ArrowRight");
    tick(349);
    tick(1);
    lab.course = {};
    keys("ArrowRight");
    tick(400); // in a course the address is the stop
  },
  "a film played to a frame stops there": async () => {
    await begin();
    act("to 6", () => lab.player.playTo(6));
    picture(60, 60, 60, 60, 60);
    act("to 8", () => lab.player.playTo(8));
    for (const words of ["it is finished", "it is played and finished"])
      act(words, () => {
        if (!lab.player.clock.runs) lab.player.play();
        lab.player.finish();
      });
  },
  "less motion jumps where a film would play": async () => {
    await begin();
    page.media = CALM;
    keys("Space");
    act("to 30", () => lab.player.playTo(30));
  },
  "a bet is told at its frame": async () => {
    await begin({ start: 4, plays: 9 });
    picture(60, 60, 60, 60, 60, 60);
    await load({ start: 0, reset: "bands:2" });
  },
  "a paused bet is not told": async () => {
    await begin({ start: 4, plays: 9 });
    picture(60);
    keys("Space End");
  },
  "the same moment keeps the time": async () => {
    await begin();
    show(7);
    await load();
    await load({}, filmOf(5)); // the film is shorter
    await load({ start: 1, reset: "bands:2" });
  },
  "a player put up anew goes on": async () => {
    await begin();
    show(7);
    const old = lab.player;
    act("it goes", end);
    await load();
    say(`another: ${lab.player !== old}, the old one leads: ${old.leads}`);
    act("it goes", end);
    keys("ArrowRight");
  },
  "the slider of time halts, shows and tells": async () => {
    await begin();
    act("it plays", () => lab.player.play());
    act("dragged to 12.4", () => {
      lab.player.bar.value = "12.4";
      lab.player.bar.oninput();
    });
    act("let go", () => lab.player.bar.onchange());
  },
  "a click on a chart goes there": async () => {
    const text = JSON.parse(Buffer.from(FILM.subarray(4)).toString());
    text.charts[0].pick = { t: "x", x: "y", along: [], knobs: {} };
    await begin({}, messageOf(text));
    const chart = lab.charts.get("main"),
      point = (x, y) =>
        act(`a click at ${x}, ${y}`, () =>
          chart.heard.find(([name]) => name === "plotly_click")[1]({ points: [{ x, y }] }),
        ),
      slide = (to) => {
        hand("pointerdown", ".chart", { clientX: 0, clientY: 0 });
        hand("pointerup", ".chart", { clientX: to, clientY: 0 });
      };
    lab.player.grip.dropped = Number.NEGATIVE_INFINITY;
    point(30.2, 0.7);
    slide(30);
    point(10, 0.1); // the end of a swipe
    lab.player.grip.dropped = performance.now();
    slide(0);
    point(10, 0.1); // the end of a drag
  },
  "key D opens the bet, then answers": async () => {
    await begin();
    heading('<div class="st-key-bet_open"><button>bet</button></div>');
    PAGE.bet().onclick = hears("the bet opens");
    keys("d");
    heading('<div class="st-key-bet_pick"><button>a</button></div>');
    keys("d");
  },
  "key Q shows and hides the code": async () => {
    await begin();
    keys("q"); // no link here: nothing opens
    const link = "<details><summary>Link</summary><code>http://lab.test/Bands?V=1</code></details>";
    heading(`<div class="st-key-drawer_link">${link}</div><div class="st-key-qr"><img src="code.png"></div>`);
    const drawer = body.querySelector("details");
    PAGE.link().onclick = () => {
      drawer.open = !drawer.open;
    };
    keys("q Escape");
  },
  "the sentence follows its own moment alone": async () => {
    await begin();
    heading('<div class="live"></div>');
    const data = { sentences: ["own"], index: [0], start: 0, reset: "bands:1" };
    let stop;
    act("its sentence comes", () => {
      stop = mountLive({ parentElement: body, data });
    });
    show(5);
    tick(500);
    event("tvbo:said", { reset: "bands:1", html: "dragged" });
    event("tvbo:said", { reset: "bands:2", html: "another" });
    event("tvbo:frame", { reset: "bands:2", t: 1, html: "another" });
    act("it goes", () => stop());
    show(6);
  },
  "words and marks light each other": async () => {
    await begin();
    heading('<div class="live"></div>');
    const chart = lab.charts.get("main"),
      lit = () => say(`  opacity ${JSON.stringify(chart.data.map(({ opacity }) => opacity ?? null))}`);
    const traces = [{ meta: "CMM|band" }, { meta: "FST", opacity: 0.8 }, {}].map((one) => ({ x: [], y: [], ...one }));
    chart.show({ data: traces, layout: chart.figure.layout });
    const words = 'The <a class="term" href="#term-band">band</a> CMM is <b>FST</b>, not R-FST.';
    mountLive({ parentElement: body, data: { sentences: [words], index: [0], start: 0, reset: "bands:9" } });
    for (const [type, on] of [
      ["pointerover", "b .points"],
      ["pointerleave", ".live"],
      ["focusin", "a.term"],
      ["focusout", ".live"],
    ]) {
      hand(type, on);
      lit();
    }
    const finger = { pointerType: "touch" };
    hand("pointerover", "b .points", finger);
    hand("pointerdown", "b .points", finger);
    for (const ms of [499, 1]) {
      tick(ms);
      lit();
    }
    hand("pointerup", "b .points", finger);
    lit();
    keys("ArrowRight", "a.term");
    for (const key of ["ArrowRight", "ArrowRight", "ArrowLeft"]) keys(key, document.activeElement);
    for (const [sentence, names] of [
      ["<b>GP-UCB</b> passes R-GP-UCB; <span class='GP-UCB'>GP-UCBs</span>, GP-UCB.", ["gp-ucb"]],
      ["At m\u00a0=\u00a040 &amp; with “+” the Regret", ["m = 40", "regret", "amp", "with “+”", "+"]],
    ])
      say(`pointed: ${pointed(sentence, names)}`);
  },
  "a run shows its first rounds slowly": async () => {
    await rounds();
    for (const begun of [0, 7]) {
      lab.player.begun = begun;
      say(`from ${begun}: ${[0, 1, 2, 3, 4, 5].map((i) => lab.player.lasting(begun + i))}`);
    }
  },
  "a step is seen happening, and named": async () => {
    await rounds();
    keys("ArrowRight");
    playOn();
    act("its second step", () => body.querySelectorAll(".steps button")[1].click());
    playOn();
    keys("ArrowRight");
    picture(50);
    keys("ArrowRight"); // a second press does not wait
    playOn();
    keys("Space"); // it plays through
    picture(100);
  },
  "a click asks there and plays its answer": async () => {
    await rounds({ ask: ASK }, "0-4_3-1"); // later rounds are played again
    mouse("move", 0.3, 0.6);
    clicked(0.3, 0.302);
    await comes();
    const { n: heard } = lab.player.ask.sent;
    await tell({ reset: "chase:1", heard: null, question }, messageOf(film), () => true); // said before the question
    playOn();
    await load({ reset: "chase:1", heard, question }, messageOf(film)); // it is not seen twice
  },
  "slides and clicks outside ask nothing": async () => {
    await rounds({ ask: ASK });
    clicked(0.3, 0.35);
    clicked(-0.04);
    clicked(0.3, 0.3, 1.2);
    await rounds(); // a film without questions takes none
    keys("a");
    clicked(0.3);
  },
  "a question waits, and is sent again": async () => {
    await rounds({ ask: ASK });
    clicked(0.3);
    clicked(0.5);
    await act("it is sent", () => until(() => lab.player.ask.sent));
    tick(4000);
    const { n: heard } = lab.player.ask.sent,
      query = Object.entries({ r: "1", asked: "0-3", start: "0_2" });
    const next = () => lab.player.ask.sent?.seen; // the second one's answer
    await tell({ reset: "chase:1", heard, question: { ...question, query } }, messageOf(film), next);
  },
  "keys choose a place and ask there": async () => {
    await rounds({ ask: ASK });
    keys("a");
    keys("Escape", ".chart");
    keys("a");
    keys("ArrowRight Shift+ArrowLeft ArrowRight Enter", ".chart");
    await comes();
  },
  "hands and keys move one number": async () => {
    await rounds({ handles: HANDLES });
    for (const [type, y] of Object.entries({ down: 0.4, move: 0.51, up: 0.51 })) mouse(type, 0, y);
    for (const [type, y] of Object.entries({ down: 0.4, move: 9.9, up: 9.9 })) mouse(type, 0, y); // at most
    say(`still: ${lab.player.grip.bent(lab.charts.get("main"), { key: "start", number: 1 }, 5)}`);
    act("focus", () => body.querySelector(".chart").focus());
    keys("ArrowRight ArrowUp Shift+ArrowDown", ".chart");
    tick(1000);
  },
};
