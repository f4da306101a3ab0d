"""Python text for loops, and for what can be done before them or instead of them.

Refuses to know what the statements in loops do.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Sequence
from typing import Protocol, TypeAlias

from attrs import frozen

from rulewright.dsl import ir
from rulewright.interpreter.engines.codegen.code import ADD, COMPARED, Code
from rulewright.interpreter.engines.codegen.expressions import NEGATED, ONE, ZERO, Writer
from rulewright.interpreter.engines.codegen.knowledge import (
    NUMBERS,
    PARTS,
    TIMED,
    renamed,
    slots,
    walk,
)
from rulewright.interpreter.engines.codegen.scopes import Available, Host
from rulewright.interpreter.engines.codegen.tidy import (
    HELD,
    function,
    leaves_by,
    without_leaving,
    without_unused,
)

SHORT = 8  # a range that is written as a tuple, a loop that may be written out
COLUMNS = 3  # expressions whose values are kept beside the values of a loop
LONG = 12  # cells that are looked through at once
WORTHY = (ir.Table, ir.Choice, ir.Binary, ir.CallValue, ir.Load)
"""What may be worth working out before a loop."""
LOOKS = {"==": "equal", "!=": "unequal", "<": "less", "<=": "up_to", ">": "more", ">=": "from_up"}
"""Functions that give the places of cells that compare so with a number."""
LOWEST = "[::4]" if sys.byteorder == "little" else "[3::4]"
"""Of the bytes of cells the lowest of each."""

For: TypeAlias = ir.ForRange | ir.ForEach
Test: TypeAlias = tuple[ir.Expr, bool]
"""A condition, and whether it is negated."""


class Around(Protocol):
    """The statements that a loop stands among, as far as a loop has to do with them."""

    w: Writer
    inner: list[str]
    filters: bool
    nesting: int
    stable: set[int]
    copies: int

    @property
    def variant(self) -> str:
        """What is made of an enumerator."""

    def is_read_within(self, slot: int, body: tuple[ir.Stmt, ...]) -> bool:
        """Whether a local is read nowhere but within some statements of the procedure."""

    def body(self, statements: Sequence[ir.Stmt]) -> bool:
        """Write statements; whether their end can be reached."""

    def suite(self, statements: Sequence[ir.Stmt]) -> bool:
        """Write statements one step further in; whether their end can be reached."""

    def another(self, writer: Writer) -> Around:
        """The same for another function."""

    def all_lines(self, parameters: int) -> list[str]:
        """The lines of the function."""


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
    """Write a loop over values; whether its end can be reached."""
    values = _few_values(s, loop)
    flat = without_leaving(loop.body)
    if (values is None or len(values) > 1) and leaves_by(loop.body, ir.Break):
        flat = None
    if values is not None and flat is not None and _is_short(s, values, flat):
        return all(s.body((ir.SetLocal(loop.slot, ir.Const(value)), *flat)) for value in values)
    w = s.w
    if not isinstance(w.scope, Host):
        _write_turns(s, loop, _all_values(w, loop))
        return True
    before = len(w.available)
    _put_off(w, loop)
    if s.variant != "any":  # which stops at the first turn that offers something
        _work_out_early(w, loop)
    chosen = _chosen_values(s, loop, flat) or _all_values(w, loop)
    _write_turns(s, loop, chosen)
    del w.available[before:]
    return True


@frozen
class Chosen:
    """The text of what is gone through, and what is done for each.

    With `columns`, there are the values of some expressions beside each value. The text is asked for
    when it is known which of the value and the columns are wanted, by their places."""

    text: Callable[[Sequence[int]], str]
    body: Sequence[ir.Stmt]
    columns: tuple[ir.Expr, ...] = ()
    cells: Cells | None = None
    """The cells beside the values, one of which passes where a value is gone through."""


@frozen
class Cells:
    """Cells that are looked through: their text, for which values, and the test that is passed."""

    text: str
    values: range
    test: str


def _all_values(w: Writer, loop: For) -> Chosen:
    text = _values(w, loop)
    return Chosen(lambda _: text, loop.body)


def _write_turns(s: Around, loop: For, chosen: Chosen) -> None:
    w = s.w
    body = tuple(chosen.body)
    if isinstance(w.scope, Host) and s.variant != "any" and not w.flags.counts:
        again = w.knowledge.expanded(body)
        if _asked_again(w, again):
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
        for expression in _asked_again(w, body):
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
    """Go through cells and the kept lists for their values, if nothing else is done with these."""
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


def _asked_again(w: Writer, body: tuple[ir.Stmt, ...]) -> list[ir.Expr]:
    """What is surely worked out first in a turn, stays the same in it, and is wanted again."""
    match body[0] if body else None:
        case ir.If(first, _, _) | ir.SetLocal(_, first) | ir.Offer(first) | ir.Append(_, first):
            pass
        case _:
            return []
    changed = slots(walk(body))[1]
    nodes = list(walk(body))
    found: list[ir.Expr] = []
    todo: list[object] = [first]
    while todo:
        node = todo.pop(0)
        again = (
            isinstance(node, (ir.Load, ir.Table, ir.At))
            and not w.is_available(node)
            and sum(type(other) is type(node) and other == node for other in nodes) > 1
            and not w.matters(node)
            and not any(
                (isinstance(part, ir.Local) and part.slot in changed)
                or (isinstance(part, (ir.Load, ir.CallValue)) and not w.pure)
                for part in walk(node)
            )
        )
        if again and isinstance(node, (ir.Load, ir.Table, ir.At)):
            if node not in found and not _is_constant_cell(node):
                found.append(node)
            continue
        match node:
            case ir.And(left, _) | ir.Or(left, _) | ir.Choice(left, _, _):
                todo.append(left)
            case tuple():
                todo.extend(node)
            case _:
                todo.extend(getattr(node, name) for name in PARTS.get(type(node), ()))
    return found


def _is_constant_cell(node: ir.Expr) -> bool:
    return isinstance(node, ir.Load) and isinstance(node.address, ir.Const)


# ---- what is gone through ----------------------------------------------------------------------------


def _values(w: Writer, loop: For) -> str:
    """The text of the values of a loop."""
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


def _known_values(w: Writer, loop: For) -> range | tuple[object, ...] | None:
    """The values of a loop, where they are known."""
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


def _few_values(s: Around, loop: For) -> list[int] | None:
    """The values of a loop, where they are known, and few numbers."""
    values = _known_values(s.w, loop)
    if values is None or len(values) > SHORT:
        return None
    numbers = [value for value in values if isinstance(value, int)]
    return numbers if len(numbers) == len(values) else None


def _is_short(s: Around, values: list[int], flat: tuple[ir.Stmt, ...]) -> bool:
    """Whether a loop is written out."""
    if len(values) <= 1:
        return True
    size = len(values) * sum(1 for _ in walk(flat))
    if not isinstance(s.w.scope, Host) or size > s.copies:
        return False
    s.copies -= size
    return True


# ---- what is left out beforehand ---------------------------------------------------------------------


def _chosen_values(s: Around, loop: For, flat: tuple[ir.Stmt, ...] | None) -> Chosen | None:
    """The values for which a loop does something, and what, where that can be said beforehand."""
    if flat is None or not s.is_read_within(loop.slot, loop.body):
        return None
    tests: list[Test] = []
    match flat:
        case (ir.If(condition, then, ()),):
            tests = _tests(condition, False)
        case (ir.If(condition, (), then),):
            tests = _tests(condition, True)
        case _:
            then = flat
    if not s.filters:
        return None
    return _looked_through(s, loop, tests, then) or _kept_values(s, loop, tests, then)


def _with_tests(tests: list[Test], then: Sequence[ir.Stmt]) -> Sequence[ir.Stmt]:
    """Do something if all conditions hold."""
    if not tests:
        return then
    left, *others = [ir.Not(test) if negated else test for test, negated in tests]
    for other in others:
        left = ir.And(left, other)
    return (ir.If(left, tuple(then)),)


def _tests(condition: ir.Expr, negate: bool) -> list[Test]:
    """The conditions that must all hold, in their order."""
    match condition:
        case ir.Not(operand):
            return _tests(operand, not negate)
        case ir.And(left, right) if not negate:
            return _tests(left, negate) + _tests(right, negate)
        case ir.Or(left, right) if negate:
            return _tests(left, negate) + _tests(right, negate)
        case _:
            return [(condition, negate)]


def _kept_values(s: Around, loop: For, tests: list[Test], then: Sequence[ir.Stmt]) -> Chosen | None:
    """Values that pass the first tests, and what is worked out with them, kept by the locals.

    Only what does not depend on the state, and cannot fail, is worked out beforehand."""
    w = s.w
    edges: tuple[ir.Expr, ...]
    edges = (loop.low, loop.high) if isinstance(loop, ir.ForRange) else (loop.of,)
    if not _is_timeless(w, edges):
        return None
    count = 0
    while count < len(tests) and _is_timeless(w, tests[count][0]):
        count += 1
    passed = [ir.Not(test) if negated else test for test, negated in tests[:count]]
    free = locals_in((*edges, *passed)) - {loop.slot}
    body = tuple(_with_tests(tests[count:], then))
    columns = _columns(w, body, loop.slot, free)
    # All must be numbers, as values are kept by them.
    if (
        not (passed or columns)
        or not numbers_in((*edges, *passed)) >= free
        or loop.slot in locals_in(edges)
    ):
        return None
    stable = s.stable if isinstance(w.scope, Host) and not w.scope.mark else set[int]()
    order = sorted(free, key=lambda slot: (slot not in stable, slot))
    size = len(order)
    mapping = {slot: place for place, slot in enumerate(order)} | {loop.slot: size}
    keys = [f"[{w.scope.look(slot).text}]" for slot in order] or ["[0]"]
    first = sum(slot in stable for slot in order[:-1]) if w.loops else 0
    edges = tuple(renamed(edge, mapping) for edge in edges)
    passed = [renamed(test, mapping) for test in passed]
    beside = tuple(renamed(column, mapping) for column in columns)

    def kept(items: tuple[ir.Expr, ...]) -> str:
        """The text of the list of items for each value."""
        item = items[0] if len(items) == 1 else ir.MakeList(items)
        inner: tuple[ir.Stmt, ...] = (ir.Append(size + 1, item),)
        for test in reversed(passed):
            inner = (ir.If(test, inner),)
        turns: For
        if isinstance(loop, ir.ForRange):
            turns = ir.ForRange(size, edges[0], edges[1], inner)
        else:
            turns = ir.ForEach(size, edges[0], inner)
        lines = (
            ir.SetLocal(size + 1, ir.MakeList(())),
            turns,
            ir.Return(ir.Local(size + 1)),
        )
        name = w.shared.memo(lines, size, lambda name: _memo_function(s, name, size, lines))
        if first:
            name = w.at_first(f"{name}{''.join(keys[:first])}")
        return f"{name}{''.join(keys[first:])}"

    whole = (ir.Local(size), *beside)
    return Chosen(
        lambda wanted: kept(tuple(whole[place] for place in wanted)), body, tuple(columns)
    )


def _columns(w: Writer, body: tuple[ir.Stmt, ...], slot: int, free: set[int]) -> list[ir.Expr]:
    """What is worked out with the value of a loop and some other locals alone."""
    changed = slots(walk(body))[1]
    if slot in changed or free & changed:
        return []
    found: list[ir.Expr] = []
    todo: list[object] = [body]
    while todo and len(found) < COLUMNS:
        node = todo.pop()
        if isinstance(node, tuple):
            todo.extend(reversed(node))
        elif (
            isinstance(node, (ir.Table, ir.Choice, ir.Binary))
            and slot in (inside := locals_in(node))
            and inside <= free | {slot}
            and _is_timeless(w, node)
        ):
            if node not in found:
                found.append(node)
        else:
            todo.extend(getattr(node, name) for name in reversed(PARTS.get(type(node), ())))
    return found


def locals_in(node: object) -> set[int]:
    """The locals that are read in something."""
    return {part.slot for part in walk(node) if isinstance(part, ir.Local)}


def numbers_in(node: object) -> set[int]:
    """The locals that are surely numbers, as they are used so."""
    return {
        part.slot
        for outer in walk(node)
        for name in NUMBERS.get(type(outer), ())
        if isinstance(part := getattr(outer, name), ir.Local)
    }


def _memo_function(s: Around, name: str, size: int, whole: tuple[ir.Stmt, ...]) -> str:
    scope = Host(set(range(size)), frozenset({size + 1}))
    inner = s.another(Writer(s.w.knowledge, s.w.flags, s.w.shared, scope))
    inner.body(whole)
    parameters = ", ".join(["S", *(f"v{slot}" for slot in range(size))])
    return function(f"{name}({parameters})", inner.all_lines(size))


def _is_timeless(w: Writer, node: object) -> bool:
    """Whether something does not depend on the state, and cannot fail."""
    return not any(
        isinstance(part, TIMED)
        or (isinstance(part, ir.CallValue) and w.knowledge.reaches(part.procedure, *TIMED))
        for part in walk(node)
    ) and not w.matters(node)


def _looked_through(
    s: Around, loop: For, tests: list[Test], then: Sequence[ir.Stmt]
) -> Chosen | None:
    """Places whose cells pass the first test, found at once."""
    w = s.w
    if not tests:
        return None
    values = _known_values(w, loop)
    if not w.pure or s.variant in ("any", "has") or values is None or len(values) < LONG:
        return None
    low, high = values[0], values[-1]
    if not isinstance(low, int) or tuple(values) != tuple(range(low, low + len(values))):
        return None
    assert isinstance(high, int)
    changed = slots(walk(tuple(then)))[1] | {loop.slot}
    if any(isinstance(node, ir.Return) for node in walk(tuple(then))):
        return None
    condition, negate = tests[0]
    match condition:
        case ir.Binary(word, ir.Load(address, False), other) if word in COMPARED:
            pass
        case ir.Load(address, False):
            word, other = "!=", ZERO
        case _:
            return None
    match address:
        case ir.Binary("+", ir.Const(int(base)), ir.Local(slot)) if slot == loop.slot:
            pass
        case _:
            return None
    if not _is_early(w, other, changed, [], None):
        return None
    match then:
        case (ir.If(again, inner, ()),) if _tests(again, False)[0] == tests[0]:
            then = _with_tests(_tests(again, False)[1:], inner)
        case _:
            pass
    look = LOOKS[NEGATED[word] if negate else word]
    cells = f"S[{base + low}:{base + high + 1}]"
    body = _with_tests(tests[1:], then)
    is_small = w.knowledge.are_small(base + low, base + high + 1)
    if is_small and not w.flags.checked and not w.flags.lists:
        places = w.shared.constant("K", values, lambda: tuple(values))
        marks = f"{cells}.tobytes(){LOWEST}.translate(Q_{look}[{w.text(other)}])"
        text = f"compress({places}, {marks})"
    else:
        value = w.value(other)
        text = f"{look}({cells}, {value.text}, {low})"
        test = f"{NEGATED[word] if negate else word} {value.within(ADD)}"
        return Chosen(lambda _: text, body, (), Cells(cells, range(low, high + 1), test))
    return Chosen(lambda _: text, body)


# ---- what is worked out beforehand -------------------------------------------------------------------


def _work_out_early(w: Writer, loop: For) -> None:
    """Put what is the same in every turn, and cannot fail, into variables."""
    changed = slots(walk(loop.body))[1] | {loop.slot}
    edges = (loop.low, loop.high) if isinstance(loop, ir.ForRange) else (loop.of,)
    tables = w.knowledge.program.tables
    sure = [(n.index, len(tables[n.table])) for n in walk(edges) if isinstance(n, ir.Table)]
    todo: list[object] = [loop.body]
    found: dict[int, tuple[ir.Expr, bool]] = {}
    while todo:
        node = todo.pop()
        if isinstance(node, tuple):
            todo.extend(reversed(node))
            continue
        risks: list[object] = []
        if isinstance(node, WORTHY) and _is_early(w, node, changed, sure, risks):
            if all(node != other for other, _ in found.values()):
                found[len(found)] = node, bool(risks)
        else:
            todo.extend(getattr(node, name) for name in reversed(PARTS.get(type(node), ())))
    for expression, is_risky in found.values():
        code = w.value(expression)
        if code.is_simple:
            continue
        name = w.early()
        if is_risky:
            w.line(f"try: {name} = {code.text}")
            w.line(f"except IndexError: {name} = 0")
        else:
            w.line(f"{name} = {code.text}")
        w.available.append(Available(w.scope, expression, Code(name), Code(name)))


def _put_off(w: Writer, loop: For) -> None:
    """Keep what long calls give, where it is the same in every turn, from when it is first wanted."""
    if not w.pure:
        return
    knowledge, counts = w.knowledge, w.flags.counts
    changed = slots(walk(loop.body))[1] | {loop.slot}
    todo: list[object] = [loop.body]
    while todo:
        node = todo.pop()
        if isinstance(node, tuple):
            todo.extend(reversed(node))
        elif (
            isinstance(node, ir.CallValue)
            and knowledge.takes_long(node.procedure)
            and not knowledge.is_timeless(node.procedure, counts)
            and not (counts and knowledge.reaches(node.procedure, ir.Mark))
            and not locals_in(node) & changed
        ):
            if not w.is_available(node):
                name = f"v0{w.mark()}"
                w.line(f"{name} = None")
                kept = Code(f"({name} if {name} is not None else ({name} := {w.value(node).text}))")
                w.available.append(Available(w.scope, node, kept, kept))
        else:
            todo.extend(getattr(node, name) for name in reversed(PARTS.get(type(node), ())))


def _is_early(
    w: Writer,
    node: object,
    changed: set[int],
    sure: list[tuple[ir.Expr, int]],
    risks: list[object] | None,
) -> bool:
    """Whether something is the same in every turn, and can be worked out though it is not asked for.

    What may be outside of a table or of the state then is added to `risks`, if there are any."""
    match node:
        case ir.Local(slot):
            return slot not in changed
        case ir.Const():
            return True
        case ir.Load(address):
            if w.flags.checked or not w.pure or not _is_early(w, address, changed, sure, risks):
                return False
            if isinstance(address, ir.Const):
                return True
            if risks is not None:
                risks.append(node)
            return risks is not None
        case ir.Table(table, index):
            if w.flags.checked or not _is_early(w, index, changed, sure, risks):
                return False
            size = len(w.knowledge.program.tables[table])
            if any(index == known and size >= least for known, least in sure):
                return True
            if risks is not None:
                risks.append(node)
            return risks is not None
        case ir.Binary("//" | "%", left, ir.Const(int(divisor))):
            return divisor != 0 and _is_early(w, left, changed, sure, risks)
        case ir.Binary("//" | "%"):
            return False
        case ir.Binary() | ir.Not() | ir.And() | ir.Or() | ir.Choice():
            parts = [getattr(node, name) for name in PARTS[type(node)]]
            return all(_is_early(w, part, changed, sure, risks) for part in parts)
        case ir.CallValue(callee, arguments):
            body = w.knowledge.expression(callee, w.flags.counts)
            return (
                body is not None
                and _is_early(w, body, set(), [], risks)
                and all(_is_early(w, part, changed, sure, risks) for part in arguments)
            )
        case _:
            return False


# ---- loops that answer a question --------------------------------------------------------------------


def write_question(s: Around, statement: ir.If) -> bool | None:
    """Write an `if` whose condition is a procedure that looks for one item, as that loop.

    Whether its end can be reached; None where this cannot be done."""
    condition, negate = statement.condition, False
    while isinstance(condition, ir.Not):
        condition, negate = condition.operand, not negate
    if not isinstance(condition, ir.CallValue) or not isinstance(s.w.scope, Host):
        return None
    w = s.w
    procedure = w.knowledge.program.plain[condition.procedure]
    if w.knowledge.is_timeless(condition.procedure, w.flags.counts) or w.pinned:
        return None
    match procedure.body:
        case (
            (ir.ForEach() | ir.ForRange()) as loop,
            ir.Return(ir.Const(int(otherwise))),
        ):
            flat = without_leaving(loop.body)
        case _:
            return None
    if leaves_by(loop.body, ir.Break):
        return None
    match flat:
        case (ir.If(test, (ir.Return(ir.Const(int(found))),), ()),):
            fail = False
        case (ir.If(test, (), (ir.Return(ir.Const(int(found))),)),):
            fail = True
        case _:
            return None
    if bool(found) == bool(otherwise) or any(
        n.slot >= procedure.parameters and n.slot != loop.slot
        for n in walk((loop, test))
        if isinstance(n, ir.Local)
    ):
        return None
    then, rest = statement.then, statement.otherwise
    if bool(found) != negate:
        then, rest = rest, then
    # Now `rest` is done where an item is found, `then` where there is none.
    if rest and not _can_stand_in_a_loop(rest):
        return None
    return _write_search(s, condition, loop, (test, fail), then, rest)


def _can_stand_in_a_loop(body: Sequence[ir.Stmt]) -> bool:
    """Whether statements never come to their end, and leave no loop."""
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
    _work_out_early(w, loop)
    text = _values(w, loop)
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
