"""Quick fixes: the help of a message as edits.

A problem may contain its replacement. Otherwise its help is read: similar names, text to write, text to leave
out. A fix for a syntax error is parsed first, and offered only if it makes the line readable.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from attrs import frozen

from rulewright.dsl.diagnostics.codes import CODES, Stage
from rulewright.dsl.diagnostics.diagnostics import Diagnostic, Problems
from rulewright.dsl.diagnostics.source import Source, Span
from rulewright.dsl.diagnostics.written_fixes import Written, ways
from rulewright.dsl.parsing.parser import parse_game
from rulewright.dsl.parsing.reader import parse_expression
from rulewright.dsl.scenarios.scenario_parser import parse_scenarios
from rulewright.dsl.text.reading import SCENARIOS
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
    yield from _of_the_layout(problem)
    is_unread = CODES[problem.code].stage is Stage.WRITTEN
    advised = list(ways(problem.help))
    for way in advised:
        if not way.whole or way.place == "elsewhere":
            continue
        edit = _read_with(problem, way, path) if is_unread else _in_place(problem, way)
        if edit is not None:
            shown = "`, `".join(line.strip() for line in way.lines)
            yield Fix(f"write `{shown}`", (edit,), problem, len(advised) == 1)
    if _AWAY.search(problem.help):
        edit = _left_away(problem, path, is_unread=is_unread)
        if edit is not None:
            yield Fix("leave it out", (edit,), problem, is_unread)


def _title(text: str) -> str:
    shown = "`, `".join(" ".join(line.split()) for line in text.strip().split("\n"))
    return f"write `{shown}`" if shown else "leave it out"


# ---- what has been read ------------------------------------------------------------------------------


def _in_place(problem: Diagnostic, way: Written) -> Edit | None:
    """The change for a line that has a meaning, but not the intended one."""
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
    """The place of a name after a dot; including the subject before the dot if the new text replaces it, too."""
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
    """Whether a text replaces the whole line: it has the same first word, another declaration, or a roll."""
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


# ---- layout ------------------------------------------------------------------------------------------


def _of_the_layout(problem: Diagnostic) -> Iterator[Fix]:
    source, span = problem.span.source, problem.span
    match problem.code:
        case "unexpected-word" if "at the left margin" in problem.help:
            line, end = _block(span)
            taken = Span(source, source.line_start(line), end)
            block_end = Span(source, *[_block_end(source, line)] * 2)
            lines = _deeper(taken.text, -(span.column - 1))
            gap = "" if block_end.start == taken.end else "\n"
            yield Fix(
                "begin it at the left margin",
                (Edit(taken, ""), Edit(block_end, gap + lines)),
                problem,
            )
        case _:
            return


def _deeper(text: str, by: int) -> str:
    """Lines with a larger or smaller indentation."""
    lines = text.split("\n")
    moved = [" " * by + line if by > 0 else line.removeprefix(" " * -by) for line in lines]
    return "\n".join(line if line.strip() else "" for line in moved)


def _block(span: Span) -> tuple[int, int]:
    """The start of the line of a place, and the end of its block (including the line break)."""
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


def _block_end(source: Source, line: int) -> int:
    """The end of the part of a file that contains a line."""
    count = source.text.count("\n") + 1
    while (
        line < count
        and (not source.line_text(line + 1)[:1].strip())
        and source.line_text(line + 1).strip()
    ):
        line += 1
    return min(source.line_end(line) + 1, len(source.text))


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


def _left_away(problem: Diagnostic, path: Path, *, is_unread: bool) -> Edit | None:
    """An unneeded word, or an unneeded line with its block."""
    source, span = problem.span.source, problem.span
    line, end = _block(span)
    whole = Span(source, source.line_start(line), end)
    if not is_unread:
        is_own = source.line_text(line).lstrip().startswith(_DECLARES)
        return Edit(whole, "") if is_own and "nothing uses" in problem.message else None
    spaces = len(source.text[: span.start]) - len(source.text[: span.start].rstrip(" "))
    is_first = not source.text[source.line_start(line) : span.start].strip()
    word = Span(source, span.start - (0 if is_first else spaces), span.end)
    alone = Span(source, whole.start, min(source.line_end(line) + 1, end))
    for place in (whole, alone) if is_first else (word, whole):
        edit = Edit(place, "")
        if _reads(problem, edit, path) or _reads(problem, edit, path, further=True):
            return edit
    return None


# ---- what cannot be read -----------------------------------------------------------------------------


def _read_with(problem: Diagnostic, way: Written, path: Path) -> Edit | None:
    """The change that makes a line readable: it replaces the words at fault, or the whole line."""
    span = problem.span
    line = _line(span)
    indent = " " * (span.source.position(line.start)[1] - 1)
    text = f"\n{indent}".join(way.lines)
    brackets = _BRACKETS.match(span.source.text, span.end)
    places: list[Span] = [span.before] if way.place == "before" else []
    if len(way.lines) == 1:
        places += [_character(span)]
        if brackets is not None:
            places.append(Span(span.source, span.start, brackets.end()))
    places += [line, span.before]
    if span.start == line.start and " " in text:
        places.sort(key=lambda place: place != line)  # the text replaces the line
    for worse in (False, True):
        for place in places:
            edit = Edit(place, text if place.start < place.end else text + " ")
            if (not worse or place in (span, line)) and _reads(problem, edit, path, further=worse):
                return edit
    return None


def _character(span: Span) -> Span:
    """Extends a range over adjacent symbols: `==` is read as two tokens."""
    text, start, end = span.source.text, span.start, span.end
    if span.text.strip("=<>!&|") or not span.text:
        return span
    while start and text[start - 1] in "=<>!&|":
        start -= 1
    while end < len(text) and text[end] in "=<>!&|":
        end += 1
    return Span(span.source, start, end)


def _reads(problem: Diagnostic, edit: Edit, path: Path, *, further: bool = False) -> bool:
    """Whether a change improves a text: it has fewer problems, or the next problem is at least `further` on."""
    source, span = _around(edit.span)
    new = Source(source.name, source.text[: span.start] + edit.text + source.text[span.end :])
    before, after = _unread(source, path), _unread(new, path)
    if len(after) != len(before):
        return len(after) < len(before)
    if not further:
        return False
    end = span.start + len(edit.text)
    shift = len(edit.text) - (span.end - span.start)
    known = {
        (one.message, one.span.start + (shift if one.span.start >= span.end else 0))
        for one in before
    }
    new_ones = [one for one in after if (one.message, one.span.start) not in known]
    return all(
        one.span.start >= end and one.message != problem.message for one in new_ones
    ) and bool(new_ones)


def _around(span: Span) -> tuple[Source, Span]:
    """The text around a place, and the place in it: its declaration, and the declaration above.

    An edit here does not change how the others are read."""
    text = span.source.text
    begins = [0, *(found.start() for found in _LEFT.finditer(text))]
    at = bisect_right(begins, span.start) - 1
    start = begins[max(0, at - 1)]
    end = next((begin for begin in begins[at + 1 :] if begin > span.end), len(text))
    part = Source(span.source.name, text[start:end])
    return part, Span(part, span.start - start, span.end - start)


def _unread(source: Source, path: Path) -> Sequence[Diagnostic]:
    """The syntax errors of a text."""
    problems = Problems()
    if path.suffix == SCENARIOS:
        parse_scenarios(source, problems)
    else:
        parse_game(source, problems)
    return problems.sorted()
