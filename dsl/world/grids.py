"""Grids: the places of cells, what lies beside them and in line with them, worked out once for grids that are alike.

Refuses to know what lies on cells, and how rules ask for them.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, lru_cache

from attrs import define

Place = tuple[int, int]

# north, northeast, east and so on clockwise; y grows to the north
STEPS = ((0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1))
# on a hex grid the rows are pushed half a cell to the right in turn; north and south are no directions of it
HEX = {
    1: ((0, 1), (1, 1)),
    2: ((1, 0), (1, 0)),
    3: ((0, -1), (1, -1)),
    5: ((-1, -1), (0, -1)),
    6: ((-1, 0), (-1, 0)),
    7: ((-1, 1), (0, 1)),
}
ORTHOGONAL = (0, 2, 4, 6)


@define(eq=False, slots=False)
class Grid:
    """The cells `first`, `first + 1`, ... at their places; -1 stands for no cell."""

    shape: str
    first: int
    places: tuple[Place, ...]

    @property
    def is_hex(self) -> bool:
        """Whether rows are pushed half a cell."""
        return self.shape == "hex"

    @cached_property
    def where(self) -> dict[Place, int]:
        """The cell at a place."""
        return {place: number for number, place in enumerate(self.places, self.first)}

    @cached_property
    def columns(self) -> tuple[int, ...]:
        """The x of each cell."""
        return tuple(x for x, _ in self.places)

    @cached_property
    def rows(self) -> tuple[int, ...]:
        """The y of each cell."""
        return tuple(y for _, y in self.places)

    @cached_property
    def edges(self) -> tuple[int, int, int, int]:
        """The lowest and highest x and y."""
        return min(self.columns), max(self.columns), min(self.rows), max(self.rows)

    @cached_property
    def rectangle(self) -> tuple[int, ...]:
        """The cells of the rectangle around all of them, row by row."""
        x0, x1, y0, y1 = self.edges
        at = self.where.get
        return tuple(at((x, y), -1) for y in range(y0, y1 + 1) for x in range(x0, x1 + 1))

    @cached_property
    def is_in_order(self) -> bool:
        """Whether the grid is a whole rectangle, numbered row by row."""
        return self.rectangle == tuple(range(self.first, self.first + len(self.places)))

    @cached_property
    def steps(self) -> tuple[int, ...]:
        """The cell one step further: eight directions for each cell."""
        return self.toward(1)

    def toward(self, steps: int) -> tuple[int, ...]:
        """The cell so many steps further: eight directions for each cell."""
        if self.is_hex:
            return self._hex_steps(steps)
        at = self.where.get
        far = [(dx * steps, dy * steps) for dx, dy in STEPS]
        return tuple(at((x + dx, y + dy), -1) for x, y in self.places for dx, dy in far)

    def _hex_steps(self, steps: int) -> tuple[int, ...]:
        found = []
        for start in self.places:
            for direction in range(8):
                place: Place | None = start
                for _ in range(steps):
                    place = self.stepped(place, direction) if place is not None else None
                found.append(self.where.get(place, -1) if place is not None else -1)
        return tuple(found)

    def stepped(self, place: Place, direction: int) -> Place | None:
        """The place one step further, whether or not a cell is there."""
        x, y = place
        if not self.is_hex:
            dx, dy = STEPS[direction]
            return x + dx, y + dy
        if direction not in HEX:
            return None
        even, odd = HEX[direction]
        dx, dy = odd if y % 2 == 0 else even
        return x + dx, y + dy

    @cached_property
    def neighbors(self) -> tuple[tuple[int, ...], ...]:
        """The cells beside each cell, not across corners."""
        return self.beside(tuple(HEX) if self.is_hex else ORTHOGONAL)

    def beside(self, directions: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
        """The cells one step from each cell in some directions."""
        steps = self.steps
        return tuple(
            tuple(at for d in directions if (at := steps[row + d]) >= 0)
            for row in range(0, len(steps), 8)
        )

    @cached_property
    def rays(self) -> tuple[tuple[int, ...], ...]:
        """The cells outward, nearest first: eight directions for each cell."""
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

    def lines(self, length: int) -> tuple[tuple[int, ...], ...]:
        """All straight lines of so many cells."""
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
        """For each cell, the straight lines of so many cells that it is in."""
        through: list[list[tuple[int, ...]]] = [[] for _ in self.places]
        for line in self.lines(length):
            for cell in line:
                through[cell - self.first].append(line)
        return tuple(map(tuple, through))


def grid_of(shape: str, first: int, places: Sequence[Place]) -> Grid:
    """The grid of a kind of space; the same one for cells of the same numbers at the same places."""
    return _grid_of(shape, first, tuple(places))


@lru_cache(maxsize=32)
def _grid_of(shape: str, first: int, places: tuple[Place, ...]) -> Grid:
    return Grid(shape, first, places)
