"""Writes the procedures of rules: statements in blocks, and the numbers of these blocks.

Plain procedures contain nested statements. Suspending procedures are cut into numbered blocks
wherever something can suspend.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from attrs import define, field

from rulewright.dsl import ir
from rulewright.dsl.diagnostics.source import Span
from rulewright.dsl.immutable import evolve, frozen
from rulewright.dsl.lowering.analysis.analysis import Analysis
from rulewright.dsl.lowering.analysis.bodies import Body
from rulewright.dsl.lowering.emit.code import ONE, ZERO, binary
from rulewright.dsl.lowering.emit.core import Compiler, Env, Procedure, Rules
from rulewright.dsl.tree import syntax


@define
class Context:
    """The place of a statement: the names in scope and the surrounding constructs."""

    env: Env
    tail: bool = False  # Whether a later step may still fail.
    after: bool = False  # Whether a step after the statement's block may still fail.
    guarded: bool = False  # Whether the statement is always inside a possibility scope.
    # Whether the statement may be outside any scope. In that case it must always be possible.
    outside: bool = False
    # Whether the statement follows chance or another player's decision inside a scope. If so, the
    # check before an option cannot cover the statement.
    beyond: bool = False
    turns: int = (
        1  # The maximum number of times that a surrounding `repeat N times` may run the statement.
    )
    given: bool = False  # Whether a scenario sets up a position. Impossible steps are then faults.
    together: bool = (
        False  # Whether all players act at the same time and do not see each other's choices.
    )
    surely: Span | None = None  # The `surely` before the statement, if there is one.
    at_once: bool = (
        False  # Whether the statement is inside `at once`. If so, no trigger runs after it.
    )
    wants_result: bool = False  # Whether a `let` binds the result of the call.
    tags: tuple[str, ...] = ()
    rest: Sequence[syntax.Statement] = ()  # The later statements in the same block.

    def with_env(self, env: Env) -> Context:
        """Return a copy of the context with another environment."""
        return evolve(self, env=env)


@frozen
class Loop:
    """The blocks of a loop: the test before each iteration, the steps between iterations, and the
    block after the loop.
    """

    test: int
    following: int
    after: int


@define
class Writer:
    """Writes one procedure. A suspending procedure is written as numbered blocks."""

    rules: Rules
    procedure: Procedure
    body: Body | None
    number: int
    buffers: list[list[ir.Stmt]] = field(factory=lambda: [[]])
    current: int = -1
    loops: list[tuple[Loop, int] | None] = field(factory=list)
    """The loops of the rules around the current place, each paired with the number of scopes around
    the loop. A structured loop is None.
    """
    at_onces: list[tuple[int, Callable[[], None]]] = field(
        factory=list
    )  # the `at once` around this place: the number of loops around the `at once`, and the steps that end it
    scopes: int = 0  # possibility scopes open at this place of the procedure
    entry: int = -1
    place: Span | None = None
    """The innermost loop around the current statements."""
    places: dict[int, Span | None] = field(factory=dict)
    """Maps each block begun so far to the innermost loop around the block."""
    is_tried: bool = False
    """Whether this procedure runs only in searches, on copies of the state. If so, no player chooses anything in it."""

    @property
    def c(self) -> Compiler:
        return self.rules.c

    @property
    def a(self) -> Analysis:
        """Return the analysis of all rules."""
        return self.rules.a

    def begin(self) -> None:
        """Open the first block of a suspending procedure."""
        if self.procedure.suspending:
            self.entry = self.current = self.rules.block()

    def emit(self, *statements: ir.Stmt) -> None:
        """Add statements to the current block."""
        self.buffers[-1].extend(statements)

    def capture(self, write: Callable[[], object]) -> tuple[ir.Stmt, ...]:
        """Call `write`, and return the statements that it emits. They are the body of a structured statement."""
        self.buffers.append([])
        write()
        return tuple(self.buffers.pop())

    def end(self, terminator: ir.Terminator, following: int | None) -> None:
        """End the current block, and continue writing at `following`."""
        assert self.procedure.suspending and len(self.buffers) == 1
        self._store_block(terminator)
        self.buffers[0] = []
        self.current = following if following is not None else self.rules.block()
        self.places[self.current] = self.place

    def _store_block(self, terminator: ir.Terminator) -> None:
        place = self.places.get(self.current, self.place)
        body = tuple(self.buffers[0])
        self.rules.blocks[self.current] = ir.Block(self.number, body, terminator, place)

    def fresh_block(self) -> int:
        """Begin a new block at this place, and return its number."""
        number = self.rules.block()
        self.end(ir.Goto(number), number)
        return number

    @contextmanager
    def inside(self, loop: Span) -> Iterator[None]:
        """Record that the statements emitted in this `with` belong to a loop.

        The last block begun in the `with` follows the loop and does not belong to it.
        """
        around, self.place = self.place, loop
        yield
        self.place = around
        self.places[self.current] = around

    def goto(self, block: int) -> None:
        """End the current block with a jump. The steps emitted next are reached only by another jump, if at all."""
        self.end(ir.Goto(block), None)

    @contextmanager
    def when(self, test: ir.Expr, *, cut: bool = True) -> Iterator[None]:
        """Emit steps that run only if a test holds.

        If `cut` is true, the steps may suspend and are in blocks of their own.
        """
        if test == ONE:
            yield
        elif cut:
            then, after = self.rules.block(), self.rules.block()
            self.end(ir.Branch(test, then, after), then)
            yield
            self.end(ir.Goto(after), after)
        else:
            self.buffers.append([])
            yield
            self.emit(ir.If(test, tuple(self.buffers.pop())))

    def continue_if(self, test: ir.Expr, otherwise: int) -> None:
        """Continue with the next steps if a test holds; otherwise continue at another block."""
        if test != ONE:
            following = self.rules.block()
            self.end(ir.Branch(test, following, otherwise), following)

    @contextmanager
    def case(self, test: ir.Expr, after: int) -> Iterator[None]:
        """Emit blocks that run if a test holds and then continue at `after`.

        The steps emitted next run if the test fails.
        """
        then, other = self.rules.block(), self.rules.block()
        self.end(ir.Branch(test, then, other), then)
        yield
        self.end(ir.Goto(after), other)

    @contextmanager
    def loop(self, going: ir.Expr, *between: ir.Stmt) -> Iterator[Loop]:
        """Emit a loop of blocks that continues while a test holds. The steps in `between` run after each iteration."""
        test, start, after = (self.rules.block() for _ in range(3))
        following = self.rules.block() if between else test
        self.end(ir.Goto(test), test)
        self.end(ir.Goto(start) if going == ONE else ir.Branch(going, start, after), start)
        yield Loop(test, following, after)
        self.end(ir.Goto(following), following if between else after)
        if between:
            self.emit(*between)
            self.end(ir.Goto(test), after)

    @contextmanager
    def each(self, slot: int, listed: ir.Expr, most: int, *, cut: bool) -> Iterator[None]:
        """Emit a loop over a list of at most `most` members. If `cut` is true, the steps may suspend.

        A local contains the current member.
        """
        if not cut:
            self.buffers.append([])
            yield
            self.emit(ir.ForEach(slot, listed, tuple(self.buffers.pop())))
            return
        members, index = self.procedure.slot(max(1, most) + 1), self.procedure.slot()
        kept, at = ir.LocalList(members), ir.Local(index)
        self.emit(ir.SetLocalList(members, max(1, most), listed), ir.SetLocal(index, ZERO))
        with self.loop(binary("<", at, ir.Length(kept))):
            self.emit(ir.SetLocal(slot, ir.At(kept, at)))
            yield
            self.emit(increment(index))

    @contextmanager
    def turns(self, slot: int, count: ir.Expr, *, cut: bool) -> Iterator[Loop | None]:
        """Emit a loop that counts its iterations from 0 in a local. If `cut` is true, the steps may suspend."""
        if not cut:
            self.buffers.append([])
            yield None
            last = binary("-", count, ONE)
            self.emit(ir.ForRange(slot, ZERO, last, tuple(self.buffers.pop())))
            return
        self.emit(ir.SetLocal(slot, ZERO))
        with self.loop(binary("<", ir.Local(slot), count), increment(slot)) as loop:
            yield loop

    @contextmanager
    def scope(self) -> Iterator[None]:
        """Emit a possibility scope around the steps in this `with`."""
        start, leave, after = (self.rules.block() for _ in range(3))
        self.end(ir.Enter(start), start)
        self.scopes += 1
        yield
        self.scopes -= 1
        self.end(ir.Goto(leave), leave)
        self.end(ir.Leave(after), after)

    def leave_for(self, block: int, scopes: int) -> None:
        """Emit steps that leave all but the `scopes` outermost scopes, and continue at another block."""
        for _ in range(self.scopes - scopes):
            outer = self.rules.block()
            self.end(ir.Leave(outer), outer)
        self.goto(block)

    def call_any(self, entry: tuple[bool, int], arguments: Sequence[ir.Expr]) -> None:
        """Emit a call of a procedure, given its number and whether it suspends."""
        suspending, number = entry
        if suspending:
            self.call(number, arguments)
        else:
            self.emit(ir.CallPlain(number, tuple(arguments)))

    def chance(self, site: ir.ChanceSite, bound: ir.Expr) -> None:
        """End the current block by waiting for a result of chance."""
        self.rules.chances.append(site)
        after = self.rules.block()
        self.end(ir.Chance(len(self.rules.chances) - 1, bound, site.slot, after), after)

    def call(self, procedure: int, arguments: Sequence[ir.Expr]) -> None:
        """Emit a call of a suspending procedure."""
        following = self.rules.block()
        self.rules.calls.setdefault(self.number, set()).add(procedure)
        self.end(ir.CallThen(procedure, tuple(arguments), following), following)

    def finish(self, parameters: int, span: Span | None = None) -> None:
        """Close the procedure and store it."""
        if self.procedure.suspending:
            self._store_block(ir.Finish())
            self.rules.suspending[self.number] = ir.Suspending(
                self.procedure.name,
                parameters,
                max(parameters, self.procedure.locals),
                self.entry,
                span,
            )
        else:
            self.c.put_plain(self.number, self.procedure, parameters, self.buffers[0], span)


def increment(slot: int, by: int = 1) -> ir.Stmt:
    """Return the step that adds `by` to a counter."""
    return ir.SetLocal(slot, binary("+", ir.Const(by), ir.Local(slot)))


def start_writer(
    rules: Rules, name: str, suspending: bool, body: Body | None, number: int
) -> Writer:
    """Return a new writer for the procedure with this number, with its first block open."""
    writer = Writer(rules, Procedure(name, suspending), body, number)
    writer.begin()
    return writer
