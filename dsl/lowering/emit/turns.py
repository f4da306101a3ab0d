"""Describes the turns of players: where each turn begins in the program. A scenario can then set whose turn it is."""

from __future__ import annotations

from attrs import frozen

from rulewright.dsl.diagnostics.source import Span


@frozen
class Turn:
    """A step that makes a player act: `each player`, `for each` over players, or `as`.

    The block `begin` finds the player whose turn is next. At the block `body`, this player is in
    the local `who`. The block `following` finds the next player (-1 if there is none), and `after`
    follows all turns. `counter` is the local that counts the turns; it is -1 if there is only one
    turn.
    """

    span: Span
    procedure: int
    begin: int
    body: int
    following: int
    after: int
    counter: int
    who: int
    last: int
    """The first block number after the blocks of the body."""
    together: bool = False

    def holds(self, procedure: int, block: int) -> bool:
        """Return whether a block of a procedure is in the body of this turn."""
        return procedure == self.procedure and self.body <= block < self.last


@frozen
class Flow:
    """The data needed to begin a turn without the steps before it: the turns, the innermost first.

    `running` pairs each procedure with the first of its counters, which count for each player how
    often the procedure is running. As long as any cell in `changed` is not 0, or the cell `awake`
    is 0, unfinished steps must first be completed. If `awake` itself is 0, there is no such cell.
    """

    turns: tuple[Turn, ...]
    running: tuple[tuple[int, int], ...]
    changed: tuple[int, ...]
    awake: int
