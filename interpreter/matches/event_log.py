"""Collects the events of a match for one viewer, step by step. The text of each step is computed once."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import attrs

from rulewright.interpreter.matches.events import Event, Step, events_of_steps, lines_for, step_of
from rulewright.interpreter.matches.points import PointLog
from rulewright.interpreter.matches.state import State
from rulewright.interpreter.views.log_lines import NOBODY


@attrs.define(eq=False)
class EventLog:
    """The events of a match that one viewer may know."""

    viewer: int
    _known: dict[Step, Step] = attrs.field(factory=dict)
    """The steps that the logs of other viewers have already computed."""
    _states: list[State] = attrs.field(init=False, factory=list)
    _start: list[Event] = attrs.field(init=False, factory=list)
    _steps: list[Step] = attrs.field(init=False, factory=list)
    _points: PointLog | None = attrs.field(init=False, default=None)
    _shown_events: list[list[Event]] = attrs.field(init=False, factory=list)
    """The events of each step, including the viewer's own choices. Step 0 is the start."""
    _point_lines: list[list[tuple[int, str]]] = attrs.field(init=False, factory=list)
    """The score lines of each state, computed at the first request."""

    def follow(self, states: Sequence[State]) -> None:
        """Update the log to the given consecutive states. States that were taken back are forgotten."""
        count = min(len(states), len(self._states))
        while count and self._states[count - 1] is not states[count - 1]:
            count -= 1
        del self._states[count:], self._steps[max(count - 1, 0) :], self._point_lines[count:]
        del self._shown_events[count:]
        if self._points is not None:
            self._points.take_back(count)
        if not count:
            self._start = list(lines_for(states[0], self.viewer))
            self._points = None
        for before, after in pairwise(states[max(count - 1, 0) :]):
            last = self._steps[-1] if self._steps else None
            step = step_of(before, after, self.viewer, last)
            self._steps.append(self._known.setdefault(step, step))
        self._states += states[count:]

    def since_last_decision(self) -> list[Event]:
        """Return the events since the viewer's last choice among several options."""
        first = len(self._steps) - 1
        while first >= 0 and (
            self._steps[first].player != self.viewer or self._steps[first].is_forced
        ):
            first -= 1
        return [*(self._start if first < 0 else ()), *self._events(self._steps[max(first, 0) :])]

    def last(self) -> list[Event]:
        """Return the events of the last step, or of the start if there is no step."""
        return self._events(self._steps[-1:]) if self._steps else list(self._start)

    def all(self) -> list[Event]:
        """Return all events, including the viewer's own choices and changes of points."""
        first, *further = self._lines()
        return [
            *self._start,
            *(Event(NOBODY, line) for _, line in first),
            *self._events(self._steps, own=True, further=further),
        ]

    def by_step(self, since: int = 0, *, points: bool = True) -> list[list[Event]]:
        """Return the events of each step, including the viewer's own choices. Step 0 is the start.

        Changes of points are included unless `points` is False.
        """
        if not points:
            while len(self._shown_events) < len(self._states):
                number = len(self._shown_events)
                step = self._steps[number - 1 : number]
                self._shown_events.append(
                    self._events(step, own=True) if number else [*self._start]
                )
            return self._shown_events[since:]
        found = []
        lines = self._lines()
        for number in range(since, len(self._states)):
            if not number:
                found.append([*self._start, *(Event(NOBODY, line) for _, line in lines[0])])
            else:
                step = self._steps[number - 1 : number]
                found.append(self._events(step, own=True, further=[lines[number]]))
        return found

    def _events(
        self,
        steps: Sequence[Step],
        *,
        own: bool = False,
        further: Sequence[Sequence[tuple[int, str]]] = (),
    ) -> list[Event]:
        players = self._states[0].players
        return events_of_steps(steps, self.viewer, players, own=own, further=further)

    def _lines(self) -> list[list[tuple[int, str]]]:
        if self._points is None:
            self._points = PointLog(self._states[0].compiled, self.viewer)
        for state in self._states[len(self._point_lines) :]:
            self._point_lines.append(self._points.add(state))
        return self._point_lines
