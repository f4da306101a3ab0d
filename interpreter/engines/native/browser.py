"""Loads native code in a browser. The code is in precompiled WebAssembly modules, because no
compiler runs in a browser.

Python in a browser (Pyodide) loads a module into its own memory, like a library. So the addresses
of Python's arrays are also valid in native code. There are no threads, so one copy of each module
is enough.
"""

from __future__ import annotations

import ctypes
import json
import sys
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any, Final

from attrs import asdict, frozen

from rulewright.interpreter.engines.native.wasm_linker import section_of

IN_BROWSER: Final = sys.platform == "emscripten"
FACTS: Final = "rulewright"
"""The section of a module that contains the facts about its code."""


@frozen
class Facts:
    """The facts that callers of native code need about its program."""

    stride: int
    """The size of a state of the pool, in bytes."""
    tells: bool
    """Whether the code writes the log."""
    has_results: bool
    """Whether the code computes points and winners."""
    asked: tuple[tuple[int, bool], ...]
    """For each procedure that Python can call, the index of the procedure, and whether its value is a number."""

    def to_bytes(self) -> bytes:
        """Return the facts as the bytes of a section of a module."""
        return json.dumps(asdict(self)).encode()

    @classmethod
    def of(cls, module: bytes) -> Facts:
        """Read the facts in a module."""
        data = json.loads(section_of(module, FACTS))
        asked = tuple((int(plain), bool(is_number)) for plain, is_number in data.pop("asked"))
        return cls(asked=asked, **data)


@cache
def load_library(code: bytes) -> Any:
    """Load a module into memory."""
    path = Path(mkdtemp()) / "native.so"
    path.write_bytes(code)
    found = ctypes.CDLL(str(path))
    path.unlink()
    return found


def link(code: bytes, names: Iterable[str]) -> tuple[Any, dict[str, int]]:
    """Link code as `llvm.link` does. All calls with the same code return the same copy."""
    library = load_library(code)
    return library, {
        name: ctypes.cast(getattr(library, name), ctypes.c_void_p).value or 0 for name in names
    }
