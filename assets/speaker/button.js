// The lab's side of the speaker window (assets/speaker/window.js is the other). Key S or the button opens it. The two
// talk over a BroadcastChannel with the name of this window; a key that is pressed there is pressed here, so that
// every page answers to it as it does to its own keys.
import { isField, isRemote, press } from "../shared/keys.js";
import { lab } from "../shared/lab.js";
import { listen } from "../shared/listen.js";
import { mount } from "../shared/mount.js";

const SPEAKER = "speaker"; // the page that shell/hall/speaker.py serves, beside the lessons
const REFUSED = "The browser did not open a second window: allow pop-ups for this address, then press S again.";

class Speaker {
  constructor(root) {
    this.root = root;
    if (!window.name.startsWith("tvbo-")) window.name = `tvbo-${Math.random().toString(36).slice(2)}`;
    this.channel = new BroadcastChannel(window.name);
    this.channel.onmessage = (e) => this.hear(e.data);
    this.leave = () => this.tell({ kind: "left" });
    const acts = { keydown: (e) => this.key(e), "tvbo:shown": () => this.tellShown(), pagehide: this.leave };
    this.stop = listen(window, acts, true);
    root.querySelector("button").onclick = () => this.open();
  }

  load(data) {
    this.data = data;
    this.root.classList.toggle("hall", !!data.hall);
    this.tellPage();
    this.tellShown();
  }

  get leads() {
    return lab.speaker === this;
  }
  tell(what) {
    if (this.leads) this.channel.postMessage(what);
  }
  tellPage() {
    this.tell({ kind: "page", ...this.data });
  }
  tellShown() {
    this.tell({ kind: "shown", ...(lab.shown?.page === this.data.page ? lab.shown : {}) });
  }

  hear(said) {
    if (!this.leads) return;
    if (said?.kind === "hello") {
      this.tellPage();
      this.tellShown();
    }
    if (said?.kind === "press" && isRemote(said)) {
      const press = { key: said.key, code: said.code, shiftKey: !!said.shift, bubbles: true, cancelable: true };
      document.body.dispatchEvent(new KeyboardEvent("keydown", press));
    }
  }

  key(e) {
    if (!this.leads) return;
    // In a field that is typed in, Ctrl+Z is the field's own: the page's Undo (shell/page/undo.py) must not hear it.
    if (isField(e.composedPath()[0]) && /^[zZ]$/.test(e.key) && (e.ctrlKey || e.metaKey)) return e.stopPropagation();
    if (!e.repeat) press(e, { speaker: () => this.open() });
  }

  // One window for each window of the lab: opened again, it comes to the front.
  open() {
    const there = window.open(
      `${this.data.path}#${window.name}`,
      `${window.name}-${SPEAKER}`,
      "popup,width=900,height=640",
    );
    this.root.classList.toggle("refused", !there);
    this.root.querySelector("p").textContent = there ? "" : REFUSED;
    there?.focus();
  }

  end() {
    this.stop();
    this.leave();
    this.channel.close();
  }
}

export default function ({ parentElement, data }) {
  return mount(parentElement.querySelector(".speaker"), "speaker", Speaker, data);
}
