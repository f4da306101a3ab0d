"""Lowers calls inside expressions: functions, named values, and `possible(...)`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from rulewright.dsl import ir
from rulewright.dsl.diagnostics import foreign_words
from rulewright.dsl.diagnostics.advice import Help, write
from rulewright.dsl.diagnostics.diagnostics import Label
from rulewright.dsl.diagnostics.source import Span
from rulewright.dsl.diagnostics.suggest import did_you_mean
from rulewright.dsl.lowering.emit import builtins, recursion, value_help
from rulewright.dsl.lowering.emit.code import ZERO, Expr
from rulewright.dsl.lowering.emit.core import BAD, Env, Typed
from rulewright.dsl.lowering.emit.recursion import lowers
from rulewright.dsl.lowering.values import expressions, rows, stored
from rulewright.dsl.lowering.values.values import value_info
from rulewright.dsl.model import types
from rulewright.dsl.model.types import FLAG, PLAYER, Type, describe, fits, widest
from rulewright.dsl.parsing import hints
from rulewright.dsl.tree import declared, syntax
from rulewright.dsl.tree.nesting import walk


@lowers(syntax.Call)
def call(env: Env, e: syntax.Call, expect: Type | None) -> Typed:
    """Lower `name(arguments)`."""
    c = env.c
    name = Span(e.span.source, e.span.start, e.span.start + len(e.name))
    found = builtins.look_up_function(env, e)
    if found is not None:
        c.model.facts.refers(name, "built-in", e.name, None)
        return found
    if e.name in env.scope:
        return c.bad(
            "wrong-arguments", f"`{e.name}` takes nothing in brackets", e.span, help=write(e.name)
        )
    group = c.layout.of("", e.name)
    if group is not None:
        c.model.facts.refers(name, group.what, e.name, group.span)
        return stored.group_value(env, group, None, e.arguments, e.span)
    value = c.model.values.get(e.name)
    if value is not None:
        c.model.facts.refers(name, "value", e.name, value.name_span)
        return call_value(env, value, None, e.arguments, e.span, e.span)
    if e.name in c.layout.lost:
        return BAD
    help: Help = did_you_mean(
        e.name, [*builtins.FUNCTIONS, *c.model.values, *c.model.states, *c.model.zones]
    )
    if e.name in c.model.rules:
        rule = c.model.rules[e.name]
        what = f"`{e.name}` is {'an' if rule.what == 'action' else 'a'} {rule.what}"
        help = f"write `do {e.name}(...)` as a step, or test `possible({e.name}(...))`"
        if rule.gives is not None:
            help = f"write `let NAME = do {e.span.text}` in a line before, and use the name here"
        return c.bad(
            "wrong-type",
            f"{what}: it does something and has no value"
            if rule.gives is None
            else f"{what}: its result exists only after it has run",
            e.span,
            help=help,
        )
    help = _random_help(e) or _subject_help(env, e) or hints.of_word("functions", e.name) or help
    if e.name == "players" and len(e.arguments) == 1:
        help = write(f"players.nth({e.arguments[0].span.text})")
    help = value_help.lookup_help(c.model, e.arguments) or help
    theirs = _player_help(env, e)
    if theirs:
        help = theirs
    elif len(e.arguments) == 1 and rows.owners_of(env, e.name):
        help = 'a dot means "of": ' + write(f"{e.arguments[0].span.text}.{e.name}")
    elif len(e.arguments) == 1 and e.name in foreign_words.HOW_MANY:
        only = e.arguments[0]
        asked = only if isinstance(only, syntax.Binary) and only.operator == "in" else None
        one = asked.left.span.text if asked is not None else ""
        help = (
            write(f"count(x in {asked.right.span.text} where x is {one})")
            if asked is not None
            else write(f"{only.span.text}.size")
        )
    help = help or f"write `value {e.name}(x: TYPE) = ...` at the left margin, with its formula"
    return c.bad("unknown-name", f"there is no `{e.name}(...)`", e.span, help=help)


def _player_help(env: Env, e: syntax.Call) -> Help:
    """Return help for `price(card)` if each player has a `price`; "" otherwise."""
    first = e.arguments[0] if e.arguments else None
    local = env.scope.get(first.name) if isinstance(first, syntax.Word) else None
    players = [name for name, one in env.scope.items() if isinstance(one.type, types.Player)]
    if local is None or isinstance(local.type, types.Player) or not players:
        return ""
    if not rows.has_attribute(env, PLAYER, e.name) or rows.has_attribute(env, local.type, e.name):
        return ""
    inside = ", ".join(argument.span.text for argument in e.arguments)
    return write(f"{'me' if 'me' in players else players[-1]}.{e.name}({inside})")


def _subject_help(env: Env, e: syntax.Call) -> Help:
    """Return help for `worth(p, color)` if `worth` must follow a dot; "" otherwise."""
    model = env.c.model
    is_of_some = e.name in model.subject_values or e.name in (
        *model.player_states,
        *model.player_zones,
    )
    if not is_of_some or not e.arguments:
        return ""
    whose, *others = (argument.span.text for argument in e.arguments)
    given = f"({', '.join(others)})" if others else ""
    return write(f"{whose}.{e.name}{given}")


_AT_RANDOM: Final = (
    "random",
    "rand",
    "randint",
    "choice",
    "random_choice",
    "random_element",
    "pick",
)


def _random_help(e: syntax.Call) -> str:
    """Return help for a random choice such as `set starter to random(players)`; "" for any other call."""
    if e.name not in _AT_RANDOM or len(e.arguments) != 1:
        return ""
    source = e.arguments[0].span.text
    start = e.span.source.text.rfind("\n", 0, e.span.start) + 1
    before = e.span.source.text[start : e.span.start].strip()
    kept = re.fullmatch(r"set (\S+) to|let (\w+) =", before)
    if kept is None:
        return f"write `roll x in {source}` above, and `x` here"
    name = kept[1] or kept[2]
    if name.isidentifier():
        return f"write `roll {name} in {source}`"
    return f"write `roll x in {source}` and `set {name} to x`"


def call_value(
    env: Env,
    value: declared.Value,
    subject: Typed | None,
    arguments: Sequence[syntax.Expression],
    name_span: Span,
    span: Span,
) -> Typed:
    """Lower a use of a named value to a call of the procedure that computes the value."""
    c = env.c
    c.value_uses.add(id(value))
    info = value_info(c, value, name_span)
    wanted = info.parameters[1:] if value.subject is not None else info.parameters
    if len(arguments) != len(wanted):
        shown = f"{value.name}({', '.join(n for n, _ in wanted)})" if wanted else value.name
        dotted = re.match(rf".*\.(?={value.name}\b)", span.text)
        whose = dotted[0] if dotted is not None and subject is not None else ""
        return c.bad(
            "wrong-arguments",
            f"`{value.name}` takes {len(wanted)} in brackets, but gets {len(arguments)}",
            span,
            labels=(Label(value.name_span, "declared here"),),
            help=write(f"{whose}{shown}"),
        )
    codes: list[Expr] = [subject.code] if subject is not None else []
    for argument, (name, type) in zip(arguments, wanted, strict=True):
        if not type.known:
            recursion.expression(env, argument)
            codes.append(ZERO)
            continue
        if isinstance(type, types.List):
            listed = expressions.as_list(env, recursion.expression(env, argument, type), argument)
            if listed.type.known and not fits(listed.type, type):
                c.wrong_type(
                    argument.span,
                    f"{describe(type)} is expected here",
                    listed.type,
                    value_help.wrong_type_help(c.model, type, listed.type, argument.span.text),
                )
            codes.append(listed.code)
            continue
        typed = expressions.value_of_type(env, argument, widest(type))
        codes.append(expressions.checked_number(env, typed, type, argument, f"`{name}`"))
    if info.uses_me:
        if "me" not in env.scope:
            return c.bad(
                "unknown-name",
                f"`{value.name}` uses `me`, but nobody is acting here",
                span,
                help="put it under `each player` or `as player`, or declare the value for a player: `value "
                + value.name
                + " of p: Player`",
            )
        codes.append(env.scope["me"].read())
    if not info.type.known:
        return BAD
    return Typed(info.type, ir.CallValue(info.procedure, tuple(codes)))


@lowers(syntax.Possible)
def possible(env: Env, e: syntax.Possible, expect: Type | None) -> Typed:
    """Lower `possible(action(...))`, which tests whether the action can be completed now."""
    c = env.c
    if "me" not in env.scope:
        return c.bad(
            "unknown-name",
            "nobody is acting here, so nothing is possible",
            e.span,
            help="use it where `me` is known",
        )
    names = {n.name for n in walk(e.action) if isinstance(n, syntax.Word)} | {"me"}
    captured = [v for name, v in env.scope.items() if name in names]
    codes = tuple(v.read() for v in captured)
    step = syntax.Do(e.span, (), e.action, False, ())
    index = recursion.extra_procedure(c, "possible", captured, (step,), env)
    return Typed(FLAG, ir.Possible(index, codes, env.scope["me"].read()))
