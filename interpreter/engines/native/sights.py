"""Runs the kernels of observations, encodings and lists of actions in native code, for one tree."""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Callable, Mapping
from typing import Any

from attrs import define, field

from rulewright.interpreter.engines.engine import Cells
from rulewright.interpreter.engines.kernels.tree import Tree
from rulewright.interpreter.engines.native.kernel import GAME_CALLS, WORDS, words_of
from rulewright.interpreter.engines.native.kernel_groups import SIGHTS


@define(eq=False)
class NativeSights:
    """Computes observations and encodings with the tables of a tree, in any thread."""

    _tree: Tree
    """Stored to keep the tables in memory."""
    _words: Any = field(init=False)
    _tasks: Mapping[str, Callable[..., int]] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._tasks = SIGHTS.functions
        self._words = words_of(self._tree, (0,) * len(GAME_CALLS))

    def observe(self, cells: Cells, players: Cells, room: memoryview) -> list[int]:
        """Implement `Sights.observe`."""
        left = array("q", bytes(8 * len(players)))
        given = {"watched": cells, "watchers": players, "seen": room, "left_out": left}
        return left[: self.run("observe", given, len(players))].tolist()

    def encode(self, cells: Cells, players: Cells, room: memoryview, in_bytes: bool) -> list[int]:
        """Implement `Sights.encode`."""
        left = array("q", bytes(8 * len(players)))
        seen = array("i", bytes(4 * self._tree.seen_size))
        given = {"watched": cells, "watchers": players, "seen": seen, "left_out": left}
        made = self.run(
            "observe_and_encode", given | self._code_fields(room, in_bytes), len(players)
        )
        return left[:made].tolist()

    def encode_seen(self, seen: Cells, players: Cells, room: memoryview, in_bytes: bool) -> None:
        """Implement `Sights.encode_seen`."""
        given = {"seen": seen, "watchers": players} | self._code_fields(room, in_bytes)
        self.run("encode", given, len(players))

    def _code_fields(self, room: memoryview, in_bytes: bool) -> dict[str, Any]:
        if not in_bytes:
            return {"coded": room}
        row = array("f", bytes(4 * self._tree.coded_size))
        return {"coded": row, "coded_bytes": room}

    def run(self, task: str, given: Mapping[str, Any], count: int) -> int:
        """Implement `Sights.run`."""
        words = self._words[:]
        for name in ("sight_slot", "sight_stack"):  # each call has arrays of its own
            given = {**given, name: array("q", bytes(8 * len(getattr(self._tree, name))))}
        words[WORDS["in_bytes"]] = "coded_bytes" in given
        for name, numbers in given.items():
            words[WORDS[name]] = numbers if isinstance(numbers, int) else address_of(numbers)
        return self._tasks[task](words.buffer_info()[0], count)


def address_of(numbers: Any) -> int:
    """Return the address of the bytes of an array."""
    if isinstance(numbers, array):
        return numbers.buffer_info()[0]
    return ctypes.addressof(ctypes.c_char.from_buffer(numbers)) if len(numbers) else 0
