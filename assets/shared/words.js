// The words of an address, read and written.

// A link that went through HTML or a letter may have "&amp;" for "&", and spaces around its words.
export function wordsOf(text) {
  const tidy = ([word, value]) => [word.trim().replace(/^(amp;)+/, ""), value.trim()];
  return new URLSearchParams([...new URLSearchParams(text)].map(tidy));
}

// Write an address into the browser's history, `how` being "pushState" or "replaceState". In a frame with a sandbox
// a browser may refuse that; the page then works on without.
export function writeAddress(how, address) {
  try {
    history[how](null, "", address);
  } catch {}
}
