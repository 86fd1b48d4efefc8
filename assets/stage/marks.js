// Traces on a canvas, from the plain dicts that Plotly gets: lines, markers, text, fills, patterns; heat maps by heat.js.
// What no scene of ours uses is not drawn; tests/browser/test_stage.py compares each moment with Plotly's picture.
import { dashes } from "./geometry.js";
import { heat } from "./heat.js";
import { LINE, lines, write } from "./words.js";

const NEAR = 8; // pixels from a line or a marker at which it is pointed at

export const asWord = (word) => word.replace(/\u00a0/g, " ").toLowerCase();
// What sentences call a trace.
export const calledOf = (trace) => (trace.meta ? asWord(trace.meta).split("|") : []);

const of = (value, i) => (Array.isArray(value) || ArrayBuffer.isView(value) ? value[i] : value);

// Draw the traces in their order.
export function draw(context, data, axes, font) {
  const shown = data.map((trace) => drawable(trace, axes));
  // A fill to the next trace lies below the lines of both: it is drawn before the trace that it starts from.
  shown.forEach((one, i) => {
    if (one && data[i].fill === "tonexty") {
      const from = before(shown, i);
      if (from) from.between = one;
    }
  });
  for (const one of shown) {
    if (!one) continue;
    const { trace, X, Y, text, across, up } = one,
      mode = trace.mode ?? "lines";
    context.save();
    clip(context, across, up);
    const alpha = trace.opacity ?? 1;
    context.globalAlpha = alpha;
    if (trace.type === "contour") {
      heat(context, trace, X, Y);
      context.restore();
      continue;
    }
    if (one.between) between(context, one, one.between);
    if (trace.fill === "toself") {
      outline(context, X, Y, trace.line?.shape);
      paint(context, one);
    }
    if (mode.includes("lines") && (trace.line?.width ?? 2) > 0) line(context, trace.line ?? {}, X, Y);
    if (trace.cliponaxis === false) {
      context.restore();
      context.save();
      context.globalAlpha = alpha;
      outside(one);
    }
    if (mode.includes("markers")) markers(context, trace.marker ?? {}, X, Y, alpha);
    context.globalAlpha = alpha;
    if (mode.includes("text") && text) texts(context, trace, text, X, Y, font);
    context.restore();
  }
}

// The trace with a name that is drawn last under a place, lines and markers before areas; `context` lends its paths.
export function namedAt(context, data, axes, x, y) {
  const ratio = window.devicePixelRatio || 1,
    spot = [x * ratio, y * ratio], // a path is asked in pixels of the screen
    here = data
      .filter((one) => one.meta && !one.z && one.opacity !== 0 && one.visible !== false)
      .map((one) => drawable(one, axes));
  const touched = ({ trace: { mode = "lines", line, marker }, X, Y }) => {
    const near = (one, i) => Math.hypot(one - x, Y[i] - y) < NEAR && of(marker?.opacity ?? 1, i) > 0;
    if (mode !== "lines" && X.some(near)) return true;
    outline(context, X, Y, line?.shape);
    context.lineWidth = 2 * NEAR;
    return mode.includes("lines") && line?.width !== 0 && context.isPointInStroke(...spot);
  };
  const covered = ({ trace, X, Y }) => {
    outline(context, X, Y, trace.line?.shape);
    return trace.fill === "toself" && context.isPointInPath(...spot);
  };
  return (here.findLast(touched) ?? here.findLast(covered))?.trace;
}

// What is not cut at an axis is drawn where it lies on it, as Plotly has it.
function outside({ X, Y, across, up }) {
  const off = (at, { from, to }) => at < Math.min(from, to) - 0.01 || at > Math.max(from, to) + 0.01;
  for (let i = 0; i < X.length; i++) if (off(X[i], across) || off(Y[i], up)) X[i] = NaN;
}

function drawable(trace, axes) {
  if (trace.visible === false) return null;
  const { x, y } = trace;
  const across = axes.get(trace.xaxis ?? "x"),
    up = axes.get(trace.yaxis ?? "y");
  const n = trace.type === "contour" ? Infinity : Math.min(x.length, y.length),
    X = Float32Array.from(x.slice(0, n), across.at),
    Y = Float32Array.from(y.slice(0, n), up.at);
  return { trace, X, Y, text: trace.text, across, up };
}

function before(shown, i) {
  for (let j = i - 1; j >= 0; j--)
    if (shown[j] && shown[j].across === shown[i].across && shown[j].up === shown[i].up) return shown[j];
  return null;
}

function clip(context, across, up) {
  context.beginPath();
  context.rect(
    Math.min(across.from, across.to),
    Math.min(up.from, up.to),
    Math.abs(across.to - across.from),
    Math.abs(up.to - up.from),
  );
  context.clip();
}

// The path of a curve, with a gap at each missing point.
function outline(context, X, Y, shape) {
  let drawing = false;
  context.beginPath();
  for (let i = 0; i < X.length; i++) {
    if (Number.isNaN(X[i]) || Number.isNaN(Y[i])) {
      drawing = false;
      continue;
    }
    if (drawing && shape === "hvh") {
      const middle = (X[i - 1] + X[i]) / 2;
      context.lineTo(middle, Y[i - 1]);
      context.lineTo(middle, Y[i]);
    }
    if (drawing && shape === "hv") context.lineTo(X[i], Y[i - 1]);
    context[drawing ? "lineTo" : "moveTo"](X[i], Y[i]);
    drawing = true;
  }
}

function line(context, { width = 2, color = "#444", dash = "solid", shape }, X, Y) {
  Object.assign(context, { lineWidth: width, strokeStyle: color, lineJoin: "miter", miterLimit: 2, lineCap: "butt" });
  context.setLineDash(dashes(dash, width));
  outline(context, X, Y, shape);
  context.stroke();
  context.setLineDash([]);
}

function between(context, below, above) {
  context.beginPath();
  const step = (x, y) => {
    if (!Number.isNaN(x) && !Number.isNaN(y)) context.lineTo(x, y); // the first one moves there
  };
  for (let i = 0; i < above.X.length; i++) step(above.X[i], above.Y[i]);
  for (let i = below.X.length - 1; i >= 0; i--) step(below.X[i], below.Y[i]);
  context.closePath();
  paint(context, above);
}

function paint(context, { trace, across, up }) {
  const pattern = trace.fillpattern;
  if (pattern?.shape) {
    if (pattern.bgcolor) {
      context.fillStyle = pattern.bgcolor;
      context.fill();
    }
    context.fillStyle = hatch(context, pattern, across.from, up.to);
  } else context.fillStyle = trace.fillcolor ?? "rgba(0,0,0,0)";
  context.fill();
}

const hatches = new Map();

// Slanted lines `size` pixels apart that cover the share `solidity` of the area, from the corner of its panel.
function hatch(context, { size = 8, solidity = 0.3, fgcolor = "#444" }, left, top) {
  const name = `${size} ${solidity} ${fgcolor} ${window.devicePixelRatio}`,
    side = size * Math.SQRT2,
    pixels = Math.round(side * (window.devicePixelRatio || 1));
  if (!hatches.has(name)) {
    const tile = new OffscreenCanvas(pixels, pixels),
      pen = tile.getContext("2d");
    pen.scale(pixels / side, pixels / side);
    pen.strokeStyle = fgcolor;
    pen.lineWidth = solidity * size;
    pen.beginPath();
    for (const shift of [-side, 0, side]) {
      pen.moveTo(shift - side / 4, side * 1.25);
      pen.lineTo(shift + side * 1.25, -side / 4);
    }
    pen.stroke();
    hatches.set(name, context.createPattern(tile, "repeat"));
  }
  const found = hatches.get(name);
  found.setTransform(new DOMMatrix().translate(left, top).scale(side / pixels, side / pixels));
  return found;
}

// Corners of the symbols, in radii of the marker.
const turned = (corners, angle) => {
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  return corners.map(([x, y]) => [c * x - s * y, s * x + c * y]);
};
const ring = (corners, radius, inner = radius) =>
  Array.from({ length: corners }, (_, i) => {
    const angle = (2 * Math.PI * i) / corners,
      far = i % 2 ? inner : radius;
    return [far * Math.sin(angle), -far * Math.cos(angle)];
  });
const plus = (far) => {
  const arm = [
    [far, far / 3],
    [far / 3, far / 3],
    [far / 3, far],
  ];
  return [0, 1, 2, 3].flatMap((quarter) => turned(arm, (quarter * Math.PI) / 2));
};
const TRIANGLE = [
    [-2 / Math.sqrt(3), 0.5],
    [2 / Math.sqrt(3), 0.5],
    [0, -1],
  ],
  STROKE = [
    [-1.4, 0],
    [1.4, 0],
  ];
const CORNERS = {
  square: turned(ring(4, Math.SQRT2), -Math.PI / 4),
  diamond: ring(4, 1.3),
  cross: plus(1.2),
  x: turned(plus(0.96), Math.PI / 4),
  "triangle-up": TRIANGLE,
  "triangle-down": TRIANGLE.map(([x, y]) => [x, -y]),
  pentagon: ring(5, 1),
  star: ring(10, 1.4, 0.382 * 1.4),
};
const STROKES = {
  "line-ew": STROKE,
  "line-ns": turned(STROKE, Math.PI / 2),
  "line-ne": turned(STROKE, -Math.PI / 4),
};

function markers(context, marker, X, Y, alpha) {
  const bubbles = typeof (marker.size ?? 6) !== "number"; // markers of several sizes are paler, with a white edge
  for (let i = 0; i < X.length; i++) {
    const size = of(marker.size ?? 6, i),
      opacity = of(marker.opacity ?? (bubbles ? 0.7 : 1), i);
    if (!(size > 0) || !(opacity > 0) || Number.isNaN(X[i]) || Number.isNaN(Y[i])) continue;
    const symbol = String(of(marker.symbol ?? "circle", i)),
      open = symbol.includes("-open"),
      kind = symbol.replace(/-open|-dot/g, "");
    const color = of(marker.color, i) ?? "#444",
      stroke = STROKES[kind];
    const wide = of(marker.line?.width, i) ?? (open || stroke || bubbles ? 1 : 0);
    const edge = open ? color : (of(marker.line?.color, i) ?? (bubbles ? "#fff" : "#444"));
    context.globalAlpha = alpha * opacity;
    context.beginPath();
    if (kind === "circle" || !(CORNERS[kind] || stroke)) context.arc(X[i], Y[i], size / 2, 0, 2 * Math.PI);
    else {
      for (const [a, b] of stroke ?? CORNERS[kind]) context.lineTo(X[i] + (a * size) / 2, Y[i] + (b * size) / 2);
      if (!stroke) context.closePath();
    }
    if (symbol.endsWith("-dot")) {
      context.moveTo(X[i] + 0.5, Y[i]);
      context.arc(X[i], Y[i], 0.5, 0, 2 * Math.PI);
    }
    if (!open && !stroke) {
      context.fillStyle = color;
      context.fill();
    }
    if (wide > 0) {
      Object.assign(context, { lineWidth: wide, strokeStyle: edge, lineJoin: "miter", miterLimit: 2 });
      context.stroke();
    }
  }
}

// Words beside their points, as far from a marker as Plotly puts them.
function texts(context, trace, text, X, Y, font) {
  const look = { ...font, ...trace.textfont },
    family = font.family,
    halo = look.shadow?.split(" ").at(-1), // its colour
    beside = (trace.mode ?? "").includes("markers");
  for (let i = 0; i < X.length; i++) {
    const said = of(text, i);
    if (!said || Number.isNaN(X[i]) || Number.isNaN(Y[i])) continue;
    const [up, side] = of(trace.textposition ?? "middle center", i).split(" "),
      size = of(look.size, i),
      color = of(look.color, i);
    const radius = beside ? of(trace.marker?.size ?? 6, i) / 2 / 0.8 + 1 : 0,
      parts = lines(said),
      tall = (parts.length - 1) * LINE + 1;
    const sign = { top: -1, middle: 0, bottom: 1 }[up],
      x = X[i] + { left: -1, center: 0, right: 1 }[side] * radius;
    const y = Y[i] + size * 0.75 + sign * radius + ((sign - 1) * tall * size) / 2;
    const align = { left: "right", center: "center", right: "left" }[side];
    parts.forEach((part, j) => {
      write(context, part, x, y + j * LINE * size, { size, family, color, align, halo });
    });
  }
}
