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
