"""List the declarations of files as names with their places."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from attrs import frozen

from rulewright.dsl.diagnostics.source import Span
from rulewright.dsl.model.facts import ReferentKind
from rulewright.dsl.tree import declared, scenario_syntax, syntax
from rulewright.dsl.tree.nesting import walk


@frozen
class Symbol:
    """A symbol: the place of its name, and its line; `of` is its owner."""

    kind: ReferentKind
    name: str
    span: Span
    whole: Span
    of: str = ""
    tags: syntax.Tags = ()
    type: syntax.Type | declared.ZoneType | None = None


def symbols_of(declarations: Iterable[declared.Declaration]) -> Iterator[Symbol]:
    """Yield all declared symbols, in the order of the lines."""
    for d in declarations:
        yield from _declared_symbols(d)


def _declared_symbols(d: declared.Declaration) -> Iterator[Symbol]:
    match d:
        case declared.KindList():
            yield Symbol("type", d.name, d.name_span, d.span, tags=d.tags)
            for value in d.values:
                at = Span(value.span.source, value.span.start, value.span.start + len(value.name))
                yield Symbol("row", value.name, at, value.span, d.name)
        case declared.Record():
            yield from _record(d)
        case declared.PlayerDeclaration():
            yield from _stored_symbols(d.states, d.zones, "player")
        case declared.Union():
            yield Symbol("type", d.name, d.name_span, d.span, tags=d.tags)
        case declared.OptionDeclaration():
            yield Symbol("option", d.name, d.name_span, d.span, tags=d.tags)
            for word in d.values:
                if isinstance(word, syntax.Word):
                    yield Symbol("row", word.name, word.span, word.span, d.name)
        case declared.Token():
            yield Symbol("tokens", d.name, d.name_span, d.span, tags=d.tags)
        case declared.Seat():
            yield Symbol("seat", d.name, d.name_span, d.span, tags=d.tags)
        case declared.State():
            yield from _stored_symbols((d,), (), "")
        case declared.Zone():
            yield from _stored_symbols((), (d,), "")
        case declared.Value() | declared.Side():
            yield Symbol("value", d.name, d.name_span, d.span, tags=d.tags)
        case declared.Die() | declared.Position():
            yield Symbol("value", d.name, d.name_span, d.span, tags=d.tags)
        case declared.Rule():
            yield Symbol(d.what, d.name, d.name_span, d.span, tags=d.tags)
        case declared.Effect():
            yield Symbol("effect", d.name, d.name_span, d.span, tags=d.tags)
        case declared.Power():
            for line in d.lines:
                if isinstance(line, declared.Rule):
                    yield Symbol(line.what, line.name, line.name_span, line.span, d.name, line.tags)
        case declared.Unnamed() | declared.Game() | declared.Include() | syntax.Broken():
            return


def _record(d: declared.Record) -> Iterator[Symbol]:
    kind: ReferentKind = "table" if d.what == "table" else "type"
    yield Symbol(kind, d.name, d.name_span, d.span, tags=d.tags)
    for column in d.columns:
        yield Symbol(
            "column", column.name, column.name_span, column.span, d.name, column.tags, column.type
        )
    if d.product is not None:
        for part in d.product.parts:
            yield Symbol("column", part.name, part.name_span, part.span, d.name)
    for row in d.rows:
        first = row.cells[0] if row.cells else None
        if isinstance(first, syntax.Word) and d.what not in ("table", "link"):
            yield Symbol("row", first.name, first.span, row.span, d.name, row.tags)
    yield from _stored_symbols(d.states, d.zones, d.name)


def _stored_symbols(
    states: Iterable[declared.State], zones: Iterable[declared.Zone], of: str
) -> Iterator[Symbol]:
    for state in states:
        yield Symbol("state", state.name, state.name_span, state.span, of, state.tags, state.type)
    for zone in zones:
        yield Symbol("zone", zone.name, zone.name_span, zone.span, of, zone.tags, zone.type)


def symbols_of_scenarios(tree: scenario_syntax.ScenarioFile) -> Iterator[Symbol]:
    """Yield the scenarios and starting positions of a file."""
    for one in (*tree.beginnings, *tree.scenarios):
        if not isinstance(one, syntax.Broken):
            tags = one.tags if isinstance(one, scenario_syntax.Scenario) else ()
            of = "scenario" if isinstance(one, scenario_syntax.Scenario) else "beginning"
            yield Symbol("value", one.text, one.span, one.span, of, tags)


def locals_in(d: object) -> Iterator[tuple[str, Span]]:
    """Yield the local names that a declaration or a step introduces, each with its place."""
    for node in walk(d):
        match node:
            case (
                declared.Param() | syntax.Binder() | syntax.Let() | syntax.LetDo() | syntax.Choose()
            ):
                yield node.name, node.name_span
            case declared.Score() | declared.Winner():
                yield node.name, node.name_span
            case declared.OnAction():
                for word in node.pattern.params:
                    yield word.name, word.span
                if node.pattern.actor is not None:
                    yield node.pattern.actor.name, node.pattern.actor.span
            case declared.Whenever(change=syntax.Word() as change):
                yield change.name, change.span
            case declared.OnMove():
                yield node.name.name, node.name.span
            case _:
                pass
