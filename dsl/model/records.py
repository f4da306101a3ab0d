"""Assigns numbers to the rows of kinds, pieces, spaces, links and tables, and reads their columns. The rows
come from table files and from lines of the rules.

The module is independent of rules and values.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from functools import lru_cache
from typing import Literal

from rulewright.dsl.borders import Place
from rulewright.dsl.diagnostics.diagnostics import Label
from rulewright.dsl.diagnostics.source import Span
from rulewright.dsl.diagnostics.suggest import did_you_mean, listed_or
from rulewright.dsl.model import types
from rulewright.dsl.model.borders import number_borders
from rulewright.dsl.model.cells import (
    as_number,
    attribute_of_kind,
    columns_sharing,
    read_cell,
    shared_cell,
    text_cell,
)
from rulewright.dsl.model.constants import NotConstant, constant
from rulewright.dsl.model.grids import place_name
from rulewright.dsl.model.lookups import number_table
from rulewright.dsl.model.model import (
    ColumnInfo,
    Model,
    RawRow,
    ThingKind,
    differing_columns,
    id_named,
)
from rulewright.dsl.model.rows.misplaced import report_misplaced
from rulewright.dsl.model.rows.products import product_rows, with_columns
from rulewright.dsl.model.rows.written import is_placed_by_columns, names_in, raw_rows
from rulewright.dsl.model.tables import Cell
from rulewright.dsl.model.types import UNKNOWN, Type
from rulewright.dsl.text.names import as_name, snake
from rulewright.dsl.tree import declared, syntax
from rulewright.dsl.tree.nesting import walk

_TAGS: Mapping[str, Literal["kind", "piece", "space"]] = {
    "kind": "kind",
    "piece": "piece",
    "space": "space",
    "link": "space",
}
READ_LIMIT = 20_000  # the maximum number of pieces or spaces of a game


def _numbering_rank(d: declared.Record) -> int:
    """Return the rank of a record in the order of numbering: kinds come first, then tables.

    Tables precede pieces and spaces, because tables may have numbers of copies. Corners and edges
    come after the cells to which they belong.
    """
    if d.border is not None:
        return 3
    return 0 if d.what == "kind" else 1 if d.what == "table" else 2


def _is_early(
    model: Model,
    d: declared.Record,
    records: Sequence[declared.Record],
    raw: dict[int, list[RawRow]],
) -> bool:
    """Return whether a table names no pieces or spaces. If so, it can be read before they are numbered."""
    late = {record.name for record in records if record.what not in ("kind", "table")}
    for column in d.columns:
        if any(
            part.name in late for part in walk(column.type) if isinstance(part, syntax.NamedType)
        ):
            return False
        if any(
            isinstance(part, syntax.NamedType) and model.type_named(part.name) is None
            for part in walk(column.type)
        ):
            return False
    names = {row.name for record in records if record.name in late for row in raw[id(record)]}
    return not any(row.name in names for row in raw[id(d)])


def number_records(model: Model, listed: Sequence[declared.Declaration]) -> None:
    """Read the rows of all records and number their things."""
    records = [with_columns(model, d) for d in listed if isinstance(d, declared.Record)]
    spaces = {d.name for d in records if d.what == "space"}
    for d in records:
        report_misplaced(model, d, spaces)
    raw: dict[int, list[RawRow]] = {}
    for d in sorted(records, key=lambda r: r.what != "kind"):
        raw[id(d)] = [*product_rows(model, d), *raw_rows(model, d)]
        if d.what == "kind":
            model.kind_rows[d.name] = (d, raw[id(d)])
    next_id = {"piece": 0, "space": 0, "link": 0}
    # kinds first, so that every row name is known before cells are read; links are spaces
    for d in sorted(records, key=_numbering_rank):
        if d.what == "table":
            if _is_early(model, d, records, raw):
                number_table(model, d, raw[id(d)])
            continue
        tag = _TAGS[d.what]
        first = 0 if tag == "kind" else next_id[tag]
        kind = _make_type(model, d, raw[id(d)], first)
        if kind.count > READ_LIMIT:
            model.problems.error(
                "too-many-options",
                f"{kind.count} are too many (at most {READ_LIMIT})",
                d.name_span,
                help="write fewer copies: identical things that are only counted are tokens (`token coin`)",
            )
            of_each = (kind.rows, kind.texts, kind.copy, kind.owner, kind.row_spans)
            for column in (*of_each, kind.provenance, kind.words):
                del column[1:]
        if tag != "kind":
            next_id[tag] = first + kind.count
        place = {"kind": model.kinds, "piece": model.pieces, "space": model.spaces}[tag]
        if model.thing(d.name) is None:
            place[d.name] = kind
            for row, found in _ids_by_name(kind.type, first, tuple(kind.rows)):
                model.row_names.setdefault(row, []).append(found)
            for row in kind.absent:
                model.row_names.setdefault(row, []).append((kind.type, ()))
    unions = [d for d in listed if isinstance(d, declared.Union)]
    for union in unions:
        _build_union(model, union, {d.name: d for d in reversed(unions)}, (union.name,))
    for d in records:
        if d.what == "table":
            number_table(model, d, raw[id(d)])
    for d in records:
        if d.what != "table":
            info = model.thing(d.name)
            if info is not None and info.span == d.name_span:
                _read_columns(model, d, info, raw[id(d)])


def number_again(model: Model, listed: Sequence[declared.Declaration], files: Set[str]) -> bool:
    """Renumber the records from changed files, in a model that contains the old records.

    Return whether this is enough: the records may differ only in the contents of columns.
    """
    records = [d for d in listed if isinstance(d, declared.Record)]
    asked = [(d.product, d.copies, d.rows, d.grid) for d in records]
    asks_others = any(isinstance(part, (declared.Product, syntax.Dot)) for part in walk(asked))
    for d in records:
        if d.path not in files:
            continue
        if asks_others and d.what in ("kind", "table"):
            return False
        if d.product is not None or d.border is not None:
            return False
        if d.grid is not None and not is_placed_by_columns(model, d):
            return False
        rows = raw_rows(model, d)
        is_numbered = _number_table_again if d.what == "table" else _number_type_again
        if not is_numbered(model, d, rows):
            return False
    return True


def _number_table_again(model: Model, d: declared.Record, rows: list[RawRow]) -> bool:
    own = model.kinds.get(d.name)  # the names of the rows of the table
    if own is not None and own.rows != [*dict.fromkeys(row.name for row in rows if row.name)]:
        return False
    before = model.tables
    model.tables = {name: table for name, table in before.items() if name != d.name}
    number_table(model, d, rows)
    new = model.tables[d.name]
    model.tables = {**before, d.name: new}
    if before[d.name].span != new.span:
        return False
    # The type that a key names can depend on which types were numbered before.
    is_counted = all(isinstance(type, types.Number) for type in (*before[d.name].keys, *new.keys))
    return is_counted or differing_columns(before[d.name], new) is not None


def _number_type_again(model: Model, d: declared.Record, rows: list[RawRow]) -> bool:
    things = {"kind": model.kinds, "piece": model.pieces, "space": model.spaces}[_TAGS[d.what]]
    old = things[d.name]
    new = _make_type(model, d, rows, old.first)
    if d.what == "kind":
        model.kind_rows[d.name] = (d, rows)
    _read_columns(model, d, new, rows)
    things[d.name] = new
    return old.span == new.span and differing_columns(old, new) is not None


def _make_type(model: Model, d: declared.Record, rows: list[RawRow], first: int) -> ThingKind:
    """Return a type of things with its rows but without its columns. The things are numbered,
    beginning with `first`.
    """
    kind = ThingKind(
        d.name, _TAGS[d.what], d.name_span, states=d.states, zones=d.zones, per_player=d.per_player
    )
    if d.joins is not None:
        kind.joins = (d.joins.first, d.joins.second)
    kind.first = first
    if d.border is not None:
        number_borders(model, d.border, kind)
        _fill_missing_rows(kind)
    elif d.grid is not None and not is_placed_by_columns(model, d):
        _make_grid(model, d, kind)
    else:
        _make_instances(model, d, kind, rows)
    return kind


@lru_cache(maxsize=32)
def _ids_by_name(
    type: Type, first: int, rows: tuple[str, ...]
) -> tuple[tuple[str, tuple[Type, tuple[int, ...]]], ...]:
    """Map each row name to its things. The result is cached, because large grids are the same in each variant."""
    ids: dict[str, list[int]] = {}
    for number, row in enumerate(rows, first):
        ids.setdefault(row, []).append(number)
    return tuple((row, (type, tuple(numbers))) for row, numbers in ids.items())


def _build_union(
    model: Model, d: declared.Union, listed: Mapping[str, declared.Union], above: tuple[str, ...]
) -> None:
    """Build a union. `above` contains the union itself and all unions around it."""
    if d.name in model.unions:
        return
    members: list[str] = []
    for member in d.members:
        if member.name in above:
            model.problems.error(
                "wrong-type",
                f"`{member.name}` cannot be a part of itself",
                member.span,
                help=f"write the types of {d.what}s, declared with their rows, that `{d.name}` holds",
            )
            continue
        other = listed.get(member.name)
        if other is not None:
            _build_union(model, other, listed, (*above, member.name))
        union = model.unions.get(member.name)
        thing = model.thing(member.name)
        if union is not None and union.word == d.what:
            members.extend(union.names)
        elif thing is not None and thing.tag == d.what:
            members.append(member.name)
        elif thing is not None or union is not None:
            model.problems.error(
                "wrong-type",
                f"`{member.name}` is not a kind of {d.what}",
                member.span,
                help=f"write `{d.what} {member.name}` where it is declared, with its rows",
            )
        else:
            near = did_you_mean(member.name, [n for n in model.type_names() if n != d.name])
            model.problems.error(
                "unknown-type",
                f"there is no {d.what} `{member.name}`",
                member.span,
                help=near or f"declare it: `{d.what} {member.name}`, and its rows below",
            )
    names = tuple(sorted(set(members)))
    piece, space = types.Piece(names=names), types.Space(names=names)
    model.unions[d.name] = piece if d.what == "piece" else space


def _make_instances(model: Model, d: declared.Record, kind: ThingKind, rows: list[RawRow]) -> None:
    if not rows and d.path is None and not d.rows and d.product is None:
        lost = {c.name for c in d.columns} if model.has_lost_rows else ()
        rows.append(RawRow(as_name(snake(d.name)), d.name_span, {}, frozenset(lost)))
    seen: dict[str, Span] = {}
    unique: list[RawRow] = []
    for row in rows:
        if row.name in seen:
            model.problems.error(
                "table-duplicate-row",
                f"the row `{row.name}` appears twice",
                row.span,
                labels=(Label(seen[row.name], "first here"),),
                help="give one of them another name; for identical ones write `copies = 2`"
                if d.what == "piece"
                else "remove one of the two, or give it another name",
            )
            continue
        seen[row.name] = row.span
        unique.append(row)
    rows[:] = unique
    owners = range(len(model.seats)) if d.per_player else (-1,)
    printed = _printed_words(model, d, rows)
    for owner in owners:
        for row in rows:
            copies = 1
            if d.copies is not None:
                copies = _copy_count(model, d, row)
            text = row.name
            shown = row.cells.get("(name)")
            if isinstance(shown, Cell) and shown.text:
                text = " ".join(shown.text.split())
            source = row.cells.get("(provenance)")
            said = row.cells.get("(text)")
            if copies == 0 and owner == owners[0]:
                kind.absent.append(row.name)
            for copy in range(copies):
                kind.rows.append(row.name)
                kind.texts.append(text)
                kind.copy.append(copy + 1)
                kind.owner.append(owner)
                kind.row_spans.append(row.span)
                kind.provenance.append(source.text if isinstance(source, Cell) else "")
                kind.words.append(
                    printed.get(row.name, said.text if isinstance(said, Cell) else "")
                )


def _printed_words(model: Model, d: declared.Record, rows: list[RawRow]) -> dict[str, str]:
    """Map rows to the words that `text` lines add to them."""
    names = {row.name for row in rows}
    found: dict[str, str] = {}
    for line in d.printed:
        if line.name not in names:
            model.problems.none_called("row", line.name, line.name_span, names, end=" here")
        elif line.name in found:
            model.problems.error(
                "duplicate-name",
                f"the text of `{line.name}` appears twice",
                line.name_span,
                help="remove one of the two lines",
            )
        found.setdefault(line.name, line.words)
    return found


def _copy_count(model: Model, d: declared.Record, row: RawRow) -> int:
    assert d.copies is not None
    columns = {c.name: c for c in d.columns}
    numbers = [c.name for c in d.columns if isinstance(c.type, syntax.RangeType)]
    is_reported = False  # a cell that does not fit is reported alone, without its consequences

    def word(name: str) -> int | None:
        nonlocal is_reported
        if name in columns:
            type, cell = model.type_of(columns[name].type), row.cells.get(name)
            is_reported |= isinstance(cell, Cell) and text_cell(model, type, cell.text) is None
            return _cell_value(model, type, row, columns[name])
        if name in row.numbers:
            return row.numbers[name]
        cell = row.cells.get(name)
        if isinstance(cell, Cell):
            number = as_number(cell.text)
            if number is None:
                is_reported = True
                found = f"`{cell.text}` in column `{name}`" if cell.text else f"`{name}`"
                model.problems.error(
                    "table-bad-cell",
                    f"{found} of `{row.name}` is {'not a number' if cell.text else 'empty'}",
                    cell.span,
                    help="" if cell.text else "write how many there are; 0 is allowed",
                )
            return number or 0
        known = model.word(name)
        return value_of_column(name) if known is None else known

    def value_of_column(name: str) -> int | None:
        """Return the number of this value in the kinds of the columns; None if the kinds disagree."""
        held = [model.type_of(c.type) for c in d.columns]
        numbers = {id_named(model, t, name) for t in held if isinstance(t, types.Kind)} - {None}
        return numbers.pop() if len(numbers) == 1 else None

    def attribute(name: str, of: str) -> int | None:
        if name not in columns:
            return None
        type = model.type_of(columns[name].type)
        number = _cell_value(model, type, row, columns[name])
        if not isinstance(type, types.Kind) or number is None or number < 0:
            return None
        return attribute_of_kind(model, type.names[0], number, of)

    try:
        found = constant(d.copies.value, word, model.cell, attribute)
        if found < 0 and not is_reported:
            model.problems.error(
                "out-of-range",
                f"there would be {found} copies of `{row.name}`",
                row.span,
                labels=(Label(d.copies.value.span, "computed here"),),
                help="write a number that is never below 0: `copies = max(0, ...)`",
            )
        return max(0, min(READ_LIMIT, found))
    except NotConstant as problem:
        by = f", by {listed_or(numbers)}" if numbers else ""
        near = problem.name_help([*numbers, *row.numbers])
        help = near or f"use numbers{by} and options: `copies = 3`"
        model.report_not_constant(problem, "the number of copies", help)
        return 1


def _cell_value(model: Model, type: Type, row: RawRow, column: declared.Column) -> int | None:
    value = read_cell(model, type, row, column.name, column.default, column.span, quiet=True)
    return value if isinstance(value, int) else None


def _make_grid(model: Model, d: declared.Record, kind: ThingKind) -> None:
    assert d.grid is not None
    kind.shape, kind.down = d.grid.shape, d.grid.down
    width = model.number(d.grid.width, "the size of a grid", 1)
    if d.grid.shape == "growing":
        if not 1 <= width <= 70:
            model.problems.error(
                "out-of-range",
                "a growing grid reaches 1..70 cells from its middle",
                d.grid.width.span,
                help="write a number from 1 to 70",
            )
            width = 1
        places, names, texts = _growing_cells(width)
        kind.places.extend(places)
        kind.rows.extend(names)
        kind.texts.extend(texts)
    else:
        if d.grid.height is None:
            made = f"{width} cells at each side"
            width = height = 2 * width - 1
        else:
            height = model.number(d.grid.height, "the size of a grid", 1)
            made = f"{width} by {height} cells"
        if width < 1 or height < 1 or width * height > READ_LIMIT:
            model.problems.error(
                "out-of-range",
                f"a grid cannot have {made}",
                d.grid.span,
                help=f"write sizes of 1 or more with at most {READ_LIMIT} cells in all: `grid 8 by 8`",
            )
            width = height = 1
            model.has_lost_rows = True
        for x, y in _grid_cells(model, d.grid, width, height):
            kind.places.append((x, y))
            kind.rows.append(place_name(width, x, y))
        if not kind.rows:
            model.problems.error(
                "out-of-range",
                "this grid has no cells",
                d.grid.span,
                help="remove the `where`, or write a condition that holds for some cells",
            )
            kind.places.append((1, 1))
            kind.rows.append("a1")
    _fill_missing_rows(kind)


def _fill_missing_rows(kind: ThingKind) -> None:
    """Fill in the attributes of spaces that have no rows in the text."""
    kind.texts = kind.texts or list(kind.rows)
    kind.copy[:] = [1] * kind.count
    kind.owner[:] = [-1] * kind.count
    kind.row_spans = [kind.span] * kind.count
    kind.provenance = [""] * kind.count
    kind.words = [""] * kind.count


def _grid_cells(model: Model, grid: declared.Grid, width: int, height: int) -> list[Place]:
    """Return the places of the cells of a grid, row by row."""
    found = [
        (x, y)
        for y in range(1, height + 1)
        for x in range(1, width + 1)
        if grid.height is not None or abs(x - y) <= width // 2
    ]
    if grid.where is None:
        return found
    try:
        return [place for place in found if _is_there(model, grid.where, *place)]
    except NotConstant as problem:
        model.problems.error(
            "wrong-type",
            "the cells must be known before the game starts",
            problem.place.span,
            at=problem.why,
            help="use `x`, `y`, numbers and options: `where x + y > 3`",
        )
        return found


def _is_there(model: Model, where: syntax.Expression, x: int, y: int) -> bool:
    """Return whether a cell exists according to the `where` of a grid."""
    place = {"x": x, "y": y}

    def word(name: str) -> int | None:
        return place[name] if name in place else model.word(name)

    return bool(constant(where, word, model.cell))


@lru_cache(maxsize=4)
def _growing_cells(
    reach: int,
) -> tuple[tuple[tuple[int, int], ...], tuple[str, ...], tuple[str, ...]]:
    """Return the places, names and texts of the cells of a growing grid."""
    places = tuple((x, y) for y in range(-reach, reach + 1) for x in range(-reach, reach + 1))
    names = tuple(f"c{_signed_name(x)}_{_signed_name(y)}" for x, y in places)
    return places, names, tuple(f"({x}, {y})" for x, y in places)


def _signed_name(n: int) -> str:
    return f"m{-n}" if n < 0 else str(n)


def _read_columns(model: Model, d: declared.Record, kind: ThingKind, rows: list[RawRow]) -> None:
    columns: list[tuple[str, Type, syntax.Expression | None, Span]] = []
    for c in d.columns:
        type = model.type_of(c.type)
        if any(c.name == have for have, *_ in columns):
            model.problems.error(
                "duplicate-name",
                f"the column `{c.name}` is declared twice",
                c.name_span,
                help="remove one of the two, or rename it",
            )
            continue
        columns.append((c.name, type, c.default, c.name_span))
    if d.joins is not None:
        for end in (d.joins.first, d.joins.second):
            if not any(end == name for name, *_ in columns):
                columns.append((end, _joined_kinds(model, d, rows, end), None, d.span))
    sharing = columns_sharing(model, d)
    counting = names_in(d.copies.value) if d.copies is not None else []
    for name, type, default, span in columns:
        info = ColumnInfo(name, type, span)
        # includes rows without copies, because a cell that does not fit may be the reason that copies are missing
        found: dict[str, int | tuple[int, ...]] = {}
        for row in rows:
            value: int | tuple[int, ...] | None
            value = shared_cell(model, type, row, name, sharing[name])
            if value is None:
                counts = name in counting
                value = read_cell(model, type, row, name, default, span, counts=counts)
            found[row.name] = value if value is not None else 0
        info.values.extend(found.get(row_name, 0) for row_name in kind.rows)
        kind.columns[name] = info
    if d.grid is not None and is_placed_by_columns(model, d):
        kind.shape, kind.down = d.grid.shape, d.grid.down
        if d.grid.where is not None:
            model.problems.error(
                "unexpected-word",
                "the rows of this grid say which cells there are",
                d.grid.where.span,
                help="remove the `where`, and the rows of the cells that do not exist",
            )
        edges = []
        for edge in (d.grid.width, d.grid.height):
            name = edge.name if isinstance(edge, syntax.Word) else ""
            if name not in kind.columns:
                model.problems.error(
                    "unknown-name",
                    f"there is no column `{name}` to place the cells by",
                    d.grid.span,
                    help="write two columns with numbers, such as `grid x by y`, and declare them: `x: 1..9`",
                )
                return
            edges.append(kind.columns[name].values)
        kind.places = [
            (int(x), int(y))
            for x, y in zip(*edges, strict=True)
            if isinstance(x, int) and isinstance(y, int)
        ]
        if len(set(kind.places)) < len(kind.places):
            model.problems.error(
                "table-duplicate-row",
                "two cells of this grid have the same place",
                d.grid.span,
                help="give each row another pair of numbers",
            )


def _joined_kinds(model: Model, d: declared.Record, rows: list[RawRow], end: str) -> Type:
    """Return the kinds of space at one end of a link. The names in the cells of the column determine these kinds."""
    words: set[str] = set()
    for row in rows:
        cell = row.cells.get(end)
        if isinstance(cell, Cell):
            words.add(as_name(cell.text))
        elif isinstance(cell, syntax.Word):
            words.add(cell.name)
    others = {name: kind for name, kind in model.spaces.items() if name != d.name}
    if d.what != "link" or all(kind.joins is not None for kind in others.values()):
        return UNKNOWN  # reported with the line of the cell
    kinds = [name for name, kind in others.items() if words & set(kind.rows)]
    return types.Space(names=tuple(sorted(kinds or others)))
