"""Implements `Game`, the interface of the kernels, in Python and for any engine.

The host also runs trials that native code has given up, in the same tree.
"""

from __future__ import annotations

from array import array
from math import prod

import attrs

from rulewright.dsl.ir import SITE, Arm
from rulewright.interpreter.bots.guides import Guide
from rulewright.interpreter.engines.chance import MASK, Generator, draw, key_of
from rulewright.interpreter.engines.engine import LogLine
from rulewright.interpreter.engines.kernels import hidden, search
from rulewright.interpreter.engines.kernels.lines import put_lines
from rulewright.interpreter.engines.kernels.tree import HERE, Tree
from rulewright.interpreter.engines.playouts import BOTS, WORDS_A_STEP
from rulewright.interpreter.knowledge.hidden_pieces import possible_state
from rulewright.interpreter.knowledge.observation import ASKED, HEAD
from rulewright.interpreter.knowledge.observers import observer_of
from rulewright.interpreter.matches.kernel_game import KernelGame
from rulewright.interpreter.views.compiled_game import CompiledGame


class WaitingError(Exception):
    """Raised if a trial must wait until an evaluator values its position in a batch."""


@attrs.define(eq=False)
class Host(KernelGame):
    """Answers the requests of `Game` for states of one game."""

    shares_keys: bool
    """Whether nodes are identified by the same numbers as in native code."""
    guided: Guide | None = None
    """Functions of the caller that guide the search."""
    _chance: Generator = attrs.field(init=False, factory=lambda: Generator(0))
    _bots: Generator = attrs.field(init=False, factory=lambda: Generator(0))

    def possible_state(self, t: Tree, state: int, player: int) -> int:
        """Implement `Game.possible_state`."""
        generator = Generator(t.key, t.counter)
        self._kept[state] = possible_state(self.compiled, self._kept[HERE], player, generator)
        t.counter = generator.counter
        return 0

    def has(self, t: Tree, option: int) -> int:
        """Implement `Game.has`."""
        return int(self.compiled.engine.has_option(t.work, option))

    def tell(self, t: Tree, option: int) -> int:
        """Implement `Game.tell`."""
        log: list[LogLine] = []
        self._known = self.compiled.engine.advance(t.work, option, log)
        put_lines(t.log_lines, log)
        return 0

    def below(self, t: Tree, bound: int) -> int:
        """Implement `Game.below`."""
        found, t.counter = draw(t.key, t.counter, bound)
        return found

    def begin_playout(self, t: Tree, seed: int) -> int:
        """Implement `Game.begin_playout`."""
        self._chance, self._bots = Generator(key_of(seed)), Generator(key_of(seed, BOTS))
        return 0

    def play_on(self, t: Tree, decisions: int) -> int:
        """Implement `Game.play_on`."""
        before = self._bots.counter
        self.compiled.engine.at_random(t.work, self._chance, self._bots, decisions)
        self._known = None
        made = (self._bots.counter - before) // WORDS_A_STEP
        t.decisions += made
        return made

    def value_here(self, t: Tree) -> int:
        """Implement `Game.value_here`."""
        if self.guided is not None and self.guided.evaluate is not None:
            raise WaitingError
        if self.guided is None or self.guided.value is None:
            return search.value_here(self, t)
        t.gains[:] = array("d", self.guided.value_of(t.work))
        return 0

    def guide(self, t: Tree, count: int) -> int:
        """Implement `Game.guide`."""
        if self.guided is not None and (self.guided.policy or self.guided.evaluate):
            better = self.guided.better(t.work, count)
            for place in range(count):
                if t.fresh[place]:
                    t.edge_better[t.here[place]] += better[place]
        return 0

    def place_key(self, t: Tree, player: int) -> int:
        """Implement `Game.place_key`."""
        if self.shares_keys:
            return hidden.place_key(t, player)
        if not t.hides:
            return hash(bytes(t.work)) & MASK
        seen = observer_of(self.compiled).observe(t.work, player)
        seen[HEAD : HEAD + ASKED] = array("i", [0] * ASKED)
        return hash((hidden.asked_key(t), t.work[SITE], seen.tobytes())) & MASK


def asides(compiled: CompiledGame) -> list[int]:
    """Return the options that are always available, as triples: the decision, the first option, and
    the end of the range."""
    found: list[int] = []
    for number, site in enumerate(compiled.program.sites):
        for arm in site.arms:
            if arm.aside:
                found += (number, arm.base, arm.base + _options(arm))
    return found


def _options(arm: Arm) -> int:
    return prod(size for _, _, size in arm.arguments)
