"""Judges many changes in one program: which scenario fails with each.

What cannot be switched is judged one by one, by a program of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from rulewright.dsl.ir import Program
from rulewright.dsl.scenarios.scenarios import Scene
from rulewright.interpreter.engines.codegen.python import PythonEngine
from rulewright.interpreter.engines.engines import make_engine
from rulewright.interpreter.engines.reference import Reference
from rulewright.interpreter.testing import scenarios
from rulewright.interpreter.testing.asked import Asked
from rulewright.interpreter.views.compiled_game import CompiledGame
from tests.mutants.changes import Change
from tests.mutants.judging import Judge, Scenario, TooLongError, at_most
from tests.mutants.switching import UNCHANGED, Fitter, Switched, switch

SECONDS = 10
"""So long one scenario may take."""


def judge_all(
    judge: Judge,
    changes: Sequence[Change],
    candidates: Callable[[Change], Sequence[Scenario]] | None = None,
) -> Iterator[tuple[Change, str | None]]:
    """Of each change the scenario that notices it, as `Judge.judge` gives it; in the order in which that is known."""
    find = candidates or judge.candidates
    fitter = Fitter(judge)
    for switched in fitter.rounds(changes):
        yield from _judged(judge, switched, find)
    for change in fitter.outside:
        yield change, judge.judge(change, find(change))


def _judged(
    judge: Judge, switched: Switched, find: Callable[[Change], Sequence[Scenario]]
) -> Iterator[tuple[Change, str]]:
    waiting = {
        number: {id(one): at for at, one in enumerate(find(change))}
        for number, change in switched.changes.items()
    }
    for terms, several in judge.by_terms(judge.scenarios).items():
        asked = set().union(*waiting.values())
        group = [one for one in several if id(one) in asked]
        if not group:
            continue
        program = switched.compiled(terms, group)
        scenes = {id(one): scene for one, scene in zip(group, program.scenes, strict=True)}
        run = _Run(program.program)
        for one in group:
            assert not run.fails(scenes[id(one)], UNCHANGED), one.name
        for number, known in list(waiting.items()):
            mine = sorted(
                (one for one in group if id(one) in known), key=lambda one: known[id(one)]
            )
            run.begun.clear()
            found = next((one.name for one in mine if run.fails(scenes[id(one)], number)), None)
            if found is not None:
                del waiting[number]
                yield switched.changes[number], found
    for number in waiting:
        yield switched.changes[number], ""


class _Run:
    """The engines that run the scenarios of a program with switches."""

    def __init__(self, program: Program) -> None:
        self.value = UNCHANGED
        engine = make_engine(program, "python")
        assert isinstance(engine, PythonEngine)
        switch(engine, lambda: self.value)
        self.asked = Asked(CompiledGame(program, engine))
        self.reference = Reference(program)
        self.begun: dict[tuple[int, ...], scenarios._Play] = {}

    def fails(self, scene: Scene, value: int) -> bool:
        """Whether a scenario fails, or comes to no end, with a value of the switch."""
        self.value = value
        try:
            with at_most(SECONDS):
                failed = scenarios._run(scene, self.asked, self.reference, self.begun)
        except (TooLongError, RecursionError):
            return True
        return failed is not None
