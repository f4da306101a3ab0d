"""Finds the text printed on cards and places: words from the tables, and the clauses that effects
of the cards and places cite.
"""

from __future__ import annotations

from rulewright.dsl.lowering.emit.paths import clause_ids
from rulewright.dsl.model.model import Model, ThingKind
from rulewright.dsl.tree import declared


def words_and_clauses(
    model: Model, kind: ThingKind
) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    """For each row of a kind, return the words printed on it, and the clauses that its powers and
    effects cite. If no row has words or clauses, return an empty tuple.
    """
    words = tuple(kind.words) if any(kind.words) else ()
    cited: dict[str, dict[str, None]] = {name: {} for name in kind.rows}
    lines: list[declared.Power | declared.Effect] = [*model.powers, *model.effects]
    for line in lines:
        if line.name in cited:
            cited[line.name].update(dict.fromkeys(clause_ids(line.tags)))
    if not any(cited.values()):
        return words, ()
    return words, tuple(tuple(cited[name]) for name in kind.rows)
