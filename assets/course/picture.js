// The picture of a stop on a course's last page: the last frame of its film, drawn as on a small screen and scaled down.
// Until it has come, and where none comes, nothing stands there.
import { nearestFrame, shownAt } from "../stage/decode.js";
import { addressOf, filmOf } from "../stage/films.js";
import { Picture } from "../stage/picture.js";

// Pixels of a stage that is small, so that its words can be read when it is scaled down; lecture type needs a larger one.
const STAGE = { false: [700, 312], true: [1120, 500] };

export default function mountPicture({ parentElement, data }) {
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

async function showLast(spot, { ask, t, alt, lecture }, wanted) {
  const film = await filmOf(addressOf(ask, "film"), wanted, () => {});
  const part = film?.charts.find(({ key }) => key === "main");
  if (!part?.figure || !wanted()) return;
  const slide = document.createElement("div"),
    picture = new Picture(slide),
    [wide, least] = STAGE[lecture],
    high = part.figure.layout.height ?? least;
  if (!picture.can(part.figure)) return;
  slide.className = "slide";
  slide.style.cssText = `width:${wide}px;height:${high}px`;
  spot.replaceChildren(slide);
  spot.hidden = false;
  spot.setAttribute("role", "img");
  spot.setAttribute("aria-label", alt);
  spot.style.aspectRatio = `${wide} / ${high}`;
  new ResizeObserver(() => {
    slide.style.transform = `scale(${spot.clientWidth / wide})`;
  }).observe(spot);
  const now = shownAt(film, part, nearestFrame(film.times, t)),
    traces = part.figure.data.map((trace, i) => ({ ...trace, ...now.get(i) }));
  picture.draw(traces, { ...part.figure.layout, width: wide, height: high });
}
