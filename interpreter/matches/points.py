"""How the points of players come about, step by step, so that the lines add up to the score sheet."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence

from rulewright.interpreter.engines.reference import Reference
from rulewright.interpreter.knowledge.known_scores import known_points
from rulewright.interpreter.matches.state import State
from rulewright.interpreter.text.faults import RuleFault
from rulewright.interpreter.views.compiled_game import CompiledGame
from rulewright.interpreter.views.view import ALL_SEEING


def point_lines(states: Sequence[State], viewer: int) -> Iterator[list[tuple[int, str]]]:
    """For each state of a play from its start what a viewer may know to have changed in the score, a line for a player.

    Each line comes with the number of lines of the log before it. What is hidden is told when it is known, all at
    once; so the changes add up to what a player has.
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
        places = _places(state, changed)
        lines = [
            (places[seat], _line(compiled, seat, parts, told)) for seat, parts in changed.items()
        ]
        yield sorted(lines, key=lambda line: line[0])


def _places(state: State, changed: Iterable[int]) -> dict[int, int]:
    """How many lines of the log were told when the score of each of these seats came to what it is now."""
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
        # It stands behind a line that speaks of the player, before or after what it tells of is done.
        is_of_player = at < number and state.log[at].text.startswith(f"{state.players[seat]} ")
        found[seat] = at + is_of_player
    return found


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
