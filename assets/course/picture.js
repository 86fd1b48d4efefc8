// The picture of a stop on a course's last page: the last frame of its film, drawn as large as a slide and scaled down.
// Until it has come, and where none comes, nothing stands there.
import { nearestFrame, shownAt } from "../stage/decode.js";
import { addressOf, filmOf } from "../stage/films.js";
import { Picture } from "../stage/picture.js";

const SLIDE_WIDE = 1120,
  SLIDE_HIGH = 500; // pixels of a stage on a projector

export function mountPicture({ parentElement, data }) {
  const spot = parentElement.querySelector(".spot"),
    name = JSON.stringify(data);
  let here = true;
  // Who works with keys or hears the page has the link above it, which leads there too.
  const card = (parentElement.getRootNode().host ?? parentElement).closest('[class*="st-key-course_seen_"]');
  spot.onclick = () => card?.querySelector('[data-testid="stPageLink"] a')?.click();
  if (spot.shown !== name) {
    spot.shown = name;
    showLast(spot, data, () => here && spot.shown === name);
  }
  return () => {
    here = false;
    spot.shown = null;
  };
}

async function showLast(spot, { ask, t, alt }, wanted) {
  const film = await filmOf(addressOf(ask, "film"), wanted, () => {});
  const part = film?.charts.find(({ key }) => key === "main");
  if (!part?.figure || !wanted()) return;
  const slide = document.createElement("div"),
    picture = new Picture(slide),
    high = part.figure.layout.height ?? SLIDE_HIGH;
  if (!picture.can(part.figure)) return;
  slide.className = "slide";
  slide.style.cssText = `width:${SLIDE_WIDE}px;height:${high}px`;
  spot.replaceChildren(slide);
  spot.hidden = false;
  spot.setAttribute("role", "img");
  spot.setAttribute("aria-label", alt);
  spot.style.aspectRatio = `${SLIDE_WIDE} / ${high}`;
  new ResizeObserver(() => {
    slide.style.transform = `scale(${spot.clientWidth / SLIDE_WIDE})`;
  }).observe(spot);
  const now = shownAt(film, part, nearestFrame(film.times, t)),
    traces = part.figure.data.map((trace, i) => ({ ...trace, ...now.get(i) }));
  picture.draw(traces, { ...part.figure.layout, width: SLIDE_WIDE, height: high });
}
