"""A player that looks ahead: a tree of options, valued by random playouts to the end.

Each look begins with a state that the player cannot tell from the true one. In the tree everybody
goes by what they may know themselves: a place in it is what its chooser sees there. Chance is drawn again each time
it is met. Where nothing is hidden and nothing left to chance, what is decided for certain is remembered as such.
A small game that hides something is thought over as a whole instead (see `regrets.py`).
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator
from contextlib import suppress
from contextvars import ContextVar
from threading import Lock
from typing import TypeAlias
from weakref import WeakKeyDictionary

import attrs

from rulewright.dsl.ir import BOUND, OVER, PLAYER
from rulewright.interpreter.bots import rooms
from rulewright.interpreter.bots.counterfactual_regret import Advice, advised, drawn
from rulewright.interpreter.bots.evaluation import LEARNED_FROM, Playout, learn
from rulewright.interpreter.bots.guides import Guide, Policy, Value
from rulewright.interpreter.bots.host import Host, asides
from rulewright.interpreter.bots.simple import Bot
from rulewright.interpreter.engines.chance import Generator
from rulewright.interpreter.engines.engine import NativeTrials
from rulewright.interpreter.engines.engines import engine_names, make_engine
from rulewright.interpreter.engines.kernels import search as kernel
from rulewright.interpreter.engines.kernels.search import new_edge, new_node
from rulewright.interpreter.engines.kernels.tree import SAMPLE, Done, FullError, Tree
from rulewright.interpreter.knowledge.past_steps import tell_past
from rulewright.interpreter.knowledge.sampling import Sampler
from rulewright.interpreter.knowledge.search_tables import tell_search
from rulewright.interpreter.matches.returns import Reward, sides_of
from rulewright.interpreter.matches.state import State
from rulewright.interpreter.text.errors import NoNativeEngineError, UnknownBotError
from rulewright.interpreter.text.faults import RuleFault
from rulewright.interpreter.views.compiled_game import CompiledGame

Cells: TypeAlias = "array[int]"

CLOCK: ContextVar[Callable[[], float] | None] = ContextVar("CLOCK", default=None)
"""Gives the seconds since some time; set by callers with a clock, at the edge of the program."""

_WALKS = 10
"""How many walks through a small game with secrets replace one trial."""
_PARTS = 1000
"""The number of parts in which a strategy is shown as trials of each option."""
_LOOKS_A_SAMPLE = 6
_HEARD = 12
"""How many steps back a sample agrees with the log of the player."""
_TOGETHER = 256
"""How many trials are made at a time at most where no clock counts."""
_SHORT = 0.005
"""Where one counts, trials are made for about so many seconds at a time."""
_MOST = 65_536
"""How many at most."""
_CLEAR = 200
"""After so many trials, one that cannot be overtaken within the time is taken at once."""
_LINE = 5
"""How many decisions of the main line are named."""
_TRIED = 10
"""An option of it was tried more often."""
_MOST_NODES = 1_000_000
"""A tree with so many nodes is not used for another decision."""
_AT_LEAST = 4
"""How many looks there are, however little time."""


@attrs.frozen
class Effort:
    """How long a bot searches, and for which reward: to win, or to lead in points."""

    playouts: int = 0
    seconds: float = 0.0
    """Needs a clock: `CLOCK.set(time.monotonic)`."""
    decisions: int = 0
    """The search also ends after so many decisions in playouts (0: no limit)."""
    reward: Reward = "wins"


@attrs.frozen
class Thought:
    """The result of a search."""

    options: tuple[tuple[int, int, float], ...]
    """For each option its number, its visits and its value, the best first."""
    playouts: int
    line: tuple[tuple[int, str], ...] = ()
    """The main line: who decides, and the words of the option that was tried most often."""
    rollouts: int = kernel.PLAYOUTS
    """How many random playouts each trial made."""

    @property
    def best(self) -> int:
        """The number of the best option."""
        return self.options[0][0]

    @property
    def confidence(self) -> float:
        """The share of the visits that went to the best option."""
        return self.options[0][1] / max(1, sum(count for _, count, _ in self.options))

    @property
    def value(self) -> float:
        """The value of the best option: 0 is lost, 1 is won; by points, the expected lead."""
        return self.options[0][2]


def _never() -> bool:
    return False


def searching(effort: Effort) -> Bot:
    """A bot that thinks so long."""

    return lambda state, generator: decide(state, effort, generator)


def decide(
    state: State,
    effort: Effort,
    generator: Generator,
    *,
    interruptible: bool = False,
    watch: Callable[[], None] | None = None,
    memory: Memory | None = None,
) -> int:
    """The option that a bot takes after thinking; see `think`."""
    offered = state.option_ids
    if len(offered) == 1:
        return offered[0]
    advice = _advice(state, effort)
    if advice is not None:
        return drawn(advice, generator)
    return think(
        state, effort, generator, interruptible=interruptible, watch=watch, memory=memory
    ).best


def think(
    state: State,
    effort: Effort,
    generator: Generator,
    stopped: Callable[[], bool] = _never,
    *,
    interruptible: bool = False,
    watch: Callable[[], None] | None = None,
    memory: Memory | None = None,
    policy: Policy | None = None,
    value: Value | None = None,
) -> Thought:
    """Search for the best option until the effort is spent, or `stopped` is true.

    With `interruptible`, Ctrl-C ends the search with what it has found. `watch` is called again and again meanwhile.
    With a `memory`, the search begins with what the last one has found. `policy` gives a weight for each option of a
    state, and `value` the result to expect for each seat, in place of random rollouts.
    """
    is_guided = policy is not None or value is not None
    advice = None if is_guided else _advice(state, effort, stopped)
    if advice is not None:
        return _thought(advice)
    pace = _Pace(effort)
    if is_guided:
        search = Search(state, generator, effort.reward, Guide(state, policy, value))
    elif memory is None:
        search = Search(state, generator, effort.reward)
    else:
        search = memory.search(state, generator, effort.reward)
    if effort.seconds:
        search.hurry()
    try:
        while (
            not search.settled
            and not pace.is_over(search)
            and not (search.playouts >= _AT_LEAST and stopped())
        ):
            search.look(pace.next(search))
            if watch is not None:
                watch()
    except KeyboardInterrupt:
        if not interruptible or not search.playouts:
            raise
    return search.thought()


def _clock(effort: Effort) -> Callable[[], float]:
    clock = CLOCK.get()
    if clock is None:
        raise UnknownBotError(
            f"a bot that thinks for {effort.seconds:g} seconds needs a clock; say how many trials it makes"
        )
    return clock


class _Pace:
    """How many trials are made at a time, and when there are enough of them.

    Without a clock both depend on numbers of trials alone, so that a seed decides.
    """

    def __init__(self, effort: Effort) -> None:
        self._effort = effort
        self._many = _AT_LEAST
        if effort.seconds:
            self._now = _clock(effort)
            self._start = self._last = self._now()
            self._many = 1

    def is_over(self, search: Search) -> bool:
        """Whether there were enough."""
        effort, made = self._effort, search.playouts
        if made < _AT_LEAST:
            return False
        if 0 < effort.decisions <= search.decisions:
            return True
        if not effort.seconds:
            return made >= effort.playouts
        left = self._start + effort.seconds - self._last
        passed = self._last - self._start
        # Stop when further trials cannot change the best option.
        return left <= 0 or (made >= _CLEAR and search.ahead() > made * left / max(passed, 1e-6))

    def next(self, search: Search) -> int:
        """How many are made now."""
        many = self._many
        effort = self._effort
        if not effort.seconds:
            self._many = min(2 * many, _TOGETHER)
            return max(1, min(many, effort.playouts - search.playouts))
        if search.playouts:
            before, self._last = self._last, self._now()
            took = self._last - before
            if took < _SHORT:
                self._many = min(2 * many, _MOST)
            elif took > 4 * _SHORT:
                self._many = max(1, many // 2)
            # No more than there is time left for.
            left = self._start + effort.seconds - self._last
            self._many = max(1, min(self._many, int(many * left / max(took, 1e-6))))
        return self._many


def _spent(effort: Effort) -> Callable[[], bool]:
    """Whether the time to think is over."""
    if not effort.seconds:
        return _never
    now = _clock(effort)
    end = now() + effort.seconds
    return lambda: now() >= end


def _advice(
    state: State, effort: Effort, stopped: Callable[[], bool] = _never
) -> list[Advice] | None:
    """The advice of a strategy for the whole of a small game with secrets."""
    is_spent = _spent(effort)
    return advised(
        state,
        fastest(state.compiled),
        effort.reward,
        _WALKS * effort.playouts,
        lambda: is_spent() or stopped(),
    )


def _thought(advice: list[Advice]) -> Thought:
    often = ((one.option, round(_PARTS * one.often), one.worth) for one in advice)
    return Thought(tuple(sorted(often, key=lambda one: -one[1])), _PARTS)


class Search:
    """The tree of one decision: its trials so far, and the engine of further ones."""

    def __init__(
        self,
        state: State,
        generator: Generator,
        reward: Reward = "wins",
        guide: Guide | None = None,
    ) -> None:
        compiled = fastest(state.compiled)
        program, engine = compiled.program, compiled.engine
        self._state = state
        self._generator = generator
        self.reward: Reward = reward
        self._hides = compiled.viewer.has_secrets
        is_native = isinstance(engine, NativeTrials) and engine.searches and guide is None
        self._native = engine if is_native and isinstance(engine, NativeTrials) else None
        self._host = Host(compiled, is_native, guide)
        self._is_sampled = False
        self._sampler = Sampler(state, state.player, _HEARD, engine)
        self._used = 0
        self._tree = t = Tree(
            seats=program.seats,
            scored=int(bool(program.score)),
            by_points=int(reward == "points"),
            hides=int(self._hides),
            certain=int(not self._hides and not program.chances and reward == "wins"),
            me=state.player,
            key=generator.key,
            counter=generator.counter,
        )
        rooms.furnish(t, sides_of(compiled), asides(compiled), program.size)
        tell_search(t, compiled)
        new_node(t, 0)
        for option in state.option_ids:
            while t.edges >= t.edge_room:
                rooms.grow(t)
            new_edge(t, 0, option)
        has_value = guide is not None and guide.value is not None
        self._has_learned = not t.scored or has_value
        self.draws_natively = self._native is not None and self._hides and self._sampler.is_exchange
        """Whether native code draws the samples."""
        if self.draws_natively:
            tell_past(t, state.cells, self._sampler)
            is_done = self._natively("remember", t.steps_kept) is Done.ALL
            self.draws_natively = is_done and not t.strayed

    @property
    def can_ponder(self) -> bool:
        """Whether it can go on beside other work: in native code, where the tree can be used again."""
        return self._native is not None and not self._hides

    def hurry(self) -> None:
        """Play on once from a new position where all is open and only victory counts: more trials see more there."""
        if self._tree.certain and not self._tree.scored:
            self._tree.rollouts = 1

    @property
    def tree(self) -> Tree:
        """The tree itself."""
        return self._tree

    @property
    def playouts(self) -> int:
        """How many trials were made."""
        return self._tree.playouts

    @property
    def decisions(self) -> int:
        """How many decisions were made in random playouts."""
        return self._tree.decisions

    @property
    def settled(self) -> bool:
        """Whether nothing is left to be found out."""
        return bool(kernel.is_settled(self._tree))

    def ahead(self) -> int:
        """By how many trials the option that was tried most often is ahead of the next one."""
        t = self._tree
        taken, edge = [0, 0], t.node_first[0]
        while edge >= 0:
            taken.append(t.edge_taken[edge])
            edge = t.edge_next[edge]
        taken.sort()
        return taken[-1] - taken[-2]

    def thought(self) -> Thought:
        """The result so far."""
        t = self._tree

        def known(
            option: int, edge: int
        ) -> tuple[tuple[float, int, float], tuple[int, int, float]]:
            taken = t.edge_taken[edge]
            if t.edge_certain[edge]:
                value = t.certainty[edge * t.seats + t.me]
                rank = (1.0 if value == 1.0 else value - 1, taken, value)
                return rank, (option, taken, value)
            value = t.edge_gained[edge] / taken if taken else 0.0
            return (0.0, taken, value), (option, taken, value)

        found, edge = [], t.node_first[0]
        while edge >= 0:
            found.append(known(t.edge_option[edge], edge))
            edge = t.edge_next[edge]
        found.sort(key=lambda one: one[0], reverse=True)
        best = tuple(told for _, told in found)
        return Thought(best, t.playouts, tuple(self._line(best[0][0])), t.rollouts)

    def _line(self, best: int) -> Iterator[tuple[int, str]]:
        """The options that were tried most often, as long as nothing is hidden or left to chance."""
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
        """The option of a node that was tried most often; -1 where too few were tried to tell."""
        t, most, found = self._tree, _TRIED, -1
        edge = t.node_first[node] if node else -1
        while edge >= 0:
            if t.edge_taken[edge] > most:
                most, found = t.edge_taken[edge], t.edge_option[edge]
            edge = t.edge_next[edge]
        return found

    def _node_of(self, cells: Cells) -> int:
        """The node of a decision; 0 where it has none, as the root."""
        t = self._tree
        t.work = cells[:]
        key = self._host.place_key(t, cells[PLAYER])
        place = key & t.mask
        while t.table[place] and t.node_key[t.table[place]] != key:
            place = (place + 1) & t.mask
        return t.table[place]

    def go_on(self, state: State, generator: Generator) -> bool:
        """Make a later decision the root, with all that is known of it; whether it could be done.

        Where something is hidden it cannot: the samples so far contradict what was seen since.
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
        """Make so many trials, if there is something left to be found out."""
        t = self._tree
        self._learn()
        wanted = t.playouts + many
        while t.playouts < wanted and not self.settled:
            self._begin()
            most = wanted - t.playouts
            if self._hides:
                most = min(most, _LOOKS_A_SAMPLE - (self._used - 1) % _LOOKS_A_SAMPLE)
            before = t.playouts
            self._trials(most)
            self._used += t.playouts - before - 1
        self._generator.counter = t.counter

    def _learn(self) -> None:
        if self._has_learned:
            return
        self._has_learned = True
        found = []
        for _ in range(LEARNED_FROM):
            self._begin()
            done = self._natively("learn_once", 0)
            if done is Done.IMPOSSIBLE:
                continue
            with suppress(RuleFault):  # a guessed position may be impossible
                if done is Done.NOT:
                    kernel.learn_once(self._host, self._tree, 0)
                found.append(Playout.of(self._tree))
        learn(self._tree, found)

    def _begin(self) -> None:
        """Take the next sample, if there is to be another one; it counts as used once."""
        if self._hides and (not self._is_sampled or self._used % _LOOKS_A_SAMPLE == 0):
            self._keep(self.sample())
        elif not self._is_sampled:
            self._keep(self._state.cells)
        self._used += 1

    def sample(self) -> Cells:
        """A state that looks the same to the player, drawn at random."""
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
        wanted = t.playouts + most
        while t.playouts < wanted and not self.settled:
            match self._natively("trials", wanted - t.playouts):
                case Done.FULL:
                    rooms.grow(t, self._native)
                case Done.NOT:
                    self._trial()
                case Done.IMPOSSIBLE:
                    self._drop()
                case Done.ALL:
                    pass
            if not self._is_sampled:
                return

    def _trial(self) -> None:
        """One trial in Python."""
        t = self._tree
        while True:
            try:
                kernel.trial(self._host, t)
                return
            except FullError:
                kernel.undo(t)
                rooms.grow(t)
            except RuleFault:
                self._drop()
                return

    def _drop(self) -> None:
        """Sample again. A guessed position may be impossible; if it is possible, the fault comes in the match."""
        self._tree.playouts += 1
        self._is_sampled = not self._hides

    def _natively(self, task: str, number: int) -> Done:
        t = self._tree
        if self._native is None:
            return Done.NOT
        t.full = 0
        done = self._native.trials(t, number, task)
        if done in (Done.FULL, Done.NOT):
            kernel.undo(t)
        return done


class Memory:
    """The last search of a match, for bots whose time counts: numbers of trials repeat without it."""

    def __init__(self) -> None:
        self._last: Search | None = None

    @property
    def last(self) -> Search | None:
        """The last search, of whatever seat."""
        return self._last

    def search(self, state: State, generator: Generator, reward: Reward) -> Search:
        """A search that begins with the known results for a decision."""
        before = self._last
        if before is not None and before.reward == reward and before.go_on(state, generator):
            return before
        self._last = Search(state, generator, reward)
        return self._last


_MAKING = Lock()
_FASTEST: WeakKeyDictionary[CompiledGame, CompiledGame | None] = WeakKeyDictionary()


def fastest(compiled: CompiledGame) -> CompiledGame:
    """The same game with the fastest engine there is; made once, at the first call."""
    with _MAKING:
        if compiled not in _FASTEST:
            found = None
            if engine_names()[-1] == "native":
                with suppress(NoNativeEngineError):
                    found = CompiledGame(compiled.program, make_engine(compiled.program, "native"))
            _FASTEST[compiled] = found
        return _FASTEST[compiled] or compiled


def get_ready(compiled: CompiledGame) -> None:
    """Make all that a search needs before its first trial."""
    engine = fastest(compiled).engine
    if isinstance(engine, NativeTrials) and engine.searches:
        engine.get_ready()
