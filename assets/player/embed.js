// A lesson's stage in a frame of somebody's slides: it does what the page around it asks by messages, says what happens,
// and gives that page the keys that it has no use for. docs/embedding.md has the messages.
import { press } from "../shared/keys.js";
import { lab } from "../shared/lab.js";
import { listen } from "../shared/listen.js";
import { mount } from "../shared/mount.js";

const WORD = "tvbo"; // of a message that is for us, or from us
const FARTHEST = 9999; // steps or rounds
// Keys that a deck turns its slides with.
export const OF_DECKS = [" ", "PageDown", "PageUp", "ArrowRight", "ArrowLeft", "ArrowUp", "ArrowDown"];
const WAY = { forward: 1, next: 1, nextEvent: 1, backward: -1, previous: -1, previousEvent: -1 };

// What a message asks for, as [what, value]; null for what is none of ours or has a value that is not allowed.
export function read(said, moments = []) {
  if (said === null || typeof said !== "object") return null;
  const { [WORD]: what, by = 1, t, key } = said;
  if (what === "play" || what === "pause") return [what, null];
  if (what === "step" && Number.isInteger(by) && by !== 0 && Math.abs(by) <= FARTHEST) return [what, by];
  if (what === "time" && Number.isInteger(t) && t >= 0 && t <= FARTHEST) return [what, t];
  if (what === "moment" && moments.includes(key)) return [what, key];
  return null;
}

// Whether a key press of this meaning is for the page around the frame: all are, until the reader has clicked into the
// frame, and then those that would go beyond an end of the film. `player` is what moves time here, null without.
export function isForDeck(means, inside, player) {
  if (!inside) return true;
  if (means === "up" || means === "down") return true;
  const way = WAY[means];
  if (!way || player?.aims) return false;
  return !player || (way > 0 ? player.t >= player.last : player.t <= 0);
}

class Embed {
  constructor() {
    this.inside = false; // whether the reader has clicked into the frame, or gone on in it by Tab
    this.greeted = false;
    this.at = null; // frame and scene that were told last
    const acts = {
      message: (e) => this.message(e),
      "tvbo:frame": (e) => this.frame(e.detail),
      keydown: (e) => this.key(e),
      pointerdown: () => {
        this.inside = true;
      },
      blur: (e) => {
        if (e.target === window) this.inside = false;
      },
      click: (e) => this.leave(e),
    };
    this.stop = listen(window, acts, true);
  }

  load(data, go) {
    this.data = data;
    this.go = go;
    if (lab.now) this.frame(lab.now);
  }

  say(what, more = {}) {
    window.parent.postMessage({ [WORD]: what, ...more }, "*"); // who may be around us says FRAME_ANCESTORS
  }

  message(e) {
    if (e.source !== window.parent || lab.embed !== this) return;
    const asked = read(e.data, this.data.moments),
      { player } = lab;
    if (!asked || !player) return console.warn("The lab ignores a message that it does not know:", e.data);
    const [what, value] = asked;
    ({
      step: () => player.jump(player.t + value),
      time: () => player.jump(player.nearest(value)),
      play: () => player.clock.runs || player.play(),
      pause: () => player.clock.runs && player.pause(),
      moment: () => {
        clearTimeout(player.later); // a moment has a time of its own
        this.go("moment", value);
      },
    })[what]();
  }

  frame({ t, reset }) {
    const { player } = lab;
    if (lab.embed !== this || !player || !reset.startsWith(`${this.data.lesson}:`)) return;
    const before = this.at,
      at = { lesson: this.data.lesson, t: player.time };
    this.at = { t, reset };
    if (!this.greeted) {
      this.greeted = true;
      this.say("ready", { ...at, moments: this.data.moments });
    }
    if (before?.t === t && before.reset === reset) return;
    this.say("time", at);
    if (before?.reset === reset && t === player.last) this.say("end", at);
  }

  // What a key press means elsewhere, shared/keys.js asks.
  gives(means) {
    return isForDeck(means, this.inside, lab.player);
  }

  key(e) {
    if (lab.embed !== this) return;
    if (e.key === "Tab") this.inside = true;
    if (e.defaultPrevented) return; // a step to the last frame is used up
    const isBar = (el) => el?.type === "range";
    press(e, { deck: () => OF_DECKS.includes(e.key) && this.say("key", { key: e.key }) }, isBar);
  }

  // A link that leaves the lesson opens in a tab of its own, with the whole lab.
  leave(e) {
    const link = e.composedPath().find((el) => el.href);
    if (!link || link.getAttribute("href").startsWith("#")) return;
    e.preventDefault();
    e.stopPropagation();
    const url = new URL(link.href);
    for (const word of ["embed", "embed_options"]) url.searchParams.delete(word);
    window.open(url, "_blank", "noopener");
  }

  end() {
    this.stop();
  }
}

export default function mountEmbed({ parentElement, data, setTriggerValue }) {
  if (window.parent === window) return undefined; // opened in a tab
  return mount(parentElement.querySelector("span"), "embed", Embed, data, setTriggerValue);
}
