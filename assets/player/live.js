// A sentence that follows the player: one text a frame, polite to screen readers once time stands still.
export default function ({ parentElement, data }) {
  const spot = parentElement.querySelector(".live");
  spot.classList.toggle("dark", !!data.dark);
  spot.classList.toggle("hall", !!data.hall);
  const write = (html) => {
    if (spot.__html !== html) { spot.__html = html; spot.innerHTML = html; }
  };
  const say = (t) => write(data.sentences[data.index ? data.index[Math.min(t, data.index.length - 1)] : 0] ?? "");
  const stop = pointers(spot);
  const hear = (e) => { if (e.detail.reset === data.reset) say(e.detail.t); };
  const follow = (e) => { if (e.detail.reset === data.reset) write(e.detail.html); };  // while a slider is dragged
  window.addEventListener("tvbo:frame", hear);
  window.addEventListener("tvbo:said", follow);
  const now = window.__tvboNow;
  say(now && now.reset === data.reset ? now.t : data.start);
  return () => {
    stop();
    window.removeEventListener("tvbo:frame", hear);
    window.removeEventListener("tvbo:said", follow);
  };
}
