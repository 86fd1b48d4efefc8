// Runs of the page that keys order: one is under way at a time. Of the presses of one kind that come meanwhile the last
// one waits; a toggle that is pressed again while it waits is taken back. On a site without Python nothing waits.

const RUN_STATE = "data-test-script-state"; // of Streamlit's page
const RUN_LOOK = 40; // milliseconds between two looks at it
const RUN_BEGINS = 300; // within which a run begins after a press
const RUN_LONGEST = 5000; // after which a press no longer waits for the one before
const runState = () => document.querySelector(`[${RUN_STATE}]`)?.getAttribute(RUN_STATE);

class Orders {
  constructor() {
    this.waiting = new Map(); // kind -> what is done
    this.timer = null;
  }

  add(kind, act, toggles) {
    if (!runState()) return act(false);
    if (this.waiting.delete(kind) && toggles) return;
    if (this.timer === null) return this.begin(act, false);
    const { pathname } = location;
    this.waiting.set(kind, () => pathname === location.pathname && this.begin(act, true)); // not on another page
  }

  begin(act, waited) {
    act(waited);
    this.look(0, false);
  }

  look(passed, began) {
    this.timer = setTimeout(() => {
      const runs = runState() !== "notRunning";
      if (passed < RUN_LONGEST && (runs || (!began && passed < RUN_BEGINS)))
        return this.look(passed + RUN_LOOK, began || runs);
      this.timer = null;
      this.next();
    }, RUN_LOOK);
  }

  next() {
    for (const [kind, act] of this.waiting) {
      this.waiting.delete(kind);
      act();
      if (this.timer !== null) return;
    }
  }
}
const orders = new Orders();

// Do something that orders a run, at once or after the run that a key has ordered; `act` hears whether it has waited.
export const order = (kind, act, toggles = false) => orders.add(kind, act, toggles);
