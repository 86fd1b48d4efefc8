// A canvas's context that writes down what is painted: a line for each, with its colours and its place. Neighbours that
// differ in their place alone, such as the markers of a trace, share a line.
const FIRST = {
  fillStyle: "#000",
  strokeStyle: "#000",
  lineWidth: 1,
  globalAlpha: 1,
  font: "10px sans-serif",
  textAlign: "start",
  textBaseline: "alphabetic",
  lineCap: "butt",
  lineJoin: "miter",
  miterLimit: 10,
  imageSmoothingEnabled: true,
};
const LISTED = 4; // places that are listed one by one

const short = (number) => String(+number.toFixed(3));
const spot = ([x, y]) => `@${x.toFixed(1)},${y.toFixed(1)}`.replace(/-0\.0/g, "0.0");
const mean = (points) => [0, 1].map((i) => points.reduce((sum, one) => sum + one[i], 0) / points.length);
const corner = (points, pick) => [0, 1].map((i) => points.reduce((end, one) => pick(end, one[i]), points[0][i]));
const sizeOf = (font) => parseFloat(/([\d.]+)px/.exec(font)[1]);

export class Pen {
  constructor(canvas) {
    Object.assign(this, {
      canvas,
      ...FIRST,
      matrix: [1, 0, 0, 1, 0, 0],
      dash: [],
      clipped: "",
      stack: [],
      painted: [],
    });
    this.beginPath();
  }

  // ------------------------------------------------------------------ state
  save() {
    const { matrix, dash, clipped } = this,
      state = Object.fromEntries(Object.keys(FIRST).map((name) => [name, this[name]]));
    this.stack.push({ ...state, matrix, dash, clipped });
  }
  restore() {
    Object.assign(this, this.stack.pop());
  }
  setLineDash(dash) {
    this.dash = dash;
  }
  setTransform(...matrix) {
    this.matrix = matrix;
  }
  times([a, b, c, d, e, f]) {
    const [A, B, C, D, E, F] = this.matrix;
    this.matrix = [A * a + C * b, B * a + D * b, A * c + C * d, B * c + D * d, A * e + C * f + E, B * e + D * f + F];
  }
  translate(x, y) {
    this.times([1, 0, 0, 1, x, y]);
  }
  rotate(angle) {
    this.times([Math.cos(angle), Math.sin(angle), -Math.sin(angle), Math.cos(angle), 0, 0]);
  }
  scale(x, y) {
    this.times([x, 0, 0, y, 0, 0]);
  }
  at(x, y) {
    const [a, b, c, d, e, f] = this.matrix;
    return [a * x + c * y + e, b * x + d * y + f];
  }

  // ------------------------------------------------------------------ path
  beginPath() {
    this.path = { strokes: [], closed: 0, discs: [] };
  }
  moveTo(x, y) {
    this.path.strokes.push([this.at(x, y)]);
  }
  lineTo(x, y) {
    if (this.path.strokes.length) this.path.strokes.at(-1).push(this.at(x, y));
    else this.moveTo(x, y);
  }
  rect(x, y, width, height) {
    this.path.strokes.push([
      this.at(x, y),
      this.at(x + width, y),
      this.at(x + width, y + height),
      this.at(x, y + height),
    ]);
    this.path.closed += 1;
  }
  arc(x, y, radius) {
    this.path.discs.push(short(radius));
    this.path.strokes.push([this.at(x, y)]);
  }
  closePath() {
    this.path.closed += 1;
  }
  clip() {
    const points = this.path.strokes.flat();
    this.clipped = `${spot(corner(points, Math.min))} to ${spot(corner(points, Math.max))}`;
  }

  // ------------------------------------------------------------------ paint
  get alpha() {
    return this.globalAlpha === 1 ? "" : ` at ${short(this.globalAlpha)}`;
  }
  colour(style) {
    return typeof style === "string" ? style : style.said;
  }
  // Painted once more along the same path: one line.
  put(how, path = this.path) {
    const last = this.painted.at(-1);
    if (!path.strokes.length) return;
    if (last?.path === path) last.how += `, ${how}`;
    else this.painted.push({ how, path, clipped: this.clipped });
  }
  fill() {
    this.put(`fill ${this.colour(this.fillStyle)}${this.alpha}`);
  }
  stroke() {
    const dash = this.dash.length ? ` dashed ${this.dash.map(short).join(" ")}` : "",
      join = this.lineJoin === "miter" ? "" : ` ${this.lineJoin}`;
    this.put(`line ${this.strokeStyle} ${short(this.lineWidth)} px${dash}${join}${this.alpha}`);
  }
  fillRect(x, y, width, height) {
    const before = this.path;
    this.beginPath();
    this.rect(x, y, width, height);
    this.fill();
    this.path = before;
  }
  clearRect() {
    this.painted = [];
  }
  measureText(text) {
    const size = sizeOf(this.font);
    return { width: 0.5 * size * [...text].length, fontBoundingBoxAscent: size, fontBoundingBoxDescent: size / 4 };
  }
  fillText(text, x, y) {
    this.words(text, x, y, `text ${this.fillStyle}`);
  }
  strokeText(text, x, y) {
    this.words(text, x, y, `halo ${this.strokeStyle} ${short(this.lineWidth)} px`);
  }
  words(text, x, y, how) {
    const point = this.at(x, y),
      last = this.painted.at(-1)?.path,
      turned = this.matrix[1] ? " turned" : "";
    // A word over its own halo: one line.
    if (last?.text === text && spot(last.strokes[0][0]) === spot(point)) return this.put(how, last);
    const align = ["start", "left"].includes(this.textAlign) ? "" : ` ${this.textAlign}`,
      line = this.textBaseline === "alphabetic" ? "" : ` ${this.textBaseline}`,
      look = `“${text}” ${this.font.replace(/px .*/, "px")}${align}${line}${turned}${this.alpha}`;
    this.put(`${how} ${look}`, { strokes: [[point]], closed: 0, discs: [], text });
  }
  drawImage(image, x, y, width, height) {
    const before = this.path;
    this.beginPath();
    this.rect(x, y, width, height);
    let sum = 0;
    const bytes = image.pen?.pixels ?? [...String(image.src)].map((letter) => letter.charCodeAt(0));
    for (const one of bytes) sum = (31 * sum + one) % 1e9;
    this.put(`image ${sum}${this.imageSmoothingEnabled ? " smooth" : ""}${this.alpha}`);
    this.path = before;
  }
  createImageData(width, height) {
    return { width, height, data: new Uint8ClampedArray(4 * width * height) };
  }
  putImageData({ data }) {
    this.pixels = data.slice();
  }
  createPattern(tile) {
    const said = `pattern [${tile.pen.lines().join("; ")}]`;
    return {
      said,
      setTransform(matrix) {
        this.said = said + matrix.said;
      },
    };
  }

  // ------------------------------------------------------------------ what was painted, a line each, and forget it
  lines() {
    const groups = [],
      found = [];
    for (const one of this.painted) {
      one.points = one.path.strokes.flat();
      const { strokes, closed, discs, text } = one.path,
        wide = discs.length || text ? "" : size(one.points),
        kind = `${one.how}: ${discs.length ? `disc ${discs.join(" ")}` : text ? "" : `${one.points.length} points`}`,
        key = `${kind} ${strokes.length} ${closed} ${wide} ${one.clipped}`;
      if (groups.at(-1)?.key === key && (discs.length || one.points.length <= 12)) groups.at(-1).all.push(one);
      else groups.push({ key, kind, all: [one], strokes: strokes.length, closed, clipped: one.clipped });
    }
    let clipped = "";
    for (const { kind, all, strokes, closed, clipped: now } of groups) {
      if (now !== clipped) found.push(now ? `within ${now}` : "within all");
      clipped = now;
      const places = all.map(({ points }) => points[0]),
        [{ points, path }] = all;
      const shape = path.discs.length || path.text ? "" : whole(points, strokes, closed);
      const many = all.length > 1 ? `${all.length} times ` : "";
      found.push(`${many}${kind}${shape}${all.length > 1 || !shape ? spread(places) : ""}`.replace(/: $/, ""));
    }
    this.painted = [];
    return found;
  }
}

const size = (points) => {
  const [left, top] = corner(points, Math.min),
    [right, bottom] = corner(points, Math.max);
  return `${(right - left).toFixed(1)} ${(bottom - top).toFixed(1)}`;
};
const whole = (points, strokes, closed) =>
  `${strokes > 1 ? ` in ${strokes}` : ""}${closed ? " closed" : ""} ${spot(points[0])} to ${spot(points.at(-1))}` +
  (points.length > 2
    ? `, box ${spot(corner(points, Math.min))} ${spot(corner(points, Math.max))}, mean ${spot(mean(points))}`
    : "");
const spread = (places) =>
  places.length <= LISTED
    ? ` ${places.map(spot).join(" ")}`
    : ` ${spot(places[0])} to ${spot(places.at(-1))}, box ${spot(corner(places, Math.min))} ${spot(corner(places, Math.max))}, mean ${spot(mean(places))}`;
