// Keeps what a browser has opened of this site, so that it opens again without a network: pages as the network has
// them, while there is one; films and archives, whose names have the release in them, for good; and so the browser's
// Python, in a cache of its own that outlasts a release.
// Other sites of the origin, and an older release of this one, have their caches beside it: the name says whose.
const OURS = `tvbo ${self.registration.scope} `,
  KEPT = `${OURS}@RELEASE@`,
  PYTHON = `${OURS}@PYTHON@`,
  PLACES = "@PLACES@".split(" ").filter(Boolean), // from where Python comes
  FIRST = "@FIRST@".split(" ");
const isArchive = (url) => url.endsWith(".tar.bz2"),
  isPython = (url) =>
    !isArchive(url) && PLACES.some((place) => url.startsWith(new URL(place, self.registration.scope).href));

self.addEventListener("install", (e) => {
  e.waitUntil(caches.open(KEPT).then((kept) => kept.addAll(FIRST)));
});
self.addEventListener("activate", (e) => {
  const old = (name) => name.startsWith(OURS) && name !== KEPT && name !== PYTHON;
  e.waitUntil(
    caches
      .keys()
      .then((names) => Promise.all(names.filter(old).map((name) => caches.delete(name))))
      .then(() => self.clients.claim()),
  );
});

// What a page has opened before there was a worker.
self.addEventListener("message", (e) => {
  const keep = (kept) => Promise.allSettled(e.data.map((name) => kept.add(name)));
  e.waitUntil(caches.open(KEPT).then(keep));
});

async function answer(request) {
  const { url } = request,
    kept = await caches.open(isPython(url) ? PYTHON : KEPT),
    found = await kept.match(request, { ignoreSearch: true });
  if (found && (url.includes("/films-") || isArchive(url) || isPython(url))) return found;
  try {
    const got = await fetch(request);
    if (got.ok) kept.put(request, got.clone());
    return got;
  } catch {
    // The address of a folder is that of the page in it.
    const page = url.replace(/\/(?=[?#]|$)/, "/index.html");
    return found ?? (await kept.match(page, { ignoreSearch: true })) ?? Response.error();
  }
}
self.addEventListener("fetch", (e) => {
  if (e.request.method === "GET") e.respondWith(answer(e.request));
});
