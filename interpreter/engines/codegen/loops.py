"""Writes Python code for loops. Values that do not depend on the state are listed once, and cached."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol, TypeAlias

from rulewright.dsl import ir
from rulewright.interpreter.engines.analysis.procedures import (
    TIMED,
    For,
    locals_in,
    replace_slots,
    slots,
    walk,
)
from rulewright.interpreter.engines.codegen.cleanup import function, leaves_by, without_leaving
from rulewright.interpreter.engines.codegen.expressions import ONE, ZERO, Writer
from rulewright.interpreter.engines.codegen.hoisting import numbers_in, put_off
from rulewright.interpreter.engines.codegen.scopes import Host

SHORT = 8  # the maximum length of a range that is written as a tuple, or of a loop that is unrolled

Test: TypeAlias = tuple[ir.Expr, bool]
"""A condition, and whether it is negated."""


class Chosen(NamedTuple):
    """The code that lists the values of a loop, and the statements to run for each value."""

    text: str
    body: Sequence[ir.Stmt]


class Around(Protocol):
    """The attributes and methods of the statement writer that loops need."""

    w: Writer
    filters: bool
    stable: set[int]
    copies: int

    def is_read_within(self, slot: int, body: tuple[ir.Stmt, ...]) -> bool:
        """Return whether all reads of a local are within the given statements of the procedure."""
        ...

    def body(self, statements: Sequence[ir.Stmt]) -> bool:
        """Write statements. Return whether the end of the statements can be reached."""
        ...

    def suite(self, statements: Sequence[ir.Stmt]) -> bool:
        """Write statements, indented by one step. Return whether the end of the statements can be reached."""
        ...

    def another(self, writer: Writer) -> Around:
        """Return a writer of statements for another function."""
        ...

    def all_lines(self, parameters: int) -> list[str]:
        """Return the lines of the function."""
        ...


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
        _write_turns(s, loop, Chosen(values_of(w, loop), loop.body))
        return True
    before = len(w.available)
    put_off(w, loop)
    chosen = chosen_values(s, loop, flat) or Chosen(values_of(w, loop), loop.body)
    _write_turns(s, loop, chosen)
    del w.available[before:]
    return True


def _write_turns(s: Around, loop: For, chosen: Chosen) -> None:
    w = s.w
    w.scope.before_loop([ir.SetLocal(loop.slot, ZERO), *walk(tuple(chosen.body))])
    known = w.scope.save()
    w.loops += 1
    target = w.scope.target(loop.slot)
    w.line(f"for {target} in {chosen.text}:")
    if isinstance(w.scope, Host) and loop.slot in w.scope.growing:
        w.line(f" {target} = [*{target}]")
    s.suite(chosen.body)
    w.loops -= 1
    w.scope.restore(known)
    w.scope.after_loop()


def chosen_values(s: Around, loop: For, flat: tuple[ir.Stmt, ...] | None) -> Chosen | None:
    """Return the values for which the body of a loop has an effect, and the statements to run for those values.

    If these values cannot be found before the loop, return None.
    """
    if flat is None or not s.is_read_within(loop.slot, loop.body):
        return None
    tests: list[Test] = []
    match flat:
        case (ir.If(condition, then, ()),):
            tests = tests_of(condition, False)
        case (ir.If(condition, (), then),):
            tests = tests_of(condition, True)
        case _:
            then = flat
    if not s.filters:
        return None
    return _kept_values(s, loop, tests, then)


def with_tests(tests: list[Test], then: Sequence[ir.Stmt]) -> Sequence[ir.Stmt]:
    """Return statements that run `then` if all conditions are true."""
    if not tests:
        return then
    left, *others = [ir.Not(test) if negated else test for test, negated in tests]
    for other in others:
        left = ir.And(left, other)
    return (ir.If(left, tuple(then)),)


def tests_of(condition: ir.Expr, negate: bool) -> list[Test]:
    """Split a condition into the conditions that must all be true, in order. With `negate`, split
    the negated condition."""
    match condition:
        case ir.Not(operand):
            return tests_of(operand, not negate)
        case ir.And(left, right) if not negate:
            return tests_of(left, negate) + tests_of(right, negate)
        case ir.Or(left, right) if negate:
            return tests_of(left, negate) + tests_of(right, negate)
        case _:
            return [(condition, negate)]


def _kept_values(s: Around, loop: For, tests: list[Test], then: Sequence[ir.Stmt]) -> Chosen | None:
    """Return the values that pass the first tests. They are cached, and the locals are the keys.

    Only expressions that do not depend on the state and cannot fail are computed in advance.
    """
    w = s.w
    edges: tuple[ir.Expr, ...]
    edges = (loop.low, loop.high) if isinstance(loop, ir.ForRange) else (loop.of,)
    if not is_timeless(w, edges):
        return None
    count = 0
    while count < len(tests) and is_timeless(w, tests[count][0]):
        count += 1
    passed = [ir.Not(test) if negated else test for test, negated in tests[:count]]
    free = locals_in((*edges, *passed)) - {loop.slot}
    body = tuple(with_tests(tests[count:], then))
    # All locals must be numbers, because they are keys of the cache.
    if not passed or not numbers_in((*edges, *passed)) >= free or loop.slot in locals_in(edges):
        return None
    stable = s.stable if isinstance(w.scope, Host) else set[int]()
    order = sorted(free, key=lambda slot: (slot not in stable, slot))
    size = len(order)
    mapping = {slot: place for place, slot in enumerate(order)} | {loop.slot: size}
    keys = [f"[{w.scope.look(slot).text}]" for slot in order] or ["[0]"]
    first = sum(slot in stable for slot in order[:-1]) if w.loops else 0
    edges = tuple(replace_slots(edge, mapping) for edge in edges)
    passed = [replace_slots(test, mapping) for test in passed]
    inner: tuple[ir.Stmt, ...] = (ir.Append(size + 1, ir.Local(size)),)
    for test in reversed(passed):
        inner = (ir.If(test, inner),)
    turns: For
    if isinstance(loop, ir.ForRange):
        turns = ir.ForRange(size, edges[0], edges[1], inner)
    else:
        turns = ir.ForEach(size, edges[0], inner)
    lines = (ir.SetLocal(size + 1, ir.MakeList(())), turns, ir.Return(ir.Local(size + 1)))
    name = w.shared.memo(lines, size, lambda name: _memo_function(s, name, size, lines))
    if first:
        name = w.at_first(f"{name}{''.join(keys[:first])}")
    return Chosen(f"{name}{''.join(keys[first:])}", body)


def _memo_function(s: Around, name: str, size: int, whole: tuple[ir.Stmt, ...]) -> str:
    scope = Host(set(range(size)), frozenset({size + 1}))
    inner = s.another(Writer(s.w.knowledge, s.w.flags, s.w.shared, scope))
    inner.body(whole)
    parameters = ", ".join(["S", *(f"v{slot}" for slot in range(size))])
    return function(f"{name}({parameters})", inner.all_lines(size))


def is_timeless(w: Writer, node: object) -> bool:
    """Return whether an expression does not depend on the state and cannot fail."""
    return not any(
        isinstance(part, TIMED)
        or (isinstance(part, ir.CallValue) and w.knowledge.reaches(part.procedure, *TIMED))
        for part in walk(node)
    ) and not w.matters(node)


def few_values(s: Around, loop: For) -> list[int] | None:
    """Return the values of a loop if they are known and few, otherwise None."""
    values = known_values(s.w, loop)
    if values is None or len(values) > SHORT:
        return None
    numbers = [value for value in values if isinstance(value, int)]
    return numbers if len(numbers) == len(values) else None


def is_short(s: Around, values: list[int], flat: tuple[ir.Stmt, ...]) -> bool:
    """Return whether to unroll a loop. If so, deduct the size of the copies from the budget."""
    if len(values) <= 1:
        return True
    size = len(values) * sum(1 for _ in walk(flat))
    if not isinstance(s.w.scope, Host) or size > s.copies:
        return False
    s.copies -= size
    return True


def known_values(w: Writer, loop: For) -> range | tuple[object, ...] | None:
    """Return the values of a loop if they are known, otherwise None."""
    if isinstance(loop, ir.ForEach):
        return (
            loop.of.value
            if isinstance(loop.of, ir.Const) and isinstance(loop.of.value, tuple)
            else None
        )
    low, high = w.value(loop.low).const, w.value(loop.high).const
    if isinstance(low, int) and isinstance(high, int):
        return range(low, high + 1)
    return None


def values_of(w: Writer, loop: For) -> str:
    """Return the code that lists the values of a loop."""
    if isinstance(loop, ir.ForEach):
        code = w.look(loop.of)
        if isinstance(loop.of, ir.Local) and loop.of.slot in slots(walk(loop.body))[1]:
            return f"tuple({code.text})"
        return code.text
    low = w.value(loop.low)
    match loop.high:
        case ir.Binary("-", stop, ir.Const(1)) | ir.Binary("+", ir.Const(-1), stop):
            end = w.value(stop)
        case _:
            end = w.binary("+", loop.high, ONE)
    if isinstance(low.const, int) and isinstance(end.const, int):
        values = range(low.const, end.const)
        if len(values) <= SHORT:
            return repr(tuple(values))
        return w.shared.constant("K", values, lambda: tuple(values))
    return f"range({end.text})" if low.const == 0 else f"range({low.text}, {end.text})"
