'''Helper procedures of the compiler, written as text in a small part of Python.

    routine(c, "free slot", """
        def free_slot(row, length):
            for n in range(length):
                if cell[row + n] < 0:
                    return n
    """)

A name that is assigned is a local. Arrays of the layout have their names there: `zone_of[piece]`; `cell[n]` is the cell
at an address. Other names are given: numbers, expressions, tables, steps, procedures, or functions that find these
when they are needed. An `if` over a known number is decided here, and names on its other side need not exist.
'''

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from textwrap import dedent
from typing import NoReturn, TypeAlias

from rulewright.dsl import ir
from rulewright.dsl.immutable import frozen
from rulewright.dsl.lowering.workshop.code import (
    ONE,
    Expr,
    Stmts,
    binary,
    both,
    cell,
    choice,
    either,
    negated,
)
from rulewright.dsl.lowering.workshop.core import Compiler, Procedure


@frozen
class Cells:
    """An array by its first cell; `far` if its cells are seldom written."""

    first: int
    far: bool = False


@frozen
class Numbers:
    """A table of the program by its number."""

    table: int


@frozen
class Inline:
    """A function that writes a value, or steps, in place of a call."""

    write: Callable[..., Expr | Stmts]


Found: TypeAlias = int | Expr | Cells | Numbers | Inline | Stmts
Given: TypeAlias = Found | Callable[[], Found]

_OPERATORS: dict[type[ast.operator | ast.cmpop], ir.BinaryWord] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.FloorDiv: "//",
    ast.Mod: "%",
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
}


def routine(c: Compiler, name: str, text: str, /, **given: Given) -> int:
    """The number of a plain procedure of the compiler's own, written when it is first needed."""

    def write(p: Procedure) -> tuple[int, Stmts]:
        head = _parsed(text)[0]
        assert isinstance(head, ast.FunctionDef)
        writer = _Writer(c, p, given)
        for parameter in head.args.args:
            writer.locals[parameter.arg] = p.slot()
        return len(head.args.args), list(writer.block(head.body))

    return c.helper(name, write)


def guarded(c: Compiler, name: str, test: str, fault: int, /, **given: Given) -> int:
    """The procedure that gives its argument `x`, or ends in a fault if a test holds."""
    text = f"def guarded(x):\n    if {test}: raise fault\n    return x"
    return routine(c, f"{name} {fault}", text, fault=fault, **given)


def steps(c: Compiler, p: Procedure | None, text: str, /, **given: Given) -> Stmts:
    """Steps inside a procedure. A given local can be assigned."""
    return list(_Writer(c, p, given).block(_parsed(text)))


@lru_cache(maxsize=256)
def _parsed(text: str) -> Sequence[ast.stmt]:
    return ast.parse(dedent(text).strip()).body


class _Writer:
    """Writes the steps of one text."""

    def __init__(self, c: Compiler, p: Procedure | None, given: dict[str, Given]) -> None:
        self.c, self.p, self.given = c, p or Procedure("steps", suspending=False), given
        self.locals: dict[str, int] = {}

    # ---- names ----

    def find(self, name: str) -> Found:
        """The meaning of a name that is no local."""
        if name in self.given:
            found = self.given[name]
            return found() if callable(found) else found
        if name == "cell":
            return Cells(0)
        first = getattr(self.c.layout, name, None)
        if isinstance(first, int):
            return Cells(first)
        raise ValueError(f"`{name}` has no meaning in `{self.p.name}`")

    def slot(self, name: str) -> int:
        """The slot of a local that is assigned."""
        if name in self.given:
            found = self.find(name)
            assert isinstance(found, ir.Local), name
            return found.slot
        if name not in self.locals:
            self.locals[name] = self.p.slot()
        return self.locals[name]

    def called(self, called: ast.expr, arguments: Sequence[Expr]) -> int | Expr | Stmts:
        """The number of a procedure that is called, or the code that a function writes in its place."""
        found = self.find(called.id) if isinstance(called, ast.Name) else None
        if isinstance(found, Inline):
            return found.write(*arguments)
        return found if isinstance(found, int) else self.wrong(called)

    def wrong(self, node: ast.AST) -> NoReturn:
        """Fail, because the text uses something outside this part of Python."""
        raise ValueError(f"`{ast.unparse(node)}` is not understood in `{self.p.name}`")

    # ---- steps ----

    def block(self, body: Iterable[ast.stmt]) -> tuple[ir.Stmt, ...]:
        """The code of several steps."""
        return tuple(step for node in body for step in self.statement(node))

    def statement(self, node: ast.stmt) -> Iterable[ir.Stmt]:
        """One step."""
        match node:
            case ast.Assign(targets=[target], value=value):
                return [self.put(target, self.value(value))]
            case ast.AugAssign(target=target, op=operator, value=value):
                changed = binary(_OPERATORS[type(operator)], self.value(target), self.value(value))
                return [self.put(target, changed)]
            case ast.If(test=test, body=body, orelse=orelse):
                condition = self.value(test)
                if isinstance(condition, ir.Const):
                    return self.block(body if condition.value else orelse)
                return [ir.If(condition, self.block(body), self.block(orelse))]
            case ast.While(test=test, body=body):
                return [ir.While(self.value(test), self.block(body))]
            case ast.For(target=ast.Name(id=name), iter=source, body=body):
                return [self.loop(name, source, body)]
            case ast.Return(value=value):
                return [ir.Return(None if value is None else self.value(value))]
            case ast.Raise(exc=ast.Name(id=name)):
                fault = self.find(name)
                assert isinstance(fault, int), name
                return [ir.Fault(fault)]
            case ast.Break():
                return [ir.Break()]
            case ast.Expr(value=ast.Name(id=name)):
                written = self.find(name)
                assert isinstance(written, list), name
                return written
            case ast.Expr(
                value=ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="append"), args=[a])
            ):
                return [ir.Append(self.slot(name), self.value(a))]
            case ast.Expr(value=ast.Call(func=called, args=args)):
                return self.done(called, [self.value(arg) for arg in args])
            case _:
                return self.wrong(node)

    def done(self, called: ast.expr, arguments: Sequence[Expr]) -> Iterable[ir.Stmt]:
        """A call of a procedure, or the steps that a function writes in its place."""
        found = self.called(called, arguments)
        if isinstance(found, int):
            return [ir.CallPlain(found, tuple(arguments))]
        return found if isinstance(found, list) else self.wrong(called)

    def put(self, target: ast.expr, value: Expr) -> ir.Stmt:
        """Give a local or a cell a value."""
        match target:
            case ast.Name(id=name):
                return ir.SetLocal(self.slot(name), value)
            case ast.Subscript(value=ast.Name(id=name), slice=index):
                array = self.find(name)
                if isinstance(array, Cells):
                    return ir.Store(cell(array.first, self.value(index)), value, array.far)
            case _:
                pass
        return self.wrong(target)

    def loop(self, name: str, source: ast.expr, body: list[ast.stmt]) -> ir.Stmt:
        """A loop over numbers or over a list."""
        match source:
            case ast.Call(func=ast.Name(id="range"), args=edges):
                values = [self.value(edge) for edge in edges]
                low = values[0] if len(values) == 2 else ir.Const(0)
                high = binary("-", values[-1], ONE)
                return ir.ForRange(self.slot(name), low, high, self.block(body))
            case _:
                of = self.value(source)
                return ir.ForEach(self.slot(name), of, self.block(body))

    # ---- values ----

    def value(self, node: ast.expr) -> Expr:
        """The code of a value."""
        match node:
            case ast.Constant(value=int(number)):
                return ir.Const(int(number))
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return binary("-", ir.Const(0), self.value(operand))
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return negated(self.value(operand))
            case ast.Name(id=name):
                return self.named(node, name)
            case ast.BinOp(left=left, op=operator, right=right):
                return binary(_OPERATORS[type(operator)], self.value(left), self.value(right))
            case ast.Compare(left=item, ops=[ast.In()], comparators=[listed]):
                return ir.Has(self.value(listed), self.value(item))
            case ast.Compare(left=item, ops=[ast.NotIn()], comparators=[listed]):
                return negated(ir.Has(self.value(listed), self.value(item)))
            case ast.Compare(left=left, ops=[comparison], comparators=[right]):
                return binary(_OPERATORS[type(comparison)], self.value(left), self.value(right))
            case ast.BoolOp(op=junction, values=[first, *rest]):
                joined = self.value(first)
                return self.joined(junction, joined, rest)
            case ast.IfExp(test=test, body=body, orelse=orelse):
                return choice(self.value(test), self.value(body), self.value(orelse))
            case ast.List(elts=items):
                return ir.MakeList(tuple(map(self.value, items)))
            case ast.Subscript(value=array, slice=index):
                return self.item(array, self.value(index))
            case ast.Call(func=ast.Name(id="len"), args=[listed]):
                return ir.Length(self.value(listed))
            case ast.Call(func=ast.Name(id="min" | "max" as operator), args=[left, right]):
                word: ir.BinaryWord = "min" if operator == "min" else "max"
                return binary(word, self.value(left), self.value(right))
            case ast.Call(func=called, args=args):
                return self.call(called, [self.value(arg) for arg in args])
            case ast.Tuple(elts=[]):
                return ir.Const(())
            case _:
                return self.wrong(node)

    def call(self, called: ast.expr, arguments: Sequence[Expr]) -> Expr:
        """The value of a procedure, or the code that a function writes in its place."""
        found = self.called(called, arguments)
        if isinstance(found, list):
            self.wrong(called)
        return ir.CallValue(found, tuple(arguments)) if isinstance(found, int) else found

    def named(self, node: ast.expr, name: str) -> Expr:
        """The code of a name."""
        if name in self.locals:
            return ir.Local(self.locals[name])
        found = self.find(name)
        if isinstance(found, int):
            return ir.Const(found)
        return self.wrong(node) if isinstance(found, (Cells, Numbers, Inline, list)) else found

    def joined(self, junction: ast.boolop, first: Expr, rest: Sequence[ast.expr]) -> Expr:
        """Conditions joined by `and` or `or`; names after a known condition need not exist."""
        join, decided = (both, 0) if isinstance(junction, ast.And) else (either, 1)
        if not rest or (isinstance(first, ir.Const) and bool(first.value) == bool(decided)):
            return first
        return join(first, self.joined(junction, self.value(rest[0]), rest[1:]))

    def item(self, array: ast.expr, index: Expr) -> Expr:
        """An item of an array, of a table, or of a list."""
        if isinstance(array, ast.Name) and array.id not in self.locals:
            found = self.find(array.id)
            if isinstance(found, Cells):
                return ir.Load(cell(found.first, index), found.far)
            if isinstance(found, Numbers):
                return ir.Table(found.table, index)
        return ir.At(self.value(array), index)
