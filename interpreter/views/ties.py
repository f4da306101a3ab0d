"""Explains in words which rule breaks a tie in the first key of the winners."""

from __future__ import annotations

from array import array
from collections.abc import Sequence

from rulewright.dsl.ir import WinnerKey
from rulewright.interpreter.views.compiled_game import CompiledGame


def tie_lines(compiled: CompiledGame, cells: array[int], called: Sequence[str] = ()) -> list[str]:
    """Return lines that explain ties: `ann and bob are equal in total: 10`, `lowest debt: ann 0, bob 4`.

    There are no lines if the first key decides, if there is no other key, or if the rules name the
    winners. `called` gives other names for the players.
    """
    program, names = compiled.program, called or compiled.words.players
    tied = [seat for seat in range(program.seats) if cells[program.in_play + seat]]
    lines: list[str] = []
    for key in program.winner_keys:
        numbers = {seat: compiled.number(cells, key.procedure, (seat,)) for seat in tied}
        best = (min if key.lowest else max)(numbers.values(), default=0)
        if lines:
            each = ", ".join(f"{names[seat]} {_number_text(key, numbers[seat])}" for seat in tied)
            lines.append(f"{_key_text(key)}: {each}")
        tied = [seat for seat in tied if numbers[seat] == best]
        if _are_one(compiled, tied):
            break
        if not lines:
            *some, last = (names[seat] for seat in tied)
            equal = f"{', '.join(some)} and {last} are equal in {key.text}"
            lines.append(f"{equal}: {_number_text(key, best)}")
    winners = compiled.winners(cells)
    found = {*tied} <= {*winners} if winners else not _are_one(compiled, tied)
    return lines if len(lines) > 1 and found else []


def _are_one(compiled: CompiledGame, seats: Sequence[int]) -> bool:
    """Return whether the given seats are one player, or players of one side."""
    sides = compiled.program.sides
    return len(seats) < 2 or (bool(sides) and len({sides[seat] for seat in seats}) < 2)


def _key_text(key: WinnerKey) -> str:
    return key.text if key.is_flag else f"{'lowest' if key.lowest else 'highest'} {key.text}"


def _number_text(key: WinnerKey, number: int) -> str:
    return ("yes" if number else "no") if key.is_flag else str(number)
