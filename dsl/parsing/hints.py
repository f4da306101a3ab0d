"""Look up hints for words and lines that people write out of habit.

`hints.txt` is a table of such text and its replacements; the head of the table explains its rows.
This module is independent of the parser: the caller tests whether a result can be read.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache, partial
from importlib.resources import files
from typing import Final

from rulewright.dsl.diagnostics.advice import Advice, form, remove, write
from rulewright.dsl.diagnostics.foreign_words import COUNTED
from rulewright.dsl.diagnostics.source import Span
from rulewright.dsl.immutable import frozen
from rulewright.dsl.text.names import NAME

ARROW: Final = "  ->  "
_SHORT: Final = re.compile(r"<([A-Z]+)>")
_HERE: Final = {"«": "(?P<here>", "»": ")"}
_FILLED: Final = re.compile(r"<(\d)(?: (\w+))?>")
_TO_WRITE: Final = re.compile("«([^»]*)»")
_MOST_LISTED: Final = 8


@frozen
class Hint:
    """A form that people write, and the form to write instead. The second form contains
    placeholders for the parts of the first.
    """

    written: re.Pattern[str]
    write: str

    def fill(self, found: re.Match[str]) -> str:
        """Return the form to write instead of the found text."""
        return _FILLED.sub(partial(_part, found), self.write)


def whole(section: str, line: str) -> Iterator[str]:
    """Yield the forms that a section suggests in place of a whole line."""
    for hint in hints(section):
        found = hint.written.fullmatch(line)
        if found is not None:
            yield hint.fill(found)


@frozen
class Mistake:
    """A message about a part of a line, and the help for it."""

    message: str
    start: int
    end: int
    help: str
    replaced: tuple[int, int]
    """The place that the help replaces: the part, or all of the found text."""


def mistake(section: str, line: str, at: int) -> Mistake | None:
    """Return a section's hint for a word that does not fit at a place in a line; None if there is no hint."""
    for hint in hints(section):
        for found in hint.written.finditer(line):
            start, end = found.span("here")
            if start <= at <= end + 1:
                message, help = hint.fill(found).split(ARROW)
                is_whole = hint.written.pattern.endswith("$")
                return Mistake(
                    message, start, end, help, found.span() if is_whole else (start, end)
                )
    return None


def parse_help(help: str, at: Span | None = None) -> Advice:
    """Return the help of a row as advice. Each text in «...» becomes a change of the text at `at`;
    an empty one removes the text there.
    """
    said = Advice()
    for n, part in enumerate(_TO_WRITE.split(help)):
        said += (form(part, at) if part else remove("", at)) if n % 2 else part
    return said


@cache
def hints(section: str) -> tuple[Hint, ...]:
    """Return the rows of a section, in order."""
    return tuple(Hint(re.compile(one, re.DOTALL), other) for one, other in pairs(section).items())


@cache
def pairs(section: str) -> Mapping[str, str]:
    """Return the rows of a section of the table, with short forms written in full."""
    text = files("rulewright.dsl.parsing").joinpath("hints.txt").read_text(encoding="utf-8")
    short = {"NAME": NAME}
    rows: dict[str, str] = {}
    at = ""
    for line in text.splitlines():
        if line.startswith("["):
            at = line.strip("[]")
        elif ARROW in line and not line.startswith("#"):
            full = _SHORT.sub(lambda found: short[found[1]], line)
            one, other = full.split(ARROW, 1)
            one = re.sub("[«»]", lambda found: _HERE[found[0]], one)
            other = other.replace(" ↳ ", "\n    ").replace(" ↓ ", "\n")
            if at == "short forms":
                short[one] = other
            elif at == section:
                rows[one] = other
    return rows


def of_name(name: str) -> Advice:
    """Return help if a name in an expression is from another language. The help is empty if the table
    does not contain the name.
    """
    return write(COUNTED[name]) if name in COUNTED else of_word("names", name)


def of_word(section: str, word: str) -> Advice:
    """Return the help that a section of the table contains for a word."""
    return parse_help(pairs(section).get(word, ""))


def _part(found: re.Match[str], place: re.Match[str]) -> str:
    part = re.sub(r"\s+", " ", found[int(place[1])] or "")
    return _HOW[place[2]](part) if place[2] else part


def _type(word: str) -> str:
    return "".join(part[:1].upper() + part[1:] for part in word.split("_"))


def _local_name(type_name: str) -> str:
    return "p" if type_name == "Player" else type_name.lower()


def _list_values(words: str) -> str:
    between = re.fullmatch(r"(\d+)(?:\.\.| to )(\d+)", words)
    if between is not None:
        low, high = int(between[1]), int(between[2])
        return ", ".join(map(str, range(low, high + 1))) if high - low < _MOST_LISTED else str(high)
    return re.sub(r",? (?:or |and )?", ", ", words).replace('"', "")


_HOW: Final[Mapping[str, Callable[[str], str]]] = {
    "type": _type,
    "name": str.lower,
    "one": _local_name,
    "number": lambda word: COUNTED.get(word.lower(), word),
    "listed": _list_values,
    "cases": lambda words: re.sub(r"(?<=\w): ?", " then ", words),
    "me": lambda word: "p" if word == "p" else "me",
}
"""Ways to write a part of the found text."""
