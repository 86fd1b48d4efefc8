// A lesson's page without a server. Its opening, moments and bet are files; everything else is answered by the browser's
// own Python, once it is awake. What is shown is named by the words of the page's address, as on a server.
import { Engine, refusal } from "../engine/engine.js";
import { withQuery } from "../player/ask.js";
import mountEmbed from "../player/embed.js";
import { Follower } from "../player/follow.js";
import mountLive from "../player/live.js";
import { Player } from "../player/player.js";
import { element } from "../shared/element.js";
import { lab } from "../shared/lab.js";
import { wordsOf, writeAddress } from "../shared/words.js";
import { putUp } from "../stage/chart.js";
import { nearestFrame } from "../stage/decode.js";
import { addressOf, filmOf } from "../stage/films.js";
import mountStrip from "../strip/strip.js";
import { Controls } from "./controls.js";
import { Drawers, saveAs, spotOf } from "./drawers.js";
import { load, opened } from "./files.js";
import { sandboxed } from "./look.js";
import { OwnBandit } from "./own.js";
import { Runs } from "./runs.js";
import { TablePanel } from "./table.js";

const GONE =
  "This picture is not here: the network is away, or the site was copied in part. What you see is the one before; load the page again later.";
export const ASKED = "bet",
  TOLD_KEY = "truth",
  OPENING = "opening"; // keys of the views that are no moment (shell/static/view.py)
const APART = ["theme", "lecture", "v", "course", "embed", "hide"]; // words of an address that are no setting
const IDLE = 2500; // milliseconds after which the engine wakes by itself

const one = (query) => document.querySelector(query);
// A button; its words are HTML.
const pressed = (innerHTML, onclick, on) => {
  const made = element("button", { type: "button", innerHTML, onclick });
  if (on !== undefined) made.ariaPressed = String(on);
  return made;
};

export class LessonPage {
  // `page` is what shell/static/pages.py wrote for it.
  constructor(page, look, files) {
    Object.assign(this, { page, look, files });
    this.shown = null; // { words, key, answer, name, film, settings }: what stands on the page
    this.wanted = null; // and what is to stand there
    this.past = []; // addresses that Undo goes back to
    this.guess = [];
    this.heard = null; // number of the question on the stage that was answered last
    this.prepared = page.views.filter(({ key }) => ![OPENING, ASKED, TOLD_KEY].includes(key));
    this.still = page.engine ? refusal(window) : "none";
    this.engine = page.engine && !this.still ? new Engine(page.engine, (said) => this.told(said)) : null;
    this.controls = new Controls(one("#knobs"), (key, text) => this.turn(key, text));
    this.drawers = new Drawers(one("#below"), this);
    this.runs = new Runs(one("#runs"), {
      ask: (progress) => this.engine.ask("run", this.text(), {}, progress),
      giveUp: () => this.engine.giveUp(),
      done: () => this.show(this.shown.words),
    });
    this.table = new TablePanel(one("#own-table"), this);
    this.serve();
    if (this.engine && page.own) this.own = new OwnBandit(one("#own-bandit"), this, page.own);
  }

  view(key) {
    return this.page.views.find((view) => view.key === key);
  }

  // ------------------------------------------------------------------ addresses
  // The words of the page's address; what came from a server's page has them behind a question mark.
  asked() {
    // Behind the question mark others put words of their own.
    const ours = [...wordsOf(location.search)].filter(([word]) => this.page.words?.includes(word)),
      words = new Map([...ours, ...wordsOf(location.hash.slice(1))]);
    if ([ASKED, TOLD_KEY].includes(words.get("moment"))) {
      words.set("guess", "open"); // as addresses of a site once were
      if (words.get("moment") === TOLD_KEY) words.set("reveal", "true");
      words.delete("moment");
    }
    for (const word of APART) words.delete(word);
    return words;
  }

  address(words) {
    return `#${this.look.dressed([...words])}`;
  }

  // The prepared view of these words; null where there is none.
  key(words) {
    const rest = [...words.keys()].filter((word) => word !== "t"),
      guess = words.get("guess") ?? "off";
    if (guess !== "off") return this.view(words.get("reveal") === "true" ? TOLD_KEY : ASKED)?.key ?? null;
    if (rest.length === 1 && rest[0] === "moment") return this.view(words.get("moment"))?.key ?? null;
    return rest.length ? null : this.page.views[0].key;
  }

  // A state as Python takes it.
  text(words = this.shown.words) {
    return `${this.page.lesson}?${new URLSearchParams([...words, ["theme", this.look.look]])}`;
  }

  words(more) {
    const words = new Map(Object.entries(this.answer?.address ?? {}));
    for (const word of APART) words.delete(word);
    const { player } = lab;
    if (player?.film && player.time !== undefined) words.set("t", String(player.time));
    for (const [key, text] of Object.entries(more)) words.set(key, text);
    return words;
  }

  get answer() {
    return this.shown?.answer;
  }

  // ------------------------------------------------------------------ what is shown
  go(words) {
    if (this.shown) this.past.push(this.shown.words);
    writeAddress("pushState", this.address(words));
    return this.show(words);
  }

  // A film that stood at its end stands there again when its horizon moves.
  turn(key, text) {
    const { player } = lab,
      ended = key === "T" && player?.film.n > 1 && player.t === player.last;
    return this.go(this.words({ [key]: text, ...(ended && { t: text }) }));
  }

  async show(words) {
    const wanted = { words, key: this.key(words) };
    this.wanted = wanted;
    const found = wanted.key ? await this.file(wanted.key) : await this.answered(wanted);
    if (this.wanted !== wanted || !found) return;
    one(".gone").textContent = "";
    this.shown = { ...wanted, ...found };
    this.draw();
  }

  // What a file says of a prepared view.
  async file(key) {
    const name = `${this.view(key).file}.${this.look.look}`,
      said = await this.files.of(name);
    if (!said) one(".gone").textContent = GONE;
    return said && { name, answer: said.page, film: said.film, said };
  }

  // What Python says of any other state; meanwhile the opening, or the moment that it starts from, stands on the page.
  async answered({ words }) {
    if (!this.shown) {
      const key = this.view(words.get("moment"))?.key ?? this.page.views[0].key,
        found = await this.file(key);
      if (found) {
        this.shown = { words: new Map(key === words.get("moment") ? [["moment", key]] : []), key, ...found };
        this.draw();
      }
    }
    if (!this.engine) return null;
    try {
      const { said } = await this.engine.ask("page", this.text(words));
      return { name: null, answer: said, film: null, said: null };
    } catch (problem) {
      this.line(problem.message);
      if (this.shown) this.controls.draw(this.answer, this.still);
      return null;
    }
  }

  draw() {
    const { answer, key } = this.shown,
      { scene, waits, refused } = answer,
      bets = [ASKED, TOLD_KEY].includes(key);
    this.look.along = answer.along;
    this.look.wear();
    one("h1").innerHTML = bets ? this.page.bet.question : answer.question;
    one("#views").replaceChildren(...(bets ? this.answers() : this.moments()));
    const line = answer.moments.find((moment) => moment.key === answer.moment)?.line;
    one(".line").innerHTML = line ? `“${line}”` : "";
    one("#finding").hidden = bets;
    one("#knobs-box").hidden = bets || this.still === "none";
    if (!bets) this.controls.draw(answer, this.still);
    one("#undo").disabled = !this.past.length;
    const wrong = (answer.wrong ?? []).map((one) => ` Not taken from the address: ${one}.`);
    one(".refused").replaceChildren(...(refused ? [element("span", { innerHTML: refused })] : []), ...wrong);
    this.runs.show(waits);
    this.table.draw(answer.table);
    document.documentElement.classList.toggle("past", !scene);
    this.walk?.bar();
    if (scene) this.stand(scene);
  }

  // Stage, sentence and what stands below them.
  stand(scene) {
    const { answer, key, name, words } = this.shown,
      reset = `${answer.lesson}:${key && key !== OPENING ? key : (answer.moment ?? OPENING)}:${answer.reset ?? ""}`,
      view = key && this.view(key),
      here = nearestFrame(scene.times, words.has("t") ? +words.get("t") : (view?.t ?? scene.times[scene.start])),
      plays = key === TOLD_KEY ? scene.times.length - 1 : null;
    if (!one("#stage").firstElementChild)
      one("#stage").replaceChildren(element("figure", { className: "stage st-key-stage_desk" }, spotOf("main")));
    for (const [i, word] of ["--abreast", "--point"].entries())
      document.documentElement.style.setProperty(word, scene.screens[i]);
    this.put(one("#stage"), "main", scene.alt);
    this.speak(reset);
    this.strip(scene);
    one(".caption").innerHTML = scene.caption ?? "";
    one(".notes").replaceChildren(...(scene.notes ?? []).map((note) => element("p", { innerHTML: note })));
    one(".settings").textContent = answer.settings && `Settings: ${answer.settings}.`;
    one("#export-drawer").hidden = !answer.caption || !this.page.films;
    this.head = { start: plays && here === plays ? 0 : here, reset, plays, heard: this.heard, question: answer.film };
    this.drawers.lay(answer);
    this.play(name, name ? opened(this.shown.film) : null);
    this.wager();
    this.embed();
    this.ready(plays, here);
  }

  // Let the player play what is shown: a film that was read, or the one of its address.
  play(name, film, charts = []) {
    const { question } = this.head,
      words = question && [...question.query, ...(charts.length ? [["charts", charts.join(",")]] : [])],
      asked = this.engine?.ready && question ? { ...question, query: words, addressed: true } : null,
      player = lab.player ?? new Player(one("#player .player"), this.engine && { Follower, addressOf, filmOf });
    player.load(
      { ...this.head, question: asked, revision: film ? name : null },
      () => film,
      (what, said) => this.hear(what, said),
    );
  }

  // Who waits for the picture, such as a test, hears of it.
  async ready(plays, here) {
    const now = this.shown;
    const drawn = () =>
      now.name
        ? lab.player?.name?.startsWith(now.name)
        : lab.player?.name && lab.player.name === lab.player.data?.address;
    while (!drawn()) {
      await new Promise((done) => requestAnimationFrame(done));
      if (this.shown !== now) return;
    }
    if (now.name && plays === null && lab.player.t !== here && !lab.player.clock.runs) lab.player.show(here);
    document.documentElement.dataset.ready = now.name ?? this.text();
    await this.drawers.fill();
    await this.save();
  }

  // Films of charts below the stage, which move with it.
  async films(charts) {
    const now = this.shown;
    if (!charts.length || now.moving === charts.join()) return;
    now.moving = charts.join();
    if (!now.name) return this.play(null, null, charts);
    const film = await this.drawers.filmOf(now);
    if (film && this.shown === now) this.play(`${now.name}.below`, film);
  }

  // A sentence in the line of the engine.
  line(sentence) {
    const box = one("#engine");
    box.querySelector("span").textContent = sentence;
    box.querySelector("progress").hidden = box.querySelector("button").hidden = true;
    box.hidden = !sentence;
  }

  // Ask Python about what is shown; `key` of the drawer, chart, table or task.
  say(what, key = "") {
    if (!this.engine) throw new Error(this.still === "none" ? "This needs the lab itself." : this.still);
    return this.engine.ask(what, this.text(), { key });
  }

  // A short name of a chart in this state: the same chart is not drawn twice.
  named(key) {
    return `${key} ${this.shown.name ?? this.text()}`;
  }

  put(place, key, alt, own = null) {
    const said = { key, alt, plotly: this.page.films && "plotly.min.js", revision: own ? this.named(key) : null };
    return putUp(place.querySelector(".chart"), said, () => opened(own));
  }

  strip({ odds, strip }) {
    const box = one(".odds");
    if (box.firstElementChild) box.firstElementChild.hidden = !odds;
    if (!odds) return;
    if (!box.firstElementChild) box.append(element("div", { className: "strip" }));
    const tell = (_, world) => this.still || this.turn(strip.knob, String(world));
    mountStrip({ parentElement: box, data: { says: odds, strip: strip ?? null }, setTriggerValue: tell });
  }

  speak(reset) {
    this.spoken?.();
    const { look, hall } = this.look,
      data = {
        sentences: [this.answer.scene.sentence ?? ""],
        index: [0],
        start: 0,
        reset,
        dark: look === "dark",
        hall,
      };
    this.spoken = mountLive({ parentElement: one("#finding"), data });
  }

  // What the stage and its player tell.
  hear(what, said) {
    const acts = {
      t: () => {
        this.shown.words.set("t", String(lab.player.time));
        writeAddress("replaceState", this.address(this.shown.words));
        this.embed();
      },
      x: () => this.place(said),
      knob: () => this.turn(said.key, said.text),
      ask: () => this.answerAt(said),
    };
    if (this.still && what !== "t") return this.line(this.still === "none" ? "" : this.still);
    acts[what]?.();
  }

  // A click on the stage moves the place.
  place(x) {
    const [low, high] = lab.charts.get("main").layout.xaxis?.range ?? [0, 1];
    if (!this.answer.knobs.place || !(high > low)) return;
    this.turn("place", String(Math.round(100 * Math.min(1, Math.max(0, (x - low) / (high - low)))) / 100));
  }

  // The reader asks at a place of the stage: the settings say all questions so far.
  answerAt({ n, t, place }) {
    const { key } = lab.charts.get("main").film.pick.ask;
    this.heard = n;
    this.turn(key, withQuery(this.answer.knobs[key].value, lab.player.film, { t, place }));
  }

  // ------------------------------------------------------------------ the browser's own Python
  // The stage asks for films and frames by their addresses, as on a server; the worker answers in its place.
  serve() {
    if (!this.engine) return;
    const network = window.fetch.bind(window),
      ours = /^(film|frame)\//;
    window.fetch = (where, options) => (ours.test(where) ? this.engine.response(where) : network(where, options));
    const touched = () => this.engine.wake();
    for (const event of ["pointerdown", "keydown", "focusin"])
      one("#knobs-box").addEventListener(event, touched, { passive: true });
    const idle = window.requestIdleCallback ?? ((act) => setTimeout(act, 1));
    let wanted = !navigator.connection?.saveData; // a reader who sends it away does not get it back unasked
    const early = () => wanted && this.shown?.key !== ASKED && touched(); // a bet has no controls
    setTimeout(() => idle(early), IDLE);
    one("#engine button").onclick = () => {
      wanted = false;
      this.engine.sleep();
    };
  }

  undo() {
    const words = this.past.pop();
    if (!words) return;
    writeAddress("pushState", this.address(words));
    this.show(words);
  }

  told({ loaded, size, ready, failed }) {
    const box = one("#engine"),
      mega = (bytes) => Math.round(bytes / 1e6);
    if (loaded === undefined) this.line(failed ?? "");
    else {
      const all = Math.max(size, loaded),
        words = loaded < size ? `Sliders wake: ${mega(loaded)} of ${mega(all)} MB` : "Sliders wake: Python starts";
      box.hidden = box.querySelector("progress").hidden = box.querySelector("button").hidden = false;
      box.querySelector("progress").value = loaded / all;
      if (box.querySelector("span").textContent !== words) box.querySelector("span").textContent = words;
    }
    document.documentElement.dataset.engine = ready ? "ready" : loaded !== undefined ? "wakes" : "asleep";
    // A prepared view stands still until now: from here on the stage follows sliders.
    if (ready && this.shown?.name && this.wanted?.key) this.play(this.shown.name, opened(this.shown.film));
    if (failed !== undefined && this.shown) {
      this.wanted = this.shown;
      writeAddress("replaceState", this.address(this.shown.words));
      this.controls.draw(this.answer, this.still);
    }
  }

  // ------------------------------------------------------------------ moments and the bet
  moments() {
    const { answer, key } = this.shown,
      choice = (view) =>
        pressed(view.title, () => this.go(new Map([["moment", view.key]])), answer.moment === view.key);
    if (this.page.views.length === 1) return [];
    const opening = pressed("As it opens", () => this.go(new Map()), key === OPENING);
    return [
      ...(this.view(OPENING) ? [element("div", { className: "st-key-opening" }, opening)] : []),
      element("div", { className: "st-key-moment" }, ...this.prepared.map(choice)),
      ...(this.page.bet
        ? [
            element(
              "div",
              { className: "st-key-bet_open" },
              pressed("Bet first", () => this.bet()),
            ),
          ]
        : []),
    ];
  }

  // What is bet, as a link writes it; an order counts once it is whole.
  get guessed() {
    if (!this.page.bet) return "open"; // a page of a course may have none
    const whole = !this.page.bet.ranks || this.guess.length === Object.keys(this.page.bet.options).length;
    return (whole && this.guess.join(".")) || "open";
  }

  bet() {
    this.guess = [];
    this.go(new Map([["guess", "open"]]));
  }

  answers() {
    const { key } = this.shown,
      { options, ranks } = this.page.bet,
      leave = element("div");
    if (this.view(OPENING))
      leave.append(pressed(key === ASKED ? "Leave the bet" : "Back to the lesson", () => this.go(new Map())));
    if (key === TOLD_KEY) return [element("p", { className: "truth", ariaLive: "polite" }), leave];
    const pick = Object.entries(options).map(([word, says]) => {
      const place = this.guess.indexOf(word),
        choose = () => {
          const without = this.guess.filter((other) => other !== word);
          this.guess = ranks ? (place >= 0 ? without : [...this.guess, word]) : [word];
          one("#views").replaceChildren(...this.answers());
        };
      return pressed(place >= 0 && ranks ? `${place + 1}. ${says}` : says, choose, place >= 0);
    });
    const told = () =>
        this.go(
          new Map([
            ["guess", this.guessed],
            ["reveal", "true"],
          ]),
        ),
      reveal = pressed("Show what happened", told);
    return [
      element("div", { className: "st-key-bet_pick" }, ...pick),
      element("div", { className: "st-key-bet_reveal" }, reveal),
      leave,
    ];
  }

  // The bars of a bet, and beside the truth what is said of it.
  wager() {
    const { key, said, words } = this.shown,
      guess = words.get("guess") ?? "",
      own = key === TOLD_KEY ? (said.wagers[guess] ?? said.wagers[""]) : key === ASKED ? said.wager : undefined;
    document.documentElement.classList.toggle("asks", own !== undefined);
    this.bars?.();
    this.bars = null;
    one("#wager").replaceChildren();
    if (!own) return;
    one("#wager").className = key === TOLD_KEY ? "told" : "";
    one("#wager").append(element("figure", {}, spotOf("wager")));
    this.bars = this.put(one("#wager"), "wager", this.page.bet.alts[key], own);
    if (key !== TOLD_KEY) return;
    one(".truth").innerHTML = `${said.verdicts[guess] ?? ""} ${said.truth}`;
    this.sheet("bet", guess, said.right);
    window.dispatchEvent(
      new CustomEvent("tvbo:told", { detail: { lesson: this.page.lesson, right: said.right.includes(guess) } }),
    );
  }

  // What the student's sheet does (site/sheet.js); a page in one file loads nothing, and a frame has no sheet.
  async sheet(act, ...about) {
    if (this.look.drawn || this.look.framed) return;
    if (!lab.site.sheet) await load("sheet.js");
    lab.site.sheet?.[act](this, ...about);
  }

  // ------------------------------------------------------------------ what leaves the page
  // Pictures of the charts that are seen, their films where they have one, and their points.
  async save() {
    const { answer } = this.shown;
    if (!one("#export-drawer").open || !answer.caption) return;
    if (!lab.site.mountExport) await load("exports.js");
    const keys = ["main", ...this.drawers.seen()];
    if (!lab.player?.film || keys.some((key) => !lab.charts.get(key)?.figure))
      return setTimeout(() => this.save(), 100);
    const rows = one("#exports");
    while (rows.children.length > keys.length) rows.lastElementChild.remove();
    while (rows.children.length < keys.length) rows.append(one("#export").content.firstElementChild.cloneNode(true));
    for (const [i, key] of keys.entries()) this.exportRow(rows.children[i], key);
  }

  exportRow(row, key) {
    const { answer } = this.shown,
      { film } = lab.player,
      part = film.charts.find((chart) => chart.key === key && chart.tracks.length),
      spot = one(`main .st-key-${key}`),
      alt = spot.querySelector(".chart").getAttribute("aria-label") ?? answer.scene.alt,
      name = `lesson-${this.page.lesson}-${key}`,
      data = {
        key,
        alt,
        name,
        caption: key === "main" ? answer.caption : (spot.dataset.caption ?? ""),
        label: "",
        labels: part ? film.labels : null,
        hall: false,
        height: lab.charts.get(key).figure.layout.height,
        encoders: part && location.protocol.startsWith("http") ? this.page.encoders : null, // modules, which no disk hands out
      };
    row.querySelector("span").textContent = alt;
    lab.site.mountExport({ parentElement: row, data });
    const csv = row.querySelector(".csv");
    csv.hidden = !this.engine;
    csv.onclick = async () => saveAs(`\ufeff${(await this.say("csv", key)).said}`, `${name}.csv`, "text/csv");
  }

  // The line of HTML that shows the page as it stands in a frame. A page from a disk has no address for others.
  embed() {
    const words = new Map(this.shown.words);
    if (lab.player?.film && lab.player.time !== undefined) words.set("t", String(lab.player.time));
    const frame = element("iframe", {
      src: `${location.href.split(/[?#]/)[0]}?embed=true${this.address(words)}`,
      title: this.page.question,
      width: 900,
      height: 506,
      style: "border: 0",
    });
    one("#embed-drawer code").textContent = frame.outerHTML;
  }

  // ------------------------------------------------------------------ open
  open() {
    one("#sheet").hidden = this.look.drawn || this.look.framed;
    one("#sheet").onclick = () => this.sheet("open");
    one("#undo").onclick = () => this.undo();
    one("#reset").onclick = () => this.go(new Map());
    one("#export-drawer").ontoggle = () => this.save();
    one("#embed-drawer").hidden = !this.page.films || !location.protocol.startsWith("http");
    one("#embed-drawer button").hidden = !navigator.clipboard || sandboxed; // a browser has it on https and localhost
    one("#embed-drawer button").onclick = () => navigator.clipboard.writeText(one("#embed-drawer code").textContent);
    if (this.look.framed) {
      const data = { lesson: this.page.lesson, moments: this.prepared.map(({ key }) => key) },
        told = (_, key) => this.go(new Map([["moment", key]]));
      mountEmbed({ parentElement: one("#embed"), data, setTriggerValue: told });
    }
    if (this.still && this.still !== "none") this.line(this.still);
    document.fonts.ready.then(() => this.show(this.asked()));
    window.addEventListener("popstate", () => this.show(this.asked()));
  }

  // The same state in the other colours or type.
  changed(what) {
    if (!this.shown) return;
    writeAddress("replaceState", this.address(this.shown.words));
    if (what === "look") this.show(this.shown.words);
    else this.speak(lab.now?.reset ?? "");
  }
}
