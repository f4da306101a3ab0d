"""Draws random states that one player cannot distinguish from the true state.

Hidden pieces change places if they can (see `hidden_pieces.py`), and hidden numbers change too (see
`hidden_counts.py`). If earlier states are remembered, the sample must also agree with the player's
log ("player 2 holds no priest"). Secret choices of other players that the rules still store are
drawn again, and so are numbers that were rolled in secret. For this purpose, the steps since the
last state without such secrets are replayed; at each step, the player must do and see the same. In
games with secret rolls, the steps since the last changes of hidden values are replayed. If no
attempt succeeds, or the past is not remembered, secret values do not change.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from typing import Protocol, TypeAlias

from attrs import define, frozen

from rulewright.dsl.ir import BOUND, OVER, PLAYER, SITE, Kept
from rulewright.interpreter.engines.chance import Generator
from rulewright.interpreter.engines.engine import Engine, LogLine
from rulewright.interpreter.knowledge.disclosure import may_tell
from rulewright.interpreter.knowledge.hidden_counts import move_numbers
from rulewright.interpreter.knowledge.hidden_pieces import (
    Unknown,
    cells_of,
    draw_exchange_in,
    exchange_pieces,
    interchangeable,
    tied_pieces,
    unknown_to,
)
from rulewright.interpreter.knowledge.observers import observer_of
from rulewright.interpreter.knowledge.secret_rolls import secret_rolls
from rulewright.interpreter.text.faults import RuleFault
from rulewright.interpreter.views.compiled_game import CompiledGame
from rulewright.interpreter.views.log_lines import LogEntry

Cells: TypeAlias = "array[int]"

_BACK = 200
"""The maximum number of past states that are examined."""
_TRIES = 40
_WAYS = 3
"""The maximum number of histories that are tried in addition to the shortest one."""
_FEW = 3
"""The number of attempts with a history before a shorter history is tried."""
_PART_TRIES = 8
"""The maximum number of attempts at a single step."""
_COMPARED = 12
"""How many other arrangements of hidden pieces are used to test whether steps have revealed any of these pieces.

If a secret roll has several results in a step, only the last `_COMPARED` results are compared with
other results. A loop overwrites earlier results.
"""


class Given(Protocol):
    """A result of chance, the site where it was drawn, and the value that it stands for."""

    @property
    def site(self) -> int: ...
    @property
    def result(self) -> int: ...
    @property
    def value(self) -> int: ...


class Past(Protocol):
    """A position, and the previous position if it is remembered."""

    cells: Cells

    @property
    def compiled(self) -> CompiledGame: ...
    @property
    def choice(self) -> int: ...
    @property
    def log(self) -> tuple[LogEntry, ...]: ...
    @property
    def drawn(self) -> Sequence[Given]:
        """Return the results of chance since the last decision."""
        ...

    @property
    def previous(self) -> Past | None: ...


def sample_state(state: Past, player: int, generator: Generator) -> Cells:
    """Draw a random state that looks the same to a player, and return its cells. `state` does not change.

    The sample agrees with the player's log of the last steps, if they are remembered.
    """
    return Sampler(state, player).draw(generator)


class Sampler:
    """Draws states that look the same to a player as a given state. All samples share the same preparation."""

    def __init__(
        self, state: Past, player: int, far: int = _BACK, engine: Engine | None = None
    ) -> None:
        """Prepare the samples. `engine` replays steps, and may be faster than the engine of the state."""
        self._state, self._player, self._far = state, player, far
        self._engine = engine or state.compiled.engine
        self._compiled = state.compiled
        self._steps: list[Step] = []
        self._ways = _ways(state, player, self._engine)

    @property
    def is_exchange(self) -> bool:
        """Return whether samples only exchange pieces, without drawing secret choices again."""
        return not self._ways

    @property
    def steps(self) -> Iterator[Step]:
        """Yield the steps with which a sample must agree, beginning with the last step."""
        for number in range(self._far):
            step = self._step(number)
            if step is None:
                return
            yield step

    def draw(self, generator: Generator) -> Cells:
        """Draw a random state. All possible states are equally likely if the constraints allow it."""
        compiled, player = self._compiled, self._player
        cells = self._state.cells
        groups = self._groups
        if self._ways:
            cells = self._repeat_history(generator)
            groups = unknown_to(compiled, cells, player)
        guess = exchange_pieces(compiled, cells, self._draw_exchange(groups, generator), player)
        self.finish(guess, generator)
        return guess

    def has_disclosed(self, after: Sequence[Past], generator: Generator) -> bool:
        """Return whether the steps after the state have revealed something about pieces that are still hidden.

        The steps have revealed something if the player would have seen a difference with other
        pieces in the same places.
        """
        compiled, player = self._compiled, self._player
        knows, observe = compiled.viewer.knows_piece, observer_of(compiled).observe
        pieces = range(compiled.program.links.pieces)
        known = {piece for piece in pieces if any(knows(one.cells, piece, player) for one in after)}
        fixed = known.union(tied_pieces(compiled, self._state.cells))
        groups = interchangeable(compiled, self._state.cells, player, fixed)
        steps = [
            (Step(before, one, player, self._engine), observe(one.cells, player))
            for before, one in pairwise((self._state, *after))
        ]
        for _ in range(_COMPARED):
            swapped = self._draw_exchange(groups, generator)
            if any(step.tells(swapped, seen) for step, seen in steps):
                return True
        return False

    def known_results(self, after: Sequence[Past]) -> int:
        """Count those results of chance after the state that the player knows about.

        A result is left out if the player could not distinguish it from another result.
        """
        steps = pairwise((self._state, *after))
        return sum(_Part(*step, self._player, self._engine).known_results for step in steps)

    def _draw_exchange(self, groups: Sequence[Unknown], generator: Generator) -> dict[int, int]:
        """Draw a random exchange of hidden pieces with which the player's log would have been the same."""
        swapped: dict[int, int] = {}
        for _ in range(_TRIES):
            swapped = draw_exchange_in(groups, generator)
            if self._gives_same_lines(swapped):
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

    def _gives_same_lines(self, swapped: Mapping[int, int]) -> bool:
        """Return whether the player's log would have been the same if the pieces had been exchanged from the start.

        A step is examined only if the player could not distinguish the exchanged pieces before it.
        """
        moved = {piece for piece, other in swapped.items() if piece != other}
        if not moved:
            return True  # this is the true state
        for number in range(self._far):
            step = self._step(number)
            if step is None or not step.looks_the_same(moved, swapped):
                return True
            if step.is_known and not step.goes_the_same(swapped):
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

    def _repeat_history(self, generator: Generator) -> Cells:
        while self._ways:
            way = self._ways[0]
            for _ in range(way.tries):
                cells = _repeat_steps(way.parts, generator)
                if cells is not None:
                    return cells
            if way.is_whole:
                break
            del self._ways[0]
        return self._state.cells


class Step:
    """A step that a player remembers."""

    def __init__(self, before: Past, after: Past, player: int, engine: Engine) -> None:
        self._engine = engine
        self.before, self.after, self._player = before, after, player
        self._compiled = before.compiled
        self._cells = before.cells

    @cached_property
    def is_known(self) -> bool:
        """Return whether the player may know the choice."""
        return not self._cells[BOUND] and may_tell(self.before, self.after, self._player)

    @cached_property
    def _known(self) -> frozenset[int]:
        """Return the pieces whose places the player knew before the step."""
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
        """Return whether the state before the step looks the same after an exchange. `moved`
        contains the exchanged pieces."""
        if self._known.isdisjoint(moved):
            return True
        cells = exchange_pieces(self._compiled, self._cells, swapped, self._player)
        return observer_of(self._compiled).observe(cells, self._player) == self._seen

    def tells(self, swapped: Mapping[int, int], seen: Cells) -> bool:
        """Return whether the exchange would change the player's view of the step. `seen` is the true observation."""
        cells = exchange_pieces(self._compiled, self._cells, swapped, self._player)
        if not self._engine.has_option(cells, self.after.choice):
            return False  # another player would have made another choice
        found_lines = _lines_after(self._compiled, self._engine, cells, self.after, swapped)
        if found_lines is None:
            return False  # chance would have given another result
        if [line for line in found_lines if line.is_for(self._player)] != self._lines:
            return True
        return observer_of(self._compiled).observe(cells, self._player) != seen

    def goes_the_same(self, swapped: Mapping[int, int]) -> bool:
        """Return whether the step is possible with the exchanged pieces and gives the player the same log."""
        cells = exchange_pieces(self._compiled, self._cells, swapped, self._player)
        if not self._engine.has_option(cells, self.after.choice):
            return False
        found_lines = _lines_after(self._compiled, self._engine, cells, self.after, swapped)
        return (
            found_lines is not None
            and [line for line in found_lines if line.is_for(self._player)] == self._lines
        )


def _lines_after(
    compiled: CompiledGame, engine: Engine, cells: Cells, after: Past, swapped: Mapping[int, int]
) -> list[LogEntry] | None:
    """Replay a step with the same results of chance, and return the log lines. If the step cannot
    be replayed, return None."""
    log: list[LogLine] = []
    try:
        engine.advance(cells, after.choice, log)
        for given in after.drawn:
            result = _same_result(compiled, cells, given, swapped)
            if result is None:
                return None
            engine.advance(cells, result, log)
        # There may be chance events that the true step did not have, such as a secret roll.
        for number in range(_TRIES):
            if cells[BOUND]:
                engine.advance(cells, number % cells[BOUND], log)
    except RuleFault:
        return None
    return None if cells[BOUND] else [compiled.log_line(line) for line in log]


def _same_result(
    compiled: CompiledGame, cells: Cells, given: Given, swapped: Mapping[int, int]
) -> int | None:
    """Find the result that corresponds to an earlier result of chance.

    If the result is a piece, the corresponding result is the piece that is now in its place.
    """
    if not cells[BOUND] or cells[SITE] != given.site:
        return None
    domain = compiled.program.chances[given.site].domain
    if domain is None or not compiled.words.is_of_pieces(domain):
        return given.result if given.result < cells[BOUND] else None
    members = compiled.words.members(cells)
    wanted = swapped.get(given.value, given.value)
    return members.index(wanted) if wanted in members else None


@define(eq=False)
class _Part:
    """A past step that is repeated with other secret choices and rolls. The first such step may be the setup."""

    before: Past | None
    after: Past
    player: int
    engine: Engine

    @cached_property
    def is_secret(self) -> bool:
        """Return whether the player may not know the choice."""
        before = self.before
        if before is None or before.cells[BOUND]:
            return False
        return not may_tell(before, self.after, self.player)

    @cached_property
    def rolls(self) -> list[bool]:
        """Return, for each result of chance, whether it is a number that may be stored in secret."""
        secret = secret_rolls(self.after.compiled)
        return [given.site in secret for given in self.after.drawn]

    @property
    def known_results(self) -> int:
        """Return how many results of chance the player knows about. A shuffle alone shows the player nothing."""
        compiled = self.after.compiled
        chances = compiled.program.chances
        secret = secret_rolls(compiled) if compiled.viewer.has_secrets else frozenset[int]()
        cells, log = self._after_choice(None if self.before is None else self.before.cells, None)
        found = 0
        left = Counter(given.site for given in self.after.drawn)
        for number, given in enumerate(self.after.drawn):
            chance = chances[given.site]
            of_pieces = chance.domain is not None and compiled.words.is_of_pieces(chance.domain)
            if chance.purpose == "shuffle":
                pass
            elif given.site in secret or (of_pieces and compiled.viewer.has_secrets):
                if left[given.site] <= _COMPARED:
                    found += self._is_noticed(cells, log, number)
            else:
                found += 1
            left[given.site] -= 1
            cells, log = self._after_result(cells, log, given.result)
        return found

    def _is_noticed(self, cells: Cells, log: list[LogLine], number: int) -> bool:
        """Return whether the player would have seen a difference after the step if chance had given another result."""
        for result in range(cells[BOUND]):
            if result == self.after.drawn[number].result:
                continue
            try:
                other = self._finish_step(
                    *self._after_result(cells, log, result), self.after.drawn[number + 1 :]
                )
            except RuleFault:
                continue  # no match has this result
            if other is not None and self._look(*other) != self._seen[-1]:
                return True
        return False

    def _finish_step(
        self, cells: Cells, log: list[LogLine], left: Sequence[Given]
    ) -> tuple[Cells, list[LogLine]] | None:
        """Finish the step with those remaining results that fit. If the step cannot be finished, return None."""
        tries = iter(range(_TRIES))
        while cells[BOUND]:
            fits = (
                (n, _same_result(self.after.compiled, cells, one, {})) for n, one in enumerate(left)
            )
            at, result = next((found for found in fits if found[1] is not None), (-1, None))
            if result is None and (result := next(tries, None)) is None:
                return None
            left = left[at + 1 :]
            self.engine.advance(cells, result % cells[BOUND], log)
        return cells, log

    def _after_result(
        self, cells: Cells, log: list[LogLine], result: int
    ) -> tuple[Cells, list[LogLine]]:
        """Return the cells and the log after a result of chance."""
        after, lines = cells[:], log[:]
        self.engine.advance(after, result, lines)
        return after, lines

    @cached_property
    def _seen(self) -> list[tuple[Cells, list[LogEntry]]]:
        """Return the player's observations and log lines after the choice and after each result of chance."""
        cells, log = self._after_choice(None if self.before is None else self.before.cells, None)
        found = [self._look(cells, log)]
        for given in self.after.drawn:
            self.engine.advance(cells, given.result, log)
            found.append(self._look(cells, log))
        return found

    def _look(self, cells: Cells, log: list[LogLine]) -> tuple[Cells, list[LogEntry]]:
        compiled = self.after.compiled
        lines = [line for line in map(compiled.log_line, log) if line.is_for(self.player)]
        return observer_of(compiled).observe(cells, self.player), lines

    def _after_choice(self, cells: Cells | None, choice: int | None) -> tuple[Cells, list[LogLine]]:
        """Return the cells and the log after a choice, by default the true choice."""
        log: list[LogLine] = []
        if cells is None:
            return self.after.compiled.begin(), log
        cells = cells[:]
        self.engine.advance(cells, self.after.choice if choice is None else choice, log)
        return cells, log

    def repeat(self, start: Cells | None, generator: Generator) -> Cells | None:
        """Repeat the step from other cells, and return the cells after it.

        Returns None if the player would see something different.
        """
        choice = None
        if start is not None and self.before is not None:
            if start[OVER] or start[BOUND] or start[PLAYER] != self.before.cells[PLAYER]:
                return None
            offered = self.after.compiled.options(start)
            if self.is_secret:
                choice = offered[generator.below(len(offered))]
            elif self.after.choice not in offered:
                return None
        cells, log = self._after_choice(start, choice)
        for number, given in enumerate(self.after.drawn):
            if not cells[BOUND]:
                return None
            if self.rolls[number]:
                found = self._redraw_roll(number, cells, log, generator)
                if found is None:
                    return None
                cells, log = found
            else:
                result = _same_result(self.after.compiled, cells, given, {})
                known = given.result % cells[BOUND] if result is None else result
                self.engine.advance(cells, known, log)
        return cells if self._look(cells, log) == self._seen[-1] else None

    def _redraw_roll(
        self, number: int, cells: Cells, log: list[LogLine], generator: Generator
    ) -> tuple[Cells, list[LogLine]] | None:
        """Draw another result of a roll after which the player sees the same as after the true result.

        Returns the cells and the log after the roll, or None if no such result is found.
        """
        for _ in range(_TRIES):
            after = self._after_result(cells, log, generator.below(cells[BOUND]))
            if self._look(*after) == self._seen[number + 1]:
                return after
        return None


@frozen
class _Way:
    """A history: consecutive steps that are repeated to draw other secret values."""

    parts: Sequence[_Part]
    is_whole: bool
    """Whether no secrets are stored before the first step. If so, this history is tried for each sample."""

    @property
    def tries(self) -> int:
        """Return the number of attempts with the history before a shorter history is tried."""
        return _TRIES if self.is_whole else _FEW


def _ways(state: Past, player: int, engine: Engine) -> list[_Way]:
    """Return the histories to repeat, the longest first. If nothing secret was chosen or rolled,
    there are no histories."""
    if secret_rolls(state.compiled):
        parts = [_Part(*step, player, engine) for step in _since_change(state, player)]
        starts = [number for number, part in enumerate(parts) if part.is_secret or any(part.rolls)]
        some = dict.fromkeys(
            starts[len(starts) * part // _WAYS] for part in range(_WAYS if starts else 0)
        )
        return [
            _Way(parts[start:], is_whole=False) for start in dict.fromkeys((*some, *starts[-1:]))
        ]
    parts = [_Part(*step, player, engine) for step in _since_secret(state, player)]
    return [_Way(parts, is_whole=True)] if any(part.is_secret for part in parts) else []


def _repeat_steps(parts: Sequence[_Part], generator: Generator) -> Cells | None:
    """Repeat the given steps with other secret choices and rolls, and return the cells after them.

    Returns None if the steps cannot be repeated.
    """
    first = parts[0].before
    cells = None if first is None else first.cells
    try:
        for part in parts:
            after = None
            for _ in range(_PART_TRIES):
                after = part.repeat(cells, generator)
                if after is not None:
                    break
            if after is None:
                return None
            cells = after
    except RuleFault:
        return None
    return cells


def _since_change(state: Past, player: int) -> list[tuple[Past | None, Past]]:
    """Return the remembered steps since the last changes of all values that are hidden from the player.

    A step that left a value unchanged may also have drawn the value again, with the same result.
    """
    left = list(_secret_values(state.compiled, player))
    way: list[tuple[Past | None, Past]] = []
    while left and len(way) < _BACK:
        before = state.previous
        if before is None:
            if state.choice < 0 and state.drawn and state.compiled.position is None:
                way.append((None, state))
            break
        way.append((before, state))
        left = [each for each in left if all(state.cells[c] == before.cells[c] for c in each[0])]
        state = before
    return way[::-1]


def _since_secret(state: Past, player: int) -> list[tuple[Past, Past]]:
    """Return the steps since the last state without stored secrets.

    Returns no steps if the given state has no stored secrets, or if the state without secrets is
    not remembered.
    """
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
    for cells, start in _secret_values(compiled, player):
        yield from ((cell, start) for cell in cells)


def _secret_values(compiled: CompiledGame, player: int) -> Iterator[tuple[list[int], int]]:
    """Yield the cells of each value that a player does not see, with the value at the start."""
    for kept in compiled.program.kept:
        of_owners: dict[int, list[int]] = {}
        for owner, cell in cells_of(kept):
            if not compiled.viewer.may_see(kept, owner, player):
                of_owners.setdefault(owner, []).append(cell)
        yield from ((cells, _start(kept)) for cells in of_owners.values())


def _start(kept: Kept) -> int:
    return 0 if kept.list_capacity else kept.start
