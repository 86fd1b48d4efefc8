// Files of films: scripts that hand over what they hold, because from a disk a browser loads scripts and fetches nothing.
// A page in one file has its files in it.
import { element } from "../shared/element.js";
import { decode } from "../stage/decode.js";
import { unzipped } from "../stage/message.js";

const fileAsked = new Map(), // name of a file -> what it hands over
  fileTaken = new Map();

export const takeFile = (name, said) => fileTaken.set(name, said);
export const askedFiles = () => [...fileAsked.keys()];

// Run a script of the site; over once it has run, or does not come.
export const load = (src) =>
  new Promise((done) => {
    const script = element("script", { src });
    script.onload = script.onerror = () => {
      script.remove();
      done();
    };
    document.head.append(script);
  });

async function loaded(folder, name) {
  const inside = document.getElementById(name); // of a page in one file
  if (inside) return JSON.parse(inside.textContent);
  await load(`${folder}/${name}.js`);
  if (!fileTaken.has(name)) fileAsked.delete(name); // it may come another time
  return fileTaken.get(name) ?? null;
}

// What a file of the site hands over; null where it does not come.
export function fileOf(folder, name) {
  if (!fileAsked.has(name)) fileAsked.set(name, loaded(folder, name));
  return fileAsked.get(name);
}

const bytesIn = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
// A film as it stands in a file, read.
export const opened = async (text) => decode(await unzipped(bytesIn(text)));

// The film of a stage with those of the charts in its drawers: one film, of which the player moves all charts.
export async function joined(stage, more) {
  const [film, own] = await Promise.all([opened(stage), opened(more)]),
    before = film.rows.length,
    later = (track) => ("array" in track ? { ...track, array: track.array + before } : track),
    charts = own.charts.map((chart) => ({ ...chart, tracks: chart.tracks.map(later) }));
  return { ...film, rows: [...film.rows, ...own.rows], charts: [...film.charts, ...charts] };
}
