// The card of keys: what each key does, over any page.
import { element } from "./element.js";
import { CARD, KEYS } from "./keys.js";

const NAMES = {
  ArrowRight: "→",
  ArrowLeft: "←",
  PageDown: "Page Down",
  PageUp: "Page Up",
  " ": "Space",
  Escape: "Esc",
};
// Meanings -> what they do; keys that a page alone has are not on the card.
export const ROWS = [
  [["play"], "play or pause"],
  [["previous", "next"], "a step of time"],
  [["previousEvent", "nextEvent"], "to the last or next event"],
  [["first", "last"], "to the start or the end"],
  [["backward", "forward"], "one step back or on, wherever the focus is; in a course the previous or next thing"],
  [["moment"], "a prepared moment, or an answer of a bet; in a course a vote for an answer (with Shift one less)"],
  [["bet"], "predict first: the bet of the page"],
  [["lecture"], "lecture type, large for a hall"],
  [["blank"], "a black screen"],
  [["code"], "the QR code of this page"],
  [["speaker"], "the speaker window"],
  [["card"], "this card"],
  [["escape"], "close"],
];

const named = (key) => {
  const parts = key.split(/(?<=Shift)\+/).map((part) => NAMES[part] ?? (part.length === 1 ? part.toUpperCase() : part));
  return parts.join(" ");
};
const written = (meaning) => (meaning === "moment" ? ["1–9"] : KEYS[meaning].map(named));

export function card() {
  const old = document.getElementById(CARD);
  if (old) return old.close();
  const rows = ROWS.map(([meanings, does]) => {
    const keys = meanings.flatMap(written).flatMap((key) => [element("kbd", {}, key), " "]);
    return element("tr", {}, element("th", {}, ...keys), element("td", {}, does));
  });
  const sheet = element("dialog", { id: CARD, ariaLabel: "Keys" }, element("table", {}, ...rows));
  sheet.onclose = () => sheet.remove();
  sheet.onclick = () => sheet.close();
  sheet.append(element("style", {}, STYLE));
  document.body.append(sheet);
  sheet.showModal();
}

const STYLE = `
#${CARD} { background: #fff; color: #000; border: 0; border-radius: 0.5rem; padding: 1.2em 1.6em; max-width: 94vw;
  max-height: 94vh; font: max(16px, 1.5vw) / 1.3 "Source Sans", sans-serif; }
#${CARD} th { text-align: left; white-space: nowrap; padding: 0.15em 1.2em 0.15em 0; vertical-align: top; }
#${CARD} td { padding: 0.15em 0; }
#${CARD} kbd { font: inherit; font-weight: 600; border: 1px solid #000; border-radius: 0.3em; padding: 0 0.4em; }
#${CARD}::backdrop { background: rgb(0 0 0 / 50%); }
`;
