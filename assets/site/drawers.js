// What lies below the stage of a page without a server: drawers with charts, texts, tables, tasks and the script. Each is
// filled once it is opened, from the file of a prepared view or by the browser's own Python.
import { element } from "../shared/element.js";
import { lab } from "../shared/lab.js";
import { putUp } from "../stage/chart.js";
import { decode } from "../stage/decode.js";
import { unzipped } from "../stage/message.js";
import { joined, opened } from "./files.js";

const MOST_ROWS = 200; // of a table on the page
const worded = (innerHTML) => element("div", { innerHTML });
// What is HTML on the page as a picture's caption has it.
const asText = (html) => worded(html.replace(/<sub>/g, "_").replace(/<sup>/g, "^")).textContent;

// The place of a chart.
export const spotOf = (key) =>
  element(
    "div",
    { className: `st-key-${key}` },
    element("div", { className: "swipe" }, element("div", { className: "chart", role: "img" })),
    element("div", { className: "dots" }),
  );

// A table of texts: rows of heads above rows of cells.
export function tableOf(heads, rows) {
  const line = (kind, more) => (cells) =>
      element("tr", {}, ...cells.map((text) => element(kind, more, String(text ?? "")))),
    head = element("thead", {}, ...heads.map(line("th", { scope: "col" }))),
    table = element("table", {}, head, element("tbody", {}, ...rows.map(line("td", {}))));
  return element("div", { className: "rows", tabIndex: 0, role: "region", ariaLabel: "Table" }, table);
}

export class Drawers {
  // `host` is the lesson's page (lesson.js): what it shows, and whom it asks.
  constructor(root, host) {
    Object.assign(this, { root, host });
    this.unfolded = new Set(); // titles of the drawers that a reader has opened
    this.laid = "";
    this.ends = [];
  }

  // Lay closed drawers for an answer, made anew where they are other ones.
  lay(page) {
    const { scene } = page,
      some = [
        ...(scene?.drawers ?? []).map((one) => ({ ...one, kind: "drawer" })),
        ...(page.tasks.length ? [{ kind: "tasks", key: "tasks", title: "Tasks" }] : []),
        ...page.help.map(([key, title]) => ({ kind: "help", key, title })),
        ...(scene?.tables ?? []).map((title) => ({ kind: "table", key: title, title })),
        ...(page.script ? [{ kind: "script", key: "script", title: "This figure as Python" }] : []),
      ],
      laid = JSON.stringify(some.map(({ kind, key, title, charts }) => [kind, key, title, Object.keys(charts ?? {})]));
    if (laid !== this.laid) {
      this.laid = laid;
      this.clear();
      this.all = some.map((one) => ({ ...one, box: this.box(one) }));
      this.root.replaceChildren(...this.all.map(({ box }) => box));
    } else for (const [i, one] of some.entries()) Object.assign(this.all[i], one);
    for (const one of this.all) one.filled = null;
  }

  clear() {
    for (const end of this.ends.splice(0)) end();
    this.root.replaceChildren();
    this.all = [];
  }

  box({ title, key, charts = {} }) {
    const turned = ({ target }) => {
      this.unfolded[target.open ? "add" : "delete"](title);
      if (target.open) this.fill();
    };
    const figures = Object.keys(charts).map((one) => element("figure", {}, element("figcaption"), spotOf(one))),
      said = element("div", { className: "said-below" });
    return title
      ? element(
          "details",
          { ontoggle: turned, open: this.unfolded.has(title), id: `drawer-${key}` },
          element("summary", { innerHTML: title }),
          ...figures,
          said,
        )
      : element("div", {}, ...figures, said);
  }

  get open() {
    return this.all.filter(({ box }) => box.tagName !== "DETAILS" || box.open);
  }

  // Fill those that are open with what the page shows now.
  async fill() {
    const now = this.host.shown;
    for (const one of this.open) {
      if (one.filled === now) continue;
      one.filled = now;
      try {
        await this[one.kind](one, now);
      } catch (problem) {
        one.filled = null;
        if (this.host.shown === now)
          one.box.lastElementChild.replaceChildren(element("p", { role: "status" }, problem.message));
      }
    }
    this.host.playCharts(this.open.flatMap(({ moves = [] }) => moves));
  }

  // Charts, as a file has them or as Python draws them.
  async drawer(one, now) {
    const more = now.name ? await this.host.files.of(`${now.name}.below`) : null,
      said = more ? more.said[one.key] : (await this.host.say("drawer", one.key)).said;
    if (this.host.shown !== now) return;
    one.moves = said.charts.filter(({ moves }) => moves).map(({ key }) => key);
    for (const { key, alt, caption, moves, as_of } of said.charts) {
      const spot = one.box.querySelector(`.st-key-${key}`);
      spot.previousElementSibling.textContent = `${alt}${as_of}`;
      const read = async () =>
        more ? opened(more.stills[key]) : decode(await unzipped((await this.host.say("chart", key)).bytes));
      const own = {
        key,
        alt,
        plotly: this.host.page.films && "plotly.min.js",
        revision: moves ? null : this.host.chartName(key),
      };
      this.ends.push(putUp(spot.querySelector(".chart"), own, read));
      spot.dataset.caption = more?.captions[key] ?? asText(caption);
      spot.nextElementSibling?.remove();
      if (caption) spot.after(element("p", { className: "caption", innerHTML: caption }));
    }
    one.box.lastElementChild.replaceChildren(worded(said.text));
  }

  async help(one) {
    const text = this.host.page.help?.[one.key] ?? (await this.host.say("drawer", one.key)).said.text;
    one.box.lastElementChild.replaceChildren(worded(text));
  }

  async table(one, now) {
    const { said: rows } = await this.host.say("table", one.key);
    if (this.host.shown !== now) return;
    const more = rows.length > MOST_ROWS ? [element("p", {}, `The first ${MOST_ROWS} of ${rows.length} rows.`)] : [];
    const names = Object.keys(rows[0] ?? {}),
      cells = rows.slice(0, MOST_ROWS).map((row) => names.map((name) => row[name]));
    one.box.lastElementChild.replaceChildren(tableOf([names], cells), ...more);
  }

  async script(one, now) {
    const { said } = await this.host.say("script");
    if (this.host.shown !== now) return;
    one.box.lastElementChild.replaceChildren(
      element("pre", { tabIndex: 0 }, element("code", {}, said ?? "There is none in this setting.")),
    );
  }

  // Each task with a button that judges what is shown.
  async tasks(one, now) {
    const row = ({ key, goal }) => {
      const out = element("output"),
        check = async () => {
          out.textContent = "";
          try {
            const { said } = await this.host.say("task", key);
            if (said.done) this.host.sheet("task", { key, goal }, said.measurement);
            out.innerHTML = ` ${said.done ? "Done:" : "Not yet:"} ${said.measurement}. ${said.why} `;
            const next = [...document.querySelectorAll("nav a")].find((way) => way.textContent.startsWith("›"));
            if (said.done && next) out.append(next.cloneNode(true));
          } catch (problem) {
            out.textContent = ` ${problem.message}`;
          }
        };
      return element(
        "li",
        {},
        element("span", { innerHTML: `${goal} ` }),
        element("button", { type: "button", onclick: check }, "Check"),
        out,
      );
    };
    if (this.host.shown === now)
      one.box.lastElementChild.replaceChildren(element("ul", {}, ...this.host.answer.tasks.map(row)));
  }

  // The film of a prepared stage with those of its open drawers; null where the stage's own does.
  async filmOf(now) {
    const more = await this.host.files.of(`${now.name}.below`);
    return more?.film ? joined(now.film, more.film) : null;
  }

  // Keys of the charts that are seen below the stage.
  seen() {
    return this.open.flatMap(({ charts = {} }) => Object.keys(charts)).filter((key) => lab.charts.has(key));
  }
}
