"""Every module can be imported, and the examples in docstrings are correct."""

import doctest
import importlib
import importlib.util
import pkgutil
from pathlib import Path

import pytest

import rulewright

MODULES = [
    "rulewright",
    *(module.name for module in pkgutil.walk_packages(rulewright.__path__, "rulewright.")),
]


def _has_examples(module: str) -> bool:
    found = importlib.util.find_spec(module)
    assert found is not None and found.origin is not None, module
    return ">>>" in Path(found.origin).read_text(encoding="utf-8")


def test_every_module_can_be_imported() -> None:
    for name in MODULES:
        importlib.import_module(name)


@pytest.mark.parametrize("name", [name for name in MODULES if _has_examples(name)])
def test_examples_in_docstrings_run(name: str) -> None:
    module = importlib.import_module(name)
    tried = doctest.testmod(module, optionflags=doctest.ELLIPSIS)
    assert tried.failed == 0 and tried.attempted > 0
