"""The engines by their names. Refuses to know how they work."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Final, Literal, assert_never

from rulewright.dsl.ir import Program
from rulewright.interpreter.engines.engine import Engine

EngineName = Literal["python", "reference", "native"]


def engine_names() -> tuple[EngineName, ...]:
    """The engines that can be had here, from the slowest to the fastest."""
    native: tuple[EngineName, ...] = ("native",) if find_spec("llvmlite") is not None else ()
    return ("reference", "python", *native)


WORTH_WHILE: Final = 20_000
"""So many plays, each counted as often as its program has blocks, take longer than to make the fastest engine."""


def engine_for(program: Program, plays: int) -> EngineName:
    """The engine with which so many plays are done soonest."""
    names = engine_names()
    return names[-1] if plays * len(program.blocks) >= WORTH_WHILE else "python"


def name_of(engine: Engine) -> EngineName:
    """The name an engine is made by."""
    names: dict[str, EngineName] = {"Reference": "reference", "NativeEngine": "native"}
    return names.get(type(engine).__name__, "python")


def make_engine(program: Program, name: EngineName, counts: list[int] | None = None) -> Engine:
    """An engine for a program; the modules of the others are not loaded.

    `counts` has a number for each mark of the program, which is how often it was reached.
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
        case "native":  # which does not count
            return make_engine(program, "python", counts)
        case _:
            assert_never(name)
