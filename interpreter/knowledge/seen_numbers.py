"""Describes the type and the bounds of each number of an observation.

A learner needs the bounds to scale numbers. `HIDDEN` and `NONE` are outside the bounds, so each
description says whether the number may take these values.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from typing import Literal, TypeAlias

from attrs import evolve, frozen

from rulewright.dsl.ir import Domain, Kept, PieceKind, PlaceInfo, Program, SpaceKind, TokenPlace
from rulewright.interpreter.knowledge.visible_cells import CellGroup
from rulewright.interpreter.text.names import PIECE, SPACE

NumberKind: TypeAlias = Literal["flag", "count", "category", "place"]

LEAST, MOST = -(2**31) + 2, 2**31 - 1
"""The bounds of a number about which nothing is known."""
FLAG = "flag"
"""The domain of conditions."""


@frozen
class Number:
    """A number of an observation: a flag, a count, a category of `n` values, or a place of pieces.

    Its values range from `low` to `high`. `hidden` says whether it may also be `HIDDEN`. `nothing`
    says whether it may also be `NONE` or -1.
    """

    kind: NumberKind
    low: int
    high: int
    domain: str = ""
    """The domain that names the categories."""
    hidden: bool = False
    nothing: bool = False

    @property
    def n(self) -> int:
        """Return the number of values."""
        return self.high - self.low + 1

    @property
    def text(self) -> str:
        """Return the type and the bounds in words."""
        if self.kind == "flag":
            words = "flag"
        elif self.kind == "count":
            words = "count" if self.high == MOST else f"count {self.low}..{self.high}"
        else:
            words = f"{self.kind} of {self.n}"
        also = [", may be hidden"] * self.hidden + [", may be nothing"] * self.nothing
        return words + "".join(also)


def of_domain(domain: Domain, low: int = LEAST, high: int = MOST) -> Number:
    """Describe a value of a domain. `low` and `high` are the bounds of plain numbers."""
    if domain.name == FLAG:
        return Number("flag", 0, 1)
    if domain.names:
        last = domain.offset + len(domain.names) - 1
        return Number("category", domain.offset, last, domain.name, nothing=domain.offset >= 0)
    return Number("count", low, high)


def of_group(program: Program, group: CellGroup) -> tuple[Number, ...]:
    """Describe the numbers of each owner of a group."""
    numbers = tuple(_of_group(program, group))
    if _may_be_hidden(program, group):
        numbers = tuple(evolve(number, hidden=True) for number in numbers)
    if group.cell_of < 0:
        return numbers
    spaces = next(kind for kind in program.spaces if kind.name == group.owner)
    space = Number("category", spaces.first, spaces.first + spaces.count - 1, SPACE)
    return tuple(evolve(number, nothing=True) for number in (space, *numbers))


def _may_be_hidden(program: Program, group: CellGroup) -> bool:
    if any(kind.name == group.owner for kind in program.pieces):
        return True
    is_counted = not isinstance(group, Kept) and "size" in group.except_for
    if isinstance(group, TokenPlace) and group.colours > 1:
        is_counted = False  # the total is known, but not the number of tokens of each colour
    return group.seen != "all" and not is_counted


def _of_group(program: Program, group: CellGroup) -> Iterator[Number]:
    each = prod(group.sizes)
    match group:
        case Kept():
            one = of_domain(program.domains[group.domain], group.low, group.high)
            if not group.list_capacity:
                for _ in range(each):
                    yield _from_start(one, group.start)
                return
            for _ in range(each):
                yield Number("count", 0, group.list_capacity)
                for _ in range(group.list_capacity):
                    yield evolve(one, nothing=True)
        case PlaceInfo():
            kinds = [kind.count for kind in program.pieces if kind.name in group.kinds]
            most = {"spot": 1, "row": group.slots}.get(group.shape, sum(kinds))
            for _ in range(each):
                yield Number("count", 0, most)
        case TokenPlace():
            most = tokens_of(program, group.token)
            for _ in range(each * group.colours):
                yield Number("count", 0, most)


def _from_start(one: Number, start: int) -> Number:
    """Widen the bounds of a stored value to include its start.

    A start of -1 means that nothing is stored, unless -1 is within the bounds.
    """
    if one.kind != "count":
        return one
    low = min(one.low, start) if start != -1 else one.low
    return evolve(one, low=low, high=max(one.high, start), nothing=low > -1)


def tokens_of(program: Program, token: str) -> int:
    """Count the tokens of a kind. Their number never changes."""
    start = dict(program.start)
    return sum(
        start.get(cell, 0)
        for place in program.tokens
        if place.token == token
        for position in range(len(place.owners))
        for cell in _cells(place, position)
    )


def _cells(place: TokenPlace, position: int) -> range:
    first = place.base + position * place.stride
    return range(first, first + prod(place.sizes) * place.colours)


def of_piece(kind: PieceKind, places: int) -> tuple[Number, Number]:
    """Describe the two numbers of a piece: its zone, and its place in the zone."""
    return (
        Number("place", 0, max(places - 1, 0), hidden=True, nothing=True),
        Number("count", 0, max(kind.count, 1), hidden=True),
    )


def kinds_of(program: Program, domain: str) -> list[PieceKind] | list[SpaceKind]:
    """Return the kinds of pieces or spaces whose members are the values of a domain."""
    if domain == PIECE:
        return list(program.pieces)
    return list(program.spaces) if domain == SPACE else []
