"""Add local names and their labels: names that steps declare, elements of a loop, and parameters of a call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rulewright.dsl.checks.secrecy.labels import (
    Labels,
    Names,
    computed_from,
    player_name,
    player_name_at,
)
from rulewright.dsl.checks.secrecy.reading import Reader
from rulewright.dsl.immutable import evolve
from rulewright.dsl.lowering.analysis.bodies import Body
from rulewright.dsl.tree import declared, syntax
from rulewright.dsl.tree.nesting import call_name


def bind(
    s: syntax.Let | syntax.LetDo | syntax.Choose | syntax.Roll, names: Names, read: Reader
) -> None:
    """Add the local name that a step declares."""
    match s:
        case syntax.LetDo(name=name, call=call):
            given = computed_from(read.contents.get(result_of(call_name(call.call)), ()))
            names.own[name] = evolve(given, player=player_name(s))
        case syntax.Let(name=name, value=value):
            player = read.lasting_player(value, names) or player_name(s)
            names.own[name] = evolve(read.labels(value, names), player=player)
        case syntax.Choose(name=name, source=source):
            names.own[name] = choice_labels(read.labels(source, names), player_name(s))
        case syntax.Roll(place=syntax.Word(name=name, span=span), source=source):
            names.own[name] = choice_labels(read.labels(source, names), player_name_at(name, span))
        case syntax.Roll():
            pass  # the roll goes into a stored place


def result_of(rule: str) -> str:
    """Return the name under which the secrets of the result of a rule are stored."""
    return f"result of {rule}"


def with_element(
    binder: syntax.Binder | syntax.Choose, names: Names, read: Reader
) -> tuple[Names, Labels]:
    """Add a name for an element of the source to the names, and return them with the labels of the source."""
    inner, source = names.inner(), read.labels(binder.source, names)
    inner.own[binder.name] = evolve(source, extent=(), player=player_name(binder))
    return inner, source


def conditions(binder: syntax.Binder | syntax.Choose | declared.Param) -> tuple[object, ...]:
    """Return the `while` or `until` condition that ends a source, or an empty tuple if there is none."""
    return () if binder.stretch is None else (binder.stretch.condition,)


def choice_labels(source: Labels, player: str) -> Labels:
    """Return the labels of a chosen thing. A chosen piece may be hidden; any other chosen thing
    depends on no secret.
    """
    if not source.pieces:
        return Labels(player=player)
    content = tuple(atom for atom in source.lies if not atom.is_marker)
    return evolve(source, content=content, extent=(), player=player)


def params_of(body: Body) -> Sequence[declared.Param]:
    """Return the parameters of a body."""
    node = body.node
    return node.params if isinstance(node, declared.Rule | declared.Effect) else ()


def call_names(
    body: Body, given: Sequence[Labels], me: Labels | None, changed: Mapping[str, Labels]
) -> tuple[Names, Sequence[declared.Param]]:
    """Return the names at the start of a called body, and the parameters that the player chooses.

    `given` contains the arguments; for an effect, the card comes first. `changed` contains the
    values that the call changes while it runs.
    """
    names = Names({"me": me or Labels(player="me"), **changed})
    node, params = body.node, params_of(body)
    if isinstance(node, declared.Effect) and given:
        if node.type is not None:
            names.own[node.name] = given[0]
        given = given[1:]
    names.own.update((param.name, part) for param, part in zip(params, given, strict=False))
    return names, [param for param in params[len(given) :] if param.source is not None]
