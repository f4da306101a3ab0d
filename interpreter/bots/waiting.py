"""Lets trials wait for an evaluator, so that the evaluator can evaluate many positions in one call.

When a trial reaches a new position, it ends there (`Tree.waits`). Until the evaluator answers, the
trial counts as if each of its options had given the mean result of that option so far. So later
trials prefer other options, and the results in the tree stay correct.
"""

from __future__ import annotations

from array import array

import attrs

from rulewright.interpreter.bots import tree_arrays
from rulewright.interpreter.bots.guides import Guide
from rulewright.interpreter.bots.host import Host
from rulewright.interpreter.engines.kernels import search as kernel
from rulewright.interpreter.engines.kernels.tree import FullError, Tree


@attrs.frozen
class _Step:
    """A step of a trial, with its provisional result."""

    node: int
    edge: int
    player: int
    gain: float


@attrs.frozen
class _Trial:
    """A trial that is waiting."""

    leaf: int
    """The node of the last position, or -1 if there is none."""
    cells: array[int]
    options: tuple[int, ...]
    """The options of the last position. If the position is not a decision, there are no options."""
    path: tuple[_Step, ...]


@attrs.define(eq=False)
class Waiting:
    """The waiting trials of one tree. At most `most` trials may wait at the same time."""

    guide: Guide
    most: int
    _trials: list[_Trial] = attrs.field(init=False, factory=list)

    def __len__(self) -> int:
        return len(self._trials)

    @property
    def is_full(self) -> bool:
        """Return whether the list is full, so that the evaluator must answer now."""
        return len(self._trials) >= self.most

    def add(self, t: Tree, host: Host) -> None:
        """Add the current trial to the waiting list."""
        options = () if t.leaf < 0 else tuple(host.open_options(t))
        path = []
        for step in range(t.steps):
            node, edge = t.path_node[step], t.path_edge[step]
            gain = t.edge_gained[edge] / t.edge_taken[edge] if t.edge_taken[edge] else 0.0
            path.append(_Step(node, edge, t.path_player[step], gain))
            t.node_taken[node] += 1
            t.node_gained[node] += gain
            t.edge_taken[edge] += 1
            t.edge_gained[edge] += gain
        self._trials.append(_Trial(t.leaf, t.work[:], options, tuple(path)))

    def answer(self, t: Tree) -> None:
        """Evaluate the positions of all waiting trials in one batch, and end the trials."""
        trials, self._trials = self._trials, []
        if not trials:
            return
        found = self.guide.evaluate_all(
            [trial.cells for trial in trials], [len(trial.options) for trial in trials]
        )
        for trial, (better, gains) in zip(trials, found, strict=True):
            for place, step in enumerate(trial.path):
                t.path_node[place], t.path_edge[place] = step.node, step.edge
                t.path_player[place] = step.player
                t.node_taken[step.node] -= 1
                t.node_gained[step.node] -= step.gain
                t.edge_taken[step.edge] -= 1
                t.edge_gained[step.edge] -= step.gain
            t.steps = len(trial.path)
            t.gains[:] = array("d", gains)
            if trial.leaf >= 0 and t.node_first[trial.leaf] < 0:
                self._open(t, trial, better)
            kernel.add_up(t)

    @staticmethod
    def _open(t: Tree, trial: _Trial, better: list[float]) -> None:
        """Add the options of a new position to the tree."""
        for option, promise in zip(trial.options, better, strict=True):
            while True:
                try:
                    edge = kernel.new_edge(t, trial.leaf, option)
                    break
                except FullError:
                    tree_arrays.grow(t)
            t.edge_there[edge] = 1
            t.edge_better[edge] = promise
            # If an option is an aside (always available), it is an aside in every state of the
            # decision.
            t.work = trial.cells
            t.edge_aside[edge] = kernel.is_aside(t, option)
