"""The index of the cookbook: its pages, and its recipes by mechanism and by question.

Independent of the games in the recipes; the comments below each heading are described in `cookbook/README.md`.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from pathlib import Path

from attrs import frozen

COOKBOOK = Path(__file__).parent / "cookbook"

_SECTION = re.compile(r"^## (.+)\n((?:(?!## ).*\n?)*)", re.MULTILINE)
_COMMENT = re.compile(r"^<!-- (answers|asks): (.+) -->$", re.MULTILINE)


@frozen
class Section:
    """A recipe as the index shows it."""

    page: str
    title: str
    answers: tuple[str, ...]
    asks: tuple[str, ...]

    @property
    def link(self) -> str:
        """A link to the heading."""
        anchor = re.sub(r"[^\w\- ]", "", self.title.lower()).replace(" ", "-")
        return f"[{self.title}]({self.page}#{anchor})"


def pages() -> str:
    """The pages with the number of their recipes."""
    rows = []
    for page in _pages():
        title, about = re.findall(r"^# (.+)\n\n(.+)", page.read_text(encoding="utf-8"))[0]
        recipes = len(list(_sections(page)))
        rows.append(f"| [{title}]({page.name}) | {recipes} | {about} |")
    return "\n".join(["| page | recipes | |", "| --- | --- | --- |", *rows]) + "\n"


def mechanisms() -> str:
    """Each mechanism with its meaning and the recipes that answer it."""
    found: dict[str, list[str]] = {}
    for section in _all_sections():
        for name in section.answers:
            found.setdefault(name, []).append(section.link)
    with (COOKBOOK / "mechanisms.csv").open(encoding="utf-8", newline="") as lines:
        rows = [
            f"| {row['mechanism']} | {row['what it means']} | {', '.join(found.get(row['mechanism'], []))} |"
            for row in csv.DictReader(lines)
        ]
    return "\n".join(["| mechanism | meaning | recipe |", "| --- | --- | --- |", *rows]) + "\n"


def questions() -> str:
    """The questions in alphabetical order."""
    rows = sorted(f"| {asked} | {s.link} |" for s in _all_sections() for asked in s.asks)
    return "\n".join(["| question | recipe |", "| --- | --- |", *rows]) + "\n"


def _pages() -> list[Path]:
    return sorted(set(COOKBOOK.glob("*.md")) - {COOKBOOK / "README.md"})


def _all_sections() -> Iterator[Section]:
    for page in _pages():
        yield from _sections(page)


def _sections(page: Path) -> Iterator[Section]:
    for title, text in _SECTION.findall(page.read_text(encoding="utf-8")):
        said = _COMMENT.findall(text)
        answers = next((names for word, names in said if word == "answers"), "")
        asks = tuple(asked for word, asked in said if word == "asks")
        yield Section(page.name, title, tuple(n.strip() for n in answers.split(";") if n), asks)
