// The QR code of the link, as large as the hall needs it. Python draws it, in the link's drawer, when it is asked. Where
// only this computer reaches the link there is no code: the drawer says so, and with the hall's address the code comes.
import { element } from "../shared/element.js";
import { lab } from "../shared/lab.js";
import { PAGE } from "./page.js";

export const LINK_CODE = "tvbo-qr";
const LOCAL = /(^|\.)localhost$|^127\.|^\[::1\]$/; // hosts with which a code is only there once an address was typed

const SHEET =
  "position:fixed;inset:0;background:#fff;color:#000;z-index:2147483646;place-content:center;justify-items:center";
const SIZE = "min(96vw, 88vh)";

// A code on a white sheet, with its words below.
function fill(sheet, src, alt, text) {
  const large = element("img", { src, alt });
  large.style.cssText = `width:${SIZE};height:${SIZE};image-rendering:pixelated`;
  const words = element("p", {}, text);
  words.style.cssText = "margin:0;font:600 max(18px,3.2vmin) sans-serif;overflow-wrap:anywhere";
  sheet.replaceChildren(large, words);
}

// A room's code takes the place of the link's while one is open.
function showRoom({ qr, link }) {
  const sheet = element("div", { id: LINK_CODE, role: "dialog", ariaLabel: "QR code of the room" });
  sheet.style.cssText = `${SHEET};display:grid`;
  fill(sheet, `data:image/svg+xml,${encodeURIComponent(qr)}`, "QR code of the room", link);
  sheet.stop = () => sheet.remove();
  sheet.onclick = sheet.stop;
  document.body.append(sheet);
}

export function showLinkCode(tell) {
  const old = document.getElementById(LINK_CODE);
  if (old) return old.stop();
  if (lab.room?.data.qr) return showRoom(lab.room.data);
  const linked = () => !!document.querySelector(".st-key-drawer_link details[open]");
  if (!PAGE.link()) return;
  const local = LOCAL.test(location.hostname),
    opened = !linked();
  if (opened) PAGE.link().click();
  tell();
  const sheet = element("div", { id: LINK_CODE, role: "dialog", ariaLabel: "QR code of the link" }, "…");
  sheet.style.cssText = SHEET;
  sheet.style.display = local ? "none" : "grid";
  const main = document.querySelector(".stMain"),
    before = main?.scrollTop;
  if (local) PAGE.link().scrollIntoView({ block: "center" });
  let asked = false; // for the hall's address
  const ask = () => {
    const field = document.querySelector(".st-key-only_here") && document.querySelector(".st-key-audience_shown input");
    if (asked || !field || !linked()) return;
    asked = true;
    sheet.style.display = "none";
    field.scrollIntoView({ block: "center" });
    field.focus();
  };
  const copy = () => {
    if (lab.room?.data.qr) {
      sheet.stop();
      return showRoom(lab.room.data); // the hall's address was typed, and a room is open
    }
    const code = document.querySelector(".st-key-qr img");
    if (!code) return ask();
    if (code.src === sheet.code) return;
    sheet.code = code.src;
    const link = document.querySelector(".st-key-drawer_link code")?.textContent.split("?")[0] ?? "";
    fill(sheet, code.src, code.alt, link);
    sheet.style.display = "grid";
    if (asked) document.activeElement?.blur(); // keys are no longer typed into the field
  };
  const timer = setInterval(copy, 150);
  sheet.stop = () => {
    clearInterval(timer);
    sheet.remove();
    if (opened && linked()) PAGE.link()?.click();
    if (local) main?.scrollTo({ top: before });
  };
  sheet.onclick = sheet.stop;
  document.body.append(sheet);
  copy();
}
