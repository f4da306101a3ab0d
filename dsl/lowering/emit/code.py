"""Builds small pieces of code, and folds constants where possible."""

from __future__ import annotations

import operator as op
from collections.abc import Callable, Mapping

from rulewright.dsl import ir

Expr = ir.Expr


Stmts = list[ir.Stmt]


ZERO = ir.Const(0)


ONE = ir.Const(1)


NONE = ir.Const(-1)


OPERATIONS: Mapping[str, Callable[[int, int], int]] = {
    "+": op.add,
    "-": op.sub,
    "*": op.mul,
    "//": op.floordiv,
    "%": op.mod,
    "==": op.eq,
    "!=": op.ne,
    "<": op.lt,
    "<=": op.le,
    ">": op.gt,
    ">=": op.ge,
    "min": min,
    "max": max,
}


def binary(operator: ir.BinaryWord, left: Expr, right: Expr) -> Expr:
    """Return code that computes `left operator right`. If both sides are constant, return the result as a constant."""
    known_left = left.value if isinstance(left, ir.Const) else None
    known_right = right.value if isinstance(right, ir.Const) else None
    if known_left is None and known_right is None:
        return ir.Binary(operator, left, right)
    if (
        isinstance(known_left, int)
        and isinstance(known_right, int)
        and not (operator in ("//", "%") and known_right == 0)
    ):
        return ir.Const(int(OPERATIONS[operator](known_left, known_right)))
    if operator == "+":
        if known_left == 0:
            return right
        if known_right == 0:
            return left
        if known_right is not None:
            if isinstance(left, ir.Binary) and left.operator == "+":
                inner = left.left
                if isinstance(inner, ir.Const):
                    return binary("+", binary("+", inner, right), left.right)
            return ir.Binary("+", right, left)
        if known_left is not None and isinstance(right, ir.Binary) and right.operator == "+":
            inner = right.left
            if isinstance(inner, ir.Const):
                return binary("+", binary("+", left, inner), right.right)
    elif operator == "-":
        if isinstance(known_right, int):
            return binary("+", ir.Const(-known_right), left)
    elif operator == "*":
        if known_left == 1:
            return right
        if known_right == 1:
            return left
    elif operator == "//" and known_right == 1:
        return left
    return ir.Binary(operator, left, right)


def both(left: Expr, right: Expr) -> Expr:
    """Return code that computes `left and right`. If a constant side determines the result, return simpler code."""
    if isinstance(left, ir.Const):
        return right if left.value else ZERO
    if isinstance(right, ir.Const) and right.value:
        return left
    return ir.And(left, right)


def either(left: Expr, right: Expr) -> Expr:
    """Return code that computes `left or right`. If a constant side determines the result, return simpler code."""
    if isinstance(left, ir.Const):
        return ONE if left.value else right
    if isinstance(right, ir.Const) and not right.value:
        return left
    return ir.Or(left, right)


def between(low: Expr, operand: Expr, high: Expr) -> Expr:
    """Return code that tests whether a number is in `low..high`."""
    return both(binary("<=", low, operand), binary("<=", operand, high))


def under(test: Expr, stmts: Stmts) -> Stmts:
    """Return statements that run only if a test succeeds."""
    return stmts if test == ONE else [ir.If(test, tuple(stmts))]


def negation(operand: Expr) -> Expr:
    """Return code that computes `not operand`. The negation of a negation is its operand."""
    if isinstance(operand, ir.Const):
        return ZERO if operand.value else ONE
    if isinstance(operand, ir.Not):
        return operand.operand
    if isinstance(operand, ir.Binary):
        turned: dict[str, ir.BinaryWord] = {
            "==": "!=",
            "!=": "==",
            "<": ">=",
            ">=": "<",
            ">": "<=",
            "<=": ">",
        }
        if operand.operator in turned:
            return ir.Binary(turned[operand.operator], operand.left, operand.right)
    # all others: they stay unchanged
    return ir.Not(operand)


def choice(condition: Expr, then: Expr, otherwise: Expr) -> Expr:
    """Return code that computes `then if condition else otherwise`. If the condition is constant,
    return one of the two sides.
    """
    if isinstance(condition, ir.Const):
        return then if condition.value else otherwise
    if then == otherwise:
        return then
    return ir.Choice(condition, then, otherwise)


def cell(base: int, index: Expr = ZERO) -> Expr:
    """Return code that computes the address of a cell in an array."""
    return binary("+", ir.Const(base), index)


def load(base: int, index: Expr = ZERO) -> Expr:
    """Return code that reads a cell of an array."""
    return ir.Load(cell(base, index))


def load_far(base: int, index: Expr) -> Expr:
    """Return code that reads a far cell. Far cells are seldom written."""
    return ir.Load(cell(base, index), far=True)


def weight(e: Expr) -> int:
    """Estimate the size of an expression. Only a small expression may occur twice in the code."""
    match e:
        case ir.Const() | ir.Local() | ir.LocalList():
            return 1
        case ir.Load(address=a):
            return 1 + weight(a)
        case ir.Table(index=i):
            return 1 + weight(i)
        case ir.Binary(left=a, right=b) | ir.And(left=a, right=b) | ir.Or(left=a, right=b):
            return 1 + weight(a) + weight(b)
        case ir.Not(operand=a):
            return 1 + weight(a)
        case ir.Choice(condition=a, then=b, otherwise=d):
            return 1 + weight(a) + weight(b) + weight(d)
        case ir.OfList() | ir.CallValue() | ir.Possible():
            return 12
