// The page: files, problems, play and checks around two workers. One plays; the other reads the text and runs commands,
// so no move waits for a check.
import { Editor } from "./editor.js";
import { game } from "./files.js";
import { Refused } from "./machine.js";
import { $, giveUp, keep as keepMemory, machine, newMachine, say as status, show } from "./page.js";
import { Play, saveAs } from "./play.js";
import { showSheet } from "./sheet.js";

const MOST_IN_LINK = 60_000;
const KEPT = "rulewright-playground";
const SOON = 250, LATER = 1200;

const state = { files: new Map(), main: "", file: "", problems: [], only: "", documents: "" };
let timers = [], looks = 0, typed = 0, running = "";
let wanted = ""; // an address that is there until the next key: in the middle of a step, the checker can look for it
const unwritten = new Set();

let checkerBegins;
const checker = newMachine( // after the first picture, from the memory that is kept then
  (text) => { if (running) output(text); }, () => {}, new Promise((resolve) => { checkerBegins = resolve; }),
);
const editor = new Editor($("editor"), checker, {
  changed, edited, written, go: (file, at) => { open(file); editor.go(at); }, say: status,
});
const play = new Play(machine, { say: status, show });

// ---- files ----

async function load(files, main, record = "") {
  state.files = new Map(Object.entries(files));
  state.main = main;
  editor.forget();
  play.match = null;
  const opened = both("open", { files, main }); // the text is shown, and can be edited, before it is answered
  if (!state.only) {
    tabs();
    open(main);
  }
  await opened;
  await look(record);
  keep();
}

// Tells both workers; gives the answer of the one that plays.
function both(ask, fields) {
  if (!state.only) checker.find(ask, fields).catch(refused);
  return machine.find(ask, fields);
}

function refused(failure) {
  if (!(failure instanceof Refused)) throw failure;
  if (failure.code !== "stopped") status(failure.message);
}

function tabs() {
  const others = [...state.files.keys()].filter((file) => file !== state.main);
  $("tabs").replaceChildren(...[state.main, ...others].map((file) => {
    const tab = Object.assign(document.createElement("button"), { type: "button", textContent: file, role: "tab" });
    tab.dataset.file = file;
    tab.onclick = () => open(file);
    return tab;
  }));
}

function open(file) {
  if (!state.files.has(file)) return;
  state.file = file;
  for (const tab of $("tabs").children) tab.setAttribute("aria-selected", String(tab.dataset.file === file));
  const isSheet = file.endsWith(".csv");
  $("editor").hidden = isSheet;
  $("sheet").hidden = !isSheet;
  if (isSheet) showSheet($("sheet"), state.files.get(file), (text) => changed(file, text));
  else editor.show(file, state.files.get(file));
  $("delete-file").disabled = file === state.main;
  editor.tell(state.problems);
  outline();
}

function changed(file, text) {
  if (state.files.get(file) === text) return;
  state.files.set(file, text);
  unwritten.add(file);
  typed = performance.now();
  looks++;
  URL.revokeObjectURL(wanted);
  for (const timer of timers) clearTimeout(timer);
  timers = [setTimeout(() => look(), SOON)];
}

// What is asked afterwards is answered for the new text.
function written() {
  for (const file of unwritten) both("write", { file, text: state.files.get(file) }).catch(refused);
  unwritten.clear();
}

function edited(edits) {
  const files = new Set(edits.map((one) => one.file));
  for (const file of files) {
    let text = state.files.get(file);
    for (const one of edits.filter((each) => each.file === file).sort((a, b) => b.from - a.from)) {
      text = text.slice(0, one.from) + one.text + text.slice(one.to);
    }
    changed(file, text);
  }
}

// Looks at a new text; a newer look at a newer text makes this one stop.
async function look(record = "") {
  const mine = ++looks;
  written();
  keep();
  if (!state.only) check(mine).catch(refused);
  await goOn(mine, record).catch((failure) => {
    checkerBegins(); // there may be no picture to wait for
    if (mine === looks) refused(failure);
  });
}

// Says what is wrong as soon as it is known, and the rest step by step when nobody types.
async function check(mine) {
  const problems = await checker.find("problems");
  if (mine !== looks) return;
  editor.colour();
  tell(problems, "No problems so far");
  if (typed) performance.measure("problems", { start: typed });
  typed = 0;
  wanted = URL.createObjectURL(new Blob());
  timers.push(setTimeout(() => checkRest(mine).catch(refused), LATER));
}

async function checkRest(mine) {
  while (mine === looks) {
    const problems = await checker.find("more_problems", { wanted });
    if (mine !== looks) return;
    if (!problems && !state.problems.length) tell([], "No problems");
    if (!problems) return;
    if (JSON.stringify(problems) !== JSON.stringify(state.problems)) tell(problems, "No problems so far");
  }
}

// The match goes on under the new rules as far as they allow.
async function goOn(mine, record) {
  const about = await machine.find("about").catch((failure) => {
    throw state.only ? failure : new Refused("There are problems: the match stays as it was.");
  });
  if (mine !== looks) return;
  play.set(about);
  await (record ? play.begin(record) : play.again());
  if (mine === looks) status("Ready");
}

function tell(problems, none) {
  state.problems = problems;
  editor.tell(problems);
  $("problems").replaceChildren(...problems.slice(0, 100).map((one) => {
    const item = document.createElement("li");
    item.className = one.severity;
    const button = Object.assign(document.createElement("button"), { type: "button" });
    button.textContent = `${one.file}, line ${one.line}: ${one.message}`;
    button.onclick = () => { open(one.file); editor.go(one.from); };
    item.append(button);
    if (state.documents) {
      const page = Object.assign(document.createElement("a"), { textContent: one.code, target: "_blank" });
      page.href = `${state.documents}errors/${one.code}.html`;
      item.append(page);
    }
    return item;
  }));
  if (!problems.length) $("problems").replaceChildren(Object.assign(document.createElement("li"), { textContent: none, className: "fine" }));
}

async function outline() {
  const file = state.file;
  const found = file.endsWith(".csv") ? [] : await checker.find("outline", { file }).catch(() => []);
  if (file !== state.file) return;
  const first = new Option("Go to…", "");
  $("outline").replaceChildren(first, ...found.map((one) => new Option("\u00a0".repeat(2 * one.depth) + one.name, String(one.at))));
  $("outline").onchange = () => { if ($("outline").value) editor.go(Number($("outline").value)); first.selected = true; };
}

// ---- keep, share, send ----

function keep() {
  if (state.only) return;
  try {
    localStorage.setItem(KEPT, JSON.stringify({ main: state.main, files: Object.fromEntries(state.files) }));
  } catch {
    status("The browser keeps no more text: download the game.");
  }
}

async function packed(text) {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  let letters = "";
  for (const byte of bytes) letters += String.fromCharCode(byte);
  return btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

async function unpacked(word) {
  const letters = atob(word.replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
  const parts = [];
  let size = 0;
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    size += next.value.length;
    if (size > 4_000_000) throw new Refused("the game in this link is too large");
    parts.push(next.value);
  }
  return new Blob(parts).text();
}

async function share() {
  const text = JSON.stringify({ main: state.main, files: Object.fromEntries(state.files) });
  const word = await packed(text);
  if (word.length > MOST_IN_LINK) {
    status("This game is too large for a link: send the file.");
    return download();
  }
  const link = `${location.href.split("#")[0]}#game=${word}`;
  history.replaceState(null, "", link);
  const field = Object.assign(document.createElement("input"), { value: link, readOnly: true, id: "link" });
  field.setAttribute("aria-label", "Link");
  show("A link to this game", field);
  field.select();
  navigator.clipboard?.writeText(link).then(() => status("The link is copied."), () => {});
}

async function download() {
  written();
  const data = Uint8Array.from(atob(await machine.find("pack")), (letter) => letter.charCodeAt(0));
  saveAs(state.main.replace(/\.game$/, ".zip"), new Blob([data], { type: "application/zip" }));
}

async function upload(file) {
  try {
    if (file.size > 4_000_000) throw new Refused("the file is too large");
    if (file.name.endsWith(".game")) return await load({ [file.name]: await file.text() }, file.name);
    let letters = "";
    for (const byte of new Uint8Array(await file.arrayBuffer())) letters += String.fromCharCode(byte);
    const files = await machine.find("unpack", { data: btoa(letters) });
    await load(files, Object.keys(files).find((name) => name.endsWith(".game") && !name.includes("/")));
  } catch (failure) {
    status(failure.message);
  }
}

// ---- checks ----

async function run(command) {
  running = command;
  output("Working…");
  try {
    written();
    const found = await checker.find("run", { command });
    if (running === command) output(`${found.out}${found.code ? found.err : ""}` || "No problems\n");
  } catch (failure) {
    output(failure.message);
  }
  if (running === command) running = "";
}

function output(text) {
  $("output").textContent = `$ rulewright ${running}\n\n${text}`;
}

// ---- the page ----

function pane(name) {
  document.querySelector("main").dataset.pane = name;
  for (const button of $("panes").children) button.setAttribute("aria-pressed", String(button.dataset.pane === name));
}

for (const button of $("panes").children) button.onclick = () => pane(button.dataset.pane);
for (const button of document.querySelectorAll("[data-run]")) button.onclick = () => run(button.dataset.run);
$("command").onsubmit = (event) => { event.preventDefault(); run($("command-line").value.trim()); };
$("share").onclick = share;
$("download").onclick = download;
$("upload").onclick = () => $("upload-file").click();
$("upload-file").onchange = () => { if ($("upload-file").files[0]) upload($("upload-file").files[0]); };
$("format").onclick = () => editor.format();
$("stop").onclick = async () => {
  const isPlaying = machine.isBusy;
  if (checker.isBusy) {
    checker.stop();
    checker.find("open", { files: Object.fromEntries(state.files), main: state.main }).catch(refused);
    editor.colour();
  }
  if (!isPlaying) return status("Ready");
  machine.stop();
  status("Stopped; starting again…");
  await load(Object.fromEntries(state.files), state.main, play.match?.record ?? "");
};
$("new-file").onclick = async () => {
  const stem = state.main.replace(/\.game$/, "");
  const file = prompt("The name of the file, as in rules.scenario or cards.csv:", `${stem}.scenario`);
  if (!file || state.files.has(file)) return;
  try {
    await both("write", { file, text: "" });
    state.files.set(file, "");
    tabs();
    open(file);
  } catch (failure) {
    status(failure.message);
  }
};
$("delete-file").onclick = async () => {
  if (!confirm(`Delete ${state.file}?`)) return;
  await both("remove", { file: state.file }).catch((failure) => status(failure.message));
  state.files.delete(state.file);
  tabs();
  open(state.main);
  look();
};

function groups(games) {
  return [...new Set(games.map((one) => one.group))].map((label) => {
    const group = Object.assign(document.createElement("optgroup"), { label });
    group.append(...games.filter((one) => one.group === label).map((one) => new Option(one.title, one.name)));
    return group;
  });
}

async function example(name) {
  const found = await game(name).catch(() => { throw new Refused(`the example ${name} cannot be loaded.`); });
  await load(found.files, found.main);
}

async function start() {
  pane("play");
  const { games, only, documents } = await (await fetch("games.json")).json();
  const shared = new URLSearchParams(location.hash.slice(1));
  state.only = only || (shared.get("play") ?? "");
  state.documents = documents;
  document.body.dataset.mode = state.only ? "player" : "editor";
  $("examples").replaceChildren(new Option("Examples…", ""), ...groups(games));
  $("examples").onchange = async () => {
    const name = $("examples").value;
    history.replaceState(null, "", location.href.split("#")[0]);
    if (name) await example(name).catch((failure) => status(failure.message));
  };
  if (state.only) return example(state.only);
  if (!shared.has("game") && !shared.has("example")) return begin(games);
  try {
    await (shared.has("game") ? linked(shared.get("game")) : example(shared.get("example")));
  } catch (failure) {
    await begin(games);
    $("note").textContent = `This link holds no game: ${failure instanceof Refused ? failure.message : "it is damaged."}`;
  }
}

async function linked(word) {
  const { main, files } = JSON.parse(await unpacked(word));
  if (Object.values(files).some((text) => typeof text !== "string")) throw new Refused("its files are no texts.");
  await load(files, main);
}

async function begin(games) {
  const kept = JSON.parse(localStorage.getItem(KEPT) ?? "null");
  if (kept) return load(kept.files, kept.main);
  return example(games.some((one) => one.name === "tic_tac_toe") ? "tic_tac_toe" : games[0].name);
}

document.addEventListener("drawn", () => keepMemory().catch(() => {}).finally(checkerBegins), { once: true });
addEventListener("hashchange", () => location.reload()); // another link is opened in this tab
start().catch(giveUp);
if ("serviceWorker" in navigator && location.protocol !== "file:") navigator.serviceWorker.register("offline.js").catch(() => {});
