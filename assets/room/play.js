// A phone's game in the hidden world of its room: it chooses an action, and the server answers with the reward.
const REACH = 3.5, // the axis of rewards ends here, or beyond the largest reward
  WIDE = 100, // of the drawing, and its height
  HIGH = 46,
  FADE = 0.88, // opacity of a circle a round of age, and of the oldest
  FAINT = 0.25;

export class Play {
  // `ask` sends a request, `say` writes the line of state, and `again` waits before a request is sent once more.
  constructor(at, ask, say, again) {
    Object.assign(this, { at, ask, say, again, sending: false, id: null });
    at("place").oninput = () => this.mark();
    at("query").onclick = () => this.query();
    at("heard").onpointerdown = (e) => this.tap(e);
  }

  get round() {
    return this.room.mine.length;
  }
  get over() {
    return this.round === this.room.rounds;
  }
  get closed() {
    return this.over || this.room.state !== "open";
  }
  get place() {
    return Number(this.at("place").value);
  }

  load(room) {
    this.room = room;
    if (room.id !== this.id) {
      this.id = room.id;
      this.sending = false;
      this.at("place").max = room.places - 1;
      this.at("place").value = (room.places - 1) / 2;
    }
    this.draw();
  }

  x(place) {
    return (place / (this.room.places - 1)).toFixed(2);
  }

  draw() {
    this.at("hint").textContent = this.round || this.closed ? "" : this.room.question;
    this.at("choose").hidden = this.closed;
    this.picture();
    this.mark();
    if (!this.sending) this.say(this.line());
  }

  line() {
    const { mine, rewards, rounds, state, result } = this.room;
    if (result) return result;
    if (state !== "open") return "The game is over. Look at the wall.";
    if (this.over) return `All ${rounds} rounds are played. Look at the wall.`;
    if (!mine.length) return `Round 1 of ${rounds}.`;
    const last = mine.length - 1,
      best = rewards.indexOf(Math.max(...rewards)),
      ago = last - best,
      beside = ago ? ` Best: ${rewards[best].toFixed(2)} at ${this.x(mine[best])}, ${ago} rounds before.` : "";
    return `Round ${mine.length + 1} of ${rounds}. ${rewards[last].toFixed(2)} at x = ${this.x(mine[last])}.${beside}`;
  }

  // The line of the chosen action, and what the button will do.
  mark() {
    const x = this.x(this.place),
      line = this.at("heard").querySelector(".chosen"),
      across = (WIDE * this.place) / (this.room.places - 1);
    this.at("place").setAttribute("aria-valuetext", `x = ${x}`);
    this.at("query").textContent = `Query x = ${x}`;
    for (const end of ["x1", "x2"]) line?.setAttribute(end, across);
  }

  // Own rewards as circles over the actions, which fade with age.
  picture() {
    const { mine, rewards, places } = this.room,
      reach = Math.max(REACH, ...rewards.map((y) => Math.abs(y) + 0.5)),
      up = (y) => (HIGH / 2) * (1 - y / reach);
    const made = (name, attributes) => {
      const one = document.createElementNS(this.at("heard").namespaceURI, name);
      for (const [key, value] of Object.entries(attributes)) one.setAttribute(key, value);
      return one;
    };
    const circles = mine.map((place, i) => {
      const age = mine.length - 1 - i;
      return made("circle", {
        cx: (WIDE * place) / (places - 1),
        cy: up(rewards[i]),
        r: age ? 1.7 : 2.4,
        opacity: Math.max(FADE ** age, FAINT),
      });
    });
    const zero = made("line", { class: "zero", x1: 0, x2: WIDE, y1: HIGH / 2, y2: HIGH / 2 }),
      chosen = made("line", { class: "chosen", y1: 0, y2: HIGH });
    const words = rewards.map((y, i) => `x ${this.x(mine[i])}: ${y.toFixed(2)}`).join("; ");
    this.at("heard").replaceChildren(zero, ...(this.closed ? [] : [chosen]), ...circles);
    this.at("heard").setAttribute("aria-label", words ? `Your rewards. ${words}` : "No rewards yet");
  }

  tap(e) {
    const { left, width } = this.at("heard").getBoundingClientRect(),
      share = Math.min(Math.max((e.clientX - left) / width, 0), 1);
    this.at("place").value = Math.round(share * (this.room.places - 1));
    this.mark();
  }

  // What the server has now of this phone; a page that was loaded twice may know less.
  heard(found) {
    Object.assign(this.room, found);
    this.draw();
  }

  // Send a query until the server has kept it: a round that it has already is not played twice.
  async query() {
    if (this.sending || this.over) return;
    this.sending = true;
    const { id, place, round } = this;
    this.say("Sending your query …");
    while (this.id === id && this.sending) {
      try {
        const answer = await this.ask(`/play?question=${id}&round=${round}&choice=${place}`, { method: "POST" });
        this.sending = false;
        if (answer.status === 200 && this.id === id) this.heard(await answer.json());
        if (answer.status > 204) this.say(await answer.text());
      } catch {
        this.say("Not sent yet: the room does not answer. Trying again …");
        await this.again();
      }
    }
  }
}
