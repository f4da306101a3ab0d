"""The outline of a file: its declarations under the headings of its author."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

from attrs import evolve, frozen

from rulewright.dsl.checks.clauses import read_clauses
from rulewright.dsl.diagnostics.diagnostics import Problems
from rulewright.dsl.diagnostics.source import Source, Span
from rulewright.dsl.tree import declared, syntax
from rulewright.editing.workspace.names import Symbol
from rulewright.editing.workspace.project import Snapshot

_HEADING = re.compile(
    r"^#[ \t]*-{2,}[ \t]*(.+?)[ \t]*-*[ \t]*$|(?:\A|(?<=\n\n))# (.+)\n(?=\n)", re.MULTILINE
)
"""The pattern of headings: a comment line with dashes, or a single comment line between blank lines."""
_MARKDOWN = re.compile(r"^(#{1,6})[ \t]+(.+)$", re.MULTILINE)
HEADING = "heading"


@frozen
class Entry:
    """A line of an outline: `whole` is its whole range, `name_span` the range to select."""

    name: str
    kind: str
    whole: Span
    name_span: Span
    inside: tuple[Entry, ...] = ()


def outline(snapshot: Snapshot, path: Path) -> tuple[Entry, ...]:
    """Return the headings of a file and the declarations under each."""
    source = snapshot.sources.get(path)
    if source is None:
        return ()
    if path.suffix == ".md":
        return tuple(_rulebook(source))
    if path.suffix == ".csv":
        return ()
    if path.suffix == ".game":
        return _under_headings(source, list(_declarations(snapshot, path, source)))
    symbols = snapshot.scenario_symbols.get(path, ())
    entries = [Entry(s.name, s.of, s.whole, s.span) for s in sorted(symbols, key=_start)]
    return _under_headings(source, list(_up_to_the_next(source, entries)))


def headings(source: Source) -> list[Entry]:
    """Return the headings of a file, each extended to the next heading."""
    found = []
    for match in _HEADING.finditer(source.text):
        end = source.text.find("\n", match.start())
        line = Span(source, match.start(), end if end >= 0 else len(source.text))
        found.append(Entry(match[1] or match[2], HEADING, line, line))
    return list(_up_to_the_next(source, found))


def _start(symbol: Symbol) -> int:
    return symbol.span.start


def _declarations(snapshot: Snapshot, path: Path, source: Source) -> Iterator[Entry]:
    inner: dict[Span, list[Entry]] = {}
    for symbol in snapshot.symbols:
        if symbol.span.source is source and symbol.of:
            around = _around(snapshot, path, symbol.span.start)
            if around is not None:
                entry = Entry(symbol.name, symbol.kind, symbol.whole, symbol.span)
                inner.setdefault(around.span, []).append(entry)
    entries = []
    for d in snapshot.declarations_in(path):
        name, kind = _title(d)
        if name:
            at = getattr(d, "name_span", None) or Span(source, d.span.start, d.span.start)
            entries.append(Entry(name, kind, d.span, at, tuple(inner.get(d.span, ()))))
    yield from _up_to_the_next(source, entries)


def _around(snapshot: Snapshot, path: Path, offset: int) -> declared.Declaration | None:
    found = None
    for d in snapshot.declarations_in(path):
        if d.span.start > offset:
            break
        found = d
    return found


def _title(d: declared.Declaration) -> tuple[str, str]:
    """Return the title of a declaration in an outline, and its kind."""
    match d:
        case declared.Game():
            return d.title, "game"
        case declared.Include():
            return f'include "{d.path}"', "include"
        case declared.PlayerDeclaration():
            return "player", "player"
        case declared.Section():
            return d.what, "section"
        case declared.OnAction():
            return f"{d.when} {d.pattern.name}", "trigger"
        case declared.Whenever() | declared.OnMove():
            return _short(d.span.text), "trigger"
        case declared.Anytime():
            return f"anytime {d.action}", "trigger"
        case declared.Power():
            return f"power {d.name}", "power"
        case declared.Record():
            return d.name, "table" if d.what == "table" else "type"
        case declared.KindList() | declared.Union():
            return d.name, "type"
        case declared.Rule():
            return d.name, d.what
        case declared.Score():
            return f"score of {d.name}", "section"
        case declared.Winner():
            return f"winner {d.name}", "section"
        case declared.Invariant():
            return _short(d.text), "invariant"
        case declared.Board():
            return f"board {d.space.name if d.space is not None else ''}".strip(), "section"
        case declared.Note() | syntax.Broken():
            return "", ""
        case declared.Zone():
            return d.name, "zone"
        case declared.State():
            return d.name, "state"
        case declared.Effect():
            return d.name, "effect"
        case declared.OptionDeclaration():
            return d.name, "option"
        case declared.Token() | declared.Die() | declared.Seat():
            return d.name, "state"
        case declared.Value() | declared.Side() | declared.Position():
            return d.name, "value"


def _short(text: str) -> str:
    words = " ".join(text.split())
    return words if len(words) <= 60 else words[:57] + "..."


def _up_to_the_next(source: Source, entries: list[Entry]) -> Iterator[Entry]:
    """Extend each entry over its lines, which end before the comments above the next entry."""
    for entry, following in pairwise((*entries, None)):
        assert entry is not None
        end = following.whole.start if following is not None else len(source.text)
        text = source.text[entry.whole.start : end]
        kept = [number for number, line in enumerate(text.split("\n")) if line[:1].strip(" #\t\n")]
        lines = text.split("\n")
        last = max(
            (
                n
                for n, line in enumerate(lines)
                if line.strip() and (n in kept or line[:1] in " \t")
            ),
            default=0,
        )
        length = len("\n".join(lines[: last + 1]).rstrip())
        whole = Span(source, entry.whole.start, entry.whole.start + max(length, 0))
        if entry.kind == HEADING:
            whole = Span(source, entry.whole.start, entry.whole.start + len(text.rstrip()))
        yield evolve(entry, whole=whole.join(entry.name_span))


def _under_headings(source: Source, entries: list[Entry]) -> tuple[Entry, ...]:
    found = headings(source)
    under: list[list[Entry]] = [[] for _ in found]
    top: list[Entry] = []
    for entry in entries:
        at = sum(heading.whole.start <= entry.whole.start for heading in found) - 1
        (under[at] if at >= 0 else top).append(entry)
    headed = [evolve(h, inside=tuple(u)) for h, u in zip(found, under, strict=True) if u]
    return tuple(sorted([*top, *headed], key=lambda entry: entry.whole.start))


def _rulebook(source: Source) -> Iterator[Entry]:
    """Yield the headings of a list of clauses, each with its clauses."""
    clauses = read_clauses(source, Problems())
    found = []
    for match in _MARKDOWN.finditer(source.text):
        line = Span(source, match.start(), match.end())
        found.append(Entry(match[2].strip(), HEADING, line, line))
    for heading in _up_to_the_next(source, found):
        inside = tuple(
            Entry(f"{c.id} {_short(c.text)}", "clause", c.span, c.span)
            for c in clauses
            if heading.whole.start <= c.span.start < heading.whole.end
        )
        yield evolve(heading, inside=inside)


def named_like(snapshot: Snapshot, words: str) -> Iterator[Symbol]:
    """Return every symbol of a game whose name contains the letters of a query in order."""
    wanted = words.casefold().replace(" ", "_")
    every = [*snapshot.symbols, *(s for each in snapshot.scenario_symbols.values() for s in each)]
    return (symbol for symbol in every if _holds(symbol.name.casefold(), wanted))


def _holds(name: str, wanted: str) -> bool:
    letters = iter(name)
    return all(letter in letters for letter in wanted)
