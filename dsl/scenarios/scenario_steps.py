"""Expands short steps of scenarios: pictures of boards, and any copy of a row by its name."""

from __future__ import annotations

from typing import cast

from attrs import evolve

from rulewright.dsl.diagnostics.diagnostics import Problems
from rulewright.dsl.diagnostics.source import Span
from rulewright.dsl.diagnostics.suggest import did_you_mean
from rulewright.dsl.model import types
from rulewright.dsl.model.model import Model
from rulewright.dsl.scenarios import scenario_syntax
from rulewright.dsl.tree import syntax
from rulewright.dsl.tree.nesting import rewritten

CELL = "cell"
EMPTY = "."
"""The character of a cell that does not change, unless a line gives this character a meaning."""


def expanded(
    model: Model, picture: scenario_syntax.Picture, problems: Problems
) -> scenario_syntax.Given | syntax.Broken:
    """The steps of a picture: for each line of meanings, on each cell with its character, the top row first."""
    kind = model.spaces.get(picture.space.name)
    if kind is None or not kind.places or kind.shape == "growing":
        grids = [name for name, each in model.spaces.items() if each.places]
        problems.error(
            "wrong-type",
            f"`{picture.space.name}` is no grid of which a picture can be made",
            picture.space.span,
            help=did_you_mean(picture.space.name, grids),
        )
        return syntax.Broken(picture.span)
    rows: dict[int, list[tuple[int, int]]] = {}
    for x, y in sorted(kind.places):
        rows.setdefault(y, []).append((x, y))
    lines = [rows[y] for y in sorted(rows, reverse=not kind.down)]
    if len(lines) != len(picture.rows):
        problems.error(
            "wrong-type",
            f"this picture has {_count(len(picture.rows), 'row')}, `{kind.name}` has {len(lines)}",
            picture.span,
            help=f"write a line for each row of `{kind.name}`, from the top to the bottom",
        )
        return syntax.Broken(picture.span)
    cells: dict[str, list[syntax.Expression]] = {}
    where: dict[str, Span] = {}
    for line, signs in zip(lines, picture.rows, strict=True):
        if len(line) != len(signs):
            problems.error(
                "wrong-type",
                f"this row has {_count(len(signs), 'sign')}, {_count(len(line), 'cell')} lie there",
                signs[0][1].join(signs[-1][1]),
                help="write a sign for each cell that exists, from the left to the right",
            )
            return syntax.Broken(picture.span)
        for (x, y), (sign, span) in zip(line, signs, strict=True):
            place = (syntax.Number(span, x), syntax.Number(span, y))
            cells.setdefault(sign, []).append(syntax.Lookup(picture.space.span, kind.name, place))
            where.setdefault(sign, span)
    meant = {each.sign for each in picture.means}
    for sign, span in where.items():
        if sign not in meant and sign != EMPTY:
            problems.error(
                "unknown-name",
                f"it is not said what `{sign}` means in this picture",
                span,
                help=f"write `{sign} means STEP` below the rows; `{CELL}` is the cell where it stands",
            )
            return syntax.Broken(picture.span)
    for each in picture.means:
        if each.sign not in where:
            problems.error(
                "unused-name",
                f"`{each.sign}` stands nowhere in this picture",
                each.span,
                help="take this line away, or put the sign into the picture",
            )
            return syntax.Broken(picture.span)
    body = tuple(_steps(each, cells[each.sign]) for each in picture.means)
    return scenario_syntax.Given(picture.span, body)


def _steps(means: scenario_syntax.Means, cells: list[syntax.Expression]) -> syntax.Statement:
    listed = syntax.ListOf(means.span, tuple(cells))
    binder = syntax.Binder(means.span, CELL, means.span, None, listed)
    return syntax.ForEach(means.span, (), binder, None, False, means.body)


def _count(number: int, word: str) -> str:
    return f"{number} {word}" if number == 1 else f"{number} {word}s"


COPY = "any_copy"


Placed = dict[str, tuple[syntax.Expression, ...]]
"""The places where earlier lines of a scenario have put pieces, by the name of the piece."""


def with_any_copies(
    model: Model, given: scenario_syntax.Given, placed: Placed
) -> scenario_syntax.Given:
    """`move wolf to den` with several wolves: the first one that is not there yet.

    A wolf where an earlier line has put one is taken only if there is no other."""

    def change(part: object) -> object | None:
        match part:
            case syntax.Move(amount=syntax.Word(name=name) as word, source=None) if sorts := [
                type.names[0]
                for type, ids in model.row_names.get(name, ())
                if isinstance(type, types.Piece) and len(ids) > 1
            ]:
                copy, sort = syntax.Word(word.span, COPY), syntax.TypeWord(word.span, sorts[0])
                binder = syntax.Binder(word.span, COPY, word.span, sort, word)
                elsewhere = syntax.Binary(word.span, "not in", copy, part.target)
                keys = tuple(
                    syntax.Key(word.span, _one_if_in(copy, place), lowest=True)
                    for place in placed.get(name, ())
                )
                found = syntax.Query(word.span, "first", (binder,), elsewhere, keys, bool(keys))
                return evolve(part, amount=found)
            case _:
                return None

    body: list[syntax.Statement] = []
    for step in given.body:
        body += cast("syntax.Block", rewritten((step,), change))
        placed = with_placed(placed, (step,))
    return evolve(given, body=tuple(body))


def with_placed(placed: Placed, steps: syntax.Block) -> Placed:
    """The targets of moved names after some steps; names in blocks mean nothing after them."""
    moves = [s for s in steps if isinstance(s, syntax.Move) and isinstance(s.amount, syntax.Word)]
    found = dict(placed)
    for step in moves:
        assert isinstance(step.amount, syntax.Word)
        found[step.amount.name] = (*found.get(step.amount.name, ()), step.target)
    return found


def _one_if_in(copy: syntax.Word, place: syntax.Expression) -> syntax.Expression:
    """`if any_copy in PLACE then 1 else 0`"""
    span = copy.span
    lies_there = syntax.Binary(span, "in", copy, place)
    return syntax.IfElse(span, lies_there, syntax.Number(span, 1), syntax.Number(span, 0))
