// The button that walks through a course or a pack. Steps { file, view, plays, begins }: title, views, last page. A site's
// course is named in the address, a pack has one.
import { element } from "../shared/element.js";
import { press } from "../shared/keys.js";
import { lab } from "../shared/lab.js";

export class Walk {
  // `view()` is the key of what is shown, `go(view, t)` shows another one of this page, `end(view)` is the frame to which
  // the film of a step plays, -1 where it does not; `dressed(words)` are words of an address with those of the look.
  constructor(steps, file, { view, go, end, dressed }) {
    Object.assign(this, { steps, file, view, go, end, dressed });
    lab.course = { asks: false };
    const next = () => this.by(1),
      back = () => this.by(-1),
      index = () => document.querySelector("nav a").click(),
      acts = { onward: () => this.onward(), back, nextPage: next, previousPage: back, index };
    window.addEventListener("keydown", (e) => press(e, acts), true);
    const tell = () => document.documentElement.classList.toggle("untold", lab.player?.t < this.last);
    window.addEventListener("tvbo:frame", tell); // how often it ends like this is told once the film has come there
    this.bar();
  }

  get here() {
    return this.steps.findIndex((one) => one.file === this.file && (one.view ?? null) === this.view());
  }
  get last() {
    return this.steps[this.here]?.plays ? this.end(this.view()) : -1;
  }

  // Go so many steps on; a look aside goes to the first step of its page.
  by(n) {
    const { steps, here } = this,
      own = steps.findIndex(({ file }) => file === this.file),
      one = steps[here < 0 ? Math.max(own, 0) : here + n];
    if (!one) return;
    const t = one.plays && n > 0 ? one.begins : null;
    if (one.file === this.file && this.go(one.view, t)) return;
    const words = { ...(one.view && { moment: one.view }), ...(t !== null && { t }) };
    location.href = `${one.file}${location.search}#${this.dressed(words)}`;
  }

  // The next thing of a step: its film is brought to its end, or is played, and then comes the next step.
  onward() {
    const { player } = lab;
    if (player?.clock.runs) player.finish();
    else if (player?.t < this.last) player.playTo(this.last);
    else this.by(1);
  }

  bar() {
    const { here, steps } = this,
      way = (textContent, onclick) => element("button", { type: "button", textContent, onclick }),
      where = here > 0 && here < steps.length - 1 ? `${here} of ${steps.length - 2}` : "";
    document
      .querySelector("#walk")
      .replaceChildren(
        ...(here === 0 ? [] : [way("‹ Back", () => this.by(-1))]),
        where,
        ...(here === steps.length - 1 ? [] : [way("Next ›", () => this.onward())]),
      );
  }
}
