"""Boards of text: the lines and cells of a board, with their values."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from rulewright.dsl import ir
from rulewright.dsl.diagnostics.suggest import did_you_mean
from rulewright.dsl.immutable import evolve, frozen
from rulewright.dsl.lowering.steps import messages
from rulewright.dsl.lowering.values import expressions, queries, values
from rulewright.dsl.lowering.workshop.code import NONE, ONE, choice
from rulewright.dsl.lowering.workshop.core import Compiler, Env, Procedure, Rules, new_env
from rulewright.dsl.lowering.workshop.recursion import expression
from rulewright.dsl.model import types
from rulewright.dsl.model.types import PLAYER, UNKNOWN, Type, item_of, whole
from rulewright.dsl.tree import declared, syntax
from rulewright.dsl.tree.nesting import walk


def boards_of(rules: Rules) -> list[ir.BoardView]:
    """All boards, in the order in which they are declared."""
    c = rules.c
    out: list[ir.BoardView] = []
    for board in c.world.boards:
        parts = (board.title, *board.shows, *board.notes, *board.marks)
        spoken = frozenset(rules.a.reads(*parts))
        of_player = values.asks_for_me(c, parts)
        if board.space is None:
            for mark in board.marks:
                c.problems.error(
                    "unexpected-word",
                    "cells are marked on the board of a grid",
                    mark.span,
                    help="write it below `board SPACE`",
                )
            of_players = _asked_of_players(c, board)
            for each in _each(c, board.binder):
                title, notes, lines = (
                    _title(c, board, each),
                    _board_lines(c, board.notes, each),
                    _board_lines(c, board.shows, each),
                )
                out.append(
                    ir.BoardView(
                        "", (), notes, lines, title, spoken, of_player, of_players=of_players
                    )
                )
            continue
        type = c.world.type_named(board.space.name)
        if type is not None and not type.known:
            continue
        if type is None or not isinstance(type, types.Space):
            c.problems.error(
                "unknown-type",
                f"there is no space `{board.space.name}`",
                board.space.span,
                help=did_you_mean(board.space.name, list(c.world.spaces))
                or _as_lines(board.space.name),
            )
            continue
        if not c.world.spaces[type.names[0]].shape:
            c.problems.error(
                "wrong-type",
                f"`{board.space.name}` is no grid, and only grids are drawn cell by cell",
                board.space.span,
                help=_as_lines(board.space.name),
            )
            continue
        for line in board.shows:
            if line.binder is not None:
                c.problems.error(
                    "wrong-type",
                    "a grid is drawn cell by cell, so `for` has no place here",
                    line.binder.span,
                    help='draw lines of words under `board "TITLE"`',
                )
        shows = tuple(_board_text(c, line.text, ("cell", type), line.where) for line in board.shows)
        marks = tuple(_mark(c, type, mark) for mark in board.marks)
        title, notes = _title(c, board), _board_lines(c, board.notes, None)
        out.append(
            ir.BoardView(board.space.name, shows, notes, (), title, spoken, of_player, marks)
        )
    return out


@frozen
class _Each:
    """One of the things that each have a board."""

    binder: syntax.Binder
    type: Type
    number: int


def _each(c: Compiler, binder: syntax.Binder | None) -> list[_Each | None]:
    """The things that each have a board; [None] for a board without `for`."""
    if binder is None:
        return [None]
    env = new_env(c, Procedure("boards", suspending=False))
    listed = expressions.as_list(env, expression(env, binder.source), binder.source)
    if not listed.type.known or not isinstance(listed.type, types.Several):
        return []
    known = listed.code.value if isinstance(listed.code, ir.Const) else None
    if not isinstance(known, tuple) or binder.start is not None or binder.stretch is not None:
        c.problems.error(
            "wrong-type",
            "what has a board each must be known before the game starts",
            binder.source.span,
            help="name a kind, a space or the players; which lines there are may be said by `where` behind each",
        )
        return []
    of = listed.type.of
    return [_Each(binder, of, number) for number in known if isinstance(number, int)]


def _declared(env: Env, each: _Each | None) -> list[ir.Stmt]:
    """The steps that give the name after `for` its value."""
    if each is None:
        return []
    variable = env.declare(each.binder.name, each.type, each.binder.name_span)
    variable.used = True
    return [ir.SetLocal(variable.slot, ir.Const(each.number))]


def _title(c: Compiler, board: declared.Board, each: _Each | None = None) -> tuple[int, int] | None:
    return _board_text(c, board.title, None, None, each) if board.title is not None else None


def _mark(c: Compiler, space: Type, where: syntax.Expression) -> int:
    """The procedure of (cell, me) that tells whether a cell is highlighted."""
    procedure = Procedure("mark", suspending=False)
    env = new_env(c, procedure)
    env.declare("cell", space, None).used = True
    env.declare("me", PLAYER, None).used = True
    index = c.reserve_plain()
    test = expressions.condition(env, where)
    c.put_plain(index, procedure, 2, [ir.Return(test.code)], where.span)
    return index


def _asked_of_players(c: Compiler, board: declared.Board) -> frozenset[str]:
    """The attributes of players that lines for all players read, including reads by named values."""
    found: set[str] = set()
    bound: list[tuple[syntax.Binder | None, object]] = [
        (board.binder, (board.title, board.shows)),
        *((line.binder, (line.text, line.where)) for line in board.shows),
    ]
    left = [
        name
        for binder, parts in bound
        if binder is not None
        and isinstance(binder.source, syntax.Word)
        and binder.source.name == "players"
        for name in _asked_of(binder.name, parts)
    ]
    while left:
        name = left.pop()
        if name in found:
            continue
        found.add(name)
        for value in c.world.subject_values.get(name, ()):
            if value.subject is not None:
                left += _asked_of(value.subject.name, value.value)
    return frozenset(found)


def _asked_of(who: str, parts: object) -> list[str]:
    """The names after a local name and a dot."""
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
    given: tuple[str, Type] | None,
    where: syntax.Expression | None,
    each: _Each | None = None,
) -> tuple[int, int]:
    """A message, and the procedure of (given, me) that returns its arguments."""
    procedure = Procedure("board", suspending=False)
    env = new_env(c, procedure)
    if given is not None:
        env.declare(*given, None).used = True
    env.declare("me", PLAYER, None).used = True
    parameters = procedure.locals
    stmts = _declared(env, each)
    index = c.reserve_plain()
    if where is not None:
        test = expressions.condition(env, where)
        stmts.append(ir.If(ir.Not(test.code), (ir.Return(ir.MakeList((NONE,))),)))
        env.learn(test.so)
    message, codes = messages.text_message(env, text, ())
    c.put_plain(index, procedure, parameters, [*stmts, ir.Return(ir.MakeList(codes))], text.span)
    return message, index


def _board_lines(
    c: Compiler, lines: Sequence[declared.BoardLine], each: _Each | None
) -> tuple[tuple[int, int, int, int], ...]:
    """The lines of a board in the IR. Members of adjacent lines with the same source keep their common order,
    so that each stays in its place on the screen."""
    found: list[tuple[int, int, int, int]] = []
    for source, alike in groupby(lines, key=_source):
        group = list(alike)
        binder = group[0].binder if source and len(group) > 1 else None
        order = -1
        if binder is not None:
            everything = evolve(group[0], where=None)
            order = _members(c, everything, each)[0]
        found += ((*_board_line(c, line, each), order) for line in group)
    return tuple(found)


def _source(line: declared.BoardLine) -> str:
    """The text of the source that a line goes through."""
    return "" if line.binder is None else line.binder.span.text


def _board_line(c: Compiler, line: declared.BoardLine, each: _Each | None) -> tuple[int, int, int]:
    """A message, its arguments, and the members it is shown for."""
    index, given = _members(c, line, each)
    return (*_board_text(c, line.text, given, None, each), index)


def _members(
    c: Compiler, line: declared.BoardLine, each: _Each | None
) -> tuple[int, tuple[str, Type]]:
    """The procedure that lists the members a line is shown for, and their name and type."""
    procedure = Procedure("members of a board", suspending=False)
    env = new_env(c, procedure)
    env.declare("me", PLAYER, None).used = True
    begin = _declared(env, each)
    index = c.reserve_plain()
    if line.binder is None:
        where = line.where
        test = ONE if where is None else expressions.condition(env, where).code
        members: ir.Expr = choice(test, ir.Const((0,)), ir.Const(()))
        given: tuple[str, Type] = ("nothing special", whole(0, 0))
    else:
        query = syntax.Query(line.span, "list", (line.binder,), line.where, (), False, None)
        listed = queries.query(env, query, None)
        members = listed.code if listed.type.known else ir.Const(())
        given = (line.binder.name, item_of(listed.type) or UNKNOWN)
    c.put_plain(index, procedure, 1, [*begin, ir.Return(members)], line.span)
    return index, given
