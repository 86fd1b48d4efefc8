// The controls of a page as plain HTML elements, drawn from the answer "page" alone: their groups, labels, help, stops and
// states. An element stays the same from answer to answer, so that a hand or the focus keeps what it holds.
import { element } from "../shared/element.js";

const A_NUMBER = "number"; // among the words beside a slider: what the slider says

export class Controls {
  // `turned(key, text)` hears of a new value, as a link writes it.
  constructor(root, turned) {
    Object.assign(this, { root, turned });
    this.made = new Map(); // key -> { form, box, show }
  }

  // Draw the controls of an answer; `still` says why none can be moved, "" where they can.
  draw({ knobs, groups, leads }, still = "") {
    const boxes = groups
      .filter(({ place, knobs }) => place !== "stage" && knobs.length)
      .map(({ place, heading, knobs: keys, parts = [["", keys]] }) => {
        const own = parts.flatMap(([part, some]) => [
          ...(part ? [this.same("p", { className: "part", textContent: part })] : []),
          ...some.map((key) => this.control(knobs[key], key === leads, still)),
        ]);
        if (place === "beside") return filled(this.same("div", { className: "beside" }), own);
        const box = this.same("details", { className: "more" });
        return filled(box, [this.same("summary", { textContent: heading }), ...own]);
      });
    filled(this.root, boxes);
  }

  // An element with these properties, the same from answer to answer.
  same(name, props) {
    const key = JSON.stringify([name, props]);
    if (!this.made.has(key)) this.made.set(key, element(name, props));
    return this.made.get(key);
  }

  control(knob, leads, still) {
    const form = JSON.stringify([knob.widget, knob.stops, knob.words, knob.help]),
      old = this.made.get(knob.key);
    const one = old?.form === form ? old : this.make(knob, form);
    one.box.classList.toggle("leads", leads);
    one.show(knob, still !== "" || !knob.acts);
    return one.box;
  }

  make(knob, form) {
    const box = element("div", { className: `knob st-key-${knob.key}` }),
      help = knob.help
        ? [
            element(
              "details",
              { className: "help" },
              element("summary", { ariaLabel: `About ${knob.name}` }, "?"),
              element("span", { innerHTML: knob.help }),
            ),
          ]
        : [],
      turned = (text) => this.turned(knob.key, text),
      kind = KINDS[knob.words.length ? "numbers" : knob.widget] ?? KINDS.code,
      one = { form, box, show: kind(knob, box, help, turned) };
    this.made.set(knob.key, one);
    return one;
  }
}

// An element with these in it. What lies there already is left alone: what is put in anew loses the focus.
function filled(box, inside) {
  if (inside.length !== box.children.length || inside.some((one, i) => one !== box.children[i]))
    box.replaceChildren(...inside);
  return box;
}

const knobId = ({ key }) => `knob-${key}`;

// A label with its help behind it, for a control of this knob.
function labelled(knob, box, help, ...parts) {
  const words = element("label", { htmlFor: knobId(knob) });
  box.append(element("div", { className: "words" }, words, ...help), ...parts);
  return words;
}

// What shows the label and the value of a control. What is typed and not set yet stays.
function standing(words, input) {
  let known; // the value that was shown or set last
  input.addEventListener("change", () => {
    known = input.value;
  });
  return ({ label, value }, disabled) => {
    words.innerHTML = label;
    input.disabled = disabled;
    if (input !== document.activeElement || input.value === known) input.value = value;
    known = value;
  };
}

// A group of choices, named by the words above it, which have the help behind them.
function grouped(knob, box, help, choices) {
  const words = element("span", { id: `${knobId(knob)}-name` }),
    group = element("fieldset", { className: "choices" }, ...choices);
  group.setAttribute("aria-labelledby", words.id);
  box.append(element("div", { className: "words" }, words, ...help), group);
  return { words, group };
}

const choiceOf = (type, knob, [value, shown], act) => {
  const input = element("input", { type, value, name: knobId(knob), onchange: act });
  return element("label", {}, input, element("span", {}, shown));
};

// The track of a slider over stops, and beside it its value; the stage's follower reads the track while it is dragged
// (assets/player/follow.js).
function trackOf(knob, turned) {
  const { stops } = knob,
    bar = element("input", { id: knobId(knob), type: "range", min: 0, max: stops.length - 1, step: 1 }),
    numbers = stops.every(([, shown]) => Number.isFinite(+shown)),
    out = numbers ? numberField(knob, bar) : element("output", { htmlFor: bar.id }),
    box = element("div", { className: "track" }, bar, out);
  box.dataset.testid = "stSlider";
  bar.oninput = () => {
    const [, shown] = stops[+bar.value];
    out.value = shown;
    bar.setAttribute("aria-valuetext", shown);
  };
  bar.onchange = () => turned(stops[+bar.value][0]);
  const stand = (value, disabled) => {
    const at = stops.findIndex(([text]) => text === value),
      typed = out === document.activeElement && out.value !== stops[+bar.value][1];
    bar.disabled = out.disabled = disabled;
    if (typed || box.matches(":active")) return; // a hand keeps what it holds
    if (at >= 0) bar.value = at;
    bar.oninput();
  };
  return { box, stand };
}

// The value of a slider as a number that is typed; the slider then goes to the stop nearest to it. An arrow key goes to
// the next stop, which an uneven slider has elsewhere than one further.
function numberField({ name, stops, step = "any" }, bar) {
  const [[, min], [, max]] = [stops[0], stops.at(-1)],
    field = element("input", { type: "number", step, min, max, ariaLabel: `${name}, a number` }),
    go = (stop) => {
      const before = bar.value;
      bar.value = stop;
      bar.oninput();
      if (bar.value !== before) bar.onchange();
    };
  field.onchange = () => {
    const far = stops.map(([, shown]) => Math.abs(shown - field.value));
    go(field.value === "" ? bar.value : far.indexOf(Math.min(...far)));
  };
  field.onkeydown = (event) => {
    const by = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    go(Math.min(Math.max(+bar.value + by, 0), stops.length - 1));
  };
  return field;
}

function sliderKnob(knob, box, help, turned) {
  const { box: all, stand } = trackOf(knob, turned),
    words = labelled(knob, box, help, all);
  return ({ label, value }, disabled) => {
    words.innerHTML = label;
    stand(value, disabled);
  };
}

// A slider over numbers, and words beside it.
function numbersKnob(knob, box, help, turned) {
  const { box: all, stand } = trackOf(knob, turned),
    words = labelled(knob, box, help, all);
  let last = knob.stops[Math.floor(knob.stops.length / 2)][0];
  const pick = ({ target }) => turned(target.value === A_NUMBER ? last : target.value),
    every = [[A_NUMBER, "this value"], ...knob.words],
    group = element("div", { className: "choices", role: "radiogroup", ariaLabel: knob.name });
  group.append(...every.map((one) => choiceOf("radio", { key: `${knob.key}-word` }, one, pick)));
  box.append(group);
  return ({ label, value }, disabled) => {
    const word = knob.words.some(([text]) => text === value);
    words.innerHTML = label;
    if (!word) last = value;
    stand(last, disabled || word);
    for (const input of group.querySelectorAll("input")) {
      input.checked = input.value === (word ? value : A_NUMBER);
      input.disabled = disabled;
    }
  };
}

function selectKnob(knob, box, help, turned) {
  const list = element("select", { id: knobId(knob), onchange: () => turned(list.value) });
  list.append(...knob.stops.map(([value, shown]) => element("option", { value }, shown)));
  return standing(labelled(knob, box, help, list), list);
}

// A group of choices, of which one ("radio") or several ("checkbox") are chosen; none chosen means the first, or none where
// that is `empty`.
const choicesKnob = (type) => (knob, box, help, turned) => {
  const pick = () =>
      turned(
        [...group.querySelectorAll(":checked")].map((one) => one.value).join(".") ||
          (knob.empty ? "" : knob.stops[0][0]),
      ),
    { words, group } = grouped(
      knob,
      box,
      help,
      knob.stops.map((one) => choiceOf(type, knob, one, pick)),
    );
  return ({ label, value }, disabled) => {
    const chosen = type === "radio" ? [value] : value.split(".");
    words.innerHTML = label;
    group.disabled = disabled;
    for (const input of group.querySelectorAll("input")) input.checked = chosen.includes(input.value);
    if (type === "checkbox" && !group.contains(document.activeElement)) chosenFirst(group);
  };
};

// Put what is chosen first, not while a hand is in the list.
function chosenFirst(group) {
  const all = [...group.children],
    is = (one) => one.querySelector("input").checked;
  group.replaceChildren(...all.filter(is), ...all.filter((one) => !is(one)));
}

function toggleKnob(knob, box, help, turned) {
  const input = element("input", { id: knobId(knob), type: "checkbox", onchange: () => turned(String(input.checked)) }),
    words = element("label", { htmlFor: input.id });
  input.setAttribute("role", "switch");
  box.append(element("div", { className: "words switch" }, input, words, ...help));
  return ({ label, value }, disabled) => {
    words.innerHTML = label;
    Object.assign(input, { checked: value === "true", disabled });
  };
}

function numberKnob(knob, box, help, turned) {
  const { low: min, high: max, step } = knob,
    input = element("input", { id: knobId(knob), type: "number", min, max, step });
  input.onchange = () => input.reportValidity() && input.value !== "" && turned(input.value);
  return standing(labelled(knob, box, help, input), input);
}

// A short text of one form.
function codeKnob(knob, box, help, turned) {
  const input = element("input", {
    id: knobId(knob),
    type: "text",
    pattern: `${knob.stops[0]?.[0] ?? ""}|${knob.form ?? ".*"}`,
    title: knob.means ?? "",
  });
  input.onchange = () => input.reportValidity() && turned(input.value);
  return standing(labelled(knob, box, help, input), input);
}

const KINDS = {
  slider: sliderKnob,
  stops: sliderKnob,
  numbers: numbersKnob,
  select: selectKnob,
  segmented: choicesKnob("radio"),
  pills: choicesKnob("checkbox"),
  toggle: toggleKnob,
  number: numberKnob,
  code: codeKnob,
};
