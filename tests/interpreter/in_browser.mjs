// Plays the programs of a folder with Python for browsers: in_browser.mjs RUNTIME FOLDER ZIP...
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [runtime, folder, ...zips] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${runtime}/pyodide.mjs`).href);
const python = await loadPyodide({ indexURL: `${runtime}/` });
for (const zip of zips) python.unpackArchive(new Uint8Array(readFileSync(zip)), "zip", { extractDir: "/lib/own" });
python.FS.mkdir("/programs");
python.FS.mount(python.FS.filesystems.NODEFS, { root: folder }, "/programs");
try {
  python.runPython(`
import sys
sys.path.insert(0, "/lib/own")
from tests.interpreter.in_browser import run
run("/programs")
`);
} catch (failure) {
  console.error(failure.message);
  process.exit(1);
}
