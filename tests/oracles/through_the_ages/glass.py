"""The cells of a match, by the names of its places; independent of any game."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import attrs

from rulewright.dsl.ir import Kept, PlaceInfo, TokenPlace
from rulewright.interpreter.matches.state import State
from rulewright.interpreter.views.compiled_game import CompiledGame

Key = tuple[str, str, str]
"""The name of a place, the name of its owner, its index."""


@attrs.define(eq=False)
class Glass:
    """The places of one variant; each answer is about the cells of a state."""

    compiled: CompiledGame
    zones: dict[Key, int]
    tokens: dict[Key, int]
    kept: dict[Key, tuple[int, Kept]]
    owners: dict[int, str]
    of_pieces: dict[str, PlaceInfo | TokenPlace | Kept]

    def pieces(self, state: State, name: str, owner: str = "", index: str = "") -> list[int]:
        """The pieces of a zone, from bottom to top."""
        return list(self.compiled.viewer.lying(state.cells, self.zones[name, owner, index]))

    def piece_names(self, pieces: Sequence[int]) -> list[str]:
        """The names of pieces."""
        return [self.compiled.viewer.piece_name(piece) for piece in pieces]

    def cards(self, state: State, name: str, owner: str = "", index: str = "") -> list[str]:
        """The names of the pieces of a zone, from bottom to top."""
        return self.piece_names(self.pieces(state, name, owner, index))

    def count(self, state: State, name: str, owner: str = "") -> int:
        """The number of tokens in a place."""
        return state.cells[self.tokens[name, owner, ""]]

    def value(self, state: State, name: str, owner: str = "", index: str = "") -> str:
        """The value with a name, in script names."""
        cell, kept = self.kept[name, owner, index]
        return self.compiled.words.name(kept.domain, state.cells[cell])

    def on(self, state: State, piece: int, name: str, kind: str) -> int:
        """The number of tokens on a piece, or the cell of a value stored for it."""
        return state.cells[self.cell_on(piece, name, kind)]

    def cell_on(self, piece: int, name: str, kind: str) -> int:
        """The place of this value."""
        group = self.of_pieces[f"{kind}.{name}"]
        return _base(group) + list(group.owners).index(piece) * group.stride

    def zone_on(self, state: State, piece: int, name: str, kind: str) -> list[int]:
        """The pieces on a piece."""
        group = self.of_pieces[f"{kind}.{name}"]
        zone = _base(group) + list(group.owners).index(piece) * group.stride
        return list(self.compiled.viewer.lying(state.cells, zone))

    def kind(self, piece: int) -> str:
        """The kind of a piece."""
        kinds = self.compiled.program.pieces
        return next(one.name for one in kinds if one.first <= piece < one.first + one.count)


def _base(group: PlaceInfo | TokenPlace | Kept) -> int:
    return group.first if isinstance(group, PlaceInfo) else group.base


def glass_of(compiled: CompiledGame) -> Glass:
    """All places of a variant by name."""
    program = compiled.program
    words = compiled.words
    glass = Glass(compiled, {}, {}, {}, {}, {})
    kinds = {kind.name for kind in program.pieces}
    groups: list[PlaceInfo | TokenPlace | Kept] = [
        *program.places,
        *program.tokens,
        *program.kept,
    ]
    for group in groups:
        if group.owner in kinds:
            glass.of_pieces[f"{group.owner}.{group.name}"] = group
            continue
        names = [",".join(one) for one, _ in words.place(*_indices(group))]
        width = 1
        if isinstance(group, Kept) and group.list_capacity:
            width = group.list_capacity + 1
        for (position, owner), (number, index) in product(
            enumerate(group.owners), enumerate(names)
        ):
            whose = words.players[owner] if group.owner == "player" else ""
            cell = _base(group) + position * group.stride + number * width
            key = group.name, whose, index
            if isinstance(group, PlaceInfo):
                glass.zones[key] = cell
            elif isinstance(group, TokenPlace):
                glass.tokens[key] = cell
            else:
                glass.kept[key] = cell, group
    return glass


def _indices(
    group: PlaceInfo | TokenPlace | Kept,
) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
    return group.index_domains, group.index_lows, group.sizes
