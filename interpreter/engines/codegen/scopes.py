"""Keeps track of where the locals of plain procedures are, and of their known values, independent of states."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from attrs import define, field, frozen

from rulewright.dsl import ir
from rulewright.interpreter.engines.analysis.procedures import slots
from rulewright.interpreter.engines.codegen.code import Code, number


class Scope(Protocol):
    """Keeps track of where the locals of a procedure are, and of their known values at a point in the code."""

    def read(self, slot: int) -> Code:
        """Return code for the value of a local. The code stays valid when the local changes."""
        ...

    def look(self, slot: int) -> Code:
        """Return code for the value of a local. The code is valid until the local changes."""
        ...

    def target(self, slot: int) -> str:
        """Return the variable that takes a new value of a local."""
        ...

    def note(self, slot: int, value: Code) -> None:
        """Record the known value of a local. The value is also in the variable of the local."""
        ...

    def address(self, slot: int) -> Code:
        """Return the address of a local in the state."""
        ...

    def save(self) -> object:
        """Return the knowledge at the current point in the code, for `restore`."""
        ...

    def restore(self, known: object) -> None:
        """Restore knowledge that `save` returned."""
        ...

    def join(self, arms: list[tuple[object, int]]) -> None:
        """Keep only knowledge that is true at the end of all arms. Each arm is given with the line at which it ends."""
        ...

    def before_loop(self, nodes: Sequence[object]) -> None:
        """Keep only knowledge that is true in every iteration of a loop."""
        ...

    def after_loop(self) -> None:
        """Write the code that was postponed in a loop."""
        ...


@define(eq=False)
class Host:
    """The locals of a plain procedure, as variables of a Python function."""

    known: set[int]
    """The locals that have been set."""
    growing: frozenset[int] = frozenset()
    unsure: set[int] = field(factory=set)
    """The locals that may be read before they are set."""
    constants: dict[int, Code] = field(factory=dict)

    def read(self, slot: int) -> Code:
        return Code(f"tuple(v{slot})") if slot in self.growing else self.look(slot)

    def look(self, slot: int) -> Code:
        if slot in self.constants:
            return self.constants[slot]
        if slot not in self.known:
            self.unsure.add(slot)
        return Code(f"v{slot}")

    def target(self, slot: int) -> str:
        self.constants.pop(slot, None)
        self.known.add(slot)
        return f"v{slot}"

    def note(self, slot: int, value: Code) -> None:
        self.constants[slot] = value

    def address(self, slot: int) -> Code:
        raise AssertionError

    def save(self) -> object:
        return set(self.known), dict(self.constants)

    def restore(self, known: object) -> None:
        assert isinstance(known, tuple)
        self.known, self.constants = set(known[0]), dict(known[1])

    def join(self, arms: list[tuple[object, int]]) -> None:
        pairs = [known for known, _ in arms if isinstance(known, tuple)]
        self.known = set.intersection(*(known for known, _ in pairs))
        self.constants = common_constants([constants for _, constants in pairs])

    def before_loop(self, nodes: Sequence[object]) -> None:
        for slot in slots(nodes)[1]:
            self.constants.pop(slot, None)

    def after_loop(self) -> None:
        pass


def common_constants(arms: list[dict[int, Code]]) -> dict[int, Code]:
    """Return the constants that are the same at the end of all arms."""
    first, *others = arms
    return {
        slot: code
        for slot, code in first.items()
        if all(slot in arm and arm[slot].const == code.const for arm in others)
    }


@define(eq=False)
class Inlined:
    """The parameters of an inlined procedure."""

    codes: list[Code]
    later: dict[int, Code]
    """How parameters are read after the first time, if a variable then contains them."""

    def read(self, slot: int) -> Code:
        if slot >= len(self.codes):
            return number(False)
        code = self.codes[slot]
        if slot in self.later:
            self.codes[slot] = self.later.pop(slot)
        return code

    def look(self, slot: int) -> Code:
        return self.read(slot)

    def target(self, slot: int) -> str:
        raise AssertionError

    def note(self, slot: int, value: Code) -> None:
        raise AssertionError

    def address(self, slot: int) -> Code:
        raise AssertionError

    def save(self) -> object:
        return list(self.codes), dict(self.later)

    def restore(self, known: object) -> None:
        assert isinstance(known, tuple)
        self.codes, self.later = known

    def join(self, arms: list[tuple[object, int]]) -> None:
        raise AssertionError

    def before_loop(self, nodes: Sequence[object]) -> None:
        raise AssertionError

    def after_loop(self) -> None:
        raise AssertionError


@frozen
class Available:
    """An expression whose value is in a variable."""

    scope: Scope
    expression: ir.Expr
    code: Code
