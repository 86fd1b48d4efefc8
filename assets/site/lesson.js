// A lesson's page without a server. Files have its opening, its moments and its bet; Python in the browser
// computes everything else, once it is loaded. The words of the page's address name what is shown, as they do
// on a server.
import { Engine, refusal } from "../engine/engine.js";
import { withQuery } from "../player/ask.js";
import mountEmbed from "../player/embed.js";
import { Follower } from "../player/follow.js";
import mountLive from "../player/live.js";
import { Player } from "../player/player.js";
import { element } from "../shared/element.js";
import { lab } from "../shared/lab.js";
import { save } from "../shared/save.js";
import { wordsOf, writeAddress } from "../shared/words.js";
import { putUp } from "../stage/chart.js";
import { nearestFrame } from "../stage/decode.js";
import { addressOf, filmOf } from "../stage/films.js";
import mountStrip from "../strip/strip.js";
import { Controls } from "./controls.js";
import { Drawers, spotOf } from "./drawers.js";
import { load, opened } from "./files.js";
import { sandboxed } from "./look.js";
import { OwnBandit } from "./own.js";
import { Runs } from "./runs.js";
import { TablePanel } from "./table.js";

const GONE =
  "This picture is not here: the network is away, or the site was copied in part. What you see is the one before; load the page again later.";
const AS_IT_OPENS = "What you see is the page as it opens: what its link sets";
const NO_SCRIPT =
  "A script of this page did not come: the network is away, or the site was copied in part. Load the page again later.";
export const ASKED = "bet",
  TOLD_KEY = "truth",
  OPENING = "opening"; // keys of the views that are not moments (shell/static/view.py)
// Words of an address that do not belong to the state.
const NOT_SETTINGS = ["theme", "lecture", "course", "embed", "hide"];
const IDLE_MS = 2500; // time after which Python is loaded without a touch of the controls

const one = (query) => document.querySelector(query);
// A button whose label is HTML; `on` makes it a toggle button.
const pressButton = (innerHTML, onclick, on) => {
  const button = element("button", { type: "button", innerHTML, onclick });
  if (on !== undefined) button.ariaPressed = String(on);
  return button;
};

export class LessonPage {
  // `page` is the JSON that shell/static/pages.py writes into the page.
  constructor(page, look, files) {
    Object.assign(this, { page, look, files });
    // { words, key, name, answer, film, said } of the state on the page; `standsIn` where a link's own state is to come.
    this.shown = null;
    this.wanted = null; // { words, key, waits } of the state that was asked for last; `waits` until its answer comes
    this.past = []; // words of the states that Undo goes back to
    this.guess = []; // options of the bet that are chosen, in order
    this.answeredQuery = null; // number of the query on the stage that was answered last
    this.prepared = page.views.filter(({ key }) => ![OPENING, ASKED, TOLD_KEY].includes(key));
    this.still = page.engine ? refusal(window) : "none"; // why the controls cannot be moved, "" if they can
    this.engine = page.engine && !this.still ? new Engine(page.engine, (said) => this.engineChanged(said)) : null;
    this.controls = new Controls(one("#knobs"), (key, text) => this.setKnob(key, text));
    this.drawers = new Drawers(one("#below"), this);
    this.runs = new Runs(one("#runs"), {
      ask: (progress) => this.engine.ask("run", this.text(), {}, progress),
      giveUp: () => this.engine.giveUp(),
      done: () => this.show(this.asked.words),
    });
    this.table = new TablePanel(one("#own-table"), this);
    this.connectEngine();
    if (this.engine && page.own) this.own = new OwnBandit(one("#own-bandit"), this, page.own);
  }

  view(key) {
    return this.page.views.find((view) => view.key === key);
  }

  // ------------------------------------------------------------------ addresses
  // The words of the page's address, without those of the look. Links made on a server have their words
  // behind the question mark.
  wordsOfAddress() {
    // Other sites may add words of their own behind the question mark.
    const ours = [...wordsOf(location.search)].filter(([word]) => this.page.words?.includes(word)),
      words = new Map([...ours, ...wordsOf(location.hash.slice(1))]);
    if ([ASKED, TOLD_KEY].includes(words.get("moment"))) {
      words.set("guess", "open"); // older links of a site name the bet as a moment
      if (words.get("moment") === TOLD_KEY) words.set("reveal", "true");
      words.delete("moment");
    }
    for (const word of NOT_SETTINGS) words.delete(word);
    return this.withoutWorld(words);
  }

  // Take out what other lessons' Worlds have and this one has no control for, and keep it for them.
  withoutWorld(words) {
    const theirs = [...words].filter(([word]) => this.page.others?.includes(word));
    this.look.carry(Object.fromEntries(theirs));
    for (const [word] of theirs) words.delete(word);
    return words;
  }

  address(words) {
    return `#${this.look.dressed([...words])}`;
  }

  // The key of the prepared view of these words, null if there is none.
  keyOf(words) {
    const rest = [...words.keys()].filter((word) => word !== "t"),
      guess = words.get("guess") ?? "off";
    if (guess !== "off") return this.view(words.get("reveal") === "true" ? TOLD_KEY : ASKED)?.key ?? null;
    if (rest.length === 1 && rest[0] === "moment") return this.view(words.get("moment"))?.key ?? null;
    return rest.length ? null : this.page.views[0].key;
  }

  // The state of these words as text, in the form that Python reads.
  text(words = this.shown.words) {
    return `${this.page.lesson}?${new URLSearchParams([...words, ["theme", this.look.look]])}`;
  }

  // The words of the state that is asked for, with the changes in `more`; of the one on the page also with its time.
  words(more) {
    const { player } = lab,
      here = this.asked === this.shown,
      words = new Map(here ? Object.entries(this.answer?.address ?? {}) : this.asked.words);
    for (const word of NOT_SETTINGS) words.delete(word);
    if (here && player?.film && player.time !== undefined) words.set("t", String(player.time));
    for (const [key, text] of Object.entries(more)) words.set(key, text);
    return words;
  }

  // The state that the address names: the one on its way, or else the one on the page.
  get asked() {
    return this.wanted?.waits || this.shown?.standsIn ? this.wanted : this.shown;
  }

  get answer() {
    return this.shown?.answer;
  }

  // ------------------------------------------------------------------ what is shown
  // Show another state, which Undo can take back.
  go(words) {
    if (this.shown && this.past.at(-1) !== this.shown.words) this.past.push(this.shown.words);
    writeAddress("pushState", this.address(words));
    return this.show(words);
  }

  // Set a knob. Where the horizon is set while the film is at its end, the film goes to its new end.
  setKnob(key, text) {
    const { player } = lab,
      ended = key === "T" && player?.film.n > 1 && player.t === player.last;
    return this.go(this.words({ [key]: text, ...(ended && { t: text }) }));
  }

  // Show the state of these words, unless another one is wanted before it is loaded.
  async show(words) {
    const wanted = { words, key: this.keyOf(words), waits: true };
    this.wanted = wanted;
    const found = wanted.key ? await this.file(wanted.key) : await this.compute(wanted);
    wanted.waits = false;
    if (this.wanted !== wanted || !found) return;
    one(".gone").textContent = "";
    this.shown = { ...wanted, ...found };
    this.draw();
  }

  // Read a prepared view from its file; null where that is missing.
  async file(key) {
    const name = `${this.view(key).file}.${this.look.look}`,
      content = await this.files.of(name);
    if (!content) one(".gone").textContent = GONE;
    return content && { name, answer: content.page, film: content.film, said: content };
  }

  // Show the opening, or the moment that a state starts from, at the state's time until Python has answered.
  async standIn(words) {
    const key = this.view(words.get("moment"))?.key ?? this.page.views[0].key,
      found = await this.file(key);
    if (!found || this.wanted.words !== words || (this.shown && !this.shown.standsIn)) return;
    const own = [...words].filter(([word, text]) => word === "t" || (word === "moment" && text === key));
    this.shown = { words: new Map(own), key, standsIn: true, ...found };
    this.draw();
    one(".gone").textContent =
      `${AS_IT_OPENS} ${this.engine ? "comes with the sliders, once they are awake" : "needs the lab itself"}.`;
  }

  // Ask Python for any other state. On a fresh page another one is shown meanwhile.
  async compute({ words }) {
    if (!this.shown) await this.standIn(words);
    if (!this.engine) return null;
    try {
      const { said } = await this.engine.ask("page", this.text(words));
      return { name: null, answer: said, film: null, said: null };
    } catch (problem) {
      this.showNotice(problem.message);
      if (this.shown) this.controls.draw(this.answer, this.still);
      return null;
    }
  }

  draw() {
    const { answer, key } = this.shown,
      { scene, waits, refused } = answer,
      bets = [ASKED, TOLD_KEY].includes(key);
    this.look.carry(answer.along, this.page.words);
    this.look.wear();
    one("h1").innerHTML = bets ? this.page.bet.question : answer.question;
    one("#views").replaceChildren(...(bets ? this.betButtons() : this.momentButtons()));
    const line = answer.moments.find((moment) => moment.key === answer.moment)?.line;
    one(".line").innerHTML = line ? `“${line}”` : "";
    one("#finding").hidden = bets;
    one("#knobs-box").hidden = bets || this.still === "none";
    if (!bets) this.controls.draw(answer, this.still);
    one("#undo").disabled = !this.past.length;
    const wrong = (answer.wrong ?? []).map((word) => ` Not taken from the address: ${word}.`);
    one(".refused").replaceChildren(...(refused ? [element("span", { innerHTML: refused })] : []), ...wrong);
    this.runs.show(waits);
    this.table.draw(answer.table);
    document.documentElement.classList.toggle("past", !scene);
    lab.site.walk?.bar();
    if (scene) this.drawScene(scene);
  }

  // Draw the stage, the sentence and everything below them.
  drawScene(scene) {
    const { answer, key, name, words } = this.shown,
      reset = `${answer.lesson}:${key && key !== OPENING ? key : (answer.moment ?? OPENING)}:${answer.reset ?? ""}`,
      view = key && this.view(key),
      here = nearestFrame(scene.times, words.has("t") ? +words.get("t") : (view?.t ?? scene.times[scene.start])),
      plays = key === TOLD_KEY ? scene.times.length - 1 : null;
    if (!one("#stage").firstElementChild)
      one("#stage").replaceChildren(element("figure", { className: "stage st-key-stage_desk" }, spotOf("main")));
    for (const [i, word] of ["--abreast", "--point"].entries())
      document.documentElement.style.setProperty(word, scene.screens[i]);
    this.putChart(one("#stage"), "main", scene.alt);
    this.drawSentence(reset);
    this.drawStrip(scene);
    one(".caption").innerHTML = scene.caption ?? "";
    one(".notes").replaceChildren(...(scene.notes ?? []).map((note) => element("p", { innerHTML: note })));
    one(".settings").textContent = answer.settings && `Settings: ${answer.settings}.`;
    one("#export-drawer").hidden = !answer.caption || !this.page.films;
    const start = plays && here === plays ? 0 : here;
    this.head = { start, reset, plays, heard: this.answeredQuery, question: answer.film };
    this.drawers.lay(answer);
    this.play(name, name ? opened(this.shown.film) : null);
    this.drawBet();
    this.writeEmbed();
    this.awaitPicture(plays, here);
  }

  // Load a film into the player: the one that was read, or else the one of the state's address.
  play(name, film, charts = []) {
    const { question } = this.head,
      words = question && [...question.query, ...(charts.length ? [["charts", charts.join(",")]] : [])],
      asked = this.engine?.ready && question ? { ...question, query: words, addressed: true } : null,
      player = lab.player ?? new Player(one("#player .player"), this.engine && { Follower, addressOf, filmOf });
    player.load(
      { ...this.head, question: asked, revision: film ? name : null },
      () => film,
      (what, said) => this.receive(what, said),
    );
  }

  // Wait for the picture, mark the page as ready, which tests wait for, and fill what is below the stage.
  async awaitPicture(plays, here) {
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

  // Play the films of charts below the stage together with that of the stage.
  async playCharts(charts) {
    const now = this.shown;
    if (!charts.length || now.moving === charts.join()) return;
    now.moving = charts.join();
    if (!now.name) return this.play(null, null, charts);
    const film = await this.drawers.filmOf(now);
    if (film && this.shown === now) this.play(`${now.name}.below`, film);
  }

  // Show a sentence in place of the progress of Python's loading; "" hides it.
  showNotice(sentence) {
    const box = one("#engine");
    box.querySelector("span").textContent = sentence;
    box.querySelector("progress").hidden = box.querySelector("button").hidden = true;
    box.hidden = !sentence;
  }

  // Ask Python about the present state: `what`, and the `key` of its drawer, chart, table or task.
  say(what, key = "") {
    if (!this.engine) throw new Error(this.still === "none" ? "This needs the lab itself." : this.still);
    return this.engine.ask(what, this.text(), { key });
  }

  // A name of a chart in the present state: a chart with the same name need not be drawn again.
  chartName(key) {
    return `${key} ${this.shown.name ?? this.text()}`;
  }

  putChart(place, key, alt, own = null) {
    const said = { key, alt, plotly: this.page.films && "plotly.min.js", revision: own ? this.chartName(key) : null };
    return putUp(place.querySelector(".chart"), said, () => opened(own));
  }

  drawStrip({ odds, strip }) {
    const box = one(".odds");
    if (box.firstElementChild) box.firstElementChild.hidden = !odds;
    if (!odds) return;
    if (!box.firstElementChild) box.append(element("div", { className: "strip" }));
    const choose = (_, world) => this.still || this.setKnob(strip.knob, String(world));
    mountStrip({ parentElement: box, data: { says: odds, strip: strip ?? null }, setTriggerValue: choose });
  }

  drawSentence(reset) {
    this.unmountSentence?.();
    const { look, hall } = this.look,
      data = {
        sentences: [this.answer.scene.sentence ?? ""],
        index: [0],
        start: 0,
        reset,
        dark: look === "dark",
        hall,
      };
    this.unmountSentence = mountLive({ parentElement: one("#finding"), data });
  }

  // Receive a message that the player would send to a server.
  receive(what, said) {
    const acts = {
      t: () => {
        const { asked } = this;
        if (asked !== this.shown && asked.key) return; // a moment on its way has a time of its own
        asked.words.set("t", String(lab.player.time));
        writeAddress("replaceState", this.address(asked.words));
        this.writeEmbed();
      },
      x: () => this.setPlace(said),
      knob: () => this.setKnob(said.key, said.text),
      ask: () => this.addQuery(said),
    };
    if (this.still && what !== "t") return this.showNotice(this.still === "none" ? "" : this.still);
    acts[what]?.();
  }

  // Set the place to a click on the stage, as a share of the x axis.
  setPlace(x) {
    const [low, high] = lab.charts.get("main").layout.xaxis?.range ?? [0, 1];
    if (!this.answer.knobs.place || !(high > low)) return;
    this.setKnob("place", String(Math.round(100 * Math.min(1, Math.max(0, (x - low) / (high - low)))) / 100));
  }

  // Add a query on the stage to the knob that holds all queries so far.
  addQuery({ n, t, place }) {
    const { key } = lab.charts.get("main").film.pick.ask;
    this.answeredQuery = n;
    this.setKnob(key, withQuery(this.answer.knobs[key].value, lab.player.film, { t, place }));
  }

  // ------------------------------------------------------------------ Python in the browser
  // Let Python answer the addresses of films and frames in place of a server, and load it when a control is
  // touched or the page has been idle.
  connectEngine() {
    if (!this.engine) return;
    const network = window.fetch.bind(window),
      ours = /^(film|frame)\//;
    window.fetch = (where, options) => (ours.test(where) ? this.engine.response(where) : network(where, options));
    const wake = () => this.engine.wake();
    for (const event of ["pointerdown", "keydown", "focusin"])
      one("#knobs-box").addEventListener(event, wake, { passive: true });
    const idle = window.requestIdleCallback ?? ((act) => setTimeout(act, 1));
    let wanted = !navigator.connection?.saveData;
    const wakeUnasked = () => wanted && this.shown?.key !== ASKED && wake(); // a bet has no controls
    setTimeout(() => idle(wakeUnasked), IDLE_MS);
    one("#engine button").onclick = () => {
      wanted = false; // a reader who stops the loading does not get it again unasked
      this.engine.sleep();
    };
  }

  // Go back to the state before.
  undo() {
    const words = this.past.pop();
    if (!words) return;
    writeAddress("pushState", this.address(words));
    this.show(words);
  }

  // Show how far Python's loading is, or why it has failed.
  engineChanged({ loaded, size, ready, failed }) {
    const box = one("#engine"),
      mega = (bytes) => Math.round(bytes / 1e6);
    if (loaded === undefined) this.showNotice(failed ?? "");
    else {
      const all = Math.max(size, loaded),
        words = loaded < size ? `Sliders wake: ${mega(loaded)} of ${mega(all)} MB` : "Sliders wake: Python starts";
      box.hidden = box.querySelector("progress").hidden = box.querySelector("button").hidden = false;
      box.querySelector("progress").value = loaded / all;
      if (box.querySelector("span").textContent !== words) box.querySelector("span").textContent = words;
    }
    document.documentElement.dataset.engine = ready ? "ready" : loaded !== undefined ? "wakes" : "asleep";
    // A prepared view does not follow sliders until Python is ready, so the player loads it anew.
    if (ready && this.shown?.name && this.wanted?.key) {
      this.shown.moving = null; // the charts of open drawers join its film anew
      this.play(this.shown.name, opened(this.shown.film));
      this.drawers.fill();
    }
    // What a link sets was not answered when Python was lost.
    if (ready && this.shown?.standsIn && !this.wanted.waits) this.show(this.wanted.words);
    if (failed !== undefined && this.shown) {
      if (!this.shown.standsIn) {
        this.wanted = this.shown;
        writeAddress("replaceState", this.address(this.shown.words));
      }
      this.controls.draw(this.answer, this.still);
    }
  }

  // ------------------------------------------------------------------ moments and the bet
  momentButtons() {
    const { answer, key } = this.shown,
      choice = (view) =>
        pressButton(view.title, () => this.go(new Map([["moment", view.key]])), answer.moment === view.key);
    if (this.page.views.length === 1) return [];
    const opening = pressButton("As it opens", () => this.go(new Map()), key === OPENING);
    return [
      ...(this.view(OPENING) ? [element("div", { className: "st-key-opening" }, opening)] : []),
      element("div", { className: "st-key-moment" }, ...this.prepared.map(choice)),
      ...(this.page.bet
        ? [
            element(
              "div",
              { className: "st-key-bet_open" },
              pressButton("Bet first", () => this.bet()),
            ),
          ]
        : []),
    ];
  }

  // The reader's bet as a link writes it; an order counts only when it is complete.
  get guessed() {
    if (!this.page.bet) return "open"; // walks of courses ask every lesson, also one without a bet
    const complete = !this.page.bet.ranks || this.guess.length === Object.keys(this.page.bet.options).length;
    return (complete && this.guess.join(".")) || "open";
  }

  bet() {
    this.guess = [];
    this.go(new Map([["guess", "open"]]));
  }

  betButtons() {
    const { key } = this.shown,
      { options, ranks } = this.page.bet,
      leave = element("div");
    if (this.view(OPENING))
      leave.append(pressButton(key === ASKED ? "Leave the bet" : "Back to the lesson", () => this.go(new Map())));
    if (key === TOLD_KEY) return [element("p", { className: "truth", ariaLive: "polite" }), leave];
    const choices = Object.entries(options).map(([word, text]) => {
      const place = this.guess.indexOf(word),
        choose = () => {
          const others = this.guess.filter((other) => other !== word);
          this.guess = ranks ? (place >= 0 ? others : [...this.guess, word]) : [word];
          one("#views").replaceChildren(...this.betButtons());
        };
      return pressButton(place >= 0 && ranks ? `${place + 1}. ${text}` : text, choose, place >= 0);
    });
    const showTruth = () =>
        this.go(
          new Map([
            ["guess", this.guessed],
            ["reveal", "true"],
          ]),
        ),
      reveal = pressButton("Show what happened", showTruth);
    return [
      element("div", { className: "st-key-bet_pick" }, ...choices),
      element("div", { className: "st-key-bet_reveal" }, reveal),
      leave,
    ];
  }

  // Draw the bars of a bet, and with the truth also the verdict.
  drawBet() {
    const { key, said, words } = this.shown,
      guess = words.get("guess") ?? "",
      own = key === TOLD_KEY ? (said.wagers[guess] ?? said.wagers[""]) : key === ASKED ? said.wager : undefined;
    document.documentElement.classList.toggle("asks", own !== undefined);
    this.unmountBars?.();
    this.unmountBars = null;
    one("#wager").replaceChildren();
    if (!own) return;
    one("#wager").className = key === TOLD_KEY ? "told" : "";
    one("#wager").append(element("figure", {}, spotOf("wager")));
    this.unmountBars = this.putChart(one("#wager"), "wager", this.page.bet.alts[key], own);
    if (key !== TOLD_KEY) return;
    one(".truth").innerHTML = `${said.verdicts[guess] ?? ""} ${said.truth}`;
    this.sheet("bet", guess, said.right);
    const right = this.page.bet.ranks ? said.right.join(".") === guess : said.right.includes(guess);
    window.dispatchEvent(new CustomEvent("tvbo:told", { detail: { lesson: this.page.lesson, right } }));
  }

  // Return what a script of its own adds to `lab.site`, and say so where it does not come.
  async part(name, file) {
    if (!lab.site[name]) await load(file);
    if (!lab.site[name]) this.showNotice(NO_SCRIPT);
    return lab.site[name];
  }

  // Call a function of the student's sheet (site/sheet.js). A page in one file cannot load it, and an iframe
  // has no sheet.
  async sheet(act, ...about) {
    if (this.look.drawn || this.look.framed) return;
    (await this.part("sheet", "sheet.js"))?.[act](this, ...about);
  }

  // ------------------------------------------------------------------ what leaves the page
  // Fill the export drawer with a row for each chart in view: its picture, its film if any, and its data.
  async save() {
    const { answer } = this.shown;
    if (!one("#export-drawer").open || !answer.caption) return;
    if (!(await this.part("mountExport", "exports.js"))) return;
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
        // The encoders are modules, which a browser loads only over HTTP.
        encoders: part && location.protocol.startsWith("http") ? this.page.encoders : null,
      };
    row.querySelector("span").textContent = alt;
    lab.site.mountExport({ parentElement: row, data });
    const csv = row.querySelector(".csv");
    csv.hidden = !this.engine;
    csv.onclick = async () => {
      const { said } = await this.say("csv", key);
      save(new Blob([`\ufeff${said}`], { type: "text/csv" }), `${name}.csv`);
    };
  }

  // Write the HTML of an iframe that shows the page in its present state. Without HTTP a page has no address
  // for others.
  writeEmbed() {
    const words = new Map(this.shown.words);
    if (lab.player?.film && lab.player.time !== undefined) words.set("t", String(lab.player.time));
    const iframe = element("iframe", {
      src: `${location.href.split(/[?#]/)[0]}?embed=true${this.address(words)}`,
      title: this.page.question,
      width: 900,
      height: 506,
      style: "border: 0",
    });
    one("#embed-drawer code").textContent = iframe.outerHTML;
  }

  // ------------------------------------------------------------------ open
  open() {
    one("#sheet").hidden = this.look.drawn || this.look.framed;
    one("#sheet").onclick = () => this.sheet("open");
    one("#undo").onclick = () => this.undo();
    one("#reset").onclick = () => this.go(new Map());
    one("#export-drawer").ontoggle = () => this.save();
    one("#embed-drawer").hidden = !this.page.films || !location.protocol.startsWith("http");
    // A browser has a clipboard only on https and localhost.
    one("#embed-drawer button").hidden = !navigator.clipboard || sandboxed;
    one("#embed-drawer button").onclick = () => navigator.clipboard.writeText(one("#embed-drawer code").textContent);
    if (this.look.framed) {
      const data = { lesson: this.page.lesson, moments: this.prepared.map(({ key }) => key) },
        showMoment = (_, key) => this.go(new Map([["moment", key]]));
      mountEmbed({ parentElement: one("#embed"), data, setTriggerValue: showMoment });
    }
    if (this.still && this.still !== "none") this.showNotice(this.still);
    document.fonts.ready.then(() => this.show(this.wordsOfAddress()));
    window.addEventListener("popstate", () => this.show(this.wordsOfAddress()));
  }

  // Draw the present state anew after a change of colours or type (`what` of look.js).
  changed(what) {
    if (!this.shown) return;
    const { asked } = this;
    writeAddress("replaceState", this.address(asked.words));
    if (what === "hall") return this.drawSentence(lab.now?.reset ?? "");
    if (this.shown.standsIn) this.standIn(asked.words);
    if (asked === this.shown || asked.waits) this.show(asked.words); // a Python that was left is not asked again
  }
}
