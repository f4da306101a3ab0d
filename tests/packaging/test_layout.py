"""The folders, the list of sub-packages and the links for the type checkers agree."""

import ast
import tomllib
from importlib.metadata import entry_points, metadata
from pathlib import Path
from typing import Any

import pytest

import rulewright

ROOT = Path(__file__).parents[2]
TOP = (
    "adapters",
    "cli",
    "dsl",
    "editing",
    "games",
    "interpreter",
    "pictures",
    "playground",
    "protocol",
    "web",
)
PAGES = ("docs/errors", "docs/spec")


def _pyproject() -> dict[str, Any]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def _folders_with_python() -> set[Path]:
    below = {file.parent for top in (*TOP, *PAGES) for file in (ROOT / top).rglob("*.py")}
    return {ROOT / "rulewright", *below}


def test_listed_packages_are_the_folders() -> None:
    folders = {
        ".".join(folder.relative_to(ROOT).parts)
        if folder == ROOT / "rulewright"
        else "rulewright." + ".".join(folder.relative_to(ROOT).parts)
        for folder in _folders_with_python()
    }
    listed = _pyproject()["tool"]["setuptools"]["packages"]
    assert listed == sorted(folders)


def test_every_package_says_what_it_is() -> None:
    for folder in _folders_with_python():
        assert (folder / "__init__.py").read_text(encoding="utf-8").startswith('"""'), folder


def test_rulewright_holds_the_public_names_and_links() -> None:
    assert rulewright.__file__ is not None
    assert Path(rulewright.__file__).resolve() == ROOT / "rulewright" / "__init__.py"
    held = {each.name for each in (ROOT / "rulewright").iterdir() if each.name != "__pycache__"}
    assert held == {"__init__.py", "docs", "py.typed", *TOP}


@pytest.mark.parametrize("top", TOP)
def test_python_and_type_checkers_find_the_packages(top: str) -> None:
    link = ROOT / "rulewright" / top
    assert link.is_symlink()
    assert link.resolve() == ROOT / top
    assert f"rulewright/{top}" in _pyproject()["tool"]["pyright"]["include"]


def test_runtime_needs_five_libraries() -> None:
    needed = metadata("rulewright").get_all("Requires-Dist") or []
    always = [line for line in needed if "extra ==" not in line]
    assert sorted(line.split(">")[0] for line in always) == [
        "attrs",
        "cattrs",
        "click",
        "lark",
        "tinycss2",
    ]
    extras = _pyproject()["project"]["optional-dependencies"]
    assert extras == {
        "browser": [f"rulewright-browser=={_pyproject()['project']['version']}"],
        "editor": ["pygls>=2.1"],
        "gymnasium": ["gymnasium>=1.0", "numpy>=1.26"],
        "native": ["llvmlite>=0.50"],
        "openspiel": ["numpy>=1.26", "open_spiel>=1.5"],
        "parquet": ["pyarrow>=17"],
        "pettingzoo": ["gymnasium>=1.0", "numpy>=1.26", "pettingzoo>=1.24"],
        "postgres": ["psycopg[binary]>=3.2"],
        "print": ["weasyprint>=62"],
        "ray": ["ray>=2.40"],
        "report": ["vl-convert-python>=1.7"],
        "web": [
            "httptools>=0.6",
            "llvmlite>=0.50",
            "python-multipart>=0.0.18",
            "segno>=1.6",
            "sqlalchemy>=2.0.36",
            "starlette>=0.40",
            "uvicorn>=0.32",
            "uvloop>=0.21; platform_system != 'Windows'",
        ],
    }


def test_the_installed_command_runs() -> None:
    (command,) = entry_points(group="console_scripts", name="rulewright")
    assert command.value == "rulewright.cli.entry:main"


def _late_imports(file: Path) -> set[int]:
    """The lines of the first imports in functions."""
    found: set[int] = set()
    for part in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(part, ast.FunctionDef):
            lines = [n.lineno for n in ast.walk(part) if isinstance(n, ast.Import | ast.ImportFrom)]
            found.update([min(lines)] if lines else [])
    return found


@pytest.mark.parametrize("top", TOP)
def test_an_import_in_a_function_has_its_reason_beside_it(top: str) -> None:
    for file in (ROOT / top).rglob("*.py"):
        lines = file.read_text(encoding="utf-8").split("\n")
        for number in _late_imports(file):
            beside = lines[number - 2] + lines[number - 1]
            assert "  # " in beside, f"{file.relative_to(ROOT)}:{number}"
