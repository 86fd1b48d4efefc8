import { card } from "./card.js";
import { element } from "./element.js";
import { digitOf } from "./keys.js";
import { order } from "./orders.js";

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

// A prepared moment, or while a bet is open an answer. A digit that has waited chooses and takes nothing back. Where the
// answers are an order each digit is a place in it, and all of them wait.
const choiceAt = (digit) => document.querySelectorAll(":is(.st-key-moment, .st-key-bet_pick) button")[digit - 1];

function pressChoice(e) {
  const digit = digitOf(e);
  if (!choiceAt(digit)) return; // a slip beside the digits of the page replaces none that waits
  const placed = choiceAt(digit).hasAttribute("aria-pressed");
  const act = (waited) => {
    const button = choiceAt(digit);
    if (!waited || button?.getAttribute("aria-checked") !== "true") button?.click();
  };
  order(placed ? `answer ${digit}` : "choice", act, placed);
}

export const everywhere = {
  blank,
  card,
  lecture: () => order("lecture", () => document.querySelector(".st-key-lecture input")?.click(), true),
  moment: pressChoice,
};
