"""Whether a change of the rules changes random playouts: many changes in one program, switched by a state.

Changes that cannot be switched are played alone.
"""

from __future__ import annotations

import hashlib
import multiprocessing
import resource
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from rulewright.dsl.loading import loading
from rulewright.interpreter.engines.engine import Engine
from rulewright.interpreter.engines.native.engine import NativeEngine
from tests.mutants.changes import Change
from tests.mutants.judging import Judge
from tests.mutants.switching import UNCHANGED, Fitter, cell_of_the_switch

PATIENCE: Final = 120
"""CPU seconds that playouts may take; a change that makes them run forever makes a difference."""
LEVEL: Final = 1
"""Compiled only once: otherwise a child would start a compiler process that outlives it."""
PLAYOUTS: Final = 500
"""For all variants together."""
_CONTEXT: Final = multiprocessing.get_context("fork")


def differ(judge: Judge, changes: Sequence[Change]) -> Iterator[tuple[Change, bool]]:
    """For each change, whether random playouts differ with it or do not end."""
    fitter = Fitter(judge)
    for switched in fitter.rounds(changes):
        together = dict(switched.changes)
        for players, options, number in settings(judge.loaded):
            program = switched.game.program(players, options)
            if program is None:
                fitter.go_up(switched, [])
                fitter.waiting += together.values()
                together.clear()
                break
            engine = NativeEngine(program, level=LEVEL)
            cell = cell_of_the_switch(program)
            expected = digest(engine, number, {cell: UNCHANGED})
            for value, change in list(together.items()):
                if in_a_child(engine, number, {cell: value}) != expected:
                    del together[value]
                    yield change, True
        yield from ((change, False) for change in together.values())
    for change in fitter.outside:
        yield change, differs_alone(judge, change)


def differs_alone(judge: Judge, change: Change) -> bool:
    """The same for one change, in a separate program."""
    changed = judge.load_changed(change)
    assert changed is not None
    for players, options, number in settings(judge.loaded):
        programs = [one.program(players, options) for one in (judge.loaded, changed)]
        engines = [NativeEngine(one, level=LEVEL) for one in programs if one is not None]
        if len(engines) < 2 or in_a_child(engines[1], number, {}) != digest(engines[0], number, {}):
            return True
    return False


def settings(game: loading.Loaded) -> list[tuple[int, Mapping[str, str], int]]:
    """Variants in which each value of each option occurs, and the number of playouts of each."""
    assert game.facts is not None
    every = list(game.variants(None, dict(game.facts.random_play)))
    missing = {("players", str(p)) for p, _ in every} | {i for _, o in every for i in o.items()}
    chosen: list[tuple[int, Mapping[str, str]]] = []
    while missing:
        covered = [
            len(missing & {("players", str(players)), *options.items()})
            for players, options in every
        ]
        chosen.append(every[covered.index(max(covered))])
        players, options = chosen[-1]
        missing -= {("players", str(players)), *options.items()}
    return [(*one, -(-PLAYOUTS // len(chosen))) for one in chosen]


def digest(engine: Engine, number: int, values: Mapping[int, int]) -> str:
    """A digest of this many random playouts that begin with some values of cells.

    It covers the length, the winners and all points of each playout, and the frequencies of the numbers of options.
    """
    cells = engine.start()
    for cell, value in values.items():
        cells[cell] = value
    engine.run(cells)
    found = hashlib.sha256()
    for part in engine.results_at_random(cells, range(number), 10_000, 1):
        columns = (part.over, part.lengths, part.won, part.totals, part.points)
        for column in (*columns, sorted(part.options.items())):
            found.update(repr(column).encode())
    return found.hexdigest()


def in_a_child(engine: Engine, number: int, values: Mapping[int, int]) -> str:
    """The digest, computed in a separate process, which may end with a fault or never."""
    receiver, sender = _CONTEXT.Pipe(duplex=False)

    def play() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (PATIENCE, PATIENCE))
        sender.send(digest(engine, number, values))

    with receiver, sender:
        child = _CONTEXT.Process(target=play)
        child.start()
        child.join()
        return receiver.recv() if child.exitcode == 0 else "a fault, or no end"
