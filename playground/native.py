"""Compile the native code of games for a page when the page is written, because a browser has no compiler."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from rulewright.dsl.ir import Program
from rulewright.dsl.program_data import fingerprint
from rulewright.interpreter.engines.engines import engine_names
from rulewright.interpreter.engines.native.for_browsers import kernel_modules, program_module
from rulewright.interpreter.matches.game import Game
from rulewright.interpreter.text.errors import NoNativeEngineError, RequestError


def modules_of(games: Iterable[Game], report: Callable[[str], None]) -> dict[str, bytes]:
    """Return WebAssembly modules by name, for each number of players with the usual options; empty without
    llvmlite.

    `report` is called with the name of each game that is compiled.
    """
    if "native" not in engine_names():
        return {}
    found = dict(kernel_modules())
    for game in games:
        for program in _usual(game):
            report(
                f"{game.title}, {program.players} {'player' if program.players == 1 else 'players'}"
            )
            try:
                found[fingerprint(program)] = program_module(program)
            except NoNativeEngineError:
                continue  # generated Python runs this game, as it does other games without native code
    return found


def _usual(game: Game) -> Iterator[Program]:
    for players in range(game.facts.low, game.facts.high + 1):
        try:
            yield game.program(game.variant(players))
        except RequestError:  # never played with this many players
            continue
