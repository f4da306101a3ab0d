"""The turns of players in the flow and where they begin, so that a scenario can set whose turn it is."""

from __future__ import annotations

from attrs import frozen

from rulewright.dsl.diagnostics.source import Span


@frozen
class Turn:
    """A step that makes some player act: `each player`, `for each` over players, `as`.

    The block `begin` finds the player whose turn comes; at the block `body` the local `who` holds that player. The
    block `following` finds the next one (-1 if there is none), and `after` follows all turns. `counter` is the
    local that counts the turns, -1 if there is only one."""

    span: Span
    procedure: int
    begin: int
    body: int
    following: int
    after: int
    counter: int
    who: int
    last: int
    """The first block number after those of its body."""
    together: bool = False

    def holds(self, procedure: int, block: int) -> bool:
        """Whether a block of a procedure is in its body."""
        return procedure == self.procedure and self.body <= block < self.last


@frozen
class Flow:
    """The data needed to begin a turn in the middle of the flow: the turns, the innermost first.

    A procedure of `running` counts, in cells from the given one on, how often it runs for each player. While one of the
    cells `changed` is not 0, or `awake` (a cell, or 0) is 0, unfinished steps must first be completed."""

    turns: tuple[Turn, ...]
    running: tuple[tuple[int, int], ...]
    changed: tuple[int, ...]
    awake: int
