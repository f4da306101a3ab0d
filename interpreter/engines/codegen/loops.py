"""Writes Python code for loops, and code that can run before loops or replace them."""

from __future__ import annotations

from rulewright.dsl import ir
from rulewright.interpreter.engines.analysis.procedures import (
    For,
    walk,
)
from rulewright.interpreter.engines.codegen.cleanup import (
    HELD,
    leaves_by,
    without_leaving,
)
from rulewright.interpreter.engines.codegen.code import Code
from rulewright.interpreter.engines.codegen.expressions import ZERO, Writer
from rulewright.interpreter.engines.codegen.hoisting import (
    put_off,
)
from rulewright.interpreter.engines.codegen.iteration import (
    Around,
    Chosen,
    chosen_values,
    few_values,
    is_short,
    values_of,
)
from rulewright.interpreter.engines.codegen.scopes import Available, Host


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
        return all(s.body((ir.SetLocal(loop.slot, ir.Const(value)), *flat)) for value in values)
    if not isinstance(w.scope, Host):
        _write_turns(s, loop, _all_values(w, loop))
        return True
    before = len(w.available)
    put_off(w, loop)
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
        w.available.append(Available(w.scope, expression, Code(name)))
    s.suite(body)
    met = {name for line in (*w.lines[head + 1 :], *s.inner) for name in HELD.findall(line)}
    names.insert(0, target)
    wanted = [place for place, name in enumerate(names) if name in met] if chosen.columns else [0]
    wanted = wanted or [0]
    shown = ", ".join(names[place] for place in wanted)
    w.lines[head] = f"{w.margin}for {shown} in {chosen.text(wanted)}:"
    del w.available[before:]
    w.loops -= 1
    w.scope.restore(known)
    w.scope.after_loop()
