"""Draw spaces that are neither a grid nor linked, as HTML: a box for each, with the things and spaces in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rulewright.interpreter.views.scene import Board, Space
from rulewright.pictures.areas import fold, zone
from rulewright.pictures.cards import counter, tokens
from rulewright.pictures.markup import Markup, inner, tag
from rulewright.pictures.pen import Pen
from rulewright.pictures.svg.cells import describe_space
from rulewright.pictures.words import say

_MANY = 6  # if there are more empty boxes, they are folded


def spaces(pen: Pen, board: Board, inside: Mapping[int, Sequence[Space]], owner: str) -> Markup:
    """Draw all spaces of a kind, one box after another; if many boxes are empty, these are folded.

    `owner` is the beginning of the ids of folds.
    """
    boxes = {each.id: box(pen, each, inside) for each in board.spaces}
    silent = [each.id for each in board.spaces if not _says(each, inside)]
    if len(silent) <= _MANY:
        silent = silent if len(silent) == len(boxes) else []
    shown = [html for id, html in boxes.items() if id not in silent]
    rest = tag("div", *(boxes[id] for id in silent), class_="rw-spaces")
    if not shown:
        return fold(owner, board.title or board.kind, rest)
    return inner(
        tag("div", *shown, class_="rw-spaces"),
        fold(owner, say("picture-bare", count=len(silent)), rest) if silent else None,
    )


def _says(space: Space, inside: Mapping[int, Sequence[Space]]) -> bool:
    """Return whether a space has things on it or inside it, or can be chosen."""
    return bool(
        space.options
        or any(zone.count for zone in space.on.zones)
        or any(each.total for each in space.on.tokens)
        or any(not each.is_silent for each in space.on.counters)
        or any(_says(each, inside) for each in inside.get(space.id, ()))
    )


def box(pen: Pen, space: Space, inside: Mapping[int, Sequence[Space]]) -> Markup:
    """Draw a space with its name, its columns, the things on it and the spaces inside it."""
    within = _within(space, inside)
    if any(each.is_touched for each in within):
        return _box(pen, space, inside)
    standing = tuple(pen.standing_on(each) for each in (space, *within))
    return pen.draw(("box", standing), space, lambda: _box(pen, space, inside), *within)


def _within(space: Space, inside: Mapping[int, Sequence[Space]]) -> list[Space]:
    """Return the spaces inside a space, recursively."""
    found = []
    for each in inside.get(space.id, ()):
        found += [each, *_within(each, inside)]
    return found


def _box(pen: Pen, space: Space, inside: Mapping[int, Sequence[Space]]) -> Markup:
    classes = "rw-space"
    classes += " rw-changed" if space.is_changed else ""
    classes += " rw-marked" if space.is_marked else ""
    name = pen.choosable(
        space.options,
        tag("b", space.face.title),
        class_="rw-title",
        aria_label=describe_space(pen, space),
    )
    columns = [
        tag(
            "span",
            tag("span", f"{column.title} ", class_="rw-name"),
            tag("span", column.text, class_="rw-value") if column.sort != "flag" else None,
            class_="rw-column",
            data_column=column.name,
            data_value=column.value,
        )
        for column in space.face.columns
        if not column.is_silent and column.sort != "space"
    ]
    return tag(
        "div",
        name,
        tag("span", *columns, class_="rw-columns") if columns else None,
        *(tokens(pen, each) for each in space.on.tokens if each.total),
        *(counter(pen, each) for each in space.on.counters if not each.is_silent),
        *(zone(pen, each, f"space-{space.id}") for each in space.on.zones if each.count),
        tag("div", *(box(pen, each, inside) for each in inside[space.id]), class_="rw-within")
        if inside.get(space.id)
        else None,
        class_=classes,
        data_space=space.face.kind,
        data_row=space.face.row,
    )
