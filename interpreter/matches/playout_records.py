"""Writes records of playouts as lines of a file, given the numbers in which an engine has recorded the events.

A line is equal to the result of `to_line` for the record of the same match. The text of each choice
and each result of chance is computed once, and then reused. This module handles only random bots.
"""

from __future__ import annotations

import json
from array import array
from collections.abc import Sequence
from itertools import product
from typing import Final

from attrs import define, field

from rulewright.dsl.ir import Arm, LocalList
from rulewright.interpreter.engines.choice_log import (
    GOES_ON,
    MOST_SITES,
    ROLLED,
    SAME_SHIFT,
    SHUFFLING,
    SITE_SHIFT,
)
from rulewright.interpreter.engines.results import Results
from rulewright.interpreter.matches.game import Game, Variant
from rulewright.interpreter.matches.records import ROLL, SHUFFLE, Framed
from rulewright.interpreter.text.names import Words, option_name
from rulewright.interpreter.views.compiled_game import CompiledGame

MOST_NAMES: Final = 2**18
"""The maximum number of options of a site at which some options have equal names."""
_LOW: Final = 2**SAME_SHIFT - 1
_NEXT: Final = '","'
"""The text between two steps in a line."""


class _Pieces(dict[int, str]):
    """The text that each event adds to a line, computed at its first use."""

    def __init__(self, words: Words) -> None:
        super().__init__()
        self.words = words

    def __missing__(self, event: int) -> str:
        found = self[event] = self._event_text(event)
        return found

    def _event_text(self, event: int) -> str:
        low = event & _LOW
        if event & SHUFFLING:
            return f" {low}" if event & GOES_ON else f"{_NEXT}{SHUFFLE}{low}"
        if event & ROLLED:
            site = (event ^ ROLLED) >> SAME_SHIFT
            name = ROLL + self.words.result(site, self._value(site, low))
        else:
            before = event >> SAME_SHIFT & (1 << SITE_SHIFT - SAME_SHIFT) - 1
            name = self.words.option(event >> SITE_SHIFT, low)
            name = f"{name}#{before + 1}" if before else name
        return _NEXT + json.dumps(name, ensure_ascii=False)[1:-1]

    def _value(self, site: int, low: int) -> int:
        """Return the value of a result of chance, given the low bits of its event.

        If the rules have made a list of values, the bits contain the value itself, otherwise an
        index.
        """
        chance = self.words.program.chances[site]
        if isinstance(chance.values, LocalList):
            return low - (low >> SAME_SHIFT - 1 << SAME_SHIFT)
        values = self.words.fixed_outcomes(site)
        return chance.low + low if values is None else values[low]


@define(eq=False)
class Lines:
    """Writes records of one variant's matches as lines."""

    compiled: CompiledGame
    _framed: Framed
    _pieces: _Pieces
    _names: Sequence[array[int] | None]
    """For each site at which options have equal names, the index of each option's name; otherwise None."""
    _items: tuple[str, ...] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._items = tuple(item.text for item in self.compiled.program.score)

    @classmethod
    def of(cls, game: Game, variant: Variant, compiled: CompiledGame) -> Lines | None:
        """Return a writer. If playouts of the variant cannot be recorded, return None."""
        words, program = compiled.words, compiled.program
        if not compiled.engine.notes or len(program.sites) > MOST_SITES:
            return None
        names: list[array[int] | None] = []
        for number, site in enumerate(program.sites):
            if not words.has_twins(number):
                names.append(None)
                continue
            if sum(map(_count, site.arms)) > MOST_NAMES:
                return None
            names.append(_name_indices(site.arms, words))
        framed = Framed.of(game, variant, ("random",) * program.seats)
        return cls(compiled, framed, _Pieces(words), names)

    def line(self, seed: int, longest: int, ends: Results, play: int) -> str | None:
        """Return the line for the playout of a seed. If the playout cannot be recorded, return None.

        `ends` contains the result of the playout at the index `play`.
        """
        compiled = self.compiled
        events = compiled.engine.noted_at_random(compiled.begin(), seed, longest, self._names)
        if events is None:
            return None
        steps = "".join(map(self._pieces.__getitem__, events))
        written = f'["{steps[len(_NEXT) :]}"]' if steps else "[]"
        if not ends.over[play]:
            return self._framed.line(seed, written, None)
        seats, count = ends.seats, len(self._items)
        winners = [seat for seat in range(seats) if ends.won[play * seats + seat]]
        first = play * seats * count
        scores = [
            list(zip(self._items, ends.points[first + seat * count :], strict=False))
            for seat in range(seats)
        ]
        return self._framed.line(seed, written, (winners, scores))


def _count(arm: Arm) -> int:
    """Count the options of an arm."""
    count = 1
    for _, _, size in arm.arguments:
        count *= size
    return count


def _name_indices(arms: Sequence[Arm], words: Words) -> array[int]:
    """Return an index for each option. Options with the same name have the same index."""
    last = arms[-1]
    found = array("i", bytes(4 * (last.base + _count(last))))
    known: dict[str, int] = {}
    for arm in arms:
        values = product(*(range(low, low + size) for _, low, size in arm.arguments))
        for option, each in enumerate(values, arm.base):
            name = option_name(arm, each, words.program.domains)
            found[option] = known.setdefault(name, len(known))
    return found
