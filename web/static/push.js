// Shows a notice when a push service knocks. The message is empty: nothing about a match passes through the service.
"use strict";
const words = new URL(location.href).searchParams;
self.addEventListener("push", (event) => {
  const shown = { body: words.get("body"), tag: "turn", icon: words.get("icon") };
  event.waitUntil(self.registration.showNotification(words.get("title"), shown));
});
self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(self.clients.openWindow("/#mine"));
});
