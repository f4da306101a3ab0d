"""A look at the cells of a game in play by the names of its places; independent of any game."""

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

    def named(self, pieces: Sequence[int]) -> list[str]:
        """The names of pieces."""
        return [self.compiled.viewer.piece_name(piece) for piece in pieces]

    def cards(self, state: State, name: str, owner: str = "", index: str = "") -> list[str]:
        """The names of the pieces of a zone, from bottom to top."""
        return self.named(self.pieces(state, name, owner, index))

    def count(self, state: State, name: str, owner: str = "") -> int:
        """How many tokens lie in a place."""
        return state.cells[self.tokens[name, owner, ""]]

    def value(self, state: State, name: str, owner: str = "", index: str = "") -> str:
        """What is kept under a name, in script names."""
        cell, kept = self.kept[name, owner, index]
        return self.compiled.words.name(kept.domain, state.cells[cell])

    def on(self, state: State, piece: int, name: str, kind: str) -> int:
        """How many tokens lie on a piece, or the cell of a value kept for it."""
        return state.cells[self.cell_on(piece, name, kind)]

    def cell_on(self, piece: int, name: str, kind: str) -> int:
        """Where this is kept."""
        family = self.of_pieces[f"{kind}.{name}"]
        return _base(family) + list(family.owners).index(piece) * family.stride

    def zone_on(self, state: State, piece: int, name: str, kind: str) -> list[int]:
        """The pieces that lie on a piece."""
        family = self.of_pieces[f"{kind}.{name}"]
        zone = _base(family) + list(family.owners).index(piece) * family.stride
        return list(self.compiled.viewer.lying(state.cells, zone))

    def kind(self, piece: int) -> str:
        """The sort of a piece."""
        kinds = self.compiled.program.pieces
        return next(one.name for one in kinds if one.first <= piece < one.first + one.count)


def _base(family: PlaceInfo | TokenPlace | Kept) -> int:
    return family.first if isinstance(family, PlaceInfo) else family.base


def glass_of(compiled: CompiledGame) -> Glass:
    """All places of a variant by name."""
    program = compiled.program
    words = compiled.words
    glass = Glass(compiled, {}, {}, {}, {}, {})
    kinds = {kind.name for kind in program.pieces}
    families: list[PlaceInfo | TokenPlace | Kept] = [
        *program.places,
        *program.tokens,
        *program.kept,
    ]
    for family in families:
        if family.owner in kinds:
            glass.of_pieces[f"{family.owner}.{family.name}"] = family
            continue
        names = [",".join(one) for one, _ in words.place(*_indices(family))]
        width = 1
        if isinstance(family, Kept) and family.list_capacity:
            width = family.list_capacity + 1
        for (position, owner), (number, index) in product(
            enumerate(family.owners), enumerate(names)
        ):
            whose = words.players[owner] if family.owner == "player" else ""
            cell = _base(family) + position * family.stride + number * width
            key = family.name, whose, index
            if isinstance(family, PlaceInfo):
                glass.zones[key] = cell
            elif isinstance(family, TokenPlace):
                glass.tokens[key] = cell
            else:
                glass.kept[key] = cell, family
    return glass


def _indices(
    family: PlaceInfo | TokenPlace | Kept,
) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
    return family.index_domains, family.index_lows, family.sizes
