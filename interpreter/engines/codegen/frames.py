"""Manages the header, and the locals of suspending procedures while their blocks run.

Locals are cells of a frame, but are stored in variables.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from attrs import define, field

from rulewright.dsl import ir
from rulewright.dsl.ir import BOUND, FRAME, GUARD, HALT, PLAYER, RESUME, SITE
from rulewright.interpreter.engines.analysis.flow import Flow
from rulewright.interpreter.engines.analysis.procedures import slots
from rulewright.interpreter.engines.codegen.code import ATOM, Code, add, const
from rulewright.interpreter.engines.codegen.expressions import Writer
from rulewright.interpreter.engines.codegen.scopes import common_constants

POINTER = Code("F", ATOM)


@define(eq=False)
class Frame:
    """The locals of a suspending procedure. Without `writer`, no local is stored in a variable."""

    start: int
    """The address of the frame or, if it is not `fixed`, its distance from `F`."""
    fixed: bool = False
    bare: frozenset[int] = frozenset()
    """The slots that belong to lists and are never stored in variables."""
    writer: Writer | None = None
    at_once: bool = False
    """Whether locals are written to the state as soon as they are set, except in loops."""
    mark: str = ""
    """A suffix that distinguishes the variables from those of other frames."""
    held: set[int] = field(factory=set)
    dirty: set[int] = field(factory=set)
    """The slots in variables that have not been written back."""
    constants: dict[int, Code] = field(factory=dict)

    def at(self, offset: int) -> str:
        """Return the code for an address in the frame."""
        address = self.start + offset
        if self.fixed:
            return str(address)
        return f"F + {address}" if address else "F"

    def address(self, slot: int) -> Code:
        address = self.start + FRAME + slot
        return const(address) if self.fixed else add(POINTER, const(address))

    def variable(self, slot: int) -> str:
        """Return the name of the variable for a slot."""
        return f"v{slot}{self.mark}"

    def read(self, slot: int) -> Code:
        if slot in self.constants:
            return self.constants[slot]
        if self.writer is None or slot in self.bare:
            return Code(self._cell(slot))
        if slot not in self.held:
            self.writer.line(f"{self.variable(slot)} = {self._cell(slot)}")
            self.held.add(slot)
        return Code(self.variable(slot))

    def look(self, slot: int) -> Code:
        return self.read(slot)

    def target(self, slot: int) -> str:
        if slot in self.bare:
            return self._cell(slot)
        self.constants.pop(slot, None)
        self.held.add(slot)
        if self.at_once and self.writer is not None and not self.writer.loops:
            return f"{self.variable(slot)} = {self._cell(slot)}"
        self.dirty.add(slot)
        return self.variable(slot)

    def note(self, slot: int, value: Code) -> None:
        if slot not in self.bare:
            self.constants[slot] = value

    def save(self) -> object:
        return set(self.held), set(self.dirty), dict(self.constants)

    def restore(self, known: object) -> None:
        assert isinstance(known, tuple)
        self.held, self.dirty, self.constants = set(known[0]), set(known[1]), dict(known[2])

    def join(self, arms: list[tuple[object, int]]) -> None:
        assert self.writer is not None
        states = [known for known, _ in arms if isinstance(known, tuple)]
        self.held = set.intersection(*(held for held, _, _ in states))
        self.dirty = {slot for _, dirty, _ in states for slot in dirty} & self.held
        self.constants = common_constants([constants for _, _, constants in states])
        # Variables are written back from the last arm to the first, because insertions move later
        # lines.
        for (_, dirty, _), (_, end) in reversed(list(zip(states, arms, strict=True))):
            lines = [self._back(slot) for slot in sorted(dirty - self.held)]
            self.writer.lines[end:end] = [f"{self.writer.margin} {line}" for line in lines]

    def before_loop(self, nodes: Sequence[object]) -> None:
        met, written = slots(nodes)
        for slot in sorted(written):
            self.constants.pop(slot, None)
        for slot in sorted(met):
            self.read(slot)
        self.dirty |= written - self.bare

    def after_loop(self) -> None:
        if self.at_once and self.writer is not None and not self.writer.loops:
            self.write_back()

    def write_back(self) -> None:
        """Write code that stores the variables in the state."""
        assert self.writer is not None
        for slot in sorted(self.dirty):
            value = self.constants.get(slot)
            self.writer.line(f"{self._cell(slot)} = {value.text}" if value else self._back(slot))
        self.dirty.clear()

    def values(self) -> list[str]:
        """Return the code for the value of each local that variables store. The code is 0 for a
        local that was never set."""
        known = {slot: code.text for slot, code in self.constants.items()}
        return [
            known.get(slot) or (self.variable(slot) if slot in self.dirty else "0")
            for slot in sorted(self.held)
        ]

    def _cell(self, slot: int) -> str:
        return f"S[{self.at(FRAME + slot)}]"

    def _back(self, slot: int) -> str:
        return f"{self._cell(slot)} = {self.variable(slot)}"


RUNNING: Mapping[int, str] = {PLAYER: "-1", BOUND: "0", SITE: "-1", RESUME: str(HALT)}
"""The header while no decision is open."""
UNKNOWN = ""


@define(eq=False)
class Header:
    """The known header while blocks run. It is written back where the state becomes visible."""

    at_once: bool = False
    """Whether the header is always correct where it is visible."""
    guard: int = 0
    """The number of opened scopes that are not yet counted."""
    holds: dict[int, str] = field(factory=lambda: dict(RUNNING))
    """The cells that describe the open decision."""

    def open(self, end: ir.Choose | ir.Chance) -> None:
        """Record that the state still shows the answered decision or chance event as open."""
        differs = BOUND if isinstance(end, ir.Chance) else PLAYER
        self.holds |= {SITE: str(end.site), RESUME: str(end.block), differs: UNKNOWN}

    def close(self, writer: Writer) -> None:
        """Write code that records in the state that nothing is open."""
        self.write(writer, RUNNING)
        self.holds = dict(RUNNING)

    def move_guard(self, writer: Writer, by: int) -> None:
        """Open or close scopes."""
        self.guard += by
        if self.at_once:
            self.write_guard(writer)

    def write_guard(self, writer: Writer) -> None:
        """Write code that stores the number of open scopes in the state."""
        if self.guard:
            writer.line(f"S[{GUARD}] {'+' if self.guard > 0 else '-'}= {abs(self.guard)}")
            self.guard = 0

    def write(self, writer: Writer, opened: Mapping[int, str]) -> None:
        """Write code that stores the header, with the open decision or chance event, in the state before a return."""
        self.write_guard(writer)
        for cell, holds in self.holds.items():
            wanted = opened.get(cell, RUNNING[cell])
            if wanted != holds:
                writer.line(f"S[{cell}] = {wanted}")


def frame_of(flow: Flow, procedure: int, lists: bool, bare: frozenset[int] = frozenset()) -> Frame:
    """Return the frame of a procedure that runs."""
    if flow.is_first(procedure):
        return Frame(flow.stack_in_lists if lists else flow.program.stack, fixed=True, bare=bare)
    return Frame(0, bare=bare)


@define(eq=False)
class Running:
    """A procedure that is running at a point in a function.

    If the call of the procedure is inlined, `caller` is set. In that case, the frame is pushed only
    where the state becomes visible, and the procedure returns to block `back` of the caller. `path`
    contains the blocks of the caller that were run so far.
    """

    number: int
    frame: Frame
    caller: Running | None = None
    back: int = 0
    path: tuple[int, ...] = ()

    @property
    def chain(self) -> list[Running]:
        """Return the procedure, its caller, the caller of its caller, and so on."""
        found: list[Running] = [self]
        while found[-1].caller is not None:
            found.append(found[-1].caller)
        return found
