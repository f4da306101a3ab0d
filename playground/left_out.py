"""Fetch modules that a page does not load at first, when one of them is imported in the browser."""

from __future__ import annotations

import importlib
import json
import sys
import zlib
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any
from zipimport import zipimporter

from rulewright.interpreter.text.errors import RequestError

LIBRARY = Path("/lib/rulewright")
LEFT_OUT = "left_out.txt"
"""A file in the zip of the standard library, with the names of its missing modules."""
OURS = frozenset(("rulewright", "lark"))
"""The packages of which a page that only plays has a part."""
_GZIP = b"\x1f\x8b"


def look_for_left_out(plays_only: bool) -> None:
    """Fetch missing modules from now on.

    This is also needed after a memory snapshot, because files may be newer than the snapshot.
    """
    importlib.invalidate_caches()
    sys.meta_path[:] = [each for each in sys.meta_path if not isinstance(each, LeftOut)]
    finder = LeftOut(OURS if plays_only else frozenset())
    sys.meta_path.insert(sys.meta_path.index(PathFinder) + 1, finder)


def page() -> Any:
    """Return the global names of the worker's script; looked up each time, so that snapshots hold none of
    its objects.
    """
    return importlib.import_module("js")


class OutOfReachError(RequestError):
    """Raised if the browser has not cached a file of the page, and there is no network."""


def file_named(name: str) -> bytes | None:
    """Fetch a file of the page synchronously; return None if it does not exist."""
    found = page().rulewright_file(name)
    if found is None:
        return None
    if found is False:
        raise OutOfReachError("this was not loaded before: it needs the network once")
    data = bytes(found.to_bytes())
    return zlib.decompress(data, 31) if data.startswith(_GZIP) else data


class LeftOut(MetaPathFinder):
    """Fetches missing modules of `packages` and of the standard library, each part only once."""

    def __init__(self, packages: frozenset[str]) -> None:
        self._packages = packages
        at = find_spec("json")
        loader: object = None if at is None else at.loader
        self._library = loader if isinstance(loader, zipimporter) else None
        self._of_python: set[str] = set()
        if self._library is not None:
            try:
                self._of_python = {*self._library.get_data(LEFT_OUT).decode().split()}
            except OSError:
                return  # the library is complete

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return the module, from newly fetched files."""
        if fullname in self._of_python:
            whole = file_named("runtime/python_stdlib.zip")
            self._of_python = set()
            if whole is None or self._library is None:
                return None
            Path(self._library.archive).write_bytes(whole)
        elif fullname.partition(".")[0] in self._packages:
            whole = file_named("runtime/compiler.pack")
            self._packages = frozenset()
            if whole is None:
                return None
            unpack(whole, LIBRARY)
        else:
            return None
        importlib.invalidate_caches()
        return PathFinder.find_spec(fullname, path, target)


def unpack(data: bytes, folder: Path) -> None:
    """Write the files of a pack (`rulewright.playground.bundle.pack`) into a folder."""
    end = data.index(b"\n")
    at = end + 1
    for name, size in json.loads(data[:end]):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data[at : at + size])
        at += size
