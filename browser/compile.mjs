// Compiles the modules of a zip and the standard library with Python for browsers: compile.mjs RUNTIME FROM TO LIBRARY.
import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [runtime, from, to, library] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${runtime}/pyodide.mjs`).href);
const python = await loadPyodide({ indexURL: `${runtime}/` });
python.FS.writeFile("/compiling.py", readFileSync(new URL("compiling.py", import.meta.url)));
python.globals.set("sources", new Uint8Array(readFileSync(from)));
const [ours, standard] = python.runPython(`
import sys
started = [*sys.modules]
sys.path.insert(0, "/")
from compiling import compile_modules, standard_library
given = bytes(sources.to_py())
compile_modules(given), standard_library(given, started)
`);
writeFileSync(to, ours.toJs());
writeFileSync(library, standard.toJs());
