"""Runs whole random playouts on states that are lists. Choices and chance are drawn where they occur.

Lists are read faster than arrays. They end with the stack, and a single item contains all far
cells, which copies share. During a playout the state is not visible, so frames and the header need
not be complete. The functions of blocks are written when they are first needed. The reference
engine repeats some playouts from the start: those with an option that must be drawn again, a fault,
or too many choices.
"""

from __future__ import annotations

import builtins
from array import array
from collections.abc import Callable, Iterable, MutableSequence, Sequence
from itertools import repeat
from threading import RLock
from typing import Any, TypeAlias

from attrs import define, field

from rulewright.dsl import ir
from rulewright.dsl.ir import BOUND, FP, FRAME, GUARD, HALT, OVER, PLAYER, RESUME, SITE, SP
from rulewright.interpreter.engines import possibility_search
from rulewright.interpreter.engines.analysis.flow import flow_of
from rulewright.interpreter.engines.analysis.procedures import Knowledge, walk
from rulewright.interpreter.engines.chance import WORD, Generator, Words
from rulewright.interpreter.engines.codegen.blocks import block_function
from rulewright.interpreter.engines.codegen.code import Flags, Shared
from rulewright.interpreter.engines.codegen.functions import Module, plain_function, site_function
from rulewright.interpreter.engines.codegen.statements import Variant
from rulewright.interpreter.engines.codegen.support import Memo, keep_in_list, lists_of, names_of
from rulewright.interpreter.engines.engine import STEPS, Cells, Refusal, room_to_recurse, stuck
from rulewright.interpreter.engines.playouts import WORDS_A_STEP
from rulewright.interpreter.text.faults import InternalError, no_progress, too_deep

Numbers: TypeAlias = Any
"""A state that is a list of numbers. The search treats it as an array."""
Step: TypeAlias = Callable[[Numbers], int]
Steps: TypeAlias = Any
Offers: TypeAlias = Callable[..., list[int]]

TURNS = 100 * STEPS
"""The maximum number of loop iterations in a match. If a match exceeds it, the reference engine plays the match."""


class Again(Exception):
    """Raised if a number must be drawn again."""


class Functions(dict[int, Step]):
    """The functions of blocks, written when they are first needed."""

    def __init__(self, play: Playing, module: Module) -> None:
        super().__init__()
        self.play = play
        self.module = module

    def __missing__(self, block: int) -> Step:
        """Write the function of a block."""
        with room_to_recurse():
            self.play.add(self.module, [block_function(self.module, block)])
        step: Step = self.play.names.pop(f"b{block}")
        self[block] = step
        return step


@define(eq=False)
class Playing:
    """Plays playouts on lists, and is the `Runner` for the searches in these playouts."""

    knowledge: Knowledge
    tells: bool
    """Whether the number of options is reported at each choice."""
    failed: int = field(init=False, default=0)
    """The number of playouts left to the reference engine."""
    names: dict[str, Any] = field(init=False, factory=dict)
    _lock: RLock = field(init=False, factory=RLock)
    program: ir.Program = field(init=False)
    memory: possibility_search.Memory = field(init=False, factory=possibility_search.Memory)
    _shared: Shared = field(init=False, factory=Shared)
    _steps: Functions = field(init=False)
    _searching: Functions = field(init=False)
    _slots: list[int] = field(init=False)
    _searches: list[bool] = field(init=False)
    _stack: int = field(init=False)
    """The index at which the stack begins in a list."""
    _offers: dict[int, Offers] = field(init=False, factory=dict)
    _sure: dict[int, Offers] = field(init=False, factory=dict)
    _moved: list[Numbers | None] = field(init=False, factory=lambda: [None])
    """The state found by a search, from which the match continues."""
    _known: list[tuple[Numbers, possibility_search.Step | None] | None] = field(
        init=False, factory=lambda: [None]
    )
    """The state at a new decision of a run, and how a search continues from there."""

    def __attrs_post_init__(self) -> None:
        knowledge, shared = self.knowledge, self._shared
        program = self.program = knowledge.program
        self._slots = [FRAME + site.slot for site in program.sites]
        self._searches = [site.search for site in program.sites]
        draws = Flags(lists=True, draws=True, tells=self.tells)
        module = Module(flow_of(knowledge, draws=True), draws, shared)
        flow = flow_of(knowledge)
        stops = Flags(lists=True, stops=flow.has_scopes)
        self._stack = flow.stack_in_lists
        self._steps = Functions(self, module)
        self._searching = Functions(self, Module(flow, stops, shared))
        self.names |= {
            "Again": Again,
            "keep": keep_in_list,
            "possible": self._possible,
            "do": self._do,
            "go_on": self._go_on,
            "set_far": self._set_far,
            "turns": repeat(None, STEPS),
        }
        self.names |= names_of(self.program)
        with room_to_recurse():
            called = _called_procedures(self.program)
            plains = [n for n in sorted(called) if not knowledge.offers(n)]
            texts = [plain_function(module, number) for number in plains]
            variants: tuple[Variant, ...] = ("list", "any")
            for variant in variants:
                texts += [plain_function(module, n, variant) for n in knowledge.helpers]
            for site in range(len(self.program.sites)):
                texts.append(site_function(module, site, "list", is_given=True))
                texts.append(site_function(module, site, "any"))
            self.add(module, texts)
        for number in called:
            if knowledge.is_timeless(number, counts=False):
                parameters = self.program.plain[number].parameters
                self.names[f"M{number}"] = Memo(self.names[f"p{number}"], parameters)

    def add(self, module: Module, texts: list[str]) -> None:
        """Compile functions and their shared parts."""
        names, shared = self.names, self._shared
        source = "\n".join([*texts, *shared.functions])
        shared.functions.clear()
        names.update(shared.constants)
        title = "play on lists" if module.flags.draws else "search on lists"
        exec(builtins.compile(source, f"<{self.program.title}: {title}>", "exec"), names)
        for memo, parameters in shared.memos.items():
            if memo not in names:
                names[memo] = lists_of(names[memo.replace("Mf", "mf")], parameters)

    # ---- playouts --------------------------------------------------------------------------------

    def play(
        self,
        cells: Cells,
        chance: Generator,
        bots: Generator,
        longest: int | None,
        counts: list[int] | None,
    ) -> bool:
        """Play to the end, and append the number of options of each choice to `counts`.

        Returns whether this was possible. If not, nothing has changed. Threads wait for each other,
        because they share the generators.
        """
        with self._lock:
            return self._play(cells, chance, bots, longest, counts)

    def _play(
        self,
        cells: Cells,
        chance: Generator,
        bots: Generator,
        longest: int | None,
        counts: list[int] | None,
    ) -> bool:
        before = 0 if counts is None else len(counts)
        choices = Words(bots.key, bots.counter, WORDS_A_STEP, longest)
        draws = Words(chance.key, chance.counter)
        names = self.names
        names["choice"], names["chance"] = choices.take, draws.take
        names["tell"] = None if counts is None else counts.append
        try:
            end = self._play_list(self.list_of(cells))
            cells[:] = self.array_of(end)
        except Exception:  # the reference engine reports the failure
            self.failed += 1
            if counts is not None:
                del counts[before:]
            return False
        chance.counter, bots.counter = draws.counter, choices.counter
        return True

    def list_of(self, cells: Cells) -> Numbers:
        """Convert a state to a list: without the free part of the stack, and with all far cells in a single item."""
        found = cells[: cells[SP]].tolist()
        program = self.program
        if program.far:
            far: Any = cells[program.far : program.stack]
            found[program.far : program.stack] = [far]
            self._move_stack(found, program.stack, program.far + 1 - program.stack)
        return found

    def array_of(self, cells: Numbers) -> Cells:
        """Convert a list to an array, because callers use arrays as states."""
        program = self.program
        if program.far:
            far: Any = cells[program.far]
            found: Cells = (
                array("i", cells[: program.far]) + far + array("i", cells[program.far + 1 :])
            )
            self._move_stack(found, program.far + 1, program.stack - program.far - 1)
        else:
            found = array("i", cells)
        found += array("i", bytes(4 * (program.size - len(found))))
        return found

    def _move_stack(self, cells: MutableSequence[int], stack: int, by: int) -> None:
        """Adjust the pointers into the stack, which began at `stack`, after the stack has moved."""
        cells[SP] += by
        place = FP
        while cells[place] >= stack:
            cells[place] += by
            place = cells[place] + 1

    def _set_far(self, cells: Numbers, address: int, value: int) -> None:
        """Set a far cell. Copies of the state do not change."""
        far: Any = cells[self.program.far]
        far = far[:]
        far[address] = value
        cells[self.program.far] = far

    def _play_list(self, cells: Numbers) -> Numbers:
        names, steps, moved, known = self.names, self._steps, self._moved, self._known
        choice, tell = names["choice"], names["tell"]
        moved[0] = known[0] = None
        while not cells[OVER]:
            site = cells[SITE]
            if site < 0:
                block, cells[RESUME] = cells[RESUME], HALT
                if block == HALT:
                    raise InternalError("there is no block to resume here")
                names["turns"] = turns = repeat(None, TURNS)
                for _ in turns:
                    block = steps[block](cells)
                    if not block:
                        break
                else:
                    raise no_progress()
                found = moved[0]
                if found is not None:
                    cells, moved[0] = found, None
            elif cells[BOUND]:
                cells[cells[FP] + FRAME + self.program.chances[site].slot] = self._below(
                    names["chance"], cells[BOUND]
                )
                cells[SITE] = -1
                cells[BOUND] = 0
            else:
                offered, done = self._list_offers(cells), None
                if cells[GUARD] and self._searches[site]:
                    way, known[0] = known[0], None
                    step = way[1] if way is not None and way[0] is cells else None
                    ways = possibility_search.real_ways(self, cells, offered, step)
                    offered = list(ways)
                    option = offered[self._below(choice, len(offered))]
                    done = ways[option]
                else:
                    option = offered[self._below(choice, len(offered))]
                if tell is not None:
                    tell(len(offered))
                if done is None:
                    self._answer(cells, option)
                else:
                    cells = done
        return cells

    def _below(self, take: Callable[[], int], bound: int) -> int:
        product = take() * bound
        if product & WORD < bound:
            raise Again
        return product >> 32

    def _answer(self, cells: Numbers, choice: int) -> None:
        cells[cells[FP] + self._slots[cells[SITE]]] = choice
        cells[SITE] = cells[PLAYER] = -1

    # ---- searches --------------------------------------------------------------------------------

    def go(self, cells: Cells, floor: int) -> int:
        """Implement `Runner.go`, without counting."""
        run(self.program, self._searching, (self.names,), cells, floor)
        return 0

    def call(self, cells: Cells, suspending: int, arguments: Sequence[int] = ()) -> Cells:
        """Implement `Runner.call`."""
        procedure = self.program.suspending[suspending]
        frame, copy = len(cells), cells[:]
        room = self.program.size - self.program.stack + self._stack
        if frame + FRAME + procedure.locals > room:
            raise too_deep(procedure.span)
        copy[SITE] = copy[PLAYER] = -1
        copy[BOUND] = copy[GUARD] = copy[OVER] = 0
        rest = [0] * (procedure.locals - len(arguments))
        copy.extend([HALT, 0, *arguments, *rest])
        copy[FP], copy[SP], copy[RESUME] = frame, len(copy), procedure.entry
        return copy

    def take(self, cells: Cells, choice: int, floor: int) -> tuple[Cells, int]:
        """Implement `Runner.take`, without counting."""
        copy: Numbers = cells[:]
        copy[copy[FP] + self._slots[copy[SITE]]] = choice
        copy[SITE] = copy[PLAYER] = -1
        run(self.program, self._searching, (self.names,), copy, floor)
        return copy, 0

    def enumerate_offered(self, cells: Cells) -> list[int]:
        """Implement `Runner.enumerate_offered`."""
        return self._list_offers(cells)

    def sure(self, cells: Cells) -> list[int]:
        """Implement `Runner.sure`."""
        return self._list_offers(cells, is_sure=True)

    def enumerate_refused(self, cells: Cells) -> dict[int, Refusal]:
        """Implement `Runner.enumerate_refused`. Playouts need no reasons."""
        raise InternalError("reasons are never requested")

    def _list_offers(self, cells: Numbers, *, is_sure: bool = False) -> list[int]:
        site, known = cells[SITE], self._sure if is_sure else self._offers
        offers = known.get(site)
        if offers is None:
            name, module = f"{'k' if is_sure else 'o'}s{site}", self._searching.module
            with room_to_recurse():
                self.add(module, [site_function(module, site, "list", is_sure=is_sure)])
            offers = known[site] = self.names[name]
        return offers(cells)

    def _possible(self, cells: Cells, procedure: int, arguments: list[int], actor: int) -> bool:
        return possibility_search.is_possible(self, cells, procedure, arguments, actor)

    def _do(self, cells: Cells, body: int, actor: int, otherwise: int) -> int:
        return possibility_search.do(self, cells, body, actor, otherwise)

    def _go_on(self, cells: Cells, body: int, actor: int, otherwise: int) -> int:
        """Run a block in the same way as `possibility_search.do`.

        The playout continues in the state that the search has found.
        """
        is_outer = not cells[GUARD]
        way = possibility_search.way_into(self, cells, body, actor)
        if way is None:
            return otherwise
        state = way.state
        self._moved[0] = state
        self._known[0] = (state, way.step) if is_outer and state[SITE] >= 0 else None
        return HALT


def run(
    program: ir.Program, steps: Steps, looping: Iterable[dict[str, Any]], cells: Cells, floor: int
) -> None:
    """Run in place for a search (see `Runner`)."""
    for names in looping:
        names["turns"] = repeat(None, STEPS)
    block = cells[RESUME]
    cells[RESUME] = HALT
    while block:
        for _ in repeat(None, STEPS):
            block = steps[block](cells)
            if block <= 0:
                break
        else:
            raise stuck(program, cells, block, lambda block: steps[block](cells))
        if block:
            block = ~block
            if cells[GUARD] == floor:
                cells[RESUME] = block
                return


def _called_procedures(program: ir.Program) -> set[int]:
    """Return the plain procedures that may be called during a run."""
    todo: list[int] = [site.enumerator for site in program.sites]
    todo += [site.sure for site in program.sites if site.sure is not None]
    parts: list[object] = [(block.body, block.end) for block in program.blocks]
    parts += [site.arguments for site in program.sites]
    found: set[int] = set()
    while todo or parts:
        if todo:
            number = todo.pop()
            if number in found:
                continue
            found.add(number)
            parts.append(program.plain[number].body)
        for node in walk(parts.pop()):
            if isinstance(node, (ir.CallValue, ir.CallPlain)):
                todo.append(node.procedure)
    return found
