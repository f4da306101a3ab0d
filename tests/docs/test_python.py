"""The pages with Python: their blocks run, one after the other."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.docs.pages import ROOT, fences


@pytest.mark.parametrize(
    ("page", "texts"),
    [
        (
            "python",
            ("drop(4)", "of 20 won by the first player", "did you mean `connect_four`"),
        ),
        ("citing", ("Kalah", "Variant(players=2")),
    ],
)
def test_all_blocks_run(page: str, texts: tuple[str, ...]) -> None:
    path = ROOT / "docs" / f"{page}.md"
    code = "\n".join(fence.text for fence in fences(path) if fence.word == "python")
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=240
    )
    assert done.returncode == 0, done.stderr
    for text in texts:
        assert text in done.stdout
