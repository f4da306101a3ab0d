"""The public interface has the names of its page, each with types and a docstring, and the example of the page runs."""

from __future__ import annotations

import ast
import importlib.util
import inspect
import subprocess
import sys
from types import ModuleType

import pytest

import rulewright
from tests.docs.pages import ROOT, fences


def _page() -> ModuleType:
    spec = importlib.util.spec_from_file_location("api_page", ROOT / "docs" / "api_page.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


PAGE = _page()


def test_the_page_has_every_name_once() -> None:
    listed = [name for names in PAGE.GROUPS.values() for name in names]
    assert sorted(listed) == sorted(rulewright.__all__)
    assert len(set(listed)) == len(listed) <= 35


def test_type_checkers_see_the_same_names() -> None:
    source = (ROOT / "rulewright" / "__init__.py").read_text(encoding="utf-8")
    seen = {
        (f"rulewright.interpreter.{home}", name)
        for home, names in rulewright._HOMES.items()
        for name in names
    }
    imports = [
        (each.module, name.name)
        for each in ast.walk(ast.parse(source))
        if isinstance(each, ast.ImportFrom) and str(each.module).startswith("rulewright.")
        for name in each.names
    ]
    assert sorted(imports) == sorted(seen)
    assert sorted(name for _, name in seen) == sorted(rulewright.__all__)


@pytest.mark.parametrize("name", rulewright.__all__)
def test_a_name_has_types_and_words(name: str) -> None:
    public = getattr(rulewright, name)
    if name in PAGE.CONSTANTS:
        return
    assert inspect.getdoc(public)
    if inspect.isclass(public):
        functions = [
            member.fget if isinstance(member, property) else member
            for word, member in vars(public).items()
            if not word.startswith("_") and word not in PAGE.PRIVATE.get(name, ())
        ]
    else:
        functions = [inspect.unwrap(public)]
    for function in functions:
        if inspect.isfunction(function):
            signature = inspect.signature(function)
            assert signature.return_annotation is not inspect.Signature.empty, function
            for parameter in signature.parameters.values():
                assert parameter.name in ("self", "cls") or parameter.annotation, function
            assert inspect.getdoc(function), function


def test_private_members_are_there() -> None:
    for name, words in PAGE.PRIVATE.items():
        assert name in rulewright.__all__
        public = getattr(rulewright, name)
        there = {*dir(public), *inspect.get_annotations(public)}
        assert {*words} <= there, name


def test_other_names_are_refused() -> None:
    with pytest.raises(AttributeError, match="no attribute 'load_gam'"):
        _ = rulewright.load_gam
    assert {*rulewright.__all__} <= {*dir(rulewright)}


def test_import_loads_nothing_else() -> None:
    code = "import sys, rulewright; print([m for m in sys.modules if m.startswith('rulewright.')])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_the_example_runs() -> None:
    (code,) = [fence.text for fence in fences(ROOT / "docs" / "api.md") if fence.word == "python"]
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("(")
