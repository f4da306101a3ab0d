"""The values of expressions and plain procedures that look at nothing but what is printed.

Means what the reference interpreter means, and gives up where a value depends on the state.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Protocol

import attrs
from attrs import define

from rulewright.dsl import ir

MOST_TURNS = 200_000

Locals = dict[int, object]


class Unknown(Exception):
    """It depends on the state, or takes too long to work out."""


class Faulty(Unknown):
    """It is a fault: a row of a table is missing, or nothing is where something must be."""


class _Left(Exception):
    """A loop or a procedure is left."""


class _Break(_Left):
    pass


class _Continue(_Left):
    pass


class _Return(_Left):
    def __init__(self, value: object) -> None:
        self.value = value


_SIGNS: Mapping[str, Callable[[int, int], int]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "==": lambda a, b: int(a == b),
    "!=": lambda a, b: int(a != b),
    "<": lambda a, b: int(a < b),
    "<=": lambda a, b: int(a <= b),
    ">": lambda a, b: int(a > b),
    ">=": lambda a, b: int(a >= b),
    "min": min,
    "max": max,
}


class Procedures(Protocol):
    """A program, or one that is being written."""

    @property
    def plain(self) -> Sequence[ir.Plain | None]:
        """Plain procedures; None is one not yet written."""
        ...

    @property
    def tables(self) -> Sequence[tuple[object, ...]]:
        """Constant tables."""
        ...


_MOST_KEPT = 1000
_found: dict[object, object] = {}


def printed_value(c: Procedures, procedure: int) -> object:
    """The value of a plain procedure without parameters, None where it depends on the state, 0 where it is a fault.

    Settings of a game share most of what is printed: what has been worked out is kept.
    """
    form = _form(c, procedure)
    if form not in _found:
        if len(_found) >= _MOST_KEPT:
            _found.clear()
        try:
            _found[form] = Printed(c).call(procedure, ())
        except Faulty:
            _found[form] = 0
        except Unknown:
            _found[form] = None
    return _found[form]


def _form(c: Procedures, procedure: int) -> object:
    """A procedure with all it calls and all tables it looks at, whatever numbers these have."""
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
            case _ if attrs.has(type(node)):
                return type(node), *map(written_form, attrs.astuple(node, recurse=False))  # type: ignore[arg-type]  # it is one
            case _:
                return node

    while left:
        called = c.plain[left.pop()]
        written.append(called and (called.parameters, called.locals, written_form(called.body)))
    return tuple(written)


@define
class Printed:
    """Works out values; all of one of these share a bound on turns of loops."""

    c: Procedures
    turns: int = 0

    def call(self, procedure: int, arguments: Sequence[object]) -> object:
        """The value of a plain procedure."""
        called = self.c.plain[procedure]
        if called is None:
            raise Unknown
        self._turn()
        local: Locals = dict.fromkeys(range(called.locals), 0)
        local.update(enumerate(arguments))
        try:
            self._run(called.body, local)
        except _Return as left:
            return left.value
        return 0

    def value(self, e: ir.Expr, local: Mapping[int, object]) -> object:
        """The value of an expression over constants and these locals."""
        match e:
            case ir.Const(value=value):
                return value
            case ir.Local(slot=slot):
                return local[slot]
            case ir.LocalList(slot=slot):
                return tuple(local[slot + n] for n in range(1, number(local[slot]) + 1))
            case ir.Table(table=table, index=index):
                at, rows = self._number(index, local), self.c.tables[table]
                if not 0 <= at < len(rows):
                    raise Unknown
                return rows[at]
            case ir.Not(operand=operand):
                return int(not self._number(operand, local))
            case ir.And(left=a, right=b):
                return int(bool(self._number(a, local)) and bool(self._number(b, local)))
            case ir.Or(left=a, right=b):
                return int(bool(self._number(a, local)) or bool(self._number(b, local)))
            case ir.Choice(condition=a, then=b, otherwise=d):
                return self.value(b if self._number(a, local) else d, local)
            case ir.Binary(operator=sign, left=a, right=b):
                x, y = self._number(a, local), self._number(b, local)
                if sign in ("//", "%"):
                    if y == 0:
                        raise Unknown
                    return x // y if sign == "//" else x % y
                return _SIGNS[sign](x, y)
            case ir.CallValue(procedure=n, arguments=arguments):
                return self.call(n, [self.value(argument, local) for argument in arguments])
            case ir.MakeList(items=parts):
                return tuple(self.value(part, local) for part in parts)
            case ir.Length(of=of):
                return len(self._items(of, local))
            case ir.At(of=of, index=index):
                listed, at = self._items(of, local), self._number(index, local)
                return listed[at] if 0 <= at < len(listed) else -1
            case ir.Has(of=of, item=item):
                return int(self._number(item, local) in self._items(of, local))
            case _:
                raise Unknown

    def _run(self, body: Sequence[ir.Stmt], local: Locals) -> None:
        for s in body:
            self._step(s, local)

    def _step(self, s: ir.Stmt, local: Locals) -> None:
        match s:
            case ir.SetLocal(slot=slot, value=value):
                local[slot] = self.value(value, local)
            case ir.SetLocalList(slot=slot, capacity=capacity, value=value):
                listed = self._items(value, local)
                if len(listed) > capacity:
                    raise Unknown
                local[slot] = len(listed)
                local.update(enumerate(listed, slot + 1))
            case ir.If(condition=condition, then=then, otherwise=otherwise):
                self._run(then if self._number(condition, local) else otherwise, local)
            case ir.While(condition=condition, body=body):
                self._loop(iter(lambda: bool(self._number(condition, local)), False), body, local)
            case ir.ForRange(slot=slot, low=low, high=high, body=body):
                first, last = self._number(low, local), self._number(high, local)
                self._loop(range(first, last + 1), body, local, slot)
            case ir.ForEach(slot=slot, of=of, body=body):
                self._loop(self._items(of, local), body, local, slot)
            case ir.Break():
                raise _Break
            case ir.Continue():
                raise _Continue
            case ir.Append(slot=slot, value=value):
                local[slot] = (*items(local[slot]), self.value(value, local))
            case ir.CallPlain(procedure=n, arguments=arguments):
                self.call(n, [self.value(argument, local) for argument in arguments])
            case ir.Return(value=value):
                raise _Return(0 if value is None else self.value(value, local))
            case ir.Mark():
                pass
            case ir.Fault():
                raise Faulty
            case _:
                raise Unknown

    def _loop(
        self,
        values: Iterable[object],
        body: Sequence[ir.Stmt],
        local: Locals,
        slot: int | None = None,
    ) -> None:
        for value in values:
            self._turn()
            if slot is not None:
                local[slot] = value
            try:
                self._run(body, local)
            except _Continue:
                continue
            except _Break:
                break

    def _turn(self) -> None:
        self.turns += 1
        if self.turns > MOST_TURNS:
            raise Unknown

    def _number(self, e: ir.Expr, local: Mapping[int, object]) -> int:
        return number(self.value(e, local))

    def _items(self, e: ir.Expr, local: Mapping[int, object]) -> tuple[object, ...]:
        return items(self.value(e, local))


def number(value: object) -> int:
    """What must be a number."""
    if not isinstance(value, int):
        raise Unknown
    return value


def items(value: object) -> tuple[object, ...]:
    """What must be a list."""
    if not isinstance(value, tuple):
        raise Unknown
    return value
