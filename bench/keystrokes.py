"""The CPU time of a keystroke in a game that is open in an editor, for each type of edit."""

from __future__ import annotations

import gc
import random
import re
import shutil
import tempfile
from collections.abc import Callable, Iterator
from importlib.resources import as_file, files
from pathlib import Path
from statistics import median, quantiles
from time import process_time

from rulewright.dsl.loading.files import Files
from rulewright.dsl.loading.loading import load
from rulewright.editing.workspace.checking import Memory, look
from rulewright.editing.workspace.project import Project
from rulewright.editing.workspace.workspace import Workspace

GAME = "through_the_ages"
NUMBER = re.compile(r"(?<![A-Za-z0-9_.\"-])[0-9]+(?![A-Za-z0-9_.])")
NAME = re.compile(r"(?<![\"#\[A-Za-z0-9_-])[a-z][a-z_]{3,}(?![A-Za-z0-9_\]-])")
STEP = re.compile(r"^ {8,}[a-z].*$", re.MULTILINE)
SAID = re.compile(r"(?<=# )[A-Z][a-z]+")

Edit = tuple[Path, str]
"""A file, and its text from now on."""


class Sitting:
    """An open game, with the results of a check that its next check can use."""

    def __init__(self, game: Path) -> None:
        self.game, self.files, self.memory = game, Files(), Memory()

    def look(self) -> tuple[float, float, int]:
        """Check the whole game: the seconds until the default variant is checked and until all are, and the number
        of problems."""
        gc.collect()  # garbage of the previous check does not count
        begun, first, found = process_time(), 0.0, 0
        problems = load(self.game, files=self.files).problems
        for one in look(self.game, (), self.files.copy(), lambda: True, self.memory):
            if one is not None:
                first = first or process_time() - begun
                found = len({*problems, *one.first, *(one.rest or ())})
        return first, process_time() - begun, found


def keystrokes(number: int = 30, seed: int = 1) -> list[dict[str, object]]:
    """For each kind of edit: seconds of CPU time until the whole game has been checked."""
    rows: list[dict[str, object]] = []
    for kind, edits in KINDS.items():
        seconds, first = measure_edits(edits, number, seed)
        rows.append(
            {
                "edits": kind,
                "number": len(seconds),
                "median": round(median(seconds), 2),
                "nine_of_ten": round(quantiles(seconds, n=10)[-1], 2),
                "most": round(max(seconds), 2),
                "first_choice": round(median(first), 2),
            }
        )
    return [*rows, reported_in_its_file(number, seed)]


def reported_in_its_file(number: int, seed: int) -> dict[str, object]:
    """Seconds of CPU time from an edit with a mistake until the mistake is reported in its file.

    `first_choice` is the time for mistakes that are found when the file is read."""
    chance, seconds = random.Random(seed), list[float]()
    with tempfile.TemporaryDirectory() as folder, as_file(files("rulewright.games")) as games:
        shutil.copytree(games / GAME, Path(folder) / GAME)
        game = Path(folder) / GAME / f"{GAME}.game"
        texts = {
            path: path.read_text(encoding="utf-8") for path in sorted(game.parent.glob("*.game"))
        }
        open_games = Workspace()
        for path, text in texts.items():
            open_games.write(path, text)
        _check_game(open_games, game)
        read = list[float]()
        while len(seconds) < number:
            path = chance.choices([*texts], [*map(len, texts.values())])[0]
            edit = MISTAKES[len(seconds) % len(MISTAKES)](texts[path], chance)
            if edit is None:
                continue
            gc.collect()
            open_games.write(path, edit)
            begun = process_time()
            reported = next(_reports(open_games, game, path), None)
            took = process_time() - begun
            if reported is not None:
                seconds.append(took)
                read += [took] if reported == "read" else []
            open_games.write(path, texts[path])
            _check_game(open_games, game)
    return {
        "edits": "until a mistake is reported in its file",
        "number": len(seconds),
        "median": round(median(seconds), 2),
        "nine_of_ten": round(quantiles(seconds, n=10)[-1], 2),
        "most": round(max(seconds), 2),
        "first_choice": round(median(read), 2),
    }


def _reports(open_games: Workspace, game: Path, path: Path) -> Iterator[str]:
    """The step of a check that reports a mistake in a file."""
    project = open_games.project(game)
    assert project is not None
    if _is_reported(project, path):
        yield "read"
    for one in look(game, (), open_games.files.copy(), lambda: True, project.memory):
        if one is not None:
            project.settle(one)
            if _is_reported(project, path):
                yield "looked at"


def _is_reported(project: Project, path: Path) -> bool:
    return any(project.path_of(one.span.source) == path for one in project.problems())


def _check_game(open_games: Workspace, game: Path) -> None:
    project = open_games.project(game)
    assert project is not None
    for one in look(game, (), open_games.files.copy(), lambda: True, project.memory):
        if one is not None:
            project.settle(one)


def measure_edits(edits: Edits, number: int, seed: int) -> tuple[list[float], list[float]]:
    """Measures this many edits; each is taken back afterwards."""
    with tempfile.TemporaryDirectory() as folder, as_file(files("rulewright.games")) as games:
        shutil.copytree(games / GAME, Path(folder) / GAME)
        sitting = Sitting(Path(folder) / GAME / f"{GAME}.game")
        sitting.look()
        seconds, first = [], []
        for one in edits(sitting, number, random.Random(seed)):
            first.append(one[0])
            seconds.append(one[1])
        return seconds, first


Edits = Callable[[Sitting, int, random.Random], Iterator[tuple[float, float]]]


def in_rules(sitting: Sitting, number: int, chance: random.Random) -> Iterator[tuple[float, float]]:
    """Changes numbers, names and words of comments, repeats or removes steps; checks after each edit and after its
    undo."""
    for n in range(number):
        change = CHANGES[n % len(CHANGES)]
        edit = None
        while edit is None:
            path = _of_rules(sitting, chance)
            edit = change(_text(sitting, path), chance)
        sitting.files.given[path] = edit
        yield sitting.look()[:2]
        del sitting.files.given[path]
        yield sitting.look()[:2]


def in_tables(
    sitting: Sitting, number: int, chance: random.Random
) -> Iterator[tuple[float, float]]:
    """Changes a number in a cell, and then changes it back."""
    tables = sorted(sitting.game.parent.glob("*.csv"))
    for _ in range(number):
        path = chance.choice(tables)
        edit = _raise_cell(_text(sitting, path), chance)
        if edit is None:
            continue
        sitting.files.given[path] = edit
        yield sitting.look()[:2]
        del sitting.files.given[path]
        yield sitting.look()[:2]


def beside_an_error(
    sitting: Sitting, number: int, chance: random.Random
) -> Iterator[tuple[float, float]]:
    """As `in_rules`, while another place has a misspelt name, or a step leaves something unused."""
    for n in range(number // 3):
        mistakes: list[Path] = []
        while not mistakes:
            mistake = _of_rules(sitting, chance)
            right = _text(sitting, mistake)
            wrong = MISTAKES[n % len(MISTAKES)](right, chance)
            if wrong is not None:
                sitting.files.given[mistake] = wrong
                mistakes = [mistake] if sitting.look()[2] else []
        for m in range(3):
            edit = None
            while edit is None:
                path = _of_rules(sitting, chance)
                before = _text(sitting, path)
                edit = CHANGES[m % len(CHANGES)](before, chance)
            sitting.files.given[path] = edit
            yield sitting.look()[:2]
            sitting.files.given[path] = before
            yield sitting.look()[:2]
        sitting.files.given.clear()
        sitting.look()


def _of_rules(sitting: Sitting, chance: random.Random) -> Path:
    paths = sorted(sitting.game.parent.glob("*.game"))
    return chance.choices(paths, [path.stat().st_size for path in paths])[0]


def _text(sitting: Sitting, path: Path) -> str:
    return sitting.files.given.get(path) or path.read_text(encoding="utf-8")


Change = Callable[[str, random.Random], str | None]


def _random_match(
    pattern: re.Pattern[str], text: str, chance: random.Random
) -> re.Match[str] | None:
    found = [*pattern.finditer(text)]
    return chance.choice(found) if found else None


def _replace_match(text: str, one: re.Match[str], word: str) -> str:
    return text[: one.start()] + word + text[one.end() :]


def _raise_number(text: str, chance: random.Random) -> str | None:
    one = _random_match(NUMBER, text, chance)
    return one and _replace_match(text, one, str(int(one.group()) + 1))


def _swap_name(text: str, chance: random.Random) -> str | None:
    one, other = _random_match(NAME, text, chance), _random_match(NAME, text, chance)
    return _replace_match(text, one, other.group()) if one and other else None


def _misspell_name(text: str, chance: random.Random) -> str | None:
    one = _random_match(NAME, text, chance)
    return one and _replace_match(text, one, one.group() + "x")


def _double_step(text: str, chance: random.Random) -> str | None:
    one = _random_match(STEP, text, chance)
    return one and _replace_match(text, one, one.group() + "\n" + one.group())


def _delete_step(text: str, chance: random.Random) -> str | None:
    one = _random_match(STEP, text, chance)
    return one and text[: one.start()] + text[one.end() + 1 :]


def _lengthen_comment(text: str, chance: random.Random) -> str | None:
    one = _random_match(SAID, text, chance)
    return one and _replace_match(text, one, one.group() + "s")


def _add_unused_name(text: str, chance: random.Random) -> str | None:
    one = _random_match(STEP, text, chance)
    if one is None:
        return None
    indent = one.group()[: len(one.group()) - len(one.group().lstrip())]
    return _replace_match(text, one, f"{indent}let nowhere_used = 1\n{one.group()}")


def _raise_cell(text: str, chance: random.Random) -> str | None:
    lines = text.split("\n")
    heads = next(n for n, line in enumerate(lines) if "," in line and not line.startswith("#"))
    below = "\n".join(lines[heads + 1 :])
    one = _random_match(re.compile(r"(?<![^,\n])[0-9]+(?![^,\n])"), below, chance)
    if one is None:
        return None
    return "\n".join([*lines[: heads + 1], _replace_match(below, one, str(int(one.group()) + 1))])


CHANGES: tuple[Change, ...] = (
    _raise_number,
    _double_step,
    _delete_step,
    _swap_name,
    _raise_number,
    _lengthen_comment,
)
MISTAKES: tuple[Change, ...] = (_misspell_name, _add_unused_name, _delete_step)
KINDS: dict[str, Edits] = {
    "in rules": in_rules,
    "in a cell of a table": in_tables,
    "beside an error": beside_an_error,
}
