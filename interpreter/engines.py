"""The engines by their names. Refuses to know how they work."""

from __future__ import annotations

from typing import Literal, assert_never

from rulewright.dsl.ir import Program
from rulewright.interpreter.engine import Engine

EngineName = Literal["python", "reference"]


def make_engine(program: Program, name: EngineName, counts: list[int] | None = None) -> Engine:
    """An engine for a program; the modules of the others are not loaded.

    `counts` has a number for each mark of the program, which is how often it was reached.
    """
    match name:
        case "reference":
            from rulewright.interpreter.reference import Reference  # noqa: PLC0415  # see above

            return Reference(program, counts)
        case "python":
            from rulewright.interpreter.codegen import python  # noqa: PLC0415  # see above

            if counts is not None:
                return python.PythonEngine(program, coverage=True, counts=counts)
            return python.compile(program)
        case _:
            assert_never(name)
