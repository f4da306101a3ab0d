"""Long lists of options are grouped, and no two groups have the same text."""

from __future__ import annotations

import pytest

from rulewright.cli.terminal.choices import Listed, option_lines

SAYS = [
    "factory {f}, {c} tiles to row {r}",
    "take the {c} tiles of factory {f} to row {r}",
    "{c} tiles from factory {f} to row {r}",
]


def listed_options(say: str) -> list[Listed]:
    every = [(f, c, r) for f in (1, 2, 3) for c in ("red", "blue", "black") for r in range(1, 9)]
    return [
        Listed(str(n), f"take(factory_{f}, {c}, {r})", say.format(f=f, c=c, r=r))
        for n, (f, c, r) in enumerate(every, 1)
    ]


@pytest.mark.parametrize("say", SAYS)
def test_groups_by_the_first_parameter(say: str) -> None:
    lines = option_lines(listed_options(say), 80, 6)
    heads = [line for line in lines if "24 options" in line]
    assert len(heads) == len(set(heads)) == 3
    for number, line in enumerate(heads, 1):
        assert f"factory {number}" in line
    assert len(lines) <= 6


def test_the_words_of_say() -> None:
    first = option_lines(listed_options(SAYS[0]), 100, 6)[0]
    assert first.startswith("  factory 1: 24 options, 1 to 24; `options factory 1")


def test_no_comma_stands_before_the_rest() -> None:
    options = [
        Listed(str(n), f"third(a{n // 3}, {n % 3})", f"third: a{n // 3}, {n % 3}")
        for n in range(60)
    ]
    assert option_lines(options, 40, 24)[0] == "  third: a0: 0 0   1 1   2 2"
