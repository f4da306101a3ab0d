"""Tables in rules, `by(...)`: every value has a line, even if there are many, and no line is useless."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulewright.dsl.loading.loading import load
from rulewright.dsl.lowering.values.cases import _uncovered_numbers
from rulewright.interpreter.matches.game import game_of

TEXT = """game "Table"
    players 2
state n: 0..{most} = 3
value looked_up = by(n: {lines})
play
    each player
        choose one of
            option "go on"
                add {most} to n
            option "stay"
                log "{{n}}"
score of p
    item "looked up" = looked_up
winner p by p.total then shared
"""
MANY = 1_000_000


def messages(folder: Path, most: int, lines: str) -> list[str]:
    path = folder / "table.game"
    path.write_text(TEXT.format(most=most, lines=lines), encoding="utf-8")
    return [found.message for found in load(path).check()]


@pytest.mark.parametrize("most", [6, 5000, 150_000, MANY])
def test_each_value_has_a_line(tmp_path: Path, most: int) -> None:
    assert messages(tmp_path, most, f"0 then 1, 2..{most} then 5") == [
        "this table has no line for 1"
    ]
    assert messages(tmp_path, most, f"0..{most - 2} then 5") == [
        f"this table has no line for {most - 1}, {most}"
    ]
    assert messages(tmp_path, most, f"0 then 1, 1..{most} then 5") == []
    assert messages(tmp_path, most, "0 then 1, else 5") == []


@pytest.mark.parametrize("most", [6, 5000, 150_000, MANY])
def test_no_line_is_in_vain(tmp_path: Path, most: int) -> None:
    assert messages(tmp_path, most, f"0..2 then 1, 3..{most} then 5, 1..4 then 7") == [
        "an earlier line of this table already covers this"
    ]


@pytest.mark.parametrize("most", [6, 5000, 150_000])
def test_the_first_line_that_fits_counts(tmp_path: Path, most: int) -> None:
    path = tmp_path / "table.game"
    lines = f"0..2 then 1, 2..3 then 4, {most} then 9, else 6"
    path.write_text(TEXT.format(most=most, lines=lines), encoding="utf-8")
    state = game_of("table", load(path)).start()
    found = []
    for choice in ("stay", "go_on"):
        after = state
        while not after.over:
            after = after.choose(choice)
        found.append(after.scores[0].total)
    assert found == [4, 9]


@given(
    st.integers(-5, 15),
    st.integers(-5, 15),
    st.lists(st.tuples(st.integers(-5, 15), st.integers(-5, 15)), max_size=6),
)
def test_numbers_without_a_case_are_found(
    low: int, high: int, labels: list[tuple[int, int]]
) -> None:
    held = {n for first, last in labels for n in range(first, last + 1)}
    assert list(_uncovered_numbers(low, high, labels)) == [
        n for n in range(low, high + 1) if n not in held
    ]
