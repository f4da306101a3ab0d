"""Implements a bot that searches a tree for a given time or number of trials, and values options by random playouts.

A small game with secrets is solved completely instead (`counterfactual_regret.py`).
"""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar

import attrs

from rulewright.interpreter.bots.counterfactual_regret import Advice, draw_option, find_advice
from rulewright.interpreter.bots.guides import Evaluator, Guide, Policy, Value
from rulewright.interpreter.bots.search import Search
from rulewright.interpreter.bots.simple import Bot
from rulewright.interpreter.bots.trees import Memory, Thought, Trees
from rulewright.interpreter.engines.chance import Generator
from rulewright.interpreter.matches.fastest import get_ready
from rulewright.interpreter.matches.requests import whole
from rulewright.interpreter.matches.returns import Reward
from rulewright.interpreter.matches.state import State
from rulewright.interpreter.text.errors import UnknownBotError
from rulewright.interpreter.text.kinds import refuses_wrong_kinds

CLOCK: ContextVar[Callable[[], float] | None] = ContextVar("CLOCK", default=None)
"""A function that returns the number of seconds since a fixed time. Callers that have a clock set it."""

_MOST_THREADS = 256
_WALKS = 10
"""The number of walks through a small game with secrets that replace one trial."""
_PARTS = 1000
"""The number of parts into which a strategy is divided, so that it can be shown as trials of each option."""
_TOGETHER = 256
"""The maximum number of trials in a batch if there is no clock."""
_SHORT = 0.005
"""The approximate duration of a batch of trials in seconds, if there is a clock."""
_MOST = 65_536
"""The maximum number of trials in a batch if there is a clock."""
_CLEAR = 200
"""The number of trials after which an option is taken at once if no other option can overtake it in
the remaining time."""
_READY = 0.95
"""The maximum proportion of the time limit that compilation before the first trial may use up."""
_AT_LEAST = 4
"""The minimum number of trials, even if the time is very short."""
_OVERTIME = 1.0
"""The number of seconds beyond the time limit in which a slow engine may complete the minimum number of trials."""


@attrs.frozen
class Effort:
    """How long a bot searches, and for which reward: to win, or to lead in points."""

    playouts: int = 0
    seconds: float = 0.0
    """The time limit, which needs a clock: `CLOCK.set(time.monotonic)`."""
    decisions: int = 0
    """The number of decisions in playouts after which the search ends in any case (0: no limit)."""
    reward: Reward = "wins"


def _never() -> bool:
    return False


def searching(effort: Effort) -> Bot:
    """Return a bot that searches with the given effort."""

    return lambda state, generator: decide(state, effort, generator)


def decide(
    state: State,
    effort: Effort,
    generator: Generator,
    *,
    interruptible: bool = False,
    watch: Callable[[], None] | None = None,
    memory: Memory | None = None,
    threads: int = 1,
    heard: Callable[[Thought], None] | None = None,
) -> int:
    """Return the option that a bot takes after thinking (see `think`).

    If there are several options, `heard` is called with the thought about them. With
    `interruptible`, Ctrl-C ends the search. Before the first trial, Ctrl-C ends the preparation,
    and few trials follow.
    """
    offered = state.option_ids
    if len(offered) == 1:
        return offered[0]
    pace = _Pace(effort)
    try:
        advice = _advice(state, effort)
        if advice is not None:
            return draw_option(advice, generator)
        search = (memory or Memory()).search(state, generator, effort.reward, threads)
        thought = _search_until(search, pace, _never, watch, interruptible)
    except KeyboardInterrupt:
        if not interruptible:
            raise
        few = Effort(playouts=_AT_LEAST, reward=effort.reward)
        return decide(state, few, generator, memory=memory, threads=threads, heard=heard)
    if heard is not None:
        heard(thought)
    return thought.best


@refuses_wrong_kinds
def think(
    state: State,
    budget: Effort,
    generator: Generator | None = None,
    stopped: Callable[[], bool] = _never,
    *,
    interruptible: bool = False,
    watch: Callable[[], None] | None = None,
    memory: Memory | None = None,
    policy: Policy | None = None,
    value: Value | None = None,
    evaluate: Evaluator | None = None,
    batch: int = 16,
    threads: int = 1,
) -> Thought:
    """Search for the best option until the budget is spent or `stopped` returns true.

    With `interruptible`, Ctrl-C ends the search, and the results so far are returned. `watch` is
    called regularly during the search. With a `memory`, the search begins with the results of the
    last search. `policy` returns a weight for each option of a state. `value` returns the expected
    result for each seat, and replaces random rollouts. `evaluate` returns both for up to `batch`
    states in one call. Each of the `threads` has its own tree.
    """
    whole(threads, "threads", 1, _MOST_THREADS)
    whole(batch, "batch", 1)
    effort, generator = budget, generator or Generator.seeded(0)
    is_guided = any(function is not None for function in (policy, value, evaluate))
    pace = _Pace(effort, 1 if evaluate is None else batch)
    advice = None if is_guided else _advice(state, effort, stopped)
    if advice is not None:
        return _thought_from(advice)
    if is_guided:
        guide = Guide(state, policy, value, evaluate)
        search = Trees([Search(state, generator, effort.reward, guide, batch)])
    else:
        search = (memory or Memory()).search(state, generator, effort.reward, threads)
    return _search_until(search, pace, stopped, watch, interruptible)


def _search_until(
    search: Trees,
    pace: _Pace,
    stopped: Callable[[], bool],
    watch: Callable[[], None] | None,
    interruptible: bool,
) -> Thought:
    pace.begin(search)
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
    return search.result()


def _clock(effort: Effort) -> Callable[[], float]:
    clock = CLOCK.get()
    if clock is None:
        raise UnknownBotError(
            f"a bot that thinks for {effort.seconds:g} seconds needs a clock; give the number of trials instead"
        )
    return clock


class _Pace:
    """Decides how many trials are run in a batch, and when to stop.

    Without a clock, both depend only on numbers of trials, so the same seed gives the same search.
    """

    def __init__(self, effort: Effort, least: int = 1) -> None:
        self._effort = effort
        self._least = least
        self._many = max(_AT_LEAST, least)
        if effort.seconds:
            self._now = _clock(effort)
            self._start = self._last = self._now()
            self._took = 0.0
            self._many = least

    def begin(self, search: Trees) -> None:
        """Start the time of the trials. Compilation before them has used up a part of the time."""
        seconds = self._effort.seconds
        if seconds:
            begun = self._last = self._now()
            search.hurry(lambda: (self._now() - begun) / seconds)
            self._start = max(self._start, begun - _READY * seconds)

    def is_over(self, search: Trees) -> bool:
        """Return whether enough trials were run."""
        effort, made = self._effort, search.playouts
        if not effort.seconds:
            enough = made >= effort.playouts or 0 < effort.decisions <= search.decisions
            return made >= _AT_LEAST and enough
        before, self._last = self._last, self._now()
        self._took = self._last - before
        passed = self._last - self._start
        if made < _AT_LEAST:
            return made > 0 and passed * (made + 1) / made > effort.seconds + _OVERTIME
        left = effort.seconds - passed
        # Stop when further trials cannot change the best option.
        return left <= 0 or (made >= _CLEAR and search.ahead() > made * left / max(passed, 1e-6))

    def next(self, search: Trees) -> int:
        """Return the number of trials to run next."""
        many = self._many
        effort = self._effort
        if not effort.seconds:
            self._many = min(2 * many, _TOGETHER)
            return max(1, min(many, effort.playouts - search.playouts))
        if search.playouts:
            if self._took < _SHORT:
                self._many = min(2 * many, _MOST)
            elif self._took > 4 * _SHORT:
                self._many = max(self._least, many // 2)
            # Limit the number of trials to the remaining time.
            left = self._start + effort.seconds - self._last
            self._many = max(self._least, min(self._many, int(many * left / max(self._took, 1e-6))))
        return self._many


def _time_limit(effort: Effort) -> Callable[[], bool]:
    """Return a function that returns whether the thinking time is over."""
    if not effort.seconds:
        return _never
    now = _clock(effort)
    end = now() + effort.seconds
    return lambda: now() >= end


def _advice(
    state: State, effort: Effort, stopped: Callable[[], bool] = _never
) -> list[Advice] | None:
    """If a game is small and has secrets, return the advice of a strategy for the whole game, otherwise None."""
    is_spent = _time_limit(effort)
    return find_advice(
        state,
        get_ready(state.compiled),
        effort.reward,
        _WALKS * effort.playouts,
        lambda: is_spent() or stopped(),
    )


def _thought_from(advice: list[Advice]) -> Thought:
    often = ((one.option, round(_PARTS * one.often), one.worth) for one in advice)
    return Thought(tuple(sorted(often, key=lambda one: -one[1])), _PARTS)
