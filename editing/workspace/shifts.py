"""Map places of a text to their places after an edit."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from difflib import SequenceMatcher
from typing import TypeAlias

from attrs import frozen

from rulewright.dsl.diagnostics.source import Source, Span

MOST_LINES = 600  # the maximum length of a changed part; a longer part counts as new
Block: TypeAlias = tuple[int, int, int]
"""A part that both texts share: its start in each text, and its length."""


@frozen
class Shift:
    """A mapping from an old text to a new text."""

    new: Source
    blocks: tuple[Block, ...]
    starts: tuple[int, ...]

    def span(self, span: Span) -> Span | None:
        """Return the same place in the new text, or None if its text has changed."""
        at = bisect_right(self.starts, span.start) - 1
        if at < 0:
            return None
        old, new, length = self.blocks[at]
        if span.end > old + length:
            return None
        return Span(self.new, span.start - old + new, span.end - old + new)


def shift(old: Source, new: Source) -> Shift:
    """Return the mapping from an old text to a new text."""
    blocks = tuple(_blocks(old.text, new.text))
    return Shift(new, blocks, tuple(block[0] for block in blocks))


def _blocks(old: str, new: str) -> Iterator[Block]:
    head = _common(old, new)
    tail = _common(old[head:][::-1], new[head:][::-1])
    # A changed word counts as a new word.
    while head and (_goes_on(old, head) or _goes_on(new, head)):
        head -= 1
    old_end, new_end = len(old) - tail, len(new) - tail
    while tail and (_goes_on(old, old_end) or _goes_on(new, new_end)):
        tail, old_end, new_end = tail - 1, old_end + 1, new_end + 1
    yield 0, 0, head
    before, after = (
        old[head:old_end].splitlines(keepends=True),
        new[head:new_end].splitlines(keepends=True),
    )
    if before and after and len(before) + len(after) <= MOST_LINES:
        yield from _lines(before, after, head)
    yield old_end, new_end, tail


def _lines(before: list[str], after: list[str], head: int) -> Iterator[Block]:
    """Yield the unchanged lines between two changes."""
    old_starts, new_starts = _starts(before, head), _starts(after, head)
    for old, new, count in SequenceMatcher(
        None, before, after, autojunk=False
    ).get_matching_blocks():
        for line in range(count):
            # Of the first line between the changes, only the rest is included.
            if old + line and new + line and before[old + line].endswith("\n"):
                yield old_starts[old + line], new_starts[new + line], len(before[old + line])


def _starts(lines: list[str], start: int) -> list[int]:
    found = []
    for line in lines:
        found.append(start)
        start += len(line)
    return found


def _common(a: str, b: str) -> int:
    """Return the length of the common start of two texts."""
    low, high = 0, min(len(a), len(b))
    while low < high:
        middle = (low + high + 1) // 2
        if a[low:middle] == b[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _goes_on(text: str, at: int) -> bool:
    """Return whether a place is inside a word."""
    return 0 < at < len(text) and _is_letter(text[at - 1]) and _is_letter(text[at])


def _is_letter(character: str) -> bool:
    return character.isalnum() or character == "_"
