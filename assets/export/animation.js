// A film of one chart as a GIF. Its pictures are those that the export draws of the stage, one after another, beside the
// page: the page's own stage and time stay as they are. One palette serves all pictures, and what does not change from
// one to the next is transparent.
import { values } from "../stage/decode.js";
import { inLines, paint, picture, unmarked } from "./drawing.js";

const SIZE = { width: 1280, height: 720 };
const MOST = 150, // pictures
  SAMPLES = 12; // of them, that the palette is made of
const COLOURS = 255, // and one that is transparent
  PACKED = "rgb565";
// Milliseconds: of a frame in the player at speed 1 and at most, of a whole film at least and at most, of the last
// picture. A GIF counts in hundredths of a second.
const FRAME = 60,
  SLOWEST = 600,
  SHORTEST = 6000,
  LONGEST = 15000,
  REST = 2000,
  UNIT = 10;

// The frames of a film of n that an animation shows: all, or evenly `most` of them, with the first and the last.
export function chosen(n, most = MOST) {
  const count = Math.min(n, most);
  return Array.from({ length: count }, (_, i) => (count > 1 ? Math.round((i * (n - 1)) / (count - 1)) : 0));
}

// How long each of them stands: time passes evenly, as in the player, but a short film is slower and a long one faster.
export function durations(frames) {
  const steps = frames.at(-1) - frames[0] || 1,
    one = Math.min(Math.max(FRAME, SHORTEST / steps), SLOWEST, LONGEST / steps);
  const at = (frame) => UNIT * Math.round(((frame - frames[0]) * one) / UNIT);
  return frames.map((frame, i) => (i + 1 < frames.length ? at(frames[i + 1]) - at(frame) : REST));
}

// The indices of a picture's colours, `clear` where the picture before has the same.
export const changed = (colours, before, clear) =>
  before ? colours.map((colour, i) => (colour === before[i] ? clear : colour)) : colours;

// What an animation needs of a film: its frames, and the picture of one of them. `chart` has its figure's data and
// layout, `part` is its part of the film, `look` is { height, hall }, `caption` the line at the foot.
export function reel(film, part, layout, { caption, headed, ...look }) {
  const said = (t) => ({
    caption: (film.labels[t] ? `${film.labels[t]}. ` : "") + caption,
    headline: headed ? unmarked(film.sentences[film.said[t]] ?? "") : "",
  });
  const frames = chosen(film.n),
    sizes = frames.map((t) => inLines(layout, said(t))),
    most = (name) => Math.max(...sizes.map((size) => size[name].length)),
    room = { lines: most("lines"), heads: most("heads") };
  const data = (t) => {
    const now = part.figure.data.map((trace) => ({ ...trace }));
    for (const track of part.tracks) now[track.trace][track.attribute] = values(film, track, t);
    return now;
  };
  return { frames, drawn: (t) => picture({ data: data(t), layout }, look, said(t), room) };
}

// The bytes of the GIF. `encoder` is gifenc, `told` hears how many pictures are done, and `signal` ends it between two.
export async function gif({ frames, drawn }, { encoder, signal, told }) {
  const { GIFEncoder, quantize, applyPalette } = encoder;
  const canvas = Object.assign(document.createElement("canvas"), SIZE),
    pen = canvas.getContext("2d", { willReadFrequently: true });
  const pixels = async (t) => {
    signal?.throwIfAborted();
    await paint(pen, drawn(t));
    signal?.throwIfAborted();
    return pen.getImageData(0, 0, SIZE.width, SIZE.height).data;
  };
  const some = chosen(frames.length, SAMPLES),
    bytes = 4 * SIZE.width * SIZE.height,
    sampled = new Uint8Array(some.length * bytes);
  for (const [i, k] of some.entries()) sampled.set(await pixels(frames[k]), i * bytes);
  const palette = quantize(sampled, COLOURS, { format: PACKED }),
    clear = palette.length;
  const made = GIFEncoder(),
    stand = durations(frames);
  let before = null;
  for (const [i, t] of frames.entries()) {
    const colours = applyPalette(await pixels(t), palette, PACKED);
    made.writeFrame(changed(colours, before, clear), SIZE.width, SIZE.height, {
      palette: before ? null : [...palette, [0, 0, 0]],
      transparent: !!before,
      transparentIndex: clear,
      delay: stand[i],
      dispose: 1,
    });
    before = colours;
    told?.(i + 1, frames.length);
  }
  made.finish();
  return made.bytes();
}
