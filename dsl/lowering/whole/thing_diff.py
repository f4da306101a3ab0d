"""Compares the things of two variants, and finds the names through which rules reach things that differ."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Set

from attrs import define, field

from rulewright.dsl.lowering.analysis.bodies import PLACE_WORDS
from rulewright.dsl.lowering.whole.program import Infos
from rulewright.dsl.model import types
from rulewright.dsl.model.model import (
    Model,
    TableInfo,
    ThingKind,
    differing_columns,
    has_same_layout,
    incompatible_columns,
    row_differences,
    rows_of,
)
from rulewright.dsl.model.types import Type
from rulewright.dsl.tree import declared

ATTRIBUTES = PLACE_WORDS | {"copy", "name"}
"""Attributes whose value depends on the id of a piece, or that lead to pieces without the name of their kind."""


@define
class ThingDiff:
    """The differences between the things of two variants.

    `names` contains the rows, unions and options whose meaning differs. `columns` contains the
    columns whose contents or whose form of storage differs. `asked` contains the kinds with a
    different number of things and the columns with different contents, if some part depends on
    them. `numbered` contains all names through which rules reach these kinds.
    """

    names: set[str] = field(factory=set)
    columns: set[str] = field(factory=set)
    asked: set[str] = field(factory=set)
    numbered: set[str] = field(factory=set)

    @property
    def is_nothing(self) -> bool:
        """Return whether there are no differences."""
        return not (self.names or self.columns or self.asked or self.numbered)


def changed_things(
    before: Model,
    new: Model,
    infos: Mapping[str, Infos],
    words: Callable[[object], Set[str]],
    *,
    any_number: bool = False,
) -> ThingDiff | None:
    """Return the differences between the things of two variants; None if the players, the cells,
    the links, or the actions in columns differ.

    `infos` contains the information about each named value in `before`, and `words` returns the
    names in a node. If `any_number` is true, the number of players may differ.
    """
    if before.has_lost_rows and not new.has_lost_rows:
        return None  # rows that were lost can hide errors but cannot cause any
    if not any_number and not (
        before.seats == new.seats
        and before.seats_absent == new.seats_absent
        and (before.side_type, before.sides) == (new.side_type, new.sides)
    ):
        return None
    was, now = _kinds(before), _kinds(new)
    if [key for key in was if _is_numbered(key, now)] != [
        key for key in now if _is_numbered(key, was)
    ]:
        return None
    both = {key for key in was if key in now and _is_there(was[key]) == _is_there(now[key])}
    new_or_gone = [one for of in (was, now) for key, one in of.items() if key not in both]
    if any(map(_is_usable_unnamed, new_or_gone)):
        return None
    kind_names: set[str] = set()
    found = ThingDiff(_changed_names(before.unions, new.unions))
    found.names |= _changed_names(before.tokens, new.tokens)
    found.names |= _changed_names(before.dice, new.dice)
    for one in new_or_gone:
        found.names |= {one.name, *_of_columns(one.columns)}
        if isinstance(one, ThingKind):
            found.names |= {*one.rows, *one.absent}
    for option in _changed_names(before.options, new.options):
        values = {*before.options.get(option, ()), *new.options.get(option, ())}
        found.names.add(option)
        if not values <= {"yes", "no"}:
            found.names |= values
            kind_names.add(option)
            found.asked.add(option)
    for key in both:
        earlier, one = was[key], now[key]
        if earlier is one:
            continue
        found.names |= _of_columns(incompatible_columns(earlier, one))
        columns = differing_columns(earlier, one)
        if columns is None and isinstance(earlier, ThingKind) and isinstance(one, ThingKind):
            rows = row_differences(earlier, one)
            if rows is None:
                return None
            columns = rows.columns
            found.names |= rows.names
            found.columns |= rows.copies
            if rows.names or rows.copies:
                kind_names.add(one.name)
                found.asked.add(rows_of(one.name))
                found.asked |= {one.name} if earlier.count != one.count else set()
        if columns is None:  # only the name of a table leads to its rows
            found.columns |= {one.name, *(f".{name}" for name in (*earlier.columns, *one.columns))}
        for name in columns or ():
            if has_same_layout(earlier.columns[name], one.columns[name]):
                found.asked.add(f".{name}")
            else:
                found.columns.add(f".{name}")
    found.numbered |= found.asked
    if kind_names:
        names = _names_by_number(new, kind_names, infos, words)
        if names is None:
            return None
        found.numbered |= names
        for stored in stored_in(new):
            if isinstance(stored, declared.State) and (
                before.type_of(stored.type) != new.type_of(stored.type)
            ):
                found.columns.add(stored.name)
    return found


def _names_by_number(
    model: Model,
    kind_names: Set[str],
    infos: Mapping[str, Infos],
    words: Callable[[object], Set[str]],
) -> set[str] | None:
    """Return the names that refer to pieces of the given kinds, or to the number of these pieces.

    Return None if everything may depend on such pieces. `infos` contains the information about named values,
    and `words` returns the names in a node.
    """
    types = {name for name, union in model.unions.items() if not kind_names.isdisjoint(union.names)}
    types |= kind_names
    if any(
        kind.shape == "growing" and zone.type.of in types
        for kind in model.spaces.values()
        for zone in kind.zones
    ):
        return None  # the pieces determine how many cells of the grid can be in use
    names = {*types, *model.positions, *(f".{word}" for word in ATTRIBUTES)}
    names |= {one.name for one in stored_in(model) if not types.isdisjoint(words(one))}
    for thing in (*model.kinds.values(), *model.pieces.values(), *model.spaces.values()):
        names |= {f".{one.name}" for one in thing.columns.values() if _is_of(one.type, kind_names)}
    for table in model.tables.values():
        names |= {f".{one.name}" for one in table.columns.values() if _is_of(one.type, kind_names)}
        if any(_is_of(type, kind_names) for type in table.keys):
            names.add(table.name)
    for key, found in infos.items():
        types_of = (type for one in found for type in (one.type, *(t for _, t in one.parameters)))
        if any(_is_of(type, kind_names) for type in types_of):
            names.add(key.partition(" ")[2])
    return names


def _is_numbered(key: tuple[str, str], others: Container[tuple[str, str]]) -> bool:
    """Return whether a kind is among `others` and has numbered things. The rows of a table are not numbered."""
    return key in others and key[0] != "table"


def _is_there(kind: ThingKind | TableInfo) -> bool:
    """Return whether things of a kind exist. For a table, return whether it is declared."""
    return isinstance(kind, TableInfo) or kind.is_there


def _is_usable_unnamed(kind: ThingKind | TableInfo) -> bool:
    """Return whether rules may use a kind without naming it. They can do so for links between spaces, for
    cells, and for kinds with actions in columns.
    """
    is_action = any(isinstance(column.type, types.Action) for column in kind.columns.values())
    return is_action or (isinstance(kind, ThingKind) and bool(kind.joins or kind.places))


def _of_columns(names: Iterable[str]) -> set[str]:
    """Return the names through which rules reach columns."""
    return {by for name in names for by in (name, f".{name}")}


def stored_in(model: Model) -> Iterator[declared.Token | declared.State | declared.Zone]:
    """Yield all stored things, in the order in which they are numbered as parts."""
    yield from model.tokens.values()
    yield from model.states.values()
    yield from model.zones.values()
    yield from model.player_states.values()
    yield from model.player_zones.values()
    for kind in (*model.pieces.values(), *model.spaces.values()):
        yield from kind.states
        yield from kind.zones


def _is_of(type: Type, kind_names: Set[str]) -> bool:
    """Return whether a type is one of these kinds, or a list of things of these kinds."""
    return not kind_names.isdisjoint(type.names) or (
        isinstance(type, types.Several) and _is_of(type.of, kind_names)
    )


def _changed_names(old: Mapping[str, object], new: Mapping[str, object]) -> set[str]:
    """Return the names that have different meanings in two mappings."""
    return {name for name in old.keys() | new.keys() if old.get(name) != new.get(name)}


def _kinds(model: Model) -> dict[tuple[str, str], ThingKind | TableInfo]:
    """Return every kind, and every table, of a model."""
    found: dict[tuple[str, str], ThingKind | TableInfo] = {}
    found.update((("kind", name), one) for name, one in model.kinds.items())
    found.update((("piece", name), one) for name, one in model.pieces.items())
    found.update((("space", name), one) for name, one in model.spaces.items())
    found.update((("table", name), one) for name, one in model.tables.items())
    return found
