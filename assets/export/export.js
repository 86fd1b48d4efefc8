// A chart that stands on the page as a picture, PNG of 1920 x 1080 or SVG, and its film as GIF, WebM or MP4 of
// 1280 x 720.
import { lab } from "../shared/lab.js";
import { save } from "../shared/save.js";
import { reel } from "./animation.js";
import { marked, picture, png, svg } from "./drawing.js";
import { writes, written } from "./video.js";

const WORDS = { png: "PNG", svg: "SVG", gif: "GIF", webm: "WebM", mp4: "MP4" };
const TYPES = { gif: "image/gif", webm: "video/webm", mp4: "video/mp4" };
const NO_PICTURE = "This browser could not draw the picture; try SVG, or another browser.",
  NO_ANIMATION = "This browser could not draw the animation; try another kind of file, or another browser.";
const STAGE_KEY = "main"; // of the chart that the headline is about

async function still(data, kind) {
  const chart = lab.charts.get(data.key);
  await chart.plotly;
  // The player may have moved on since Python drew this row.
  const now = data.labels ? lab.now?.t : undefined,
    time = data.labels?.[now] ?? data.label;
  const caption = (time ? `${time}. ` : "") + data.caption;
  const at = (time ?? "")
    .split(" · ")[0]
    .replace(/[^A-Za-z0-9.]+/g, "-")
    .replace(/^-+|-+$/g, "");
  const headline = data.key === STAGE_KEY ? marked(lab.now?.html ?? "") : "";
  const drawn = picture(chart.current, data, { caption, headline }),
    blob = await (kind === "png" ? png : svg)(drawn);
  save(blob, `${data.name}${at && "-"}${at}.${kind}`);
}

// The film that the player plays now, from its beginning to its end.
async function animation(data, kind, signal, told) {
  const chart = lab.charts.get(data.key);
  await chart.plotly;
  const made = reel(lab.player.film, chart.film, chart.layout, { ...data, headed: data.key === STAGE_KEY });
  const encoder = await import(new URL(data.encoders[kind], document.baseURI)),
    bytes = await written(made, kind, { encoder, signal, told });
  save(new Blob([bytes], { type: TYPES[kind] }), `${data.name}.${kind}`);
}

// data.encoders: kind of an animation -> address of the script that writes it; null where the chart has no film.
export default function mountExport({ parentElement, data }) {
  const root = parentElement.querySelector(".export"),
    said = root.querySelector("output"),
    buttons = [...root.querySelectorAll("button")];
  const name = (button, what, words) => {
    button.textContent = what;
    button.setAttribute("aria-label", words);
  };
  const rest = () => {
    for (const button of buttons) {
      const what = WORDS[button.dataset.as];
      name(button, what, `${what} of: ${data.alt}`);
      button.disabled = false;
    }
  };
  const make = async (button, kind) => {
    const making = new AbortController();
    root.making = making;
    for (const other of buttons) other.disabled = other !== button && other.dataset.as in TYPES;
    const cancel = (share) => name(button, `Cancel ${Math.floor(100 * share)} %`, "Cancel the animation");
    cancel(0);
    try {
      await animation(data, kind, making.signal, cancel);
    } catch {
      if (!making.signal.aborted) said.textContent = NO_ANIMATION;
    }
    root.making = null;
    rest();
  };
  for (const button of buttons) {
    const kind = button.dataset.as;
    if (kind in TYPES) {
      button.onclick = () => {
        if (root.making) return root.making.abort();
        said.textContent = "";
        make(button, kind);
      };
      if (!data.encoders) button.hidden = true;
      else if (kind === "gif") button.hidden = false;
      else
        writes(kind).then((can) => {
          button.hidden = !can;
        });
    } else
      button.onclick = async () => {
        said.textContent = "";
        button.disabled = true;
        await still(data, kind).catch(() => {
          said.textContent = NO_PICTURE;
        });
        button.disabled = false;
      };
  }
  if (!root.making) rest(); // else this is a run of Python's while an animation is made
  return () => root.making?.abort();
}
