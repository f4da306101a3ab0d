"""Holds a match from its start to its current state: the states in order, with undo and a record."""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from rulewright.interpreter.matches.event_log import EventLog
from rulewright.interpreter.matches.events import Event, Step, has_one_option
from rulewright.interpreter.matches.game import Game, Variant, first_state
from rulewright.interpreter.matches.requests import seat, whole
from rulewright.interpreter.matches.state import Option, State
from rulewright.interpreter.matches.taking_back import describe_revealed
from rulewright.interpreter.text.kinds import refuses_wrong_kinds
from rulewright.interpreter.views.compiled_game import CompiledGame
from rulewright.interpreter.views.log_lines import NOBODY
from rulewright.interpreter.views.view import ALL_SEEING

_WHOLE = 2
"""The number of states at the end of a match that stay unpacked. Older states are packed."""
_APART = 16
"""The number of states in a group. The first state of a group is packed alone, and the others as
differences from it."""
_FEW_SHOWN = 6
"""The maximum number of results and pieces that a warning before `undo` names."""


@attrs.define
class Match:
    """A match in progress: its states, with undo, events and a record.

    Each state except the first is the result of one step from the previous state.
    """

    game: Game
    variant: Variant
    seed: int
    states: list[State]
    """The states so far, in order."""
    _logs: dict[int, EventLog] = attrs.field(init=False, factory=dict, eq=False, repr=False)
    _steps: dict[Step, Step] = attrs.field(init=False, factory=dict, eq=False, repr=False)
    """The steps of all logs. Viewers with equal views of a step share it."""

    @classmethod
    @refuses_wrong_kinds
    def begin(
        cls, game: Game, variant: Variant, seed: int, compiled: CompiledGame | None = None
    ) -> Match:
        """Begin a match. `compiled` may have other names for the players (`CompiledGame.with_names`)."""
        start = first_state(compiled or game.compiled(variant), seed, remember=True)
        return cls(game, variant, seed, [start])

    @property
    def state(self) -> State:
        """Return the current state."""
        return self.states[-1]

    @property
    def decisions(self) -> int:
        """Return the number of choices so far."""
        return len(self.states) - 1

    def choose(self, option: Option | str) -> State:
        """Choose an option, and return the next state."""
        return self.add(self.state.choose(option))

    def take(self, option: int) -> State:
        """Choose an option by its number, and return the next state. Raises an error if the option is not offered."""
        return self.add(self.state.take(option))

    def add(self, state: State) -> State:
        """Append the state that follows the last state. States well before it are packed."""
        self.states.append(state)
        number = len(self.states) - _WHOLE - 1
        if number >= 0:
            self._pack(number)
        return state

    def _pack(self, number: int) -> None:
        state, base = self.states[number], self.states[number - number % _APART]
        if state is not base:
            state.pack(base)
            return
        state.lighten()
        if number:
            last = self.states[number - _APART]
            last.pack(last)

    def undo(self, players: Sequence[int] | None = None) -> bool:
        """Take back the last choice of any of the given players, or of any player if `players` is None.

        A decision with a single option is not a choice. Returns False if there is nothing to take
        back.
        """
        number = self._last_choice(players)
        if number is None:
            return False
        del self.states[number + 1 :]
        return True

    def undo_shows(self, players: Sequence[int] | None = None) -> list[str]:
        """Name the results of chance and the pieces that were revealed after the choice that `undo` would take back.

        Facts about pieces whose identity is still hidden come last.
        """
        number = self._last_choice(players)
        if number is None:
            return []
        return describe_revealed(self.states[number:], self.states[number].player)

    def undo_warning(self, players: Sequence[int] | None = None) -> str:
        """Return a sentence that lists the facts revealed after the choice that `undo` would take back.

        If nothing was revealed, returns "".
        """
        shown = self.undo_shows(players)
        named = [*shown[:_FEW_SHOWN], *(["and more"] if len(shown) > _FEW_SHOWN else [])]
        return f"this choice has already revealed: {', '.join(named)}" if shown else ""

    def _last_choice(self, players: Sequence[int] | None) -> int | None:
        for number in range(len(self.states) - 2, -1, -1):
            state = self.states[number]
            if (players is None or state.player in players) and not has_one_option(state):
                return number
        return None

    @refuses_wrong_kinds
    def since_last_decision(self, player: int) -> list[Event]:
        """Return those events since a player's last choice that the player may know.

        The events include the player's decisions with a single option.
        """
        return self._log(player).since_last_decision()

    @refuses_wrong_kinds
    def last_events(self, viewer: int) -> list[Event]:
        """Return those events of the last step that a viewer may know. Before the first step,
        return those of the start."""
        return self._log(viewer).last()

    @refuses_wrong_kinds
    def all_events(self, viewer: int) -> list[Event]:
        """Return all events that a viewer may know, including the viewer's own choices and changes of points."""
        return self._log(viewer).all()

    @refuses_wrong_kinds
    def events_by_step(
        self, viewer: int, since: int = 0, *, points: bool = True
    ) -> list[list[Event]]:
        """Return a list of the events that a viewer may know, for each step, starting at step `since`.

        Step 0 is the start. Changes of points are included unless `points` is False.
        """
        since = whole(since, "a step", 0)
        return self._log(viewer).by_step(since, points=points)

    def _log(self, viewer: int) -> EventLog:
        seat(viewer, self.variant.players, NOBODY, ALL_SEEING)
        found = self._logs.get(viewer)
        if found is None:
            found = self._logs[viewer] = EventLog(viewer, self._steps)
        found.follow(self.states)
        return found
