"""Determines whether the rules always show a chosen thing to everybody immediately.

If so, the choice may be logged. The search uses only names, and ignores steps under a condition or
after a further decision.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulewright.dsl.lowering.analysis.analysis import Analysis
from rulewright.dsl.tree import declared, syntax


def is_laid_open(
    a: Analysis,
    statements: Sequence[syntax.Statement],
    name: str,
    inside: frozenset[str] = frozenset(),
) -> bool:
    """Return whether these steps show the value of a name before any further decision."""
    for s in statements:
        if _shows(a, s, name, inside):
            return True
        if a.suspends((s,)):
            return False
    return False


def _shows(a: Analysis, s: syntax.Statement, name: str, inside: frozenset[str]) -> bool:
    match s:
        case syntax.Surely(step=step):
            return _shows(a, step, name, inside)
        case syntax.AtOnce(body=body):
            return is_laid_open(a, body, name, inside)
        case syntax.Log(text=text, to=None):
            return any(_is_name(part, name) for part in text.parts)
        case syntax.Move(how="exactly", amount=amount, target=target):
            # everybody also sees the number of things in an open place
            shows = _is_name(amount, name) or _belongs_to(target, name)
            return shows and _is_open(a, target)
        case syntax.SetTo(place=place, value=value):
            return (_is_name(value, name) or _belongs_to(place, name)) and _is_open(a, place)
        case syntax.Amount(amount=amount, place=place):
            return (_is_name(amount, name) or _belongs_to(place, name)) and _is_open(a, place)
        case syntax.Do(call=syntax.Call(arguments=arguments), effect=False):
            keys = a.callees(s)
            return bool(keys) and all(_rule_shows(a, key, arguments, name, inside) for key in keys)
        case _:  # all others: they do not certainly reveal anything
            return False


def _rule_shows(
    a: Analysis,
    key: str,
    arguments: Sequence[syntax.Expression],
    name: str,
    inside: frozenset[str],
) -> bool:
    """Return whether a rule shows the value of `name`, given that a caller passes this name as an argument."""
    called = a.bodies.get(key)
    rule = called.node if called is not None else None
    if called is None or key in inside or not isinstance(rule, declared.Rule):
        return False
    if a.hooks.get(rule.name):
        return False  # a hook may replace the rule
    return any(
        _is_name(e, name) and is_laid_open(a, called.statements, param.name, inside | {key})
        for param, e in zip(rule.params, arguments, strict=False)
    )


def _is_name(e: object, name: str) -> bool:
    return isinstance(e, syntax.Word) and e.name == name


def _belongs_to(place: syntax.Expression, name: str) -> bool:
    """Return whether a place belongs to the named thing. If so, a change to the place shows the thing."""
    match place:
        case syntax.Call(arguments=arguments):
            return any(_is_name(e, name) for e in arguments)
        case syntax.Dot(name="slot", subject=subject):
            return _belongs_to(subject, name)
        case syntax.Dot(subject=subject, arguments=arguments):
            return any(_is_name(e, name) for e in (subject, *(arguments or ())))
        case syntax.WrittenValue() | syntax.Operation() | syntax.Word():
            return False


def _is_open(a: Analysis, place: syntax.Expression) -> bool:
    """Return whether an expression names a place whose contents everybody sees.

    A place that belongs to a piece is seen only by players who know the piece.
    """
    while isinstance(place, syntax.Dot) and place.name == "slot":
        place = place.subject
    if not isinstance(place, syntax.Word | syntax.Call | syntax.Dot):
        return False
    kinds = a.model.pieces.values()
    if any(part.name == place.name for kind in kinds for part in (*kind.states, *kind.zones)):
        return False
    found = list(_declarations(a, place.name))
    return bool(found) and all(
        part.seen is None or part.seen.by not in ("owner", "others", "nobody") for part in found
    )


def _declarations(a: Analysis, name: str) -> Iterator[declared.State | declared.Zone]:
    """Yield all states and zones with this name that do not belong to pieces."""
    model = a.model
    found = (
        model.states.get(name),
        model.zones.get(name),
        model.player_states.get(name),
        model.player_zones.get(name),
    )
    yield from (part for part in found if part is not None)
    for kind in model.spaces.values():
        yield from (state for state in kind.states if state.name == name)
        yield from (zone for zone in kind.zones if zone.name == name)
