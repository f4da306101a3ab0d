"""Reads the rows of a record from the lines below it or from its table file. The columns that the
record declares determine how cells are read.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePosixPath

from rulewright.dsl.diagnostics.advice import Help, line_of, write
from rulewright.dsl.diagnostics.diagnostics import Fix, Label
from rulewright.dsl.diagnostics.source import Span
from rulewright.dsl.diagnostics.suggest import did_you_mean, listed_and, listed_or
from rulewright.dsl.model.cells import as_number
from rulewright.dsl.model.model import Model, RawRow
from rulewright.dsl.model.tables import Cell, TableText, read_table, separator_of
from rulewright.dsl.text.in_cells import FEW
from rulewright.dsl.text.names import as_name, snake
from rulewright.dsl.tree import declared, syntax
from rulewright.dsl.tree.nesting import walk


def raw_rows(model: Model, d: declared.Record) -> list[RawRow]:
    """Return all rows that can be read. Report the problems of all other rows."""
    rows: list[RawRow] = []
    if d.path is not None:
        source = model.read(d.path)
        if source is None:
            model.problems.error(
                "unknown-file",
                f"the table `{d.path}` cannot be read",
                d.path_span or d.span,
                help=did_you_mean(d.path, model.tables_beside())
                or f"a table belongs beside the game file: put `{PurePosixPath(d.path).name}` there",
            )
            model.has_lost_rows = True
            return rows
        table = read_table(source, model.problems)
        if table is None:
            model.has_lost_rows = True
        else:
            rows.extend(_csv_rows(model, d, table))
    names = list(dict.fromkeys(c.name for c in d.columns))
    if d.joins is not None:
        names = [n for n in (d.joins.first, d.joins.second) if n not in names] + names
    shorts: list[tuple[Span, str]] = []
    for row in d.rows:
        head = row.cells[0]
        name = (
            head.name
            if isinstance(head, syntax.Word)
            else str(head.value)
            if isinstance(head, syntax.Number)
            else ""
        )
        if d.what == "table":
            keys = [k for k in d.keys if k not in names] or ([] if d.keys else [""])
            wanted = [*keys, *names]
            optional = {c.name for c in d.columns if c.default is not None} - {*d.keys}
            if len(row.cells) > len(wanted) or not optional.issuperset(wanted[len(row.cells) :]):
                model.problems.error(
                    "table-missing-cell",
                    f"this row has {_count_text(len(row.cells), 'cell')}, "
                    f"but {len(wanted)} {'is' if len(wanted) == 1 else 'are'} needed",
                    row.span,
                    help=_row_help(row, wanted),
                )
                continue
            rows.append(RawRow(name, row.span, dict(zip(wanted, row.cells, strict=False))))
            continue
        if not name or isinstance(head, syntax.Number):
            model.has_lost_rows = True
            text = head.span.text
            small = text[:1].lower() + text[1:]
            parts = (
                [head.name, *(cell.span.text for cell in head.arguments)]
                if isinstance(head, syntax.Call)
                else ["NAME", text]
            )
            model.problems.error(
                "wrong-type",
                "a row begins with its name",
                head.span,
                help=write(small) + ": names are written in small letters"
                if isinstance(head, syntax.TypeWord)
                else write(f"row {', '.join(parts)}", line_of(row.span)),
            )
            continue
        cells = row.cells[1:]
        defaults = {c.name for c in d.columns if c.default is not None}
        if len(cells) > len(names):
            model.problems.error(
                "table-extra-cell",
                f"this row has {_count_text(len(cells), 'cell')} after its name, "
                f"but there {'is' if len(names) == 1 else 'are'} {_count_text(len(names), 'column')}",
                cells[len(names)].span,
                help="remove the extra cells, or declare a column for them above the rows: `NAME: TYPE`",
            )
            continue
        short = tuple(n for n in names[len(cells) :] if n not in defaults)
        if short:
            shorts.append((row.span, short[0]))
        found: dict[str, Cell | syntax.Expression] = dict(zip(names, cells, strict=False))
        # if a row lacks a cell, the other cells may be in wrong columns
        rows.append(RawRow(name, head.span, found, frozenset(names if short else ())))
    _report_short_rows(model, shorts, names)
    return rows


def _report_short_rows(model: Model, shorts: list[tuple[Span, str]], names: list[str]) -> None:
    """Report an error for each row with too few cells. If all rows lack the same cells, report only one error."""
    is_same = len({lacking for _, lacking in shorts}) == 1
    more = len(shorts) - 1
    for span, lacking in shorts[:1] if is_same else shorts:
        model.has_lost_rows = True
        model.problems.error(
            "table-missing-cell",
            f"this row has no cell for `{lacking}`",
            span,
            notes=(f"the same cell is missing in {_count_text(more, 'row')} below it",)
            if is_same and more
            else (),
            help=f"the columns are: {', '.join(names)}",
        )


def names_in(e: syntax.Expression) -> list[str]:
    """Return the names in an expression over the columns of a row."""
    return [part.name for part in walk(e) if isinstance(part, syntax.Word)]


def _csv_rows(model: Model, d: declared.Record, table: TableText) -> list[RawRow]:
    wanted: dict[str, int] = {}
    missing: set[str] = set()
    names = [(c.name, c.header or c.name, c.span, c.default is not None) for c in d.columns]
    if d.joins is not None:
        have = {n for n, *_ in names}
        names.extend(
            (n, n, d.span, False) for n in (d.joins.first, d.joins.second) if n not in have
        )
    names.extend((k, k, d.span, False) for k in d.keys if k not in {n for n, *_ in names})
    if d.grid is not None and is_placed_by_columns(model, d):
        for edge in (d.grid.width, d.grid.height):
            if isinstance(edge, syntax.Word) and edge.name not in {n for n, *_ in names}:
                names.append((edge.name, edge.name, edge.span, False))
    lost: list[tuple[str, Span]] = []
    for name, header, span, optional in names:
        at = table.column(header)
        if at is None:
            if not optional:
                missing.add(name)
                lost.append((header, span))
            continue
        wanted[name] = at
    if lost:
        _report_missing_columns(model, d, table, lost, has_some=bool(wanted))
    elif table.unnamed:
        model.has_lost_rows = True
        model.problems.error(
            "table-extra-cell",
            f"the last column of this table is `{table.headers[-1]}`, but each row has {table.unnamed} more "
            f"cell{'s' if table.unnamed > 1 else ''}",
            table.header_cells[0].span.join(table.header_cells[-1].span),
            help="write a name for each column into the first line",
        )
    if d.copies is not None:
        for part in names_in(d.copies.value):
            at = table.column(part)
            if at is not None:
                wanted.setdefault(part, at)
    for extra in ("name", "provenance", "text"):
        at = table.column(extra)
        if at is not None and extra not in wanted:
            wanted[f"({extra})"] = at
    rows: list[RawRow] = []
    found: dict[str, Cell | syntax.Expression]
    first = {0} if lost else set[int]()  # a renamed column may be there
    first.update(at for name, at in wanted.items() if not name.startswith("("))
    count = _count_name_cells(table, 0 in first) if d.what != "table" else 1
    for cells in table.rows:
        name = _name_of(cells, count)
        if len(cells) != len(table.headers):  # reported already: only its name is known
            if d.what != "table" and name and name[0].isalpha():
                rows.append(RawRow(name, cells[0].span, {}, frozenset((*wanted, *missing))))
            continue
        if d.what == "table":
            found = {n: cells[at] for n, at in wanted.items()}
            if not d.keys:
                found[""] = cells[0]
            rows.append(RawRow(name, cells[0].span, found, frozenset(missing)))
            continue
        if not name:
            model.problems.error(
                "table-bad-cell",
                "this row has no name in its first cell",
                cells[0].span,
                help="write a name into the first cell",
            )
            continue
        if not name[0].isalpha():
            name = f"{snake(d.name)}_{name}"
        found = {n: cells[at] for n, at in wanted.items()}
        rows.append(RawRow(name, cells[0].span, found, frozenset(missing)))
    if d.what != "table":
        _warn_of_sums(model, d, table)
    return rows


def _warn_of_sums(model: Model, d: declared.Record, table: TableText) -> None:
    """Warn if the last row contains the sums of the other rows, because this row would silently
    become a further thing.
    """
    *above, last = [cells for cells in table.rows if len(cells) == len(table.headers)] or [()]
    if not above or as_name(last[0].text) not in _SUMS:
        return
    for at, cell in enumerate(last[1:], 1):
        numbers = [as_number(cells[at].text) for cells in above]
        known = [number for number in numbers if number is not None]
        total = as_number(cell.text)
        if cell.text and (total is None or not known or total < max(known)):
            return
    model.problems.warning(
        "table-sum-row",
        f"`{last[0].text}` looks like the sums of the rows above it, but counts as one more {d.name}",
        last[0].span.join(last[-1].span),
        help="remove this line, or give the row another name if you mean it",
    )


_SUMS = frozenset(
    {
        "total",
        "totals",
        "sum",
        "sums",
        "grand_total",
        "subtotal",
        "summe",
        "gesamt",
        "somme",
        "suma",
    }
)


def _count_name_cells(table: TableText, is_column: bool) -> int:
    """Return how many cells form the name of a row. The number is 1, unless the first column looks
    like the others and repeats a value.
    """
    whole = [cells for cells in table.rows if len(cells) == len(table.headers)]
    names = [cells[0].text for cells in whole]
    if not is_column or len(set(names)) == len(names):
        return 1
    distinct = {
        n: len({_name_of(cells, n) for cells in whole}) for n in range(1, len(table.headers) + 1)
    }
    most = max(distinct.values())
    return next(n for n, count in distinct.items() if count == most)


def _name_of(cells: Sequence[Cell], count: int) -> str:
    return "_".join(filter(None, (as_name(cell.text) for cell in cells[:count])))


def _count_text(count: int, what: str) -> str:
    return f"{count or 'no'} {what}{'' if count == 1 else 's'}"


def _row_help(row: declared.Row, wanted: Sequence[str]) -> Help:
    """Return help that shows an example row with one cell for each column."""
    cells = [cell.span.text for cell in row.cells]
    if len(cells) > len(wanted):
        return (
            write(f"row {', '.join(cells[: len(wanted)])}") + ", or one more column above the rows"
        )
    if len(cells) == 1 and isinstance(row.cells[0], syntax.ListOf):
        return write(f"row {cells[0].strip('()')}")
    return write(f"row {', '.join([*cells, *map(str.upper, wanted[len(cells) :])])}")


def _report_missing_columns(
    model: Model,
    d: declared.Record,
    table: TableText,
    lost: list[tuple[str, Span]],
    *,
    has_some: bool,
) -> None:
    model.has_lost_rows = True
    named = [f"`{header}`" for header, _ in lost]
    listed = named[0] if len(named) == 1 else f"{', '.join(named[:-1])} and {named[-1]}"
    help: Help = did_you_mean(lost[0][0], [h for h in table.headers if h])
    if not help and (table.unnamed or not has_some):
        known = {c.name for c in d.columns}
        first = table.headers[0] if d.what == "table" and table.headers[0] not in known else "name"
        head = table.header_cells[0].span
        others = [c.header or c.name for c in d.columns if c.name != first]
        separator = separator_of(head.source.text)
        help = (
            "the first line has the names of the columns, and each line below it a row: "
            f"begin with `{separator.join([first, *others])}`"
        )
    fix = None
    if not help:
        help, fix = _header_help(d, table, lost)
    model.problems.error(
        "table-missing-column",
        f"the table `{table.source.name}` has no column{'s' if len(named) > 1 else ''} {listed}",
        lost[0][1],
        labels=(Label(table.header_cells[0].span, "its header is here"),)
        if table.header_cells
        else (),
        help=help,
        fix=fix,
    )


def _header_help(
    d: declared.Record, table: TableText, lost: list[tuple[str, Span]]
) -> tuple[str, Fix | None]:
    """Return help for columns that are missing in the file or have other names there."""
    read = {c.header or c.name for c in d.columns} | {"name", "text", "provenance"}
    named = 1 if d.what in ("kind", "piece", "space") else 0  # the first column names the row
    headers = [header for header in table.headers[named:] if header and header not in read]
    free = headers[len(headers) > len(lost) and headers[0] == table.headers[0] :]
    columns = [c for c in d.columns if c.span in {span for _, span in lost}]
    if len(columns) < len(lost):
        return "", None
    said = [f"{c.name}: {c.type.span.text}" for c in columns]
    if len(free) == len(lost):
        lines = [f"{c} from {header}" for c, header in zip(said, free, strict=True)]
        advice = f"write {listed_and(lines)}"
        whole = columns[0].span.join(columns[-1].span)
        text = whole.text
        for column, line in zip(columns, lines, strict=True):
            text = text.replace(column.span.text, line)
        return advice, Fix(whole, text)
    if 0 < len(free) <= FEW:
        return f"write `{said[0]} from HEADER`, with {listed_or(free)} for HEADER", None
    if d.what != "table" and not free and len(lost) == 1:
        advice = f"write a column `{lost[0][0]}` into the file, or `state {said[0]}` for values that change in play"
        return advice, Fix(columns[0].span, f"state {said[0]}")
    return "", None


def is_placed_by_columns(model: Model, d: declared.Record) -> bool:
    """Return whether the columns of a grid give the places of its cells. If so, the author gives no size."""
    assert d.grid is not None
    edge = d.grid.width
    if not isinstance(edge, syntax.Word) or d.grid.height is None:
        return False
    return any(c.name == edge.name for c in d.columns) or model.word(edge.name) is None
