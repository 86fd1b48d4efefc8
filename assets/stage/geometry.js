// Where a figure's axes lie on the screen. All ranges and margins are fixed (figures.sheet), so a place is two numbers.

// The pixel of a share of the paper between the margins.
function onPaper({ width, height, margin: { l, r, t, b } }, share, across) {
  return across ? l + (width - l - r) * share : t + (height - t - b) * (1 - share);
}

// One axis of a layout whose width, height and margins are known: `at(v)` is the pixel of a value, `pixel(v)` that of a
// number in the units of its range; it runs from pixel `from` (the low end of its range) to `to`.
export function axis(layout, name) {
  const own = layout[name.replace(/^[xy]/, "$&axis")];
  if (!own?.range) return null;
  const across = name[0] === "x",
    [from, to] = (own.domain ?? [0, 1]).map((share) => onPaper(layout, share, across)),
    [first, last] = own.range,
    log = own.type === "log",
    scale = (to - from) / (last - first);
  const pixel = (number) => from + (number - first) * scale,
    at = (value) => (value === null ? NaN : pixel(log ? Math.log10(value) : value));
  return { own, across, from, to, log, first, last, pixel, at };
}

// All axes of a layout by name, each with the axis it stands on (`other`).
export function axes(layout) {
  const found = new Map();
  for (const key of Object.keys(layout)) {
    const name = /^([xy])axis(\d*)$/.exec(key);
    if (name) found.set(name[1] + name[2], axis(layout, name[1] + name[2]));
  }
  for (const one of found.values()) one.other = found.get(one.own.anchor ?? (one.across ? "y" : "x"));
  return found;
}

// The pixel of a coordinate of a note or a shape: on paper, in shares of an axis, or in its values.
export function place(layout, all, reference, value, across) {
  if (reference === "paper") return onPaper(layout, value, across);
  const one = all.get(reference.replace(" domain", ""));
  return reference.endsWith(" domain") ? one.from + value * (one.to - one.from) : one.pixel(value);
}

// The ticks of an axis: [places in the units of the range, their texts], as many as fit and at round numbers.
export function ticks({ own, across, from, to, log, first, last }) {
  if (own.tickvals) {
    const texts = own.ticktext ?? own.tickvals.map((value) => number(value, 3));
    const kept = own.tickvals
      .map((value, i) => [log ? Math.log10(value) : value, String(texts[i])])
      .filter(([value]) => value >= Math.min(first, last) - 1e-9 && value <= Math.max(first, last) + 1e-9);
    return [kept.map(([value]) => value), kept.map(([, text]) => text)];
  }
  const low = Math.min(first, last),
    high = Math.max(first, last);
  const wanted = own.nticks || Math.min(Math.max(Math.abs(to - from) / (across ? 80 : 40), 4), 9) + 1;
  const rough = (high - low) / wanted;
  if (log) {
    const places = [],
      step = Math.max(1, Math.ceil(rough));
    for (let power = Math.ceil(low - 1e-9); power <= high + 1e-9; power += step) places.push(power);
    return [
      places,
      places.map((power) =>
        power >= 0 && power < 4 ? String(10 ** power) : `10<sup>${power}</sup>`.replace("-", "−"),
      ),
    ];
  }
  const base = 10 ** Math.floor(Math.log10(rough)),
    step = base * [2, 5, 10].find((one) => one >= rough / base - 1e-9);
  const digits = Math.max(0, -Math.floor(Math.log10(step) + 1e-9)),
    places = [];
  for (let i = Math.ceil(low / step - 1e-6); i * step <= high + step * 1e-6; i++) places.push(i * step);
  const large = Math.max(Math.abs(low), Math.abs(high)) >= 10000;
  return [places, places.map((value) => number(value, digits, large))];
}

// A number of a tick: no zeros at its end, a true minus, thousands as k where the axis reaches ten thousand.
function number(value, digits, large = false) {
  if (large && value)
    return number(value / (Math.abs(value) >= 1e6 ? 1e6 : 1e3), 3) + (Math.abs(value) >= 1e6 ? "M" : "k");
  const text = value.toFixed(digits);
  return (digits ? text.replace(/\.?0+$/, "") : text).replace(/^-0$/, "0").replace("-", "−");
}

const DASH = { dot: [1, 1], dash: [3, 3], longdash: [5, 5], dashdot: [3, 1, 1, 1], longdashdot: [5, 2, 1, 2] };

// The strokes and gaps of a line, in pixels: a thin line has those of one of 3 pixels.
export function dashes(dash, width) {
  const unit = Math.max(width, 3);
  return DASH[dash]?.map((one) => one * unit) ?? (dash === "solid" ? [] : dash.split(",").map(parseFloat));
}
