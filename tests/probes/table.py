"""A match for a test, which chooses by names, sets results of chance, and reads everything.

Independent of any game.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property

import attrs

from rulewright.dsl import ir
from rulewright.interpreter.matches.state import State
from rulewright.interpreter.text.names import Value
from rulewright.interpreter.views.view import ALL_SEEING, Piece, View
from tests.games.variants import game_named


@attrs.frozen
class Change:
    """The effect of a power on a value, such as `less 2`, and whether it is active."""

    word: str
    power: str
    amount: int


CHANGES = ("more", "less", "is", "at least", "at most")


@attrs.frozen(eq=False, slots=False)
class Table:
    """A state of a game, with queries for tests. It is immutable: a choice returns another table."""

    state: State

    # ---- playing

    @property
    def who(self) -> int:
        """The player who decides, from 1; 0 for chance and at the end."""
        return self.state.player + 1

    @property
    def names(self) -> list[str]:
        """The names of the options, in order."""
        return self.state.decision.names

    @property
    def texts(self) -> list[str]:
        """The words of the options, in order."""
        return [option.text for option in self.state.decision.options]

    @property
    def prompt(self) -> str:
        """The question; "" at the end."""
        return "" if self.state.over else self.state.decision.prompt

    def why(self, name: str) -> str | None:
        """Why an option cannot be chosen."""
        return self.state.decision.why(name)

    def play(self, *names: str) -> Table:
        """The table after these choices, one after the other; chance is not skipped."""
        state = self.state
        for name in names:
            assert not state.at_chance, f"chance comes before {name}"
            state = state.choose(name)
        return Table(state)

    def roll(self, *names: str) -> Table:
        """The table after chance has given these results."""
        state = self.state
        for name in names:
            assert state.at_chance, f"there is no chance that could give {name}"
            state = state.choose(name)
        return Table(state)

    def settle(self, answer: Callable[[int], int] = lambda bound: bound - 1) -> Table:
        """The table after all chance up to the next decision; `answer` gets the bound and returns the result."""
        state = self.state
        while state.at_chance:
            state = state.take(answer(len(state.option_ids)))
        return Table(state)

    def shuffle(self, wanted: Sequence[int], before: Sequence[int]) -> Table:
        """The table after a shuffle that puts things in the order `wanted` (now they are `before`).

        From the top down, each place gets one of the things that are not placed yet.
        """
        state, lying = self.state, list(before)
        for place in range(len(lying) - 1, 0, -1):
            assert state.at_chance
            assert len(state.option_ids) == place + 1
            other = lying.index(wanted[place], 0, place + 1)
            lying[place], lying[other] = lying[other], lying[place]
            state = state.take(other)
        assert lying == list(wanted)
        return Table(state)

    @property
    def log_lines(self) -> list[str]:
        """The log lines since the previous decision."""
        return [line.text for line in self.state.log]

    # ---- looking

    @property
    def seen(self) -> View:
        """Everything."""
        return self.state.view(ALL_SEEING)

    def zone(self, name: str, of: str = "") -> list[str]:
        """The pieces of a zone, from bottom to top or by their slots."""
        return [piece.name for piece in self._zone(name, of)]

    def ids(self, name: str, of: str = "") -> tuple[int, ...]:
        """The numbers of the pieces of a zone."""
        return tuple(piece.id for piece in self._zone(name, of))

    def _zone(self, name: str, of: str) -> tuple[Piece, ...]:
        found = [z for z in self.seen.zones if (z.place.label, z.place.of) == (name, of)]
        return found[0].pieces if found else ()

    def value_of(self, name: str, of: str = "") -> int | str:
        """A stored value: a number, or a name."""
        for value in self.seen.values:
            if (value.place.label, value.place.of) == (name, of):
                assert isinstance(value.value, str)
                return int(value.value) if value.value.lstrip("-").isdigit() else value.value
        raise KeyError(name, of)

    def tokens(self, name: str, of: str = "") -> dict[str, int]:
        """The number of tokens of each owner in a place."""
        for tokens in self.seen.tokens:
            if (tokens.place.label, tokens.place.of) == (name, of):
                return {whose: count for whose, count in tokens.counts or () if count}
        return {}

    def value(self, name: str, *arguments: str | int | tuple[int, ...]) -> Value:
        """A named value; its subject and its parameters are names, numbers or sets of numbers."""
        named = self._find_value(name)
        return self.state.compiled.engine.value(
            self.state.cells, named.procedure, tuple(map(self.number, arguments))
        )

    def base(self, name: str, *arguments: str | int | tuple[int, ...]) -> Value:
        """An open value before anything changes it."""
        base = self._find_value(name).base
        assert base is not None
        return self.state.compiled.engine.value(
            self.state.cells, base, tuple(map(self.number, arguments))
        )

    def changes(self, name: str, *arguments: str | int | tuple[int, ...]) -> list[Change]:
        """The reasons of an open value, in the order of the file."""
        found = []
        for words, _, procedure in self._find_value(name).sources:
            answer = self.state.compiled.list(
                self.state.cells, procedure, tuple(map(self.number, arguments))
            )
            for at in range(0, len(answer), 3):
                code, amount, _ = answer[at : at + 3]
                assert isinstance(code, int)
                assert isinstance(amount, int)
                found.append(Change(CHANGES[code], words, amount))
        return found

    def _find_value(self, name: str) -> ir.NamedValue:
        return next(value for value in self.state.compiled.program.values if value.name == name)

    def number(self, name: str | int | tuple[int, ...]) -> Value:
        """The number of a piece, a space, a player or a word of a kind."""
        return name if not isinstance(name, str) else self._numbers[name]

    @cached_property
    def _numbers(self) -> dict[str, int]:
        program = self.state.compiled.program
        found: dict[str, int] = {}
        kinds: list[ir.PieceKind | ir.SpaceKind] = [*program.pieces, *program.spaces]
        for things in kinds:
            for place, row in enumerate(things.rows):
                found.setdefault(row, things.first + place)
        for domain in program.domains:
            for place, row in enumerate(domain.names):
                found.setdefault(row, domain.offset + place)
        return found


def sit_down(probe: str, players: int | None = None, seed: int | None = None) -> Table:
    """A new match; without a seed, the test gives the results of chance."""
    game = game_named(probe)
    if seed is not None:
        return Table(game.start(players, seed))
    return Table(game.start(players, chance="manual"))
