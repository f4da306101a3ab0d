"""A completion, which is a text to insert at a place; and the completions for the things of a game."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, TypeAlias

from attrs import frozen

from rulewright.dsl.model import facts, types
from rulewright.dsl.model.model import DIRECTIONS, Model, ThingKind
from rulewright.dsl.model.signs import is_sign
from rulewright.dsl.model.types import Type, describe
from rulewright.dsl.tree import declared

ReferentKind: TypeAlias = facts.ReferentKind | Literal["word", "clause", "file", "function", "line"]


MOST_PLACES = 400  # the maximum number of completions of one type; spaces of larger grids are named by numbers


@frozen
class Offer:
    """A completion; a smaller `order` is shown first. `about` is a short description."""

    text: str
    kind: ReferentKind
    about: str = ""
    order: float = 100


def of_column(column: declared.Column) -> Offer:
    """Return the completion for a column."""
    return Offer(column.name, "column", " ".join(column.type.span.text.split()))


def of_names(model: Model, type: Type) -> Iterator[Offer]:
    """Yield the names of all things of a type."""
    match type:
        case types.Kind() | types.Piece() | types.Space():
            for name in type.names:
                kind = model.thing(name)
                if kind is not None and not _has_too_many(kind):
                    yield from (Offer(row, "row", name) for row in dict.fromkeys(kind.rows))
                for row in model.options.get(name, ()) if kind is None else ():
                    yield Offer(row, "row", name)
        case types.Player():
            yield from (Offer(name, "seat", "a player") for name in model.seats)
        case types.Action():
            yield from (Offer(name, "action") for name in model.action_names)
        case types.Direction():
            yield from (Offer(name, "row", describe(type)) for name in DIRECTIONS)
        case _:  # all others: they have no names
            return


def of_rows(model: Model, order: float) -> Iterator[Offer]:
    """Yield the names of rows of all kinds, except directions and spaces of large grids."""
    left_out = {kind.name for kind in model.spaces.values() if _has_too_many(kind)}
    for name, found in model.row_names.items():
        if is_sign(name):
            continue
        if name not in DIRECTIONS and not (len(found) == 1 and left_out & {*found[0][0].names}):
            yield Offer(name, "row", describe(found[0][0]), order)


def _has_too_many(kind: ThingKind) -> bool:
    return kind.shape != "" and kind.count > MOST_PLACES
