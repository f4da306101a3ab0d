"""Expressions: names, types and ranges of what is written, and the core expression it becomes.

Every function takes an environment and a written node and gives a `Typed`; a mistake is reported once and gives `BAD`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from attrs import evolve

from rulewright.dsl import habits, ir, syntax
from rulewright.dsl.builtins.registry import ATTRIBUTES
from rulewright.dsl.lowering import attributes, queries, values
from rulewright.dsl.lowering.core import (
    BAD,
    NONE,
    ONE,
    ZERO,
    Env,
    Expr,
    Procedure,
    Typed,
    binary,
    both,
    choice,
    either,
    load,
    negated,
    path_of,
    weight,
)
from rulewright.dsl.reading import SCENARIOS
from rulewright.dsl.records import READ_LIMIT
from rulewright.dsl.source import Span
from rulewright.dsl.suggest import did_you_mean, listed_or
from rulewright.dsl.typesystem import (
    EMPTY,
    FLAG,
    NOTHING,
    PLAYER,
    UNKNOWN,
    Type,
    describe,
    fits,
    join,
    list_of,
    overlaps,
    whole,
)


def expression(env: Env, e: syntax.Expression, expect: Type | None = None) -> Typed:
    """What an expression means here; `expect` helps with names that stand for several things."""
    result = _expression(env, e, expect)
    path = path_of(e)
    if path is not None and path in env.facts and result.type.known:
        known = env.facts[path]
        if known.tag == result.type.tag:
            result = evolve(result, type=_narrow(result.type, known))
    return result


def _narrow(type: Type, known: Type) -> Type:
    if type.tag == "int":
        low, high = max(type.low, known.low), min(type.high, known.high)
        if low > high:
            low, high = type.low, type.high
        return evolve(type, low=low, high=high, opt=type.opt and known.opt)
    names = tuple(n for n in type.names if n in known.names) or known.names
    return evolve(type, names=names, opt=type.opt and known.opt)


def _expression(env: Env, e: syntax.Expression, expect: Type | None) -> Typed:
    match e:
        case syntax.Number():
            return Typed(whole(e.value, e.value), ir.Const(e.value))
        case syntax.Fixed():
            match e.word:
                case "yes":
                    return Typed(FLAG, ONE)
                case "no":
                    return Typed(FLAG, ZERO)
                case "nothing":
                    return Typed(NOTHING, NONE)
                case _:
                    return Typed(EMPTY, ir.Const(()))
        case syntax.Text():
            env.c.problems.error("wrong-type", "words cannot be computed with", e.span)
            return BAD
        case syntax.Word():
            return word(env, e, expect)
        case syntax.TypeWord():
            return all_of(env, e)
        case syntax.Call():
            return values.call(env, e, expect)
        case syntax.Lookup():
            return attributes.lookup(env, e)
        case syntax.Dot():
            return attributes.dot(env, e, expect)
        case syntax.Unary():
            if e.operator == "not":
                return Typed(FLAG, negated(condition(env, e.operand)))
            operand = number(env, e.operand)
            return Typed(
                whole(-operand.type.high, -operand.type.low), binary("-", ZERO, operand.code)
            )
        case syntax.Binary():
            return _binary(env, e, expect)
        case syntax.IfElse():
            return _if_else(env, e, expect)
        case syntax.By():
            return _by(env, e, expect)
        case syntax.ListOf():
            return _list(env, e, expect)
        case syntax.Possible():
            return values.possible(env, e)
        case syntax.Query():
            return queries.query(env, e, expect)


# ---- names ------------------------------------------------------------------------------------------


def word(env: Env, e: syntax.Word, expect: Type | None) -> Typed:
    """A name standing alone: local, table state or zone, value, option, row."""
    c, name = env.c, e.name
    if name in env.hidden:
        pass
    if name in env.scope:
        variable = env.scope[name]
        return Typed(variable.type, variable.read())
    if name == "me":
        c.problems.error(
            "unknown-name",
            "nobody is acting here, so there is no `me`",
            e.span,
            help=_for_me(env, e.span),
        )
        return BAD
    found = row_named(env, name, expect)
    family = c.layout.of("", name)
    if family is not None and not (
        found is not None and expect is not None and fits(found.type, expect) and expect.is_thing
    ):
        return attributes.family_value(env, family, None, (), e.span)
    if name in c.world.values:
        return values.call_value(env, c.world.values[name], None, (), e.span, e.span)
    match name:
        case "players":
            return Typed(list_of(PLAYER, len(c.world.seats)), attributes.players_list(c))
        case "player_count":
            n = c.world.config.players
            return Typed(whole(n, n), ir.Const(n))
        case "game_over":
            return Typed(FLAG, load(ir.OVER))
        case "winners":
            return Typed(list_of(PLAYER, len(c.world.seats)), attributes.winners_list(c))
        case _:
            pass
    if name in c.world.options:
        return Typed(c.world.option_type[name], ir.Const(c.world.option_value[name]))
    if found is not None:
        return found
    if name in c.world.seats_absent:
        return Typed(PLAYER.maybe(), NONE)
    if name in c.layout.lost:
        return BAD
    help = habits.VALUES.get(name) or _whose(env, name, e.span)
    if name == "player":
        help = "the player whose turn it is is called `me`; all of them are `players`"
    help = help or did_you_mean(name, names_in_reach(env))
    if name == "p" and not help:
        help = "write `me`; in a value, say of whom it is: `value NAME of p: Player = ...`"
    if help or not c.world.has_lost_rows:
        c.problems.error("unknown-name", f"there is no `{name}`", e.span, help=help)
    return BAD


def _for_me(env: Env, span: Span) -> str:
    """What to write for `me` where nobody is acting."""
    if span.source.name.endswith(SCENARIOS) and env.c.world.seats:
        return f"name the player: `{env.c.world.seats[0]}`"
    players = [name for name, known in env.scope.items() if known.type.tag == "player"]
    if len(players) == 1:
        return f"write `{players[0]}`"
    return "use `each player`, or give the player as a parameter"


def owners_of(env: Env, name: str) -> list[str]:
    """The sorts of things (and `player`) that have something of this name."""
    world = env.c.world
    found = [f.owner.name for f in env.c.layout.families if f.name == name and f.owner.name]
    if name in world.subject_values:
        found.append("thing")
    kinds = (*world.kinds.items(), *world.pieces.items(), *world.spaces.items())
    found.extend(kind for kind, thing in kinds if name in thing.columns)
    found.extend(tag for tag, known in ATTRIBUTES if known == name)
    return found


def _whose(env: Env, name: str, span: Span) -> str:
    """What to write for something that players have, where it is not said which player."""
    if env.c.layout.of("player", name) is None:
        return ""
    seats = env.c.world.seats
    in_scenario = span.source.name.endswith(SCENARIOS)
    who = seats[0] if in_scenario and seats else "me" if "me" in env.scope else "p"
    return f"every player has one: write `{who}.{name}`"


def row_named(env: Env, name: str, expect: Type | None) -> Typed | None:
    """A row of a kind, a piece, a space, a seat by its name; `expect` decides between several."""
    candidates = env.c.world.row_names.get(name)
    if not candidates:
        return None
    if expect is not None and expect.is_thing:
        for type, ids in candidates:
            if type.tag == expect.tag and (not expect.names or set(type.names) & set(expect.names)):
                return _row(type, ids)
        if expect.tag == "action":
            return None
    elif expect is not None and expect.of is not None:
        return row_named(env, name, expect.of) if expect.of.is_thing else _row(*candidates[0])
    return _row(*candidates[0])


def _row(type: Type, ids: tuple[int, ...]) -> Typed:
    if len(ids) == 1:
        return Typed(type, ir.Const(ids[0]))
    return Typed(list_of(type, len(ids)), ir.Const(ids), ids=ids)


def names_in_reach(env: Env) -> list[str]:
    """All names that could stand alone here."""
    world = env.c.world
    return [
        *env.scope,
        *world.states,
        *world.zones,
        *world.values,
        *world.options,
        *world.row_names,
        "players",
        "player_count",
    ]


def all_of(env: Env, e: syntax.TypeWord) -> Typed:
    """`Cell`: all of them."""
    c = env.c
    type = c.world.type_named(e.name)
    if type is None:
        if e.name in c.world.tables:
            c.problems.error(
                "wrong-arguments", f"`{e.name}` is a table: write `{e.name}(key).column`", e.span
            )
            return BAD
        c.problems.error(
            "unknown-type",
            f"there is no `{e.name}`",
            e.span,
            help=did_you_mean(e.name, c.world.type_names()),
        )
        return BAD
    if type.tag == "player":
        return Typed(list_of(PLAYER, len(c.world.seats)), attributes.players_list(c))
    if len(type.names) == 1 and type.names[0] in c.layout.growing:
        return Typed(
            list_of(type, c.layout.growing[type.names[0]].slots),
            attributes.used_cells(c, type.names[0]),
        )
    ids = tuple(c.world.ids_of(type))
    return Typed(list_of(type, len(ids)), ir.Const(ids), ids=None)


# ---- conditions and numbers -------------------------------------------------------------------------


def condition(env: Env, e: syntax.Expression) -> Expr:
    """A yes or no."""
    typed = expression(env, e, FLAG)
    if typed.type.known and typed.type.tag != "flag":
        env.c.problems.error(
            "wrong-type",
            f"a condition is wanted here, this is {describe(typed.type)}",
            e.span,
            help="compare it with something: `is`, `>=`, `in`, `is not empty`",
        )
        return ZERO
    return typed.code


NO_NUMBER: Final = Typed(whole(0, 0), ZERO)
"""Stands for a number where none is, which has been reported."""


def _numbers_of(env: Env, type: Type, e: syntax.Expression) -> str:
    """The numbers of a thing that may be meant."""
    if type.tag in ("zone", "list"):
        return f"the number of them is `{e.span.text}.size`" if len(e.span.text) <= 30 else ""
    if type.tag == "flag":
        return "write `if ... then 1 else 0`"
    kinds = attributes.kinds_of(env, type) if type.tag in ("kind", "piece", "space") else []
    columns = [
        n for kind in kinds for n, column in kind.columns.items() if column.type.tag == "int"
    ]
    if not columns or len(e.span.text) > 30:
        return ""
    return f"which number of it? {listed_or([f'{e.span.text}.{n}' for n in dict.fromkeys(columns)][:4])}"


def number(env: Env, e: syntax.Expression) -> Typed:
    """A whole number (places for tokens count what lies there)."""
    typed = expression(env, e)
    if typed.type.tag == "tokens":
        return attributes.token_count(env, typed, e)
    if not typed.type.known:
        return Typed(whole(0, 0), ZERO)
    if typed.type.tag != "int":
        env.c.problems.error(
            "wrong-type",
            f"a number is wanted here, this is {describe(typed.type)}",
            e.span,
            help=_numbers_of(env, typed.type, e),
        )
        return NO_NUMBER
    if typed.type.opt:
        may_be_nothing(env, e)
        return Typed(typed.type.surely(), typed.code)
    return typed


def place(env: Env, e: syntax.Expression) -> Typed:
    """A stored thing that is changed: whose it is must be there."""
    if isinstance(e, syntax.Dot) and not isinstance(e.subject, (syntax.TypeWord, syntax.Lookup)):
        subject = expression(env, e.subject)
        if subject.type.known and subject.type.opt and subject.type.tag != "nothing":
            may_be_nothing(env, e.subject)
            return BAD
    return expression(env, e)


def may_be_nothing(env: Env, e: syntax.Expression) -> None:
    """Report that a value may be nothing where something is needed."""
    shown = e.span.text if len(e.span.text) < 40 else "this"
    env.c.problems.error(
        "may-be-nothing",
        f"`{shown}` may be nothing here" if shown != "this" else "this may be nothing here",
        e.span,
        help=f"test it first with `is not nothing`, or write `sure({shown})` where you know better",
    )


def something(env: Env, e: syntax.Expression, wanted: Type, what: str = "") -> Typed:
    """A value of a wanted type, which is there."""
    typed = expression(env, e, wanted)
    if not typed.type.known:
        return typed
    if typed.type.tag == "tokens" and wanted.tag == "int":
        typed = attributes.token_count(env, typed, e)
    if typed.type.tag == "zone" and wanted.is_thing:
        env.c.problems.error(
            "wrong-type",
            f"{what or 'here'} one thing is wanted, this is {describe(typed.type)}".strip(),
            e.span,
            help=f"`{e.span.text}.top` is the one on top",
        )
        return BAD
    if typed.ids is not None and wanted.is_thing:
        env.c.problems.error(
            "wrong-type",
            f"there are {len(typed.ids)} pieces called `{e.span.text}`: one is wanted here",
            e.span,
        )
        return BAD
    if (
        typed.type.opt
        and not wanted.opt
        and typed.type.tag != "nothing"
        and fits(typed.type.surely(), wanted)
    ):
        may_be_nothing(env, e)
        return evolve(typed, type=typed.type.surely())
    if not fits(typed.type, wanted):
        code = "may-be-nothing" if typed.type.tag == "nothing" else "wrong-type"
        env.c.problems.error(
            code, f"{describe(wanted)} is wanted here, this is {describe(typed.type)}", e.span
        )
        return BAD
    if (
        wanted.tag == "int"
        and typed.type.tag == "int"
        and (typed.type.high < wanted.low or typed.type.low > wanted.high)
    ):
        env.c.problems.error(
            "out-of-range", f"{describe(typed.type)} never fits {wanted.low}..{wanted.high}", e.span
        )
    return typed


def checked_number(env: Env, typed: Typed, wanted: Type, e: syntax.Expression, what: str) -> Expr:
    """A number that must be in a range: with a fault at play where that cannot be seen beforehand."""
    if typed.type.tag != "int" or wanted.tag != "int" or not typed.type.known:
        return typed.code
    if wanted.low <= typed.type.low and typed.type.high <= wanted.high:
        return typed.code
    if typed.type.opt and wanted.opt:
        return typed.code
    c = env.c

    fault = c.fault("out-of-range", f"{what} must be in {wanted.low}..{wanted.high}", e.span)

    def write(p: Procedure) -> tuple[int, list[ir.Stmt]]:
        p.slot()
        value = ir.Local(0)
        bad = either(
            binary("<", value, ir.Const(wanted.low)), binary(">", value, ir.Const(wanted.high))
        )
        return 1, [ir.If(bad, (ir.Fault(fault),)), ir.Return(value)]

    index = c.helper(f"range {wanted.low} {wanted.high} {fault}", write)
    return ir.CallValue(index, (typed.code,))


def checked_list(env: Env, typed: Typed, wanted: Type, e: syntax.Expression, what: str) -> Expr:
    """A list that must not be too long: with a fault at play where that cannot be seen beforehand."""
    if typed.type.length <= wanted.length:
        return typed.code
    c = env.c
    fault = c.fault("out-of-range", f"{what} holds {wanted.length} at most", e.span)

    def write(p: Procedure) -> tuple[int, list[ir.Stmt]]:
        p.slot()
        bad = binary(">", ir.Length(ir.Local(0)), ir.Const(wanted.length))
        return 1, [ir.If(bad, (ir.Fault(fault),)), ir.Return(ir.Local(0))]

    return ir.CallValue(c.helper(f"at most {wanted.length} {fault}", write), (typed.code,))


def as_list(env: Env, typed: Typed, e: syntax.Expression) -> Typed:
    """Several things: a list, a zone's pieces in order, or a single thing as a list of one."""
    t = typed.type
    if not t.known:
        return Typed(list_of(UNKNOWN, 0), ir.Const(()))
    if t.tag == "list":
        return typed
    if t.tag == "empty":
        return Typed(list_of(UNKNOWN, 0), ir.Const(()))
    if t.tag == "zone":
        return attributes.zone_list(env, typed)
    if t.is_thing or t.tag == "int":
        made: Expr = ir.MakeList((typed.code,))
        if t.opt:
            made = choice(binary("<", typed.code, ZERO), ir.Const(()), made)
        return Typed(list_of(t.surely(), 1, ordered=True), made)
    env.c.problems.error(
        "wrong-type", f"several things are wanted here, this is {describe(t)}", e.span
    )
    return Typed(list_of(UNKNOWN, 0), ir.Const(()))


# ---- operators --------------------------------------------------------------------------------------


def _binary(env: Env, e: syntax.Binary, expect: Type | None) -> Typed:
    match e.operator:
        case "and":
            left = condition(env, e.left)
            right_env = env.child()
            assume(right_env, e.left, truth=True)
            return Typed(FLAG, both(left, condition(right_env, e.right)))
        case "or":
            left = condition(env, e.left)
            right_env = env.child()
            assume(right_env, e.left, truth=False)
            return Typed(FLAG, either(left, condition(right_env, e.right)))
        case "+" | "-" | "*" | "/":
            return _arithmetic(env, e)
        case "<" | ">" | "<=" | ">=":
            left_number = number(env, e.left)
            if left_number is NO_NUMBER:
                return Typed(FLAG, ZERO)
            return Typed(FLAG, binary(e.operator, left_number.code, number(env, e.right).code))
        case "is" | "is not":
            return Typed(FLAG, _is(env, e, e.operator == "is"))
        case "in" | "not in":
            found = contains(env, e.left, e.right)
            return Typed(FLAG, found if e.operator == "in" else negated(found))
        case "..":
            low, high = number(env, e.left), number(env, e.right)
            length = max(0, high.type.high - low.type.low + 1)
            if length > READ_LIMIT:
                env.c.problems.error(
                    "too-many-options",
                    f"{length:,} numbers are too many (at most {READ_LIMIT:,})",
                    e.span,
                )
                return BAD
            type = whole(low.type.low, max(low.type.low, high.type.high))
            return Typed(
                list_of(type, length, ordered=True),
                attributes.range_list(env.c, low.code, high.code),
            )


def _arithmetic(env: Env, e: syntax.Binary) -> Typed:
    left, right = number(env, e.left), number(env, e.right)
    a, b = left.type, right.type
    match e.operator:
        case "+":
            return Typed(whole(a.low + b.low, a.high + b.high), binary("+", left.code, right.code))
        case "-":
            return Typed(whole(a.low - b.high, a.high - b.low), binary("-", left.code, right.code))
        case "*":
            edges = [a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high]
            return Typed(whole(min(edges), max(edges)), binary("*", left.code, right.code))
        case _:
            return divide(env, left, right, e.right)


def divide(env: Env, left: Typed, right: Typed, e: syntax.Expression, *, up: bool = False) -> Typed:
    """Division that rounds down (or up); by zero: a fault."""
    a, b = left.type, right.type
    if b.low == b.high == 0:
        env.c.problems.error("out-of-range", "this divides by 0", e.span)
        return BAD
    divisors = [d for d in (b.low, b.high, -1, 1) if d != 0 and b.low <= d <= b.high]
    edges = [n // d for n in (a.low, a.high) for d in divisors]
    edges += [-((-n) // d) for n in (a.low, a.high) for d in divisors]
    divisor = right.code
    if b.low <= 0 <= b.high:
        c = env.c
        fault = c.fault("division-by-zero", "a division by 0", e.span)

        def write(p: Procedure) -> tuple[int, list[ir.Stmt]]:
            p.slot()
            return 1, [
                ir.If(binary("==", ir.Local(0), ZERO), (ir.Fault(fault),)),
                ir.Return(ir.Local(0)),
            ]

        divisor = ir.CallValue(c.helper(f"divisor {fault}", write), (divisor,))
    if up:
        code = binary("-", ZERO, binary("//", binary("-", ZERO, left.code), divisor))
    else:
        code = binary("//", left.code, divisor)
    return Typed(whole(min(edges), max(edges)), code)


def _is(env: Env, e: syntax.Binary, positive: bool) -> Expr:
    left, right = _two_sides(env, e.left, e.right)
    if not left.type.known or not right.type.known:
        return ZERO
    if right.type.tag == "empty" or left.type.tag == "empty":
        subject, place = (left, e.left) if right.type.tag == "empty" else (right, e.right)
        code = is_empty(env, subject, place)
        return code if positive else negated(code)
    if right.type.tag == "nothing" or left.type.tag == "nothing":
        subject, place = (left, e.left) if right.type.tag == "nothing" else (right, e.right)
        if subject.type.tag in ("zone", "list", "tokens"):
            env.c.problems.error(
                "wrong-type",
                f"{describe(subject.type)} is never nothing",
                e.span,
                help="write `is empty`",
            )
            return ZERO
        if not subject.type.opt and subject.type.tag != "nothing":
            pass
        code = binary("<", subject.code, ZERO) if subject.type.opt else ZERO
        return code if positive else negated(code)
    if left.type.tag == "tokens":
        left = attributes.token_count(env, left, e.left)
    if right.type.tag == "tokens":
        right = attributes.token_count(env, right, e.right)
    if right.ids is not None or left.ids is not None:
        one, many = (left, right) if right.ids is not None else (right, left)
        if not one.type.is_thing or many.type.of is None or not overlaps(one.type, many.type.of):
            env.c.problems.error(
                "wrong-type", f"{describe(left.type)} is never {describe(right.type)}", e.span
            )
            return ZERO
        code = ir.Has(many.code, one.code)
        return code if positive else negated(code)
    if left.type.tag in ("list", "zone") or right.type.tag in ("list", "zone"):
        if left.type.tag in ("list", "zone") and right.type.tag in ("list", "zone"):
            env.c.problems.error(
                "wrong-type",
                "lists and zones are not compared as a whole",
                e.span,
                help="compare their `.size`, or ask `all(x in A: x in B)`",
            )
            return ZERO
        # one thing against several: yes when it is the only one
        many, one, place = (
            (left, right, e.left) if left.type.tag in ("list", "zone") else (right, left, e.right)
        )
        listed = as_list(env, many, place)
        code = both(binary("==", ir.Length(listed.code), ONE), ir.Has(listed.code, one.code))
        return code if positive else negated(code)
    if not overlaps(left.type, right.type):
        env.c.problems.error(
            "wrong-type",
            f"{describe(left.type)} is never {describe(right.type)}",
            e.span,
            at="these cannot be equal",
        )
        return ZERO
    if left.type.tag == "flag" and right.constant is not None:
        code = left.code if right.constant else negated(left.code)
        return code if positive else negated(code)
    return binary("==" if positive else "!=", left.code, right.code)


def _two_sides(env: Env, left: syntax.Expression, right: syntax.Expression) -> tuple[Typed, Typed]:
    """Both sides of a comparison; a bare name is read with the other side's type in mind."""
    if (
        isinstance(left, syntax.Word)
        and left.name not in env.scope
        and not isinstance(right, syntax.Word)
    ):
        b = expression(env, right)
        return expression(env, left, _one(b.type)), b
    a = expression(env, left)
    return a, expression(env, right, _one(a.type))


def _one(type: Type) -> Type | None:
    if type.tag in ("list", "zone"):
        return type.of
    return type


def is_empty(env: Env, subject: Typed, e: syntax.Expression) -> Expr:
    """Whether a zone, list or place for tokens holds nothing."""
    match subject.type.tag:
        case "zone":
            if subject.slot is not None:
                return binary("<", subject.slot, ZERO)
            return binary("==", attributes.zone_size(env.c, subject), ZERO)
        case "tokens":
            return binary("==", attributes.token_count(env, subject, e, total=True).code, ZERO)
        case "list":
            return binary("==", ir.Length(subject.code), ZERO)
        case "empty":
            return ONE
        case _:
            if subject.type.known:
                there = attributes.zones_there(env, subject.type, e.span.text)
                help = "write `is nothing`" if subject.type.opt else there
                env.c.problems.error(
                    "wrong-type", f"{describe(subject.type)} is never empty", e.span, help=help
                )
            return ZERO


def contains(env: Env, left: syntax.Expression, right: syntax.Expression) -> Expr:
    """`x in somewhere`"""
    if isinstance(right, syntax.Binary) and right.operator == "..":
        low, high = number(env, right.left), number(env, right.right)
        value = number(env, left)
        if value.constant is None and weight(value.code) > 20:
            return ir.Has(attributes.range_list(env.c, low.code, high.code), value.code)
        return both(binary("<=", low.code, value.code), binary("<=", value.code, high.code))
    if isinstance(right, syntax.TypeWord) and env.c.world.type_named(right.name) is not None:
        type = env.c.world.type_named(right.name)
        assert type is not None
        value = expression(env, left, type)
        if not value.type.known:
            return ZERO
        if value.type.tag != type.tag:
            env.c.problems.error(
                "wrong-type",
                f"{describe(value.type)} is never {describe(type)}",
                left.span.join(right.span),
            )
            return ZERO
        if (
            type.tag in ("piece", "space")
            and len(type.names) == 1
            and type.names[0] in env.c.layout.growing
        ):
            return in_type(env, value, type)
        return in_type(env, value, type)
    many = expression(env, right)
    if isinstance(right, syntax.ListOf):
        value = expression(env, left)
        many = _list(env, right, value.type)
    else:
        value = expression(env, left, many.type.of if many.type.of is not None else many.type)
    if not value.type.known or not many.type.known:
        return ZERO
    if many.type.tag == "zone":
        if value.ids is not None:
            return ir.Has(ir.Const((1,)), _any_in_zone(env, value, many))
        if (
            value.type.tag != "piece"
            or many.type.of is None
            or not overlaps(value.type, many.type.of)
        ):
            if value.type.tag != "nothing":
                env.c.problems.error(
                    "wrong-type",
                    f"{describe(value.type)} never lies in {describe(many.type)}",
                    left.span.join(right.span),
                )
            return ZERO
        inside = binary("==", load(env.c.layout.zone_of, value.code), many.code)
        if value.type.opt:
            return both(binary(">=", value.code, ZERO), inside)
        return inside
    listed = as_list(env, many, right)
    if (
        listed.type.of is not None
        and not overlaps(value.type, listed.type.of)
        and value.type.tag != "empty"
    ):
        env.c.problems.error(
            "wrong-type",
            f"{describe(value.type)} is never in {describe(many.type)}",
            left.span.join(right.span),
        )
        return ZERO
    return ir.Has(listed.code, value.code)


def _any_in_zone(env: Env, pieces: Typed, zone: Typed) -> Expr:
    found: Expr = ZERO
    for piece in pieces.ids or ():
        found = either(found, binary("==", load(env.c.layout.zone_of, ir.Const(piece)), zone.code))
    return choice(found, ONE, ZERO)


def in_type(env: Env, value: Typed, type: Type) -> Expr:
    """Whether a thing is of one of these kinds."""
    if type.tag in ("piece", "space"):
        wanted = [env.c.world.thing(n) for n in type.names]
        ranges = sorted(
            (k.first, k.first + k.count - 1) for k in wanted if k is not None and k.count
        )
        merged: list[tuple[int, int]] = []
        for low, high in ranges:
            if merged and merged[-1][1] + 1 == low:
                merged[-1] = (merged[-1][0], high)
            else:
                merged.append((low, high))
        if set(value.type.names) <= set(type.names):
            return binary(">=", value.code, ZERO) if value.type.opt else ONE
        if len(merged) > 1 and weight(value.code) > 3:
            ids = tuple(env.c.world.ids_of(type))
            return ir.Has(ir.Const(ids), value.code)
        code: Expr = ZERO
        for low, high in merged:
            inside = both(
                binary("<=", ir.Const(low), value.code), binary("<=", value.code, ir.Const(high))
            )
            code = either(code, inside)
        return code
    return binary(">=", value.code, ZERO) if value.type.opt else ONE


def _if_else(env: Env, e: syntax.IfElse, expect: Type | None) -> Typed:
    asked = condition(env, e.condition)
    yes, no = env.child(), env.child()
    assume(yes, e.condition, truth=True)
    assume(no, e.condition, truth=False)
    if isinstance(asked, ir.Const):
        then = expression(yes, e.then, expect) if asked.value else None
        other = expression(no, e.otherwise, expect) if not asked.value else None
        chosen = then or other
        assert chosen is not None
        # the other side is looked at for its own mistakes only
        skipped = (
            expression(no, e.otherwise, expect or chosen.type)
            if then
            else expression(yes, e.then, expect or chosen.type)
        )
        del skipped
        return chosen
    then = expression(yes, e.then, expect)
    other = expression(no, e.otherwise, expect or _one(then.type))
    if then.type.tag == "nothing" and expect is None:
        then = expression(yes, e.then, other.type)
    return _joined(
        env,
        e,
        [(then, e.then), (other, e.otherwise)],
        lambda parts: choice(asked, parts[0], parts[1]),
    )


def _joined(
    env: Env,
    e: syntax.Expression,
    sides: list[tuple[Typed, syntax.Expression]],
    make: Callable[[list[Expr]], Expr],
) -> Typed:
    """One value out of several: their common type."""
    if any(not side.type.known for side, _ in sides):
        return BAD
    unified: list[Typed] = []
    lists = any(side.type.tag in ("list", "zone", "empty") for side, _ in sides)
    for side, place in sides:
        if side.type.tag == "tokens":
            unified.append(attributes.token_count(env, side, place))
        elif lists:
            unified.append(as_list(env, side, place))
        else:
            unified.append(side)
    type = unified[0].type
    for side in unified[1:]:
        if lists and (type.of is None or not type.of.known):
            type = side.type
            continue
        if lists and (side.type.of is None or not side.type.of.known):
            continue
        joined = join(type, side.type)
        if joined is None:
            env.c.problems.error(
                "wrong-type",
                f"one side is {describe(type)}, the other {describe(side.type)}",
                e.span,
            )
            return BAD
        type = joined
    return Typed(type, make([side.code for side in unified]))


def _by(env: Env, e: syntax.By, expect: Type | None) -> Typed:
    subject = expression(env, e.subject)
    if subject.type.tag == "tokens":
        subject = attributes.token_count(env, subject, e.subject)
    if not subject.type.known:
        return BAD
    if subject.type.opt:
        may_be_nothing(env, e.subject)
        return BAD
    if subject.type.tag not in ("int", "flag", "kind", "player", "direction", "action"):
        env.c.problems.error(
            "wrong-type",
            f"`by` looks up a number or a value of a kind, this is {describe(subject.type)}",
            e.subject.span,
        )
        return BAD
    covered: set[int] = set()
    wanted = (
        set(env.c.world.ids_of(subject.type))
        if subject.type.high - subject.type.low < 100_000
        else set()
    )
    sides: list[tuple[Typed, syntax.Expression]] = []
    tests: list[tuple[int, int]] = []
    for case in e.cases:
        low = something(
            env,
            case.first,
            subject.type.surely() if subject.type.tag != "int" else whole(-(2**31), 2**31 - 1),
        )
        high = low if case.last is None else something(env, case.last, whole(-(2**31), 2**31 - 1))
        if low.constant is None or high.constant is None:
            if low.type.known and high.type.known:
                env.c.problems.error(
                    "wrong-type",
                    "the labels of a table are fixed numbers or names",
                    case.first.span,
                )
            continue
        if subject.type.tag == "int" and high.constant - low.constant > 100_000:
            label = set()
        else:
            label = set(range(low.constant, high.constant + 1))
        if label and label <= covered:
            env.c.problems.error(
                "unreachable-code", "an earlier line of this table already covers this", case.span
            )
        covered |= label
        tests.append((low.constant, high.constant))
        sides.append((expression(env, case.value, expect), case.value))
    if e.otherwise is not None:
        sides.append((expression(env, e.otherwise, expect), e.otherwise))
    elif wanted - covered:
        missing = sorted(wanted - covered)
        shown = ", ".join(str(m) for m in missing[:5])
        if subject.type.tag == "kind":
            kind = env.c.world.kinds.get(subject.type.names[0])
            rows = (
                kind.rows
                if kind is not None
                else env.c.world.options.get(subject.type.names[0], ())
            )
            shown = ", ".join(rows[m] for m in missing[:5])
        env.c.problems.error(
            "wrong-arguments",
            f"this table has no line for {shown}",
            e.span,
            help="add the missing lines, or a last line `else ...`",
        )
        return BAD
    if not sides or len(sides) < len(tests):
        return BAD

    small = weight(subject.code) <= 6

    def make(parts: list[Expr]) -> Expr:
        code = parts[-1]
        ends = parts[:-1]
        used = tests if e.otherwise is not None else tests[:-1]
        if (
            all(isinstance(p, ir.Const) for p in parts)
            and wanted
            and max(wanted) - min(wanted) < 4000
        ):
            low = min(wanted)
            listed: list[object] = []
            for value in range(low, max(wanted) + 1):
                chosen = parts[-1]
                for (a, b), part in zip(tests, parts, strict=False):
                    if a <= value <= b:
                        chosen = part
                        break
                assert isinstance(chosen, ir.Const)
                listed.append(chosen.value)
            return ir.Table(env.c.table(listed), binary("-", subject.code, ir.Const(low)))
        for (a, b), part in reversed(list(zip(used, ends, strict=True))):
            if a == b:
                test = binary("==", subject.code, ir.Const(a))
            else:
                test = both(
                    binary("<=", ir.Const(a), subject.code), binary("<=", subject.code, ir.Const(b))
                )
            code = choice(test, part, code)
        return code

    del small
    return _joined(env, e, sides, make)


def _list(env: Env, e: syntax.ListOf, expect: Type | None) -> Typed:
    of: Type | None = None
    codes: list[Expr] = []
    ids: list[int] = []
    constants = True
    for item in e.items:
        typed = expression(
            env, item, expect.of if expect is not None and expect.of is not None else expect
        )
        if typed.type.tag == "tokens":
            typed = attributes.token_count(env, typed, item)
        if not typed.type.known:
            return BAD
        if typed.ids is not None and typed.type.of is not None:
            codes.extend(ir.Const(i) for i in typed.ids)
            ids.extend(typed.ids)
            item_type = typed.type.of
        else:
            codes.append(typed.code)
            item_type = typed.type
            if typed.constant is not None:
                ids.append(typed.constant)
            else:
                constants = False
        if of is None or of.tag == "nothing":
            of = item_type
        else:
            joined = join(of, item_type)
            if joined is None:
                env.c.problems.error(
                    "wrong-type",
                    f"this list holds {describe(of)}, and then {describe(item_type)}",
                    item.span,
                )
                return BAD
            of = joined
    assert of is not None
    made: Expr = ir.Const(tuple(ids)) if constants else ir.MakeList(tuple(codes))
    return Typed(list_of(of, len(codes), ordered=True), made)


# ---- what a condition tells ---------------------------------------------------------------------------


def assume(env: Env, e: syntax.Expression, *, truth: bool) -> None:
    """Note in the environment what follows from a condition being so (or not so)."""
    match e:
        case syntax.Unary(operator="not"):
            assume(env, e.operand, truth=not truth)
        case syntax.Binary(operator="and") if truth:
            assume(env, e.left, truth=True)
            assume(env, e.right, truth=True)
        case syntax.Binary(operator="or") if not truth:
            assume(env, e.left, truth=False)
            assume(env, e.right, truth=False)
        case syntax.Binary(operator="is" | "is not"):
            _assume_is(env, e, truth == (e.operator == "is"))
        case syntax.Binary(operator="in" | "not in") if isinstance(e.right, syntax.TypeWord):
            _assume_type(env, e, truth == (e.operator == "in"))
        case syntax.Binary(operator="in") if truth:
            path = path_of(e.left)
            silent = _silently(env, e.left)
            if (
                path is not None
                and silent is not None
                and silent.type.opt
                and silent.type.tag != "nothing"
            ):
                env.facts[path] = silent.type.surely()
        case syntax.Binary(operator="<" | ">" | "<=" | ">="):
            _assume_order(env, e, truth)
        case _:
            pass


def _silently(env: Env, e: syntax.Expression) -> Typed | None:
    """The type of an expression that has been looked at before (its problems are known already)."""
    if path_of(e) is None:
        return None
    return expression(env, e)


def _assume_is(env: Env, e: syntax.Binary, truth: bool) -> None:
    if isinstance(e.right, syntax.Fixed) and e.right.word == "nothing":
        path, typed = path_of(e.left), _silently(env, e.left)
        if (
            path is not None
            and typed is not None
            and typed.type.known
            and not truth
            and typed.type.tag != "nothing"
        ):
            env.facts[path] = typed.type.surely()
        return
    if isinstance(e.right, syntax.Fixed) and e.right.word == "empty":
        path = path_of(e.left)
        if path is not None and not truth:
            env.facts[f"{path}.size"] = whole(1, 2**31 - 1)
        return
    if not truth:
        return
    for side, other in ((e.left, e.right), (e.right, e.left)):
        path = path_of(side)
        if path is None or isinstance(side, (syntax.Number, syntax.Fixed)):
            continue
        typed, against = _silently(env, side), _silently(env, other)
        if typed is None or not typed.type.known:
            continue
        if (
            against is not None
            and against.type.known
            and typed.type.opt
            and not against.type.opt
            and typed.type.tag == against.type.tag
        ):
            env.facts[path] = typed.type.surely()
        if typed.type.tag == "int" and against is not None and against.type.tag == "int":
            env.facts[path] = evolve(
                whole(against.type.low, against.type.high), opt=against.type.opt
            )


def _assume_type(env: Env, e: syntax.Binary, truth: bool) -> None:
    assert isinstance(e.right, syntax.TypeWord)
    path, typed = path_of(e.left), _silently(env, e.left)
    type = env.c.world.type_named(e.right.name)
    if (
        path is None
        or typed is None
        or type is None
        or not typed.type.known
        or typed.type.tag != type.tag
    ):
        return
    if truth:
        names = tuple(n for n in typed.type.names if n in type.names)
        env.facts[path] = Type(type.tag, names=names or type.names)
    elif not typed.type.opt:
        names = tuple(n for n in typed.type.names if n not in type.names)
        if names:
            env.facts[path] = Type(type.tag, names=names)


def _assume_order(env: Env, e: syntax.Binary, truth: bool) -> None:
    operator: str = e.operator
    if not truth:
        operator = {"<": ">=", ">": "<=", "<=": ">", ">=": "<"}[operator]
    turned = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}
    for side, other, word_ in ((e.left, e.right, operator), (e.right, e.left, turned[operator])):
        path = path_of(side)
        if path is None or isinstance(side, syntax.Number):
            continue
        typed, against = _silently(env, side), _limits(env, other)
        if typed is None or typed.type.tag not in ("int", "tokens") or against is None:
            continue
        low, high = (typed.type.low, typed.type.high) if typed.type.tag == "int" else (0, 2**31 - 1)
        match word_:
            case "<":
                high = min(high, against[1] - 1)
            case "<=":
                high = min(high, against[1])
            case ">":
                low = max(low, against[0] + 1)
            case _:
                low = max(low, against[0])
        if low <= high:
            target = f"{path}.size" if typed.type.tag == "tokens" else path
            env.facts[target] = whole(low, high)


def _limits(env: Env, e: syntax.Expression) -> tuple[int, int] | None:
    if path_of(e) is None and not isinstance(e, (syntax.Binary, syntax.Unary)):
        return None
    if isinstance(e, syntax.Binary) and e.operator not in ("+", "-", "*"):
        return None
    if isinstance(e, syntax.Binary):
        a, b = _limits(env, e.left), _limits(env, e.right)
        if a is None or b is None:
            return None
        if e.operator == "+":
            return a[0] + b[0], a[1] + b[1]
        if e.operator == "-":
            return a[0] - b[1], a[1] - b[0]
        return None
    if isinstance(e, syntax.Unary):
        return None
    typed = expression(env, e)
    return (typed.type.low, typed.type.high) if typed.type.tag == "int" else None
