"""Draws random states that one player cannot tell from the true one.

Hidden pieces change places where they may (see `hidden_pieces.py`), and hidden numbers change too (see
`hidden_counts.py`). If earlier states are remembered, the sample must also explain the player's log ("player 2 holds no
priest"). Secret choices of others that rules still store are drawn again. For this the steps since the last state
without such secrets are replayed with what the player did and saw; they must lead to the player's present view. If no
try succeeds, secret values stay as they are. Does not choose anything.
"""

from __future__ import annotations

from array import array
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from typing import Protocol, TypeAlias

from rulewright.dsl.ir import BOUND, OVER, PLAYER, SITE, Kept
from rulewright.interpreter.engines.chance import Generator
from rulewright.interpreter.engines.engine import Engine, LogLine
from rulewright.interpreter.knowledge.disclosure import may_tell
from rulewright.interpreter.knowledge.hidden_counts import move_numbers
from rulewright.interpreter.knowledge.hidden_pieces import (
    Unknown,
    alike,
    cells_of,
    exchange_in,
    exchanged,
    tied,
    unknown_to,
)
from rulewright.interpreter.knowledge.observers import observer_of
from rulewright.interpreter.text.faults import RuleFault
from rulewright.interpreter.views.compiled_game import CompiledGame
from rulewright.interpreter.views.log_lines import LogEntry

Cells: TypeAlias = "array[int]"

_BACK = 200
"""How many states are gone back."""
_TRIES = 40
_COMPARED = 12
"""With so many other arrangements of hidden pieces it is looked whether steps have told of them."""


class Given(Protocol):
    """A result of chance at one of its decisions, and the value of that result."""

    @property
    def site(self) -> int: ...
    @property
    def result(self) -> int: ...
    @property
    def value(self) -> int: ...


class Past(Protocol):
    """A position, and the one before it if that is remembered."""

    cells: Cells

    @property
    def compiled(self) -> CompiledGame: ...
    @property
    def choice(self) -> int: ...
    @property
    def log(self) -> tuple[LogEntry, ...]: ...
    @property
    def drawn(self) -> Sequence[Given]:
        """The results of chance since the last decision."""
        ...

    @property
    def previous(self) -> Past | None: ...


def sampled(state: Past, player: int, generator: Generator, far: int = _BACK) -> Cells:
    """The cells of a random state that looks the same to a player; `state` does not change.

    It agrees with the player's log of the last `far` steps, if they are remembered.
    """
    return Sampler(state, player, far).draw(generator)


class Sampler:
    """Draws states that look the same to a player as a given state; their common preparation is made once."""

    def __init__(
        self, state: Past, player: int, far: int = _BACK, engine: Engine | None = None
    ) -> None:
        """`engine` replays steps, if it is faster than the engine of the state."""
        self._state, self._player, self._far = state, player, far
        self._engine = engine or state.compiled.engine
        self._compiled = state.compiled
        self._steps: list[Step] = []
        way = _since_secret(state, player)
        is_secret = [_is_secret(before, after, player) for before, after in way]
        self._way = [(*step, secret) for step, secret in zip(way, is_secret, strict=True)]
        self._is_chosen = any(is_secret)

    @property
    def is_exchange(self) -> bool:
        """Whether samples only exchange pieces, without drawing secret choices again."""
        return not self._is_chosen

    @property
    def steps(self) -> Iterator[Step]:
        """The steps that a sample must agree with, the last first."""
        for number in range(self._far):
            step = self._step(number)
            if step is None:
                return
            yield step

    def draw(self, generator: Generator) -> Cells:
        """A random state; all are equally likely where the constraints allow it."""
        compiled, player = self._compiled, self._player
        cells = self._state.cells
        groups = self._groups
        if self._is_chosen:
            cells = self._chosen_anew(generator)
            groups = unknown_to(compiled, cells, player)
        guess = exchanged(compiled, cells, self._swapped(groups, generator), player)
        self.finish(guess, generator)
        return guess

    def has_told(self, after: Sequence[Past], generator: Generator) -> bool:
        """Whether the steps after the state have told the player something about pieces that are still hidden.

        They have if the player would have seen something different with other pieces in these places.
        """
        compiled, player = self._compiled, self._player
        knows, observe = compiled.viewer.knows_piece, observer_of(compiled).observe
        pieces = range(compiled.program.links.pieces)
        known = {piece for piece in pieces if any(knows(one.cells, piece, player) for one in after)}
        fixed = known.union(tied(compiled, self._state.cells))
        groups = alike(compiled, self._state.cells, player, fixed)
        steps = [
            (Step(before, one, player, self._engine), observe(one.cells, player))
            for before, one in pairwise((self._state, *after))
        ]
        for _ in range(_COMPARED):
            swapped = self._swapped(groups, generator)
            if any(step.tells(swapped, seen) for step, seen in steps):
                return True
        return False

    def _swapped(self, groups: Sequence[Unknown], generator: Generator) -> dict[int, int]:
        """A random exchange of hidden pieces with which the player's log would have been the same."""
        swapped: dict[int, int] = {}
        for _ in range(_TRIES):
            swapped = exchange_in(groups, generator)
            if self._was_told_so(swapped):
                return swapped
        return swapped

    def finish(self, guess: Cells, generator: Generator) -> None:
        """Change the hidden numbers of a guess whose pieces are already exchanged."""
        move_numbers(self._compiled, self._state.cells, guess, self._player, generator)

    @cached_property
    def _groups(self) -> list[Unknown]:
        return unknown_to(self._compiled, self._state.cells, self._player)

    @cached_property
    def _seen(self) -> Cells:
        return observer_of(self._compiled).observe(self._state.cells, self._player)

    def _was_told_so(self, swapped: Mapping[int, int]) -> bool:
        """Whether the player's log would have been the same with the pieces exchanged from the start.

        Only those steps count before which the player could not tell these pieces apart.
        """
        moved = {piece for piece, other in swapped.items() if piece != other}
        if not moved:
            return True  # this is the true state
        for number in range(self._far):
            step = self._step(number)
            if step is None or not step.looks_the_same(moved, swapped):
                return True
            if step.is_told and not step.goes_the_same(swapped):
                return False
        return True

    def _step(self, number: int) -> Step | None:
        if number == len(self._steps):
            after = self._steps[-1].before if self._steps else self._state
            before = after.previous
            if before is None:
                return None
            self._steps.append(Step(before, after, self._player, self._engine))
        return self._steps[number]

    def _chosen_anew(self, generator: Generator) -> Cells:
        observe = observer_of(self._compiled).observe
        for _ in range(_TRIES):
            cells = _again(self._way, generator)
            if cells is not None and observe(cells, self._player) == self._seen:
                return cells
        return self._state.cells


class Step:
    """A step that a player remembers."""

    def __init__(self, before: Past, after: Past, player: int, engine: Engine) -> None:
        self._engine = engine
        self.before, self.after, self._player = before, after, player
        self._compiled = before.compiled
        self._cells = before.cells

    @cached_property
    def is_told(self) -> bool:
        """Whether the player may know the choice."""
        return not self._cells[BOUND] and may_tell(self.before, self.after, self._player)

    @cached_property
    def _known(self) -> frozenset[int]:
        """The pieces whose places the player knew before the step."""
        knows = self._compiled.viewer.knows_piece
        pieces = range(self._compiled.program.links.pieces)
        return frozenset(piece for piece in pieces if knows(self._cells, piece, self._player))

    @cached_property
    def _lines(self) -> list[LogEntry]:
        return [line for line in self.after.log if line.is_for(self._player)]

    @cached_property
    def _seen(self) -> Cells:
        return observer_of(self._compiled).observe(self._cells, self._player)

    def looks_the_same(self, moved: Collection[int], swapped: Mapping[int, int]) -> bool:
        """Whether the state before the step looks the same after an exchange; `moved` are the exchanged pieces."""
        if self._known.isdisjoint(moved):
            return True
        cells = exchanged(self._compiled, self._cells, swapped, self._player)
        return observer_of(self._compiled).observe(cells, self._player) == self._seen

    def tells(self, swapped: Mapping[int, int], seen: Cells) -> bool:
        """Whether the exchange would change what the player sees of the step; `seen` is the true observation."""
        cells = exchanged(self._compiled, self._cells, swapped, self._player)
        if not self._engine.has_option(cells, self.after.choice):
            return False  # another player would have made another choice
        told = _told(self._compiled, self._engine, cells, self.after, swapped)
        if told is None:
            return False  # chance would have given another result
        if [line for line in told if line.is_for(self._player)] != self._lines:
            return True
        return observer_of(self._compiled).observe(cells, self._player) != seen

    def goes_the_same(self, swapped: Mapping[int, int]) -> bool:
        """Whether the step is possible with the exchanged pieces and gives the player the same log."""
        cells = exchanged(self._compiled, self._cells, swapped, self._player)
        if not self._engine.has_option(cells, self.after.choice):
            return False
        told = _told(self._compiled, self._engine, cells, self.after, swapped)
        return (
            told is not None and [line for line in told if line.is_for(self._player)] == self._lines
        )


def _told(
    compiled: CompiledGame, engine: Engine, cells: Cells, after: Past, swapped: Mapping[int, int]
) -> list[LogEntry] | None:
    """The log lines of a step that is replayed with the same results of chance; None if that is impossible."""
    log: list[LogLine] = []
    try:
        engine.advance(cells, after.choice, log)
        for given in after.drawn:
            result = _same_result(compiled, cells, given, swapped)
            if result is None:
                return None
            engine.advance(cells, result, log)
    except RuleFault:
        return None
    return [compiled.log_line(line) for line in log]


def _same_result(
    compiled: CompiledGame, cells: Cells, given: Given, swapped: Mapping[int, int]
) -> int | None:
    """The result that corresponds to an earlier result of chance: for a piece, the one now in its place."""
    if not cells[BOUND] or cells[SITE] != given.site:
        return None
    domain = compiled.program.chances[given.site].domain
    if domain is None or not compiled.words.is_of_pieces(domain):
        return given.result if given.result < cells[BOUND] else None
    members = compiled.words.members(cells)
    wanted = swapped.get(given.value, given.value)
    return members.index(wanted) if wanted in members else None


def _since_secret(state: Past, player: int) -> list[tuple[Past, Past]]:
    """The steps since the last state without stored secrets; none if this is such a state or it is not remembered."""
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


def _again(way: list[tuple[Past, Past, bool]], generator: Generator) -> Cells | None:
    """The state after these steps with random secret choices; None if the other steps cannot be repeated."""
    compiled = way[0][0].compiled
    cells = way[0][0].cells[:]
    try:
        for before, after, is_secret in way:
            if cells[OVER] or cells[BOUND] or cells[PLAYER] != before.cells[PLAYER]:
                return None
            offered = compiled.options(cells)
            choice = after.choice
            if is_secret:
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
