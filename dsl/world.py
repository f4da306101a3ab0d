"""What is in the box: kinds, pieces, spaces, tables and places of one game for one configuration, numbered.

Takes the declarations and one choice of players and options; refuses to look into rules and values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import PurePosixPath

from attrs import define, field, frozen

from rulewright.dsl import declared, syntax
from rulewright.dsl.constants import NotConstant, constant
from rulewright.dsl.diagnostics import Label, Problems
from rulewright.dsl.grids import Grid, grid_of
from rulewright.dsl.source import Source, Span
from rulewright.dsl.suggest import did_you_mean
from rulewright.dsl.tables import Cell, TableText, as_name, read_table
from rulewright.dsl.typesystem import (
    DIRECTION,
    FLAG,
    PLAYER,
    UNKNOWN,
    Type,
    describe,
    list_of,
    whole,
)

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
READ_LIMIT = 20_000  # pieces or spaces of a game

ReadFile = Callable[[str], "Source | None"]


@frozen
class Configuration:
    """One way to play a game: how many players, which value of each option."""

    players: int
    options: Mapping[str, str]


@define
class ColumnInfo:
    """One column: its type and the value of each instance (of a piece or space) or row (of a kind or table)."""

    name: str
    type: Type
    span: Span
    values: list[int | tuple[int, ...]] = field(factory=list)


@define
class ThingKind:
    """A kind of piece or space, or a kind with values (`tag` "kind"); ids are `first .. first + count - 1`."""

    name: str
    tag: str
    span: Span
    first: int = 0
    rows: list[str] = field(factory=list)  # name of the row of each instance
    texts: list[str] = field(factory=list)
    copy: list[int] = field(factory=list)
    owner: list[int] = field(factory=list)
    columns: dict[str, ColumnInfo] = field(factory=dict)
    row_spans: list[Span] = field(factory=list)
    per_player: bool = False
    states: tuple[declared.State, ...] = ()
    zones: tuple[declared.Zone, ...] = ()
    places: list[tuple[int, int]] = field(factory=list)
    shape: str = ""  # square, hex, growing
    joins: tuple[str, str] | None = None
    provenance: list[str] = field(factory=list)
    _grid: Grid | None = None

    @property
    def grid(self) -> Grid:
        """How its cells lie, where they have places."""
        if self._grid is None:
            self._grid = grid_of(self.shape, self.first, self.places)
        return self._grid

    @property
    def count(self) -> int:
        """How many instances there are."""
        return len(self.rows)

    @property
    def type(self) -> Type:
        """One of them."""
        return Type(self.tag, names=(self.name,))  # type: ignore[arg-type]  # the three tags are tags of types

    @property
    def ids(self) -> range:
        """Their numbers."""
        return range(self.first, self.first + self.count)


@define
class TableInfo:
    """A table that is looked up: key columns, and a row of values for each key."""

    name: str
    span: Span
    keys: list[Type] = field(factory=list)
    columns: dict[str, ColumnInfo] = field(factory=dict)
    index: dict[tuple[int, ...], int] = field(factory=dict)
    provenance: list[tuple[str, str]] = field(factory=list)
    file: str = ""


Trigger = declared.OnAction | declared.Whenever | declared.OnMove


@define
class World:
    """Everything that is declared, by name."""

    problems: Problems
    read: ReadFile
    config: Configuration
    title: str = "a game"
    has_lost_rows: bool = False  # a table could not be read, so names of rows are not known
    settings: dict[str, declared.Setting] = field(factory=dict)
    seats_absent: set[str] = field(factory=set)
    seats: list[str] = field(
        factory=list
    )  # names of the seats; the first `config.players` are persons
    options: dict[str, tuple[str, ...]] = field(factory=dict)
    option_value: dict[str, int] = field(factory=dict)
    option_type: dict[str, Type] = field(factory=dict)
    verbs_absent: set[str] = field(factory=set)
    option_chosen: dict[str, str] = field(factory=dict)
    kinds: dict[str, ThingKind] = field(factory=dict)
    pieces: dict[str, ThingKind] = field(factory=dict)
    spaces: dict[str, ThingKind] = field(factory=dict)
    unions: dict[str, tuple[str, tuple[str, ...]]] = field(factory=dict)
    tables: dict[str, TableInfo] = field(factory=dict)
    tokens: dict[str, declared.Token] = field(factory=dict)
    dice: dict[str, tuple[int, ...]] = field(factory=dict)
    states: dict[str, declared.State] = field(factory=dict)
    zones: dict[str, declared.Zone] = field(factory=dict)
    player_states: dict[str, declared.State] = field(factory=dict)
    player_zones: dict[str, declared.Zone] = field(factory=dict)
    values: dict[str, declared.Value] = field(factory=dict)
    subject_values: dict[str, list[declared.Value]] = field(factory=dict)
    rules: dict[str, declared.Rule] = field(factory=dict)
    action_names: list[str] = field(factory=list)
    effects: list[declared.Effect] = field(factory=list)
    triggers: list[tuple[Trigger, declared.Power | None]] = field(factory=list)
    """In the order of the file; of a power or of nothing."""
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
    kind_rows: dict[str, tuple[declared.Record, list[_RawRow]]] = field(factory=dict)
    first_declared: dict[str, Span] = field(factory=dict)
    game_span: Span | None = None

    # ---- small questions ----------------------------------------------------------------------------

    def word(self, name: str) -> int | None:
        """A name that is known before the game starts."""
        if name == "player_count":
            return self.config.players
        if name in self.option_value:
            return self.option_value[name]
        for values in self.options.values():
            if name in values:
                return values.index(name)
        for die in ("yes", "no"):
            if name == die:
                return int(name == "yes")
        return None

    def cell(self, table: str, keys: tuple[int | str, ...], column: str) -> int | None:
        """A cell of a lookup table, if it is a number; keys may be names of things."""
        info = self.tables.get(table)
        if info is None or column not in info.columns or len(keys) != len(info.keys):
            return None
        at = tuple(
            _named(self, type, key) if isinstance(key, str) else key
            for type, key in zip(info.keys, keys, strict=True)
        )
        row = next((n for index, n in info.index.items() if index == at), None)
        value = None if row is None else info.columns[column].values[row]
        return value if isinstance(value, int) else None

    def number(self, expression: syntax.Expression, what: str, default: int = 0) -> int:
        """A number that must be known before the game starts."""
        try:
            return constant(expression, self.word, self.cell)
        except NotConstant as problem:
            self.problems.error(
                "wrong-type",
                f"{what} must be known before the game starts",
                problem.place.span,
                at=problem.why,
            )
            return default

    def is_on(self, condition: syntax.Expression | None) -> bool:
        """Whether an `only if` holds in this configuration."""
        if condition is None:
            return True
        return bool(self.number(condition, "the condition behind `only if`", 1))

    def thing(self, name: str) -> ThingKind | None:
        """A kind of any sort by its name."""
        return self.kinds.get(name) or self.pieces.get(name) or self.spaces.get(name)

    def type_named(self, name: str) -> Type | None:
        """The type behind a capitalised name."""
        if name == "Player":
            return PLAYER
        if name == "Flag":
            return FLAG
        if name == "Direction":
            return DIRECTION
        if name == "Action":
            return Type("action")
        thing = self.thing(name)
        if thing is not None:
            return thing.type
        if name in self.unions:
            tag, members = self.unions[name]
            return Type(tag, names=members)  # type: ignore[arg-type]  # piece or space
        return None

    def type_names(self) -> list[str]:
        """All names of types."""
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

    def type_of(self, written: syntax.Type) -> Type:
        """The type that is written; reports what is not one."""
        match written:
            case syntax.NamedType():
                found = self.type_named(written.name)
                if found is None:
                    near = did_you_mean(written.name, self.type_names())
                    self.problems.error(
                        "unknown-type",
                        f"there is no type `{written.name}`",
                        written.span,
                        help=near,
                    )
                    return UNKNOWN
                return found
            case syntax.RangeType():
                low = self.number(written.low, "the edge of a range")
                high = self.number(written.high, "the edge of a range", low)
                if high < low:
                    self.problems.error(
                        "out-of-range",
                        f"the range {low}..{high} is empty",
                        written.span,
                        help=f"write `{high}..{low}`",
                    )
                    return UNKNOWN
                return whole(low, high)
            case syntax.ListType():
                return list_of(
                    self.type_of(written.of),
                    max(0, self.number(written.limit, "the length of a list", 1)),
                    ordered=True,
                )
            case syntax.SetType():
                of = self.type_of(written.of)
                return list_of(of, self.size_of(of))
            case syntax.OptionalType():
                return self.type_of(written.of).maybe()

    def size_of(self, type: Type) -> int:
        """How many values a type has (without nothing)."""
        match type.tag:
            case "int" | "flag":
                return type.high - type.low + 1
            case "player":
                return len(self.seats)
            case "action":
                return max(1, len(self.action_names))
            case "direction":
                return 8
            case "kind" | "piece" | "space":
                total = 0
                for name in type.names:
                    info = self.thing(name)
                    if info is not None:
                        total += info.count
                    elif name in self.options:
                        total += len(self.options[name])
                return total
            case _:
                return 1

    def ids_of(self, type: Type) -> Iterable[int]:
        """The numbers a type stands for, in order."""
        match type.tag:
            case "int" | "flag":
                return range(type.low, type.high + 1)
            case "player":
                return range(len(self.seats))
            case "action":
                return range(len(self.action_names))
            case "direction":
                return range(8)
            case "kind" | "piece" | "space":
                ids: list[int] = []
                for name in type.names:
                    info = self.thing(name)
                    if info is not None:
                        ids.extend(info.ids)
                    elif name in self.options:
                        ids.extend(range(len(self.options[name])))
                return sorted(ids)
            case _:
                return ()

    # ---- declaring ----------------------------------------------------------------------------------

    def declare(self, space: str, name: str, span: Span, what: str) -> bool:
        """Note a name; report it if it is taken. `space` is the sort of names it belongs to."""
        key = f"{space} {name}"
        if key in self.first_declared:
            self.problems.error(
                "duplicate-name",
                f"`{name}` is declared twice",
                span,
                at=f"declared again here as {what}",
                labels=(Label(self.first_declared[key], "first declared here"),),
            )
            return False
        self.first_declared[key] = span
        return True


def build_world(
    declarations: Iterable[declared.Declaration],
    config: Configuration,
    read: ReadFile,
    problems: Problems,
) -> World:
    """Number everything that is declared."""
    world = World(problems, read, config)
    listed = [d for d in declarations if not isinstance(d, (syntax.Broken, declared.Include))]
    _settings(world, listed)
    _names_first(world, listed)
    _records(world, listed)
    _the_rest(world, listed)
    return world


def _settings(world: World, listed: Sequence[declared.Declaration]) -> None:
    for d in listed:
        if isinstance(d, declared.Game):
            if world.game_span is not None:
                world.problems.error(
                    "duplicate-name",
                    "the game is named twice",
                    d.span,
                    labels=(Label(world.game_span, "first here"),),
                )
            world.game_span = d.span
            world.title = d.title
            for setting in d.settings:
                if setting.name in world.settings:
                    world.problems.error(
                        "duplicate-name", f"`{setting.name}` is set twice", setting.span
                    )
                world.settings[setting.name] = setting
        elif isinstance(d, declared.OptionDeclaration) and world.declare(
            "noun", d.name, d.name_span, "an option"
        ):
            _option(world, d)
    persons = world.config.players
    world.seats = [f"seat_{n + 1}" for n in range(persons)]
    for d in listed:
        if isinstance(d, declared.Seat) and world.declare("noun", d.name, d.name_span, "a seat"):
            if not world.is_on(d.only_if):
                world.seats_absent.add(d.name)
                continue
            world.row_names.setdefault(d.name, []).append((PLAYER, (len(world.seats),)))
            world.seats.append(d.name)


def _option(world: World, d: declared.OptionDeclaration) -> None:
    """An option of the game: a number, a flag, or one of the names that stand there."""
    values = tuple(option_word(v) for v in d.values)
    chosen = world.config.options.get(d.name, values[0])
    if chosen not in values:
        chosen = values[0]
    world.options[d.name] = values
    world.option_chosen[d.name] = chosen
    if all(isinstance(v, syntax.Number) for v in d.values):
        number = int(chosen)
        world.option_value[d.name] = number
        world.option_type[d.name] = whole(number, number)
    elif all(value in ("yes", "no") for value in values):
        world.option_value[d.name] = int(chosen == "yes")
        world.option_type[d.name] = FLAG
    else:
        type = Type("kind", names=(d.name,))
        world.option_value[d.name] = values.index(chosen)
        world.option_type[d.name] = type
        for index, value in enumerate(values):
            world.row_names.setdefault(value, []).append((type, (index,)))


def option_word(value: syntax.Word | syntax.Number | syntax.Fixed) -> str:
    """A value of an option of the game, as it is written."""
    match value:
        case syntax.Word():
            return value.name
        case syntax.Number():
            return str(value.value)
        case syntax.Fixed():
            return value.word


def _names_first(world: World, listed: Sequence[declared.Declaration]) -> None:
    """Names of types and verbs: columns may mention them before they are declared."""
    for number, name in enumerate(DIRECTIONS):
        world.row_names.setdefault(name, []).append((DIRECTION, (number,)))
    for d in listed:
        match d:
            case declared.KindList():
                if world.declare("type", d.name, d.name_span, "a kind"):
                    kind = ThingKind(d.name, "kind", d.name_span)
                    for index, value in enumerate(d.values):
                        if value.name in kind.rows:
                            world.problems.error(
                                "duplicate-name",
                                f"`{value.name}` stands twice in this kind",
                                value.span,
                            )
                            continue
                        kind.rows.append(value.name)
                        kind.texts.append(value.text or value.name)
                        kind.row_spans.append(value.span)
                        kind.copy.append(1)
                        world.row_names.setdefault(value.name, []).append((kind.type, (index,)))
                    world.kinds[d.name] = kind
            case declared.Record():
                world.declare("type", d.name, d.name_span, f"a {d.what}")
            case declared.Union():
                world.declare("type", d.name, d.name_span, "a union")
            case declared.Rule():
                if not world.is_on(d.only_if):
                    world.verbs_absent.add(d.name)
                elif world.declare("verb", d.name, d.name_span, f"a {d.what}"):
                    world.rules[d.name] = d
                    if d.what == "action":
                        world.action_names.append(d.name)
            case declared.Power():
                for line in d.lines:
                    if isinstance(line, declared.Rule) and world.declare(
                        "verb", line.name, line.name_span, "an action"
                    ):
                        world.rules[line.name] = line
                        world.action_names.append(line.name)
            case _:
                pass


# ---- records ----------------------------------------------------------------------------------------


@define
class _RawRow:
    """A row before its cells are understood: name, cells by column, place."""

    name: str
    span: Span
    cells: dict[str, Cell | syntax.Expression]
    missing: frozenset[str] = frozenset()  # columns that the table does not have


def _records(world: World, listed: Sequence[declared.Declaration]) -> None:
    records = [d for d in listed if isinstance(d, declared.Record)]
    raw: dict[int, list[_RawRow]] = {}
    for d in records:
        raw[id(d)] = _raw_rows(world, d)
        if d.what == "kind":
            world.kind_rows[d.name] = (d, raw[id(d)])
    next_id = {"piece": 0, "space": 0, "link": 0}
    # kinds first, so that every row name is known before cells are read; links are spaces
    for d in sorted(records, key=lambda r: r.what != "kind"):
        if d.what == "table":
            continue
        tag = {"kind": "kind", "piece": "piece", "space": "space", "link": "space"}[d.what]
        kind = ThingKind(
            d.name, tag, d.name_span, states=d.states, zones=d.zones, per_player=d.per_player
        )
        if d.joins is not None:
            kind.joins = (d.joins.first, d.joins.second)
        first = 0 if tag == "kind" else next_id[tag]
        kind.first = first
        if d.grid is not None and not isinstance(d.grid.width, syntax.Word):
            _grid(world, d, kind)
        else:
            _instances(world, d, kind, raw[id(d)])
        if kind.count > READ_LIMIT:
            world.problems.error(
                "too-many-options", f"{kind.count} are too many (at most {READ_LIMIT})", d.name_span
            )
            kind.rows = kind.rows[:1]
        if tag != "kind":
            next_id[tag] = first + kind.count
        place = {"kind": world.kinds, "piece": world.pieces, "space": world.spaces}[tag]
        if d.name not in place:
            place[d.name] = kind
            for row, found in _ids_by_name(kind.type, first, tuple(kind.rows)):
                world.row_names.setdefault(row, []).append(found)
    unions = [d for d in listed if isinstance(d, declared.Union)]
    pending = list(unions)
    while pending:
        waiting: list[declared.Union] = []
        for union in pending:
            if all(world.thing(m.name) or m.name in world.unions for m in union.members):
                _union(world, union)
            else:
                waiting.append(union)
        if len(waiting) == len(pending):
            for union in waiting:
                for member in union.members:
                    if not world.thing(member.name) and member.name not in world.unions:
                        near = did_you_mean(member.name, world.type_names())
                        world.problems.error(
                            "unknown-type",
                            f"there is no {union.what} `{member.name}`",
                            member.span,
                            help=near,
                        )
                world.unions[union.name] = (union.what, ())
            break
        pending = waiting
    for d in records:
        if d.what == "table":
            _table(world, d, raw[id(d)])
    for d in records:
        if d.what != "table":
            info = world.thing(d.name)
            if info is not None and info.span == d.name_span:
                _columns(world, d, info, raw[id(d)])


@lru_cache(maxsize=32)
def _ids_by_name(
    type: Type, first: int, rows: tuple[str, ...]
) -> tuple[tuple[str, tuple[Type, tuple[int, ...]]], ...]:
    """For each name of a row what it stands for; grids of many cells are the same in each setting."""
    ids: dict[str, list[int]] = {}
    for number, row in enumerate(rows, first):
        ids.setdefault(row, []).append(number)
    return tuple((row, (type, tuple(numbers))) for row, numbers in ids.items())


def _union(world: World, d: declared.Union) -> None:
    members: list[str] = []
    for member in d.members:
        if member.name in world.unions:
            members.extend(world.unions[member.name][1])
            continue
        thing = world.thing(member.name)
        if thing is None or thing.tag != d.what:
            world.problems.error(
                "wrong-type", f"`{member.name}` is not a kind of {d.what}", member.span
            )
            continue
        members.append(member.name)
    world.unions[d.name] = (d.what, tuple(sorted(set(members))))


def _raw_rows(world: World, d: declared.Record) -> list[_RawRow]:
    rows: list[_RawRow] = []
    if d.path is not None:
        source = world.read(d.path)
        if source is None:
            world.problems.error(
                "unknown-file",
                f"the table `{d.path}` cannot be read",
                d.path_span or d.span,
                help=f"tables stand beside the game file: put `{PurePosixPath(d.path).name}` there",
            )
            world.has_lost_rows = True
            return rows
        table = read_table(source, world.problems)
        if table is None:
            world.has_lost_rows = True
        else:
            rows.extend(_csv_rows(world, d, table))
    names = [c.name for c in d.columns]
    if d.joins is not None:
        names = [n for n in (d.joins.first, d.joins.second) if n not in names] + names
    shorts: list[tuple[Span, str]] = []
    for row in d.rows:
        head = row.cells[0]
        name = (
            head.name
            if isinstance(head, syntax.Word)
            else str(head.value)
            if isinstance(head, syntax.Number)
            else ""
        )
        if d.what == "table":
            if len(row.cells) != len(names) + max(1, len(d.keys)) - len(
                [k for k in d.keys if k in names]
            ):
                world.problems.error(
                    "table-missing-cell",
                    f"this row has {len(row.cells)} cells, {len(names) + 1} are wanted",
                    row.span,
                )
                continue
            keys = [k for k in d.keys if k not in names] or ([] if d.keys else [""])
            rows.append(
                _RawRow(name, row.span, dict(zip([*keys, *names], row.cells, strict=False)))
            )
            continue
        if not name or isinstance(head, syntax.Number):
            world.problems.error("wrong-type", "a row begins with its name", head.span)
            continue
        cells = row.cells[1:]
        defaults = {c.name for c in d.columns if c.default is not None}
        if len(cells) > len(names):
            world.problems.error(
                "table-extra-cell",
                f"this row has {len(cells)} cells behind its name, there are {len(names)} columns",
                cells[len(names)].span,
            )
            continue
        short = tuple(n for n in names[len(cells) :] if n not in defaults)
        if short:
            shorts.append((row.span, short[0]))
        found: dict[str, Cell | syntax.Expression] = dict(zip(names, cells, strict=False))
        rows.append(_RawRow(name, head.span, found, frozenset(short)))
    _short_rows(world, shorts, names)
    return rows


def _short_rows(world: World, shorts: list[tuple[Span, str]], names: list[str]) -> None:
    """Rows with too few cells; where all lack the same, it is said once."""
    is_same = len({lacking for _, lacking in shorts}) == 1
    more = len(shorts) - 1
    for span, lacking in shorts[:1] if is_same else shorts:
        world.has_lost_rows = True
        world.problems.error(
            "table-missing-cell",
            f"this row has no cell for `{lacking}`",
            span,
            notes=(f"nor {'has 1 row' if more == 1 else f'have {more} rows'} below it",)
            if is_same and more
            else (),
            help=f"the columns are: {', '.join(names)}",
        )


def walk_words(e: syntax.Expression) -> list[str]:
    """The names that stand in an expression over the columns of a row."""
    match e:
        case syntax.Word():
            return [e.name]
        case syntax.Binary():
            return [*walk_words(e.left), *walk_words(e.right)]
        case syntax.Unary():
            return walk_words(e.operand)
        case syntax.IfElse():
            return [*walk_words(e.condition), *walk_words(e.then), *walk_words(e.otherwise)]
        case syntax.By():
            inside = [
                e.subject,
                *(c.value for c in e.cases),
                *([e.otherwise] if e.otherwise is not None else []),
            ]
            return [name for part in inside for name in walk_words(part)]
        case syntax.Call():
            return [name for part in e.arguments for name in walk_words(part)]
        case syntax.Dot():
            return walk_words(e.subject)
        case _:
            return []


def _csv_rows(world: World, d: declared.Record, table: TableText) -> list[_RawRow]:
    wanted: dict[str, int] = {}
    missing: set[str] = set()
    names = [(c.name, c.header or c.name, c.span, c.default is not None) for c in d.columns]
    if d.joins is not None:
        have = {n for n, *_ in names}
        names.extend(
            (n, n, d.span, False) for n in (d.joins.first, d.joins.second) if n not in have
        )
    names.extend((k, k, d.span, False) for k in d.keys if k not in {n for n, *_ in names})
    if d.grid is not None and isinstance(d.grid.width, syntax.Word):
        for edge in (d.grid.width, d.grid.height):
            if isinstance(edge, syntax.Word) and edge.name not in {n for n, *_ in names}:
                names.append((edge.name, edge.name, edge.span, False))
    lost: list[tuple[str, Span]] = []
    for name, header, span, optional in names:
        at = table.column(header)
        if at is None:
            if not optional:
                missing.add(name)
                lost.append((header, span))
            continue
        wanted[name] = at
    if lost:
        _missing_columns(world, table, lost, has_some=bool(wanted))
    if d.copies is not None:
        for part in walk_words(d.copies.value):
            at = table.column(part)
            if at is not None:
                wanted.setdefault(part, at)
    for extra in ("name", "provenance"):
        at = table.column(extra)
        if at is not None and extra not in wanted:
            wanted[f"({extra})"] = at
    rows: list[_RawRow] = []
    found: dict[str, Cell | syntax.Expression]
    for cells in table.rows:
        name = as_name(cells[0].text)
        if len(cells) != len(table.headers):  # reported already: only its name is known
            if d.what != "table" and name and name[0].isalpha():
                rows.append(_RawRow(name, cells[0].span, {}, frozenset((*wanted, *missing))))
            continue
        if d.what == "table":
            found = {n: cells[at] for n, at in wanted.items()}
            if not d.keys:
                found[""] = cells[0]
            rows.append(_RawRow(name, cells[0].span, found, frozenset(missing)))
            continue
        if not name:
            world.problems.error(
                "table-bad-cell", "this row has no name in its first cell", cells[0].span
            )
            continue
        if not name[0].isalpha():
            name = f"{_snake(d.name)}_{name}"
        found = {n: cells[at] for n, at in wanted.items()}
        rows.append(_RawRow(name, cells[0].span, found, frozenset(missing)))
    return rows


def _missing_columns(
    world: World, table: TableText, lost: list[tuple[str, Span]], *, has_some: bool
) -> None:
    world.has_lost_rows = True
    named = [f"`{header}`" for header, _ in lost]
    listed = named[0] if len(named) == 1 else f"{', '.join(named[:-1])} and {named[-1]}"
    help = did_you_mean(lost[0][0], [h for h in table.headers if h])
    if not has_some and not help:
        help = "the first line has the names of the columns, and each line below it a row"
    world.problems.error(
        "table-missing-column",
        f"the table `{table.source.name}` has no column{'s' if len(named) > 1 else ''} {listed}",
        lost[0][1],
        labels=(Label(table.header_cells[0].span, "its header is here"),)
        if table.header_cells
        else (),
        help=help,
    )


def _instances(world: World, d: declared.Record, kind: ThingKind, rows: list[_RawRow]) -> None:
    if not rows and d.path is None and not d.rows:
        rows.append(_RawRow(as_name(_snake(d.name)), d.name_span, {}))
    seen: dict[str, Span] = {}
    unique: list[_RawRow] = []
    for row in rows:
        if row.name in seen:
            world.problems.error(
                "table-duplicate-row",
                f"the row `{row.name}` stands twice",
                row.span,
                labels=(Label(seen[row.name], "first here"),),
            )
            continue
        seen[row.name] = row.span
        unique.append(row)
    rows[:] = unique
    owners = range(len(world.seats)) if d.per_player else (-1,)
    for owner in owners:
        for row in rows:
            copies = 1
            if d.copies is not None:
                copies = _copies(world, d, row)
            text = row.name
            shown = row.cells.get("(name)")
            if isinstance(shown, Cell) and shown.text:
                text = shown.text
            source = row.cells.get("(provenance)")
            for copy in range(copies):
                kind.rows.append(row.name)
                kind.texts.append(text)
                kind.copy.append(copy + 1)
                kind.owner.append(owner)
                kind.row_spans.append(row.span)
                kind.provenance.append(source.text if isinstance(source, Cell) else "")


def _snake(name: str) -> str:
    out = "".join(f"_{c.lower()}" if c.isupper() else c for c in name)
    return out.strip("_")


def _copies(world: World, d: declared.Record, row: _RawRow) -> int:
    assert d.copies is not None
    columns = {c.name: c for c in d.columns}

    def word(name: str) -> int | None:
        if name in columns:
            return _cell_value(
                world, world.type_of(columns[name].type), row, columns[name], quiet=True
            )
        cell = row.cells.get(name)
        if isinstance(cell, Cell):
            number = _as_number(cell.text or "0")
            if number is None:
                world.problems.error(
                    "table-bad-cell", f"`{cell.text}` in column `{name}` is not a number", cell.span
                )
            return number or 0
        return world.word(name)

    def attribute(name: str, of: str) -> int | None:
        if name not in columns:
            return None
        type = world.type_of(columns[name].type)
        number = _cell_value(world, type, row, columns[name], quiet=True)
        rows = world.kind_rows.get(type.names[0]) if type.tag == "kind" else None
        if rows is None or number is None or not 0 <= number < len(rows[1]):
            return None
        column = next((c for c in rows[0].columns if c.name == of), None)
        if column is None:
            return None
        return _cell_value(world, world.type_of(column.type), rows[1][number], column, quiet=True)

    try:
        found = constant(d.copies.value, word, world.cell, attribute)
        return max(0, min(READ_LIMIT, found))
    except NotConstant as problem:
        world.problems.error(
            "wrong-type",
            "the number of copies must be known before the game starts",
            problem.place.span,
            at=problem.why,
        )
        return 1


def _cell_value(
    world: World, type: Type, row: _RawRow, column: declared.Column, *, quiet: bool = False
) -> int | None:
    value = _cell(world, type, row, column.name, column.default, column.span, quiet=quiet)
    return value if isinstance(value, int) else None


def _grid(world: World, d: declared.Record, kind: ThingKind) -> None:
    assert d.grid is not None
    kind.shape = d.grid.shape
    width = world.number(d.grid.width, "the size of a grid", 1)
    if d.grid.shape == "growing":
        if not 1 <= width <= 70:
            world.problems.error(
                "out-of-range",
                "a growing grid reaches 1..70 cells from its middle",
                d.grid.width.span,
            )
            width = 1
        places, names, texts = _growing_cells(width)
        kind.places.extend(places)
        kind.rows.extend(names)
        kind.texts.extend(texts)
    else:
        assert d.grid.height is not None
        height = world.number(d.grid.height, "the size of a grid", 1)
        if width < 1 or height < 1 or width * height > READ_LIMIT:
            world.problems.error(
                "out-of-range", f"a grid of {width} by {height} cells cannot be made", d.grid.span
            )
            width = height = 1
        for y in range(1, height + 1):
            for x in range(1, width + 1):
                kind.places.append((x, y))
                kind.rows.append(f"{chr(96 + x)}{y}" if width <= 26 else f"c{x}_{y}")
    kind.texts = kind.texts or list(kind.rows)
    kind.copy = [1] * kind.count
    kind.owner = [-1] * kind.count
    kind.row_spans = [d.name_span] * kind.count
    kind.provenance = [""] * kind.count


@lru_cache(maxsize=4)
def _growing_cells(
    reach: int,
) -> tuple[tuple[tuple[int, int], ...], tuple[str, ...], tuple[str, ...]]:
    """The places, names and texts of the cells of a growing grid."""
    places = tuple((x, y) for y in range(-reach, reach + 1) for x in range(-reach, reach + 1))
    names = tuple(f"c{_signed(x)}_{_signed(y)}" for x, y in places)
    return places, names, tuple(f"({x}, {y})" for x, y in places)


def _signed(n: int) -> str:
    return f"m{-n}" if n < 0 else str(n)


def _columns(world: World, d: declared.Record, kind: ThingKind, rows: list[_RawRow]) -> None:
    columns: list[tuple[str, Type, syntax.Expression | None, Span]] = []
    for c in d.columns:
        type = world.type_of(c.type)
        if any(c.name == have for have, *_ in columns):
            world.problems.error(
                "duplicate-name", f"the column `{c.name}` is declared twice", c.name_span
            )
            continue
        if type.opt and c.default is None:
            pass
        columns.append((c.name, type, c.default, c.name_span))
    if d.joins is not None:
        for end in (d.joins.first, d.joins.second):
            if not any(end == name for name, *_ in columns):
                columns.append((end, _joined_kinds(world, d, rows, end), None, d.span))
    by_name = {row.name: row for row in rows}
    sharing = _sharing(world, d)
    for name, type, default, span in columns:
        info = ColumnInfo(name, type, span)
        cache: dict[str, int | tuple[int, ...]] = {}
        for row_name in kind.rows:
            if row_name not in cache:
                row = by_name.get(row_name)
                value: int | tuple[int, ...] | None = 0
                if row is not None:
                    value = _shared_cell(world, type, row, name, sharing[name])
                    if value is None:
                        value = _cell(world, type, row, name, default, span)
                cache[row_name] = value if value is not None else 0
            info.values.append(cache[row_name])
        kind.columns[name] = info
    if d.grid is not None and isinstance(d.grid.width, syntax.Word):
        kind.shape = d.grid.shape
        edges = []
        for edge in (d.grid.width, d.grid.height):
            name = edge.name if isinstance(edge, syntax.Word) else ""
            if name not in kind.columns:
                world.problems.error(
                    "unknown-name",
                    f"there is no column `{name}` to place the cells by",
                    d.grid.span,
                )
                return
            edges.append(kind.columns[name].values)
        kind.places = [
            (int(x), int(y))
            for x, y in zip(*edges, strict=True)
            if isinstance(x, int) and isinstance(y, int)
        ]
        if len(set(kind.places)) < len(kind.places):
            world.problems.error(
                "table-duplicate-row", "two cells of this grid have the same place", d.grid.span
            )


def _joined_kinds(world: World, d: declared.Record, rows: list[_RawRow], end: str) -> Type:
    """The kinds of space that stand at one end of a link: those its cells name."""
    words: set[str] = set()
    for row in rows:
        cell = row.cells.get(end)
        if isinstance(cell, Cell):
            words.add(as_name(cell.text))
        elif isinstance(cell, syntax.Word):
            words.add(cell.name)
    kinds = [
        name for name, kind in world.spaces.items() if name != d.name and words & set(kind.rows)
    ]
    return Type("space", names=tuple(sorted(kinds or (n for n in world.spaces if n != d.name))))


def _sharing(world: World, d: declared.Record) -> dict[str, list[Type]]:
    """For each column the types of the other columns that read the same header."""
    by_header: dict[str, list[declared.Column]] = {}
    for c in d.columns:
        by_header.setdefault(c.header or c.name, []).append(c)
    found: dict[str, list[Type]] = {}
    for column_list in by_header.values():
        for c in column_list:
            found[c.name] = [world.type_of(o.type) for o in column_list if o is not c]
    if d.joins is not None:
        found.setdefault(d.joins.first, [])
        found.setdefault(d.joins.second, [])
    return found


def _shared_cell(
    world: World, type: Type, row: _RawRow, column: str, others: list[Type]
) -> int | None:
    """A cell that several columns read: nothing in those it does not fit, as long as it fits one of them."""
    cell = row.cells.get(column)
    if not others or not type.opt or not isinstance(cell, Cell) or not cell.text:
        return None
    if _text_cell(world, type, cell.text) is not None:
        return None
    if any(_text_cell(world, other, cell.text) is not None for other in others):
        return -1
    return None


def _table(world: World, d: declared.Record, rows: list[_RawRow]) -> None:
    if d.name in world.tables:
        return
    info = TableInfo(d.name, d.name_span)
    keys = list(d.keys) or [""]
    key_types: list[Type] = []
    named = {c.name: c for c in d.columns}
    for key in keys:
        if key in named:
            key_types.append(world.type_of(named[key].type))
        else:
            guessed = _guess_key(world, [row.cells.get(key) for row in rows])
            key_types.append(
                guessed if guessed.known or len(keys) > 1 else _row_words(world, d, rows)
            )
    info.keys = key_types
    for c in d.columns:
        info.columns[c.name] = ColumnInfo(c.name, world.type_of(c.type), c.name_span)
    sharing = _sharing(world, d)
    for row in rows:
        values: list[int] = []
        for key, type in zip(keys, key_types, strict=True):
            value = _cell(world, type, row, key, None, row.span)
            values.append(value if isinstance(value, int) else 0)
        index = tuple(values)
        if index in info.index:
            world.problems.error(
                "table-duplicate-row", "this key stands twice in the table", row.span
            )
            continue
        info.index[index] = len(info.index)
        source = row.cells.get("(provenance)")
        info.file = row.span.source.name
        cells = [row.cells.get(key) for key in keys] if len(keys) > 1 else []
        name = " ".join(cell.text for cell in cells if isinstance(cell, Cell)) or row.name
        info.provenance.append((name, source.text if isinstance(source, Cell) else ""))
        for c in d.columns:
            type = info.columns[c.name].type
            cell: int | tuple[int, ...] | None
            cell = _shared_cell(world, type, row, c.name, sharing[c.name])
            if cell is None:
                cell = _cell(world, type, row, c.name, c.default, c.span)
            info.columns[c.name].values.append(cell if cell is not None else 0)
    if all(t.tag == "int" for t in key_types) and info.index:
        info.keys = [
            whole(min(k[i] for k in info.index), max(k[i] for k in info.index))
            for i in range(len(key_types))
        ]
    world.tables[d.name] = info


def _guess_key(world: World, cells: list[Cell | syntax.Expression | None]) -> Type:
    words: list[str] = []
    for cell in cells:
        if isinstance(cell, Cell):
            words.append(cell.text)
        elif isinstance(cell, syntax.Number):
            words.append(str(cell.value))
        elif isinstance(cell, syntax.Word):
            words.append(cell.name)
        elif isinstance(cell, syntax.Unary) and isinstance(cell.operand, syntax.Number):
            words.append(str(-cell.operand.value))
    if all(_as_number(w) is not None for w in words):
        return whole(-(2**31) + 1, 2**31 - 1)
    for kind in [*world.kinds.values(), *world.spaces.values(), *world.pieces.values()]:
        if words and all(as_name(w) in kind.rows for w in words):
            return kind.type
    return UNKNOWN


def _row_words(world: World, d: declared.Record, rows: list[_RawRow]) -> Type:
    """The names of the rows of a table as a kind of their own."""
    kind = ThingKind(d.name, "kind", d.name_span)
    for row in rows:
        if row.name and row.name not in kind.rows:
            kind.rows.append(row.name)
            kind.texts.append(row.name)
            kind.copy.append(1)
            world.row_names.setdefault(row.name, []).append((kind.type, (len(kind.rows) - 1,)))
    world.kinds.setdefault(d.name, kind)
    return kind.type


def _as_number(text: str) -> int | None:
    try:
        value = int(text)
    except ValueError:
        return None
    return value if abs(value) < 2**31 else None


# ---- cells ------------------------------------------------------------------------------------------


def _cell(
    world: World,
    type: Type,
    row: _RawRow,
    column: str,
    default: syntax.Expression | None,
    column_span: Span,
    *,
    quiet: bool = False,
) -> int | tuple[int, ...] | None:
    """What a cell means, in numbers; reports what does not fit its column."""
    cell = row.cells.get(column)
    if not type.known or column in row.missing:
        return 0
    if cell is None or (isinstance(cell, Cell) and not cell.text):
        if default is not None:
            return _written_cell(world, type, default, row, column, quiet=quiet)
        if type.opt:
            return -1
        if type.tag == "list":
            return ()
        if type.tag == "int" and type.low <= 0 <= type.high:
            return 0
        if type.tag == "flag":
            return 0
        if not quiet:
            world.problems.error(
                "table-bad-cell",
                f"`{column}` of `{row.name}` is empty, {describe(type)} is wanted",
                cell.span if isinstance(cell, Cell) else row.span,
                labels=(Label(column_span, "the column is declared here"),),
            )
        return 0
    if isinstance(cell, Cell):
        value = _text_cell(world, type, cell.text)
        if value is None and not quiet:
            _bad_cell(world, type, row, column, cell.text, cell.span, column_span)
        return value if value is not None else 0
    return _written_cell(world, type, cell, row, column, quiet=quiet)


def _bad_cell(
    world: World, type: Type, row: _RawRow, column: str, text: str, span: Span, column_span: Span
) -> None:
    near = ""
    inner = type.of if type.tag == "list" and type.of is not None else type
    if inner.is_thing:
        near = did_you_mean(as_name(text), _names_of(world, inner))
    wanted = describe(type)
    if inner is not type:
        wanted = f"a list of at most {type.length}, each {describe(inner)}"
    world.problems.error(
        "table-bad-cell",
        f"`{text}` in column `{column}` of `{row.name}` is not {wanted}",
        span,
        labels=(Label(column_span, "the column is declared here"),),
        help=near,
    )


def _names_of(world: World, type: Type) -> list[str]:
    match type.tag:
        case "kind" | "piece" | "space":
            names: list[str] = []
            for name in type.names:
                info = world.thing(name)
                names.extend(
                    dict.fromkeys(info.rows) if info is not None and info.count <= 500 else ()
                )
            return names
        case "player":
            return world.seats
        case "action":
            return world.action_names
        case "direction":
            return list(DIRECTIONS)
        case "flag":
            return ["yes", "no"]
        case _:
            return []


def _text_cell(world: World, type: Type, text: str) -> int | tuple[int, ...] | None:
    lowered = as_name(text)
    if type.tag == "list":
        assert type.of is not None
        items: list[int] = []
        for word in text.replace(";", " ").replace("|", " ").replace(",", " ").split():
            value = _text_cell(world, type.of, word)
            if not isinstance(value, int):
                return None
            items.append(value)
        if len(items) > type.length:
            return None
        return tuple(items) if type.ordered else tuple(sorted(items))
    if type.opt and lowered in ("nothing", "none", "no", "") and type.tag != "flag":
        return -1
    if type.tag == "int":
        number = _as_number(text)
        return number if number is not None and type.low <= number <= type.high else None
    if type.tag == "flag":
        return {"yes": 1, "no": 0, "true": 1, "false": 0, "1": 1, "0": 0, "x": 1}.get(lowered)
    return _named(world, type, text)


def _named(world: World, type: Type, text: str) -> int | None:
    """The number of a row by its name (or by the other text a kind value may have)."""
    lowered = as_name(text)
    match type.tag:
        case "kind" | "piece" | "space":
            for name in type.names:
                info = world.thing(name)
                if info is None:
                    continue
                for row in (lowered, f"{_snake(name)}_{lowered}"):
                    if row in info.rows:
                        return info.first + info.rows.index(row)
                if info.tag == "kind" and text.strip() in info.texts:
                    return info.texts.index(text.strip())
            return None
        case "player":
            return world.seats.index(lowered) if lowered in world.seats else None
        case "action":
            return world.action_names.index(lowered) if lowered in world.action_names else None
        case "direction":
            return DIRECTIONS.index(lowered) if lowered in DIRECTIONS else None
        case _:
            return None


def _written_cell(
    world: World, type: Type, e: syntax.Expression, row: _RawRow, column: str, *, quiet: bool
) -> int | tuple[int, ...] | None:
    if isinstance(e, syntax.Fixed) and e.word == "empty" and type.tag == "list":
        return ()
    if isinstance(e, syntax.ListOf) and type.tag == "list" and type.of is not None:
        items = [_written_cell(world, type.of, item, row, column, quiet=quiet) for item in e.items]
        return tuple(i for i in items if isinstance(i, int))
    if type.tag == "list" and type.of is not None:
        value = _written_cell(world, type.of, e, row, column, quiet=quiet)
        return (value,) if isinstance(value, int) else ()
    if isinstance(e, syntax.Fixed) and e.word == "nothing" and type.opt:
        return -1
    if type.is_thing and isinstance(e, syntax.Word):
        found = _named(world, type, e.name)
        if found is None and not quiet:
            _bad_cell(world, type, row, column, e.name, e.span, e.span)
        return found if found is not None else 0
    if isinstance(e, syntax.Text) and all(isinstance(p, str) for p in e.parts):
        text = "".join(str(p) for p in e.parts)
        value = _text_cell(world, type, text)
        if value is None and not quiet:
            _bad_cell(world, type, row, column, text, e.span, e.span)
        return value if value is not None else 0
    try:
        number = constant(e, world.word, world.cell)
    except NotConstant as problem:
        if not quiet:
            world.problems.error(
                "table-bad-cell",
                f"this cell of column `{column}` is not {describe(type)}",
                problem.place.span,
                at=problem.why,
            )
        return 0
    right = isinstance(e, syntax.Fixed) == (type.tag == "flag")
    if type.tag not in ("int", "flag") or not right or not type.low <= number <= type.high:
        if not quiet:
            world.problems.error(
                "table-bad-cell",
                f"`{e.span.text}` in column `{column}` of `{row.name}` is not {describe(type)}",
                e.span,
            )
        return type.low
    return number


# ---- everything else --------------------------------------------------------------------------------


def _the_rest(world: World, listed: Sequence[declared.Declaration]) -> None:
    for d in listed:
        match d:
            case declared.Token():
                if world.declare("noun", d.name, d.name_span, "a token"):
                    world.tokens[d.name] = d
            case declared.Die():
                if world.declare("noun", d.name, d.name_span, "a die"):
                    world.dice[d.name] = tuple(
                        world.number(face, "the face of a die") for face in d.faces
                    )
            case declared.State():
                if world.declare("noun", d.name, d.name_span, "a state"):
                    world.states[d.name] = d
            case declared.Zone():
                if world.declare("noun", d.name, d.name_span, "a zone"):
                    world.zones[d.name] = d
            case declared.PlayerDeclaration():
                for state in d.states:
                    if world.declare("player", state.name, state.name_span, "a state"):
                        world.player_states[state.name] = state
                for zone in d.zones:
                    if world.declare("player", zone.name, zone.name_span, "a zone"):
                        world.player_zones[zone.name] = zone
            case declared.Value():
                if d.subject is None:
                    if world.declare("noun", d.name, d.name_span, "a value"):
                        world.values[d.name] = d
                else:
                    world.subject_values.setdefault(d.name, []).append(d)
            case declared.OnAction() | declared.Whenever() | declared.OnMove():
                world.triggers.append((d, None))
            case declared.Power():
                if world.is_on(d.only_if):
                    world.powers.append(d)
                    world.triggers += [
                        (line, d)
                        for line in d.lines
                        if isinstance(line, declared.OnAction | declared.Whenever | declared.OnMove)
                    ]
            case declared.Effect():
                world.effects.append(d)
            case declared.Anytime():
                world.anytimes.append(d)
            case declared.Section():
                if world.is_on(d.only_if):
                    (world.setups if d.what == "setup" else world.plays).append(d)
            case declared.Score():
                world.scores.append(d)
            case declared.Winner():
                if world.is_on(d.only_if):
                    world.winners.append(d)
            case declared.Invariant():
                world.invariants.append(d)
            case declared.Note():
                world.notes.append(d)
            case declared.Board():
                world.boards.append(d)
            case _:
                pass
    for kind in [*world.pieces.values(), *world.spaces.values()]:
        parts: list[declared.State | declared.Zone] = [*kind.states, *kind.zones]
        for part in parts:
            world.declare(kind.name, part.name, part.name_span, "a part of it")
