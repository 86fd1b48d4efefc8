// A stage of several panels that is wider than its screen: it is swiped through, and a dot for each panel brings it.
import { calm } from "../shared/clock.js";

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

  // A dot for each panel beside each other, as the page says (shell/page.py), and a place to snap to; none where all fit.
  fit() {
    const wide = this.chart.offsetWidth > this.root.clientWidth + 1,
      many = wide ? +getComputedStyle(this.root).getPropertyValue("--abreast") : 0;
    if (many !== this.dots.childElementCount) this.lay(many);
    if (many && this.page !== location.pathname) {
      this.page = location.pathname; // a page opens at its point; after that the reader's hand alone moves it
      this.root.scrollLeft = this.left(+getComputedStyle(this.root).getPropertyValue("--point"));
    }
    this.mark();
  }

  lay(many) {
    this.places?.forEach((place) => {
      place.remove();
    });
    this.places = Array.from({ length: many }, (_, i) => {
      const place = Object.assign(document.createElement("i"), { className: "snap" });
      Object.assign(place.style, { left: `${(100 * i) / many}%`, width: `${100 / many}%` });
      return place;
    });
    this.chart.append(...this.places);
    this.dots.replaceChildren(...this.places.map((_, i) => this.dot(i, many)));
  }

  dot(i, many) {
    const dot = Object.assign(document.createElement("button"), { type: "button" });
    dot.setAttribute("aria-label", `Panel ${i + 1} of ${many}`);
    dot.onclick = () => this.root.scrollTo({ left: this.left(i), behavior: calm() ? "auto" : "smooth" });
    return dot;
  }

  // How far to scroll until a panel stands in the middle, or as near to it as the ends allow.
  left(i) {
    const { offsetLeft, offsetWidth } = this.places[i],
      { clientWidth, scrollWidth } = this.root;
    return Math.min(Math.max(offsetLeft + (offsetWidth - clientWidth) / 2, 0), scrollWidth - clientWidth);
  }

  // Fill the dot of the panel that is seen.
  mark() {
    const far = (this.places ?? []).map((_, i) => Math.abs(this.left(i) - this.root.scrollLeft)),
      at = far.indexOf(Math.min(...far));
    [...this.dots.children].forEach((dot, i) => {
      dot.setAttribute("aria-current", i === at);
    });
  }

  end() {
    this.sized.disconnect();
  }
}
