// Runs Rulewright in Python in this worker and answers messages of the page.
import { loadPyodide } from "./runtime/pyodide.mjs";

const single = globalThis.rulewright; // where the page is one file
const here = (name) => (single ? `file:///${name}` : new URL(name, import.meta.url).href);

const LIBRARY = "/lib/rulewright";

async function settings() {
  const found = { indexURL: here("runtime/") };
  if (!single) return found;
  found.lockFileContents = await (await fetch(here("runtime/pyodide-lock.json"))).json();
  found.createPyodideModule = (await import(await single.address("runtime/pyodide.asm.mjs"))).default;
  return found;
}

// Native code by its name, at once: Python asks for it in the middle of its work.
async function finder() {
  const names = new Set(await (await fetch(here("native.json"))).json());
  const kept = new Map();
  if (single) {
    for (const name of names) kept.set(name, new Uint8Array(await (await fetch(here(`native/${name}.wasm`))).arrayBuffer()));
  }
  return (name) => {
    if (single || !names.has(name)) return kept.get(name);
    const request = new XMLHttpRequest();
    request.open("GET", here(`native/${name}.wasm`), false);
    request.responseType = "arraybuffer";
    try {
      request.send();
    } catch {
      return undefined; // no network, and not kept
    }
    return request.status === 200 ? new Uint8Array(request.response) : undefined;
  };
}

async function begin() {
  const native = finder();
  const zip = fetch(here("runtime/bundle.zip")).then((answer) => answer.arrayBuffer());
  const python = await loadPyodide(await settings());
  postMessage({ told: "Reading Rulewright…" });
  python.unpackArchive(await zip, "zip", { extractDir: LIBRARY });
  python.globals.set("told", (text) => postMessage({ told: text }));
  python.globals.set("find", await native);
  python.runPython(`
import sys
sys.path.insert(0, "${LIBRARY}")
from pathlib import Path
from rulewright.cli.app import run
from rulewright.playground.worker import Worker
def native(name):
    found = find(name)
    return None if found is None else found.to_bytes()
worker = Worker(Path("/home/pyodide/game"), run, told, native)
`);
  const answer = python.globals.get("worker").answer;
  postMessage({ ready: true });
  return answer;
}

const begun = begin();
begun.catch((failure) => postMessage({ failed: String(failure) }));
onmessage = async (event) => {
  const { id, text } = event.data;
  const answer = await begun;
  let said;
  try {
    said = answer(text);
  } catch (failure) {
    said = JSON.stringify({ answer: "error", code: "bug", message: String(failure) });
  }
  postMessage({ id, text: said });
};
