// A small picture that runs through its frames while its card is pointed at or holds the focus.
export default function ({ parentElement, data }) {
  const spot = parentElement.querySelector(".spot");
  if (spot.shown !== data) {
    spot.innerHTML = data;
    spot.shown = data;
  }
  const host = parentElement.getRootNode().host ?? parentElement,
    card = host.closest('[class*="st-key-card_"]') ?? host;
  spot.classList.toggle("alive", card.matches(":hover, :focus-within")); // mounted under a pointer that rests
  const alive = (yes) => () => spot.classList.toggle("alive", yes);
  const hear = { pointerenter: alive(true), pointerleave: alive(false), focusin: alive(true), focusout: alive(false) };
  for (const [what, act] of Object.entries(hear)) card.addEventListener(what, act);
  return () => {
    for (const [what, act] of Object.entries(hear)) card.removeEventListener(what, act);
  };
}
