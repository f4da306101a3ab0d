"""A view as plain text for a terminal: grids as grids, everything else as short lists.

Refuses to look at states: it knows what the view tells, and the texts of cells that the rules of
the game ask for.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from textwrap import wrap

import attrs

from rulewright.dsl.ir import SpaceKind
from rulewright.interpreter.views import Piece, Place, SeenTokens, SeenZone, View

WIDTH = 80
_NARROWEST = 24  # of a column for one player
_EMPTY = "."
_MANY = 24  # things of a kind: of more, only what is not empty is shown


@attrs.frozen
class Grid:
    """A grid to be drawn: the text of each space that is not empty, by its id.

    Where players are told the names of cells, as `b3`, the columns are `lettered` like these.
    """

    kind: SpaceKind
    texts: Mapping[int, str]
    hexagonal: bool = False
    lettered: bool = False


def draw(
    view: View,
    players: Sequence[str],
    grids: Sequence[Grid],
    acting: int | None = None,
    width: int = WIDTH,
) -> str:
    """The position as `view` tells it, in lines of at most `width` characters."""
    drawn = [grid for grid in grids if grid.kind.places]
    blocks = [draw_grid(grid, width) for grid in drawn]
    on_grids = {grid.kind.name for grid in drawn}
    blocks.append(_lines(view, "", None, width))
    kinds = dict.fromkeys(
        place.owner for place in _places(view) if place.owner not in ("", "player", *on_grids)
    )
    blocks.extend(_things(view, kind, width) for kind in kinds)
    blocks.append(_players(view, players, acting, width))
    return "\n\n".join("\n".join(block) for block in blocks if block)


def grid_texts(view: View, kind: SpaceKind, players: Sequence[str]) -> dict[int, str]:
    """Signs of what lies in the cells of a grid, for rules that do not say how to show it."""
    marks = player_marks(players)
    found: dict[int, str] = {}

    def add(space: int, text: str) -> None:
        found[space] = found.get(space, "") + text

    for zone in view.zones:
        if zone.place.owner == kind.name:
            add(zone.place.owner_id, _zone_sign(zone))
    for tokens in view.tokens:
        if tokens.place.owner == kind.name:
            add(tokens.place.owner_id, _token_sign(tokens, marks))
    for value in view.values:
        if value.place.owner == kind.name and isinstance(value.value, str):
            add(value.place.owner_id, marks.get(value.text, value.text[:1]))
    return found


def player_marks(players: Sequence[str]) -> dict[str, str]:
    """A sign for each player: the first letter where these differ, else the number of the seat."""
    letters = [name[:1].upper() for name in players]
    if len(set(letters)) == len(players) and all(letter.isalpha() for letter in letters):
        return dict(zip(players, letters, strict=True))
    return {name: str(seat + 1) for seat, name in enumerate(players)}


def draw_grid(grid: Grid, width: int = WIDTH) -> list[str]:
    """A grid with its coordinates at the left and below; of a growing one the part in use."""
    places = _window(grid)
    if not places:
        return [f"{grid.kind.name}: empty"]
    columns = sorted({x for x, _ in places.values()})
    if grid.kind.growing and len(columns) * (_longest(grid) + 1) > width - 4:
        places = _window(grid, border=0)
        columns = sorted({x for x, _ in places.values()})
    rows = sorted({y for _, y in places.values()}, reverse=True)
    at = {place: grid.texts.get(space, _EMPTY) for space, place in places.items()}
    side = max(len(str(y)) for y in rows)
    names = [_column_name(grid.kind, x) if grid.lettered else str(x) for x in columns]
    room = max(1, (width - side - 2) // len(columns) - 1)
    cell = min(room, max(len(text) for text in (*at.values(), *names)))
    step = max(1, (cell + 2) // 2) if grid.hexagonal else 0
    lines = []
    for y in rows:
        texts = (at.get((x, y), "")[:cell].ljust(cell) for x in columns)
        shift = " " * (step * ((y + 1) % 2))  # as the language has it: even rows to the right
        lines.append(f"{y:>{side}}  {shift}{' '.join(texts)}".rstrip())
    below = " ".join(name[-cell:].ljust(cell) for name in names)
    lines.append(f"{'':>{side}}  {below}".rstrip())
    return lines


def _column_name(kind: SpaceKind, x: int) -> str:
    """A letter where the cells are called `a1`, `b1` and so on, else the number."""
    letter = chr(ord("a") + x - 1)
    lettered = "a" <= letter <= "z" and all(
        row == f"{chr(ord('a') + column - 1)}{line}"
        for row, (column, line) in zip(kind.rows, kind.places, strict=True)
        if column == x
    )
    return letter if lettered else str(x)


def _longest(grid: Grid) -> int:
    return max(map(len, grid.texts.values()), default=1)


def _window(grid: Grid, border: int = 1) -> dict[int, tuple[int, int]]:
    first = grid.kind.first
    places = {first + number: place for number, place in enumerate(grid.kind.places)}
    if not grid.kind.growing:
        return places
    used = [places[space] for space in grid.texts if space in places]
    if not used:
        return {}
    left, right = min(x for x, _ in used) - border, max(x for x, _ in used) + border
    low, high = min(y for _, y in used) - border, max(y for _, y in used) + border
    return {
        space: (x, y) for space, (x, y) in places.items() if left <= x <= right and low <= y <= high
    }


def _zone_sign(zone: SeenZone) -> str:
    if zone.count is None or zone.count > len(zone.pieces) or not zone.pieces:
        return "?" if zone.count != 0 else ""
    if zone.shape == "set":
        return "".join(_initial(piece) for piece in zone.pieces)
    height = str(zone.count) if zone.count > 1 else ""
    return _initial(zone.pieces[-1]) + height


def _initial(piece: Piece) -> str:
    return piece.text[:1] or "?"


def _token_sign(tokens: SeenTokens, marks: Mapping[str, str]) -> str:
    if tokens.counts is None:
        return "?"
    return "".join(
        marks.get(whose, tokens.token[:1]) + (str(count) if count > 1 else "")
        for whose, count in tokens.counts
        if count
    )


def _places(view: View) -> Iterator[Place]:
    yield from (zone.place for zone in view.zones)
    yield from (tokens.place for tokens in view.tokens)
    yield from (value.place for value in view.values)


def _lines(
    view: View, owner: str, owner_id: int | None, width: int, short: bool = False
) -> list[str]:
    """What lies with one owner (with the table when `owner` is ""), one line each.

    With `short`, what is empty is left out.
    """

    def theirs(place: Place) -> bool:
        return place.owner == owner and owner_id in (None, place.owner_id)

    texts = [
        f"{zone.place.title}: {zone_text(zone)}"
        for zone in view.zones
        if theirs(zone.place) and not (short and zone.count == 0)
    ]
    texts += [
        f"{tokens.place.title}: {token_text(tokens)}"
        for tokens in view.tokens
        if theirs(tokens.place) and not (short and _is_empty(tokens))
    ]
    texts += [f"{value.place.title}: {value.text}" for value in view.values if theirs(value.place)]
    return [line for text in texts for line in wrap(text, width, subsequent_indent="    ")]


def _is_empty(tokens: SeenTokens) -> bool:
    return tokens.counts is not None and not any(count for _, count in tokens.counts)


def _things(view: View, kind: str, width: int) -> list[str]:
    """What lies on spaces or pieces of one kind: short texts in columns, longer ones in lines."""
    owners = {place.owner_id: place.of_text for place in _places(view) if place.owner == kind}
    entries = [
        (name, "; ".join(_lines(view, kind, owner_id, 10_000, len(owners) > _MANY)))
        for owner_id, name in sorted(owners.items())
    ]
    entries = [(name, text) for name, text in entries if text]
    if not entries:
        return []
    side = max(len(name) for name, _ in entries)
    texts = [f"{name:<{side}}  {text}" for name, text in entries]
    longest = max(map(len, texts))
    columns = (width + 3) // (longest + 3)
    if columns < 2:
        indent = " " * (side + 2)
        return [line for text in texts for line in wrap(text, width, subsequent_indent=indent)]
    rows = -(-len(texts) // columns)
    return [
        "   ".join(text.ljust(longest) for text in texts[row::rows]).rstrip() for row in range(rows)
    ]


def _players(view: View, players: Sequence[str], acting: int | None, width: int) -> list[str]:
    """The players side by side where there is room, else below one another."""
    side_by_side = width // len(players) >= _NARROWEST
    room = width // len(players) - 2 if side_by_side else width - 2
    blocks = []
    for seat, name in enumerate(players):
        sign = "* " if seat == acting else "  "
        out = "" if view.in_play[seat] else " (out)"
        you = " (you)" if seat == view.viewer else ""
        inside = [f"  {line}" for line in _lines(view, "player", seat, room - 2)]
        blocks.append([f"{sign}{name}{you}{out}", *inside])
    if not side_by_side:
        return [line for block in blocks for line in block]
    return [
        "  ".join((line or "").ljust(room) for line in lines).rstrip()
        for lines in zip_longest(*blocks)
    ]


def describe(view: View, word: str, width: int = WIDTH) -> list[str]:
    """All that is known of a thing, a player or a zone by its name."""
    texts = []
    for place, text in (
        *((zone.place, zone_text(zone)) for zone in view.zones),
        *((tokens.place, token_text(tokens)) for tokens in view.tokens),
        *((value.place, value.text) for value in view.values),
    ):
        if word in (place.of, place.of_text, place.name, place.label, place.title):
            of = f"{place.of_text}: " if place.of else ""
            texts.append(f"{of}{place.title}: {text}")
    return [line for text in texts for line in wrap(text, width, subsequent_indent="    ")]


def zone_text(zone: SeenZone) -> str:
    """The pieces of a zone as far as they are known, else how many there are."""
    if zone.count == 0:
        return "empty"
    if not zone.pieces:
        return "hidden" if zone.count is None else str(zone.count)
    unknown = (zone.count or 0) - len(zone.pieces)
    named = [_piece_text(piece) for piece in zone.pieces]
    if zone.shape == "row":
        named = _row_texts(zone)
    if zone.count is None:
        return f"hidden, with {', '.join(named)}"
    return ", ".join(named) + (f" and {unknown} more" if unknown > 0 else "")


def _row_texts(zone: SeenZone) -> list[str]:
    by_slot = {piece.slot: _piece_text(piece) for piece in zone.pieces}
    return [f"{slot} {by_slot.get(slot, '-')}" for slot in range(1, zone.slots + 1)]


def _piece_text(piece: Piece) -> str:
    if piece.name:
        return piece.text
    told = ", ".join(f"{name} {value}" for name, value in piece.columns)
    return f"? ({told})" if told else "?"


def token_text(tokens: SeenTokens) -> str:
    """How many tokens, and whose where that is not clear."""
    if tokens.counts is None:
        return "hidden"
    told = [
        f"{count} of {whose}" if whose and whose != tokens.place.of else str(count)
        for whose, count in tokens.counts
        if count
    ]
    return f"{', '.join(told) or '0'} {tokens.token}"
