"""Writes the playground as static files for any server of files, or as one file that opens by itself.

Nothing comes from elsewhere.
"""

from __future__ import annotations

import base64
import gzip
import json
import re
from collections.abc import Mapping
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable
from importlib.util import find_spec
from pathlib import Path
from types import MappingProxyType

import attrs

from rulewright.interpreter.matches.game import Game
from rulewright.pictures import script, styles
from rulewright.playground.bundle import COMPILED, best_bundle

RUNTIME = "rulewright_browser"
NATIVE = "native/"
"""The folder of native code in a page."""
_BESIDE = (".scenario", ".rules.md", ".css", ".places.csv")


class NoRuntimeError(Exception):
    """The files for browsers are not installed."""


@attrs.frozen
class Example:
    """A game that the playground offers: its title and the texts of its files by name."""

    title: str
    main: str
    files: Mapping[str, str]

    def text(self) -> str:
        """The example as a page fetches it."""
        return json.dumps({"main": self.main, "files": dict(self.files)}, ensure_ascii=False)


def example_of(game: Game, rules: Mapping[Path, bytes]) -> Example:
    """A game with all files that lie beside it and are part of it."""
    main = Path(str(game.facts.path)).resolve()
    found = {path.resolve(): data.decode("utf-8") for path, data in rules.items()}
    for end in _BESIDE:
        path = main.with_name(main.stem + end)
        if path.is_file():
            found[path] = path.read_text("utf-8")
    if main.parent.name == main.stem:  # a folder of its own: its other scenarios are there, too
        for path in sorted(main.parent.rglob("*.scenario")):
            found[path.resolve()] = path.read_text("utf-8")
    inside = {
        path.relative_to(main.parent).as_posix(): text
        for path, text in sorted(found.items())
        if path.is_relative_to(main.parent)
    }
    return Example(game.title, main.name, inside)


def write_site(
    out: Path,
    examples: Mapping[str, Example],
    only: str = "",
    documents: str = "",
    modules: Mapping[str, bytes] = MappingProxyType({}),
) -> list[str]:
    """Write all files into a folder and give their names.

    With `only` the page plays this game and edits nothing. With `documents`, the address of the documents, each problem
    leads to its page. The `modules` are native code by its name (`rulewright.playground.native`).
    """
    parts = _parts(examples, only, documents, modules)
    del parts["single.js"]
    worker = parts["offline.js"].decode()
    names = sorted(name for name in parts if name != "offline.js")
    digest = sha256(b"".join(parts[name] for name in names)).hexdigest()[:16]
    # Those of many games are kept when they are first used.
    kept = json.dumps(["./", *(name for name in names if only or not name.startswith(NATIVE))])
    parts["offline.js"] = (
        worker.replace('"VERSION"', f'"{digest}"').replace("[/*FILES*/]", kept).encode()
    )
    for name, data in parts.items():
        path = out / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return sorted(parts)


def single_page(
    name: str, example: Example, modules: Mapping[str, bytes] = MappingProxyType({})
) -> str:
    """One page with everything inside, which plays this game."""
    parts = _parts({name: example}, name, "", modules)
    page = parts.pop("index.html").decode()
    style = "\n".join(parts.pop(name).decode() for name in ("pictures.css", "playground.css"))
    script = parts.pop("single.js").decode()
    for each in ("offline.js", *(each for each in parts if each.startswith("runtime/licences/"))):
        del parts[each]
    packed = {
        each: base64.b64encode(gzip.compress(data, mtime=0)).decode()
        for each, data in parts.items()
    }
    policy = (
        f"default-src 'none'; script-src '{_hash(script)}' blob: 'wasm-unsafe-eval'; "
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
    """All files but for the list in `offline.js`, by their names."""
    runtime = _runtime()
    parts = {f"runtime/{name}": data for name, data in runtime.items() if COMPILED not in name}
    parts["runtime/bundle.zip"] = best_bundle(runtime)
    for part in files("rulewright.playground").joinpath("static").iterdir():
        if part.is_file() and part.name.endswith((".css", ".html", ".js")):
            parts[part.name] = part.read_bytes()
    parts["pictures.css"] = styles().encode()
    parts["pictures.js"] = script().encode()
    for name, example in examples.items():
        parts[f"games/{name}.json"] = example.text().encode()
    for name, module in modules.items():
        parts[f"{NATIVE}{name}.wasm"] = module
    parts["native.json"] = json.dumps(sorted(modules)).encode()
    listed = [{"name": name, "title": example.title} for name, example in examples.items()]
    parts["games.json"] = json.dumps(
        {"games": listed, "only": only, "documents": documents}, ensure_ascii=False
    ).encode()
    return parts


def _runtime() -> dict[str, bytes]:
    if find_spec(RUNTIME) is None:
        raise NoRuntimeError(
            "the playground needs the files for browsers: pip install '.[browser]'"
        )
    return dict(_below(files(RUNTIME).joinpath("files"), ""))


def _below(folder: Traversable, prefix: str) -> list[tuple[str, bytes]]:
    found: list[tuple[str, bytes]] = []
    for part in folder.iterdir():
        if part.is_dir():
            found += _below(part, f"{prefix}{part.name}/")
        else:
            found.append((f"{prefix}{part.name}", part.read_bytes()))
    return found
