"""Compiles the values that are computed from a state: the score, the winners, the invariants and
the values shown to people.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial

from rulewright.dsl import ir
from rulewright.dsl.diagnostics.diagnostics import Label
from rulewright.dsl.diagnostics.source import Span
from rulewright.dsl.lowering.analysis.bodies import PLACED
from rulewright.dsl.lowering.emit import recursion
from rulewright.dsl.lowering.emit.code import ONE, ZERO, Expr, binary, choice
from rulewright.dsl.lowering.emit.core import Compiler, Procedure, Rules, Typed, new_env
from rulewright.dsl.lowering.emit.paths import clause_ids
from rulewright.dsl.lowering.emit.printed import printed_value
from rulewright.dsl.lowering.emit.routines import Inline, Numbers, TextWriter, routine
from rulewright.dsl.lowering.values import expressions, places
from rulewright.dsl.lowering.values.arithmetic import arithmetic
from rulewright.dsl.lowering.values.queries import ahead_test, for_each_key
from rulewright.dsl.model import types
from rulewright.dsl.model.types import PLAYER, Type, describe, whole
from rulewright.dsl.text.names import as_name
from rulewright.dsl.tree import declared, syntax


def score_of(rules: Rules) -> list[ir.ScoreItem]:
    """Return the items of the score."""
    c = rules.c
    items: list[ir.ScoreItem] = []
    of_items: list[Type] = []
    spans: dict[int, Span] = {}
    known: dict[str, Span] = {}
    for score in c.model.scores:
        for item in score.items:
            if not c.model.is_on(item.only_if):
                continue
            first = known.setdefault(as_name(item.text), item.span)
            if first is not item.span:
                c.problems.error(
                    "duplicate-name",
                    f"two items of the score are called `{item.text}`",
                    item.span,
                    labels=(Label(first, "the other one"),),
                    help="reword one of them",
                )
            procedure = Procedure(item.text, suspending=False)
            env = new_env(c, procedure)
            env.declare(score.name, PLAYER, score.name_span)
            index = c.score_item(as_name(item.text))
            if index is None or first is not item.span:
                index = c.reserve_plain()
            points = expressions.number(env, item.value)
            c.put_plain(index, procedure, 1, [ir.Return(points.code)], item.span)
            of_items.append(points.type)
            spans[index] = item.span
            is_open = _is_open(rules, item.value)
            items.append(ir.ScoreItem(item.text, index, clause_ids(item.tags), is_open))
            c.mark("score", item.text, item.tags, item.span, score.tags)
    total = Typed(whole(0, 0), ZERO)
    for found, of in zip(items, of_items, strict=True):
        of_item = Typed(of, ir.CallValue(found.procedure, (ir.Local(0),)))
        total = arithmetic(c, "+", total, of_item, spans[found.procedure])
    procedure = Procedure("total", suspending=False)
    procedure.slot()
    c.put_plain(c.total, procedure, 1, [ir.Return(total.code)])
    return items


def _is_open(rules: Rules, value: syntax.Expression) -> bool:
    """Return whether all players see everything that a value reads."""
    names = rules.a.reads(value)
    if PLACED in names:  # the value reads the place of pieces, and this may be any place
        return False
    return all(each.seen == "all" for each in rules.c.layout.groups if each.name in names)


def winners_of(c: Compiler) -> tuple[int, list[ir.WinnerKey]]:
    """Return the procedure that finds the winners. These are the players named by `win` or, if
    there are none, by the winner line.

    If the winner line has several keys, also return the keys, so that the decisive key can be
    shown.
    """
    keys: list[ir.WinnerKey] = []
    index = c.reserve_plain()
    procedure = Procedure("winners", suspending=False)
    text, seats = TextWriter(c, procedure), len(c.model.seats)
    with_sides = Inline(partial(_with_side, c))
    body = text.steps(
        """
        out = []
        for p in range(seats):
            if won[p]: out.append(p)
        if len(out) > 0: return with_sides(out)
        """,
        seats=seats,
        with_sides=with_sides,
    )
    for winner in c.model.winners[:1]:
        c.mark("winner", "winner", winner.tags, winner.span)
        variable = new_env(c, procedure).declare(winner.name, PLAYER, winner.name_span)
        keys += [_key(c, winner, key) for key in winner.keys]
        best = f"""
            {for_each_key(winner.keys, "best{0} = 0")}
            for who in range(seats):
                if in_play[who]:
                    {for_each_key(winner.keys, "now{0} = key{0}(who)")}
                    if len(out) == 0 or {ahead_test(winner.keys, "now{}", "best{}")}:
                        out = []
                        out.append(who)
                        {for_each_key(winner.keys, "best{0} = now{0}")}
                    elif {" and ".join(f"now{n} == best{n}" for n, _ in enumerate(winner.keys))}:
                        out.append(who)
            if not shared and is_tied(out): return ()
        """
        body += text.steps(
            best,
            seats=seats,
            who=variable.read(),
            shared=int(winner.shared),
            is_tied=Inline(partial(_is_tied, c)),
            **{f"key{n}": key.procedure for n, key in enumerate(keys)},
        )
    body += text.steps("return with_sides(out)", with_sides=with_sides)
    c.put_plain(index, procedure, 0, body)
    return index, keys if len(keys) > 1 else []


def _key(c: Compiler, winner: declared.Winner, key: syntax.Key) -> ir.WinnerKey:
    """Return a key of the winner line, together with the procedure that computes the key for a player."""
    at = new_env(c, Procedure("key", suspending=False))
    at.declare(winner.name, PLAYER, None)
    typed = recursion.expression(at, key.value)
    typed = places.tokens_as_number(at, typed, key.value)
    if typed.type.known and not isinstance(typed.type, (types.Number, types.Flag)):
        c.problems.error(
            "wrong-type",
            f"the winner is found by numbers, but this is {describe(typed.type)}",
            key.value.span,
            help="write a number of p, such as `p.total`",
        )
    is_flag = isinstance(typed.type, types.Flag)
    points = choice(typed.code, ONE, ZERO) if is_flag else typed.code
    number = c.reserve_plain()
    c.put_plain(number, at.procedure, 1, [ir.Return(points)], key.value.span)
    return ir.WinnerKey(_in_words(winner, key), number, key.lowest, is_flag)


def _in_words(winner: declared.Winner, key: syntax.Key) -> str:
    """Return the words that show a key to players, such as `debt` for `p.debt`."""
    value = key.value
    if isinstance(value, syntax.Dot) and value.name == "item" and value.arguments:
        return value.arguments[0].span.text.replace("_", " ")
    own = re.sub(rf"\b{winner.name}\s*\.\s*", "", key.value.span.text)
    return " ".join(own.replace("_", " ").split())


def _with_side(c: Compiler, winners: Expr) -> Expr:
    """Return code that lists the winners together with all other players on their sides."""
    if not c.model.sides:
        return winners
    side = c.table(c.model.sides)
    helper = routine(c, "with their sides", seats=len(c.model.sides), side=Numbers(side))
    return ir.CallValue(helper, (winners,))


def _is_tied(c: Compiler, winners: Expr) -> Expr:
    """Return code that tests whether players of different sides share a victory."""
    if not c.model.sides:
        return binary(">", ir.Length(winners), ONE)
    side = c.table(c.model.sides)
    helper = routine(c, "of several sides", side=Numbers(side))
    return ir.CallValue(helper, (winners,))


def invariants_of(
    c: Compiler, numbered: Sequence[tuple[int, declared.Invariant]]
) -> list[tuple[str, int]]:
    """Return the invariants that a match may break, each together with its text and its procedure.

    All other invariants read only printed values, and are checked immediately.
    """
    found: list[tuple[str, int]] = []
    for number, invariant in numbered:
        procedure = Procedure(invariant.text, suspending=False)
        env = new_env(c, procedure)
        index = c.reserve_plain()
        with c.part(f"invariant {number}"):
            code = expressions.condition(env, invariant.value).code
            c.put_plain(index, procedure, 0, [ir.Return(choice(code, ONE, ZERO))], invariant.span)
            holds = printed_value(c, index)
            if holds == 0:
                _report_broken(c, invariant)
        if holds is None:
            found.append((invariant.text, index))
    return found


def _report_broken(c: Compiler, invariant: declared.Invariant) -> None:
    notes = []
    if isinstance(invariant.value, syntax.Binary):
        for side in (invariant.value.left, invariant.value.right):
            found = _printed_value(c, side)
            if found is not None and not isinstance(side, syntax.Number):
                notes.append(f"`{side.span.text}` is {found}")
    c.problems.error(
        "invariant-broken",
        f"the invariant `{invariant.text}` does not hold",
        invariant.span,
        notes=tuple(notes),
        help="fix the table, or the invariant",
    )


def _printed_value(c: Compiler, e: syntax.Expression) -> int | None:
    """Return the value of an expression if it is known before the game starts; None otherwise."""
    procedure = Procedure("printed", suspending=False)
    index = c.reserve_plain()
    typed = recursion.expression(new_env(c, procedure), e)
    code = typed.code if isinstance(typed.type, types.Number) else ZERO
    c.put_plain(index, procedure, 0, [ir.Return(code)], e.span)
    if not isinstance(typed.type, types.Number):
        return None
    found = printed_value(c, index)
    return found if isinstance(found, int) else None
