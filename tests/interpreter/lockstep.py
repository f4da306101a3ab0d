"""Engines in lockstep with the reference: every cell, option, refusal and log line is equal at each decision."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeVar

from attrs import define, field, frozen

from rulewright.dsl import ir
from rulewright.interpreter.engines.chance import Generator
from rulewright.interpreter.engines.codegen import python
from rulewright.interpreter.engines.engine import Cells, Engine, LogLine, is_finished, is_open
from rulewright.interpreter.engines.native.engine import NativeEngine
from rulewright.interpreter.engines.playouts import at_random
from rulewright.interpreter.engines.reference import Reference
from rulewright.interpreter.engines.results import Results
from rulewright.interpreter.text.faults import InternalError, RuleFault

T = TypeVar("T")

FEW = 3


@frozen
class Trouble:
    """A fault, to be compared."""

    code: str
    message: str


@frozen
class Played:
    """The extent of a match in lockstep."""

    decisions: int
    chances: int
    fault: Trouble | None
    cells: Cells


def attempt(act: Callable[[], T]) -> T | Trouble:
    """The result of a call, or its fault."""
    try:
        return act()
    except RuleFault as fault:
        return Trouble(fault.code, fault.message)


@define
class Runners:
    """The reference, and the engines that are compared with it: generated Python, plain and with checks, and native
    code.

    Native code is compiled quickly unless a `level` is given: it means the same."""

    program: ir.Program
    level: int = 0
    native: NativeEngine = field(init=False)
    reference: Reference = field(init=False)
    engines: list[Engine] = field(init=False)
    checked: python.PythonEngine = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.reference = Reference(self.program, counts=[0] * len(self.program.marks))
        self.checked = python.compile(self.program, coverage=True, checked=True)
        self.native = NativeEngine(self.program, self.level)
        self.engines = [python.compile(self.program), self.checked, self.native]


def lockstep(
    program: ir.Program | Runners,
    seed: int,
    max_steps: int = 1000,
    start: Cells | None = None,
    refusals: bool = True,
) -> Played:
    """Play at random with all engines; at each step all continue from the state of a random one."""
    runners = program if isinstance(program, Runners) else Runners(program)
    program, reference = runners.program, runners.reference
    random = Generator.seeded(seed)
    engines: list[Engine] = [reference, *runners.engines]
    cells = start[:] if start is not None else reference.start()
    if start is None:
        for engine in engines:
            assert engine.start() == cells
    decisions = chances = 0
    step: Callable[[Engine, Cells, list[LogLine] | None], None] = _run
    for _ in range(max_steps):
        before = cells[:]
        fault, states = _step_all(engines, cells, step, silent=random.below(4) == 0)
        assert cells == before, "a copy changed the original"
        if fault is not None:
            return Played(decisions, chances, fault, before)
        cells = states[random.below(len(states))]
        _check_state(program, cells)
        if not is_open(cells):
            assert cells[ir.OVER] or is_finished(cells)
            break
        options = _same([partial(engine.options, cells) for engine in engines])
        assert cells == states[0], "asking for options changed the state"
        if isinstance(options, Trouble):
            return Played(decisions, chances, options, cells)
        if refusals:
            _check_refusals(engines, cells, options)
        choice = options[random.below(len(options))]
        if refusals or (decisions + chances) % 4 == 0:  # the reference examines all options for it
            assert _same([partial(engine.has_option, cells, choice) for engine in engines]) is True
        if cells[ir.BOUND]:
            chances += 1
        else:
            decisions += 1
        step = _advance(choice)
    counts = runners.checked.counts
    assert counts == reference.counts, (counts, reference.counts)
    return Played(decisions, chances, None, cells)


def plays_at_random(runners: Runners, seed: int, longest: int) -> bool:
    """Play at random, from the first decision and from a later one; returns whether the usual engine needed no
    second attempt."""
    reference, engine = Reference(runners.program), runners.engines[0]
    assert isinstance(engine, python.PythonEngine)
    before = engine.not_played
    for choices in (0, 3):
        ends: list[object] = []
        for each in (reference, engine, runners.native):
            cells = each.start()
            chance, bots = Generator.seeded(seed), Generator.seeded(seed, 1)
            counts: list[int] = []

            def play(each: Engine = each, cells: Cells = cells) -> Cells:
                each.run(cells)
                at_random(reference, cells, chance, bots, choices, None)  # noqa: B023
                each.at_random(cells, chance, bots, longest, counts)  # noqa: B023
                return cells

            try:
                end = attempt(play)
            except InternalError:  # `main` may end without `end game`
                end = Trouble("finished", "")
            if isinstance(end, Trouble):
                ends.append(end)
            else:
                ends.append((end, counts, chance.counter, bots.counter))
        assert ends[0] == ends[1] == ends[2]
    not_played = engine.not_played
    assert _results(runners.native, seed, longest) == _results(reference, seed, longest)
    return not_played == before


def _results(engine: Engine, seed: int, longest: int) -> Results | Trouble:
    cells = engine.start()

    def play() -> Results:
        engine.run(cells)
        return all_results(engine, cells, range(seed, seed + 2), longest)

    try:
        return attempt(play)
    except InternalError:  # as above
        return Trouble("finished", "")


def _run(engine: Engine, cells: Cells, log: list[LogLine] | None) -> None:
    engine.run(cells, log)


def _advance(choice: int) -> Callable[[Engine, Cells, list[LogLine] | None], None]:
    def advance(engine: Engine, cells: Cells, log: list[LogLine] | None) -> None:
        offered = engine.advance(cells, choice, log)
        if offered is not None:
            assert offered == engine.options(cells)

    return advance


def _step_all(
    engines: Sequence[Engine],
    cells: Cells,
    step: Callable[[Engine, Cells, list[LogLine] | None], None],
    silent: bool,
) -> tuple[Trouble | None, list[Cells]]:
    """Take a step with each engine, on copies; the states and the log lines must be equal."""
    states: list[Cells] = []
    logs: list[list[LogLine]] = []
    faults: list[Trouble | None] = []
    for engine in engines:
        state: Cells = cells[:]
        log: list[LogLine] = []
        faults.append(attempt(partial(step, engine, state, None if silent else log)))
        states.append(state)
        logs.append(log)
    assert all(fault == faults[0] for fault in faults), faults
    if faults[0] is None:
        for state, log in zip(states, logs, strict=True):
            assert state == states[0]
            assert log == logs[0]
            assert all(type(audience) is int for _, _, audience in log)
    return faults[0], states


def _check_state(program: ir.Program, cells: Cells) -> None:
    """The invariants of a state at a decision, a chance or the end."""
    assert not any(cells[cells[ir.SP] :])
    if is_open(cells):
        assert cells[ir.RESUME] != ir.HALT
        assert cells[ir.BOUND] == 0 or cells[ir.PLAYER] == -1
        assert cells[ir.BOUND] != 1
    else:
        assert cells[ir.PLAYER] == -1
        assert cells[ir.BOUND] == 0
        assert cells[ir.RESUME] == ir.HALT


def _check_refusals(engines: Sequence[Engine], cells: Cells, options: list[int]) -> None:
    before = cells[:]
    refused = _same([partial(engine.refusals, cells) for engine in engines])
    assert cells == before
    if isinstance(refused, Trouble):
        return
    assert not set(refused) & set(options)
    # If every option were tested separately, each test would need as many trials as there are
    # options.
    for option in [*list(refused)[-FEW:], -7]:
        found = _same([partial(engine.has_option, cells, option) for engine in engines])
        assert found is False or isinstance(found, Trouble)
    if not cells[ir.BOUND]:
        _same([partial(engine.site_arguments, cells) for engine in engines])
        _same([partial(engine.prompt_arguments, cells) for engine in engines])


def _same(questions: Sequence[Callable[[], T]]) -> T | Trouble:
    """The answer of all engines, which must be equal."""
    answers = [attempt(question) for question in questions]
    assert all(answer == answers[0] for answer in answers), answers
    assert all(type(answer) is type(answers[0]) for answer in answers)
    return answers[0]


def all_results(engine: Engine, cells: Cells, seeds: range, longest: int, jobs: int = 1) -> Results:
    """The results of random playouts, all parts together."""
    found = Results.of(engine.program)
    for part in engine.results_at_random(cells, seeds, longest, jobs):
        found.extend(part)
    return found
