// A stage of several panels that is swiped through on a small screen, with a dot for each panel that brings it: where
// they lie on one axis the figure shows one of them whole (`layout.meta.panels`), others are wider than the screen.
import { calm } from "../shared/clock.js";
import { element } from "../shared/element.js";

export class Swipe {
  // `root` scrolls, `chart` is what it holds.
  constructor(root, chart) {
    Object.assign(this, { root, chart });
    this.dots = root.nextElementSibling;
    root.onscroll = () => this.mark();
    this.sized = new ResizeObserver(() => this.fit());
    this.sized.observe(root);
    this.sized.observe(chart);
  }

  // A dot for each panel, and a place to snap to; none where all fit.
  fit() {
    const { panels } = this.figure,
      names = panels ? panels.names : this.abreast();
    if (JSON.stringify(names) !== this.laid) this.lay(names, panels);
    if (names.length && this.page !== location.pathname) {
      this.page = location.pathname; // a page opens at its point; after that the reader's hand alone moves it
      this.root.scrollLeft = this.left(panels ? panels.point : this.says("--point"));
    }
    this.mark();
  }

  // The figure that is in the element now.
  get figure() {
    return this.chart.chart;
  }

  // Names of the screens of a stage that is wider than one, as many as the page says (shell/page/frame.py); empty where the
  // figure has none (`layout.meta.screens`).
  abreast() {
    const wide = this.chart.offsetWidth > this.root.clientWidth + 1;
    if (!wide) return [];
    return this.figure.seen?.layout.meta?.screens ?? Array(this.says("--abreast")).fill("");
  }

  says(name) {
    return +getComputedStyle(this.root).getPropertyValue(name);
  }

  lay(names, panels) {
    const many = names.length;
    this.laid = JSON.stringify(names);
    for (const place of this.places ?? []) place.remove();
    this.places = Array.from({ length: many }, (_, i) => {
      const place = element("i", { className: "snap" });
      Object.assign(place.style, {
        left: `${(panels ? 100 : 100 / many) * i}%`,
        width: `${panels ? 100 : 100 / many}%`,
      });
      return place;
    });
    (panels ? this.root : this.chart).append(...this.places);
    this.root.classList.toggle("panels", !!panels);
    this.root.style.setProperty("--panels", many || 1);
    this.dots.classList.toggle("named", names.some(Boolean));
    this.dots.replaceChildren(...names.map((name, i) => this.dot(name, i, many)));
  }

  dot(name, i, many) {
    const ariaLabel = `${name ? `${name}, panel` : "Panel"} ${i + 1} of ${many}`,
      onclick = () => this.root.scrollTo({ left: this.left(i), behavior: calm() ? "auto" : "smooth" });
    return element("button", { type: "button", textContent: name, ariaLabel, onclick });
  }

  // How far to scroll until a panel stands in the middle, or as near to it as the ends allow.
  left(i) {
    const { offsetLeft, offsetWidth } = this.places[i],
      { clientWidth, scrollWidth } = this.root;
    return Math.min(Math.max(offsetLeft + (offsetWidth - clientWidth) / 2, 0), scrollWidth - clientWidth);
  }

  // Fill the dot of the panel that is seen, and have the figure show it.
  mark() {
    const panel = this.root.scrollLeft / this.root.clientWidth,
      whole = Math.round(panel); // a screen may be some tenths of a pixel wider than it says
    if (this.figure.panels) this.figure.turn(Math.abs(panel - whole) < 0.01 ? whole : panel);
    const far = (this.places ?? []).map((_, i) => Math.abs(this.left(i) - this.root.scrollLeft)),
      at = far.indexOf(Math.min(...far));
    for (const [i, dot] of [...this.dots.children].entries()) dot.setAttribute("aria-current", i === at);
  }

  end() {
    this.root.onscroll = null;
    this.sized.disconnect();
  }
}
