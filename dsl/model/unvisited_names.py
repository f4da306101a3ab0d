"""Resolves names that no lowering meets: in conditions of `only if`, numbers of copies, cells, unions.

Runs only when referents are asked for. Reports nothing: the problems have been reported before.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Iterable, Iterator

from rulewright.dsl.diagnostics.source import Source, Span
from rulewright.dsl.model.facts import Facts, Sort
from rulewright.dsl.model.model import DIRECTIONS, World
from rulewright.dsl.tree import declared, syntax
from rulewright.dsl.tree.nesting import name_span, walk


def name_what_is_left(world: World, declarations: Iterable[declared.Declaration]) -> None:
    """Note the referents of names that no construct has met."""
    near = _Locals(world.facts)
    for declaration in declarations:
        columns = _columns(declaration)
        for node in walk(declaration):
            match node:
                case declared.ZoneType(shape="tokens"):
                    token = world.first_declared.get(f"noun {node.of}")
                    world.facts.refers(node.of_span, "tokens", node.of, token)
                case declared.ZoneType():
                    world.refers_to_type(node.of_span, node.of)
                case declared.Row(cells=(syntax.Word() as first, *_)) if _names_rows(declaration):
                    world.facts.refers(first.span, "row", first.name, node.span)
                case declared.Whenever(change=syntax.Word() as change):
                    world.facts.refers(change.span, "local", change.name, change.span)
                    near.add(change.name, change.span, change.span)
                case syntax.Do(effect=True, call=syntax.Call() as call):
                    word = syntax.Word(name_span(call), call.name)
                    _word(world, near, word, columns, declaration.span.start)
                case declared.OnMove():
                    places = (part for part in walk(node.place) if isinstance(part, syntax.Word))
                    _pattern(world, near, (node.name, *places))
                case declared.Pattern():
                    _pattern(world, near, filter(None, (*node.params, node.actor)))
                case syntax.TypeWord() | syntax.NamedType() if (
                    node.span not in world.facts.referents
                ):
                    world.refers_to_type(node.span, node.name)
                case syntax.Word():
                    known = world.facts.referents.get(node.span)
                    if known is None:
                        _word(world, near, node, columns, declaration.span.start)
                    elif known.sort == "local" and known.declared is None:
                        _local(world, near, node, declaration.span.start)
                case syntax.Dot(subject=syntax.Lookup() as row) if row.name in world.tables:
                    table = world.tables[row.name]
                    named = Span(row.span.source, row.span.start, row.span.start + len(row.name))
                    world.facts.refers(named, "table", row.name, table.span)
                    if node.name in table.columns:
                        at = table.columns[node.name].span
                        world.facts.refers(node.name_span, "column", node.name, at)
                case syntax.Dot() if node.name_span not in world.facts.referents:
                    _of_a_player(world, node)
                case _:
                    pass
    for span, known in world.facts.elsewhere.items():
        world.facts.referents.setdefault(span, known)


def _names_rows(declaration: declared.Declaration) -> bool:
    return isinstance(declaration, declared.Record) and declaration.what not in ("table", "link")


def _pattern(world: World, near: _Locals, words: Iterable[syntax.Word]) -> None:
    """Note the names that a pattern binds: the player, the arguments, the moved piece and the owner of its place."""
    for word in words:
        if word.name not in world.zones and word.name != "me":
            world.facts.refers(word.span, "local", word.name, word.span)
            near.add(word.name, word.span, word.span)


def _columns(declaration: declared.Declaration) -> dict[str, Span]:
    if not isinstance(declaration, declared.Record):
        return {}
    columns = {column.name: column.name_span for column in declaration.columns}
    if declaration.product is not None:
        columns |= {part.name: part.name_span for part in declaration.product.parts}
    return columns


class _Locals:
    """The places of local names, for words that are shown."""

    def __init__(self, facts: Facts) -> None:
        self.places: dict[tuple[Source, str], list[tuple[int, Span | None]]] = {}
        for span, known in facts.referents.items():
            if known.sort == "local":
                self.add(known.name, span, known.declared)
                if known.declared is not None:
                    self.add(known.name, known.declared, known.declared)

    def add(self, name: str, span: Span, declared: Span | None) -> None:
        """Note one."""
        places = self.places.setdefault((span.source, name), [])
        insort(places, (span.start, declared), key=_start)

    def before(self, word: syntax.Word, start: int) -> tuple[int, Span | None] | None:
        """The start and the declaration of the last local of this name between a start and a word."""
        places = self.places.get((word.span.source, word.name), [])
        end = bisect_left(places, word.span.start, key=_start)
        before = places[bisect_left(places, start, key=_start) : end]
        of_known_place = (place for place in reversed(before) if place[1] is not None)
        return next(of_known_place, before[-1] if before else None)


def _start(place: tuple[int, Span | None]) -> int:
    return place[0]


def _word(
    world: World, near: _Locals, word: syntax.Word, columns: dict[str, Span], start: int
) -> None:
    name, facts = word.name, world.facts
    if name in columns:
        facts.refers(word.span, "column", name, columns[name])
    elif name in world.options:
        facts.refers(word.span, "option", name, world.first_declared.get(f"noun {name}"))
    elif name == "player_count" or name in DIRECTIONS:
        facts.refers(word.span, "built-in", name, None)
    elif name in world.states or name in world.zones:
        sort: Sort = "state" if name in world.states else "zone"
        facts.refers(word.span, sort, name, world.first_declared.get(f"noun {name}"))
    elif name in world.values:
        facts.refers(word.span, "value", name, world.values[name].name_span)
    elif (option := next(_options_with(world, name), None)) is not None:
        world.refers_to_value_of_option(word.span, option, name)
    elif name in world.row_names:
        type, ids = world.row_names[name][0]
        if ids:  # otherwise it has no copies
            world.refers_to_row(word.span, type, ids[0])
    elif name in world.rules:
        world.refers_to_rule(word.span, name)
    else:
        _local(world, near, word, start)


def _local(world: World, near: _Locals, word: syntax.Word, start: int) -> None:
    place = near.before(word, start)
    if place is not None:
        world.facts.refers(word.span, "local", word.name, place[1])
        near.add(word.name, word.span, place[1])


def _of_a_player(world: World, dot: syntax.Dot) -> None:
    declared_at = world.first_declared.get(f"player {dot.name}")
    if declared_at is not None:
        sort: Sort = "zone" if dot.name in world.player_zones else "state"
        world.facts.refers(dot.name_span, sort, dot.name, declared_at)


def _options_with(world: World, value: str) -> Iterator[str]:
    return (option for option, values in world.options.items() if value in values)
