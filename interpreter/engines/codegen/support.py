"""Defines the helpers that the functions of generated Python call and read."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from typing import Any

from attrs import define, field

from rulewright.dsl import ir
from rulewright.interpreter.engines.engine import Cells, Refusal
from rulewright.interpreter.text.faults import (
    Impossible,
    InternalError,
    Value,
    declared_fault,
    no_progress,
    too_deep,
)

MOST_VALUES = 5000
"""The maximum number of cached values of one procedure."""


def names_of(program: ir.Program) -> dict[str, Any]:
    """Return the names that the functions of all modules may call and read."""

    def cell(address: int) -> int:
        return _within(address, 0, program.stack, "cell")

    def settable_cell(address: int) -> int:
        return _within(address, ir.HEADER, program.stack, "cell to be set")

    def row(index: int, size: int) -> int:
        return _within(index, 0, size, "row of this table:")

    return {
        **{f"T{n}": table for n, table in enumerate(program.tables)},
        "Impossible": Impossible,
        "Refusal": Refusal,
        "fault": lambda fault: declared_fault(program, fault),
        "too_deep": lambda procedure: too_deep(program.suspending[procedure].span),
        "no_progress": no_progress,
        "throw": throw,
        "no_result": no_result,
        "freeze": freeze,
        "cell": cell,
        "settable_cell": settable_cell,
        "row": row,
    }


def freeze(value: Any) -> Value:
    """Convert a value for callers outside the engine: return a number, or a tuple of values."""
    if isinstance(value, int):
        return value
    return tuple([one if isinstance(one, int) else freeze(one) for one in value])


def no_result(choice: int) -> InternalError:
    """Return the error for a number that chance cannot give."""
    return InternalError(f"{choice} is not a result of this chance")


def throw(error: Exception) -> int:
    """Raise an error where the generated code needs an expression."""
    raise error


def keep(cells: Cells, address: int, capacity: int, values: Sequence[int], zeros: Cells) -> None:
    """Store a list in a frame: its length, its items, and zeros."""
    count = len(values)
    if count > capacity:
        raise InternalError(f"a list of {count} does not fit into {capacity}")
    cells[address : address + capacity + 1] = zeros
    if count > 5:
        cells[address + 1 : address + 1 + count] = array("i", values)
    elif count:
        for place, value in enumerate(values, address + 1):
            cells[place] = value
    cells[address] = count


def keep_in_list(
    cells: list[int], address: int, capacity: int, values: Sequence[int], zeros: Sequence[int]
) -> None:
    """Store a list as `keep` does, but in a state that is a list."""
    count = len(values)
    if count > capacity:
        raise InternalError(f"a list of {count} does not fit into {capacity}")
    cells[address : address + capacity + 1] = (count, *values, *zeros[count + 1 :])


@define(eq=False, repr=False)
class Later:
    """A function that is written at its first call, and then replaces this object."""

    write: Callable[[], Callable[..., Any]]
    places: list[tuple[Any, Any]] = field(factory=list)
    """Where the function is stored: the list or dictionary, and the key in it."""
    _written: Callable[..., Any] | None = None

    def __call__(self, *arguments: Any) -> Any:
        return self.now()(*arguments)

    def now(self) -> Callable[..., Any]:
        """Return the function. If necessary, the function is written first."""
        if self._written is None:
            self._written = self.write()
            for kept, place in self.places:
                if kept[place] is self:
                    kept[place] = self._written
            self.places.clear()
        return self._written

    def put(self, kept: Any, place: Any) -> None:
        """Store the function in a list or dictionary."""
        kept[place] = self if self._written is None else self._written
        if self._written is None:
            self.places.append((kept, place))


class Memo(dict[Any, Any]):
    """The cached values of a procedure that does not depend on the state, keyed by its arguments."""

    def __init__(self, function: Callable[..., Any], parameters: int) -> None:
        super().__init__()
        self.function = function
        self.parameters = parameters

    def __missing__(self, key: Any) -> Any:
        """Compute and cache a value."""
        match self.parameters:
            case 0:
                value = self.function(None)
            case 1:
                value = self.function(None, key)
            case _:
                value = self.function(None, *key)
        if isinstance(value, list):
            value = tuple(value)
        if len(self) >= MOST_VALUES:
            self.clear()
        self[key] = value
        return value


class Lists(dict[int, Any]):
    """The cached lists of a loop whose iterations do not depend on the state. They are keyed by one
    number after another."""

    def __init__(self, function: Callable[..., Any], more: int, above: Lists | None = None) -> None:
        super().__init__()
        self.function = function
        self.more = more
        self.root: Lists = self if above is None else above.root
        self.before: tuple[int, ...] = ()
        self.kept = 0

    def __missing__(self, key: int) -> Any:
        """Compute a list, or begin the lists of the next number."""
        found: Any
        numbers, root = (*self.before, key), self.root
        if root.kept >= MOST_VALUES:  # a loop over one of them keeps it alive
            root.clear()
            root.kept = 0
        root.kept += 1
        if self.more > 1:
            found = Lists(self.function, self.more - 1, self)
            found.before = numbers
        else:
            found = tuple(self.function(None, *numbers))
        self[key] = found
        return found


def lists_of(function: Callable[..., Any], parameters: int) -> dict[Any, Any]:
    """Return the cache for the lists of a function that takes `parameters` numbers. If the function
    takes none, the key is 0."""
    return Lists(function, parameters) if parameters else Memo(function, 0)


def _within(index: int, low: int, end: int, what: str) -> int:
    if not low <= index < end:
        raise InternalError(f"there is no {what} {index}")
    return index
