// What of a figure stands still: its axes with ticks, titles and grid, images, shapes and notes, on a canvas.
import { dashes, place, ticks } from "./geometry.js";
import { LINE, lines, width, write } from "./words.js";

const CAP = 0.7; // height of a capital letter, in sizes
const images = new Map();

// Draw grid, images and the shapes below the traces; `again` is called once an image has come.
export function under(context, layout, all, again) {
  for (const one of layout.images ?? []) image(context, all, one, again);
  for (const one of all.values())
    if (one.own.visible !== false && one.own.showgrid !== false && one.other) grid(context, one);
  for (const one of layout.shapes ?? []) if ((one.layer ?? "above") === "below") shape(context, layout, all, one);
}

// Draw what lies over the traces: lines of the axes, ticks, titles, shapes and notes.
export function over(context, layout, all) {
  const { family } = layout.font;
  for (const one of layout.shapes ?? []) if ((one.layer ?? "above") === "above") shape(context, layout, all, one);
  for (const one of all.values()) if (one.own.visible !== false && one.other) rule(context, layout, one, family);
  for (const one of layout.annotations ?? []) note(context, layout, all, one, family);
}

const crisp = (pixel) => Math.round(pixel - 0.5) + 0.5;

function grid(context, one) {
  context.strokeStyle = one.own.gridcolor ?? "#eee";
  context.lineWidth = 1;
  context.beginPath();
  for (const value of ticks(one)[0]) along(context, one.other, crisp(one.pixel(value)));
  context.stroke();
}

// A line along an axis, at a pixel of the other one.
function along(context, { across, from, to }, at) {
  context.moveTo(across ? from : at, across ? at : from);
  context.lineTo(across ? to : at, across ? at : to);
}

function rule(context, layout, one, family) {
  const { own, across } = one,
    base = one.other.from,
    ink = layout.font?.color ?? "#444";
  const lined = own.showline ?? "linecolor" in own;
  if (lined) {
    context.strokeStyle = own.linecolor ?? ink;
    context.lineWidth = 1;
    context.beginPath();
    along(context, one, crisp(across ? base + 0.5 : base - 0.5));
    context.stroke();
  }
  const size = own.tickfont?.size ?? layout.font?.size ?? 12,
    color = own.tickfont?.color ?? ink;
  const marks = own.ticks === "outside" ? (own.ticklen ?? 5) : 0;
  const away = 1 + marks + (lined || marks ? 0.2 * size : 0); // from the line to the ticks' texts, as Plotly has it
  let deep = 0;
  if (own.showticklabels !== false) {
    const [places, texts] = ticks(one),
      look = { size, family, color, align: across ? "center" : "right" },
      { fall } = reach(context, size, family);
    for (const [i, text] of texts.entries()) {
      const parts = lines(text),
        at = one.pixel(places[i]);
      for (const [j, part] of parts.entries()) {
        const down = across
          ? base + away + size * (1 + j * LINE)
          : at + size * (0.35 + (j - (parts.length - 1) / 2) * LINE);
        const wide = write(context, part, across ? at : base - away, down, look);
        deep = Math.max(deep, across ? down - base + fall : away + wide);
      }
    }
  }
  if (own.title?.text) caption(context, one, deep, layout.height, { family, color: ink, ...own.title.font });
}

// How far a typeface reaches above and below its baseline.
function reach(context, size, family) {
  context.font = `${size}px ${family}`;
  const { fontBoundingBoxAscent: rise, fontBoundingBoxDescent: fall } = context.measureText("x");
  return { rise, fall };
}

// The title of an axis, behind its ticks' texts. As Plotly has it, its first line keeps off their boxes and its last one
// stays on paper, where the distance that the figure gives leaves too little room.
function caption(context, one, deep, bottom, look) {
  const middle = (one.from + one.to) / 2,
    { text, standoff } = one.own.title,
    parts = lines(text),
    { size } = look,
    { rise, fall } = reach(context, size, look.family);
  const off = Math.max(standoff + size * CAP, rise),
    last = size * (parts.length - 1) * LINE + fall,
    away = deep + standoff,
    down = Math.min(one.other.from + deep + off, bottom - last);
  if (one.across) {
    for (const [i, part] of parts.entries())
      write(context, part, middle, down + size * i * LINE, { ...look, align: "center" });
    return;
  }
  context.save();
  context.translate(one.other.from - away - fall, middle);
  context.rotate(-Math.PI / 2);
  for (const [i, part] of parts.entries())
    write(context, part, 0, (i - parts.length + 1) * LINE * size, { ...look, align: "center" });
  context.restore();
}

// A note: its text in a box of its size, anchored as it says.
function note(context, layout, all, one, family) {
  const size = one.font?.size ?? layout.font?.size ?? 12,
    parts = lines(one.text),
    color = one.font?.color ?? layout.font?.color ?? "#444";
  const { rise, fall } = reach(context, size, family),
    edge = (one.borderpad ?? 1) + 1,
    wide = Math.max(...parts.map((part) => width(context, part, size, family))) + 2 * edge;
  const tall = rise + fall + (parts.length - 1) * LINE * size + 2 * edge;
  const x = place(layout, all, one.xref ?? "x", one.x, true) + (one.xshift ?? 0),
    y = place(layout, all, one.yref ?? "y", one.y, false) - (one.yshift ?? 0);
  const left = x - wide * { left: 0, center: 0.5, right: 1 }[one.xanchor ?? "center"],
    top = y - tall * { top: 0, middle: 0.5, bottom: 1 }[one.yanchor ?? "middle"];
  if (one.bgcolor) {
    context.fillStyle = one.bgcolor;
    context.fillRect(left, top, wide, tall);
  }
  const align = one.align ?? "center",
    at = align === "left" ? left + edge : align === "right" ? left + wide - edge : left + wide / 2;
  for (const [i, part] of parts.entries())
    write(context, part, at, top + edge + rise + i * LINE * size, { size, family, color, align });
}

function shape(context, layout, all, one) {
  const [x0, x1] = [one.x0, one.x1].map((v) => place(layout, all, one.xref ?? "x", v, true)),
    [y0, y1] = [one.y0, one.y1].map((v) => place(layout, all, one.yref ?? "y", v, false));
  const thick = one.line?.width ?? 2;
  context.save();
  context.beginPath();
  if (one.type === "line") {
    context.moveTo(x0, y0);
    context.lineTo(x1, y1);
  } else context.rect(Math.min(x0, x1), Math.min(y0, y1), Math.abs(x1 - x0), Math.abs(y1 - y0));
  if (one.type !== "line" && one.fillcolor) {
    context.fillStyle = one.fillcolor;
    context.fill();
  }
  if (thick > 0) {
    context.strokeStyle = one.line?.color ?? "#444";
    context.lineWidth = thick;
    context.setLineDash(dashes(one.line?.dash ?? "solid", thick));
    context.stroke();
  }
  context.restore();
}

function image(context, all, one, again) {
  const [across, up] = [all.get(one.xref), all.get(one.yref)],
    x = [across.pixel(one.x), across.pixel(one.x + one.sizex)],
    y = [up.pixel(one.y), up.pixel(one.y - one.sizey * Math.sign(up.last - up.first))];
  let found = images.get(one.source);
  if (!found) {
    if (images.size > 40) images.delete(images.keys().next().value);
    found = new Image();
    images.set(one.source, found);
    found.src = one.source;
  }
  if (!found.complete) {
    found
      .decode()
      .then(again)
      .catch(() => {});
    return;
  }
  context.imageSmoothingEnabled = false;
  context.drawImage(found, Math.min(...x), Math.min(...y), Math.abs(x[1] - x[0]), Math.abs(y[1] - y[0]));
}
