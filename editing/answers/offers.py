"""One thing that may be written at a place, and how things of the game become such offers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, TypeAlias

from attrs import frozen

from rulewright.dsl.tree import declared
from rulewright.dsl.world import facts
from rulewright.dsl.world.typesystem import Type, describe
from rulewright.dsl.world.world import DIRECTIONS, World

Sort: TypeAlias = facts.Sort | Literal["word", "clause", "file", "function", "line"]


@frozen
class Offer:
    """Something that may be written; what has a smaller `order` is shown first. `about` is a few words on it."""

    text: str
    sort: Sort
    about: str = ""
    order: float = 100


def of_column(column: declared.Column) -> Offer:
    """A column by its name."""
    return Offer(column.name, "column", " ".join(column.type.span.text.split()))


def of_names(world: World, type: Type) -> Iterator[Offer]:
    """The names of all things of a type."""
    match type.tag:
        case "kind" | "piece" | "space":
            for name in type.names:
                kind = world.thing(name)
                for row in (
                    dict.fromkeys(kind.rows) if kind is not None else world.options.get(name, ())
                ):
                    yield Offer(row, "row", name)
        case "player":
            yield from (Offer(name, "seat", "a player") for name in world.seats)
        case "action":
            yield from (Offer(name, "action") for name in world.action_names)
        case "direction":
            yield from (Offer(name, "row", describe(type)) for name in DIRECTIONS)
        case _:
            return
