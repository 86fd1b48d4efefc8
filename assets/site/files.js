// Files of films: scripts that hand over what they hold, because from a disk a browser loads scripts and fetches nothing.
// A page in one file has its files in it.
import { element } from "../shared/element.js";
import { decode } from "../stage/decode.js";
import { unzipped } from "../stage/message.js";

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

export class Files {
  // `folder` is that of the films, from the page.
  constructor(folder) {
    this.folder = folder;
    this.asked = new Map(); // name of a file -> what it hands over
    this.taken = new Map();
  }

  take(name, said) {
    this.taken.set(name, said);
  }

  // What a file hands over; null where it does not come.
  of(name) {
    if (!this.asked.has(name)) this.asked.set(name, this.load(name));
    return this.asked.get(name);
  }

  async load(name) {
    const inside = document.getElementById(name); // of a page in one file
    if (inside) return JSON.parse(inside.textContent);
    await load(this.address(name));
    if (!this.taken.has(name)) this.asked.delete(name); // it may come another time
    return this.taken.get(name) ?? null;
  }

  address(name) {
    return `${this.folder}/${name}.js`;
  }
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
