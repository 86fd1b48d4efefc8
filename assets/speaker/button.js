// The lab's side of the speaker window (assets/speaker/window.js is the other). Key S or the button opens it. The two
// talk over a BroadcastChannel with the name of this window; a key that is pressed there is pressed here, so that
// every page answers to it as it does to its own keys.
const DRIVING = /^(Page(Up|Down)|Arrow(Left|Right)|Home|End|Enter|Escape| |[1-9bBdDlLqQ])$/;
const SPEAKER = "speaker";             // the page that shell/speaker.py serves, beside the lessons
const REFUSED = "The browser did not open a second window: allow pop-ups for this address, then press S again.";

class Speaker {
  constructor(root) {
    this.root = root;
    if (!window.name.startsWith("tvbo-")) window.name = `tvbo-${Math.random().toString(36).slice(2)}`;
    this.channel = new BroadcastChannel(window.name);
    this.channel.onmessage = (e) => this.hear(e.data);
    this.keys = (e) => this.key(e);
    this.shown = () => this.tellShown();
    this.leave = () => this.tell({ kind: "left" });
    root.querySelector("button").onclick = () => this.open();
    window.addEventListener("keydown", this.keys, true);
    window.addEventListener("tvbo:shown", this.shown);
    window.addEventListener("pagehide", this.leave);
  }

  load(data) {
    window.__tvboSpeaker = this;       // Streamlit puts a new one up before it takes the old one down
    this.data = data;
    this.root.classList.toggle("hall", !!data.hall);
    this.tellPage();
    this.tellShown();
  }

  get leads() { return window.__tvboSpeaker === this; }
  tell(what) { if (this.leads) this.channel.postMessage(what); }
  tellPage() { this.tell({ kind: "page", ...this.data }); }
  tellShown() {
    const shown = window.__tvboShown;
    this.tell({ kind: "shown", ...(shown?.page === this.data.page ? shown : {}) });
  }

  hear(said) {
    if (!this.leads) return;
    if (said?.kind === "hello") { this.tellPage(); this.tellShown(); }
    if (said?.kind === "press" && DRIVING.test(said.key)) {
      const press = { key: said.key, shiftKey: !!said.shift, bubbles: true, cancelable: true };
      document.body.dispatchEvent(new KeyboardEvent("keydown", press));
    }
  }

  key(e) {
    if (!this.leads || !/^[sS]$/.test(e.key) || e.ctrlKey || e.metaKey || e.altKey || e.isComposing || e.repeat) return;
    const el = e.composedPath()[0], role = el?.getAttribute?.("role");
    const writing = (el?.tagName === "INPUT" && !["range", "checkbox", "radio"].includes(el.type))
      || ["TEXTAREA", "SELECT"].includes(el?.tagName) || el?.isContentEditable || ["listbox", "option", "combobox"].includes(role);
    if (writing) return;
    e.preventDefault(); e.stopPropagation();
    this.open();
  }

  // One window for each window of the lab: opened again, it comes to the front.
  open() {
    const there = window.open(`${this.data.path}#${window.name}`, `${window.name}-${SPEAKER}`, "popup,width=900,height=640");
    this.root.classList.toggle("refused", !there);
    this.root.querySelector("p").textContent = there ? "" : REFUSED;
    there?.focus();
  }

  end() {
    window.removeEventListener("keydown", this.keys, true);
    window.removeEventListener("tvbo:shown", this.shown);
    window.removeEventListener("pagehide", this.leave);
    this.leave();
    this.channel.close();
  }
}

export default function ({ parentElement, data }) {
  const root = parentElement.querySelector(".speaker");
  root.speaker ??= new Speaker(root);
  root.speaker.load(data);
  return () => { root.speaker?.end(); root.speaker = null; };
}
