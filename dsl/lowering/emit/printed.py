"""Computes expressions and plain procedures that read only printed values.

They are evaluated as in the reference interpreter. If a value depends on the state, there is no result.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import repeat
from typing import NoReturn, Protocol, TypeAlias

from attrs import define, field

from rulewright.dsl import ir
from rulewright.dsl.tree.nesting import fields_of

MOST_TURNS = 200_000

Locals: TypeAlias = list[object]


class Unknown(Exception):
    """Raised if the value depends on the state, or takes too long to compute."""


class Faulty(Unknown):
    """Raised if the value is a fault: a row of a table is missing, or a value must not be nothing."""


Left: TypeAlias = tuple[object, ...]
"""The way in which steps end: with a returned value, by a `break`, or by a `continue`."""
_BREAK: Left = ("break",)
_CONTINUE: Left = ("continue",)
Read: TypeAlias = Callable[[Locals], object]
Run: TypeAlias = Callable[[Locals], Left | None]
Answers: TypeAlias = dict[tuple[object, ...], object]
"""The results of a procedure, keyed by its arguments."""

_OPERATORS: Mapping[str, Callable[[int, int], int]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "==": lambda a, b: 1 if a == b else 0,
    "!=": lambda a, b: 1 if a != b else 0,
    "<": lambda a, b: 1 if a < b else 0,
    "<=": lambda a, b: 1 if a <= b else 0,
    ">": lambda a, b: 1 if a > b else 0,
    ">=": lambda a, b: 1 if a >= b else 0,
    "min": min,
    "max": max,
}


class Procedures(Protocol):
    """A program, finished or being written."""

    @property
    def plain(self) -> Sequence[ir.Plain | None]:
        """The plain procedures; None stands for a procedure that is not yet written."""
        ...

    @property
    def tables(self) -> Sequence[tuple[object, ...]]:
        """The constant tables."""
        ...


_MOST_KEPT = 1000
_found: dict[object, object] = {}
_answers: dict[object, Answers] = {}
"""The results of procedures with loops, keyed by the form of the procedure; see `Answers`."""
_LOOPS = (ir.While, ir.ForRange, ir.ForEach)


def printed_value(c: Procedures, procedure: int) -> object:
    """Compute a plain procedure without parameters; return None if it depends on the state, 0 if it is a fault.

    Results are cached, because variants of a game share most printed values.
    """
    form = _form(c, procedure)
    if form not in _found:
        if len(_found) >= _MOST_KEPT:
            _found.clear()
        called = c.plain[procedure]
        try:
            _found[form] = None if called is None else Printed(c).give(called, ())
        except Faulty:
            _found[form] = 0
        except Unknown:
            _found[form] = None
    return _found[form]


def _form(c: Procedures, procedure: int) -> object:
    """Return a procedure with everything that it calls and all tables that it reads, independent of their numbers."""
    order: dict[int, int] = {procedure: 0}
    written: list[object] = []
    left = [procedure]

    def met(number: int) -> int:
        if number not in order:
            order[number] = len(order)
            left.append(number)
        return order[number]

    def written_form(node: object) -> object:
        match node:
            case tuple():
                return tuple(map(written_form, node))
            case (
                ir.CallValue(procedure=n, arguments=arguments)
                | ir.CallPlain(procedure=n, arguments=arguments)
            ):
                return type(node), met(n), written_form(arguments)
            case ir.Table(table=n, index=index):
                return ir.Table, c.tables[n], written_form(index)
            case ir.Mark():
                return ir.Mark
            case int() | str() | None:
                return node
            case _:  # all others: their parts
                names = fields_of(node.__class__)
                parts = [written_form(getattr(node, name)) for name in names]
                return (type(node), *parts) if names else node

    while left:
        called = c.plain[left.pop()]
        written.append(called and (called.parameters, called.locals, written_form(called.body)))
    return tuple(written)


def _answers_of(c: Procedures, procedure: int, body: Sequence[ir.Stmt]) -> Answers | None:
    """Return the earlier results of a procedure, in any variant; None if results are not worth caching."""
    if not any(isinstance(s, _LOOPS) for s in _steps_in(body)):
        return None
    form = _form(c, procedure)
    if form not in _answers:
        if len(_answers) >= _MOST_KEPT:
            _answers.clear()
        _answers[form] = {}
    return _answers[form]


def _steps_in(body: Sequence[ir.Stmt]) -> Iterator[ir.Stmt]:
    for s in body:
        yield s
        if isinstance(s, ir.If):
            yield from _steps_in(s.then)
            yield from _steps_in(s.otherwise)


@define
class Printed:
    """Computes values, with one limit on the turns of all loops.

    Each expression and each step becomes a function when it is first reached, because loops evaluate it often.
    """

    c: Procedures
    turns: int = 0
    _read: dict[int, tuple[ir.Expr, Read]] = field(factory=dict)
    """For the `id` of each expression: the expression, and the function that computes it."""
    _called: dict[int, tuple[int, Run, Answers | None]] = field(factory=dict)
    """For the number of each procedure: how many locals it has, its steps, and its earlier results."""

    def call(self, procedure: int, arguments: Sequence[object]) -> object:
        """Return the value of a plain procedure."""
        known = self._called.get(procedure)
        if known is None:
            called = self.c.plain[procedure]
            if called is None:
                raise Unknown
            answers = _answers_of(self.c, procedure, called.body)
            known = self._called[procedure] = called.locals, self._run(called.body), answers
        self._turn()
        slots, run, answers = known
        given = tuple(arguments)
        if answers is not None and given in answers:
            return answers[given]
        found = _left_with(run, slots, given)
        if answers is not None and len(answers) < _MOST_KEPT:
            answers[given] = found
        return found

    def give(self, called: ir.Plain, given: tuple[object, ...]) -> object:
        """Return the value of a plain procedure, computed without its earlier results."""
        return _left_with(self._run(called.body), called.locals, given)

    def value(self, e: ir.Expr, local: Locals) -> object:
        """Return the value of an expression that reads constants and these locals."""
        return self._reading(e)(local)

    def _reading(self, e: ir.Expr) -> Read:
        known = self._read.get(id(e))
        if known is None:
            known = self._read[id(e)] = e, self._read_of(e)
        return known[1]

    def _read_of(self, e: ir.Expr) -> Read:
        match e:
            case ir.Const(value=value):
                return lambda local: value
            case ir.Local(slot=slot):
                return lambda local: local[slot]
            case ir.LocalList(slot=slot):
                return lambda local: tuple(
                    local[slot + n] for n in range(1, number(local[slot]) + 1)
                )
            case ir.Table(table=table, index=index):
                return _row(self.c.tables[table], self._reading(index))
            case ir.Not(operand=operand):
                one = self._reading(operand)
                return lambda local: int(not number(one(local)))
            case ir.And(left=a, right=b):
                one, other = self._reading(a), self._reading(b)
                return lambda local: int(number(one(local)) != 0 and number(other(local)) != 0)
            case ir.Or(left=a, right=b):
                one, other = self._reading(a), self._reading(b)
                return lambda local: int(number(one(local)) != 0 or number(other(local)) != 0)
            case ir.Choice(condition=a, then=b, otherwise=d):
                asked, one, other = self._reading(a), self._reading(b), self._reading(d)
                return lambda local: (one if number(asked(local)) else other)(local)
            case ir.Binary(operator=symbol, left=a, right=b):
                if isinstance(b, ir.Const) and isinstance(b.value, int) and symbol in _OPERATORS:
                    return _with(symbol, self._reading(a), b.value)
                return _operation(symbol, self._reading(a), self._reading(b))
            case ir.CallValue(procedure=n, arguments=arguments):
                given = [*map(self._reading, arguments)]
                return lambda local: self.call(n, [one(local) for one in given])
            case ir.MakeList(items=parts):
                each = [*map(self._reading, parts)]
                return lambda local: tuple([one(local) for one in each])
            case ir.Length(of=of):
                listed = self._reading(of)
                return lambda local: len(items(listed(local)))
            case ir.At(of=of, index=index):
                return _member(self._reading(of), self._reading(index))
            case ir.Has(of=of, item=item):
                listed, one = self._reading(of), self._reading(item)

                def has(local: Locals) -> object:
                    wanted = number(one(local))
                    return int(wanted in items(listed(local)))

                return has
            case ir.Load() | ir.Possible():
                return _unknown

    def _run(self, body: Sequence[ir.Stmt]) -> Run:
        steps = [step for s in body if (step := self._step(s)) is not None]
        if len(steps) == 1:
            return steps[0]

        def run(local: Locals) -> Left | None:
            for step in steps:
                left = step(local)
                if left is not None:
                    return left
            return None

        return run

    def _step(self, s: ir.Stmt) -> Run | None:
        match s:
            case ir.SetLocal(slot=slot, value=value):
                return self._kept(slot, self._reading(value))
            case ir.SetLocalList(slot=slot, capacity=capacity, value=value):
                return _kept_list(slot, capacity, self._reading(value))
            case ir.If(condition=condition, then=then, otherwise=otherwise):
                asked, yes, no = self._reading(condition), self._run(then), self._run(otherwise)
                return lambda local: (yes if number(asked(local)) else no)(local)
            case ir.While(condition=condition, body=body):
                asked = self._reading(condition)
                return self._loop(
                    lambda local: iter(lambda: bool(number(asked(local))), False), body
                )
            case ir.ForRange(slot=slot, low=low, high=high, body=body):
                first, last = self._reading(low), self._reading(high)
                return self._loop(
                    lambda local: range(number(first(local)), number(last(local)) + 1), body, slot
                )
            case ir.ForEach(slot=slot, of=of, body=body):
                listed = self._reading(of)
                return self._loop(lambda local: items(listed(local)), body, slot)
            case ir.Break():
                return lambda local: _BREAK
            case ir.Continue():
                return lambda local: _CONTINUE
            case ir.Append(slot=slot, value=value):
                one = self._reading(value)
                return self._kept(slot, lambda local: (*items(local[slot]), one(local)))
            case ir.CallPlain(procedure=n, arguments=arguments):
                given = [*map(self._reading, arguments)]

                def call(local: Locals) -> None:
                    self.call(n, [one(local) for one in given])

                return call
            case ir.Return(value=None):
                return lambda local: (0,)
            case ir.Return(value=value):
                assert value is not None
                result = self._reading(value)
                return lambda local: (result(local),)
            case ir.Mark():
                return None
            case ir.Fault():
                return _faulty
            case ir.Store() | ir.Offer() | ir.Refuse() | ir.Log() | ir.Fail():
                return _unknown

    def _kept(self, slot: int, value: Read) -> Run:
        def keep(local: Locals) -> None:
            local[slot] = value(local)

        return keep

    def _loop(
        self,
        values: Callable[[Locals], Iterable[object]],
        body: Sequence[ir.Stmt],
        slot: int | None = None,
    ) -> Run:
        run = self._run(body)

        def loop(local: Locals) -> Left | None:
            for value in values(local):
                self._turn()
                if slot is not None:
                    local[slot] = value
                left = run(local)
                if left is _BREAK:
                    break
                if left is not None and left is not _CONTINUE:
                    return left
            return None

        return loop

    def _turn(self) -> None:
        self.turns += 1
        if self.turns > MOST_TURNS:
            raise Unknown


def _left_with(run: Run, slots: int, given: tuple[object, ...]) -> object:
    left = run([*given, *repeat(0, slots - len(given))])
    return 0 if left is None else left[0]


def _row(rows: Sequence[object], index: Read) -> Read:
    many = len(rows)

    def read(local: Locals) -> object:
        at = index(local)
        if not isinstance(at, int) or not 0 <= at < many:
            raise Unknown
        return rows[at]

    return read


def _member(listed: Read, index: Read) -> Read:
    def read(local: Locals) -> object:
        found, at = items(listed(local)), number(index(local))
        return found[at] if 0 <= at < len(found) else -1

    return read


def _with(symbol: str, one: Read, other: int) -> Read:
    of = _OPERATORS[symbol]

    def read(local: Locals) -> object:
        x = one(local)
        if not isinstance(x, int):
            raise Unknown
        return of(x, other)

    return read


def _operation(symbol: str, one: Read, other: Read) -> Read:
    if symbol in _OPERATORS:
        of = _OPERATORS[symbol]

        def read(local: Locals) -> object:
            x, y = one(local), other(local)
            if not (isinstance(x, int) and isinstance(y, int)):
                raise Unknown
            return of(x, y)

        return read

    def divided(local: Locals) -> object:
        x, y = number(one(local)), number(other(local))
        if y == 0:
            raise Unknown
        return x // y if symbol == "//" else x % y

    return divided


def _kept_list(slot: int, capacity: int, value: Read) -> Run:
    def keep(local: Locals) -> None:
        listed = items(value(local))
        if len(listed) > capacity:
            raise Unknown
        local[slot] = len(listed)
        local[slot + 1 : slot + 1 + len(listed)] = listed

    return keep


def _unknown(local: Locals) -> NoReturn:
    raise Unknown


def _faulty(local: Locals) -> NoReturn:
    raise Faulty


def number(value: object) -> int:
    """Return a value that must be a number."""
    if not isinstance(value, int):
        raise Unknown
    return value


def items(value: object) -> tuple[object, ...]:
    """Return a value that must be a list."""
    if not isinstance(value, tuple):
        raise Unknown
    return value
