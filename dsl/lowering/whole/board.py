"""Boards of words: the lines and cells of a board, with the values that stand in them."""

from __future__ import annotations

from rulewright.dsl import ir
from rulewright.dsl.lowering.steps import messages
from rulewright.dsl.lowering.values import assuming, expressions, queries, values
from rulewright.dsl.lowering.workshop.code import NONE, ONE, choice
from rulewright.dsl.lowering.workshop.core import Compiler, Procedure, Rules, new_env
from rulewright.dsl.problems.suggest import did_you_mean
from rulewright.dsl.tree import declared, syntax
from rulewright.dsl.tree.nesting import walk
from rulewright.dsl.world.typesystem import PLAYER, UNKNOWN, Type, whole


def boards_of(rules: Rules) -> list[ir.BoardView]:
    """All boards, in the order in which they are declared."""
    c = rules.c
    out: list[ir.BoardView] = []
    for board in c.world.boards:
        parts = (board.title, *board.shows, *board.notes, *board.marks)
        spoken = frozenset(rules.a.reads(*parts))
        of_player = values.asks_for_me(c, parts)
        notes = tuple(_board_line(c, line) for line in board.notes)
        title = _board_text(c, board.title, None, None) if board.title is not None else None
        if board.space is None:
            for mark in board.marks:
                c.problems.error(
                    "unexpected-word",
                    "cells are marked on the board of a grid",
                    mark.span,
                    help="write it below `board SPACE`",
                )
            lines = tuple(_board_line(c, line) for line in board.shows)
            of_players = _asked_of_players(c, board)
            out.append(
                ir.BoardView("", (), notes, lines, title, spoken, of_player, of_players=of_players)
            )
            continue
        type = c.world.type_named(board.space.name)
        if type is None or type.tag != "space":
            c.problems.error(
                "unknown-type",
                f"there is no space `{board.space.name}`",
                board.space.span,
                help=did_you_mean(board.space.name, list(c.world.spaces)),
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
        out.append(
            ir.BoardView(board.space.name, shows, notes, (), title, spoken, of_player, marks)
        )
    return out


def _mark(c: Compiler, space: Type, where: syntax.Expression) -> int:
    """The procedure of (cell, me) that says whether a cell stands out."""
    procedure = Procedure("mark", suspending=False)
    env = new_env(c, procedure)
    env.declare("cell", space, None).used = True
    env.declare("me", PLAYER, None).used = True
    index = c.reserve_plain()
    test = expressions.condition(env, where)
    c.put_plain(index, procedure, 2, [ir.Return(test)], where.span)
    return index


def _asked_of_players(c: Compiler, board: declared.Board) -> frozenset[str]:
    """What lines of words for all players ask of each of them, also by way of values."""
    found: set[str] = set()
    left = [
        name
        for line in board.shows
        if line.binder is not None
        and isinstance(line.binder.source, syntax.Word)
        and line.binder.source.name == "players"
        for name in _asked_of(line.binder.name, (line.text, line.where))
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
    """The names behind the dots of a local name."""
    return [
        part.name
        for part in walk(parts)
        if isinstance(part, syntax.Dot)
        and isinstance(part.subject, syntax.Word)
        and part.subject.name == who
    ]


def _board_text(
    c: Compiler,
    text: syntax.Text,
    given: tuple[str, Type] | None,
    where: syntax.Expression | None,
) -> tuple[int, int]:
    """A message, and the procedure of (what is given, me) that returns its arguments."""
    procedure = Procedure("board", suspending=False)
    env = new_env(c, procedure)
    if given is not None:
        env.declare(*given, None).used = True
    env.declare("me", PLAYER, None).used = True
    parameters = procedure.locals
    index = c.reserve_plain()
    stmts: list[ir.Stmt] = []
    if where is not None:
        test = expressions.condition(env, where)
        stmts.append(ir.If(ir.Not(test), (ir.Return(ir.MakeList((NONE,))),)))
        assuming.assume(env, where, truth=True)
    message, codes = messages.text_message(env, text, ())
    c.put_plain(index, procedure, parameters, [*stmts, ir.Return(ir.MakeList(codes))], text.span)
    return message, index


def _board_line(c: Compiler, line: declared.BoardLine) -> tuple[int, int, int]:
    """A message, its arguments, and the members it is shown for."""
    procedure = Procedure("members of a board", suspending=False)
    env = new_env(c, procedure)
    env.declare("me", PLAYER, None).used = True
    index = c.reserve_plain()
    if line.binder is None:
        test = expressions.condition(env, line.where) if line.where is not None else ONE
        members: ir.Expr = choice(test, ir.Const((0,)), ir.Const(()))
        given: tuple[str, Type] = ("nothing special", whole(0, 0))
    else:
        query = syntax.Query(line.span, "list", (line.binder,), line.where, (), False, None)
        listed = queries.query(env, query, None)
        members = listed.code if listed.type.known else ir.Const(())
        given = (line.binder.name, listed.type.of or UNKNOWN)
    c.put_plain(index, procedure, 1, [ir.Return(members)], line.span)
    return (*_board_text(c, line.text, given, None), index)
