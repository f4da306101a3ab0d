"""Lowers expressions with operators: sums, comparisons, `is`, `in` and similar operators."""

from __future__ import annotations

from typing import Final, assert_never

from rulewright.dsl import ir
from rulewright.dsl.diagnostics.advice import Advice, Help, write
from rulewright.dsl.lowering.emit import recursion, value_help
from rulewright.dsl.lowering.emit.code import (
    ONE,
    ZERO,
    Expr,
    between,
    binary,
    both,
    choice,
    either,
    load,
    negation,
    weight,
)
from rulewright.dsl.lowering.emit.core import Env, Typed
from rulewright.dsl.lowering.emit.recursion import lowers
from rulewright.dsl.lowering.emit.routines import guard_routine
from rulewright.dsl.lowering.values import arithmetic, assuming, expressions, places, rows
from rulewright.dsl.lowering.values.expressions import type_test
from rulewright.dsl.model import types
from rulewright.dsl.model.model import DIRECTIONS
from rulewright.dsl.model.records import READ_LIMIT
from rulewright.dsl.model.types import (
    FLAG,
    UNKNOWN,
    Type,
    are_comparable,
    describe,
    item_of,
    length_of,
    list_of,
    member_of,
    overlaps,
    range_of,
    whole,
)
from rulewright.dsl.tree import syntax

_SHORT: Final = 30  # the maximum length of an expression that a message repeats


@lowers(syntax.Unary)
def unary(env: Env, e: syntax.Unary, expect: Type | None) -> Typed:
    """Lower `not a` or `-a`."""
    if e.operator == "not":
        asked = expressions.condition(env, e.operand)
        return assuming.opposite(asked, negation(asked.code))
    operand = expressions.number(env, e.operand)
    return arithmetic.arithmetic(env.c, "-", Typed(whole(0, 0), ZERO), operand, e.span)


def _or_help(e: syntax.Binary) -> Help:
    """Return help for `a or b is x`, where the left side is not a condition."""
    match e.right:
        case syntax.Binary(operator="is", left=other, right=what) if isinstance(
            e.left, (syntax.Word, syntax.Dot)
        ):
            return write(f"{what.span.text} in ({e.left.span.text}, {other.span.text})", e.span)
        case _:
            return ""


def _alternatives_help(e: syntax.Binary, left: Typed, right: Typed) -> Help:
    """Return the help for `x is a or b`."""
    match e.left:
        case syntax.Binary(operator="is" | "is not" as word, left=one, right=first):
            compared = left.of(first)
            if compared is not None and not are_comparable(compared.type, right.type):
                return ""
            listed = f"({first.span.text}, {e.right.span.text})"
            sign = "in" if word == "is" else "not in"
            return write(f"{one.span.text} {sign} {listed}", e.span)
        case _:
            return ""


@lowers(syntax.Binary)
def operation(env: Env, e: syntax.Binary, expect: Type | None) -> Typed:
    """Lower `a + b`, `a and b`, `a is b`, `a < b` or a similar operation."""
    match e.operator:
        case "and":
            left = expressions.condition(env, e.left)
            right_env = env.child()
            right_env.learn(left.so)
            right = expressions.condition(
                right_env, e.right, lambda found: _alternatives_help(e, left, found)
            )
            facts = assuming.facts_of_both(left.so, right.so)
            return Typed(FLAG, both(left.code, right.code), so=facts)
        case "or":
            left = expressions.condition(env, e.left, lambda _: _or_help(e))
            right_env = env.child()
            right_env.learn(left.otherwise)
            right = expressions.condition(
                right_env, e.right, lambda found: _alternatives_help(e, left, found)
            )
            neither = assuming.facts_of_both(left.otherwise, right.otherwise)
            return Typed(FLAG, either(left.code, right.code), otherwise=neither)
        case "+" | "-" | "*" | "/":
            return _arithmetic(env, e)
        case "<" | ">" | "<=" | ">=":
            one = recursion.expression(env, e.left)
            left_number = expressions.as_number(env, one, e.left)
            if left_number is expressions.NO_NUMBER:
                return expressions.NO_CONDITION
            other = recursion.expression(env, e.right)
            right_number = expressions.as_number(env, other, e.right)
            code = binary(e.operator, left_number.code, right_number.code)
            return assuming.comparison(e, e.operator, one.type, other.type, code)
        case "is" | "is not":
            listed = _ordered_list(env, e) if isinstance(e.right, syntax.ListOf) else None
            if listed is not None and isinstance(e.right, syntax.ListOf):
                code = _in_this_order(env, e, listed, e.right)
                return Typed(FLAG, code if e.operator == "is" else negation(code))
            one, other = _two_sides(env, e.left, e.right)
            code = equality_test(env, e, one, other, e.operator == "is")
            return assuming.equality(e, one.type, other.type, code)
        case "in" | "not in":
            found = contains(env, e.left, e.right)
            return found if e.operator == "in" else assuming.opposite(found, negation(found.code))
        case "..":
            low, high = expressions.number(env, e.left), expressions.number(env, e.right)
            length = max(0, range_of(high.type).high - range_of(low.type).low + 1)
            if length > READ_LIMIT:
                return env.c.bad(
                    "too-many-options",
                    f"{length:,} numbers are too many (at most {READ_LIMIT:,})",
                    e.span,
                    help="write a shorter range, or compare: `n >= LOW and n <= HIGH`",
                )
            least, most = range_of(low.type).low, range_of(high.type).high
            type = whole(least, max(least, most))
            return Typed(
                list_of(type, length, ordered=True),
                places.range_list(env.c, low.code, high.code),
            )


def _ordered_list(env: Env, e: syntax.Binary) -> Typed | None:
    """Return the left side of a comparison as a list if it is an ordered list, a pile or a row; None otherwise."""
    left = recursion.expression(env, e.left)
    if isinstance(left.type, types.List):
        return left if left.ids is None and left.type.ordered else None
    if not isinstance(left.type, types.Zone) or left.group is None or left.slot is not None:
        return None
    is_ordered = left.group.shape in ("pile", "row")
    return expressions.as_list(env, left, e.left) if is_ordered else None


def _in_this_order(env: Env, e: syntax.Binary, listed: Typed, wanted: syntax.ListOf) -> Expr:
    """Return code that tests whether a list contains exactly the given members in the given order."""
    member = item_of(listed.type) or UNKNOWN
    code = binary("==", ir.Length(listed.code), ir.Const(len(wanted.items)))
    for n, item in enumerate(wanted.items):
        one = syntax.Binary(item.span, "is", e.left, item)
        there = Typed(member, ir.At(listed.code, ir.Const(n)))
        code = both(
            code, equality_test(env, one, there, recursion.expression(env, item, member), True)
        )
    return code


def _arithmetic(env: Env, e: syntax.Binary) -> Typed:
    if e.operator in ("+", "-") and isinstance(e.right, syntax.Word) and e.right.name in DIRECTIONS:
        start = recursion.expression(env, e.left)
        if isinstance(start.type, types.Space):
            way = e.right.name if e.operator == "+" else f"{e.right.name}.opposite"
            return env.c.bad(
                "wrong-type",
                "a direction is not a number",
                e.span,
                help=write(f"{e.left.span.text}.toward({way})"),
            )
    left, right = expressions.number(env, e.left), expressions.number(env, e.right)
    match e.operator:
        case "+" | "-" | "*" as word:
            return arithmetic.arithmetic(env.c, word, left, right, e.span)
        case _:
            return divide(env, left, right, e.right)


def divide(env: Env, left: Typed, right: Typed, e: syntax.Expression, *, up: bool = False) -> Typed:
    """Lower a division. The result is rounded down or, if `up` is true, rounded up. A division by
    zero causes a fault.
    """
    a, b = left.type, right.type
    if range_of(b).low == range_of(b).high == 0:
        return env.c.bad(
            "out-of-range",
            "this divides by 0",
            e.span,
            help="write another number, or test it first: `if n > 0 then a / n else 0`",
        )
    (low, high), (least, most) = arithmetic.edges(a), arithmetic.edges(b)
    divisors = [d for d in (least, most, -1, 1) if d != 0 and least <= d <= most]
    edges = [n // d for n in (low, high) for d in divisors]
    edges += [-((-n) // d) for n in (low, high) for d in divisors]
    divisor = right.code
    if range_of(b).low <= 0 <= range_of(b).high:
        c = env.c
        fault = c.fault("division-by-zero", "a division by 0", e.span)
        divisor = ir.CallValue(guard_routine(c, "divisor", "x == 0", fault), (divisor,))
    if low == arithmetic.LEAST_NUMBER and least <= -1 <= most:
        left = Typed(a, arithmetic.dividend(env.c, left.code, divisor, e.span))
    if up and arithmetic.LEAST_NUMBER in (low, least):
        rest = binary("!=", binary("%", left.code, divisor), ZERO)
        code = binary("+", binary("//", left.code, divisor), rest)
    elif up:
        code = binary("-", ZERO, binary("//", binary("-", ZERO, left.code), divisor))
    else:
        code = binary("//", left.code, divisor)
    return Typed(whole(min(edges), max(edges)), code)


def _size_help(e: syntax.Binary, place: syntax.Expression) -> Help:
    """Return help that suggests comparing the number of things in a place instead of the place itself."""
    text, start = e.span.text, place.span.end - e.span.start
    whole = " ".join(f"{text[:start]}.size{text[start:]}".split())
    return write(whole) + ": how many there are" if len(whole) <= 2 * _SHORT else ""


def _name_help(e: syntax.Binary) -> Help:
    """Return help that suggests comparing a thing with a row instead of comparing its name."""
    for side in (e.left, e.right):
        if isinstance(side, syntax.Dot) and side.name == "name" and side.arguments is None:
            at, text = side.span.start - e.span.start, e.span.text
            whole = f"{text[:at]}{side.subject.span.text}{text[at + len(side.span.text) :]}"
            return write(whole)
    return ""


def _may_be_all(many: Typed, place: syntax.Expression, left: syntax.Expression) -> bool:
    """Return whether several things may be compared with one thing.

    They may if their place can hold only one thing, or if they are on the left side and are not a
    list literal.
    """
    if isinstance(place, syntax.TypeWord):
        return length_of(many.type) == 1
    if isinstance(many.type, types.Zone):
        shape = many.group.shape if many.group is not None else "pile"
        return many.slot is not None or shape == "spot" or place is left
    written = isinstance(place, syntax.ListOf | syntax.Binary)
    return place is left and not written


def _report_one_with_many(
    env: Env, e: syntax.Binary, single: Typed, many: Typed, place: syntax.Expression
) -> None:
    """Report an error for a comparison of one thing with several things. The help suggests `in`."""
    if isinstance(place, syntax.TypeWord):
        what = f"`{place.name}` is a type of things, and a thing is not a type"
    else:
        what = f"{describe(single.type)} is never {describe(many.type)}"
    one = e.left if place is e.right else e.right
    word = "in" if e.operator == "is" else "not in"
    asked = " ".join(f"{one.span.text} {word} {place.span.text}".split())
    env.c.problems.error("wrong-type", what, e.span, help=write(asked))


def equality_test(env: Env, e: syntax.Binary, left: Typed, right: Typed, positive: bool) -> Expr:
    """Return code that tests `left is right` or, if `positive` is false, `left is not right`."""
    if not left.type.known or not right.type.known:
        return ZERO
    if isinstance(right.type, types.Empty) or isinstance(left.type, types.Empty):
        subject, place = (left, e.left) if isinstance(right.type, types.Empty) else (right, e.right)
        code = is_empty(env, subject, place)
        return code if positive else negation(code)
    if isinstance(right.type, types.Nothing) or isinstance(left.type, types.Nothing):
        subject, place = (
            (left, e.left) if isinstance(right.type, types.Nothing) else (right, e.right)
        )
        if isinstance(subject.type, (types.Several, types.Tokens)):
            env.c.problems.error(
                "wrong-type",
                f"{describe(subject.type)} is never nothing",
                e.span,
                help="write `is empty`",
            )
            return ZERO
        help = rows.never_nothing_help(env, place, subject.type)
        if help:
            message = f"`{place.span.text}` is never nothing"
            env.c.problems.error("wrong-type", message, e.span, help=help)
            return ZERO
        code = binary("<", subject.code, ZERO) if subject.type.opt else ZERO
        return code if positive else negation(code)
    left = places.tokens_as_number(env, left, e.left)
    right = places.tokens_as_number(env, right, e.right)
    if right.ids is not None or left.ids is not None:
        one, many = (left, right) if right.ids is not None else (right, left)
        place = e.left if one is left else e.right
        if _is_place_for(one, many) and _may_be_all(one, place, e.left):
            there = expressions.as_list(env, one, place).code
            first = ir.Has(many.code, ir.At(there, ZERO))
            code = both(binary("==", ir.Length(there), ONE), first)
            return code if positive else negation(code)
        if (
            not one.type.is_thing
            or not isinstance(many.type, types.Several)
            or not overlaps(one.type, many.type.of)
        ):
            env.c.problems.error(
                "wrong-type",
                f"{describe(left.type)} is never {describe(right.type)}",
                e.span,
                help=_name_help(e)
                or value_help.wrong_type_help(
                    env.c.model, left.type, right.type, e.right.span.text
                ),
            )
            return ZERO
        code = ir.Has(many.code, one.code) if many.ids else ZERO
        return code if positive else negation(code)
    if isinstance(left.type, types.Several) or isinstance(right.type, types.Several):
        if isinstance(left.type, types.Several) and isinstance(right.type, types.Several):
            env.c.problems.error(
                "wrong-type",
                "lists and zones are not compared as a whole",
                e.span,
                help="compare their `.size`, or write `all(x in A: x in B)`",
            )
            return ZERO
        # one thing is equal to a group of things if the group has only one member and the two are equal
        many, one, place = (
            (left, right, e.left)
            if isinstance(left.type, types.Several)
            else (right, left, e.right)
        )
        if (
            one.type.known
            and isinstance(many.type, types.Several)
            and not overlaps(one.type, many.type.of)
        ):
            env.c.problems.error(
                "wrong-type",
                f"{describe(many.type)} is never {describe(one.type)}",
                e.span,
                help=_size_help(e, place)
                if isinstance(one.type, types.Number)
                else _owner_help(env, e, one, many, place)
                or value_help.wrong_type_help(
                    env.c.model, left.type, right.type, e.right.span.text
                ),
            )
            return ZERO
        if not _may_be_all(many, place, e.left):
            _report_one_with_many(env, e, one, many, place)
            return ZERO
        listed = expressions.as_list(env, many, place)
        code = both(binary("==", ir.Length(listed.code), ONE), ir.Has(listed.code, one.code))
        return code if positive else negation(code)
    if not overlaps(left.type, right.type):
        env.c.problems.error(
            "wrong-type",
            f"{describe(left.type)} is never {describe(right.type)}",
            e.span,
            at="these cannot be equal",
            help=value_help.comparison_help(env.c.model, left.type, right.type, e)
            or value_help.wrong_type_help(env.c.model, left.type, right.type, e.right.span.text),
        )
        return ZERO
    if isinstance(left.type, types.Flag) and right.constant is not None:
        code = left.code if right.constant else negation(left.code)
        return code if positive else negation(code)
    return binary("==" if positive else "!=", left.code, right.code)


def _two_sides(env: Env, left: syntax.Expression, right: syntax.Expression) -> tuple[Typed, Typed]:
    """Lower both sides of a comparison. The type of one side helps to interpret a bare name on the other side."""
    if _is_undecided(env, left) and not _is_undecided(env, right):
        b = recursion.expression(env, right)
        return recursion.expression(env, left, member_of(b.type)), b
    a = recursion.expression(env, left)
    return a, recursion.expression(env, right, member_of(a.type))


def _is_undecided(env: Env, e: syntax.Expression) -> bool:
    """Return whether an expression is a bare name, whose meaning may depend on the expected type."""
    return isinstance(e, syntax.Word) and e.name not in env.scope


def _is_place_for(place: Typed, copies: Typed) -> bool:
    """Return whether a place can contain the copies of a row."""
    of, copy = item_of(place.type), item_of(copies.type)
    return of is not None and copy is not None and bool(copies.ids) and overlaps(of, copy)


def is_empty(env: Env, subject: Typed, e: syntax.Expression) -> Expr:
    """Return code that tests whether a zone, list or place for tokens is empty."""
    match subject.type:
        case types.Zone():
            if subject.slot is not None:
                return binary("<", subject.slot, ZERO)
            return binary("==", places.zone_size(env.c, subject), ZERO)
        case types.Tokens():
            return binary("==", places.token_count(env, subject, e).code, ZERO)
        case types.List():
            return binary("==", ir.Length(subject.code), ZERO)
        case types.Empty():
            return ONE
        case types.Unknown():
            return ZERO
        case (
            types.Number()
            | types.Flag()
            | types.Player()
            | types.Action()
            | types.Direction()
            | types.Kind()
            | types.Piece()
            | types.Space()
            | types.Nothing()
            | types.Text()
        ):
            there = places.states_help(env, subject.type, e.span.text)
            help = "write `is nothing`" if subject.type.opt else there
            env.c.wrong_type(e.span, "only zones and lists can be empty", subject.type, help)
            return ZERO
        case _:
            assert_never(subject.type)


def contains(env: Env, left: syntax.Expression, right: syntax.Expression) -> Typed:
    """Lower `x in somewhere`."""
    if isinstance(right, syntax.Binary) and right.operator == "..":
        low, high = expressions.number(env, right.left), expressions.number(env, right.right)
        one = recursion.expression(env, left)
        value = expressions.as_number(env, one, left)
        if value.constant is None and weight(value.code) > 20:
            code: Expr = ir.Has(places.range_list(env.c, low.code, high.code), value.code)
        else:
            code = between(low.code, value.code, high.code)
        return Typed(FLAG, code, so=assuming.not_nothing(left, one.type))
    type = env.c.model.type_named(right.name) if isinstance(right, syntax.TypeWord) else None
    if type is not None:
        value = recursion.expression(env, left, type)
        if not value.type.known or not type.known:
            return expressions.NO_CONDITION
        if not are_comparable(value.type, type):
            env.c.problems.error(
                "wrong-type",
                f"{describe(value.type)} is never {describe(type)}",
                left.span.join(right.span),
                help=value_help.wrong_type_help(env.c.model, type, value.type, left.span.text),
            )
            return expressions.NO_CONDITION
        return assuming.type_membership(left, value.type, type, type_test(env, value, type))
    if isinstance(right, syntax.ListOf):
        value = recursion.expression(env, left)
        many = recursion.expression(env, right, value.type)
    else:
        many = recursion.expression(env, right)
        value = recursion.expression(env, left, item_of(many.type) or many.type)
    code = _member_test(env, left, right, value, many)
    return Typed(FLAG, code, so=assuming.not_nothing(left, value.type))


def _member_test(
    env: Env, left: syntax.Expression, right: syntax.Expression, value: Typed, many: Typed
) -> Expr:
    if not value.type.known or not many.type.known:
        return ZERO
    if isinstance(many.type, types.Zone):
        if value.ids is not None:
            return ir.Has(ir.Const((1,)), _any_in_zone(env, value, many))
        if not isinstance(value.type, types.Piece) or not overlaps(value.type, many.type.of):
            if isinstance(left, syntax.TypeWord) and isinstance(value.type, types.List):
                name = left.name[:1].lower()
                env.c.problems.error(
                    "wrong-type",
                    f"`{left.name}` is a type of things, but one of them is needed here",
                    left.span.join(right.span),
                    help=write(f"any({name}: {left.name} in {right.span.text})"),
                )
            elif not isinstance(value.type, types.Nothing):
                env.c.problems.error(
                    "wrong-type",
                    f"{describe(value.type)} never lies in {describe(many.type)}",
                    left.span.join(right.span),
                    help=value_help.wrong_type_help(
                        env.c.model, many.type.of, value.type, left.span.text
                    ),
                )
            return ZERO
        inside = binary("==", load(env.c.layout.zone_of, value.code), many.code)
        if value.type.opt:
            return both(binary(">=", value.code, ZERO), inside)
        return inside
    if isinstance(many.type, types.Number):
        env.c.problems.error(
            "wrong-type",
            f"`{right.span.text}` is a single number: nothing can be in it",
            right.span,
            help=_single_number_help(left, right),
        )
        return ZERO
    # all others: `as_list` decides
    listed = expressions.as_list(env, many, right)
    if (
        isinstance(listed.type, types.Several)
        and not overlaps(value.type, listed.type.of)
        and not isinstance(value.type, types.Empty)
    ):
        env.c.problems.error(
            "wrong-type",
            f"{describe(value.type)} is never in {describe(many.type)}",
            left.span.join(right.span),
            help=rows.link_ends_help(env, value.type, many.type, left.span.text, right.span.text)
            or value_help.wrong_type_help(env.c.model, listed.type.of, value.type, left.span.text),
        )
        return ZERO
    return ir.Has(listed.code, value.code)


def _owner_help(
    env: Env, e: syntax.Binary, one: Typed, many: Typed, place: syntax.Expression
) -> Help:
    """Return help for `cell.worker is me` if the place may contain pieces that belong to players; "" otherwise."""
    of = item_of(many.type)
    who = e.right if place is e.left else e.left
    if one.ids and isinstance(many.type, types.Zone):
        sign = "in" if e.operator == "is" else "not in"
        return write(f"{who.span.text.strip('()')} {sign} {place.span.text}")
    if not isinstance(one.type, types.Player) or of is None or not isinstance(of, types.Piece):
        return ""
    if not any(
        kind.per_player for kind in map(env.c.model.pieces.get, of.names) if kind is not None
    ):
        return ""
    return write(f"{place.span.text}.first.owner {e.operator} {who.span.text}")


def _single_number_help(left: syntax.Expression, right: syntax.Expression) -> Advice:
    if isinstance(right, syntax.Binary) and right.operator == "-":
        return write(f"{right.left.span.text}..{right.right.span.text}")
    between = left.span.source.text[left.span.end : right.span.start]
    sign = "is not" if "not" in between.split() else "is"
    asked = write(f"{left.span.text} {sign} {right.span.text}", left.span.join(right.span))
    return asked + f", or a range: `1..{right.span.text}`"


def _any_in_zone(env: Env, pieces: Typed, zone: Typed) -> Expr:
    found: Expr = ZERO
    for piece in pieces.ids or ():
        found = either(found, binary("==", load(env.c.layout.zone_of, ir.Const(piece)), zone.code))
    return choice(found, ONE, ZERO)
