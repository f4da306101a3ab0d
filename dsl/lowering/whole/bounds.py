"""Reads the limits below the `game` line: the depth of nested rules, and the number of positions
that a search tries.
"""

from __future__ import annotations

from rulewright.dsl.model.model import Model

USUAL = {"depth": 4, "lookahead": 20_000}
"""The default limits."""
MOST = {"depth": 10_000, "lookahead": 999_999_999}


def read_limit(model: Model, name: str) -> int:
    """Return the maximum depth of recursive rules (`depth`), or the number of positions to try (`lookahead`)."""
    setting = model.settings.get(name)
    if setting is None:
        return USUAL[name]
    number = model.number(setting.value, f"`{name}`", USUAL[name])
    if not 1 <= number <= MOST[name]:
        model.problems.error(
            "out-of-range",
            f"`{name}` is a number from 1 to {MOST[name]:,}, but this is {number:,}",
            setting.value.span,
            help=f"write `{name} {USUAL[name]}`, or remove the line",
        )
        return USUAL[name]
    return number
