"""Small programs that show a secret, and others that show none, from the page beside this module."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

_TEXT = (Path(__file__).parent / "secret_programs.md").read_text(encoding="utf-8")
_BLOCK = re.compile(
    r"^## (?P<name>\w+)\n\n```program\n(?P<rules>.*?)^```$", re.MULTILINE | re.DOTALL
)
_FRAME = _TEXT.partition("```frame\n")[2].partition("```")[0]


def sections(text: str) -> Iterator[tuple[str, ...]]:
    """The sections of a text: a line at the margin with the lines below it."""
    part: list[str] = []
    for line in text.splitlines():
        if part and not line.startswith(" "):
            yield tuple(part)
            part = []
        part.append(line)
    if part:
        yield tuple(part)


def program(rules: str) -> str:
    """The frame with these sections in it."""
    own = list(sections(rules))
    lines: list[str] = []
    framed = {part[0] for part in sections(_FRAME)}
    for part in sections(_FRAME):
        if part[0] == "setup":
            lines += [line for each in own if each[0] not in framed for line in each]
        lines += next((each for each in own if each[0] == part[0]), part)
    return "\n".join(lines) + "\n"


_DISCLOSING, _, _SAFE = _TEXT.partition("\n# They tell none\n")
DISCLOSING = {found["name"]: program(found["rules"]) for found in _BLOCK.finditer(_DISCLOSING)}
SAFE = {found["name"]: program(found["rules"]) for found in _BLOCK.finditer(_SAFE)}
