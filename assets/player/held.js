// A sentence that can be read while a film plays: other words wait until those on screen have stood for a while. Its
// numbers count on, because words around them stay where they are.
const STANDS = 1500; // milliseconds
const NUMBER = /\d+(?:[.,\u2009\u202f]\d+)*/g;

export class Held {
  constructor(write) {
    this.write = write;
    this.since = -Infinity; // when the words on screen came
  }

  // `waits`: whether a film, and not the reader, brings the sentence.
  say(html, waits) {
    if (html === this.coming) return;
    clearTimeout(this.later);
    const words = html.replace(/<[^>]*>/g, "").replace(NUMBER, "0"),
      left = this.since + STANDS - performance.now();
    this.coming = null;
    if (waits && words !== this.words && left > 0) {
      this.coming = html;
      this.later = setTimeout(() => this.put(html, words), left);
    } else this.put(html, words);
  }

  put(html, words) {
    this.coming = null;
    this.write(html);
    if (words !== this.words) Object.assign(this, { words, since: performance.now() });
  }
}
