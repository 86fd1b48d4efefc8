// Opens the explanation of a marked term (a link to #term-...) under the pointer, with the focus, and by a tap.
// The links are of Streamlit's own Markdown and of the live sentence; this listens for them and changes none.
import { element } from "../shared/element.js";
import { listen } from "../shared/listen.js";

// Milliseconds before a note opens under the pointer, longer at a word that points into the figure; before it closes.
const WAIT = 400,
  LONGER = 1100,
  GRACE = 220;

const termOf = (e) => e.composedPath().find((el) => el.matches?.('a[href*="#term-"]'));

class Notes {
  constructor(root) {
    this.root = root;
    this.note = element("aside", { className: "term-note", popover: "manual", role: "note" });
    root.after(this.note);
    const acts = {
      pointerover: (e) => {
        if (e.pointerType === "mouse") this.point(termOf(e), this.inside(e));
      },
      focusin: (e) => this.focus(termOf(e), this.inside(e)),
      click: (e) => this.press(e),
      keydown: (e) => {
        if (e.key === "Escape" && this.term) {
          this.close();
          e.stopPropagation();
        }
      },
      scroll: () => this.place(),
    };
    this.stop = listen(window, acts, true);
  }

  inside(e) {
    return e.composedPath().includes(this.note);
  }

  focus(term, inside) {
    if (term?.matches(":focus-visible")) this.open(term);
    else if (!inside) this.close();
  }

  point(term, inside) {
    clearTimeout(this.later);
    if (term && term !== this.term)
      this.later = setTimeout(() => this.open(term), term.querySelector(".points") ? LONGER : WAIT);
    else if (!term && this.term && !inside) this.later = setTimeout(() => this.close(), GRACE);
  }

  press(e) {
    const term = termOf(e);
    if (!term) return this.inside(e) ? null : this.close();
    e.preventDefault();
    e.stopPropagation();
    clearTimeout(this.later);
    this.open(term);
  }

  open(term) {
    const entry = this.root.querySelector(`[id="${term.getAttribute("href").split("#")[1]}"]`);
    if (!entry || !term.isConnected) return;
    this.close();
    this.term = term;
    this.note.innerHTML = `<dl>${entry.innerHTML}</dl>`;
    term.setAttribute("aria-description", entry.querySelector("dd").textContent);
    this.note.showPopover();
    this.place();
  }

  // Below the term, or above it where there is no room.
  place() {
    if (!this.term) return;
    if (!this.term.isConnected) return this.close();
    const at = this.term.getClientRects()[0],
      box = this.note.getBoundingClientRect(),
      gap = 8;
    const left = Math.max(12, Math.min(at.left, innerWidth - box.width - 12));
    const below = at.bottom + gap + box.height <= innerHeight || at.top < box.height + gap;
    Object.assign(this.note.style, {
      left: `${left}px`,
      top: `${below ? at.bottom + gap : at.top - gap - box.height}px`,
    });
  }

  close() {
    clearTimeout(this.later);
    this.term?.removeAttribute("aria-description");
    this.term = null;
    if (this.note.matches(":popover-open")) this.note.hidePopover();
  }

  end() {
    this.close();
    this.stop();
    this.note.remove();
  }
}

export default function ({ parentElement, data }) {
  const root = parentElement.querySelector(".glossary"),
    text = new TextDecoder().decode(data),
    cut = text.indexOf("\n");
  if (root.shown !== text) {
    root.shown = text;
    root.className = `glossary ${text.slice(0, cut)}`;
    root.innerHTML = text.slice(cut + 1);
  }
  if (root.classList.contains("listed")) {
    const show = () => {
      for (const entry of root.querySelectorAll(".here")) entry.classList.remove("here");
      const entry = location.hash.startsWith("#term-") && root.querySelector(`[id="${location.hash.slice(1)}"]`);
      if (entry) {
        entry.classList.add("here");
        entry.scrollIntoView();
      }
    };
    show();
    return listen(window, { hashchange: show });
  }
  root.notes ??= new Notes(root);
  return () => {
    root.notes?.end();
    root.notes = null;
  };
}
