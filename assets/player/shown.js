// What is on screen now, for the speaker window: the page, its time in words ("label") and the finding (HTML).
import { lab } from "../shared/lab.js";

export function shownNow(reset, part) {
  const page = reset.split(":")[0],
    before = lab.shown?.page === page ? lab.shown : { page };
  lab.shown = { ...before, ...part };
  window.dispatchEvent(new CustomEvent("tvbo:shown"));
}
