"""The engine: a checked program in, states, decisions and results out; knows no text."""

from rulewright.interpreter.game import Game, load_game
from rulewright.interpreter.state import Decision, Option, State

__all__ = ["Decision", "Game", "Option", "State", "load_game"]
