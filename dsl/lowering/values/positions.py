"""Lowers `position` declarations, which count how often a position has occurred.

Two numbers encode the declared parts of a position, and a table stores the numbers. Equal positions
always have equal numbers. Among pairs of different positions, one in 2 to the power of 60 has equal numbers.
"""

from __future__ import annotations

from collections.abc import Callable

from rulewright.dsl import ir
from rulewright.dsl.lowering.emit.code import (
    NONE,
    ONE,
    ZERO,
    Expr,
    Stmts,
    binary,
    choice,
    load_far,
)
from rulewright.dsl.lowering.emit.core import Compiler, Env, Procedure, Typed, new_env
from rulewright.dsl.lowering.emit.memories import Memory
from rulewright.dsl.lowering.emit.routines import Cells, routine, steps
from rulewright.dsl.lowering.values import expressions, iterating, places
from rulewright.dsl.model import types
from rulewright.dsl.model.types import item_of, whole
from rulewright.dsl.tree import syntax

MOST = 20_000  # the maximum number of positions that a memory stores
OFTEN = 9_999  # positions are counted up to this number
# Two polynomials over the numbers of the parts. All intermediate values stay below 2 to the power of 62.
PRIMES = (1_073_741_789, 1_073_741_783)
FACTORS = (911_382_323, 972_663_749)


def memory(c: Compiler, name: str) -> Memory:
    """Return the memory that stores a declared position. Errors in the declaration are reported only once."""
    found = c.memories.get(name)
    if found is None:
        declaration = c.model.positions[name]
        limit = c.model.number(declaration.limit, "how many positions are kept", 1)
        if not 1 <= limit <= MOST:
            c.problems.error(
                "out-of-range",
                f"1 to {MOST:,} positions are kept",
                declaration.limit.span,
                help=f"write `up to` a number from 1 to {MOST}",
            )
            limit = 1
        room = 4
        while room < 2 * limit:
            room *= 2
        take = c.layout.take_far
        found = Memory(limit, c.layout.take(1), room, (take(room), take(room)), take(room))
        c.memories[name] = found
        counter(c, name)
    return found


def times(env: Env, e: syntax.Dot) -> Typed:
    """Lower `diagram.times`, which counts how often the current position has been stored."""
    assert isinstance(e.subject, syntax.Word)
    name = e.subject.name
    if e.name != "times" or e.arguments is not None:
        return env.c.bad(
            "unknown-attribute",
            f"a position has no `{e.name}`",
            e.name_span,
            help=f"`{name}.times` is how often it was kept",
        )
    memory(env.c, name)
    return Typed(whole(0, OFTEN), ir.CallValue(counter(env.c, name), ()))


def report_bare_position(env: Env, e: syntax.Word) -> Typed:
    """Report an error for a position that is used as a value."""
    return env.c.bad(
        "wrong-type",
        f"`{e.name}` is a position, not a value",
        e.span,
        help=f"`{e.name}.times` is how often it was kept; `keep {e.name}` keeps it once more",
    )


def counter(c: Compiler, name: str) -> int:
    """Return the number of the procedure that returns how often the current position has been stored."""
    kept = memory(c, name)

    def write(p: Procedure) -> tuple[int, Stmts]:
        numbers, stmts = _numbers(c, name, p)
        at = ir.CallValue(_finder(c, name), numbers)
        return 0, [*stmts, ir.Return(load_far(kept.counts, at))]

    return c.helper(f"times of {name}", write)


def keeper(c: Compiler, name: str) -> int:
    """Return the number of the procedure that stores the current position or, if it is already
    stored, adds 1 to its count.
    """
    kept = memory(c, name)
    full = c.fault(
        "out-of-range",
        f"`{name}` keeps up to {kept.limit:,} position{'s' * (kept.limit > 1)}, and this would be one more",
        c.model.positions[name].name_span,
    )

    text = """
        at = place(first, second)
        n = counts[at]
        if n == 0:
            if size[0] >= limit: raise full
            size[0] += 1
            numbers[at] = first
            others[at] = second
        counts[at] = min(n + 1, often)
    """

    def write(p: Procedure) -> tuple[int, Stmts]:
        (first, second), stmts = _numbers(c, name, p)
        finder = _finder(c, name)
        given = {"first": first, "second": second, "place": finder, "size": Cells(kept.size)}
        numbers = {"limit": kept.limit, "often": OFTEN, "full": full}
        return 0, [*stmts, *steps(c, p, text, **given, **numbers, **_table_cells(kept))]

    return c.helper(f"keep {name}", write)


def _table_cells(kept: Memory) -> dict[str, Cells | int]:
    names = zip(("numbers", "others", "counts"), (*kept.numbers, kept.counts), strict=True)
    return {name: Cells(first, far=True) for name, first in names}


def forgetter(c: Compiler, name: str) -> int:
    """Return the number of the procedure that deletes all stored positions."""
    kept = memory(c, name)
    given = {"size": Cells(kept.size), "room": kept.room, **_table_cells(kept)}
    return routine(c, "forget", f"forget {name}", **given)


def _finder(c: Compiler, name: str) -> int:
    """Return the number of the procedure that finds the index of a position in the table, or a free
    index if the position is not stored.
    """
    kept = memory(c, name)
    return routine(c, "place of", f"place of {name}", room=kept.room, **_table_cells(kept))


def _numbers(c: Compiler, name: str, p: Procedure) -> tuple[tuple[Expr, Expr], Stmts]:
    """Return the locals of the two numbers that encode the current position, and the statements
    that compute the numbers.
    """
    env = new_env(c, p)
    first, second = p.slot(), p.slot()

    def fold(x: Expr) -> Stmts:
        return [
            ir.SetLocal(
                slot,
                binary(
                    "%",
                    binary("+", binary("*", ir.Local(slot), ir.Const(factor)), x),
                    ir.Const(prime),
                ),
            )
            for slot, prime, factor in zip((first, second), PRIMES, FACTORS, strict=True)
        ]

    stmts: Stmts = [ir.SetLocal(first, ONE), ir.SetLocal(second, ONE)]
    for part in c.model.positions[name].parts:
        stmts += _fold_part(env, part, fold)
    return (ir.Local(first), ir.Local(second)), stmts


def _fold_part(env: Env, e: syntax.Expression, fold: Callable[[Expr], Stmts]) -> Stmts:
    """Return steps that fold a part of a position into the two numbers of the position. After a list, they fold in
    a mark for its end.
    """
    if isinstance(e, syntax.Query) and e.word == "list" and len(e.binders) == 1:
        return [*_fold_query(env, e, fold), *fold(ZERO)]
    typed = places.value_or_count(env, e)
    if not typed.type.known:
        return []
    if not isinstance(typed.type, (types.Several, types.Empty)):
        return _fold_value(env, typed, e, fold)
    listed = expressions.as_list(env, typed, e)
    slot = env.procedure.slot()
    member = Typed(item_of(listed.type) or whole(0, 0), ir.Local(slot))
    body = _fold_value(env, member, e, fold)
    return [ir.ForEach(slot, listed.code, tuple(body)), *fold(ZERO)]


def _fold_query(env: Env, e: syntax.Query, fold: Callable[[Expr], Stmts]) -> Stmts:
    """Return steps that fold in the members of a query, without making a list of them."""

    def each(at: Env) -> Stmts:
        member: syntax.Expression = syntax.Word(e.binders[0].name_span, e.binders[0].name)
        body = member if e.body is None else e.body
        typed = places.value_or_count(at, body)
        return _fold_value(at, typed, body, fold) if typed.type.known else []

    return iterating.members(env, e.binders[0], e.where, each)


def _fold_value(
    env: Env, typed: Typed, e: syntax.Expression, fold: Callable[[Expr], Stmts]
) -> Stmts:
    """Return steps that fold in a single value, encoded as a number of at least 1."""
    match typed.type:
        case types.Piece():
            equal_pieces = env.c.table(_equal_pieces(env.c))
            code = choice(binary("<", typed.code, ZERO), NONE, ir.Table(equal_pieces, typed.code))
            return fold(binary("+", ir.Const(2), code))
        case types.Number() as type:
            low = -1 if type.opt else type.low
            return fold(binary("-", typed.code, ir.Const(low - 1)))
        case types.Several() | types.Tokens() | types.Text() as type:
            env.c.wrong_type(
                e.span,
                "a part of a position is a value or a list of values",
                type,
                "name the part of it that counts: `list(c in Cell: c.stone)`",
            )
            return []
        case types.Named() | types.Flag() | types.Player() | types.Action() | types.Direction():
            return fold(binary("+", ir.Const(2), typed.code))
        case types.Nothing() | types.Empty() | types.Unknown():
            return fold(binary("+", ir.Const(2), typed.code))


def _equal_pieces(c: Compiler) -> list[object]:
    """For each piece, return the first piece that counts as equal to it in positions: the first
    copy, with the same owner, of its row.
    """
    firsts: dict[tuple[str, str, int], int] = {}
    out: list[object] = []
    for kind in c.model.pieces.values():
        for row, owner in zip(kind.rows, kind.owner, strict=True):
            out.append(firsts.setdefault((kind.name, row, owner), len(out)))
    return out
