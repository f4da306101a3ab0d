"""Compiles the modules of native code for browsers. `native.browser` loads them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from rulewright.dsl import ir
from rulewright.interpreter.engines.native.browser import FACTS
from rulewright.interpreter.engines.native.engine import write_module
from rulewright.interpreter.engines.native.kernel_groups import SEARCH, SIGHTS, SOLVING
from rulewright.interpreter.engines.native.llvm import compile_for_browsers
from rulewright.interpreter.engines.native.wasm_linker import linked_module, with_section

Linker = Callable[[bytes], bytes]

_KERNELS: Final = (SEARCH, SIGHTS, SOLVING)


def kernel_modules(link: Linker = linked_module) -> dict[str, bytes]:
    """Compile the modules of the kernels, keyed by their names."""
    return {group.name: link(compile_for_browsers(group.source)) for group in _KERNELS}


def program_module(program: ir.Program, link: Linker = linked_module) -> bytes:
    """Compile the module of a program. Raise `NoNativeEngineError` if native code cannot play the program."""
    facts, text = write_module(program)
    return with_section(link(compile_for_browsers(text)), FACTS, facts.to_bytes())
