"""Games that have lost a part: a declaration, an include, the rows of a table, the values of a kind.

Each loss is typical of an author who has not finished, or has deleted too much. This module knows the lines of
games only as patterns.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Mapping
from random import Random

Texts = Mapping[str, str]
Loss = tuple[str, dict[str, str]]
"""A loss, in words, and the changed files."""

_QUOTED = re.compile(r'"[^"\n]*"')
_NUMBER = re.compile(r"(?<![\w\"-])\d+(?!\w)")
_TYPE = re.compile(r"\b[A-Z]\w*\b")
_NAMED = re.compile(
    r"^ *(?:\w+ )*?(?:value|rule|action|state|zone|kind|piece|space|token) (\w+)", re.M
)
_WORN = (
    (r"^( *(?:kind|option) \w+ = )([^,\n]+),.*$", r"\1\2"),
    (r"^( *copies = ).*$", r"\g<1>0"),
    (r"^( *players ).*$", r"\g<1>1"),
    (r"^( *players ).*$", r"\g<1>1..12"),
    (r"^((?:piece|space) \w+ is ).*$", r"\1Nowhere or Nothing"),
    (r"^((?:piece|space) (\w+) is ).*$", r"\1\2 or Nowhere"),
    (r"^(.* from )\"[^\"]*\"$", r'\1"nowhere.csv"'),
    (r"^(.* where ).*$", r"\1no"),
    (r"^( *(?:if|needs|repeat until) ).*$", r"\1no"),
)  # fmt: skip


def losses(texts: Texts, chance: Random) -> Iterator[Loss]:
    """All possible losses of a game, in the order of its files."""
    for name, text in texts.items():
        made = _of_table(text, chance) if name.endswith(".csv") else _of_rules(text, chance)
        for what, spoilt in made:
            if spoilt != text:
                yield f"{name}: {what}", {name: spoilt}


def _of_rules(text: str, chance: Random) -> Iterator[tuple[str, str]]:
    lines = text.split("\n")
    heads = [
        n for n, line in enumerate(lines) if line.strip() and not line.lstrip().startswith("#")
    ]
    for n in heads:
        end = _end(lines, n)
        said = lines[n].strip()
        yield f"without `{said}`", "\n".join([*lines[:n], *lines[end:]])
        if end > n + 1:
            yield f"nothing below `{said}`", "\n".join([*lines[: n + 1], *lines[end:]])
        if _depth(lines[n]) == 0:
            block, rest = lines[n:end], [*lines[:n], *lines[end:]]
            at = chance.randrange(len(rest) + 1)
            yield f"`{said}` elsewhere", "\n".join([*rest[:at], *block, *rest[at:]])
            yield f"`{said}` twice", "\n".join([*lines[:end], *lines[n:]])
            rows = {k for k in range(n, end) if lines[k].strip().startswith("row ")}
            kept = [line for k, line in enumerate(lines) if k not in rows]
            yield f"no rows of `{said}`", "\n".join(kept)
    for pattern, new in _WORN:
        yield f"all {pattern} as {new}", re.sub(pattern, new, text, flags=re.MULTILINE)
        for found in re.finditer(pattern, text, re.MULTILINE):
            yield f"`{found[0].strip()}` as {new}", _replace_match(text, found, found.expand(new))
    for found in _outside_quotes(text, _NUMBER):
        for number in ("0", "-1", "99999999"):
            yield f"{number} for {found[0]} at {found.start()}", _replace_match(text, found, number)
    types = sorted({"Player", *(found[0] for found in _outside_quotes(text, _TYPE))})
    for found in _outside_quotes(text, _TYPE):
        other = chance.choice(types)
        yield f"{other} for {found[0]} at {found.start()}", _replace_match(text, found, other)
    for found in _NAMED.finditer(text):
        at = found.start(1)
        yield f"{found[1]} called otherwise", f"{text[:at]}x{text[at:]}"


def _of_table(text: str, chance: Random) -> Iterator[tuple[str, str]]:
    cells = list(csv.reader(io.StringIO(text)))
    yield "empty", ""
    yield "without its header", _as_csv(cells[1:])
    yield "without rows", _as_csv(cells[:1])
    yield "one row", _as_csv(cells[:2])
    for n, header in enumerate(cells[0]):
        yield f"without {header}", _as_csv([[*row[:n], *row[n + 1 :]] for row in cells])
        for new in ("", "0", "99999999", "nowhere"):
            at = chance.randrange(1, len(cells))
            changed = [
                [*row[:n], new, *row[n + 1 :]] if k == at else row for k, row in enumerate(cells)
            ]
            yield f"`{new}` for {header} in row {at}", _as_csv(changed)
    for at in range(1, len(cells)):
        yield f"without row {at}", _as_csv([*cells[:at], *cells[at + 1 :]])


def _as_csv(cells: list[list[str]]) -> str:
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(cells)
    return out.getvalue()


def _depth(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _end(lines: list[str], at: int) -> int:
    """The place after a line and the block below it."""
    end = at + 1
    for n in range(at + 1, len(lines)):
        if lines[n].strip():
            if _depth(lines[n]) <= _depth(lines[at]):
                break
            end = n + 1
    return end


def _replace_match(text: str, found: re.Match[str], new: str) -> str:
    return text[: found.start()] + new + text[found.end() :]


def _outside_quotes(text: str, pattern: re.Pattern[str]) -> Iterator[re.Match[str]]:
    quoted = [found.span() for found in _QUOTED.finditer(text)]
    return (
        found
        for found in pattern.finditer(text)
        if not any(start <= found.start() < end for start, end in quoted)
    )
