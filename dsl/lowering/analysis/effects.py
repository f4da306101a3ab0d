"""Defines the effect of a single statement, and the expressions that read something stored.

The effect of a statement does not include the effects of its blocks, calls and triggers. A new
statement or expression must be added here, and nowhere else: possibility, `together`, secrecy,
triggers and layout use these facts.
"""

from __future__ import annotations

from typing import Final, assert_never

from rulewright.dsl.immutable import frozen
from rulewright.dsl.tree import syntax


@frozen
class Effect:
    """The changes that a single statement may make, and its other effects on the match."""

    sets: tuple[syntax.Expression, ...] = ()
    """States, counters and local names that the statement sets."""
    orders: tuple[syntax.Expression, ...] = ()
    """Zones whose pieces change their order."""
    changes: frozenset[str] = frozenset()
    """The names of other things that change, such as the winners, the players or a position."""
    for_all: bool = False
    """Whether the statement concerns all players at once."""
    asks: bool = False
    """Whether a player may have to decide."""
    draws: bool = False
    """Whether the statement needs a result of chance."""
    ends: bool = False
    """Whether the statement ends the game."""
    refuses: bool = False
    """Whether the statement is a test, which is impossible unless a condition holds."""


NOTHING: Final = Effect()
_REFUSES: Final = Effect(refuses=True)
_ASKS: Final = Effect(asks=True)
_WINNERS: Final = Effect(changes=frozenset(("winners",)), for_all=True)
SEAT_WORDS: Final = frozenset(("in_play", "left", "right", "number_from"))
_PLAYERS: Final = Effect(changes=frozenset(("players",)) | SEAT_WORDS, for_all=True)
_END: Final = Effect(changes=frozenset(("game_over",)), for_all=True, ends=True)


def effect(s: syntax.Statement) -> Effect:
    """Return the effect of a statement.

    The effect of a `move` is empty here, because its possible sources depend on the zones of the
    game (see `writing.py`).
    """
    match s:
        case syntax.SetTo() | syntax.Amount():
            return Effect(sets=(s.place,))
        case syntax.Roll():
            return Effect(sets=(s.place,), draws=True)
        case syntax.Shuffle():
            return Effect(orders=(s.place,), draws=True)
        case syntax.Reverse():
            return Effect(orders=(s.place,))
        case syntax.Sort():
            return Effect(orders=(s.binder.source,))
        case syntax.Win():
            return _WINNERS
        case syntax.Eliminate():
            return _PLAYERS
        case syntax.Simple():
            return _END if s.word == "end game" else NOTHING
        case syntax.Keep():
            return Effect(changes=frozenset((s.name,)), for_all=True)
        case syntax.Choose() | syntax.ChooseOf() | syntax.May():
            return _ASKS
        case syntax.ForEach():
            return _ASKS if s.any_order else NOTHING
        case syntax.IfPossible():
            return _ASKS  # the steps inside are tried
        case syntax.Needs() | syntax.Limit():
            return _REFUSES
        case (
            syntax.Let()
            | syntax.LetDo()
            | syntax.Give()
            | syntax.Move()
            | syntax.Do()
            | syntax.If()
            | syntax.Repeat()
            | syntax.EachPlayer()
            | syntax.AsPlayer()
            | syntax.AtOnce()
            | syntax.Phase()
            | syntax.Say()
            | syntax.Log()
            | syntax.Show()
            | syntax.Surely()
            | syntax.Broken()
        ):
            return NOTHING
        case _:
            assert_never(s)


def is_decision(s: syntax.Statement) -> bool:
    """Return whether a player decides something in a statement.

    The result is false for `if possible`, because it only tries its steps.
    """
    return effect(s).asks and not isinstance(s, syntax.IfPossible)


def reads_stored(e: syntax.Expression) -> bool:
    """Return whether an expression directly reads something stored, and not only through its parts.

    Such expressions are names, attributes, types and membership. `reading.py` says what each of them reads.
    """
    match e:
        case (
            syntax.Word()
            | syntax.Call()
            | syntax.Dot()
            | syntax.TypeWord()
            | syntax.Lookup()
            | syntax.Possible()
        ):
            return True
        case syntax.Binary():
            return e.operator in ("in", "not in")
        case (
            syntax.Number()
            | syntax.Text()
            | syntax.Fixed()
            | syntax.Unary()
            | syntax.IfElse()
            | syntax.By()
            | syntax.ListOf()
            | syntax.Query()
        ):
            return False
        case _:
            assert_never(e)
