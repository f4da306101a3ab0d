"""Find blocks that no configuration of the game reaches.

The check reports nothing unless all variants are compiled.
"""

from __future__ import annotations

from rulewright.dsl.checks.checked import Checked
from rulewright.dsl.diagnostics.source import Span


def check_never_so(game: Checked) -> None:
    """Report blocks under a condition that never holds."""
    if not game.all_compiled:
        return
    dead: set[Span] = set()
    for compiled in game.compiled:
        dead |= compiled.model.dead
    for compiled in game.compiled:
        dead -= compiled.model.live
    for place in sorted(dead):
        game.problems.warning(
            "unreachable-code",
            "this is never reached, with any number of players and any options",
            place,
            help="remove it, or change the condition above it",
        )
