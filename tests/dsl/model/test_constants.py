"""Constants computed before the game starts equal the values that the same expressions have in play."""

from __future__ import annotations

import pytest

from rulewright.dsl.diagnostics.diagnostics import Problems
from rulewright.dsl.diagnostics.source import Source
from rulewright.dsl.model.constants import NotConstant, constant
from rulewright.dsl.parsing.reader import parse_expression

WORDS = {"player_count": 3, "quick": 1, "slow": 0}


def worked_out(text: str) -> int:
    problems = Problems()
    expression = parse_expression(Source("t.game", text), problems)
    assert expression is not None and not len(problems)
    return constant(expression, WORDS.get)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("7", 7),
        ("-7", -7),
        ("2 + 3 * 4 - 1", 13),
        ("7 / 2", 3),
        ("player_count", 3),
        ("yes", 1),
        ("no", 0),
        ("nothing", -1),
        ("not quick", 0),
        ("not slow", 1),
        *((f"player_count < {n}", int(n > 3)) for n in (2, 3, 4)),
        *((f"player_count > {n}", int(n < 3)) for n in (2, 3, 4)),
        *((f"player_count <= {n}", int(n >= 3)) for n in (2, 3, 4)),
        *((f"player_count >= {n}", int(n <= 3)) for n in (2, 3, 4)),
        *((f"player_count is {n}", int(n == 3)) for n in (2, 3)),
        *((f"player_count is not {n}", int(n != 3)) for n in (2, 3)),
        *((f"{n} in 2..4", int(2 <= n <= 4)) for n in range(1, 6)),
        *((f"{n} not in 2..4", int(not 2 <= n <= 4)) for n in range(1, 6)),
        *((f"{n} in (2, 4)", int(n in (2, 4))) for n in range(1, 6)),
        ("quick and slow", 0),
        ("quick and not slow", 1),
        ("quick or slow", 1),
        ("slow or slow", 0),
        ("if slow then 1 else 2", 2),
        ("if quick then 1 else 2", 1),
        *(
            (f"by({n}: 1 then 10, 2..4 then 20, else 30)", v)
            for n, v in ((0, 30), (1, 10), (2, 20), (4, 20), (5, 30))
        ),
        ("min(4, 2, 3)", 2),
        ("max(4, 2, 3)", 4),
        ("abs(2 - 7)", 5),
        ("abs(7 - 2)", 5),
    ],
)
def test_a_number_is_worked_out(text: str, value: int) -> None:
    assert worked_out(text) == value


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("coins", "`coins` is not known before the game starts"),
        ("1 / slow", "a division by zero"),
        ("empty", "`empty` is not a number"),
        ("by(5: 1 then 2)", "no line of this table fits 5"),
        ("me.coins", "this is not known before the game starts"),
    ],
)
def test_expressions_without_a_constant_value_name_the_reason(text: str, why: str) -> None:
    with pytest.raises(NotConstant) as reported:
        worked_out(text)
    assert reported.value.why == why
