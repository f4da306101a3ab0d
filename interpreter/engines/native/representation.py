"""Finds the kinds of the locals and results of plain procedures: numbers and lists.

A kind is the depth of nested lists: 0 for a number, 1 for a list of numbers, and so on. Native code
is written for fixed kinds; a program without fixed kinds is not supported. This module does not
depend on LLVM.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from attrs import define, evolve, field

from rulewright.dsl import ir
from rulewright.interpreter.engines.analysis.procedures import (
    PARTS,
    Knowledge,
    Node,
    replace_parts,
    walk,
)

NUMBER = 0
LIST = 1
EMPTY = -1
"""The kind of a list that is only known to be empty."""


class Unsupported(Exception):
    """Raised if a program has a part for which no native code can be written."""


@define(eq=False)
class Kinds:
    """The kinds of all values in procedures that the blocks and sites of a program reach, or that are in `more`."""

    program: ir.Program
    more: tuple[int, ...] = ()
    slots: list[dict[int, int]] = field(init=False)
    results: dict[int, int] = field(init=False, factory=dict)
    reached: list[int] = field(init=False)
    _changed: bool = field(init=False, default=False)

    def __attrs_post_init__(self) -> None:
        program = self.program
        self.slots = [{} for _ in program.plain]
        self.reached = sorted(self._reachable())
        while True:
            self._changed = False
            for block in program.blocks[1:]:
                self._look(block.body, None)
                self._look((block.end,), None)
            for site in program.sites:
                self._pass(site.enumerator, site.arguments, None)
            for plain in self.reached:
                self._look(program.plain[plain].body, plain)
            if not self._changed:
                return

    def slot(self, plain: int, slot: int) -> int:
        """Return the kind of a local of a plain procedure."""
        found = self.slots[plain].get(slot, NUMBER)
        return LIST if found == EMPTY else found

    def result(self, plain: int) -> int:
        """Return the kind of the value of a plain procedure."""
        found = self.results.get(plain, NUMBER)
        return LIST if found == EMPTY else found

    def of(self, expression: ir.Expr, plain: int | None) -> int:
        """Return the kind of an expression in a plain procedure or, if `plain` is None, in a block."""
        found = self._of(expression, plain)
        return NUMBER if found is None else LIST if found == EMPTY else found

    # ---- reached procedures ----------------------------------------------------------------------

    def _reachable(self) -> set[int]:
        program = self.program
        found: set[int] = set()
        todo: list[int] = [*self.more, *(site.enumerator for site in program.sites)]
        todo += calls((block.body, block.end) for block in program.blocks[1:])
        todo += calls(site.arguments for site in program.sites)
        while todo:
            plain = todo.pop()
            if plain not in found:
                found.add(plain)
                todo += calls(program.plain[plain].body)
        return found

    # ---- statements ------------------------------------------------------------------------------

    def _look(self, nodes: Iterable[object], plain: int | None) -> None:
        for node in nodes:
            match node:
                case ir.SetLocal(slot, value):
                    self._set(plain, slot, self._of(value, plain))
                case ir.Append(slot, value):
                    item = self._of(value, plain)
                    if item is not None:
                        self._set(plain, slot, 1 + (LIST if item == EMPTY else item))
                case ir.ForEach(slot, of, body):
                    listed = self._of(of, plain)
                    if listed is not None and listed != EMPTY:
                        self._set(plain, slot, self._item(listed, plain))
                    self._look(body, plain)
                case ir.ForRange(slot, low, high, body):
                    self._set(plain, slot, NUMBER)
                    self._of(low, plain)
                    self._of(high, plain)
                    self._look(body, plain)
                case ir.If(condition, then, otherwise):
                    self._of(condition, plain)
                    self._look(then, plain)
                    self._look(otherwise, plain)
                case ir.While(condition, body):
                    self._of(condition, plain)
                    self._look(body, plain)
                case ir.CallPlain(callee, arguments):
                    self._pass(callee, arguments, plain)
                case ir.Return(value) if value is not None and plain is not None:
                    self._give(plain, self._of(value, plain))
                case ir.Refuse() | ir.Mark() | ir.Return():
                    pass
                case _:  # all others: their expressions are analysed
                    for name in _PARTS.get(type(node), ()):
                        part = getattr(node, name)
                        for expression in part if isinstance(part, tuple) else (part,):
                            self._of(expression, plain)

    def _set(self, plain: int | None, slot: int, kind: int | None) -> None:
        if plain is None:
            if kind not in (None, NUMBER):
                raise Unsupported("a list is put into a number of a frame")
            return
        known = self.slots[plain].get(slot)
        joined = self._join(known, kind, plain)
        if joined != known and joined is not None:
            self.slots[plain][slot] = joined
            self._changed = True

    def _give(self, plain: int, kind: int | None) -> None:
        known = self.results.get(plain)
        joined = self._join(known, kind, plain)
        if joined != known and joined is not None:
            self.results[plain] = joined
            self._changed = True

    def _pass(self, callee: int, arguments: tuple[ir.Expr, ...], plain: int | None) -> None:
        for slot, argument in enumerate(arguments):
            self._set(callee, slot, self._of(argument, plain))

    def _join(self, one: int | None, other: int | None, plain: int | None) -> int | None:
        if one is None or one == other:
            return other
        if other is None:
            return one
        if one == EMPTY and other >= LIST:
            return other
        if other == EMPTY and one >= LIST:
            return one
        name = "a block" if plain is None else f"`{self.program.plain[plain].name}`"
        raise Unsupported(f"in {name} a value is both a number and a list")

    def _item(self, kind: int, plain: int | None) -> int:
        if kind < LIST:
            name = "a block" if plain is None else f"`{self.program.plain[plain].name}`"
            raise Unsupported(f"in {name} a number is used as a list")
        return kind - 1

    # ---- expressions -----------------------------------------------------------------------------

    def _of(self, expression: ir.Expr, plain: int | None) -> int | None:
        match expression:
            case ir.Const(value):
                return constant_kind(value)
            case ir.Local(slot):
                return NUMBER if plain is None else self.slots[plain].get(slot)
            case ir.LocalList():
                return LIST
            case ir.Table(table, index):
                self._of(index, plain)
                found: int | None = None
                for row in self.program.tables[table]:
                    found = self._join(found, constant_kind(row), plain)
                    if found not in (None, EMPTY):
                        break
                return found
            case ir.Choice(condition, then, otherwise):
                self._of(condition, plain)
                return self._join(self._of(then, plain), self._of(otherwise, plain), plain)
            case ir.CallValue(callee, arguments):
                self._pass(callee, arguments, plain)
                return self.results.get(callee)
            case ir.MakeList(items):
                kind: int | None = None
                for item in items:
                    kind = self._join(kind, self._of(item, plain), plain)
                return EMPTY if kind is None else 1 + (LIST if kind == EMPTY else kind)
            case ir.At(of, index):
                self._of(index, plain)
                listed = self._of(of, plain)
                # the items of an unknown list are also unknown
                return None if listed in (None, EMPTY) else self._item(listed or 0, plain)
            case ir.Logic() | ir.Load() | ir.Binary() | ir.Length() | ir.Has() | ir.Possible():
                for name in _PARTS.get(type(expression), ()):
                    part = getattr(expression, name)
                    for inner in part if isinstance(part, tuple) else (part,):
                        self._of(inner, plain)
                return NUMBER


def constant_kind(value: object) -> int:
    """Return the kind of a constant."""
    if isinstance(value, int):
        return NUMBER
    assert isinstance(value, tuple)
    kinds = {constant_kind(item) for item in value}
    if not kinds:
        return EMPTY
    if len(kinds) > 1:
        raise Unsupported("a constant list holds numbers and lists")
    (kind,) = kinds
    return 1 + (LIST if kind == EMPTY else kind)


_PARTS: Final = {**PARTS, ir.Log: ("arguments",)}
"""The parts of nodes. Native code writes no log lines, so it evaluates no audience."""

QUIET = (ir.Refuse, ir.Mark)
"""The statements that native code skips. If their parts are evaluated at all, another engine evaluates them."""


def without_log(program: ir.Program, knowledge: Knowledge) -> ir.Program:
    """Reduce the log lines of a program to the parts in which a fault may occur."""

    def change(part: object) -> object:
        if not isinstance(part, ir.Log):
            return None
        parts = (*part.arguments, part.audience)
        return ir.Log(part.message, tuple(filter(knowledge.may_fail, parts)), ir.Const(-1))

    return evolve(
        program,
        plain=tuple(
            evolve(plain, body=replace_parts(plain.body, change)) for plain in program.plain
        ),
        blocks=tuple(
            evolve(block, body=replace_parts(block.body, change)) for block in program.blocks
        ),
    )


def is_quiet(statement: ir.Stmt) -> bool:
    """Return whether native code does nothing for a statement."""
    return isinstance(statement, QUIET) or (
        isinstance(statement, ir.Log) and not statement.arguments
    )


def calls(nodes: Iterable[object]) -> list[int]:
    """Return the plain procedures that are called in native code."""
    found: list[int] = []
    stack: list[Node] = [tuple(nodes)]
    while stack:
        for node in walk_quietly(stack.pop()):
            if isinstance(node, (ir.CallValue, ir.CallPlain)):
                found.append(node.procedure)
    return found


def walk_quietly(node: Node) -> Iterable[Node]:
    """Yield a node and all nodes in it, except for parts that another engine evaluates."""
    if isinstance(node, tuple):
        for part in node:
            yield from walk_quietly(part)
    elif isinstance(node, (ir.If, ir.While, ir.ForRange, ir.ForEach)):
        yield node
        for name in ("condition", "low", "high", "of"):
            part = getattr(node, name, None)
            if part is not None:
                yield from walk(part)
        for name in ("then", "otherwise", "body"):
            yield from walk_quietly(getattr(node, name, ()))
    elif isinstance(node, QUIET):
        yield node
    else:  # all others: all parts
        yield from walk(node)
