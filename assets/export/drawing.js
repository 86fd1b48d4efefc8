// A chart as a picture of 16 : 9, drawn anew at that shape by Plotly, with one line at its foot that says what it is, and
// over the stage the page's headline. Nothing leaves the browser.
const WIDTH = 1920,
  HEIGHT = 1080;
const TYPE = 20,
  HEAD = 44,
  LINE = 1.3,
  PAD = 8; // of caption and headline: pixels, height of a line in type sizes, room around them
const wait = (act) => new Promise(act);

// The stage fits any shape: 1200 x 675 enlarged 1.6 times makes its 14 px type 22 px high, a fiftieth of the picture;
// lecture type is that already. A chart of a fixed height places its labels for it: it is enlarged as it stands, at
// most a quarter taller, and the picture is filled up with paper.
const STAGE = { desk: 1200, hall: 1920 },
  FLAT = 3.4,
  STEEP = 1.9,
  TALLER = 1.25;

// Returns the scale, and in the chart's own pixels the room of the caption at the foot and of the headline at the top,
// and what is left for the chart; `lines` of the caption, `heads` of the headline.
export function frame({ layout }, { height, hall }, lines, heads = 0) {
  const room = (scale) => Math.ceil((lines * LINE * TYPE) / scale) + 2 * PAD,
    head = (scale) => heads && Math.ceil((heads * LINE * HEAD) / scale) + 2 * PAD;
  let wide = hall ? STAGE.hall : STAGE.desk,
    scale = WIDTH / wide;
  if (height) {
    wide = Math.min(Math.max(layout.width ?? STAGE.desk, STEEP * height, hall ? WIDTH / 2 : 0), FLAT * height);
    scale = Math.min(WIDTH / wide, (HEIGHT - room(1) - head(1)) / (height + 2 * PAD));
  }
  const left = HEIGHT / scale - room(scale) - head(scale),
    tall = height ? Math.min(TALLER * height, left) : left;
  return { scale, room: room(scale), head: head(scale), tall, wide };
}

// A marked text in lines of at most so many pixels.
export function wrapped(text, width, font) {
  const pen = document.createElement("canvas").getContext("2d");
  pen.font = font;
  const lines = [""];
  for (const word of text.split(" ")) {
    const longer = lines.at(-1) ? `${lines.at(-1)} ${word}` : word;
    if (pen.measureText(longer.replace(/<[^>]*>/g, "")).width <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

const safe = (text) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");

const KEPT_MARKS = ["sup", "sub"];
// A sentence with those of its marks that Plotly draws and that change what it says: T<sup>0.7</sup>, V<sub>T</sub>.
export function marked(html) {
  const box = document.createElement("div");
  box.innerHTML = html;
  const read = (node) => [...node.childNodes].map((one) => (one.tagName ? dressed(one) : safe(one.data))).join("");
  // Each word has its own marks: a line may end between two.
  const dressed = (node) => {
    const mark = node.tagName.toLowerCase();
    return KEPT_MARKS.includes(mark) ? read(node).replace(/\S+/g, `<${mark}>$&</${mark}>`) : read(node);
  };
  return read(box).replace(/\s+/g, " ").trim();
}

// Caption, which is plain, and marked headline in the lines that the picture has room for.
export const inLines = ({ font }, { caption, headline }) => ({
  lines: wrapped(safe(caption), WIDTH - 6 * PAD, `${TYPE}px ${font?.family}`),
  heads: headline ? wrapped(headline, WIDTH - 6 * PAD, `600 ${HEAD}px ${font?.family}`) : [],
});

// A chart, { data, layout }, in the picture's shape, with room for the headline above and the caption below: for theirs,
// or for as many lines as `room` says, so that all pictures of a film lie alike.
export function picture(chart, look, words, room = { lines: 0, heads: 0 }) {
  const { layout } = chart,
    family = layout.font?.family,
    { lines, heads } = inLines(layout, words),
    high = [Math.max(lines.length, room.lines), Math.max(heads.length, room.heads)],
    { scale, room: foot, head, tall, wide } = frame(chart, look, ...high);
  const width = WIDTH / scale,
    height = HEIGHT / scale,
    own = { l: 80, r: 80, t: 100, b: 80, ...layout.margin };
  const side = (width - wide) / 2,
    over = (height - foot - head - tall) / 2;
  const margin = { ...own, l: own.l + side, r: own.r + side, t: own.t + over + head, b: own.b + over + foot };
  const written = (of, size, more) => ({
    text: of.join("<br>"),
    font: { family, color: layout.font?.color, size: size / scale },
    align: "left",
    showarrow: false,
    borderpad: 0,
    xref: "paper",
    x: 0,
    xanchor: "left",
    xshift: (3 * PAD) / scale - margin.l,
    yref: "paper",
    yanchor: "top",
    ...more,
  });
  const notes = [written(lines, TYPE, { y: 0, yshift: foot - PAD - margin.b })];
  if (heads.length) notes.push(written(heads, HEAD, { y: 1, yshift: margin.t - PAD }));
  return {
    scale,
    width,
    height,
    figure: {
      data: chart.data,
      config: { staticPlot: true },
      layout: {
        ...layout,
        width,
        height,
        autosize: false,
        margin,
        annotations: [...(layout.annotations ?? []), ...notes],
      },
    },
  };
}

// The rules of a style sheet; none where the browser keeps them from this page.
function rulesOf(sheet) {
  try {
    return [...sheet.cssRules];
  } catch {
    return [];
  }
}

const imported = (sheet) => [sheet, ...rulesOf(sheet).flatMap((rule) => rule.styleSheet ?? [])];

async function readData(address) {
  const blob = await (await fetch(address)).blob();
  return wait((done) => {
    const r = new FileReader();
    r.onload = () => done(r.result);
    r.readAsDataURL(blob);
  });
}

// The page's typeface, so that the picture looks the same where it is not installed.
let face;
async function typeface() {
  const rules = [...document.styleSheets].flatMap(imported).flatMap(rulesOf),
    faces = rules.filter((rule) => rule instanceof CSSFontFaceRule && /Source Sans/.test(rule.style.fontFamily)),
    upright = faces.find(({ style }) => style.fontStyle !== "italic" && style.getPropertyValue("src").includes("url("));
  if (!upright) return "";
  const [, url] = /url\("?([^")]+)"?\)/.exec(upright.style.getPropertyValue("src")),
    base = upright.parentStyleSheet.href ?? document.baseURI,
    data = url.startsWith("data:") ? url : await readData(new URL(url, base));
  return `<style>@font-face{font-family:"Source Sans";src:url(${data});font-weight:200 900}</style>`;
}

export async function svg({ figure, width, height }) {
  const text = await window.Plotly.toImage(figure, { format: "svg", width, height, imageDataOnly: true });
  face ??= await typeface().catch(() => "");
  return new Blob([text.replace(/(<svg[^>]*>)/, (start) => start + face)], { type: "image/svg+xml" });
}

// The picture on a canvas of its shape.
export async function paint(pen, drawn) {
  const url = URL.createObjectURL(await svg(drawn)),
    image = new Image(),
    { width, height } = pen.canvas;
  await wait((done, failed) => {
    image.onload = done;
    image.onerror = failed;
    image.src = url;
  });
  pen.fillStyle = drawn.figure.layout.paper_bgcolor ?? "#fff";
  pen.fillRect(0, 0, width, height);
  pen.drawImage(image, 0, 0, width, height);
  URL.revokeObjectURL(url);
}

export async function png(drawn) {
  const pen = Object.assign(document.createElement("canvas"), { width: WIDTH, height: HEIGHT }).getContext("2d");
  await paint(pen, drawn);
  return wait((done, failed) => pen.canvas.toBlob((blob) => (blob ? done(blob) : failed()), "image/png"));
}
