"""A state that one player cannot tell from the true one, drawn at random.

Pieces that are hidden change places as they may (see `guessing.py`), numbers that are hidden are others
(see `numbering.py`). Where the states before are remembered, the player would have been told the same had the
pieces lain so before ("player 2 holds no priest"), and what others have chosen in secret and rules still keep is
chosen anew: from the last state in which nothing secret was kept, with what the player did and saw the same, until
what the player sees now comes out. Where that does not happen within some tries, secret values stay as they are.
Does not choose anything.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol, TypeAlias

from rulewright.dsl.ir import BOUND, OVER, PLAYER, SITE, Kept
from rulewright.interpreter.engines.chance import Generator
from rulewright.interpreter.engines.engine import LogLine
from rulewright.interpreter.knowledge.disclosure import may_tell
from rulewright.interpreter.knowledge.hidden_counts import move_numbers
from rulewright.interpreter.knowledge.hidden_pieces import cells_of, exchange, exchanged
from rulewright.interpreter.knowledge.observation import observer_of
from rulewright.interpreter.text.faults import RuleFault
from rulewright.interpreter.views.compiled_game import CompiledGame
from rulewright.interpreter.views.log_lines import LogEntry

Cells: TypeAlias = "array[int]"

_BACK = 200
"""How many states are gone back."""
_TRIES = 40


class Given(Protocol):
    """What chance has given: a result of a site of chance, and the value that it stands for."""

    @property
    def site(self) -> int: ...
    @property
    def result(self) -> int: ...
    @property
    def value(self) -> int: ...


class Past(Protocol):
    """A position, and the one before it where that is remembered."""

    cells: Cells

    @property
    def compiled(self) -> CompiledGame: ...
    @property
    def choice(self) -> int: ...
    @property
    def log(self) -> tuple[LogEntry, ...]: ...
    @property
    def drawn(self) -> Sequence[Given]:
        """What chance has given since the decision before."""
        ...

    @property
    def previous(self) -> Past | None: ...


def sampled(state: Past, player: int, generator: Generator, far: int = _BACK) -> Cells:
    """The cells of a state that looks the same to a player; the state is left alone.

    What the player was told in the last `far` steps is respected, where they are remembered.
    """
    compiled = state.compiled
    cells = _chosen_anew(state, player, generator)
    swapped: dict[int, int] = {}
    for _ in range(_TRIES):
        swapped = exchange(compiled, cells, player, generator)
        if _was_told_so(state, swapped, player, far):
            break
    guess = exchanged(compiled, cells, swapped)
    move_numbers(compiled, guess, player, generator)
    return guess


def _was_told_so(state: Past, swapped: dict[int, int], player: int, far: int) -> bool:
    """Whether a player would have been told the same, had hidden pieces always been these others.

    Steps count as far back as the player could not tell these pieces apart.
    """
    compiled = state.compiled
    observer = observer_of(compiled)
    after = state
    for _ in range(far):
        before = after.previous
        if before is None:
            return True
        cells = exchanged(compiled, before.cells, swapped)
        if observer.observe(cells, player) != observer.observe(before.cells, player):
            return True
        if not before.cells[BOUND] and may_tell(before, after, player):
            if after.choice not in compiled.options(cells):
                return False
            told = _told(compiled, cells, after, swapped)
            if told is None or [line for line in told if line.is_for(player)] != [
                line for line in after.log if line.is_for(player)
            ]:
                return False
        after = before
    return True


def _told(
    compiled: CompiledGame, cells: Cells, after: Past, swapped: Mapping[int, int]
) -> list[LogEntry] | None:
    """The lines of a step that is made again, with the same results of chance; None where it goes otherwise."""
    log: list[LogLine] = []
    try:
        compiled.advance(cells, after.choice, log)
        for given in after.drawn:
            result = _same_result(compiled, cells, given, swapped)
            if result is None:
                return None
            compiled.advance(cells, result, log)
    except RuleFault:
        return None
    return [compiled.log_line(line) for line in log]


def _same_result(
    compiled: CompiledGame, cells: Cells, given: Given, swapped: Mapping[int, int]
) -> int | None:
    """The result that chance gives where it gave another one before: of pieces what lies in the same place now."""
    if not cells[BOUND] or cells[SITE] != given.site:
        return None
    domain = compiled.program.chances[given.site].domain
    if domain is None or not compiled.words.is_of_pieces(domain):
        return given.result if given.result < cells[BOUND] else None
    members = compiled.words.members(cells)
    wanted = swapped.get(given.value, given.value)
    return members.index(wanted) if wanted in members else None


def _chosen_anew(state: Past, player: int, generator: Generator) -> Cells:
    way = _since_secret(state, player)
    if not way or not any(_is_secret(before, after, player) for before, after in way):
        return state.cells
    observer = observer_of(state.compiled)
    seen = observer.observe(state.cells, player)
    for _ in range(_TRIES):
        cells = _again(way, player, generator)
        if cells is not None and observer.observe(cells, player) == seen:
            return cells
    return state.cells


def _since_secret(state: Past, player: int) -> list[tuple[Past, Past]]:
    """The steps since nothing secret was kept; none where that is now, or not known."""
    secret = tuple(_secret_cells(state.compiled, player))
    together = state.compiled.program.together
    way: list[tuple[Past, Past]] = []
    while any(state.cells[cell] != start for cell, start in secret) or (
        together >= 0 and state.cells[together]
    ):
        before = state.previous
        if before is None or len(way) == _BACK:
            return []
        way.append((before, state))
        state = before
    return way[::-1]


def _secret_cells(compiled: CompiledGame, player: int) -> Iterator[tuple[int, int]]:
    for kept in compiled.program.kept:
        for owner, cell in cells_of(kept):
            if not compiled.viewer.may_see(kept, owner, player):
                yield cell, _start(kept)


def _start(kept: Kept) -> int:
    return 0 if kept.list_capacity else kept.start


def _is_secret(before: Past, after: Past, player: int) -> bool:
    return not before.cells[BOUND] and not may_tell(before, after, player)


def _again(way: list[tuple[Past, Past]], player: int, generator: Generator) -> Cells | None:
    """The last of these steps with secret choices at random; None where they do not go on as they did."""
    compiled = way[0][0].compiled
    cells = way[0][0].cells[:]
    try:
        for before, after in way:
            if cells[OVER] or cells[BOUND] or cells[PLAYER] != before.cells[PLAYER]:
                return None
            offered = compiled.options(cells)
            choice = after.choice
            if _is_secret(before, after, player):
                choice = offered[generator.below(len(offered))]
            elif choice not in offered:
                return None
            compiled.advance(cells, choice)
            for given in after.drawn:
                result = _same_result(compiled, cells, given, {})
                if result is None and not cells[BOUND]:
                    return None
                compiled.advance(cells, given.result % cells[BOUND] if result is None else result)
    except RuleFault:
        return None
    return cells
