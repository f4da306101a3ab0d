// Runs Rulewright in Python in this worker and answers messages of the page.
import { file, found, here } from "./files.js";
import { loadPyodide } from "./runtime/pyodide.mjs";

const single = globalThis.rulewright;
const LIBRARY = "/lib/rulewright";

// Pyodide asks for its files by the names that they have unpacked.
globalThis.fetch = (at, ...more) => {
  const start = here("runtime/");
  return String(at).startsWith(start) ? file(`runtime/${String(at).slice(start.length)}`) : found(at, ...more);
};

// Files by their names, at once: Python asks for them in the middle of its work. The browser keeps those that were used.
// Undefined means that there is no such file, and false that it is out of reach.
const known = new Set();
const kept = new Map();
const keeping = [];
let usesNative = false;
globalThis.rulewright_told = (text) => postMessage({ told: text });
globalThis.rulewright_wanted = (address) => { // at once, as no message can come in the middle of a step
  const request = new XMLHttpRequest();
  try {
    request.open("GET", address, false);
    request.send();
    return true;
  } catch {
    return false;
  }
};
globalThis.rulewright_file = (name) => {
  if (!known.has(name)) return undefined;
  usesNative ||= name.startsWith("native/");
  if (single) return kept.get(name);
  const request = new XMLHttpRequest();
  request.open("GET", here(`${name}.gz`), false);
  request.responseType = "arraybuffer";
  try {
    request.send();
  } catch {
    return false;
  }
  if (request.status !== 200) return false;
  keeping.push(memory?.put(here(`${name}.gz`), new Response(request.response)).catch((failure) => console.warn(failure)));
  return new Uint8Array(request.response);
};

async function settings() {
  const code = single ? await single.address("runtime/pyodide.asm.mjs")
    : URL.createObjectURL(new Blob([await (await file("runtime/pyodide.asm.mjs")).text()], { type: "text/javascript" }));
  return {
    indexURL: here("runtime/"),
    stdLibURL: here("runtime/stdlib.zip"),
    lockFileContents: await (await found(here("runtime/pyodide-lock.json"))).json(),
    createPyodideModule: (await import(code)).default,
  };
}

function unpack(python, data) {
  const end = data.indexOf(10);
  const folders = new Set();
  let at = end + 1;
  for (const [name, size] of JSON.parse(new TextDecoder().decode(data.subarray(0, end)))) {
    const path = `${LIBRARY}/${name}`;
    const folder = path.slice(0, path.lastIndexOf("/"));
    if (!folders.has(folder)) python.FS.mkdirTree(folder);
    folders.add(folder);
    python.FS.writeFile(path, data.subarray(at, at + size), { canOwn: true });
    at += size;
  }
}

// The memory of Python as an earlier visit left it after its first picture; the browser keeps it, nothing is sent.
const MEMORY = "memory";
async function memories(version) {
  if (single || !globalThis.caches) return undefined;
  return caches.open(`rulewright ${new URL("./", import.meta.url).href} ${version}`).catch(() => undefined);
}

let python, memory, answer, isNew = true;
async function begin() {
  const facts = await (await found(here("worker.json"))).json();
  for (const name of facts.files) known.add(name);
  const pack = file(`runtime/${facts.plays ? "player" : "all"}.pack`).then((packed) => packed.arrayBuffer());
  memory = await memories(facts.version);
  const earlier = await memory?.match(here(MEMORY));
  if (single) {
    for (const name of known) kept.set(name, new Uint8Array(await (await found(here(name))).arrayBuffer()));
  }
  const wanted = await settings();
  const finding = `
from rulewright.playground.left_out import look_for_left_out
look_for_left_out(${facts.plays ? "True" : "False"})
`;
  if (earlier) {
    try {
      const bytes = new Uint8Array(await earlier.arrayBuffer());
      const createPyodideModule = async (given) => {
        const module = await wanted.createPyodideModule(given);
        module.growMemory(bytes.length - new Uint32Array(bytes.buffer, 0, 2)[1]); // less its head
        return module;
      };
      python = await loadPyodide({ ...wanted, createPyodideModule, _loadSnapshot: bytes });
      unpack(python, new Uint8Array(await pack));
      python.runPython(`${finding}wake()`);
      isNew = false;
    } catch (failure) {
      console.warn(failure);
      await memory.delete(here(MEMORY));
    }
  }
  if (isNew) {
    python = await loadPyodide({ ...wanted, _makeSnapshot: Boolean(memory) });
    postMessage({ told: "Reading Rulewright…" });
    unpack(python, new Uint8Array(await pack));
    python.runPython(`
import sys
sys.path.insert(0, "${LIBRARY}")
${finding}
from rulewright.playground.in_browser import answer, start, wake
${facts.plays ? "start()" : "from rulewright.cli.app import run; start(run)"}
`);
  }
  answer = python.globals.get("answer");
  postMessage({ ready: true, fromMemory: !isNew });
}

// Keeps the memory for the next visit, unless native code lies in it, which belongs to this worker; says whether it has.
async function keep() {
  if (!memory || !isNew || usesNative) return false;
  isNew = false;
  try {
    python.runPython("import gc; gc.collect()");
    await memory.put(here(MEMORY), new Response(python.makeMemorySnapshot()));
    return true;
  } catch (failure) {
    console.warn(failure); // the next visit begins without
    return false;
  }
}

const begun = begin();
begun.catch((failure) => postMessage({ failed: String(failure) }));
onmessage = async (event) => {
  const { id, text, keeps } = event.data;
  await begun;
  let said;
  try {
    said = keeps ? JSON.stringify({ answer: "keep", found: await keep() }) : answer(text);
  } catch (failure) {
    said = JSON.stringify({ answer: "error", code: "bug", message: String(failure) });
  }
  await Promise.all(keeping.splice(0)); // an answer says that its files are kept
  postMessage({ id, text: said });
};
