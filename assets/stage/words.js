// Words of a figure on a canvas: the few marks of type that Plotly knows (<b>, <i>, <sub>, <sup>, <br>, <span style="color">),
// each line parsed once.
const SMALL = 0.7,
  LOWER = 0.3,
  HIGHER = -0.6; // size of indices and powers, and their shift, in sizes of the line
export const LINE = 1.3; // distance of two lines, in sizes
const KEPT = 4000,
  known = new Map();
const ENTITY = { amp: "&", lt: "<", gt: ">", nbsp: "\u00a0", quot: '"', "#39": "'" };

// The runs of one line: { text, bold, italic, color (null: the line's), shift and scale in sizes, pixels (null: the line's) }.
export function runs(line) {
  let found = known.get(line);
  if (!found) {
    found = [];
    let bold = 0,
      italic = 0,
      level = [];
    const spans = [];
    for (const part of line.split(/(<[^>]*>)/)) {
      const tag = /^<(\/?)(\w+)([^>]*)>$/.exec(part),
        step = tag?.[1] ? -1 : 1;
      if (!tag) {
        const text = part.replace(/&(\w+|#39);/g, (whole, name) => ENTITY[name] ?? whole);
        const { color = null, pixels = null } = spans.at(-1) ?? {};
        if (text)
          found.push({
            text,
            bold: bold > 0,
            italic: italic > 0,
            color,
            pixels,
            shift: level.at(-1) ?? 0,
            scale: level.length ? SMALL : 1,
          });
      } else if (tag[2] === "b") bold += step;
      else if (tag[2] === "i") italic += step;
      else if (tag[2] === "sub" || tag[2] === "sup") {
        if (step > 0) level = [...level, tag[2] === "sub" ? LOWER : HIGHER];
        else level = level.slice(0, -1);
      } else if (tag[2] === "span" && step < 0) spans.pop();
      else if (tag[2] === "span") {
        const color = /(?:^|[;"'\s])color:\s*([^;"']+)/.exec(tag[3])?.[1],
          pixels = /font-size:\s*([\d.]+)px/.exec(tag[3])?.[1];
        spans.push({ ...spans.at(-1), ...(color && { color }), ...(pixels && { pixels: +pixels }) });
      }
    }
    if (known.size >= KEPT) known.clear();
    known.set(line, found);
  }
  return found;
}

export const lines = (text) => String(text).split(/<br\s*\/?>/i);
const font = (run, size, family) =>
  `${run.italic ? "italic " : ""}${run.bold ? "bold " : ""}${(run.pixels ?? size) * run.scale}px ${family}`;

const widths = (context, line, size, family) =>
  runs(line).map((run) => {
    context.font = font(run, size, family);
    return context.measureText(run.text).width;
  });
const sum = (numbers) => numbers.reduce((all, one) => all + one, 0);

// The width of a line in pixels.
export const width = (context, line, size, family) => sum(widths(context, line, size, family));

// Write one line with its baseline at y; `align`: "left", "center" or "right" of x. Returns its width.
export function write(context, line, x, y, { size, family, color, align = "left", halo }) {
  const each = widths(context, line, size, family),
    wide = sum(each);
  let at = x - wide * { left: 0, center: 0.5, right: 1 }[align];
  context.textAlign = "left";
  context.textBaseline = "alphabetic";
  for (const [i, run] of runs(line).entries()) {
    context.font = font(run, size, family);
    if (halo) {
      Object.assign(context, { strokeStyle: halo, lineWidth: 5, lineJoin: "round" });
      context.strokeText(run.text, at, y + run.shift * size);
    }
    context.fillStyle = run.color ?? color;
    context.fillText(run.text, at, y + run.shift * size);
    at += each[i];
  }
  return wide;
}
