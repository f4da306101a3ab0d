"""Implements the default engine: Python functions, generated from the core IR and run by a small loop.

Functions belong to modules: one that runs silently, one that writes the log, one that gives reasons
for refusals, and others that count. Each function is written and compiled at its first call,
because a large game has thousands. The first decision must not wait for the functions of the last
phase. This module does not depend on how the functions are written.
"""

from __future__ import annotations

import builtins
import re
from array import array
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property, partial
from itertools import islice, repeat
from threading import RLock
from typing import Any, TypeAlias

from attrs import define, field

from rulewright.dsl import ir
from rulewright.dsl.ir import BOUND, FP, FRAME, GUARD, HALT, OVER, RESUME, SITE
from rulewright.interpreter.engines import possibility_search
from rulewright.interpreter.engines.analysis.flow import Flow, flow_of
from rulewright.interpreter.engines.analysis.procedures import Knowledge
from rulewright.interpreter.engines.chance import Generator
from rulewright.interpreter.engines.codegen.blocks import (
    answer_function,
    block_function,
    block_functions,
    room_of,
)
from rulewright.interpreter.engines.codegen.code import Flags
from rulewright.interpreter.engines.codegen.functions import (
    Module,
    outside_function,
    plain_function,
    site_function,
)
from rulewright.interpreter.engines.codegen.playouts import Playing, run
from rulewright.interpreter.engines.codegen.statements import LETTERS, Variant
from rulewright.interpreter.engines.codegen.support import (
    Later,
    Memo,
    freeze,
    keep,
    lists_of,
    names_of,
)
from rulewright.interpreter.engines.engine import (
    STEPS,
    Cells,
    LogLine,
    Refusal,
    answer_slot,
    first_state,
    room_to_recurse,
    start_procedure,
    stuck,
)
from rulewright.interpreter.engines.playouts import (
    totals,
)
from rulewright.interpreter.engines.step_by_step import StepByStep
from rulewright.interpreter.text.faults import (
    Impossible,
    InternalError,
    Value,
    impossible_step,
    too_deep,
)

Step: TypeAlias = Callable[[Cells], int]
Answer: TypeAlias = Callable[[Cells, int], "int | list[int]"]
BROKEN = (IndexError, TypeError, ZeroDivisionError, OverflowError, AttributeError)
"""The exceptions that Python raises if the compiler has broken a guarantee."""

MOST_CELLS = 1000
"""The maximum size of a state, in cells, for listing all options in order to test whether there is one."""
SHORT = 100
"""The maximum number of choices of a playout that runs on the state itself. A playout on a list
that is cut off is lost."""
NOTHING_OPEN = array("i", [-1, -1, 0])
"""SITE, PLAYER and BOUND while nothing is open."""


@define(eq=False, repr=False)
class Compiled:
    """The functions of one module, keyed by their names. Each is written when it is first called."""

    title: str
    module: Module
    names: dict[str, Any]
    base: Compiled | None
    """The module whose functions are used if this module does not have them."""
    looping: list[dict[str, Any]]
    """The namespaces of modules with functions that count loop iterations."""
    plains: set[int] = field(factory=set)
    """The plain procedures for which the module has its own function."""
    steps: list[Step] = field(factory=list)
    """The functions of blocks, indexed by block."""
    answers: list[Answer | None] = field(factory=list)
    """The functions that take an answer, indexed by the block at which the run continues."""
    waiting: deque[Later] = field(factory=deque)
    """The functions that can be written in advance. Some of them are already written."""
    _constants: int = 0
    """The number of constants that are already among the names."""
    _memos: set[str] = field(factory=set)
    _lock: RLock = field(factory=RLock)

    def later(self, name: str, write: Callable[[], str]) -> Later:
        """Return a function that is written when it is needed."""
        later = Later(lambda: self._write_function(name, write))
        later.put(self.names, name)
        self.waiting.append(later)
        return later

    def _write_function(self, name: str, write: Callable[[], str]) -> Callable[..., Any]:
        with self._lock, room_to_recurse():
            self._add(write())
            found: Callable[..., Any] = self.names[name]
        return found

    def _add(self, text: str) -> None:
        """Compile a function and its shared parts."""
        names, shared = self.names, self.module.shared
        source = "\n".join([text, *shared.functions])
        shared.functions.clear()
        names.update(islice(shared.constants.items(), self._constants, None))
        self._constants = len(shared.constants)
        for number in {int(found) for found in MEMO.findall(source)}:
            names[f"M{number}"] = self._memo(number)
        exec(builtins.compile(source, self.title, "exec"), names)
        for memo, parameters in shared.memos.items():
            if memo not in self._memos:
                self._memos.add(memo)
                names[memo] = lists_of(names[memo.replace("Mf", "mf")], parameters)
        if shared.loops and not any(names is known for known in self.looping):
            names["turns"] = repeat(None, STEPS)
            self.looping.append(names)

    def _memo(self, number: int) -> Memo:
        """Return the cache of a procedure."""
        if self.base is not None and number not in self.plains:
            return self.base._memo(number)
        found = self.names.get(f"M{number}")
        if found is None:
            parameters = self.module.knowledge.program.plain[number].parameters
            found = self.names[f"M{number}"] = Memo(self.names[f"p{number}"], parameters)
        return found


MEMO = re.compile(r"\bM(\d+)\b")


def compile(  # named after `re.compile`
    program: ir.Program, *, coverage: bool = False, checked: bool = False
) -> PythonEngine:
    """Make the engine of a program.

    With `coverage`, the reached marks are counted in `counts`. With `checked`, the guarantees of
    the compiler are checked, as in the reference interpreter.
    """
    return PythonEngine(program, coverage, checked)


@define(eq=False, slots=False, repr=False)
class PythonEngine(StepByStep):
    """Runs a program with Python functions.

    It has no slots, because each access to an attribute takes five times as long in a class with
    slots and cached properties.
    """

    program: ir.Program
    coverage: bool = False
    checked: bool = False
    counts: list[int] | None = None
    memory: possibility_search.Memory = field(init=False, factory=possibility_search.Memory)
    _knowledge: Knowledge = field(init=False)
    _flow: Flow = field(init=False)
    _modules: dict[tuple[str, bool], Compiled] = field(init=False, factory=dict)
    _looping: list[dict[str, Any]] = field(init=False, factory=list)
    _steps: list[Step] = field(init=False)
    _answers: list[Answer | None] = field(init=False)
    _offers: list[Callable[[Cells], list[int]]] = field(init=False)
    _slots: list[int] = field(init=False)
    _plains: list[Callable[..., Any]] = field(init=False)
    _faults: _Faults = field(init=False)
    _found: list[tuple[Cells, list[int]] | None] = field(init=False, factory=lambda: [None])
    """The state of a run at a new decision, and its options.

    At a decision, an enumerator runs to test whether it offers anything. Usually all its offers are
    needed next.
    """
    _plays: dict[bool, Playing] = field(init=False, factory=dict)
    _finds_all: bool = field(init=False)
    _blocks: list[int] = field(init=False, factory=lambda: [0])

    def __attrs_post_init__(self) -> None:
        self._knowledge = Knowledge(self.program)
        self._flow = flow_of(self._knowledge)
        self._finds_all = self.program.size <= MOST_CELLS and not self.coverage
        if self.coverage and self.counts is None:
            self.counts = [0] * len(self.program.marks)
        module = self._play
        self._steps = module.steps
        self._answers = module.answers
        self._faults = _Faults(self.program, self._looping)
        self._plains = _functions_by_number(module, "p", len(self.program.plain), _offers_only)
        # The last entry is used when SITE is -1.
        self._offers = _functions_by_number(
            module, "os", len(self.program.sites) + 1, _nothing_open
        )
        self._slots = [FRAME + site.slot for site in self.program.sites]

    @property
    def source(self) -> str:
        """Return the code of the module that runs silently."""
        module = Module(self._flow, self._play.module.flags)
        with room_to_recurse():
            texts = [write() for _, write in self._functions("play", module, None)]
            texts += block_functions(module).texts
        return "\n".join([*texts, *module.shared.functions])

    # ---- play ------------------------------------------------------------------------------------

    def start(self) -> Cells:
        """Implement `Engine.start`."""
        return first_state(self.program)

    def run(self, cells: Cells, log: list[LogLine] | None = None) -> list[int] | None:
        """Implement `Engine.run`."""
        return None if cells[SITE] >= 0 or cells[OVER] else self._run(cells, log)

    def _run(self, cells: Cells, log: list[LogLine] | None) -> list[int] | None:
        self._found[0] = None
        if log is None:
            steps = self._steps
        else:
            talk = self._talk
            talk.names["LOG"] = log.append
            steps = talk.steps
        self._count_turns()
        block = cells[RESUME]
        cells[RESUME] = HALT
        try:
            if block:
                self._go_on(cells, block, steps)
        except Impossible as failure:
            raise impossible_step(self.program, failure) from None
        except RecursionError:
            raise too_deep() from None
        except BROKEN as error:
            raise InternalError(str(error)) from error
        return self._found_on_the_way(cells)

    def _count_turns(self) -> None:
        """Start counting the iterations of loops."""
        for names in self._looping:
            names["turns"] = repeat(None, STEPS)

    def _go_on(self, cells: Cells, block: int, steps: list[Step]) -> None:
        for _ in repeat(None, STEPS):
            block = steps[block](cells)
            if not block:
                return
        raise stuck(self.program, cells, block, lambda block: steps[block](cells))

    def _found_on_the_way(self, cells: Cells) -> list[int] | None:
        """Return the options of the decision that a run has reached, if they were listed."""
        last = self._found[0]
        # Searches during the run have also reached decisions, on copies.
        return last[1] if last is not None and last[0] is cells else None

    def answer(self, cells: Cells, choice: int) -> None:
        """Implement `Engine.answer`."""
        site = cells[SITE]
        if cells[BOUND] or site < 0:
            slot = answer_slot(self.program, cells)
            if not 0 <= choice < cells[BOUND]:
                raise InternalError(f"{choice} is not a result of this chance")
            cells[slot] = choice
        else:
            cells[cells[FP] + self._slots[site]] = choice
        cells[SITE : BOUND + 1] = NOTHING_OPEN

    def advance(
        self, cells: Cells, choice: int, log: list[LogLine] | None = None
    ) -> list[int] | None:
        """Implement `Engine.advance`."""
        answer = self._answers[cells[RESUME]] if log is None else None
        if answer is None:
            self.answer(cells, choice)
            return self.run(cells, log)
        self._found[0] = None
        try:
            after = answer(cells, choice)
            if isinstance(after, list):
                return after
            if after:
                self._count_turns()
                self._go_on(cells, after, self._steps)
        except Impossible as failure:
            raise impossible_step(self.program, failure) from None
        except RecursionError:
            raise too_deep() from None
        except BROKEN as error:
            raise InternalError(str(error)) from error
        return self._found_on_the_way(cells)

    def at_random(
        self,
        cells: Cells,
        chance: Generator,
        bots: Generator,
        longest: int | None = None,
        counts: list[int] | None = None,
    ) -> None:
        """Implement `Engine.at_random`. It uses lists if only the end is visible."""
        if (
            self.coverage
            or self.checked
            or (longest is not None and longest <= SHORT)
            or not self._playing(counts is not None).play(cells, chance, bots, longest, counts)
        ):
            super().at_random(cells, chance, bots, longest, counts)

    def _playing(self, tells: bool) -> Playing:
        """Return the engine of random playouts. With `tells`, it reports the number of options."""
        found = self._plays.get(tells)
        if found is None:
            found = self._plays[tells] = Playing(self._knowledge, tells)
        return found

    @property
    def not_played(self) -> int:
        """Return the number of random playouts left to the reference engine."""
        return sum(playing.failed for playing in self._plays.values())

    # ---- options and points ----------------------------------------------------------------------

    def totals(self, cells: Cells) -> list[int]:
        """Implement `Engine.totals`."""
        return totals(self, cells)

    def options(self, cells: Cells) -> list[int]:
        """Implement `Engine.options`."""
        if cells[BOUND]:
            return list(range(cells[BOUND]))
        self._count_turns()
        try:
            options = self._offers[cells[SITE]](cells)
            if cells[GUARD] and self.program.sites[cells[SITE]].search:
                options = possibility_search.real_options(self, cells, options)
            if not options:
                raise Impossible(self.program.sites[cells[SITE]].empty)
        except Impossible as failure:
            raise impossible_step(self.program, failure) from None
        except RecursionError:
            raise too_deep() from None
        except BROKEN as error:
            raise InternalError(str(error)) from error
        return options

    def has_option(self, cells: Cells, option: int) -> bool:
        """Implement `Engine.has_option`."""
        if cells[BOUND]:
            return 0 <= option < cells[BOUND]
        self._count_turns()
        try:
            if not self._has[cells[SITE]](cells, option):
                return False
            searched = cells[GUARD] and self.program.sites[cells[SITE]].search
            return not searched or possibility_search.is_real(self, cells, option)
        except Impossible as failure:
            raise impossible_step(self.program, failure) from None
        except RecursionError:
            raise too_deep() from None
        except BROKEN as error:
            raise InternalError(str(error)) from error

    def refusals(self, cells: Cells) -> dict[int, Refusal]:
        """Implement `Engine.refusals`."""
        if cells[BOUND]:
            return {}
        number = self._site(cells)
        with self._faults:
            offered: list[int]
            refused: dict[int, Refusal]
            offered, refused = self._reasons.names[f"rs{number}"](cells)
            if cells[GUARD] and self.program.sites[number].search:
                refused |= possibility_search.refused_options(_Counting(self), cells, offered)
        return refused

    def site_arguments(self, cells: Cells) -> tuple[Value, ...]:
        """Implement `Engine.site_arguments`."""
        return self._at_site("es", cells)

    def prompt_arguments(self, cells: Cells) -> tuple[Value, ...]:
        """Implement `Engine.prompt_arguments`."""
        return self._at_site("qs", cells)

    # ---- single procedures -----------------------------------------------------------------------

    def value(self, cells: Cells, plain: int, arguments: Sequence[Value] = ()) -> Value:
        """Implement `Engine.value`."""
        if len(arguments) != self.program.plain[plain].parameters:
            raise InternalError(f"wrong number of arguments for {self.program.plain[plain].name}")
        function = self._plains[plain]
        with self._faults:
            return freeze(function(cells, *arguments))

    def possible(self, cells: Cells, suspending: int, arguments: Sequence[int], actor: int) -> bool:
        """Implement `Engine.possible`."""
        with self._faults:
            return possibility_search.is_possible(self, cells, suspending, arguments, actor)

    def call(self, cells: Cells, suspending: int, arguments: Sequence[int] = ()) -> Cells:
        """Implement `Engine.call`."""
        return start_procedure(self.program, cells, suspending, arguments)

    # ---- requests of the search ------------------------------------------------------------------

    def go(self, cells: Cells, floor: int) -> int:
        """Implement `Runner.go`, without counting."""
        run(self.program, self._searching, self._looping, cells, floor)
        return 0

    def take(self, cells: Cells, choice: int, floor: int) -> tuple[Cells, int]:
        """Implement `Runner.take`, without counting."""
        copy = cells[:]
        copy[copy[FP] + self._slots[copy[SITE]]] = choice
        copy[SITE : BOUND + 1] = NOTHING_OPEN
        run(self.program, self._searching, self._looping, copy, floor)
        return copy, 0

    def enumerate_offered(self, cells: Cells) -> list[int]:
        """Implement `Runner.enumerate_offered`."""
        options: list[int] = self._quiet.names[f"os{self._site(cells)}"](cells)
        return options

    def sure(self, cells: Cells) -> list[int]:
        """Implement `Runner.sure`."""
        options: list[int] = self._quiet.names[f"ks{self._site(cells)}"](cells)
        return options

    def enumerate_refused(self, cells: Cells) -> dict[int, Refusal]:
        """Implement `Runner.enumerate_refused`."""
        refused: dict[int, Refusal]
        _, refused = self._quiet_reasons.names[f"rs{self._site(cells)}"](cells)
        return refused

    def go_counting(self, cells: Cells, floor: int) -> int:
        """Implement `Runner.go`."""
        count = self._blocks
        count[0] = 0
        try:
            run(self.program, self._counting.steps, self._looping, cells, floor)
        except Impossible as failure:
            failure.blocks = count[0]
            raise
        return count[0]

    # ---- helpers ---------------------------------------------------------------------------------

    def _site(self, cells: Cells) -> int:
        if cells[SITE] < 0 or cells[BOUND]:
            raise InternalError("no decision is open")
        return cells[SITE]

    def _at_site(self, prefix: str, cells: Cells) -> tuple[Value, ...]:
        number = self._site(cells)
        with self._faults:
            values: tuple[Value, ...] = self._asks.names[f"{prefix}{number}"](cells)
            return values

    def write_ahead(self, is_enough: Callable[[], bool]) -> bool:
        """Write functions before they are called, until `is_enough` returns true. Return false if no function is left.

        These are the functions for decisions and their pictures, and the functions of other modules
        in use.
        """
        _ = self._play, self._talk, self._asks, self._searching
        for module in [*self._modules.values()]:
            while module.waiting:
                if is_enough():
                    return True
                module.waiting.popleft().now()
        return False

    # ---- modules ---------------------------------------------------------------------------------

    @property
    def _play(self) -> Compiled:
        """Return the module that runs without a log."""
        flags = Flags(counts=self.coverage, checked=self.checked, finds=self._finds_all)
        return self._module("play", flags)

    @property
    def _talk(self) -> Compiled:
        """Return the module that runs with a log."""
        flags = Flags(log=True, counts=self.coverage, checked=self.checked)
        return self._module("talk", flags, self._play)

    @property
    def _asks(self) -> Compiled:
        """Return the module that tests whether there is an option, and returns the arguments of
        sites. It runs nothing."""
        return self._module("asks", Flags(checked=self.checked), self._quiet)

    @cached_property
    def _has(self) -> list[Callable[[Cells, int], bool]]:
        """Return, for each site, a function that returns whether an option is offered. The last one is for SITE -1."""
        return _functions_by_number(self._asks, "hs", len(self.program.sites) + 1, _nothing_open)

    @property
    def _reasons(self) -> Compiled:
        """Return the module that gives reasons for refusals. It runs nothing."""
        flags = Flags(counts=self.coverage, checked=self.checked)
        return self._module("reasons", flags, self._play)

    @property
    def _quiet(self) -> Compiled:
        """Return the module that offers options without counting marks."""
        if not self.coverage:
            return self._play
        return self._module("quiet", Flags(checked=self.checked))

    @property
    def _quiet_reasons(self) -> Compiled:
        """Return the module that gives reasons for refusals within searches, without counting marks."""
        if not self.coverage:
            return self._reasons
        return self._module("reasons", Flags(checked=self.checked), self._quiet)

    @cached_property
    def _searching(self) -> list[Step]:
        """Return the functions of blocks for searches."""
        flags = Flags(stops=True, checked=self.checked)
        quiet = self._quiet
        return self._module("search", flags, quiet).steps if self._flow.has_scopes else quiet.steps

    @property
    def _counting(self) -> Compiled:
        """Return the module that runs within searches and counts blocks."""
        return self._module(
            "counting", Flags(blocks=True, stops=True, checked=self.checked), self._quiet
        )

    def _module(self, name: str, flags: Flags, base: Compiled | None = None) -> Compiled:
        key = name, flags.counts
        found = self._modules.get(key)
        if found is None:
            found = self._modules[key] = self._compile(name, flags, base)
        return found

    def _compile(self, name: str, flags: Flags, base: Compiled | None) -> Compiled:
        program = self.program
        names = self._names() if base is None else {}
        for known, value in base.names.items() if base is not None else ():
            if isinstance(value, Later):
                value.put(names, known)
            else:
                names[known] = value
        module = Module(self._flow, flags)
        found = Compiled(f"<{program.title}: {name}>", module, names, base, self._looping)
        for function, write in self._functions(name, module, base):
            found.later(function, write)
            if function[0] == "p" and function[1:].isdecimal():
                found.plains.add(int(function[1:]))
        if base is None:
            for number, site in enumerate(program.sites):
                offers, offers_any = names[f"os{number}"], names[f"as{number}"]
                if self._finds_all:
                    names[f"cs{number}"] = self._looking(offers, offers_any, site.search)
                else:
                    offers_any.put(names, f"cs{number}")
        found.steps = [_not_resumed] * len(program.blocks)
        room = room_of(self._flow)
        if name not in ("reasons", "asks"):
            for block in range(HALT + 1, len(program.blocks)):
                write = partial(block_function, module, block, room)
                found.later(f"b{block}", write).put(found.steps, block)
        found.answers = [None] * len(program.blocks)
        if base is None and name == "play" and not flags.counts:
            for block, asked in self._flow.answers.items():
                write = partial(answer_function, module, block, asked, room)
                found.later(f"n{block}", write).put(found.answers, block)
        return found

    def _functions(
        self, name: str, module: Module, base: Compiled | None
    ) -> Iterator[tuple[str, Callable[[], str]]]:
        """Yield the names of the functions of a module except those of blocks. Each comes with the
        function that writes it."""
        program = self.program
        if base is None:
            plains = [n for n in range(len(program.plain)) if not self._knowledge.offers(n)]
        elif module.flags.log:
            plains = [n for n in range(len(program.plain)) if self._knowledge.reaches(n, ir.Log)]
        else:
            plains = []
        for number in plains:
            yield f"p{number}", partial(plain_function, module, number)
        variants: tuple[Variant, ...] = ("list", "any") if base is None else ()
        if name == "reasons":
            variants = ("reasons",)
        elif name == "asks":
            variants = ("has",)
            for n, site in enumerate(program.sites):
                for prefix, asked in (("es", site.arguments), ("qs", site.prompt_arguments)):
                    function = f"{prefix}{n}"
                    write = partial(outside_function, module, function, site.procedure, asked)
                    yield function, write
        for variant in variants:
            letter = LETTERS[variant]
            for number in self._knowledge.helpers:
                yield f"{letter}{number}", partial(plain_function, module, number, variant)
            for number in range(len(program.sites)):
                yield f"{letter}s{number}", partial(site_function, module, number, variant)
        if "list" in variants:
            for number, site in enumerate(program.sites):
                if site.sure is not None:
                    write = partial(site_function, module, number, "list", is_sure=True)
                    yield f"ks{number}", write

    def _looking(
        self,
        offers: Later,
        offers_any: Later,
        searches: bool,
    ) -> Callable[[Cells], object]:
        """Return a function that tests whether an enumerator offers anything, and stores all its
        offers for later calls.

        Failures after the first offer are left to these calls.
        """

        kept = self._found

        def look(cells: Cells) -> object:
            try:
                found = functions[0](cells)
            except Exception:
                return functions[1](cells)
            if not (searches and cells[GUARD]):
                kept[0] = cells, found
            return found

        functions: list[Callable[[Cells], Any]] = [_nothing_open, _nothing_open]
        offers.put(functions, 0)
        offers_any.put(functions, 1)
        return look

    def _names(self) -> dict[str, Any]:
        """Return the names that the functions may call and read."""

        def possible(cells: Cells, procedure: int, arguments: list[int], actor: int) -> bool:
            return possibility_search.is_possible(self, cells, procedure, arguments, actor)

        def can_do(cells: Cells, body: int, actor: int) -> bool:
            return possibility_search.can_do(self, cells, body, actor)

        def do(cells: Cells, body: int, actor: int, otherwise: int) -> int:
            return possibility_search.do(self, cells, body, actor, otherwise)

        return names_of(self.program) | {
            "keep": keep,
            "possible": possible,
            "can_do": can_do,
            "do": do,
            "turns": repeat(None, STEPS),
            "count_turns": self._count_turns,
            "COUNTS": self.counts,
            "BLOCKS": self._blocks,
        }


@define(eq=False)
class _Faults:
    """Converts errors in functions to faults, and starts counting the iterations of loops."""

    program: ir.Program
    looping: list[dict[str, Any]]

    def __enter__(self) -> None:
        for names in self.looping:
            names["turns"] = repeat(None, STEPS)

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, Impossible):
            raise impossible_step(self.program, error) from None
        if isinstance(error, RecursionError):
            raise too_deep() from None
        if isinstance(error, BROKEN):
            raise InternalError(str(error)) from error


@define(eq=False)
class _Counting:
    """The engine for a search that counts blocks."""

    engine: PythonEngine
    memory: None = None

    @property
    def program(self) -> ir.Program:
        return self.engine.program

    def go(self, cells: Cells, floor: int) -> int:
        return self.engine.go_counting(cells, floor)

    def call(self, cells: Cells, suspending: int, arguments: Sequence[int] = ()) -> Cells:
        return self.engine.call(cells, suspending, arguments)

    def take(self, cells: Cells, choice: int, floor: int) -> tuple[Cells, int]:
        copy = cells[:]
        self.engine.answer(copy, choice)
        return copy, self.go(copy, floor)

    def enumerate_offered(self, cells: Cells) -> list[int]:
        return self.engine.enumerate_offered(cells)

    def sure(self, cells: Cells) -> list[int]:
        return self.engine.sure(cells)

    def enumerate_refused(self, cells: Cells) -> dict[int, Refusal]:
        return self.engine.enumerate_refused(cells)


def _functions_by_number(
    module: Compiled, prefix: str, length: int, other: Callable[..., Any]
) -> list[Callable[..., Any]]:
    """Return functions of a module, indexed by their numbers.

    `other` replaces functions that the module does not have.
    """
    found = [other] * length
    for number in range(length):
        function = module.names.get(f"{prefix}{number}", other)
        if isinstance(function, Later):
            function.put(found, number)
        else:
            found[number] = function
    return found


def _nothing_open(cells: Cells, option: int = 0) -> Any:
    raise InternalError("no decision is open")


def _offers_only(cells: Cells, *_: object) -> Any:
    raise InternalError("an enumerator has no value")


def _not_resumed(cells: Cells) -> int:
    raise InternalError("a run cannot be resumed at this block")
