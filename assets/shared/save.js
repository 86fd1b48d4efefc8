import { element } from "./element.js";

// Hand a file to the reader; the browser reads it within seconds.
export function save(blob, download) {
  const href = URL.createObjectURL(blob);
  element("a", { href, download }).click();
  setTimeout(() => URL.revokeObjectURL(href), 10000);
}
