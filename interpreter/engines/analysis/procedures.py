"""Analyses the procedures of a program before code is generated for them.

Results are computed at their first use. The analysis does not depend on Python, and does not change
the program.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from operator import attrgetter
from typing import Any, TypeAlias, TypeVar, cast

from attrs import define, evolve, field, frozen

from rulewright.dsl import ir

T = TypeVar("T")
Node: TypeAlias = object
"""An expression, a statement, or a tuple of these."""

For: TypeAlias = ir.ForRange | ir.ForEach

PARTS: dict[type, tuple[str, ...]] = {
    ir.Load: ("address",),
    ir.Table: ("index",),
    ir.Binary: ("left", "right"),
    ir.Not: ("operand",),
    ir.And: ("left", "right"),
    ir.Or: ("left", "right"),
    ir.Choice: ("condition", "then", "otherwise"),
    ir.CallValue: ("arguments",),
    ir.MakeList: ("items",),
    ir.Length: ("of",),
    ir.At: ("of", "index"),
    ir.Has: ("item", "of"),
    ir.Possible: ("arguments", "actor"),
    ir.SetLocal: ("value",),
    ir.SetLocalList: ("value",),
    ir.Store: ("value", "address"),
    ir.If: ("condition", "then", "otherwise"),
    ir.While: ("condition", "body"),
    ir.ForRange: ("low", "high", "body"),
    ir.ForEach: ("of", "body"),
    ir.Append: ("value",),
    ir.CallPlain: ("arguments",),
    ir.Return: ("value",),
    ir.Offer: ("option",),
    ir.Refuse: ("arguments", "option"),
    ir.Log: ("arguments", "audience"),
    ir.Fail: ("arguments",),
    ir.Mark: ("row",),
    ir.Branch: ("condition",),
    ir.CallThen: ("arguments",),
    ir.Choose: ("player",),
    ir.Chance: ("bound",),
    ir.Try: ("actor",),
}
"""The parts of a node in their order of evaluation."""

TURNS = 4
"""The maximum number of iterations of an unrolled loop."""
EXPANDED = 3
"""The maximum depth of inlined calls."""
INLINE = 20
"""The maximum size of an inlined expression, in nodes."""

WRITES = (ir.SetLocal, ir.SetLocalList, ir.ForRange, ir.ForEach, ir.Append)
TIMED = (ir.Load, ir.LocalList, ir.Store, ir.Log, ir.Offer, ir.Refuse, ir.Possible)
"""The classes of nodes that depend on the state, or that change something."""
NUMBERS: dict[type, tuple[str, ...]] = {
    ir.Load: ("address",),
    ir.Table: ("index",),
    ir.Binary: ("left", "right"),
    ir.Not: ("operand",),
    ir.And: ("left", "right"),
    ir.Or: ("left", "right"),
    ir.Choice: ("condition",),
    ir.At: ("index",),
    ir.Has: ("item",),
    ir.If: ("condition",),
    ir.While: ("condition",),
    ir.ForRange: ("low", "high"),
}
"""The parts of a node that are numbers."""
STAYS = (*WRITES, ir.Break, ir.Continue)
"""The statements that prevent the unrolling of a loop."""
FAILING = (ir.Fail, ir.Fault, ir.While, ir.Possible)


@frozen
class Raise:
    """An expression without a value, whose evaluation ends the statement."""

    by: ir.Fail | ir.Fault


PARTS[Raise] = ("by",)


def walk(node: Node) -> Iterator[Node]:
    """Yield a node and all nodes in it, in order."""
    known = _BACKWARDS
    stack = [node]
    pop, extend = stack.pop, stack.extend
    while stack:
        node = pop()
        kind = type(node)
        if kind is tuple:
            extend(reversed(node))  # type: ignore[call-overload]  # as was asked just now
            continue
        yield node
        parts = known.get(kind)
        if parts is None:
            parts = known[kind] = _backwards(PARTS.get(kind, ()))
        extend(parts(node))


_BACKWARDS: dict[type, Callable[[Any], Iterable[Node]]] = {}
"""For each class of nodes, a function that returns the parts of a node in reverse order."""


def _backwards(names: Sequence[str]) -> Callable[[Any], Iterable[Node]]:
    if not names:
        return lambda _: ()
    if len(names) == 1:
        name = names[0]
        return lambda node: (getattr(node, name),)
    return attrgetter(*reversed(names))


def slots(nodes: Iterable[Node]) -> tuple[set[int], set[int]]:
    """Return two sets: the slots of all locals that nodes read or write, and the slots of the
    locals that nodes write."""
    met: set[int] = set()
    written: set[int] = set()
    for node in nodes:
        if isinstance(node, WRITES):
            written.add(node.slot)
        elif isinstance(node, ir.Local):
            met.add(node.slot)
    return met | written, written


def locals_in(node: object) -> set[int]:
    """Return the locals that a node reads."""
    return {part.slot for part in walk(node) if isinstance(part, ir.Local)}


def reads_of(node: object) -> dict[int, int]:
    """Count how often a node reads each local."""
    counts: dict[int, int] = {}
    for part in walk(node):
        if isinstance(part, ir.Local):
            counts[part.slot] = counts.get(part.slot, 0) + 1
    return counts


@frozen
class Use:
    """How an expression uses one of its parameters."""

    count: int = 0
    surely: bool = False
    """Whether the first use is always evaluated, before any other use."""
    first: bool = False
    """Whether no other parameter, and nothing that may fail, comes before the first use."""


class OfHeader:
    """Represents header cells: reads of the open decision or chance event."""


def of_header(node: Node) -> bool:
    """Return whether a node reads header cells about the open decision, chance or scopes."""
    return (
        isinstance(node, ir.Load)
        and isinstance(node.address, ir.Const)
        and not node.far
        and node.address.value in (ir.RESUME, ir.SITE, ir.PLAYER, ir.BOUND, ir.GUARD)
    )


@define
class Facts:
    """Facts about the body of a plain procedure, not including the procedures that it calls."""

    kinds: set[type]
    calls: tuple[int, ...]
    growing: frozenset[int]
    """The slots of lists to which items are appended."""


@frozen
class Cells:
    """Adjacent cells: their first address and their count."""

    base: int
    count: ir.Load


@define(eq=False, slots=False)
class Knowledge:
    """Analyses the procedures of a program."""

    program: ir.Program
    _facts: dict[int, Facts] = field(factory=dict)
    _reach: dict[type, set[int]] = field(factory=dict)
    _expressions: dict[tuple[int, bool], ir.Expr | Raise | None] = field(factory=dict)
    _uses: dict[int, tuple[Use, ...]] = field(factory=dict)
    _keeps: dict[tuple[int, int], bool] = field(factory=dict)
    _timeless: dict[tuple[int, bool], bool] = field(factory=dict)
    _called: dict[tuple[int, bool], bool] = field(factory=dict)
    _numbers: dict[tuple[int, int], bool] = field(factory=dict)

    def facts(self, plain: int) -> Facts:
        """Return the facts about the body of a plain procedure."""
        found = self._facts.get(plain)
        if found is None:
            kinds: set[type] = set()
            calls: set[int] = set()
            growing: set[int] = set()
            for node in walk(self.program.plain[plain].body):
                kinds.add(type(node))
                if isinstance(node, (ir.CallValue, ir.CallPlain)):
                    calls.add(node.procedure)
                elif isinstance(node, ir.Append):
                    growing.add(node.slot)
                elif of_header(node):
                    kinds.add(OfHeader)
            found = Facts(kinds, tuple(sorted(calls)), frozenset(growing))
            self._facts[plain] = found
        return found

    def reaches(self, plain: int, *kinds: type) -> bool:
        """Return whether a plain procedure, or a procedure that it calls, contains a node of one of these classes."""
        return any(plain in self._reaching(kind) for kind in kinds)

    @cached_property
    def _holders(self) -> dict[type, list[int]]:
        """Map each class of nodes to the plain procedures that contain such a node."""
        found: dict[type, list[int]] = {}
        for plain in range(len(self.program.plain)):
            for kind in self.facts(plain).kinds:
                found.setdefault(kind, []).append(plain)
        return found

    @cached_property
    def _callers(self) -> dict[int, list[int]]:
        """Map each plain procedure to the procedures that call it."""
        found: dict[int, list[int]] = {}
        for plain in range(len(self.program.plain)):
            for callee in self.facts(plain).calls:
                found.setdefault(callee, []).append(plain)
        return found

    def _reaching(self, kind: type) -> set[int]:
        found = self._reach.get(kind)
        if found is None:
            found = set(self._holders.get(kind, ()))
            callers = self._callers
            todo = sorted(found)
            while todo:
                for caller in callers.get(todo.pop(), ()):
                    if caller not in found:
                        found.add(caller)
                        todo.append(caller)
            self._reach[kind] = found
        return found

    def offers(self, plain: int) -> bool:
        """Return whether a plain procedure offers or refuses options, directly or through calls."""
        return self.reaches(plain, ir.Offer, ir.Refuse)

    @cached_property
    def helpers(self) -> list[int]:
        """Return the plain procedures that offer options and are called by other procedures."""
        called = {callee for n in range(len(self.program.plain)) for callee in self.facts(n).calls}
        return [plain for plain in sorted(called) if self.offers(plain)]

    def may_fail(self, node: Node) -> bool:
        """Return whether a node may fail."""
        return self._may(node, *FAILING)

    def matters(self, node: Node, counts: bool) -> bool:
        """Return whether evaluating a node has effects: it may fail or, with `counts`, count a mark."""
        return self._may(node, ir.Mark, *FAILING) if counts else self.may_fail(node)

    def is_marked(self, node: Node) -> bool:
        """Return whether evaluating a node may reach a mark."""
        return self._may(node, ir.Mark)

    def _may(self, node: Node, *kinds: type) -> bool:
        return any(
            isinstance(part, kinds)
            or (
                isinstance(part, (ir.CallValue, ir.CallPlain))
                and self.reaches(part.procedure, *kinds)
            )
            for part in walk(node)
        )

    def _fails(self, plain: int) -> bool:
        return self.reaches(plain, *FAILING)

    def keeps(self, plain: int, slot: int) -> bool:
        """Return whether a procedure may use a list parameter for more than reading."""
        key = plain, slot
        if key not in self._keeps:
            self._keeps[key] = True  # for a procedure that calls itself
            self._keeps[key] = slot in self.facts(plain).growing or self._may_keep(
                self.program.plain[plain].body, slot
            )
        return self._keeps[key]

    def _may_keep(self, node: Node, slot: int) -> bool:
        match node:
            case tuple():
                return any(self._may_keep(part, slot) for part in node)
            case ir.Local(read):
                return read == slot
            case ir.Length(ir.Local()) | ir.ForEach(_, ir.Local(), ()):
                return False
            case ir.ForEach(_, ir.Local(), body):
                return self._may_keep(body, slot)
            case ir.At(ir.Local(), index):
                return self._may_keep(index, slot)
            case ir.Has(ir.Local(), item):
                return self._may_keep(item, slot)
            case ir.CallValue(callee, arguments):
                return any(
                    self.keeps(callee, place)
                    if isinstance(argument, ir.Local) and argument.slot == slot
                    else self._may_keep(argument, slot)
                    for place, argument in enumerate(arguments)
                )
            case _:  # all others: their parts decide
                parts = PARTS.get(type(node), ())
                return any(self._may_keep(getattr(node, name), slot) for name in parts)

    def is_timeless(self, plain: int, counts: bool) -> bool:
        """Return whether a procedure is slow and depends only on its arguments, not on the state.

        The values of such a procedure can be cached.
        """
        key = plain, counts
        if key not in self._timeless:
            self._timeless[key] = False  # for a procedure that calls itself
            self._timeless[key] = (
                not self.reaches(plain, *TIMED, *((ir.Mark,) if counts else ()))
                and self.takes_long(plain)
                and self._takes_numbers(plain)
            )
        return self._timeless[key]

    def is_called(self, plain: int, counts: bool) -> bool:
        """Return whether a use of a procedure is a real call: it is neither inlined nor cached."""
        key = plain, counts
        if key not in self._called:
            self._called[key] = True  # for a procedure that calls itself
            body = self.expression(plain, counts)
            self._called[key] = not self.is_timeless(plain, counts) and (
                body is None
                or any(
                    isinstance(part, ir.CallValue) and self.is_called(part.procedure, counts)
                    for part in walk(body)
                )
            )
        return self._called[key]

    def takes_long(self, plain: int) -> bool:
        """Return whether a procedure, or a procedure that it calls, contains loops."""
        return self.reaches(plain, ir.ForRange, ir.ForEach, ir.While)

    def _takes_numbers(self, plain: int) -> bool:
        """Return whether all parameters are known to be numbers."""
        procedure = self.program.plain[plain]
        numbers: set[int] = set()
        for node in walk(procedure.body):
            for name in NUMBERS.get(type(node), ()):
                part = getattr(node, name)
                if isinstance(part, ir.Local):
                    numbers.add(part.slot)
            if isinstance(node, (ir.CallValue, ir.CallPlain)) and node.procedure != plain:
                for place, argument in enumerate(node.arguments):
                    if isinstance(argument, ir.Local) and self._is_number(node.procedure, place):
                        numbers.add(argument.slot)
        written = slots(walk(procedure.body))[1]
        return all(slot in numbers - written for slot in range(procedure.parameters))

    def _is_number(self, plain: int, place: int) -> bool:
        key = plain, place
        if key not in self._numbers:
            self._numbers[key] = False
            self._numbers[key] = any(
                isinstance(getattr(node, name), ir.Local) and getattr(node, name).slot == place
                for node in walk(self.program.plain[plain].body)
                for name in NUMBERS.get(type(node), ())
            )
        return self._numbers[key] and place not in slots(walk(self.program.plain[plain].body))[1]

    def cells(self, plain: int) -> Cells | None:
        """If a procedure does nothing but return adjacent cells as a list, return the cells, otherwise None."""
        match self.program.plain[plain].body:
            case (
                ir.SetLocal(listed, ir.MakeList(()) | ir.Const(())),
                ir.ForRange(
                    place,
                    ir.Const(0),
                    ir.Binary("+", ir.Const(-1), ir.Load(ir.Const(), False) as count),
                    (
                        ir.Append(
                            grown,
                            ir.Load(ir.Binary("+", ir.Const(int(base)), ir.Local(read)), False),
                        ),
                    ),
                ),
                ir.Return(ir.Local(given)),
            ) if listed == grown == given and read == place:
                return Cells(base, count)
            case _:
                return None

    # ---- procedures that are one expression ------------------------------------------------------

    def expression(self, plain: int, counts: bool) -> ir.Expr | Raise | None:
        """If a small procedure can be written as a single expression over its parameters, return
        the expression, otherwise None.

        With `counts`, procedures with marks do not become expressions.
        """
        key = plain, counts
        if key not in self._expressions:
            procedure = self.program.plain[plain]
            found = as_expression(procedure.body, counts)
            if found is not None and sum(1 for _ in walk(found)) > INLINE:
                found = None
            self._expressions[key] = found
            if found is not None:
                self._uses[plain] = self._uses_in(found, procedure.parameters)
        return self._expressions[key]

    def inline_calls(self, node: T, depth: int = 0) -> T:
        """Inline calls of small procedures in a node, if the arguments are simple."""

        def change(part: object) -> object:
            if not isinstance(part, ir.CallValue) or depth >= EXPANDED:
                return None
            body = self.expression(part.procedure, counts=False)
            simple = all(isinstance(argument, (ir.Local, ir.Const)) for argument in part.arguments)
            if body is None or not simple or self._may(body, Raise):
                return None
            return self.inline_calls(with_arguments(body, part.arguments), depth + 1)

        return replace_parts(node, change)

    def uses(self, plain: int) -> tuple[Use, ...]:
        """Return how the expression of a procedure uses each of its parameters."""
        return self._uses[plain]

    def _uses_in(self, expression: ir.Expr | Raise, parameters: int) -> tuple[Use, ...]:
        count = [0] * parameters
        for node in walk(expression):
            if isinstance(node, ir.Local) and node.slot < parameters:
                count[node.slot] += 1
        surely: dict[int, bool] = {}
        steps = list(self._steps(expression, True))
        for node, sure in steps:
            if isinstance(node, ir.Local):
                surely.setdefault(node.slot, sure)
        match steps[0][0] if steps else None:
            case ir.Local(slot):
                first = slot
            case _:
                first = -1
        return tuple(
            Use(count[slot], surely.get(slot, False), slot == first and surely[slot])
            for slot in range(parameters)
        )

    def _steps(self, node: Node, sure: bool) -> Iterator[tuple[Node, bool]]:
        """Yield the locals and possible failures in a node, in order, each with whether it is always evaluated."""
        match node:
            case ir.Local():
                yield node, sure
            case ir.And(left, right) | ir.Or(left, right):
                yield from self._steps(left, sure)
                yield from self._steps(right, False)
            case ir.Choice(condition, then, otherwise):
                yield from self._steps(condition, sure)
                yield from self._steps((then, otherwise), False)
            case tuple():
                for part in node:
                    yield from self._steps(part, sure)
            case _:  # all others: their parts are searched
                for name in PARTS.get(type(node), ()):
                    yield from self._steps(getattr(node, name), sure)
                if isinstance(node, (Raise, ir.Possible)) or (
                    isinstance(node, ir.CallValue) and self._fails(node.procedure)
                ):
                    yield node, sure


def as_expression(body: tuple[ir.Stmt, ...], counts: bool) -> ir.Expr | Raise | None:
    """If a body only computes its result, return it as a single expression, otherwise None."""
    if not body:
        return ir.Const(0)
    statement, rest = body[0], body[1:]
    match statement:
        case ir.Mark():
            return None if counts else as_expression(rest, counts)
        case ir.Return(value):
            return ir.Const(0) if value is None else value
        case ir.Fail() | ir.Fault():
            return Raise(statement)
        case ir.ForRange(slot, ir.Const(int(low)), ir.Const(int(high)), turn):
            few = 0 <= high - low < TURNS
            if few and not any(isinstance(node, STAYS) for node in walk(turn)):
                turns = [with_local(turn, slot, n) for n in range(low, high + 1)]
                turns.append(with_local(rest, slot, high))
                return as_expression(tuple(s for t in turns for s in t), counts)
        case ir.SetLocal(kept, ir.MakeList(()) | ir.Const(())):
            match rest:
                case (ir.ForEach(slot, of, (ir.Append(grown, ir.Local(read)),)), ir.Return(given)):
                    if read == slot and grown == kept and given == ir.Local(kept):
                        return of  # all of the items
                case _:
                    pass
        case ir.If(condition, then, otherwise):
            if _ends(then):
                otherwise += rest
            elif _ends(otherwise):
                then += rest
            elif rest:
                return None
            left, right = as_expression(then, counts), as_expression(otherwise, counts)
            if left is not None and right is not None:
                return ir.Choice(condition, cast("ir.Expr", left), cast("ir.Expr", right))
        case (
            ir.Loop()
            | ir.Assignment()
            | ir.Break()
            | ir.Continue()
            | ir.CallPlain()
            | ir.Offer()
            | ir.Refuse()
            | ir.Log()
        ):
            pass
    return None


def replace_parts(node: T, change: Callable[[object], object]) -> T:
    """Replace parts of a node by the results of `change`.

    If `change` returns None, the part is kept, and its own parts are changed.
    """
    if isinstance(node, tuple):
        items = [replace_parts(part, change) for part in node]
        same = all(one is other for one, other in zip(items, node, strict=True))
        return node if same else cast("T", tuple(items))
    found = change(node)
    if found is not None:
        return cast("T", found)
    parts = {}
    for name in PARTS.get(type(node), ()):
        before = getattr(node, name)
        after = replace_parts(before, change)
        if after is not before:
            parts[name] = after
    return evolve(node, **parts) if parts else node  # type: ignore[misc]  # a value with parts is a node


def with_local(node: T, slot: int, value: int) -> T:
    """Replace a local in a node by a number."""
    read, number = ir.Local(slot), ir.Const(value)
    return replace_parts(node, lambda part: number if part == read else None)


def with_arguments(node: T, arguments: tuple[ir.Expr, ...]) -> T:
    """Replace the parameters in the expression of a procedure by arguments. Other locals become 0."""

    def change(part: object) -> object:
        if not isinstance(part, ir.Local):
            return None
        return arguments[part.slot] if part.slot < len(arguments) else ir.Const(0)

    return replace_parts(node, change)


def replace_slots(node: T, slots: dict[int, int]) -> T:
    """Replace the slots of locals in an expression."""
    return replace_parts(
        node, lambda part: ir.Local(slots[part.slot]) if isinstance(part, ir.Local) else None
    )


def _ends(body: tuple[ir.Stmt, ...]) -> bool:
    match body[-1] if body else None:
        case ir.Return() | ir.Fail() | ir.Fault():
            return True
        case ir.If(_, then, otherwise):
            return _ends(then) and _ends(otherwise)
        case (
            ir.Loop()
            | ir.Assignment()
            | ir.Notice()
            | ir.Break()
            | ir.Continue()
            | ir.CallPlain()
            | None
        ):
            return False
