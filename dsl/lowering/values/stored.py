"""Lowers expressions that use states, zones and places for tokens."""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.dsl import ir
from rulewright.dsl.diagnostics.source import Span
from rulewright.dsl.lowering.emit.code import Expr, binary
from rulewright.dsl.lowering.emit.core import BAD, Compiler, Env, Typed
from rulewright.dsl.lowering.emit.layout import CellGroup
from rulewright.dsl.lowering.emit.routines import routine
from rulewright.dsl.lowering.values import expressions
from rulewright.dsl.lowering.values.places import index_of, place_of_owner
from rulewright.dsl.model import types
from rulewright.dsl.model.types import PLAYER, TOKENS, fits, join
from rulewright.dsl.tree import syntax


def group_value(
    env: Env,
    group: CellGroup,
    subject: Expr | None,
    arguments: Sequence[syntax.Expression],
    span: Span,
) -> Typed:
    """Return the value of a state, or a reference to a zone or to a place for tokens."""
    return groups_value(env, [group], subject, arguments, span)


def groups_value(
    env: Env,
    groups: Sequence[CellGroup],
    subject: Expr | None,
    arguments: Sequence[syntax.Expression],
    span: Span,
) -> Typed:
    """Return the value of an attribute, as `group_value` does, for a subject that may be of several kinds.

    Each kind has the attribute in one of the groups.
    """
    c = env.c
    group = groups[0]
    for each in groups:
        each.read = True
    c.reads.add(group.name)
    wanted = len(group.indices)
    has_colours = group.what == "tokens" and not group.own_colour
    has_colours = has_colours and c.model.tokens[group.token].per_player
    colour_given = has_colours and len(arguments) == wanted + 1
    if len(arguments) != wanted and not colour_given:
        if wanted:
            c.problems.error(
                "wrong-arguments",
                f"`{group.name}` takes {wanted} in brackets, but gets {len(arguments)}",
                span,
                help=_indices_help(env, group, span),
            )
        else:
            c.problems.error(
                "wrong-arguments",
                f"`{group.name}` takes nothing in brackets",
                span,
                help=f"write `{group.name}`, or declare it for several: `{group.name}(n: 1..3)`",
            )
        return BAD
    indices: list[Expr] = []
    for index, argument in zip(group.indices, arguments, strict=False):
        type = index.type
        typed = expressions.value_of_type(env, argument, type)
        indices.append(
            expressions.checked_number(env, typed, type, argument, f"the index of `{group.name}`")
        )
    if len(groups) == 1:
        base = binary(
            "+",
            binary(
                "+",
                ir.Const(group.base),
                binary("*", place_of_owner(group, subject), ir.Const(group.per_owner)),
            ),
            index_of(group, indices),
        )
    else:
        base = binary("+", _table_of_places(c, groups, subject), index_of(group, indices))
    match group.what:
        case "zone":
            return Typed(types.Zone(of=group.type), base, group=group)
        case "tokens":
            if colour_given:
                who = expressions.value_of_type(env, arguments[-1], PLAYER)
                return Typed(
                    group.type,
                    ir.Load(binary("+", base, who.code)),
                    group=group,
                    owner=who.code,
                )
            return Typed(TOKENS, base, group=group)
        case "state":
            if isinstance(group.type, types.List):
                return Typed(group.type, ir.CallValue(routine(c, "list at"), (base,)), group=group)
            type = group.type
            for other in groups[1:]:
                joined = join(type, other.type)
                type = joined if joined is not None else type
            return Typed(type, ir.Load(base), group=group)


def _indices_help(env: Env, group: CellGroup, span: Span) -> str:
    """Return help for missing brackets. For each index, it suggests a name in scope that fits or,
    if there is none, the type.
    """
    found = []
    for index in group.indices:
        held = [
            name
            for name, known in env.scope.items()
            if fits(known.type, index.type) and name.isidentifier()
        ]
        of_held = [
            f"{name}.{column}"
            for name, known in env.scope.items()
            if isinstance(known.type, (types.Piece, types.Space)) and name.isidentifier()
            for kind in env.c.model.kinds_of(known.type)[:1]
            for column, kept in kind.columns.items()
            if fits(kept.type, index.type)
        ]
        found.append([*held[::-1], *of_held[::-1]])
    kind_names = ", ".join(
        index.type.names[0].upper() if index.type.names else "N" for index in group.indices
    )
    before = span.text.partition("(")[0] if "\n" not in span.text else group.name
    if not all(found):
        return f"write `{before}({kind_names})`"
    return f"write `{before}({', '.join(names[0] for names in found)})`"


def _table_of_places(c: Compiler, groups: Sequence[CellGroup], subject: Expr | None) -> Expr:
    assert subject is not None
    low = min(f.owner.first for f in groups)
    high = max(f.owner.first + f.owner.count - 1 for f in groups)
    bases: list[object] = [0] * (high - low + 1)
    for f in groups:
        for n in range(f.owner.count):
            bases[f.owner.first - low + n] = f.base + n * f.per_owner
    return ir.Table(c.table(bases), binary("-", subject, ir.Const(low)))


def list_writer(c: Compiler, capacity: int, *, is_sorted: bool) -> int:
    """Return the number of the procedure that stores a list in cells as its length followed by its items.

    A list without an order is sorted.
    """
    return routine(
        c,
        "write list",
        f"write list {capacity} {is_sorted}",
        most=capacity,
        is_sorted=int(is_sorted),
    )
