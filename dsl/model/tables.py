"""Reads tables from CSV files into cells with their places."""

from __future__ import annotations

import re
from functools import lru_cache

from rulewright.dsl.diagnostics.diagnostics import Diagnostic, Fix, Label, Problems
from rulewright.dsl.diagnostics.source import Source, Span
from rulewright.dsl.immutable import frozen
from rulewright.dsl.text.invisible_characters import report_invisible
from rulewright.dsl.text.names import as_name


@frozen
class Cell:
    """The text of a cell (without quotes and outer spaces) and its place."""

    text: str
    span: Span


@frozen
class TableText:
    """The table in a file. The headers are names, and each row has as many cells as there are headers."""

    source: Source
    headers: tuple[str, ...]
    header_cells: tuple[Cell, ...]
    rows: tuple[tuple[Cell, ...], ...]
    unnamed: int = 0
    """The number of cells that every row has after the last column of the header."""

    def column(self, name: str) -> int | None:
        """Return the index of a header; None if there is no such header."""
        return self.headers.index(name) if name in self.headers else None


MOST_ROWS = 20_000
"""The maximum number of rows of a table that are read."""

_SEPARATORS = (",", ";", "\t")
_UNQUOTED = {
    other_separator: re.compile(rf"[^{other_separator}\n]*") for other_separator in _SEPARATORS
}
_QUOTED = re.compile(r'"[^"]*"')


def read_table(source: Source, problems: Problems) -> TableText | None:
    """Return the cells of a CSV text, excluding rows that have more or fewer cells than there are headers."""
    table, found = _read_table(source)
    problems.extend(found)
    return table


@lru_cache(maxsize=32)
def _read_table(source: Source) -> tuple[TableText | None, tuple[Diagnostic, ...]]:
    """Return the contents and the problems of a table.

    The result is cached, because each variant of a game reads it.
    """
    problems = Problems()
    table = _table(source, problems)
    return table, problems.in_order()


def _table(source: Source, problems: Problems) -> TableText | None:
    separator = separator_of(source.text)
    lines = _lines(source, separator, problems)
    is_open = len(problems) > 0  # an unclosed quote includes all the text after it
    report_invisible(source, problems)
    if not lines:
        problems.error(
            "table-empty",
            "this table has no header line",
            Span(source, 0, 0),
            help="write the names of the columns into the first line, separated by commas",
        )
        return None
    if len(lines) - 1 > MOST_ROWS:
        problems.error(
            "too-many-options",
            f"this table has {len(lines) - 1:,} rows (at most {MOST_ROWS:,})",
            lines[MOST_ROWS + 1][0].span,
            at="the first row too many",
            help="rows from here on are not read: check whether it is the right table",
        )
        del lines[MOST_ROWS + 1 :]
    header_cells = lines[0]
    headers: list[str] = []
    for cell in header_cells:
        name = as_name(cell.text)
        if name and name in headers:
            problems.error(
                "table-duplicate-column",
                f"the column `{cell.text}` appears twice in this table",
                cell.span,
                labels=(Label(header_cells[headers.index(name)].span, "first here"),),
                help="remove one of the two columns, or rename it",
            )
        headers.append(name)
    rows = []
    is_reported = False
    unnamed = _extra_columns(lines)
    for cells in lines[1:]:
        other_separator = _other_separator(cells, separator) if len(cells) < len(headers) else ""
        if is_open and cells is lines[-1] and len(cells) < len(headers):
            pass  # already reported
        elif len(cells) < len(headers) and not (other_separator and is_reported):
            has, instead = _SIGNS[separator], _SIGNS.get(other_separator, "")
            help, fix = _missing_cells_help(cells, len(headers), separator)
            problems.error(
                "table-missing-cell",
                _cell_count_message(cells, headers),
                cells[0].span.join(cells[-1].span),
                at=f"no cell for `{header_cells[len(cells)].text}`",
                help=f"the first line has a {has} between two cells, but this row has a {instead}"
                if other_separator
                else help,
                fix=None if other_separator else fix,
            )
        elif not unnamed and any(cell.text for cell in cells[len(headers) :]):
            problems.error(
                "table-extra-cell",
                _cell_count_message(cells, headers),
                cells[len(headers)].span.join(cells[-1].span),
                help=f"a cell that holds a {_SIGNS[separator]} must be written in double quotes: "
                f'"one{separator} two"',
            )
        is_reported |= bool(other_separator)
        rows.append(_trim_row(cells, len(headers), other_separator))
    if len(lines) == 1:
        problems.error(
            "table-empty",
            "this table has no rows",
            header_cells[0].span.join(header_cells[-1].span),
            help="write a line for each row below the names of the columns",
        )
    return TableText(source, tuple(headers), header_cells, tuple(rows), unnamed)


def _extra_columns(lines: list[tuple[Cell, ...]]) -> int:
    """Return the number of extra cells if it is the same in all rows, otherwise 0.

    If all rows have the same number of extra cells, the header is wrong rather than the rows.
    """
    longer = {len(cells) - len(lines[0]) for cells in lines[1:]}
    return max(0, *longer) if len(longer) == 1 and len(lines) > 2 else 0


def _cell_count_message(cells: tuple[Cell, ...], headers: list[str]) -> str:
    found = "1 cell" if len(cells) == 1 else f"{len(cells)} cells"
    columns = "1 column" if len(headers) == 1 else f"{len(headers)} columns"
    return f"the row `{cells[0].text}` has {found}, but the table has {columns}"


def _missing_cells_help(
    cells: tuple[Cell, ...], count: int, separator: str
) -> tuple[str, Fix | None]:
    """Return help for a row with too few cells."""
    if cells[0].text.startswith(("#", "//")):
        return "remove this line: a table has no comments", None
    span = cells[0].span.join(cells[-1].span)
    if len(span.text) > _LONG or "\n" in span.text:
        return "", None
    filled = span.text + separator * (count - len(cells))
    return f"write `{filled}` if the missing cells are empty", Fix(span, filled)


_LONG = 60  # the maximum length of a row that help repeats


def _other_separator(cells: tuple[Cell, ...], separator: str) -> str:
    """If a row seems to have only one cell because it uses a different separator from the table's,
    return that separator.

    Return "" if there is no such separator.
    """
    text = cells[0].span.text
    if len(cells) > 1 or text.startswith('"'):
        return ""
    return next(
        (
            other_separator
            for other_separator in _SEPARATORS
            if other_separator != separator and other_separator in text
        ),
        "",
    )


def _trim_row(cells: tuple[Cell, ...], count: int, other_separator: str) -> tuple[Cell, ...]:
    """Return a row without the empty cells after its last column.

    For a row that uses another separator, return only the cell with the row's name.
    """
    if other_separator:
        return (Cell(cells[0].text.partition(other_separator)[0], cells[0].span),)
    return cells if any(cell.text for cell in cells[count:]) else cells[:count]


_SIGNS = {",": "comma", ";": "semicolon", "\t": "tab"}


def separator_of(text: str) -> str:
    """Return the separator of a table, which is the most frequent separator in the first non-empty line.

    >>> separator_of("name;price\\ntea;2,5"), separator_of("name,price")
    (';', ',')
    """
    first = _QUOTED.sub("", text.lstrip("\n ")).partition("\n")[0]
    return max(_SEPARATORS, key=first.count)


def _lines(source: Source, separator: str, problems: Problems) -> list[tuple[Cell, ...]]:
    """Split a text into rows, without empty rows. Quotes may contain separators, doubled quotes and line ends."""
    unquoted = _UNQUOTED[separator]
    spaces = " \t".replace(separator, "")
    text = source.text
    lines: list[tuple[Cell, ...]] = []
    cells: list[Cell] = []
    at, end = 0, len(text)
    while at < end:
        start = at
        while at < end and text[at] in spaces:
            at += 1
        if at < end and text[at] == '"':
            opened = at
            at += 1
            parts: list[str] = []
            while True:
                close = text.find('"', at)
                if close < 0:
                    said = text[opened:].partition("\n")[0].rstrip()
                    line_end = Span(source, opened + len(said), opened + len(said))
                    problems.error(
                        "unclosed-text",
                        "a quote is opened in this cell and never closed",
                        Span(source, opened, opened + 1),
                        help="write a quote at its end, or none at its beginning",
                        fix=Fix(line_end, '"', 'write `"` at the end of the line'),
                    )
                    parts.append(text[at:])
                    at = end
                    break
                parts.append(text[at:close])
                at = close + 1
                if at < end and text[at] == '"':
                    parts.append('"')
                    at += 1
                    continue
                break
            found = unquoted.match(text, at)
            assert found is not None
            value = "".join(parts) + found.group()
            at = found.end()
        else:
            found = unquoted.match(text, at)
            assert found is not None
            value = found.group()
            at = found.end()
        shown_start = start + len(text[start:at]) - len(text[start:at].lstrip())
        shown_end = start + len(text[start:at].rstrip())
        cells.append(
            Cell(
                value.strip(),
                Span(source, min(shown_start, shown_end), max(shown_start, shown_end)),
            )
        )
        if at >= end or text[at] == "\n":
            if any(cell.text for cell in cells):
                lines.append(tuple(cells))
            cells = []
            at += 1
        else:
            at += 1
            if at >= end or text[at] == "\n":
                cells.append(Cell("", Span(source, at, at)))
                if any(cell.text for cell in cells):
                    lines.append(tuple(cells))
                cells = []
                at += 1
    return lines
