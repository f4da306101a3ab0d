"""Implements the native engine: runs, options and whole playouts in native code.

The default engine does everything else on the same cells, and everything that native code gives up.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from threading import Lock
from typing import Any, Final

from attrs import define, field

from rulewright.dsl import ir
from rulewright.dsl.ir import BOUND, OVER, SITE
from rulewright.interpreter.engines.batch import Slots
from rulewright.interpreter.engines.batch_stepping import step, step_all
from rulewright.interpreter.engines.chance import MASK, Generator, key_of
from rulewright.interpreter.engines.codegen import python
from rulewright.interpreter.engines.engine import (
    STEPS,
    Cells,
    LogLine,
    Refusal,
    TakeOption,
    answer_slot,
    first_state,
    room_to_recurse,
    start_procedure,
)
from rulewright.interpreter.engines.kernels import driven as driving
from rulewright.interpreter.engines.kernels import lines
from rulewright.interpreter.engines.kernels.tree import Done, Tree
from rulewright.interpreter.engines.modules import module_of
from rulewright.interpreter.engines.native import (
    game_calls,
    parallel,
    playouts,
    results,
    steps,
)
from rulewright.interpreter.engines.native.blocks import Blocks, site_function
from rulewright.interpreter.engines.native.browser import Facts
from rulewright.interpreter.engines.native.copies import Copy, copy_of
from rulewright.interpreter.engines.native.direct import Listing, Taking, direct
from rulewright.interpreter.engines.native.llvm import Elsewhere, compile_module
from rulewright.interpreter.engines.native.module import FAILED, Module
from rulewright.interpreter.engines.native.optimise.ranges import HIGH, LOW
from rulewright.interpreter.engines.native.possibility_search import searching
from rulewright.interpreter.engines.native.representation import NUMBER, Unsupported
from rulewright.interpreter.engines.native.runtime import runtime
from rulewright.interpreter.engines.native.sights import NativeSights
from rulewright.interpreter.engines.native.statements import plain_function
from rulewright.interpreter.engines.playouts import (
    WORDS_A_STEP,
    at_random,
    bot_generator,
    result_at_random,
    results_at_random,
    totals,
)
from rulewright.interpreter.engines.results import Results
from rulewright.interpreter.text.errors import NoNativeEngineError
from rulewright.interpreter.text.faults import InternalError, Value

AT_ONCE: Final = 4096
"""The number of choices of a match that are made before Python can interrupt it."""

SHORT: Final = 200_000
"""The maximum size of LLVM IR, in characters, that is compiled immediately with full optimisation."""
MANY: Final = (100_000, 1_000_000)
"""The numbers of choices in playouts after which longer code is recompiled with better, and with full, optimisation."""
BEST: Final = 2
"""The level of LLVM that means full optimisation."""


def source(module: Module) -> str:
    """Write the LLVM IR of a module."""
    program = module.program
    texts = [plain_function(module, number) for number in module.kinds.reached]
    texts += [site_function(module, number) for number in range(len(program.sites))]
    texts += [Blocks(module, number).write() for number in range(len(program.suspending))]
    texts += searching(module)
    texts += playouts.plays(module)
    if results.can_tell(module):
        texts += [*results.results(module), *steps.steps(module), *game_calls.functions(module)]
    texts.append(results.totals(module))
    return "\n".join([*runtime(module), *module.texts, *texts])


def write_module(program: ir.Program) -> tuple[Facts, str]:
    """Return the facts about the native code of a program, and its LLVM IR."""
    try:
        with room_to_recurse():
            module = Module(program)
            text = source(module)
    except Unsupported as why:
        raise NoNativeEngineError(
            f"{program.title} cannot run in the native engine: {why}"
        ) from None
    asked = tuple((plain, module.kinds.result(plain) == NUMBER) for plain in module.asked)
    return Facts(module.layout.stride, module.tells, results.can_tell(module), asked), text


@define(eq=False, repr=False)
class NativeEngine:
    """Runs a program with native code."""

    program: ir.Program
    level: int | None = None
    """The optimisation level of LLVM: 0 to 2. If it is None, the engine decides."""
    _lock: Lock = field(init=False, factory=Lock)
    """Held during calls of native code that write log lines to the common buffer."""
    _noting: Lock = field(init=False, factory=Lock)
    """Held while choices are counted, because several threads search."""
    handed_over: int = field(init=False, default=0)
    """The number of times that native code has given up."""
    _python: python.PythonEngine | None = field(init=False, default=None)
    _facts: Facts = field(init=False)
    _text: str = field(init=False, default="")
    """The LLVM IR, if it can still be compiled to better code."""
    _level: int = field(init=False, default=0)
    """The optimisation level of the current code."""
    _coming: Elsewhere | None = field(init=False, default=None)
    """The compilation of better code, if one is running."""
    _made: int = field(init=False, default=0)
    """The number of choices that playouts have made with code that is not fully optimised."""
    _copy: Copy = field(init=False)
    _lanes: parallel.Lanes = field(init=False)
    _run: Callable[..., int] = field(init=False)
    take_option: TakeOption = field(init=False)
    """Implements `Engine.take_option`."""
    _advance: Callable[..., int | list[int]] = field(init=False)
    _options: Callable[..., int | list[int]] = field(init=False)
    _has: Callable[..., int] = field(init=False)
    _possible: Callable[..., int] = field(init=False)
    _value: Callable[..., int] = field(init=False)
    _asked: dict[int, tuple[int, bool]] = field(init=False)
    """For each procedure that Python can call, the index of the procedure in native code, and
    whether its value is a number."""
    _totals: Callable[..., int] = field(init=False)
    _play: Callable[..., int] = field(init=False)
    _listings: dict[str, Listing] = field(init=False)
    """The functions that list options. They are stored to keep alive the memory that calls read."""
    _value_listed: Callable[..., int | list[int]] = field(init=False)
    _size: int = field(init=False)
    _log_buffer: array[int] = field(init=False, factory=lambda: array("q", bytes(8 * lines.ROOM)))
    """A buffer for the lines of a step."""
    _events: array[int] | None = field(init=False, default=None)
    """Space for the events of a match."""

    def __attrs_post_init__(self) -> None:
        self._size = self.program.size
        code = module_of(self.program)
        if code is not None:
            self._facts = Facts.of(code)
        else:
            self._facts, text = write_module(self.program)
            quick = self.level is None and len(text) > SHORT
            self._text = text if quick else ""
            self._level = 0 if quick else BEST if self.level is None else self.level
            code = compile_module(text, self._level)
        self._asked = {
            plain: (place, is_number) for place, (plain, is_number) in enumerate(self._facts.asked)
        }
        takes = playouts.OFFERED
        taking = Taking(takes["rulewright_advance"], self._size)
        options = Listing(takes["rulewright_options"], self._size)
        value = Listing(takes["rulewright_value"], self._size)
        self._listings = {"advance": taking, "options": options, "value": value}
        self._advance, self.take_option = taking.call, taking.take
        self._options, self._value_listed = options.call, value.call
        self._link(code)

    def _link(self, code: bytes) -> None:
        stride = self._facts.stride
        self._copy = copy_of(code, stride, playouts.OFFERED)
        self._lanes = parallel.Lanes(self.program, code, stride)
        addresses = self._copy.addresses
        functions: dict[str, Any] = {}
        for name, takes in playouts.OFFERED.items():
            # These calls hold the GIL, because they share the memory.
            functions[name.removeprefix("rulewright_")] = direct(addresses[name], takes)
        self._run, self._has = functions["run"], functions["has"]
        self._possible, self._value = functions["possible"], functions["value"]
        self._totals = functions["totals"]
        self._play = functions["play"]
        for name, listing in self._listings.items():
            listing.link(addresses[f"rulewright_{name}"], self._copy.memory.offers)

    def _note(self, made: int) -> None:
        """Recompile code that is used often with better optimisation, and switch to the new code when it is ready."""
        with self._noting:
            self._made += made
            if not self._text:
                return
            if self._coming is not None:
                self._take(self._coming.finished_code())
            elif self._made > MANY[self._level]:
                self._coming = Elsewhere.begin(self._text, self._level + 1)
                if self._coming is None:
                    self._text = ""

    def _take(self, code: bytes | None) -> None:
        if code is None:
            return
        self._coming = None
        self._level += 1
        if code:
            with self._lock:
                self._link(code)
        if not code or self._level == BEST:
            self._text = ""

    def settle(self) -> None:
        """Wait for fully optimised code, as if the engine had been used often."""
        if self._text:
            self._coming, self._level = None, BEST - 1
            better = Elsewhere.begin(self._text, BEST)
            self._take(b"" if better is None else better.finished_code(wait=True))

    @property
    def everyday(self) -> python.PythonEngine:
        """Return the engine for all work that native code does not do."""
        if self._python is None:
            self._python = python.compile(self.program)
        return self._python

    def _over_to(self) -> python.PythonEngine:
        self.handed_over += 1
        return self.everyday

    # ---- play ------------------------------------------------------------------------------------

    def start(self) -> Cells:
        """Implement `Engine.start`."""
        return first_state(self.program)

    def run(self, cells: Cells, log: list[LogLine] | None = None) -> list[int] | None:
        """Implement `Engine.run`."""
        if log is not None:
            return self.everyday.run(cells, log)
        if cells[SITE] >= 0 or cells[OVER]:
            return None
        if self._run(self._address(cells)) == FAILED:
            return self._over_to().run(cells)
        return None

    def answer(self, cells: Cells, choice: int) -> None:
        """Implement `Engine.answer`."""
        slot = answer_slot(self.program, cells)
        if cells[BOUND] and not 0 <= choice < cells[BOUND]:
            raise InternalError(f"{choice} is not a result of this chance")
        cells[slot] = choice
        cells[SITE : BOUND + 1] = python.NOTHING_OPEN

    def advance(
        self, cells: Cells, choice: int, log: list[LogLine] | None = None
    ) -> list[int] | None:
        """Implement `Engine.advance`."""
        if log is not None and not self._facts.tells:
            return self.everyday.advance(cells, choice, log)
        try:
            if log is None:
                known = self._advance(cells, choice, 0)
            else:
                with self._lock:
                    known = self._advance(cells, choice, self._log_buffer.buffer_info()[0])
                    if known != FAILED:
                        log.extend(lines.lines_in(self._log_buffer))
        except TypeError:
            self._address(cells)  # reports the error if this is not a state of the game
            raise
        if isinstance(known, list):
            return known
        return None if known == 0 else self._over_to().advance(cells, choice, log)

    def at_random(
        self,
        cells: Cells,
        chance: Generator,
        bots: Generator,
        longest: int | None = None,
        counts: list[int] | None = None,
    ) -> None:
        """Implement `Engine.at_random`."""
        room = array("i", bytes(4 * AT_ONCE)) if counts is not None else array("i")
        left = -1 if longest is None else longest
        while True:
            where = room.buffer_info()[0] if counts is not None else 0
            driven = array("Q", driven_by(chance, bots, left, where))
            why = self._play(self._address(cells), driven.buffer_info()[0])
            if why == FAILED:
                longest = None if left < 0 else left
                at_random(self, cells, chance, bots, longest, counts)  # step by step
                return
            made = driven[driving.MADE]
            chance.counter += (driven[driving.CHANCE_COUNTER] - chance.counter) & MASK
            bots.counter += made * WORDS_A_STEP
            self._note(made)
            if counts is not None:
                counts.extend(room[:made])
            if left > 0:
                left -= made
            if why != playouts.INTERRUPTED:
                return

    @property
    def notes(self) -> bool:
        """Implement `Engine.notes`."""
        return True

    def noted_at_random(
        self, cells: Cells, seed: int, longest: int, names: Sequence[Cells | None]
    ) -> array[int] | None:
        """Implement `Engine.noted_at_random`."""
        if self._events is None:
            self._events = array("q", bytes(8 * (AT_ONCE + STEPS + 2)))
        events, work, found = self._events, cells[:], array("q")
        begin, width = events.buffer_info()[0], events.itemsize
        twins = array("Q", (0 if each is None else each.buffer_info()[0] for each in names))
        chance, bots = Generator(key_of(seed)), bot_generator(seed, 0)
        driven = array("Q", driven_by(chance, bots, longest, 0))
        driven[driving.NOTED_END] = begin + width * AT_ONCE
        driven[driving.TWINS] = twins.buffer_info()[0]
        addresses = self._address(work), driven.buffer_info()[0]
        while True:
            driven[driving.NOTED] = begin + width
            why = self._play(*addresses)
            if why == FAILED:
                self.handed_over += 1
                return None
            found += events[1 : (driven[driving.NOTED] - begin) // width]
            self._note(driven[driving.MADE])
            if why != playouts.INTERRUPTED:
                return found

    def results_at_random(
        self, cells: Cells, seeds: Iterable[int], longest: int, jobs: int = 1
    ) -> Iterator[Results]:
        """Implement `Engine.results_at_random`."""
        if not self._facts.has_results:
            yield from results_at_random(self, cells, seeds, longest)
            return
        for part in parallel.parts(lambda: self._lanes, cells, seeds, longest, jobs):
            for play in part.left:
                self.handed_over += 1
                seed = part.seeds[play]
                result_at_random(self, cells, seed, longest, part.found, play)
            self._note(part.choices)
            yield part.found

    def step_all(self, slots: Slots, restart: bool = False) -> None:
        """Implement `Engine.step_all`."""
        if not self._facts.has_results:
            step_all(self, slots, restart)
            return
        self._lanes.step_all(slots, restart)
        self._note(slots.count)
        place = slots.left.tobytes().find(1)
        while place >= 0:
            step(self._over_to(), slots, place, restart)
            slots.left[place] = 0
            place = slots.left.tobytes().find(1, place)
        self._note(slots.count)

    # ---- options and points ----------------------------------------------------------------------

    def options(self, cells: Cells) -> list[int]:
        """Implement `Engine.options`."""
        if cells[BOUND]:
            return list(range(cells[BOUND]))
        known = self._options(cells)
        return known if isinstance(known, list) else self._over_to().options(cells)

    def has_option(self, cells: Cells, option: int) -> bool:
        """Implement `Engine.has_option`."""
        if cells[BOUND]:
            return 0 <= option < cells[BOUND]
        if not LOW <= option <= HIGH:
            return False
        found = self._has(self._address(cells), option)
        return self._over_to().has_option(cells, option) if found == FAILED else found == 1

    def refusals(self, cells: Cells) -> dict[int, Refusal]:
        """Implement `Engine.refusals`."""
        return self.everyday.refusals(cells)

    def site_arguments(self, cells: Cells) -> tuple[Value, ...]:
        """Implement `Engine.site_arguments`."""
        return self.everyday.site_arguments(cells)

    def prompt_arguments(self, cells: Cells) -> tuple[Value, ...]:
        """Implement `Engine.prompt_arguments`."""
        return self.everyday.prompt_arguments(cells)

    # ---- single procedures -----------------------------------------------------------------------

    def value(self, cells: Cells, plain: int, arguments: Sequence[Value] = ()) -> Value:
        """Implement `Engine.value`."""
        place, is_number = self._asked.get(plain, (-1, False))
        given = in_cells(arguments, self.program.plain[plain].parameters)
        if place >= 0 and given is not None:
            address = given.buffer_info()[0]
            if is_number:
                found = self._value(self._address(cells), place, address)
                if found != FAILED:
                    return found
            else:
                listed = self._value_listed(cells, place, address)
                if listed != FAILED:
                    return tuple(listed) if isinstance(listed, list) else ()
        return self.everyday.value(cells, plain, arguments)

    def totals(self, cells: Cells) -> list[int]:
        """Implement `Engine.totals`."""
        found = array("q", bytes(8 * self.program.seats))
        if self._totals(self._address(cells), found.buffer_info()[0]) == FAILED:
            return totals(self.everyday, cells)
        return found.tolist()

    def possible(self, cells: Cells, suspending: int, arguments: Sequence[int], actor: int) -> bool:
        """Implement `Engine.possible`."""
        given = in_cells(arguments, self.program.suspending[suspending].parameters)
        if given is not None:
            where = given.buffer_info()[0]
            found = self._possible(self._address(cells), suspending, where, len(given), actor)
            if found != FAILED:
                return found == 1
        return self._over_to().possible(cells, suspending, arguments, actor)

    def call(self, cells: Cells, suspending: int, arguments: Sequence[int] = ()) -> Cells:
        """Implement `Engine.call`."""
        return start_procedure(self.program, cells, suspending, arguments)

    @property
    def searches(self) -> bool:
        """Return whether the engine can run the trials of a search."""
        return self._facts.has_results

    def get_ready(self) -> None:
        """Implement `NativeTrials.get_ready`."""
        self._lanes.get_ready()

    def trials(self, t: Tree, most: int, task: str = "trials") -> Done:
        """Implement `NativeTrials.trials`."""
        before = t.decisions
        done = self._lanes.search(t, most, task)
        if done is Done.NOT:
            self.handed_over += 1
        self._note(max(0, t.decisions - before))
        return done

    def observing(self, t: Tree) -> NativeSights:
        """Implement `NativeTrials.observing`."""
        return NativeSights(t)

    # ---- helpers ---------------------------------------------------------------------------------

    def _address(self, cells: Cells) -> int:
        address, size = cells.buffer_info()
        if size != self._size:
            raise InternalError("these cells are not a state of this game")
        return address


def in_cells(arguments: Sequence[Value], count: int) -> array[int] | None:
    """If there are `count` arguments, and all are numbers that fit into cells, return them as cells, otherwise None."""
    numbers = [argument for argument in arguments if isinstance(argument, int)]
    if len(numbers) == len(arguments) == count and all(LOW <= n <= HIGH for n in numbers):
        return array("i", numbers)
    return None


def driven_by(chance: Generator, bots: Generator, left: int, counts: int) -> list[int]:
    """Return the parameters for a playout."""
    return [
        chance.key & MASK,
        chance.counter & MASK,
        bots.key & MASK,
        bots.counter & MASK,
        left & MASK,
        counts,
        AT_ONCE,
        *[0] * (driving.DRIVEN - driving.MADE),
    ]
