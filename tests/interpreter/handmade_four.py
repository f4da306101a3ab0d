"""A handwritten Connect Four: a grid, no chance, nothing hidden."""

from __future__ import annotations

from rulewright.dsl.ir import (
    Arm,
    Block,
    BoardView,
    Branch,
    Break,
    Choice,
    Choose,
    Const,
    Domain,
    EndGame,
    Expr,
    Finish,
    ForEach,
    ForRange,
    Goto,
    If,
    Load,
    Log,
    MakeList,
    Message,
    Not,
    Offer,
    PieceLinks,
    Plain,
    Program,
    Refuse,
    Return,
    Shown,
    Site,
    SpaceKind,
    Store,
    Suspending,
    Table,
    TokenPlace,
)
from tests.interpreter.by_hand import (
    L0,
    L1,
    L2,
    L3,
    L4,
    NUMBERS,
    PLAYERS,
    assign,
    at,
    call,
    op,
    put,
    value_of,
)

_WIDTH, _HEIGHT = 7, 6
_DISCS, _SUPPLY, _WINNER, _IN_PLAY, _STACK = 8, 92, 94, 95, 97


def _lines() -> tuple[tuple[int, ...], ...]:
    found = []
    for x in range(_WIDTH):
        for y in range(_HEIGHT):
            for right, up in ((1, 0), (0, 1), (1, 1), (1, -1)):
                if 0 <= x + 3 * right < _WIDTH and 0 <= y + 3 * up < _HEIGHT:
                    found.append(tuple(x + n * right + _WIDTH * (y + n * up) for n in range(4)))
    return tuple(found)


def _disc(space: Expr, colour: Expr | int) -> Load:
    return at(_DISCS, op("+", op("*", space, 2), colour))


def _is_taken(space: Expr) -> Expr:
    return op("+", _disc(space, 0), _disc(space, 1))


def _cell(column: Expr, row: Expr | int) -> Expr:
    return op("+", column, op("*", row, _WIDTH))


_HEIGHT_OF, _ENUMERATE, _HAS_FOUR, _DROP, _FULL, _WINNERS, _WORDS, _SHOW = range(8)

_FOUR_PLAIN = (
    Plain(
        "height",
        1,
        3,
        (
            assign(2, 0),
            ForRange(
                1, Const(0), Const(_HEIGHT - 1), (assign(2, op("+", L2, _is_taken(_cell(L0, L1)))),)
            ),
            Return(L2),
        ),
    ),
    Plain(
        "columns",
        1,
        2,
        (
            ForRange(
                1,
                Const(0),
                Const(_WIDTH - 1),
                (
                    If(
                        op("<", value_of(_HEIGHT_OF, L1), _HEIGHT),
                        (Offer(L1),),
                        (Refuse(L1, 2, (op("+", L1, 1),)),),
                    ),
                ),
            ),
        ),
    ),
    Plain(
        "has_four",
        1,
        5,
        (
            ForRange(
                1,
                Const(0),
                Const(len(_lines()) - 1),
                (
                    assign(4, 0),
                    ForEach(
                        3,
                        Table(0, L1),
                        (If(_disc(L3, L0), (assign(4, op("+", L4, 1)),), (Break(),)),),
                    ),
                    If(op("==", L4, 4), (Return(Const(1)),)),
                ),
            ),
            Return(Const(0)),
        ),
    ),
    Plain(
        "drop",
        2,
        3,
        (
            assign(2, value_of(_HEIGHT_OF, L1)),
            Store(
                op("+", _DISCS, op("+", op("*", _cell(L1, L2), 2), L0)),
                Const(1),
            ),
            put(_SUPPLY, L0, op("-", at(_SUPPLY, L0), 1)),
        ),
    ),
    Plain(
        "full",
        0,
        1,
        (
            ForRange(
                0,
                Const(0),
                Const(_WIDTH - 1),
                (If(Not(_is_taken(_cell(L0, _HEIGHT - 1))), (Return(Const(0)),)),),
            ),
            Return(Const(1)),
        ),
    ),
    Plain(
        "winners",
        0,
        0,
        (
            If(
                op("<", Load(Const(_WINNER)), 0),
                (Return(MakeList(())),),
                (Return(MakeList((Load(Const(_WINNER)),))),),
            ),
        ),
    ),
    Plain("words", 2, 2, (Return(MakeList((L1,))),)),
    Plain(
        "show",
        2,
        2,
        (
            Return(
                MakeList(
                    (Choice(_disc(L0, 0), Const(0), Choice(_disc(L0, 1), Const(1), Const(-1))),)
                )
            ),
        ),
    ),
)

_FOUR_BLOCKS = (
    Block(0, (), Finish()),
    Block(0, (), Goto(2)),
    Block(0, (), Choose(0, L0, 1, 3)),
    Block(0, (call(_DROP, L0, L1), assign(1, 0)), Branch(value_of(_HAS_FOUR, L0), 4, 5)),
    Block(0, (Store(Const(_WINNER), L0), Log(3, (L0,), Const(-1))), EndGame()),
    Block(0, (), Branch(value_of(_FULL), 6, 7)),
    Block(0, (Log(4, (), Const(-1)),), EndGame()),
    Block(0, (assign(0, op("-", 1, L0)),), Goto(2)),
)

FOUR = Program(
    title="Four in a Row",
    players=2,
    seats=2,
    options=(),
    size=_STACK + 4,
    stack=_STACK,
    start=((_SUPPLY, 21), (_SUPPLY + 1, 21), (_WINNER, -1), (_IN_PLAY, 1), (_IN_PLAY + 1, 1)),
    main=0,
    tables=(_lines(),),
    plain=_FOUR_PLAIN,
    suspending=(Suspending("play", 0, 2, 1),),
    blocks=_FOUR_BLOCKS,
    sites=(
        Site(
            0,
            1,
            (L0,),
            _ENUMERATE,
            (Arm(0, "drop", ((1, 1, 7),), 1, _WORDS),),
            False,
            0,
            (),
            5,
            "column",
        ),
    ),
    chances=(),
    messages=(
        Message(("choose a column",)),
        Message(("drop a disc into column ", Shown(0, 1))),
        Message(("column ", Shown(0, 1), " is full"), ("CF-3",)),
        Message((Shown(0, 0), " has four in a row")),
        Message(("the board is full: a draw",)),
        Message(("no column is free",)),
        Message((Shown(0, 2),)),
    ),
    faults=(),
    domains=(
        PLAYERS,
        NUMBERS,
        Domain("Disc", 0, ("x", "o")),
    ),
    kept=(),
    places=(),
    tokens=(
        TokenPlace(
            *("disc", "Cell", tuple(range(42)), 2, (), (), (), "all", (), None, -1, True),
            *(-1, _DISCS, "disc", 2, False),
        ),
        TokenPlace(
            *("supply", "player", (0, 1), 1, (), (), (), "all", (), None, -1, True),
            *(-1, _SUPPLY, "disc", 1, True),
        ),
    ),
    links=PieceLinks(0, 0, 0, 0, 0, 0, 0, 0, 0, -1),
    pieces=(),
    spaces=(
        SpaceKind(
            "Cell",
            0,
            42,
            tuple(f"cell_{n % 7 + 1}_{n // 7 + 1}" for n in range(42)),
            (),
            tuple((n % 7 + 1, n // 7 + 1) for n in range(42)),
        ),
    ),
    score=(),
    winners=_WINNERS,
    in_play=_IN_PLAY,
    values=(),
    invariants=(),
    boards=(BoardView("Cell", ((6, _SHOW),)),),
)
