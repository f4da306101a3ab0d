"""Finds the changes of players' points, step by step, so that the lines add up to the score sheet."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from typing import TypeAlias

from rulewright.interpreter.engines.reference import Reference
from rulewright.interpreter.knowledge.known_scores import known_points
from rulewright.interpreter.matches.state import State
from rulewright.interpreter.text.faults import RuleFault
from rulewright.interpreter.views.compiled_game import CompiledGame
from rulewright.interpreter.views.view import ALL_SEEING

_Change: TypeAlias = "tuple[tuple[int, int], int | None, int]"
"""A seat and an item, the previous points for the item, and the part of these points that lines have shown."""


class PointLog:
    """The changes of the score that a viewer may know, state by state from the start of a match.

    A hidden change appears when it becomes known, in a single line. So the changes add up to the
    player's points. Each line has the number of log lines before it.
    """

    def __init__(self, compiled: CompiledGame, viewer: int) -> None:
        self._compiled = compiled
        self._viewer = viewer
        self._reference = Reference(compiled.program)
        self._now: dict[tuple[int, int], int | None] = {}
        self._logged: dict[tuple[int, int], int] = {}
        self._before: list[list[_Change]] = []
        """For each state, the previous values of the score items that the state has changed."""

    def add(self, state: State) -> list[tuple[int, str]]:
        """Return the lines of the next state: one for each player whose points have changed."""
        compiled, watched = self._compiled, ALL_SEEING if state.over else self._viewer
        changed: dict[int, list[str]] = {}
        before: list[_Change] = []
        for seat in range(len(compiled.words.players)):
            for number, item in enumerate(compiled.program.score):
                key = seat, number
                points = _points(compiled, state.cells, item.procedure, seat)
                if points == self._now.get(key) and not state.over:
                    continue
                before.append((key, self._now.get(key), self._logged.get(key, 0)))
                self._now[key] = points
                more = (points or 0) - self._logged.get(key, 0)
                known = more and known_points(
                    compiled, self._reference, state.cells, item, seat, watched
                )
                if more and known is not None:
                    self._logged[key] = points or 0
                    changed.setdefault(seat, []).append(_change(more, item.text))
        self._before.append(before)
        places = _places(state, changed)

        def hides(seat: int) -> bool:
            """Return whether any of a seat's points depend on facts that are hidden from the viewer."""
            return any(
                self._now[seat, number] is not None
                and known_points(compiled, self._reference, state.cells, item, seat, watched)
                is None
                for number, item in enumerate(compiled.program.score)
            )

        lines = [
            (places[seat], _line(compiled, seat, parts, self._logged, is_part=hides(seat)))
            for seat, parts in changed.items()
        ]
        return sorted(lines, key=lambda line: line[0])

    def take_back(self, number: int) -> None:
        """Forget the states after the first `number` states."""
        while len(self._before) > number:
            for key, points, logged in self._before.pop():
                self._now[key], self._logged[key] = points, logged


def _places(state: State, changed: Iterable[int]) -> dict[int, int]:
    """For each changed seat, return the length of the log when the score reached its current value."""
    seats, number = list(changed), len(state.log)
    if not seats or number < 2 or state.over:
        return dict.fromkeys(seats, number)
    compiled = state.compiled
    score, moments = compiled.program.score, state.moments
    found: dict[int, int] = {}
    for seat in seats:
        now = [_points(compiled, state.cells, item.procedure, seat) for item in score]
        at = number
        while at and now == [
            _points(compiled, moments[at - 1], item.procedure, seat) for item in score
        ]:
            at -= 1
        # The change follows the line about the player. The line may have been written before or
        # after the change.
        is_of_player = at < number and state.log[at].text.startswith(f"{state.players[seat]} ")
        found[seat] = at + is_of_player
    return found


def _points(compiled: CompiledGame, cells: array[int], procedure: int, seat: int) -> int | None:
    try:
        return compiled.number(cells, procedure, (seat,))
    except RuleFault:  # some rules can count points only at the end
        return None


def _change(more: int, text: str) -> str:
    return f"{abs(more)} {'more' if more > 0 else 'less'} for {text}"


def _line(
    compiled: CompiledGame,
    seat: int,
    parts: Sequence[str],
    logged: dict[tuple[int, int], int],
    *,
    is_part: bool,
) -> str:
    name = compiled.words.players[seat]
    total = sum(points for (whose, _), points in logged.items() if whose == seat)
    word = "point" if abs(total) == 1 else "points"
    in_view = " in view" if is_part else ""
    return f"{name} has {total} {word}{in_view}: {', '.join(parts)}"
