"""Answers `hint` with the options that a bot finds best by looking ahead."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import TypeAlias

from rulewright.interpreter.bots.levels import effort_named
from rulewright.interpreter.bots.tree_search import Effort, think
from rulewright.interpreter.bots.trees import Thought
from rulewright.interpreter.engines.chance import Generator
from rulewright.interpreter.matches.state import State

Option: TypeAlias = "tuple[int, int, float]"
"""The number of an option, its visits and its value."""

_USUAL = Effort(seconds=1)
_NAMED = 3
"""The number of options that are named."""
_SURE = 1.96
"""The number of standard deviations on either side of the mean that contain 95 % of a normal distribution."""
_LITTLE = 0.03
"""The minimum difference between results for one option to count as better."""
_MUCH = 0.1
"""The minimum lead that is not called small."""
_WIDE = 0.4
"""The maximum width of the interval for the share of the best option. If the interval is wider,
there were too few trials."""


def hint_lines(state: State, rest: str, seed: int, threads: int = 1) -> list[str]:
    """Return the best options with their expected results. `rest` is the effort: `400` trials, or `5s`.

    Only searches by time use several threads. A given number of trials is run by one thread, so
    that the same seed gives the same result.
    """
    effort = effort_named(f"mcts:{rest}") if rest else _USUAL
    if effort is None:
        return [
            f"`{rest}` is not a thinking time: write `hint 400` for 400 trials, or `hint 5s` for 5 seconds"
        ]
    if state.at_chance or len(state.option_ids) == 1:
        return ["there is only one option"]
    try:
        many = threads if effort.seconds else 1
        thought = think(state, effort, Generator.seeded(seed), interruptible=True, threads=many)
    except KeyboardInterrupt:  # the game was still being prepared for the search
        return ["stopped before the first trial"]
    return thought_lines(state, thought)


def thought_lines(state: State, thought: Thought) -> list[str]:
    """Describe the best options of a search, with their expected results, and its main line."""
    tried = [option for option in thought.options if option[1] or option[0] in thought.certain]
    lines = [_verdict(thought, tried[1:])]
    for one in tried[:_NAMED]:
        text = state.compiled.option_text(state.cells, one[0])
        lines.append(f"  {text}: {_expected_text(thought, one)}")
    rest_of_them = len(thought.options) - len(tried[:_NAMED])
    if rest_of_them:
        lines.append(f"  and {rest_of_them} more that look no better")
    if len(thought.line) > 1:
        names = state.compiled.words.players
        lines.append("  if both sides follow the search:" if len(names) == 2 else "  main line:")
        lines += [f"    {names[player]}: {text}" for player, text in thought.line]
    return lines


def _verdict(thought: Thought, others: Sequence[Option]) -> str:
    """Return a sentence that says how certain it is that the best option is better than the others."""
    best = thought.options[0]
    if best[0] in thought.certain:
        return "the result is certain:"
    games = f"from {thought.rollouts * thought.playouts:,} trial games"
    if not others:
        return f"one option looks best, {games}:"
    margin = best[2] - max(value for _, _, value in others)
    low, high = _interval(thought, best)
    if all(_interval(thought, other)[1] < low for other in others):
        how = "clearly best by" if margin >= _MUCH else "best, but only by"
        return f"{how} {_share(max(0.0, margin))} of a victory, {games}:"
    if high - low > _WIDE:
        return f"too few trials to say which is best, {games}:"
    level = [option for option in others if best[2] - option[2] < _LITTLE]
    if level:
        return f"a toss-up between {len(level) + 1}, {games}:"
    return f"probably best by {_share(margin)} of a victory, {games}:"


def _expected_text(thought: Thought, option: Option) -> str:
    value = option[2]
    if option[0] in thought.certain:
        if value in (0.0, 1.0):
            return f"{'wins' if value else 'loses'} for certain"
        return f"{_share(value)} of a victory for certain"
    low, high = _interval(thought, option)
    return f"{_share(value)} of a victory expected ({_share(low)} to {_share(high)})"


def _share(value: float) -> str:
    return f"{value * 100:.0f} %"


def _interval(thought: Thought, option: Option) -> tuple[float, float]:
    """Return the Wilson interval that contains the expected share in 95 of 100 cases.

    The interval is conservative, because results of trials vary at most as much as wins and losses.
    """
    number, count, value = option
    if number in thought.certain:
        return value, value
    share = min(1.0, max(0.0, value))
    square = _SURE**2 / count
    middle = (share + square / 2) / (1 + square)
    far = sqrt(share * (1 - share) * square + square**2 / 4) / (1 + square)
    return max(0.0, middle - far), min(1.0, middle + far)
