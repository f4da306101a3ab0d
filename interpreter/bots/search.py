"""Makes the tree of one decision, and runs the trials in it.

Each trial begins with a state that the player cannot distinguish from the true state. In the tree,
all players act on their own knowledge: a node is an information set of the player who decides. Each
trial draws chance again. In games without hidden information and chance, proven results are stored
as certain.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator
from contextlib import suppress
from threading import Lock
from typing import TypeAlias

import attrs

from rulewright.dsl.ir import BOUND, OVER, PLAYER
from rulewright.interpreter.bots import tree_arrays
from rulewright.interpreter.bots.evaluation import AT_LEAST, LEARNED_FROM, Playout, learn
from rulewright.interpreter.bots.guides import Guide
from rulewright.interpreter.bots.host import Host, WaitingError, asides
from rulewright.interpreter.bots.waiting import Waiting
from rulewright.interpreter.bots.weights import put_weights
from rulewright.interpreter.engines.chance import Generator
from rulewright.interpreter.engines.engine import NativeTrials
from rulewright.interpreter.engines.kernels import learning
from rulewright.interpreter.engines.kernels import search as kernel
from rulewright.interpreter.engines.kernels.search import new_edge, new_node
from rulewright.interpreter.engines.kernels.tree import SAMPLE, Done, FullError, Tree
from rulewright.interpreter.knowledge.past_steps import tell_past
from rulewright.interpreter.knowledge.sampling import Sampler
from rulewright.interpreter.knowledge.search_tables import tell_search
from rulewright.interpreter.matches.fastest import get_ready
from rulewright.interpreter.matches.returns import Reward, sides_of
from rulewright.interpreter.matches.state import State
from rulewright.interpreter.text.faults import RuleFault
from rulewright.interpreter.views.compiled_game import CompiledGame

Cells: TypeAlias = "array[int]"

_LOOKS_A_SAMPLE = 6
_HEARD = 12
"""The number of past steps for which a sample must agree with the player's log."""
_LINE = 5
"""The maximum length of the main line, in decisions."""
_TRIED = 10
"""An option belongs to the main line only if it was tried more often than this number."""
_LATE = 1 / 4
"""The proportion of the time after which no more is learned than necessary."""
_TOO_LATE = 1 / 2
"""The proportion of the time after which nothing more is learned, and trials have a single playout."""
_MOST_NODES = 1_000_000
"""The number of nodes at which a tree is too large to be reused for another decision."""


@attrs.frozen
class Tried:
    """An option, and the results of its trials."""

    option: int
    taken: int
    gained: float
    """The sum of the results of the trials."""
    certain: float | None
    """The result if it is certain, otherwise None."""

    def join(self, other: Tried) -> Tried:
        """Return the sum of these results and the results of the same option in another tree."""
        known = self.certain if self.certain is not None else other.certain
        return Tried(self.option, self.taken + other.taken, self.gained + other.gained, known)


class Search:
    """The tree of one decision, with its trials so far. Further trials can be added."""

    def __init__(
        self,
        state: State,
        generator: Generator,
        reward: Reward = "wins",
        guide: Guide | None = None,
        batch: int = 1,
        compiled: CompiledGame | None = None,
        turn: Lock | None = None,
    ) -> None:
        compiled = compiled or get_ready(state.compiled)
        program, engine = compiled.program, compiled.engine
        self._turn = turn or Lock()
        """A lock for the work in Python. It is needed because the trees of several threads share an engine."""
        self._state = state
        self._generator = generator
        self.reward: Reward = reward
        self._hides = compiled.viewer.has_secrets
        is_native = isinstance(engine, NativeTrials) and engine.searches and guide is None
        self._native = engine if is_native and isinstance(engine, NativeTrials) else None
        self._host = Host(compiled, is_native, guide)
        self._passed: Callable[[], float] = lambda: 0.0
        self._is_sampled = False
        self._sampler = Sampler(state, state.player, _HEARD, engine)
        self._used = 0
        is_open = not self._hides and not program.chances and reward == "wins"
        careful = is_open and not program.score
        self._tree = t = Tree(
            seats=program.seats,
            scored=int(bool(program.score)),
            by_points=int(reward == "points"),
            hides=int(self._hides),
            certain=int(is_open),
            careful=int(careful),
            curious=kernel.CAREFULLY_CURIOUS if careful else kernel.CURIOSITY,
            me=state.player,
            key=generator.key,
            counter=generator.counter,
        )
        tree_arrays.furnish(t, sides_of(compiled), asides(compiled), program.size)
        tell_search(t, compiled)
        put_weights(t, state.compiled)
        new_node(t, 0)
        for option in state.option_ids:
            while t.edges >= t.edge_room:
                tree_arrays.grow(t)
            new_edge(t, 0, option)
        evaluates = guide is not None and guide.evaluate is not None
        has_value = guide is not None and guide.value is not None
        self._has_learned = not t.scored or has_value or evaluates
        self._waiting = Waiting(guide, batch) if guide is not None and evaluates else None
        t.waits = int(evaluates)
        self.draws_natively = self._native is not None and self._hides and self._sampler.is_exchange
        """Whether native code draws the samples."""
        if self.draws_natively:
            tell_past(t, state.cells, self._sampler)
            with self._turn:
                is_done = self._natively("remember", t.steps_kept) is Done.ALL
            self.draws_natively = is_done and not t.strayed

    @property
    def can_ponder(self) -> bool:
        """Return whether the search can continue in the background.

        For this, native code must run the trials, and the tree must be reusable.
        """
        return self._native is not None and not self._hides

    def hurry(self, passed: Callable[[], float]) -> None:
        """Prepare for a search with a time limit; `passed` returns the proportion of the time that has passed.

        In open games where only victory counts, make a single playout from each new position,
        because more trials find more.
        """
        self._passed = passed
        if self._tree.careful:
            self._tree.rollouts = 1

    @property
    def tree(self) -> Tree:
        """Return the search tree."""
        return self._tree

    @property
    def playouts(self) -> int:
        """Return the number of trials so far."""
        return self._tree.playouts

    @property
    def decisions(self) -> int:
        """Return the number of decisions made in random playouts."""
        return self._tree.decisions

    @property
    def settled(self) -> bool:
        """Return whether all results are settled."""
        return bool(kernel.is_settled(self._tree))

    @property
    def is_native(self) -> bool:
        """Return whether native code runs the trials."""
        return self._native is not None

    def options(self) -> Iterator[Tried]:
        """Yield the options of the decision, with the results of their trials."""
        t, edge = self._tree, self._tree.node_first[0]
        while edge >= 0:
            certain = t.certainty[edge * t.seats + t.me] if t.edge_certain[edge] else None
            yield Tried(t.edge_option[edge], t.edge_taken[edge], t.edge_gained[edge], certain)
            edge = t.edge_next[edge]

    def line(self, best: int) -> Iterator[tuple[int, str]]:
        """Yield the expected line of play: first `best`, then the most tried option of each decision.

        Each entry is a player and the text of the option. The line ends at a chance event or at
        hidden information.
        """
        compiled, cells, option = self._state.compiled, self._state.cells[:], best
        for _ in range(_LINE if not self._hides else 0):
            yield cells[PLAYER], compiled.option_text(cells, option)
            compiled.advance(cells, option)
            if cells[OVER] or cells[BOUND]:
                return
            option = self._favourite(self._node_of(cells))
            if option < 0:
                return

    def _favourite(self, node: int) -> int:
        """Return the most tried option of a node, or -1 if no option was tried often enough."""
        t, most, found = self._tree, _TRIED, -1
        edge = t.node_first[node] if node else -1
        while edge >= 0:
            if t.edge_taken[edge] > most:
                most, found = t.edge_taken[edge], t.edge_option[edge]
            edge = t.edge_next[edge]
        return found

    def _node_of(self, cells: Cells) -> int:
        """Return the node of a decision. If the tree has no node for the decision, return 0, the root."""
        t = self._tree
        t.work = cells[:]
        key = self._host.place_key(t, cells[PLAYER])
        place = key & t.mask
        while t.table[place] and t.node_key[t.table[place]] != key:
            place = (place + 1) & t.mask
        return t.table[place]

    def go_on(self, state: State, generator: Generator) -> bool:
        """Make a later decision the root and keep the results below it. Return False if that is impossible.

        In games with hidden information it is always impossible, because earlier samples contradict
        later observations.
        """
        t = self._tree
        if self._hides or state.compiled is not self._state.compiled:
            return False
        node, is_root = 0, state.cells == self._state.cells
        if not is_root and t.nodes < _MOST_NODES:
            node = self._node_of(state.cells)
        edge, options = t.node_first[node] if node or is_root else -1, list[int]()
        while edge >= 0:
            options.append(t.edge_option[edge])
            edge = t.edge_next[edge]
        if sorted(options) != sorted(state.option_ids):
            return False
        for numbers in (t.node_taken, t.node_first, t.node_last, t.node_edges):
            numbers[0] = numbers[node]
        t.node_gained[0] = t.node_gained[node]
        t.me, t.playouts, t.decisions = state.player, 0, 0
        t.mean = t.square = 0.0
        t.key, t.counter = generator.key, generator.counter
        self._state, self._generator = state, generator
        self._is_sampled, self._used = False, 0
        return True

    def look(self, many: int = 1) -> None:
        """Run `many` trials, or fewer if the result is settled earlier."""
        with self._turn:
            self._look(many)

    def _look(self, many: int) -> None:
        self._learn()
        wanted = self._begun + many
        while self._begun < wanted and not self.settled:
            self._begin()
            most = wanted - self._begun
            if self._hides:
                most = min(most, _LOOKS_A_SAMPLE - (self._used - 1) % _LOOKS_A_SAMPLE)
            before = self._begun
            self._trials(most)
            self._used += self._begun - before - 1
        if self._waiting is not None:
            self._waiting.answer(self._tree)
        self._generator.counter = self._tree.counter

    @property
    def _begun(self) -> int:
        """Return the number of trials that were run or are waiting for an evaluator."""
        return self._tree.playouts + len(self._waiting or ())

    def _learn(self) -> None:
        if self._has_learned:
            return
        self._has_learned = True
        found = list[Playout]()
        for _ in range(LEARNED_FROM):
            passed = self._passed()
            if passed > _TOO_LATE:
                self._tree.rollouts = 1
                break
            if passed > _LATE and len(found) >= AT_LEAST:
                break
            self._begin()
            done = self._natively("learn_once", 0)
            if done is Done.IMPOSSIBLE:
                continue
            with suppress(RuleFault):  # a sampled position may be impossible
                if done is Done.NOT:
                    kernel.learn_once(self._host, self._tree, 0)
                found.append(Playout.of(self._tree))
        learn(self._tree, found)

    def learn_patterns(self, matches: int) -> None:
        """Play matches from the open decision, and learn the weights of patterns from them."""
        t = self._tree
        wanted = t.playouts + matches
        self._host.keep(SAMPLE, self._state.cells)
        t.states[: len(self._state.cells)] = self._state.cells
        with self._turn:
            while t.playouts < wanted:
                done = self._natively("learn_patterns", wanted - t.playouts)
                try:
                    if done is Done.NOT:
                        learning.learn_patterns(self._host, t, 1)
                except FullError:
                    kernel.undo(t)
                    done = Done.FULL
                if done is Done.FULL:
                    tree_arrays.grow(t, self._native)

    def _begin(self) -> None:
        """Draw a new sample if the current sample is used up, and count one use of the sample."""
        if self._hides and (not self._is_sampled or self._used % _LOOKS_A_SAMPLE == 0):
            self._keep(self._sample())
        elif not self._is_sampled:
            self._keep(self._state.cells)
        self._used += 1

    def sample(self) -> Cells:
        """Draw a random state that looks the same to the player."""
        with self._turn:
            return self._sample()

    def _sample(self) -> Cells:
        t = self._tree
        before = t.counter
        if self.draws_natively and self._natively("sample", t.me) is Done.ALL:
            cells = t.states[SAMPLE * t.size : (SAMPLE + 1) * t.size]
            self._generator.counter = t.counter
            self._sampler.finish(cells, self._generator)
        else:
            self._generator.counter = before
            cells = self._sampler.draw(self._generator)
        t.counter = self._generator.counter
        return cells

    def _keep(self, cells: Cells) -> None:
        self._is_sampled = True
        self._host.keep(SAMPLE, cells)
        if self._native is not None:
            self._tree.states[: len(cells)] = cells

    def _trials(self, most: int) -> None:
        t = self._tree
        wanted = self._begun + most
        while self._begun < wanted and not self.settled:
            match self._natively("trials", wanted - self._begun):
                case Done.FULL:
                    tree_arrays.grow(t, self._native)
                case Done.NOT:
                    self._trial()
                case Done.IMPOSSIBLE:
                    self._drop()
                case Done.ALL:
                    pass
            if not self._is_sampled:
                return

    def _trial(self) -> None:
        """Run one trial in Python."""
        t = self._tree
        while True:
            try:
                kernel.trial(self._host, t)
                return
            except FullError:
                kernel.undo(t)
                tree_arrays.grow(t)
            except WaitingError:
                self._wait()
                return
            except RuleFault:
                self._drop()
                return

    def _wait(self) -> None:
        """Add the current trial to the waiting list. If the list is then full, let the evaluator
        answer all of its trials."""
        assert self._waiting is not None
        self._waiting.add(self._tree, self._host)
        if self._waiting.is_full:
            self._waiting.answer(self._tree)

    def _drop(self) -> None:
        """Discard the sample.

        A sampled position may be impossible. A fault with another cause will occur again in the
        match.
        """
        self._tree.playouts += 1
        self._is_sampled = not self._hides

    def _natively(self, task: str, number: int) -> Done:
        t = self._tree
        if self._native is None:
            return Done.NOT
        t.full = 0
        self._turn.release()
        try:
            done = self._native.trials(t, number, task)
        finally:
            self._turn.acquire()
        if done in (Done.FULL, Done.NOT):
            kernel.undo(t)
        return done
