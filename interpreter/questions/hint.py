"""The best options for a bot that looks ahead: lines that answer `hint`."""

from __future__ import annotations

from rulewright.interpreter.bots.levels import effort_named
from rulewright.interpreter.bots.tree_search import Effort, think
from rulewright.interpreter.engines.chance import Generator
from rulewright.interpreter.matches.state import State

_USUAL = Effort(seconds=2)
_NAMED = 3
"""The number of options that are named."""


def hint_lines(state: State, rest: str, seed: int) -> list[str]:
    """The best options with how well they go; `rest` says how long to think: `400` plays, or `5s`."""
    effort = effort_named(f"mcts:{rest}") if rest else _USUAL
    if effort is None:
        return [f"`{rest}` is no time to think: write `hint 400` for so many plays, or `hint 5s`"]
    if state.at_chance or len(state.option_ids) == 1:
        return ["there is but one thing to do"]
    try:
        thought = think(state, effort, Generator.seeded(seed), interruptible=True)
    except KeyboardInterrupt:  # while the game was still being made ready to be looked at
        return ["stopped before anything was looked at"]
    looks = max(1, sum(count for _, count, _ in thought.options))
    told = [f"after {thought.playouts:,} playouts:"]
    for option, count, hoped in thought.options[:_NAMED]:
        if count:
            text = state.compiled.option_text(state.cells, option)
            told.append(
                f"  {text}: {count / looks:.0%} of the looks, worth {hoped:.0%} of a victory"
            )
    return told
