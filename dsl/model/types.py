"""Defines the types of the language. The module is independent of syntax trees and source positions.

`Type` is a closed union. A `match` over it names every class and ends with `assert_never`.
"""

from __future__ import annotations

from functools import lru_cache
from typing import ClassVar, Final, Literal, Self, TypeAlias, assert_never

from rulewright.dsl.immutable import evolve, frozen

MOST: Final = 2**31 - 1


@frozen
class AnyType:
    """The base class of all types. If `opt` is true, the value may be nothing."""

    opt: bool = False

    word: ClassVar[str]
    """The word for this class of types in the names of domains and built-in attributes."""
    is_thing: ClassVar[bool] = False
    """Whether values of this type are players, pieces, spaces, directions, actions or rows of a `kind`."""
    known: ClassVar[bool] = True
    """False for a value with an error. The error has already been reported."""

    def maybe(self) -> Self:
        """Return this type, extended so that the value may be nothing."""
        return evolve(self, opt=True)

    def surely(self) -> Self:
        """Return this type, restricted so that the value cannot be nothing."""
        return evolve(self, opt=False)


@frozen
class Nameless(AnyType):
    """The base class of all types except those of declared things."""

    @property
    def names(self) -> tuple[str, ...]:
        """Return an empty tuple, because values of this type belong to no declared kind."""
        return ()


@frozen
class Uncounted(Nameless):
    """The base class of types whose values are not numbered, such as places, lists and texts."""


@frozen
class Number(Nameless):
    """An integer in the range `low..high`."""

    low: int = 0
    high: int = 0

    word: ClassVar = "int"


@frozen
class Flag(Nameless):
    """A truth value, yes or no."""

    word: ClassVar = "flag"
    low: ClassVar = 0
    high: ClassVar = 1


@frozen
class Player(Nameless):
    """One of the players of the match."""

    word: ClassVar = "player"
    is_thing: ClassVar = True


@frozen
class Action(Nameless):
    """A reference to one of the actions that the rules declare."""

    word: ClassVar = "action"
    is_thing: ClassVar = True


@frozen
class Direction(Nameless):
    """One of the eight directions of a grid."""

    word: ClassVar = "direction"
    is_thing: ClassVar = True


@frozen
class Named(AnyType):
    """A thing of one of several declared kinds."""

    names: tuple[str, ...] = ()
    """The possible kinds of a thing."""

    is_thing: ClassVar = True


@frozen
class Kind(Named):
    """One of the rows that a `kind` declares."""

    word: ClassVar = "kind"


@frozen
class Piece(Named):
    """One of the copies that a `piece` declares."""

    word: ClassVar = "piece"


@frozen
class Space(Named):
    """One of the board spaces that a `space` declares, such as a cell of a grid."""

    word: ClassVar = "space"


@frozen
class Tokens(Uncounted):
    """A place that contains tokens, such as a supply."""

    word: ClassVar = "tokens"


@frozen
class Nothing(Uncounted):
    """The type of the word `nothing`. It is allowed wherever a type has `opt` set."""

    word: ClassVar = "nothing"


@frozen
class Empty(Uncounted):
    """The type of the word `empty`. The word stands for a list or zone without members."""

    word: ClassVar = "empty"


@frozen
class Text(Uncounted):
    """A quoted string that is shown to players."""

    word: ClassVar = "text"


@frozen
class Unknown(Uncounted):
    """The type of a value that has an error."""

    pending: bool = False
    """Whether the type is still being inferred."""

    word: ClassVar = "unknown"
    known: ClassVar = False


UNKNOWN: Final = Unknown()


@frozen
class Several(Uncounted):
    """The base class of lists and zones. Their members have the type `of`."""

    of: Type = UNKNOWN


@frozen
class List(Several):
    """A list of at most `length` values. `ordered` is true if the order of the list matters to the rules."""

    length: int = 0
    ordered: bool = False

    word: ClassVar = "list"


@frozen
class Zone(Several):
    """A zone. It contains pieces of the type `of`."""

    word: ClassVar = "zone"


Type: TypeAlias = (
    Number
    | Flag
    | Player
    | Action
    | Direction
    | Kind
    | Piece
    | Space
    | List
    | Zone
    | Tokens
    | Nothing
    | Empty
    | Text
    | Unknown
)

FLAG: Final = Flag()
PLAYER: Final = Player()
ACTION: Final = Action()
NOTHING: Final = Nothing(opt=True)
EMPTY: Final = Empty()
TEXT: Final = Text()
DIRECTION: Final = Direction()
TOKENS: Final = Tokens()


def are_comparable(a: Type, b: Type) -> bool:
    """Return whether two types belong to the same class, regardless of their ranges and kinds."""
    return a.__class__ is b.__class__


def is_wide(type: Type) -> bool:
    """Return whether numbers of this type may be too large for a cell."""
    return isinstance(type, Number) and (type.low <= -MOST or type.high >= MOST)


@lru_cache(maxsize=4096)
def whole(low: int, high: int) -> Number:
    """Return the type of the numbers from `low` to `high`."""
    return Number(low=max(low, -MOST), high=min(high, MOST))


def list_of(of: Type, length: int, *, ordered: bool = False) -> List:
    """Return the type of a list of at most `length` members."""
    return List(of=of, length=length, ordered=ordered)


def narrow(type: Type, known: Type) -> Type:
    """Return `type`, restricted to the values that also have the type `known`."""
    opt = type.opt and known.opt
    match type, known:
        case Number(), Number():
            low, high = max(type.low, known.low), min(type.high, known.high)
            return (
                evolve(type, low=low, high=high, opt=opt) if low <= high else evolve(type, opt=opt)
            )
        case Named(), Named() if are_comparable(type, known):
            names = tuple(n for n in type.names if n in known.names) or known.names
            return evolve(type, names=names, opt=opt)
        case _ if are_comparable(type, known):
            return evolve(type, opt=opt)
        case _:
            return type


def join(a: Type, b: Type) -> Type | None:
    """Return the smallest type that includes both types; None if there is none."""
    match a, b:
        case (Unknown(), _) | (_, Unknown()):
            return UNKNOWN
        case Nothing(), _:
            return b.maybe()
        case _, Nothing():
            return a.maybe()
        case Empty(), Several():
            return b
        case Several(), Empty():
            return a
        case Number(), Number():
            return evolve(whole(min(a.low, b.low), max(a.high, b.high)), opt=a.opt or b.opt)
        case List(), List():
            of = join(a.of, b.of)
            if of is None:
                return None
            return list_of(of, max(a.length, b.length), ordered=a.ordered and b.ordered)
        case Kind(), Kind() if a.names != b.names:
            return None
        case Named(), Named() if are_comparable(a, b):
            return evolve(a, names=tuple(sorted({*a.names, *b.names})), opt=a.opt or b.opt)
        case _:
            return evolve(a, opt=a.opt or b.opt) if are_comparable(a, b) else None


def fits(value: Type, wanted: Type) -> bool:
    """Return whether every value of a type is allowed where `wanted` is expected. (Ranges are checked elsewhere.)"""
    match value, wanted:
        case (Unknown(), _) | (_, Unknown()):
            return True
        case Nothing(), _:
            return wanted.opt
        case _ if value.opt and not wanted.opt:
            return False
        case Empty(), List():
            return True
        case Several(), List():
            return fits(value.of, wanted.of)
        case _, List():
            return fits(value, wanted.of)
        case Named(), Named():
            return are_comparable(value, wanted) and {*value.names} <= {*wanted.names}
        case _:
            return are_comparable(value, wanted)


def never_fits(value: Type, wanted: Type) -> bool:
    """Return whether all numbers of a type lie outside the range of `wanted`."""
    return (
        isinstance(value, Number)
        and isinstance(wanted, Number)
        and (value.high < wanted.low or value.low > wanted.high)
    )


def overlaps(a: Type, b: Type) -> bool:
    """Return whether a value of one type can equal a value of the other."""
    match a, b:
        case (Unknown() | Nothing(), _) | (_, Unknown() | Nothing()):
            return True
        case Named(), Named():
            return are_comparable(a, b) and not {*a.names}.isdisjoint(b.names)
        case _:
            return are_comparable(a, b)


def _number(type: Number) -> str:
    if type.low == type.high:
        return f"the number {type.low}"
    if type.low <= -MOST and type.high >= MOST:
        return "a number"
    return f"a number {type.low}..{type.high}"


def describe(type: Type) -> str:
    """Describe the type in the terms of the game language."""
    maybe = " or nothing" if type.opt else ""
    match type:
        case Number():
            return _number(type) + maybe
        case Flag():
            return "yes or no"
        case Player() | Action() | Direction():
            return ("an " if type.word[0] in "aeiou" else "a ") + type.word + maybe
        case Kind() | Piece() | Space():
            return " or ".join(type.names) + maybe
        case List():
            return f"a list of {describe(type.of)}"
        case Zone():
            return f"a zone of {describe(type.of)}"
        case Tokens():
            return "a place for tokens"
        case Nothing() | Empty():
            return type.word
        case Text():
            return "words"
        case Unknown():
            return "something"
        case _:
            assert_never(type)


def member_of(type: Type) -> Type | None:
    """Given the type of one operand of `is`, return the type that the other operand must have.

    For a list or zone, this is the type of the members; for any other type, the type itself.
    """
    return type.of if isinstance(type, Several) else type


def item_of(type: Type) -> Type | None:
    """Return the type of the members of a list or zone; None for all other types."""
    return type.of if isinstance(type, Several) else None


def range_of(type: Type) -> Number:
    """Return the range of a number, or 0..1 for a truth value. Any other type is an error; return 0..0 for it."""
    match type:
        case Number():
            return type
        case Flag():
            return whole(0, 1)
        case _:
            return whole(0, 0)


def widest(type: Type) -> Type:
    """Given any type of numbers, return the type of all numbers; return any other type unchanged.

    The caller checks the range of the numbers.
    """
    return evolve(type, low=-MOST - 1, high=MOST) if isinstance(type, Number) else type


def shown_type(type: Type) -> Type:
    """Return the type in which a message shows a value. For a list or zone, this is the type of its members.

    If a value of this type cannot be shown, return a number type as a placeholder.
    """
    while isinstance(type, Several):
        type = type.of
    return whole(0, 1) if isinstance(type, Nothing | Empty | Text | Unknown) else type


def length_of(type: Type) -> int:
    """Return the maximum length of a list. Any other type is an error; return 0 for it."""
    return type.length if isinstance(type, List) else 0


Declared: TypeAlias = Literal["kind", "piece", "space"]
"""The words that declare things with rows."""


def named_type(word: Declared, names: tuple[str, ...]) -> Kind | Piece | Space:
    """Return the type of the things that the given kinds, pieces or spaces declare."""
    match word:
        case "kind":
            return Kind(names=names)
        case "piece":
            return Piece(names=names)
        case "space":
            return Space(names=names)
        case _:
            assert_never(word)
