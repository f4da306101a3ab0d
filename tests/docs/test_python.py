"""The page about Python: its blocks run, one after the other."""

from __future__ import annotations

import subprocess
import sys

from tests.docs.pages import ROOT, fences

PAGE = ROOT / "docs" / "python.md"


def test_all_blocks_run() -> None:
    code = "\n".join(fence.text for fence in fences(PAGE) if fence.word == "python")
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=240
    )
    assert done.returncode == 0, done.stderr
    for said in ("drop(4)", "of 20 won by the first player", "did you mean `connect_four`"):
        assert said in done.stdout
