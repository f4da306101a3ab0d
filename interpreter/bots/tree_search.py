"""A player that looks ahead: a tree of what was tried, weighed by plays at random to their end.

Each look begins with a state that the player cannot tell from the true one. In the tree everybody
goes by what they may know themselves: a place in it is what its chooser sees there. Chance falls anew each time
it is met. Where nothing is hidden and nothing left to chance, what is decided for certain is remembered as such.
A small game that hides something is thought over as a whole instead (see `regrets.py`).
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator
from contextlib import suppress
from contextvars import ContextVar
from math import inf, log, sqrt
from typing import TypeAlias
from weakref import WeakKeyDictionary

import attrs

from rulewright.dsl.ir import BOUND, OVER, PLAYER, SITE
from rulewright.interpreter.bots.counterfactual_regret import Advice, advised, drawn
from rulewright.interpreter.bots.evaluation import LEARNED_FROM, Worth
from rulewright.interpreter.bots.simple import Bot
from rulewright.interpreter.bots.turns import Rows
from rulewright.interpreter.engines.chance import Generator
from rulewright.interpreter.engines.engines import engine_names, make_engine
from rulewright.interpreter.knowledge.hidden_pieces import possible_state
from rulewright.interpreter.knowledge.observation import observer_of
from rulewright.interpreter.knowledge.sampling import sampled
from rulewright.interpreter.matches.returns import Reward, shares
from rulewright.interpreter.matches.state import State
from rulewright.interpreter.text.errors import NoNativeEngineError, UnknownBotError
from rulewright.interpreter.text.faults import RuleFault
from rulewright.interpreter.views.compiled_game import CompiledGame

Cells: TypeAlias = "array[int]"

CLOCK: ContextVar[Callable[[], float] | None] = ContextVar("CLOCK", default=None)
"""Gives the seconds since some time; set by whoever has a clock, at the edge of the program."""

_CURIOSITY = 1.0
"""How much what was tried seldom is preferred to what has gone well; for the spread of what looks come to, where leads
tell something."""
_LEAST = 0.03
"""The spread is held to be so great at least."""
_UNSURE = 10
"""As long as there are few looks, the spread is held to be one half, as though so many had shown that."""
_PATIENCE = 10
"""So many looks for each option there are before it is tried what may as well be done later, unless it looks better."""
_WALKS = 10
"""How many walks through a small game that hides something take the place of a play that is looked at."""
_PARTS = 1000
"""In so many parts the looks are told that a strategy gives to each option."""
_LOOKS_A_SAMPLE = 6
_HEARD = 12
"""How many steps back a sample respects what the player was told."""
_LONGEST = 2_000
"""How many steps are made in the tree, those included in which nothing can be chosen."""
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

    def choose(state: State, generator: Generator) -> int:
        offered = state.option_ids
        if len(offered) == 1:
            return offered[0]
        advice = _advice(state, effort)
        if advice is not None:
            return drawn(advice, generator)
        return think(state, effort, generator).best

    return choose


def think(
    state: State,
    effort: Effort,
    generator: Generator,
    stopped: Callable[[], bool] = _never,
    *,
    interruptible: bool = False,
) -> Thought:
    """Search for the best option until the effort is spent, or `stopped` is true.

    With `interruptible`, Ctrl-C ends the search with what it has found.
    """
    advice = _advice(state, effort, stopped)
    if advice is not None:
        return _thought(advice)
    search = Search(state, generator, effort.reward)
    is_spent = _spent(effort)
    try:
        while not search.settled:
            is_long = 0 < effort.decisions <= search.decisions
            if search.playouts >= _AT_LEAST and (is_long or is_spent(search.playouts) or stopped()):
                break
            search.look()
    except KeyboardInterrupt:
        if not interruptible or not search.playouts:
            raise
    return search.thought()


def _spent(effort: Effort) -> Callable[[int], bool]:
    """Whether it has been thought long enough, by how many plays were looked at."""
    if not effort.seconds:
        return lambda playouts: playouts >= effort.playouts
    clock = CLOCK.get()
    if clock is None:
        raise UnknownBotError(
            f"a bot that thinks for {effort.seconds:g} seconds needs a clock; say how many plays it looks at"
        )
    now, end = clock, clock() + effort.seconds
    return lambda _: now() >= end


def _advice(
    state: State, effort: Effort, stopped: Callable[[], bool] = _never
) -> list[Advice] | None:
    """What a strategy for the whole of a small game that hides something says here."""
    is_spent = _spent(effort)
    return advised(
        state,
        fastest(state.compiled),
        effort.reward,
        _WALKS * effort.playouts,
        lambda: (bool(effort.seconds) and is_spent(0)) or stopped(),
    )


def _thought(advice: list[Advice]) -> Thought:
    often = ((one.option, round(_PARTS * one.often), one.worth) for one in advice)
    return Thought(tuple(sorted(often, key=lambda one: -one[1])), _PARTS)


@attrs.define(eq=False, slots=True)
class _Edge:
    """An option at a place of the tree: how often it was there, how often taken, and what came of it."""

    there: int = 0
    taken: int = 0
    gained: float = 0.0
    better: float = 0.0
    """By how much a move that begins with it looks better at once; it counts as much as one look."""
    aside: bool = False
    """Whether it may be done at any time, aside from what is asked."""
    certain: list[float] | None = None


@attrs.define(eq=False, slots=True)
class _Node:
    edges: dict[int, _Edge] = attrs.field(factory=dict)
    taken: int = 0
    gained: float = 0.0


class Search:
    """The tree of one decision."""

    def __init__(self, state: State, generator: Generator, reward: Reward = "wins") -> None:
        compiled = fastest(state.compiled)
        self._state = state
        self._compiled = compiled
        self._generator = generator
        self._me = state.player
        self._hides = compiled.viewer.has_secrets
        self._plain = not self._hides and not compiled.program.chances and reward == "wins"
        self._observer = observer_of(compiled)
        self._worth = Worth(compiled, reward)
        self._rows = Rows(compiled, generator, self._worth.at_once)
        self._nodes: dict[object, _Node] = {}
        self._sample: Cells | None = None
        self._offered = tuple(state.option_ids)
        self._used = 0
        self._mean = self._square = 0.0
        self._curious = _CURIOSITY
        self.playouts = 0
        self._root = _Node({option: _Edge() for option in self._offered})

    @property
    def decisions(self) -> int:
        """How many decisions were made in plays at random."""
        return self._worth.decisions

    @property
    def settled(self) -> bool:
        """Whether nothing is left to be found out."""
        certain = [self._certain(edge) for edge in self._root.edges.values()]
        return 1.0 in certain or None not in certain

    def _certain(self, edge: _Edge) -> float | None:
        return None if edge.certain is None else edge.certain[self._me]

    def thought(self) -> Thought:
        """What is known so far."""

        def known(option: int) -> tuple[int, float, bool]:
            edge = self._root.edges[option]
            certain = self._certain(edge)
            if certain is not None:
                return edge.taken, certain, True
            return edge.taken, edge.gained / edge.taken if edge.taken else 0.0, False

        def rank(option: int) -> tuple[float, int, float]:
            taken, hoped, certain = known(option)
            if not certain:
                return 0, taken, hoped
            return (1, taken, hoped) if hoped == 1.0 else (hoped - 1, taken, hoped)

        ordered = sorted(self._offered, key=rank, reverse=True)
        return Thought(tuple((option, *known(option)[:2]) for option in ordered), self.playouts)

    def look(self) -> None:
        """Go down the tree once, play on to the end, and note what came of it."""
        if not self.playouts:
            self._worth.learn((self._begin() for _ in range(LEARNED_FROM)), self._generator)
        self.playouts += 1
        path: list[tuple[_Node, int, int]] = []
        cells = self._begin()
        try:
            gains = self._down(cells, path)
        except RuleFault:
            # What is only guessed may be impossible; if it is not, the fault will come in play.
            self._sample = None
            return
        self._note(gains[self._me])
        for node, option, player in path:
            gain = gains[player]
            node.taken += 1
            node.gained += gain
            edge = node.edges[option]
            edge.taken += 1
            edge.gained += gain

    def _note(self, gain: float) -> None:
        """What looks come to varies: the more it does, the more of them are wanted to tell options apart."""
        if not self._worth.tells:
            return  # looks have won or lost
        self._mean += (gain - self._mean) / self.playouts
        self._square += (gain * gain - self._square) / self.playouts
        spread = sqrt(max(0.0, self._square - self._mean * self._mean))
        known = (spread * self.playouts + 0.5 * _UNSURE) / (self.playouts + _UNSURE)
        self._curious = _CURIOSITY * max(_LEAST, known)

    def _begin(self) -> Cells:
        if not self._hides:
            return self._state.cells[:]
        if self._sample is None or self._used % _LOOKS_A_SAMPLE == 0:
            self._sample = sampled(self._state, self._me, self._generator, _HEARD)
        self._used += 1
        return self._sample[:]

    def _down(self, cells: Cells, path: list[tuple[_Node, int, int]]) -> list[float]:
        compiled, generator = self._compiled, self._generator
        fresh = False
        for _ in range(_LONGEST):
            if cells[OVER]:
                break
            if cells[BOUND]:
                compiled.advance(cells, generator.below(cells[BOUND]))
                continue
            if fresh:
                return self._worth.after(cells, generator)
            player = cells[PLAYER]
            offered = compiled.options(cells)
            if len(offered) == 1:
                compiled.advance(cells, offered[0])
                continue
            node = self._node(cells, player, path)
            # Where the play has come back to a place of the tree, it would go round in it for ever.
            fresh = not node.taken or any(node is met for met, _, _ in path)
            option, row = self._pick(node, cells, offered)
            path.append((node, option, player))
            if fresh:
                self._rows.follow(cells, (option, *row))
            else:
                compiled.advance(cells, option)
        if not cells[OVER]:  # nobody has anything to choose, and it does not end
            return self._worth.after(cells, generator)
        if self._plain:
            self._settle(path, shares(compiled, cells))
        return self._worth.ended(cells)

    def _node(self, cells: Cells, player: int, path: list[tuple[_Node, int, int]]) -> _Node:
        if not path:
            return self._root
        if self._hides:
            key: object = (player, cells[SITE], self._observer.observe(cells, player).tobytes())
        else:
            key = cells.tobytes()
        node = self._nodes.get(key)
        if node is None:
            node = self._nodes[key] = _Node()
        return node

    def _pick(self, node: _Node, cells: Cells, offered: list[int]) -> tuple[int, tuple[int, ...]]:
        """The option to take, and how to go on with it as long as the same player decides."""
        edges, player, rows = node.edges, cells[PLAYER], dict[int, tuple[int, ...]]()
        best, option, curious = -inf, offered[0], self._curious
        hoped = node.gained / node.taken if node.taken else 1.0
        fresh = [here for here in offered if here not in edges or not edges[here].there]
        for here in fresh:
            edges[here] = _Edge(aside=self._compiled.is_aside(cells, here))
        if fresh and self._worth.tells_at_once:
            for here, row, better in self._promising(cells, fresh, len(offered)):
                edges[here].better, rows[here] = better, row
        most = max((edges[here].better for here in offered if not edges[here].aside), default=-inf)
        is_early = node.taken < _PATIENCE * len(offered)
        start = self._generator.below(len(offered))
        for place in range(len(offered)):
            here = offered[(start + place) % len(offered)]
            edge = edges[here]
            edge.there += 1
            if edge.certain is not None:
                promise = 3.0 * edge.certain[player] - 1.0
            elif edge.taken:
                mean = edge.gained / edge.taken
                if edge.better:
                    mean += (hoped + edge.better - mean) / (edge.taken + 1)
                promise = mean + curious * sqrt(log(edge.there) / edge.taken)
            elif is_early and edge.aside and edge.better <= most:
                continue
            else:
                promise = hoped + edge.better + curious * sqrt(log(edge.there + 1) + 1)
            if promise > best:
                best, option = promise, here
        return option, rows.get(option, ())

    def _promising(
        self, cells: Cells, fresh: list[int], among: int
    ) -> Iterator[tuple[int, tuple[int, ...], float]]:
        """For each option how whoever decides would go on with it, and by how much that looks better at once.

        How to go on is found where what is hidden may lie otherwise, and chance falls otherwise, than where it is
        looked at what comes of it, and both otherwise than where the look goes on: else everybody would guess right.
        What comes of it only sometimes counts for the less, and is not gone on with.
        """
        player, worth = cells[PLAYER], self._worth
        found, seen = (self._otherwise(cells, player) for _ in range(2))
        now = worth.at_once(seen, player)
        for here in fresh:
            row = self._rows.best(found[:], here, among)
            after = seen[:]
            self._rows.follow(after, (here, *row.rest))
            also = worth.at_once(after, player)
            yield here, row.rest if also == row.worth else (), min(also, row.worth) - now

    def _otherwise(self, cells: Cells, player: int) -> Cells:
        """What may be the case as well, for all that is seen by a player."""
        return (
            possible_state(self._compiled, cells, player, self._generator) if self._hides else cells
        )

    def _settle(self, path: list[tuple[_Node, int, int]], shares: list[float]) -> None:
        """Note that the last choice ends the play so, and what follows from that for those before."""
        found: list[float] | None = shares
        for node, option, player in reversed(path):
            if found is None:
                return
            node.edges[option].certain = found
            known = [edge.certain for edge in node.edges.values() if edge.certain is not None]
            best = max(known, key=lambda one: one[player])
            found = best if best[player] == 1.0 or len(known) == len(node.edges) else None


_FASTEST: WeakKeyDictionary[CompiledGame, CompiledGame | None] = WeakKeyDictionary()


def fastest(compiled: CompiledGame) -> CompiledGame:
    """The same game with the fastest engine there is."""
    if compiled not in _FASTEST:
        found = None
        if engine_names()[-1] == "native":
            with suppress(NoNativeEngineError):
                found = CompiledGame(compiled.program, make_engine(compiled.program, "native"))
        _FASTEST[compiled] = found
    return _FASTEST[compiled] or compiled
