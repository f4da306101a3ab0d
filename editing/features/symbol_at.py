"""Find the meaning of the name at a place, its declaration and its other uses.

The facts of the last check are used first. If they say nothing about the place, because a line was just
written or cannot be read, the name is looked up in the declarations.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path

from attrs import frozen

from rulewright.dsl.checks.clauses import Clause, citations, line_citations
from rulewright.dsl.diagnostics.diagnostics import Problems
from rulewright.dsl.diagnostics.source import Source, Span
from rulewright.dsl.model.facts import Referent
from rulewright.dsl.model.tables import read_table
from rulewright.dsl.model.types import Type
from rulewright.dsl.tree import declared, scenario_syntax, syntax
from rulewright.dsl.tree.nesting import name_span, walk
from rulewright.editing.features.words_at import clause_at, name_at, word_at
from rulewright.editing.workspace.names import Symbol, locals_in
from rulewright.editing.workspace.project import Snapshot, is_rules

VERBS = ("action", "rule", "effect")
_BEFORE_VERBS = ("DO", "BEFORE", "AFTER", "INSTEAD_OF", "DURING", "EFFECT_OF", "SURELY", "ANYTIME")


@frozen
class Named:
    """A name at a place, and the symbol that it refers to."""

    span: Span
    referent: Referent

    @property
    def declared(self) -> Span | None:
        """The place of the symbol's declaration."""
        return self.referent.declared


def named_at(snapshot: Snapshot, path: Path, offset: int) -> Named | None:
    """Return the name at a place of a file, or None if there is no name."""
    source = snapshot.sources.get(path)
    if source is None:
        return None
    known = snapshot.facts.at(source, offset)
    if known is not None:
        return Named(*known)
    header = _header_at(snapshot, path, offset)
    if header is not None:
        return header
    symbol = symbol_at(snapshot, path, offset)
    if symbol is not None:
        return Named(symbol.span, _referent(symbol))
    here = _declared_here(snapshot, source, offset)
    if here is not None:
        return here
    return _by_name(snapshot, path, source, offset)


def _declared_here(snapshot: Snapshot, source: Source, offset: int) -> Named | None:
    """Return the symbol declared at a place and found through its uses, such as a row of a table."""
    found = {
        known.declared: known
        for known in snapshot.facts.referents.values()
        if known.declared is not None
        and known.declared.source is source
        and known.declared.start <= offset <= known.declared.end
    }
    span = min(found, key=lambda span: span.end - span.start, default=None)
    return Named(span, found[span]) if span is not None else None


def symbol_at(snapshot: Snapshot, path: Path, offset: int) -> Symbol | None:
    """Return the symbol that the name at a place declares, or None."""
    source = snapshot.sources.get(path)
    found = (
        symbol
        for symbol in snapshot.symbols
        if symbol.span.source is source and symbol.span.start <= offset <= symbol.span.end
    )
    return next(found, None)


def symbol_of(snapshot: Snapshot, span: Span) -> Symbol | None:
    """Return the symbol that is declared at a place, which is the symbol's name or its whole line."""
    found = [s for s in snapshot.symbols if span in (s.span, s.whole)]
    return min(found, key=lambda s: s.span.end - s.span.start, default=None)


def _referent(symbol: Symbol) -> Referent:
    declared_at = symbol.whole if symbol.kind == "row" else symbol.span
    return Referent(symbol.kind, symbol.name, declared_at)


def _by_name(snapshot: Snapshot, path: Path, source: Source, offset: int) -> Named | None:
    span = name_at(source, offset)
    if span is None or not is_rules(path):
        return None
    name = span.text
    is_verb = is_part = False
    if path.suffix == ".game":
        word = word_at(source, offset)
        if word is None or word.type not in ("NAME", "TYPE", "QUERY", "TEXT"):
            return None
        before = source.text[: span.start].rstrip()
        is_part = before.endswith(".")
        next_word = word_at(source, len(before))
        is_verb = next_word is not None and next_word.type in _BEFORE_VERBS
        local = None if is_part else local_named(snapshot, path, offset, name)
        if local is not None:
            return Named(span, Referent("local", name, local))
    fitting = [s for s in snapshot.symbols if s.name == name]
    fitting.sort(
        key=lambda s: (bool(s.of and s.kind != "row") != is_part, (s.kind in VERBS) != is_verb)
    )
    return Named(span, _referent(fitting[0])) if fitting else None


def local_named(snapshot: Snapshot, path: Path, offset: int, name: str) -> Span | None:
    """Return the place that introduces a local name in scope, or None."""
    for found, span in locals_before(snapshot, path, offset):
        if found == name:
            return span
    return None


def locals_before(snapshot: Snapshot, path: Path, offset: int) -> Sequence[tuple[str, Span]]:
    """Return the local names introduced before a place in its declaration, the last first."""
    around = declaration_around(snapshot, path, offset)
    if around is None:
        return ()
    found = [(name, span) for name, span in locals_in(around) if span.start < offset]
    return sorted(found, key=lambda one: -one[1].start)


def declaration_around(
    snapshot: Snapshot, path: Path, offset: int
) -> declared.Declaration | scenario_syntax.Scenario | scenario_syntax.Beginning | None:
    """Return the declaration that contains a place, or None."""
    listed: list[declared.Declaration | scenario_syntax.Scenario | scenario_syntax.Beginning] = []
    scenarios = snapshot.scenarios.get(path)
    if scenarios is not None:
        both = (*scenarios.scenarios, *scenarios.beginnings)
        listed.extend(one for one in both if not isinstance(one, syntax.Broken))
        listed.sort(key=lambda one: one.span.start)
    else:
        listed.extend(snapshot.declarations_in(path))
    for one, following in pairwise((*listed, None)):
        assert one is not None
        if one.span.start <= offset and (following is None or offset < following.span.start):
            return one
    return None


def type_named(snapshot: Snapshot, span: Span) -> Type | None:
    """Return the type of a symbol, with the parameters in its brackets."""
    exact = snapshot.facts.types.get(span)
    if exact is not None:
        return exact
    ends = {span.end, _end_of_brackets(span.source.text, span.end)}
    found = [
        (known.start, type)
        for known, type in snapshot.facts.types.items()
        if known.source is span.source and known.end in ends and known.start <= span.start
    ]
    return max(found, key=lambda one: one[0])[1] if found else None


def _end_of_brackets(text: str, start: int) -> int:
    if text[start : start + 1] != "(":
        return start
    depth = 0
    for at in range(start, min(len(text), start + 2000)):
        depth += {"(": 1, ")": -1}.get(text[at], 0)
        if depth == 0:
            return at + 1
    return start


# ---- where else it stands ---------------------------------------------------------------------------


def definition(snapshot: Snapshot, path: Path, offset: int) -> Span | None:
    """Return the place where the name, the clause or the file at a place is declared, or None."""
    source = snapshot.sources.get(path)
    if source is None:
        return None
    clause = clause_meant(snapshot, path, offset)
    if clause is not None:
        return clause.span
    part = _file_named(snapshot, path, source, offset)
    if part is not None:
        return part
    beginning = _beginning_named(snapshot, path, offset)
    if beginning is not None:
        return beginning
    named = named_at(snapshot, path, offset)
    if named is None or named.declared is None:
        return None
    return own_name(snapshot, named.declared, named.referent.name)


def own_name(snapshot: Snapshot, declared_at: Span, name: str) -> Span:
    """Return the place of the name itself within its declaration, which may be a whole line."""
    symbol = symbol_of(snapshot, declared_at)
    return symbol.span if symbol is not None and symbol.name == name else declared_at


def references(snapshot: Snapshot, path: Path, offset: int) -> list[Span]:
    """Return all references to the symbol or clause at a place, in order, including its declaration."""
    clause = clause_meant(snapshot, path, offset)
    if clause is not None:
        return sorted({clause.span, *clause_citations(snapshot, clause.id)})
    named = named_at(snapshot, path, offset)
    if named is None:
        return []
    if named.declared is None:
        return [named.span]
    return references_to(snapshot, named.referent)


def references_to(snapshot: Snapshot, referent: Referent) -> list[Span]:
    """Return all references to a symbol, in order, including its declaration."""
    if referent.declared is None:
        return []
    own = own_name(snapshot, referent.declared, referent.name)
    found = {
        span for span in snapshot.facts.references(referent.declared) if span != referent.declared
    }
    found |= {span for span in snapshot.facts.references(own) if span != own}
    found.add(own)
    found.update(span for _, span in headers(snapshot, referent))
    found.update(_in_options_of_scenarios(snapshot, referent))
    found.update(_in_unchecked_scenarios(snapshot, referent))
    return sorted(found)


def _in_options_of_scenarios(snapshot: Snapshot, referent: Referent) -> Iterator[Span]:
    """Yield the places where scenarios choose an option of the game; these are not expressions."""
    options = {
        d.name: d for d in snapshot.loaded.declarations if isinstance(d, declared.OptionDeclaration)
    }
    for tree in snapshot.scenarios.values():
        for one in (*tree.beginnings, *tree.scenarios):
            for line in one.lines if not isinstance(one, syntax.Broken) else ():
                if not isinstance(line, (scenario_syntax.OptionSet, scenario_syntax.RefusedOption)):
                    continue
                option = options.get(line.name)
                if option is None:
                    continue
                if option.name_span == referent.declared:
                    yield line.name_span
                if line.value.span.text == referent.name and any(
                    value.span == referent.declared for value in option.values
                ):
                    yield line.value.span


def _in_unchecked_scenarios(snapshot: Snapshot, referent: Referent) -> Iterator[Span]:
    """Yield references in scenarios that have not been checked yet, which are found only by name."""
    if referent.kind == "local":
        return
    checked = {span.source for span in snapshot.facts.types}
    for path, tree in snapshot.scenarios.items():
        if snapshot.sources[path] in checked:
            continue
        for one in (*tree.beginnings, *tree.scenarios):
            if isinstance(one, syntax.Broken):
                continue
            for line in one.lines:
                yield from _in_line(line, referent)


def _in_line(line: scenario_syntax.ScenarioLine, referent: Referent) -> Iterator[Span]:
    people: set[Span] = set()
    verbs: set[Span] = set()
    match line:
        case (
            scenario_syntax.PlayersNamed()
            | scenario_syntax.RefusedPlayers()
            | scenario_syntax.OptionSet()
            | scenario_syntax.RefusedOption()
        ):
            return
        case scenario_syntax.Plays() | scenario_syntax.Offered() | scenario_syntax.Refused():
            people.add(line.player.span)
            verbs.add(line.option.span)
        case scenario_syntax.OfferedExactly():
            verbs.update(option.span for option in line.options)
        case scenario_syntax.ExpectOption():
            verbs.add(line.option.span)
        case scenario_syntax.ExpectRunning():
            people.update(one.span for one in (line.player,) if one is not None)
            verbs.add(line.rule.span)
        case scenario_syntax.ExpectWords() | scenario_syntax.ExpectAsked():
            people.update(one.span for one in (line.player,) if one is not None)
        case scenario_syntax.Sees():
            people.add(line.player.span)
        case _:  # all others: every word in them counts
            pass
    for node in walk(line):
        if not isinstance(
            node, (syntax.Word, syntax.Call, syntax.Dot, syntax.TypeWord, syntax.Lookup)
        ):
            continue
        if node.name != referent.name or node.span in people:
            continue
        is_verb = node.span in verbs or isinstance(node, syntax.Call)
        if isinstance(node, syntax.Dot) and referent.kind in VERBS:
            continue
        if is_verb or referent.kind not in VERBS:
            start = name_span(node).start
            yield Span(node.span.source, start, start + len(referent.name))


# ---- clauses, files, beginnings ---------------------------------------------------------------------


def clause_meant(snapshot: Snapshot, path: Path, offset: int) -> Clause | None:
    """Return the clause whose id is at a place, or None."""
    source = snapshot.sources.get(path)
    span = clause_at(source, offset) if source is not None else None
    if span is None:
        return None
    if is_rules(path) and not _in_brackets(span):
        return None
    return next((clause for clause in snapshot.clauses if clause.id == span.text), None)


def _in_brackets(span: Span) -> bool:
    text = span.source.text
    opened, closed = text.rfind("[", 0, span.start), text.rfind("]", 0, span.start)
    return opened > closed and "\n" not in text[opened : span.start]


def clause_citations(snapshot: Snapshot, id: str) -> Iterator[Span]:
    """Yield the places that cite a clause, in rules and scenarios; for a cited range, yield the whole range."""
    for citation in citations(snapshot.loaded.declarations):
        if citation.id == id:
            yield _id_in(citation.span, id)
    yield from (span for _, span in scenarios_citing(snapshot, id))


def scenarios_citing(
    snapshot: Snapshot, id: str
) -> Iterator[tuple[scenario_syntax.Scenario, Span]]:
    """Yield the scenarios that cite a clause, with the places of the citations."""
    for tree in snapshot.scenarios.values():
        for scenario in tree.scenarios:
            if isinstance(scenario, syntax.Broken):
                continue
            for citation in line_citations(scenario.tags):
                if citation.id == id:
                    yield scenario, _id_in(citation.span, id)


def _id_in(span: Span, id: str) -> Span:
    at = span.text.find(id)
    return span if at < 0 else Span(span.source, span.start + at, span.start + at + len(id))


def _file_named(snapshot: Snapshot, path: Path, source: Source, offset: int) -> Span | None:
    """Return the start of the file whose name is in quotes at a place, or None."""
    start, end = source.text.rfind('"', 0, offset), source.text.find('"', offset)
    if start < 0 or end < 0 or "\n" in source.text[start:end] or not is_rules(path):
        return None
    target = snapshot.sources.get(snapshot.game.parent / source.text[start + 1 : end])
    target = target or snapshot.sources.get(path.parent / source.text[start + 1 : end])
    return Span(target, 0, 0) if target is not None else None


def _beginning_named(snapshot: Snapshot, path: Path, offset: int) -> Span | None:
    tree, source = snapshot.scenarios.get(path), snapshot.sources.get(path)
    if tree is None:
        return None
    for one in (*tree.beginnings, *tree.scenarios):
        for line in one.lines if not isinstance(one, syntax.Broken) else ():
            if (
                isinstance(line, scenario_syntax.StartFrom)
                and line.span.source is source
                and line.span.start <= offset <= line.span.end
            ):
                return next((b.span for b in tree.beginnings if b.text == line.text), None)
    return None


def cell_at(snapshot: Snapshot, path: Path, offset: int) -> tuple[str, Span, str] | None:
    """In a table file, return the column and the cell at a place, and the name of the row; otherwise return
    None.
    """
    source = snapshot.sources.get(path)
    table = read_table(source, Problems()) if source is not None and path.suffix == ".csv" else None
    if table is None:
        return None
    for row in (table.header_cells, *table.rows):
        for column, cell in zip(table.headers, row, strict=False):
            if cell.span.start <= offset <= cell.span.end:
                return column, cell.span, row[0].text
    return None


def record_of(snapshot: Snapshot, path: Path) -> declared.Record | None:
    """Return the declaration whose rows are in a table file, or None."""
    return next(_records_of(snapshot, path), None)


def _records_of(snapshot: Snapshot, path: Path) -> Iterator[declared.Record]:
    for d in snapshot.loaded.declarations:
        if isinstance(d, declared.Record) and d.path and snapshot.game.parent / d.path == path:
            yield d


def headers(snapshot: Snapshot, referent: Referent) -> Iterator[tuple[declared.Column, Span]]:
    """Yield the cells with the name of a column, in the first lines of its tables."""
    if referent.kind != "column" or referent.declared is None:
        return
    for d in snapshot.loaded.declarations:
        if not isinstance(d, declared.Record) or d.path is None:
            continue
        for column in d.columns:
            if column.name_span == referent.declared:
                source = snapshot.sources.get(snapshot.game.parent / d.path)
                table = read_table(source, Problems()) if source is not None else None
                at = table.column(column.header or column.name) if table is not None else None
                if table is not None and at is not None:
                    yield column, table.header_cells[at].span


def _header_at(snapshot: Snapshot, path: Path, offset: int) -> Named | None:
    """Return the column whose name, in the first line of a table, is at a place."""
    if path.suffix != ".csv":
        return None
    for record in _records_of(snapshot, path):
        for column in record.columns:
            referent = Referent("column", column.name, column.name_span)
            for _, span in headers(snapshot, referent):
                if span.start <= offset <= span.end:
                    return Named(span, referent)
    return None
