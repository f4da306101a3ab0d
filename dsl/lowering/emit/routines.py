"""Writes helper procedures of the compiler from text in a small subset of Python.

The texts are in `routines.txt`: `routine(c, "list at")` writes its function `list_at`. A name that
is assigned is a local. Arrays of the layout keep their names, as in `zone_of[piece]`; `cell[n]` is
the cell at address n. The caller defines all other names: as a number, an expression, a table,
steps, a procedure, or a function that finds one of these when needed. If the test of an `if` is a
known number, only one branch is converted, and names in the other branch need no meaning.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, lru_cache
from importlib.resources import files
from typing import NoReturn, TypeAlias

from rulewright.dsl import ir
from rulewright.dsl.immutable import frozen
from rulewright.dsl.ir_text import IrReader, parse_statements
from rulewright.dsl.lowering.emit.code import (
    ONE,
    Expr,
    Stmts,
    binary,
    both,
    cell,
    choice,
    either,
    negation,
)
from rulewright.dsl.lowering.emit.core import Compiler, Procedure


@frozen
class Cells:
    """An array of cells, given by the address of the first. If `far` is true, they are far cells."""

    first: int
    far: bool = False


@frozen
class Numbers:
    """A constant table of the program, given by its number."""

    table: int


@frozen
class Inline:
    """A function whose result, a value or steps, replaces each call."""

    write: Callable[..., Expr | Stmts]


Found: TypeAlias = int | Expr | Cells | Numbers | Inline | Stmts
Given: TypeAlias = Found | Callable[[], Found]


@cache
def _texts() -> Mapping[str, ast.stmt]:
    """Return the functions of `routines.txt`, keyed by name."""
    text = (
        files("rulewright.dsl.lowering.emit").joinpath("routines.txt").read_text(encoding="utf-8")
    )
    return {getattr(head, "name", ""): head for head in parse_statements(text)}


def routine(c: Compiler, function: str, name: str = "", /, **given: Given) -> int:
    """Return the number of a plain helper procedure, which is written when it is first needed.

    Its text is a function of `routines.txt`. Its name is the name of the function, unless another is given.
    """
    return _add_helper(c, name or function, lambda: _texts()[function.replace(" ", "_")], given)


def text_routine(c: Compiler, name: str, text: str, /, **given: Given) -> int:
    """Return the number of a helper procedure with this text, which is written when it is first needed."""
    return _add_helper(c, name, lambda: _parse(text)[0], given)


def _add_helper(
    c: Compiler, name: str, find: Callable[[], ast.stmt], given: Mapping[str, Given]
) -> int:
    def write(p: Procedure) -> tuple[int, Stmts]:
        head = find()
        assert isinstance(head, ast.FunctionDef)
        writer = TextWriter(c, p)
        writer.given = dict(given)
        for parameter in head.args.args:
            writer.locals[parameter.arg] = p.slot()
        return len(head.args.args), list(writer.block(head.body))

    return c.helper(name, write)


def guard_routine(c: Compiler, name: str, test: str, fault: int, /, **given: Given) -> int:
    """Return the number of the procedure that returns its argument `x`. If a test holds, the
    procedure raises a fault instead.
    """
    text = f"def guarded(x):\n    if {test}: raise fault\n    return x"
    return text_routine(c, f"{name} {fault}", text, fault=fault, **given)


def steps(c: Compiler, p: Procedure | None, text: str, /, **given: Given) -> Stmts:
    """Convert a text to steps inside an existing procedure. The steps can assign to given locals."""
    return TextWriter(c, p).steps(text, **given)


@lru_cache(maxsize=256)
def _parse(text: str) -> Sequence[ast.stmt]:
    return parse_statements(text)


class TextWriter(IrReader):
    """Converts texts to steps. Names refer to the program being compiled, and code is folded.

    If several texts are written into one procedure, they share their locals.
    """

    def __init__(self, c: Compiler, p: Procedure | None) -> None:
        self.c, self.p = c, p or Procedure("steps", suspending=False)
        self.given: dict[str, Given] = {}
        self.locals: dict[str, int] = {}

    def steps(self, text: str, /, **given: Given) -> Stmts:
        """Convert a text to steps."""
        self.given = given
        return list(self.block(_parse(text)))

    def wrong(self, node: ast.AST) -> NoReturn:
        raise ValueError(f"`{ast.unparse(node)}` is not understood in `{self.p.name}`")

    # ---- names ----

    def find(self, name: str) -> Found:
        """Return the meaning of a name that is not a local."""
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
        if name in self.given:
            found = self.find(name)
            assert isinstance(found, ir.Local), name
            return found.slot
        if name not in self.locals:
            self.locals[name] = self.p.slot()
        return self.locals[name]

    def variable(self, node: ast.Name) -> Expr:
        if node.id in self.locals:
            return ir.Local(self.locals[node.id])
        found = self.find(node.id)
        if isinstance(found, int):
            return ir.Const(found)
        return self.wrong(node) if isinstance(found, (Cells, Numbers, Inline, list)) else found

    def call_value(self, node: ast.Call, arguments: Sequence[Expr]) -> Expr:
        found = self.call_code(node.func, arguments)
        if isinstance(found, list):
            self.wrong(node)
        return ir.CallValue(found, tuple(arguments)) if isinstance(found, int) else found

    def call_steps(self, node: ast.Call) -> Iterable[ir.Stmt]:
        arguments = list(map(self.value, node.args))
        found = self.call_code(node.func, arguments)
        if isinstance(found, int):
            return [ir.CallPlain(found, tuple(arguments))]
        return found if isinstance(found, list) else self.wrong(node)

    def call_code(self, called: ast.expr, arguments: Sequence[Expr]) -> int | Expr | Stmts:
        """Return a call of a procedure or, for an `Inline` function, the code that replaces the call."""
        found = self.find(called.id) if isinstance(called, ast.Name) else None
        if isinstance(found, Inline):
            return found.write(*arguments)
        return found if isinstance(found, int) else self.wrong(called)

    def item(self, array: ast.expr, index: Expr) -> Expr:
        if isinstance(array, ast.Name) and array.id not in self.locals:
            found = self.find(array.id)
            if isinstance(found, Cells):
                return ir.Load(cell(found.first, index), found.far)
            if isinstance(found, Numbers):
                return ir.Table(found.table, index)
        return ir.At(self.value(array), index)

    # ---- steps ----

    def statement(self, node: ast.stmt) -> Iterable[ir.Stmt]:
        match node:
            case ast.AugAssign(target=target, op=operator, value=value):
                return [self.assignment(target, ast.BinOp(target, operator, value))]
            case ast.Raise(exc=ast.Name(id=name)):
                fault = self.find(name)
                assert isinstance(fault, int), name
                return [ir.Fault(fault)]
            case ast.Expr(value=ast.Name(id=name)):
                written = self.find(name)
                assert isinstance(written, list), name
                return written
            case _:
                return super().statement(node)

    def branches(
        self, condition: Expr, then: Sequence[ast.stmt], otherwise: Sequence[ast.stmt]
    ) -> Iterable[ir.Stmt]:
        if isinstance(condition, ir.Const):
            return self.block(then if condition.value else otherwise)
        return super().branches(condition, then, otherwise)

    def loop(self, name: str, source: ast.expr, body: list[ast.stmt]) -> ir.Stmt:
        """Return a loop over the numbers of a `range`, or over a list."""
        match source:
            case ast.Call(func=ast.Name(id="range"), args=edges):
                values = [self.value(edge) for edge in edges]
                low = values[0] if len(values) == 2 else ir.Const(0)
                high = binary("-", values[-1], ONE)
                return ir.ForRange(self.slot(name), low, high, self.block(body))
            case _:
                return super().loop(name, source, body)

    # ---- folding ----

    def binary(self, word: ir.BinaryWord, left: Expr, right: Expr) -> Expr:
        return binary(word, left, right)

    def negation(self, operand: Expr) -> Expr:
        return negation(operand)

    def choice(self, condition: Expr, then: Expr, otherwise: Expr) -> Expr:
        return choice(condition, then, otherwise)

    def junction(self, junction: ast.boolop, first: Expr, rest: Sequence[ast.expr]) -> Expr:
        """Return conditions joined by `and` or `or`.

        If a condition determines the result, names after the condition need not exist.
        """
        join, decided = (both, 0) if isinstance(junction, ast.And) else (either, 1)
        if not rest or (isinstance(first, ir.Const) and bool(first.value) == bool(decided)):
            return first
        return join(first, self.junction(junction, self.value(rest[0]), rest[1:]))
