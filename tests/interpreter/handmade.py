"""Handwritten programs as games: everything around the engine, tested without the language."""

from __future__ import annotations

from collections.abc import Mapping

import attrs

from rulewright.dsl.diagnostics.diagnostics import Diagnostic
from rulewright.dsl.facts_data import GameFacts
from rulewright.dsl.ir import Program
from rulewright.dsl.loading.confinement import Reach
from rulewright.interpreter.matches.game import Game, game_of
from tests.interpreter.handmade_cards import CARDS
from tests.interpreter.handmade_four import FOUR


@attrs.frozen
class Handmade:
    """Stands for a loaded game file."""

    only: Program
    facts: GameFacts
    hash: str = "0" * 16
    problems: tuple[Diagnostic, ...] = ()

    def program(self, players: int, options: Mapping[str, str]) -> Program | None:
        """The one program."""
        return self.only if players == self.only.players else None

    def program_with_openly(self, players: int, options: Mapping[str, str]) -> Program:
        """The same program: it has no `openly`."""
        return self.only

    def problems_of(self, players: int, options: Mapping[str, str]) -> tuple[Diagnostic, ...]:
        """None at all."""
        return ()

    @property
    def reach(self) -> Reach:
        """Its own folder."""
        return Reach()

    def never(self, players: int, options: Mapping[str, str]) -> str | None:
        """Every combination is played."""
        return None

    def number_of_variants(self) -> int:
        """One."""
        return 1

    def checked_variants(self) -> list[tuple[int, dict[str, str]]]:
        """The one there is."""
        return self.variants()

    def variants(
        self, players: int | None = None, given: Mapping[str, str] | None = None
    ) -> list[tuple[int, dict[str, str]]]:
        """The one there is."""
        return [(self.only.players, {})]


def handmade(program: Program, **facts: object) -> Game:
    """A handmade program as a game."""
    usual = GameFacts(program.title, "hand", 2, 2, (), rulebook=None, path=None)
    known = attrs.evolve(usual, **facts)  # type: ignore[arg-type]  # fields of the facts
    return game_of(program.title, Handmade(program, known))


def four() -> Game:
    """Connect Four."""
    return handmade(FOUR)


def cards() -> Game:
    """Six cards."""
    return handmade(CARDS)
