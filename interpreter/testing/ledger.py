"""Makes the clause ledger: for each clause of a rulebook, its rules, its tests and how many matches reach it.

A clause without a rule has a reason instead. `rulewright.dsl.checks.clauses` reports mistakes in
clauses.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

import attrs

from rulewright.dsl.checks.clauses import Account, Clause, line_citations
from rulewright.dsl.diagnostics.source import Span
from rulewright.dsl.tree import scenario_syntax
from rulewright.interpreter.engines.engines import EngineName
from rulewright.interpreter.matches.game import Game
from rulewright.interpreter.testing.coverage import Watched, shared_out, variants_of

Place: TypeAlias = tuple[str, int]
"""A file, and the offset of the first bracket of a line in it."""


@attrs.frozen
class Test:
    """A scenario that cites a clause."""

    name: str
    span: Span


@attrs.frozen
class Entry:
    """One line of the ledger.

    `fired` is the number of matches that reached a rule of the clause. It is None if the lines of
    the clause cannot be reached (a component, a zone, a number in a table).
    """

    clause: Clause
    rules: tuple[Span, ...]
    reasons: tuple[str, ...]
    tests: tuple[Test, ...]
    fired: int | None

    @property
    def is_waived(self) -> bool:
        """Return whether the clause has no rule, and a note says why."""
        return bool(self.reasons) and not self.rules

    @property
    def is_missing(self) -> bool:
        """Return whether the clause has no rule, and no note says why."""
        return not self.reasons and not self.rules

    @property
    def is_untested(self) -> bool:
        """Return whether the clause has a rule, but no scenario cites the clause."""
        return bool(self.rules) and not self.tests


@attrs.frozen
class Ledger:
    """All clauses of a game in the order of its rulebook."""

    entries: tuple[Entry, ...]
    plays: int
    variants: int


def make_ledger(
    game: Game,
    accounts: Sequence[Account],
    scenarios: Sequence[scenario_syntax.Scenario],
    plays: int,
    seed: int = 0,
    engine: EngineName = "python",
    options: Mapping[str, str] | None = None,
    tick: Callable[[], None] | None = None,
) -> Ledger:
    """Make the ledger of a game, from random matches with all numbers of players and all options that are not fixed.

    `tick` is called after each match.
    """
    shares = shared_out(variants_of(game, options=options), plays)
    by_place = clauses_at(accounts)
    fired: dict[str, int] = {}
    for variant, count in shares:
        watched = Watched.of(game, variant, engine)
        clauses = {
            key: [id for place in point.cited for id in by_place.get(place, ())]
            for key, point in watched.points.items()
        }
        for ids in clauses.values():
            for id in ids:
                fired.setdefault(id, 0)
        seats = ("random",) * watched.plain.program.seats
        for number in range(count):
            reached, _ = watched.play(seed + number, seats)
            for id in {id for key in reached for id in clauses.get(key, ())}:
                fired[id] += 1
            if tick is not None:
                tick()
    tests = _tests(scenarios)
    entries = tuple(
        Entry(
            account.clause,
            tuple(sorted({each.span for each in account.rules})),
            tuple(dict.fromkeys(each.reason for each in account.notes if each.reason is not None)),
            tuple(tests.get(account.clause.id, ())),
            fired.get(account.clause.id),
        )
        for account in accounts
    )
    return Ledger(entries, plays, len(shares))


def clauses_at(accounts: Sequence[Account]) -> dict[Place, list[str]]:
    """Map each place of the rules to the clauses cited there."""
    found: dict[Place, list[str]] = {}
    for account in accounts:
        for each in account.rules:
            if not each.outer:
                place = each.at.source.name, each.at.start
                found.setdefault(place, []).append(account.clause.id)
    return found


def _tests(scenarios: Sequence[scenario_syntax.Scenario]) -> dict[str, list[Test]]:
    found: dict[str, list[Test]] = {}
    for scenario in scenarios:
        for id in dict.fromkeys(each.id for each in line_citations(scenario.tags)):
            found.setdefault(id, []).append(Test(scenario.text, scenario.span))
    return found
