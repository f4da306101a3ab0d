"""Finds the ranges of the numbers in a program: locals, arguments and results of procedures.

The cells of a state, including frames, may contain any number. The expected ranges of frames are
computed, and code that reads a frame checks them. The range of a list is the range of its numbers.
This module does not depend on LLVM.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Final, TypeAlias, assert_never

from attrs import define, field

from rulewright.dsl import ir
from rulewright.interpreter.engines.analysis.procedures import slots, walk
from rulewright.interpreter.engines.reference import OPERATORS

LOW, HIGH = -(2**31), 2**31 - 1
"""The range of a cell. Locals, arguments, values and items of lists must also be in this range."""

Range: TypeAlias = tuple[int, int]
Known: TypeAlias = dict[int, Range]
"""The ranges of locals at a point in a procedure. Locals that are missing have not been set, and are 0."""
ANY: Final = (LOW, HIGH)
ZERO: Final = (0, 0)
EMPTY: Final = (HIGH + 1, LOW - 1)
"""The range of a list without numbers."""
BIT: Final = (0, 1)

WIDER: Final = 3
"""The number of times that a range may grow before it is widened to one of a few standard ranges."""
EDGES: Final = (LOW, -(2**15), -256, -1, 0, 15, 255, 4095, 2**15, 2**20, HIGH)

TURNED: Final[dict[ir.BinaryWord, ir.BinaryWord]] = {
    "==": "!=",
    "!=": "==",
    "<": ">=",
    ">=": "<",
    ">": "<=",
    "<=": ">",
}
MIRRORED: Final[dict[ir.BinaryWord, ir.BinaryWord]] = {
    "==": "==",
    "!=": "!=",
    "<": ">",
    ">": "<",
    "<=": ">=",
    ">=": "<=",
}


def join(one: Range | None, other: Range | None) -> Range | None:
    """Return the smallest range that contains both ranges. None is the empty range."""
    if one is None or other is None:
        return other if one is None else one
    return min(one[0], other[0]), max(one[1], other[1])


def join_known(one: Known | None, other: Known | None) -> Known | None:
    """Return the known ranges where two paths meet. None means that a path does not reach this point."""
    if one is None or other is None:
        return other if one is None else one
    if one is other or one == other:
        return one
    found = {**one, **other}
    for slot, mine in found.items():
        first, second = one.get(slot, ZERO), other.get(slot, ZERO)
        if first is not second:
            found[slot] = min(first[0], second[0]), max(first[1], second[1])
        elif mine is not first:
            found[slot] = first
    return found


def arithmetic(word: ir.BinaryWord, a: Range, b: Range) -> Range:
    """Return the range of the result of an operator."""
    if a[0] == a[1] and b[0] == b[1] and (b[0] or word not in ("//", "%")):
        exact = int(OPERATORS[word](a[0], b[0]))
        return exact, exact
    match word:
        case "+":
            return a[0] + b[0], a[1] + b[1]
        case "-":
            return a[0] - b[1], a[1] - b[0]
        case "*":
            corners = [x * y for x in a for y in b]
            return min(corners), max(corners)
        case "min":
            return min(a[0], b[0]), min(a[1], b[1])
        case "max":
            return max(a[0], b[0]), max(a[1], b[1])
        case "%":
            if a[0] >= 0 and b[0] > a[1]:
                return a
            if b[0] > 0:
                return (0, min(a[1], b[1] - 1)) if a[0] >= 0 else (0, b[1] - 1)
            most = max(abs(b[0]), abs(b[1]))
            return -most, most
        case "//":
            if b[0] > 0:
                corners = [x // y for x in a for y in b]
                return min(corners), max(corners)
            most = max(abs(a[0]), abs(a[1]))
            return -most - 1, most + 1
        case "==" | "!=" | "<" | "<=" | ">" | ">=":
            return BIT
        case _:
            assert_never(word)


def refine(
    known: Known, condition: ir.Expr, *, holds: bool, of: Callable[[ir.Expr], Range | None]
) -> Known:
    """Return the ranges that are known if a condition is true (with `holds`) or false."""
    match condition:
        case ir.Not(operand):
            return refine(known, operand, holds=not holds, of=of)
        case ir.And(left, right) if holds:
            return refine(refine(known, left, holds=True, of=of), right, holds=True, of=of)
        case ir.Or(left, right) if not holds:
            return refine(refine(known, left, holds=False, of=of), right, holds=False, of=of)
        case ir.Binary(word, left, right) if word in TURNED:
            test = word if holds else TURNED[word]
            if isinstance(left, ir.Local) and left.slot in known:
                known = _narrow(known, left.slot, test, of(right))
            if isinstance(right, ir.Local) and right.slot in known:
                known = _narrow(known, right.slot, MIRRORED[test], of(left))
            return known
        case _:
            return known


def _narrow(known: Known, slot: int, test: ir.BinaryWord, to: Range | None) -> Known:
    if to is None:
        return known
    before = low, high = known[slot]
    match test:
        case "==":
            low, high = max(low, to[0]), min(high, to[1])
        case "!=":
            if to == (low, low):
                low += 1
            elif to == (high, high):
                high -= 1
        case "<":
            high = min(high, to[1] - 1)
        case "<=":
            high = min(high, to[1])
        case ">":
            low = max(low, to[0] + 1)
        case ">=":
            low = max(low, to[0])
        case _:
            pass
    # An empty range means that this point is never reached.
    return {**known, slot: (low, high)} if low <= high and (low, high) != before else known


def leaves(value: object) -> Range:
    """Return the range of the numbers in a constant."""
    if isinstance(value, int):
        return value, value
    if not isinstance(value, tuple):
        return EMPTY
    inside = [leaves(item) for item in value if not isinstance(item, int)]
    numbers = [item for item in value if isinstance(item, int)]
    low = min([EMPTY[0], *numbers, *(first for first, _ in inside)])
    return low, max([EMPTY[1], *numbers, *(last for _, last in inside)])


@define(eq=False)
class Ranges:
    """The ranges of numbers in the procedures that are reached from blocks and sites."""

    program: ir.Program
    asked: tuple[int, ...] = ()
    """The plain procedures that are called from outside, with no arguments or with players."""
    _arguments: dict[tuple[int, int], Range] = field(factory=dict)
    _locals: dict[tuple[int, int], Range] = field(factory=dict)
    _frames: dict[tuple[int, int], Range] = field(factory=dict)
    _results: dict[tuple[int, int], Range] = field(factory=dict)
    _tables: dict[int, Range] = field(factory=dict)
    _grown: dict[tuple[int, int, int], int] = field(factory=dict)
    _met: set[int] = field(factory=set)
    _written: dict[int, frozenset[int]] = field(factory=dict)
    _callers: dict[int, set[int]] = field(factory=dict)
    _todo: set[int] = field(factory=set)
    """The procedures that are still to be analysed: plain procedures, and suspending procedures as ~number."""
    _here: int = 0

    def __attrs_post_init__(self) -> None:
        program = self.program
        blocks: dict[int, list[ir.Block]] = {}
        for block in program.blocks[1:]:
            blocks.setdefault(block.procedure, []).append(block)
        sites: dict[int, list[ir.Site]] = {}
        for site in program.sites:
            sites.setdefault(site.procedure, []).append(site)
        for plain in self.asked:
            for slot in range(program.plain[plain].parameters):
                self._arguments[plain, slot] = 0, program.seats - 1
        self._todo = {~number for number in range(len(program.suspending))} | set(self.asked)
        while self._todo:
            for number in sorted(self._todo):
                self._todo.discard(number)
                self._here = number
                if number >= 0:
                    self._plain(number)
                    continue
                for block in blocks.get(~number, ()):
                    self._block(block)
                for site in sites.get(~number, ()):
                    self._pass(site.enumerator, [self.of(a, None) for a in site.arguments])

    def go_over_to(self, program: ir.Program) -> None:
        """Switch to another program with the same effects, procedures and locals.

        The ranges are also valid for that program.
        """
        self.program = program
        self._written.clear()

    # ---- results -------------------------------------------------------------------------------------

    def argument(self, plain: int, slot: int) -> Range:
        """Return the range of a parameter of a plain procedure."""
        return self._arguments.get((plain, slot), ANY)

    def local(self, plain: int, slot: int) -> Range:
        """Return the range of a local of a plain procedure, wherever it is read."""
        return join(self._locals.get((plain, slot)), self._arguments.get((plain, slot))) or ANY

    def frame(self, suspending: int, slot: int) -> Range:
        """Return the expected range of a local of a suspending procedure."""
        return self._frames.get((suspending, slot), ZERO)

    def result(self, plain: int) -> Range:
        """Return the range of a plain procedure's result."""
        return self._results.get((plain, 0), ANY)

    def range_of(self, e: ir.Expr, known: Known | None, suspending: int) -> Range:
        """Return the range of an expression in a plain procedure, or (without `known`) in a suspending procedure."""
        self._here = ~suspending
        found = self.of(e, known)
        return ANY if found is None else found

    def before_turns(self, plain: int, body: tuple[ir.Stmt, ...], known: Known) -> Known:
        """Return the ranges that are known before every iteration of a loop, and after the loop."""
        self._here = plain
        return self._anything_of(body, known) or {}

    def _slots(self, body: tuple[ir.Stmt, ...]) -> frozenset[int]:
        """Return the slots that statements may write."""
        found = self._written.get(id(body))
        if found is None:
            found = self._written[id(body)] = frozenset(slots(walk(body))[1])
        return found

    # ---- growing ranges ------------------------------------------------------------------------------

    def _join(
        self, of: dict[tuple[int, int], Range], key: tuple[int, int], more: Range | None
    ) -> bool:
        known = of.get(key)
        wider = join(known, None if more is None else _stored_range(more))
        if wider is None or wider == known:
            return False
        count = (id(of), *key)
        self._grown[count] = self._grown.get(count, 0) + 1
        if self._grown[count] > WIDER and wider[0] <= wider[1]:
            low = max(edge for edge in EDGES if edge <= wider[0])
            wider = low, min(edge for edge in EDGES if edge >= wider[1])
        of[key] = wider
        return True

    def _pass(self, plain: int, arguments: Sequence[Range | None]) -> None:
        self._callers.setdefault(plain, set()).add(self._here)
        changed = [
            self._join(self._arguments, (plain, slot), given)
            for slot, given in enumerate(arguments)
        ]
        if plain not in self._met or any(changed):
            self._met.add(plain)
            self._todo.add(plain)

    def _give(self, plain: int, value: Range | None) -> None:
        if self._join(self._results, (plain, 0), value):
            self._todo |= self._callers.get(plain, set())

    def _put(self, suspending: int, slot: int, value: Range | None) -> None:
        if self._join(self._frames, (suspending, slot), join(value, ZERO)):
            self._todo.add(~suspending)

    # ---- expressions ---------------------------------------------------------------------------------

    def of(self, e: ir.Expr, known: Known | None) -> Range | None:
        """Return the range of an expression, given the known ranges of locals. If no value of the
        expression is known yet, return None."""
        match e:
            case ir.Const(value):
                return leaves(value)
            case ir.Local(slot):
                return self.frame(~self._here, slot) if known is None else known.get(slot, ZERO)
            case ir.LocalList():
                return ANY
            case ir.Load(address):
                self.of(address, known)
                return ANY
            case ir.Table(table, index):
                self.of(index, known)
                if table not in self._tables:
                    self._tables[table] = leaves(self.program.tables[table])
                return self._tables[table]
            case ir.Binary(word, left, right):
                a, b = self.of(left, known), self.of(right, known)
                return None if a is None or b is None else arithmetic(word, a, b)
            case ir.Not(operand):
                self.of(operand, known)
                return BIT
            case ir.And(left, right) | ir.Or(left, right):
                self.of(left, known)
                self.of(right, self._where(known, left, holds=isinstance(e, ir.And)))
                return BIT
            case ir.Choice(condition, then, otherwise):
                self.of(condition, known)
                one = self.of(then, self._where(known, condition, holds=True))
                return join(one, self.of(otherwise, self._where(known, condition, holds=False)))
            case ir.CallValue(callee, arguments):
                self._pass(callee, [self.of(argument, known) for argument in arguments])
                return self._results.get((callee, 0))
            case ir.MakeList(items):
                found: Range | None = EMPTY
                for item in items:
                    found = join(found, self.of(item, known))
                return found
            case ir.Length(of):
                self.of(of, known)
                return 0, HIGH
            case ir.At(of, index):
                self.of(index, known)
                return join(self.of(of, known), (-1, -1))
            case ir.Has(of, item):
                self.of(of, known)
                self.of(item, known)
                return BIT
            case ir.Possible(procedure, arguments, actor):
                self.of(actor, known)
                for slot, argument in enumerate(arguments):
                    self._put(procedure, slot, self.of(argument, known))
                return BIT
            case _:
                assert_never(e)

    def _where(self, known: Known | None, condition: ir.Expr, *, holds: bool) -> Known | None:
        if known is None:
            return None
        return refine(known, condition, holds=holds, of=lambda e: self.of(e, known))

    # ---- statements ----------------------------------------------------------------------------------

    def _plain(self, number: int) -> None:
        procedure = self.program.plain[number]
        known = {
            slot: self._arguments[number, slot]
            for slot in range(procedure.parameters)
            if (number, slot) in self._arguments
        }
        if len(known) < procedure.parameters:
            # No call with a value is known so far.
            return
        end = self._all(procedure.body, known)
        if end is not None:
            self._give(number, ZERO)

    def _block(self, block: ir.Block) -> None:
        self._all(block.body, None)
        match block.end:
            case ir.Branch(condition):
                self.of(condition, None)
            case ir.CallThen(callee, arguments):
                for slot, argument in enumerate(arguments):
                    self._put(callee, slot, self.of(argument, None))
            case ir.Choose(site, player, slot):
                self.of(player, None)
                ends = [
                    arm.base + prod(size for _, _, size in arm.arguments)
                    for arm in self.program.sites[site].arms
                ]
                self._put(~self._here, slot, (0, max(ends) - 1) if ends else ANY)
            case ir.Chance(_, bound, slot):
                results = self.of(bound, None)
                self._put(
                    ~self._here, slot, ANY if results is None else (0, max(0, results[1] - 1))
                )
            case ir.Try(_, _, actor):
                self.of(actor, None)
            case ir.Goto() | ir.Finish() | ir.Enter() | ir.Leave() | ir.EndGame():
                pass

    def _all(self, body: tuple[ir.Stmt, ...], known: Known | None) -> Known | None:
        """Return the known ranges after statements. If the end of the statements is never reached,
        or in a block, return None."""
        plain = self._here >= 0
        for statement in body:
            known = self._one(statement, known)
            if plain and known is None:
                return None
        return known

    def _one(self, s: ir.Stmt, known: Known | None) -> Known | None:
        match s:
            case ir.SetLocal(slot, value):
                return self._set(known, slot, self.of(value, known))
            case ir.Append(slot, value):
                given = self.of(value, known)
                before = None if known is None else known.get(slot, EMPTY)
                return self._set(known, slot, join(before, given))
            case ir.If(condition, then, otherwise):
                self.of(condition, known)
                one = self._all(then, self._where(known, condition, holds=True))
                other = self._all(otherwise, self._where(known, condition, holds=False))
                return join_known(one, other)
            case ir.While(condition, body):
                start = self._anything_of(body, known)
                self.of(condition, start)
                self._all(body, self._where(start, condition, holds=True))
                after = self._anything_of(body, known)
                return after if breaks(body) else self._where(after, condition, holds=False)
            case ir.ForRange(slot, low, high, body):
                first, last = self.of(low, known), self.of(high, known)
                if first is None or last is None:
                    return known
                return self._loop(slot, (first[0], last[1]), body, known)
            case ir.ForEach(slot, of, body):
                items = self.of(of, known)
                if items is None:
                    return known
                return self._loop(slot, items, body, known)
            case ir.CallPlain(callee, arguments):
                self._pass(callee, [self.of(argument, known) for argument in arguments])
                return known
            case ir.Return(value):
                if self._here >= 0:
                    self._give(self._here, ZERO if value is None else self.of(value, known))
                return None
            case ir.SetLocalList(slot, capacity, value):
                items = self.of(value, known)
                if self._here < 0:
                    self._put(~self._here, slot, (0, capacity))
                    for place in range(capacity):
                        self._put(~self._here, slot + 1 + place, items)
                return known
            case ir.Store(address, value):
                self.of(value, known)
                self.of(address, known)
                return known
            case ir.Offer(option):
                self.of(option, known)
                return known
            case ir.Fail(_, arguments):
                for argument in arguments:
                    self.of(argument, known)
                return None
            case ir.Break() | ir.Continue() | ir.Fault():
                return None
            case ir.Log(_, arguments, audience):
                for part in (*arguments, audience):
                    self.of(part, known)
                return known
            case ir.Refuse() | ir.Mark():
                return known
            case _:
                assert_never(s)

    def _set(self, known: Known | None, slot: int, value: Range | None) -> Known | None:
        if self._here < 0:
            self._put(~self._here, slot, value)
            return known
        if value is None:
            return None  # as far as known, the local gets no value
        if self._join(self._locals, (self._here, slot), value):
            self._todo.add(self._here)
        held = _stored_range(value)
        if known is not None and known.get(slot) == held:
            return known
        return {**(known or {}), slot: held}

    def _loop(
        self, slot: int, items: Range, body: tuple[ir.Stmt, ...], known: Known | None
    ) -> Known | None:
        if items[0] > items[1]:
            return known
        start = self._anything_of(body, known)
        self._all(body, self._set(start, slot, items))
        after = self._anything_of(body, known)
        if after is not None:
            mine = join(self._locals.get((self._here, slot)), after.get(slot, ZERO))
            after = {**after, slot: mine or ZERO}
        return after

    def _anything_of(self, body: tuple[ir.Stmt, ...], known: Known | None) -> Known | None:
        """Return the ranges that are known before every iteration of a loop."""
        if known is None:
            return None
        found = dict(known)
        for slot in self._slots(body):
            both = join(self._locals.get((self._here, slot)), found.get(slot, ZERO))
            if both is not None:
                found[slot] = both
        return found


def breaks(body: Sequence[ir.Stmt]) -> bool:
    """Return whether a loop may be left from within."""
    return any(isinstance(node, ir.Break) for node in walk(tuple(body)))


def _stored_range(value: Range) -> Range:
    """Return the range of a number after the number was stored in a cell."""
    if value[0] > value[1]:
        return EMPTY
    low, high = max(value[0], LOW), min(value[1], HIGH)
    return (low, high) if low <= high else ANY
