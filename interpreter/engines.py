"""The engines by their names. Refuses to know how they work."""

from __future__ import annotations

from typing import Literal, assert_never

from rulewright.dsl.ir import Program
from rulewright.interpreter.engine import Engine

EngineName = Literal["python", "reference"]


def make_engine(program: Program, name: EngineName) -> Engine:
    """An engine for a program; the modules of the others are not loaded."""
    match name:
        case "reference":
            from rulewright.interpreter.reference import Reference  # noqa: PLC0415  # see above

            return Reference(program)
        case "python":
            from rulewright.interpreter.codegen import python  # noqa: PLC0415  # see above

            return python.compile(program)
        case _:
            assert_never(name)
