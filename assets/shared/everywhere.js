import { card } from "./card.js";
import { element } from "./element.js";
import { digitOf } from "./keys.js";

// What some keys do on every page of the app, however its stage is drawn.
const BLANK = "tvbo-blank";

// A black sheet over the page, or away with it.
function blank() {
  const old = document.getElementById(BLANK);
  if (old) return old.remove();
  const sheet = element("div", { id: BLANK, onclick: () => sheet.remove() });
  sheet.style.cssText = "position:fixed;inset:0;background:#000;z-index:2147483647";
  document.body.append(sheet);
}

export const everywhere = {
  blank,
  card,
  lecture: () => document.querySelector(".st-key-lecture input")?.click(),
  // A prepared moment, or while a bet is open an answer.
  moment: (e) => document.querySelectorAll(":is(.st-key-moment, .st-key-bet_pick) button")[digitOf(e) - 1]?.click(),
};
