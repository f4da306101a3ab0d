"""Twisted games that check clean can be played, viewed, counted, saved and replayed."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.properties.long_run import run_twists


def _all_is_well(first: int, last: int, results: Path) -> None:
    counts = run_twists(first, last, results)
    found = [path.read_text(encoding="utf-8") for path in sorted(results.glob("found-*.txt"))]
    assert not found, found[0]
    assert counts["clean"]


@pytest.mark.parametrize("block", range(2))
def test_twisted_games_play_the_same_on_every_engine(tmp_path: Path, block: int) -> None:
    _all_is_well(block * 25, block * 25 + 24, tmp_path)


@pytest.mark.deep
@pytest.mark.parametrize("block", range(10))
def test_many_twisted_games_play_the_same_on_every_engine(tmp_path: Path, block: int) -> None:
    _all_is_well(1000 + block * 100, 1099 + block * 100, tmp_path)
