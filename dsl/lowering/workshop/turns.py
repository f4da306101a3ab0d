"""The turns of players in the flow: where each begins, so that a scenario can say whose turn it is."""

from __future__ import annotations

from attrs import frozen

from rulewright.dsl.diagnostics.source import Span


@frozen
class Turn:
    """A step that makes some player act: `each player`, `for each` over players, `as`.

    From the block `begin` on it is found out whose turn comes; at the block `body` that is in the local `who`. The next
    one is looked for from `following` on (-1 where there is none), and `after` is behind all of them. `counter` is the
    local that counts the turns, -1 where there is only one."""

    span: Span
    procedure: int
    begin: int
    body: int
    following: int
    after: int
    counter: int
    who: int
    last: int
    """The first number of a block that is behind those of its body."""
    together: bool = False

    def holds(self, procedure: int, block: int) -> bool:
        """Whether a block of a procedure is in its body."""
        return procedure == self.procedure and self.body <= block < self.last


@frozen
class Flow:
    """All that is needed to begin a turn in the middle of the flow: the turns, the innermost first.

    A procedure of `running` counts in cells from there on for whom it runs. While one of the cells `changed` is not 0,
    or `awake` (a cell, or 0) is 0, steps go on that must come to their end."""

    turns: tuple[Turn, ...]
    running: tuple[tuple[int, int], ...]
    changed: tuple[int, ...]
    awake: int
