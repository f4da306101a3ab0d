"""Find games that end without a possible winner. (Endless loops are found where loops are compiled.)"""

from __future__ import annotations

from rulewright.dsl.checks.checked import Checked
from rulewright.dsl.diagnostics.diagnostics import Fix
from rulewright.dsl.tree import declared, syntax


def check_endings(game: Checked) -> None:
    """Report an error if nobody can win the game."""
    steps = [
        s
        for compiled in game.compiled
        for body in compiled.analysis.bodies.values()
        if body.reached
        for s in body.steps
    ]
    if not steps:
        return
    if any(isinstance(s, syntax.Win | syntax.Eliminate) for s in steps):
        return
    if any(isinstance(d, declared.Winner) for d in game.declarations):
        return
    title = next(d for d in game.declarations if isinstance(d, declared.Game))
    scored = any(isinstance(d, declared.Score) for d in game.declarations)
    alone = all(compiled.model.config.players == 1 for compiled in game.compiled)
    if scored and not alone:
        game.problems.warning(
            "no-ending",
            "nobody can win this game: there is no `winner` line",
            title.span,
            help="write `winner p by p.total then shared`",
            fix=Fix(title.span.source.end, "\nwinner p by p.total then shared\n"),
        )
    elif not scored:
        game.problems.warning(
            "no-ending",
            "nobody can win this game, and nothing is scored",
            title.span,
            help="write `score of p` and `winner p by p.total`, or `win p` in a rule",
        )
