"""Builds lookup tables: their keys, and the row for each key. A key is a single number or a range of numbers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import product
from math import prod

from rulewright.dsl.diagnostics.advice import write
from rulewright.dsl.diagnostics.foreign_words import COUNTED
from rulewright.dsl.model import types
from rulewright.dsl.model.cells import as_number, columns_sharing, read_cell, shared_cell
from rulewright.dsl.model.model import ColumnInfo, Model, RawRow, TableInfo, ThingKind
from rulewright.dsl.model.tables import Cell
from rulewright.dsl.model.types import UNKNOWN, Type, whole
from rulewright.dsl.text.names import as_name
from rulewright.dsl.tree import declared, syntax

_DASHED = re.compile(r"(\d{1,9}) ?(?:[-\u2013]|to) ?(\d{1,9})")
_ONWARD = re.compile(r"(\d{1,9}) (?:or|and) more")


def number_table(model: Model, d: declared.Record, rows: list[RawRow]) -> None:
    """Number the rows of a table by their keys."""
    if d.name in model.tables:
        return
    info = TableInfo(d.name, d.name_span)
    keys = list(d.keys) or [""]
    key_types: list[Type] = []
    named = {c.name: c for c in d.columns}
    for key in keys:
        if key in named:
            key_types.append(model.type_of(named[key].type))
        else:
            guessed = _guess_key(model, [row.cells.get(key) for row in rows])
            key_types.append(
                guessed if guessed.known or len(keys) > 1 else _key_type(model, d, rows)
            )
    info.keys = key_types
    for c in d.columns:
        info.columns[c.name] = ColumnInfo(c.name, model.type_of(c.type), c.name_span)
    sharing = columns_sharing(model, d)
    info.open_from = [_open_from([row.cells.get(key) for row in rows]) for key in keys]
    is_too_long = any(
        len(key_range(row.cells.get(key)) or ()) > MOST_KEYS for row in rows for key in keys
    )
    for row in rows:
        for key in keys:
            said = row.cells.get(key)
            meant = _corrected_range(said)
            if meant and said is not None:
                model.problems.error(
                    "table-bad-cell",
                    "this is not how a key for several numbers is written",
                    said.span,
                    help=write(meant),
                )
        values: list[Sequence[int]] = []
        is_known, errors = all(type.known for type in key_types), model.problems.errors
        for key, type, opened in zip(keys, key_types, info.open_from, strict=True):
            numbers = _key_numbers(row.cells.get(key)) if isinstance(type, types.Number) else None
            if numbers is not None and opened is not None and _is_open(row.cells.get(key)):
                numbers = range(numbers[0], opened + 1)
            if numbers is None:
                value = read_cell(model, type, row, key, None, row.span)
                numbers = range(value, value + 1) if isinstance(value, int) else range(1)
            values.append(numbers)
        if prod(map(len, values)) > MOST_KEYS:
            model.has_lost_rows = True
            last = max(values, key=len)
            # A row for all higher numbers is too long only if another row is too long.
            if not (is_too_long and any(_is_open(row.cells.get(key)) for key in keys)):
                model.problems.error(
                    "out-of-range",
                    f"a row of a table has at most {MOST_KEYS:,} keys",
                    row.span,
                    help=f"write `{last[0]}+` for all larger numbers, or several rows with fewer keys each",
                )
            continue
        indices = [*product(*values)]
        if any(index in info.index for index in indices):
            if not is_known or model.problems.errors > errors:
                continue  # the problem with its key has already been reported
            model.problems.error(
                "table-duplicate-row",
                "this key appears twice in the table"
                if len(indices) == 1
                else "some of these keys appear twice in the table",
                row.span,
                help="remove one of the two rows, or give it another key",
            )
            continue
        info.index.update(dict.fromkeys(indices, info.count))
        info.count += 1
        source = row.cells.get("(provenance)")
        info.file = row.span.source.name
        cells = [row.cells.get(key) for key in keys] if len(keys) > 1 else []
        name = " ".join(cell.text for cell in cells if isinstance(cell, Cell)) or row.name
        info.provenance.append((name, source.text if isinstance(source, Cell) else ""))
        for c in d.columns:
            type = info.columns[c.name].type
            cell: int | tuple[int, ...] | None
            numbers = key_range(row.cells.get(c.name)) if c.name in d.keys else None
            cell = (
                numbers[0]
                if numbers is not None
                else shared_cell(model, type, row, c.name, sharing[c.name])
            )
            if cell is None:
                cell = read_cell(model, type, row, c.name, c.default, c.span)
            info.columns[c.name].values.append(cell if cell is not None else 0)
    if all(isinstance(t, types.Number) for t in key_types) and info.index:
        info.keys = [
            whole(
                min(k[i] for k in info.index),
                2**31 - 1 if info.open_from[i] is not None else max(k[i] for k in info.index),
            )
            for i in range(len(key_types))
        ]
    model.tables[d.name] = info


def key_range(cell: Cell | syntax.Expression | None) -> range | None:
    """Return the numbers of a key such as `13..16`, or the first number of a key such as `17+`;
    None for any other text.
    """
    match cell:
        case Cell():
            text = cell.text.strip()
            if text.endswith("+"):
                low = high = as_number(text[:-1])
            else:
                first, dots, last = text.partition("..")
                low, high = (as_number(first), as_number(last)) if dots else (None, None)
        case syntax.Binary(
            operator="..", left=syntax.Number() as one, right=syntax.Number() as two
        ):
            low, high = one.value, one.value if two.value == syntax.ONWARD else two.value
        case _:
            return None
    return None if low is None or high is None or high < low else range(low, high + 1)


def _corrected_range(cell: Cell | syntax.Expression | None) -> str:
    """Return `1..3` for a key that is written as `1-3`, and `4+` for `4 or more`; "" for any other text."""
    match cell:
        case syntax.Binary(
            operator="-", left=syntax.Number() as one, right=syntax.Number() as two
        ) if one.value < two.value:
            return f"{one.value}..{two.value}"
        case syntax.Binary(operator="or", left=syntax.Number() as one):
            return f"{one.value}+"
        case Cell(text=text) if (both := _DASHED.fullmatch(text)) and int(both[1]) < int(both[2]):
            return f"{both[1]}..{both[2]}"
        case Cell(text=text) if onward := _ONWARD.fullmatch(text):
            return f"{onward[1]}+"
        case _:
            return ""


def _key_numbers(cell: Cell | syntax.Expression | None) -> range | None:
    """Return the numbers of a key, even if the key is written in a wrong form. Another function
    reports the wrong form.
    """
    low, _, high = _corrected_range(cell).rstrip("+").partition("..")
    return range(int(low), int(high or low) + 1) if low else key_range(cell)


def _open_from(cells: list[Cell | syntax.Expression | None]) -> int | None:
    """If the cells contain a key such as `17+`, return a number higher than all numbers in the cells; None otherwise.

    This number and all higher numbers share the row of that key.
    """
    ranges = [key_range(cell) or _single(cell) for cell in cells]
    return (
        max(numbers[-1] for numbers in ranges if numbers) + 1 if any(map(_is_open, cells)) else None
    )


def _is_open(cell: Cell | syntax.Expression | None) -> bool:
    if isinstance(cell, syntax.Binary) and isinstance(cell.right, syntax.Number):
        return cell.right.value == syntax.ONWARD
    is_range = isinstance(cell, Cell) and cell.text.strip().endswith("+")
    return is_range and key_range(cell) is not None


def _single(cell: Cell | syntax.Expression | None) -> tuple[int, ...]:
    number = as_number(cell.text) if isinstance(cell, Cell) else None
    if isinstance(cell, syntax.Number):
        number = cell.value
    return () if number is None else (number,)


def _guess_key(model: Model, cells: list[Cell | syntax.Expression | None]) -> Type:
    words: list[str] = []
    for cell in cells:
        numbers = key_range(cell)
        if numbers is not None:
            words.append(str(numbers[0]))
            continue
        if isinstance(cell, Cell):
            meant = _key_numbers(cell)
            words.append(str(meant[0]) if meant is not None else cell.text)
        elif isinstance(cell, syntax.Number):
            words.append(str(cell.value))
        elif isinstance(cell, syntax.Word):
            words.append(cell.name)
        elif isinstance(cell, syntax.Unary) and isinstance(cell.operand, syntax.Number):
            words.append(str(-cell.operand.value))
        # all others: nothing can be guessed about them
    if all(as_number(w) is not None for w in words):
        return whole(-(2**31) + 1, 2**31 - 1)
    for kind in [*model.kinds.values(), *model.spaces.values(), *model.pieces.values()]:
        if words and all(as_name(w) in kind.rows for w in words):
            return kind.type
    return UNKNOWN


def _key_type(model: Model, d: declared.Record, rows: list[RawRow]) -> Type:
    """Return the type of the keys of a table whose rows have names.

    If most keys are numbers, return the type of numbers.
    """
    kind = ThingKind(d.name, "kind", d.name_span)
    numbered = [row for row in rows if _single(row.cells.get(""))]
    if len(numbered) * 2 >= len(rows) > len(numbered):
        return _require_numbers(model, rows)
    for row in rows:
        cell = row.cells.get("")
        if isinstance(cell, Cell) and row.name and not row.name[0].isalpha():
            model.problems.error(
                "table-bad-cell",
                f"the key `{cell.text}` is not a name, and the other keys are not all numbers",
                cell.span,
                help="write a number (`3`), several (`3..5`, `6+`), or a name that begins with a letter",
            )
        if row.name and row.name not in kind.rows:
            kind.rows.append(row.name)
            kind.texts.append(row.name)
            kind.copy.append(1)
            kind.row_spans.append(row.span)
            model.row_names.setdefault(row.name, []).append((kind.type, (len(kind.rows) - 1,)))
    model.kinds.setdefault(d.name, kind)
    return kind.type


def _require_numbers(model: Model, rows: list[RawRow]) -> Type:
    """Return the type of keys that are mostly numbers. Report an error for each row with another
    key, and remove this row.
    """
    for row in [*rows]:
        cell = row.cells.get("")
        if cell is None or _single(cell) or _key_numbers(cell) is not None:
            continue
        said = cell.text if isinstance(cell, Cell) else cell.span.text
        counted = COUNTED.get(said.casefold())
        model.problems.error(
            "table-bad-cell",
            f"the key `{said}` is not a number, unlike the other keys",
            cell.span,
            help=write(counted) if counted else "write a number (`3`), or several (`3..5`, `6+`)",
        )
        rows.remove(row)
    return whole(-(2**31) + 1, 2**31 - 1)


MOST_KEYS = 10_000  # the maximum number of keys of a row of a table
