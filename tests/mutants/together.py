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
        yield from _judged(judge, fitter, switched, find)
    for change in fitter.outside:
        yield change, judge.judge(change, find(change))


def _judged(
    judge: Judge,
    fitter: Fitter,
    switched: Switched,
    find: Callable[[Change], Sequence[Scenario]],
) -> Iterator[tuple[Change, str]]:
    """The verdicts for the changes of a program; some may go back to the fitter."""
    changes = switched.changes
    waiting = {
        number: {id(one): at for at, one in enumerate(find(change))}
        for number, change in changes.items()
    }
    for terms, several in judge.by_terms(judge.scenarios).items():
        asked = set().union(*waiting.values())
        group = [one for one in several if id(one) in asked]
        if not group:
            continue
        program = switched.compiled(terms, group)
        if program is None:
            fitter.go_up(switched, switched.errors(group[0]))
            fitter.waiting += [changes[number] for number in waiting]
            return
        scenes = {id(one): scene for one, scene in zip(group, program.scenes, strict=True)}
        run = _Run(program.program)
        for number, places in list(waiting.items()):
            mine = [one for one in group if id(one) in places]
            mine.sort(key=lambda one: places[id(one)])
            run.begun.clear()
            found = next((one for one in mine if run.fails(scenes[id(one)], number)), None)
            if found is not None:
                assert run.holds(scenes[id(found)]), found.name
                del waiting[number]
                yield changes[number], found.name
    for number in waiting:
        yield changes[number], ""


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
        self.holding: set[int] = set()

    def fails(self, scene: Scene, value: int) -> bool:
        """Whether a scenario fails, or comes to no end, with a value of the switch."""
        self.value = value
        try:
            with at_most(SECONDS):
                failed = scenarios._run(scene, self.asked, self.reference, self.begun)
        except (TooLongError, RecursionError):
            return True
        return failed is not None

    def holds(self, scene: Scene) -> bool:
        """Whether a scenario holds with the rules as they are; each is asked once."""
        if id(scene) not in self.holding:
            self.begun.clear()
            if self.fails(scene, UNCHANGED):
                return False
            self.holding.add(id(scene))
        return True
