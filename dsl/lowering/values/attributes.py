"""Lowers attributes after a dot, cells of tables and lookups of grid cells.

An attribute is a column, a state, a zone, a value or a built-in.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rulewright.dsl import ir
from rulewright.dsl.diagnostics import foreign_words
from rulewright.dsl.diagnostics.advice import Help, advice, write
from rulewright.dsl.diagnostics.source import Span
from rulewright.dsl.diagnostics.suggest import did_you_mean, listed_and
from rulewright.dsl.immutable import evolve
from rulewright.dsl.lowering.emit import builtins, recursion, value_help
from rulewright.dsl.lowering.emit.code import NONE, ONE, ZERO, Expr, between, binary, both, choice
from rulewright.dsl.lowering.emit.core import BAD, Compiler, Env, Typed
from rulewright.dsl.lowering.emit.recursion import lowers
from rulewright.dsl.lowering.emit.routines import routine
from rulewright.dsl.lowering.values import calling, expressions, positions, rows, values
from rulewright.dsl.lowering.values.stored import group_value, groups_value
from rulewright.dsl.model import types
from rulewright.dsl.model.dependencies import add_uses
from rulewright.dsl.model.model import DIRECTIONS, ThingKind
from rulewright.dsl.model.types import (
    FLAG,
    UNKNOWN,
    Type,
    are_comparable,
    describe,
    item_of,
    join,
    range_of,
    whole,
)
from rulewright.dsl.parsing import hints
from rulewright.dsl.text.names import as_name
from rulewright.dsl.tree import syntax

# ---- the dot --------------------------------------------------------------------------------------------


@lowers(syntax.Dot)
def dot(env: Env, e: syntax.Dot, expect: Type | None) -> Typed:
    """Lower `subject.name` or `subject.name(arguments)`."""
    c = env.c
    if isinstance(e.subject, syntax.Lookup) and e.subject.name in c.model.tables:
        return _table_cell(env, e, e.subject)
    if isinstance(e.subject, syntax.Word) and e.subject.name in c.model.positions:
        c.model.facts.refers(e.name_span, "built-in", e.name, None)
        return positions.times(env, e)
    if isinstance(e.subject, syntax.TypeWord):
        special = builtins.look_up_of_type(env, e)
        if special is not None:
            c.model.refers_to_type(e.subject.span, e.subject.name)
            c.model.facts.refers(e.name_span, "built-in", e.name, None)
            return special
    subject = recursion.expression(env, e.subject)
    if not subject.type.known:
        return BAD
    if (
        subject.ids is not None
        and isinstance(subject.type, types.Several)
        and e.name not in ("size", "nth", "first", "last")
    ):
        if not subject.ids:
            expressions.report_no_copies(env, e.subject)
            return BAD
        # the name of a row means all its copies, and their columns are equal
        first = ir.Const(subject.ids[0])
        kinds = env.c.model.kinds_of(subject.type.of)
        if all(e.name in k.columns for k in kinds):
            c.model.facts.refers(e.name_span, "column", e.name, kinds[0].columns[e.name].span)
            return _column(env, kinds, Typed(subject.type.of, first), e.name)
    if subject.type.opt and not isinstance(subject.type, types.Nothing):
        return _optional_attribute(env, e, subject)
    found = attribute(env, subject, e, expect)
    if found is not None:
        return found
    return _report_no_attribute(env, subject, e)


def _optional_attribute(env: Env, e: syntax.Dot, subject: Typed) -> Typed:
    """Lower an attribute of a subject that may be nothing.

    If the subject is nothing, so is the result, except that a flag is `no` and a list is empty.
    """
    there = evolve(subject, type=subject.type.surely())
    found = attribute(env, there, e, None)
    if found is None:
        return _report_no_attribute(env, there, e)
    if not found.type.known:
        return BAD
    missing = binary("<", subject.code, ZERO)
    if isinstance(found.type, (types.Zone, types.Tokens)):
        expressions.report_may_be_nothing(env, e.subject)
        return BAD
    if isinstance(found.type, types.Flag):
        return Typed(FLAG, choice(missing, ZERO, found.code))
    if isinstance(found.type, types.List):
        return evolve(found, code=choice(missing, ir.Const(()), found.code))
    if isinstance(found.type, types.Number) and found.type.low < 0:
        expressions.report_may_be_nothing(env, e.subject)
        return BAD
    # all others: nothing is -1
    return Typed(found.type.maybe(), choice(missing, NONE, found.code))


def _type_name(type: Type) -> str:
    """Return the name of a type as authors write it in the declaration of a parameter."""
    return "Player" if isinstance(type, types.Player) else type.names[0] if type.names else "TYPE"


def _report_no_attribute(env: Env, subject: Typed, e: syntax.Dot) -> Typed:
    if e.name in env.c.layout.lost or not subject.type.known:
        return BAD
    own = _own_names(env, subject.type)
    names = [*builtins.attribute_names(subject.type), *own, *env.c.model.subject_values]
    tables = [env.c.model.tables.get(name) for name in subject.type.names]
    looked_up = next((t.name for t in tables if t is not None and e.name in t.columns), None)
    help: Help
    if looked_up is not None:
        help = "a table is looked up: " + write(f"{looked_up}({e.subject.span.text}).{e.name}")
    elif subject.ids is None and e.arguments is None and _all_have(env, subject.type, e.name):
        text = e.subject.span.text
        own_of_piece = not any(
            value_help.has_own(k, e.name)
            for k in env.c.model.kinds_of(item_of(subject.type) or UNKNOWN)
        )
        first = f"{text}.first.{e.name}" if own_of_piece else f"sure({text}.first).{e.name}"
        help = write(first) + f" for the first one in it, `list(x in {text}: x.{e.name})` for all"
    else:
        help = (
            rows.links_help(env, subject.type, e.subject.span.text, e.name)
            or _subject_help(env, subject.type, e)
            or _direction_help(subject.type, e)
            or did_you_mean(e.name, names)
            or _unknown_help(env, subject, e, own)
            or f"write `value {e.name} of x: {_type_name(subject.type)} = ...` at the left margin, with its formula"
        )
    shown = e.subject.span.text if len(e.subject.span.text) <= 30 else "that"
    what = describe(subject.type)
    kinds = env.c.model.kinds_of(subject.type)
    lacking = [k.name for k in kinds if not value_help.has_own(k, e.name)]
    if len(kinds) > 1 and 0 < len(lacking) < len(kinds):
        what = f"it may be {' or '.join(lacking[:3])}, which has none"
        help = _one_kind_help(env, e, next(k.name for k in kinds if k.name not in lacking))
    else:
        what = f"it is {what}"
    return env.c.bad(
        "unknown-attribute",
        f"there is no `{shown}.{e.name}`",
        e.name_span,
        at=what,
        help=advice(help).at(e.span),
    )


def _one_kind_help(env: Env, e: syntax.Dot, kind: str) -> str:
    """Return help for an attribute that only one kind has. It tells the author to test the subject's kind first."""
    text = e.subject.span.text if len(e.subject.span.text) <= 30 else "that"
    help = f"test it first: `if {text} in {kind}`, or in a condition `{text} in {kind} and ...`"
    local = env.scope.get(text) if isinstance(e.subject, syntax.Word) else None
    if local is None or local.span is None:
        return help
    after = local.span.source.text[local.span.end :]
    before = local.span.source.text[: local.span.start].rstrip()
    if not after.lstrip().startswith("in ") or not before.endswith(("for each", "choose", "(")):
        return help
    return f"{help}; or take only these where `{text}` is introduced: `{text}: {kind} in ...`"


def _subject_help(env: Env, type: Type, e: syntax.Dot) -> str:
    """Return help for `value leads of p: Flag = p.coins > 3`, where the author gave `p` the type of the value.

    Return "" for any other mistake.
    """
    text = e.subject.span.text
    local = env.scope.get(text) if isinstance(e.subject, syntax.Word) else None
    if local is None or local.span is None or not isinstance(type, types.Flag | types.Number):
        return ""
    if not local.span.source.text[: local.span.start].endswith(" of "):
        return ""
    first = (
        f"`of {text}: TYPE` says what `{text}` is, and the type of a value follows from its formula"
    )
    return f"{first}: write `of {text}: Player`"


def _direction_help(type: Type, e: syntax.Dot) -> Help:
    """Return help for `cell.north`; "" for any other attribute."""
    if not isinstance(type, types.Space) or e.name not in DIRECTIONS or e.arguments is not None:
        return ""
    return write(f"{e.subject.span.text}.toward({e.name})")


def _all_have(env: Env, type: Type, name: str) -> bool:
    """Return whether all things in a list or zone have the attribute `name`."""
    kinds = env.c.model.kinds_of(type.of) if isinstance(type, types.Several) else []
    if (
        isinstance(type, types.Several)
        and isinstance(type.of, types.Piece)
        and name in builtins.attribute_names(type.of)
    ):
        return bool(kinds)
    return bool(kinds) and all(value_help.has_own(kind, name) for kind in kinds)


def _own_names(env: Env, type: Type) -> list[str]:
    """Return the attributes that the game declares for things of a type: columns, states and zones."""
    model = env.c.model
    found: list[str] = []
    for kind in env.c.model.kinds_of(type):
        found += [*kind.columns, *(s.name for s in kind.states), *(z.name for z in kind.zones)]
    if isinstance(type, types.Player):
        found += [*model.player_states, *model.player_zones]
    return list(dict.fromkeys(found))


_FEW: Final = 8  # the maximum number of names that are listed if no name is similar


_OF_PLAYERS: Final = {
    "name": "write «{p}»: in a text it is replaced by the name",
    "score": "write «{p}.total» for all points, `{p}.item(NAME)` for one item",
    "next": "write «{p}.left»",
    "previous": "write «{p}.right»",
    "opponent": "write «{p}.left», or go through `q in players where q is not {p}`",
    "turn": "write «me» for who is acting",
    "partner": "write «{p}.partners.first», in games with a line `side of p`",
    "team": "write «{p}.side», in games with a line `side of p`",
    "index": "write «{p}.number»",
    "id": "write «{p}.number»",
    "seat": "write «{p}.number»",
    "is_active": "write «{p}.in_play»",
    "alive": "write «{p}.in_play»",
}
"""Maps names that authors wrongly use as attributes of players to the help for each."""


def _one_copy_help(env: Env, type: Type, text: str, ids: Sequence[int], wanted: str) -> str:
    """Return help for an attribute of a row with several copies. It tells the author to select one copy."""
    kind = env.c.model.pieces[type.names[0]]
    name = kind.name[0].lower()
    parts = []
    if kind.per_player:
        owner = "me" if "me" in env.scope else next(iter(env.c.model.seats), "p")
        parts.append(f"{name}.owner is {owner}")
    if len({kind.copy[id - kind.first] for id in ids}) > 1:
        parts.append(f"{name}.copy is 1")
    one = f"the({name} in {text} where {' and '.join(parts)}).{wanted}"
    return f"`{text}` has {len(ids)} copies: write `{one}` for one of them"


def _unknown_help(env: Env, subject: Typed, e: syntax.Dot, own: Sequence[str]) -> Help:
    """Return help for an unknown attribute to which no known name is similar; "" if there is none."""
    model, type = env.c.model, subject.type
    text = e.subject.span.text
    if e.name == "effect" and e.arguments is None and isinstance(type, (types.Piece, types.Kind)):
        return f"write `do effect of {text}`"
    if (
        subject.ids is not None
        and isinstance(type, types.Several)
        and e.name in _own_names(env, type.of)
    ):
        return _one_copy_help(env, type.of, text, subject.ids, e.name)
    if isinstance(type, types.Several):
        given = e.arguments[0] if e.name in foreign_words.HOW_MANY and e.arguments else None
        asked = given.name if isinstance(given, syntax.Word) else e.name
        amount = rows.count_help(env, type.of, text, asked)
        if amount:
            return amount
        if isinstance(type.of, types.Player) and e.name in model.player_zones:
            return f"write `each player`, and below it `me.{e.name}`"
        if isinstance(type.of, types.Player) and e.name in model.player_states:
            one = "q" if "p" in env.scope else "p"
            return write(f"list({one} in {text}: {one}.{e.name})") + " for all of them"
    if isinstance(e.subject, syntax.TypeWord) and any(
        e.name in kind.rows
        for kind in (env.c.model.kinds_of(type.of) if isinstance(type, types.Several) else [])
    ):
        return write(e.name)
    if isinstance(type, types.Several) and e.name in _IN_ORDER:
        key = e.arguments[0] if e.arguments else None
        if isinstance(key, syntax.Word) and key.name in _own_names(env, type.of):
            return write(f"ranking(x in {text} by x.{key.name})")
        return f"write `ranking(x in {text} by K)`, where K is the key to order them by"
    if e.name in _OF_A_GRID and (model_of := _grid_name(env, type)) is not None:
        axis = _OF_A_GRID[e.name]
        if isinstance(e.subject, syntax.TypeWord):
            number = e.arguments[0].span.text if e.arguments else "1"
            return write(f"list(x in {model_of} where x.{axis} is {number})")
        return write(f"{text}.{axis}")
    if isinstance(type, (types.Several, types.Tokens)) and e.name in foreign_words.HOW_MANY:
        return write(f"{text}.size")
    if e.name in ("number", "index", "id") and isinstance(type, types.Space):
        if _grid_name(env, type) is not None:
            return write(f"{text}.x") + f" for its column, `{text}.y` for its row"
        kind = type.names[0] if type.names else "TYPE"
        return f"only players have numbers: declare a column `{e.name}: 1..9` below `space {kind}`"
    if e.name in ("contains", "has", "includes") and e.arguments:
        return write(f"{e.arguments[0].span.text} in {text}")
    if isinstance(type, (types.Several, types.Tokens)) and e.name in foreign_words.SIZES_OF:
        return (
            write(f"{text} is empty")
            if not isinstance(type, types.Tokens)
            else write(f"{text}.size is 0")
        )
    indexed = next((f for f in env.c.layout.groups if f.name == e.name and f.indices), None)
    if (
        indexed is not None
        and not indexed.owner.name
        and are_comparable(indexed.indices[0].type, type)
    ):
        return write(f"{e.name}({text})")
    if e.name in model.rules:
        inside = ", ".join(argument.span.text for argument in e.arguments or ())
        called = f"{e.name}{f'({inside})' if inside else ''}"
        if isinstance(type, types.Player) and text != "me":
            return f"write `as {text}`, and below it `do {called}`"
        return f"write `do {called}`"
    items = [as_name(item.text) for score in model.scores for item in score.items]
    if isinstance(type, types.Player) and e.name in items:
        return write(f"{text}.item({e.name})")
    if isinstance(type, types.Player) and e.name in _OF_PLAYERS:
        return hints.parse_help(_OF_PLAYERS[e.name].format(p=text))
    if e.name in model.values and model.values[e.name].params:
        inside = ", ".join([text, *(argument.span.text for argument in e.arguments or ())])
        return write(f"{e.name}({inside})")
    if e.name in model.values:
        return f"declare it `value {e.name} of x: {_type_name(type)} = ...`, or remove `{text}.`"
    for value in model.subject_values.get(e.name, []):
        of = values.subject_type(env, value)
        some = [name for name, known in env.scope.items() if known.type == of]
        help = f"`{e.name}` belongs to {describe(of)}"
        return write(f"{some[-1]}.{e.name}") + f": {help}" if some else help
    pieces = {name.lower(): name for name in model.pieces}
    kind = type.names[0] if type.names else ""
    if isinstance(type, types.Space) and e.name in pieces and e.arguments is None:
        zone = f"zone {e.name}: spot of {pieces[e.name]}"
        return f"for a place to stand on, write `{zone}` below `space {kind}`"
    if own and len(own) <= _FEW:
        others = [
            kind_name
            for kind_name in rows.owners_of(env, e.name)
            if model.thing(kind_name) is not None
        ]
        whose = f"`{e.name}` belongs to {others[0]}; " if others else ""
        return f"{whose}{describe(type) if whose else 'it'} has {listed_and(own)}"
    return ""


_IN_ORDER: Final = frozenset(
    ("sort", "sorted", "order", "ordered", "ranking", "sort_by", "order_by")
)
_OF_A_GRID: Final = {"row": "y", "line": "y", "rank": "y", "column": "x", "col": "x", "file": "x"}


def _grid_name(env: Env, type: Type) -> str | None:
    """Return the name of the grid to which a cell, or every cell of a list, belongs; None if there is none."""
    of = type.of if isinstance(type, types.List) else type
    for name in of.names if isinstance(of, types.Space) and len(of.names) == 1 else ():
        kind = env.c.model.spaces.get(name)
        if kind is not None and kind.shape:
            return name
    return None


def attribute(env: Env, subject: Typed, e: syntax.Dot, expect: Type | None) -> Typed | None:
    """Lower an attribute of a subject that is not nothing. Return None if the subject has no such attribute."""
    c, name, type = env.c, e.name, subject.type
    arguments = e.arguments or ()
    if isinstance(type, types.Player):
        group = c.layout.of("player", name)
        if group is not None:
            c.model.facts.refers(e.name_span, group.what, name, group.span)
            return group_value(env, group, subject.code, arguments, e.span)
    if isinstance(type, types.Named) and type.names:
        kinds = env.c.model.kinds_of(type)
        groups = [f for f in (c.layout.of(k.name, name) for k in kinds) if f is not None]
        if groups and len(groups) == len(kinds):
            if len({(f.what, f.shape, len(f.indices), f.colours) for f in groups}) > 1:
                return c.bad(
                    "wrong-type",
                    f"`{name}` does not have the same type for all of {describe(type)}",
                    e.name_span,
                    help=f"test its type first (`if {e.subject.span.text} in {kinds[0].name}`), "
                    f"or rename one of them",
                )
            c.model.facts.refers(e.name_span, groups[0].what, name, groups[0].span)
            return groups_value(env, groups, subject.code, arguments, e.span)
        with_column = [k for k in kinds if name in k.columns]
        if with_column and (len(with_column) == len(kinds) or _lacking_is_zero(with_column, name)):
            if e.arguments is not None:
                c.problems.error(
                    "wrong-arguments",
                    f"`{name}` takes nothing in brackets",
                    e.span,
                    help=write(f"{e.subject.span.text}.{name}"),
                )
            c.model.facts.refers(e.name_span, "column", name, with_column[0].columns[name].span)
            return _column(env, kinds, subject, name)
    candidates = c.model.subject_values.get(name, [])
    for value in candidates:
        wanted = values.subject_type(env, value)
        if (
            wanted.known
            and are_comparable(subject.type, wanted)
            and (not wanted.names or set(subject.type.names) <= set(wanted.names))
        ):
            c.model.facts.refers(e.name_span, "value", name, value.name_span)
            return calling.call_value(env, value, subject, arguments, e.name_span, e.span)
    found = builtins.look_up_attribute(env, subject, e)
    if found is not None:
        c.model.facts.refers(e.name_span, "built-in", name, None)
    return found


def _lacking_is_zero(kinds: Sequence[ThingKind], name: str) -> bool:
    return all(
        isinstance(k.columns[name].type, (types.Number, types.Flag))
        and not k.columns[name].type.opt
        for k in kinds
    )


def _column(env: Env, kinds: Sequence[ThingKind], subject: Typed, name: str) -> Typed:
    c = env.c
    type: Type | None = None
    for kind in kinds:
        column = kind.columns.get(name)
        other = column.type if column is not None else whole(0, 0)
        if column is None and type is not None and isinstance(type, types.Flag):
            other = FLAG
        if (
            type is not None
            and isinstance(type, types.Number)
            and type.low == type.high == 0
            and isinstance(other, types.Flag)
        ):
            type = FLAG
        joined = other if type is None else join(type, other)
        if joined is None:
            return c.bad(
                "wrong-type",
                f"`{name}` has different types in {' and '.join(k.name for k in kinds)}",
                kinds[0].span,
                help="rename one of the two columns",
            )
        type = joined
    assert type is not None
    if not type.known:
        return Typed(UNKNOWN, ZERO)
    present = [k for k in kinds if k.is_there]
    if not present:
        return Typed(type, ZERO)
    low = min(k.first for k in present)
    missing: object = () if isinstance(type, types.List) else 0
    asked = name, isinstance(type, types.List), *(k.name for k in present)
    listed = c.columns.get(asked)
    if listed is None:
        listed = c.columns[asked] = _column_values(present, low, name, missing)
    if isinstance(subject.code, ir.Const) and isinstance(subject.code.value, int):
        add_uses((f".{name}",))
        at = subject.code.value - low
        known = listed[at] if 0 <= at < len(listed) else missing
        assert isinstance(known, (int, tuple))
        return Typed(type, ir.Const(known))
    if len({*listed}) == 1 and isinstance(listed[0], int):
        return Typed(type, ir.Const(listed[0]))
    return Typed(type, ir.Table(c.table(listed), binary("-", subject.code, ir.Const(low))))


def _column_values(
    kinds: Sequence[ThingKind], low: int, name: str, missing: object
) -> tuple[object, ...]:
    """Return the values of the column `name`, one for each thing of these kinds.

    The first value belongs to the thing with number `low`. A thing without the column has the value
    `missing`.
    """
    high = max(kind.bounds[1] for kind in kinds)
    listed = [missing] * (high - low + 1)
    for kind in kinds:
        column = kind.columns.get(name)
        if column is not None:
            for offset, value in enumerate(column.laid_out):
                listed[kind.first - low + offset] = value
    return tuple(listed)


# ---- look-ups -------------------------------------------------------------------------------------------


def _row_lookup_help(c: Compiler, e: syntax.Lookup, kind: ThingKind | None = None) -> Help:
    """Return help for a row that the author looks up with brackets, as in `Card(knight)` or `Card(3)`."""
    if len(e.arguments) == 1 and isinstance(e.arguments[0], syntax.Word):
        name, rows = e.arguments[0].name, kind.rows if kind is not None else []
        for column, of in kind.columns.items() if kind is not None else ():
            kind_names = [c.model.thing(kind_name) for kind_name in of.type.names]
            if name not in rows and any(
                kind_name and name in kind_name.rows for kind_name in kind_names
            ):
                return write(f"first(x in {e.name} where x.{column} is {name})")
        return write(name) + ": a name stands for itself"
    number = e.arguments[0] if len(e.arguments) == 1 else None
    if isinstance(number, syntax.Number) and kind is not None:
        columns = [
            name for name, column in kind.columns.items() if isinstance(column.type, types.Number)
        ]
        for column in columns[:1]:
            return (
                write(f"first(x in {e.name} where x.{column} is {number.value})")
                + ", or the name of a row"
            )
    linked = value_help.link_help(kind, e.arguments) if kind is not None else ""
    return (
        linked or "write the name of a row; only cells of a grid and rows of tables are looked up"
    )


def _table_row_help(c: Compiler, e: syntax.Lookup) -> Help:
    """Return help for the use of a table row as a value. It tells the author to name a column."""
    columns = list(c.model.tables[e.name].columns)
    if not columns:
        return ""
    named = e.arguments[-1]
    if len(e.arguments) > 1 and isinstance(named, syntax.Word) and named.name in columns:
        keys = ", ".join(argument.span.text for argument in e.arguments[:-1])
        return write(f"{e.name}({keys}).{named.name}")
    return (
        write(f"{e.span.text}.{columns[0]}")
        + f"; for attributes that only some have, make `{e.name}` a `kind` and "
        f"write `any(x in {e.name} where ...)`"
    )


@lowers(syntax.Lookup)
def lookup(env: Env, e: syntax.Lookup, expect: Type | None) -> Typed:
    """Lower a lookup such as `Cell(3, 4)`, which finds the cell with these coordinates.

    Report an error if the name before the brackets is not the name of a grid.
    """
    c = env.c
    kind = c.model.spaces.get(e.name)
    if kind is None:
        if e.name in c.model.tables:
            c.problems.error(
                "wrong-arguments",
                f"`{e.name}(...)` is a row of a table: name a column, `{e.name}(...).column`",
                e.span,
                help=_table_row_help(c, e),
            )
        elif c.model.type_named(e.name) is not None:
            c.problems.error(
                "wrong-arguments",
                f"`{e.name}` is not looked up with brackets",
                e.span,
                help=_row_lookup_help(c, e),
            )
        else:
            c.problems.error(
                "unknown-type",
                f"there is no `{e.name}`",
                e.span,
                help=value_help.lookup_help(c.model, e.arguments)
                or did_you_mean(e.name, [*c.model.spaces, *c.model.tables])
                or f"write `space {e.name}` or `table {e.name}` at the left margin, with its rows below",
            )
        return BAD
    if not kind.places:
        return c.bad(
            "wrong-arguments",
            f"`{e.name}` is not a grid",
            e.span,
            help=_row_lookup_help(c, e, kind),
        )
    c.model.refers_to_type(Span(e.span.source, e.span.start, e.span.start + len(e.name)), e.name)
    if len(e.arguments) != 2:
        return c.bad(
            "wrong-arguments",
            f"a cell of `{e.name}` is found by two numbers: `{e.name}(x, y)`",
            e.span,
            help=write(f"{e.name}({kind.places[0][0]}, {kind.places[0][1]})")
            + ", the column and the row",
        )
    x, y = (expressions.number(env, a) for a in e.arguments)
    x0, x1, y0, y1 = kind.grid.bounds
    width = x1 - x0 + 1
    inside_x = x0 <= range_of(x.type).low and range_of(x.type).high <= x1
    inside_y = y0 <= range_of(y.type).low and range_of(y.type).high <= y1
    index = binary(
        "+",
        binary("*", binary("-", y.code, ir.Const(y0)), ir.Const(width)),
        binary("-", x.code, ir.Const(x0)),
    )
    if x.constant is not None and y.constant is not None:
        found = kind.grid.where.get((x.constant, y.constant))
        if found is None and c.model.has_lost_rows:
            return BAD
        if found is None:
            return c.bad(
                "out-of-range",
                f"there is no cell ({x.constant}, {y.constant})",
                e.span,
                help="the grid has no cell at this place"
                if x0 <= x.constant <= x1 and y0 <= y.constant <= y1
                else f"x is {x0}..{x1}, y is {y0}..{y1}",
            )
        return Typed(kind.type, ir.Const(found))
    full = kind.grid.is_in_order or -1 not in kind.grid.rectangle
    if kind.grid.is_in_order:
        code: Expr = binary("+", ir.Const(kind.first), index)
    else:
        code = ir.Table(c.table(kind.grid.rectangle), index)
    if inside_x and inside_y:
        return Typed(kind.type if full else kind.type.maybe(), code)
    tests: Expr = ONE
    if not inside_x:
        tests = both(tests, between(ir.Const(x0), x.code, ir.Const(x1)))
    if not inside_y:
        tests = both(tests, between(ir.Const(y0), y.code, ir.Const(y1)))
    return Typed(kind.type.maybe(), choice(tests, code, NONE))


def _table_key(env: Env, e: syntax.Expression, type: Type) -> syntax.Expression:
    """Return the expression to use as a key of a table.

    If the key names an option whose choices are words, return the chosen word instead.
    """
    model = env.c.model
    if not isinstance(e, syntax.Word) or not type.is_thing or e.name in env.scope:
        return e
    chosen = model.option(e.name)
    if chosen is None or chosen[0].names != (e.name,):
        return e
    return syntax.Word(e.span, model.option_chosen[e.name])


def _table_cell(env: Env, e: syntax.Dot, row: syntax.Lookup) -> Typed:
    c = env.c
    info = c.model.tables[row.name]
    if e.name not in info.columns:
        return c.bad(
            "unknown-attribute",
            f"the table `{row.name}` has no column `{e.name}`",
            e.name_span,
            help=did_you_mean(e.name, list(info.columns)),
        )
    if len(row.arguments) != len(info.keys):
        return c.bad(
            "wrong-arguments",
            f"`{row.name}` is looked up by {len(info.keys)} in brackets, but gets {len(row.arguments)}",
            row.span,
            help=f"write `{row.name}({', '.join(map(describe, info.keys))}).{e.name}`",
        )
    column = info.columns[e.name]
    name_end = row.span.start + len(row.name)
    c.model.facts.refers(
        Span(row.span.source, row.span.start, name_end), "table", row.name, info.span
    )
    c.model.facts.refers(e.name_span, "column", e.name, column.span)
    keys: list[Typed] = []
    for argument, type in zip(row.arguments, info.keys, strict=True):
        wide = whole(-(2**31), 2**31 - 1) if isinstance(type, types.Number) else type
        keys.append(expressions.value_of_type(env, _table_key(env, argument, type), wide))
    if any(not k.type.known for k in keys) or not info.index:
        return BAD
    if all(k.constant is not None for k in keys):
        at = tuple(k.constant for k in keys if k.constant is not None)
        found = info.row_of(at)
        if found is None and c.model.has_lost_rows:
            return BAD  # the missing row may be a row that could not be read
        if found is None:
            return c.bad(
                "out-of-range",
                f"the table `{row.name}` has no row for {', '.join(map(str, at))}",
                row.span,
                help="add the row to the table, or use a key that is there",
            )
        value = column.values[found]
        if isinstance(value, int) and isinstance(column.type, types.Number):
            return Typed(
                whole(value, value) if not column.type.opt else column.type, ir.Const(value)
            )
        return Typed(column.type, ir.Const(value))
    lows = [min(k[i] for k in info.index) for i in range(len(keys))]
    highs = [max(k[i] for k in info.index) for i in range(len(keys))]
    size = 1
    for low, high in zip(lows, highs, strict=True):
        size *= high - low + 1
    if size > 100_000:
        return c.bad(
            "too-many-options",
            "the keys of this table are spread too far",
            row.span,
            help="let the keys be values of a kind, or numbers that are closer together",
        )
    cells: list[object] = [None] * size
    for at, n in info.index.items():
        index = 0
        for value, low, high in zip(at, lows, highs, strict=True):
            index = index * (high - low + 1) + value - low
        cells[index] = column.laid_out[n]
    code: Expr = ZERO
    checks: Expr = ONE
    for given, low, high, opened in zip(keys, lows, highs, info.open_from, strict=True):
        key = given
        if opened is not None:
            key = evolve(
                key,
                code=binary("min", key.code, ir.Const(opened)),
                type=whole(
                    min(range_of(key.type).low, opened), min(range_of(key.type).high, opened)
                ),
            )
        code = binary(
            "+", binary("*", code, ir.Const(high - low + 1)), binary("-", key.code, ir.Const(low))
        )
        ids = (
            (key.type.low, key.type.high)
            if isinstance(key.type, types.Number)
            else c.model.ids_of(key.type)
        )
        if ids and (min(ids) < low or max(ids) > high):  # `ids` is empty if the rows cannot be read
            checks = both(checks, between(ir.Const(low), key.code, ir.Const(high)))
    if None in cells or checks != ONE:
        present = c.table([int(v is not None) for v in cells])
        fault = c.fault("no-table-row", f"the table `{row.name}` has no such row", row.span)
        at_index, fine = code, both(checks, ir.Table(present, code))
        found = routine(c, "table row", f"table row {fault}", fault=fault)
        code = ir.CallValue(found, (at_index, choice(fine, ONE, ZERO)))
    empty: object = () if isinstance(column.type, types.List) else 0
    return Typed(column.type, ir.Table(c.table([empty if v is None else v for v in cells]), code))
