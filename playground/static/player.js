// The page of one game: it is played, and nothing is edited.
import { game as gameNamed } from "./files.js";
import { $, giveUp, keep, machine, say, show } from "./page.js";
import { Play } from "./play.js";

let game;
const play = new Play(machine, { say, show });

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
  game = await gameNamed(only);
  await begin();
}

document.addEventListener("drawn", () => keep().catch(() => {}), { once: true }); // it may be stopped
start().catch(giveUp);
if ("serviceWorker" in navigator && location.protocol !== "file:") {
  const kept = "Without a network it plays with the numbers of players and the options that were played here once.";
  navigator.serviceWorker.register("offline.js").then(() => { $("offline-note").textContent = kept; }, () => {});
}
