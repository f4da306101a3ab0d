"""Computes the values of expressions and plain procedures that read only printed values.

Printed values never change. The code is translated to Python (`ir_text`), adapted to the meaning of
the core IR, and run. The computation gives up if a value depends on the state.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Protocol, TypeVar

from attrs import define, field

from rulewright.dsl import ir
from rulewright.dsl.ir_text import expression_node, plain_node
from rulewright.dsl.tree.nesting import walk

T = TypeVar("T")
MOST_TURNS = 200_000
_FAILURES = (
    *(ArithmeticError, IndexError, NameError, TypeError),
    *(MemoryError, RecursionError, SyntaxError),
)
"""The Python errors raised by a value that depends on the state, or by code that is nested too deeply."""


class Unknown(Exception):
    """Raised if a value depends on the state, or if its computation takes too long."""


class Faulty(Unknown):
    """Raised if the computation of a value causes a fault, such as a missing row of a table."""


class Procedures(Protocol):
    """A program, complete or still being written."""

    @property
    def plain(self) -> Sequence[ir.Plain | None]:
        """Return the plain procedures. None stands for a procedure that is not written yet."""
        ...

    @property
    def tables(self) -> Sequence[tuple[object, ...]]:
        """Return the constant tables."""
        ...


def printed_value(c: Procedures, procedure: int) -> object:
    """Return the value of a plain procedure without parameters. Return None if the value depends on
    the state, and 0 if the procedure causes a fault.
    """
    try:
        return Evaluator(c).function(ir.CallValue(procedure, ()), ())()
    except Faulty:
        return 0
    except Unknown:
        return None


@define
class Evaluator:
    """Computes values. The total number of calls and iterations is limited."""

    c: Procedures
    turns: int = 0
    _names: dict[str, Any] = field(init=False)
    """Maps the names in the code to helpers, procedures and tables."""

    def __attrs_post_init__(self) -> None:
        self._names = {
            "__builtins__": {"len": len, "max": max, "min": min},
            "row": _table_row,
            "member": _member,
            "fault": _fault,
            "mark": _mark,
            "through": lambda low, high: range(low, high + 1),
            "turn": self._count_turn,
            "each": self._count_each,
        }

    def function(self, e: ir.Expr, slots: Iterable[int]) -> Callable[..., object]:
        """Return a function that computes an expression from the values of the locals `slots`."""
        self._define_parts(e)
        given = [ast.arg(f"v{slot}") for slot in slots]
        arguments = ast.arguments([], given, None, [], [], None, [])
        made = self._evaluate(ast.Expression(ast.Lambda(arguments, expression_node(e))), "eval")
        return lambda *given: _attempt(lambda: made(*given))

    def _define_parts(self, code: object) -> None:
        """Define the procedures and tables that the code uses. Give up if the code reads the state."""
        for part in walk(code):
            match part:
                case ir.CallValue(procedure=n) | ir.CallPlain(procedure=n):
                    self._define(n)
                case ir.Table(table=n):
                    self._names[f"table{n}"] = self.c.tables[n]
                case ir.Load() | ir.Store() | ir.Possible():
                    raise Unknown
                case _:  # all others: the result depends on their parts
                    pass

    def _define(self, procedure: int) -> None:
        name, called = f"p{procedure}", self.c.plain[procedure]
        if called is None:
            raise Unknown
        if name not in self._names:
            self._names[name] = None
            self._define_parts(called.body)
            self._evaluate(ast.Module([plain_node(name, called)], []), "exec")

    def _evaluate(self, tree: ast.AST, mode: str) -> Any:
        def compile_tree() -> Any:
            same = ast.fix_missing_locations(_IrMeaning().visit(tree))
            return compile(same, "printed", mode)

        return eval(_attempt(compile_tree), self._names)

    def _count_turn(self) -> bool:
        """Count a call or an iteration of a loop. Give up if there are too many."""
        self.turns += 1
        if self.turns > MOST_TURNS:
            raise Unknown
        return True

    def _count_each(self, members: Iterable[object]) -> Iterator[object]:
        for member in members:
            self._count_turn()
            yield member


def _attempt(work: Callable[[], T]) -> T:
    try:
        return work()
    except _FAILURES as error:
        raise Unknown from error


def _table_row(rows: Sequence[object], index: int) -> object:
    if 0 <= index < len(rows):
        return rows[index]
    raise Unknown


def _member(items: Sequence[object], index: int) -> object:
    return items[index] if 0 <= index < len(items) else -1


def _fault(number: int) -> Faulty:
    return Faulty(number)


def _mark(*_: object) -> None:
    """Do nothing: marks only count how often a line runs in a match."""


# ---- Python with the meaning of the core IR ---------------------------------------------------------


class _IrMeaning(ast.NodeTransformer):
    """Adapts the Python of `ir_text`: lists never change, `and` returns 0 or 1, and iterations of
    loops are counted.
    """

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        """Initialise locals to 0, and count the call."""
        self.generic_visit(node)
        node.args.kw_defaults = [ast.Constant(0) for _ in node.args.kwonlyargs]
        node.body = [ast.Expr(_call("turn")), *node.body, ast.Return(ast.Constant(0))]
        return node

    def visit_Return(self, node: ast.Return) -> ast.AST:
        """Make a `return` without a value return 0."""
        self.generic_visit(node)
        return ast.Return(node.value or ast.Constant(0))

    def visit_While(self, node: ast.While) -> ast.AST:
        """Count each iteration."""
        self.generic_visit(node)
        test = ast.BoolOp(ast.And(), [_call("turn"), node.test])
        return ast.While(test, node.body, [])

    def visit_For(self, node: ast.For) -> ast.AST:
        """Count each iteration."""
        self.generic_visit(node)
        return ast.For(node.target, _call("each", node.iter), node.body, [])

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.AST:
        """Make `and` and `or` return 0 or 1 instead of the last operand."""
        self.generic_visit(node)
        return ast.IfExp(node, ast.Constant(1), ast.Constant(0))

    def visit_List(self, node: ast.List) -> ast.AST:
        """Replace a list with a tuple, because tuples cannot change."""
        self.generic_visit(node)
        return ast.Tuple(node.elts, ast.Load())

    def visit_Expr(self, node: ast.Expr) -> ast.AST:
        """Replace an append with the assignment of a longer tuple."""
        self.generic_visit(node)
        match node.value:
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="append"), args=[value]):
                before = ast.Starred(ast.Name(name, ast.Load()), ast.Load())
                longer = ast.Tuple([before, value], ast.Load())
                return ast.Assign([ast.Name(name, ast.Store())], longer)
            case _:
                return node

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        """Give up at an index outside a table, and return nothing for an index outside a list."""
        self.generic_visit(node)
        match node:
            case ast.Subscript(value=ast.Name(id=name), ctx=ast.Load()) if name.startswith("table"):
                return _call("row", node.value, node.slice)
            case ast.Subscript(ctx=ast.Load()):
                return _call("member", node.value, node.slice)
            case _:
                return node


def _call(word: str, *arguments: ast.expr) -> ast.expr:
    return ast.Call(ast.Name(word, ast.Load()), [*arguments], [])
