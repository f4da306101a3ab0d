"""Reads the recipes of the cookbook; runs nothing.

A recipe is a section of a page: a heading, invisible comments, a game and its scenarios.

- `<!-- answers: NAME; NAME -->`: the mechanisms of `mechanisms.csv` that it answers.
- `<!-- asks: QUESTION? -->`: a question that the index lists; there may be several.
- `<!-- key: LINE -->`: the line without which a scenario must fail, with everything indented below it.
- `<!-- without: LINE -->`: the line that replaces the key line, if the game needs one.
"""

from __future__ import annotations

import re
from pathlib import Path

from attrs import frozen

from tests.docs.pages import ROOT, Example, examples

COOKBOOK = ROOT / "docs" / "cookbook"
PAGES = sorted(set(COOKBOOK.glob("*.md")) - {COOKBOOK / "README.md"})

_SECTION = re.compile(r"^## (.+)\n((?:(?!## ).*\n?)*)", re.MULTILINE)
_COMMENT = re.compile(r"^<!-- (answers|asks|key|without): (.+) -->$", re.MULTILINE)


@frozen
class Recipe:
    """A section about mechanisms, with its game and scenarios, if it has any."""

    page: str
    title: str
    text: str
    answers: tuple[str, ...]
    key: str = ""
    without: str = ""
    games: tuple[Example, ...] = ()

    @property
    def name(self) -> str:
        """The page and the title, as a name."""
        return f"{self.page}#{self.title}"


def recipes(page: Path) -> list[Recipe]:
    """All recipes of a page, in order."""
    text = page.read_text(encoding="utf-8")
    run = examples(page)
    found = []
    for section in _SECTION.finditer(text):
        first = text.count("\n", 0, section.start()) + 1
        last = first + section[0].count("\n")
        said: dict[str, str] = dict(_COMMENT.findall(section[2]))
        found.append(
            Recipe(
                page.stem,
                section[1],
                section[2],
                tuple(name.strip() for name in said.get("answers", "").split(";") if name),
                said.get("key", ""),
                said.get("without", ""),
                tuple(e for e in run if first <= e.line < last),
            )
        )
    return found


def without_key(recipe: Recipe, game: str) -> str:
    """The game without its key line and the block below it."""
    lines = game.splitlines()
    [at] = [n for n, line in enumerate(lines) if line.strip() == recipe.key]
    depth = _depth(lines[at])
    end = at + 1
    while end < len(lines) and lines[end].strip() and _depth(lines[end]) > depth:
        end += 1
    instead = [" " * depth + recipe.without] if recipe.without else []
    kept = lines[at + 1 : end] if recipe.without else []
    return "\n".join([*lines[:at], *instead, *kept, *lines[end:]]) + "\n"


def _depth(line: str) -> int:
    return len(line) - len(line.lstrip())
