"""Defines the model: all declarations, keyed by name and numbered, for one number of players and one choice of options.

See `declaring`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import assert_never

from attrs import define, field

from rulewright.dsl.diagnostics.advice import Help, write
from rulewright.dsl.diagnostics.diagnostics import Label, Problems
from rulewright.dsl.diagnostics.source import Source, Span
from rulewright.dsl.diagnostics.suggest import did_you_mean
from rulewright.dsl.immutable import frozen
from rulewright.dsl.model import types
from rulewright.dsl.model.constants import Key, NotConstant, constant, no_value
from rulewright.dsl.model.dependencies import add_uses
from rulewright.dsl.model.facts import Facts
from rulewright.dsl.model.grids import Grid, grid_of
from rulewright.dsl.model.tables import Cell
from rulewright.dsl.model.types import (
    ACTION,
    DIRECTION,
    FLAG,
    PLAYER,
    UNKNOWN,
    Type,
    list_of,
    named_type,
    whole,
)
from rulewright.dsl.parsing import hints
from rulewright.dsl.text.names import as_name, snake
from rulewright.dsl.tree import declared, syntax

DIRECTIONS = (
    "north",
    "north_east",
    "east",
    "south_east",
    "south",
    "south_west",
    "west",
    "north_west",
)

ReadFile = Callable[[str], "Source | None"]
NamesOfFiles = Callable[[], Iterable[str]]


@frozen
class Configuration:
    """A way to play a game: the number of players, and the value of each option."""

    players: int
    options: Mapping[str, str]
    marks_openly: bool = False
    """Whether each `openly` becomes a separate procedure, so that its values can be observed."""


@define
class ColumnInfo:
    """A column with its type and its values. There is a value for each instance of a piece or
    space, or for each row of a kind or table.
    """

    name: str
    type: Type
    span: Span
    laid_out: list[int | tuple[int, ...]] = field(factory=list)
    """The contents of the column, for lookups during a match."""

    @property
    def values(self) -> list[int | tuple[int, ...]]:
        """Return the contents of the column. Record that the caller's result depends on them."""
        add_uses((f".{self.name}",))
        return self.laid_out


def rows_of(kind_name: str) -> str:
    """Return the key under which a use of a type's rows is recorded."""
    return f"rows of {kind_name}"


@define
class ThingKind:
    """A `piece`, a `space` or a `kind` (`tag` says which). The ids of its instances are `first ..
    first + count - 1`.
    """

    name: str
    tag: types.Declared
    span: Span
    first: int = 0
    _rows: list[str] = field(factory=list)
    texts: list[str] = field(factory=list)
    _copy: list[int] = field(factory=list)
    _owner: list[int] = field(factory=list)
    columns: dict[str, ColumnInfo] = field(factory=dict)
    row_spans: list[Span] = field(factory=list)
    per_player: bool = False
    absent: list[str] = field(factory=list)
    """Rows without copies in this variant. Their names still exist."""
    states: tuple[declared.State, ...] = ()
    zones: tuple[declared.Zone, ...] = ()
    places: list[tuple[int, int]] = field(factory=list)
    shape: str = ""  # square, hex, rhombus, hexagon, growing; corners, edges
    of: str = ""
    """For corners and edges, the kind of the cells to which they belong."""
    cells: Grid | None = None
    """For corners and edges, the grid of these cells."""
    down: bool = False  # whether rows are counted from the top
    joins: tuple[str, str] | None = None
    provenance: list[str] = field(factory=list)
    words: list[str] = field(factory=list)
    """The printed text of each instance."""
    _grid: Grid | None = field(default=None, eq=False)

    @property
    def rows(self) -> list[str]:
        """Return the name of the row of each instance."""
        add_uses((rows_of(self.name),))
        return self._rows

    @property
    def copy(self) -> list[int]:
        """Return, for each instance, its position among the copies of its row."""
        add_uses((rows_of(self.name),))
        return self._copy

    @property
    def owner(self) -> list[int]:
        """Return the seat to which each instance belongs; -1 if it belongs to nobody."""
        add_uses((rows_of(self.name),))
        return self._owner

    @property
    def is_there(self) -> bool:
        """Return whether there are any instances."""
        return bool(self._rows)

    @property
    def bounds(self) -> tuple[int, int]:
        """Return the lowest and the highest id of the instances; only instances have ids in this range.

        This does not count as a use of the rows.
        """
        return self.first, self.first + len(self._rows) - 1

    def name_of(self, number: int) -> str | None:
        """Return, for display, the name of a thing's row; None if the thing is not of this kind."""
        low, high = self.bounds
        return self._rows[number - low] if low <= number <= high else None

    @property
    def grid(self) -> Grid:
        """Return the grid that the places of the cells form."""
        if self._grid is None:
            self._grid = grid_of(self.shape, self.first, self.places, self.down, self.cells)
        return self._grid

    @property
    def count(self) -> int:
        """Return the number of instances."""
        add_uses((self.name,))
        return len(self._rows)

    @property
    def type(self) -> Type:
        return named_type(self.tag, (self.name,))

    @property
    def ids(self) -> range:
        return range(self.first, self.first + self.count)


@define
class TableInfo:
    """A lookup table with its key columns, and a row of values for each key."""

    name: str
    span: Span
    keys: list[Type] = field(factory=list)
    columns: dict[str, ColumnInfo] = field(factory=dict)
    index: dict[tuple[int, ...], int] = field(factory=dict)
    count: int = 0
    """The number of rows; a row may have many keys."""
    open_from: list[int | None] = field(factory=list)
    """For each key column, the number from which all higher keys share a row, as in `17+`; None if there is none."""
    provenance: list[tuple[str, str]] = field(factory=list)
    file: str = ""

    def row_of(self, keys: tuple[int, ...]) -> int | None:
        """Return the row for a key; None if there is no row."""
        opened = self.open_from or [None] * len(keys)
        at = (
            key if first is None else min(key, first)
            for key, first in zip(keys, opened, strict=True)
        )
        return self.index.get(tuple(at))


def differing_columns(old: ThingKind | TableInfo, new: ThingKind | TableInfo) -> set[str] | None:
    """Return the columns whose contents differ in two versions of a type or table; None if anything else differs too.

    The places of lines may differ, and so may words that are only displayed.
    """
    if old is new:
        return set()
    if _type_key(old) != _type_key(new):
        return None
    found: set[str] = set()
    for name, column in new.columns.items():
        was = old.columns.get(name, column)
        if was.type != column.type or was.values != column.values:
            found.add(name)
    other = incompatible_columns(old, new)
    return None if (found | other) & _always_relevant(old, new) else found - other


def incompatible_columns(old: ThingKind | TableInfo, new: ThingKind | TableInfo) -> set[str]:
    """Return the columns that occur in only one of two versions of a type or table, or whose types differ."""
    both = old.columns.keys() & new.columns.keys()
    return {*(old.columns.keys() ^ new.columns.keys())}.union(
        name for name in both if not _are_compatible(old.columns[name].type, new.columns[name].type)
    )


def _always_relevant(*forms: ThingKind | TableInfo) -> set[str]:
    """Return the columns that affect rules even if no rule names them: they determine possible
    calls or neighbours.
    """
    far = {
        name for one in forms for name, c in one.columns.items() if isinstance(c.type, types.Action)
    }
    joins = [one.joins for one in forms if isinstance(one, ThingKind) and one.joins]
    return far.union(*joins)


@frozen
class RowDifferences:
    """The rows in which two versions of a type of things differ, and the columns whose contents differ."""

    names: set[str]
    """The rows that only one version has, or whose position differs."""
    copies: set[str]
    """The rows whose number of copies differs."""
    columns: set[str]


def row_differences(old: ThingKind, new: ThingKind) -> RowDifferences | None:
    """Return the rows and columns in which two versions of a type differ; None if anything else
    differs, or if one version is empty.

    The ids of the things may differ.
    """
    if (
        _shape_key(old) != _shape_key(new)
        or old.is_there != new.is_there
        or old.places
        or new.places
    ):
        return None
    was, now = _by_rows(old), _by_rows(new)
    both = [row for row in now if row in was]
    columns: set[str] = set()
    for name, column in new.columns.items():
        before = old.columns.get(name)
        if before is None or not _are_compatible(before.type, column.type):
            continue  # `incompatible_columns` reports these columns
        is_same = before.type == column.type and all(
            before.values[was[row][0]] == column.values[now[row][0]] for row in both
        )
        if not is_same or len(both) < max(len(was), len(now)):
            columns.add(name)
    if (columns | incompatible_columns(old, new)) & _always_relevant(old, new):
        return None
    copies = {
        row
        for row in was.keys() | now.keys()
        if _owners(old, was.get(row, ())) != _owners(new, now.get(row, ()))
    }
    names = {*was, *old.absent} ^ {*now, *new.absent}
    if [row for row in was if row in now] != both:
        names |= {*was, *now}
    if new.tag == "kind":
        names |= {row for row in both if old.texts[was[row][0]] != new.texts[now[row][0]]}
    return RowDifferences(names, copies, columns)


def _owners(one: ThingKind, places: Sequence[int]) -> list[int]:
    """Return the owner of each copy of a row."""
    return [one.owner[at] if one.owner else -1 for at in places]


def has_same_layout(old: ColumnInfo, new: ColumnInfo) -> bool:
    """Return whether two versions of a column differ only in contents that are looked up during a match."""
    return old.type == new.type and len({*old.laid_out}) > 1 < len({*new.laid_out})


def _are_compatible(old: Type, new: Type) -> bool:
    """Return whether two types are equal or are both ranges of numbers."""
    return old == new or (
        isinstance(old, types.Number) and isinstance(new, types.Number) and old.opt == new.opt
    )


def _shape_key(one: ThingKind) -> tuple[object, ...]:
    """Return a key for a type. Versions that differ only in rows, numbers of copies and contents of
    columns have equal keys.
    """
    return one.name, one.tag, one.per_player, one.states, one.zones, one.shape, one.joins


def _by_rows(one: ThingKind) -> dict[str, list[int]]:
    """Map each row to the indices of its copies."""
    found: dict[str, list[int]] = {}
    for at, row in enumerate(one.rows):
        found.setdefault(row, []).append(at)
    return found


def _type_key(one: ThingKind | TableInfo) -> tuple[object, ...]:
    """Return a key for a type or table. Versions that differ only in the contents of columns have equal keys."""
    if isinstance(one, TableInfo):
        return one.name, one.keys, one.index, one.count, one.open_from
    texts = one.texts if one.tag == "kind" else ()  # texts also identify a value
    return (
        *(one.name, one.tag, one.first, one.rows, texts, one.copy, one.owner, one.per_player),
        *(one.absent, one.states, one.zones, one.places, one.shape, one.down, one.joins),
        *(one.of, one.cells),
    )


@define
class RawRow:
    """A row whose cells have not yet been converted to values: its name, its place, and its cells keyed by column."""

    name: str
    span: Span
    cells: dict[str, Cell | syntax.Expression]
    missing: frozenset[str] = frozenset()  # columns that the table does not have
    numbers: Mapping[str, int] = field(factory=dict)
    """For a row of a product, maps its parts and the possible values of these parts to numbers."""
    kinds: Mapping[str, str] = field(factory=dict)
    """For a row of a product, maps its parts to their kinds."""


CellRead = tuple[str, tuple[Key, ...], str]
"""A table, a key and a column."""
Trigger = declared.OnAction | declared.Whenever | declared.OnMove


@define
class Model:
    """All declarations of a game, keyed by name."""

    problems: Problems
    read: ReadFile
    config: Configuration
    facts: Facts = field(factory=Facts)
    tables_beside: NamesOfFiles = tuple
    """Returns the names of all table files. It is needed only if a table is missing."""
    title: str = "a game"
    has_lost_rows: bool = False  # a table could not be read, so names of rows are not known
    settings: dict[str, declared.Setting] = field(factory=dict)
    seats_absent: set[str] = field(factory=set)
    seats: list[str] = field(
        factory=list
    )  # names of the seats; the first `config.players` seats belong to people
    options: dict[str, tuple[str, ...]] = field(factory=dict)
    option_chosen: dict[str, str] = field(factory=dict)
    used_options: set[str] = field(factory=set)
    """The options that were used. The choices of all other options make no difference."""
    used_words: set[str] = field(factory=set)
    """The names whose values were needed before the game starts."""
    used_cells: dict[CellRead, int | None] = field(factory=dict)
    """The contents of the table cells that were needed before the game starts."""
    fixed_values: dict[str, syntax.Expression] = field(factory=dict)
    """The expressions of values without parameters. Some of them are constants."""
    _worked_out: set[str] = field(factory=set)
    _option_values: dict[str, tuple[Type, int]] = field(factory=dict)
    dead: set[Span] = field(factory=set)
    """The places where blocks begin that this variant never reaches."""
    live: set[Span] = field(factory=set)
    """The places where blocks begin that only some variants reach."""
    verbs_absent: set[str] = field(factory=set)
    kinds: dict[str, ThingKind] = field(factory=dict)
    pieces: dict[str, ThingKind] = field(factory=dict)
    spaces: dict[str, ThingKind] = field(factory=dict)
    unions: dict[str, types.Piece | types.Space] = field(factory=dict)
    tables: dict[str, TableInfo] = field(factory=dict)
    tokens: dict[str, declared.Token] = field(factory=dict)
    dice: dict[str, tuple[int, ...]] = field(factory=dict)
    states: dict[str, declared.State] = field(factory=dict)
    zones: dict[str, declared.Zone] = field(factory=dict)
    player_states: dict[str, declared.State] = field(factory=dict)
    player_zones: dict[str, declared.Zone] = field(factory=dict)
    side_type: Type = UNKNOWN
    sides: tuple[int, ...] = ()
    """For each seat, the number of its side; empty if the game has no sides."""
    signs: dict[str, frozenset[str]] = field(factory=dict)
    """Maps each type with lines of signs to its signs."""
    positions: dict[str, declared.Position] = field(factory=dict)
    values: dict[str, declared.Value] = field(factory=dict)
    subject_values: dict[str, list[declared.Value]] = field(factory=dict)
    rules: dict[str, declared.Rule] = field(factory=dict)
    action_names: list[str] = field(factory=list)
    effects: list[declared.Effect] = field(factory=list)
    triggers: list[tuple[Trigger, declared.Power | None]] = field(factory=list)
    """The triggers in the order of the file, each paired with the power that contains it; None if no power does."""
    powers: list[declared.Power] = field(factory=list)
    anytimes: list[declared.Anytime] = field(factory=list)
    setups: list[declared.Section] = field(factory=list)
    plays: list[declared.Section] = field(factory=list)
    scores: list[declared.Score] = field(factory=list)
    winners: list[declared.Winner] = field(factory=list)
    invariants: list[declared.Invariant] = field(factory=list)
    notes: list[declared.Note] = field(factory=list)
    boards: list[declared.Board] = field(factory=list)
    row_names: dict[str, list[tuple[Type, tuple[int, ...]]]] = field(factory=dict)
    kind_rows: dict[str, tuple[declared.Record, list[RawRow]]] = field(factory=dict)
    first_declared: dict[str, Span] = field(factory=dict)
    game_span: Span | None = None

    # ---- small questions ----------------------------------------------------------------------------

    def word(self, name: str) -> int | None:
        """Return the value of a name if it is known before the game starts; None otherwise."""
        self.used_words.add(name)
        if name == "player_count":
            return self.config.players
        chosen = self.option(name)
        if chosen is not None:
            return chosen[1]
        for values in self.options.values():
            if name in values:
                return values.index(name)
        if name in self.fixed_values and name not in self._worked_out:
            self._worked_out.add(name)
            try:
                return constant(self.fixed_values[name], self.word, self.cell)
            except NotConstant:
                return None
            finally:
                self._worked_out.discard(name)
        for die in ("yes", "no"):
            if name == die:
                return int(name == "yes")
        return None

    def constant_values(self, names: Iterable[str]) -> dict[str, int | None]:
        """Return the constant values of the given names, without recording a use."""
        asked = self.used_options, self.used_words, self.used_cells
        self.used_options, self.used_words, self.used_cells = set(), set(), {}
        found = {name: self.word(name) for name in names}
        self.used_options, self.used_words, self.used_cells = asked
        return found

    def option(self, name: str) -> tuple[Type, int] | None:
        """Return the chosen value of an option; None if there is no option with this name."""
        if name in self._option_values:
            self.used_options.add(name)
        return self._option_values.get(name)

    def refers_to_value_of_option(self, span: Span, option: str, value: str) -> None:
        """Record that a word in the text is a value of an option."""
        at = self.first_declared.get(f"value {option} {value}")
        self.facts.refers(span, "row", value, at)

    def choose(self, name: str, chosen: str, type: Type, value: int) -> None:
        """Record the choice of an option: the word, and its value as a number."""
        self.option_chosen[name] = chosen
        self._option_values[name] = type, value

    def cell(self, table: str, keys: tuple[Key, ...], column: str) -> int | None:
        """Return a cell of a lookup table, if the cell is a number; None otherwise.

        Keys may be names of things and of options.
        """
        found = self.used_cells[table, keys, column] = self._cell(table, keys, column)
        return found

    def has_cells(self, known: Mapping[CellRead, int | None]) -> bool:
        """Return whether the given cells have these values, without recording a use."""
        asked = self.used_options
        self.used_options = set()
        found = all(self._cell(*cell) == value for cell, value in known.items())
        self.used_options = asked
        return found

    def _cell(self, table: str, keys: tuple[Key, ...], column: str) -> int | None:
        info = self.tables.get(table)
        if info is None or column not in info.columns or len(keys) != len(info.keys):
            return None
        at = [self._key(type, *key) for type, key in zip(info.keys, keys, strict=True)]
        row = None if None in at else info.row_of(tuple(key for key in at if key is not None))
        value = None if row is None else info.columns[column].values[row]
        return value if isinstance(value, int) else None

    def _key(self, type: Type, number: int | None, name: str) -> int | None:
        if not name or not type.is_thing:
            return number
        if self.option(name) is not None:
            name = self.option_chosen[name]
        found = id_named(self, type, name)
        return number if found is None else found

    def number(
        self,
        expression: syntax.Expression,
        what: str,
        default: int = 0,
        help: Help = "",
        otherwise: str = "",
    ) -> int:
        """Return a number that must be known before the game starts.

        If it is unknown, report an error and return `default`. `otherwise` is the help text to show
        if there is no better one.
        """
        unlike = no_value(expression, self.options) if self.options else None
        if unlike is not None:
            place, message, meant = unlike
            self.problems.error("unknown-option", message, place.span, help=meant)
            return default
        try:
            return constant(expression, self.word, self.cell)
        except NotConstant as problem:
            self.report_not_constant(problem, what, help, otherwise=otherwise)
            return default

    def report_not_constant(
        self,
        problem: NotConstant,
        what: str,
        help: Help = "",
        otherwise: str = "",
    ) -> None:
        """Report an error for an expression that is not constant."""
        known = [*self.options, "player_count", *self.fixed_values]
        self.problems.error(
            "wrong-type",
            f"{what} must be known before the game starts",
            problem.place.span,
            at=problem.why,
            help=help
            or problem.name_help(known)
            or hints.of_name(problem.place.span.text.lower())
            or otherwise,
        )

    def is_on(self, condition: syntax.Expression | None) -> bool:
        """Return whether an `only if` holds in this variant."""
        if condition is None:
            return True
        return bool(self.number(condition, "the condition after `only if`", 1))

    def thing(self, name: str) -> ThingKind | None:
        """Return the kind, piece or space with this name; None if there is none."""
        return self.kinds.get(name) or self.pieces.get(name) or self.spaces.get(name)

    def kinds_of(self, type: Type) -> list[ThingKind]:
        """Return the kinds that a thing of a type may have."""
        return [kind for kind in map(self.thing, type.names) if kind is not None]

    def type_named(self, name: str) -> Type | None:
        """Return the type with this capitalised name; None if there is none."""
        if name == "Player":
            return PLAYER
        if name == "Flag":
            return FLAG
        if name == "Direction":
            return DIRECTION
        if name == "Action":
            return ACTION
        thing = self.thing(name)
        if thing is not None:
            return thing.type
        if name in self.unions:
            union = self.unions[name]
            return union if union.names else UNKNOWN  # unknown parts have been reported
        return None

    def type_names(self) -> list[str]:
        return [
            "Player",
            "Flag",
            "Action",
            "Direction",
            *self.kinds,
            *self.pieces,
            *self.spaces,
            *self.unions,
        ]

    def refers_to_type(self, span: Span, name: str) -> None:
        """Record that a word in the text is the name of a type."""
        self.facts.refers(span, "type", name, self.first_declared.get(f"type {name}"))

    def refers_to_row(self, span: Span, type: Type, number: int) -> None:
        """Record that a word in the text, or a cell of a table, is the name of a row."""
        for kind in self.kinds_of(type):
            name = kind.name_of(number)
            if name is not None:
                at = kind.row_spans[number - kind.first] if kind.row_spans else kind.span
                self.facts.refers(span, "row", name, at)
                return

    def refers_to_rule(self, span: Span, name: str) -> None:
        """Record that a word in the text is the name of a rule or an action."""
        rule = self.rules.get(name)
        if rule is not None:
            self.facts.refers(span, rule.what, name, rule.name_span)

    def type_of(self, written: syntax.Type) -> Type:
        """Return the type that a type expression in the text refers to. Report an error if the type
        is unknown.
        """
        match written:
            case syntax.NamedType():
                found = self.type_named(written.name)
                if found is None:
                    near: Help = did_you_mean(written.name, self.type_names())
                    near = near or hints.of_word("types", written.name.casefold())
                    near = (
                        near
                        or f"declare it: `kind {written.name} = FIRST, SECOND`, or as `piece` or `space`"
                    )
                    self.problems.error(
                        "unknown-type",
                        f"there is no type `{written.name}`",
                        written.span,
                        help=near,
                    )
                    return UNKNOWN
                self.refers_to_type(written.span, written.name)
                return found
            case syntax.RangeType():
                low = self.number(written.low, "the edge of a range")
                high = self.number(written.high, "the edge of a range", low)
                if high < low:
                    self.problems.error(
                        "out-of-range",
                        f"the range {low}..{high} is empty",
                        written.span,
                        help=write(f"{high}..{low}"),
                    )
                    return UNKNOWN
                return whole(low, high)
            case syntax.ListType():
                room = self.number(written.limit, "the length of a list", 1)
                if room < 1:
                    self.problems.error(
                        "out-of-range",
                        f"a list of up to {room} cannot hold anything",
                        written.limit.span,
                        help=write("1") + ", or the greatest number of things in it",
                    )
                return list_of(self.type_of(written.of), max(1, room), ordered=True)
            case syntax.SetType():
                of = self.type_of(written.of)
                return list_of(of, max(1, self.size_of(of)))  # a list has room for one
            case syntax.OptionalType():
                return self.type_of(written.of).maybe()

    def values_of(self, option: str) -> tuple[str, ...]:
        """Return the values of an option; an empty tuple if there is no such option."""
        add_uses((option,))
        return self.options.get(option, ())

    def size_of(self, type: Type) -> int:
        """Return the number of values of a type. The value `nothing` is not counted."""
        match type:
            case types.Number() | types.Flag():
                return type.high - type.low + 1
            case types.Player():
                return len(self.seats)
            case types.Action():
                return max(1, len(self.action_names))
            case types.Direction():
                return 8
            case types.Kind() | types.Piece() | types.Space():
                total = 0
                for name in type.names:
                    info = self.thing(name)
                    if info is not None:
                        total += info.count
                    elif name in self.options:
                        total += len(self.values_of(name))
                return total
            case types.Uncounted():
                return 1

    def ids_of(self, type: Type) -> Sequence[int]:
        """Return the ids of the values of a type, in order."""
        match type:
            case types.Number() | types.Flag():
                return range(type.low, type.high + 1)
            case types.Player():
                return range(len(self.seats))
            case types.Action():
                return range(len(self.action_names))
            case types.Direction():
                return range(8)
            case types.Kind() | types.Piece() | types.Space():
                ids: list[int] = []
                for name in type.names:
                    info = self.thing(name)
                    if info is not None:
                        ids.extend(info.ids)
                    elif name in self.options:
                        ids.extend(range(len(self.values_of(name))))
                return sorted(ids)
            case types.Uncounted():
                return ()

    # ---- declaring ----------------------------------------------------------------------------------

    def declare(self, space: str, name: str, span: Span, what: str) -> bool:
        """Record a declared name in the namespace `space`.

        If the name is already taken, report an error and return False.
        """
        key = f"{space} {name}"
        if key in self.first_declared:
            self.problems.error(
                "duplicate-name",
                f"`{name}` is declared twice",
                span,
                at=f"declared again here as {what}",
                help="rename one of them, or remove it",
                labels=(Label(self.first_declared[key], "first declared here"),),
            )
            return False
        self.first_declared[key] = span
        return True


def id_named(model: Model, type: Type, text: str) -> int | None:
    """Return the number of the row with a given name or, for a value of a kind, a given text; None
    if there is no such row.
    """
    lowered = as_name(text)
    match type:
        case types.Kind() | types.Piece() | types.Space():
            for name in type.names:
                info = model.thing(name)
                if info is None:
                    continue
                for row in (lowered, f"{snake(name)}_{lowered}"):
                    if row in info.rows:
                        return info.first + info.rows.index(row)
                if info.tag == "kind" and text.strip() in info.texts:
                    return info.texts.index(text.strip())
            return None
        case types.Player():
            return model.seats.index(lowered) if lowered in model.seats else None
        case types.Action():
            return model.action_names.index(lowered) if lowered in model.action_names else None
        case types.Direction():
            return DIRECTIONS.index(lowered) if lowered in DIRECTIONS else None
        case types.Number() | types.Flag() | types.Uncounted():
            return None
        case _:
            assert_never(type)
