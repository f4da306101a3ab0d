"""Draw pieces as HTML: cards with title, numbers and text, tiles, backs of hidden pieces, and markers on
pieces.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from zlib import crc32

from rulewright.interpreter.views.scene import Counter, Piece, Things, Tokens
from rulewright.interpreter.views.scene_faces import Column, Face
from rulewright.pictures.colours import HUES, colour_of, name_of
from rulewright.pictures.looks import Looks
from rulewright.pictures.markup import Markup, inner, tag
from rulewright.pictures.pen import Pen, band, seat_of
from rulewright.pictures.words import say

_SMALL = 2


def card(pen: Pen, piece: Piece, copies: int = 1) -> Markup:
    """Draw a piece in a zone: its face, or its back if it is hidden. Equal pieces are drawn as one, with
    their number.
    """
    if piece.face is None:
        return back(piece.seen, copies)
    if not piece.options and piece.on.is_empty:
        return _plain(pen, piece, piece.face, copies)
    make = partial(
        face_up,
        pen,
        piece.face,
        options=piece.options,
        on=piece.on,
        is_changed=piece.is_changed,
        slot=piece.slot,
        copies=copies,
    )
    return pen.draw(("card", copies), piece, make)


_PLAIN: dict[object, tuple[Markup, Face, Looks]] = {}
"""A cache of drawn cards of all matches: those that cannot be chosen and have nothing on them."""
_MOST_PLAIN = 8_000


def _plain(pen: Pen, piece: Piece, face: Face, copies: int) -> Markup:
    whose = (pen.seat_class(face.owner), pen.seat_symbols[face.owner]) if face.owner >= 0 else None
    key = id(face), id(pen.looks), whose, piece.is_changed, piece.slot, copies
    known = _PLAIN.get(key)
    if known is None:
        if len(_PLAIN) >= _MOST_PLAIN:
            _PLAIN.clear()
        drawn = face_up(pen, face, is_changed=piece.is_changed, slot=piece.slot, copies=copies)
        known = _PLAIN[key] = drawn, face, pen.looks
    return known[0]


def face_up(
    pen: Pen,
    face: Face,
    *,
    options: tuple[int, ...] = (),
    on: Things | None = None,
    is_changed: bool = False,
    slot: int = 0,
    copies: int = 1,
) -> Markup:
    """Draw a card with everything printed on it. Each column is a separate element, so that stylesheets can
    place it.
    """
    words = face.words or pen.looks.said(face.clauses)
    small = is_small(face) and not words
    art = pen.looks.picture(face.kind, face.row)
    colour = tint(face)
    is_owners = colour is None and face.owner >= 0
    colour = pen.seat_class(face.owner) if is_owners else colour or _hue(face.kind)
    classes = ["rw-piece", "rw-tile" if small else "rw-card", colour]
    classes += ["rw-changed"] if is_changed else []
    content = (
        tag("span", pen.seat_symbols[face.owner], class_="rw-owner") if is_owners else None,
        tag("b", face.title, class_="rw-title"),
        *_columns(face),
        tag("img", src=art, alt="", class_="rw-art", loading="lazy") if art else None,
        tag("span", words, class_="rw-words") if words else None,
        markers(pen, on) if on else None,
        tag("span", f"\N{MULTIPLICATION SIGN}{copies}", class_="rw-copies") if copies > 1 else None,
    )
    return pen.choosable(
        options,
        inner(*content),
        class_=" ".join(filter(None, classes)),
        data_piece=face.kind,
        data_row=face.row,
        data_player=face.owner + 1 if face.owner >= 0 else None,
        data_slot=slot or None,
        aria_label=spoken_text(face, words) if options else None,
    )


def spoken_text(face: Face, words: str) -> str:
    """Describe a card in words."""
    facts = [f"{each.title} {each.text}" for each in face.columns if _is_said(face, each)]
    return "; ".join([face.title, *facts, *([words] if words else [])])


def is_small(face: Face) -> bool:
    """Return whether so little is printed on a face that the piece is a tile or a playing card."""
    return not face.words and len(face.columns) <= _SMALL


def tint(face: Face) -> str | None:
    """Return the class with the colour of a face.

    This is a colour that the rules name, or else a colour for the face's first value that is a name. Return
    None if the face has neither; then a piece has the colour of its owner, or of its kind if nobody owns
    it.
    """
    word = band(face)
    if word is not None:
        return f"rw-c-{name_of(word)}"
    for column in face.columns:
        if column.sort == "name" and not column.is_silent:
            return _hue(column.value)
    return None


def _hue(word: str) -> str:
    return f"rw-hue-{crc32(word.encode()) % len(HUES)}"


_known: dict[int, tuple[Face, tuple[Markup, ...]]] = {}
"""A cache of the columns of drawn faces, because pages show the same cards repeatedly."""
_MOST_KNOWN = 20_000


def _columns(face: Face) -> tuple[Markup, ...]:
    """Return the columns of a card, computed once for each face."""
    known = _known.get(id(face))
    if known is None or known[0] is not face:
        if len(_known) >= _MOST_KNOWN:
            _known.clear()
        known = _known[id(face)] = face, tuple(_drawn_columns(face))
    return known[1]


def _drawn_columns(face: Face) -> Iterator[Markup]:
    is_first = True
    facts = []
    for column in face.columns:
        if column.is_silent:
            continue
        classes = "rw-column"
        if column.sort == "number" and is_first and column.text != "0":
            classes += " rw-key"
            is_first = False
        elif not _is_said(face, column):
            classes += " rw-said"
        name = tag("span", f"{column.title} ", class_="rw-name")
        value = tag("span", column.text, class_="rw-value") if column.sort != "flag" else None
        facts.append(
            tag(
                "span",
                name,
                value,
                class_=classes,
                data_column=column.name,
                data_value=column.value,
                data_sort=column.sort,
            )
        )
    if facts:
        yield tag("span", *facts, class_="rw-columns")


def _is_said(face: Face, column: Column) -> bool:
    """Return whether a column has information that the title does not have."""
    if column.is_silent or (column.sort == "number" and column.text == "0"):
        return False
    title = f" {face.title.casefold()} "
    return f" {column.text.casefold()} " not in title


def back(seen: tuple[tuple[str, str], ...] = (), count: int = 1, kind: str = "") -> Markup:
    """Draw a hidden card with its public columns, or several hidden cards as one."""
    facts = [
        tag("span", f"{name} {value}", class_="rw-column", data_column=name, data_value=value)
        for name, value in seen
    ]
    many = tag("span", str(count), class_="rw-count") if count > 1 else None
    label = say("picture-hidden") if count == 1 else say("picture-many-hidden", count=count)
    return tag(
        "span",
        *facts,
        many,
        class_="rw-piece rw-back",
        role="img",
        aria_label=label,
        data_piece=kind or None,
    )


def markers(pen: Pen, on: Things) -> Markup | None:
    """Draw the pieces, tokens and values on a card."""
    found = [
        *(tokens(pen, each) for each in on.tokens if each.total),
        *(counter(pen, each) for each in on.counters if not each.is_silent),
        *(
            tag("span", f"{zone.title}: ", *(card(pen, piece) for piece in zone.pieces))
            for zone in on.zones
            if zone.pieces
        ),
    ]
    return tag("span", *found, class_="rw-markers") if found else None


def tokens(pen: Pen, held: Tokens) -> Markup:
    """Draw tokens with their number, in the colours of their owners."""
    return pen.keep("tokens", held, lambda: _tokens(pen, held))


def _tokens(pen: Pen, held: Tokens) -> Markup:
    changed = " rw-changed" if held.is_changed else ""
    if held.counts is None:
        return tag(
            "span",
            tag("span", f"{held.title} ", class_="rw-name"),
            tag("span", "?", class_="rw-value"),
            class_=f"rw-tokens{changed}",
            data_zone=held.name,
        )
    shown = []
    for seat, count in held.counts:
        colour = pen.seat_class(seat) if seat >= 0 else _token_colour(held)
        sign = pen.seat_symbols[seat] if seat >= 0 else ""
        shown.append(
            tag(
                "span",
                tag("span", sign, class_=f"rw-dot {colour}", aria_hidden="true"),
                tag("span", str(count), class_="rw-value"),
                data_player=seat + 1 if seat >= 0 else None,
            )
        )
    return tag(
        "span",
        tag("span", f"{held.title} ", class_="rw-name"),
        *(shown or [tag("span", "0", class_="rw-value")]),
        class_=f"rw-tokens{changed}",
        data_zone=held.name,
        data_index=" ".join(held.index) or None,
    )


def _token_colour(held: Tokens) -> str:
    """Return the colour that the token or the place of the tokens names, or else a colour for this token
    and place.
    """
    named = next((word for word in (held.token, *held.index) if colour_of(word)), None)
    return f"rw-c-{name_of(named)}" if named else _hue("_".join((held.token, *held.index)))


def counter(pen: Pen, value: Counter) -> Markup:
    """Draw a stored value with its name."""
    return pen.keep("counter", value, lambda: _counter(pen, value))


def _counter(pen: Pen, value: Counter) -> Markup:
    seat = seat_of(value)
    changed = " rw-changed" if value.is_changed else ""
    swatch = (
        pen.seat_class(seat)
        if seat >= 0
        else f"rw-c-{name_of(value.value)}"
        if colour_of(value.value)
        else ""
    )
    return tag(
        "span",
        tag("span", f"{value.title} ", class_="rw-name"),
        tag("span", "", class_=f"rw-dot {swatch}", aria_hidden="true") if swatch else None,
        tag("span", value.text, class_="rw-value") if value.text != "yes" else None,
        class_=f"rw-counter{changed}",
        data_column=value.name,
        data_value=value.value or None,
    )
