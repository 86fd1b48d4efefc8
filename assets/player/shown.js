// What is on screen now, for the speaker window: the page, its time in words ("label") and the finding (HTML).
function shownNow(reset, part) {
  const page = reset.split(":")[0], before = window.__tvboShown?.page === page ? window.__tvboShown : { page };
  window.__tvboShown = { ...before, ...part };
  window.dispatchEvent(new CustomEvent("tvbo:shown"));
}
