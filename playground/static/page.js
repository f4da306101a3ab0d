// The parts that both pages share: the status line, answers in a window, and workers with their stop button.
import { Machine } from "./machine.js";

export const $ = (id) => document.getElementById(id);
const busy = new Set();
let slow;

export function newMachine(told, ready, first) {
  const made = new Machine({
    told,
    ready,
    failed: (text) => say(`Rulewright cannot start: ${text}`),
    busy: (is) => {
      if (is) busy.add(made);
      else busy.delete(made);
      if (busy.size) return void (slow ??= setTimeout(() => { $("stop").hidden = false; }, 2500));
      clearTimeout(slow);
      slow = undefined;
      $("stop").hidden = true;
    },
  }, first);
  return made;
}

let isLost = false; // no game was found: the status line says so, and no longer what the worker does

export function giveUp(failure) {
  isLost = true;
  say(failure.message);
}

// The worker that plays.
export const machine = newMachine((text) => { if (!isLost) say(text); }, (fromMemory) => {
  memory(fromMemory ? "earlier" : "new");
  if (!isLost) say("Reading the game…");
});

export async function keep() {
  if (await machine.keep()) memory("kept");
}

function memory(text) {
  document.documentElement.dataset.memory = text;
}

export function say(text) {
  $("status").textContent = text;
}

export function show(title, part) {
  const close = Object.assign(document.createElement("button"), { type: "button", textContent: "Close" });
  const bar = Object.assign(document.createElement("div"), { className: "close" });
  bar.append(close);
  close.onclick = () => $("answer").close();
  $("answer").replaceChildren(Object.assign(document.createElement("h2"), { textContent: title }), part, bar);
  $("answer").showModal();
  $("answer").scrollTop = 0; // the button at the end has the focus
}
