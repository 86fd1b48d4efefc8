// Films and frames by address (shell/stage/films.py): asked for over plain HTTP, kept while a page is open.
import { decode } from "./decode.js";

const KEPT_FILMS = 24; // films that are kept; the browser keeps the answers themselves for good
const PATIENCE = 20000; // wait for a film, milliseconds
const AGAIN = 1500; // and until it is asked for again

// The address of a film, or of its frame at a time; `other` has settings that differ from those of the question.
export function addressOf({ lesson, query }, kind, other = {}) {
  const whole = kind === "film", // of a page, whatever is open there
    words = query.filter(([key]) => whole || key !== "charts").map(([key, value]) => [key, other[key] ?? value]);
  if ("t" in other) words.push(["t", String(other.t)]);
  return `${kind}/${lesson}?${new URLSearchParams(words)}`;
}

// What an address answers: { status, film }, the film decoded, null where there is none or it cannot be read; null where
// nobody answers. A tab from before an update asks in the name of the new release, once.
export async function ask(address, patience = PATIENCE, cache = "default") {
  try {
    const get = (where) => fetch(where, { signal: AbortSignal.timeout(patience), credentials: "same-origin", cache });
    let answer = await get(address);
    const release = answer.status === 400 && answer.headers.get("Lab-Release");
    if (release) answer = await get(address.replace(/([?&]r=)[^&]*/, `$1${release}`));
    return { status: answer.status, film: answer.status === 200 ? decode(await answer.arrayBuffer()) : null };
  } catch {
    return null;
  }
}

const films = new Map();

// The film of an address. `amiss` hears at every try that fails; it is asked for again until it comes, until the server
// says that there is none, or until `wanted()` says that nobody waits for it any more: then null.
export async function filmOf(address, wanted, amiss, cache = "default") {
  if (!films.has(address)) {
    films.set(address, ask(address, PATIENCE, cache));
    if (films.size > KEPT_FILMS) films.delete(films.keys().next().value);
  }
  const found = await films.get(address);
  if (found?.film) return found.film;
  if (wanted()) amiss(found?.status);
  if (found?.status === 204 || found?.status === 400) return null;
  films.delete(address);
  await new Promise((done) => setTimeout(done, AGAIN));
  return wanted() ? filmOf(address, wanted, amiss, "reload") : null; // what the browser has kept may be damaged
}
