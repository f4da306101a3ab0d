"""The types of the language: what a value can be, and in which range. Independent of trees and places."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

from rulewright.dsl.immutable import evolve, frozen

Tag = Literal[
    "int",
    "flag",
    "kind",
    "piece",
    "space",
    "player",
    "action",
    "list",
    "zone",
    "tokens",
    "nothing",
    "empty",
    "text",
    "direction",
    "unknown",
]

THINGS = frozenset({"kind", "piece", "space", "player", "action", "direction"})
MOST = 2**31 - 1


@frozen
class Type:
    """One type. `names` are the kinds a thing may be of; `low..high` the range of a number.

    `opt`: may be nothing. Lists have an element type, a greatest length and may be `ordered` (the order is a rule).
    """

    tag: Tag
    names: tuple[str, ...] = ()
    low: int = 0
    high: int = 0
    opt: bool = False
    of: Type | None = None
    length: int = 0
    ordered: bool = False

    @property
    def known(self) -> bool:
        """Whether a mistake has already been reported here."""
        return self.tag != "unknown"

    @property
    def is_thing(self) -> bool:
        """Whether the value is a player, piece, space or a value of a kind."""
        return self.tag in THINGS

    def maybe(self) -> Type:
        """The same, or nothing."""
        return evolve(self, opt=True)

    def surely(self) -> Type:
        """The same, known to be there."""
        return evolve(self, opt=False)


UNKNOWN = Type("unknown")
FLAG = Type("flag", low=0, high=1)
PLAYER = Type("player")
NOTHING = Type("nothing", opt=True)
EMPTY = Type("empty")
TEXT = Type("text")
DIRECTION = Type("direction")


def is_wide(type: Type) -> bool:
    """Whether numbers of this type may be too large for a cell."""
    return type.tag == "int" and (type.low <= -MOST or type.high >= MOST)


@lru_cache(maxsize=4096)
def whole(low: int, high: int) -> Type:
    """Numbers from low to high."""
    return Type("int", low=max(low, -MOST), high=min(high, MOST))


def list_of(of: Type, length: int, *, ordered: bool = False) -> Type:
    """A list of at most so many."""
    return Type("list", of=of, length=length, ordered=ordered)


def narrowed(type: Type, known: Type) -> Type:
    """A type of which something else is known, too."""
    if type.tag != known.tag:
        return type
    opt = type.opt and known.opt
    if type.tag == "int":
        low, high = max(type.low, known.low), min(type.high, known.high)
        return evolve(type, low=low, high=high, opt=opt) if low <= high else evolve(type, opt=opt)
    names = tuple(n for n in type.names if n in known.names) or known.names
    return evolve(type, names=names, opt=opt)


def join(a: Type, b: Type) -> Type | None:
    """The smallest type that holds both, or None where there is none."""
    if not a.known or not b.known:
        return UNKNOWN
    if a.tag == "nothing":
        return b.maybe()
    if b.tag == "nothing":
        return a.maybe()
    if a.tag == "empty" and b.tag in ("list", "zone"):
        return b
    if b.tag == "empty" and a.tag in ("list", "zone"):
        return a
    if a.tag != b.tag:
        return None
    opt = a.opt or b.opt
    if a.tag == "int":
        return evolve(whole(min(a.low, b.low), max(a.high, b.high)), opt=opt)
    if a.tag == "list":
        assert a.of is not None and b.of is not None
        of = join(a.of, b.of)
        if of is None:
            return None
        return list_of(of, max(a.length, b.length), ordered=a.ordered and b.ordered)
    if a.tag == "kind" and a.names != b.names:
        return None
    names = tuple(sorted(set(a.names) | set(b.names)))
    return evolve(a, names=names, opt=opt)


def fits(value: Type, wanted: Type) -> bool:
    """Whether every such value may stand where `wanted` is asked for (ranges are looked at elsewhere)."""
    if not value.known or not wanted.known:
        return True
    if value.tag == "nothing":
        return wanted.opt
    if value.opt and not wanted.opt:
        return False
    if wanted.tag == "list":
        if value.tag == "empty":
            return True
        if value.tag == "zone":
            assert value.of is not None and wanted.of is not None
            return fits(value.of, wanted.of)
        if value.tag == "list":
            assert value.of is not None and wanted.of is not None
            return fits(value.of, wanted.of)
        return wanted.of is not None and fits(value, wanted.of)
    if value.tag != wanted.tag:
        return False
    if wanted.tag in ("piece", "space", "kind"):
        return set(value.names) <= set(wanted.names)
    return True


def overlaps(a: Type, b: Type) -> bool:
    """Whether comparing them can ever be yes."""
    if not a.known or not b.known:
        return True
    if a.tag == "nothing" or b.tag == "nothing":
        return True
    if a.tag == "int" and b.tag == "int":
        return True
    if a.tag in ("piece", "space", "kind") and a.tag == b.tag:
        return bool(set(a.names) & set(b.names))
    return a.tag == b.tag


def _number(type: Type) -> str:
    if type.low == type.high:
        return f"the number {type.low}"
    if type.low <= -(2**31) + 1 and type.high >= 2**31 - 1:
        return "a number"
    return f"a number {type.low}..{type.high}"


def describe(type: Type) -> str:
    """The type in the words of the language."""
    maybe = " or nothing" if type.opt and type.tag != "nothing" else ""
    match type.tag:
        case "int":
            return _number(type) + maybe
        case "flag":
            return "yes or no"
        case "player":
            return "a player" + maybe
        case "action":
            return "an action" + maybe
        case "kind" | "piece" | "space":
            return " or ".join(f"{name}" for name in type.names) + maybe
        case "list":
            assert type.of is not None
            return f"a list of {describe(type.of)}"
        case "zone":
            assert type.of is not None
            return f"a zone of {describe(type.of)}"
        case "tokens":
            return "a place for tokens"
        case "nothing":
            return "nothing"
        case "empty":
            return "empty"
        case "text":
            return "words"
        case "direction":
            return "a direction" + maybe
        case "unknown":
            return "something"


def member_of(type: Type) -> Type | None:
    """What the other side of an `is` may be called by: a member of a list, or one of the same type."""
    if type.tag in ("list", "zone"):
        return type.of
    return type
