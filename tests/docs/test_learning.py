"""The recipes for learning algorithms run if their libraries are installed."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.docs.pages import ROOT, fences

PAGE = ROOT / "docs" / "learning.md"
RECIPES = [fence.text for fence in fences(PAGE) if fence.word == "python"]


@pytest.mark.deep
@pytest.mark.parametrize(
    ("number", "library", "said"),
    [
        (0, "sb3_contrib", "first action"),
        (1, "torchrl", "mean return"),
        (2, "ray.rllib", "mean return"),
        (3, "torch", "last loss"),
    ],
)
def test_a_recipe_runs(number: int, library: str, said: str) -> None:
    pytest.importorskip(library, exc_type=ImportError)
    done = subprocess.run(
        [sys.executable, "-c", RECIPES[number]],
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr
    assert said in done.stdout


def test_each_recipe_is_python() -> None:
    assert len(RECIPES) == 4
    for recipe in RECIPES:
        compile(recipe, str(PAGE), "exec")
