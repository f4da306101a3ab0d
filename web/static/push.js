// Shows a notice when a push service knocks. The message is empty: nothing about a match passes through the service.
const { title, ...shown } = Object.fromEntries(new URL(location.href).searchParams);
self.addEventListener("push", (event) => event.waitUntil(self.registration.showNotification(title, { ...shown, tag: "turn" })));
self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(self.clients.openWindow("/#mine"));
});
