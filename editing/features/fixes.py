"""Fixes: the advice of a message as edits that can be made at once.

A problem may bring its replacement. Otherwise its help is read: near names, text to write, text to leave out.
A fix for a syntax error is parsed first, and offered only if the line can be read with it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from attrs import frozen

from rulewright.dsl.diagnostics.codes import CODES, Stage
from rulewright.dsl.diagnostics.diagnostics import Diagnostic, Problems
from rulewright.dsl.diagnostics.source import Source, Span
from rulewright.dsl.diagnostics.written_fixes import Written, ways
from rulewright.dsl.parsing.reader import parse_expression
from rulewright.editing.features.edits import Edit
from rulewright.editing.workspace.project import Snapshot

_AWAY: Final = re.compile(r"\bleave (?:it|the quotes|the colon and the type) out\b(?!: write)")
_SUBJECT: Final = re.compile(r"(?:[\w.]|\([^()]*\))+\.$")
_LEFT: Final = re.compile(r"^[^\s#)\]}]", re.MULTILINE)
_TEXT: Final = re.compile(r'"[^"]*"$')
_BRACKETS: Final = re.compile(r"\([^()]*(?:\([^()]*\)[^()]*)*\)")
_DECLARES: Final = (
    "state ",
    "zone ",
    "value ",
    "kind ",
    "token ",
    "die ",
    "let ",
    "space ",
    "note ",
    "game ",
)


@frozen
class Fix:
    """A change that fixes a problem, and its title."""

    title: str
    edits: tuple[Edit, ...]
    problem: Diagnostic
    is_sure: bool = True


def fixes(snapshot: Snapshot, path: Path, start: int, end: int) -> Iterator[Fix]:
    """The changes that fix the problems between two places of a file."""
    source = snapshot.sources.get(path)
    if source is None:
        return
    for problem in snapshot.problems:
        if (
            problem.span.source is source
            and problem.span.start <= end
            and problem.span.end >= start
        ):
            yield from fixes_of(problem, path)


def fixes_of(problem: Diagnostic, path: Path) -> Iterator[Fix]:
    """The changes that fix one problem."""
    is_sure = len(problem.fixes) == 1
    for fix in problem.fixes:
        own = Edit(fix.span, fix.text)
        yield Fix(fix.title or _title(fix.text), (own,), problem, is_sure and fix.is_sure)
    if problem.fixes:
        return
    advised = list(ways(problem.help)) if CODES[problem.code].stage is not Stage.WRITTEN else []
    for way in advised:
        if not way.whole or way.place == "elsewhere":
            continue
        edit = _in_place(problem, way)
        if edit is not None:
            shown = "`, `".join(line.strip() for line in way.lines)
            yield Fix(f"write `{shown}`", (edit,), problem, len(advised) == 1)
    if _AWAY.search(problem.help):
        edit = _left_away(problem)
        if edit is not None:
            yield Fix("leave it out", (edit,), problem, is_sure=False)


def _title(text: str) -> str:
    shown = "`, `".join(" ".join(line.split()) for line in text.strip().split("\n"))
    return f"write `{shown}`" if shown else "leave it out"


# ---- what has been read ------------------------------------------------------------------------------


def _in_place(problem: Diagnostic, way: Written) -> Edit | None:
    """The change for a line that has a meaning, but the wrong one."""
    if len(way.lines) != 1:
        return None
    text = way.lines[0]
    if way.place == "before":
        return Edit(problem.span.before, text + " ")
    quoted = _TEXT.search(problem.span.text)
    if quoted is not None and not _is_expression(text):
        start = problem.span.start + quoted.start()
        return Edit(Span(problem.span.source, start, problem.span.end), f'"{text}"')
    span = _with_its_subject(problem, text)
    if _is_expression(text) and _is_expression(span.text):
        return Edit(span, text)
    if _is_its_line(problem.span, text):
        return _whole_line(problem.span, text)
    is_same_part = span.text != text and span.text.split()[:1] == text.split()[:1]
    return Edit(span, text) if is_same_part else None


def _with_its_subject(problem: Diagnostic, text: str) -> Span:
    """The place of a name after a dot, with the subject before the dot if the new text replaces that, too."""
    source, span = problem.span.source, problem.span
    if problem.code != "unknown-attribute":
        return span
    line_start = source.line_start(span.line)
    subject = _SUBJECT.search(source.text[line_start : span.start])
    if subject is None or not re.search(
        rf"\b{re.escape(subject[0][:-1])}\b|\.{re.escape(span.text)}$", text
    ):
        return span
    brackets = _BRACKETS.match(source.text, span.end)
    start = line_start + subject.start()
    return Span(source, start, brackets.end() if brackets is not None else span.end)


def _is_its_line(span: Span, text: str) -> bool:
    """Whether a text replaces the whole line: same first word, another kind of declaration, or a roll."""
    said, now = span.source.line_text(span.line).split()[:2], text.split()[:2]
    if said[:1] == now[:1]:
        return True
    if now[:1] == ["roll"] and said[:1] in (["set"], ["let"]):
        return said[1:] == now[1:]
    are_declared = all(words and f"{words[0]} " in _DECLARES for words in (said, now))
    return are_declared and [word.rstrip(":") for word in said[1:]] == [now[-1].rstrip(":")]


def _whole_line(span: Span, text: str) -> Edit:
    return Edit(_line(span), text)


def _is_expression(text: str) -> bool:
    problems = Problems()
    source = Source("", text)
    found = parse_expression(source, problems, 0, len(text)) if text.strip() else None
    return found is not None and not len(problems)


def _block(span: Span) -> tuple[int, int]:
    """The start of the line of a place, and the end of its block (with the break)."""
    source, line = span.source, span.line
    depth = _depth(source.line_text(line))
    last = span.end_line if span.end > span.start else line
    count = source.text.count("\n") + 1
    while last < count:
        below = source.line_text(last + 1)
        if not below.strip() or _depth(below) <= depth:
            break
        last += 1
    end = source.line_end(last)
    return line, min(end + 1, len(source.text))


def _depth(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _line(span: Span) -> Span:
    """The words of a line, without its clauses and its comment."""
    source = span.source
    start, end = source.line_start(span.line), source.line_end(span.line)
    line = source.text[start:end]
    bare = line.split("  #")[0].rstrip()
    tag = re.search(r"[ \t]+\[[A-Z0-9., -]+\]$", bare)
    stop = start + (tag.start() if tag is not None else len(bare))
    first = start + len(line) - len(line.lstrip())
    return Span(source, first, max(stop, first))


def _left_away(problem: Diagnostic) -> Edit | None:
    """A line with its block, that is not needed."""
    source, span = problem.span.source, problem.span
    line, end = _block(span)
    whole = Span(source, source.line_start(line), end)
    is_own = source.line_text(line).lstrip().startswith(_DECLARES)
    return Edit(whole, "") if is_own and "nothing uses" in problem.message else None
