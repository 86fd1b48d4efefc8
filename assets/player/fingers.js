// A finger on a slider or on the player's bar moves it sideways, or to where it is lifted; up and down it scrolls the
// page, however long it rested before: where a page is slow, a swipe seems to begin late, and no value may change by it.
// Sliders of Streamlit take a finger at once and keep it: they hear of it once it is theirs. A browser's own bar does so
// too: on pages for fingers it leaves the pointer to the element around it (fingers.css). A tap moves both, so that
// nobody has to drag (WCAG 2.5.7). The controls at a phone's lower edge are fixed, and what is fixed scrolls nothing.
import { showHeadline } from "../shared/element.js";
import { lab } from "../shared/lab.js";
import { listen, NUDGE } from "../shared/listen.js";

const GROUP = '.stSlider [role="group"]',
  AROUND = ".player, .track", // elements around a bar
  DOCK = ".st-key-sheet:not(:has(.sheet :checked))",
  SCROLLS = '[data-testid="stMain"]',
  ROW = ".st-key-moments button, #views button"; // moments, bet and task
const THUMB = 16; // pixels of a bar's handle, whose middle does not come to the bar's ends

// The bar under a pointer.
function barUnder({ target, clientX: x, clientY: y }) {
  const bar = target.closest(AROUND)?.querySelector('input[type="range"]:enabled');
  if (!bar || getComputedStyle(bar).pointerEvents !== "none") return null;
  const { left, right, top, bottom } = bar.getBoundingClientRect();
  return x >= left && x <= right && y >= top && y <= bottom ? bar : null;
}

// Move a bar to a pointer.
function moveBar(bar, x) {
  const { left, width } = bar.getBoundingClientRect(),
    share = (x - left - THUMB / 2) / (width - THUMB),
    low = +bar.min;
  bar.value = low + Math.min(Math.max(share, 0), 1) * (+bar.max - low);
  bar.dispatchEvent(new Event("input", { bubbles: true }));
}

class Press {
  constructor(e, bar) {
    const { target, clientX, clientY } = e;
    Object.assign(this, { bar, target, id: e.pointerId, from: [clientX, clientY], at: clientY });
    this.group = !bar && target.closest(GROUP);
    this.dock = !!target.closest(DOCK);
    this.has = null; // whether the slider has it, null while that is open
    if (e.pointerType === "mouse") this.claim();
  }

  claim() {
    if (this.has !== null) return;
    this.has = !!(this.bar || this.group);
    const [clientX, clientY] = this.from;
    if (this.bar) moveBar(this.bar, clientX);
    else if (this.group) {
      const more = { pointerId: this.id, pointerType: "touch", isPrimary: true, buttons: 1, clientX, clientY };
      this.target.dispatchEvent(new PointerEvent("pointerdown", { bubbles: true, cancelable: true, ...more }));
    }
  }

  move({ clientX: x, clientY: y }) {
    const by = [Math.abs(x - this.from[0]), Math.abs(y - this.from[1])];
    if (this.has === null && Math.hypot(...by) >= NUDGE) {
      if (by[0] > by[1]) this.claim();
      else this.has = false;
    }
    if (this.has && this.bar) moveBar(this.bar, x);
    if (this.has === false && this.dock) document.querySelector(SCROLLS).scrollBy(0, this.at - y);
    this.at = y;
  }

  end({ type }) {
    if (type === "pointerup") this.claim();
    if (this.bar && this.has) this.bar.dispatchEvent(new Event("change", { bubbles: true }));
  }
}

// Hear fingers on this page's sliders and bars, and what chooses a moment, a bet or a task: headline and picture are seen.
export function hearFingers() {
  if (lab.hears) return;
  lab.hears = true;
  let press = null;
  const ours = (e) => press !== null && press.id === e.pointerId,
    end = (e) => {
      if (!ours(e)) return;
      press.end(e);
      press = null;
    };
  const acts = {
    pointerdown(e) {
      const bar = e.isTrusted && e.isPrimary && e.button === 0 && barUnder(e),
        touch = e.isTrusted && e.isPrimary && e.pointerType === "touch";
      if (!bar && !(touch && e.target.closest(`${GROUP}, ${DOCK}`))) return;
      press = new Press(e, bar);
      if (press.group) e.stopPropagation();
    },
    pointermove: (e) => ours(e) && press.move(e),
    pointerup: end,
    pointercancel: end,
    touchstart: (e) => press?.group && e.stopPropagation(),
    click: (e) => e.target.closest(ROW) && showHeadline(),
  };
  listen(window, acts, { capture: true, passive: true });
}
