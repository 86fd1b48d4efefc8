// What a key means on every kind of element, and with what is held.
import { CARD, digitOf, isField, isRemote, KEYS, meaning, press } from "../../../assets/shared/keys.js";
import { lab } from "../../../assets/shared/lab.js";
import { hears, open, say } from "../reader.js";

const element = (tagName, more = {}) => ({
  tagName,
  getAttribute: (name) => (name === "role" ? (more.role ?? null) : null),
  ...more,
});
const BODY = element("BODY");
const ON = {
  page: BODY,
  ...Object.fromEntries(
    ["range", "radio", "checkbox", "text", "number"].map((type) => [type, element("INPUT", { type })]),
  ),
  ...Object.fromEntries(["SELECT", "BUTTON", "A", "SUMMARY", "TEXTAREA"].map((name) => [name, element(name)])),
  ...Object.fromEntries(
    ["slider", "listbox", "option", "combobox", "radio", "tab", "menuitem"].map((role) => [
      `role ${role}`,
      element("DIV", { role }),
    ]),
  ),
  "editable text": element("DIV", { isContentEditable: true }),
};
const NAMES =
  "PageDown PageUp ArrowRight ArrowLeft ArrowUp ArrowDown Home End Enter Escape . b B l L d D q Q ? a A s S 0 1 9 n P i x z F5 Tab Shift Delete constructor";
const ALL = [...NAMES.split(" "), " ", undefined];
const pressed = (key, { on = BODY, ...more } = {}) => ({ key, composedPath: () => [on], ...more });
const told = (name, means) =>
  say(
    `${name}: ${ALL.map((key) => [key, means(key)])
      .filter(([, one]) => one)
      .map(([key, one]) => `${key} ${one}`)
      .join(", ")}`,
  );

export const stories = {
  "every key has one meaning on each element": () => {
    open();
    for (const [name, on] of Object.entries(ON))
      told(`${name}${isField(on) ? ", a field" : ""}`, (key) => meaning(pressed(key, { on })));
    told("a page's own bar", (key) => meaning(pressed(key, { on: ON.range }), (el) => el === ON.range));
    told("an open card", (key) => meaning({ ...pressed(key), composedPath: () => [BODY, { id: CARD }] }));
    for (const held of ["shiftKey", "ctrlKey", "metaKey", "altKey", "isComposing"])
      told(held, (key) => meaning(pressed(key, { [held]: true })));
    told("sent by the speaker window", (key) => isRemote({ key }) && "sent");
    say(`all meanings: ${Object.keys(KEYS).sort()}`);
  },
  "while a course asks, digits count hands": () => {
    open();
    for (const course of [{ asks: true }, { asks: false }, null])
      for (const [key, code, shiftKey] of [
        ["3", "Digit3", false],
        ["#", "Digit3", true],
        ['"', "Digit3", false], // on a French keyboard
        ["3", "Digit3", true],
        ["3", "Numpad3", true],
      ]) {
        lab.course = course;
        const on = (where) => meaning(pressed(key, { code, shiftKey, on: ON[where] }));
        say(
          `${JSON.stringify(course)} ${key} ${code} ${shiftKey}: ${digitOf({ key, code })} ${on("page")} ${on("text")}`,
        );
      }
  },
  "a press is used up where it acts": () => {
    open();
    const does = { preventDefault: hears("prevents"), stopPropagation: hears("stops") };
    for (const key of ["b", "l"]) press(pressed(key, does), { lecture: hears("acts on"), blank: undefined });
  },
};
