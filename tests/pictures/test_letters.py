"""Text in lines breaks at spaces and after slashes, and is cut only if no size fits."""

from __future__ import annotations

import pytest

from rulewright.pictures.svg.letters import LINE, fit_text, lines_of, width_of


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("Occupy/Draw", ["Occupy/", "Draw"]),
        ("ship or draw", ["ship or", "draw"]),
        ("  and / or  ", ["and / or"]),
        ("", []),
    ],
)
def test_lines_break_at_spaces_and_after_slashes(text: str, lines: list[str]) -> None:
    assert [*lines_of(text, 50, 10)] == lines


@pytest.mark.parametrize(("room", "high"), [(40, 24), (60, 40), (36, 60)])
def test_a_broken_text_fits_into_its_box(room: float, high: float) -> None:
    size, lines = fit_text("Occupy/Draw", room, high)
    assert "".join(lines) == "Occupy/Draw"
    assert max(width_of(line) for line in lines) * size <= room
    assert len(lines) * size * LINE <= high


def test_a_text_that_fits_in_no_size_is_cut() -> None:
    _, lines = fit_text("incomprehensibilities everywhere", 30, 60)
    assert len(lines) <= 3 and "".join(lines[:1]).endswith("…")
