"""Lowers the built-in attributes of spaces: grids, neighbours, lines, distances."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import evolve

from rulewright.dsl import ir
from rulewright.dsl.borders import Elements
from rulewright.dsl.diagnostics.advice import write
from rulewright.dsl.diagnostics.source import Span
from rulewright.dsl.diagnostics.suggest import did_you_mean
from rulewright.dsl.lowering.emit.builtins import arguments_of, attribute, of_type
from rulewright.dsl.lowering.emit.code import NONE, ONE, ZERO, Expr, binary
from rulewright.dsl.lowering.emit.core import BAD, Env, Typed
from rulewright.dsl.lowering.emit.routines import Inline, Numbers, routine
from rulewright.dsl.lowering.values import expressions
from rulewright.dsl.lowering.values.places import linked_spaces, neighbour_table
from rulewright.dsl.model import types
from rulewright.dsl.model.grids import HEX, ORTHOGONAL
from rulewright.dsl.model.model import ThingKind
from rulewright.dsl.model.types import (
    DIRECTION,
    UNKNOWN,
    Type,
    item_of,
    length_of,
    list_of,
    whole,
)
from rulewright.dsl.tree import syntax

FARTHEST = 1000  # the maximum number of steps of a leap


def _cell_kind(env: Env, subject: Typed, e: syntax.Dot) -> ThingKind | None:
    """Return the kind of the cells whose attribute is read. Report an error for corners and edges."""
    kind = _grid_kind(env, subject, e)
    if kind is None or not kind.of:
        return kind
    env.c.problems.error(
        "wrong-type",
        f"`.{e.name}` belongs to a cell of a grid, but the spaces of `{kind.name}` are {kind.shape}",
        e.name_span,
        help=write(f"{e.subject.span.text}.neighbors", e.span)
        + f" for the {kind.shape} next to it, or `.cells` for the cells that it touches",
    )
    return None


def _grid_kind(env: Env, subject: Typed, e: syntax.Dot) -> ThingKind | None:
    kinds = env.c.model.kinds_of(subject.type)
    if len(kinds) != 1 or not kinds[0].places:
        env.c.wrong_type(
            e.name_span,
            f"`.{e.name}` belongs to a cell of a grid",
            subject.type,
            "declare the spaces as a grid (`space Cell grid 5 by 5`), or use `.neighbors`, "
            "which links have too",
        )
        return None
    return kinds[0]


def _read_table(env: Env, kind: ThingKind, subject: Typed, values: Sequence[object]) -> Expr:
    if isinstance(subject.code, ir.Const) and isinstance(subject.code.value, int):
        value = values[subject.code.value - kind.first]
        assert isinstance(value, (int, tuple))
        return ir.Const(value)
    return ir.Table(env.c.table(values), binary("-", subject.code, ir.Const(kind.first)))


@attribute("space", "x")
def x(env: Env, subject: Typed, e: syntax.Dot) -> Typed:
    """The column of a cell or corner: `cell.x`."""
    return _coordinate(env, subject, e, 0)


@attribute("space", "y")
def y(env: Env, subject: Typed, e: syntax.Dot) -> Typed:
    """The row of a cell or the line of a corner: `cell.y`. The number increases towards the north,
    or towards the south if rows are counted `from top`.
    """
    return _coordinate(env, subject, e, 1)


def _coordinate(env: Env, subject: Typed, e: syntax.Dot, axis: int) -> Typed:
    kind = _grid_kind(env, subject, e)
    if kind is None:
        return BAD
    values = kind.grid.rows if axis else kind.grid.columns
    return Typed(whole(min(values), max(values)), _read_table(env, kind, subject, values))


@attribute("space", "neighbors")
def neighbors(env: Env, subject: Typed, e: syntax.Dot) -> Typed:
    """The cells that share an edge with a cell, or the spaces linked to a space: `cell.neighbors`. For a corner, the
    corners at the other ends of its edges; for an edge, the edges that share a corner with the edge."""
    kinds = env.c.model.kinds_of(subject.type)
    gridded = len(kinds) == 1 and bool(kinds[0].places)
    type = subject.type if gridded else _linked_type(env)
    most = 6 if gridded else max(map(len, linked_spaces(env.c)), default=0)
    return Typed(
        list_of(type.surely(), most, ordered=True),
        neighbour_table(env.c, subject.type)(subject.code),
    )


def _linked_type(env: Env) -> Type:
    names: set[str] = set()
    for link in env.c.model.spaces.values():
        if link.joins is not None:
            for end in link.joins:
                names.update(link.columns[end].type.names)
    return types.Space(names=tuple(sorted(names)))


@attribute("space", "cells")
def cells(env: Env, subject: Typed, e: syntax.Dot) -> Typed:
    """The cells that meet at a corner, or the cells on the two sides of an edge: `corner.cells`."""
    return _elements_beside(env, subject, e, "cells")


@attribute("space", "corners")
def corners(env: Env, subject: Typed, e: syntax.Dot) -> Typed:
    """The corners of a cell, clockwise, or the two ends of an edge: `cell.corners`."""
    return _elements_beside(env, subject, e, "corners")


@attribute("space", "edges")
def edges(env: Env, subject: Typed, e: syntax.Dot) -> Typed:
    """The edges of a cell, clockwise, or the edges that meet at a corner: `corner.edges`."""
    return _elements_beside(env, subject, e, "edges")


def _elements_beside(env: Env, subject: Typed, e: syntax.Dot, elements: Elements) -> Typed:
    kind = _grid_kind(env, subject, e)
    if kind is None:
        return BAD
    if kind.grid.elements == elements:
        return env.c.bad(
            "wrong-type",
            f"the spaces of `{kind.name}` are {elements} themselves",
            e.name_span,
            help=write(f"{e.subject.span.text}.neighbors", e.span)
            + f" for the {elements} next to it",
        )
    other = _of_type(env, kind, elements, e.name_span)
    if other is None:
        return BAD
    table = kind.grid.touching(other.grid)
    most = max(map(len, table))
    return Typed(list_of(other.type, most, ordered=True), _read_table(env, kind, subject, table))


def _of_type(env: Env, kind: ThingKind, elements: Elements, place: Span) -> ThingKind | None:
    """Given any kind of spaces on a grid, return the kind of that grid's cells, corners or edges.

    If the game declares no such kind, report an error and return None.
    """
    of = kind.of or kind.name
    if elements == "cells":
        return env.c.model.spaces.get(of)
    for other in env.c.model.spaces.values():
        if other.of == of and other.shape == elements:
            return other
    name = "Corner" if elements == "corners" else "Edge"
    env.c.problems.error(
        "unknown-name",
        f"the {elements} of `{of}` are not spaces",
        place,
        help=f"declare them: `space {name} at {elements} of {of}`",
    )
    return None


@attribute("space", "around")
def around(env: Env, subject: Typed, e: syntax.Dot) -> Typed:
    """The cells that share an edge or a corner with a cell: `cell.around`."""
    kind = _cell_kind(env, subject, e)
    if kind is None:
        return BAD
    directions = HEX if kind.grid.is_hex else tuple(range(8))
    return Typed(
        list_of(subject.type, 8, ordered=True),
        _read_table(env, kind, subject, kind.grid.beside(directions)),
    )


@attribute("space", "toward(direction[, steps])")
def toward(env: Env, subject: Typed, e: syntax.Dot) -> Typed:
    """The cell one step away in a direction, or the given number of steps away; nothing if there is no such cell:
    `cell.toward(north)`, `cell.toward(d, 2)`."""
    kind = _cell_kind(env, subject, e)
    arguments = arguments_of(e)
    if kind is None or not 1 <= len(arguments) <= 2:
        if kind is not None:
            env.c.problems.error(
                "wrong-arguments",
                "write `cell.toward(direction)` or `cell.toward(direction, steps)`",
                e.span,
                help=f"write `{e.subject.span.text}.toward(north)` or `{e.subject.span.text}.toward(north, 2)`",
            )
        return BAD
    d = expressions.value_of_type(env, arguments[0], DIRECTION)
    n = expressions.number(env, arguments[1]) if len(arguments) == 2 else Typed(whole(1, 1), ONE)
    steps = n.constant if n.constant is not None and 0 <= n.constant <= 1000 else 1
    table = kind.grid.steps if steps == 1 else kind.grid.toward(steps)
    offset = binary("-", subject.code, ir.Const(kind.first))
    index = env.c.table(table)
    if n.constant is not None:
        code: Expr = ir.Table(index, binary("+", binary("*", offset, ir.Const(8)), d.code))
        return Typed(kind.type.maybe(), code)
    helper = routine(
        env.c, "steps on", f"steps on {kind.name}", table=Numbers(index), first=kind.first
    )
    return Typed(
        kind.type.maybe(),
        ir.CallValue(helper, (subject.code, d.code, n.code)),
    )


@attribute("space", "ray(direction)")
def ray(env: Env, subject: Typed, e: syntax.Dot) -> Typed:
    """All cells in a direction, from the next cell to the end of the grid: `cell.ray(d)`."""
    kind = _cell_kind(env, subject, e)
    if kind is None:
        return BAD
    d = expressions.value_of_type(env, arguments_of(e)[0], DIRECTION)
    table = kind.grid.rays
    longest = max(map(len, table))
    offset = binary("*", binary("-", subject.code, ir.Const(kind.first)), ir.Const(8))
    return Typed(
        list_of(kind.type, longest, ordered=True),
        ir.Table(env.c.table(table), binary("+", offset, d.code)),
    )


@attribute("space", "leaps(a, b)")
def leaps(env: Env, subject: Typed, e: syntax.Dot) -> Typed:
    """The cells reached by `a` steps in one direction and `b` steps at a right angle to that direction: a
    knight moves to `cell.leaps(1, 2)`. All rotations and reflections are included, clockwise. On a hex grid
    the two directions are adjacent.
    """
    kind = _cell_kind(env, subject, e)
    if kind is None:
        return BAD
    a, b = (env.c.model.number(argument, "how far a leap goes", 0) for argument in arguments_of(e))
    if max(a, b) > FARTHEST:
        return env.c.bad(
            "out-of-range", f"a leap goes {FARTHEST:,} steps at most", e.span, help="name fewer"
        )
    table = kind.grid.leaps(min(a, b), max(a, b))
    most = max(map(len, table), default=0)
    return Typed(list_of(kind.type, most, ordered=True), _read_table(env, kind, subject, table))


@attribute("list", "outline")
def outline(env: Env, subject: Typed, e: syntax.Dot) -> Typed:
    """The cells that surround the given cells, each listed once, in clockwise order:
    `buildings.outline`. The first is the cell north of the westernmost cell of the northernmost row
    (for hexagons, north-east of that cell). Cells that touch only at a corner are not connected. If
    the given cells form several connected parts, only the part with the westernmost cell of the
    northernmost row counts. Cells in holes are left out."""
    of = item_of(subject.type) or UNKNOWN
    kind = _cell_kind(env, evolve(subject, type=of), e)
    if kind is None:
        return BAD
    grid = kind.grid
    heights = tuple(y * grid.northward for y in grid.rows)
    step_table, row_table, column_table = map(env.c.table, (grid.steps, heights, grid.columns))

    ways = HEX if grid.is_hex else ORTHOGONAL
    directions = env.c.table(ways)

    def offset(cell: Expr) -> Expr:
        return binary("-", cell, ir.Const(kind.first))

    def step(cell: Expr, way: Expr) -> Expr:
        index = binary("+", binary("*", offset(cell), ir.Const(8)), ir.Table(directions, way))
        return ir.Choice(binary("<", cell, ZERO), NONE, ir.Table(step_table, index))

    def is_before(one: Expr, other: Expr) -> Expr:
        """Return code that tests whether `one` is further north than `other`, or further west in the same row."""
        row, column = (ir.Table(t, offset(one)) for t in (row_table, column_table))
        best_row, best_column = (ir.Table(t, offset(other)) for t in (row_table, column_table))
        return ir.Or(
            binary(">", row, best_row),
            ir.And(binary("==", row, best_row), binary("<", column, best_column)),
        )

    helper = routine(
        env.c,
        "outline on",
        f"outline on {kind.name}",
        step=Inline(step),
        beside=Inline(lambda ahead, side: ahead if grid.is_hex else step(ahead, side)),
        is_before=Inline(is_before),
        ways=len(ways),
    )
    most = min(kind.count, 2 * length_of(subject.type) + len(ways) - 2)
    code = ir.CallValue(helper, (subject.code,))
    return Typed(list_of(kind.type, most, ordered=True), code)


@attribute("list", "border")
def border(env: Env, subject: Typed, e: syntax.Dot) -> Typed:
    """The edges that have one of the given cells on exactly one side: `fields.border`. The border of all cells is
    the border of the board."""
    of = item_of(subject.type) or UNKNOWN
    kind = _cell_kind(env, evolve(subject, type=of), e)
    other = _of_type(env, kind, "edges", e.name_span) if kind is not None else None
    if kind is None or other is None:
        return BAD
    sides = [(*near, -1)[:2] for near in other.grid.touching(kind.grid)]
    one, two = (env.c.table(side) for side in zip(*sides, strict=True))

    def side(table: int) -> Inline:
        return Inline(lambda edge: ir.Table(table, binary("-", edge, ir.Const(other.first))))

    helper = routine(
        env.c,
        "border on",
        f"border on {kind.name}",
        one=side(one),
        two=side(two),
        low=other.first,
        high=other.first + other.count,
    )
    code = ir.CallValue(helper, (subject.code,))
    return Typed(list_of(other.type, other.count, ordered=True), code)


@attribute("space", "lines(n)")
def lines(env: Env, subject: Typed, e: syntax.Dot) -> Typed:
    """The straight lines of n cells that pass through a cell: `any(line in cell.lines(4) where ...)`."""
    kind = _cell_kind(env, subject, e)
    argument = arguments_of(e)[0]
    if kind is None:
        return BAD
    n = env.c.model.number(argument, "the length of a line", 1)
    through = kind.grid.lines_through(n)
    most = max(map(len, through), default=0)
    return Typed(
        list_of(list_of(kind.type, n, ordered=True), most), _read_table(env, kind, subject, through)
    )


@of_type("Kind.lines(n)")
def kind_lines(env: Env, e: syntax.Dot) -> Typed:
    """All straight lines of n cells on a grid: `Cell.lines(3)`."""
    return Typed(*_of_kind(env, e))


def _of_kind(env: Env, e: syntax.Dot) -> tuple[Type, Expr]:
    assert isinstance(e.subject, syntax.TypeWord)
    kind = env.c.model.spaces.get(e.subject.name)
    if kind is None or not kind.places or len(e.arguments or ()) != 1:
        env.c.problems.error(
            "wrong-arguments",
            f"write `Kind.{e.name}(n)` with a kind of grid cells",
            e.span,
            help=did_you_mean(e.subject.name, list(env.c.model.spaces)),
        )
        return BAD.type, BAD.code
    n = env.c.model.number(arguments_of(e)[0], "the length of a line", 1)
    listed = kind.grid.lines(n)
    return list_of(list_of(kind.type, n, ordered=True), len(listed)), ir.Const(listed)


@attribute("space", "distance(to)")
def distance(env: Env, subject: Typed, e: syntax.Dot) -> Typed:
    """The number of steps to another space, where each step leads to a neighbour; nothing if that space
    cannot be reached: `a.distance(b)`.
    """
    other = expressions.value_of_type(env, arguments_of(e)[0], subject.type)
    kinds = env.c.model.kinds_of(subject.type)
    spaces = sorted(n for k in kinds for n in k.ids)
    if len(spaces) > 400:
        return env.c.bad(
            "too-many-options",
            "distances are computed for up to 400 spaces",
            e.span,
            help="count steps of a `grid` with `x` and `y` (`abs(a.x - b.x)`), or follow `.neighbors` step by step",
        )
    gridded = len(kinds) == 1 and bool(kinds[0].places)
    low = min(spaces, default=0)
    grid = enumerate(kinds[0].grid.neighbors, kinds[0].first) if gridded else None
    near = dict(enumerate(linked_spaces(env.c)) if grid is None else grid)
    size = max(spaces, default=0) - low + 1
    table: list[object] = [-1] * (size * size)
    for start in spaces:
        far = {start: 0}
        edge = [start]
        while edge:
            following: list[int] = []
            for at in edge:
                for to in near.get(at, ()):
                    if to not in far:
                        far[to] = far[at] + 1
                        following.append(to)
            edge = following
        for to, steps in far.items():
            if low <= to < low + size:
                table[(start - low) * size + to - low] = steps
    index = binary(
        "+",
        binary("*", binary("-", subject.code, ir.Const(low)), ir.Const(size)),
        binary("-", other.code, ir.Const(low)),
    )
    most = max((n for n in table if isinstance(n, int)), default=0)
    return Typed(
        whole(0, max(0, most)) if -1 not in table else whole(0, max(0, most)).maybe(),
        ir.Table(env.c.table(table), index),
    )
