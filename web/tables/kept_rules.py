"""Reads the rules that a table keeps, in a server or in the process of a bot."""

from __future__ import annotations

from pathlib import Path

from rulewright.dsl.loading.loading import load
from rulewright.dsl.model.facts import TypesOnly
from rulewright.interpreter.matches.game import Game, game_of


def load_kept(path: str) -> Game:
    """Read the rules of a table. An earlier program has checked them, and may have found fewer secrets in danger."""
    return game_of(path, load(Path(path), known=TypesOnly(), is_unproved=True))
