// The button of a course: Page Down, a clicker and "Next" do the next thing of a stop, Page Up goes back. A question is
// revealed, a film runs to its end or is brought there, and then comes the next stop.

import { PAGE } from "../player/page.js";
import { calm } from "../shared/clock.js";
import { press } from "../shared/keys.js";
import { lab } from "../shared/lab.js";

const BEGIN = "Begin";

class Course {
  constructor(root) {
    this.root = root;
    this.keys = (e) => press(e, { onward: () => this.next(), back: () => this.back() });
    window.addEventListener("keydown", this.keys, true);
    root.querySelector('[data-do="back"]').onclick = () => this.back();
    root.querySelector('[data-do="next"]').onclick = () => this.next();
  }

  load(data) {
    lab.course = this; // Streamlit puts a new one up before it takes the old one down
    if (data.reset !== this.data?.reset) this.played = false;
    this.data = data;
    const next = data.begin ? BEGIN : "Next";
    this.root.querySelector(".where").textContent = data.where;
    this.root.querySelector('[data-do="next"]').textContent = data.next ? `${next}: ${data.next} ›` : "";
    this.root.querySelector('[data-do="next"]').hidden = !data.next;
    this.root.querySelector('[data-do="back"]').hidden = data.begin;
  }

  next() {
    if (lab.course !== this) return;
    const player = lab.player;
    if (player?.clock.runs) return player.finish();
    const reveal = PAGE.reveal();
    if (reveal) return reveal.click();
    const end = player && this.data.plays !== null ? player.nearest(this.data.plays) : 0;
    if (!this.played && player && player.t < end) {
      this.played = true;
      return calm() ? player.jump(end) : player.playTo(end);
    }
    PAGE.after()?.click();
  }

  back() {
    if (lab.course === this) PAGE.before()?.click();
  }

  end() {
    window.removeEventListener("keydown", this.keys, true);
    if (lab.course === this) lab.course = null;
  }
}

export default function mountCourse({ parentElement, data }) {
  const root = parentElement.querySelector(".course");
  root.course ??= new Course(root);
  root.course.load(data);
  return () => {
    root.course?.end();
    root.course = null;
  };
}
