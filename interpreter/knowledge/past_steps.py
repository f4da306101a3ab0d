"""Encodes the last steps of a match as numbers, for kernels that draw states consistent with these steps.

The kernels are in `rulewright.interpreter.engines.kernels.past`.
"""

from __future__ import annotations

from array import array

from rulewright.interpreter.engines.kernels.lines import ROOM
from rulewright.interpreter.engines.kernels.tree import TRUE, Tree
from rulewright.interpreter.knowledge.sampling import Sampler


def tell_past(t: Tree, cells: array[int], sampler: Sampler) -> None:
    """Store a state and the steps before it in the tree of a search."""
    t.states[TRUE * t.size : (TRUE + 1) * t.size] = cells
    t.log_lines, t.log_key = array("q", bytes(8 * ROOM)), array("Q", [0])
    t.past, t.step_drawn = array("i"), array("q", [0])
    choices, log_lines, drawn = array("q"), array("q"), array("q")
    for step in sampler.steps:
        t.past.extend(step.before.cells)
        choices.append(step.after.choice)
        log_lines.append(step.is_known)
        for given in step.after.drawn if step.is_known else ():
            drawn.extend((given.site, given.result, given.value))
        t.step_drawn.append(len(drawn) // 3)
    count = len(choices)
    t.step_choice, t.step_is_known, t.drawn, t.steps_kept = choices, log_lines, drawn, count
    t.step_known = array("b", bytes(count * t.pieces))
    t.step_key, t.step_lines = array("Q", bytes(8 * count)), array("Q", bytes(8 * count))
