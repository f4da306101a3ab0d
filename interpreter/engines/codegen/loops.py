"""Writes Python code for loops, and code that can run before loops or replace them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from rulewright.dsl import ir
from rulewright.interpreter.engines.analysis.procedures import (
    For,
    walk,
)
from rulewright.interpreter.engines.codegen.cleanup import (
    HELD,
    leaves_by,
    without_leaving,
    without_unused,
)
from rulewright.interpreter.engines.codegen.code import Code
from rulewright.interpreter.engines.codegen.expressions import ZERO, Writer
from rulewright.interpreter.engines.codegen.hoisting import (
    put_off,
    reused_expressions,
    work_out_early,
)
from rulewright.interpreter.engines.codegen.iteration import (
    Around,
    Cells,
    Chosen,
    Test,
    chosen_values,
    few_values,
    is_short,
    values_of,
)
from rulewright.interpreter.engines.codegen.scopes import Available, Host
from rulewright.interpreter.engines.codegen.table_loops import question_of, write_rows

WORTH: Final = 3
"""The number of iterations that must use an invariant expression before the loop computes it in advance."""


def write_while(s: Around, loop: ir.While) -> None:
    """Write a loop with a condition."""
    w = s.w
    w.shared.loops |= loop.counted
    w.scope.before_loop([*walk(loop.condition), *walk(loop.body)])
    known = w.scope.save()
    w.line("for _ in turns:" if loop.counted else "while 1:")
    w.loops += 1
    w.margin += " "
    stop = w.condition(loop.condition, negate=True)
    if stop.const is None:
        w.line(f"if {stop.text}: break")
    elif stop.const:
        w.line("break")
    w.margin = w.margin[:-1]
    s.suite(loop.body)
    w.loops -= 1
    if loop.counted:
        place = w.shared.constant("W", loop.span, lambda: loop.span)
        w.line(f"else: raise no_progress({place})")
    w.scope.restore(known)
    w.scope.after_loop()


def write_for(s: Around, loop: For) -> bool:
    """Write a loop over values. Return whether the end of the loop can be reached."""
    values = few_values(s, loop)
    flat = without_leaving(loop.body)
    if (values is None or len(values) > 1) and leaves_by(loop.body, ir.Break):
        flat = None
    w = s.w
    if values is not None and flat is not None and is_short(s, values, flat):
        before = len(w.available)
        is_whole = s.variant != "any" and not leaves_by(loop.body, ir.Return)
        if is_whole and len(values) >= WORTH and isinstance(w.scope, Host):
            work_out_early(w, loop)
        goes_on = all(s.body((ir.SetLocal(loop.slot, ir.Const(value)), *flat)) for value in values)
        del w.available[before:]
        return goes_on
    if not isinstance(w.scope, Host):
        _write_turns(s, loop, _all_values(w, loop))
        return True
    if write_rows(s, loop, flat):
        return True
    before = len(w.available)
    put_off(w, loop)
    if s.variant != "any":  # the loop stops at the first iteration that offers something
        work_out_early(w, loop)
    chosen = chosen_values(s, loop, flat) or _all_values(w, loop)
    _write_turns(s, loop, chosen)
    del w.available[before:]
    return True


def _all_values(w: Writer, loop: For) -> Chosen:
    text = values_of(w, loop)
    return Chosen(lambda _: text, loop.body)


def _write_turns(s: Around, loop: For, chosen: Chosen) -> None:
    w = s.w
    body = tuple(chosen.body)
    if isinstance(w.scope, Host) and s.variant != "any" and not w.flags.counts:
        again = w.knowledge.inline_calls(body)
        if reused_expressions(w, again):
            body = again
    w.scope.before_loop([ir.SetLocal(loop.slot, ZERO), *walk(body)])
    known = w.scope.save()
    w.loops += 1
    target = w.scope.target(loop.slot)
    names = [w.early() for _ in chosen.columns]
    head = len(w.lines)
    w.line("for")
    if isinstance(w.scope, Host) and loop.slot in w.scope.growing:
        w.line(f" {target} = [*{target}]")
    before = len(w.available)
    for expression, name in zip(chosen.columns, names, strict=True):
        w.available.append(Available(w.scope, expression, Code(name), Code(name)))
    if isinstance(w.scope, Host) and s.variant != "any":
        for expression in reused_expressions(w, body):
            name = w.early()
            w.line(f" {name} = {w.text(expression)}")
            w.available.append(Available(w.scope, expression, Code(name), Code(name)))
    s.suite(body)
    met = {name for line in (*w.lines[head + 1 :], *s.inner) for name in HELD.findall(line)}
    names.insert(0, target)
    wanted = [place for place, name in enumerate(names) if name in met] if chosen.columns else [0]
    wanted = wanted or [0]
    shown = ", ".join(names[place] for place in wanted)
    if not (chosen.cells and _write_side_by_side(w, head, target, chosen.cells)):
        w.lines[head] = f"{w.margin}for {shown} in {chosen.text(wanted)}:"
    del w.available[before:]
    w.loops -= 1
    w.scope.restore(known)
    w.scope.after_loop()


def _write_side_by_side(w: Writer, head: int, target: str, cells: Cells) -> bool:
    """Write a loop over cells and, in parallel, over the cached lists for their values, if these have no other use.

    Returns whether the loop was written.
    """
    inner, *others = without_unused(w.lines[head + 1 :], "w")
    found = re.fullmatch(rf" *(for .* in )(\w+)\[{target}\]:", inner)
    if found is None or any(target in HELD.findall(line) for line in others):
        return False
    lists = w.loaded.get(found[2], found[2])
    if not lists.startswith("Mf"):
        return False
    rows = w.at_first(f"{lists}.rows({cells.values.start}, {cells.values.stop})")
    cell, row = w.early(), w.early()
    w.lines[head:] = [
        f"{w.margin}for {cell}, {row} in zip({cells.text}, {rows}):",
        f"{w.margin} if {cell} {cells.test}:",
        f"{w.margin}  {found[1]}{row}:",
        *(f" {line}" for line in others),
    ]
    return True


# ---- loops that answer a question --------------------------------------------------------------------


def write_question(s: Around, statement: ir.If) -> bool | None:
    """If the condition of an `if` is a procedure that searches for an item, write the `if` as a loop over the items.

    Returns whether the end of the `if` can be reached, or None if the `if` cannot be written as a
    loop.
    """
    condition, negate = statement.condition, False
    while isinstance(condition, ir.Not):
        condition, negate = condition.operand, not negate
    if not isinstance(condition, ir.CallValue) or not isinstance(s.w.scope, Host):
        return None
    w = s.w
    if w.knowledge.is_timeless(condition.procedure, w.flags.counts) or w.pinned:
        return None
    question = question_of(w.knowledge, condition.procedure)
    if question is None:
        return None
    then, rest = statement.then, statement.otherwise
    if question.found != negate:
        then, rest = rest, then
    # Here `rest` runs if an item is found, and `then` if none is found.
    if rest and not _can_stand_in_a_loop(rest):
        return None
    return _write_search(s, condition, question.loop, (question.test, question.fail), then, rest)


def _can_stand_in_a_loop(body: Sequence[ir.Stmt]) -> bool:
    """Return whether statements never run past the last of them, and leave no loop."""
    ends = bool(body) and isinstance(body[-1], (ir.Return, ir.Fail, ir.Fault))
    leaves = any(isinstance(node, (ir.Break, ir.Continue)) for node in walk(tuple(body)))
    return ends and not leaves


def _write_search(
    s: Around,
    call: ir.CallValue,
    loop: For,
    test: Test,
    then: Sequence[ir.Stmt],
    rest: Sequence[ir.Stmt],
) -> bool:
    w, outer = s.w, s.w.scope
    mark = w.mark()
    scope = Host(set(range(len(call.arguments))), mark=mark)
    for place, argument in enumerate(call.arguments):
        code = w.argument(call.procedure, place, argument)
        if code.is_simple or code.const is not None:
            scope.constants[place] = code
        else:
            w.line(f"v{place}{mark} = {code.text}")
    w.scope = scope
    before = len(w.available)
    work_out_early(w, loop)
    text = values_of(w, loop)
    w.line(f"for {scope.target(loop.slot)} in {text}:")
    w.loops += 1
    w.margin += " "
    s.nesting += 1
    w.line(f"if {w.condition(*test).text}:")
    w.scope = outer
    del w.available[before:]
    known = outer.save()
    if not rest or s.suite(rest):
        w.line(" break")
    w.margin = w.margin[:-1]
    w.loops -= 1
    s.nesting -= 1
    outer.restore(known)
    if not then:
        return True
    w.line("else:")
    reached = s.suite(then)
    if rest:
        return reached
    arms = [(known, len(w.lines))]
    if reached:
        arms.append((outer.save(), len(w.lines)))
    outer.join(arms)
    return True
