// The address bar: what is written there without an entry in the history, and what Python hears of a step back.
import address from "../../../assets/address/address.js";
import { act, event, open, tick } from "../reader.js";

const at = (address) => open("", { address });
const writes = (back, words) => act(`Python says ${back}: ${words}`, () => address({ data: { back, words } }));

export const stories = {
  "the words replace the address, not Streamlit's": () => {
    at("http://lab.test/Bands?V=1&embed_options=dark_theme");
    writes("0", "V=2&t=5");
  },
  "an unheard step stops writing": async () => {
    at("http://lab.test/Bands?V=1");
    await import("../../../assets/address/steps.js?one");
    event("popstate");
    tick(5);
    writes("0", "V=2");
    writes("1", "V=2");
  },
  "a damaged link is mended before Streamlit reads": async () => {
    at("http://lab.test/Bands?V=1&amp;t=%205#x");
    await act("it opens", () => import("../../../assets/address/open.js?mends"));
  },
  "a closed sandbox names the page's own address": async () => {
    at("http://lab.test/Bands?V=1&embed=true");
    window.origin = "null";
    await act("it opens", () => import("../../../assets/address/open.js?sandbox"));
    delete window.origin;
  },
};
