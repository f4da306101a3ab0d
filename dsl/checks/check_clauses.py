"""Compares the clauses that rules cite with those of the rulebook (see `rulewright.dsl.checks.clauses`)."""

from __future__ import annotations

from rulewright.dsl.checks.checked import Checked
from rulewright.dsl.checks.clauses import accounts


def check_clauses(game: Checked) -> None:
    """Report clauses that nothing accounts for, or twice in two ways, and citations of nothing."""
    if game.clauses is not None:
        accounts(game.clauses, game.declarations, game.problems)
