"""Finds decisions whose options are all possible, so that none of them has to be tried.

The steps after an option are checked up to the end of the scope. Every failure that may occur in
these steps must have a condition for which the option would have been refused. This module does not
depend on LLVM.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, TypeAlias

from attrs import define, field

from rulewright.dsl import ir
from rulewright.interpreter.engines.analysis.procedures import Knowledge, replace_parts, walk
from rulewright.interpreter.engines.native.optimise.ranges import Ranges

BROKEN: Final = (ir.Fail, ir.Fault, ir.Possible, ir.While, ir.SetLocalList)
"""The statements that may fail, or that the analysis cannot follow."""
CHOSEN: Final = ir.Local(-1)
"""The chosen option."""
NEXT: Final = 60
"""The maximum number of blocks that the analysis follows."""

Values: TypeAlias = Mapping[int, ir.Expr]
"""The values of locals, in terms of their values at the decision."""


class _Unsure(Exception):
    """Raised if the effect of an option is unknown."""


def sure_sites(program: ir.Program, knowledge: Knowledge, ranges: Ranges) -> frozenset[int]:
    """Return those sites with a search at which all options are possible if only one scope is open."""
    opened: dict[int, list[ir.Choose]] = {}
    for block in program.blocks[1:]:
        if isinstance(block.end, ir.Choose):
            opened.setdefault(block.end.site, []).append(block.end)
    found: set[int] = set()
    for number, site in enumerate(program.sites):
        if site.search and len(opened.get(number, ())) == 1:
            (choose,) = opened[number]
            try:
                way = _Way(program, knowledge, ranges, _false_conditions(program, site))
                frame = {slot: ir.Local(slot) for slot in range(_locals(program, site))}
                way.block(choose.block, {**frame, choose.slot: CHOSEN}, ())
            except _Unsure:
                continue
            found.add(number)
    return frozenset(found)


def _locals(program: ir.Program, site: ir.Site) -> int:
    return program.suspending[site.procedure].locals


def _false_conditions(program: ir.Program, site: ir.Site) -> frozenset[ir.Expr]:
    """Return conditions that are false for every offered option."""
    match program.plain[site.enumerator].body:
        case (ir.ForEach(slot, _, (*asked, last)),) | (ir.ForRange(slot, _, _, (*asked, last)),):
            pass
        case _:
            return frozenset()
    refused: list[ir.Expr] = []
    for statement in asked:
        match statement:
            case ir.If(condition, (ir.Refuse(), ir.Continue()), ()):
                refused.append(condition)
            case _:
                return frozenset()
    match last:
        case ir.Offer(ir.Local(offered)) if offered == slot:
            item: ir.Expr = CHOSEN
        case ir.Offer(ir.Binary("+", ir.Const(int(low)), ir.Local(offered))) if offered == slot:
            item = ir.Binary("+", CHOSEN, ir.Const(-low))
        case _:
            return frozenset()
    values: Values = {**dict(enumerate(site.arguments)), slot: item}
    known = [_known_value(condition, values) for condition in refused]
    return frozenset(condition for condition in known if condition is not None)


def _known_value(e: ir.Expr, values: Values) -> ir.Expr | None:
    """Return the value of an expression in terms of the locals at the decision. If the value is
    unknown, return None."""
    slots = {part.slot for part in walk(e) if isinstance(part, ir.Local)}
    calls = any(isinstance(part, (ir.CallValue, ir.LocalList)) for part in walk(e))
    if calls or not slots <= values.keys():
        return None
    return replace_parts(e, lambda part: values[part.slot] if isinstance(part, ir.Local) else None)


@define(eq=False)
class _Way:
    """Follows the steps after an option."""

    program: ir.Program
    knowledge: Knowledge
    ranges: Ranges
    refused: frozenset[ir.Expr]
    _is_written: bool = False
    """Whether the state may have changed since the decision."""
    _met: set[tuple[int, tuple[int, ...]]] = field(factory=set)

    def block(self, number: int, values: Values, callers: tuple[int, ...]) -> None:
        """Follow a block, and then the blocks of the callers to which it returns."""
        if (number, callers) in self._met:
            raise _Unsure  # this is a cycle
        self._met.add((number, callers))
        if len(self._met) > NEXT:
            raise _Unsure
        block = self.program.blocks[number]
        held = self._body(block.body, values, None)
        match block.end:
            case ir.Goto(target):
                self.block(target, held, callers)
            case ir.Leave() if not callers:
                pass
            case ir.EndGame():
                pass
            case ir.CallThen(callee, arguments, back):
                self._harmless(arguments)
                known = self._known_parameters(arguments, held)
                self.block(self.program.suspending[callee].entry, known, (back, *callers))
            case ir.Finish() if callers:
                self.block(callers[0], {}, callers[1:])
            case _:  # all others: their effect is unknown
                raise _Unsure

    def _body(
        self, body: tuple[ir.Stmt, ...], values: Values, plain: int | None
    ) -> dict[int, ir.Expr]:
        """Follow statements. Return the known values of locals after them."""
        held = dict(values)
        for statement in body:
            match statement:
                case ir.Log() | ir.Mark():
                    pass
                case ir.If(condition, (ir.Fail(),), ()):
                    if self._is_written or _known_value(condition, held) not in self.refused:
                        raise _Unsure
                case ir.SetLocal(slot, value):
                    self._harmless(value)
                    known_value = None if self._is_written else _known_value(value, held)
                    held.pop(slot, None)
                    if known_value is not None:
                        held[slot] = known_value
                case ir.CallPlain(callee, arguments):
                    self._harmless(arguments)
                    if self._recurs(callee):
                        raise _Unsure
                    known = self._known_parameters(arguments, held)
                    self._body(self.program.plain[callee].body, known, callee)
                case ir.While() if plain is not None:
                    self._ends(statement, plain)
                    self._is_written = True
                    held = {}
                case _:  # all others: `_harmless` checks them
                    self._harmless(statement)
                    held = {}
                    self._is_written = True
        return held

    def _known_parameters(self, arguments: tuple[ir.Expr, ...], held: Values) -> dict[int, ir.Expr]:
        """Return the known values of the parameters of a called procedure."""
        if self._is_written:
            return {}
        known_value = {
            slot: _known_value(argument, held) for slot, argument in enumerate(arguments)
        }
        return {slot: value for slot, value in known_value.items() if value is not None}

    def _harmless(self, node: object) -> None:
        """Raise `_Unsure` if anything in a node may fail or run endlessly."""
        for part in walk(node):
            if isinstance(part, BROKEN):
                raise _Unsure
            if isinstance(part, (ir.CallPlain, ir.CallValue)) and (
                self.knowledge.reaches(part.procedure, *BROKEN) or self._recurs(part.procedure)
            ):
                raise _Unsure

    def _recurs(self, plain: int) -> bool:
        todo, met = [plain], set[int]()
        while todo:
            for callee in self.knowledge.facts(todo.pop()).calls:
                if callee == plain:
                    return True
                if callee not in met:
                    met.add(callee)
                    todo.append(callee)
        return False

    def _ends(self, loop: ir.While, plain: int) -> None:
        """Raise `_Unsure` unless a loop removes tokens one by one until none are left."""
        match loop.condition:
            case ir.Binary("!=", ir.Load(ir.Const(int(cell)), False) as there, ir.Const(0)):
                pass
            case _:
                raise _Unsure
        fewer = ir.Store(ir.Const(cell), ir.Binary("-", there, ir.Const(1)))
        if not self._holds_tokens(cell) or loop.body.count(fewer) != 1:
            raise _Unsure
        for statement in loop.body:
            if statement == fewer:
                continue
            match statement:
                case ir.SetLocal(_, value):
                    self._harmless(value)
                    self._writes_nothing(value)
                case ir.Store(address, value, False):
                    self._harmless((address, value))
                    slots = {part.slot for part in walk(address) if isinstance(part, ir.Local)}
                    known = {slot: self.ranges.local(plain, slot) for slot in slots}
                    low, high = self.ranges.range_of(address, known, 0)
                    if low <= cell <= high:
                        raise _Unsure
                case ir.Log() | ir.Mark():
                    pass
                case _:  # all others: their effect is unknown
                    raise _Unsure

    def _writes_nothing(self, node: object) -> None:
        for part in walk(node):
            if isinstance(part, ir.CallValue) and self.knowledge.reaches(part.procedure, ir.Store):
                raise _Unsure

    def _holds_tokens(self, cell: int) -> bool:
        return any(
            place.cell_of < 0 and place.base <= cell < place.base + len(place.owners) * place.stride
            for place in self.program.tokens
        )
