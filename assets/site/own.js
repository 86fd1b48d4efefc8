// A bandit of the reader's own on the race's page: a text of Python that never leaves the browser, and is in no address.
// The checks of tvbo_core say what is wrong; where nothing is, it races beside the others.
import { element } from "../shared/element.js";

const EXAMPLE = `from dataclasses import dataclass


@dataclass(frozen=True)
class Mine:
    window: int = 20

    def init(self, known):  # what it is told: the arms known.x, horizon, noise_sd, kernel, ...
        return known.x.shape[-2], ()  # its state: number of arms, and no (reward, arm) yet

    def select(self, state, t, rng):  # the number of the arm to query in round t
        return max(state[1])[1] if state[1] and rng.random() < 0.9 else int(rng.integers(state[0]))

    def update(self, state, t, arm, y):  # the state after reward y
        return state[0], (*state[1], (y, arm))[-self.window :]
`;

export class OwnBandit {
  // `host` is the lesson's page, `knob` the choice of who races.
  constructor(root, host, knob) {
    Object.assign(this, { root, host, knob });
    this.word = null; // of the one that races now
    this.text = element("textarea", { id: "own-text", rows: 16, spellcheck: false, value: EXAMPLE });
    this.out = element("ul", { role: "status" });
    this.button = element("button", { type: "button", onclick: () => this.race() }, "Check it, and let it race");
    root.append(
      element("summary", {}, "Your own bandit"),
      element("p", {}, "A class with three methods. The text stays in this browser, and goes when the page is closed."),
      element("label", { htmlFor: "own-text" }, "Python"),
      this.text,
      this.button,
      this.out,
    );
    root.hidden = false;
  }

  async race() {
    const { host } = this,
      source = this.text.value; // that is checked, whatever is written meanwhile
    this.button.disabled = true;
    this.out.replaceChildren(element("li", {}, "The checks are made, which takes some seconds …"));
    try {
      const { said } = await host.engine.ask("check", source),
        wrong = said.lines.filter(([, outcome]) => outcome === "fail");
      const line = ([name, , detail]) =>
        element("li", {}, [name.replaceAll("_", " "), detail].filter(Boolean).join(": "));
      if (!said.word) return this.out.replaceChildren(...wrong.map(line));
      this.out.replaceChildren(
        element("li", {}, `All ${said.lines.length} checks pass. It races as soon as Python is awake again.`),
      );
      this.join(said.word, source);
    } catch (problem) {
      this.out.replaceChildren(element("li", {}, problem.message));
    } finally {
      this.button.disabled = false;
    }
  }

  // Python starts anew with it on the lists, and the page asks for a race with it.
  join(word, source) {
    const { host, knob } = this,
      racing = host.answer.knobs[knob].value.split(".").filter((one) => one !== this.word);
    this.word = word;
    host.engine.sleep();
    host.engine.settings.own = source;
    host.setKnob(knob, [...racing, word].join("."));
  }
}
