// A new element with these properties, and with what lies inside it.
export function element(name, props = {}, ...inside) {
  const made = Object.assign(document.createElement(name), props);
  made.append(...inside);
  return made;
}

// Scroll until the page's headline is seen, and the picture below it.
export const showHeadline = () => document.querySelector("h1")?.scrollIntoView({ block: "nearest" });
