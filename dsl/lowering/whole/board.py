"""Compiles `board` blocks: the texts of lines and cells, and the values in these texts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import groupby
from typing import Final, TypeAlias

from rulewright.dsl import ir
from rulewright.dsl.diagnostics.source import Span
from rulewright.dsl.diagnostics.suggest import did_you_mean
from rulewright.dsl.immutable import evolve, frozen
from rulewright.dsl.lowering.emit.code import NONE, ONE, ZERO, Expr, Stmts, binary, choice
from rulewright.dsl.lowering.emit.core import Compiler, Env, Procedure, Rules, new_env
from rulewright.dsl.lowering.emit.recursion import expression
from rulewright.dsl.lowering.steps import messages
from rulewright.dsl.lowering.values import expressions, iterating, queries
from rulewright.dsl.model import types
from rulewright.dsl.model.types import PLAYER, UNKNOWN, Type, item_of, whole
from rulewright.dsl.tree import declared, syntax
from rulewright.dsl.tree.nesting import walk


def boards_of(rules: Rules) -> list[ir.BoardView]:
    """Return all boards, in the order of their declarations."""
    c = rules.c
    out: list[ir.BoardView] = []
    for board in c.model.boards:
        parts = (board.title, *board.shows, *board.notes, *board.marks)
        spoken = frozenset(rules.a.reads(*parts))
        of_player = any(map(rules.a.says_me, parts))
        if board.space is None:
            for mark in board.marks:
                c.problems.error(
                    "unexpected-word",
                    "cells are marked on the board of a grid",
                    mark.span,
                    help="write it below `board SPACE`",
                )
            of_players = _player_attributes(c, board)
            each = _board_owners(c, board.binder)
            titles = _titles(c, board, each)
            notes, shows = _board_lines(c, board.notes, each), _board_lines(c, board.shows, each)
            out += (
                ir.BoardView("", (), under, lines, title, spoken, of_player, of_players=of_players)
                for title, under, lines in zip(titles, notes, shows, strict=True)
            )
            continue
        type = c.model.type_named(board.space.name)
        if type is not None and not type.known:
            continue
        if type is None or not isinstance(type, types.Space):
            c.problems.error(
                "unknown-type",
                f"there is no space `{board.space.name}`",
                board.space.span,
                help=did_you_mean(board.space.name, list(c.model.spaces))
                or _as_lines(board.space.name),
            )
            continue
        if not c.model.spaces[type.names[0]].shape:
            c.problems.error(
                "wrong-type",
                f"`{board.space.name}` is not a grid, and only grids are drawn cell by cell",
                board.space.span,
                help=_as_lines(board.space.name),
            )
            continue
        for line in board.shows:
            if line.binders:
                c.problems.error(
                    "wrong-type",
                    "a grid is drawn cell by cell, so `for` has no place here",
                    line.binders[0].span,
                    help='draw lines of words under `board "TITLE"`',
                )
        cells = tuple(
            _board_text(c, line.text, _Member("cell", type), line.where, ALONE)[0]
            for line in board.shows
        )
        marks = tuple(_mark_test(c, type, mark) for mark in board.marks)
        (title,), (under,) = _titles(c, board, ALONE), _board_lines(c, board.notes, ALONE)
        out.append(
            ir.BoardView(board.space.name, cells, under, (), title, spoken, of_player, marks)
        )
    return out


@frozen
class _BoardOwners:
    """The things that each have a board of their own, and the local name for such a thing.

    A board without `for` belongs to one unnamed thing.
    """

    binder: syntax.Binder | None
    type: Type
    numbers: tuple[int, ...]


ALONE: Final = _BoardOwners(None, UNKNOWN, (0,))


@frozen
class _Member:
    """The name and the type of the member for which a line is shown. If a line has several names,
    one number encodes their values.
    """

    name: str
    type: Type
    several: tuple[tuple[syntax.Binder, Type, int, int], ...] = ()
    """Each name together with its type, its lowest value and the size of the range of its values."""

    def decode(self, env: Env) -> list[ir.Stmt]:
        """Declare the encoded names, and return statements that decode them."""
        stmts: list[ir.Stmt] = []
        left: Expr = ir.Local(0)
        for binder, type, low, width in reversed(self.several):
            variable = env.declare(binder.name, type, binder.name_span)
            here = binary("%", left, ir.Const(width))
            stmts += variable.set_to(binary("+", here, ir.Const(low)))
            left = binary("//", left, ir.Const(width))
        return stmts


_Line: TypeAlias = tuple[int, int, int, int]
"""A line: its message, the arguments of the message, the members for which the line is shown, and
their order (see `ir.BoardView`).
"""


def _board_owners(c: Compiler, binder: syntax.Binder | None) -> _BoardOwners:
    """Return the things that each have a board of their own."""
    if binder is None:
        return ALONE
    env = new_env(c, Procedure("boards", suspending=False))
    listed = expressions.as_list(env, expression(env, binder.source), binder.source)
    if not listed.type.known or not isinstance(listed.type, types.Several):
        return evolve(ALONE, numbers=())
    known = listed.code.value if isinstance(listed.code, ir.Const) else None
    if not isinstance(known, tuple) or binder.start is not None or binder.stretch is not None:
        c.problems.error(
            "wrong-type",
            "things with boards must be known before the game starts",
            binder.source.span,
            help="name a kind, a space or the players; select lines by `where` after each",
        )
        return evolve(ALONE, numbers=())
    return _BoardOwners(binder, listed.type.of, tuple(one for one in known if isinstance(one, int)))


def _for_each(
    c: Compiler,
    each: _BoardOwners,
    name: str,
    given: _Member | None,
    write: Callable[[Env], Sequence[ir.Stmt]],
    span: Span,
) -> list[int]:
    """For each thing with a board, return a procedure of (given, me).

    The steps are lowered once for all these procedures, and begin by setting the name after `for`.
    """
    if not each.numbers:
        return []
    procedure = Procedure(name, suspending=False)
    env = new_env(c, procedure)
    if given is not None:
        env.declare(given.name, given.type, None)
    env.declare("me", PLAYER, None)
    parameters = procedure.locals
    parts = [] if given is None else given.decode(env)
    slot = -1
    if each.binder is not None:
        variable = env.declare(each.binder.name, each.type, each.binder.name_span)
        slot = variable.slot
    indices = [c.reserve_plain() for _ in each.numbers]
    body = write(env)
    for index, number in zip(indices, each.numbers, strict=True):
        begin = [ir.SetLocal(slot, ir.Const(number))] if slot >= 0 else []
        c.put_plain(index, procedure, parameters, [*parts, *begin, *body], span)
    return indices


def _titles(c: Compiler, board: declared.Board, each: _BoardOwners) -> list[tuple[int, int] | None]:
    if board.title is None:
        return [None] * len(each.numbers)
    return [*_board_text(c, board.title, None, None, each)]


def _mark_test(c: Compiler, space: Type, where: syntax.Expression) -> int:
    """Return the procedure of (cell, me) that tests whether a cell is highlighted."""
    procedure = Procedure("mark", suspending=False)
    env = new_env(c, procedure)
    env.declare("cell", space, None)
    env.declare("me", PLAYER, None)
    index = c.reserve_plain()
    test = expressions.condition(env, where)
    c.put_plain(index, procedure, 2, [ir.Return(test.code)], where.span)
    return index


def _player_attributes(c: Compiler, board: declared.Board) -> frozenset[str]:
    """Return the attributes of players that are read, directly or through named values, by lines for all players."""
    found: set[str] = set()
    bound: list[tuple[syntax.Binder | None, object]] = [
        (board.binder, (board.title, board.shows)),
        *(
            (binder, (line.text, line.where, line.binders))
            for line in board.shows
            for binder in line.binders
        ),
    ]
    left = [
        name
        for binder, parts in bound
        if binder is not None
        and isinstance(binder.source, syntax.Word)
        and binder.source.name == "players"
        for name in _names_after_dot(binder.name, parts)
    ]
    while left:
        name = left.pop()
        if name in found:
            continue
        found.add(name)
        for value in c.model.subject_values.get(name, ()):
            if value.subject is not None:
                left += _names_after_dot(value.subject.name, value.value)
    return frozenset(found)


def _names_after_dot(who: str, parts: object) -> list[str]:
    """Return the names that follow a local name and a dot."""
    return [
        part.name
        for part in walk(parts)
        if isinstance(part, syntax.Dot)
        and isinstance(part.subject, syntax.Word)
        and part.subject.name == who
    ]


def _as_lines(name: str) -> str:
    one = name.lower()
    return f'write `board "{name}"`, and below it `show "{{{one}}}" for {one} in {name}`'


def _board_text(
    c: Compiler,
    text: syntax.Text,
    given: _Member | None,
    where: syntax.Expression | None,
    each: _BoardOwners,
) -> list[tuple[int, int]]:
    """For each thing with a board, return a message, and the procedure of (given, me) that computes
    the message's arguments.
    """
    message = -1

    def write(env: Env) -> list[ir.Stmt]:
        nonlocal message
        stmts: list[ir.Stmt] = []
        if where is not None:
            test = expressions.condition(env, where)
            stmts.append(ir.If(ir.Not(test.code), (ir.Return(ir.MakeList((NONE,))),)))
            env.learn(test.so)
        message, codes = messages.text_message(env, text, ())
        return [*stmts, ir.Return(ir.MakeList(codes))]

    indices = _for_each(c, each, "board", given, write, text.span)
    return [(message, index) for index in indices]


def _board_lines(
    c: Compiler, lines: Sequence[declared.BoardLine], each: _BoardOwners
) -> list[tuple[_Line, ...]]:
    """For each thing with a board, return the lines of the board in the IR.

    Adjacent lines with the same source show their members in a common order, so that each member
    stays in its place on the screen.
    """
    found: list[list[_Line]] = [[] for _ in each.numbers]
    for source, same_source in groupby(lines, key=_source_text):
        group = list(same_source)
        orders = [-1] * len(found)
        if source and len(group) > 1:
            orders, _ = _members(c, evolve(group[0], where=None), each)
        for line in group:
            members, given = _members(c, line, each)
            texts = _board_text(c, line.text, given, None, each)
            for on, text, shown, order in zip(found, texts, members, orders, strict=True):
                on.append((*text, shown, order))
    return [*map(tuple, found)]


def _source_text(line: declared.BoardLine) -> str:
    """Return the text of the sources of a line."""
    return ", ".join(binder.span.text for binder in line.binders)


def _members(
    c: Compiler, line: declared.BoardLine, each: _BoardOwners
) -> tuple[list[int], _Member]:
    """For each thing with a board, return the procedure that lists the members for which a line is shown.

    Also return the local name of such a member. If a line has several sources, one number encodes
    one thing from each source.
    """
    given = _Member("nothing special", whole(0, 0))

    def write(env: Env) -> list[ir.Stmt]:
        nonlocal given
        if not line.binders:
            where = line.where
            test = ONE if where is None else expressions.condition(env, where).code
            return [ir.Return(choice(test, ir.Const((0,)), ir.Const(())))]
        binder, *others = line.binders
        if others:
            given, stmts = _combinations(env, line)
            return stmts
        query = syntax.Query(line.span, "list", (binder,), line.where, (), False, None)
        listed = queries.query(env, query, None)
        given = _Member(binder.name, item_of(listed.type) or UNKNOWN)
        return [ir.Return(listed.code if listed.type.known else ir.Const(()))]

    return _for_each(c, each, "members of a board", None, write, line.span), given


def _combinations(env: Env, line: declared.BoardLine) -> tuple[_Member, list[ir.Stmt]]:
    """Return the names of a line with several sources, and statements that list a number for each
    combination of members.

    Only combinations that meet the condition of the line are listed.
    """
    c = env.c
    out = env.procedure.slot()
    several: list[tuple[syntax.Binder, Type, int, int]] = []

    def level(at: Env, left: Sequence[syntax.Binder], number: Expr) -> Stmts:
        if not left:
            test = ONE if line.where is None else expressions.condition(at, line.where).code
            return [ir.If(test, (ir.Append(out, number),))]
        binder = left[0]

        def each(inner: Env) -> Stmts:
            variable = inner.scope[binder.name]
            ids = list(c.model.ids_of(variable.type)) or [0]
            low, width = min(ids), max(ids) - min(ids) + 1
            several.append((binder, variable.type, low, width))
            here = binary("-", variable.read(), ir.Const(low))
            more = binary("+", binary("*", number, ir.Const(width)), here)
            return level(inner, left[1:], more)

        return iterating.iterate(at, binder, each)

    loops = level(env, line.binders, ZERO)
    name = " and ".join(binder.name for binder in line.binders)
    stmts = [ir.SetLocal(out, ir.MakeList(())), *loops, ir.Return(ir.Local(out))]
    return _Member(name, whole(0, 2**31 - 1), tuple(several)), stmts
