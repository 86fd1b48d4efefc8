// A table of the reader's own on the page of real data: a file is read by the browser's own Python and never leaves the
// computer. The page shows what becomes of it, and asks what is misread, as a server's does.
import { element, showHeadline } from "../shared/element.js";
import { Controls } from "./controls.js";
import { tableOf } from "./drawers.js";

const FIELDS = {
    several: "pills",
    cells: "pills",
    few: "segmented",
    list: "select",
    number: "number",
    switch: "toggle",
  },
  MOST_LINES = 40; // above, of names, or below
const tableButton = (textContent, onclick, more = {}) =>
  element("button", { type: "button", textContent, onclick, ...more });

export class TablePanel {
  // `host` is the lesson's page.
  constructor(root, host) {
    Object.assign(this, { root, host });
    this.out = element("p", { role: "status" });
    this.form = element("div", { id: "table-form" });
    this.controls = new Controls(this.form, (name, text) => this.choose(name, text));
    this.over = Promise.resolve(); // once the last act is
  }

  // Draw what an answer says of the reader's table; nothing of a shipped one.
  draw(said) {
    this.root.hidden = !said;
    this.said = said;
    this.out.textContent = "";
    if (!said) return this.root.replaceChildren();
    if (said.racing) {
      const back = tableButton("Change the table", () => this.act("accept", ""));
      return this.root.replaceChildren(element("p", {}, said.racing), back, this.out);
    }
    this.root.replaceChildren(...this.loading(said), ...(said.name ? this.looking(said) : []), this.out);
  }

  // Acts follow each other: a choice is added to those before it.
  act(...all) {
    this.over = this.over.then(() => this.perform(...all));
    return this.over;
  }

  // What Python answers after an act: words of the address, or none where the page is to be asked again.
  async perform(act, name, value = "") {
    const { host, out } = this;
    out.textContent = act === "take" ? "The table is read …" : "";
    try {
      const { said } = await host.engine.ask("own table", host.text(host.asked.words), { key: act, name, value });
      await (Object.keys(said).length ? host.go(host.words(said)) : host.show(host.asked.words));
    } catch (problem) {
      out.textContent = problem.message;
    }
  }

  // ------------------------------------------------------------------ load
  loading({ shape, private: kept, problem, name }) {
    const file = element("input", { id: "own-file", type: "file", accept: ".csv,.tsv,.txt,text/*" }),
      text = element("textarea", { id: "own-paste", rows: 3, spellcheck: false });
    file.onchange = () => file.files[0] && this.take(file.files[0].name, file.files[0]);
    return [
      element("p", { role: "alert" }, problem ?? ""),
      element(
        "details",
        { open: !name },
        element("summary", {}, `1 · Load a table${name ? `: ${name}` : ""}`),
        element("label", { htmlFor: file.id }, "A CSV file "),
        file,
        element("label", { htmlFor: text.id }, "Or paste a table"),
        text,
        tableButton("Read what is pasted", () => this.take("pasted table", new Blob([text.value]))),
        tableButton("Try the example", () => this.act("take", "")),
        element("p", {}, `${shape} ${kept}`),
      ),
    ];
  }

  // Read a file; of one that is too large only so much that Python says so.
  async take(name, blob) {
    const bytes = await blob.slice(0, this.said.most + 1).arrayBuffer();
    await this.act("take", name, new Uint8Array(bytes));
  }

  // ------------------------------------------------------------------ look, and change
  looking({ file, rounds, checks, unusable, right, form }) {
    const preview = ({ heads, rows }) => tableOf([heads.map(([role]) => role), heads.map(([, name]) => name)], rows);
    this.form.replaceChildren(...form.map((one) => this.control(one)));
    return [
      element("h2", {}, "2 · Look at what becomes of it"),
      preview(file),
      rounds ? preview(rounds) : element("p", { role: "alert" }, unusable),
      element("ul", {}, ...checks.map(([holds, sentence]) => element("li", {}, `${holds ? "✓" : "!"} ${sentence}`))),
      element("p", {}, right),
      tableButton("Run", () => this.act("accept", "yes").then(showHeadline), { id: "own-run", disabled: !rounds }),
      element("h2", {}, "3 · Change what is misread"),
      this.form,
    ];
  }

  // A field as a knob, whose stops are numbers of its options; a cell that means missing may be any text.
  control({ name, label, kind, value, options, none, help }) {
    const several = Array.isArray(value),
      at = (one) => options.findIndex(([option]) => option === one),
      stops = options.map(([, words], i) => [String(i), words]),
      number = kind === "number",
      chosen = several ? value.map(at).join(".") : options.length ? String(at(value)) : String(value),
      bounds = number ? { low: 0, high: Math.max(MOST_LINES, value), step: 1 } : {},
      knob = { key: name, label, name: label, widget: FIELDS[kind], stops, words: [], help, empty: none, ...bounds },
      box = this.controls.control({ ...knob, value: chosen, acts: true }, false, "");
    box.querySelector(".another")?.remove();
    if (kind === "cells") {
      const another = element("input", {
        type: "text",
        ariaLabel: "Another cell that means missing",
        placeholder: "-999",
      });
      another.onchange = () => another.value && this.act("choose", name, JSON.stringify([...value, another.value]));
      box.append(element("div", { className: "another" }, another));
    }
    return box;
  }

  choose(name, text) {
    const { kind, options } = this.said.form.find((one) => one.name === name),
      of = (i) => options[+i][0],
      read = {
        several: () => (text ? text.split(".").map(of) : []),
        number: () => +text,
        switch: () => text === "true",
      };
    read.cells = read.several;
    this.act("choose", name, JSON.stringify((read[kind] ?? (() => of(text)))()));
  }
}
