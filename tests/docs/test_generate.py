"""The parts of documents that are generated from code are up to date, and every built-in has an example."""

from __future__ import annotations

import re
import subprocess
import sys

import rulewright.dsl.lowering.builtins  # noqa: F401  # fills the registry
from rulewright.dsl.lowering.emit.builtins import ATTRIBUTES, FUNCTIONS, OF_TYPES
from tests.docs.pages import ROOT, SPEC, fences


def test_generated_parts_are_up_to_date() -> None:
    command = [sys.executable, str(ROOT / "docs" / "generate.py"), "--check"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_every_builtin_is_tried_on_its_page() -> None:
    tried = "".join(f.text for f in fences(SPEC / "builtins.md") if f.word == "scenario")
    missing = [f".{name}" for _, name in ATTRIBUTES if not re.search(rf"\.{name}\b", tried)]
    missing += [name for name in (*FUNCTIONS, *OF_TYPES) if f"{name}(" not in tried]
    assert missing == []
