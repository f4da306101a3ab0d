"""Finds the rolls whose numbers the rules may store in a value that some player does not see.

A roll is followed from its local name through its procedure: into other names, into stores, and
into calls. A roll that is passed to a suspending procedure counts as stored.
"""

from __future__ import annotations

from collections.abc import Iterator
from weakref import WeakKeyDictionary

from rulewright.dsl import ir
from rulewright.interpreter.engines.analysis.procedures import walk
from rulewright.interpreter.knowledge.hidden_pieces import cells_of
from rulewright.interpreter.views.compiled_game import CompiledGame

_FOUND: WeakKeyDictionary[CompiledGame, frozenset[int]] = WeakKeyDictionary()


def secret_rolls(compiled: CompiledGame) -> frozenset[int]:
    """Return the numbers of the chance sites with numeric results that may be stored in secret."""
    found = _FOUND.get(compiled)
    if found is None:
        found = _FOUND[compiled] = frozenset(_secret(compiled))
    return found


def _secret(compiled: CompiledGame) -> Iterator[int]:
    program, words = compiled.program, compiled.words
    hidden = frozenset(_hidden_cells(compiled))
    if not hidden:
        return
    for site, chance in enumerate(program.chances):
        is_number = chance.domain is None or not words.is_of_pieces(chance.domain)
        if is_number and _is_kept(program, chance, hidden):
            yield site


def _hidden_cells(compiled: CompiledGame) -> Iterator[int]:
    for kept in compiled.program.kept:
        for owner, cell in cells_of(kept):
            seats = range(compiled.program.seats)
            if not all(compiled.viewer.may_see(kept, owner, seat) for seat in seats):
                yield cell


def _is_kept(program: ir.Program, chance: ir.ChanceSite, hidden: frozenset[int]) -> bool:
    """Return whether the number of a roll may reach a hidden cell."""
    blocks = [block for block in program.blocks if block.procedure == chance.procedure]
    nodes = [node for block in blocks for node in walk((block.body, block.end))]
    names, count = {chance.slot}, 0
    while len(names) > count:
        count = len(names)
        for node in nodes:
            if isinstance(node, ir.SetLocal | ir.SetLocalList) and _reads(node.value, names):
                names.add(node.slot)
    for node in nodes:
        match node:
            case ir.Store(address, value, far):
                if _reads(value, names) and (far or _has_cell(address, hidden)):
                    return True
            case ir.CallPlain(procedure, arguments):
                if _reads(arguments, names) and _may_store(program, procedure, hidden, set()):
                    return True
            case ir.CallThen(arguments=arguments):
                if _reads(arguments, names):
                    return True
            case _:  # all others: they store nothing
                pass
    return False


def _reads(node: object, names: set[int]) -> bool:
    return any(
        isinstance(part, ir.Local | ir.LocalList) and part.slot in names for part in walk(node)
    )


def _has_cell(address: ir.Expr, hidden: frozenset[int]) -> bool:
    """Return whether an address may be the address of a hidden cell, judging by its constants."""
    numbers = [part.value for part in walk(address) if isinstance(part, ir.Const)]
    return not numbers or any(number in hidden for number in numbers)


def _may_store(program: ir.Program, procedure: int, hidden: frozenset[int], met: set[int]) -> bool:
    """Return whether a plain procedure, or a procedure that it calls, may change a hidden cell."""
    if procedure in met:
        return False
    met.add(procedure)
    for node in walk(program.plain[procedure].body):
        match node:
            case ir.Store(address, _, far):
                if far or _has_cell(address, hidden):
                    return True
            case ir.CallPlain(called, _):
                if _may_store(program, called, hidden, met):
                    return True
            case _:
                pass
    return False
