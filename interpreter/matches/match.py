"""A match from its start to its present state: the states in order, with undo and a record."""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from rulewright.interpreter.matches.event_log import EventLog
from rulewright.interpreter.matches.events import Event, Step, has_one_option
from rulewright.interpreter.matches.game import Game, Variant, first_state
from rulewright.interpreter.matches.requests import seat, whole
from rulewright.interpreter.matches.state import Option, State
from rulewright.interpreter.matches.taking_back import learned
from rulewright.interpreter.text.kinds import refuses_wrong_kinds
from rulewright.interpreter.views.compiled_game import CompiledGame
from rulewright.interpreter.views.log_lines import NOBODY
from rulewright.interpreter.views.view import ALL_SEEING

_WHOLE = 2
"""How many states of a match have unpacked cells. Older states are packed."""
_APART = 16
"""In each group of this many states the first is packed whole, and the others as differences from the first."""
_FEW_SHOWN = 6
"""How many results and pieces are named in a warning before `undo`."""


@attrs.define
class Match:
    """A game being played: its states, with undo, events and a record.

    Invariant: each state except the first is the result of a step from the state before it.
    """

    game: Game
    variant: Variant
    seed: int
    states: list[State]
    """The states so far, in order."""
    _logs: dict[int, EventLog] = attrs.field(init=False, factory=dict, eq=False, repr=False)
    _steps: dict[Step, Step] = attrs.field(init=False, factory=dict, eq=False, repr=False)
    """Steps of the logs. Viewers with equal views share one step."""

    @classmethod
    @refuses_wrong_kinds
    def begin(
        cls, game: Game, variant: Variant, seed: int, compiled: CompiledGame | None = None
    ) -> Match:
        """Begin a match. `compiled` has other names for the players (`CompiledGame.called`)."""
        start = first_state(compiled or game.compiled(variant), seed, remember=True)
        return cls(game, variant, seed, [start])

    @property
    def state(self) -> State:
        """The current state."""
        return self.states[-1]

    @property
    def decisions(self) -> int:
        """The number of choices so far."""
        return len(self.states) - 1

    def choose(self, option: Option | str) -> State:
        """Choose an option, and return the state after it."""
        return self.add(self.state.choose(option))

    def take(self, option: int) -> State:
        """Choose an option by its number, and return the state after it. Raises an error if it is not offered."""
        return self.add(self.state.take(option))

    def add(self, state: State) -> State:
        """Add the state that follows the last state. States long before it are packed."""
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
        """Take back the last choice of one of these players, or of any player.

        A decision with one option is not a choice. Returns False if there is nothing to take back.
        """
        number = self._last_choice(players)
        if number is None:
            return False
        del self.states[number + 1 :]
        return True

    def undo_shows(self, players: Sequence[int] | None = None) -> list[str]:
        """Name the results of chance and the pieces revealed since the choice that `undo` would take back.

        Facts about pieces that are still hidden come last."""
        number = self._last_choice(players)
        if number is None:
            return []
        return learned(self.states[number:], self.states[number].player)

    def undo_warning(self, players: Sequence[int] | None = None) -> str:
        """Describe in a sentence the information that the choice to undo has revealed, or return ""
        if there is none."""
        shown = self.undo_shows(players)
        named = [*shown[:_FEW_SHOWN], *(["and more"] if len(shown) > _FEW_SHOWN else [])]
        return f"this choice has shown what comes: {', '.join(named)}" if shown else ""

    def _last_choice(self, players: Sequence[int] | None) -> int | None:
        for number in range(len(self.states) - 2, -1, -1):
            state = self.states[number]
            if (players is None or state.player in players) and not has_one_option(state):
                return number
        return None

    @refuses_wrong_kinds
    def since_last_decision(self, player: int) -> list[Event]:
        """Return the events since a player's last choice that this player may know.

        They include this player's decisions with one option.
        """
        return self._log(player).since_last_decision()

    @refuses_wrong_kinds
    def last_events(self, viewer: int) -> list[Event]:
        """Return the events of the last step that a viewer may know, or the events of the start."""
        return self._log(viewer).last()

    @refuses_wrong_kinds
    def all_events(self, viewer: int) -> list[Event]:
        """Return all events that a viewer may know, with the viewer's own choices and the points."""
        return self._log(viewer).all()

    @refuses_wrong_kinds
    def events_by_step(
        self, viewer: int, since: int = 0, *, points: bool = True
    ) -> list[list[Event]]:
        """Return the events of each step that a viewer may know, with the points or without. Step 0 is the start."""
        since = whole(since, "a step", 0)
        return self._log(viewer).by_step(since, points=points)

    def _log(self, viewer: int) -> EventLog:
        seat(viewer, self.variant.players, NOBODY, ALL_SEEING)
        found = self._logs.get(viewer)
        if found is None:
            found = self._logs[viewer] = EventLog(viewer, self._steps)
        found.follow(self.states)
        return found
