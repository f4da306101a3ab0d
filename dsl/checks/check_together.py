"""Finds steps done together that touch what others touch too: then their order would show.

Goes by owners: what belongs to the player who acts is safe, everything else is shared.
"""

from __future__ import annotations

from rulewright.dsl import syntax
from rulewright.dsl.checks.checked import Compiled
from rulewright.dsl.diagnostics import Label
from rulewright.dsl.lowering.analysis import every
from rulewright.dsl.world import World


def check_together(compiled: Compiled) -> None:
    """Report changes of shared states below `together each player`."""
    for body in compiled.analysis.bodies.values():
        if not body.reached:
            continue
        for s in every(body.statements):
            if isinstance(s, syntax.EachPlayer) and s.together:
                for step in every(s.body):
                    if isinstance(step, syntax.SetTo) and _is_shared(compiled.world, step.place):
                        compiled.problems.error(
                            "together-shared",
                            f"everybody sets `{step.place.span.text}` at the same time",
                            step.place.span,
                            labels=(Label(s.span, "done together"),),
                            help="set it behind the block, or keep one for each player",
                        )


def _is_shared(world: World, place: syntax.Expression) -> bool:
    return isinstance(place, syntax.Word) and place.name in world.states
