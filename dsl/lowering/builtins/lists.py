"""Lowers the built-in attributes of zones, lists and places for tokens."""

from __future__ import annotations

from attrs import evolve

from rulewright.dsl import ir
from rulewright.dsl.lowering.emit import recursion, value_help
from rulewright.dsl.lowering.emit.builtins import arguments_of, attribute
from rulewright.dsl.lowering.emit.code import ONE, ZERO, Expr, binary, load
from rulewright.dsl.lowering.emit.core import BAD, Env, Typed
from rulewright.dsl.lowering.emit.paths import path_of
from rulewright.dsl.lowering.emit.routines import routine
from rulewright.dsl.lowering.values import expressions, iterating, places
from rulewright.dsl.model import types
from rulewright.dsl.model.types import (
    PLAYER,
    UNKNOWN,
    Type,
    describe,
    item_of,
    join,
    length_of,
    list_of,
    range_of,
    whole,
)
from rulewright.dsl.tree import syntax


def _subject_list(env: Env, subject: Typed, e: syntax.Dot) -> Typed:
    return expressions.as_list(env, subject, e.subject)


def _member_type(env: Env, e: syntax.Dot, type: Type) -> Type:
    known = env.facts.get(f"{path_of(e.subject)}.size")
    return type.surely() if known is not None and range_of(known).low >= 1 else type.maybe()


@attribute("zone list tokens empty", "size")
def size(env: Env, subject: Typed, e: syntax.Dot) -> Typed:
    """The number of members: `me.hand.size`."""
    if isinstance(subject.type, types.Tokens):
        return places.token_count(env, subject, e.subject)
    if isinstance(subject.type, types.Empty):
        return Typed(whole(0, 0), ZERO)
    if isinstance(subject.type, types.Zone):
        most = env.c.model.size_of(subject.type.of)
        if subject.group is not None and subject.group.shape == "spot":
            most = 1
        if subject.group is not None and subject.group.shape == "row":
            most = min(most, subject.group.slots)
        return Typed(whole(0, most), places.zone_size(env.c, subject))
    # all others: lists, as the form of the attribute says
    return Typed(whole(0, length_of(subject.type)), ir.Length(subject.code))


@attribute("zone list", "first", "bottom")
def first(env: Env, subject: Typed, e: syntax.Dot) -> Typed:
    """The first member, or nothing if there are no members: `line.first`. In a pile, this is the
    piece at the bottom.
    """
    return _end_member(env, subject, e, first=True)


@attribute("zone list", "last", "top")
def last(env: Env, subject: Typed, e: syntax.Dot) -> Typed:
    """The last member, or nothing if there are no members: `deck.top`. In a pile, this is the piece on top."""
    return _end_member(env, subject, e, first=False)


def _end_member(env: Env, subject: Typed, e: syntax.Dot, *, first: bool) -> Typed:
    layout = env.c.layout
    if (
        isinstance(subject.type, types.Zone)
        and subject.slot is None
        and (subject.group is None or subject.group.shape != "row")
    ):
        return Typed(
            _member_type(env, e, subject.type.of),
            load(layout.head if first else layout.tail, subject.code),
        )
    if subject.slot is not None and isinstance(subject.type, types.Several):
        return Typed(_member_type(env, e, subject.type.of), subject.slot)
    listed = _subject_list(env, subject, e)
    of = item_of(listed.type) or UNKNOWN
    if isinstance(listed.code, ir.Const) and isinstance(listed.code.value, tuple):
        end = listed.code.value[:1] if first else listed.code.value[-1:]
        if end and isinstance(end[0], int):
            return Typed(of, ir.Const(end[0]))
    index = ZERO if first else binary("-", ir.Length(listed.code), ONE)
    type = of if isinstance(of, types.List) else _member_type(env, e, of)
    return Typed(type, places.list_item(env.c, listed, index))


@attribute("zone list", "nth(n)")
def nth(env: Env, subject: Typed, e: syntax.Dot) -> Typed:
    """The n-th member, counted from 1, or nothing if there are fewer members: `order.nth(2)`."""
    listed = _subject_list(env, subject, e)
    n = expressions.number(env, arguments_of(e)[0])
    of = item_of(listed.type) or UNKNOWN
    index = binary("-", n.code, ONE)
    if (
        isinstance(listed.code, ir.Const)
        and isinstance(listed.code.value, tuple)
        and not isinstance(of, types.List)
        and range_of(n.type).low >= 1
        and range_of(n.type).high <= len(listed.code.value)
    ):
        return Typed(of, ir.Table(env.c.table(listed.code.value), index))
    if isinstance(of, types.Number) and of.low < 0:
        return env.c.bad(
            "not-storable",
            "in a list with numbers below 0, `nth` cannot tell `nothing` from a number",
            e.span,
            help="keep numbers from 0 up, and subtract where they are used: `LIST.nth(n) - 5`",
        )
    return Typed(
        of if isinstance(of, types.List) else of.maybe(), places.list_item(env.c, listed, index)
    )


@attribute("zone list", "first_few(n)")
def first_few(env: Env, subject: Typed, e: syntax.Dot) -> Typed:
    """The first n members, or all members if there are fewer: `ranking(...).first_few(2)`."""
    listed = _subject_list(env, subject, e)
    n = expressions.number(env, arguments_of(e)[0])
    return _part(env, listed, ZERO, n.code, n)


@attribute("zone list", "last_few(n)")
def last_few(env: Env, subject: Typed, e: syntax.Dot) -> Typed:
    """The last n members in their order, or all members if there are fewer: `by_strength.last_few(2)`."""
    listed = _subject_list(env, subject, e)
    n = expressions.number(env, arguments_of(e)[0])
    start = binary("max", ZERO, binary("-", ir.Length(listed.code), n.code))
    return _part(env, listed, start, ir.Length(listed.code), n)


def _part(env: Env, listed: Typed, low: Expr, high: Expr, n: Typed) -> Typed:
    """Return the part of a list between two indices. It has up to `n` members."""
    part = routine(env.c, "part of list", f"part of list{places.nesting_suffix(listed.type)}")
    type = listed.type
    if isinstance(type, types.List):
        type = evolve(type, length=max(0, min(type.length, range_of(n.type).high)))
    return Typed(type, ir.CallValue(part, (listed.code, low, high)))


@attribute("zone list", "between(a, b)")
def between(env: Env, subject: Typed, e: syntax.Dot) -> Typed:
    """The members after `a` and before `b`: `ring.between(t.place, u.place)`. The first member follows the last."""
    listed = _subject_list(env, subject, e)
    of = item_of(listed.type) or UNKNOWN
    if not iterating.can_compare(env, listed, e.name_span):
        return BAD
    a, b = (expressions.value_of_type(env, x, of) for x in (e.arguments or ()))
    helper = routine(env.c, "between in list", place=routine(env.c, "place in list"))
    return evolve(
        listed,
        code=ir.CallValue(helper, (listed.code, a.code, b.code)),
    )


@attribute("zone list", "reversed")
def reversed_list(env: Env, subject: Typed, e: syntax.Dot) -> Typed:
    """The members of a list from last to first: `order.reversed`."""
    listed = _subject_list(env, subject, e)
    helper = routine(env.c, "reversed list", f"reversed list{places.nesting_suffix(listed.type)}")
    return Typed(listed.type, ir.CallValue(helper, (listed.code,)))


@attribute("zone list", "joined(others)")
def joined_list(env: Env, subject: Typed, e: syntax.Dot) -> Typed:
    """The members of one list, followed by the members of another list: `hand.joined(table_cards)`."""
    listed = _subject_list(env, subject, e)
    wanted = arguments_of(e)[0]
    others = expressions.as_list(env, recursion.expression(env, wanted, listed.type), wanted)
    if not listed.type.known or not others.type.known:
        return BAD
    of, other = item_of(listed.type) or UNKNOWN, item_of(others.type) or UNKNOWN
    both_of = of if not other.known else other if not of.known else join(of, other)
    if both_of is None:
        return env.c.bad(
            "wrong-type",
            f"{describe(listed.type)} is not joined with {describe(others.type)}",
            wanted.span,
            help=f"join things of one type: `list(x in {wanted.span.text}: ...)` makes a list of the wanted values"
            if isinstance(others.type, types.Several)
            else value_help.wrong_type_help(
                env.c.model, listed.type, others.type, wanted.span.text
            ),
        )
    if isinstance(both_of, types.List) and not iterating.can_compare(env, listed, e.name_span):
        return BAD
    helper = routine(env.c, "two lists in one")
    type = list_of(both_of, length_of(listed.type) + length_of(others.type), ordered=True)
    return Typed(type, ir.CallValue(helper, (listed.code, others.code)))


@attribute("zone list", "without(x)")
def without(env: Env, subject: Typed, e: syntax.Dot) -> Typed:
    """The members of a list without the first occurrence of x: `bids.without(3)`."""
    listed = _subject_list(env, subject, e)
    if not listed.type.known or not iterating.can_compare(env, listed, e.name_span):
        return BAD
    x = expressions.value_of_type(env, arguments_of(e)[0], _any_like(listed))
    return Typed(
        listed.type, ir.CallValue(routine(env.c, "list without one"), (listed.code, x.code))
    )


def _any_like(listed: Typed) -> Type:
    """Return the type of items for which a list can be searched. If the items are numbers, return
    the type of all numbers.
    """
    of = item_of(listed.type) or UNKNOWN
    return whole(-(2**31), 2**31 - 1) if isinstance(of, types.Number) else of


@attribute("zone list", "without_nth(n)")
def without_nth(env: Env, subject: Typed, e: syntax.Dot) -> Typed:
    """The members of a list without the n-th member: `bids.without_nth(2)`."""
    listed = _subject_list(env, subject, e)
    n = expressions.number(env, arguments_of(e)[0])
    helper = routine(
        env.c, "list without the n th", f"list without the n-th{places.nesting_suffix(listed.type)}"
    )
    return Typed(listed.type, ir.CallValue(helper, (listed.code, n.code)))


@attribute("zone list", "with_nth(n, x)")
def with_nth(env: Env, subject: Typed, e: syntax.Dot) -> Typed:
    """The members of a list, with x in place of the n-th member if there is one: `set bids to bids.with_nth(2, 5)`."""
    listed = _subject_list(env, subject, e)
    if not listed.type.known or not iterating.can_compare(env, listed, e.name_span):
        return BAD
    place, thing = arguments_of(e)
    n = expressions.number(env, place)
    x = expressions.value_of_type(env, thing, _any_like(listed))
    helper = routine(env.c, "list with the n th", "list with the n-th")
    of = item_of(listed.type) or UNKNOWN
    of = join(of, x.type) or of
    code = ir.CallValue(helper, (listed.code, n.code, x.code))
    return Typed(list_of(of, length_of(listed.type), ordered=True), code)


@attribute("list zone", "distinct")
def distinct(env: Env, subject: Typed, e: syntax.Dot) -> Typed:
    """The distinct members of a list, in the order in which they first occur: `list(c in me.hand:
    c.color).distinct`.
    """
    listed = _subject_list(env, subject, e)
    if not iterating.can_compare(env, listed, e.name_span):
        return BAD

    return Typed(listed.type, ir.CallValue(routine(env.c, "each once"), (listed.code,)))


@attribute("zone", "slot(n)")
def slot(env: Env, subject: Typed, e: syntax.Dot) -> Typed:
    """The n-th slot of a row, counted from 1: `market.slot(1)`. A slot contains one piece or is empty."""
    group = subject.group
    if group is None or group.shape != "row":
        return env.c.bad(
            "wrong-type",
            "only rows have slots",
            e.name_span,
            help="a row is declared `zone name: row of N Piece`",
        )
    argument = arguments_of(e)[0]
    n = expressions.number(env, argument)
    index = expressions.checked_number(
        env, n, whole(1, group.slots), argument, "the number of a slot"
    )
    address = binary("+", places.row_cells(env.c, subject.code), binary("-", index, ONE))
    return evolve(subject, slot=ir.Load(address), owner=index)


@attribute("tokens", "owner")
def token_owner(env: Env, subject: Typed, e: syntax.Dot) -> Typed:
    """The first player who has a token in a place, or nothing if no player has one: `cell.disc.owner`."""
    group = subject.group
    if group is None or group.colours == 1:
        return env.c.bad(
            "wrong-type",
            "these tokens do not belong to different players",
            e.name_span,
            help="declare them with `per player` (`token marker per player`), then each has its owner",
        )
    helper = routine(env.c, "owner of tokens", colours=group.colours)
    return Typed(PLAYER.maybe(), ir.CallValue(helper, (subject.code,)))
