// A heat map with contour lines on a canvas, from the contour trace that Plotly gets: numbers `z` over the grid of `x`
// and `y`, a row of them for each y. Colours and lines are linear between the numbers, as Plotly's are without smoothing.
const ramps = new WeakMap(),
  SHADES = 256;

// The shades of a colour scale, [share, "rgb(r, g, b)"] in order, three bytes each.
function ramp(scale) {
  if (!ramps.has(scale)) {
    const stops = scale.map(([share, colour]) => [share, colour.match(/[\d.]+/g).map(Number)]),
      shades = new Uint8ClampedArray(3 * SHADES);
    for (let i = 0; i < SHADES; i++) {
      const at = i / (SHADES - 1),
        next = Math.max(
          1,
          stops.findIndex(([share]) => share >= at),
        ),
        [[low, from], [high, to]] = [stops[next - 1], stops[next]];
      for (let k = 0; k < 3; k++) shades[3 * i + k] = from[k] + ((to[k] - from[k]) * (at - low)) / (high - low);
    }
    ramps.set(scale, shades);
  }
  return ramps.get(scale);
}

let small = null; // the canvas with a pixel for each number
// Draw a trace whose columns lie at the pixels X and whose rows lie at the pixels Y.
export function heat(context, trace, X, Y) {
  const { z, zmin, zmax, colorscale } = trace,
    [rows, columns] = [Y.length, X.length],
    shades = ramp(colorscale);
  if (small?.width !== columns || small?.height !== rows) small = new OffscreenCanvas(columns, rows);
  const pen = small.getContext("2d"),
    image = pen.createImageData(columns, rows);
  for (let j = 0, at = 0; j < rows; j++) {
    const row = z[rows - 1 - j]; // the last row is the uppermost
    for (let i = 0; i < columns; i++, at += 4) {
      const share = Math.min(Math.max((row[i] - zmin) / (zmax - zmin), 0), 1),
        shade = 3 * Math.round(share * (SHADES - 1));
      for (let k = 0; k < 3; k++) image.data[at + k] = shades[shade + k];
      image.data[at + 3] = 255;
    }
  }
  pen.putImageData(image, 0, 0);
  const wide = (X[columns - 1] - X[0]) / (columns - 1),
    high = (Y[0] - Y[rows - 1]) / (rows - 1);
  context.save();
  context.beginPath();
  context.rect(X[0], Y[rows - 1], wide * (columns - 1), high * (rows - 1)); // it ends at the outermost numbers
  context.clip();
  context.imageSmoothingEnabled = true;
  context.drawImage(small, X[0] - wide / 2, Y[rows - 1] - high / 2, wide * columns, high * rows);
  context.restore();
  contours(context, trace, X, Y);
}

// The lines at the heights `start`, `start + size`, ... up to `end`: in each cell the straight ways between its sides.
function contours(context, { z, contours: { start, end, size }, line }, X, Y) {
  Object.assign(context, { lineWidth: line.width, strokeStyle: line.color, lineCap: "round", lineJoin: "round" });
  context.beginPath();
  for (let j = 0; j + 1 < Y.length; j++) {
    const [below, above] = [z[j], z[j + 1]];
    for (let i = 0; i + 1 < X.length; i++) {
      const corners = [below[i], below[i + 1], above[i + 1], above[i]],
        low = Math.min(...corners),
        first = start + size * Math.max(0, Math.ceil((low - start) / size)),
        last = Math.min(end + size / 1000, Math.max(...corners));
      for (let level = first; level <= last; level += size) cross(context, corners, level, i, j, X, Y);
    }
  }
  context.stroke();
}

const CORNER = [
  [0, 0],
  [1, 0],
  [1, 1],
  [0, 1],
]; // columns and rows from a cell's lower left corner, around it

// The ways of one height through a cell. Of a saddle's two pairs of ways the mean of its corners decides, as in Plotly.
function cross(context, corners, level, i, j, X, Y) {
  const points = [];
  for (let side = 0; side < 4; side++) {
    const [a, b] = [corners[side], corners[(side + 1) % 4]];
    if (a > level === b > level) continue;
    const share = (level - a) / (b - a),
      [[x0, y0], [x1, y1]] = [CORNER[side], CORNER[(side + 1) % 4]];
    points.push([X[i + x0] + share * (X[i + x1] - X[i + x0]), Y[j + y0] + share * (Y[j + y1] - Y[j + y0])]);
  }
  const turned = points.length === 4 && corners.reduce((sum, one) => sum + one) / 4 > level === corners[0] > level;
  if (turned) points.push(points.shift());
  for (let k = 0; k + 1 < points.length; k += 2) {
    context.moveTo(...points[k]);
    context.lineTo(...points[k + 1]);
  }
}
