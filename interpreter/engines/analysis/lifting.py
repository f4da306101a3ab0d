"""Moves searches for connected groups (`groups`) out of loops.

The program is rewritten, but procedures keep their numbers and their results. The rewriting does
not depend on any engine.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TypeVar, cast

from attrs import define, evolve, field, frozen

from rulewright.dsl import ir
from rulewright.interpreter.engines.analysis.procedures import (
    PARTS,
    WRITES,
    For,
    Knowledge,
    locals_in,
    replace_parts,
    slots,
    walk,
    with_arguments,
)

T = TypeVar("T")

COMPARED = ("==", "!=", "<", "<=", ">", ">=")
FEW_TURNS = 4
"""The minimum number of iterations of a loop for moving a search out of the loop to save time."""
_EFFECTS = (
    ir.Store, ir.CallPlain, ir.Offer, ir.Refuse, ir.Log, ir.Fail, ir.Fault, ir.Possible,
)  # fmt: skip


@frozen
class _Want:
    """A search for connected groups that a procedure makes in each call, and the numbers on which it depends."""

    finder: int
    arguments: tuple[ir.Expr, ...]


@define(eq=False)
class _Turn:
    """A loop around the examined code: the locals that change in the loop, and the statements to
    put before the loop."""

    changed: set[int]
    is_worth_it: bool
    before: list[ir.Stmt] = field(factory=list)


def lift_searches(program: ir.Program) -> ir.Program:
    """Rewrite a program. If all iterations of a loop repeat the same search for connected groups,
    the search is made before the loop.

    A search that may turn out not to be needed there is moved only if it cannot fail. Procedures
    keep their numbers and results; new procedures are appended.
    """
    finders = [
        plain
        for plain, procedure in enumerate(program.plain)
        if any(map(_goes_on, statements(procedure.body)))
    ]
    return _Lifting(program, Knowledge(program)).lift(finders) if finders else program


def statements(body: tuple[ir.Stmt, ...]) -> Iterator[ir.Stmt]:
    """Yield all statements of a body, including nested statements."""
    todo = list(body)
    while todo:
        node = todo.pop()
        yield node
        match node:
            case ir.If():
                todo += (*node.then, *node.otherwise)
            case ir.Loop():
                todo += node.body
            case ir.Assignment() | ir.Exit() | ir.Notice() | ir.CallPlain():
                pass


def _goes_on(statement: ir.Stmt) -> bool:
    """Return whether a statement is a loop that continues a search from the items found so far."""
    return isinstance(statement, ir.While) and any(
        isinstance(node, (ir.ForRange, ir.ForEach)) for node in statements(statement.body)
    )


@define(eq=False)
class _Lifting:
    program: ir.Program
    knowledge: Knowledge
    plain: list[ir.Plain] = field(factory=list)
    wants: dict[int, tuple[_Want, ...]] = field(factory=dict)
    """For each procedure, the searches that it makes in each call.

    `given` maps each procedure to the version that takes the results as arguments.
    """
    given: dict[int, int] = field(factory=dict)

    def lift(self, finders: Iterable[int]) -> ir.Program:
        self.plain = list(self.program.plain)
        for plain in finders:
            self._find(plain)
        callers: dict[int, set[int]] = {}
        for plain in range(len(self.program.plain)):
            for callee in self.knowledge.facts(plain).calls:
                callers.setdefault(callee, set()).add(plain)
        reaching, todo = set(self.wants), list(self.wants)
        while todo:
            more = callers.get(todo.pop(), set()) - reaching
            reaching |= more
            todo += more
        for plain in self._callees_first(reaching):
            if plain not in self.wants:
                _Procedure(self, plain).write()
        before = self.program.plain
        if all(one is other for one, other in zip(before, self.plain, strict=False)):
            return self.program
        return evolve(self.program, plain=tuple(self.plain))

    def _callees_first(self, reaching: set[int]) -> list[int]:
        """Return the procedures that do not call themselves, with callees before callers."""
        found: list[int] = []
        left = sorted(reaching)
        while True:
            ready = [
                plain
                for plain in left
                if all(n in found or n not in reaching for n in self.knowledge.facts(plain).calls)
            ]
            if not ready:
                return found
            found += ready
            left = [plain for plain in left if plain not in ready]

    def _find(self, plain: int) -> None:
        """Record how a procedure reads its arguments, if it cannot fail and only compares the arguments."""
        procedure = self.program.plain[plain]
        body, parameters = procedure.body, procedure.parameters
        counted = any(isinstance(n, ir.While) and n.counted for n in statements(body))
        calls = self.knowledge.facts(plain).calls
        if (
            counted
            or self.knowledge.reaches(plain, *_EFFECTS)
            or any(self.knowledge.reaches(callee, ir.While) for callee in calls)
            or slots(walk(body))[1] & set(range(parameters))
        ):
            return
        arguments: list[ir.Expr] = []
        for slot in range(parameters):
            views = _views(body, slot)
            if views is None or len(views) > 1:
                return
            view = views.pop() if views else ir.Local(slot)
            body = _seen_as(body, view, slot)
            arguments.append(view)
        self.plain.append(evolve(procedure, body=body))
        self.wants[plain] = (_Want(len(self.plain) - 1, tuple(arguments)),)


def _seen_as(node: T, view: ir.Expr, slot: int) -> T:
    """Replace each occurrence of a view of the parameter in a node by a local."""
    return replace_parts(node, lambda part: ir.Local(slot) if part == view else None)


def _views(node: object, slot: int) -> set[ir.Expr] | None:
    """Find the views of a parameter that is only compared. A view is the parameter itself, or the
    cell at the address `constant + parameter`.

    Returns None if the parameter has other uses.
    """
    found: set[ir.Expr] = set()
    todo: list[object] = [node]
    while todo:
        node = todo.pop()
        match node:
            case tuple():
                todo.extend(node)
            case ir.Load(ir.Binary("+", ir.Const(), ir.Local(read)), False) if read == slot:
                found.add(node)
            case ir.Binary(word, left, right) if word in COMPARED:
                todo += [part for part in (left, right) if part != ir.Local(slot)]
                if ir.Local(slot) in (left, right):
                    found.add(ir.Local(slot))
            case ir.Local(read):
                if read == slot:
                    return None
            case _:
                todo.extend(getattr(node, name) for name in PARTS.get(type(node), ()))
    return found


@define(eq=False)
class _Procedure:
    """Rewrites one procedure that calls other procedures."""

    lifting: _Lifting
    number: int
    locals: int = 0
    turns: list[_Turn] = field(factory=list)
    """The loops around the examined code, outermost first."""
    known: list[tuple[ir.Expr, ir.Expr]] = field(factory=list)
    """The pairs of expressions that are known to be equal at the current point in the code."""
    steady: set[int] = field(factory=set)
    """The parameters that are not written to, and the slots of loops."""
    wanted: list[_Want] = field(factory=list)
    given: dict[_Want, int] = field(factory=dict)
    """The local that contains the result of each wanted search, while the version that takes these
    results is written."""

    def write(self) -> None:
        """Put wanted searches before loops.

        If a procedure makes a search in each call, it gets a version that takes the result of the
        search.
        """
        lifting, number = self.lifting, self.number
        if lifting.knowledge.reaches(number, ir.Store, ir.CallPlain):
            return
        before = lifting.program.plain[number]
        written = [node.slot for node in walk(before.body) if isinstance(node, WRITES)]
        loops = [n.slot for n in walk(before.body) if isinstance(n, (ir.ForRange, ir.ForEach))]
        parameters = {slot for slot in range(before.parameters) if slot not in written}
        self.steady = parameters | {slot for slot in loops if written.count(slot) == 1}
        self.locals = before.locals
        body = self._body(before.body)
        if self.locals > before.locals:
            lifting.plain[number] = evolve(before, body=body, locals=self.locals)
        wants = [want for want in self.wanted if locals_in(want.arguments) <= parameters]
        if not wants or lifting.knowledge.reaches(number, *_EFFECTS):
            return
        first, more = before.parameters, len(wants)
        self.given = {want: self.locals + place for place, want in enumerate(wants)}
        places = {slot: slot + more for slot in range(first, self.locals)}
        places |= {slot: first + place for place, slot in enumerate(self.given.values())}
        body = _replace_slots(self._body(body), places)
        lifting.wants[number] = tuple(wants)
        lifting.given[number] = len(lifting.plain)
        lifting.plain.append(
            evolve(before, parameters=first + more, locals=self.locals + more, body=body)
        )

    def _body(self, body: tuple[ir.Stmt, ...]) -> tuple[ir.Stmt, ...]:
        found: list[ir.Stmt] = []
        for statement in body:
            match statement:
                case ir.ForRange(_, low, high, turn):
                    low, high = self._part(low), self._part(high)
                    turn, before = self._turn(statement, turn)
                    found += [*before, evolve(statement, low=low, high=high, body=turn)]
                case ir.ForEach(_, of, turn):
                    of = self._part(of)
                    turn, before = self._turn(statement, turn)
                    found += [*before, evolve(statement, of=of, body=turn)]
                case ir.If(condition, then, otherwise):
                    asked = self._part(condition)
                    with self._with_facts(condition):
                        then = self._body(then)
                    otherwise = self._body(otherwise)
                    found.append(evolve(statement, condition=asked, then=then, otherwise=otherwise))
                case ir.While() | ir.Refuse() | ir.Log():
                    found.append(statement)
                case ir.Exit() | ir.Assignment() | ir.CallPlain() | ir.Offer() | ir.Mark():
                    found.append(self._part(statement))
        return tuple(found)

    def _turn(
        self, loop: For, body: tuple[ir.Stmt, ...]
    ) -> tuple[tuple[ir.Stmt, ...], list[ir.Stmt]]:
        """Rewrite the body of a loop. Return the new body, and the statements to put before the loop."""
        turn = _Turn(slots(walk(body))[1] | {loop.slot}, _has_turns(loop))
        self.turns.append(turn)
        body = self._body(body)
        self.turns.pop()
        return body, turn.before

    @contextmanager
    def _with_facts(self, condition: ir.Expr) -> Iterator[None]:
        """Use the facts of a condition within the `with` block."""
        before = len(self.known)
        todo = [condition]
        while todo:
            match todo.pop():
                case ir.And(left, right):
                    todo += [left, right]
                case ir.Binary("==", left, right) if locals_in((left, right)) <= self.steady:
                    self.known += [(left, right), (right, left)]
                case _:
                    pass
        yield
        del self.known[before:]

    def _part(self, node: T) -> T:
        match node:
            case tuple():
                return cast("T", tuple(map(self._part, node)))
            case ir.And(left, right):
                first = self._part(left)
                with self._with_facts(left):
                    return evolve(node, left=first, right=self._part(right))
            case ir.Choice(condition, then, otherwise):
                first = self._part(condition)
                with self._with_facts(condition):
                    then = self._part(then)
                otherwise = self._part(otherwise)
                return evolve(node, condition=first, then=then, otherwise=otherwise)
            case ir.CallValue():
                call = evolve(node, arguments=self._part(node.arguments))
                return cast("T", self._call(call))
            case _:  # all others: their parts are rewritten
                parts = {
                    name: after
                    for name in PARTS.get(type(node), ())
                    if (after := self._part(before := getattr(node, name))) is not before
                }
                return evolve(node, **parts) if parts else node  # type: ignore[misc]  # a value with parts is a node

    def _call(self, call: ir.CallValue) -> ir.Expr:
        """Rewrite a call to take the result of its wanted search, if that result is computed once."""
        wants = self.lifting.wants.get(call.procedure, ())
        asked = [
            evolve(want, arguments=with_arguments(want.arguments, call.arguments)) for want in wants
        ]
        if not asked or not all(map(_is_sure, (part for w in asked for part in w.arguments))):
            return call
        if self.given:
            places = [self.given.get(self._without(want, set())) for want in asked]
            return self._with(call, [place for place in places if place is not None], len(asked))
        for turn in self.turns:
            meant = [self._without(want, turn.changed) for want in asked]
            if turn.is_worth_it and not any(locals_in(w.arguments) & turn.changed for w in meant):
                return self._with(call, [self._before(turn, want) for want in meant], len(asked))
        self.wanted += [want for w in asked if (want := self._without(w, set())) not in self.wanted]
        return call

    def _with(self, call: ir.CallValue, places: list[int], wanted: int) -> ir.Expr:
        if len(places) < wanted:
            return call
        found = tuple(map(ir.Local, places))
        other = self.lifting.given.get(call.procedure)
        return found[0] if other is None else ir.CallValue(other, (*call.arguments, *found))

    def _before(self, turn: _Turn, want: _Want) -> int:
        """Put a wanted search before a loop, and return the local that contains the result of the search."""
        value = ir.CallValue(want.finder, want.arguments)
        for statement in turn.before:
            if isinstance(statement, ir.SetLocal) and statement.value == value:
                return statement.slot
        turn.before.append(ir.SetLocal(self.locals, value))
        self.locals += 1
        return self.locals - 1

    def _without(self, want: _Want, changed: set[int]) -> _Want:
        """Replace the arguments of a search by equal arguments that do not depend on the locals in
        `changed`, as far as possible."""
        changing = changed or self.steady - set(range(self._parameters))
        arguments = tuple(
            next(
                (
                    other
                    for one, other in self.known
                    if one == argument and _is_sure(other) and not locals_in(other) & changing
                ),
                argument,
            )
            if locals_in(argument) & changing
            else argument
            for argument in want.arguments
        )
        return evolve(want, arguments=arguments)

    @property
    def _parameters(self) -> int:
        return self.lifting.program.plain[self.number].parameters


def _has_turns(loop: For) -> bool:
    """Return whether a loop has enough iterations for computing something before the loop to save time."""
    match loop:
        case ir.ForEach(_, ir.Const(tuple() as items), _):
            return len(items) >= FEW_TURNS
        case ir.ForRange(_, ir.Const(int(low)), ir.Const(int(high)), _):
            return high - low + 1 >= FEW_TURNS
        case ir.ForRange() | ir.ForEach():
            return True


def _is_sure(node: ir.Expr) -> bool:
    """Return whether a number can be computed safely even if it is not needed."""
    match node:
        case ir.Local() | ir.Const(int()):
            return True
        case ir.Load(address, False):
            return _is_sure(address)
        case ir.Binary("//" | "%", left, ir.Const(int(divisor))):
            return divisor != 0 and _is_sure(left)
        case ir.Binary("//" | "%"):
            return False
        case ir.Binary(_, left, right):
            return _is_sure(left) and _is_sure(right)
        case _:  # all others: they may fail, or are not analysed
            return False


def _replace_slots(node: T, places: dict[int, int]) -> T:
    """Replace the slots of locals in a node."""

    def change(part: object) -> object:
        if isinstance(part, ir.Local):
            return ir.Local(places.get(part.slot, part.slot))
        if isinstance(part, WRITES):
            parts = {name: replace_parts(getattr(part, name), change) for name in PARTS[type(part)]}
            return evolve(part, slot=places.get(part.slot, part.slot), **parts)
        return None

    return replace_parts(node, change)
