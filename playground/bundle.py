"""The part of Rulewright that a browser gets: its own packages and the libraries that these need, as one zip."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator, Mapping
from hashlib import sha256
from importlib.metadata import distribution
from importlib.resources import files
from pathlib import Path

LIBRARIES = ("attrs", "cattrs", "click", "lark", "tinycss2", "typing-extensions", "webencodings")
_LEFT_OUT = (
    "adapters",
    "docs",
    "editing/lsp",
    "games",
    "playground/static",
    "web",
)
"""Folders that nothing in a browser uses; games are files of their own."""
COMPILED = "compiled.zip"
"""The same in the package for browsers, compiled when that was built; used where the sources are still the same."""
_LONG_AGO = (1980, 1, 1, 0, 0, 0)


def bundle() -> bytes:
    """The zip; the same modules give the same bytes."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, path in sorted({**dict(_own()), **dict(_others())}.items()):
            info = zipfile.ZipInfo(name, _LONG_AGO)
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, path.read_bytes())
    return packed.getvalue()


def digest(data: bytes) -> str:
    """The digest of our own modules and files in a bundle; libraries may have other versions."""
    found = sha256()
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        for name in sorted(archive.namelist()):
            if name.startswith("rulewright/"):
                found.update(f"{name}\n".encode() + sha256(archive.read(name)).digest())
    return found.hexdigest()


def best_bundle(runtime: Mapping[str, bytes]) -> bytes:
    """The compiled bundle among the files for browsers if it is that of these sources, else the sources."""
    sources = bundle()
    is_same = runtime.get(f"{COMPILED}.sha256", b"").decode() == digest(sources)
    return runtime[COMPILED] if is_same else sources


def _own() -> Iterator[tuple[str, Path]]:
    root = Path(str(files("rulewright")))
    for top in sorted(root.iterdir()):
        if top.suffix == ".py":
            yield f"rulewright/{top.name}", top
        elif top.is_dir() and top.name not in (*_LEFT_OUT, "__pycache__"):
            for path in sorted(top.resolve().rglob("*")):
                name = f"{top.name}/{path.relative_to(top.resolve()).as_posix()}"
                if path.is_file() and "__pycache__" not in name and not name.startswith(_LEFT_OUT):
                    yield f"rulewright/{name}", path
    for package in ("docs/errors", "docs/spec"):
        for path in sorted((root / package).resolve().glob("*")):
            if path.is_file():
                yield f"rulewright/{package}/{path.name}", path
    yield "rulewright/games/__init__.py", root / "games" / "__init__.py"
    for table in ("groups.csv", "rights.csv"):
        yield f"rulewright/games/{table}", root / "games" / table
    yield from _about("rulewright")


def _others() -> Iterator[tuple[str, Path]]:
    for library in LIBRARIES:
        for file in distribution(library).files or ():
            name = file.as_posix()
            if name.endswith((".py", ".lark", ".json")) and not name.startswith(".."):
                yield name, Path(str(file.locate()))
        yield from _about(library)


def _about(library: str) -> Iterator[tuple[str, Path]]:
    """The files that `importlib.metadata` reads: some libraries ask for their own version."""
    for file in distribution(library).files or ():
        if file.name == "METADATA":
            yield file.as_posix(), Path(str(file.locate()))
