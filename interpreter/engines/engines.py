"""Makes engines, given their names."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from math import isqrt
from typing import Final, Literal, assert_never

from rulewright.dsl.ir import Program
from rulewright.interpreter.engines.engine import Engine
from rulewright.interpreter.engines.modules import module_of

EngineName = Literal["python", "reference", "native"]


def engine_names() -> tuple[EngineName, ...]:
    """List the engines that are available here, from the slowest to the fastest."""
    native: tuple[EngineName, ...] = ("native",) if find_spec("llvmlite") is not None else ()
    return ("reference", "python", *native)


def has_native(program: Program) -> bool:
    """Return whether native code for a program can be compiled here, or was compiled earlier."""
    return engine_names()[-1] == "native" or module_of(program) is not None


WORTH_WHILE: Final = 3_000_000
"""The amount of work in playouts that takes as long as compiling the fastest engine.

The amount of work is the number of options, multiplied by the square root of the program's size.
"""
FEW, MANY = 100, 20_000
"""A lower and an upper bound of the number of options in a match. If both lead to the same answer,
`options` is not called."""


def engine_for(program: Program, plays: int, options: Callable[[], int]) -> EngineName:
    """Return the engine that finishes `plays` matches first, including compilation.

    `options` returns the number of options in one match.
    """
    if module_of(program) is not None:
        return "native"
    names = engine_names()
    weight = plays * isqrt(size_of(program))
    if weight * MANY < WORTH_WHILE or names[-1] == "python":
        return "python"
    return (
        names[-1] if weight * FEW >= WORTH_WHILE or weight * options() >= WORTH_WHILE else "python"
    )


def size_of(program: Program) -> int:
    """Count the steps of a program and all their parts."""
    from rulewright.interpreter.engines.analysis.procedures import (  # noqa: PLC0415  # only this function needs it
        walk,
    )

    bodies = [part.body for part in program.plain] + [part.body for part in program.blocks]
    return sum(1 for body in bodies for step in body for _ in walk(step))


def name_of(engine: Engine) -> EngineName:
    """Return the name of an engine."""
    names: dict[str, EngineName] = {"Reference": "reference", "NativeEngine": "native"}
    return names.get(type(engine).__name__, "python")


def make_engine(program: Program, name: EngineName, counts: list[int] | None = None) -> Engine:
    """Make an engine for a program. The modules of other engines are not loaded.

    For each mark of the program, `counts` receives how often the mark was reached.
    """
    match name:
        case "reference":
            from rulewright.interpreter.engines.reference import (  # noqa: PLC0415  # see above
                Reference,
            )

            return Reference(program, counts)
        case "python":
            from rulewright.interpreter.engines.codegen import python  # noqa: PLC0415  # see above

            if counts is not None:
                return python.PythonEngine(program, coverage=True, counts=counts)
            return python.compile(program)
        case "native" if counts is None:
            from rulewright.interpreter.engines.native.engine import (  # noqa: PLC0415  # see above
                NativeEngine,
            )

            return NativeEngine(program)
        case "native":  # the native engine does not count
            return make_engine(program, "python", counts)
        case _:
            assert_never(name)


def make_kernels(*, observes: bool) -> None:
    """Compile the kernels of a search in native code. If the search observes, compile the kernels
    of observations too."""
    from rulewright.interpreter.engines.native.kernel_groups import (  # noqa: PLC0415  # see above
        SEARCH,
        SIGHTS,
    )

    for group in (SEARCH, SIGHTS) if observes else (SEARCH,):
        _ = group.functions
