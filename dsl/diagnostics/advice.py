"""Help as a value: its words, with the changes of the text that do what they say.

The words are printed from the changes, and never read back.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

from rulewright.dsl.diagnostics.source import Span
from rulewright.dsl.immutable import frozen


@frozen
class Change:
    """A text to write: at a place, or instead of a part of the place of the problem, or of all of it."""

    text: str
    place: Span | None = None
    part: str = ""

    def where(self, problem: Span) -> Span:
        """The place that the text replaces."""
        if self.place is not None:
            return self.place
        at = problem.text.find(self.part) if self.part else -1
        if at < 0:
            return problem
        return Span(problem.source, problem.start + at, problem.start + at + len(self.part))


@frozen
class Advice:
    """Words that say what to do, and the changes among which the author can choose."""

    words: str = ""
    changes: tuple[Change, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.words)

    def at(self, place: Span) -> Advice:
        """This advice for a place of its own, where that of the problem is another."""
        return Advice(self.words, tuple(Change(one.text, place) for one in self.changes))

    def __add__(self, other: Help) -> Advice:
        """This advice, and more after it."""
        more = advice(other)
        return Advice(self.words + more.words, self.changes + more.changes)

    def __radd__(self, other: str) -> Advice:
        return Advice(other + self.words, self.changes)


Help: TypeAlias = Advice | str
"""The help with a problem; words alone change nothing."""


def advice(help: Help) -> Advice:
    """Help with its changes, if it has any."""
    return help if isinstance(help, Advice) else Advice(help)


def form(text: str, at: Span | None = None) -> Advice:
    """A text to write, in backticks; each of its lines apart. Deeper lines have 4 spaces."""
    first, *others = text.split("\n")
    words, was_deeper = f"`{first.strip()}`", False
    for line in others:
        is_deeper = line.startswith(" ")
        joint = ", and below it" if is_deeper and not was_deeper else " and"
        words, was_deeper = f"{words}{joint} `{line.strip()}`", is_deeper
    return Advice(words, (Change(text, at),))


def write(text: str, at: Span | None = None) -> Advice:
    """Advice to write a text."""
    return "write " + form(text, at)


def one_of(texts: Iterable[str]) -> Advice:
    """Several texts, of which one is to be written."""
    *others, last = texts
    said = Advice()
    for n, text in enumerate(others):
        said += (", " if n else "") + form(text)
    return said + (" or " if others else "") + form(last)


def leave_out(words: str = "leave it out", place: Span | None = None) -> Advice:
    """Advice to remove a place."""
    return Advice(words, (Change("", place),))
