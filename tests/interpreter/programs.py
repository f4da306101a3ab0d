"""Tiny programs in the core IR: a writer that numbers blocks and supplies the rest."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from attrs import define, evolve, field

from rulewright.dsl import ir

Item: TypeAlias = "Callable[[Writer, int, int], int]"
"""Part of a suspending procedure: a function of the writer, the procedure and the next block; it returns its block."""

CELLS = 16  # globals of a tiny program: addresses GLOBAL .. GLOBAL + CELLS - 1
GLOBAL = ir.HEADER


def c(value: int | tuple[object, ...]) -> ir.Const:
    return ir.Const(value)


def v(slot: int) -> ir.Local:
    return ir.Local(slot)


def cell(number: int) -> ir.Load:
    """The value of global `number`."""
    return ir.Load(c(GLOBAL + number))


def put(number: int, value: ir.Expr) -> ir.Store:
    return ir.Store(c(GLOBAL + number), value)


def op(left: ir.Expr, word: ir.BinaryWord, right: ir.Expr) -> ir.Binary:
    return ir.Binary(word, left, right)


def do(*body: ir.Stmt) -> Item:
    return lambda w, p, after: w.block(p, body, ir.Goto(after))


def choose(site: int, player: ir.Expr, slot: int) -> Item:
    return lambda w, p, after: w.block(p, (), ir.Choose(site, player, slot, after))


def chance(site: int, bound: ir.Expr, slot: int) -> Item:
    return lambda w, p, after: w.block(p, (), ir.Chance(site, bound, slot, after))


def call(procedure: int, *arguments: ir.Expr) -> Item:
    return lambda w, p, after: w.block(p, (), ir.CallThen(procedure, arguments, after))


def end_game() -> Item:
    return lambda w, p, after: w.block(p, (), ir.EndGame())


def finish() -> Item:
    return lambda w, p, after: w.block(p, (), ir.Finish())


def when(condition: ir.Expr, then: list[Item], otherwise: list[Item] | None = None) -> Item:
    return lambda w, p, after: w.block(
        p, (), ir.Branch(condition, w.chain(p, then, after), w.chain(p, otherwise or [], after))
    )


def loop(condition: ir.Expr, body: list[Item]) -> Item:
    def write(w: Writer, p: int, after: int) -> int:
        head = w.reserve()
        w.blocks[head] = ir.Block(p, (), ir.Branch(condition, w.chain(p, body, head), after))
        return head

    return write


def scope(body: list[Item]) -> Item:
    def write(w: Writer, p: int, after: int) -> int:
        leave = w.block(p, (), ir.Leave(after))
        return w.block(p, (), ir.Enter(w.chain(p, body, leave)))

    return write


def attempt(actor: ir.Expr, body: list[Item], otherwise: list[Item] | None = None) -> Item:
    def write(w: Writer, p: int, after: int) -> int:
        inner = scope(body)(w, p, after)
        return w.block(p, (), ir.Try(inner, w.chain(p, otherwise or [], after), actor))

    return write


@define
class Writer:
    """A program being written; block 0 is HALT."""

    blocks: list[ir.Block] = field(factory=lambda: [ir.Block(0, (), ir.Goto(0))])
    suspending: list[ir.Suspending] = field(factory=list)
    plain: list[ir.Plain] = field(factory=list)
    sites: list[ir.Site] = field(factory=list)
    chances: list[ir.ChanceSite] = field(factory=list)

    def reserve(self) -> int:
        self.blocks.append(self.blocks[0])
        return len(self.blocks) - 1

    def block(self, procedure: int, body: tuple[ir.Stmt, ...], end: ir.Terminator) -> int:
        self.blocks.append(ir.Block(procedure, body, end))
        return len(self.blocks) - 1

    def chain(self, procedure: int, items: list[Item], after: int) -> int:
        for item in reversed(items):
            after = item(self, procedure, after)
        return after

    def procedure(self, parameters: int, locals_: int, items: list[Item]) -> int:
        """A suspending procedure."""
        number = len(self.suspending)
        last = self.block(number, (), ir.Finish())
        entry = self.chain(number, items, last)
        name = f"suspending {number}"
        self.suspending.append(ir.Suspending(name, parameters, locals_, entry))
        return number

    def function(self, parameters: int, locals_: int, *body: ir.Stmt) -> int:
        """A plain procedure."""
        name = f"plain {len(self.plain)}"
        self.plain.append(ir.Plain(name, parameters, locals_, body))
        return len(self.plain) - 1

    def site(
        self,
        procedure: int,
        slot: int,
        enumerator: int,
        *arguments: ir.Expr,
        search: bool = False,
        empty: int = 0,
        settled: tuple[tuple[int, int], ...] = (),
        always: bool = False,
    ) -> int:
        site = ir.Site(procedure, slot, arguments, enumerator, (), search, 0, arguments, empty)
        self.sites.append(evolve(site, settled=settled, always=always))
        return len(self.sites) - 1

    def chance_site(self, procedure: int, slot: int) -> int:
        self.chances.append(ir.ChanceSite(procedure, slot, "roll"))
        return len(self.chances) - 1

    def program(
        self,
        main: int = 0,
        *,
        tables: tuple[tuple[object, ...], ...] = (),
        stack: int = 64,
        start: tuple[tuple[int, int], ...] = (),
        lookahead: int = 1000,
        players: int = 3,
        marks: int = 8,
        cells: int = CELLS,
        far: int = 0,
    ) -> ir.Program:
        globals_end = GLOBAL + cells
        return ir.Program(
            title="Tiny",
            players=players,
            seats=players,
            options=(),
            size=globals_end + far + stack,
            stack=globals_end + far,
            far=globals_end if far else 0,
            start=start,
            main=main,
            tables=tables,
            plain=tuple(self.plain),
            suspending=tuple(self.suspending),
            blocks=tuple(self.blocks),
            sites=tuple(self.sites),
            chances=tuple(self.chances),
            messages=tuple(ir.Message((f"message {n}",)) for n in range(10)),
            faults=tuple(ir.FaultText(f"fault-{n}", f"fault number {n}") for n in range(4)),
            domains=(ir.Domain("number"),),
            kept=(),
            places=(),
            tokens=(),
            links=ir.PieceLinks(0, 0, 0, 0, 0, 0, 0, 0, -1, -1),
            pieces=(),
            spaces=(),
            score=(),
            winners=None,
            in_play=0,
            values=(),
            invariants=(),
            marks=tuple(ir.MarkInfo("rule", f"mark {n}", ()) for n in range(marks)),
            lookahead=lookahead,
        )
