// What some keys do on every page of the app, however its stage is drawn.
const BLANK = "tvbo-blank";

// A black sheet over the page, or away with it.
function blank() {
  const old = document.getElementById(BLANK);
  if (old) return old.remove();
  const sheet = document.createElement("div");
  sheet.id = BLANK;
  sheet.style.cssText = "position:fixed;inset:0;background:#000;z-index:2147483647";
  sheet.onclick = () => sheet.remove();
  document.body.append(sheet);
}

export const everywhere = {
  blank,
  lecture: () => document.querySelector(".st-key-lecture input")?.click(),
  moment: (e) => document.querySelectorAll(".st-key-moment button")[+e.key - 1]?.click(),
};
