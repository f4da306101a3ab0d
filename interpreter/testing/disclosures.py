"""Finds differences that rules disclose on purpose: pieces that they reveal, and values marked `openly`.

If two matches differ in such a piece or value, they are not compared further, because the property
in `docs/spec/knowledge.md` does not apply to them.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress

import attrs

from rulewright.dsl.ir import BOUND, Program
from rulewright.interpreter.engines.reference import Reference
from rulewright.interpreter.knowledge.hidden_pieces import cells_of
from rulewright.interpreter.knowledge.known import hidden_cells
from rulewright.interpreter.matches.state import ChanceResult, State
from rulewright.interpreter.testing.step_moments import at_chances, moments
from rulewright.interpreter.text.faults import RuleFault, Value
from rulewright.interpreter.views.compiled_game import CompiledGame
from rulewright.interpreter.views.rendering import boards_in

# ---- revealed pieces -----------------------------------------------------------------------------


def have_shown_differently(
    first: Sequence[State],
    second: Sequence[State],
    steps: tuple[int, int],
    player: int,
    openly: Openly,
) -> bool:
    """Return whether the rules disclose different things to a player in the steps that lead to the two states.

    They do so if each match reveals pieces that the other does not, or if an `openly` has different
    values. If only one match reveals pieces, the other match may have had other pieces in the same
    places. In that case, too, the difference is disclosed on purpose.
    """
    numbers = range(
        steps[1], steps[0] - 1, -1
    )  # usually the last step discloses the change seen at its end
    return (
        any(_have_opened_differently(first, second, number, player) for number in numbers)
        or any(_have_drawn_differently(first, second, number, player) for number in numbers)
        or any(openly.differs(first, second, number) for number in numbers)
        or any(openly.differs_on_boards(first, second, number) for number in numbers)
    )


def _have_opened_differently(
    first: Sequence[State], second: Sequence[State], number: int, player: int
) -> bool:
    """Return whether each match reveals other pieces in the step that leads to a state."""
    one, other = Opened.of(first, number, player), Opened.of(second, number, player)
    if one.are_unlike(other):
        return True
    if one.names == other.names:
        return False
    compiled = first[0].compiled
    before, also = _before(first, number), _before(second, number)
    return one.has_others_than(other, compiled, before, also) or other.has_others_than(
        one, compiled, also, before
    )


def _have_drawn_differently(
    first: Sequence[State], second: Sequence[State], number: int, player: int
) -> bool:
    """Return whether chance draws different pieces in the step that leads to a state.

    The player must know one of these pieces in that state.
    """
    if number >= min(len(first), len(second)):
        return False
    return any(
        one != other and _is_known(state, drawn, player)
        for one, other in zip(first[number].drawn, second[number].drawn, strict=False)
        for state, drawn in ((first[number], one), (second[number], other))
    )


def _is_known(state: State, drawn: ChanceResult, player: int) -> bool:
    chance, words = state.compiled.program.chances[drawn.site], state.compiled.words
    if (
        chance.purpose == "shuffle"
        or chance.domain is None
        or not words.is_of_pieces(chance.domain)
    ):
        return False
    return state.compiled.viewer.knows_piece(state.cells, drawn.value, player)


@attrs.frozen
class Opened:
    """The pieces that a player learns about in a step, with their names, in order."""

    pieces: tuple[tuple[int, str], ...]

    @classmethod
    def of(cls, states: Sequence[State], number: int, player: int) -> Opened:
        """Return the pieces revealed in the step that leads to a state, or no pieces if the match ends earlier."""
        if number >= len(states):
            return cls(())
        compiled = states[number].compiled
        pieces = compiled.program.links.pieces
        if not pieces or compiled.viewer.is_open:
            return cls(())
        knows, name = compiled.viewer.knows_piece, compiled.viewer.piece_name
        met: dict[int, str] = {}
        before: set[int] | None = None
        for cells in _step_cells(states, number):
            known = {piece for piece in range(pieces) if knows(cells, piece, player)}
            if before is not None:
                for piece in sorted(known - before, key=lambda each: _spot(compiled, cells, each)):
                    met.setdefault(piece, name(piece))
            before = known
        return cls(tuple(met.items()))

    @property
    def names(self) -> Counter[str]:
        """Return how many of the pieces have each name."""
        return Counter(name for _, name in self.pieces)

    def are_unlike(self, other: Opened) -> bool:
        """Return whether each match has pieces that the other lacks, or both have the same pieces
        in a different order."""
        if self.names == other.names:
            return [name for _, name in self.pieces] != [name for _, name in other.pieces]
        return bool(self.names - other.names and other.names - self.names)

    def has_others_than(
        self, other: Opened, compiled: CompiledGame, before: array[int], also_before: array[int]
    ) -> bool:
        """Return whether this match has an additional piece, and the other match had another piece in its place."""
        more = self.names - other.names
        return any(
            name in more
            and not _is_at_same_spot(
                compiled, before, also_before, _spot(compiled, before, piece), name
            )
            for piece, name in self.pieces
        )


def _before(states: Sequence[State], number: int) -> array[int]:
    """Return the cells before a step. For the first step, return the cells at its last chance event."""
    if number > 0:
        return states[number - 1].cells
    cells = states[0].compiled.begin()
    for now in at_chances(states, 0):
        cells = now[:]
    return cells


def _step_cells(states: Sequence[State], number: int) -> Iterator[array[int]]:
    """Yield the cells before a step, after each statement in it that changes any cell, and after the step."""
    if number > 0:
        yield states[number - 1].cells
    last: array[int] | None = None
    for cells, _ in moments(states, number).values():
        if cells is not last:
            yield cells
        last = cells
    yield states[number].cells


_Spot = tuple[int, int]
"""A zone and a position in it: the position in a pile, the slot of a row, or -1 in a set."""


def _spot(compiled: CompiledGame, cells: array[int], piece: int) -> _Spot:
    viewer, links = compiled.viewer, compiled.program.links
    zone = cells[links.zone_of + piece]
    if zone < 0:
        return -1, -1
    if viewer.place_of(zone).shape == "set":
        return zone, -1
    return zone, list(viewer.lying(cells, zone)).index(piece)


def _is_at_same_spot(
    compiled: CompiledGame, cells: array[int], others: array[int], spot: _Spot, name: str
) -> bool:
    """Return whether a piece with the given name is on the same spot in the other match, too.

    For a set, return whether it contains as many copies.
    """
    zone, at = spot
    if zone < 0:
        return True
    names, also = (
        [compiled.viewer.piece_name(piece) for piece in compiled.viewer.lying(each, zone)]
        for each in (cells, others)
    )
    return also.count(name) >= names.count(name) if at < 0 else also[at : at + 1] == [name]


# ---- values marked `openly` ----------------------------------------------------------------------


@attrs.define
class Openly:
    """The values of `openly` in a step, and in the decision after it.

    They are recorded by replaying each step in a program that has a procedure for each `openly`.
    The states belong to the program that is played. If the recording program needs more cells, the
    whole match is replayed.
    """

    engine: Reference | None = None
    """The engine of the recording program, or None if the rules contain no `openly`."""
    _names: frozenset[int] = frozenset()
    _has_same_cells: bool = True
    _game: CompiledGame | None = None
    """The game of the recording program."""

    @classmethod
    def of(cls, heard: Program | None, played: CompiledGame) -> Openly:
        """Return a recorder for a program that has a procedure named `openly ...` for each `openly`."""
        has_same_cells = heard is not None and heard.size == played.program.size
        if heard is None or not (has_same_cells or played.position is None):
            return cls()
        names = (
            number for number, each in enumerate(heard.plain) if each.name.startswith("openly ")
        )
        found = frozenset(names)
        if not found:
            return cls()
        engine = Reference(heard, heard=[])
        return cls(engine, found, has_same_cells, CompiledGame(heard, engine, None))

    def is_silent(self, states: Sequence[State], number: int) -> bool:
        """Return whether no `openly` has a value in the step that leads to a state, judging by this step alone."""
        if self.engine is None:
            return True
        return self._has_same_cells and not self._listen(self.engine, states, number, self._run)

    def differs(self, first: Sequence[State], second: Sequence[State], number: int) -> bool:
        """Return whether an `openly` has different values in the step that leads to a state, or in
        the decision there."""
        return self._differs(first, second, number, self._run)

    def differs_on_boards(
        self, first: Sequence[State], second: Sequence[State], number: int
    ) -> bool:
        """Return whether an `openly` has different values on the boards of a state."""
        has_boards = self._game is not None and self._game.program.boards
        return bool(has_boards) and self._differs(first, second, number, self._draw)

    def _differs(
        self,
        first: Sequence[State],
        second: Sequence[State],
        number: int,
        listen: Callable[[Reference, Sequence[State], int], None],
    ) -> bool:
        if self.engine is None or number >= min(len(first), len(second)):
            return False
        one, other = (
            self._listen(self.engine, states, number, listen) for states in (first, second)
        )
        return any(
            value != also
            for name, values in one.items()
            for value, also in zip(values, other.get(name, ()), strict=False)
        )

    def _listen(
        self,
        engine: Reference,
        states: Sequence[State],
        number: int,
        listen: Callable[[Reference, Sequence[State], int], None],
    ) -> dict[int, list[Value]]:
        heard: list[tuple[int, Value]] = []
        engine.heard = heard
        with suppress(RuleFault):  # the match itself reports the fault
            listen(engine, states, number)
        found: dict[int, list[Value]] = {}
        for name, value in heard:
            if name in self._names:
                found.setdefault(name, []).append(value)
        return found

    def _run(self, engine: Reference, states: Sequence[State], number: int) -> None:
        """Run the step that leads to a state, and request the options in this state."""
        cells = self._cells(engine, states, number)
        if not states[number].over:
            engine.options(cells)
            engine.refusals(cells)
            engine.prompt_arguments(cells)

    def _cells(self, engine: Reference, states: Sequence[State], number: int) -> array[int]:
        """Return the cells of a state in the recording program. Only the last step is recorded."""
        position = states[0].compiled.position
        if number and self._has_same_cells:
            cells, first = states[number - 1].cells[:], number
        else:
            cells, first = engine.start() if position is None else position[:], 0
        for at in range(first, number + 1):
            if engine.heard is not None:
                engine.heard.clear()
            if at:
                if self._game is not None and not cells[BOUND]:
                    self._game.option_arguments(
                        cells, states[at].choice
                    )  # the text of the choice is public
                engine.advance(cells, states[at].choice, [])
            elif position is None:
                engine.run(cells, [])
            for drawn in states[at].drawn:
                engine.advance(cells, drawn.result, [])
        return cells

    def _draw(self, engine: Reference, states: Sequence[State], number: int) -> None:
        """Draw the boards of a state for the player who decides."""
        assert self._game is not None
        player = max(0, states[number].player)
        cells = (
            states[number].cells if self._has_same_cells else self._cells(engine, states, number)
        )
        if engine.heard is not None:
            engine.heard.clear()
        boards_in(self._game, cells, self._game.viewer.view(cells, player), player)


# ---- differences in hidden things only -----------------------------------------------------------


def comes_of_pieces(one: State, other: State, number: int, player: int) -> bool:
    """Return whether two matches diverge in a shuffle, or in a piece that is drawn unseen by the player."""
    viewer, words = one.compiled.viewer, one.compiled.words
    if number and one.choice != other.choice:
        return False
    for drawn, another in zip(one.drawn, other.drawn, strict=False):
        if drawn == another:
            continue
        chance = one.compiled.program.chances[drawn.site]
        if chance.purpose == "shuffle":
            return True
        return (
            chance.domain is not None
            and words.is_of_pieces(chance.domain)
            and not viewer.knows_piece(one.cells, drawn.value, player)
            and not viewer.knows_piece(other.cells, another.value, player)
        )
    return False


def only_hidden(one: State, other: State, player: int) -> bool:
    """Return whether two states differ only in things that a player may not see (see `differ_hidden`)."""
    return differ_hidden(one.compiled, one.cells, other.cells, player)


def differ_hidden(compiled: CompiledGame, one: array[int], other: array[int], player: int) -> bool:
    """Return whether two arrays of cells differ only in things that a player may not see.

    Local values of running rules may also differ. They are examined when a leak is found (see
    `without_copies`).
    """
    differing = differing_cells(compiled, one, other)
    return bool(differing) and open_cell(compiled, one, other, player, differing) is None


_CHUNK = 256


def differing_cells(compiled: CompiledGame, one: array[int], other: array[int]) -> list[int]:
    """Return the cells that differ, not including the local values of running rules."""
    return [
        place
        for start in range(0, compiled.program.stack, _CHUNK)
        if one[start : start + _CHUNK] != other[start : start + _CHUNK]
        for place in range(start, min(start + _CHUNK, compiled.program.stack))
        if one[place] != other[place]
    ]


def open_cell(
    compiled: CompiledGame,
    one: array[int],
    other: array[int],
    player: int,
    differing: Sequence[int],
) -> int | None:
    """If a player may see any of the differing cells, return such a cell, otherwise None."""
    links = compiled.program.links
    hidden = {*hidden_cells(compiled, one, player), *hidden_cells(compiled, other, player)}
    hidden |= set(_of_hidden_pieces(compiled, one, player)) & set(
        _of_hidden_pieces(compiled, other, player)
    )
    known = range(links.known, links.known + links.pieces) if links.known >= 0 else range(0)
    return next(
        (
            place
            for place in differing
            if place not in hidden
            and not (place in known and not (one[place] ^ other[place]) >> player & 1)
        ),
        None,
    )


def _of_hidden_pieces(compiled: CompiledGame, cells: array[int], player: int) -> Iterator[int]:
    """Yield the cells that store values of pieces that the player does not know."""
    kinds = {kind.name for kind in compiled.program.pieces}
    for kept in compiled.program.kept:
        if kept.owner in kinds:
            for owner, cell in cells_of(kept):
                if not compiled.viewer.knows_piece(cells, owner, player):
                    yield cell


def without_copies(compiled: CompiledGame, one: array[int], other: array[int]) -> array[int] | None:
    """Return the cells of `other`, but with the local values of running rules from `one`.

    Returns None if these values are the same in both.
    """
    stack = compiled.program.stack
    return None if one[stack:] == other[stack:] else other[:stack] + one[stack:]
