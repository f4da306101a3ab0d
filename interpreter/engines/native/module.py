"""Contains the parts that the functions of a native module share: constants, memory, and facts about the program.

Native code never traps. If it cannot continue, or finds broken data, it gives up. The default
engine then repeats the work from the same state, and reports a fault if there is one. There are
three ways to fail. A step may be impossible, which ends a branch of a search. An offer may be found
by code that stops at the first offer. Everything else counts as giving up.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from attrs import define, field, frozen

from rulewright.dsl import ir
from rulewright.interpreter.engines.analysis.flow import Flow, flow_of
from rulewright.interpreter.engines.analysis.procedures import Knowledge
from rulewright.interpreter.engines.batch import BLOCK
from rulewright.interpreter.engines.native.optimise.always_possible import sure_sites
from rulewright.interpreter.engines.native.optimise.ranges import HIGH, LOW, Ranges
from rulewright.interpreter.engines.native.optimise.rewriting import rewritten
from rulewright.interpreter.engines.native.representation import (
    LIST,
    Kinds,
    Unsupported,
    calls,
    without_log,
)

FAILED: Final = -(2**62)
"""The result of a failed function. The variable `@ERR` contains the reason. A function that returns
a list returns null instead."""
IMPOSSIBLE, GIVEN_UP, FOUND = 1, 2, 3
WAITING: Final = FAILED + 1
"""The result of a function that should choose an option, but has reached the limit of choices."""
NEVER: Final = -1
"""The block at which to continue after an impossible step."""

WIDEST = 2**63 - 1

GLOBAL, LOCAL, MARK, OWN = ", !tbaa !1", ", !tbaa !2", ", !tbaa !5", ", !tbaa !7"
"""The metadata of loads and stores. The metadata tells LLVM which accesses cannot overlap.

The four kinds are cells below the stack, frames and lists, marks of changes, and the variables of
the memory.
"""
NOTES = """
!0 = !{!"cells"}
!1 = !{!3, !3, i64 0}
!2 = !{!4, !4, i64 0}
!3 = !{!"global", !0, i64 0}
!4 = !{!"local", !0, i64 0}
!5 = !{!6, !6, i64 0}
!6 = !{!"mark", !0, i64 0}
!7 = !{!8, !8, i64 0}
!8 = !{!"own", !0, i64 0}
!9 = !{!"branch_weights", i32 1, i32 100000}
"""

NUMBERS: Final = (
    "ERR",  # Why a function has failed.
    "TURNS",  # The number of blocks and loop iterations that the run may still make.
    "FLOOR",  # The GUARD at which a run stops after a Leave.
    "DEPTH",  # The remaining depth of recursive calls.
    "COUNT",  # The number of offered options.
    "LIMIT",  # The number of options at which an enumerator stops.
    "KNOWN",  # The number of options found by the run that reached a decision, or -1 if there was no search.
    "SEARCHING",  # The depth of nested searches.
    "TRIED",  # The number of options tried by the search.
    "SERIAL",  # The number of the last search.
    "FILLED",  # The number of used entries in the table of dead decisions.
    "WIDE",  # 0 while only the first few entries of the table are used, otherwise the bit mask for all indices.
    "CHANCES",  # The number of results of chance since the last choice of the driven playout.
    "NOTED",  # The number of decisions that the search has recorded.
    "METS",  # The number of indices at `@MET`.
    "HELD",  # Whether `@BLOCKS` says where the first state of the pool differs from the initial state of a match.
)
ADDRESSES: Final = (
    "TOP",  # the first free cell for lists
    "BASE",  # the first cell for lists
    "END",  # after the last
    "OFFERS",  # where options are written
    "OFFERS_END",
    "POOL",  # working states: the first for runs, the others for searches
    "POOL_END",
    "DEADS",  # the table of dead decisions
    "MET",  # for the decisions reached by the search, their indices in this table
)


PAIR: Final = "{ ptr, i64 }"
"""The type of a list: the address and the number of its items."""
NONE: Final = "@N_none"
"""The name of the empty list."""

CHUNK: Final = BLOCK
"""The number of cells whose changes are tracked together."""
CHUNK_SHIFT: Final = 8
"""The size of a chunk in bytes is 2 to this power."""
FEW_CHUNKS: Final = 4
"""The minimum number of chunks. In states with fewer chunks, changes are not tracked."""
STATES: Final = 96
"""The number of states in the pool."""


@frozen
class Layout:
    """The layout of a state in the pool: its cells, followed by a mark (one byte) for each chunk.

    Each state except the first is a copy of an earlier state, usually of its neighbour. A mark says
    that a chunk of a state may differ from the same chunk of its neighbour. For the first state,
    the mark refers to the caller's state. The first chunk, and the cells after the last whole chunk
    below the stack, are always copied.
    """

    size: int
    chunks: int
    marks: int
    """The distance of the marks from the first cell, in bytes."""
    stride: int
    """The distance to the next state, in bytes."""

    @classmethod
    def of(cls, program: ir.Program) -> Layout:
        """Compute the layout for a program."""
        chunks = program.stack // CHUNK
        chunks = chunks if chunks >= FEW_CHUNKS else 0
        marks = -(-4 * program.size // 64) * 64
        return cls(program.size, chunks, marks, marks + -(-(chunks + 1) // 64) * 64)

    @property
    def rest(self) -> int:
        """Return the first cell that belongs to no chunk."""
        return self.chunks * CHUNK

    @property
    def words(self) -> int:
        """Return the number of 64-bit words that the marks occupy."""
        return -(-self.chunks // 8)


@define(eq=False)
class Module:
    """The parts that the functions of one native module share."""

    program: ir.Program
    kinds: Kinds = field(init=False)
    ranges: Ranges = field(init=False)
    layout: Layout = field(init=False)
    asked: tuple[int, ...] = field(init=False)
    """The plain procedures that Python can call: those for points and winners."""
    total: int = field(init=False)
    """The plain procedure that returns the total points of a player, or -1 if there is none."""
    knowledge: Knowledge = field(init=False)
    flow: Flow = field(init=False)
    sure: frozenset[int] = field(init=False)
    """The sites whose options need no search if only one scope is open."""
    recursive: set[int] = field(init=False)
    """The plain procedures that may call themselves."""
    long: set[int] = field(init=False)
    """The plain procedures with loops, or with calls of procedures that have loops."""
    circular: set[int] = field(init=False)
    """The suspending procedures that may call themselves."""
    tells: bool = field(init=False, default=True)
    """Whether native code can write the log (see `log_buffer`)."""
    texts: list[str] = field(factory=list)
    _names: dict[object, str] = field(factory=dict)
    _lists: dict[object, tuple[str, int]] = field(factory=dict)

    def __attrs_post_init__(self) -> None:
        whole = self.program
        try:
            self._look_into(whole)
        except Unsupported:  # perhaps only the log is unsupported
            self.tells = False
            self._look_into(without_log(whole, Knowledge(whole)))

    def _look_into(self, program: ir.Program) -> None:
        """Analyse a program, and set the fields that describe it."""
        self.program = program
        self.knowledge = Knowledge(self.program)
        self.asked = self._find_scoring()
        try:
            self.kinds = Kinds(self.program, self.asked)
        except Unsupported:
            self.asked = ()
            self.kinds = Kinds(self.program)
        self.ranges = Ranges(self.program, self.asked)
        self.program = rewritten(self.program, self.knowledge, self.ranges, self.kinds.reached)
        self.knowledge = Knowledge(self.program)
        self.flow = flow_of(self.knowledge)
        self.kinds = Kinds(self.program, self.asked)
        self.ranges.go_over_to(self.program)
        self.layout = Layout.of(self.program)
        self.total = _total(self.program)
        for site in self.program.sites:
            asked = [site.enumerator, *calls(site.arguments)]
            if any(self.knowledge.reaches(plain, ir.Store) for plain in asked):
                raise Unsupported("listing options changes the state")
        facts = self.knowledge.facts
        self.recursive = circles({plain: facts(plain).calls for plain in self.kinds.reached})
        self.long = {
            plain
            for plain in self.kinds.reached
            if any(self.knowledge.reaches(plain, loop) for loop in LOOPS)
        }
        called: dict[int, list[int]] = {n: [] for n in range(len(self.program.suspending))}
        for block in self.program.blocks[1:]:
            if isinstance(block.end, ir.CallThen):
                called[block.procedure].append(block.end.procedure)
        self.circular = circles(called)
        self.sure = sure_sites(self.program, self.knowledge, self.ranges)

    def _find_scoring(self) -> tuple[int, ...]:
        program = self.program
        found = {item.procedure for item in program.score}
        if program.winners is not None:
            found.add(program.winners)
        effects = (ir.Store, ir.Offer)
        return tuple(n for n in sorted(found) if not self.knowledge.reaches(n, *effects))

    # ---- constants -------------------------------------------------------------------------------

    def numbers(self, values: tuple[int, ...]) -> str:
        """Return the name of an array of constant numbers."""
        name = self._names.get(values)
        if name is None:
            name = self._names[values] = f"@N{len(self._names)}"
            if any(not LOW <= value <= HIGH for value in values):
                raise Unsupported("a constant does not fit into a cell")
            items = ", ".join(f"i32 {value}" for value in values)
            self.texts.append(
                f"{name} = private unnamed_addr constant [{len(values)} x i32] [{items}]"
            )
        return name

    def words(self, values: tuple[str, ...]) -> str:
        """Return the name of an array of constant addresses."""
        name = f"@A{len(self._names)}"
        self._names[name] = name
        items = ", ".join(f"ptr {value}" for value in values)
        self.texts.append(f"{name} = private unnamed_addr constant [{len(values)} x ptr] [{items}]")
        return name

    def wide(self, values: tuple[int, ...]) -> str:
        """Return the name of an array of constant 64-bit words."""
        key = "words", values
        name = self._names.get(key)
        if name is None:
            name = self._names[key] = f"@B{len(self._names)}"
            items = ", ".join(f"i64 {value}" for value in values)
            self.texts.append(
                f"{name} = private unnamed_addr constant [{len(values)} x i64] [{items}]"
            )
        return name

    def constant_list(self, value: tuple[object, ...]) -> tuple[str, int]:
        """Return the name of a constant list, and its kind."""
        numbers = tuple(item for item in value if isinstance(item, int))
        if len(numbers) == len(value):
            return (self.numbers(numbers) if numbers else NONE), LIST
        known = self._lists.get(value)
        if known is not None:
            return known
        kinds = [LIST]
        pairs = []
        for item in value:
            if not isinstance(item, tuple):
                raise Unsupported("a constant list holds numbers and lists")
            inner, kind = self.constant_list(item)
            kinds.append(kind)
            pairs.append(f"{PAIR} {{ ptr {inner}, i64 {len(item)} }}")
        name = f"@L{len(self._lists)}"
        self.texts.append(
            f"{name} = private unnamed_addr constant [{len(pairs)} x {PAIR}] "
            f"[{', '.join(pairs)}], align 8"
        )
        self._lists[value] = name, 1 + max(kinds)
        return self._lists[value]

    def sets(self, rows: tuple[tuple[tuple[int, ...], ...], ...], low: int) -> str:
        """Return the name of a constant that holds a row of number lists. Each list is a 64-bit
        mask, whose first bit stands for the number `low`."""
        pairs = []
        for row in rows:
            name = f"@W{len(self._names)}"
            self._names[name] = name
            words = [sum(1 << number - low for number in {*numbers}) for numbers in row]
            items = ", ".join(f"i64 {word - 2**64 if word >= 2**63 else word}" for word in words)
            self.texts.append(
                f"{name} = private unnamed_addr constant [{len(row)} x i64] [{items}]"
            )
            pairs.append(f"{PAIR} {{ ptr {name}, i64 {len(row)} }}")
        name = f"@W{len(self._names)}"
        self._names[name] = name
        self.texts.append(
            f"{name} = private unnamed_addr constant [{len(rows)} x {PAIR}] [{', '.join(pairs)}], align 8"
        )
        return name

    def members(self, rows: tuple[tuple[object, ...], ...], low: int, width: int) -> str:
        """Return the name of a constant with `width` bytes for each row.

        The bytes contain one bit for each number, starting at `low`. The bit is 1 if the number is
        in the row.
        """
        key = ("members", rows)
        name = self._names.get(key)
        if name is None:
            name = self._names[key] = f"@M{len(self._names)}"
            items: list[str] = []
            for row in rows:
                word = sum(1 << number - low for number in {*row} if isinstance(number, int))
                items += (f"i8 {byte}" for byte in word.to_bytes(width, "little"))
            self.texts.append(
                f"{name} = private unnamed_addr constant [{len(items)} x i8] [{', '.join(items)}]"
            )
        return name

    def column(self, table: int) -> tuple[int, ...]:
        """Return the rows of a table of numbers."""
        rows = self.program.tables[table]
        found = tuple(row for row in rows if isinstance(row, int))
        if len(found) != len(rows):
            raise Unsupported("a table holds numbers and lists")
        return found

    # ---- functions -------------------------------------------------------------------------------

    def gives(self, plain: int) -> str:
        """Return the type of a plain procedure's result."""
        return "{ ptr, i64 }" if self.kinds.result(plain) >= LIST else "i64"


def _total(program: ir.Program) -> int:
    items = [ir.CallValue(item.procedure, (ir.Local(0),)) for item in program.score]
    for number, procedure in enumerate(program.plain):
        match procedure.body:
            case (ir.Return(value),) if value is not None and procedure.parameters == 1:
                if items and _terms(value) == items:
                    return number
            case _:
                pass
    return -1


def _terms(e: ir.Expr) -> list[ir.Expr]:
    """Return the terms of a sum."""
    match e:
        case ir.Binary("+", left, right):
            return [*_terms(left), right]
        case _:
            return [e]


LOOPS = (ir.ForRange, ir.ForEach, ir.While)


def circles(calls: Mapping[int, Iterable[int]]) -> set[int]:
    """Return the procedures that call themselves, directly or through other procedures."""
    found = set()
    for first in calls:
        met: set[int] = set()
        todo = [*calls[first]]
        while todo:
            callee = todo.pop()
            if callee not in met:
                met.add(callee)
                todo += calls.get(callee, ())
        if first in met:
            found.add(first)
    return found


def stride(kind: int) -> int:
    """Return the number of cells that an item takes in a list: one for a number, or more for the
    address and length of an inner list."""
    return 1 if kind == LIST else 4
