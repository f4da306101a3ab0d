"""Compares two matches, statement by statement, between the two decisions where they diverge.

A statement may put a roll or a choice where a player cannot see it, and a later statement of the
same step may disclose it.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence

import attrs

from rulewright.interpreter.matches.state import State
from rulewright.interpreter.testing.disclosures import differing_cells, open_cell
from rulewright.interpreter.testing.step_moments import Key, moments, run_step


@attrs.frozen
class Instant:
    """A moment within a step at which two matches differ only in hidden things, with the cells of both matches."""

    key: Key
    cells: tuple[array[int], array[int]]

    def finish_step(self, states: Sequence[State], number: int) -> State:
        """Return the state of the second match after the step.

        Starting at this moment, the second match uses the local values of the first match.
        """
        stack = states[number].compiled.program.stack
        local = self.cells[0][stack:]

        def change(key: Key, cells: array[int]) -> None:
            if key == self.key:
                cells[stack:] = local

        cells, log = run_step(states, number, change)
        state = states[number]
        return state.with_cells(cells, (tuple(map(state.compiled.log_line, log)), state.drawn))


def first_hidden(
    first: Sequence[State], second: Sequence[State], number: int, player: int
) -> Instant | None:
    """Return the first moment before a state at which the matches differ only in things that the player may not see."""
    one, other = moments(first, number), moments(second, number)
    lines = zip(first[number].log, second[number].log, strict=False)
    same = next((at for at, pair in enumerate(lines) if pair[0] != pair[1]), None)
    compiled = first[number].compiled
    seen: set[tuple[int, int]] = set()
    shown: tuple[int, int, int] | None = None  # an open cell, and its values
    for key, moment in one.items():
        if same is not None and key[-1] > same:
            return None
        another = other.get(key)
        if another is None or (id(moment[0]), id(another[0])) in seen:
            continue
        seen.add((id(moment[0]), id(another[0])))
        if shown is not None and (moment[0][shown[0]], another[0][shown[0]]) == shown[1:]:
            continue
        cells, also = moment[0] + moment[1], another[0] + another[1]
        differing = differing_cells(compiled, cells, also)
        if not differing:
            continue
        place = open_cell(compiled, cells, also, player, differing)
        if place is None:
            return Instant(key, (cells, also))
        shown = place, cells[place], also[place]
    return None


def show_other_sizes(first: Sequence[State], second: Sequence[State], number: int) -> bool:
    """Return whether a simultaneous block ends directly before a state, and the matches then show different sizes.

    All players see how many pieces are in each place after the choices, even if these pieces move
    on before the next decision.
    """
    program, viewer = first[number].compiled.program, first[number].compiled.viewer
    block = viewer.block_of(first[number - 1].cells)
    cells, also = (after_block(states, number, block) for states in (first, second))
    if not block or cells is None or also is None:
        return False
    return any(
        cells[program.links.count + zone] != also[program.links.count + zone]
        for place in program.places
        if place.name in program.apart[block - 1] and viewer.is_counted(cells, place)
        for zone, _ in viewer.zones_of(place)
    )


def after_block(states: Sequence[State], number: int, block: int) -> array[int] | None:
    """If a simultaneous block ends directly before a state, return the cells at the end of the
    block, otherwise None."""
    viewer = states[number].compiled.viewer
    found: list[array[int]] = []

    def look(key: Key, cells: array[int]) -> None:
        if not found and viewer.block_of(cells) != block:
            found.append(cells[:])

    run_step(states, number, look)
    return found[0] if found else None
