"""Component tables from CSV files: cells with their places. Refuses to know what a cell means."""

from __future__ import annotations

import re
from functools import lru_cache

from attrs import frozen

from rulewright.dsl.problems.diagnostics import Diagnostic, Label, Problems
from rulewright.dsl.problems.source import Source, Span


@frozen
class Cell:
    """The text of a cell (quotes taken off, blanks trimmed) and where it stands."""

    text: str
    span: Span


@frozen
class TableText:
    """A table as it stands in a file: headers as names, and rows of as many cells."""

    source: Source
    headers: tuple[str, ...]
    header_cells: tuple[Cell, ...]
    rows: tuple[tuple[Cell, ...], ...]

    def column(self, name: str) -> int | None:
        """The place of a header, or None."""
        return self.headers.index(name) if name in self.headers else None


def as_name(text: str) -> str:
    """A word of a table as a name of the language: lower case, everything else than letters and digits as `_`."""
    return _ELSE.sub("_", text.strip().lower()).strip("_")


_ELSE = re.compile(r"[^a-z0-9]+")
_UNQUOTED = re.compile(r"[^,\n]*")


def read_table(source: Source, problems: Problems) -> TableText | None:
    """The cells of a CSV text; rows with more or fewer cells than there are headers are left out."""
    table, found = _read(source)
    problems.extend(found)
    return table


@lru_cache(maxsize=64)
def _read(source: Source) -> tuple[TableText | None, tuple[Diagnostic, ...]]:
    """What is in a table and what is wrong with it; a game asks for each setting."""
    problems = Problems()
    table = _table(source, problems)
    return table, problems.sorted()


def _table(source: Source, problems: Problems) -> TableText | None:
    lines = _lines(source, problems)
    if not lines:
        problems.error(
            "table-empty",
            "this table has no header line",
            Span(source, 0, 0),
            help="write the names of the columns into the first line, separated by commas",
        )
        return None
    header_cells = lines[0]
    separator = next((sign for sign in (";", "\t") if sign in header_cells[0].text), "")
    if separator and len(header_cells) == 1:
        problems.error(
            "table-missing-column",
            f"the columns of this table are separated by {'tabs' if separator == chr(9) else '`;`'}, not by commas",
            header_cells[0].span,
            help="save it with commas between the cells; spreadsheets ask for the sign when they save CSV",
        )
        return None
    headers: list[str] = []
    for cell in header_cells:
        name = as_name(cell.text)
        if name and name in headers:
            problems.error(
                "table-duplicate-column",
                f"the column `{cell.text}` stands twice in this table",
                cell.span,
                labels=(Label(header_cells[headers.index(name)].span, "first here"),),
            )
        headers.append(name)
    rows = []
    for cells in lines[1:]:
        if len(cells) < len(headers):
            problems.error(
                "table-missing-cell",
                _counted(cells, headers),
                cells[0].span.join(cells[-1].span),
                at=f"no cell for `{header_cells[len(cells)].text}`",
            )
        elif len(cells) > len(headers):
            problems.error(
                "table-extra-cell",
                _counted(cells, headers),
                cells[len(headers)].span.join(cells[-1].span),
                help='a cell that holds a comma must be written in double quotes: "one, two"',
            )
        rows.append(cells)
    if len(lines) == 1:
        problems.error(
            "table-empty",
            "this table has no rows",
            header_cells[0].span.join(header_cells[-1].span),
            help="write a line for each row below the names of the columns",
        )
    return TableText(source, tuple(headers), header_cells, tuple(rows))


def _counted(cells: tuple[Cell, ...], headers: list[str]) -> str:
    found = "1 cell" if len(cells) == 1 else f"{len(cells)} cells"
    columns = "1 column" if len(headers) == 1 else f"{len(headers)} columns"
    return f"the row `{cells[0].text}` has {found}, the table has {columns}"


def _lines(source: Source, problems: Problems) -> list[tuple[Cell, ...]]:
    """Split a CSV text (quotes may hold commas, quotes doubled, and line ends) into rows of cells."""
    text = source.text
    lines: list[tuple[Cell, ...]] = []
    cells: list[Cell] = []
    at, end = 0, len(text)
    while at < end:
        start = at
        while at < end and text[at] in " \t":
            at += 1
        if at < end and text[at] == '"':
            opened = at
            at += 1
            parts: list[str] = []
            while True:
                close = text.find('"', at)
                if close < 0:
                    problems.error(
                        "unclosed-text",
                        "a quote is opened in this cell and never closed",
                        Span(source, opened, opened + 1),
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
            value = "".join(parts)
            while at < end and text[at] not in ",\n":
                at += 1
        else:
            found = _UNQUOTED.match(text, at)
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
            if len(cells) > 1 or cells[0].text:
                lines.append(tuple(cells))
            cells = []
            at += 1
        else:
            at += 1
            if at >= end or text[at] == "\n":
                cells.append(Cell("", Span(source, at, at)))
                if at >= end or text[at] == "\n":
                    lines.append(tuple(cells))
                    cells = []
                    at += 1
    return lines
