// Keeps what a browser has opened of this site, so that it opens again without a network: pages as the network has
// them, while there is one; films, whose folder has the release in its name, for good.
// Other sites of the origin, and an older release of this one, have their caches beside it: the name says whose.
const OURS = `tvbo ${self.registration.scope} `,
  KEPT = `${OURS}@RELEASE@`,
  FIRST = "@FIRST@".split(" ");

self.addEventListener("install", (e) => {
  e.waitUntil(caches.open(KEPT).then((kept) => kept.addAll(FIRST)));
});
self.addEventListener("activate", (e) => {
  const old = (name) => name.startsWith(OURS) && name !== KEPT;
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
  const kept = await caches.open(KEPT),
    found = await kept.match(request, { ignoreSearch: true });
  if (found && request.url.includes("/films-")) return found;
  try {
    const got = await fetch(request);
    if (got.ok) kept.put(request, got.clone());
    return got;
  } catch {
    return found ?? Response.error();
  }
}
self.addEventListener("fetch", (e) => {
  if (e.request.method === "GET") e.respondWith(answer(e.request));
});
