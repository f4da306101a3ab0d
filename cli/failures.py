"""Turn expected failures into messages and exit codes; every other failure is passed on."""

from __future__ import annotations

import click

from rulewright.cli.exits import Exit
from rulewright.cli.output import show_problems
from rulewright.interpreter.text.errors import (
    BrokenGameError,
    BrokenRecordError,
    NoNativeEngineError,
    NoSuchGameError,
    NoSuchOptionError,
    WrongVariantError,
)
from rulewright.interpreter.text.faults import RuleFault


def report_expected(failure: Exception) -> Exit | None:
    """Show the message of an expected failure and return its exit code, or return None for a bug."""
    match failure:
        case BrokenGameError():
            show_problems(failure.problems, err=True)
            return _tell(str(failure), Exit.PROBLEMS)
        case BrokenRecordError():
            return _tell(str(failure), Exit.PROBLEMS)
        case NoSuchGameError() | WrongVariantError() | NoSuchOptionError() | NoNativeEngineError():
            return _tell(str(failure), Exit.USAGE)
        case RuleFault():
            return _tell(f"{fault_text(failure)}", Exit.FAULT)
        case OSError() if failure.filename is not None:
            return _tell(f"`{failure.filename}`: {failure.strerror}", Exit.USAGE)
        case _:
            return None


def fault_text(fault: RuleFault) -> str:
    """Describe a fault in play, together with its place in the rules."""
    where = ""
    if fault.span is not None:
        where = f"{fault.span.source.name}:{fault.span.line}:{fault.span.column}: "
    return f"{where}fault in play: {fault.message} [{fault.code}]"


def _tell(text: str, code: Exit) -> Exit:
    click.echo(text, err=True)
    return code
