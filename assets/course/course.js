// The button of a course: Page Down, a clicker and the button do the next thing of a stop, Page Up goes back. A question
// is revealed, a film runs to its end or is brought there, and then comes the next stop; the button says which of them a
// press does now. A game that is not over is left by a second press: the first one says how many rounds are left. While a
// question is open, digits count the hands of the hall: how many there are is shown, for which answers only after the
// reveal. They are kept for who comes back to the question or loads it again, until they are counted again.

import { PAGE, TOLD } from "../player/page.js";
import { keep, kept } from "../shared/kept.js";
import { digitOf, press } from "../shared/keys.js";
import { lab } from "../shared/lab.js";
import { listen } from "../shared/listen.js";
import { mount } from "../shared/mount.js";
import { addressOf } from "../stage/films.js";

// What a press does where it does not go on; where it does, the button names the page that comes.
const SAYS = {
  finish: "To the end",
  reveal: "Show what happened",
  play: "Play",
  warn: "Skip the game …",
  guess: "Show how it moved",
};
const AHEAD = 1500; // milliseconds after which the next stop's film is fetched
const ONCE = 3000; // milliseconds after which a page that has not come may be asked for again
const LATE_PRESS = 500; // milliseconds after a film has ended by itself for which a press is still one for the film
const BOUNCE = 1000; // milliseconds after the warning of a game within which a press does not leave it: clickers bounce
const HEARD = 1500; // milliseconds for which the bar says which answer got a hand

// Hands outlast a reload of this tab. What a browser does not let us keep, what somebody has changed, and what was
// counted under another version of links, whose answers may be others, is counted anew.
const placeOf = ({ version, question }) => `tvbo-hands ${version} ${question}`;

function keptHands(data) {
  const hands = kept(placeOf(data)),
    whole = Array.isArray(hands) && hands.length === data.answers;
  return whole && hands.every((one) => Number.isInteger(one) && one >= 0) ? hands : Array(data.answers).fill(0);
}

class Course {
  constructor(root) {
    this.root = root;
    const acts = {
      onward: () => this.next(),
      back: () => this.back(),
      raised: (e) => this.count(digitOf(e), 1),
      lowered: (e) => this.count(digitOf(e), -1),
    };
    const hears = {
      keydown: (e) => press(e, acts),
      // However the answer is shown, the hands go along.
      click: (e) => this.asks && PAGE.reveal()?.contains(e.target) && this.tell(),
      "tvbo:frame": () => this.label(),
    };
    this.stop = listen(window, hears, true);
    this.button = root.querySelector('[data-do="next"]');
    this.button.onclick = () => this.next();
    root.querySelector('[data-do="back"]').onclick = () => this.back();
    this.anew = root.querySelector('[data-do="anew"]');
    this.anew.onclick = () => this.countAgain();
    // A click leaves the focus where it is: Space still plays and halts, and does not press the button again.
    root.addEventListener("mousedown", (e) => e.preventDefault());
  }

  load(data, tell) {
    if (data.reset !== this.data?.reset) {
      this.played = this.leaves = false;
      this.warned = 0; // rounds of a game that were said to be left
      this.rests = false;
      this.did = ""; // what a press did before: the film of another page does not end here
      this.hands = this.counted(data);
      this.heard = "";
    }
    this.data = data;
    this.tell = () => tell("hands", this.hands.join("."));
    this.say();
    this.label();
    this.root.querySelector('[data-do="back"]').hidden = data.begin;
    if (data.ahead) this.fetchAhead(addressOf(data.ahead, "film"));
  }

  // The film of the next stop comes once the page's own stands; the browser keeps it for good.
  async fetchAhead(address) {
    if (address === this.fetched) return;
    this.fetched = address;
    await new Promise((done) => setTimeout(done, AHEAD));
    if (lab.course === this) await fetch(address, { credentials: "same-origin" }).catch(() => {});
  }

  get asks() {
    return this.data.answers > 0;
  }

  // The hands for each answer of an open question, as they were left. Those of an answer that is shown stand in its
  // address.
  counted(data) {
    const { question, answers, hands } = data;
    if (hands.length) {
      lab.hands.set(question, hands);
      keep(placeOf(data), hands);
    }
    if (answers && !lab.hands.has(question)) lab.hands.set(question, keptHands(data));
    return answers ? lab.hands.get(question) : [];
  }

  countAgain() {
    this.hands.fill(0);
    keep(placeOf(this.data), this.hands);
    this.heard = "";
    this.say();
  }

  say() {
    const all = this.hands.reduce((a, b) => a + b, 0),
      hands = all ? ` · ${all} ${all === 1 ? "vote" : "votes"}` : "",
      left = this.warned ? ` · ${this.warned} ${this.warned === 1 ? "round" : "rounds"} left` : "";
    this.root.querySelector(".where").textContent = this.data.where + hands + this.heard + left;
    this.anew.hidden = !all;
    this.root.classList.toggle("warns", this.warned > 0);
  }

  // A hand more or less for an answer that there is; which one got it is said for a moment.
  count(answer, by) {
    if (lab.course !== this || answer > this.hands.length) return;
    const before = this.hands[answer - 1];
    this.hands[answer - 1] = Math.max(0, before + by);
    if (this.hands[answer - 1] === before) return;
    keep(placeOf(this.data), this.hands);
    this.heard = by > 0 ? ` · a vote for ${answer}` : ` · a vote less for ${answer}`;
    this.say();
    clearTimeout(this.forgets);
    this.forgets = setTimeout(() => {
      this.heard = "";
      this.say();
    }, HEARD);
  }

  // The page's player; null while that of the page before stands.
  get player() {
    return lab.player?.reset?.startsWith(this.data.scene) ? lab.player : null;
  }

  // Rounds of a game that are left; 0 where the player has yet to guess how it moved.
  get left() {
    return this.player?.ask.left ?? null;
  }

  // What a press does now. "finish", "reveal" and "play" wait for what is on its way.
  get due() {
    const { revealed, plays } = this.data,
      { player } = this;
    if (player?.clock.runs || this.rests) return "finish";
    if (this.asks || PAGE.game()) return "reveal";
    if (this.left === 0) return "guess";
    if (this.left && this.warned !== this.left) return "warn";
    if (revealed && !(player && document.documentElement.classList.contains(TOLD)))
      return (player?.truth ?? null) === null ? "finish" : "play"; // its film is on its way, or was halted
    if (plays === null || this.played) return "go";
    return this.came ? "go" : "play";
  }

  // Whether the film of a stop that plays has come to where it is going.
  get came() {
    const { player } = this;
    return !!player && player.film.n > 1 && player.t >= player.nearest(this.data.plays);
  }

  // For a moment after its end the button is still the film's, for a hand that is on its way.
  rest() {
    this.rests = true;
    setTimeout(() => {
      this.rests = false;
      this.label();
    }, LATE_PRESS);
  }

  label() {
    if (lab.course !== this) return;
    if (this.did === "finish" && this.due === "go") this.rest();
    const { due } = this;
    this.did = this.rests ? "rest" : due;
    if (this.data.plays !== null && this.came) document.documentElement.classList.add(TOLD);
    if (this.warned && this.warned !== this.left) {
      this.warned = 0; // another round is played
      this.say();
    }
    const { begin, next } = this.data,
      leads = begin ? "Begin" : this.warned ? "Skip to" : "Next",
      says = SAYS[due] ?? (next && `${leads}: ${next} ›`);
    this.button.hidden = !says;
    if (this.button.textContent !== says) this.button.textContent = says;
  }

  // What is not there yet, because the page is on its way, is not skipped: the press does nothing.
  next() {
    if (lab.course !== this) return;
    const { due, player } = this;
    if (due === "go" && this.warned && performance.now() < this.warnedAt + BOUNCE) return;
    if (due === "go") return this.data.next && this.go(PAGE.after()); // behind the last page is none
    if (due === "reveal") return PAGE.reveal()?.click();
    if (due === "guess") return PAGE.guess()?.click();
    if (due === "warn") {
      this.warned = this.left;
      this.warnedAt = performance.now();
      this.say();
      return this.label();
    }
    if (!player || player.film.n === 1) return;
    if (due === "finish") {
      this.did = ""; // by hand: no rest
      return player.clock.runs && player.finish();
    }
    this.played = true;
    player.playTo(this.data.revealed ? player.truth : player.nearest(this.data.plays));
    this.label();
  }

  back() {
    if (lab.course === this) this.go(PAGE.before());
  }

  // One press, one page: another press while that one is on its way is none.
  go(link) {
    if (!link || this.leaves) return;
    this.leaves = true;
    setTimeout(() => {
      this.leaves = false;
    }, ONCE);
    link.click();
  }

  end() {
    this.stop();
    clearTimeout(this.forgets);
  }
}

export default function mountCourse({ parentElement, data, setStateValue }) {
  return mount(parentElement.querySelector(".course"), "course", Course, data, setStateValue);
}
