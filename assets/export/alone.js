// An animation without a page of the lab: draws the film that a shell asked for (shell/export/animation.py), and sends
// the file back.
import { decode } from "../stage/decode.js";
import { gif, reel } from "./animation.js";

const post = (to, body) => fetch(to, { method: "POST", body });

export async function make({ key, encoder, ...look }) {
  try {
    await document.fonts.ready;
    const film = decode(await (await fetch("film")).arrayBuffer()),
      part = film.charts.find((one) => one.key === key);
    const told = (done, of) => post("told", `${done} of ${of} pictures`);
    const bytes = await gif(reel(film, part, part.figure.layout, look), { encoder: await import(encoder), told });
    await post("made", bytes);
  } catch (problem) {
    await post("failed", String(problem));
  }
}
