// The clock that a film runs by.
const LEAP = 250; // milliseconds that a film goes on at most between two pictures of the screen

// Whether the reader asked for less motion.
export const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

// Before each picture of the screen `tick` hears how many milliseconds have passed, times the speed, and the time of
// the picture. What takes long to draw leaves pictures out; a tab out of sight gets none and stands still.
export class Clock {
  constructor(tick) {
    this.tick = tick;
    this.speed = 1;
    this.request = null;
  }

  get runs() {
    return this.request !== null;
  }

  start() {
    this.stop();
    let before = performance.now();
    const step = (now) => {
      this.request = requestAnimationFrame(step);
      const passed = Math.min(Math.max(now - before, 0), LEAP);
      before = now;
      this.tick(passed * this.speed, now);
    };
    this.request = requestAnimationFrame(step);
  }

  stop() {
    if (this.runs) cancelAnimationFrame(this.request);
    this.request = null;
  }
}
