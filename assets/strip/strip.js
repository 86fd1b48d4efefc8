// A claim in a hundred fresh worlds: a dot for each on the axis of what decides it, in another colour where the claim
// does not hold, the world on screen ringed. A dot opens its world; among the dots the arrows lead.
import { element } from "../shared/element.js";
import { mount } from "../shared/mount.js";

class Strip {
  constructor(root) {
    this.root = root;
    root.innerHTML =
      '<p></p><div class="worlds" tabindex="0" role="listbox" aria-orientation="horizontal"></div><span class="here"></span>';
    this.list = root.querySelector(".worlds");
    this.list.onclick = (e) => {
      const world = e.target.dataset?.world;
      if (world) this.open(+world);
    };
    this.list.onkeydown = (e) => this.key(e);
  }

  // `says` is a line with its count between stars; `strip` the dots (shell/stage/strip.py), or null; `tell` hears the value
  // of a world that is opened.
  load({ says, strip }, tell) {
    this.open = (world) => tell("world", world);
    if (says === this.says && strip === this.drawn) return;
    [this.says, this.drawn] = [says, strip];
    const bold = says.split("**"); // words, count, words
    this.root.querySelector("p").replaceChildren(...bold.map((part, i) => element(i % 2 ? "b" : "span", {}, part)));
    this.root.classList.toggle("alone", !strip);
    this.list.replaceChildren();
    if (!strip) return;
    this.root.querySelector(":scope > .here").textContent = strip.here;
    this.root.style.setProperty("--broken", strip.broken);
    this.list.setAttribute("aria-label", strip.label);
    const limit = element("i", { className: "limit" }, strip.limit[1]);
    limit.style.setProperty("--x", strip.limit[0]);
    this.list.append(limit, ...strip.dots.map((dot) => this.dot(dot)));
    this.reach(this.list.querySelector(".here") ?? this.list.querySelector("[role=option]"));
  }

  dot({ x, row, world, title, holds, here }) {
    const dot = element("b", { title, id: `world-${world}`, role: "option", ariaLabel: title, ariaSelected: here });
    dot.dataset.world = world;
    dot.classList.toggle("fails", !holds);
    dot.classList.toggle("here", here);
    dot.style.setProperty("--x", x);
    dot.style.setProperty("--row", row);
    return dot;
  }

  // The list holds the focus, and one of its dots is the one that Enter opens.
  reach(dot) {
    this.list.querySelector(".reached")?.classList.remove("reached");
    dot.classList.add("reached");
    this.list.setAttribute("aria-activedescendant", dot.id);
  }

  key(e) {
    const dots = [...this.list.querySelectorAll("[role=option]")],
      dot = this.list.querySelector(".reached"),
      at = dots.indexOf(dot),
      to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: dots.length - 1 }[e.key];
    if (e.key === "Enter") dot.click();
    else if (dots[to]) this.reach(dots[to]);
    else return;
    e.preventDefault();
  }

  end() {}
}

export default function mountStrip({ parentElement, data, setTriggerValue }) {
  return mount(parentElement.querySelector(".strip"), null, Strip, data, setTriggerValue);
}
