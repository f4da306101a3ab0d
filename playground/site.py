"""Write the playground as static files for any file server, or as one file that opens without a server.

The pages load nothing from other servers.
"""

from __future__ import annotations

import base64
import gzip
import json
import re
from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable
from importlib.util import find_spec
from pathlib import Path
from types import MappingProxyType

import attrs

from rulewright.interpreter.matches.game import Game
from rulewright.pictures import script, styles
from rulewright.playground.bundle import COMPILED, LIBRARY, packs
from rulewright.playground.compiled_rules import PROGRAMS, compiled_game, is_whole

RUNTIME = "rulewright_browser"
NATIVE = "native/"
"""The folder of native code in a page."""
_COMPILER = "runtime/compiler.pack"
_WHOLE_PYTHON = "runtime/python_stdlib.zip"
"""The file with all modules; a page fetches this file when it imports a module that it lacks."""
_RUNTIME = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "editor.js")
_FOR_EDITING = ("app.js", "editor.js", "sheet.js", "runtime/editor.js", "runtime/all.pack")
_FOR_PLAYING = ("player.js", "runtime/player.pack", _COMPILER)
_BESIDE = (".scenario", ".rules.md", ".css", ".places.csv")


class NoRuntimeError(Exception):
    """Raised if the files for browsers are not installed."""


@attrs.frozen
class Example:
    """A game that the playground offers: its title and the texts of its files by name."""

    title: str
    main: str
    files: Mapping[str, str]
    group: str = "Games"
    """The group of the example in the list of examples."""
    compiled: Mapping[str, bytes] = MappingProxyType({})
    """The programs of the game, for a page that plays (`rulewright.playground.compiled_rules`)."""
    is_whole: bool = False
    """Whether the example has the programs of all variants."""

    def text(self) -> str:
        """Return the example in the form that a page fetches."""
        return json.dumps({"main": self.main, "files": dict(self.files)}, ensure_ascii=False)


def example_of(game: Game, rules: Mapping[Path, bytes]) -> Example:
    """Return a game with all files in its folder that are part of it."""
    main = Path(str(game.facts.path)).resolve()
    found = {path.resolve(): data.decode("utf-8") for path, data in rules.items()}
    for end in _BESIDE:
        path = main.with_name(main.stem + end)
        if path.is_file():
            found[path] = path.read_text("utf-8")
    if (
        main.parent.name == main.stem
    ):  # the game has its own folder, which also holds its other scenarios
        for path in sorted(main.parent.rglob("*.scenario")):
            found[path.resolve()] = path.read_text("utf-8")
    inside = {
        path.relative_to(main.parent).as_posix(): text
        for path, text in sorted(found.items())
        if path.is_relative_to(main.parent)
    }
    return Example(game.title, main.name, inside)


def player_of(game: Game, example: Example) -> Example:
    """Return the same game, compiled for a page that only plays."""
    compiled = compiled_game(game, example.files)
    return attrs.evolve(example, compiled=compiled, is_whole=is_whole(game))


def write_site(
    out: Path,
    examples: Mapping[str, Example],
    only: str = "",
    documents: str = "",
    modules: Mapping[str, bytes] = MappingProxyType({}),
) -> list[str]:
    """Write all files into a folder and return their names.

    With `only` the page plays this compiled game and edits nothing. With `documents`, the address of the
    documents, each problem leads to its page. The `modules` are native code by its name
    (`rulewright.playground.native`).
    """
    parts = _parts(examples, only, documents, modules)
    del parts["single.js"]
    written = {}
    for name, data in parts.items():
        written[f"{name}.gz" if _is_packed(name) else name] = (
            _gzip(data) if _is_packed(name) else data
        )
    worker = written.pop("offline.js").decode()
    digest = sha256(b"".join(written[name] for name in sorted(written))).hexdigest()[:16]
    written["worker.json"] = _worker_facts(parts, only, digest)
    kept = json.dumps(["./", *(name for name in sorted(written) if _is_kept(name))])
    written["offline.js"] = (
        worker.replace('"VERSION"', f'"{digest}"').replace("[/*FILES*/]", kept).encode()
    )
    for name, data in written.items():
        path = out / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return sorted(written)


def _is_kept(name: str) -> bool:
    """Return whether a browser caches a file at the first visit, and not only at its first use.

    Native code and programs are cached at their first use, because a match needs only those of one variant.
    """
    later = ("runtime/licences/", NATIVE, PROGRAMS, f"{_COMPILER}.", f"{_WHOLE_PYTHON}.")
    return not name.startswith(later)


def _worker_facts(parts: Mapping[str, bytes], only: str, version: str) -> bytes:
    """Return the facts that the worker requests first."""
    asked = (NATIVE, PROGRAMS, _COMPILER, _WHOLE_PYTHON)
    names = sorted(name for name in parts if name.startswith(asked))
    facts = {"files": names, "plays": bool(only), "version": version}
    return json.dumps(facts, ensure_ascii=False).encode()


def _is_packed(name: str) -> bool:
    """Return whether we compress a file: large files are compressed, because not every server does this."""
    large = (".wasm", ".asm.mjs", ".zip", ".pack")
    return name.startswith((NATIVE, PROGRAMS, "games/")) or (
        name.startswith("runtime/") and name.endswith(large)
    )


@cache
def _gzip(data: bytes) -> bytes:
    return gzip.compress(data, mtime=0)


def single_page(
    name: str, example: Example, modules: Mapping[str, bytes] = MappingProxyType({})
) -> str:
    """Return one self-contained page that plays this game."""
    parts = _parts({name: example}, name, "", modules)
    page = parts.pop("index.html").decode()
    style = parts.pop("playground.css").decode()
    frame_scripts = re.findall("script-src ('sha256-[^;]*);", parts["frame.html"].decode())[0]
    script = parts.pop("single.js").decode()
    left = {"offline.js", _WHOLE_PYTHON, *([_COMPILER] if example.is_whole else [])}
    for each in [each for each in parts if each in left or each.startswith("runtime/licences/")]:
        del parts[each]
    parts["worker.json"] = _worker_facts(parts, name, "")
    packed = {each: base64.b64encode(_gzip(data)).decode() for each, data in parts.items()}
    policy = (
        f"default-src 'none'; script-src '{_hash(script)}' {frame_scripts} blob: 'wasm-unsafe-eval'; "
        f"style-src '{_hash(style)}'; style-src-attr 'unsafe-inline'; img-src data: blob:; font-src data:; "
        "connect-src blob:; worker-src blob:; base-uri 'none'; form-action 'none'"
    )
    page = re.sub(r'(http-equiv="Content-Security-Policy" content=")[^"]*', rf"\g<1>{policy}", page)
    page = re.sub(r'<link rel="stylesheet"[^>]*>\n', "", page)
    page = re.sub(r'<script type="module"[^>]*></script>\n', "", page)
    page = page.replace("</head>", f"<style>{style}</style>\n</head>")
    inside = f'<script type="application/json" id="files">{json.dumps(packed)}</script>'
    return page.replace("</body>", f"{inside}\n<script>{script}</script>\n</body>")


def _hash(text: str) -> str:
    return f"sha256-{base64.b64encode(sha256(text.encode()).digest()).decode()}"


def _parts(
    examples: Mapping[str, Example], only: str, documents: str, modules: Mapping[str, bytes]
) -> dict[str, bytes]:
    """Return all files by name, without filling in the list in `offline.js`."""
    runtime = _runtime()
    parts = {f"runtime/{name}": data for name, data in runtime.items() if name in _RUNTIME}
    parts |= {f"runtime/{name}": runtime[name] for name in runtime if name.startswith("licences/")}
    parts[_WHOLE_PYTHON] = runtime["python_stdlib.zip"]
    parts[f"runtime/{LIBRARY}"] = runtime.get(LIBRARY, runtime["python_stdlib.zip"])
    lock = json.loads(runtime["pyodide-lock.json"])
    parts["runtime/pyodide-lock.json"] = json.dumps({"info": lock["info"], "packages": {}}).encode()
    packs = _packs(tuple(runtime.get(name, b"") for name in (COMPILED, f"{COMPILED}.sha256")))
    parts |= {f"runtime/{name}": data for name, data in packs.items()}
    for part in files("rulewright.playground").joinpath("static").iterdir():
        if part.is_file() and part.name.endswith((".css", ".html", ".js")):
            parts[part.name] = part.read_bytes()
    if only:
        for name in _FOR_EDITING:
            del parts[name]
        page = re.sub(
            r"<!-- editing -->.*?<!-- /editing -->\n",
            "",
            parts["index.html"].decode(),
            flags=re.DOTALL,
        )
        parts["index.html"] = page.replace('"app.js"', '"player.js"').encode()
    else:
        for name in _FOR_PLAYING:
            del parts[name]
    scripts = parts.pop("frame.js").decode(), script()
    inside = "\n".join(f'<script type="module">{each}</script>' for each in scripts)
    hashes = " ".join(f"'{_hash(each)}'" for each in scripts)
    for name in ("frame.html", "index.html"):
        page = parts[name].decode().replace("HASHES", hashes)
        parts[name] = page.replace("\nSCRIPTS\n", f"\n{inside}\n").encode()
    parts["pictures.css"] = styles().encode()
    for name, example in examples.items():
        parts[f"games/{name}.json"] = example.text().encode()
    for name, module in modules.items():
        parts[f"{NATIVE}{name}.wasm"] = module
    for example in examples.values():
        parts |= {f"{PROGRAMS}{name}": data for name, data in example.compiled.items()}
    listed = [
        {"name": name, "title": example.title, "group": example.group}
        for name, example in examples.items()
    ]
    parts["games.json"] = json.dumps(
        {"games": listed, "only": only, "documents": documents}, ensure_ascii=False
    ).encode()
    return parts


@cache
def _packs(compiled: tuple[bytes, ...]) -> dict[str, bytes]:
    return packs(dict(zip((COMPILED, f"{COMPILED}.sha256"), compiled, strict=True)))


def require_runtime() -> None:
    """Raise an error if the files for browsers are not installed."""
    if find_spec(RUNTIME) is None:
        raise NoRuntimeError(
            "the playground needs the files for browsers: pip install '.[browser]'"
        )


def _runtime() -> dict[str, bytes]:
    require_runtime()
    return dict(_below(files(RUNTIME).joinpath("files"), ""))


def _below(folder: Traversable, prefix: str) -> list[tuple[str, bytes]]:
    found: list[tuple[str, bytes]] = []
    for part in folder.iterdir():
        if part.is_dir():
            found += _below(part, f"{prefix}{part.name}/")
        else:
            found.append((f"{prefix}{part.name}", part.read_bytes()))
    return found
