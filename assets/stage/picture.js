// A figure on canvases, drawn in a fraction of the time that Plotly takes: while it moves, and until Plotly has come.
import { over, under } from "./frame.js";
import { axes } from "./geometry.js";
import { draw } from "./marks.js";

export class Picture {
  // `root` is the element that it lies in.
  constructor(root) {
    this.root = root;
    this.drawn = 0; // how many times so far; benchmarks read it
    this.box = document.createElement("div");
    this.box.className = "lab-picture";
    this.box.setAttribute("aria-hidden", "true");
    this.box.style.cssText = "position:absolute;inset:0;pointer-events:none;overflow:hidden;z-index:1";
    [this.below, this.marks, this.above] = [0, 1, 2].map(() => {
      const canvas = document.createElement("canvas");
      canvas.style.cssText = "position:absolute;left:0;top:0";
      this.box.append(canvas);
      return canvas.getContext("2d");
    });
  }

  get stands() {
    return this.box.isConnected;
  }

  // Whether all of a figure can be drawn here; Plotly draws the others.
  can({ data }) {
    return data.every((trace) => ["scatter", "contour"].includes(trace.type ?? "scatter"));
  }

  // Draw traces in a layout that has its width and height. What stands still is drawn again only where it is another one.
  draw(data, layout) {
    const ratio = window.devicePixelRatio || 1,
      type = document.fonts.check(`${layout.font.size}px ${layout.font.family}`), // whether it has been loaded
      looks = JSON.stringify([layout, ratio, type]);
    if (looks !== this.looks) this.lay(layout, looks, ratio);
    this.data = data;
    this.drawn += 1;
    this.marks.clearRect(0, 0, layout.width, layout.height);
    draw(this.marks, data, this.axes, layout.font);
    if (!this.stands) this.root.append(this.box);
  }

  lay(layout, looks, ratio) {
    const { width, height } = layout;
    this.looks = looks;
    this.axes = axes(layout);
    // A chart may begin between two pixels of the screen; a browser moves a vector picture to the nearest one, and so we do.
    this.place = this.root.getBoundingClientRect();
    const { left, top } = this.place,
      [x, y] = [left, top].map((one) => Math.round(one * ratio) / ratio - one);
    for (const context of [this.below, this.marks, this.above]) {
      const [wide, high] = [width, height].map((one) => Math.ceil(one * ratio));
      Object.assign(context.canvas, { width: wide, height: high });
      Object.assign(context.canvas.style, {
        left: `${x}px`,
        top: `${y}px`,
        width: `${wide / ratio}px`,
        height: `${high / ratio}px`,
      });
      context.setTransform(ratio, 0, 0, ratio, 0, 0);
    }
    const ground = () => {
      this.below.fillStyle = layout.paper_bgcolor ?? "#fff";
      this.below.fillRect(0, 0, width, height);
      under(this.below, layout, this.axes, () => looks === this.looks && ground());
    };
    ground();
    over(this.above, layout, this.axes);
  }

  hide() {
    this.box.remove();
  }
}
