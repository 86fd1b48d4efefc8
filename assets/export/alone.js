// An animation without a page of the lab: draws the film that a shell asked for (shell/static/animation.py), and sends
// the file back.
import { decode } from "../stage/decode.js";
import { reel } from "./animation.js";
import { writes, written } from "./video.js";

const post = (to, body) => fetch(to, { method: "POST", body });

export async function make({ key, kind, encoder, ...look }) {
  try {
    if (kind !== "gif" && !(await writes(kind))) throw new Error(`it writes no ${kind}, so name a file *.gif`);
    await document.fonts.ready;
    const film = decode(await (await fetch("film")).arrayBuffer()),
      part = film.charts.find((one) => one.key === key);
    let last = -1;
    const told = (share) => {
      const percent = Math.floor(100 * share);
      if (percent > last) post("told", String(percent));
      last = percent;
    };
    const made = reel(film, part, part.figure.layout, look);
    await post("made", await written(made, kind, { encoder: await import(encoder), told }));
  } catch (problem) {
    await post("failed", String(problem));
  }
}
