"""Make new games from templates or from other games: the same files under another name."""

from __future__ import annotations

import re
import shutil
from importlib.resources import files
from pathlib import Path

import click

from rulewright.interpreter.matches.atomic_files import naming

LONGEST = 60

_NAME = re.compile(r"[a-z][a-z0-9]*(?:_[a-z0-9]+)*")
_TITLE = re.compile(r'^game "([^"]+)"', re.MULTILINE)
_CLAUSE = re.compile(r"\b([A-Z]{2,})-[0-9]+\b")


def folder_problem(path: Path) -> str:
    """Return the reason why a folder for a new game cannot be made, or an empty text if it can."""
    name = path.name
    if len(name) > LONGEST:
        return f"a name has at most {LONGEST} letters"
    if not _NAME.fullmatch(name):
        near = _near(name)
        help = f"; `{near}` would do" if near else ""
        return (
            f"the name of a game has small letters, digits and `_`, and begins with a letter{help}"
        )
    if path.exists() or path.is_symlink():
        return f"`{path}` is there already; nothing was changed"
    if not path.parent.is_dir():
        return f"there is no folder `{path.parent}`"
    return ""


def _near(name: str) -> str:
    """Guess the name that was probably meant, such as `night_market` for `Night Market`; return "" if there
    is none.
    """
    plain = re.sub(r"\.game$", "", name)
    plain = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", plain).casefold()
    plain = re.sub(r"[^a-z0-9]+", "_", plain).strip("_")
    return plain if _NAME.fullmatch(plain) else ""


def template(name: str) -> Path:
    """Return the path of the rules of a template."""
    return Path(str(files("rulewright.games"))) / "templates" / name / f"{name}.game"


def make_game_folder(path: Path, source: Path) -> list[Path]:
    """Make the folder with the files of a game under the new name; return the files, with the rules first."""
    name, stem = path.name, source.stem
    texts = {part.name: part.read_text(encoding="utf-8") for part in _parts(source)}
    rules = texts[source.name]
    title = _TITLE.search(rules)
    if title is None:
        raise click.ClickException(f'`{source}` has no line `game "TITLE"`')
    at_head = re.compile(rf'^(game "|# ){re.escape(title[1])}(?=[":,]|$)', re.MULTILINE)
    head = rf"\g<1>{name.replace('_', ' ').title()}"
    clause = _CLAUSE.search(rules) if f"{stem}.rules.md" in texts else None
    replaced = {f'"{stem}.': f'"{name}.'}
    if clause is not None:
        replaced[f"{clause[1]}-"] = f"{letters(name)}-"
    path.mkdir()
    found = []
    try:
        for file in sorted(texts, key=lambda file: (file != source.name, file)):
            text = texts[file]
            if not file.endswith(".csv"):
                text = at_head.sub(head, text)
                for old, new in replaced.items():
                    text = text.replace(old, new)
            is_named = file.startswith(f"{stem}.")
            found.append(path / (name + file.removeprefix(stem) if is_named else file))
            with naming(found[-1]):
                found[-1].write_text(_format_text(found[-1], text), encoding="utf-8")
    except OSError:
        shutil.rmtree(path, ignore_errors=True)  # this folder was made above
        raise
    return found


def _parts(source: Path) -> list[Path]:
    """Return the files of a game: all files in its own folder, or else its parts and the files with the
    same name.
    """
    # lazy import: other commands start without it
    from rulewright.dsl.loading.loading import load

    source = source.resolve()
    beside = source.parent.glob("*" if source.parent.name == source.stem else f"{source.stem}.*")
    found = {path for path in (*beside, *load(source).parts) if path.is_file()}
    return sorted(path.resolve() for path in found if path.parent.resolve() == source.parent)


def _format_text(path: Path, text: str) -> str:
    """Format the text again, because a longer or shorter name moves the text that follows it."""
    # lazy import: other commands start without it
    from rulewright.dsl.diagnostics.diagnostics import Problems
    from rulewright.dsl.diagnostics.source import Source
    from rulewright.dsl.formatting.formatter import format_game, format_scenarios

    form = {".game": format_game, ".scenario": format_scenarios}.get(path.suffix)
    after = form(Source(path.name, text), Problems()) if form is not None else None
    return text if after is None else after


def letters(name: str) -> str:
    """Return the letters with which the clause ids of a game begin.

    >>> letters("night_market"), letters("orchard"), letters("x2")
    ('NM', 'OR', 'XX')
    """
    parts = [part[0] for part in name.split("_") if part[0].isalpha()]
    plain = [letter for letter in name if letter.isalpha()]
    found = parts if len(parts) > 1 else [*plain, plain[0]][:2]
    return "".join(found)[:4].upper()
