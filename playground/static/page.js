// The parts that both pages share: the status line, answers in a window, and the worker with its stop button.
import { Machine } from "./machine.js";

export const $ = (id) => document.getElementById(id);
let slow;
export const machine = new Machine({
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

export function say(text) {
  $("status").textContent = text;
}

export function show(title, part) {
  const close = Object.assign(document.createElement("button"), { type: "button", textContent: "Close", className: "close" });
  close.onclick = () => $("answer").close();
  $("answer").replaceChildren(Object.assign(document.createElement("h2"), { textContent: title }), part, close);
  $("answer").showModal();
}
