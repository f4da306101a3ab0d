"""Represents a view of a position as plain data: places, pieces, tokens and values, as far as a viewer may know them.

This module does not depend on states (`viewer.py` makes views of them) or on screen layout.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, TypeAlias

import attrs

EVERYBODY = -1
"""The viewer who knows only what all players know."""
AT_ONCE = "together"
"""A word after `except`: the number of things in a place stays visible while all players decide at the same time."""
ALL_SEEING = -2
"""The viewer who sees everything: for finished matches, and for matches between bots."""


@attrs.frozen
class Piece:
    """A piece as a viewer sees it. `name` is "" if only the public `columns` are known.

    `slot` counts from 1 in a row and is 0 elsewhere. `whose` is the player who owns the piece, or
    "" if the piece has no owner or the owner is not known.
    """

    name: str
    slot: int = 0
    columns: tuple[tuple[str, str], ...] = ()
    whose: str = ""
    id: int = attrs.field(default=-1, eq=False)
    text: str = attrs.field(default="", eq=False)


Index: TypeAlias = "tuple[tuple[str, ...], tuple[str, ...]]"
"""The names of the indices of a place, and their texts."""


@attrs.frozen
class Place:
    """A place with its owner. `owner` is "" for the table, "player", or a kind of thing.

    `of` is the name of the owner.
    """

    name: str
    owner: str
    of: str
    owner_id: int
    index: tuple[str, ...] = ()
    of_text: str = attrs.field(default="", eq=False)
    index_text: tuple[str, ...] = attrs.field(default=(), eq=False)

    @property
    def label(self) -> str:
        """Return the name with its index."""
        return f"{self.name}({', '.join(self.index)})" if self.index else self.name

    @property
    def title(self) -> str:
        """Return the name with its index, as it is shown to people."""
        name = self.name.replace("_", " ")
        index = ", ".join(self.index_text or self.index)
        return f"{name} ({index})" if index else name


@attrs.frozen
class SeenZone:
    """A zone as a viewer sees it. `count` is None if it is hidden. `pieces` contains the pieces
    that are at least partly known.

    Piles are listed from bottom to top, and rows in the order of their slots. If `count` is greater
    than the number of `pieces`, the other pieces are unknown.
    """

    place: Place
    shape: Literal["pile", "set", "row", "spot"]
    slots: int
    count: int | None
    pieces: tuple[Piece, ...]


@attrs.frozen
class SeenTokens:
    """The tokens in a place, as pairs (owner, number). The owner is "" if the tokens have none.

    `counts` is None if the numbers are hidden.
    """

    place: Place
    token: str
    counts: tuple[tuple[str, int], ...] | None


@attrs.frozen
class SeenValue:
    """A stored value: its name (a tuple of names for a list), or None if it is hidden."""

    place: Place
    value: str | tuple[str, ...] | None
    text: str = attrs.field(default="hidden", eq=False)


@attrs.frozen
class View:
    """A position as a viewer may know it.

    Empty places on pieces and on spaces of grids are left out, and so are values that have not
    changed since the start.
    """

    viewer: int
    in_play: tuple[bool, ...]
    """For each player, whether the player is still in play."""
    values: tuple[SeenValue, ...]
    zones: tuple[SeenZone, ...]
    tokens: tuple[SeenTokens, ...]


@attrs.frozen(eq=False)
class PublicView:
    """The part of a position that is the same for all viewers. It is computed once for a state.

    It has an entry for each group of values, zones and tokens, in the order of the rules. The entry
    is None if players see the group differently. If an entry is unchanged from one state to the
    next, it is often the same object.
    """

    in_play: tuple[bool, ...]
    values: tuple[tuple[SeenValue, ...] | None, ...]
    zones: tuple[tuple[SeenZone, ...] | None, ...]
    tokens: tuple[tuple[SeenTokens, ...] | None, ...]
    lying: dict[int, tuple[int, ...]] = attrs.field(init=False, factory=dict, repr=False)
    """A cache of the pieces of zones that players see differently. Only `Viewer` uses it."""
    boards: dict[int, object] = attrs.field(init=False, factory=dict, repr=False)
    """A cache of the boards that are the same for all players. Only `rendering` uses it."""


def as_text(view: View) -> str:
    """Return the whole view as one line of text. Equal views have equal texts."""
    return "; ".join(f"{name}={text}" if name else text for name, text in named_parts(view))


def named_parts(view: View) -> Iterator[tuple[str, str]]:
    """Yield the name and the text of each part of a view. The first part, without a name, tells who is in play."""
    yield "", str(view.in_play)
    for zone in view.zones:
        yield whose(zone.place), f"{zone.count}[{' '.join(map(_piece_text, zone.pieces))}]"
    for tokens in view.tokens:
        yield whose(tokens.place), str(tokens.counts)
    for value in view.values:
        yield whose(value.place), str(value.value)


def in_parts(view: View) -> dict[str, str]:
    """Map the label of each place to its contents. The order of a set does not depend on the numbers of copies."""
    found: dict[str, str] = {}
    for zone in view.zones:
        pieces = [_piece_text(piece) for piece in zone.pieces]
        pieces = sorted(pieces) if zone.shape == "set" else pieces
        shown = f"{', '.join(pieces)}" if pieces else "nothing"
        found[whose(zone.place)] = shown if zone.count is not None else "hidden"
    for tokens in view.tokens:
        counts = (f"{count} {name}".rstrip() for name, count in tokens.counts or ())
        found[whose(tokens.place)] = ", ".join(counts) or "nothing"
    for value in view.values:
        found[whose(value.place)] = value.text
    return found


def whose(place: Place) -> str:
    """Return the label of a place, with its owner."""
    return f"{place.of}.{place.label}" if place.of else place.label


def _piece_text(piece: Piece) -> str:
    shown = "/".join(f"{name}:{value}" for name, value in piece.columns)
    whose = f" of {piece.whose}" if piece.whose else ""
    return f"{piece.name or '?'}{whose}{shown}" + (f"@{piece.slot}" if piece.slot else "")
