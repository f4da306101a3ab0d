"""Builds the actions of powers. Such an action is possible only while the card is in a place where
the power applies.
"""

from __future__ import annotations

from functools import partial
from typing import cast

from attrs import evolve

from rulewright.dsl.model.model import Model
from rulewright.dsl.model.table_cache import TableInputs
from rulewright.dsl.tree import declared, syntax
from rulewright.dsl.tree.nesting import rewrite

_CARD = "the card"
"""A name that no author can write. So it hides no other name."""


def guard_action(
    model: Model, action: declared.Rule, power: declared.Power, table_inputs: TableInputs
) -> declared.Rule:
    """Return an action of a power. Its first step requires that the power applies to the acting player."""
    owner = _owner(model, power)
    rows = model.row_names.get(power.name, [])
    is_one = len(rows) == 1 and len(rows[0][1]) == 1
    how = partial(_guard_action, action, power, owner, is_one)
    return table_inputs.cached_result(how, (action, power), owner, is_one)


def _guard_action(
    action: declared.Rule, power: declared.Power, owner: str | None, is_one: bool
) -> declared.Rule:
    span = power.name_span
    place = _replace_owner(power.place, owner)
    where = None if power.where is None else _replace_owner(power.where, owner)
    if power.type is not None:
        condition = where
        binder = syntax.Binder(span, power.name, span, power.type, place)
        words: tuple[str | syntax.Expression, ...] = ("no card allows this",)
    else:
        card = syntax.Binary(span, "is", syntax.Word(span, _CARD), syntax.Word(span, power.name))
        condition = card if where is None else syntax.Binary(span, "and", card, where)
        binder = syntax.Binder(span, _CARD, span, None, place)
        shown = syntax.Word(span, power.name) if is_one else power.name.replace("_", " ")
        words = ("only ", shown, " allows this")
    there = syntax.Query(span, "any", (binder,), condition)
    needs = syntax.Needs(span, action.tags or power.tags, there, syntax.Text(span, words))
    return evolve(action, body=(needs, *action.body))


def _owner(model: Model, power: declared.Power) -> str | None:
    """Return the name that a place declares for its owner, such as `p` in `p.leader`; None if there is none."""
    first = power.place
    while isinstance(first, syntax.Dot):
        first = first.subject
    if first is power.place or not isinstance(first, syntax.Word):
        return None
    known = (model.row_names, model.states, model.zones, model.values, model.options, ("me",))
    return None if any(first.name in names for names in known) else first.name


def _replace_owner(e: syntax.Expression, owner: str | None) -> syntax.Expression:
    """Replace the owner in an expression with the acting player."""

    def me(part: object) -> object | None:
        return (
            evolve(part, name="me")
            if isinstance(part, syntax.Word) and part.name == owner
            else None
        )

    return cast("syntax.Expression", rewrite(e, me))
