"""Computes the corners and edges of the cells of a grid, the cells that they touch, and their places in a drawing.

Cells are laid out like bricks. A square is a brick of width 1. A hexagon is a brick of width 2, and
each row of hexagons is shifted by half a brick. So the place of a corner is a column and a line.
Line `y` is the lower line of row `y`, or its upper line if rows are counted from the top. Edges are
on a lattice that is twice as fine. The module does not depend on the ids of spaces.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Literal

from attrs import define

Place = tuple[int, int]
Elements = Literal["cells", "corners", "edges"]

HEXES = ("hex", "rhombus", "hexagon")
"""The shapes of grids whose cells are hexagons."""
# The corners of a brick, clockwise. Each has the number of columns to the right of the brick's
# first column, and the number of lines to the north of its lower line. Edge `n` joins corners `n`
# and `n + 1`. The first edge of a square faces north, and the first edge of a hexagon faces
# north-east.
_SQUARE = ((0, 1), (1, 1), (1, 0), (0, 0))
_HEXAGON = ((1, 1), (2, 1), (2, 0), (1, 0), (0, 0), (0, 1))


def halves(shape: str, x: int, y: int) -> int:
    """Return the horizontal position of the centre of a cell, in half cells.

    Each even row of a hex grid is shifted to the right by half a cell. In a rhombus, each row is
    shifted right relative to the previous row; in a hexagon, it is shifted left.
    """
    match shape:
        case "hex":
            return 2 * x + (y + 1) % 2
        case "rhombus":
            return 2 * x + y
        case "hexagon":
            return 2 * x - y
        case _:
            return 2 * x


def middle(shape: str, place: Place) -> Place:
    """Return the centre of a cell: x in half cells, and y in sixths of a row."""
    x, y = place
    return halves(shape, x, y), 6 * y


@define(eq=False, slots=False)
class Border:
    """The corners and edges of a set of cells. Both are numbered from 0, row by row."""

    shape: str
    cells: tuple[Place, ...]
    down: bool = False

    @cached_property
    def _first(self) -> int:
        """For hexagons, return the number of half cells to the left of the first column of corners."""
        return min(halves(self.shape, x, y) for x, y in self.cells) - 2

    @cached_property
    def _around(self) -> tuple[tuple[Place, ...], ...]:
        """For each cell, return the places of its corners, clockwise."""
        is_hex = self.shape in HEXES
        found = []
        for x, y in self.cells:
            left = halves(self.shape, x, y) - 1 - self._first if is_hex else x
            brick = _HEXAGON if is_hex else _SQUARE
            lines = (y + 1, y) if self.down else (y, y + 1)
            found.append(tuple((left + right, lines[north]) for right, north in brick))
        return tuple(found)

    @cached_property
    def corners(self) -> tuple[Place, ...]:
        """Return the place (column, line) of each corner."""
        return _in_rows({corner for around in self._around for corner in around})

    @cached_property
    def edges(self) -> tuple[Place, ...]:
        """Return the place of each edge. On the lattice of edges, corner (x, y) is at (2x - 1, 2y - 1)."""
        return _in_rows({edge for around in self._around for edge in _sides(around)})

    def relation(self, of: Elements, to: Elements) -> tuple[tuple[int, ...], ...]:
        """For each element of the type `of` (cell, corner or edge), return the elements of the type
        `to` that touch it. If both types are the same, return its neighbours.

        The result for a cell is in clockwise order; the result for a corner or an edge is in the
        order of indices.
        """
        corner = {place: number for number, place in enumerate(self.corners)}
        edge = {place: number for number, place in enumerate(self.edges)}
        match of, to:
            case "cells", "corners":
                return tuple(tuple(corner[at] for at in around) for around in self._around)
            case "cells", "edges":
                return tuple(tuple(edge[at] for at in _sides(around)) for around in self._around)
            case "edges", "corners":
                return tuple(
                    tuple(corner[end] for end in _ends(place) if end in corner)
                    for place in self.edges
                )
            case "corners", "cells":
                return _inverse(self.relation("cells", "corners"), len(corner))
            case "edges", "cells":
                return _inverse(self.relation("cells", "edges"), len(edge))
            case "corners", "edges":
                return _inverse(self.relation("edges", "corners"), len(corner))
            case _:  # all others: two elements of one type, joined by an element of the other type
                between: Elements = "corners" if of == "edges" else "edges"
                there, back = self.relation(of, between), self.relation(between, to)
                return tuple(
                    tuple(sorted({far for at in near for far in back[at]} - {number}))
                    for number, near in enumerate(there)
                )

    def points(self, elements: Elements) -> tuple[tuple[Place, ...], ...]:
        """Return the point of each corner in a drawing, or the points of the two ends of each edge.

        Points are in the units that `middle` uses.
        """
        corners = tuple(map(self._point, self.corners))
        if elements == "corners":
            return tuple((point,) for point in corners)
        return tuple(
            tuple(corners[end] for end in ends) for ends in self.relation("edges", "corners")
        )

    def _point(self, corner: Place) -> Place:
        x, y = corner
        if self.shape not in HEXES:
            return 2 * x - 1, 6 * y - 3
        across = x + self._first
        is_tip = (across - halves(self.shape, 0, y)) % 2 == 0  # of a cell in row `y`
        return across, 6 * y - (4 if is_tip else 2)


def _sides(around: Sequence[Place]) -> list[Place]:
    """Return the places of the edges between consecutive corners."""
    following = (*around[1:], around[0])
    return [(a + c - 1, b + d - 1) for (a, b), (c, d) in zip(around, following, strict=True)]


def _ends(edge: Place) -> tuple[Place, Place]:
    """Return the places of the corners at the ends of an edge."""
    x, y = edge
    return ((x + 1) // 2, (y + 1) // 2), (x // 2 + 1, y // 2 + 1)


def corners_at(
    elements: str, place: Place, points: Sequence[Place]
) -> Iterator[tuple[Place, Place]]:
    """Yield the corner at a place, or the two corners of the edge at a place, each with its point
    in a drawing.
    """
    return zip((place,) if elements == "corners" else _ends(place), points, strict=True)


def _in_rows(places: set[Place]) -> tuple[Place, ...]:
    return tuple(sorted(places, key=lambda place: (place[1], place[0])))


def _inverse(related: Sequence[Sequence[int]], count: int) -> tuple[tuple[int, ...], ...]:
    """Return the inverse of a relation: for each number below `count`, the indices of the lists
    that contain it.
    """
    found: list[list[int]] = [[] for _ in range(count)]
    for number, others in enumerate(related):
        for other in others:
            found[other].append(number)
    return tuple(map(tuple, found))
