"""Judges many changes in one program: which scenario fails with each.

A change that cannot be switched is judged alone, in its own program.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from rulewright.dsl.ir import Program
from rulewright.dsl.scenarios.scenario_compiling import Terms
from rulewright.dsl.scenarios.scenarios import Scene
from rulewright.interpreter.engines.codegen.python import PythonEngine
from rulewright.interpreter.engines.engine import Cells
from rulewright.interpreter.engines.engines import make_engine
from rulewright.interpreter.engines.reference import Reference
from rulewright.interpreter.testing import scenarios
from rulewright.interpreter.testing.answer_cache import AnswerCache
from rulewright.interpreter.views.compiled_game import CompiledGame
from tests.mutants.changes import Change
from tests.mutants.judging import Judge, Scenario, TooLongError, at_most
from tests.mutants.switching import UNCHANGED, Fitter, Switched, cell_of_the_switch

SECONDS = 10
"""The time limit of one scenario."""
FIRST = 40
"""For each change, this many likely scenarios run before all others."""


def judge_all(
    judge: Judge,
    changes: Sequence[Change],
    candidates: Callable[[Change], Sequence[Scenario]] | None = None,
) -> Iterator[tuple[Change, str | None]]:
    """For each change, the scenario that notices it, as `Judge.judge` returns it.

    A change that the likely scenarios do not notice is yielded twice: the last verdict counts.
    """
    find = candidates or judge.candidates
    fitter = Fitter(judge)
    for switched in fitter.rounds(changes):
        yield from _judge(judge, fitter, switched, find)
    for change in fitter.outside:
        yield change, judge.judge(change, find(change))


def _judge(
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
    asked = set().union(*waiting.values())
    several = [one for one in judge.scenarios if id(one) in asked]
    runs: dict[Terms, tuple[_Run, dict[int, Scene]]] = {}
    for first, last in ((0, FIRST), (FIRST, len(several))):
        for terms, group in judge.by_terms(several).items():
            if terms not in runs:
                program = switched.program_for(terms, group)
                if program is None:
                    fitter.go_up(switched, switched.errors(group[0]))
                    fitter.waiting += [changes[number] for number in waiting]
                    return
                scenes = zip(map(id, group), program.scenes, strict=True)
                runs[terms] = _Run(program.program), dict(scenes)
            run, scene = runs[terms]
            for number, places in list(waiting.items()):
                mine = [one for one in group if first <= places.get(id(one), -1) < last]
                mine.sort(key=lambda one: places[id(one)])
                run.begun.clear()
                found = next((one for one in mine if run.notices(scene[id(one)], number)), None)
                if found is not None:
                    del waiting[number]
                    yield changes[number], found.name
        yield from ((changes[number], "") for number in waiting)


class _Run:
    """The engines that run the scenarios of a program with switches."""

    def __init__(self, program: Program) -> None:
        self.value = UNCHANGED
        engine = make_engine(program, "python")
        assert isinstance(engine, PythonEngine)
        start, cell = engine.start, cell_of_the_switch(program)

        def switched_start() -> Cells:
            cells = start()
            cells[cell] = self.value
            return cells

        engine.start = switched_start  # type: ignore[method-assign]
        self.answers = AnswerCache(CompiledGame(program, engine))
        self.reference = Reference(program)
        self.begun: dict[tuple[int, ...], scenarios._Play] = {}
        self.holding: dict[int, bool] = {}

    def fails(self, scene: Scene, value: int) -> bool:
        """Whether a scenario fails or does not end with a value of the switch."""
        self.value = value
        try:
            with at_most(SECONDS):
                failed = scenarios._run(scene, self.answers, self.reference, self.begun)
        except (TooLongError, RecursionError):
            return True
        return failed is not None

    def notices(self, scene: Scene, value: int) -> bool:
        """Whether a scenario that passes with the unchanged rules fails with a value of the switch."""
        if not self.fails(scene, value):
            return False
        if id(scene) not in self.holding:
            self.begun.clear()
            self.holding[id(scene)] = not self.fails(scene, UNCHANGED)
            self.begun.clear()
        return self.holding[id(scene)]
