"""The examples in docstrings are true, in every module of the five packages."""

import doctest
import importlib
import pkgutil
from types import ModuleType

import pytest

TOP = (
    "rulewright.cli",
    "rulewright.dsl",
    "rulewright.editing",
    "rulewright.adapters",
    "rulewright.games",
    "rulewright.interpreter",
)


def _module_names() -> list[str]:
    # The packages one by one: walking the namespace finds nothing in an editable install.
    packages = [importlib.import_module(name) for name in TOP]
    return [
        *TOP,
        *(
            module.name
            for package in packages
            for module in pkgutil.walk_packages(package.__path__, package.__name__ + ".")
        ),
    ]


@pytest.mark.parametrize("name", _module_names())
def test_examples(name: str) -> None:
    module: ModuleType = importlib.import_module(name)
    assert doctest.testmod(module, optionflags=doctest.ELLIPSIS).failed == 0
