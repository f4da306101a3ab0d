"""A play from its start to where it is now: the states one after the other, with undo and a record."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

import attrs

from rulewright.interpreter.matches.events import Event, happened, has_one_option, told
from rulewright.interpreter.matches.game import Game, Variant, first_state
from rulewright.interpreter.matches.points import point_lines
from rulewright.interpreter.matches.state import Option, State
from rulewright.interpreter.views.compiled_game import CompiledGame
from rulewright.interpreter.views.log_lines import NOBODY


@attrs.define
class Match:
    """All that was chosen so far.

    Invariant: each state but the first comes from the one before it.
    """

    game: Game
    variant: Variant
    seed: int
    states: list[State]

    @classmethod
    def begin(
        cls, game: Game, variant: Variant, seed: int, compiled: CompiledGame | None = None
    ) -> Match:
        """A new play."""
        start = first_state(compiled or game.compiled(variant), seed, remember=True)
        return cls(game, variant, seed, [start])

    @property
    def state(self) -> State:
        """Where the play is."""
        return self.states[-1]

    @property
    def decisions(self) -> int:
        """How many choices have been made."""
        return len(self.states) - 1

    def choose(self, option: Option | str) -> State:
        """Go on with an option."""
        self.states.append(self.state.choose(option))
        return self.state

    def take(self, option: int) -> State:
        """Go on with an option by its number, which is known to be offered."""
        self.states.append(self.state.take(option))
        return self.state

    def undo(self, players: Sequence[int] | None = None) -> bool:
        """Go back to the last choice of one of these players, of anybody if none are said.

        Where there was only one option nothing was chosen. Gives False where there is no such choice.
        """
        for number in range(len(self.states) - 2, -1, -1):
            state = self.states[number]
            if (players is None or state.player in players) and not has_one_option(state):
                del self.states[number + 1 :]
                return True
        return False

    def since_last_decision(self, player: int) -> list[Event]:
        """What a player may know of what happened since that player's last choice, in order and once.

        Steps of the player in which nothing could be chosen are told, too.
        """
        first = -1
        for number in range(len(self.states) - 2, -1, -1):
            state = self.states[number]
            if state.player == player and not has_one_option(state):
                first = number
                break
        start = list(told(self.states[0], player)) if first < 0 else []
        return [*start, *happened(self.states[max(first, 0) :], player)]

    def last_events(self, viewer: int) -> list[Event]:
        """What a viewer may know of the last step (of the start, where there is none yet)."""
        if len(self.states) == 1:
            return list(told(self.state, viewer))
        return happened(self.states[-2:], viewer)

    def all_events(self, viewer: int) -> list[Event]:
        """What a viewer may know of all that has happened, the own choices and the points as well."""
        first, *further = point_lines(self.states, viewer)
        return [
            *told(self.states[0], viewer),
            *(Event(NOBODY, line) for line in first),
            *happened(self.states, viewer, own=True, further=further),
        ]


def events_of(match: Match, viewer: int) -> Iterator[list[Event]]:
    """What a viewer may know of each step, the start first, with the points that came of it."""
    first, *further = point_lines(match.states, viewer)
    yield [*told(match.states[0], viewer), *(Event(NOBODY, line) for line in first)]
    for pair, lines in zip(pairwise(match.states), further, strict=True):
        yield happened(pair, viewer, own=True, further=[lines])
