// Keeps all files of the playground, so that it works without a network after the first visit.
const OWN = `rulewright ${self.registration.scope} `; // other folders of this server keep their own files
const NAME = OWN + "VERSION";
const FILES = [/*FILES*/];
self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(NAME).then((cache) => cache.addAll(FILES)).then(() => self.skipWaiting()));
});
self.addEventListener("activate", (event) => {
  const old = async () => {
    for (const name of await caches.keys()) if (name.startsWith(OWN) && name !== NAME) await caches.delete(name);
    await self.clients.claim();
  };
  event.waitUntil(old());
});
self.addEventListener("fetch", (event) => {
  if (event.request.method !== "GET" || new URL(event.request.url).origin !== location.origin) return;
  const kept = async () => {
    const cache = await caches.open(NAME);
    const known = await cache.match(event.request, { ignoreSearch: true });
    if (known) return known;
    const found = await fetch(event.request);
    if (found.ok && found.url.endsWith(".gz")) await cache.put(event.request, found.clone());
    return found;
  };
  event.respondWith(kept());
});
