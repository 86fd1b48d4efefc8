// The address bar, where Python cannot reach. A public write of Streamlit's adds an entry to the browser's history each
// time: what the reader did not do (a pause while a film plays, a link put right) is written here, in the entry of now.
import { lab } from "../shared/lab.js";

export default function ({ data }) {
  const { steps } = lab;
  if (data.back === `${steps.count}`) steps.unheard = false;
  if (steps.unheard) return; // until Python has heard of a step, what it says is about another entry
  const url = new URL(window.location.href);
  // Streamlit's own words, such as the theme that a link asks for, are its own.
  const words = [...url.searchParams].filter(([word]) => word.startsWith("embed"));
  const search = new URLSearchParams([...words, ...new URLSearchParams(data.words)]).toString();
  if (search === url.searchParams.toString()) return;
  url.search = search;
  window.history.replaceState(window.history.state, "", url);
}
