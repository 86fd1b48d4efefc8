// A film of one chart as a GIF, and what a video of it is made of. Its pictures are those that the export draws of the
// stage, one after another, beside the page: the page's own stage and time stay as they are. In a GIF one palette serves
// all pictures, and what does not change from one to the next is transparent.
import { shownAt } from "../stage/decode.js";
import { inLines, marked, paint, picture } from "./drawing.js";

export const SIZE = { width: 1280, height: 720 };
const MOST = 150, // pictures
  SAMPLES = 8; // of them, that the palette is made of
const EXACT = 128, // colours that a chart shows most, as they are
  MIXED = 127; // and for all others; one more is transparent
// Milliseconds: of a frame in the player at speed 1 and at most, of a whole film at least and at most, of the last
// picture. A GIF counts in hundredths of a second.
const FRAME = 60,
  SLOWEST = 600,
  SHORTEST = 6000,
  LONGEST = 15000,
  REST = 2000,
  UNIT = 10;

// The frames of a film of n that an animation shows: all, or evenly `most` of them, with the first and the last.
export function frameNumbers(n, most = MOST) {
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
// layout, `part` is its part of the film, `look` is { height, hall }, `caption` the line at the foot, `span` its first and
// last frame.
export function reel(film, part, layout, { caption, headed, span = [0, film.n - 1], ...look }) {
  const wordsAt = (t) => ({
    caption: (film.labels[t] ? `${film.labels[t]}. ` : "") + caption,
    headline: headed ? marked(film.sentences[film.said[t]] ?? "") : "",
  });
  const frames = frameNumbers(span[1] - span[0] + 1).map((t) => span[0] + t),
    sizes = frames.map((t) => inLines(layout, wordsAt(t))),
    most = (name) => Math.max(...sizes.map((size) => size[name].length)),
    room = { lines: most("lines"), heads: most("heads") };
  const data = (t) => {
    const now = part.figure.data.map((trace) => ({ ...trace }));
    for (const [i, shown] of shownAt(film, part, t)) Object.assign(now[i], shown);
    return now;
  };
  return { frames, pictureAt: (t) => picture({ data: data(t), layout }, look, wordsAt(t), room) };
}

// The palette of some pictures' pixels (numbers of 32 bits): most of a chart is a few colours, which stay what they are;
// edges and shades have the nearest one of a mixture.
export function paletteOf(pixels, quantize) {
  const counts = new Map();
  for (let i = 0; i < pixels.length; ) {
    const colour = pixels[i],
      from = i;
    while (pixels[++i] === colour);
    counts.set(colour, (counts.get(colour) ?? 0) + i - from);
  }
  const often = [...counts].sort((one, other) => other[1] - one[1]).map(([colour]) => colour),
    rest = Uint32Array.from(often.slice(EXACT));
  const mixed = rest.length > MIXED ? quantize(new Uint8Array(rest.buffer), MIXED) : Array.from(rest, split);
  return [...often.slice(0, EXACT).map(split), ...mixed];
}
const split = (colour) => [colour & 255, (colour >> 8) & 255, (colour >> 16) & 255];

// What gives each pixel the index of its nearest colour; a colour has the same one in all pictures.
export function indexer(palette, nearest) {
  const known = new Map();
  return (pixels) => {
    const indices = new Uint8Array(pixels.length);
    for (let i = 0; i < pixels.length; ) {
      const colour = pixels[i],
        from = i;
      if (!known.has(colour)) known.set(colour, nearest(palette, split(colour)));
      while (pixels[++i] === colour);
      indices.fill(known.get(colour), from, i);
    }
    return indices;
  };
}

// What paints the pictures of a reel on one canvas. `told` hears which share of `all` is done, and `signal` ends it
// between two.
export function painter(pictureAt, all, { signal, told }) {
  const canvas = Object.assign(document.createElement("canvas"), SIZE),
    pen = canvas.getContext("2d", { willReadFrequently: true });
  let done = 0;
  return {
    canvas,
    show: async (t) => {
      told?.(done++ / all);
      signal?.throwIfAborted();
      await paint(pen, pictureAt(t));
      signal?.throwIfAborted();
      return pen;
    },
  };
}

// The bytes of the GIF. `encoder` is gifenc.
export async function gif({ frames, pictureAt }, { encoder, ...way }) {
  const { GIFEncoder, quantize, nearestColorIndex } = encoder;
  const some = frameNumbers(frames.length, SAMPLES),
    { show } = painter(pictureAt, frames.length + some.length, way);
  const pixels = async (t) => new Uint32Array((await show(t)).getImageData(0, 0, SIZE.width, SIZE.height).data.buffer);
  const count = SIZE.width * SIZE.height,
    sampled = new Uint32Array(some.length * count);
  for (const [i, k] of some.entries()) sampled.set(await pixels(frames[k]), i * count);
  const palette = paletteOf(sampled, quantize),
    indices = indexer(palette, nearestColorIndex),
    clear = palette.length;
  const made = GIFEncoder(),
    stand = durations(frames);
  let before = null;
  for (const [i, t] of frames.entries()) {
    const colours = indices(await pixels(t));
    made.writeFrame(changed(colours, before, clear), SIZE.width, SIZE.height, {
      palette: before ? null : [...palette, [0, 0, 0]],
      transparent: !!before,
      transparentIndex: clear,
      delay: stand[i],
      dispose: 1,
    });
    before = colours;
  }
  made.finish();
  return made.bytes();
}
