// Takes Streamlit's place in a file of its own: draws the charts, then mounts the player and the sentence as they are.
const read = (id) => document.getElementById(id).textContent;
const page = JSON.parse(read("lab-page"));
const box = (key) => document.querySelector(`.st-key-${key} .chart`);
const size = (c) => ({ width: box(c.key).clientWidth, height: c.figure.layout.height ?? box(c.key).clientHeight });

const plain = { displayModeBar: false, responsive: false };
const draw = (c) => window.Plotly.newPlot(box(c.key), c.figure.data, { ...c.figure.layout, ...size(c) }, plain);

// The film's message as it would come from the server.
function message() {
  const text = atob(read("lab-message").trim()), bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}

async function open() {
  await document.fonts.ready;
  for (const c of page.charts) (await draw(c)).__tvboMet = true;
  if (page.said) mountLive({ parentElement: document.getElementById("finding"), data: page.said });
  const spot = document.getElementById("player");
  if (spot) mountPlayer({ parentElement: spot, data: message(), setStateValue: () => {} });
  document.documentElement.dataset.ready = "yes";
}

let later;
window.addEventListener("resize", () => {
  clearTimeout(later);
  later = setTimeout(() => page.charts.forEach((c) => window.Plotly.relayout(box(c.key), size(c))), 120);
});

// N and P go to the neighbours in a lecture pack, I to its index.
window.addEventListener("keydown", (e) => {
  if (e.ctrlKey || e.metaKey || e.altKey) return;
  const to = page.ways?.[e.key.toLowerCase()];
  if (to) location.href = to;
});
open();
