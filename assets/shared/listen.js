export const NUDGE = 4, // pixels before a press is a drag, and no click
  RESTS = 300; // milliseconds after which a finger that rests holds what it lies on

// Hear events of a target: `acts` holds what each event does. Returns what ends it.
export function listen(target, acts, options) {
  for (const [event, act] of Object.entries(acts)) target.addEventListener(event, act, options);
  return () => {
    for (const [event, act] of Object.entries(acts)) target.removeEventListener(event, act, options);
  };
}

// Hear how a press ends: `act` gets that event, and how many pixels it is away; Infinity where the browser took it over.
export function ending({ clientX: x, clientY: y }, act) {
  const end = (e) => {
    stopListening();
    act(e, e.type === "pointerup" ? Math.hypot(e.clientX - x, e.clientY - y) : Infinity);
  };
  const stopListening = listen(window, { pointerup: end, pointercancel: end }, true);
}
