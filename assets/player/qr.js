// The QR code of the link, as large as the hall needs it. Python draws it, in the link's drawer, when it is asked.
export const LINK_CODE = "tvbo-qr";

export function showLinkCode(tell) {
  const old = document.getElementById(LINK_CODE);
  if (old) return old.stop();
  const link = () => document.querySelector(".st-key-drawer_link summary");
  const linked = () => !!document.querySelector(".st-key-drawer_link details[open]");
  if (!link()) return;
  const opened = !linked();
  if (opened) link().click();
  tell();
  const sheet = document.createElement("div");
  sheet.id = LINK_CODE;
  sheet.setAttribute("role", "dialog");
  sheet.setAttribute("aria-label", "QR code of the link");
  sheet.style.cssText =
    "position:fixed;inset:0;background:#fff;color:#000;z-index:2147483646;display:grid;place-content:center;justify-items:center";
  sheet.textContent = "…";
  const size = "min(96vw, 88vh)";
  const copy = () => {
    const code = document.querySelector(".st-key-qr img");
    if (!code || code.src === sheet.code) return;
    const large = new Image();
    large.src = sheet.code = code.src;
    large.alt = code.alt;
    large.style.cssText = `width:${size};height:${size};image-rendering:pixelated`;
    const words = document.createElement("p");
    words.textContent = document.querySelector(".st-key-drawer_link code")?.textContent.split("?")[0] ?? "";
    words.style.cssText = "margin:0;font:600 max(18px,3.2vmin) sans-serif;overflow-wrap:anywhere";
    sheet.replaceChildren(large, words);
  };
  const timer = setInterval(copy, 150);
  sheet.stop = () => {
    clearInterval(timer);
    sheet.remove();
    if (opened && linked()) link()?.click();
  };
  sheet.onclick = sheet.stop;
  document.body.append(sheet);
  copy();
}
