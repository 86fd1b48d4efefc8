// The stage follows a slider while it is dragged. A slider of Streamlit's holds an input[type=range] whose value
// changes under the finger, although Python hears of it on release only: it is read here, and never written. For each
// new value one frame is asked for over plain HTTP (shell/stage/films.py), at the time that is shown, and drawn by the host,
// the player. On release the ordinary run replaces it. Where there is no frame, the picture of the former value turns
// grey. A host has `time`, the t of the address, and does `halt()`, `drawFrame(frame)`, `grey(on)`,
// `take(address, film)` and, once the slider was let go, `settle(ahead)`: whether the film of another value is on its way.
import { listen } from "../shared/listen.js";
import { addressOf, ask, filmOf } from "../stage/films.js";

const SLIDER = {
  held: (target) => target?.closest?.('[data-testid="stSlider"]'),
  leads: (slider) => !!slider?.closest(".st-key-controls, .st-key-lecture_controls, .st-key-lead"), // it stands beside the stage
  of: (key) => document.querySelector(`.st-key-${key} [data-testid="stSlider"]`),
  input: (slider) => slider?.querySelector('input[type="range"]'),
};
const ANSWER = 4000; // wait for a frame, milliseconds
const REST = 60; // a finger that has not moved for so long rests: the film of its stop and its neighbours are fetched
const AFTERWARDS = 600; // a slider is watched for so long after it was let go
const MOST = 80; // frames that are kept

export class Follower {
  constructor(host) {
    this.host = host;
    this.frames = new Map();
    this.closed = false;
    this.key = null; // of the slider that is held, or was a moment ago
    this.pulled = null; // the text of the stop to which its mark was dragged on a chart
    const press = (e) => this.begin(SLIDER.held(e.composedPath()[0])),
      type = (e) => /^(Arrow|Page|Home|End)/.test(e.key) && press(e),
      lift = () => this.lift();
    const acts = { pointerdown: press, keydown: type, pointerup: lift, pointercancel: lift, keyup: lift };
    this.stopListening = listen(window, acts, true);
  }

  lift() {
    this.until = performance.now() + AFTERWARDS;
    if (this.key !== null) this.meet(true);
  }

  // What Python knows: the settings of the film that it has sent.
  load(question) {
    const said = question && new Map(question.query);
    if (said?.get("r") !== this.said?.get("r")) this.closed = false;
    Object.assign(this, { question, said, aim: null });
  }

  // The film of these settings is on its way while a slider stands elsewhere: it would only come in between.
  get ahead() {
    return this.key !== null && this.text() !== this.said?.get(this.key);
  }

  begin(slider) {
    if (!slider || !this.question || this.closed) return;
    const key = Object.keys(this.question.knobs).find((one) => SLIDER.of(one) === slider);
    if (!key || !SLIDER.input(slider)) return;
    this.until = Infinity;
    if (this.key === key) this.pulled = null;
    else this.hold(key, null);
  }

  // A knob whose mark is dragged on a chart, or a code of which a handle is: its slider stands still, if it has one.
  pull(key, text) {
    if (!this.said?.has(key) || this.closed) return;
    this.until = Infinity;
    if (this.key === key) this.pulled = text;
    else this.hold(key, text);
  }

  hold(key, pulled) {
    this.key = key;
    this.pulled = pulled;
    this.shown = this.said.get(key);
    this.wanted = this.drawn = this.aim = null;
    this.refused = false;
    this.fetchNeighbours();
    this.watch();
  }

  // The text of the stop that the slider stands on, as a link writes it.
  text() {
    if (this.pulled !== null) return this.pulled;
    const input = SLIDER.input(SLIDER.of(this.key)),
      stops = this.question?.knobs[this.key];
    if (!input || !stops) return null;
    const step = +input.step || 1;
    return stops[Math.round((+input.value - +input.min) / step)] ?? null;
  }

  watch() {
    if (this.key === null) return;
    const text = this.text(),
      now = performance.now();
    if (text !== null && text !== this.shown) {
      this.shown = text;
      this.aim = null;
      this.moved = now;
      this.host.halt();
      this.want(text);
    } else if (now - this.moved > REST && !this.asking) {
      this.moved = Infinity;
      this.meet(this.drawn !== text);
      this.fetchNeighbours();
    }
    if (now > this.until) return this.end();
    requestAnimationFrame(() => this.watch());
  }

  // Let go: the film of the new value replaces the frame. Of the old value there is no new film.
  end() {
    const ahead = this.ahead;
    this.key = null;
    this.wanted = null;
    this.host.settle(ahead);
  }

  address(text) {
    return addressOf(this.question, "frame", { [this.key]: text, t: this.host.time });
  }

  // Fetch the film of the stop that the slider stands on; `show` it too, where it still stands there and Python has not
  // said another one meanwhile.
  async meet(show) {
    const text = this.text();
    if (!this.question?.addressed || text === null) return;
    const aim = addressOf(this.question, "film", { [this.key]: text });
    this.aim = aim;
    const film = await filmOf(
      aim,
      () => this.aim === aim,
      () => {},
    );
    if (film && show && this.aim === aim) this.host.take(aim, film);
  }

  // One request at a time, for the newest value; meanwhile the last answer is drawn.
  async want(text) {
    this.wanted = this.address(text);
    if (this.asking) return;
    this.asking = true;
    while (this.wanted !== null) {
      const address = this.wanted;
      this.wanted = null;
      const frame = await this.get(address);
      if (this.wanted !== null) this.get(this.wanted); // its answer is on the way while this one is drawn
      if (this.key === null) continue;
      const whole = frame?.charts.some(({ key }) => key === "main");
      if (this.wanted === null && SLIDER.leads(SLIDER.of(this.key))) this.host.grey(this.ahead && !whole);
      if (!frame) continue;
      this.drawn = new URLSearchParams(address).get(this.key); // the text of the stop that is on the stage
      this.host.drawFrame(frame);
    }
    this.asking = false;
  }

  // The frame of an address, or null. One that is refused ends the drag; no route at all ends following.
  async get(address) {
    if (this.closed || this.refused) return null;
    if (!this.frames.has(address)) {
      this.frames.set(address, this.ask(address));
      if (this.frames.size > MOST) this.frames.delete(this.frames.keys().next().value);
    }
    return this.frames.get(address);
  }

  async ask(address) {
    const answer = await ask(address, ANSWER);
    if (answer?.film || answer?.status === 204) return answer.film;
    if (answer && answer.status !== 503) this.closed = true;
    else this.refused = true;
    this.frames.delete(address);
    return null;
  }

  fetchNeighbours() {
    const stops = this.question.knobs[this.key] ?? [],
      at = stops.indexOf(this.shown);
    for (const text of [stops[at + 1], stops[at - 1]]) if (text !== undefined) this.get(this.address(text));
  }

  stop() {
    this.key = null;
    this.stopListening();
  }
}
