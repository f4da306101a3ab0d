"""Finds games whose end nobody can win. Loops that nothing ends are found where they are compiled."""

from __future__ import annotations

from rulewright.dsl import declared, syntax
from rulewright.dsl.checks.checked import Checked
from rulewright.dsl.lowering.analysis import every


def check_endings(game: Checked) -> None:
    """Report an ending that scores nobody."""
    steps = [
        s
        for compiled in game.compiled
        for body in compiled.analysis.bodies.values()
        if body.reached
        for s in every(body.statements)
    ]
    if not steps:
        return
    decided = any(isinstance(s, syntax.Win | syntax.Eliminate) for s in steps)
    judged = any(isinstance(d, declared.Score | declared.Winner) for d in game.declarations)
    if not decided and not judged:
        title = next(d for d in game.declarations if isinstance(d, declared.Game))
        game.problems.warning(
            "no-ending",
            "nobody can win this game, and nothing is scored",
            title.span,
            help="write `score of p` and `winner p by p.total`, or `win p` in a rule",
        )
