// Runs that a page waits for, played by the browser's own Python: how long about, a bar, and a button that ends them.
import { element } from "../shared/element.js";

const SLOWER = 3; // than the core for which seconds are counted, until this browser has been measured

function lasting(seconds) {
  if (seconds < 90) return `about ${Math.max(1, Math.round(seconds))} s`;
  return seconds < 5400 ? `about ${Math.round(seconds / 60)} min` : `about ${Math.round(seconds / 3600)} h`;
}

export class Runs {
  // `ask(progress)` plays them and returns { said }, null where they were given up; `done` shows what they come to.
  constructor(root, { ask, giveUp, done }) {
    Object.assign(this, { root, ask, giveUp, done });
    this.slower = SLOWER;
    this.order = null;
  }

  // Show what a page waits for, null for nothing.
  show(waits) {
    if (this.order) this.stop();
    this.root.hidden = !waits;
    this.root.replaceChildren();
    if (!waits) return;
    const { jobs, of, what, seconds, asks } = waits;
    this.waits = waits;
    if (!asks) return this.start();
    const long = seconds === null ? "" : `, ${lasting(seconds * this.slower)} in this browser`,
      words = `${what || "Runs"}: ${jobs} of ${of} are not played yet${long}.`;
    const begin = element(
      "button",
      { type: "button", onclick: () => this.start() },
      `Play ${jobs} run${jobs === 1 ? "" : "s"}`,
    );
    this.root.append(element("p", { role: "status" }, words), begin);
  }

  async start() {
    const bar = element("progress", { max: 1, value: 0 }),
      words = element("span", {}, "Playing …"),
      cancel = element("button", { type: "button", onclick: () => this.stop() }, "Cancel"),
      began = performance.now(),
      order = {};
    this.order = order;
    this.root.replaceChildren(element("label", {}, words, " ", bar), cancel);
    const told = ({ done, of, left }) => {
      bar.value = done / of;
      words.textContent = `Playing ${this.waits.what}: ${done} of ${of} done, ${lasting(left)} left`;
    };
    try {
      const { said } = await this.ask(told);
      if (this.order !== order || !said) return;
      if (this.waits.seconds) this.slower = (performance.now() - began) / 1000 / this.waits.seconds;
      this.order = null;
      this.show(null);
      this.done();
    } catch (problem) {
      if (this.order !== order) return;
      this.order = null;
      this.root.replaceChildren(element("p", { role: "alert" }, problem.message));
    }
  }

  stop() {
    this.order = null;
    this.giveUp();
    this.root.replaceChildren(element("p", { role: "status" }, "The runs were ended; those that are done are kept."));
    this.root.append(element("button", { type: "button", onclick: () => this.start() }, "Go on"));
  }
}
