"""New games out of templates: a template is a small game whose names are replaced."""

from __future__ import annotations

import re
import shutil
from importlib.resources import files
from pathlib import Path

from rulewright.interpreter.matches.atomic_files import naming

LONGEST = 60

_NAME = re.compile(r"[a-z][a-z0-9]*(?:_[a-z0-9]+)*")
_TITLE = re.compile(r'^game "([^"]+)"', re.MULTILINE)
_CLAUSE = re.compile(r"\b([A-Z]{2,})-[0-9]+\b")


def misnamed(path: Path) -> str:
    """Why a folder cannot be made for a new game, in words; nothing if it can."""
    name = path.name
    if len(name) > LONGEST:
        return f"a name has at most {LONGEST} letters"
    if not _NAME.fullmatch(name):
        near = _near(name)
        help = f"; `{near}` would do" if near else ""
        return f"a game is named with small letters, digits and `_`, a letter first{help}"
    if path.exists() or path.is_symlink():
        return f"`{path}` is there already; nothing was changed"
    if not path.parent.is_dir():
        return f"there is no folder `{path.parent}`"
    return ""


def _near(name: str) -> str:
    """The name that was probably meant: `Night Market` is `night_market`."""
    plain = re.sub(r"\.game$", "", name)
    plain = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", plain).casefold()
    plain = re.sub(r"[^a-z0-9]+", "_", plain).strip("_")
    return plain if _NAME.fullmatch(plain) else ""


def made(path: Path, template: str) -> list[Path]:
    """Make the folder with the files of a template under the new name; gives the files, the rules first."""
    name = path.name
    texts = {
        part.name: part.read_text(encoding="utf-8")
        for part in (files("rulewright.games") / "templates" / template).iterdir()
        if part.name.startswith(f"{template}.")
    }
    rules = texts[f"{template}.game"]
    title = _TITLE.search(rules)
    clause = _CLAUSE.search(rules)
    if title is None or clause is None:
        raise ValueError(f"the template {template} has no title or no clauses")
    replaced = {
        title[1]: name.replace("_", " ").title(),
        f"{clause[1]}-": f"{letters(name)}-",
        f'"{template}.': f'"{name}.',
    }
    path.mkdir()
    found = []
    try:
        for file in sorted(texts, key=lambda file: (not file.endswith(".game"), file)):
            text = texts[file]
            for old, new in replaced.items():
                text = text.replace(old, new)
            found.append(path / (name + file.removeprefix(template)))
            with naming(found[-1]):
                found[-1].write_text(_laid_out(found[-1], text), encoding="utf-8")
    except OSError:
        shutil.rmtree(path, ignore_errors=True)  # ours: it was made above
        raise
    return found


def _laid_out(path: Path, text: str) -> str:
    """The text as `rulewright fmt` would write it: another name moves the text after it."""
    # late: only who runs it waits for it
    from rulewright.dsl.diagnostics.diagnostics import Problems
    from rulewright.dsl.diagnostics.source import Source
    from rulewright.dsl.formatting.formatter import format_game, format_scenarios

    form = {".game": format_game, ".scenario": format_scenarios}.get(path.suffix)
    after = form(Source(path.name, text), Problems()) if form is not None else None
    return text if after is None else after


def letters(name: str) -> str:
    """The letters that clauses of a game begin with.

    >>> letters("night_market"), letters("orchard"), letters("x2")
    ('NM', 'OR', 'XX')
    """
    parts = [part[0] for part in name.split("_") if part[0].isalpha()]
    plain = [letter for letter in name if letter.isalpha()]
    found = parts if len(parts) > 1 else [*plain, plain[0]][:2]
    return "".join(found)[:4].upper()
