"""Native code in a browser: modules of WebAssembly that were made before, since no compiler runs there.

Python in a browser (Pyodide) loads a module into its own memory, as it loads a library. So the addresses of its arrays
are addresses for native code, too. There are no threads, so one copy of each module is enough.
"""

from __future__ import annotations

import ctypes
import json
import sys
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any, Final

from attrs import asdict, frozen

from rulewright.dsl.ir import Program
from rulewright.dsl.program_data import fingerprint
from rulewright.interpreter.engines.native.wasm_linker import section_of
from rulewright.interpreter.text.errors import NoNativeEngineError

IN_BROWSER: Final = sys.platform == "emscripten"
FACTS: Final = "rulewright"
"""The section of a module that holds the facts about its code."""

_find: list[Callable[[str], bytes | None]] = []
_codes: dict[int, tuple[Program, bytes | None]] = {}
"""By the number of a program in memory: the program, so that the number stays its own, and its module."""


@frozen
class Facts:
    """All that callers of native code know of the program that it was made from."""

    stride: int
    """How many bytes a state of the pool takes."""
    tells: bool
    """Whether it writes the log."""
    has_results: bool
    """Whether it computes points and winners."""
    asked: tuple[tuple[int, bool], ...]
    """The procedures whose values can be asked for, and whether the value is a number."""

    def to_bytes(self) -> bytes:
        """The facts as a section of a module."""
        return json.dumps(asdict(self)).encode()

    @classmethod
    def of(cls, module: bytes) -> Facts:
        """The facts in a module."""
        data = json.loads(section_of(module, FACTS))
        asked = tuple((int(plain), bool(is_number)) for plain, is_number in data.pop("asked"))
        return cls(asked=asked, **data)


def look_for_modules(find: Callable[[str], bytes | None]) -> None:
    """Use the modules that a function finds by name: of the kernels, and by the fingerprints of programs."""
    _find[:] = [find]
    _codes.clear()


def module_of(program: Program) -> bytes | None:
    """The module of a program, if there is one."""
    if not _find:
        return None
    known = _codes.get(id(program))
    if known is None:
        known = _codes[id(program)] = program, _find[0](fingerprint(program))
    return known[1]


def module_named(name: str) -> bytes:
    """The module of kernels of this name."""
    found = _find[0](name) if _find else None
    if found is None:
        raise NoNativeEngineError(f"no native code was made for {name}")
    return found


@cache
def loaded(code: bytes) -> Any:
    """A module in memory."""
    path = Path(mkdtemp()) / "native.so"
    path.write_bytes(code)
    found = ctypes.CDLL(str(path))
    path.unlink()
    return found


def linked(code: bytes, names: Iterable[str]) -> tuple[Any, dict[str, int]]:
    """As `llvm.linked`; all calls with the same code give the same copy."""
    library = loaded(code)
    return library, {
        name: ctypes.cast(getattr(library, name), ctypes.c_void_p).value or 0 for name in names
    }
