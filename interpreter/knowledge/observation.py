"""Defines a player's observation of a state as an array of numbers.

The array has the same parts in the same order for all states and players of a variant; `HIDDEN`
marks unknown numbers. States with equal views give equal arrays. Observations do not depend on
displayed names.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TypeAlias

import attrs

from rulewright.dsl.ir import BOUND, OVER, PLAYER, SITE, Kept, PlaceInfo, Program, TokenPlace
from rulewright.interpreter.engines.engine import Engine
from rulewright.interpreter.knowledge.seen_numbers import (
    LEAST,
    MOST,
    Number,
    of_group,
    of_piece,
)
from rulewright.interpreter.knowledge.visible_cells import (
    HIDDEN,
    NONE,
    CellGroup,
    Eyes,
    Reader,
    Run,
    Steps,
    place_codes,
)
from rulewright.interpreter.text.names import Value
from rulewright.interpreter.views.viewer import Viewer

HEAD = 4
"""The number of entries that precede the numbers in the text of the question."""
ASKED = 8
"""The number of entries for the numbers in the text of the question."""
_NOT_ASKED = (NONE,) * ASKED

Cells: TypeAlias = "array[int]"
_Step: TypeAlias = "tuple[int, int, Cells | None, Reader | None]"


@attrs.frozen
class Part:
    """A part of an observation: `length` numbers, starting at `start`."""

    name: str
    what: str
    start: int
    length: int
    numbers: tuple[Number, ...]
    """The types of the first numbers. They repeat up to the end of the part."""


@attrs.frozen(eq=False)
class ReferenceObserver:
    """Makes observations of one variant in Python. This code defines them."""

    _viewer: Viewer
    _engine: Engine
    _plans: dict[tuple[int, int], tuple[_Step, ...]] = attrs.field(init=False, factory=dict)
    """The steps that fill the array after its head, for each player and each simultaneous block."""

    @property
    def program(self) -> Program:
        """Return the program of the variant."""
        return self._viewer.program

    def observe(self, cells: Cells, player: int) -> Cells:
        """Return a player's observation of a state."""
        together = self.program.together
        key = player, cells[together] if together >= 0 else 0
        steps = self._plans.get(key)
        if steps is None:
            steps = self._plans[key] = tuple(self._plan_steps(*key))
        found = array("i", self._head(cells, player))
        for first, last, fixed, read in steps:
            if fixed is not None:
                found.extend(fixed)
            elif read is not None:
                found.extend(read(cells))
            else:
                found.extend(cells[first:last])
        return found

    @cached_property
    def parts(self) -> tuple[Part, ...]:
        """Return the parts of an observation, as in `Observer.parts`."""
        start = 0
        found = []
        for name, what, count, numbers in self._describe_parts():
            length = count * len(numbers)
            found.append(Part(name, what, start, length, numbers))
            start += length
        return tuple(found)

    def _describe_parts(self) -> Iterator[tuple[str, str, int, tuple[Number, ...]]]:
        program = self.program
        seats, sites = program.seats, len(program.sites)
        secret = any(site.own for site in program.sites)
        decides = Number("category", 0, seats - 1, "player", secret, nothing=True)
        site = Number("category", 0, sites - 1, "decision", secret, nothing=True)
        asked = Number("count", LEAST, MOST, nothing=True)
        yield "player", "who looks", 1, (Number("category", 0, seats - 1, "seat"),)
        yield "over", "1 at the end", 1, (Number("flag", 0, 1),)
        yield "decides", "who decides; hidden from others in a secret decision", 1, (decides,)
        yield "site", "which decision is open, counted from 0", 1, (site,)
        yield "asked", "numbers in the words of the question, for who is asked", ASKED, (asked,)
        yield "in play", "for each seat, whether it is in the game", seats, (Number("flag", 0, 1),)
        for group in self.groups:
            numbers, count = of_group(program, group), len(group.owners)
            match group:
                case Kept():
                    what = f"value of {group.owner or 'the table'}"
                case PlaceInfo():
                    what = "how many pieces lie there"
                case TokenPlace():
                    what = f"how many tokens of {group.token} lie there"
            yield group.name, what, count, numbers
        places = place_codes(program)
        for kind in program.pieces:
            what = "of each piece where it lies, and at which place there; copies are in order"
            yield kind.name, what, kind.count, of_piece(kind, places)

    @cached_property
    def groups(self) -> tuple[CellGroup, ...]:
        """Return the observed groups of values, zones and tokens, in order."""
        program = self.program
        every: tuple[CellGroup, ...] = (*program.kept, *program.places, *program.tokens)
        return tuple(group for group in every if group.listed)

    def _plan_steps(self, player: int, block: int) -> Iterator[_Step]:
        program, steps = self.program, Steps()
        eyes = Eyes(self._viewer, player, block)
        steps.add(Run(program.in_play, program.in_play + program.seats))
        for group in self.groups:
            for part in eyes.cell_group(group):
                steps.add(part)
        for kind in program.pieces:
            steps.add(eyes.pieces(kind))
        for part in steps.parts:
            match part:
                case Run(first, last):
                    yield first, last, None, None
                case array():
                    yield 0, 0, part, None
                case _:
                    yield 0, 0, None, part

    def _head(self, cells: Cells, player: int) -> tuple[int, ...]:
        site, decides = cells[SITE], cells[PLAYER]
        if cells[BOUND]:
            return player, 0, NONE, NONE, *_NOT_ASKED
        if site < 0:
            return player, cells[OVER], decides, site, *_NOT_ASKED
        if decides == player:
            return player, cells[OVER], decides, site, *self.question_numbers(cells, site)
        if self.program.sites[site].own:
            return player, cells[OVER], HIDDEN, HIDDEN, *_NOT_ASKED
        return player, cells[OVER], decides, site, *_NOT_ASKED

    def question_numbers(self, cells: Cells, site: int) -> tuple[int, ...]:
        """Return the numbers in the text of an open question."""
        if not self.program.sites[site].prompt_arguments:
            return _NOT_ASKED
        numbers = tuple(_flat(self._engine.prompt_arguments(cells)))[:ASKED]
        return numbers + _NOT_ASKED[len(numbers) :]


def size_of(observer: ReferenceObserver) -> int:
    """Return the length of an observation."""
    last = observer.parts[-1]
    return last.start + last.length


def _flat(values: Sequence[Value]) -> Iterator[int]:
    for value in values:
        if isinstance(value, int):
            yield value
        else:
            yield from _flat(value)
