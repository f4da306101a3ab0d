"""Implements the reference interpreter, which defines the meaning of programs in the core IR.

It is a tree walker over numbered blocks, written to be readable, not fast. Every other engine must
agree with the reference interpreter cell by cell. The interpreter also checks the guarantees of the
compiler (addresses, indices and types of values), and raises `InternalError` if one is broken. It
does not depend on names, words or players.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TypeAlias, assert_never

from attrs import define, field

from rulewright.dsl import ir
from rulewright.dsl.immutable import frozen
from rulewright.dsl.ir import BOUND, FP, FRAME, GUARD, HALT, HEADER, OVER, PLAYER, RESUME, SITE
from rulewright.interpreter.engines import possibility_search
from rulewright.interpreter.engines.engine import (
    STEPS,
    Cells,
    LogLine,
    Refusal,
    answer_slot,
    first_state,
    is_open,
    pop,
    push,
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
    declared_fault,
    impossible_step,
    no_progress,
    too_deep,
)

Locals: TypeAlias = "list[Value] | Frame"

OPERATORS: dict[ir.BinaryWord, Callable[[int, int], int]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "//": operator.floordiv,
    "%": operator.mod,
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "min": min,
    "max": max,
}


@define(eq=False, repr=False)
class Reference(StepByStep):
    """The engine that defines the meaning of programs.

    `counts` contains how often each mark was reached, not counting searches.
    """

    program: ir.Program
    counts: list[int] | None = None
    steps: int = STEPS
    memory: None = None  # each search starts without earlier results
    heard: list[tuple[int, Value]] | None = None
    """Records calls of plain procedures, each with its number and its first argument."""
    watcher: Callable[[object, Cells], None] | None = None
    """A function that is called with each block before the block runs, and with each statement after it has run."""

    # ---- play ------------------------------------------------------------------------------------

    def start(self) -> Cells:
        """Implement `Engine.start`."""
        return first_state(self.program)

    def run(self, cells: Cells, log: list[LogLine] | None = None) -> list[int] | None:
        """Implement `Engine.run`."""
        if not is_open(cells):
            with self._faults():
                _Walk(self, cells, log, self.counts).go(possibility_search.NEVER)
        return None

    def answer(self, cells: Cells, choice: int) -> None:
        """Implement `Engine.answer`."""
        slot = answer_slot(self.program, cells)
        if cells[BOUND] and not 0 <= choice < cells[BOUND]:
            raise InternalError(f"{choice} is not a result of this chance")
        cells[slot] = choice
        cells[SITE] = cells[PLAYER] = -1
        cells[BOUND] = 0

    def advance(
        self, cells: Cells, choice: int, log: list[LogLine] | None = None
    ) -> list[int] | None:
        """Implement `Engine.advance`."""
        self.answer(cells, choice)
        return self.run(cells, log)

    def last_block(self, cells: Cells, choice: int) -> ir.Block | None:
        """Advance the state as `advance` does, but return the last block that was run."""
        self.answer(cells, choice)
        walk = _Walk(self, cells, None, self.counts)
        with self._faults():
            walk.go(possibility_search.NEVER)
        return walk.last

    # ---- options and points ----------------------------------------------------------------------

    def totals(self, cells: Cells) -> list[int]:
        """Implement `Engine.totals`."""
        return totals(self, cells)

    def options(self, cells: Cells) -> list[int]:
        """Implement `Engine.options`."""
        if cells[BOUND]:
            return list(range(cells[BOUND]))
        site = self._site(cells)
        with self._faults():
            options = self._enumerate(cells).offered
            if site.search and cells[GUARD]:
                options = possibility_search.real_options(self, cells, options)
            if not options:
                raise Impossible(site.empty)
        return options

    def has_option(self, cells: Cells, option: int) -> bool:
        """Implement `Engine.has_option`."""
        if cells[BOUND]:
            return 0 <= option < cells[BOUND]
        site = self._site(cells)
        with self._faults():
            if option not in self.enumerate_offered(cells):
                return False
            return not (site.search and cells[GUARD]) or possibility_search.is_real(
                self, cells, option
            )

    def refusals(self, cells: Cells) -> dict[int, Refusal]:
        """Implement `Engine.refusals`."""
        if cells[BOUND]:
            return {}
        site = self._site(cells)
        with self._faults():
            offers = self._enumerate(cells, reasons=True)
            if site.search and cells[GUARD]:
                offers.refused |= possibility_search.refused_options(self, cells, offers.offered)
        return offers.refused

    def site_arguments(self, cells: Cells) -> tuple[Value, ...]:
        """Implement `Engine.site_arguments`."""
        return self._at_site(cells, self._site(cells).arguments)

    def chance_values(self, cells: Cells) -> tuple[int, ...]:
        """Return the possible outcomes of the open chance event, in order."""
        site = self.program.chances[cells[SITE]]
        if site.values is None:
            return tuple(range(site.low, site.low + cells[BOUND]))
        frame = Frame.last(cells, self.program.suspending[site.procedure])
        with self._faults():
            return tuple(map(number, items(_Walk(self, cells).value(site.values, frame))))

    def prompt_arguments(self, cells: Cells) -> tuple[Value, ...]:
        """Implement `Engine.prompt_arguments`."""
        return self._at_site(cells, self._site(cells).prompt_arguments)

    # ---- single procedures -----------------------------------------------------------------------

    def value(self, cells: Cells, plain: int, arguments: Sequence[Value] = ()) -> Value:
        """Implement `Engine.value`."""
        with self._faults():
            return _Walk(self, cells, None, self.counts).call(plain, arguments)

    def possible(self, cells: Cells, suspending: int, arguments: Sequence[int], actor: int) -> bool:
        """Implement `Engine.possible`."""
        with self._faults():
            return possibility_search.is_possible(self, cells, suspending, arguments, actor)

    def call(self, cells: Cells, suspending: int, arguments: Sequence[int] = ()) -> Cells:
        """Implement `Engine.call`."""
        return start_procedure(self.program, cells, suspending, arguments)

    # ---- requests of the search ------------------------------------------------------------------

    def go(self, cells: Cells, floor: int) -> int:
        """Implement `Runner.go`."""
        return _Walk(self, cells).go(floor)

    def take(self, cells: Cells, choice: int, floor: int) -> tuple[Cells, int]:
        """Implement `Runner.take`."""
        copy = cells[:]
        self.answer(copy, choice)
        return copy, self.go(copy, floor)

    def enumerate_offered(self, cells: Cells) -> list[int]:
        """Implement `Runner.enumerate_offered`."""
        offers = _Offers()
        _Walk(self, cells, offers=offers).enumerate(self._site(cells))
        return offers.offered

    def sure(self, cells: Cells) -> list[int]:
        """Implement `Runner.sure`."""
        offers, site = _Offers(), self._site(cells)
        walk = _Walk(self, cells, offers=offers)
        if site.sure is not None:
            walk.call(site.sure, walk.at_site(site, site.arguments))
        return offers.offered

    def enumerate_refused(self, cells: Cells) -> dict[int, Refusal]:
        """Implement `Runner.enumerate_refused`."""
        offers = _Offers(reasons=True)
        _Walk(self, cells, offers=offers).enumerate(self._site(cells))
        return offers.refused

    def step(self, cells: Cells, block: int) -> int:
        """Run the block with this number. Return the number of the next block, or HALT."""
        with self._faults():
            return _Walk(self, cells).step(block)

    # ---- helpers ---------------------------------------------------------------------------------

    def _site(self, cells: Cells) -> ir.Site:
        if not is_open(cells) or cells[BOUND]:
            raise InternalError("no decision is open")
        return self.program.sites[cells[SITE]]

    def _at_site(self, cells: Cells, arguments: tuple[ir.Expr, ...]) -> tuple[Value, ...]:
        with self._faults():
            return _Walk(self, cells).at_site(self._site(cells), arguments)

    def _enumerate(self, cells: Cells, reasons: bool = False) -> _Offers:
        offers = _Offers(reasons=reasons)
        _Walk(self, cells, None, self.counts, offers).enumerate(self._site(cells))
        return offers

    @contextmanager
    def _faults(self) -> Iterator[None]:
        try:
            with room_to_recurse():
                yield
        except Impossible as failure:
            raise impossible_step(self.program, failure) from None
        except RecursionError:
            raise too_deep() from None
        except OverflowError:
            raise InternalError("a number does not fit into a cell") from None


# ---- locals, offers, ways to leave a statement ---------------------------------------------------


@frozen
class Frame:
    """The locals of a suspending procedure, which are cells of the state."""

    cells: Cells
    base: int
    size: int

    @classmethod
    def last(cls, cells: Cells, procedure: ir.Suspending) -> Frame:
        """Return the locals of the running procedure."""
        return cls(cells, cells[FP] + FRAME, procedure.locals)

    def __getitem__(self, slot: int) -> Value:
        return self.cells[self.base + within(slot, self.size, "slot")]

    def __setitem__(self, slot: int, value: Value) -> None:
        self.cells[self.base + within(slot, self.size, "slot")] = number(value)


class _Found(Exception):
    """Raised when the first offer has been made and no other offer is needed."""


@define
class _Offers:
    """The options that an enumerator offers and (with `reasons`) refuses. With `first`, it stops at the first offer."""

    first: bool = False
    reasons: bool = False
    offered: list[int] = field(factory=list)
    refused: dict[int, Refusal] = field(factory=dict)

    def offer(self, option: int) -> None:
        self._new(option)
        self.offered.append(option)
        if self.first:
            raise _Found

    def refuse(self, option: int, refusal: Refusal) -> None:
        self._new(option)
        self.refused[option] = refusal

    def _new(self, option: int) -> None:
        if option in self.refused or option in self.offered:
            raise InternalError(f"option {option} is offered or refused twice")


@frozen
class _Left:
    """Describes how a statement has ended early: by Break, by Continue, or by Return with a value."""

    by: type[ir.Break | ir.Continue | ir.Return]
    value: Value = 0


BREAK = _Left(ir.Break)
CONTINUE = _Left(ir.Continue)


def number(value: Value) -> int:
    """Return a value, and check that it is a number."""
    if not isinstance(value, int):
        raise InternalError(f"{value} is not a number")
    return value


def items(value: Value) -> tuple[Value, ...]:
    """Return a value, and check that it is a list."""
    if not isinstance(value, tuple):
        raise InternalError(f"{value} is not a list")
    return value


def within(index: int, size: int, what: str, low: int = 0) -> int:
    """Return an index, and check that it is at least `low` and less than `size`."""
    if not low <= index < size:
        raise InternalError(f"there is no {what} {index}")
    return index


# ---- the walk ------------------------------------------------------------------------------------


@define(eq=False)
class _Walk:
    """Runs the program on one state."""

    engine: Reference
    cells: Cells
    log: list[LogLine] | None = None
    counts: list[int] | None = None
    offers: _Offers | None = None
    blocks: int = 0
    turns: int = 0
    last: ir.Block | None = None
    program: ir.Program = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.program = self.engine.program

    # ---- blocks ----------------------------------------------------------------------------------

    def go(self, floor: int) -> int:
        """Run to the next decision, the end, a return to HALT, or a Leave with GUARD at `floor`."""
        cells, block = self.cells, self.cells[RESUME]
        if is_open(cells) or cells[OVER]:
            return 0
        try:
            cells[RESUME] = HALT
            while block != HALT:
                self.blocks += 1
                self.turns += 1
                if self.turns > self.engine.steps:
                    self.turns = 0
                    raise stuck(self.program, cells, block, self.step)
                guard = cells[GUARD]
                block = self.run_block(self.program.blocks[block])
                if cells[GUARD] < guard and cells[GUARD] == floor:
                    cells[RESUME] = block
                    break
        except Impossible as failure:
            failure.blocks = self.blocks
            raise
        return self.blocks

    def step(self, block: int) -> int:
        """Run the block with this number. Return the number of the next block, or HALT."""
        return self.run_block(self.program.blocks[block])

    def run_block(self, block: ir.Block) -> int:
        """Run a block. Return the number of the next block, or HALT."""
        self.last = block
        cells = self.cells
        procedure = self.program.suspending[block.procedure]
        frame = Frame.last(cells, procedure)
        if self.engine.watcher is None:
            self.run_all(block.body, frame)
        else:
            self.run_watched(block, frame, self.engine.watcher)
        match block.end:
            case ir.Goto(target):
                return target
            case ir.Branch(condition, then, otherwise):
                return then if self.number(condition, frame) else otherwise
            case ir.CallThen(callee, arguments, back):
                values = [self.number(argument, frame) for argument in arguments]
                push(self.program, cells, self.program.suspending[callee], back, values)
                return self.program.suspending[callee].entry
            case ir.Choose(site, player, _, back):
                cells[PLAYER] = within(self.number(player, frame), self.program.seats, "player")
                cells[SITE] = site
                cells[RESUME] = back
                if not self.offers_any(self.program.sites[site]):
                    raise Impossible(self.program.sites[site].empty, (), cells)
                return HALT
            case ir.Chance(site, bound, slot, back):
                cells[BOUND] = self.number(bound, frame)
                if cells[BOUND] <= 1:
                    cells[BOUND] = 0
                    frame[slot] = 0
                    return back
                cells[SITE] = site
                cells[RESUME] = back
                return HALT
            case ir.Finish():
                return pop(cells, procedure)
            case ir.Enter(target):
                cells[GUARD] += 1
                return target
            case ir.Leave(target):
                cells[GUARD] = within(cells[GUARD] - 1, cells[GUARD], "open scope")
                return target
            case ir.Try(body, otherwise, actor):
                who = self.number(actor, frame)
                return (
                    body if possibility_search.can_do(self.engine, cells, body, who) else otherwise
                )
            case ir.EndGame():
                cells[OVER] = 1
                return HALT
            case _:
                assert_never(block.end)

    # ---- decisions -------------------------------------------------------------------------------

    def offers_any(self, site: ir.Site) -> bool:
        """Return whether the enumerator of an open decision offers anything. The enumerator runs
        only to its first offer."""
        try:
            walk = _Walk(self.engine, self.cells, None, self.counts, _Offers(first=True))
            walk.enumerate(site)
        except _Found:
            return True
        return False

    def enumerate(self, site: ir.Site) -> None:
        """Run the enumerator of an open decision."""
        self.call(site.enumerator, self.at_site(site, site.arguments))

    def at_site(self, site: ir.Site, arguments: tuple[ir.Expr, ...]) -> tuple[Value, ...]:
        """Evaluate expressions in the frame in which a decision is open."""
        frame = Frame.last(self.cells, self.program.suspending[site.procedure])
        return tuple(self.value(argument, frame) for argument in arguments)

    # ---- statements ------------------------------------------------------------------------------

    def call(self, plain: int, arguments: Sequence[Value]) -> Value:
        """Call a plain procedure."""
        procedure = self.program.plain[plain]
        if len(arguments) != procedure.parameters:
            raise InternalError(f"{procedure.name} takes {procedure.parameters} arguments")
        if self.engine.heard is not None and arguments:
            self.engine.heard.append((plain, arguments[0]))
        rest = max(procedure.locals - procedure.parameters, 0)
        left = self.run_all(procedure.body, [*arguments, *[0] * rest])
        return left.value if left else 0

    def run_watched(
        self, block: ir.Block, frame: Frame, watcher: Callable[[object, Cells], None]
    ) -> None:
        """Run the statements of a block, and call a watcher after each statement."""
        watcher(block, self.cells)
        for statement in block.body:
            self.run(statement, frame)
            watcher(statement, self.cells)

    def run_all(self, body: tuple[ir.Stmt, ...], local: Locals) -> _Left | None:
        """Run statements until one of them ends the list early."""
        for statement in body:
            left = self.run(statement, local)
            if left:
                return left
        return None

    def run(self, statement: ir.Stmt, local: Locals) -> _Left | None:
        """Run a statement. The most frequent classes of statements come first."""
        match statement:
            case ir.If(condition, then, otherwise):
                return self.run_all(then if self.number(condition, local) else otherwise, local)
            case ir.Return(value):
                return _Left(ir.Return, 0 if value is None else self.value(value, local))
            case ir.SetLocal(slot, value):
                local[slot] = self.value(value, local)
            case ir.Mark(mark, row):
                if self.counts is not None:
                    self.counts[mark + (0 if row is None else self.number(row, local))] += 1
            case ir.Store(address, value, far):
                new = self.number(value, local)
                self.cells[self.address(address, far, HEADER, local)] = new
            case ir.SetLocalList(slot, capacity, value):
                self.set_list(local, slot, capacity, items(self.value(value, local)))
            case ir.While():
                return self.run_while(statement, local)
            case ir.ForRange(slot, low, high, body):
                first, last = self.number(low, local), self.number(high, local)
                return self.run_for(slot, range(first, last + 1), body, local)
            case ir.ForEach(slot, of, body):
                return self.run_for(slot, items(self.value(of, local)), body, local)
            case ir.Break():
                return BREAK
            case ir.Continue():
                return CONTINUE
            case ir.Append(slot, value):
                item = self.value(value, local)
                local[slot] = (*items(local[slot]), item)
            case ir.CallPlain(procedure, arguments):
                self.call(procedure, self.all_values(arguments, local))
            case ir.Offer(option):
                self.open_offers().offer(self.number(option, local))
            case ir.Refuse(option, message, arguments):
                if self.open_offers().reasons:
                    refusal = Refusal(message, self.all_values(arguments, local))
                    self.open_offers().refuse(self.number(option, local), refusal)
            case ir.Log(message, arguments, audience):
                # A fault in a log line is raised whether or not there is a log.
                line = message, self.all_values(arguments, local), self.number(audience, local)
                if self.log is not None:
                    self.log.append(line)
            case ir.Fail(message, arguments):
                raise Impossible(message, self.all_values(arguments, local))
            case ir.Fault(fault):
                raise declared_fault(self.program, fault)
            case _:
                assert_never(statement)
        return None

    def run_while(self, loop: ir.While, local: Locals) -> _Left | None:
        """Run a loop, which catches its own Break and Continue."""
        while self.number(loop.condition, local):
            if loop.counted:
                self.turns += 1
                if self.turns > self.engine.steps:
                    raise no_progress(loop.span)
            left = self.run_all(loop.body, local)
            if left and left.by is not ir.Continue:
                return None if left.by is ir.Break else left
        return None

    def run_for(
        self, slot: int, values: Sequence[Value], body: tuple[ir.Stmt, ...], local: Locals
    ) -> _Left | None:
        """Run a loop over values."""
        for value in values:
            local[slot] = value
            left = self.run_all(body, local)
            if left and left.by is not ir.Continue:
                return None if left.by is ir.Break else left
        return None

    def set_list(self, frame: Locals, slot: int, capacity: int, values: tuple[Value, ...]) -> None:
        """Store a list in a frame: its length, its items, and zeros."""
        if len(values) > capacity:
            raise InternalError(f"a list of {len(values)} does not fit into {capacity}")
        cells: list[Value] = [len(values), *values, *[0] * (capacity - len(values))]
        for place, value in enumerate(cells):
            frame[slot + place] = value

    def open_offers(self) -> _Offers:
        """Return the current collection of offers."""
        if self.offers is None:
            raise InternalError("an offer outside an enumerator")
        return self.offers

    # ---- expressions -----------------------------------------------------------------------------

    def all_values(self, expressions: tuple[ir.Expr, ...], local: Locals) -> tuple[Value, ...]:
        """Evaluate expressions from left to right."""
        return tuple([self.value(expression, local) for expression in expressions])

    def address(self, expression: ir.Expr, far: bool, low: int, local: Locals) -> int:
        """Evaluate the address of a cell. A near cell must have an address of at least `low`."""
        address, program = self.number(expression, local), self.program
        if far:
            return program.far + within(address, program.stack - program.far, "far cell")
        return within(address, program.far or program.stack, "cell", low)

    def number(self, expression: ir.Expr, local: Locals) -> int:
        """Evaluate an expression that must be a number."""
        value = self.value(expression, local)
        return value if isinstance(value, int) else number(value)

    def value(self, expression: ir.Expr, local: Locals) -> Value:
        """Evaluate an expression. The most frequent classes of expressions come first."""
        match expression:
            case ir.Local(slot):
                return local[slot]
            case ir.Binary(word, left, right):
                a, b = self.number(left, local), self.number(right, local)
                if b == 0 and word in ("//", "%"):
                    raise InternalError("a division by 0")
                return int(OPERATORS[word](a, b))
            case ir.Const(value):
                return value  # type: ignore[return-value]  # items of constant lists are values
            case ir.Table(table, index):
                values = self.program.tables[table]
                place = within(self.number(index, local), len(values), f"row of table {table}:")
                return values[place]  # type: ignore[return-value]  # as in a constant
            case ir.Load(address, far):
                return self.cells[self.address(address, far, 0, local)]
            case ir.CallValue(procedure, arguments):
                return self.call(procedure, self.all_values(arguments, local))
            case ir.And(left, right):
                return int(self.number(left, local) != 0 and self.number(right, local) != 0)
            case ir.LocalList(slot):
                count = number(local[slot])
                return tuple(local[slot + place] for place in range(1, count + 1))
            case ir.Not(operand):
                return int(self.number(operand, local) == 0)
            case ir.Or(left, right):
                return int(self.number(left, local) != 0 or self.number(right, local) != 0)
            case ir.Choice(condition, then, otherwise):
                return self.value(then if self.number(condition, local) else otherwise, local)
            case ir.MakeList(parts):
                return self.all_values(parts, local)
            case ir.Length(of):
                return len(items(self.value(of, local)))
            case ir.At(of, index):
                listed, at = items(self.value(of, local)), self.number(index, local)
                return listed[at] if 0 <= at < len(listed) else -1
            case ir.Has(of, item):
                wanted = self.number(item, local)
                return int(wanted in items(self.value(of, local)))
            case ir.Possible(procedure, arguments, actor):
                numbers = [self.number(argument, local) for argument in arguments]
                who = self.number(actor, local)
                return int(
                    possibility_search.is_possible(self.engine, self.cells, procedure, numbers, who)
                )
            case _:
                assert_never(expression)
