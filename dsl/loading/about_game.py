"""Parse the facts about a game that are shown in lists and on pages, such as `designer` and `minutes`.

These facts do not change the rules.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from rulewright.dsl.about import WEIGHTS, AboutGame, Weight
from rulewright.dsl.diagnostics.diagnostics import Problems
from rulewright.dsl.diagnostics.suggest import did_you_mean
from rulewright.dsl.loading.heads import in_quotes, words_of
from rulewright.dsl.tree import declared, syntax

MOST_MINUTES: Final = 9999


def about_game(settings: Mapping[str, declared.Setting], problems: Problems) -> AboutGame:
    """Parse the facts about a game from the lines below the `game` line."""

    def text(name: str) -> str:
        found = in_quotes(settings.get(name), problems)
        return "" if found is None else words_of(found.value)

    mechanisms = (part.strip() for part in text("mechanisms").split(","))
    return AboutGame(
        text("designer"),
        text("publisher"),
        _minutes(settings["minutes"].value, problems) if "minutes" in settings else None,
        tuple(part for part in mechanisms if part),
        _weight(settings["weight"].value, problems) if "weight" in settings else None,
    )


def _minutes(value: syntax.Expression, problems: Problems) -> tuple[int, int] | None:
    match value:
        case syntax.Number(value=number):
            low = high = number
        case syntax.Binary(
            operator="..", left=syntax.Number(value=low), right=syntax.Number(value=high)
        ):
            pass
        case _:
            low = high = 0
    if 1 <= low <= high <= MOST_MINUTES:
        return low, high
    problems.error(
        "out-of-range",
        f"`minutes` takes a number or a range, from 1 to {MOST_MINUTES:,}",
        value.span,
        help="write `minutes 45`, or `minutes 30..60`",
    )
    return None


def _weight(value: syntax.Expression, problems: Problems) -> Weight | None:
    name = value.name if isinstance(value, syntax.Word) else ""
    for weight in WEIGHTS:
        if weight == name:
            return weight
    problems.error(
        "wrong-type",
        "the weight of a game is light, medium or heavy",
        value.span,
        help=did_you_mean(name, WEIGHTS)
        or "write `weight light`, `weight medium` or `weight heavy`",
    )
    return None
