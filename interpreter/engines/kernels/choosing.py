"""Kernels for the lists of legal actions of many matches: join the lists, or draw an action from each list."""

from __future__ import annotations

from rulewright.interpreter.engines.kernels.machine import below
from rulewright.interpreter.engines.kernels.tree import Tree, copy_cells


def gather(t: Tree, count: int) -> int:
    """Copy the lists one after another to `offers`, and their starts to `here`. Return the total length."""
    at = 0
    for number in range(count):
        row = number * (t.width + 1)
        t.here[number] = at
        copy_cells(t.offers, at, t.listed, row + 1, t.listed[row])
        at += t.listed[row]
    t.here[count] = at
    return at


def total(t: Tree, count: int) -> int:
    """Return the total length of all lists."""
    found = 0
    for number in range(count):
        found += t.listed[number * (t.width + 1)]
    return found


def draw_actions(t: Tree, count: int) -> int:
    """Draw an action for each match, with equal probabilities, or 0 if there is none."""
    for number in range(count):
        row = number * (t.width + 1)
        t.watchers[number] = 0
        if t.listed[row] > 0:
            t.watchers[number] = t.listed[row + 1 + below(t, t.listed[row])]
    return t.counter
