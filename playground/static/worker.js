// Runs Rulewright in Python in this worker and answers messages of the page.
import { loadPyodide } from "./runtime/pyodide.mjs";

const single = globalThis.rulewright; // where the page is one file
const here = (name) => (single ? `file:///${name}` : new URL(name, import.meta.url).href);

const LIBRARY = "/lib/rulewright";

// The modules that Python has compiled here, kept by the browser for the next visit.
class Kept {
  static async of(bytes) {
    if (single || !globalThis.caches || !globalThis.crypto?.subtle) return null;
    const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
    const found = new Kept();
    found.address = here(`compiled-${[...digest.slice(0, 12)].map((byte) => byte.toString(16).padStart(2, "0")).join("")}`);
    return found;
  }

  async read() {
    const found = await (await caches.open("rulewright-compiled")).match(this.address);
    return found?.arrayBuffer();
  }

  async write(bytes) {
    const cache = await caches.open("rulewright-compiled");
    for (const old of await cache.keys()) await cache.delete(old);
    await cache.put(this.address, new Response(bytes));
  }
}

async function settings() {
  const found = { indexURL: here("runtime/") };
  if (!single) return found;
  found.lockFileContents = await (await fetch(here("runtime/pyodide-lock.json"))).json();
  found.createPyodideModule = (await import(await single.address("runtime/pyodide.asm.mjs"))).default;
  return found;
}

async function begin() {
  const zip = fetch(here("runtime/bundle.zip")).then((answer) => answer.arrayBuffer());
  const python = await loadPyodide(await settings());
  postMessage({ told: "Reading Rulewright…" });
  const bytes = await zip;
  python.unpackArchive(bytes, "zip", { extractDir: LIBRARY });
  const kept = await Kept.of(bytes);
  const compiled = await kept?.read();
  if (compiled) python.unpackArchive(compiled, "zip", { extractDir: LIBRARY });
  // Compiled modules count as fresh only beside sources of the time that they were compiled from.
  python.runPython(`
import os
for folder, _, names in os.walk("${LIBRARY}"):
    for name in names:
        if name.endswith(".py"):
            os.utime(os.path.join(folder, name), (1e9, 1e9))
`);
  python.globals.set("told", (text) => postMessage({ told: text }));
  python.runPython(`
import sys
sys.path.insert(0, "${LIBRARY}")
from pathlib import Path
from rulewright.cli.app import run
from rulewright.playground.worker import Worker
worker = Worker(Path("/home/pyodide/game"), run, told)
`);
  const answer = python.globals.get("worker").answer;
  postMessage({ ready: true });
  if (kept && !compiled) {
    kept.write(python.runPython(`
import io, os, zipfile
packed = io.BytesIO()
with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
    for folder, _, names in os.walk("${LIBRARY}"):
        for name in names:
            if name.endswith(".pyc"):
                path = os.path.join(folder, name)
                archive.write(path, os.path.relpath(path, "${LIBRARY}"))
packed.getvalue()
`).toJs());
  }
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
