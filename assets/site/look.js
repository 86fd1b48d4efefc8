// Light and dark, lecture type, and whether the page stands in a frame of somebody's slides.
import { keep, kept } from "../shared/kept.js";
import { wordsOf } from "../shared/words.js";

const lookAt = (query) => document.querySelector(query);

export const sandboxed = window.origin === "null"; // a frame whose sandbox has no `allow-same-origin`, or a disk

const WORLD = "world"; // what is kept of it goes through pages that have no control for it

export class Look {
  // `page` is what the page's script reads.
  constructor(page) {
    const lookWords = new Map([...wordsOf(location.search), ...wordsOf(location.hash.slice(1))]),
      asked = lookWords.get("theme"),
      narrow = matchMedia("(max-width: 640px), (max-height: 499px)").matches,
      dark = matchMedia("(prefers-color-scheme: dark)").matches;
    this.drawn = !!page.look; // a page in one file: its figures have their type already
    this.large = !!page.hall && !narrow; // a pack, but on a phone
    this.look = page.look ?? (["light", "dark"].includes(asked) ? asked : dark ? "dark" : "light");
    this.hall = lookWords.has("lecture") ? lookWords.get("lecture") === "true" : this.large;
    this.framed = window.parent !== window && wordsOf(location.search).get("embed") === "true";
    this.lectures = lookAt(".st-key-lecture input"); // this and the next are missing in a page in one file
    this.looks = lookAt("#look");
    this.along = kept(WORLD) ?? {}; // the World as links to other lessons take it along
  }

  // Take these words along, those of `own`, which a page has controls for, in place of what came there before.
  carry(words, own = []) {
    const before = Object.entries(this.along).filter(([word]) => !own.includes(word));
    this.along = { ...Object.fromEntries(before), ...words };
    keep(WORLD, this.along);
  }

  wear() {
    document.documentElement.dataset.look = this.look;
    document.documentElement.classList.toggle("embedded", this.framed);
    document.body.className = this.hall ? "hall" : "desk";
    document.documentElement.classList.toggle("drawn", this.drawn);
    if (this.looks) this.looks.textContent = this.look === "dark" ? "Light" : "Dark";
    if (this.lectures) this.lectures.checked = this.hall;
    for (const link of document.querySelectorAll("a[data-in]")) {
      const lesson = link.closest("nav, .cards") && !/\b(index|glossary)\.html/.test(link.href);
      link.hash = this.dressed(lesson ? this.along : link.dataset.in);
    }
  }

  // Words of an address, with those of the look.
  dressed(own) {
    const words = new URLSearchParams(own);
    words.set("theme", this.look);
    if (this.hall !== this.large) words.set("lecture", this.hall);
    return words;
  }

  // Hear the two switches: `changed` is called after one, with what it was.
  hear(changed) {
    const turn = (what) => () => {
      if (what === "look") this.look = this.look === "dark" ? "light" : "dark";
      else this.hall = this.lectures.checked;
      this.wear();
      changed(what);
    };
    if (this.looks) this.looks.onclick = turn("look");
    if (this.lectures) this.lectures.onchange = turn("hall");
  }
}
