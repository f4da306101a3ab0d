"""Format pages about problem codes for the terminal, the list of codes, and both as data."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator

from rulewright.dsl.diagnostics.codes import CODES, Code, Stage
from rulewright.interpreter.text.columns import table

WIDTH = 80

_LINK = re.compile(r"\[([^\]]+)\]\([^)]*\)")
_NAMED = {"file": "the file", "bytes": "the file"}


def codes_text() -> str:
    """List all codes with their titles, by topic."""
    blocks = []
    for stage in Stage:
        rows = [("  " + code.name, code.title) for code in CODES.values() if code.stage is stage]
        blocks.append("\n".join([stage.value, *table(rows, left=2)]))
    return "\n\n".join([*blocks, "`rulewright explain CODE` shows an example and its fix"])


def codes_data() -> list[dict[str, str]]:
    """Return all codes as data."""
    return [_data(code) for code in CODES.values()]


def page_data(code: Code, page: str) -> dict[str, str]:
    """Return a page as data."""
    return {**_data(code), "page": page}


def _data(code: Code) -> dict[str, str]:
    return {"code": code.name, "about": code.stage.value, "title": code.title}


def page_text(page: str, *, colour: bool = False) -> str:
    """Format a page for the terminal: indent blocks, wrap paragraphs, and replace links by their text."""
    return "\n".join(_rows(page.split("\n"), colour)).rstrip("\n")


def _rows(lines: list[str], colour: bool) -> Iterator[str]:
    paragraph: list[str] = []
    is_block = False
    for line in lines:
        if paragraph and (not line or line.startswith(("#", "```"))):
            yield from textwrap.wrap(_LINK.sub(r"\1", " ".join(paragraph)), WIDTH)
            paragraph = []
        if line.startswith("```"):
            is_block = not is_block
            word, _, name = line[3:].partition(" ")
            if is_block and word in _NAMED:
                yield f"({_NAMED[word]} {name.split()[0]})"
                yield ""
        elif is_block:
            yield f"    {line}".rstrip()
        elif line.startswith("#"):
            title = line.lstrip("# ")
            yield f"\x1b[1m{title}\x1b[0m" if colour else title
        elif line:
            paragraph.append(line)
        else:
            yield ""
