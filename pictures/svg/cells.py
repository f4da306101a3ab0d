"""Draw the content of one space of a board, as SVG in a box: tiles, discs, cubes, counters, words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from rulewright.interpreter.views.scene import Counter, Part, Piece, Space, Tokens, Zone
from rulewright.interpreter.views.scene_faces import Face
from rulewright.pictures.colours import colour_of, ink_on
from rulewright.pictures.markup import Markup, inner, tag
from rulewright.pictures.pen import Pen, band, seat_of
from rulewright.pictures.svg.letters import LINE, fit_text, size_for

_PAPER, _INK, _BACK = "#fbf9f4", "#202327", "#5d6b7a"
_LINE = "#3c4046"
_MOST_TOKENS = 6
_FEW_LETTERS = 2  # this many letters fit on a square
_MOST_PIECES = 9


def content(
    pen: Pen,
    space: Space,
    x: float,
    y: float,
    size: float,
    width: float = 0,
    height: float = 0,
) -> Markup:
    """Draw everything on a space, in a square with its centre at (x, y).

    Text on a piece may use a larger `width`; if there are several things, they may use a larger `height`.
    """
    drawn = list(_content(pen, space, x, y, size, width, max(size, height)))
    return inner(*drawn)


def _content(
    pen: Pen, space: Space, x: float, y: float, size: float, width: float, height: float
) -> Iterator[Markup]:
    value = _single(space.parts)
    seats = pen.standing_on(space)
    piles = [zone for zone in space.on.zones if zone.pieces or zone.count]
    tokens = [each for each in space.on.tokens if each.counts is None or each.total]
    if piles:
        shown = "".join(part.text for part in space.parts).strip()
        sign = shown if len(shown) == 1 and shown != "." else ""
        seat = value.seat if value is not None and _is_sign(value) else -1
        yield from _in_a_row(pen, piles, x, y, size, height, sign, width, seat)
        yield from _small_tokens(pen, tokens, x, y, size)
    elif seats and shows_only_standing(space):
        yield from _standing(pen, space, seats, x, y, size, height)
    elif value is not None and (colour := _colour(pen, seat := _seat(space, value), value)):
        symbol = "" if value.value in ("black", "white") else value.text
        named = "" if _is_sign(value) else value.value
        yield disc(x, y, size * 0.38, colour, symbol, "rw-disc", named, seat)
    elif tokens:
        yield _tokens(pen, tokens, x, y, size, height)
    elif space.parts and any(part.text not in (".", "") for part in space.parts):
        yield label("".join(part.text for part in space.parts), x, y, size * 0.86, size * 0.5)
    else:
        yield from _counters(pen, space, x, y, size)


def shows_only_standing(space: Space) -> bool:
    """Return whether a space holds nothing but the players who stand on it; otherwise these are discs in
    its corners.
    """
    things = any(zone.pieces or zone.count for zone in space.on.zones)
    tokens = any(each.counts is None or each.total for each in space.on.tokens)
    return not things and not tokens and bool(space.parts or not _shown_counters(space))


def in_corners(
    pen: Pen, space: Space, left: float, top: float, right: float, bottom: float
) -> Markup | None:
    """Draw the players who stand on a space with other things, each as a disc in a corner of a box."""
    seats = pen.standing_on(space)
    if not seats or shows_only_standing(space):
        return None
    corners = (left, top), (right, top), (left, bottom), (right, bottom)
    discs = []
    for at, seat in enumerate(seats):
        x, y = corners[at % 4]
        inward = at // 4 * 18 * (1 if x == left else -1)
        discs.append(disc(x + inward, y, 9, pen.seats[seat], pen.seat_symbols[seat], seat=seat))
    return inner(*discs)


def _standing(
    pen: Pen, space: Space, seats: Sequence[int], x: float, y: float, size: float, height: float
) -> Iterator[Markup]:
    """Draw the players who stand on a space, as discs.

    A player alone on a space is marked with the short text that the rules show there, if there is one.
    """
    text = "".join(part.text for part in space.parts).strip()
    is_sign = len(seats) == 1 and 0 < len(text) <= _FEW_LETTERS and text != "."
    step, spots = _spots([len(seats)], size, height)
    for seat, (dx, dy) in zip(seats, spots, strict=True):
        symbol = text if is_sign else pen.seat_symbols[seat]
        yield disc(x + dx, y + dy, step * 0.38, pen.seats[seat], symbol, seat=seat)


def _spots(
    groups: Sequence[int], width: float, height: float
) -> tuple[float, list[tuple[float, float]]]:
    """Return the largest size at which these things, drawn as squares, fit in a box, and the offsets of
    their centres.

    The offsets are measured from the centre of the box. A group of several things begins a new row.
    """
    best: tuple[float, int, list[list[int]]] = 0.0, 0, []
    for across in range(1, max(1, sum(groups)) + 1):
        rows: list[list[int]] = []
        for count in groups:
            for at in range(count):
                if not rows or len(rows[-1]) == across or (at == 0 and count > 1):
                    rows.append([])
                rows[-1].append(count)
        best = max(best, (min(width / across, height / max(1, len(rows))), across, rows))
    step, across, rows = best
    return step, [
        ((column - (across - 1) / 2) * step, (line - (len(rows) - 1) / 2) * step)
        for line, row in enumerate(rows)
        for column, _ in enumerate(row)
    ]


def describe_space(pen: Pen, space: Space) -> str:
    """Describe a space and its content, for screen readers and as a tooltip."""
    text = "".join(part.text for part in space.parts)
    things = [
        *(pen.name(seat) for seat in pen.standing_on(space)),
        *(f"{zone.title}: {_piece_names(zone)}" for zone in space.on.zones if zone.count != 0),
        *(f"{each.title}: {each.total}" for each in space.on.tokens if each.total),
        *(f"{each.title}: {each.text}" for each in space.on.counters if not each.is_silent),
    ]
    said = ", ".join([text, *things] if text else things)
    return f"{space.face.title}: {said}" if said else space.face.title


def is_bare(space: Space) -> bool:
    """Return whether a space shows nothing."""
    return not (
        space.parts
        or any(zone.count for zone in space.on.zones)
        or any(tokens.total for tokens in space.on.tokens)
        or any(not counter.is_silent for counter in space.on.counters)
    )


def _piece_names(zone: Zone) -> str:
    names = [piece.face.title if piece.face else "?" for piece in zone.pieces]
    return ", ".join(reversed(names)) if names else str(zone.count)


def _single(parts: Sequence[Part]) -> Part | None:
    """Return the value that a cell shows if it shows nothing else, otherwise None."""
    values = [part for part in parts if part.value]
    rest = "".join(part.text for part in parts if not part.value).strip()
    return values[0] if len(values) == 1 and not rest else None


def _seat(space: Space, part: Part) -> int:
    """Return the player that a cell shows by name or by sign, or -1.

    A sign stands for a player if the cell stores exactly one value, and this value names the player.
    """
    kept = _shown_counters(space)
    return seat_of(kept[0]) if _is_sign(part) and len(kept) == 1 else part.seat


def _is_sign(part: Part) -> bool:
    """Return whether a part is a sign from the rules. The value of a sign begins with `"`, unlike any name
    in rules.
    """
    return part.value.startswith('"')


def _colour(pen: Pen, seat: int, part: Part) -> str | None:
    return pen.seats[seat] if seat >= 0 else colour_of(part.value)


def _in_a_row(
    pen: Pen,
    piles: Sequence[Zone],
    x: float,
    y: float,
    size: float,
    height: float,
    sign: str,
    width: float,
    seat: int,
) -> Iterator[Markup]:
    """Draw the piles of a space side by side; each shows its top piece and its size.

    A single piece shows the sign from the rules, if there is one, in the colour of the player whose sign it
    is.
    """
    shown: list[tuple[Zone, Piece | None, int]] = []
    groups: list[int] = []
    for zone in piles:
        if zone.shape == "pile" or not zone.pieces:
            top = zone.pieces[-1] if zone.pieces else None
            shown.append((zone, top, zone.count or len(zone.pieces)))
            groups.append(1)
        else:
            pieces = zone.pieces[: _MOST_PIECES - len(shown)]
            shown += ((zone, piece, 1) for piece in pieces)
            groups.append(len(pieces))
    step, spots = _spots(groups, size * 0.96, height * 0.96)
    for (zone, piece, count), (dx, dy) in zip(shown, spots, strict=True):
        alone, wide = (sign, width) if len(shown) == 1 else ("", 0)
        whose = seat if alone else -1
        yield small_piece(
            pen, piece, x + dx, y + dy, step * 0.94, count, zone, sign=alone, width=wide, seat=whose
        )


def small_piece(
    pen: Pen,
    piece: Piece | None,
    x: float,
    y: float,
    size: float,
    count: int = 1,
    zone: Zone | None = None,
    *,
    sign: str = "",
    width: float = 0,
    seat: int = -1,
) -> Markup:
    """Draw a pile on a board with its size: a tile, or a disc if nothing is printed on the piece on top."""
    half = size / 2
    where = {"data_zone": zone.name if zone else None}
    if piece is None or piece.face is None:
        return tag(
            "g",
            _tile(x, y, size, size, _BACK),
            label(str(count), x, y, size * 0.8, size * 0.4, "#ffffff"),
            class_="rw-piece rw-back",
            **where,
        )
    face = piece.face
    owner = face.owner if face.owner >= 0 else seat
    colour = pen.seats[owner] if owner >= 0 else _face_colour(face)
    url = pen.looks.picture(face.kind, face.row)
    marks = [
        *(each for each in piece.on.tokens if each.total),
    ]
    if not face.columns and face.owner >= 0 and not url:
        body = disc(
            x, y, half * 0.86, colour or _PAPER, pen.seat_symbols[face.owner] if size > 20 else ""
        )
    else:
        text = sign or _short(face)
        across = max(size, width) if len(text) > _FEW_LETTERS and not url else size
        body = inner(
            _tile(x, y, across, size, colour or _PAPER),
            tag("image", href=url, x=x - half, y=y - half, width=size, height=size)
            if url
            else None,
            label(text, x, y, across * 0.86, size * 0.55, ink_on(colour) if colour else _INK)
            if not url
            else None,
        )
    return tag(
        "g",
        body,
        _height(count, x, y, half) if count > 1 else None,
        _tokens(pen, marks, x, y + half * 0.5, size * 0.6) if marks else None,
        class_="rw-piece",
        data_piece=face.kind,
        data_row=face.row,
        data_player=face.owner + 1 if face.owner >= 0 else None,
        **where,
    )


def _short(face: Face) -> str:
    """Return the text on a small tile: its number if its colour tells everything else about it, otherwise
    its name.
    """
    numbers = [column.text for column in face.columns if column.sort == "number"]
    coloured = band(face) is not None
    if coloured and numbers:
        return numbers[0]
    for column in face.columns:
        if column.sort == "name" and len(column.text) <= 2 and not column.is_silent:
            return column.text
    return face.title


def _face_colour(face: Face) -> str | None:
    word = band(face)
    return colour_of(word) if word else None


def _height(count: int, x: float, y: float, half: float) -> Markup:
    radius = max(6.0, half * 0.3)
    cx, cy = x - half + radius * 0.9, y - half + radius * 0.9
    return tag(
        "g",
        tag("circle", cx=cx, cy=cy, r=radius, fill="#202327", stroke="#ffffff", stroke_width=1),
        label(str(count), cx, cy, radius * 1.6, radius * 1.3, "#ffffff"),
        class_="rw-height",
    )


def _tile(x: float, y: float, width: float, height: float, fill: str) -> Markup:
    return tag(
        "rect",
        x=x - width / 2,
        y=y - height / 2,
        width=width,
        height=height,
        rx=height * 0.08,
        fill=fill,
        stroke=_LINE,
        stroke_width=1,
        class_="rw-tile",
    )


def disc(
    x: float,
    y: float,
    radius: float,
    fill: str,
    symbol: str = "",
    class_: str = "rw-disc",
    value: str | None = None,
    seat: int = -1,
) -> Markup:
    """Draw a disc, with a sign for people who cannot distinguish its colour."""
    return tag(
        "g",
        tag("circle", cx=x, cy=y, r=radius, fill=fill, stroke=_LINE, stroke_width=1.5),
        label(symbol, x, y, radius * 1.5, radius * 1.1, ink_on(fill)) if symbol else None,
        class_=class_,
        data_value=value or None,
        data_player=seat + 1 if seat >= 0 else None,
    )


def _tokens(
    pen: Pen, tokens: Sequence[Tokens], x: float, y: float, size: float, height: float = 0
) -> Markup:
    """Draw the tokens of a place: one by one if there are few, otherwise one token with their number."""
    groups = [
        (each, seat, count) for each in tokens for seat, count in (each.counts or ()) if count
    ]
    if not groups:
        return label("?", x, y, size * 0.6, size * 0.5) if tokens else Markup("")
    if len(groups) == 1 and groups[0][2] == 1:
        each, seat, _ = groups[0]
        return _token(pen, each, seat, x, y, size * 0.36)
    if len(groups) == 1 and groups[0][2] <= _MOST_TOKENS:
        each, seat, count = groups[0]
        step, spots = _spots([count], size * 0.84, max(size, height) * 0.84)
        return inner(
            *(
                _token(pen, each, seat, x + dx, y + dy, step * 0.42, signed=False)
                for dx, dy in spots
            )
        )
    across = 1 if len(groups) == 1 else 2
    step = size * 0.9 / across
    drawn = []
    for at, (each, seat, count) in enumerate(groups):
        cx = x + (at % across - (across - 1) / 2) * step
        cy = y + (at // across - (-(-len(groups) // across) - 1) / 2) * step
        drawn.append(_token(pen, each, seat, cx, cy, step * 0.42, count))
    return inner(*drawn)


def _token(
    pen: Pen,
    tokens: Tokens,
    seat: int,
    x: float,
    y: float,
    radius: float,
    count: int = 1,
    *,
    signed: bool = True,
) -> Markup:
    colour = pen.seats[seat] if seat >= 0 else colour_of(tokens.token) or "#d9b46a"
    symbol = (
        str(count)
        if count > 1
        else pen.seat_symbols[seat]
        if seat >= 0 and signed and radius > 9
        else ""
    )
    return tag(
        "g",
        disc(x, y, radius, colour, symbol, "rw-token", None, seat),
        data_zone=tokens.name,
    )


def _small_tokens(
    pen: Pen, tokens: Sequence[Tokens], x: float, y: float, size: float
) -> Iterator[Markup]:
    """Draw tokens on a tile, in its lower right corner."""
    groups = [(each, seat, count) for each in tokens for seat, count in each.counts or () if count]
    radius = size * 0.16
    for at, (each, seat, count) in enumerate(groups):
        yield _token(
            pen, each, seat, x + size * 0.28 - at * radius * 2.1, y + size * 0.28, radius, count
        )


def _counters(pen: Pen, space: Space, x: float, y: float, size: float) -> Iterator[Markup]:
    """Draw the stored values of a space: a disc for a player or a colour, otherwise words."""
    kept = _shown_counters(space)
    loud = [each for each in kept if each.text != "0"]
    if not loud:
        return
    first = loud[0]
    seat = seat_of(first)
    colour = pen.seats[seat] if seat >= 0 else colour_of(first.value)
    if colour and len(loud) == 1:
        symbol = pen.seat_symbols[seat] if seat >= 0 else first.text[:1].upper()
        yield disc(x, y, size * 0.38, colour, symbol, "rw-disc", first.value, seat)
        return
    described = [_counter_text(each, alone=len(kept) == 1) for each in loud]
    yield label(", ".join(described), x, y, size * 1.5, size * 0.36)


def _shown_counters(space: Space) -> list[Counter]:
    """Return the stored values of a space that are shown as text."""
    return [each for each in space.on.counters if not each.is_silent]


def _counter_text(counter: Counter, *, alone: bool) -> str:
    """Return a value in words, with its name if the space stores several values."""
    if counter.text == "yes":
        return counter.title
    return counter.text if alone else f"{counter.title} {counter.text}"


@lru_cache(4_096)
def label(
    text: str, x: float, y: float, room: float, most: float, fill: str | None = None
) -> Markup:
    """Draw text in the middle of a box, in up to three lines, in the largest size that fits."""
    if not text:
        return Markup("")
    size = size_for(text, room, most)
    lines: Sequence[str] = (text,)
    if size < 11 and (" " in text or "/" in text):
        size, lines = fit_text(text, room, 2 * most)
    spans = [
        tag("tspan", line, x=x, y=y + (at - (len(lines) - 1) / 2) * size * LINE + size * 0.35)
        for at, line in enumerate(lines)
    ]
    return tag(
        "text",
        *spans,
        text_anchor="middle",
        font_size=size,
        fill=fill or _INK,
        class_="rw-label" if fill is None else "rw-sign",
    )
