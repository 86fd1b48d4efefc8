// Reads a film, or one frame of it, as answers/film_format.py writes it (the form is described there).
// What comes out: the text's own keys; `rows`, of each array its rows; in the figures of the charts every array in its
// place. What moves is in the tracks: `values(track, frame)`.
const STEPS = 65000,
  GAP = -32768; // the same two numbers as in film_format.py

export function decode(buffer) {
  const size = new DataView(buffer).getUint32(0, true);
  const film = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, size)));
  let at = 4 + size;
  film.rows = film.arrays.map((head) => {
    const rows = unpacked(buffer, at, head);
    at += 2 * head[0] * head[1];
    return rows;
  });
  const still = (part) => {
    if (Array.isArray(part) || part === null || typeof part !== "object") return part;
    if ("array" in part) return part.rows ? film.rows[part.array] : film.rows[part.array][0];
    return Object.fromEntries(Object.entries(part).map(([name, value]) => [name, still(value)]));
  };
  for (const chart of film.charts) if (chart.figure) chart.figure.data = chart.figure.data.map(still);
  return film;
}

// The rows of one array: each difference with its sign, their sums from row to row and along the rows, their values.
function unpacked(buffer, start, [count, width, low, step, log]) {
  const n = count * width,
    below = new Uint8Array(buffer, start, n),
    above = new Uint8Array(buffer, start + n, n);
  const codes = new Int16Array(n),
    values = new Float32Array(n),
    rows = [];
  for (let i = 0; i < n; i++) {
    const one = below[i] | (above[i] << 8);
    codes[i] = (one >>> 1) ^ -(one & 1);
  }
  for (let i = width; i < n; i++) codes[i] += codes[i - width];
  for (let row = 0; row < count; row++) {
    for (let i = row * width + 1; i < (row + 1) * width; i++) codes[i] += codes[i - 1];
    rows.push(values.subarray(row * width, (row + 1) * width));
  }
  for (let i = 0; i < n; i++) {
    const value = low + (codes[i] + STEPS / 2) * step;
    values[i] = codes[i] === GAP ? NaN : log ? 10 ** value : value;
  }
  return rows;
}

// What a track shows at a frame; `way` behind it, where the film says that the same thing moves, it is on its way. A track
// may have rows of its own for that, `between` each frame and the one before it.
export function values(film, track, frame, way = 0) {
  if (track.texts) return track.texts[track.text[frame]];
  const { between = 0 } = track,
    place = frame * (between + 1) + between + way * (between + 1),
    at = Math.floor(place),
    rows = film.rows[track.array],
    next = rows[at + 1],
    on = place - at;
  let row = rows[at];
  if (on && next && track.cuts && !track.cuts.includes(at)) {
    row = row.map((value, i) => (Number.isNaN(next[i]) ? value : value + on * (next[i] - value)));
  }
  return row;
}

// What a chart of a film shows at a frame: trace -> { x, y, z, text }; `way` behind it, what may glide is on its way.
// Words at rest are not seen then.
export function shownAt(film, part, frame, way = 0) {
  const now = new Map(),
    { data } = part.figure;
  for (const track of part.tracks) {
    const shown = values(film, track, frame, way);
    const moved =
      track.attribute === "marker.opacity"
        ? { marker: { ...data[track.trace].marker, opacity: shown } }
        : { [track.attribute]: track.attribute === "z" ? inRows(shown, data[track.trace].x.length) : shown };
    now.set(track.trace, { ...now.get(track.trace), ...moved });
  }
  if (way)
    for (const [i, { legendgroup }] of data.entries()) if (legendgroup === "rest") now.set(i, { visible: false });
  return now;
}

// The rows of a heat map, `width` numbers each.
const inRows = (numbers, width) =>
  Array.from({ length: numbers.length / width }, (_, i) => numbers.subarray(i * width, (i + 1) * width));

// The frame whose time is nearest to this one; a long film does not show every time.
export function nearestFrame(times, time) {
  const far = times.map((one) => Math.abs(one - time));
  return far.indexOf(Math.min(...far));
}
