// The page of one game: it is played, and nothing is edited.
import { Machine } from "./machine.js";
import { Play } from "./play.js";
import "./pictures.js";

const $ = (id) => document.getElementById(id);
let slow, game;
const machine = new Machine({
  told: say,
  ready: () => say("Reading the game…"),
  failed: (text) => say(`Rulewright cannot start: ${text}`),
  busy: (is) => {
    document.body.toggleAttribute("data-busy", is);
    clearTimeout(slow);
    if (is) slow = setTimeout(() => { $("stop").hidden = false; }, 2500);
    else $("stop").hidden = true;
  },
});
const play = new Play(machine, { say, show });

function say(text) {
  $("status").textContent = text;
}

function show(title, part) {
  const close = Object.assign(document.createElement("button"), { type: "button", textContent: "Close", className: "close" });
  close.onclick = () => $("answer").close();
  $("answer").replaceChildren(Object.assign(document.createElement("h2"), { textContent: title }), part, close);
  $("answer").showModal();
}

async function begin(record = "") {
  await machine.find("open", game);
  play.set(await machine.find("about"));
  await (record ? play.begin(record) : play.again());
  say("Ready");
}

$("stop").onclick = () => {
  machine.stop();
  say("Stopped; starting again…");
  begin(play.match?.record ?? "").catch((failure) => say(failure.message));
};

async function start() {
  document.body.dataset.mode = "player";
  const { only } = await (await fetch("games.json")).json();
  game = await (await fetch(`games/${encodeURIComponent(only)}.json`)).json();
  await begin();
}

document.addEventListener("drawn", () => machine.keep(), { once: true });
start().catch((failure) => say(failure.message));
if ("serviceWorker" in navigator && location.protocol !== "file:") navigator.serviceWorker.register("offline.js").catch(() => {});
