"""Compare the clauses that rules cite with the clauses of the rulebook (see `rulewright.dsl.checks.clauses`)."""

from __future__ import annotations

from rulewright.dsl.checks.checked import Checked
from rulewright.dsl.checks.clauses import accounts, citations_in, clauses_and_problems


def check_clauses(game: Checked) -> None:
    """Report clauses that no line cites, clauses that are both implemented and waived, and
    citations of unknown clauses.
    """
    if game.clauses is not None:
        found = [one for d in game.declarations for one in game.memo.of(citations_in, d)]
        clauses, problems = game.memo.of(clauses_and_problems, game.clauses)
        game.problems.extend(problems)
        accounts(clauses, found, game.problems)
