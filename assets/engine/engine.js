// The browser's own Python as a page sees it. It wakes once, tells how far it is, and answers in order; what fails is one
// sentence, and the page stays what it was.
const FILE = "engine.js"; // the worker, beside the page
const SILENT = 120000; // milliseconds without a word of it after which it counts as lost

const DISK =
    "These controls stand still: from a disk a browser gives no Python. Open the site from a web host, or by `python -m http.server` in its folder.",
  SANDBOX = "These controls stand still: this frame's sandbox lets no Python in. Open the page by itself.",
  OLD = "These controls stand still: this browser has no WebAssembly. A newer one has it.",
  AWAY = "The sliders did not wake: the network is away, or a file did not come whole. Touch a control to try again.",
  FULL = "The sliders stopped: this computer's memory is full. Close other tabs, and touch a control to try again.",
  ENGINE_LOST = "The sliders stopped answering. Touch a control, and they wake again.",
  UNANSWERED = "This could not be computed, and the page stays as it was. The sliders answer on: choose another value.";

// Why there can be no Python here, "" where there can.
export function refusal({ location, origin, WebAssembly }) {
  if (!location.protocol.startsWith("http")) return DISK;
  if (origin === "null") return SANDBOX;
  return typeof WebAssembly === "object" ? "" : OLD;
}

// What went wrong in it, as a sentence.
export function sentence(problem) {
  if (/memory|RangeError/i.test(problem)) return FULL;
  return /fetch|network|did not come|import|integrity|TypeError|Load failed/i.test(problem) ? AWAY : ENGINE_LOST;
}

export class Engine {
  // `settings` say where its files are (shell/static/engine.py); `tell` hears { loaded, size }, { ready } or { failed }.
  constructor(settings, tell, make = () => new Worker(FILE, { type: "module" })) {
    Object.assign(this, { settings, tell, make });
    this.worker = null;
    this.ready = false;
    this.asked = new Map(); // number of a question -> who waits for its answer
    this.last = 0;
  }

  // Start it; what it has been asked is answered once it is awake.
  wake() {
    if (this.worker) return;
    try {
      this.worker = this.make();
    } catch (problem) {
      return this.fail(String(problem));
    }
    this.worker.onmessage = ({ data }) => this.hear(data);
    this.worker.onerror = (e) => {
      e.preventDefault?.();
      this.fail(e.message ?? "network");
    };
    this.worker.postMessage(this.settings);
    this.tell({ loaded: 0, size: this.settings.size });
  }

  hear({ id, loaded, ready, failed, progress, ...answer }) {
    for (const waits of this.asked.values()) if (waits.lost) this.watch(waits);
    if (loaded !== undefined) return this.ready || this.tell({ loaded, size: this.settings.size });
    if (ready) {
      this.ready = true;
      return this.tell({ ready });
    }
    const one = this.asked.get(id);
    if (failed !== undefined && !one) {
      if (sentence(failed) === ENGINE_LOST) this.settings.own = ""; // a text that stops the waking is not tried again
      return this.fail(failed);
    }
    if (progress !== undefined) return one.progress(progress);
    this.asked.delete(id);
    clearTimeout(one?.lost);
    if (failed === undefined) one?.done(answer);
    else if (/memory|RuntimeError|abort/i.test(failed)) this.fail(failed, one);
    else one.refuse(new Error(UNANSWERED));
  }

  // Take it away: by a fault with a sentence, or because the reader wants it.
  fail(problem, one) {
    this.sleep(sentence(problem), one);
  }
  sleep(failed = "", one = null) {
    this.worker?.terminate();
    this.worker = null;
    this.ready = false;
    for (const waits of [...this.asked.values(), ...(one ? [one] : [])]) {
      clearTimeout(waits.lost);
      waits.refuse(new Error(failed));
    }
    this.asked.clear();
    this.tell({ failed });
  }

  watch(one) {
    clearTimeout(one.lost);
    one.lost = setTimeout(() => this.sleep(ENGINE_LOST), SILENT);
  }

  // Ask it something: `what` as answers/browser.py has it, `text` about which state.
  ask(what, text, more = {}, progress = () => {}) {
    this.wake();
    return new Promise((done, refuse) => {
      if (!this.worker) return refuse(new Error(AWAY));
      this.last += 1;
      const id = this.last,
        one = { done, refuse, progress };
      if (what === "run") this.running = id;
      this.asked.set(id, one);
      if (what !== "run") this.watch(one); // a run may take long, and has its Cancel
      this.worker.postMessage({ id, what, text, ...more });
    });
  }

  // End the runs that are played.
  giveUp() {
    this.worker?.postMessage({ giveUp: this.running });
  }

  // What a server answers to the address of a film or a frame.
  async response(address) {
    const { status, bytes } = await this.ask("get", address);
    return new Response(status === 200 ? bytes : null, { status });
  }
}
