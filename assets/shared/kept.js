// What outlasts a reload of this tab. A browser that keeps nothing, or what somebody has changed, is like nothing kept.
export function keep(name, value) {
  try {
    sessionStorage.setItem(name, JSON.stringify(value));
  } catch {
    // It lasts as long as the page.
  }
}

export function kept(name) {
  try {
    return JSON.parse(sessionStorage.getItem(name));
  } catch {
    return null;
  }
}
