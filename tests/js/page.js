// A page without a browser: elements, events, selectors and sizes, as far as the scripts of assets/ use them. What a
// browser lays out or paints is not here: a test gives an element its `box`, and canvases write down what is painted.
import { Pen } from "./pen.js";

const VOID = ["input", "img", "br", "hr", "meta", "link", "path", "circle"];
const TOKEN = /<!--[\s\S]*?-->|<!doctype[^>]*>|<(\/?)([a-zA-Z][\w-]*)((?:\s+[^\s=>/]+(?:="[^"]*")?)*)\s*(\/?)>|[^<]+/gi;
const ENTITY = { amp: "&", lt: "<", gt: ">", quot: '"', nbsp: "\u00a0" };
const plain = (text) => text.replace(/&(\w+);/g, (whole, name) => ENTITY[name] ?? whole);

class Target {
  heard = [];
  addEventListener(type, act, options) {
    const capture = options === true || !!options?.capture;
    if (!this.heard.some((one) => one.type === type && one.act === act && one.capture === capture))
      this.heard.push({ type, act, capture, once: !!options?.once });
  }
  removeEventListener(type, act, options) {
    const capture = options === true || !!options?.capture;
    this.heard = this.heard.filter((one) => one.type !== type || one.act !== act || one.capture !== capture);
  }
  hear(event, phase) {
    event.currentTarget = this;
    for (const one of [...this.heard]) {
      if (one.type !== event.type || (phase !== "at" && one.capture !== (phase === "down")) || event.ended) continue;
      if (one.once) this.removeEventListener(one.type, one.act, one.capture);
      one.act.call(this, event);
    }
    if (phase !== "down" && this !== globalThis && !event.ended) this[`on${event.type}`]?.(event);
  }
  // Down from the window to the element and up again, as in a browser.
  dispatchEvent(event) {
    const path = [this];
    while (path.at(-1).parentElement) path.push(path.at(-1).parentElement);
    if (path.at(-1) === document.documentElement) path.push(document);
    if (this !== window) path.push(window);
    Object.assign(event, { target: this, composedPath: () => path });
    for (const one of [...path.slice(1)].reverse()) if (!event.stopped) one.hear(event, "down");
    if (!event.stopped) this.hear(event, "at");
    if (event.bubbles) for (const one of path.slice(1)) if (!event.stopped) one.hear(event, "up");
    return !event.defaultPrevented;
  }
}

class PageEvent {
  constructor(type, more = {}) {
    Object.assign(this, { type, bubbles: false, defaultPrevented: false, stopped: false }, more);
  }
  preventDefault() {
    this.defaultPrevented = true;
  }
  stopPropagation() {
    this.stopped = true;
  }
}

class ClassList {
  constructor(el) {
    this.el = el;
  }
  get all() {
    return (this.el.getAttribute("class") ?? "").split(/\s+/).filter(Boolean);
  }
  contains(name) {
    return this.all.includes(name);
  }
  toggle(name, on = !this.contains(name)) {
    this.el.setAttribute("class", [...this.all.filter((one) => one !== name), ...(on ? [name] : [])].join(" "));
    return on;
  }
  add = (...names) => names.map((name) => this.toggle(name, true));
  remove = (...names) => names.map((name) => this.toggle(name, false));
}

class Style {
  setProperty(name, value) {
    this[name] = String(value);
  }
  getPropertyValue(name) {
    return this[name] ?? "";
  }
  set cssText(text) {
    for (const name of Object.keys(this)) delete this[name];
    for (const part of text.split(";")) {
      const [name, value] = part.split(/:(.*)/);
      if (value) this[name.trim()] = value.trim();
    }
  }
}

class Text {
  constructor(text) {
    this.data = text;
  }
  get textContent() {
    return this.data;
  }
  remove() {
    this.parentElement = null;
  }
}

export class Element extends Target {
  constructor(name) {
    super();
    Object.assign(this, { tagName: name.toUpperCase(), attributes: new Map(), childNodes: [], parentElement: null });
    Object.assign(this, { classList: new ClassList(this), style: new Style(), scrollLeft: 0, hidden: false });
    this.dataset = new Proxy(this.attributes, {
      get: (all, key) => all.get(`data-${key}`),
      set: (all, key, value) => all.set(`data-${key}`, String(value)),
      has: (all, key) => all.has(`data-${key}`),
    });
  }

  // ------------------------------------------------------------------ attributes
  getAttribute(name) {
    return this.attributes.get(name) ?? null;
  }
  setAttribute(name, value) {
    this.attributes.set(name, String(value));
  }
  removeAttribute(name) {
    this.attributes.delete(name);
  }
  hasAttribute(name) {
    return this.attributes.has(name);
  }
  get hash() {
    return /#.*/.exec(this.href)?.[0] ?? "";
  }
  set hash(words) {
    this.href = `${this.href.replace(/#.*/, "")}#${words}`;
  }

  // ------------------------------------------------------------------ the tree
  get children() {
    return this.childNodes.filter((one) => one instanceof Element);
  }
  get firstElementChild() {
    return this.children[0] ?? null;
  }
  get lastElementChild() {
    return this.children.at(-1) ?? null;
  }
  append(...nodes) {
    for (const one of nodes) {
      const node = typeof one === "object" ? one : new Text(String(one));
      node.remove();
      node.parentElement = this;
      this.childNodes.push(node);
    }
  }
  after(node) {
    const { parentElement } = this;
    parentElement.append(node);
    const all = parentElement.childNodes;
    all.splice(all.indexOf(this) + 1, 0, all.pop());
  }
  remove() {
    const all = this.parentElement?.childNodes;
    all?.splice(all.indexOf(this), 1);
    this.parentElement = null;
  }
  replaceChildren(...nodes) {
    for (const one of this.childNodes) one.parentElement = null;
    this.childNodes = [];
    this.append(...nodes);
  }
  get isConnected() {
    return document.documentElement.contains(this);
  }
  contains(other) {
    for (let one = other; one; one = one.parentElement) if (one === this) return true;
    return false;
  }
  getRootNode() {
    return document;
  }
  get content() {
    return this; // of a template
  }
  cloneNode() {
    return parsed(this.outerHTML)[0];
  }
  get textContent() {
    return this.childNodes.map((one) => one.textContent).join("");
  }
  set textContent(text) {
    this.replaceChildren(...(text === "" || text === null ? [] : [new Text(String(text))]));
  }
  get innerHTML() {
    return this.childNodes.map((one) => one.outerHTML ?? one.data).join("");
  }
  set innerHTML(html) {
    this.replaceChildren(...parsed(html));
  }
  get outerHTML() {
    const name = this.tagName.toLowerCase(),
      said = [...this.attributes].map(([key, value]) => ` ${key}="${value}"`).join("");
    return VOID.includes(name) ? `<${name}${said}>` : `<${name}${said}>${this.innerHTML}</${name}>`;
  }

  // ------------------------------------------------------------------ selectors
  matches(selector) {
    return parts(selector, ",").some((one) => fits(this, one.trim()));
  }
  closest(selector) {
    for (let one = this; one; one = one.parentElement) if (one.matches(selector)) return one;
    return null;
  }
  querySelectorAll(selector) {
    const asked = selector.replace(/:scope > /, "");
    return this.children.flatMap((one) => [
      ...(one.matches(asked) ? [one] : []),
      ...(asked === selector ? one.querySelectorAll(selector) : []),
    ]);
  }
  querySelector(selector) {
    return this.querySelectorAll(selector)[0] ?? null;
  }

  // ------------------------------------------------------------------ size: its own `box`, or its parent's with its style
  getBoundingClientRect() {
    const { left, top, width, height } = this.box ?? this.parentElement?.getBoundingClientRect() ?? NOWHERE,
      of = (length, whole) =>
        length?.endsWith("%") ? (parseFloat(length) * whole) / 100 : length ? parseFloat(length) : null;
    const found = {
      left: left + (this.box ? 0 : (of(this.style.left, width) ?? 0)),
      top: top,
      width: this.box ? width : (of(this.style.width, width) ?? width),
      height: of(this.style.height, height) ?? height,
    };
    return { ...found, right: found.left + found.width, bottom: found.top + found.height };
  }
  getClientRects() {
    return [this.getBoundingClientRect()];
  }
  get offsetLeft() {
    return this.getBoundingClientRect().left - (this.parentElement?.getBoundingClientRect().left ?? 0);
  }
  get scrollWidth() {
    return Math.max(this.clientWidth, ...this.children.map((one) => one.offsetLeft + one.offsetWidth));
  }
  scrollTo({ left }) {
    this.scrollLeft = left;
    this.onscroll?.();
  }
  scrollIntoView() {
    this.scrolled = (this.scrolled ?? 0) + 1;
  }

  // ------------------------------------------------------------------ what a reader does
  click(more = {}) {
    this.dispatchEvent(new PageEvent("click", { bubbles: true, ...more }));
  }
  focus() {
    document.activeElement = this;
  }
  setPointerCapture() {}
  showModal = () => Object.assign(this, { open: true });
  showPopover = () => Object.assign(this, { popped: true });
  hidePopover = () => Object.assign(this, { popped: false });
  close() {
    this.open = false;
    this.onclose?.();
  }
  getContext() {
    this.pen ??= new Pen(this);
    return this.pen;
  }
}
const property = (name, get, set) => Object.defineProperty(Element.prototype, name, { get, set });
const REFLECTED = [
  "id",
  "href",
  "src",
  "title",
  "type",
  "role",
  "value",
  "popover",
  "className",
  "ariaLabel",
  "ariaSelected",
];
for (const name of REFLECTED) {
  const attribute = name.replace("className", "class").replace(/^aria/, "aria-").toLowerCase();
  property(
    name,
    function () {
      return this.getAttribute(attribute) ?? "";
    },
    function (value) {
      this.setAttribute(attribute, value);
    },
  );
}
for (const [name, part] of Object.entries({ clientWidth: "width", offsetWidth: "width", clientHeight: "height" }))
  property(name, function () {
    return this.getBoundingClientRect()[part];
  });
for (const [name, by] of Object.entries({ nextElementSibling: 1, previousElementSibling: -1 }))
  property(name, function () {
    const all = this.parentElement?.children ?? [];
    return all[all.indexOf(this) + by] ?? null;
  });
const NOWHERE = { left: 0, top: 0, width: 0, height: 0 };

// The parts of a selector, outside of brackets.
function parts(selector, sign) {
  const found = [""];
  let deep = 0;
  for (const letter of selector) {
    deep += { "(": 1, "[": 1, ")": -1, "]": -1 }[letter] ?? 0;
    if (letter === sign && !deep) found.push("");
    else found[found.length - 1] += letter;
  }
  return found;
}

// Whether an element is what one selector without commas names.
function fits(el, selector) {
  const all = parts(selector, " "),
    last = all.pop();
  if (!all.length) return simple(el, last);
  if (!simple(el, last)) return false;
  if (all.at(-1) === ">") return !!el.parentElement && fits(el.parentElement, all.slice(0, -1).join(" "));
  for (let one = el.parentElement; one; one = one.parentElement) if (fits(one, all.join(" "))) return true;
  return false;
}

const SIMPLE =
  /^(?:([\w-]+)|\.([\w-]+)|#([\w-]+)|\[([\w-]+)(?:([*^]?=)"?([^"\]]*)"?)?\]|:([\w-]+)(?:\((.*?)\)(?=$|[.#[:]))?)/;
function simple(el, selector) {
  for (let rest = selector; rest; ) {
    const found = SIMPLE.exec(rest);
    if (!found) throw new Error(`the page of the tests does not know the selector ${selector}`);
    const [whole, tag, name, id, attribute, how, value, pseudo, inside] = found;
    const has = attribute && (el.getAttribute(attribute) ?? (el[attribute] === true ? "" : null));
    const okay = tag
      ? el.tagName === tag.toUpperCase()
      : name
        ? el.classList.contains(name)
        : id
          ? el.id === id
          : attribute
            ? has !== null &&
              { undefined: true, "=": has === value, "*=": has.includes(value), "^=": has.startsWith(value) }[how]
            : PSEUDO[pseudo](el, inside);
    if (!okay) return false;
    rest = rest.slice(whole.length);
  }
  return true;
}
const PSEUDO = {
  is: (el, inside) => el.matches(inside),
  not: (el, inside) => !el.matches(inside),
  hover: (el) => !!el.hovered,
  active: (el) => !!el.pressed,
  "focus-within": (el) => el.contains(document.activeElement),
  "focus-visible": (el) => el === document.activeElement,
  "popover-open": (el) => !!el.popped,
};

function parsed(html) {
  const root = new Element("root"),
    open = [root];
  for (const [whole, end, name, said = "", alone] of html.matchAll(TOKEN)) {
    if (whole.startsWith("<!")) continue;
    if (!name) open.at(-1).append(plain(whole));
    else if (end)
      open.splice(
        Math.max(
          1,
          open.findLastIndex((one) => one.tagName === name.toUpperCase()),
        ),
      );
    else {
      const el = new Element(name);
      for (const [, key, value = ""] of said.matchAll(/([^\s=]+)(?:="([^"]*)")?/g)) {
        el.setAttribute(key, plain(value));
        if (["hidden", "disabled", "checked"].includes(key)) el[key] = true;
        if (key === "style") el.style.cssText = value;
      }
      open.at(-1).append(el);
      if (!alone && !VOID.includes(name)) open.push(el);
    }
  }
  return [...root.childNodes];
}

// ------------------------------------------------------------------ the window
class Document extends Target {
  fonts = { ready: Promise.resolve(), check: () => true };
  styleSheets = [];
  title = "";
  baseURI = "http://lab.test/";
  createElement(name) {
    return new Element(name);
  }
  getElementById(id) {
    return this.documentElement.querySelector(`[id="${id}"]`);
  }
  querySelector(selector) {
    return this.querySelectorAll(selector)[0] ?? null;
  }
  querySelectorAll(selector) {
    return [this.documentElement].flatMap((one) => [
      ...(one.matches(selector) ? [one] : []),
      ...one.querySelectorAll(selector),
    ]);
  }
}

const observers = new Set(),
  channels = new Set();
let pictures = new Map(),
  count = 0,
  now = 1000;

const WINDOW = {
  innerWidth: 1366,
  innerHeight: 768,
  devicePixelRatio: 1,
  name: "",
  CustomEvent: PageEvent,
  KeyboardEvent: PageEvent,
  Element,
  HTMLElement: Element,
  matchMedia: (query) => ({ matches: query === page.media }),
  getComputedStyle: (el) => ({
    fontFamily: "Sans",
    backgroundColor: el.style.background ?? "rgb(255, 255, 255)",
    getPropertyValue: (name) => el.style[name] ?? "",
  }),
  requestAnimationFrame: (act) => {
    pictures.set(++count, act);
    return count;
  },
  cancelAnimationFrame: (request) => pictures.delete(request),
  ResizeObserver: class {
    constructor(act) {
      this.act = act;
      observers.add(this);
    }
    observe() {}
    disconnect() {
      observers.delete(this);
    }
  },
  OffscreenCanvas: class {
    constructor(width, height) {
      Object.assign(this, { width, height });
    }
    getContext() {
      this.pen ??= new Pen(this);
      return this.pen;
    }
  },
  DOMMatrix: class {
    said = "";
    translate(x, y) {
      this.said += ` from @${x.toFixed(1)},${y.toFixed(1)}`;
      return this;
    }
    scale(x) {
      this.said += ` times ${+x.toFixed(3)}`;
      return this;
    }
  },
  Image: class extends Element {
    complete = true;
    constructor() {
      super("img");
    }
    decode = () => Promise.resolve();
  },
  BroadcastChannel: class {
    constructor(name) {
      this.name = name;
      channels.add(this);
    }
    postMessage(data) {
      for (const one of [...channels]) if (one !== this && one.name === this.name) one.onmessage?.({ data });
    }
    close() {
      channels.delete(this);
    }
  },
};

// What a test does with the page.
export const page = {
  media: "", // the query that matches, such as "(prefers-reduced-motion: reduce)"
  // An empty page at an address, with this HTML in its body.
  open(html = "", address = "http://lab.test/Confidence_bands") {
    now = 1000;
    observers.clear();
    channels.clear();
    pictures = new Map();
    const root = new Element("html"),
      [head, body] = [new Element("head"), new Element("body")];
    root.append(head, body);
    Object.assign(globalThis, WINDOW, { window: globalThis, document: new Document(), innerWidth: 1366, heard: [] });
    Object.assign(document, { documentElement: root, head, body, activeElement: body });
    root.box = { left: 0, top: 0, width: 1366, height: 768 };
    page.media = "";
    page.went = [];
    const url = new URL(address);
    globalThis.location = {
      get href() {
        return url.href;
      },
      set href(to) {
        page.went.push(to);
      },
      replace: (to) => page.went.push(String(to)),
    };
    for (const name of ["hash", "search", "pathname", "protocol", "origin"])
      Object.defineProperty(globalThis.location, name, { get: () => url[name] });
    const write = (_, __, to) => {
      url.href = new URL(to, url).href;
    };
    globalThis.history = { state: null, pushState: write, replaceState: write };
    const kept = new Map();
    globalThis.sessionStorage = {
      getItem: (key) => kept.get(key) ?? null,
      setItem: (key, text) => kept.set(key, text),
    };
    window.parent = window;
    performance.now = () => now;
    body.innerHTML = html;
    return body;
  },
  // Draw the next picture of the screen, so many milliseconds later.
  picture(after = 16) {
    now += after;
    const acts = [...pictures.values()];
    pictures.clear();
    for (const act of acts) act(now);
  },
  later(milliseconds) {
    now += milliseconds;
  },
  resized() {
    for (const one of [...observers]) one.act();
  },
  event: (type, more) => new PageEvent(type, { bubbles: true, ...more }),
  // Press a key on an element; whether somebody used it up.
  press(key, on = document.body, more = {}) {
    return !on.dispatchEvent(new PageEvent("keydown", { key, bubbles: true, ...more }));
  },
};

for (const name of ["addEventListener", "removeEventListener", "dispatchEvent", "hear"])
  Object.defineProperty(globalThis, name, {
    value: (...all) => Target.prototype[name].apply(globalThis, all),
    configurable: true,
    writable: true,
  });
Object.defineProperty(globalThis, "navigator", { value: {}, configurable: true, writable: true });
page.open();
