// A sentence that follows the player: one text a frame, polite to screen readers once time stands still.
import { lab } from "../shared/lab.js";
import { listen } from "../shared/listen.js";
import { Held } from "./held.js";
import { namedWords, pointed, pointers } from "./pointers.js";
import { shownNow } from "./shown.js";

export default function mountLive({ parentElement, data }) {
  const spot = parentElement.querySelector(".live");
  spot.classList.toggle("dark", !!data.dark);
  spot.classList.toggle("hall", !!data.hall);
  const words = pointers(spot);
  const write = (html) => {
    const shown = pointed(html, namedWords());
    if (spot.__html === shown) return;
    spot.__html = shown;
    words.write(shown);
    shownNow(data.reset, { finding: html });
  };
  // It outlives a run of the page, which a pause brings.
  const held = spot.__held ?? new Held(write);
  spot.__held = held;
  held.write = write;
  let played = false; // the frame at which a film stops is still the film's
  // A film holds its own sentences, and the event says which.
  const say = ({ t, html }) => {
    const plays = !!lab.player?.clock.runs;
    held.say(html ?? data.sentences[data.index[Math.min(t, data.index.length - 1)]], plays || played);
    played = plays;
  };
  // A busy region is not read out: a sentence that plays along is, once time stands still.
  let rest;
  const hear = (e) => {
    if (e.detail.reset !== data.reset) return;
    spot.setAttribute("aria-busy", "true");
    clearTimeout(rest);
    rest = setTimeout(() => spot.setAttribute("aria-busy", "false"), 500);
    say(e.detail);
  };
  const follow = (e) => {
    if (e.detail.reset === data.reset) held.say(e.detail.html, false);
  }; // while a slider is dragged
  const stopListening = listen(window, { "tvbo:frame": hear, "tvbo:said": follow });
  say(lab.now?.reset === data.reset ? lab.now : { t: data.start });
  return () => {
    words.end();
    stopListening();
  };
}
