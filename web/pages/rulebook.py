"""Return the rulebook of a game as HTML: headings, paragraphs, tables, and clauses that link to each other."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from itertools import groupby

from rulewright.interpreter.questions.rulebook import Passage, pieces
from rulewright.web.pages.html import Html, joined, tag
from rulewright.web.pages.layout import link
from rulewright.web.words import say

_CLAUSE = re.compile(r"\*\*([A-Z]{2,}-[A-Z0-9]+)\*\*\s*(.*)", re.DOTALL)
_NAME = re.compile(r"\b([A-Z]{2,}-[A-Z0-9]+)\b")
_MANY_SECTIONS = 8
"""A rulebook with at least this many sections begins with a list of them."""
_TAGS = {"strong": "strong", "em": "em", "code": "code", "link": "span"}


def rulebook(found: Iterable[Passage]) -> Html:
    """Return the passages of a rulebook, without the title, which the page shows above them."""
    passages = [one for one in found if one.level != 1]
    matches = (_CLAUSE.match(one.marked) for one in passages if one.indent)
    clauses = {match[1] for match in matches if match}
    sections = [link(one.text, f"#{_place(one)}") for one in passages if one.level == 2]
    parts: list[Html] = []
    if len(sections) >= _MANY_SECTIONS:
        listed = tag("ol", *(tag("li", section) for section in sections))
        parts.append(tag("details", tag("summary", say("rules-sections")), listed))
    for is_item, group in groupby(passages, lambda one: bool(one.indent)):
        shown = [_item(one, clauses) if is_item else _block(one, clauses) for one in group]
        parts += [tag("ul", *shown)] if is_item else shown
    return tag("div", *parts, class_="rulebook")


def _item(one: Passage, clauses: Collection[str]) -> Html:
    clause = _CLAUSE.match(one.marked)
    if clause is None:
        return tag("li", _inline(one.marked, clauses))
    name = tag("span", clause[1], class_="clause")
    return tag("li", name, " ", _inline(clause[2], clauses), id=clause[1])


def _place(heading: Passage) -> str:
    """The address of a heading within the page."""
    return re.sub(r"\W+", "-", heading.text.casefold()).strip("-")


def _block(one: Passage, clauses: Collection[str]) -> Html:
    if one.level:
        return tag(f"h{min(one.level, 4)}", one.text, id=_place(one))
    if one.rows:
        head, *rows = one.rows
        return tag("table", _row("th", head, clauses), *(_row("td", row, clauses) for row in rows))
    if one.is_plain:
        return tag("pre", one.text, tabindex="0")
    return tag("p", _inline(one.marked, clauses))


def _row(cell: str, texts: Iterable[str], clauses: Collection[str]) -> Html:
    return tag("tr", *(tag(cell, _inline(text, clauses)) for text in texts))


def _inline(marked: str, clauses: Collection[str]) -> Html:
    return joined(*_inline_parts(marked, clauses))


def _inline_parts(marked: str, clauses: Collection[str]) -> Iterator[Html | str]:
    for kind, part in pieces(marked):
        if kind:
            yield tag(_TAGS[kind], part if kind == "code" else _inline(part, clauses))
            continue
        # The split alternates between other words and names that may be clauses.
        for at, words in enumerate(_NAME.split(part)):
            yield link(words, f"#{words}") if at % 2 and words in clauses else words
