"""Expand short steps of scenarios: pictures of boards, and row names that mean any copy."""

from __future__ import annotations

from typing import cast

from attrs import evolve

from rulewright.dsl.diagnostics.diagnostics import Problems
from rulewright.dsl.diagnostics.source import Span
from rulewright.dsl.diagnostics.suggest import did_you_mean
from rulewright.dsl.model import types
from rulewright.dsl.model.model import Model, ThingKind
from rulewright.dsl.scenarios.scenario_signs import steps_of_sign
from rulewright.dsl.tree import scenario_syntax, syntax
from rulewright.dsl.tree.nesting import rewrite

CELL = "cell"
EMPTY = "."
"""The character of a cell that does not change. A line may give the character another meaning."""


_Placed = list[list[tuple[tuple[int, int], str, Span]]]
"""The rows of a picture from the top. Each cell is given by its place, its sign, and the place of
the sign in the text.
"""


def expand_picture(
    model: Model, picture: scenario_syntax.Picture, problems: Problems
) -> scenario_syntax.Given | scenario_syntax.ExpectPicture | syntax.Broken:
    """Return the steps of a picture. Each line of meanings yields steps for all cells with its
    character, the top row first.

    A character without such a line may be a sign of the game. An expected picture is compared with
    the drawing.
    """
    kind = _grid(model, picture, problems)
    rows = None if kind is None else _place_signs(picture, kind, problems)
    if kind is None or rows is None:
        return syntax.Broken(picture.span)
    if picture.is_expected:
        return _expected_picture(picture, kind, rows, problems)
    cells: dict[str, list[syntax.Expression]] = {}
    where: dict[str, Span] = {}
    for row in rows:
        for (x, y), sign, span in row:
            place = (syntax.Number(span, x), syntax.Number(span, y))
            cells.setdefault(sign, []).append(syntax.Lookup(picture.space.span, kind.name, place))
            where.setdefault(sign, span)
    meant = {each.sign for each in picture.means}
    of_signs: list[syntax.Statement] = []
    for sign, span in where.items():
        if sign in meant or sign == EMPTY:
            continue
        steps = steps_of_sign(model, kind, sign, span, cells[sign])
        if steps is None:
            problems.error(
                "unknown-name",
                f"`{sign}` has no meaning in this picture",
                span,
                help=f"write `{sign} means STEP` below the rows; `{CELL}` is the cell of the sign",
            )
            return syntax.Broken(picture.span)
        of_signs.append(_for_each_cell(span, cells[sign], steps))
    for each in picture.means:
        if each.sign not in where:
            problems.error(
                "unused-name",
                f"`{each.sign}` does not appear in this picture",
                each.span,
                help="remove this line, or put the sign into the picture",
            )
            return syntax.Broken(picture.span)
    body = [_for_each_cell(each.span, cells[each.sign], each.body) for each in picture.means]
    return scenario_syntax.Given(picture.span, (*body, *of_signs))


def _grid(model: Model, picture: scenario_syntax.Picture, problems: Problems) -> ThingKind | None:
    kind = model.spaces.get(picture.space.name)
    if kind is not None and kind.places and kind.shape != "growing":
        return kind
    grids = [name for name, each in model.spaces.items() if each.places]
    problems.error(
        "wrong-type",
        f"`{picture.space.name}` is not a grid that a picture can show",
        picture.space.span,
        help=did_you_mean(picture.space.name, grids),
    )
    return None


def _place_signs(
    picture: scenario_syntax.Picture, kind: ThingKind, problems: Problems
) -> _Placed | None:
    """Return the signs of a picture with their cells, or None if there is not exactly one sign for each
    cell.
    """
    rows: dict[int, list[tuple[int, int]]] = {}
    for x, y in sorted(kind.places):
        rows.setdefault(y, []).append((x, y))
    lines = [rows[y] for y in sorted(rows, reverse=not kind.down)]
    if len(lines) != len(picture.rows):
        problems.error(
            "wrong-type",
            f"this picture has {_count(len(picture.rows), 'row')}, but `{kind.name}` has {len(lines)}",
            picture.span,
            help=f"write a line for each row of `{kind.name}`, from top to bottom",
        )
        return None
    found: _Placed = []
    for line, signs in zip(lines, picture.rows, strict=True):
        if len(line) != len(signs):
            problems.error(
                "wrong-type",
                f"this row has {_count(len(signs), 'sign')} for {_count(len(line), 'cell')}",
                signs[0][1].join(signs[-1][1]),
                help="write a sign for each cell that exists, from left to right",
            )
            return None
        found.append([(at, *sign) for at, sign in zip(line, signs, strict=True)])
    return found


def _expected_picture(
    picture: scenario_syntax.Picture, kind: ThingKind, rows: _Placed, problems: Problems
) -> scenario_syntax.ExpectPicture | syntax.Broken:
    if picture.means:
        problems.error(
            "unexpected-word",
            "the signs of an expected picture have no meaning",
            picture.means[0].span,
            help="remove this line",
        )
        return syntax.Broken(picture.span)
    number = {place: kind.first + at for at, place in enumerate(kind.places)}
    cells = tuple(tuple((number[at], sign) for at, sign, _ in row) for row in rows)
    return scenario_syntax.ExpectPicture(picture.span, kind.name, cells)


def _for_each_cell(
    span: Span, cells: list[syntax.Expression], body: syntax.Block
) -> syntax.Statement:
    listed = syntax.ListOf(span, tuple(cells))
    binder = syntax.Binder(span, CELL, span, None, listed)
    return syntax.ForEach(span, (), binder, None, False, body)


def _count(number: int, word: str) -> str:
    return f"{number} {word}" if number == 1 else f"{number} {word}s"


COPY = "any_copy"


Placed = dict[str, tuple[syntax.Expression, ...]]
"""For each name of a piece, the places to which earlier lines of a scenario have moved pieces with
this name.
"""


def with_any_copies(
    model: Model, given: scenario_syntax.Given, placed: Placed
) -> scenario_syntax.Given:
    """Expand `move wolf to den` if there are several wolves: the first wolf that is not yet in the den moves.

    A wolf that an earlier line has put in a place moves only if there is no other wolf.
    """

    def change(part: object) -> object | None:
        match part:
            case syntax.Move(amount=syntax.Word(name=name) as word, source=None) if kind_names := [
                type.names[0]
                for type, ids in model.row_names.get(name, ())
                if isinstance(type, types.Piece) and len(ids) > 1
            ]:
                copy, type_word = (
                    syntax.Word(word.span, COPY),
                    syntax.TypeWord(word.span, kind_names[0]),
                )
                binder = syntax.Binder(word.span, COPY, word.span, type_word, word)
                elsewhere = syntax.Binary(word.span, "not in", copy, part.target)
                there = [
                    syntax.Binary(word.span, "in", copy, place) for place in placed.get(name, ())
                ]
                no, yes = (syntax.Number(word.span, n) for n in (0, 1))
                ones = [syntax.IfElse(word.span, one, yes, no) for one in there]
                keys = tuple(syntax.Key(word.span, one, lowest=True) for one in ones)
                found = syntax.Query(word.span, "first", (binder,), elsewhere, keys, bool(keys))
                return evolve(part, amount=found)
            case _:
                return None

    body: list[syntax.Statement] = []
    for step in given.body:
        body += cast("syntax.Block", rewrite((step,), change))
        placed = with_placed(placed, (step,))
    return evolve(given, body=tuple(body))


def with_placed(placed: Placed, steps: syntax.Block) -> Placed:
    """Add the targets of the moves in `steps` to `placed`. Moves inside blocks are ignored, because
    their names may be local names of the blocks.
    """
    moves = [s for s in steps if isinstance(s, syntax.Move) and isinstance(s.amount, syntax.Word)]
    found = dict(placed)
    for step in moves:
        assert isinstance(step.amount, syntax.Word)
        found[step.amount.name] = (*found.get(step.amount.name, ()), step.target)
    return found
