"""Stored things: the value of a state, or a zone or place for tokens."""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.dsl import ir
from rulewright.dsl.diagnostics.source import Span
from rulewright.dsl.lowering.emit.code import Expr, binary
from rulewright.dsl.lowering.emit.core import BAD, Compiler, Env, Typed
from rulewright.dsl.lowering.emit.layout import Family
from rulewright.dsl.lowering.emit.routines import routine
from rulewright.dsl.lowering.values import expressions, places
from rulewright.dsl.lowering.values.places import index_of, place_of_owner
from rulewright.dsl.model import types
from rulewright.dsl.model.types import PLAYER, TOKENS, fits, join
from rulewright.dsl.tree import syntax


def family_value(
    env: Env,
    family: Family,
    subject: Expr | None,
    arguments: Sequence[syntax.Expression],
    span: Span,
) -> Typed:
    """The value of a state, or the zone or place for tokens itself."""
    return families_value(env, [family], subject, arguments, span)


def families_value(
    env: Env,
    families: Sequence[Family],
    subject: Expr | None,
    arguments: Sequence[syntax.Expression],
    span: Span,
) -> Typed:
    """As `family_value`, for a subject of several possible kinds, each of which has it."""
    c = env.c
    family = families[0]
    for each in families:
        each.read = True
    c.reads.add(family.name)
    wanted = len(family.indices)
    colour_given = _has_colours(c, family) and len(arguments) == wanted + 1
    if len(arguments) != wanted and not colour_given:
        if wanted:
            c.problems.error(
                "wrong-arguments",
                f"`{family.name}` takes {wanted} in brackets, here stand {len(arguments)}",
                span,
                help=_with_indices(env, family, span),
            )
        else:
            c.problems.error(
                "wrong-arguments",
                f"`{family.name}` takes nothing in brackets",
                span,
                help=f"write `{family.name}`, or declare it for several: `{family.name}(n: 1..3)`",
            )
        return BAD
    indices: list[Expr] = []
    for index, argument in zip(family.indices, arguments, strict=False):
        type = index.type
        typed = expressions.something(env, argument, type)
        indices.append(
            expressions.checked_number(env, typed, type, argument, f"the index of `{family.name}`")
        )
    if len(families) == 1:
        base = binary(
            "+",
            binary(
                "+",
                ir.Const(family.base),
                binary("*", place_of_owner(family, subject), ir.Const(family.per_owner)),
            ),
            index_of(family, indices),
        )
    else:
        base = binary("+", _table_of_places(c, families, subject), index_of(family, indices))
    match family.what:
        case "zone":
            return Typed(types.Zone(of=family.type), base, family=family)
        case "tokens":
            if colour_given:
                who = expressions.something(env, arguments[-1], PLAYER)
                return Typed(
                    family.type,
                    ir.Load(binary("+", base, who.code)),
                    family=family,
                    owner=who.code,
                )
            return Typed(TOKENS, base, family=family)
        case "state":
            if isinstance(family.type, types.List):
                return Typed(family.type, ir.CallValue(list_reader(c), (base,)), family=family)
            type = family.type
            for other in families[1:]:
                joined = join(type, other.type)
                type = joined if joined is not None else type
            return Typed(type, ir.Load(base), family=family)


def _with_indices(env: Env, family: Family, span: Span) -> str:
    """The suggestion for missing brackets: names in scope that fit the index, or its type."""
    found = []
    for index in family.indices:
        held = [
            name
            for name, known in env.scope.items()
            if fits(known.type, index.type) and name.isidentifier()
        ]
        of_held = [
            f"{name}.{column}"
            for name, known in env.scope.items()
            if isinstance(known.type, (types.Piece, types.Space)) and name.isidentifier()
            for kind in places.kinds_of(env, known.type)[:1]
            for column, kept in kind.columns.items()
            if fits(kept.type, index.type)
        ]
        found.append([*held[::-1], *of_held[::-1]])
    sorts = ", ".join(
        index.type.names[0].upper() if index.type.names else "N" for index in family.indices
    )
    before = span.text.partition("(")[0] if "\n" not in span.text else family.name
    if not all(found):
        return f"write `{before}({sorts})`"
    return f"write `{before}({', '.join(names[0] for names in found)})`"


def _has_colours(c: Compiler, family: Family) -> bool:
    """Whether a place may hold tokens of each player, even if there is only one player."""
    is_tokens = family.what == "tokens" and not family.own_colour
    return is_tokens and c.model.tokens[family.token].per_player


def _table_of_places(c: Compiler, families: Sequence[Family], subject: Expr | None) -> Expr:
    assert subject is not None
    low = min(f.owner.first for f in families)
    high = max(f.owner.first + f.owner.count - 1 for f in families)
    bases: list[object] = [0] * (high - low + 1)
    for f in families:
        for n in range(f.owner.count):
            bases[f.owner.first - low + n] = f.base + n * f.per_owner
    return ir.Table(c.table(bases), binary("-", subject, ir.Const(low)))


def list_reader(c: Compiler) -> int:
    """The procedure that reads a list from cells: the count, then the items."""
    return routine(
        c,
        "list at",
        """
        def list_at(at):
            out = []
            for n in range(1, cell[at] + 1): out.append(cell[at + n])
            return out
        """,
    )


def list_writer(c: Compiler, capacity: int, *, sort: bool) -> int:
    """Store a list in cells: the count, then the items; sets are in order of their numbers."""
    return routine(
        c,
        f"write list {capacity} {sort}",
        """
        def write_list(at, items):
            for n in range(most + 1): cell[at + n] = 0
            for x in items:
                if cell[at] < most:
                    cell[at] += 1
                    n = cell[at]
                    if sort:
                        while n > 1 and cell[at + (n - 1)] > x:
                            cell[at + n] = cell[at + (n - 1)]
                            n -= 1
                    cell[at + n] = x
        """,
        most=capacity,
        sort=int(sort),
    )
