"""Align rows: the columns of a table, clause tags and comments at the right, headings."""

from __future__ import annotations

import re
from typing import Final

from attrs import define, field

from rulewright.dsl.formatting.breaks import STEP, WIDTH, Row, cells_of, rows_of
from rulewright.dsl.formatting.lines import Gap, Item, Line, Remark

TAGS: Final = 64  # the number of characters before a tag, if there is room

_HEADING: Final = re.compile(r"# -{3,} (\S.*?) -{3,}")
_NUMBER: Final = re.compile(r"-?[0-9]+")


def text_of(items: list[Item]) -> str:
    page = _Page()
    tables = _tables(items)
    for place, item in enumerate(items):
        match item:
            case Gap():
                page.gap()
            case Remark():
                page.remark(item)
            case Line():
                table = tables.get(place)
                page.line(item, [Row(item.depth * STEP, table)] if table else rows_of(item))
    return page.text()


@define
class _Page:
    """The written rows, and the last rows, whose comments are aligned together."""

    rows: list[str] = field(factory=list)
    run: list[tuple[str, str]] = field(factory=list)
    indent: int = 0
    """The indentation of the last rows."""

    def line(self, line: Line, rows: list[Row]) -> None:
        """Write a line, with its tag in the margin."""
        rows[-1].comment = line.comment
        for row in rows:
            if row.indent != self.indent:
                self.close()
                self.indent = row.indent
            text = " " * row.indent + (row.text or row.comment)
            if row is rows[-1] and line.tag:
                # the title of a scenario often has too many tags for a margin
                is_title = line.words[0].text == "scenario"
                margin = text if is_title else f"{text.ljust(TAGS - 2)} "
                text = f"{margin} {line.tag}"
            self.run.append((text, row.comment if row.text else ""))

    def remark(self, remark: Remark) -> None:
        """Write a comment in a separate row. A heading extends to the right edge."""
        self.close()
        indent = " " * (remark.depth * STEP)
        heading = _HEADING.fullmatch(remark.text)
        text = (
            f"{indent}# ---- {heading[1]} ".ljust(WIDTH, "-") if heading else indent + remark.text
        )
        self.rows.append(text)

    def gap(self) -> None:
        """Write an empty row."""
        self.close()
        self.rows.append("")

    def close(self) -> None:
        """Write the rows that are waiting for the comments of further rows."""
        said = [len(text) for text, comment in self.run if comment]
        width = max((length for length in said if length <= TAGS), default=0)
        for text, comment in self.run:
            self.rows.append(f"{text.ljust(width)}  {comment}" if comment else text)
        self.run.clear()

    def text(self) -> str:
        """Return all rows."""
        self.close()
        return "".join(f"{row}\n" for row in self.rows)


# ---- the rows of a piece ----------------------------------------------------------------------------


def _tables(items: list[Item]) -> dict[int, str]:
    """Return the lines of tables with aligned columns, keyed by place."""
    found: dict[int, str] = {}
    block: list[int] = []
    for place, item in enumerate(items):
        if not isinstance(item, Line):
            continue
        if item.words[0].type == "ROW" and (
            not block or _line(items, block[0]).depth == item.depth
        ):
            block.append(place)
            continue
        found |= _align_table(items, block)
        block = [place] if item.words[0].type == "ROW" else []
    return found | _align_table(items, block)


def _align_table(items: list[Item], block: list[int]) -> dict[int, str]:
    """Return the lines of one table, keyed by place. If the lines are too wide, the result is empty."""
    if len(block) < 2 or any(_line(items, place).between for place in block):
        return {}
    table = [cells_of(_line(items, place)) for place in block]
    most = max(map(len, table))
    columns = [[row[n] for row in table if n < len(row)] for n in range(most)]
    widths = [max(map(len, column)) for column in columns]
    right = [all(_NUMBER.fullmatch(cell) for cell in column) for column in columns]
    found: dict[int, str] = {}
    for place, row in zip(block, table, strict=True):
        cells = ""
        for n, cell in enumerate(row):
            comma = "," if n + 1 < len(row) else ""
            padded = f"{cell}{comma}"
            width = widths[n] + len(comma)
            cells += " " + (padded.rjust(width) if right[n] else padded.ljust(width))
        found[place] = f"row{cells}".rstrip()
    indent = _line(items, block[0]).depth * STEP
    return found if all(indent + len(text) <= WIDTH for text in found.values()) else {}


def _line(items: list[Item], place: int) -> Line:
    item = items[place]
    assert isinstance(item, Line)
    return item
