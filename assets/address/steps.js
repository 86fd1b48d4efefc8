// Streamlit tells Python the address, but not that the reader went back or forward: a run that was asked for before
// the browser heard of the last address looks the same. So a step in the history has its number in the address while
// Streamlit reads it. This stands in the page itself: who listens first hears first.
import { lab } from "../shared/lab.js";

window.addEventListener("popstate", () => {
  const write = (number) => {
    const url = new URL(window.location.href);
    url.searchParams.delete("back"); // the same word as in shell/links/address.py
    if (number) url.searchParams.set("back", number);
    window.history.replaceState(window.history.state, "", url);
  };
  lab.steps.unheard = true;
  write(++lab.steps.count);
  setTimeout(write); // once Streamlit has read it
});

// A link of a course to a stop on the same page (the word "back" is in it) goes as a step in the history: of a link to its
// own page Streamlit keeps the address of before, and every later run would read that, and so the stop before.
window.addEventListener(
  "click",
  (e) => {
    const link = e.composedPath().find((one) => one.tagName === "A");
    if (!link?.href || e.button || e.ctrlKey || e.metaKey || e.shiftKey || e.altKey) return;
    const url = new URL(link.href);
    if (url.origin + url.pathname !== location.origin + location.pathname || !url.searchParams.has("back")) return;
    e.preventDefault();
    e.stopImmediatePropagation();
    window.history.pushState({}, "", url);
    window.dispatchEvent(new PopStateEvent("popstate"));
  },
  true,
);
