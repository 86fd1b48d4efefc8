// A chart that stands on the page as a picture, PNG of 1920 x 1080 or SVG, and its film as a GIF of 1280 x 720.
import { lab } from "../shared/lab.js";
import { gif, reel } from "./animation.js";
import { picture, png, svg, unmarked } from "./drawing.js";

const WORDS = { png: "PNG", svg: "SVG", gif: "GIF" };
const BROKEN = {
  png: "This browser could not draw the picture; try SVG, or another browser.",
  gif: "This browser could not draw the animation; try another browser.",
};
const STAGE_KEY = "main"; // of the chart that the headline is about

function save(blob, name) {
  const url = URL.createObjectURL(blob);
  Object.assign(document.createElement("a"), { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}

async function still(data, kind) {
  const gd = document.querySelector(`.st-key-${data.key} .js-plotly-plot`);
  // The player may have moved on since Python drew this row.
  const now = data.labels ? lab.now?.t : undefined,
    time = data.labels?.[now] ?? data.label;
  const caption = (time ? `${time}. ` : "") + data.caption;
  const at = (time ?? "")
    .split(" · ")[0]
    .replace(/[^A-Za-z0-9.]+/g, "-")
    .replace(/^-+|-+$/g, "");
  const headline = data.key === STAGE_KEY ? unmarked(lab.now?.html ?? "") : "";
  const drawn = picture(gd, data, { caption, headline }),
    blob = await (kind === "png" ? png : svg)(drawn);
  save(blob, `${data.name}${at && "-"}${at}.${kind}`);
}

// The film that the player plays now, from its beginning to its end.
async function animation(data, signal, told) {
  const { film, layout } = lab.charts.get(data.key);
  const made = reel(lab.player.film, film, layout, { ...data, headed: data.key === STAGE_KEY });
  const encoder = await import(new URL(data.encoder, document.baseURI));
  save(new Blob([await gif(made, { encoder, signal, told })], { type: "image/gif" }), `${data.name}.gif`);
}

export default function mountExport({ parentElement, data }) {
  const root = parentElement.querySelector(".export"),
    said = root.querySelector("output");
  for (const button of root.querySelectorAll("button")) {
    const kind = button.dataset.as,
      moves = kind === "gif";
    const name = (what, words) => {
      button.textContent = what;
      button.setAttribute("aria-label", words);
    };
    const rest = () => name(WORDS[kind], `${WORDS[kind]} of: ${data.alt}`);
    button.hidden = moves && !data.encoder;
    if (moves && root.making) continue; // a run of Python's while an animation is made
    rest();
    button.onclick = async () => {
      if (moves && root.making) return root.making.abort();
      said.textContent = "";
      try {
        if (moves) {
          root.making = new AbortController();
          const cancel = (share) => name(`Cancel ${Math.floor(100 * share)} %`, "Cancel the animation");
          cancel(0);
          await animation(data, root.making.signal, cancel);
        } else {
          button.disabled = true;
          await still(data, kind);
        }
      } catch {
        said.textContent = root.making?.signal.aborted ? "" : BROKEN[moves ? "gif" : "png"];
      }
      button.disabled = false;
      if (moves) root.making = null;
      rest();
    };
  }
  return () => root.making?.abort();
}
