"""Compiles modules for browsers; it runs in Python for browsers.

Of the standard library only those modules are kept that a browser loads at its start, that our modules and libraries
import, and what these import in turn outside functions. The names of the others are in `left_out.txt`.
"""

from __future__ import annotations

import ast
import importlib.util
import io
import marshal
import zipfile
from collections.abc import Iterable, Iterator
from types import CodeType
from zipimport import zipimporter

_NOWHERE = 0x80 | 15 << 3
"""In a table of lines: no place for so many units of code and one more."""
LEFT_OUT = "left_out.txt"
_ENCODINGS = "ascii cp1252 cp437 idna latin_1 utf_16 utf_16_be utf_16_le utf_8_sig"
BY_NAME = (
    "concurrent.futures.thread",
    "ctypes._layout",
    *(f"encodings.{name}" for name in _ENCODINGS.split()),
)
"""Modules that are imported by their names, in functions or in C."""
_LONG_AGO = (1980, 1, 1, 0, 0, 0)


def compile_modules(sources: bytes) -> bytes:
    """A zip of modules, compiled."""
    with zipfile.ZipFile(io.BytesIO(sources)) as old:
        return _zip(
            _code(old.read(name), f"/lib/rulewright/{name}", name)
            if name.endswith(".py")
            else (name, old.read(name))
            for name in old.namelist()
        )


def standard_library(sources: bytes, started: Iterable[str]) -> bytes:
    """The part of the standard library that these sources need, compiled; `started` is loaded before."""
    at = importlib.util.find_spec("json")
    loader: object = None if at is None else at.loader
    assert isinstance(loader, zipimporter)
    with zipfile.ZipFile(loader.archive) as whole, zipfile.ZipFile(io.BytesIO(sources)) as ours:
        paths = {_module(name): name for name in whole.namelist() if name.endswith(".py")}
        wanted = [*started, *BY_NAME]
        for name in ours.namelist():
            if name.endswith(".py"):
                wanted += _imports(ast.walk(ast.parse(ours.read(name))), _module(name), name)
        found: set[str] = set()
        while wanted:
            parts = wanted.pop().split(".")
            for count in range(1, len(parts) + 1):
                module = ".".join(parts[:count])
                if module in paths and module not in found:
                    found.add(module)
                    path = paths[module]
                    wanted += _imports(_outside_functions(whole.read(path)), module, path)
        parts = [
            _code(whole.read(paths[one]), f"{loader.archive}/{paths[one]}", paths[one], 2)
            for one in sorted(found)
        ]
        left = "\n".join(sorted(set(paths) - found)).encode()
        return _zip([*parts, (LEFT_OUT, left)])


def _code(source: bytes, path: str, name: str, level: int = -1) -> tuple[str, bytes]:
    code = compile(source, path, "exec", dont_inherit=True, optimize=level)
    return f"{name}c", importlib.util.MAGIC_NUMBER + bytes(12) + marshal.dumps(_short(code))


def _short(code: CodeType) -> CodeType:
    """Code without its lines, whose table is as large as the rest: a traceback then names functions only."""
    inside = [_short(each) if isinstance(each, CodeType) else each for each in code.co_consts]
    units = len(code.co_code) // 2
    nowhere = bytes([_NOWHERE | 7]) * (units // 8)
    if units % 8:
        nowhere += bytes([_NOWHERE | units % 8 - 1])
    return code.replace(co_linetable=nowhere, co_consts=tuple(inside))


def _zip(parts: Iterable[tuple[str, bytes]]) -> bytes:
    """The parts are not compressed one by one: the whole is, which takes less room."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, data in parts:
            archive.writestr(zipfile.ZipInfo(name, _LONG_AGO), data)
    return packed.getvalue()


def _module(path: str) -> str:
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def _outside_functions(source: bytes) -> Iterator[ast.AST]:
    waiting: list[ast.AST] = [ast.parse(source)]
    while waiting:
        node = waiting.pop()
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node
            waiting += ast.iter_child_nodes(node)


def _imports(nodes: Iterable[ast.AST], module: str, path: str) -> Iterator[str]:
    package = module if path.endswith("__init__.py") else module.rpartition(".")[0]
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[: len(package.split(".")) - node.level + 1]
            base = ".".join([*(above if node.level else ()), *filter(None, [node.module])])
            yield base
            yield from (f"{base}.{name.name}" for name in node.names)
