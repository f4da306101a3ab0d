"""What a message says to write, as changes that can be made at once.

A problem may say itself what stands in its place. Of others the help is read: near names, and what is to be
written; a line that could not be read is tried with it, and offered only if it can be read then.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from attrs import frozen

from rulewright.dsl.parsing.expression_parser import parse_expression
from rulewright.dsl.parsing.parser import parse_game
from rulewright.dsl.problems.codes import CODES, Stage
from rulewright.dsl.problems.diagnostics import Diagnostic, Problems
from rulewright.dsl.problems.source import Source, Span
from rulewright.dsl.scenes.scene_parser import parse_scenarios
from rulewright.dsl.text.reading import SCENARIOS
from rulewright.editing.answers.edits import Edit
from rulewright.editing.desk.project import Snapshot

_QUOTED = re.compile(r"`([^`]+)`")
_NEAR = re.compile(r"did you mean (.+)\?")
_WRITE = re.compile(r"write ((?:`[^`]+`(?:, | or |))+)")
_PLACEHOLDER = re.compile(r"\.\.\.|(?<![A-Za-z0-9_\"-])[A-Z][A-Z0-9]*(?![A-Za-z0-9_-])")
BLANKS = "    "


@frozen
class Fix:
    """A change that mends a problem, with the words it is offered by."""

    title: str
    edits: tuple[Edit, ...]
    problem: Diagnostic
    is_sure: bool = True


def fixes(snapshot: Snapshot, path: Path, start: int, end: int) -> Iterator[Fix]:
    """The changes that mend the problems between two places of a file."""
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
    """The changes that mend one problem."""
    if problem.fix is not None:
        text = problem.fix.text
        title = f"write `{text.strip()}`" if text.strip() else "move it under the line above"
        yield Fix(title, (Edit(problem.fix.span, text),), problem)
        return
    near = _NEAR.search(problem.help)
    if near is not None:
        names = _QUOTED.findall(near[1])
        for name in names:
            yield _fix(problem, name, only=len(names) == 1)
        return
    yield from _of_the_layout(problem)
    written = _WRITE.search(problem.help)
    if written is None:
        return
    texts = [text for text in _QUOTED.findall(written[1]) if not _PLACEHOLDER.search(_bare(text))]
    for text in texts:
        if CODES[problem.code].stage is Stage.WRITTEN:
            tried = _tried(problem, text, path)
            if tried is not None:
                yield tried
        elif _is_of_the_same_form(problem, text):
            yield _fix(problem, text, only=len(texts) == 1)


def _fix(problem: Diagnostic, text: str, *, only: bool) -> Fix:
    return Fix(f"write `{text}`", (Edit(problem.span, text),), problem, only)


def _bare(text: str) -> str:
    """Without the names of sorts, which are capitalised, too."""
    return re.sub(r"\b[A-Z][a-z][A-Za-z0-9_]*", "x", text)


def _is_of_the_same_form(problem: Diagnostic, text: str) -> bool:
    """Whether one expression can stand for the other."""
    return _is_expression(text) and _is_expression(problem.span.text)


def _is_expression(text: str) -> bool:
    problems = Problems()
    source = Source("", text)
    found = parse_expression(source, problems, 0, len(text)) if text.strip() else None
    return found is not None and not len(problems)


def _of_the_layout(problem: Diagnostic) -> Iterator[Fix]:
    source, span = problem.span.source, problem.span
    match problem.code:
        case "tab-indent":
            yield Fix(
                "indent with blanks",
                (Edit(span, span.text.expandtabs(len(BLANKS))),),
                problem,
            )
        case "unclosed-text":
            end = source.line_end(span.line)
            kept = source.text[span.start : end].rstrip()
            at = Span(source, span.start + len(kept), span.start + len(kept))
            yield Fix('write `"` at the end of the line', (Edit(at, '"'),), problem)
        case _:
            return


def _tried(problem: Diagnostic, text: str, path: Path) -> Fix | None:
    """The change after which the line can be read: in place of the words at fault, or of the whole line."""
    source, span = problem.span.source, problem.span
    before = _wrong(source, path)
    line_start, line_end = source.line_start(span.line), source.line_end(span.line)
    line = source.text[line_start:line_end]
    indent = len(line) - len(line.lstrip())
    bare = line.split("  #")[0].rstrip()
    tag = re.search(r"[ \t]+\[[A-Z0-9., -]+\]$", bare)
    stop = line_start + (tag.start() if tag is not None else len(bare))
    places = [_sign(span), Span(source, line_start + indent, max(stop, line_start + indent))]
    places.append(Span(source, span.start, span.start))
    for place in places:
        words = text if place.start < place.end else text + " "
        new = Source(source.name, source.text[: place.start] + words + source.text[place.end :])
        if _wrong(new, path) < before:
            return Fix(f"write `{text}`", (Edit(place, words),), problem)
    return None


def _sign(span: Span) -> Span:
    """With the signs that touch a sign: `==` is read as two."""
    text, start, end = span.source.text, span.start, span.end
    if span.text.strip("=<>!&|") or not span.text:
        return span
    while start and text[start - 1] in "=<>!&|":
        start -= 1
    while end < len(text) and text[end] in "=<>!&|":
        end += 1
    return Span(span.source, start, end)


def _wrong(source: Source, path: Path) -> int:
    """How many lines cannot be read."""
    problems = Problems()
    if path.suffix == SCENARIOS:
        parse_scenarios(source, problems)
    else:
        parse_game(source, problems)
    return len(problems)
