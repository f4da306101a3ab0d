"""Computes the side of each seat before the game begins. Players on the same side play together."""

from __future__ import annotations

from rulewright.dsl.model import types
from rulewright.dsl.model.constants import NotConstant, constant
from rulewright.dsl.model.model import Model, id_named
from rulewright.dsl.model.types import describe
from rulewright.dsl.tree import declared


def declare_sides(model: Model, d: declared.Side) -> None:
    """Store the side of each seat in the model."""
    type = model.type_of(d.type)
    if not isinstance(type, types.Kind) or type.opt:
        if type.known:
            model.problems.error(
                "wrong-type",
                f"a side is a value of a kind, but this is {describe(type)}",
                d.type.span,
                help="declare one: `kind Pair = north_south, east_west`",
            )
        return
    found: list[int] = []
    for seat in range(len(model.seats)):
        side = _side(model, d, seat)
        if side is None:
            return
        found.append(side)
    model.side_type, model.sides = type, tuple(found)


def _side(model: Model, d: declared.Side, seat: int) -> int | None:
    type = model.type_of(d.type)

    def word(name: str) -> int | None:
        known = id_named(model, type, name)
        return known if known is not None else model.word(name)

    def attribute(name: str, of: str) -> int | None:
        return seat + 1 if (name, of) == (d.name, "number") else None

    try:
        side = constant(d.value, word, model.cell, attribute)
    except NotConstant as problem:
        model.problems.error(
            "wrong-type",
            "sides must be known before the game starts",
            problem.place.span,
            at=problem.why,
            help=problem.help or f"use `{d.name}.number`, `player_count` and options",
        )
        return None
    if not 0 <= side < model.size_of(type):
        model.problems.error(
            "wrong-type",
            f"this is not {describe(type)}",
            d.value.span,
            help=f"write a value of the kind, or a number of one: `{type.names[0]}(n)`"
            if type.names
            else "write a value of the kind",
        )
        return None
    return side
