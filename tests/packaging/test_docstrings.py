"""The examples in docstrings are true, in every module."""

import doctest
import importlib
import pkgutil
from types import ModuleType

import pytest

import rulewright


def _module_names() -> list[str]:
    found = pkgutil.walk_packages(rulewright.__path__, "rulewright.")
    return ["rulewright", *(module.name for module in found)]


@pytest.mark.parametrize("name", _module_names())
def test_examples_in_docstrings_run(name: str) -> None:
    module: ModuleType = importlib.import_module(name)
    assert doctest.testmod(module, optionflags=doctest.ELLIPSIS).failed == 0
