"""Short ways to write the IR by hand."""

from __future__ import annotations

from rulewright.dsl.ir import (
    Binary,
    BinaryWord,
    CallPlain,
    CallValue,
    Const,
    Domain,
    Expr,
    Load,
    Local,
    SetLocal,
    Store,
)


def op(word: BinaryWord, left: Expr | int, right: Expr | int) -> Binary:
    return Binary(word, expr(left), expr(right))


def expr(value: Expr | int) -> Expr:
    return Const(value) if isinstance(value, int) else value


def at(base: int, index: Expr | int) -> Load:
    return Load(op("+", base, index))


def put(base: int, index: Expr | int, value: Expr | int) -> Store:
    return Store(op("+", base, index), expr(value))


def assign(slot: int, value: Expr | int) -> SetLocal:
    return SetLocal(slot, expr(value))


def call(procedure: int, *arguments: Expr | int) -> CallPlain:
    return CallPlain(procedure, tuple(map(expr, arguments)))


def value_of(procedure: int, *arguments: Expr | int) -> CallValue:
    return CallValue(procedure, tuple(map(expr, arguments)))


L0, L1, L2, L3, L4 = (Local(slot) for slot in range(5))

# A line for each seat; numbers; columns; spaces.
PLAYERS = Domain("Player", 0, ("player_1", "player_2"), ("player 1", "player 2"))
NUMBERS = Domain("number")
