// The button of a course: Page Down, a clicker and "Next" do the next thing of a stop, Page Up goes back. A question is
// revealed, a film runs to its end or is brought there, and then comes the next stop. While a question is open, digits
// count the hands of the hall: how many there are is shown, for which answers only after the reveal.

import { PAGE, TOLD } from "../player/page.js";
import { digitOf, press } from "../shared/keys.js";
import { lab } from "../shared/lab.js";
import { addressOf } from "../stage/films.js";

const BEGIN = "Begin";
const AHEAD = 1500; // milliseconds after which the next stop's film is fetched
const ONCE = 3000; // milliseconds after which a page that has not come may be asked for again

class Course {
  constructor(root) {
    this.root = root;
    const acts = {
      onward: () => this.next(),
      back: () => this.back(),
      raised: (e) => this.count(digitOf(e), 1),
      lowered: (e) => this.count(digitOf(e), -1),
    };
    this.keys = (e) => press(e, acts);
    window.addEventListener("keydown", this.keys, true);
    // However the answer is shown, the hands go along.
    this.shows = (e) => this.asks && PAGE.reveal()?.contains(e.target) && this.tell();
    window.addEventListener("click", this.shows, true);
    root.querySelector('[data-do="back"]').onclick = () => this.back();
    root.querySelector('[data-do="next"]').onclick = () => this.next();
  }

  load(data, tell) {
    lab.course = this; // Streamlit puts a new one up before it takes the old one down
    if (data.reset !== this.data?.reset) {
      this.played = this.leaves = false;
      this.hands = Array(data.answers).fill(0);
    }
    this.data = data;
    this.tell = () => tell("hands", this.hands.join("."));
    const next = data.begin ? BEGIN : "Next";
    this.say();
    this.root.querySelector('[data-do="next"]').textContent = data.next ? `${next}: ${data.next} ›` : "";
    this.root.querySelector('[data-do="next"]').hidden = !data.next;
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

  say() {
    const all = this.hands.reduce((a, b) => a + b, 0),
      hands = all ? ` · ${all} ${all === 1 ? "hand" : "hands"}` : "";
    this.root.querySelector(".where").textContent = this.data.where + hands;
  }

  // A hand more or less for an answer that there is.
  count(answer, by) {
    if (lab.course !== this || answer > this.hands.length) return;
    this.hands[answer - 1] = Math.max(0, this.hands[answer - 1] + by);
    this.say();
  }

  // What is not there yet, because the page is on its way, is not skipped: the press does nothing.
  next() {
    if (lab.course !== this) return;
    const { revealed, plays, scene } = this.data,
      player = lab.player?.reset?.startsWith(scene) ? lab.player : null; // not the one of the page before
    if (player?.clock.runs) return player.finish();
    if (this.asks) return PAGE.reveal()?.click();
    if (revealed && !(player && document.documentElement.classList.contains(TOLD))) return;
    if (plays !== null && !this.played) {
      if (!player || player.film.n === 1) return;
      this.played = true;
      const end = player.nearest(plays);
      if (player.t < end) return player.playTo(end);
    }
    this.go(PAGE.after());
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
    window.removeEventListener("keydown", this.keys, true);
    window.removeEventListener("click", this.shows, true);
    if (lab.course === this) lab.course = null;
  }
}

export default function mountCourse({ parentElement, data, setStateValue }) {
  const root = parentElement.querySelector(".course");
  root.course ??= new Course(root);
  root.course.load(data, setStateValue);
  return () => {
    root.course?.end();
    root.course = null;
  };
}
