"""Prepares the rules of a game as text for reading: all of them, or the passages about one thing."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from textwrap import wrap

import attrs

from rulewright.interpreter.matches.game import Game

_HEADING = re.compile(r"(#+)\s+(.*?)\s*#*")
_ITEM = re.compile(r"(\s*)([-*+]|[0-9]+[.)])\s+(.*)")
_PIECE = re.compile(
    r"\*\*(?=\w)(?P<strong>.+?)\*\*"
    r"|`(?P<code>[^`]+)`"
    r"|!?\[(?P<link>[^\]]+)\]\([^)]*\)"
    r"|(?<![\w*])(?P<mark>[*_])(?![\s*_])(?P<em>.+?)(?<![\s*_])(?P=mark)(?![\w*])"
)


@attrs.frozen
class Passage:
    """A paragraph, an item, a table or a heading, and the heading above it."""

    heading: str
    text: str
    level: int = 0
    """The level of a heading, with 1 as the highest, or 0 for all other passages."""
    is_plain: bool = False
    """Whether the lines of the passage are kept as they are."""
    indent: int = 0
    marked: str = ""
    """The text with its marks, which `pieces` splits."""
    rows: tuple[tuple[str, ...], ...] = ()
    """The cells of a table, with their marks."""


def passages(text: str, *, markdown: bool) -> list[Passage]:
    """Split a text into passages. A text without markup is split at its empty lines."""
    return list(_split_passages(text) if markdown else _blocks(text))


def for_reading(found: list[Passage], across: int) -> list[str]:
    """Convert passages to lines."""
    lines: list[str] = []
    for one in found:
        if lines and (one.level or not one.indent):
            lines.append("")
        lines += _lines(one, across)
    return lines


def about(found: list[Passage], words: str) -> list[Passage]:
    """Find the sections and passages about the given words.

    If the heading of a section contains all of the words, the whole section is included. Of other
    sections, only the heading and the passages that contain all of the words are included. The
    words may be the beginnings of longer words.
    """
    wanted = [re.compile(rf"(?<!\w){re.escape(word)}", re.IGNORECASE) for word in words.split()]
    said: list[Passage] = []
    heading: Passage | None = None
    whole_level = 0
    for one in found:
        is_about = all(word.search(one.text) for word in wanted)
        if one.level:
            heading = one
            if one.level <= whole_level or not whole_level:
                whole_level = one.level if is_about and one.level > 1 else 0
        if whole_level:
            said.append(one)
        elif is_about and not one.level:
            if heading is not None:
                said.append(heading)
                heading = None
            said.append(one)
    return said


def of_clause(found: list[Passage], clause: str) -> str:
    """Return the text of a clause. If no clause is named `clause`, return ""."""
    for one in found:
        word, _, text = one.text.partition(" ")
        if word.rstrip(".:") == clause and not one.level:
            return text
    return ""


def pieces(marked: str) -> Iterator[tuple[str, str]]:
    """Split a text at its marks, and yield the kind and the content of each piece.

    The kind is `strong`, `em`, `code` or `link`, or "" for a piece without marks. The content of
    `strong`, `em` and `link` can contain marks.
    """
    end = 0
    for found in _PIECE.finditer(marked):
        if found.start() > end:
            yield "", marked[end : found.start()]
        kind = found.lastgroup or ""
        yield kind, found[kind]
        end = found.end()
    if end < len(marked):
        yield "", marked[end:]


def _without_marks(marked: str, emphasis: str = "") -> str:
    """Remove the marks of a text. Put `emphasis` around emphasised words."""
    text = ""
    for kind, part in pieces(marked):
        words = part if kind in ("", "code") else _without_marks(part, emphasis)
        text += f"{emphasis}{words}{emphasis}" if kind == "em" else words
    return text


def _lines(one: Passage, across: int) -> Iterator[str]:
    if one.rows:
        yield from _table_lines(one.rows, across)
    elif one.is_plain:
        yield from one.text.splitlines()
    elif one.level:
        yield one.text
        yield ("=" if one.level == 1 else "-") * min(len(one.text), across)
    else:
        pad = " " * one.indent
        yield from wrap(
            _without_marks(one.marked, "*"),
            across,
            initial_indent=pad[:-2] + "- " if one.indent else "",
            subsequent_indent=pad,
        )


def _table_lines(rows: tuple[tuple[str, ...], ...], across: int) -> Iterator[str]:
    shown = [[_without_marks(cell, "*") for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*shown, strict=True)]
    pad = " " * min(sum(widths[:-1]) + 2 * len(widths[:-1]), across * 2 // 3)
    for row in shown:
        cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        yield from wrap("  ".join(cells), across, subsequent_indent=pad)


def _split_passages(text: str) -> Iterator[Passage]:
    heading = ""
    collected: list[str] = []
    indent = 0
    fenced = False
    for line in [*text.splitlines(), ""]:
        if line.lstrip().startswith("```"):
            if collected:
                yield (
                    Passage(heading, "\n".join(collected), is_plain=True)
                    if fenced
                    else _passage(heading, collected, indent)
                )
            collected, indent, fenced = [], 0, not fenced
            continue
        if fenced:
            collected.append(line)
            continue
        head, item = _HEADING.fullmatch(line), _ITEM.fullmatch(line)
        is_table = line.lstrip().startswith("|")
        was_table = bool(collected) and collected[0].startswith("|")
        if collected and (head or item or not line.strip() or is_table != was_table):
            yield _passage(heading, collected, indent)
            collected, indent = [], 0
        if head:
            heading = _without_marks(head[2])
            yield Passage(heading, heading, len(head[1]))
        elif item:
            collected, indent = [item[3].strip()], len(item[1]) + 2
        elif line.strip():
            collected.append(line.strip())
    if collected:
        yield Passage(heading, "\n".join(collected), is_plain=fenced)


def _passage(heading: str, lines: list[str], indent: int) -> Passage:
    if lines[0].startswith("|"):
        rows = _table(lines)
        text = "\n".join("  ".join(map(_without_marks, row)) for row in rows)
        return Passage(heading, text, rows=rows)
    marked = " ".join(lines)
    return Passage(heading, _without_marks(marked), indent=indent, marked=marked)


def _table(lines: list[str]) -> tuple[tuple[str, ...], ...]:
    rows = [[cell.strip() for cell in line.strip("| ").split("|")] for line in lines]
    rows = [row for row in rows if not all(set(cell) <= set("-: ") for cell in row)]
    count = max(map(len, rows), default=0)
    return tuple((*row, *[""] * (count - len(row))) for row in rows)


def _blocks(text: str) -> Iterator[Passage]:
    for block in re.split(r"\n\s*\n", text.strip("\n")):
        yield Passage("", block, is_plain=True)


def clauses_of(game: Game, clauses: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield the name and the text of each given clause that is in the rulebook. Without a rulebook, yield nothing."""
    if not clauses or not game.has_rulebook:
        return
    for one in passages(game.rules_text(), markdown=True):
        first, _, rest = one.text.partition(" ")
        if one.indent and first in clauses:
            yield first, rest
