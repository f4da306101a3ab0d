// Keeps a page of a table up to date: sections come as server-sent events and are morphed in; forms are sent in the
// background. Without this script everything works by plain forms and links.
const main = document.querySelector("main[data-base]");
const dialog = document.querySelector("#answer");
const folds = new Map(); // which parts a person has opened or closed; the server decides about all others
const shared = { "Accept": "application/json", "X-Requested-With": "fetch" };
const make = (name, parts = {}) => Object.assign(document.createElement(name), parts);

function morph(id, html) {
  const old = document.getElementById(id);
  if (!old) return false;
  const ignoreActiveValue = document.activeElement?.matches("input:not([type=hidden]), textarea") ?? false;
  Idiomorph.morph(old, html, { ignoreActiveValue, callbacks: { beforeNodeMorphed: (_, fresh) => fresh.dataset?.same === undefined } });
  for (const [one, open] of folds) document.getElementById(one)?.toggleAttribute("open", open);
  return true;
}

// ---- what a server sends ----

let decision = main?.dataset.decision;
let offline, leaving = false; // a seat that has been left is not asked for again
let seconds = 0; // how long a bot has been thinking

function applyUpdate(event) {
  const data = JSON.parse(event.data);
  if (data.reload) return leaving || reload();
  for (const [id, html] of Object.entries(data.sections)) if (!morph(id, html)) return reload();
  main.dataset.number = event.lastEventId;
  restore();
  if (String(data.decision) === decision) return;
  decision = String(data.decision);
  seconds = 0;
  document.dispatchEvent(new CustomEvent("table:moved"));
  announceTurn(data.player);
}

// A device with several seats goes on with the seat that decides.
function reload() {
  if (!main.dataset.hot) return location.reload();
  location.href = `${main.dataset.base.replace(/\/s\/\d+$/, "")}/hot?last=${main.dataset.seat}`;
}

function announceTurn(player) {
  for (const part of document.querySelectorAll("#question, .rw-options")) part.scrollTo(0, 0);
  const seat = Number(main.dataset.seat);
  const hands = (main.dataset.hot ?? "").split(" ").filter(Boolean).map(Number);
  if (hands.includes(player) && player !== seat) return reload();
  document.title = (player === seat ? "● " : "") + document.title.replace(/^● /, "");
  if (player !== seat) return;
  if (localStorage.getItem("sound") === "on") ring();
  if (document.hidden && window.Notification?.permission === "granted") new Notification(main.dataset.turn, { tag: main.dataset.base });
}

function ring() {
  const context = new AudioContext(), end = context.currentTime + 0.5;
  const tone = new OscillatorNode(context, { frequency: 660 }), loud = new GainNode(context, { gain: 0.08 });
  loud.gain.exponentialRampToValueAtTime(0.001, end);
  tone.connect(loud).connect(context.destination);
  tone.onended = () => context.close();
  tone.start(); tone.stop(end);
}

function listen() {
  const source = new EventSource(`${main.dataset.base}/events?number=${main.dataset.number}${main.dataset.hot ? "&hot=1" : ""}`);
  source.addEventListener("sections", applyUpdate);
  source.onopen = () => { offline?.remove(); offline = undefined; main.dataset.live = "yes"; };
  source.onerror = () => {
    main.dataset.live = "no";
    document.body.append(offline ??= make("p", { className: "offline", role: "status", textContent: main.dataset.offline }));
    if (source.readyState === EventSource.CLOSED) { source.close(); setTimeout(listen, 3000); }
  };
}

// ---- what a person does ----

async function send(form, submitter) {
  const body = new URLSearchParams(new FormData(form, submitter));
  form.setAttribute("aria-busy", "true");
  try {
    const answer = await fetch(form.getAttribute("action"), { method: "POST", body, headers: shared });
    const data = await answer.json();
    if (!answer.ok) return show(make("p", problem(data.error)));
    for (const text of form.querySelectorAll("input[name=text]")) text.value = "";
    if (main.dataset.live !== "yes") reload();
  } catch {
    form.submit();
  } finally {
    form.removeAttribute("aria-busy");
  }
}

const problem = (text) => ({ textContent: text, className: "problem", role: "alert" });

function show(...parts) {
  const close = make("button", { type: "button", textContent: "×", className: "close", ariaLabel: dialog.dataset.close, onclick: () => dialog.close() });
  dialog.replaceChildren(close, ...parts);
  if (!dialog.open) dialog.showModal();
}

async function ask(address, wait = "…") {
  const waiting = make("p", { textContent: wait });
  show(waiting);
  const answer = await fetch(address, { headers: shared });
  const found = answer.ok ? { innerHTML: await answer.text() } : problem((await answer.json()).error);
  if (waiting.isConnected && dialog.open) show(make("div", found)); // else closed meanwhile, or something else was asked
}

// ---- notices by the browser ----

async function subscribe(form) {
  const [title, icon] = [document.querySelector(".home").textContent, document.querySelector("link[rel=icon]").href];
  const words = new URLSearchParams({ title, icon, body: form.dataset.body });
  const worker = await navigator.serviceWorker.register(`${form.dataset.worker}?${words}`, { scope: "/" });
  await navigator.serviceWorker.ready;
  const key = Uint8Array.from(atob(form.dataset.push.replace(/-/g, "+").replace(/_/g, "/")), (one) => one.charCodeAt(0));
  const found = await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  form.elements.address.value = found.endpoint;
  form.submit();
}

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (form.dataset.push) {
    event.preventDefault();
    form.querySelector("p")?.remove();
    const note = form.appendChild(make("p", { textContent: form.dataset.wait, role: "status" }));
    return subscribe(form).catch((failure) => note.replaceWith(make("p", problem(failure.message))));
  }
  if (!main || !form.action) return;
  leaving = /leave$/.test(form.action);
  const inBackground = form.method === "post" && !leaving && !/rematch$/.test(form.action);
  if (form.dataset.answer || inBackground) event.preventDefault();
  if (form.dataset.answer) ask(`${form.action}?${new URLSearchParams(new FormData(form))}`);
  else if (inBackground) send(form, event.submitter);
});

document.addEventListener("click", (event) => {
  const fold = event.target.closest("summary")?.parentElement;
  if (fold?.id) folds.set(fold.id, !fold.open);
  const link = event.target.closest("a[data-answer]");
  const thing = event.target.closest("a, button, input, label, summary, [data-row]")?.dataset.row;
  if (link && main) { event.preventDefault(); ask(link.href, link.dataset.wait); }
  else if (thing && main) ask(`${main.dataset.base}/look?${new URLSearchParams({ at: thing })}`);
  const address = event.target.closest("input.address");
  if (address) { address.select(); navigator.clipboard?.writeText(address.value); }
  const sound = event.target.closest("#sound");
  if (sound) localStorage.setItem("sound", sound.checked ? "on" : "off");
  if (sound?.checked) { ring(); window.Notification?.requestPermission?.(); }
});

document.addEventListener("keydown", (event) => {
  const typing = event.target.closest("input, textarea, select, dialog");
  if (typing || event.ctrlKey || event.metaKey || event.altKey || !/^[1-9]$/.test(event.key)) return;
  [...document.querySelectorAll(".rw-options button[name=option]")].filter((one) => one.offsetParent)[Number(event.key) - 1]?.focus();
});

// ---- the slider of the replay ----

const slider = document.querySelector("#slider");
slider?.addEventListener("input", async () => {
  const fields = new URLSearchParams(new FormData(slider.form));
  const answer = await fetch(`${slider.form.action}?${fields}`);
  if (!answer.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  if (slider.value !== fields.get("step")) return;
  for (const id of ["controls", "scene"]) morph(id, page.getElementById(id).outerHTML);
  history.replaceState(null, "", `${slider.form.action}?${fields}`);
});
slider?.form.querySelector("select")?.addEventListener("change", () => slider.form.submit());

const formatTime = new Intl.DateTimeFormat([], { dateStyle: "medium", timeStyle: "short" });
function restore() {
  for (const time of document.querySelectorAll("time")) time.textContent = formatTime.format(new Date(time.dateTime));
  for (const sound of document.querySelectorAll("#sound")) sound.checked = localStorage.getItem("sound") === "on";
}

setInterval(() => { for (const one of document.querySelectorAll("[data-seconds]")) one.textContent = ` ${++seconds} ${one.dataset.seconds}`; }, 1000);

restore();
if (main) listen();
