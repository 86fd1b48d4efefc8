// What a page of the app does before Streamlit's scripts run: it stands in the page itself.
import { element } from "../shared/element.js";
import { wordsOf } from "../shared/words.js";

// Streamlit reads its own words (`embed`) in the browser: a damaged link is put right before that.
const said = wordsOf(location.search);
if (`${said}` !== `${new URLSearchParams(location.search)}`)
  history.replaceState(history.state, "", `${location.pathname}?${said}${location.hash}`);

// In a frame whose sandbox lacks `allow-same-origin` a browser refuses Streamlit's scripts. The link may be dead there
// too, so the address is in sight.
if (window.origin === "null") {
  const url = new URL(location.href);
  for (const word of ["embed", "embed_options"]) url.searchParams.delete(word);
  const link = element("a", { href: url, textContent: url, target: "_blank", rel: "noopener" }),
    line = element("p", {}, "The lab cannot run in this frame, open it in a tab of its own: ", link);
  line.style.cssText =
    "font: 18px/1.4 sans-serif; max-width: 36em; margin: 10vh auto; padding: 0 1em; overflow-wrap: anywhere";
  document.body.append(line);
}
