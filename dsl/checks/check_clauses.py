"""Compares the clauses that rules cite with those of the rulebook: unknown ones, and ones that nothing cites.

A rulebook is a text whose items begin `- **EN-034** ...`; without one nothing is compared.
"""

from __future__ import annotations

import re

from rulewright.dsl import syntax
from rulewright.dsl.checks.checked import Checked
from rulewright.dsl.lowering.core import clause_ids, walk
from rulewright.dsl.source import Span
from rulewright.dsl.suggest import did_you_mean

_ITEM = re.compile(r"^[ \t]*[-*][ \t]+\*\*([A-Z]{2,}-[A-Z0-9]+)\*\*", re.MULTILINE)


def check_clauses(game: Checked) -> None:
    """Report citations of nothing and clauses without a rule or a note."""
    if game.clauses is None:
        return
    listed = {
        match[1]: Span(game.clauses, match.start(1), match.end(1))
        for match in _ITEM.finditer(game.clauses.text)
    }
    cited: set[str] = set()
    for part in walk(game.declarations):
        if not isinstance(part, syntax.Tag):
            continue
        for id in clause_ids((part,)):
            cited.add(id)
            edge = id in (part.first, part.last)
            if edge and id not in listed:
                game.problems.warning(
                    "unknown-clause",
                    f"the rulebook has no clause `{id}`",
                    part.span,
                    help=did_you_mean(id, listed),
                )
    for id, place in listed.items():
        if id not in cited:
            game.problems.warning(
                "uncited-clause",
                f"`{id}` is cited by no rule and explained by no note",
                place,
                help=f"write `[{id}]` behind the rule, or a `note` that says why there is none",
            )
