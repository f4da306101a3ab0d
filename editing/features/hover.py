"""Write the hover text of a place: a name with its type and declaration, a clause, or the meaning of a
word.

The result is Markdown.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from attrs import frozen

from rulewright.dsl.checks.clauses import Clause, citations
from rulewright.dsl.diagnostics.source import Source, Span
from rulewright.dsl.lowering.emit.paths import clause_ids
from rulewright.dsl.model.types import Type, describe
from rulewright.editing.features.reference import (
    SCENARIOS,
    Entry,
    attribute_entry,
    function_entry,
    word_entry,
)
from rulewright.editing.features.symbol_at import (
    Named,
    cell_at,
    clause_meant,
    named_at,
    own_name,
    record_of,
    scenarios_citing,
    symbol_of,
    type_named,
)
from rulewright.editing.features.words_at import clause_at, comment_above, name_at, word_at
from rulewright.editing.workspace.names import Symbol
from rulewright.editing.workspace.project import Snapshot

KIND_WORDS = {
    "action": "an action",
    "built-in": "built in",
    "column": "a column",
    "effect": "an effect",
    "local": "a local name",
    "option": "an option of the game",
    "part": "a part",
    "row": "a row",
    "rule": "a rule",
    "seat": "a seat",
    "state": "a state",
    "table": "a table",
    "tokens": "tokens",
    "type": "a type of things",
    "value": "a value",
    "zone": "a zone",
}
_NAMES = ("NAME", "TYPE", "NUMBER", "TEXT", "TAG")
MOST_VALUES = 12
MOST_SHOWN = 5


@frozen
class LogEntry:
    """Markdown about a stretch of text."""

    span: Span
    text: str


def hover(snapshot: Snapshot, path: Path, offset: int) -> LogEntry | None:
    """Return the hover text of a place, or None if there is none."""
    source = snapshot.sources.get(path)
    if source is None:
        return None
    clause = clause_meant(snapshot, path, offset)
    if clause is not None:
        return _clause(snapshot, source, clause, offset)
    named = named_at(snapshot, path, offset)
    if named is not None:
        return LogEntry(named.span, "\n\n".join(_name_entry(snapshot, path, named)))
    if path.suffix == ".csv":
        return _cell(snapshot, path, offset)
    return _word(snapshot, path, source, offset)


# ---- names ------------------------------------------------------------------------------------------


def _name_entry(snapshot: Snapshot, path: Path, named: Named) -> Iterator[str]:
    referent = named.referent
    if referent.kind == "built-in":
        type = _type_before(snapshot, named.span)
        is_part = named.span.source.text[: named.span.start].endswith(".")
        entry = (
            attribute_entry(referent.name, type.word if type is not None else None)
            if is_part
            else function_entry(referent.name)
        )
        yield f"**{referent.name}**: {KIND_WORDS['built-in']}{_type_text(snapshot, named.span)}"
        if entry is not None:
            yield from _entry(entry)
        return
    symbol = symbol_of(snapshot, referent.declared) if referent.declared is not None else None
    of = f" of `{symbol.of}`" if symbol is not None and symbol.of else ""
    type_words = _type_text(snapshot, named.span) or _type_text(snapshot, referent.declared)
    if not type_words and referent.declared is not None:
        places = snapshot.facts.references(referent.declared)
        type_words = next(
            (words for at in places[:MOST_SHOWN] if (words := _type_text(snapshot, at))), ""
        )
    yield f"**{referent.name}**: {KIND_WORDS[referent.kind]}{of}{type_words}"
    if referent.declared is None:
        return
    own = own_name(snapshot, referent.declared, referent.name)
    yield _code_block(_declaring_line(own, symbol))
    comment = comment_above(own.source, own.start)
    if comment and own.source.name.endswith(".game"):
        yield comment
    if referent.kind == "type":
        yield from _members(snapshot, referent.name)
    yield f"{_place(snapshot, path, own)}"
    tags = symbol.tags if symbol is not None else ()
    yield from _clauses_of(snapshot, clause_ids(tags))


def _type_text(snapshot: Snapshot, span: Span | None) -> str:
    """Describe the type at a place in words."""
    if span is None:
        return ""
    type = type_named(snapshot, span)
    return f", {describe(type)}" if type is not None and type.known else ""


def _type_before(snapshot: Snapshot, span: Span) -> Type | None:
    """Return the type of the thing before the dot."""
    ends = [
        (known.start, its)
        for known, its in snapshot.facts.types.items()
        if known.source is span.source and known.end == span.start - 1
    ]
    return min(ends, key=lambda one: one[0])[1] if ends else None


def _declaring_line(own: Span, symbol: Symbol | None) -> str:
    span = symbol.whole if symbol is not None else own
    source = span.source
    if source.name.endswith(".csv"):
        return source.line_text(own.line).strip()
    last = min(source.position(span.end)[0], span.line + 3)
    lines = [source.line_text(line) for line in range(span.line, last + 1)]
    indent = len(lines[0]) - len(lines[0].lstrip())
    return "\n".join(line[indent:] for line in lines)


def _members(snapshot: Snapshot, name: str) -> Iterator[str]:
    """Describe the number of things of a type."""
    kind = snapshot.model.thing(name) if snapshot.model is not None else None
    if kind is None or not kind.count:
        return
    rows = list(dict.fromkeys(kind.rows))
    shown = ", ".join(f"`{row}`" for row in rows[:MOST_VALUES])
    more = f" and {len(rows) - MOST_VALUES} more" if len(rows) > MOST_VALUES else ""
    number = f"{kind.count} in all: " if kind.count != len(rows) else ""
    yield f"{number}{shown}{more}"


def _place(snapshot: Snapshot, path: Path, span: Span) -> str:
    target = snapshot.path_of(span)
    if target is None or target == path:
        return f"line {span.line}"
    return f"{target.name}, line {span.line}"


# ---- clauses ----------------------------------------------------------------------------------------


def _clause(snapshot: Snapshot, source: Source, clause: Clause, offset: int) -> LogEntry:
    span = clause_at(source, offset)
    about = [f"**{clause.id}** {clause.text}"]
    rules = [c for c in citations(snapshot.loaded.declarations) if c.id == clause.id]
    lines = [f"- {_citation(snapshot, c.span)}" for c in rules[:MOST_SHOWN]]
    if len(rules) > MOST_SHOWN:
        lines.append(f"- and {len(rules) - MOST_SHOWN} more")
    if lines:
        about.append("cited by\n" + "\n".join(lines))
    tests = [scenario.text for scenario, _ in scenarios_citing(snapshot, clause.id)]
    if tests:
        more = f" and {len(tests) - MOST_SHOWN} more" if len(tests) > MOST_SHOWN else ""
        about.append("tested by " + ", ".join(f"“{text}”" for text in tests[:MOST_SHOWN]) + more)
    return LogEntry(span or clause.span, "\n\n".join(about))


def _citation(snapshot: Snapshot, span: Span) -> str:
    path = snapshot.path_of(span)
    line = " ".join(span.source.line_text(span.line).split())
    line = line.partition(" [")[0]
    return f"`{line}` ({path.name if path is not None else span.source.name}, line {span.line})"


def _clauses_of(snapshot: Snapshot, ids: tuple[str, ...]) -> Iterator[str]:
    words = {clause.id: clause.text for clause in snapshot.clauses}
    for id in ids[:MOST_SHOWN]:
        if id in words:
            yield f"**{id}** {words[id]}"


# ---- tables -----------------------------------------------------------------------------------------


def _cell(snapshot: Snapshot, path: Path, offset: int) -> LogEntry | None:
    found, record = cell_at(snapshot, path, offset), record_of(snapshot, path)
    if found is None or record is None:
        return None
    name, span, row = found
    column = next((c for c in record.columns if (c.header or c.name) == name), None)
    if column is None and span.start == 0:
        return LogEntry(span, f"**{name}**: the names of the rows of `{record.name}`")
    if column is None:
        return LogEntry(
            span, f"**{name}**: not read by the game (`{record.name}` has no such column)"
        )
    line = " ".join(column.span.text.split())
    return LogEntry(
        span,
        f"**{column.name}** of `{row}`\n\n{_code_block(line)}\n\n{_place(snapshot, path, column.span)}",
    )


# ---- words of the language --------------------------------------------------------------------------


def _word(snapshot: Snapshot, path: Path, source: Source, offset: int) -> LogEntry | None:
    if path.suffix == ".game":
        word = word_at(source, offset)
        if word is None or word.type in _NAMES:
            return _expression(snapshot, source, offset)
        text = " ".join(word.text.split())
        span = Span(source, word.start, word.end)
    else:
        named = name_at(source, offset)
        if named is None or path.suffix == ".md":
            return None
        text, span = named.text, named
    entry = word_entry(text, SCENARIOS if path.suffix == ".scenario" else "")
    if entry is None:
        return _expression(snapshot, source, offset)
    return LogEntry(span, "\n\n".join([f"**{text}**", *_entry(entry)]))


def _entry(entry: Entry) -> Iterator[str]:
    if entry.form:
        yield _code_block(entry.form)
    if entry.about:
        yield entry.about
    if entry.example:
        yield f"example:\n{_code_block(entry.example)}"
    yield f"docs/spec/{entry.page}"


def _expression(snapshot: Snapshot, source: Source, offset: int) -> LogEntry | None:
    """Describe the type of the smallest expression around an operator."""
    found = snapshot.facts.type_at(source, offset)
    if found is None or not found[1].known:
        return None
    return LogEntry(found[0], describe(found[1]))


def _code_block(text: str) -> str:
    return f"```rulewright\n{text}\n```"
