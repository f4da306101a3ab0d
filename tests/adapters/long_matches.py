"""The engine that finishes first a random match that OpenSpiel drives."""

from __future__ import annotations

from rulewright.interpreter.engines.engines import EngineName

LONG_MATCHES = frozenset(
    {"arimaa", "chess", "colonial", "harbor_town", "shogi", "skat", "through_the_ages"}
)
"""Games whose random matches take longer in generated Python than native code takes to compile."""


def soonest(game: str) -> EngineName:
    """The engine for a game."""
    return "native" if game in LONG_MATCHES else "python"
