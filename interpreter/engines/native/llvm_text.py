"""Writes one LLVM function as text, block by block. It does not depend on the core IR."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from attrs import define, field

UNLIKELY = "!prof !9"


@define(eq=False)
class Function:
    """A function that is being written. Unreachable code is left out."""

    head: str
    lines: list[str] = field(factory=list)
    variables: list[str] = field(factory=list)
    open: bool = True
    """Whether the current point in the code can be reached."""
    here: str = "entry"
    """The label of the current block."""
    _count: int = 0
    _labels: int = 0
    _targets: set[str] = field(factory=set)

    def text(self) -> str:
        """Return the text of the whole function."""
        return "\n".join(
            [f"define {self.head} {{", "entry:", *self.variables, *self.lines, "}", ""]
        )

    def mark(self) -> tuple[int, int, str, bool, set[str]]:
        """Return a mark of the text so far, for `back_to`."""
        return len(self.lines), len(self.variables), self.here, self.open, set(self._targets)

    def back_to(self, mark: tuple[int, int, str, bool, set[str]]) -> None:
        """Remove all text since a mark."""
        lines, variables, self.here, self.open, self._targets = mark
        del self.lines[lines:], self.variables[variables:]

    # ---- straight lines --------------------------------------------------------------------------

    def value(self, text: str) -> str:
        """Write an instruction, and return the name of its value."""
        if not self.open:
            return "poison"
        self._count += 1
        self.lines.append(f" %r{self._count} = {text}")
        return f"%r{self._count}"

    def do(self, text: str) -> None:
        """Write an instruction without a value."""
        if self.open:
            self.lines.append(f" {text}")

    def variable(self, kind: str, start: str | None = None) -> str:
        """Make a variable of the function. Its first value is set at the start of the function."""
        self._count += 1
        name = f"%v{self._count}"
        self.variables.append(f" {name} = alloca {kind}")
        if start is not None:
            self.variables.append(f" store {kind} {start}, ptr {name}")
        return name

    def room(self, cells: int) -> str:
        """Allocate `cells` cells in the function's stack frame, and return their address."""
        return self.variable(f"[{max(cells, 1)} x i32]")

    # ---- blocks ----------------------------------------------------------------------------------

    def label(self) -> str:
        """Return a new label."""
        self._labels += 1
        return f"L{self._labels}"

    def start(self, label: str) -> None:
        """Begin a block. The previous code continues at the block. If nothing reaches the block,
        the block is left out."""
        self.jump(label)
        if label in self._targets:
            self.lines.append(f"{label}:")
            self.here, self.open = label, True

    def is_aimed_at(self, label: str) -> bool:
        """Return whether a block has a predecessor."""
        return label in self._targets

    def jump(self, label: str) -> None:
        """Write a jump to a block."""
        self.do(f"br label %{label}")
        self._note_targets(label)

    def branch(self, test: str, then: str, otherwise: str, note: str = "") -> None:
        """Write a branch to one of two blocks."""
        end = f", {note}" if note else ""
        self.do(f"br i1 {test}, label %{then}, label %{otherwise}{end}")
        self._note_targets(then, otherwise)

    def fork(self, number: str, otherwise: str, ways: dict[int, str]) -> None:
        """Write a branch to one of many blocks, selected by a number."""
        cases = " ".join(f"i64 {case}, label %{label}" for case, label in ways.items())
        self.do(f"switch i64 {number}, label %{otherwise} [{cases}]")
        self._note_targets(otherwise, *ways.values())

    def _note_targets(self, *labels: str) -> None:
        if self.open:
            self._targets.update(labels)
        self.open = False

    def leave(self, text: str) -> None:
        """Write a return."""
        self.do(f"ret {text}")
        self.open = False

    # ---- structure -------------------------------------------------------------------------------

    @contextmanager
    def when(self, test: str, note: str = "") -> Iterator[None]:
        """Make the code in the `with` block run only if a test is true."""
        then, after = self.label(), self.label()
        self.branch(test, then, after, note)
        self.start(then)
        yield
        self.start(after)

    @contextmanager
    def loop(self) -> Iterator[tuple[str, str]]:
        """Make the code in the `with` block run in a loop. Yield the labels of the next iteration and of the end."""
        head, after = self.label(), self.label()
        self.start(head)
        yield head, after
        self.jump(head)
        self.start(after)

    @contextmanager
    def count(self, end: str) -> Iterator[str]:
        """Make the code in the `with` block run for each number from 0 to before `end`."""
        place = self.variable("i64")
        self.store("i64", "0", place)
        with self.loop() as (_, after):
            turn = self.label()
            here = self.load("i64", place)
            self.branch(self.value(f"icmp slt i64 {here}, {end}"), turn, after)
            self.start(turn)
            yield here
            self.store("i64", self.value(f"add nsw i64 {here}, 1"), place)

    # ---- memory ----------------------------------------------------------------------------------

    def load(self, kind: str, address: str) -> str:
        """Load the value at an address."""
        return self.value(f"load {kind}, ptr {address}")

    def store(self, kind: str, value: str, address: str) -> None:
        """Store a value at an address."""
        self.do(f"store {kind} {value}, ptr {address}")

    def at(self, base: str, index: str | int, kind: str = "i32") -> str:
        """Return the address of an item."""
        return self.value(f"getelementptr {kind}, ptr {base}, i64 {index}")

    def cell(self, base: str, index: str | int, tag: str = "") -> str:
        """Load the number in a cell."""
        address = self.at(base, index)
        return self.value(f"sext i32 {self.value(f'load i32, ptr {address}{tag}')} to i64")

    def set_cell(self, base: str, index: str | int, value: str, tag: str = "") -> None:
        """Store a 32-bit number in a cell."""
        self.do(f"store i32 {value}, ptr {self.at(base, index)}{tag}")


def as_signed(word: int) -> int:
    """Return the signed number that has the bits of an unsigned 64-bit word."""
    return word - 2**64 if word >= 2**63 else word
