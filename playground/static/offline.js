// Keeps the files that every visit needs, so that the page works without a network after the first. The worker keeps
// native code and programs when they are used, in the same place.
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
    return (await cache.match(event.request, { ignoreSearch: true })) ?? fetch(event.request);
  };
  event.respondWith(kept());
});
