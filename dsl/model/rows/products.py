"""Makes the rows of a product, including their columns and names. The rows are all combinations of
the values of its parts.
"""

from __future__ import annotations

from itertools import product
from math import prod

from attrs import evolve

from rulewright.dsl.diagnostics.diagnostics import Fix
from rulewright.dsl.diagnostics.source import Span
from rulewright.dsl.model.cells import attribute_of_kind
from rulewright.dsl.model.constants import NotConstant, constant
from rulewright.dsl.model.model import Model, RawRow
from rulewright.dsl.text.names import snake
from rulewright.dsl.tree import declared, syntax

MOST_ROWS = 20_000
Value = tuple[str, int, syntax.Expression]
"""A value of a part: its text in the name of a row, its number, and the content of the cell."""


def with_columns(model: Model, d: declared.Record) -> declared.Record:
    """Return a record with a column for each part of its product."""
    if d.product is None:
        return d
    if d.what == "table" or d.grid is not None or d.border is not None or d.joins is not None:
        model.problems.error(
            "wrong-type",
            "only kinds, pieces and spaces without a grid have a row for each combination",
            d.product.span,
            help="write its rows, or take them from a file",
        )
        return evolve(d, product=None)
    columns: list[declared.Column] = []
    for part in d.product.parts:
        type = _type(part)
        if type is None:
            model.problems.error(
                "wrong-type",
                "`for` needs a kind or a range of numbers here",
                part.source.span,
                help=_part_help(d, part),
                fix=_fix(d, part),
            )
            model.has_lost_rows = True  # without its columns the contents of the rows are unknown
            lost = [
                declared.Column(p.span, (), p.name, p.name_span, _substitute_type(p), None, None)
                for p in d.product.parts
            ]
            return evolve(d, product=None, columns=(*lost, *d.columns), rows=())
        columns.append(declared.Column(part.span, (), part.name, part.name_span, type, None, None))
    return evolve(d, columns=(*columns, *d.columns))


def _substitute_type(part: declared.ProductPart) -> syntax.Type:
    """Return a substitute type for a part that is neither a kind nor a range of numbers."""
    match part.source:
        case syntax.Binary(left=syntax.TypeWord(name=kind)):
            return syntax.NamedType(part.span, kind)
        case _:
            found = _type(part)
            numbers = syntax.Number(part.span, 0), syntax.Number(part.span, 1)
            return syntax.RangeType(part.span, *numbers) if found is None else found


def _fix(d: declared.Record, part: declared.ProductPart) -> Fix | None:
    """Return the fix for a part that is neither a kind nor a range of numbers; None if there is none."""
    match part.source:
        case syntax.Word(name="players"):
            return Fix(Span(d.span.source, d.name_span.end, part.source.span.end), " per player")
        case syntax.Binary(operator="*", left=syntax.TypeWord(name=kind), right=copies):
            below = f"\n    copies = {copies.span.text}" if d.copies is None else ""
            return Fix(part.source.span, f"{kind}{below}")
        case syntax.Call(name="range", arguments=(high,)):
            return Fix(part.source.span, f"1..{high.span.text}")
        case _:
            return None


def _part_help(d: declared.Record, part: declared.ProductPart) -> str:
    """Return help for a part that is neither a kind nor a range of numbers."""
    match part.source:
        case syntax.Word(name="players"):
            return f"write `{d.what} {d.name} per player`: each player has a set"
        case syntax.Binary(
            operator="*",
            left=syntax.TypeWord(name=kind),
            right=syntax.Number(value=copies),
        ):
            more = f", and below it `copies = {copies}`" if d.copies is None else ""
            return f"write `{part.name} in {kind}`{more}"
        case syntax.Call(name="range", arguments=(syntax.Number(value=high),)):
            return f"write `{part.name} in 1..{high}`"
        case _:
            return f"write `{part.name} in Kind` or `{part.name} in 1..9`"


def _type(part: declared.ProductPart) -> syntax.Type | None:
    match part.source:
        case syntax.TypeWord(span=span, name=name):
            return syntax.NamedType(span, name)
        case syntax.Binary(span=span, operator="..", left=low, right=high):
            return syntax.RangeType(span, low, high)
        case _:
            return None


def product_rows(model: Model, d: declared.Record) -> list[RawRow]:
    """Return a row for each combination of values; the last part varies fastest."""
    if d.product is None:
        return []
    sources = [_values(model, part) for part in d.product.parts]
    count = prod(map(len, sources))
    if count > MOST_ROWS:
        model.problems.error(
            "too-many-options",
            f"{count:,} rows are too many (at most {MOST_ROWS:,})",
            d.product.span,
            help="remove a part, or write the rows in a table",
        )
        return []
    known = {name: number for values in sources for name, number, _ in values}
    rows: list[RawRow] = []
    names = [part.name for part in d.product.parts]
    kinds = {
        p.name: p.source.name for p in d.product.parts if isinstance(p.source, syntax.TypeWord)
    }
    where = d.product.where
    for chosen in product(*sources):
        numbers = {**known, **{n: value[1] for n, value in zip(names, chosen, strict=True)}}
        holds = True if where is None else _has_row(model, where, numbers, kinds)
        if holds is None:
            where = None  # reported once
        if holds is False:
            continue
        words = [value[0] for value in chosen]
        name = "_".join(words if words[0][0].isalpha() else [snake(d.name), *words])
        cells = {n: value[2] for n, value in zip(names, chosen, strict=True)}
        rows.append(RawRow(name, d.product.span, {**cells}, frozenset(), numbers, kinds))
    return rows


def _values(model: Model, part: declared.ProductPart) -> list[Value]:
    """Return the values that a part may have."""
    source = part.source
    if isinstance(source, syntax.TypeWord):
        names = _kind_names(model, source)
        return [(n, at, syntax.Word(source.span, n)) for at, n in enumerate(names)]
    assert isinstance(source, syntax.Binary)
    low = model.number(source.left, "the first of these numbers")
    high = model.number(source.right, "the last of these numbers", low)
    shown = range(low, min(high, low + MOST_ROWS) + 1)
    return [(str(n).replace("-", "minus_"), n, _number(source.span, n)) for n in shown]


def _number(span: Span, n: int) -> syntax.Expression:
    number = syntax.Number(span, abs(n))
    return syntax.Unary(span, "-", number) if n < 0 else number


def _kind_names(model: Model, word: syntax.TypeWord) -> list[str]:
    """Return the values of a kind, from a line or from rows."""
    if word.name in model.kind_rows:
        return list(dict.fromkeys(row.name for row in model.kind_rows[word.name][1]))
    if word.name in model.kinds:
        return list(model.kinds[word.name].rows)
    if word.name == "Flag":
        return ["no", "yes"]
    if f"type {word.name}" not in model.first_declared:
        model.problems.none_called(
            "kind", word.name, word.span, model.type_names(), code="unknown-type"
        )
    else:
        model.problems.error(
            "wrong-type",
            f"`{word.name}` is not a kind: rows are made of values that never change place",
            word.span,
            help=f"write a kind (`kind {word.name} = ...`), a range such as `1..9`, or names in brackets",
        )
    model.has_lost_rows = True
    return []


def _has_row(
    model: Model, where: syntax.Expression, numbers: dict[str, int], kinds: dict[str, str]
) -> bool | None:
    """Return whether a combination has a row.

    If this is unknown before the game starts, report an error and return None.
    """

    def word(name: str) -> int | None:
        return numbers.get(name, model.word(name))

    def attribute(name: str, of: str) -> int | None:
        kind = kinds.get(name)
        return None if kind is None else attribute_of_kind(model, kind, numbers[name], of)

    try:
        return bool(constant(where, word, model.cell, attribute))
    except NotConstant as problem:
        model.problems.error(
            "wrong-type",
            "the rows must be known before the game starts",
            problem.place.span,
            at=problem.why,
        )
        return None
