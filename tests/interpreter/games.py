"""Games written by hand in the core IR, for tests and measurements of engines."""

from __future__ import annotations

from rulewright.dsl import ir
from tests.interpreter.programs import (
    GLOBAL,
    Writer,
    attempt,
    c,
    call,
    chance,
    choose,
    do,
    end_game,
    loop,
    op,
    v,
    when,
)

ONE, ZERO = c(1), c(0)


def add(left: ir.Expr, right: ir.Expr) -> ir.Expr:
    return op(left, "+", right)


def connect_four() -> ir.Program:
    """Seven columns of six: `board + column * 6 + row` holds -1 or a player."""
    board, heights, turn, winner = GLOBAL, GLOBAL + 42, GLOBAL + 49, GLOBAL + 50
    lines: list[list[list[int]]] = [[] for _ in range(42)]
    for column in range(7):
        for row in range(6):
            for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1)):
                line = [(column + n * dx, row + n * dy) for n in range(4)]
                if all(0 <= x < 7 and 0 <= y < 6 for x, y in line):
                    for x, y in line:
                        rest = [a * 6 + b for a, b in line if (a, b) != (x, y)]
                        lines[x * 6 + y].append(rest)
    table = tuple(tuple(tuple(rest) for rest in place) for place in lines)
    w = Writer()

    def at(item: ir.Expr) -> ir.Expr:
        return ir.Load(add(c(board), item))

    columns = w.function(
        0,
        1,
        ir.ForRange(
            0,
            ZERO,
            c(6),
            (
                ir.If(
                    op(ir.Load(add(c(heights), v(0))), "<", c(6)),
                    (ir.Offer(v(0)),),
                    (ir.Refuse(v(0), 1, (v(0),)),),
                ),
            ),
        ),
    )
    # (place, player): whether a line of four goes through it
    won = w.function(
        2,
        3,
        ir.ForEach(
            2,
            ir.Table(0, v(0)),
            (
                ir.If(
                    ir.And(
                        ir.And(
                            op(at(ir.At(v(2), ZERO)), "==", v(1)),
                            op(at(ir.At(v(2), ONE)), "==", v(1)),
                        ),
                        op(at(ir.At(v(2), c(2))), "==", v(1)),
                    ),
                    (ir.Return(ONE),),
                ),
            ),
        ),
        ir.Return(ZERO),
    )
    full = w.function(
        0,
        1,
        ir.ForRange(
            0,
            ZERO,
            c(6),
            (ir.If(op(ir.Load(add(c(heights), v(0))), "<", c(6)), (ir.Return(ZERO),)),),
        ),
        ir.Return(ONE),
    )
    drop = w.site(0, 0, columns)
    height = ir.Load(add(c(heights), v(0)))
    place = add(op(v(0), "*", c(6)), height)
    w.procedure(
        0,
        2,
        [
            loop(
                ONE,
                [
                    choose(drop, ir.Load(c(turn)), 0),
                    do(
                        ir.Mark(0),
                        ir.SetLocal(1, place),
                        ir.Store(add(c(board), v(1)), ir.Load(c(turn))),
                        ir.Store(add(c(heights), v(0)), add(height, ONE)),
                        ir.Log(2, (ir.Load(c(turn)), v(0)), c(-1)),
                    ),
                    when(
                        ir.CallValue(won, (v(1), ir.Load(c(turn)))),
                        [do(ir.Store(c(winner), ir.Load(c(turn)))), end_game()],
                    ),
                    when(ir.CallValue(full, ()), [end_game()]),
                    do(ir.Store(c(turn), op(ONE, "-", ir.Load(c(turn))))),
                ],
            )
        ],
    )
    return w.program(
        cells=51,
        stack=8,
        players=2,
        tables=(table,),
        start=(*((board + n, -1) for n in range(42)), (winner, -1)),
    )


def breakthrough(size: int = 8) -> ir.Program:
    """Squares hold -1 or a player; an option is `square * 3 + direction`."""
    squares = size * size
    board, turn, counts, winner = (
        GLOBAL,
        GLOBAL + squares,
        GLOBAL + squares + 1,
        GLOBAL + squares + 3,
    )
    targets = []
    for player in range(2):
        for square in range(squares):
            row, column = divmod(square, size)
            ahead = row + (1 if player == 0 else -1)
            row_targets = tuple(
                ahead * size + column + d if 0 <= ahead < size and 0 <= column + d < size else -1
                for d in (-1, 0, 1)
            )
            targets.append(row_targets)
    w = Writer()
    to_square = v(2)

    def at(item: ir.Expr) -> ir.Expr:
        return ir.Load(add(c(board), item))

    moves = w.function(
        1,
        4,
        ir.ForRange(
            1,
            ZERO,
            c(squares - 1),
            (
                ir.If(
                    op(at(v(1)), "==", v(0)),
                    (
                        ir.ForRange(
                            3,
                            ZERO,
                            c(2),
                            (
                                ir.SetLocal(
                                    2,
                                    ir.At(ir.Table(0, add(op(v(0), "*", c(squares)), v(1))), v(3)),
                                ),
                                ir.If(
                                    ir.And(
                                        op(to_square, ">=", ZERO),
                                        ir.Choice(
                                            op(v(3), "==", ONE),
                                            op(at(to_square), "==", c(-1)),
                                            op(at(to_square), "!=", v(0)),
                                        ),
                                    ),
                                    (ir.Offer(add(op(v(1), "*", c(3)), v(3))),),
                                ),
                            ),
                        ),
                    ),
                ),
            ),
        ),
    )
    me = ir.Load(c(turn))
    move = w.site(0, 0, moves, me)
    home = tuple([1] * size + [0] * (squares - 2 * size) + [2] * size)
    w.procedure(
        0,
        3,
        [
            loop(
                ONE,
                [
                    choose(move, me, 0),
                    do(
                        ir.SetLocal(1, op(v(0), "//", c(3))),
                        ir.SetLocal(
                            2,
                            ir.At(
                                ir.Table(0, add(op(me, "*", c(squares)), v(1))),
                                op(v(0), "%", c(3)),
                            ),
                        ),
                        ir.If(
                            op(at(to_square), ">=", ZERO),
                            (
                                ir.Store(
                                    add(c(counts), op(ONE, "-", me)),
                                    op(ir.Load(add(c(counts), op(ONE, "-", me))), "-", ONE),
                                ),
                            ),
                        ),
                        ir.Store(add(c(board), to_square), me),
                        ir.Store(add(c(board), v(1)), c(-1)),
                    ),
                    when(
                        ir.Or(
                            op(ir.Table(1, to_square), "==", op(c(2), "-", me)),
                            op(ir.Load(add(c(counts), op(ONE, "-", me))), "==", ZERO),
                        ),
                        [do(ir.Store(c(winner), me)), end_game()],
                    ),
                    do(ir.Store(c(turn), op(ONE, "-", me))),
                ],
            )
        ],
    )
    start = [(board + n, 0 if n < 2 * size else -1) for n in range(squares - 2 * size)]
    start += [(board + n, 1) for n in range(squares - 2 * size, squares)]
    start += [(counts, 2 * size), (counts + 1, 2 * size), (winner, -1)]
    return w.program(
        cells=squares + 4,
        stack=8,
        players=2,
        tables=(tuple(targets), home),
        start=tuple(start),
    )


def market() -> ir.Program:
    """Players in turn roll coins and may buy; a purchase begins only if it can be paid completely.

    Globals: 0 turn, 1 round, 2.. coins (`2 + player * 3 + colour`), 8.. points."""
    w = Writer()
    turn, points = ir.Load(c(GLOBAL)), GLOBAL + 8
    me = v(0)
    base = GLOBAL + 2

    def coins(colour: ir.Expr) -> ir.Expr:
        return add(c(base), add(op(me, "*", c(3)), colour))

    # (player): which colours can be paid
    payable = w.function(
        1,
        2,
        ir.ForRange(
            1,
            ZERO,
            c(2),
            (
                ir.If(
                    op(ir.Load(coins(v(1))), ">", ZERO),
                    (ir.Offer(v(1)),),
                    (ir.Refuse(v(1), 3, (v(1), me)),),
                ),
            ),
        ),
    )
    # options: buy for 1..4 coins (no two of the same colour in a row), or pass (0)
    offers = w.function(
        1,
        2,
        ir.Offer(ZERO),
        ir.ForRange(
            1,
            ONE,
            c(4),
            (
                ir.If(
                    ir.Possible(1, (me, v(1)), me),
                    (ir.Offer(v(1)),),
                    (ir.Refuse(v(1), 4, (v(1),)),),
                ),
            ),
        ),
    )
    pay = w.site(1, 2, payable, me, search=True, empty=5)
    buy = w.site(0, 1, offers, me)
    roll = w.chance_site(0, 1)
    body = [
        loop(
            op(ir.Load(c(GLOBAL + 1)), "<", c(12)),
            [
                do(ir.SetLocal(0, turn)),
                chance(roll, c(3), 1),
                do(ir.Store(coins(v(1)), add(ir.Load(coins(v(1))), ONE))),
                choose(buy, me, 1),
                when(
                    op(v(1), ">", ZERO),
                    [
                        attempt(
                            me,
                            [call(1, me, v(1))],
                            [do(ir.Fault(1))],
                        ),
                        do(
                            ir.Store(add(c(points), me), add(ir.Load(add(c(points), me)), v(1))),
                            ir.Log(6, (me, v(1)), me),
                        ),
                    ],
                ),
                do(
                    ir.Store(c(GLOBAL), op(ONE, "-", turn)),
                    ir.Store(c(GLOBAL + 1), add(ir.Load(c(GLOBAL + 1)), ONE)),
                ),
            ],
        ),
        end_game(),
    ]
    w.procedure(0, 2, body)
    # (player, price): pay coins one by one, each of another colour than the one before
    w.procedure(
        2,
        4,
        [
            do(ir.SetLocal(3, c(-1))),
            loop(
                op(v(1), ">", ZERO),
                [
                    choose(pay, me, 2),
                    when(op(v(2), "==", v(3)), [do(ir.Fail(7, (v(2),)))]),
                    do(
                        ir.Store(coins(v(2)), op(ir.Load(coins(v(2))), "-", ONE)),
                        ir.SetLocal(3, v(2)),
                        ir.SetLocal(1, op(v(1), "-", ONE)),
                    ),
                ],
            ),
        ],
    )
    return w.program(players=2)
