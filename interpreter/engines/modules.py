"""Finds precompiled native code by name, because a browser has no compiler.

The name of a program's module is the fingerprint of the program, so other rules never get it. This
module does not depend on how a module is made, loaded or run.
"""

from __future__ import annotations

from collections.abc import Callable

from rulewright.dsl.ir import Program
from rulewright.dsl.program_data import fingerprint
from rulewright.interpreter.text.errors import NoNativeEngineError

Find = Callable[[str], bytes | None]

_find: list[Find] = []
_found: dict[int, tuple[Program, bytes | None]] = {}
"""Programs and their modules, keyed by the `id` of the program.

The program is stored so that no other object gets this `id`.
"""


def look_for_modules(find: Find) -> None:
    """Set the function that finds modules: kernels by name, and programs by fingerprint."""
    _find[:] = [find]
    _found.clear()


def module_of(program: Program) -> bytes | None:
    """Return the precompiled module of a program. If there is none, return None."""
    if not _find:
        return None
    known = _found.get(id(program))
    if known is None:
        known = _found[id(program)] = program, _find[0](fingerprint(program))
    return known[1]


def module_named(name: str) -> bytes:
    """Return the module of the kernels with this name."""
    found = _find[0](name) if _find else None
    if found is None:
        raise NoNativeEngineError(f"no native code was compiled for {name}")
    return found
