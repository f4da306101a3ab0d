"""Values positions by patterns of neighbouring spaces. These kernels run as Python and as native code.

The content of each space is a small number. A pattern is a list of spaces. For each combination of
their contents, and for each player who decides next, it has a weight. The sum of these weights
gives the expected result of the first of two players.
"""

from __future__ import annotations

from rulewright.dsl.ir import PLAYER
from rulewright.interpreter.engines.kernels.numbers import exponential
from rulewright.interpreter.engines.kernels.tree import Tree

TRUST = 0.5
"""The weight of the value of a position by patterns. The value by playouts has the rest."""


def read_spaces(t: Tree) -> None:
    """Write the contents of each space of the working state to `space_content`."""
    place = 0
    for space in range(t.spaces):
        found = 0
        for read in range(t.reads):
            value = t.work[t.read_cell[place]] - t.read_low[read]
            place += 1
            if value < 0:
                value = 0
            if value >= t.read_size[read]:
                value = t.read_size[read] - 1
            code = t.read_code[t.read_start[read] + value]
            if code > found:
                found = code
        t.space_content[space] = found


def find_weights(t: Tree, first: int) -> None:
    """Write the index of the weight of each pattern in the working state to `pattern_here`, from an index on."""
    read_spaces(t)
    place = 0
    start = t.work[PLAYER] * t.pattern_size
    for pattern in range(t.patterns):
        code = 0
        for _ in range(t.pattern_length):
            code = code * t.contents + t.space_content[t.pattern_space[place]]
            place += 1
        t.pattern_here[first + pattern] = start + code
        start += t.seats * t.pattern_size


def worth_by_patterns(t: Tree, first: int) -> float:
    """Return the expected result of the first player, given the weights that `find_weights` has found."""
    total = 0.0
    for place in range(first, first + t.patterns):
        total += t.pattern_weight[t.pattern_here[place]]
    return 1.0 / (1.0 + exponential(-total))
