"""Find the lines of a file that can be folded, using only indentation: blocks, headings, tables of rows."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from rulewright.dsl.diagnostics.source import Source
from rulewright.editing.features.outline import headings


def folds(source: Source, path: Path) -> Iterator[tuple[int, int]]:
    """Yield the first and the last line of each range that can be folded into its first line; lines count
    from 1.
    """
    if path.suffix not in (".game", ".scenario"):
        return
    for heading in headings(source):
        last = heading.whole.end_line
        if last > heading.whole.line:
            yield heading.whole.line, last
    opened: list[tuple[int, int]] = []  # the indent and the line of each open block
    last = 0
    for line in range(1, source.line_count + 1):
        text = source.line_text(line)
        bare = text.strip()
        if not bare or (bare.startswith("#") and text[:1] == "#"):
            continue
        indent = len(text) - len(text.lstrip())
        while opened and opened[-1][0] >= indent:
            _, first = opened.pop()
            if last > first:
                yield first, last
        opened.append((indent, line))
        last = line
    while opened:
        _, first = opened.pop()
        if last > first:
            yield first, last
