// A new element with these properties, and with what lies inside it.
export function element(name, props = {}, ...inside) {
  const made = Object.assign(document.createElement(name), props);
  made.append(...inside);
  return made;
}
