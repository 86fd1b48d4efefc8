// The last picture of a stage lies in the place of the next one until that is painted, from page to page too. Where a
// bet is open there is none: what was on screen before may be its answer.
const PLACE = ".skeleton:not(.sentence), .st-key-main .chart";
const BET = ".st-key-bet_panel";
const SOON = 300; // milliseconds within which the next place comes
const LONGEST = 5000; // and that it is kept

let take = () => {};

// A stage has gone: `box` holds what it drew last, and `place` is where that was.
export function leave({ box, place }) {
  take();
  const begun = performance.now();
  let request = null;
  take = () => {
    cancelAnimationFrame(request);
    box.remove();
  };
  const stay = () => {
    const passed = performance.now() - begun;
    if (document.querySelector(BET) || passed > LONGEST) return take();
    const here = document.querySelector(PLACE)?.getBoundingClientRect() ?? (passed < SOON ? place : null);
    box.style.cssText = "position:fixed;pointer-events:none;overflow:hidden;z-index:1";
    for (const side of ["left", "top", "width", "height"]) box.style[side] = `${here?.[side] ?? 0}px`;
    if (!box.isConnected) document.body.append(box);
    request = requestAnimationFrame(stay);
  };
  stay();
}

// The next one is painted.
export const painted = () => take();
