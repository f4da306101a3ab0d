"""Builds the site: the documents, a page for each shipped game, and the playground inside.

Every complete game on a page gets colours and a link that opens it in the playground. Run it as
`python -m docs.site.build OUT`.
"""

from __future__ import annotations

import base64
import json
import re
import shutil
import subprocess
import sys
import tempfile
import zlib
from collections.abc import Iterable, Iterator, Mapping
from html import escape
from pathlib import Path

from rulewright.cli.commands.hosting.serve import load_rules, rule_texts
from rulewright.cli.commands.hosting.site import templates
from rulewright.interpreter.matches.game import Game
from rulewright.interpreter.matches.library import games_by_group, shipped_games
from rulewright.interpreter.views.scene import scene
from rulewright.pictures.beside import beside
from rulewright.pictures.catalogue import thumbnail, typical
from rulewright.pictures.rights import unofficial
from rulewright.pictures.svg import alone
from rulewright.playground.folder import Folder
from rulewright.playground.native import modules_of
from rulewright.playground.site import Example, example_of, write_site

DOCS = Path(__file__).resolve().parents[1]
HERE = DOCS / "site"
PLAYGROUND = "playground/index.html"
_FENCE = re.compile(r"^```([a-z-]+)([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_TITLE = re.compile(r"^# (.+)$", re.MULTILINE)
_HEADING = re.compile(r"^##+ (.+)$", re.MULTILINE)
_RULES = ("game", "game-error", "frame", "fragment", "fragment-error", "scenario")


def build(out: Path, names: Iterable[str]) -> None:
    """Write the site with these games into a folder, which may hold an older one."""
    games = {name: load_rules(name) for name in names}
    examples = {name: example_of(game, rule_texts(game)) for name, game in games.items()}
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        _write(work / "zensical.toml", settings())
        pages = work / "pages"
        write_pages(pages, games, examples, Folder(work / "coloured"))
        words = [sys.executable, "-m", "zensical", "build", "--strict", "--clean"]
        done = subprocess.run(words, cwd=work, capture_output=True, text=True, check=False)
        if done.returncode:
            sys.exit(f"{done.stdout}{done.stderr}")
        shutil.rmtree(out, ignore_errors=True)
        shutil.copytree(work / "site", out)
    modules = modules_of(games.values(), lambda what: None)
    recipes = sorted((DOCS / "cookbook").glob("*.md"))
    offered = {**steps(DOCS / "tutorial.md"), **templates(), **examples}
    for path in recipes:
        offered |= steps(path, "Recipes: ")
    write_site(out / "playground", offered, documents="../", modules=modules)
    sys.stdout.write(f"{sum(1 for path in out.rglob('*') if path.is_file())} files are in {out}\n")


def settings() -> str:
    """The settings of Zensical, with the pages of the specification in the order that its first page has."""
    first = (DOCS / "spec" / "README.md").read_text("utf-8")
    names = re.findall(r"^\| \[.*\]\(([a-z-]+\.md)\)", first, re.MULTILINE)
    listed = ", ".join(f'"spec/{name}"' for name in ("README.md", *names))
    return (HERE / "zensical.toml").read_text("utf-8").replace('"spec/README.md"', listed)


def write_pages(
    pages: Path, games: Mapping[str, Game], examples: Mapping[str, Example], folder: Folder
) -> None:
    """Write the input of Zensical: the documents with colours and links, the games, style and script."""
    for path in sorted(DOCS.rglob("*.md")):
        place = path.relative_to(DOCS)
        up = "../" * (len(place.parts) - 1)
        _write(pages / place, page(path.read_text("utf-8"), up, folder))
    for path in (DOCS / "table.png", HERE / "site.css", HERE / "site.js"):
        shutil.copy(path, pages / path.name)
    listed: dict[str, str] = {}
    for name, game in games.items():
        for ending, drawn in pictures(name, game):
            _write(pages / "games" / f"{name}{ending}.svg", drawn.svg())
        _write(pages / "games" / f"{name}.md", game_page(name, game, examples[name], folder))
        listed[name] = card(name, game)
    gallery = (pages / "games.md").read_text("utf-8")
    for heading, names in games_by_group(listed):
        cards = "".join(listed[name] for name in names)
        gallery += f'\n## {heading.capitalize()}\n\n<div class="games">\n{cards}</div>\n'
    _write(pages / "games.md", gallery)


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


# ---- games in pages ----


def page(text: str, up: str, folder: Folder) -> str:
    """A document with coloured rules; a complete game can be opened, with its tables and the scenarios after it."""
    complete = dict(games_of(text))

    def render_block(found: re.Match[str]) -> str:
        word, info, rules = found[1], found[2].strip(), found[3]
        if word == "file":
            return f"`{info}`\n\n```text\n{rules}```"
        if word not in _RULES:
            return found[0]
        link = ""
        if found.start() in complete:
            game = link_fragment(complete[found.start()])
            link = _link(f"{up}{PLAYGROUND}#game={game}", "Open and play")
        return f'<div class="rules">{highlight(rules, word, folder)}{link}</div>\n'

    return _FENCE.sub(render_block, text)


def games_of(text: str) -> Iterator[tuple[int, dict[str, str]]]:
    """The place of each complete game of a document, its tables and the scenarios after it."""
    tables: dict[str, str] = {}
    blocks = list(_FENCE.finditer(text))
    for found, after in zip(blocks, [*blocks[1:], None], strict=False):
        if found[1] == "file":
            tables[found[2].strip()] = found[3]
        if found[1] in ("game", "game-error"):
            files = {"example.game": found[3], **tables}
            if after is not None and after[1] == "scenario":
                files["example.scenario"] = after[3]
            yield found.start(), files


def steps(path: Path, kind: str = "") -> dict[str, Example]:
    """The complete games of a document as examples of the playground, named by their headings."""
    text = path.read_text("utf-8")
    group = kind + _TITLE.findall(text)[0]
    found: dict[str, Example] = {}
    for start, files in games_of(text):
        heading = _HEADING.findall(text, 0, start)[-1]
        title = f"{heading} (2)" if heading in {one.title for one in found.values()} else heading
        found[f"{path.stem}-{len(found) + 1}"] = Example(title, "example.game", files, group)
    return found


def link_fragment(files: Mapping[str, str]) -> str:
    """Files in the form that the fragment of a link has."""
    text = json.dumps({"main": "example.game", "files": dict(files)}, ensure_ascii=False)
    squeezed = zlib.compressobj(9, zlib.DEFLATED, -15)
    data = squeezed.compress(text.encode()) + squeezed.flush()
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def highlight(text: str, word: str, folder: Folder) -> str:
    """Rules as HTML with the classes of an editor, in one line for Markdown."""
    file = "example.scenario" if word == "scenario" else "example.game"
    folder.open({"example.game": "", file: text}, "example.game")
    parts, at = [], 0
    units = text.encode("utf-16-le")

    def piece(start: int, end: int) -> str:
        return escape(units[2 * start : 2 * end].decode("utf-16-le"))

    for start, end, kind in folder.colours(file):
        assert isinstance(start, int)
        assert isinstance(end, int)
        parts.append(f'{piece(at, start)}<span class="k-{kind}">{piece(start, end)}</span>')
        at = end
    parts.append(piece(at, len(units) // 2))
    inside = "".join(parts).rstrip("\n").replace("\n", "&#10;")
    return f'<pre tabindex="0"><code>{inside}</code></pre>'


def _link(address: str, words: str) -> str:
    return f'<a class="open" href="{escape(address)}">{words}</a>'


# ---- the gallery ----


def pictures(name: str, game: Game) -> Iterator[tuple[str, alone.Drawn]]:
    """A position in the middle of a match, and for the gallery its largest board."""
    state = typical(game)
    shown = scene(state, max(0, state.player))
    looks = beside(game, name).looks
    yield "", alone.position(shown, looks)
    yield "-small", thumbnail(shown, looks)


def card(name: str, game: Game) -> str:
    """A game in the gallery."""
    return (
        f'<a class="game" href="games/{name}.html"><img src="games/{name}-small.svg" alt="" loading="lazy">'
        f"<strong>{escape(game.title)}</strong><span>{escape(_about(game))}</span></a>\n"
    )


def game_page(name: str, game: Game, example: Example, folder: Folder) -> str:
    """The page of a game: its description, a link to play it, its rulebook and its text."""
    parts = [
        f"# {game.title}\n",
        f"{_about(game)}\n",
        '<p class="buttons">'
        + _link(f"../{PLAYGROUND}#play={name}", "Play here")
        + _link(f"../{PLAYGROUND}#example={name}", "Change its rules")
        + "</p>\n",
        f'<img src="{name}.svg" alt="A position of {escape(game.title)}">\n',
    ]
    rulebook = example.files.get(f"{name}.rules.md")
    if rulebook:
        below = re.sub(r"^#", "##", rulebook, flags=re.MULTILINE)
        parts.append(
            f"## Rulebook\n\n{re.sub(r'^## .*', '', below, count=1, flags=re.MULTILINE)}\n"
        )
    parts.append("## The text\n")
    for file, text in example.files.items():
        if file.endswith((".game", ".scenario")):
            word = "scenario" if file.endswith(".scenario") else "game"
            inside = highlight(text, word, folder)
            parts.append(f'<details class="rules"><summary>{file}</summary>{inside}</details>\n')
    parts.append(
        f"{unofficial(name)}\n\nWhose words and pictures these are: [Rights](../rights.md).\n"
    )
    return "\n".join(parts)


def _about(game: Game) -> str:
    facts = game.facts
    players = f"{facts.low}" if facts.low == facts.high else f"{facts.low} to {facts.high}"
    words = [f"{players} players" if facts.high > 1 else "1 player"]
    minutes = facts.about.minutes
    if minutes:
        low, high = minutes
        words.append(f"{low} minutes" if low == high else f"{low} to {high} minutes")
    return ", ".join([*words, *facts.about.mechanisms])


if __name__ == "__main__":
    build(Path(sys.argv[1]), shipped_games())
