"""A handwritten program with six cards: a shuffle, a roll, hidden hands, a secret wager, a card shown to one player."""

from __future__ import annotations

from rulewright.dsl.ir import (
    And,
    Append,
    Arm,
    Block,
    Branch,
    Chance,
    ChanceSite,
    Choice,
    Choose,
    Const,
    Domain,
    EndGame,
    Finish,
    ForRange,
    Goto,
    If,
    Kept,
    Load,
    Log,
    MakeList,
    Message,
    Offer,
    PieceKind,
    PieceLinks,
    PlaceInfo,
    Plain,
    Program,
    Refuse,
    Return,
    ScoreItem,
    SetLocal,
    Shown,
    Site,
    Stmt,
    Store,
    Suspending,
    While,
)
from tests.interpreter.by_hand import (
    L0,
    L1,
    L2,
    L3,
    NUMBERS,
    PLAYERS,
    assign,
    at,
    call,
    op,
    put,
    value_of,
)

_ZONE_OF, _NEXT, _PREVIOUS, _SLOT_OF, _KNOWN = 8, 14, 20, 26, 32
_HEAD, _TAIL, _COUNT = 38, 45, 52
_WAGER, _CARDS_IN_PLAY, _LEAD, _CARDS_STACK = 59, 61, 63, 64
_DECK, _HAND, _SHOWN, _WON = 0, 1, 3, 5

(
    _TAKE,
    _PUT_TOP,
    _PUT_SORTED,
    _NTH,
    _HAND_OPTIONS,
    _WAGER_OPTIONS,
    _CARD_WORDS,
    _CARDS_WON,
    _WAGER_POINTS,
    _CARD_WINNERS,
    _TOP,
) = range(11)

_CARDS_PLAIN = (
    Plain(
        "take",
        1,
        4,
        (
            assign(1, at(_ZONE_OF, L0)),
            assign(2, at(_NEXT, L0)),
            assign(3, at(_PREVIOUS, L0)),
            If(op(">=", L3, 0), (put(_NEXT, L3, L2),), (put(_HEAD, L1, L2),)),
            If(op(">=", L2, 0), (put(_PREVIOUS, L2, L3),), (put(_TAIL, L1, L3),)),
            put(_COUNT, L1, op("-", at(_COUNT, L1), 1)),
        ),
    ),
    Plain(
        "put_top",
        2,
        3,
        (
            assign(2, at(_TAIL, L1)),
            put(_PREVIOUS, L0, L2),
            put(_NEXT, L0, -1),
            If(op(">=", L2, 0), (put(_NEXT, L2, L0),), (put(_HEAD, L1, L0),)),
            put(_TAIL, L1, L0),
            put(_COUNT, L1, op("+", at(_COUNT, L1), 1)),
            put(_ZONE_OF, L0, L1),
        ),
    ),
    Plain(  # into a set: before the first piece with a higher number
        "put_sorted",
        2,
        4,
        (
            assign(2, at(_HEAD, L1)),
            While(
                And(op(">=", L2, 0), op("<", L2, L0)),
                (assign(2, at(_NEXT, L2)),),
            ),
            If(
                op("<", L2, 0),
                (call(_PUT_TOP, L0, L1),),
                (
                    assign(3, at(_PREVIOUS, L2)),
                    put(_PREVIOUS, L0, L3),
                    put(_NEXT, L0, L2),
                    put(_PREVIOUS, L2, L0),
                    If(op(">=", L3, 0), (put(_NEXT, L3, L0),), (put(_HEAD, L1, L0),)),
                    put(_COUNT, L1, op("+", at(_COUNT, L1), 1)),
                    put(_ZONE_OF, L0, L1),
                ),
            ),
        ),
    ),
    Plain(  # number n of the deck, from the bottom
        "nth",
        1,
        3,
        (
            assign(1, at(_HEAD, _DECK)),
            ForRange(2, Const(1), L0, (assign(1, at(_NEXT, L1)),)),
            Return(L1),
        ),
    ),
    Plain(
        "hand_options",
        1,
        2,
        (
            ForRange(
                1,
                Const(0),
                Const(5),
                (
                    If(
                        op("==", at(_ZONE_OF, L1), op("+", _HAND, L0)),
                        (Offer(L1),),
                        (Refuse(L1, 4, (L1,)),),
                    ),
                ),
            ),
        ),
    ),
    Plain("wagers", 1, 2, (ForRange(1, Const(0), Const(3), (Offer(L1),)),)),
    Plain("card_words", 2, 2, (Return(MakeList((L1,))),)),
    Plain("cards_won", 1, 1, (Return(at(_COUNT, op("+", _WON, L0))),)),
    Plain(
        "wager_points",
        1,
        1,
        (Return(Choice(op("==", at(_COUNT, op("+", _WON, L0)), 4), at(_WAGER, L0), Const(0))),),
    ),
    Plain(
        "winners",
        0,
        2,
        (
            SetLocal(0, MakeList(())),
            ForRange(
                1,
                Const(0),
                Const(1),
                (
                    If(
                        op(
                            ">=",
                            value_of(_CARDS_WON, L1),
                            value_of(_CARDS_WON, op("-", 1, L1)),
                        ),
                        (Append(0, L1),),
                    ),
                ),
            ),
            Return(L0),
        ),
    ),
    Plain("top", 1, 1, (Return(at(_TAIL, op("+", _SHOWN, L0))),)),
)


def _deal(player: int) -> tuple[Stmt, ...]:
    """The top card of the deck to a hand; slot 3 is free here."""
    return (
        assign(3, at(_TAIL, _DECK)),
        call(_TAKE, L3),
        call(_PUT_SORTED, L3, _HAND + player),
    )


_CARDS_BLOCKS = (
    Block(0, (), Finish()),
    Block(0, (assign(2, 6),), Goto(2)),
    Block(0, (), Branch(op(">", L2, 1), 3, 5)),
    Block(0, (), Chance(0, L2, 3, 4)),
    Block(
        0,
        (
            assign(1, value_of(_NTH, L3)),
            call(_TAKE, L1),
            call(_PUT_TOP, L1, _DECK),
            assign(2, op("-", L2, 1)),
        ),
        Goto(2),
    ),
    Block(0, (), Chance(1, Const(2), 0, 6)),
    Block(
        0,
        (
            Store(Const(_LEAD), L0),
            *_deal(0),
            *_deal(1),
            *_deal(0),
            *_deal(1),
            # The bottom card of the deck is shown to the first player.
            put(_KNOWN, at(_HEAD, _DECK), 1),
            Log(5, (at(_HEAD, _DECK),), Const(0)),
            assign(0, 0),
        ),
        Goto(7),
    ),
    Block(0, (), Choose(0, L0, 1, 8)),
    Block(
        0,
        (put(_WAGER, L0, L1), assign(0, op("+", L0, 1))),
        Branch(op("<", L0, 2), 7, 9),
    ),
    Block(0, (assign(2, 0), assign(0, Load(Const(_LEAD)))), Goto(10)),
    Block(0, (), Choose(1, L0, 1, 11)),
    Block(
        0,
        (
            call(_TAKE, L1),
            call(_PUT_TOP, L1, op("+", _SHOWN, L0)),
            Log(6, (L0, L1), Const(-1)),
            assign(0, op("-", 1, L0)),
        ),
        Branch(at(_COUNT, op("+", _SHOWN, L0)), 12, 10),
    ),
    Block(
        0,
        (
            assign(0, op(">", value_of(_TOP, 1), value_of(_TOP, 0))),
            ForRange(
                1,
                Const(0),
                Const(1),
                (
                    assign(3, value_of(_TOP, L1)),
                    call(_TAKE, L3),
                    call(_PUT_TOP, L3, op("+", _WON, L0)),
                ),
            ),
            Store(Const(_LEAD), L0),
            Log(7, (L0,), Const(-1)),
            assign(2, op("+", L2, 1)),
        ),
        Branch(op("<", L2, 2), 10, 13),
    ),
    Block(0, (), EndGame()),
)


def _place(name: str, owner: str, first: int, shape: str, seen: str, count: int) -> PlaceInfo:
    owners = (0, 1) if owner else (-1,)
    return PlaceInfo(
        *(name, owner, owners, 1, (), (), ()),
        seen,  # type: ignore[arg-type]  # one of the three
        *(("size",), None, -1, True, -1, first),
        shape,  # type: ignore[arg-type]  # one of the shapes
        count,
        ("Card",),
    )


_CARD_NAMES = ("one", "two", "three", "four", "five", "six")

CARDS = Program(
    title="Six Cards",
    players=2,
    seats=2,
    options=(),
    size=_CARDS_STACK + 6,
    stack=_CARDS_STACK,
    start=(
        *((_NEXT + card, card + 1) for card in range(5)),
        (_NEXT + 5, -1),
        *((_PREVIOUS + card, card - 1) for card in range(6) if card != 1),
        *((_HEAD + zone, -1) for zone in range(1, 7)),
        *((_TAIL + zone, -1) for zone in range(1, 7)),
        (_TAIL, 5),
        (_COUNT, 6),
        (_CARDS_IN_PLAY, 1),
        (_CARDS_IN_PLAY + 1, 1),
    ),
    main=0,
    tables=((1, 2, 3, 4, 5, 6),),
    plain=_CARDS_PLAIN,
    suspending=(Suspending("play", 0, 4, 1),),
    blocks=_CARDS_BLOCKS,
    sites=(
        Site(
            0,
            1,
            (L0,),
            _WAGER_OPTIONS,
            (Arm(0, "", ((1, 0, 4),)),),
            False,
            0,
            (),
            3,
            "wager",
        ),
        Site(
            0,
            1,
            (L0,),
            _HAND_OPTIONS,
            (Arm(0, "", ((2, 0, 6),), 2, _CARD_WORDS),),
            False,
            1,
            (L0,),
            3,
            "card",
        ),
    ),
    chances=(
        ChanceSite(0, 3, "shuffle", None, 0, "deck"),
        ChanceSite(0, 0, "roll", 0, 0, "lead"),
    ),
    messages=(
        Message(("choose a wager",)),
        Message((Shown(0, 0), ", choose a card")),
        Message(("play the ", Shown(0, 2))),
        Message(("there is nothing to choose",)),
        Message(("the ", Shown(0, 2), " is not in your hand"), ("SC-2",)),
        Message(("at the bottom of the deck lies the ", Shown(0, 2))),
        Message((Shown(0, 0), " plays the ", Shown(1, 2))),
        Message((Shown(0, 0), " takes both cards")),
    ),
    faults=(),
    domains=(PLAYERS, NUMBERS, Domain("piece", 0, _CARD_NAMES)),
    kept=(
        Kept(
            *("wager", "player", (0, 1), 1, (), (), (), "owner", (), None, -1, True),
            *(_WAGER, 1, 0, 3, 0, 0),
        ),
        Kept(
            *("lead", "", (-1,), 0, (), (), (), "all", (), None, -1, True),
            *(_LEAD, 0, 0, 1, 0, 0),
        ),
    ),
    places=(
        _place("deck", "", _DECK, "pile", "nobody", 0),
        _place("hand", "player", _HAND, "set", "owner", 0),
        _place("shown", "player", _SHOWN, "spot", "all", 0),
        _place("won", "player", _WON, "pile", "all", 0),
    ),
    tokens=(),
    links=PieceLinks(6, 7, _ZONE_OF, _NEXT, _PREVIOUS, _HEAD, _TAIL, _COUNT, _SLOT_OF, _KNOWN),
    pieces=(PieceKind("Card", 0, 6, _CARD_NAMES, (("rank", 1, 0),)),),
    spaces=(),
    score=(ScoreItem("cards won", _CARDS_WON), ScoreItem("wager", _WAGER_POINTS)),
    winners=_CARD_WINNERS,
    in_play=_CARDS_IN_PLAY,
    values=(),
    invariants=(),
)
