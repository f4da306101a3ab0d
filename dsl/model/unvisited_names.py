"""Resolves names that lowering never visits: names in `only if` conditions, in numbers of copies,
in cells and in unions.

An editor needs these referents; a plain check does not. No problem is reported, because lowering
has reported them all.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Iterable

from rulewright.dsl.diagnostics.source import Source, Span
from rulewright.dsl.model.facts import Facts, ReferentKind
from rulewright.dsl.model.model import DIRECTIONS, Model
from rulewright.dsl.tree import declared, syntax
from rulewright.dsl.tree.nesting import name_span, walk


def resolve_names(model: Model, declarations: Iterable[declared.Declaration]) -> None:
    """Record the referents of names that no construct has visited."""
    near = _Locals(model.facts)
    for declaration in declarations:
        columns = _columns(declaration)
        for node in walk(declaration):
            match node:
                case declared.ZoneType(shape="tokens"):
                    token = model.first_declared.get(f"noun {node.of}")
                    model.facts.refers(node.of_span, "tokens", node.of, token)
                case declared.ZoneType() | declared.Border():
                    model.refers_to_type(node.of_span, node.of)
                case declared.Row(cells=(syntax.Word() as first, *_)) if _names_rows(declaration):
                    model.facts.refers(first.span, "row", first.name, node.span)
                case declared.Whenever(change=syntax.Word() as change):
                    model.facts.refers(change.span, "local", change.name, change.span)
                    near.add(change.name, change.span, change.span)
                case syntax.Do(effect=True, call=syntax.Call() as call):
                    word = syntax.Word(name_span(call), call.name)
                    _resolve_word(model, near, word, columns, declaration.span.start)
                case declared.OnMove():
                    places = (part for part in walk(node.place) if isinstance(part, syntax.Word))
                    _resolve_pattern(model, near, (node.name, *places))
                case declared.Pattern():
                    _resolve_pattern(model, near, filter(None, (*node.params, node.actor)))
                case syntax.TypeWord() | syntax.NamedType() if (
                    node.span not in model.facts.referents
                ):
                    model.refers_to_type(node.span, node.name)
                case syntax.Word():
                    known = model.facts.referents.get(node.span)
                    if known is None:
                        _resolve_word(model, near, node, columns, declaration.span.start)
                    elif known.kind == "local" and known.declared is None:
                        _resolve_local(model, near, node, declaration.span.start)
                case syntax.Dot(subject=syntax.Lookup() as row) if row.name in model.tables:
                    table = model.tables[row.name]
                    named = Span(row.span.source, row.span.start, row.span.start + len(row.name))
                    model.facts.refers(named, "table", row.name, table.span)
                    if node.name in table.columns:
                        at = table.columns[node.name].span
                        model.facts.refers(node.name_span, "column", node.name, at)
                case syntax.Dot() if node.name_span not in model.facts.referents:
                    _resolve_of_player(model, node)
                case _:
                    pass
    for span, known in model.facts.elsewhere.items():
        model.facts.referents.setdefault(span, known)


def _names_rows(declaration: declared.Declaration) -> bool:
    return isinstance(declaration, declared.Record) and declaration.what not in ("table", "link")


def _resolve_pattern(model: Model, near: _Locals, words: Iterable[syntax.Word]) -> None:
    """Record the names that a pattern binds: the player, the arguments, the moved piece and the
    owner of its place.
    """
    for word in words:
        if word.name not in model.zones and word.name != "me":
            model.facts.refers(word.span, "local", word.name, word.span)
            near.add(word.name, word.span, word.span)


def _columns(declaration: declared.Declaration) -> dict[str, Span]:
    if not isinstance(declaration, declared.Record):
        return {}
    columns = {column.name: column.name_span for column in declaration.columns}
    if declaration.product is not None:
        columns |= {part.name: part.name_span for part in declaration.product.parts}
    return columns


class _Locals:
    """The places of local names. They are used to find the nearest declaration of a word."""

    def __init__(self, facts: Facts) -> None:
        self.places: dict[tuple[Source, str], list[tuple[int, Span | None]]] = {}
        for span, known in facts.referents.items():
            if known.kind == "local":
                self.add(known.name, span, known.declared)
                if known.declared is not None:
                    self.add(known.name, known.declared, known.declared)

    def add(self, name: str, span: Span, declared: Span | None) -> None:
        """Record a local name."""
        places = self.places.setdefault((span.source, name), [])
        insort(places, (span.start, declared), key=_start)

    def before(self, word: syntax.Word, start: int) -> tuple[int, Span | None] | None:
        """Between the offset `start` and the word, find the last declaration of a local with the
        name of `word`. Return its start and its place.
        """
        places = self.places.get((word.span.source, word.name), [])
        end = bisect_left(places, word.span.start, key=_start)
        before = places[bisect_left(places, start, key=_start) : end]
        of_known_place = (place for place in reversed(before) if place[1] is not None)
        return next(of_known_place, before[-1] if before else None)


def _start(place: tuple[int, Span | None]) -> int:
    return place[0]


def _resolve_word(
    model: Model, near: _Locals, word: syntax.Word, columns: dict[str, Span], start: int
) -> None:
    name, facts = word.name, model.facts
    if name in columns:
        facts.refers(word.span, "column", name, columns[name])
    elif name in model.options:
        facts.refers(word.span, "option", name, model.first_declared.get(f"noun {name}"))
    elif name == "player_count" or name in DIRECTIONS:
        facts.refers(word.span, "built-in", name, None)
    elif name in model.states or name in model.zones:
        kind: ReferentKind = "state" if name in model.states else "zone"
        facts.refers(word.span, kind, name, model.first_declared.get(f"noun {name}"))
    elif name in model.values:
        facts.refers(word.span, "value", name, model.values[name].name_span)
    elif option := next((one for one, values in model.options.items() if name in values), ""):
        model.refers_to_value_of_option(word.span, option, name)
    elif name in model.row_names:
        type, ids = model.row_names[name][0]
        if ids:  # otherwise the row has no copies
            model.refers_to_row(word.span, type, ids[0])
    elif name in model.rules:
        model.refers_to_rule(word.span, name)
    else:
        _resolve_local(model, near, word, start)


def _resolve_local(model: Model, near: _Locals, word: syntax.Word, start: int) -> None:
    place = near.before(word, start)
    if place is not None:
        model.facts.refers(word.span, "local", word.name, place[1])
        near.add(word.name, word.span, place[1])


def _resolve_of_player(model: Model, dot: syntax.Dot) -> None:
    declared_at = model.first_declared.get(f"player {dot.name}")
    if declared_at is not None:
        kind: ReferentKind = "zone" if dot.name in model.player_zones else "state"
        model.facts.refers(dot.name_span, kind, dot.name, declared_at)
