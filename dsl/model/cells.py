"""Reads a cell of a table, and converts its text to a value of the column's type."""

from __future__ import annotations

import re
from functools import lru_cache

from rulewright.dsl.diagnostics.advice import Help, advice, one_of, remove, write
from rulewright.dsl.diagnostics.diagnostics import Label
from rulewright.dsl.diagnostics.source import Span
from rulewright.dsl.model import types
from rulewright.dsl.model.constants import NotConstant, constant
from rulewright.dsl.model.model import DIRECTIONS, Model, RawRow, id_named
from rulewright.dsl.model.tables import Cell
from rulewright.dsl.model.types import Type, describe, length_of, range_of
from rulewright.dsl.text.in_cells import number_to_write, thing_to_write
from rulewright.dsl.text.names import as_name
from rulewright.dsl.tree import declared, syntax

_NUMBER = re.compile(r"([+\-\u2212]?)([0-9]{1,10})(?:[.,]0{1,2})?")


@lru_cache(maxsize=4096)
def as_number(text: str) -> int | None:
    """Return the number in a cell; None if there is no number, or if the number is too large.

    An integer may have one or two zeros as decimals, because spreadsheets write such numbers. Three
    decimals could be thousands, so they are rejected.

    >>> as_number("4"), as_number("4,0"), as_number("4.00"), as_number("2,5"), as_number("1,000")
    (4, 4, 4, None, None)
    """
    found = _NUMBER.fullmatch(text.strip())
    if found is None:
        return None
    value = int(found[2]) * (1 if found[1] in ("", "+") else -1)
    return value if abs(value) < 2**31 else None


def read_cell(
    model: Model,
    type: Type,
    row: RawRow,
    column: str,
    default: syntax.Expression | None,
    column_span: Span,
    *,
    quiet: bool = False,
    counts: bool = False,
) -> int | tuple[int, ...] | None:
    """Return the value of a cell as numbers. Report an error if the cell does not fit its column.

    If `counts` is true, the cell contains the number of copies and must not be empty.
    """
    cell = row.cells.get(column)
    if not type.known or column in row.missing:
        return 0
    if isinstance(type, types.Several) and not type.of.known:
        return ()
    if cell is None or (isinstance(cell, Cell) and not cell.text):
        if default is not None:
            return _written_cell(model, type, default, row, column, quiet=quiet)
        if type.opt:
            return -1
        if isinstance(type, types.List):
            return ()
        if isinstance(type, types.Number) and type.low <= 0 <= type.high and not counts:
            return 0
        if isinstance(type, types.Flag):
            return 0
        # all others: they need a value
        if not quiet:
            model.problems.error(
                "table-bad-cell",
                f"`{column}`{_row_name(row)} is empty, but {describe(type)} is expected",
                cell.span if isinstance(cell, Cell) else row.span,
                labels=(Label(column_span, "the column is declared here"),),
                help=f"write a value into the cell, or declare the column with one: `{column}: ... = VALUE`",
            )
        return 0
    if isinstance(cell, Cell):
        value = text_cell(model, type, cell.text)
        if value is None and not quiet:
            _bad_cell(model, type, row, column, cell.text, cell.span, column_span)
        if isinstance(value, int) and isinstance(type, types.Named) and value >= 0:
            model.refers_to_row(cell.span, type, value)
        return value if value is not None else 0
    return _written_cell(model, type, cell, row, column, quiet=quiet)


def _bad_cell(
    model: Model, type: Type, row: RawRow, column: str, text: str, span: Span, column_span: Span
) -> None:
    inner = type.of if isinstance(type, types.List) else type
    wanted = describe(type)
    if inner is not type:
        wanted = f"a list of at most {length_of(type)}, each {describe(inner)}"
    help = _cell_help(model, type, column, text, is_written=column_span == span)
    model.problems.error(
        "table-bad-cell",
        f"`{text}` in column `{column}`{_row_name(row)} is not {wanted}"
        if column
        else f"`{text}` is not a key of this table",
        span,
        labels=() if column_span == span else (Label(column_span, "the column is declared here"),),
        help=help,
    )


def _row_name(row: RawRow) -> str:
    """Return the name of a cell's row for a message; "" for rows that are looked up by numbers."""
    return f" of `{row.name}`" if row.name else ""


def _cell_help(model: Model, type: Type, column: str, text: str, *, is_written: bool) -> Help:
    """Return help for a cell that does not fit its column."""
    inner = type.of if isinstance(type, types.List) else type
    if isinstance(type, types.Flag):
        return "write " + one_of(("yes", "no"))
    if isinstance(inner, types.Number):
        return number_to_write(text, inner.low, inner.high, as_number(text))
    if not inner.is_thing:
        return ""
    empty = write("nothing") if is_written else remove("leave the cell empty")
    nothing = empty if type.opt else ""
    type_name = describe(inner).removesuffix(" or nothing")
    names = _names_of(model, inner)
    return thing_to_write(text, names, column, type_name, nothing, is_list=inner is not type)


def _names_of(model: Model, type: Type) -> list[str]:
    match type:
        case types.Kind() | types.Piece() | types.Space():
            names: list[str] = []
            for name in type.names:
                info = model.thing(name)
                names.extend(
                    dict.fromkeys(info.rows) if info is not None and info.count <= 500 else ()
                )
            return names
        case types.Player():
            return model.seats
        case types.Action():
            return model.action_names
        case types.Direction():
            return list(DIRECTIONS)
        case types.Flag():
            return ["yes", "no"]
        case types.Number() | types.Uncounted():
            return []


def text_cell(model: Model, type: Type, text: str) -> int | tuple[int, ...] | None:
    """Return the value of a text; None if the text is not a value of the type."""
    lowered = as_name(text)
    if isinstance(type, types.List):
        assert type.of is not None
        items: list[int] = []
        for word in text.replace(";", " ").replace("|", " ").replace(",", " ").split():
            value = text_cell(model, type.of, word)
            if not isinstance(value, int):
                return None
            items.append(value)
        if len(items) > type.length:
            return None
        return tuple(items) if type.ordered else tuple(sorted(items))
    if type.opt and lowered in ("nothing", "none", "no", "") and not isinstance(type, types.Flag):
        return -1
    if isinstance(type, types.Number):
        number = as_number(text)
        return number if number is not None and type.low <= number <= type.high else None
    if isinstance(type, types.Flag):
        return {"yes": 1, "no": 0, "true": 1, "false": 0, "1": 1, "0": 0, "x": 1}.get(lowered)
    # all others: they have names
    return id_named(model, type, text)


def attribute_of_kind(model: Model, kind: str, number: int, of: str) -> int | None:
    """Return a constant attribute of a value of a kind: the number of the value, or the content of a column.

    Return None if there is no such attribute.
    """
    if of == "number":
        return number + 1
    rows = model.kind_rows.get(kind)
    if rows is None or not 0 <= number < len(rows[1]):
        return None
    column = next((c for c in rows[0].columns if c.name == of), None)
    if column is None:
        return None
    type, row = model.type_of(column.type), rows[1][number]
    found = read_cell(model, type, row, of, column.default, column.span, quiet=True)
    return found if isinstance(found, int) else None


def _written_cell(
    model: Model, type: Type, e: syntax.Expression, row: RawRow, column: str, *, quiet: bool
) -> int | tuple[int, ...] | None:
    if isinstance(e, syntax.Fixed) and e.word == "empty" and isinstance(type, types.List):
        return ()
    if isinstance(e, syntax.ListOf) and isinstance(type, types.List):
        items = [_written_cell(model, type.of, item, row, column, quiet=quiet) for item in e.items]
        return tuple(i for i in items if isinstance(i, int))
    if isinstance(type, types.List):
        value = _written_cell(model, type.of, e, row, column, quiet=quiet)
        return (value,) if isinstance(value, int) else ()
    if isinstance(e, syntax.Fixed) and e.word == "nothing" and type.opt:
        return -1
    if type.is_thing and isinstance(e, syntax.Word):
        found = id_named(model, type, e.name)
        if found is None and not quiet:
            _bad_cell(model, type, row, column, e.name, e.span, e.span)
        return found if found is not None else 0
    if isinstance(e, syntax.Text) and all(isinstance(p, str) for p in e.parts):
        text = "".join(str(p) for p in e.parts)
        value = text_cell(model, type, text)
        if value is None and not quiet:
            _bad_cell(model, type, row, column, text, e.span, e.span)
        return value if value is not None else 0

    def word(name: str) -> int | None:
        number = row.numbers.get(name, model.word(name))
        return id_named(model, type, name) if number is None and type.is_thing else number

    def attribute(name: str, of: str) -> int | None:
        kind = row.kinds.get(name)
        return None if kind is None else attribute_of_kind(model, kind, row.numbers[name], of)

    try:
        number = constant(e, word, model.cell, attribute)
    except NotConstant as problem:
        if not quiet and isinstance(e, syntax.Word) and model.word(e.name) is None:
            _bad_cell(model, type, row, column, e.name, e.span, e.span)
        elif not quiet:
            help = advice(_cell_help(model, type, column, e.span.text, is_written=True)).at(e.span)
            message = f"this cell of column `{column}` is not {describe(type)}"
            place, why = problem.place.span, problem.why
            model.problems.error("table-bad-cell", message, place, at=why, help=help)
        return 0
    if row.numbers and isinstance(type, types.Kind):  # computed from the parts of a product
        return number
    right = isinstance(e, syntax.Fixed) == (isinstance(type, types.Flag)) or bool(row.numbers)
    if (
        not isinstance(type, (types.Number, types.Flag))
        or not right
        or not type.low <= number <= type.high
    ):
        if not quiet:
            _bad_cell(model, type, row, column, e.span.text, e.span, e.span)
        return range_of(type).low
    return number


def columns_sharing(model: Model, d: declared.Record) -> dict[str, list[Type]]:
    """For each column, return the types of the other columns that read the same header."""
    by_header: dict[str, list[declared.Column]] = {}
    for c in d.columns:
        by_header.setdefault(c.header or c.name, []).append(c)
    found: dict[str, list[Type]] = {}
    for column_list in by_header.values():
        for c in column_list:
            found[c.name] = [model.type_of(o.type) for o in column_list if o is not c]
    if d.joins is not None:
        found.setdefault(d.joins.first, [])
        found.setdefault(d.joins.second, [])
    return found


def shared_cell(
    model: Model, type: Type, row: RawRow, column: str, others: list[Type]
) -> int | None:
    """Return -1 (nothing) if several columns read a cell and the cell fits another of them but not
    this one; None otherwise.
    """
    cell = row.cells.get(column)
    if not others or not type.opt or not isinstance(cell, Cell) or not cell.text:
        return None
    if text_cell(model, type, cell.text) is not None:
        return None
    if any(text_cell(model, other, cell.text) is not None for other in others):
        return -1
    return None
