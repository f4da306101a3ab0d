"""Runs in Python for browsers: plays programs in lockstep with native code, and lets a bot think in it.

A folder holds a program in each file, the modules by their names, and gets the file `found.json`.
"""

from __future__ import annotations

import json
from pathlib import Path

from rulewright.dsl.diagnostics.source import Source
from rulewright.dsl.ir import OVER
from rulewright.dsl.program_data import program_of
from rulewright.interpreter.bots.levels import bot_named
from rulewright.interpreter.engines.engine import NativeTrials
from rulewright.interpreter.engines.engines import make_engine
from rulewright.interpreter.engines.modules import look_for_modules
from rulewright.interpreter.engines.native.browser import IN_BROWSER
from rulewright.interpreter.engines.playouts import bot_generator
from rulewright.interpreter.matches.game import first_state
from rulewright.interpreter.views.compiled_game import CompiledGame
from tests.interpreter.lockstep import Runners, lockstep, plays_at_random


def run(folder: str) -> None:
    """Play all programs."""
    assert IN_BROWSER
    root = Path(folder)

    def find(name: str) -> bytes | None:
        path = root / f"{name}.wasm"
        return path.read_bytes() if path.is_file() else None

    look_for_modules(find)
    found = {}
    for path in sorted(root.glob("*.program")):
        data = json.loads(path.read_text("utf-8"))
        sources = [Source("text", text) for text in data["texts"]]
        runners = Runners(program_of(data["program"], sources))
        played = [lockstep(runners, seed, data["steps"]) for seed in data["seeds"]]
        for seed in data["seeds"]:
            plays_at_random(runners, seed, data["steps"])
        found[path.stem] = {
            "matches": [[one.decisions, bool(one.cells[OVER])] for one in played],
            "handed over": runners.native.handed_over,
            "chosen": bot_choices(CompiledGame(runners.program, runners.native), data["bot"]),
        }
    (root / "found.json").write_text(json.dumps(found), encoding="utf-8")


def bot_choices(compiled: CompiledGame, bot: str) -> list[str]:
    """The options that a bot chooses with native code."""
    if not bot:
        return []
    engine = make_engine(compiled.program, "native")
    assert isinstance(engine, NativeTrials)
    assert engine.searches
    state, names = first_state(CompiledGame(compiled.program, engine), 1, "seeded", False), []
    for _ in range(6):
        if state.over:
            break
        option = bot_named(bot)(state, bot_generator(1, 0))
        names.append(compiled.option_name(state.cells, option))
        state = state.take(option)
    return names
