// The wall of a room: its code, how many have answered, and once the film of a revealed bet is over, the word to the
// phones that they may show the truth. Key Q shows the code of the room large (player/qr.js).
import { PAGE, TOLD } from "../player/page.js";
import { LINK_CODE, showLinkCode } from "../player/qr.js";
import { press } from "../shared/keys.js";
import { lab } from "../shared/lab.js";
import { listen } from "../shared/listen.js";
import { mount } from "../shared/mount.js";
import { drawCloud } from "./cloud.js";

const OPEN = 1000, // milliseconds between two counts while phones answer
  IDLE = 3000; // and otherwise

class Room {
  constructor(root) {
    this.root = root;
    this.stopListening = listen(window, { keydown: (e) => this.key(e) }, true);
    this.write = (name, words) => {
      const spot = root.querySelector(name);
      if (spot.textContent !== words) spot.textContent = words;
    };
  }

  load(data) {
    const other = data.reset !== this.data?.reset;
    this.data = data;
    if (other) this.told = false;
    this.root.classList.toggle("seen", data.seen);
    this.write(".code", data.code);
    this.write(".where", data.link);
    if (data.game) this.showGame(data.game);
    clearTimeout(this.later);
    this.look();
  }

  // Where no player stands, which hears the keys of its page.
  key(e) {
    if (lab.room !== this || lab.player?.root.isConnected) return;
    const code = () => showLinkCode(() => {});
    press(e, {
      code,
      escape: document.getElementById(LINK_CODE) && code,
      forward: this.data.game && PAGE.reveal() && this.reveal,
    });
  }

  reveal() {
    PAGE.reveal()?.click();
  }

  showGame({ rounds }) {
    this.cloud = this.root.nextElementSibling;
    this.cloud.hidden = false;
    this.cloud.querySelector("figcaption").textContent =
      `Every dot is a query of this hall: x from 0 to 1 across, round 1 at the top, round ${rounds} at the bottom. ` +
      "The reward stays on the server until the game ends.";
    lab.course?.label(); // a press shows it now
  }

  async look() {
    const { asks, reveals, seen } = this.data;
    if (reveals && !this.told) await this.tell();
    if (seen && !document.hidden) await this.count();
    if (this.over) return;
    clearTimeout(this.later);
    if (seen || (reveals && !this.told)) this.later = setTimeout(() => this.look(), asks || reveals ? OPEN : IDLE);
  }

  ask(name, options) {
    return fetch(new URL(`${this.data.path}/${name}`, document.baseURI), { credentials: "same-origin", ...options });
  }

  // A server that does not answer is asked again: what the phones have sent it keeps.
  async count() {
    try {
      const answer = await this.ask("wall");
      if (answer.status !== 200) return this.write(".count", await answer.text());
      const { phones, answered, queries = [] } = await answer.json(),
        { asks, game } = this.data,
        inside = `${phones} ${phones === 1 ? "phone" : "phones"}`,
        did = game ? `played all ${game.rounds} rounds` : "answered";
      this.write(".count", asks ? `${answered} of ${inside} ${did}` : inside);
      if (game) this.drawQueries(queries);
    } catch {
      this.write(".count", "");
    }
  }

  drawQueries(queries) {
    const canvas = this.cloud.querySelector("canvas"),
      made = queries.reduce((sum, one) => sum + one.length, 0);
    canvas.setAttribute("aria-label", `${made} queries of ${queries.length} phones`);
    drawCloud(canvas, queries, this.data.game);
  }

  async tell() {
    if (!document.documentElement.classList.contains(TOLD)) return;
    const { reset } = this.data;
    try {
      const answer = await this.ask("told", { method: "POST" });
      if (reset === this.data.reset) this.told = answer.status === 204;
    } catch {
      // It is told at the next look.
    }
  }

  end() {
    this.over = true;
    this.stopListening();
    clearTimeout(this.later);
  }
}

export default function ({ parentElement, data }) {
  return mount(parentElement.querySelector(".room"), "room", Room, data);
}
