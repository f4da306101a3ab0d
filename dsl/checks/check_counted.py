"""Find written numbers that have no effect, such as moves of 0 pieces, loops of 0 iterations and ranges from 5 to 1.

The check reads only written numbers, because a computed number may be correct with other players or
options.
"""

from __future__ import annotations

from typing import TypeAlias

from rulewright.dsl.checks.checked import Checked
from rulewright.dsl.diagnostics.source import Span
from rulewright.dsl.tree import syntax
from rulewright.dsl.tree.nesting import walk

_Fault: TypeAlias = tuple[Span, str, str]


def check_counted(game: Checked) -> None:
    """Report written numbers that have no effect."""
    for declaration in game.declarations:
        for place, message, help in game.memo.of(_faults_in, declaration):
            game.problems.warning("out-of-range", message, place, help=help)


def _faults_in(declaration: object) -> list[_Fault]:
    return [fault for part in walk(declaration) if (fault := _fault(part)) is not None]


def _fault(part: object) -> _Fault | None:
    match part:
        case syntax.Binary(span=span, operator="..", left=left, right=right):
            low, high = _written_number(left), _written_number(right)
            if low is None or high is None or low <= high:
                return None
            down = (
                f"; to count down write `{low + high} - n` for each n of them" if high >= 0 else ""
            )
            message = f"there are no numbers from {low} up to {high}"
            return span, message, f"write `{high}..{low}`{down}"
        case syntax.Move(amount=amount) if amount is not None:
            return _check_count(amount, "moves nothing")
        case syntax.Repeat(how="times", value=times) if times is not None:
            return _check_count(times, "repeats nothing")
        case syntax.Choose(quantity=syntax.Quantity(amount=amount)) if amount is not None:
            return _check_count(amount, "chooses nothing")
        case _:
            return None


def _check_count(counted: syntax.Expression, what: str) -> _Fault | None:
    number = _written_number(counted)
    if number is None or number > 0:
        return None
    return counted.span, f"this {what}", "write a number of 1 or more, or remove the line"


def _written_number(e: syntax.Expression) -> int | None:
    match e:
        case syntax.Number(value=number):
            return number
        case syntax.Unary(operator="-", operand=syntax.Number(value=number)):
            return -number
        case _:
            return None
