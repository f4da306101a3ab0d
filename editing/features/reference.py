"""Find the entry of a word or a built-in in the specification: its form, a sentence, an example, the page.

Independent of any game.
"""

from __future__ import annotations

import re
from functools import lru_cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Final

from attrs import frozen

from rulewright.dsl.lowering.builtins import TOPICS
from rulewright.dsl.lowering.emit.builtins import ATTRIBUTES, FUNCTIONS, OF_TYPES
from rulewright.dsl.tree import declared, syntax

BUILT_IN: Final = TOPICS  # importing these modules registers the built-ins
MOST_LINES = 8  # the maximum number of lines of an example
_ROW = re.compile(r"\|\s*(`[^|]*?)\s*\|\s*([^|]*?)\s*\|\s*$")
_PAGE = re.compile(r"\]\(([a-z]+\.md)\)")
_LINK = re.compile(r"\[([^\]]+)\]\([^)]*\)")
_SPANS = re.compile(r"`([^`]+)`")
_RUN = ("game", "frame", "fragment", "scenario")
_LISTS = ("builtins.md", "README.md")  # pages that contain only lists or links
SCENARIOS: Final = "scenarios.md"
_FIRST = (
    "words.md",
    "statements.md",
    "decisions.md",
    "data.md",
    "zones.md",
    "triggers.md",
    "flow.md",
    "queries.md",
)
"""The pages that define words in tables and sentences; these are searched before pages that only use the
words.
"""


@frozen
class Entry:
    """The entry of a word."""

    form: str
    about: str
    example: str
    page: str


@frozen
class _Page:
    name: str
    rows: tuple[tuple[str, str, str], ...]
    """The form of each entry, its sentence, and the page with more about it."""
    paragraphs: tuple[str, ...]
    examples: tuple[str, ...]


@lru_cache(maxsize=1)
def _pages() -> tuple[_Page, ...]:
    found = []
    every = files("rulewright.docs.spec").iterdir()
    for file in sorted(every, key=_turn):
        if file.name.endswith(".md") and file.name not in _LISTS:
            found.append(_page(file.name, file.read_text(encoding="utf-8")))
    return tuple(found)


def _turn(file: Traversable) -> tuple[int, str]:
    return (_FIRST.index(file.name) if file.name in _FIRST else len(_FIRST), file.name)


def _page(name: str, text: str) -> _Page:
    rows: list[tuple[str, str, str]] = []
    paragraphs: list[str] = []
    examples: list[str] = []
    block: list[str] | None = None
    kind = ""
    paragraph: list[str] = []
    for line in [*text.split("\n"), ""]:
        if line.startswith("```"):
            if block is not None and kind in _RUN:
                examples.append("\n".join(block))
            kind = line[3:].strip()
            block = [] if block is None else None
        elif block is not None:
            block.append(line)
        elif (row := _ROW.match(line)) is not None:
            more = _PAGE.search(row[2])
            rows.append((row[1], _plain(row[2]), more[1] if more is not None else name))
        elif line.strip() and not line.startswith(("#", "<!--", "|")):
            if line.lstrip().startswith("- "):
                _close(paragraph, paragraphs)
            paragraph.append(line.strip())
        else:
            _close(paragraph, paragraphs)
    return _Page(name, tuple(rows), tuple(paragraphs), tuple(examples))


def _close(paragraph: list[str], paragraphs: list[str]) -> None:
    text = _plain(" ".join(paragraph))
    # A line that consists only of words in code is a list.
    if _SPANS.sub("", text).strip():
        paragraphs.append(text.removeprefix("- "))
    paragraph.clear()


def _plain(text: str) -> str:
    return _LINK.sub(r"\1", text)


@lru_cache(maxsize=400)
def word_entry(word: str, first: str = "") -> Entry | None:
    """Return the entry of a word or phrase of the language; the page `first` is searched before all others."""
    begins = re.compile(rf"{re.escape(word)}(?![A-Za-z0-9_])")
    inside = re.compile(rf".*(?<![A-Za-z0-9_]){re.escape(word)}(?![A-Za-z0-9_])")
    pages = sorted(_pages(), key=lambda page: (page.name != first, page.name == SCENARIOS))
    for pattern in (begins, inside):
        for page in pages:
            for form, about, more in page.rows:
                codes = [code for code in _SPANS.findall(form) if pattern.match(code)]
                if about and codes:
                    return Entry("\n".join(codes), about, _example(word, more), more)
        for page in pages:
            for paragraph in page.paragraphs:
                code = next((c for c in _SPANS.findall(paragraph) if pattern.match(c)), None)
                if code is not None:
                    return Entry(code, paragraph, _example(word, page.name), page.name)
    return _from_the_tree(word)


def _from_the_tree(word: str) -> Entry | None:
    """Return the form of the declaration or statement that a word begins, from the syntax tree."""
    for node in (*vars(declared).values(), *vars(syntax).values()):
        about = " ".join((getattr(node, "__doc__", None) or "").split())
        if isinstance(node, type) and about.startswith(f"`{word} "):
            form, _, more = about[1:].partition("`")
            return Entry(form, more.lstrip(":, ").rstrip(), _example(word, ""), "README.md")
    return None


def _example(word: str, first: str) -> str:
    """Return lines of an example that use a word; the page `first` is searched before all others."""
    pages = sorted(_pages(), key=lambda page: (page.name != first, page.name == "words.md"))
    used = re.compile(rf"(?<![A-Za-z0-9_.]){re.escape(word)}(?![A-Za-z0-9_])")
    for at_start in (True, False):
        for page in pages:
            for example in page.examples:
                lines = example.split("\n")
                for number, line in enumerate(lines):
                    bare = line.strip()
                    if bare.startswith("#") or not used.search(bare.split('"')[0]):
                        continue
                    if not at_start or used.match(bare):
                        return "\n".join(_block(lines, number))
    return ""


def _block(lines: list[str], number: int) -> list[str]:
    """Return a line with its block, moved to the left."""
    indent = len(lines[number]) - len(lines[number].lstrip())
    found = [lines[number][indent:]]
    for line in lines[number + 1 :]:
        if len(found) == MOST_LINES or (line.strip() and line[: indent + 1].strip()):
            break
        found.append(line[indent:])
    while not found[-1].strip():
        found.pop()
    return found


def attribute_entry(name: str, tag: str | None) -> Entry | None:
    """Return the entry of a built-in attribute; `tag` is the type of its subject, or None if that is
    unknown.
    """
    found = [
        each for (of, called), each in ATTRIBUTES.items() if called == name and tag in (of, None)
    ]
    found = found or [each for (_, called), each in ATTRIBUTES.items() if called == name]
    if found:
        return Entry(found[0].form, *_summary(found[0].about), "builtins.md")
    of_type = OF_TYPES.get(name)
    return (
        Entry(of_type.form, *_summary(of_type.about), "builtins.md")
        if of_type is not None
        else None
    )


def function_entry(name: str) -> Entry | None:
    """Return the entry of a built-in function."""
    found = FUNCTIONS.get(name)
    if found is None:
        return word_entry(name)
    return Entry(found.form, *_summary(found.about), "builtins.md")


def _summary(about: str) -> tuple[str, str]:
    """Split a docstring into its first sentence and the example after it."""
    text = " ".join(about.split())
    sentence, colon, example = text.partition(": `")
    return (f"{sentence}.", example.rstrip("`.")) if colon else (text, "")


def attributes_of(tag: str) -> list[str]:
    """Return the names of the built-in attributes of a type of things."""
    return sorted(name for of, name in ATTRIBUTES if of == tag)


def functions() -> list[str]:
    """Return the names of the built-in functions."""
    return sorted(FUNCTIONS)


def of_types() -> list[str]:
    """Return the names of attributes of a whole type of things."""
    return sorted(OF_TYPES)
