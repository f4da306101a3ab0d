"""Computes grids: the places of cells, their neighbours and lines. Equal grids are computed only once."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, lru_cache

from attrs import define

from rulewright.dsl.borders import HEXES, Border, Elements, Place, halves

# north, northeast, east and so on clockwise; y grows to the north, or to the south if rows are
# counted from the top
STEPS = ((0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1))
# the six directions for hexagons, without north and south
HEX = (1, 2, 3, 5, 6, 7)
ORTHOGONAL = (0, 2, 4, 6)


@define(eq=False, slots=False)
class Grid:
    """A grid whose cells have the ids `first`, `first + 1`, ... and the given places.

    In results, -1 means that there is no cell.
    """

    shape: str
    first: int
    places: tuple[Place, ...]
    down: bool = False
    cells: Grid | None = None
    """For a grid of corners or edges, the grid of the cells to which these belong."""

    @cached_property
    def border(self) -> Border:
        """Return the corners and edges of the cells. For a grid of corners or edges, return the
        corners and edges of the cells to which these belong.
        """
        if self.cells is not None:
            return self.cells.border
        return Border(self.shape, self.places, self.down)

    @property
    def elements(self) -> Elements:
        """Return which elements the grid contains: cells, corners or edges."""
        return "cells" if self.cells is None else "corners" if self.shape == "corners" else "edges"

    def touching(self, other: Grid) -> tuple[tuple[int, ...], ...]:
        """For each element, return the cells, corners or edges of `other` that the element touches.

        If `other` has elements of the same type, return the neighbours of each element.
        """
        related = self.border.relation(self.elements, other.elements)
        return tuple(tuple(number + other.first for number in near) for near in related)

    @property
    def is_hex(self) -> bool:
        """Return whether the cells are hexagons."""
        return self.shape in HEXES

    @property
    def northward(self) -> int:
        """Return the change in y for one step north."""
        return -1 if self.down else 1

    @cached_property
    def where(self) -> dict[Place, int]:
        """Map each place to the id of the cell there."""
        return {place: number for number, place in enumerate(self.places, self.first)}

    @cached_property
    def columns(self) -> tuple[int, ...]:
        """Return the x of each cell."""
        return tuple(x for x, _ in self.places)

    @cached_property
    def rows(self) -> tuple[int, ...]:
        """Return the y of each cell."""
        return tuple(y for _, y in self.places)

    @cached_property
    def bounds(self) -> tuple[int, int, int, int]:
        """Return the lowest and the highest x, followed by the lowest and the highest y."""
        return min(self.columns), max(self.columns), min(self.rows), max(self.rows)

    @cached_property
    def rectangle(self) -> tuple[int, ...]:
        """Return, row by row, the cells of the smallest rectangle that contains all cells, with -1
        where there is no cell.
        """
        x0, x1, y0, y1 = self.bounds
        at = self.where.get
        return tuple(at((x, y), -1) for y in range(y0, y1 + 1) for x in range(x0, x1 + 1))

    @cached_property
    def is_in_order(self) -> bool:
        """Return whether the grid is a complete rectangle whose cells are numbered row by row."""
        return self.rectangle == tuple(range(self.first, self.first + len(self.places)))

    @cached_property
    def steps(self) -> tuple[int, ...]:
        """For each cell and each of the eight directions, return the cell one step further."""
        return self.toward(1)

    def toward(self, steps: int) -> tuple[int, ...]:
        """For each cell and each of the eight directions, return the cell `steps` steps further."""
        if self.is_hex:
            return self._hex_steps(steps)
        at = self.where.get
        far = [(dx * steps, dy * steps * self.northward) for dx, dy in STEPS]
        return tuple(at((x + dx, y + dy), -1) for x, y in self.places for dx, dy in far)

    def _hex_steps(self, steps: int) -> tuple[int, ...]:
        found = []
        for start in self.places:
            for direction in range(8):
                place: Place | None = start
                for _ in range(steps):
                    place = self.next_place(place, direction) if place is not None else None
                found.append(self.where.get(place, -1) if place is not None else -1)
        return tuple(found)

    def next_place(self, place: Place, direction: int) -> Place | None:
        """Return the place one step away, whether or not a cell is there; None if there is no such direction."""
        x, y = place
        if not self.is_hex:
            dx, dy = STEPS[direction]
            return x + dx, y + dy * self.northward
        if direction not in HEX:
            return None
        dx, dy = STEPS[direction]
        if dy == 0:
            return x + dx, y
        row = y + dy * self.northward
        shift = halves(self.shape, x, y) + dx - halves(self.shape, x, row)
        return x + shift // 2, row

    @cached_property
    def neighbors(self) -> tuple[tuple[int, ...], ...]:
        """For each cell, return the cells that share an edge with it.

        For each corner or edge, return the adjacent corners or edges.
        """
        if self.cells is not None:
            return self.touching(self)
        return self.beside(HEX if self.is_hex else ORTHOGONAL)

    def beside(self, directions: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
        """For each cell, return the cells one step away in these directions."""
        steps = self.steps
        return tuple(
            tuple(at for d in directions if (at := steps[row + d]) >= 0)
            for row in range(0, len(steps), 8)
        )

    @cached_property
    def rays(self) -> tuple[tuple[int, ...], ...]:
        """For each cell and each of the eight directions, return the cells in this direction, nearest first."""
        steps, first = self.steps, self.first
        found = []
        for start in range(len(self.places)):
            for direction in range(8):
                ray: list[int] = []
                at = steps[8 * start + direction]
                while at >= 0:
                    ray.append(at)
                    at = steps[8 * (at - first) + direction]
                found.append(tuple(ray))
        return tuple(found)

    def leaps(self, short: int, long: int) -> tuple[tuple[int, ...], ...]:
        """For each cell, return the cells reached by `short` steps in one direction and `long`
        steps in another direction.

        The result includes all rotations and reflections, clockwise from the north. On a hex grid
        the two directions are adjacent.
        """
        return tuple(self._leaps_from(place, short, long) for place in self.places)

    def _leaps_from(self, place: Place, short: int, long: int) -> tuple[int, ...]:
        targets: list[Place] = []
        if not self.is_hex:
            x, y = place
            s, n = short, long
            offsets = ((s, n), (n, s), (n, -s), (s, -n), (-s, -n), (-n, -s), (-n, s), (-s, n))
            targets += ((x + dx, y + dy * self.northward) for dx, dy in offsets)
        else:
            for way, following in zip(HEX, (*HEX[1:], HEX[0]), strict=True):
                for first, second in ((long, short), (short, long)):
                    to = self._place_after(self._place_after(place, way, first), following, second)
                    targets.append(to)
        cells = (self.where.get(target, -1) for target in dict.fromkeys(targets))
        return tuple(cell for cell in cells if cell >= 0)

    def _place_after(self, place: Place, direction: int, steps: int) -> Place:
        for _ in range(steps):
            further = self.next_place(place, direction)
            assert further is not None
            place = further
        return place

    def lines(self, length: int) -> tuple[tuple[int, ...], ...]:
        """Return all straight lines of `length` cells."""
        steps, first = self.steps, self.first
        found = []
        for start in range(first, first + len(self.places)):
            for direction in (2, 1, 7) if self.is_hex else (2, 1, 0, 7):
                line: list[int] = []
                at = start
                while at >= 0 and len(line) < length:
                    line.append(at)
                    at = steps[8 * (at - first) + direction]
                if len(line) == length:
                    found.append(tuple(line))
        return tuple(found)

    def lines_through(self, length: int) -> tuple[tuple[tuple[int, ...], ...], ...]:
        """For each cell, return the straight lines of `length` cells that contain this cell."""
        through: list[list[tuple[int, ...]]] = [[] for _ in self.places]
        for line in self.lines(length):
            for cell in line:
                through[cell - self.first].append(line)
        return tuple(map(tuple, through))


def grid_of(
    shape: str, first: int, places: Sequence[Place], down: bool = False, cells: Grid | None = None
) -> Grid:
    """Return the grid of a kind of space. Kinds whose cells have equal numbers and equal places share a grid."""
    return _grid_of(shape, first, tuple(places), down, cells)


@lru_cache(maxsize=32)
def _grid_of(
    shape: str, first: int, places: tuple[Place, ...], down: bool, cells: Grid | None
) -> Grid:
    return Grid(shape, first, places, down, cells)


def place_name(width: int, x: int, y: int) -> str:
    """Return the name, such as `c4`, of a place in a grid with this many columns."""
    return f"{chr(96 + x)}{y}" if width <= 26 else f"c{x}_{y}"
