"""Read the look of a game from the files beside it: `GAME.css`, `GAME.places.csv`, `GAME.art/`. All are
optional.

These files are found by the name of the game, and are not part of its rules. Names in the files are checked
against the game.
"""

from __future__ import annotations

import base64
import csv
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

import attrs

from rulewright.dsl.diagnostics.suggest import near_names
from rulewright.interpreter.matches.game import Game
from rulewright.interpreter.questions.rulebook import passages
from rulewright.interpreter.views.compiled_game import CompiledGame
from rulewright.interpreter.views.scene_faces import faces_of
from rulewright.pictures.confine import Problem, restrict_to_game
from rulewright.pictures.looks import Looks

ART = {
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".webp": "image/webp",
    ".jpg": "image/jpeg",
}
_LARGEST = 2_000_000  # the maximum size of a file, in bytes
_FAR = 100_000.0


@attrs.frozen(eq=False)
class Beside:
    """The look of a game: its stylesheet, its art files keyed by address, and the problems in these files."""

    looks: Looks
    css: str = ""
    files: Mapping[str, Path] = attrs.field(factory=dict)
    problems: tuple[Problem, ...] = ()
    watched: tuple[Path, ...] = ()


def beside(game: Game, name: str, address: Callable[[Path], str] | None = None) -> Beside:
    """Return the look of a game from the files beside it; `name` is the name of the game's area on the
    page.

    `address` returns the address of an art file. Without `address`, art is included in the page, as a
    `data:` address.
    """
    said = _clause_reader(game)
    path = Path(game.facts.path) if game.facts.path is not None else None
    if path is None:
        return Beside(Looks(said=said))
    style, table, art = (path.with_name(path.stem + end) for end in (".css", ".places.csv", ".art"))
    watched = (style, table, art, path)
    if not any(
        one.exists() for one in (style, table, art)
    ):  # without these files no names need to be known
        return Beside(Looks(said=said), watched=watched)
    known = _Known.of(game)
    problems: list[Problem] = []
    css = ""
    if (text := _text(style, problems)) is not None:
        css, found = restrict_to_game(text, name, known.names, style.name)
        problems += found
    places = {}
    if (text := _text(table, problems)) is not None:
        places = dict(_places(text, table.name, known, problems))
    pictures, files = _art(art, known, problems, address or _inside)
    return Beside(Looks(places, pictures, said), css, files, tuple(problems), watched)


def _text(path: Path, problems: list[Problem]) -> str | None:
    if not path.is_file():
        return None
    if path.stat().st_size > _LARGEST:
        problems.append(Problem(path.name, 1, f"larger than {_LARGEST:,} bytes"))
        return None
    try:
        return path.read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as failure:
        problems.append(Problem(path.name, 1, f"cannot be read as UTF-8: {failure}"))
        return None


# ---- names of the game ----


@attrs.frozen
class _Known:
    """The names of a game, keyed by the HTML attribute that contains them; for spaces and pieces, the rows
    of each kind.
    """

    names: Mapping[str, frozenset[str]]
    spaces: Mapping[str, frozenset[str]]
    pieces: Mapping[str, frozenset[str]]

    @classmethod
    def of(cls, game: Game) -> _Known:
        """Return the names of a game, for its usual number of players and for the largest."""
        variants = {game.variant(None)}
        if game.position is None:
            variants.add(game.variant(game.facts.high))
        found: dict[str, set[str]] = {}
        spaces: dict[str, set[str]] = {}
        pieces: dict[str, set[str]] = {}
        for variant in variants:
            program = game.compiled(variant).program
            for attribute, values in _names(game.compiled(variant)):
                found.setdefault(attribute, set()).update(values)
            for kind in program.spaces:
                spaces.setdefault(kind.name, set()).update(kind.rows)
            for piece in program.pieces:
                pieces.setdefault(piece.name, set()).update(piece.rows)
        return cls(_freeze(found), _freeze(spaces), _freeze(pieces))


def _freeze(found: Mapping[str, Iterable[str]]) -> dict[str, frozenset[str]]:
    return {key: frozenset(values) for key, values in found.items()}


def _names(compiled: CompiledGame) -> Iterator[tuple[str, Iterable[str]]]:
    program, faces = compiled.program, faces_of(compiled)
    rows = [face for face, _ in faces.every_piece()]
    rows += [
        faces.of_space(number)
        for kind in program.spaces
        if not kind.growing
        for number in range(kind.first, kind.first + kind.count)
    ]
    columns = [column for face in rows for column in face.columns]
    yield (
        "data-zone",
        [*(one.name for one in program.places), *(one.name for one in program.tokens)],
    )
    yield "data-piece", [kind.name for kind in program.pieces]
    yield "data-space", [kind.name for kind in program.spaces]
    yield "data-row", [face.row for face in rows]
    yield "data-column", [*(one.name for one in columns), *(kept.name for kept in program.kept)]
    values = [name for domain in program.domains for name in domain.names]
    yield "data-value", [*(one.value for one in columns), *values]
    yield "data-player", [str(seat + 1) for seat in range(program.seats)]
    yield "data-index", values
    yield "data-slot", [str(slot + 1) for place in program.places for slot in range(place.slots)]
    yield "data-sort", ["number", "flag", "name", "list", "space", "piece", "player"]
    yield "data-sheet", [str(number) for number in range(len(program.boards))]


# ---- places ----


def _places(
    text: str, file: str, known: _Known, problems: list[Problem]
) -> Iterator[tuple[str, dict[str, tuple[float, float]]]]:
    reader = csv.DictReader(text.splitlines())
    missing = [name for name in ("row", "x", "y") if name not in (reader.fieldnames or ())]
    if missing:
        problems.append(
            Problem(file, 1, f"the columns `row`, `x` and `y` are needed; no {missing[0]}")
        )
        return
    found: dict[str, dict[str, tuple[float, float]]] = {}
    for line in reader:
        at = reader.line_num
        row, kind = line["row"] or "", line.get("space") or ""
        kinds = [each for each, rows in known.spaces.items() if row in rows and kind in ("", each)]
        if len(kinds) != 1:
            problems.append(Problem(file, at, _which(row, kind, kinds, known.spaces, "space")))
            continue
        try:
            x, y = float(line["x"] or ""), float(line["y"] or "")
        except ValueError:
            problems.append(
                Problem(file, at, f"`{line['x']}` and `{line['y']}` are not two numbers")
            )
            continue
        if not (abs(x) < _FAR and abs(y) < _FAR):
            problems.append(Problem(file, at, f"a place is less than {_FAR:,.0f} away from 0"))
            continue
        found.setdefault(kinds[0], {})[row] = (x, y)
    yield from found.items()


def _which(
    row: str, kind: str, kinds: Sequence[str], known: Mapping[str, frozenset[str]], what: str
) -> str:
    if len(kinds) > 1:
        return f"`{row}` is a row of {' and '.join(kinds)}: say which"
    if kind and kind not in known:
        near = near_names(kind, list(known))
        return f"there is no kind of {what} `{kind}`" + (
            f"; did you mean `{near[0]}`?" if near else ""
        )
    rows = known.get(kind) or {name for rows in known.values() for name in rows}
    near = near_names(row, list(rows))
    return f"there is no {what} `{row}`" + (f"; did you mean `{near[0]}`?" if near else "")


# ---- art ----


def _art(
    folder: Path, known: _Known, problems: list[Problem], address: Callable[[Path], str]
) -> tuple[dict[tuple[str, str], str], dict[str, Path]]:
    art: dict[tuple[str, str], str] = {}
    files: dict[str, Path] = {}
    rows = {**known.pieces, **known.spaces}
    root = folder.resolve()
    for path in sorted((*folder.glob("*"), *folder.glob("*/*"))):
        if path.is_dir() or path.suffix.casefold() not in ART:
            continue
        kind = "" if path.parent == folder else path.parent.name
        file = path.relative_to(folder.parent).as_posix()
        if not path.resolve().is_relative_to(root):
            problems.append(Problem(file, 1, "a picture must be directly in the folder"))
            continue
        if path.stat().st_size > _LARGEST:
            problems.append(Problem(file, 1, f"larger than {_LARGEST:,} bytes"))
            continue
        kinds = [each for each, names in rows.items() if path.stem in names and kind in ("", each)]
        if not kinds or (not kind and len(kinds) > 1):
            problems.append(Problem(file, 1, _which(path.stem, kind, kinds, rows, "row")))
            continue
        art[kind, path.stem] = address(path)
        files[file] = path
    return art, files


def _inside(path: Path) -> str:
    """Return a file as a data URL."""
    data = base64.b64encode(path.read_bytes()).decode("ascii")
    return f"data:{ART[path.suffix.casefold()]};base64,{data}"


# ---- words ----


def _clause_reader(game: Game) -> Callable[[Sequence[str]], str]:
    """Return a function that returns the text of rulebook clauses; the rulebook is read at the first
    request.
    """

    @cache
    def words() -> dict[str, str]:
        if not game.has_rulebook:
            return {}
        found = {}
        for one in passages(game.rules_text(), markdown=True):
            first, _, rest = one.text.partition(" ")
            if one.indent:
                found[first] = rest
        return found

    def clause_text(clauses: Sequence[str]) -> str:
        return " ".join(words()[each] for each in clauses if each in words()) if clauses else ""

    return clause_text
