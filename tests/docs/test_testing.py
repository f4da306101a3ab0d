"""Every example of the page about testing holds."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.docs.pages import ROOT, Example, examples
from tests.docs.test_spec import test_example as run_example

EXAMPLES = examples(ROOT / "docs" / "testing.md")


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
def test_testing(example: Example, tmp_path: Path) -> None:
    run_example(example, tmp_path)
