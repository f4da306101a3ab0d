"""Bundle the part of Rulewright that a browser gets: its own packages and the libraries that these need.

A page that only plays gets a part of the bundle. The rest is a separate file, which the page fetches when
it imports one of the modules in this file.
"""

from __future__ import annotations

import ast
import io
import json
import zipfile
from collections.abc import Iterator, Mapping, Sequence
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
"""Folders that no browser needs; games are separate files."""
COMPILED = "compiled.zip"
"""The compiled bundle in the package for browsers; it is used if the sources have not changed since it was
built.
"""
LIBRARY = "stdlib.zip"
"""In the package for browsers, the part of Python's standard library that browsers need, compiled."""
PLAYER = "rulewright.playground.in_browser"
"""The first module of a page that only plays."""
LEFT_OUT = "rulewright.playground.left_out"
"""The module that starts before `PLAYER`."""
_READS_TEXT = "rulewright.dsl.loading.loading"
"""The module that compiles a text; it is needed only for variants that were not compiled before."""
_GAMES = "rulewright.games"
"""The package whose folder the player looks up by name."""
_ONLY_FOR_EDITING = (
    "click",
    "rulewright.cli",
    "rulewright.docs",
    "rulewright.editing",
    "rulewright.playground.worker",
)
"""Modules that are imported, but are not needed to play a game."""
_LONG_AGO = (1980, 1, 1, 0, 0, 0)


def bundle() -> bytes:
    """Return the bundle as a zip; the same modules give the same bytes."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, path in sorted({**dict(_own()), **dict(_others())}.items()):
            info = zipfile.ZipInfo(name, _LONG_AGO)
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, path.read_bytes())
    return packed.getvalue()


def digest(data: bytes) -> str:
    """Return a digest of our own modules and files in a bundle; libraries may have other versions."""
    found = sha256()
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        for name in sorted(archive.namelist()):
            if name.startswith("rulewright/"):
                found.update(f"{name}\n".encode() + sha256(archive.read(name)).digest())
    return found.hexdigest()


def best_bundle(runtime: Mapping[str, bytes], sources: bytes) -> bytes:
    """Return the compiled bundle from the package for browsers if it matches these sources, otherwise the
    sources.
    """
    is_same = runtime.get(f"{COMPILED}.sha256", b"").decode() == digest(sources)
    return runtime[COMPILED] if is_same else sources


# ---- packs -------------------------------------------------------------------------------------------


def packs(runtime: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return the part for a page that only plays (`player.pack`), its compiler (`compiler.pack`), and all
    (`all.pack`).
    """
    sources = bundle()
    playing = for_playing(sources)
    parts = {"player": playing, "compiler": for_compiling(sources) - playing}
    with zipfile.ZipFile(io.BytesIO(best_bundle(runtime, sources))) as archive:
        every = {name: archive.read(name) for name in archive.namelist()}
    found = {"all.pack": pack(every)}
    for part, names in parts.items():
        inside = {name: data for name, data in every.items() if name.removesuffix("c") in names}
        found[f"{part}.pack"] = pack(inside)
    return found


def pack(parts: Mapping[str, bytes]) -> bytes:
    """Concatenate several files: a line of JSON with their names and sizes, then their contents."""
    sizes = json.dumps([[name, len(data)] for name, data in parts.items()], ensure_ascii=True)
    return sizes.encode() + b"\n" + b"".join(parts.values())


def for_playing(sources: bytes) -> set[str]:
    """Return the names of the files in a bundle that are needed to play a compiled game."""
    return _needed_files(sources, (PLAYER, LEFT_OUT), (*_ONLY_FOR_EDITING, "lark", _READS_TEXT))


def for_compiling(sources: bytes) -> set[str]:
    """Return the names of the files in a bundle that are needed to compile a game."""
    return _needed_files(sources, (_READS_TEXT, _GAMES), _ONLY_FOR_EDITING)


def _needed_files(sources: bytes, starts: Sequence[str], others: Sequence[str]) -> set[str]:
    """Return the names of the files that modules need, without `others` and the modules inside these."""
    with zipfile.ZipFile(io.BytesIO(sources)) as archive:
        every = set(archive.namelist())
        found: set[str] = set()
        wanted = [*starts]
        while wanted:
            module = wanted.pop()
            if any(module == one or module.startswith(f"{one}.") for one in others):
                continue
            path = _path_of(module, every)
            if path and path not in found:
                found.add(path)
                wanted += _imports(archive.read(path), path)
    folders = {name.rpartition("/")[0] for name in found}
    data = {
        name
        for name in every
        if not name.endswith(".py")
        and (name.rpartition("/")[0] in folders or name.startswith("rulewright-"))
    }
    return found | data


def _path_of(module: str, every: set[str]) -> str | None:
    path = module.replace(".", "/")
    return next((name for name in (f"{path}.py", f"{path}/__init__.py") if name in every), None)


def _imports(source: bytes, path: str) -> Iterator[str]:
    """Yield the modules that a module may import, also inside functions, but not those for type checkers
    alone.
    """
    here = path.removesuffix(".py").split("/")
    waiting: list[ast.AST] = [ast.parse(source)]
    while waiting:
        match waiting.pop():
            case ast.If(test=ast.Name("TYPE_CHECKING"), orelse=others):
                waiting += others
            case ast.Import(names=names):
                for name in names:
                    yield from _with_parents(name.name)
            case ast.ImportFrom(module=module, names=names, level=level):
                above = here[:-level] if level else []
                base = ".".join([*above, *((module or "").split("."))]).strip(".")
                yield from _with_parents(base)
                for name in names:
                    yield from _with_parents(f"{base}.{name.name}")
            case node:
                waiting += ast.iter_child_nodes(node)


def _with_parents(module: str) -> Iterator[str]:
    """Yield a module and the packages that contain it."""
    parts = module.split(".")
    for count in range(1, len(parts) + 1):
        yield ".".join(parts[:count])


# ---- the files ---------------------------------------------------------------------------------------


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
    """Yield the files that `importlib.metadata` reads, because some libraries look up their own version."""
    for file in distribution(library).files or ():
        if file.name == "METADATA":
            yield file.as_posix(), Path(str(file.locate()))
