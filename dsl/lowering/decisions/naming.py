"""Lowers the names that authors give to options: computes the arguments in brackets, and checks that names differ.

Code that offers options calls this module, which is independent of that code.
"""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.dsl import ir
from rulewright.dsl.diagnostics.advice import write
from rulewright.dsl.diagnostics.diagnostics import Label
from rulewright.dsl.lowering.decisions.plans import ArmPlan
from rulewright.dsl.lowering.emit.code import ZERO, Expr, Stmts
from rulewright.dsl.lowering.emit.core import Compiler, Env, Typed
from rulewright.dsl.lowering.emit.routines import text_routine
from rulewright.dsl.lowering.values import expressions, places
from rulewright.dsl.model import types
from rulewright.dsl.model.types import Type, describe, overlaps, whole
from rulewright.dsl.tree import declared, syntax
from rulewright.dsl.tree.nesting import walk

CODE = "equal-options"
NOTHING = -1


def chosen_index(plan: ArmPlan, argument: syntax.Expression) -> int | None:
    """Return the index of the chosen thing to which an argument of a name refers; None for a computed argument."""
    if not isinstance(argument, syntax.Word):
        return None
    names = [part.name for part in plan.parts]
    return names.index(argument.name) if argument.name in names else None


def computed_arguments(env: Env, plan: ArmPlan) -> list[Typed]:
    """Lower the computed arguments in the brackets of a name, in order."""
    named = plan.named
    every = named.arguments if named is not None else ()
    # Chosen things are lowered as well, because editors ask for the definition of each name.
    values = [(each, value_of(env, each)) for each in every]
    return [value for each, value in values if chosen_index(plan, each) is None]


def argument_indexes(plan: ArmPlan) -> tuple[int, ...]:
    """Return an index for each argument of a name.

    The chosen things have the first indexes, and the computed values follow.
    """
    assert plan.named is not None
    found: list[int] = []
    after = len(plan.types)
    for argument in plan.named.arguments:
        place = chosen_index(plan, argument)
        found.append(after if place is None else place)
        after += place is None
    return tuple(found)


def value_of(env: Env, argument: syntax.Expression) -> Typed:
    """Lower an argument of a name. Report an error if values of its type have no names."""
    typed = places.value_or_count(env, argument)
    if typed.ids is not None and len(typed.ids) == 1 and isinstance(typed.type, types.Several):
        typed = Typed(typed.type.of, ir.Const(typed.ids[0]))
    type = typed.type
    if type.known and type.opt and not type.is_thing:
        expressions.report_may_be_nothing(env, argument)
    elif type.known and not (type.is_thing or isinstance(type, types.Number | types.Flag)):
        env.c.problems.error(
            "wrong-type",
            f"{describe(type)} cannot be part of the name of an option",
            argument.span,
            help="write a thing, a player, a value of a kind or a number",
        )
        type = whole(0, 0)
    constant = typed.constant
    if isinstance(type, types.Number) and constant is not None:
        type = whole(constant, constant)
    return Typed(type if type.known else whole(0, 0), typed.code)


def argument_ranges(c: Compiler, types: Sequence[Type]) -> tuple[tuple[int, int, int], ...]:
    """For each argument, return its domain, its lowest value and its number of values."""
    found = []
    for type in types:
        values = c.model.ids_of(type)
        low = NOTHING if type.opt else values[0] if values else 0
        found.append((c.domain(type), low, (values[-1] if values else 0) - low + 1))
    return tuple(found)


def check_names_differ(
    c: Compiler, plans: Sequence[ArmPlan], types: Sequence[Sequence[Type]]
) -> None:
    """Report an error for options that always have the same name, or that may have the same name
    although no argument is computed.
    """
    for plan in plans:
        _check_has_all(c, plan)
    seen: list[tuple[ArmPlan, list[Type]]] = []
    for plan, every in zip(plans, types, strict=True):
        places = argument_indexes(plan) if plan.named is not None else range(len(every))
        mine = [every[place] for place in places if place < len(every)]
        for other, others in seen:
            can_be_one = (
                plan.word == other.word
                and len(mine) == len(others)
                and all(map(_may_be_equal, mine, others))
            )
            if can_be_one and not (_has_computed(plan) or _has_computed(other)):
                c.problems.error(
                    CODE,
                    f"two options of this choice can have the name `{plan.word}`",
                    plan.span,
                    labels=(Label(other.span, "the other one"),),
                    help=_equal_names_help(c, plan),
                )
                break
        seen.append((plan, mine))


def _equal_names_help(c: Compiler, plan: ArmPlan) -> str:
    """Return help for two arms whose options can have the same name."""
    other = '`option "..."` with other words, and the steps below it'
    rule = c.model.rules.get(plan.name)
    if rule is None or plan.named is not None or len(plan.parts) == len(rule.params):
        return f"write {other}"
    name = f"{rule.name}({', '.join(param.name for param in rule.params)})"
    return f"write `named {name}` after `{rule.what} {rule.name}(...)`, or {other}"


def _may_be_equal(one: Type, other: Type) -> bool:
    if isinstance(one, types.Number) and isinstance(other, types.Number):
        return one.low <= other.high and other.low <= one.high
    return overlaps(one, other)


def _has_computed(plan: ArmPlan) -> bool:
    named = plan.named
    return named is not None and any(chosen_index(plan, each) is None for each in named.arguments)


def _check_has_all(c: Compiler, plan: ArmPlan) -> None:
    """Report an error if the name of the options does not mention one of the chosen things."""
    if plan.named is None:
        return
    spoken = {part.name for part in walk(plan.named.arguments) if isinstance(part, syntax.Word)}
    for part in plan.parts:
        if part.name not in spoken:
            inside = ", ".join([*(each.span.text for each in plan.named.arguments), part.name])
            c.problems.error(
                CODE,
                f"options that differ only in `{part.name}` all have the name `{plan.word}`",
                plan.named.span,
                help=write(f"named {plan.word}({inside})"),
            )


def may_repeat_names(plan: ArmPlan, plans: Sequence[ArmPlan]) -> bool:
    """Return whether options of this arm may have equal names in a way that only a match can reveal."""
    same = [other for other in plans if other is not plan and other.word == plan.word]
    if any(_has_computed(one) for one in (plan, *same)) and same:
        return True
    return plan.named is not None and not {*range(len(plan.types))} <= {*argument_indexes(plan)}


def note_name(c: Compiler, plan: ArmPlan, met: int, codes: Sequence[Expr]) -> Stmts:
    """Return steps that add the name of an option to a list. If the list already contains the name,
    a fault ends the match.
    """
    span = plan.named.span if plan.named is not None else plan.span
    fault = c.fault(CODE, f"two options of one decision have the name `{plan.word}`", span)
    given = codes or (ZERO,)
    test = ir.CallValue(_has_met(c, len(given)), (ir.Local(met), *given))
    return [ir.If(test, (ir.Fault(fault),)), *(ir.Append(met, code) for code in given)]


def _has_met(c: Compiler, count: int) -> int:
    """Return the number of the procedure that tests whether a list of groups of `count` numbers
    contains a given group.
    """

    wanted = ", ".join(f"x{n}" for n in range(count))
    same = " and ".join(f"met[at + {n}] == x{n}" for n in range(count))
    return text_routine(
        c,
        f"has met {count}",
        f"""
        def has_met(met, {wanted}):
            at = 0
            while at < len(met):
                if {same}: return 1
                at += {count}
            return 0
        """,
    )


def check_name(env: Env, rule: declared.Rule) -> None:
    """Report errors in the arguments of the name that an action gives to its options."""
    named = rule.named
    if named is None:
        return
    if named.name == rule.name:
        env.c.model.refers_to_rule(named.name_span, rule.name)
    for argument in named.arguments:
        value_of(env, argument)
