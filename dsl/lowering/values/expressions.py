"""Expressions: names, types and ranges of what is written, and the core expression it becomes.

Every function takes an environment and a written node and gives a `Typed`; a mistake is reported once and gives `BAD`.
"""

from __future__ import annotations

from typing import Final

from attrs import evolve

from rulewright.dsl import ir
from rulewright.dsl.builtins.registry import ATTRIBUTES
from rulewright.dsl.lowering.values import attributes, cases, operators, queries, values
from rulewright.dsl.lowering.workshop.core import (
    BAD,
    NONE,
    ONE,
    ZERO,
    Env,
    Expr,
    Procedure,
    Typed,
    binary,
    choice,
    either,
    load,
    negated,
    path_of,
)
from rulewright.dsl.problems import habits
from rulewright.dsl.problems.source import Span
from rulewright.dsl.problems.suggest import did_you_mean, listed_or
from rulewright.dsl.text.reading import SCENARIOS
from rulewright.dsl.tree import syntax
from rulewright.dsl.world.typesystem import (
    EMPTY,
    FLAG,
    NOTHING,
    PLAYER,
    UNKNOWN,
    Type,
    describe,
    fits,
    list_of,
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
            return operators.operation(env, e, expect)
        case syntax.IfElse():
            return cases.if_else(env, e, expect)
        case syntax.By():
            return cases.by_cases(env, e, expect)
        case syntax.ListOf():
            return cases.written_list(env, e, expect)
        case syntax.Possible():
            return values.possible(env, e)
        case syntax.Query():
            return queries.query(env, e, expect)


# ---- names ------------------------------------------------------------------------------------------


def word(env: Env, e: syntax.Word, expect: Type | None) -> Typed:
    """A name standing alone: local, table state or zone, value, option, row."""
    c, name = env.c, e.name
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
    option = c.world.option(name)
    if option is not None:
        return Typed(option[0], ir.Const(option[1]))
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
        players = [known for known, one in env.scope.items() if one.type.tag == "player"]
        value = "in a value, say of whom it is: `value NAME of p: Player = ...`"
        help = f"write `{players[0]}`" if len(players) == 1 else value
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
                "wrong-arguments",
                f"`{e.name}` is a table, and its rows are no things",
                e.span,
                help=f"write `{e.name}(key).column`; what is gone through row by row is a `kind`",
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
