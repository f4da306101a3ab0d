"""A play from its start to where it is now: the states one after the other, with undo and a record."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

import attrs

from rulewright.interpreter.matches.events import Event, happened, has_one_option, told
from rulewright.interpreter.matches.game import Game, Variant, first_state
from rulewright.interpreter.matches.points import point_lines
from rulewright.interpreter.matches.state import Option, State
from rulewright.interpreter.matches.taking_back import learned
from rulewright.interpreter.views.compiled_game import CompiledGame
from rulewright.interpreter.views.log_lines import NOBODY


@attrs.define
class Match:
    """A game being played: its states, with undo, events and a record.

    Invariant: each state but the first comes from the one before it.
    """

    game: Game
    variant: Variant
    seed: int
    states: list[State]
    """The states so far, the first first."""

    @classmethod
    def begin(
        cls, game: Game, variant: Variant, seed: int, compiled: CompiledGame | None = None
    ) -> Match:
        """A new match; `compiled` has other names for the players (`CompiledGame.called`)."""
        start = first_state(compiled or game.compiled(variant), seed, remember=True)
        return cls(game, variant, seed, [start])

    @property
    def state(self) -> State:
        """The state now."""
        return self.states[-1]

    @property
    def decisions(self) -> int:
        """The number of choices so far."""
        return len(self.states) - 1

    def choose(self, option: Option | str) -> State:
        """Choose an option; gives the state after it."""
        self.states.append(self.state.choose(option))
        return self.state

    def take(self, option: int) -> State:
        """As `choose`, by the number of an option; any other is refused."""
        self.states.append(self.state.take(option))
        return self.state

    def undo(self, players: Sequence[int] | None = None) -> bool:
        """Take back the last choice of one of these players, or of any player.

        A decision with one option is no choice. Gives False if there is nothing to take back.
        """
        number = self._last_choice(players)
        if number is None:
            return False
        del self.states[number + 1 :]
        return True

    def undo_shows(self, players: Sequence[int] | None = None) -> list[str]:
        """Name the results of chance and the pieces that came up since the choice that `undo` would take back."""
        number = self._last_choice(players)
        if number is None:
            return []
        return learned(self.states[number:], self.states[number].player)

    def _last_choice(self, players: Sequence[int] | None) -> int | None:
        for number in range(len(self.states) - 2, -1, -1):
            state = self.states[number]
            if (players is None or state.player in players) and not has_one_option(state):
                return number
        return None

    def since_last_decision(self, player: int) -> list[Event]:
        """The events since a player's last choice that this player may know.

        They include this player's decisions with one option.
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
        """The events of the last step that a viewer may know, or those of the start."""
        if len(self.states) == 1:
            return list(told(self.state, viewer))
        return happened(self.states[-2:], viewer)

    def all_events(self, viewer: int) -> list[Event]:
        """All events that a viewer may know, with the viewer's own choices and the points."""
        first, *further = point_lines(self.states, viewer)
        return [
            *told(self.states[0], viewer),
            *(Event(NOBODY, line) for _, line in first),
            *happened(self.states, viewer, own=True, further=further),
        ]


def events_of(match: Match, viewer: int) -> Iterator[list[Event]]:
    """What a viewer may know of each step, the start first, with the points that came of it."""
    first, *further = point_lines(match.states, viewer)
    yield [*told(match.states[0], viewer), *(Event(NOBODY, line) for _, line in first)]
    for pair, lines in zip(pairwise(match.states), further, strict=True):
        yield happened(pair, viewer, own=True, further=[lines])
