"""Makes copies of native code in memory. Each copy has its own global variables and its own working memory."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from attrs import frozen

from rulewright.interpreter.engines.native.browser import IN_BROWSER
from rulewright.interpreter.engines.native.direct import direct
from rulewright.interpreter.engines.native.llvm import link
from rulewright.interpreter.engines.native.memory import Memory

_INIT: Final = "rulewright_init"
_ONLY: dict[bytes, Memory] = {}
"""The memory of each piece of code in a browser. A browser has no threads, so all callers share one copy."""


@frozen(eq=False)
class Copy:
    """A copy of the native code of a program."""

    keeps: Any
    memory: Memory
    addresses: Mapping[str, int]
    """The addresses of the functions, keyed by their names."""


def copy_of(code: bytes, stride: int, names: Iterable[str]) -> Copy:
    """Make another copy of object code. `names` are the functions whose addresses are needed."""
    keeps, addresses = link(code, (_INIT, *names))
    memory = _ONLY.get(code)
    if memory is None:
        memory = Memory.of(stride)
        direct(addresses[_INIT], "p")(memory.addresses.buffer_info()[0])
        if IN_BROWSER:
            _ONLY[code] = memory
    return Copy(keeps, memory, addresses)
