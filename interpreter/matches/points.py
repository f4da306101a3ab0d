"""How the points of players come about, step by step, so that the lines add up to the score sheet."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence

from rulewright.interpreter.engines.reference import Reference
from rulewright.interpreter.knowledge.known_scores import known_points
from rulewright.interpreter.matches.state import State
from rulewright.interpreter.text.faults import RuleFault
from rulewright.interpreter.views.compiled_game import CompiledGame
from rulewright.interpreter.views.view import ALL_SEEING


def point_lines(states: Sequence[State], viewer: int) -> Iterator[list[str]]:
    """For each state of a play from its start what a viewer may know to have changed in the score, a line for a player.

    What is hidden is told when it is known, all at once; so the changes add up to what a player has.
    """
    compiled = states[0].compiled
    reference = Reference(compiled.program)
    seats = range(len(compiled.words.players))
    now: dict[tuple[int, int], int | None] = {}
    told: dict[tuple[int, int], int] = {}
    for state in states:
        watched = viewer if not state.over else ALL_SEEING
        changed: dict[int, list[str]] = {}
        for seat in seats:
            for number, item in enumerate(compiled.program.score):
                key = seat, number
                points = _points(compiled, state.cells, item.procedure, seat)
                if points == now.get(key) and not state.over:
                    continue
                now[key] = points
                more = (points or 0) - told.get(key, 0)
                known = more and known_points(
                    compiled, reference, state.cells, item.procedure, seat, watched
                )
                if more and known is not None:
                    told[key] = points or 0
                    changed.setdefault(seat, []).append(_change(more, item.text))
        yield [_line(compiled, seat, parts, told) for seat, parts in changed.items()]


def _points(compiled: CompiledGame, cells: array[int], procedure: int, seat: int) -> int | None:
    try:
        return compiled.number(cells, procedure, (seat,))
    except RuleFault:  # some rules can count points at the end alone
        return None


def _change(more: int, text: str) -> str:
    return f"{abs(more)} {'more' if more > 0 else 'less'} for {text}"


def _line(
    compiled: CompiledGame, seat: int, parts: Sequence[str], told: dict[tuple[int, int], int]
) -> str:
    name = compiled.words.players[seat]
    total = sum(points for (whose, _), points in told.items() if whose == seat)
    word = "point" if abs(total) == 1 else "points"
    return f"{name} has {total} {word}: {', '.join(parts)}"
