"""What makes plays at random end, in games that otherwise need not. Independent of any game."""

from __future__ import annotations

from rulewright.interpreter.matches.game import Game, Variant

BOUND = {"turn_limit": "8", "resigning": "no"}


def bounded(game: Game, players: int | None = None) -> Variant:
    """A setting in which plays at random end."""
    options = {name: BOUND[name] for name, _ in game.facts.options if name in BOUND}
    return game.variant(players, options)
