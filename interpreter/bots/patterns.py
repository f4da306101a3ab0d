"""Finds the patterns of a board, and learns and stores their weights.

A pattern is a walk over neighbouring spaces of a grid. The content of a space is read from the cells
of the state. It is a small number or value, or a token of a player.
"""

from __future__ import annotations

import zlib
from array import array
from base64 import b64decode, b64encode
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any, Final

import attrs

from rulewright.dsl.ir import Program, SpaceKind
from rulewright.interpreter.engines.chance import Generator
from rulewright.interpreter.engines.kernels.learning import STEPS
from rulewright.interpreter.engines.kernels.tree import Tree
from rulewright.interpreter.views.compiled_game import CompiledGame

MOST_CONTENTS: Final = 16
"""The maximum number of different contents of a space."""
LARGEST: Final = 1024
"""The maximum number of weights of a pattern for each player."""
WEIGHTS: Final = 102_400
"""The maximum number of weights."""
MOST: Final = 127
"""The maximum absolute value of a stored weight."""
CURIOSITY: Final = 0.35
"""How strongly a search with patterns prefers rarely tried options (see `search.CURIOSITY`)."""
_STREAM = 3_301


@attrs.frozen
class Read:
    """A cell for each space, the least value of the cells, and the content that each value means."""

    cells: tuple[int, ...]
    low: int
    codes: tuple[int, ...]


@attrs.frozen
class Board:
    """The spaces of a grid, their neighbours, and the cells that give their contents."""

    neighbours: tuple[tuple[int, ...], ...]
    reads: tuple[Read, ...]

    @property
    def contents(self) -> int:
        """Return the number of different contents of a space."""
        return 1 + max(max(read.codes) for read in self.reads)

    @property
    def length(self) -> int:
        """Return the number of spaces of a pattern."""
        longest = min(10, len(self.neighbours))
        return max(n for n in range(1, longest + 1) if n == 1 or self.contents**n <= LARGEST)

    def walks(self, generator: Generator) -> list[tuple[int, ...]]:
        """Return different random walks."""
        number = WEIGHTS // (2 * self.contents**self.length)
        found: dict[tuple[int, ...], None] = {}
        for _ in range(4 * number):
            walk = self._walk(generator)
            if walk and len(found) < number:
                found[walk] = None
        return [*found]

    def _walk(self, generator: Generator) -> tuple[int, ...]:
        here = generator.below(len(self.neighbours))
        walk = {here}
        for _ in range(20 * self.length):
            if len(walk) == self.length or not self.neighbours[here]:
                break
            here = self.neighbours[here][generator.below(len(self.neighbours[here]))]
            walk.add(here)
        return tuple(sorted(walk)) if len(walk) == self.length else ()


def board_of(compiled: CompiledGame) -> Board | None:
    """Return the largest grid of a game that can have patterns, or None if there is none with contents.

    The game must be for two players, without hidden information and chance.
    """
    program = compiled.program
    if program.seats != 2 or program.chances or compiled.viewer.has_secrets:
        return None
    grids = [space for space in program.spaces if space.places and not space.growing]
    for grid in sorted(grids, key=lambda grid: -grid.count):
        reads = [*_reads(program, grid)]
        if reads and max(max(read.codes) for read in reads) < MOST_CONTENTS:
            return Board(_neighbours(grid), tuple(reads))
    return None


def _neighbours(grid: SpaceKind) -> tuple[tuple[int, ...], ...]:
    numbers = {place: number for number, place in enumerate(grid.places)}
    around = [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if x or y]
    return tuple(
        tuple(numbers[x + dx, y + dy] for dx, dy in around if (x + dx, y + dy) in numbers)
        for x, y in grid.places
    )


def _reads(program: Program, grid: SpaceKind) -> Iterator[Read]:
    """Yield what gives the contents of the spaces of a grid. Content 0 is the empty space."""
    owners = range(grid.first, grid.first + grid.count)
    code = 0
    for kept in program.kept:
        if kept.owner == grid.name and kept.owners == (*owners,) and not kept.sizes:
            names = program.domains[kept.domain].names
            low = min(kept.low, kept.start)
            values = range(low, max(kept.high, low, len(names) - 1) + 1)
            if len(values) <= MOST_CONTENTS and not kept.list_capacity and kept.cell_of < 0:
                codes = [0 if value == kept.start else (code := code + 1) for value in values]
                yield Read(_cells(kept.base, kept.stride, grid), low, tuple(codes))
    for token in program.tokens:
        if token.owner == grid.name and token.owners == (*owners,) and not token.sizes:
            for colour in range(token.colours if token.cell_of < 0 else 0):
                code += 1
                yield Read(_cells(token.base + colour, token.stride, grid), 0, (0, code))


def _cells(base: int, stride: int, grid: SpaceKind) -> tuple[int, ...]:
    return tuple(base + stride * number for number in range(grid.count))


@attrs.frozen(slots=False)
class Patterns:
    """Patterns, and a weight for each of their contents, in a unit."""

    options: tuple[tuple[str, str], ...]
    """The options of the game that was played. They can change its board and its rules."""
    spaces: tuple[tuple[int, ...], ...]
    unit: float
    numbers: str
    """The weights as compressed bytes, in base 64."""

    @classmethod
    def of(cls, t: Tree, program: Program) -> Patterns:
        """Return the patterns of a tree that has learned."""
        length, unit = t.pattern_length, max(map(abs, t.pattern_weight)) / MOST or 1.0
        spaces = [*t.pattern_space]
        walks = [tuple(spaces[n : n + length]) for n in range(0, len(spaces), length)]
        rounded = array("b", (round(weight / unit) for weight in t.pattern_weight))
        packed = b64encode(zlib.compress(rounded.tobytes(), 9)).decode()
        return cls(program.options, tuple(walks), unit, packed)

    @classmethod
    def parse(cls, data: Any) -> Patterns:
        """Read patterns from a file. Raise `ValueError`, `TypeError` or `KeyError` if there are none."""
        options = tuple((str(name), str(value)) for name, value in data["options"])
        spaces = tuple(tuple(map(int, walk)) for walk in data["spaces"])
        found = cls(options, spaces, float(data["unit"]), str(data["numbers"]))
        is_like_others = len({*map(len, spaces)}) == 1
        if not is_like_others or not 0 < found.unit <= 1 or not 0 < len(found.weights) <= WEIGHTS:
            raise ValueError
        return found

    def fit(self, board: Board) -> bool:
        """Return whether the spaces are on a board, and each pattern has all of its weights."""
        are_there = all(
            0 <= space < len(board.neighbours) for walk in self.spaces for space in walk
        )
        size = board.contents ** len(self.spaces[0])
        return are_there and len(self.weights) == 2 * size * len(self.spaces)

    @cached_property
    def weights(self) -> array[float]:
        """Return the weights."""
        try:
            raw = zlib.decompressobj().decompress(b64decode(self.numbers), WEIGHTS + 1)
        except zlib.error:
            raise ValueError from None
        return array("f", (number * self.unit for number in array("b", raw)))


def put_board(t: Tree, board: Board, walks: Sequence[tuple[int, ...]]) -> None:
    """Store a board and its patterns, without weights, in a tree."""
    t.spaces, t.reads, t.contents = len(board.neighbours), len(board.reads), board.contents
    t.patterns, t.pattern_length = len(walks), len(walks[0])
    t.pattern_size = board.contents**t.pattern_length
    columns = zip(*(read.cells for read in board.reads), strict=True)
    t.read_cell = array("q", (cell for row in columns for cell in row))
    t.read_low = array("q", (read.low for read in board.reads))
    t.read_size = array("q", (len(read.codes) for read in board.reads))
    starts = [sum(t.read_size[:number]) for number in range(t.reads)]
    t.read_start = array("q", starts)
    t.read_code = array("q", (code for read in board.reads for code in read.codes))
    t.space_content = array("q", bytes(8 * t.spaces))
    t.pattern_space = array("q", (space for walk in walks for space in walk))
    t.pattern_here = array("q", bytes(8 * t.patterns))


def put_patterns(t: Tree, compiled: CompiledGame, patterns: Patterns) -> None:
    """Store patterns in a tree, if they fit the game."""
    board = board_of(compiled)
    if board and patterns.options == compiled.program.options and patterns.fit(board):
        put_board(t, board, patterns.spaces)
        t.pattern_weight, t.curious = patterns.weights, CURIOSITY


def begin_learning(t: Tree, board: Board, seed: int) -> None:
    """Prepare a tree for learning."""
    put_board(t, board, board.walks(Generator.seeded(seed, _STREAM)))
    room = 2 * t.patterns * t.pattern_size
    for name in ("weight", "drift", "moved"):
        setattr(t, f"pattern_{name}", array("f", bytes(4 * room)))
    t.pattern_here = array("q", bytes(8 * t.patterns * (STEPS + 1)))
    t.strays = array("q", bytes(8 * (STEPS + 1)))
