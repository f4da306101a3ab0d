"""Draw the table and the players' things as HTML: zones with their cards, tokens, stored values."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.interpreter.views.scene import Piece, Player, Things, Zone
from rulewright.pictures.cards import back, card, counter, is_small, tokens
from rulewright.pictures.markup import Markup, inner, tag
from rulewright.pictures.pen import Pen
from rulewright.pictures.words import say

_FEW_BACKS = 10
_MANY = 14  # zones with more things are folded
_MOST_IN_SIGHT = 6  # a longer row may be wider than a phone screen
_FEW_IN_PILE = 3  # a higher pile shows only its top
_MOST_IN_COLUMN = 8  # pieces of a pile


def things(
    pen: Pen, owned: Things, spoken: frozenset[str], owner: str, *, is_whole: bool = False
) -> list[tuple[str, Markup]]:
    """Return everything that an owner has, as pairs of an id and its HTML.

    Things already shown on boards are omitted, except places of pieces. `owner` is the beginning of the
    ids. With `is_whole` nothing is folded.
    """
    values = [
        *(tokens(pen, each) for each in owned.tokens if each.name not in spoken),
        *(
            counter(pen, each)
            for each in owned.counters
            if each.name not in spoken and not each.is_silent
        ),
    ]
    zones = [
        (f"zone-{_id(each, owner)}", zone(pen, each, owner, is_whole=is_whole))
        for each in owned.zones
        if not _is_left_out(each, spoken)
    ]
    if values:
        id = f"values-{owner}"
        zones.insert(0, (id, tag("div", *values, class_="rw-values", id=id)))
    return zones


def _id(place: Zone, owner: str) -> str:
    return "-".join((owner, place.name, *place.index))


def _is_left_out(zone: Zone, spoken: frozenset[str]) -> bool:
    return zone.count == 0 and (zone.name in spoken or bool(zone.index))


def zone(pen: Pen, place: Zone, owner: str, *, is_whole: bool = False) -> Markup:
    """Draw a place with its pieces: a pile shows its top and its size, hidden cards show their backs.

    A long zone is folded, with its number of pieces, unless something in it can be chosen.
    """
    what = "zone", owner, is_whole
    return pen.draw(what, place, lambda: _zone(pen, place, owner, is_whole=is_whole))


def _zone(pen: Pen, place: Zone, owner: str, *, is_whole: bool) -> Markup:
    count = place.count
    name = (
        tag("span", place.title, class_="rw-name"),
        tag("span", say("picture-empty"), class_="rw-none")
        if count == 0
        else tag("span", str(count), class_="rw-count")
        if count is not None and count != 1
        else None,
    )
    classes = ["rw-zone", f"rw-{place.shape}"]
    classes += ["rw-changed"] if place.is_changed else []
    classes += ["rw-empty"] if count == 0 else []
    classes += ["rw-many"] if len(place.pieces) > _MANY else []
    if place.pieces and all(each.face and is_small(each.face) for each in place.pieces):
        classes.append("rw-small")
    items = [*_pieces(pen, place)] if place.pieces or place.count != 0 else []
    id = _id(place, owner)
    can_choose = any(each.options for each in place.pieces)
    if not is_whole and place.shape != "row" and len(items) > _MANY:
        classes.append("rw-folded")
        content = inner(fold(id, inner(*name), _lay_out(items), is_open=can_choose, is_head=True))
    elif not is_whole and place.shape == "pile" and len(items) > _FEW_IN_PILE:
        below = fold(id, _below(place), _lay_out(items[:-1]), is_open=can_choose)
        content = inner(tag("h4", *name), _lay_out(items[-1:]), below)
    elif place.shape == "pile" and len(items) > _MOST_IN_COLUMN:
        count = -(-len(items) // _MOST_IN_COLUMN)
        high = -(-len(items) // count)
        columns = [_lay_out(items[at : at + high]) for at in range(0, len(items), high)]
        content = inner(tag("h4", *name), tag("div", *columns, class_="rw-fan"))
    else:
        scroller = place.title if len(items) > _MOST_IN_SIGHT and place.shape == "row" else None
        content = inner(tag("h4", *name), _lay_out(items, scroller) if items else None)
    return tag(
        "div",
        content,
        id=f"zone-{id}",
        class_=" ".join(classes),
        data_zone=place.name,
        data_index=" ".join(place.index) or None,
    )


def _below(place: Zone) -> str:
    return (
        say("picture-below", count=place.count - 1) if place.count else say("picture-hidden-below")
    )


def _lay_out(items: list[Markup], scroller: str | None = None) -> Markup:
    """Lay pieces side by side; in a `scroller`, which has a name, keys scroll to pieces outside the view."""
    if scroller is None:
        return tag("div", *items, class_="rw-pieces")
    return tag("div", *items, class_="rw-pieces", tabindex=0, role="group", aria_label=scroller)


def fold(
    id: str, title: Markup | str, content: Markup, *, is_open: bool = False, is_head: bool = False
) -> Markup:
    """Return content that a click, a key or a screen reader unfolds; a page remembers unfolded content by
    its id.
    """
    head = tag("h4", title) if is_head else title
    return tag("details", tag("summary", head), content, id=f"fold-{id}", open=is_open)


def _pieces(pen: Pen, place: Zone) -> Iterator[Markup]:
    kind = place.kinds[0] if len(place.kinds) == 1 else ""
    if place.shape == "row":
        by_slot = {piece.slot: piece for piece in place.pieces}
        for slot in range(1, place.slots + 1):
            piece = by_slot.get(slot)
            yield card(pen, piece) if piece else tag("span", class_="rw-slot", data_slot=slot)
        return
    for piece, copies in _group_pieces(place):
        yield card(pen, piece, copies)
    if place.count is None:
        yield back(kind=kind)
    elif place.hidden:
        if place.shape == "pile" or place.hidden > _FEW_BACKS:
            yield back((), place.hidden, kind)
        else:
            yield from (back(kind=kind) for _ in range(place.hidden))


def _group_pieces(place: Zone) -> list[tuple[Piece, int]]:
    """Group the pieces of a zone and return one piece of each group with the size of the group.

    Equal pieces of a set form a group, and so do hidden pieces that look alike.
    """
    groups: dict[object, list[Piece]] = {}
    for at, piece in enumerate(place.pieces):
        is_alone = piece.face is not None and (place.shape != "set" or not piece.on.is_empty)
        key = at if is_alone else (piece.face, piece.seen)
        groups.setdefault(key, []).append(piece)
    return [(max(group, key=_worth), len(group)) for group in groups.values()]


def drawn_instead(place: Zone) -> Iterator[tuple[int, int]]:
    """Yield the pieces of a zone that are not drawn, each with the similar piece drawn in its place; both
    by number.
    """
    if place.shape == "set":
        shown = {each.face: each.id for each, copies in _group_pieces(place) if copies > 1}
        for each in place.pieces:
            if each.on.is_empty and each.face in shown and each.id >= 0:
                yield each.id, shown[each.face]


def _worth(piece: Piece) -> tuple[bool, bool]:
    return bool(piece.options), piece.is_changed


def player(pen: Pen, seat: Player) -> Markup:
    """Draw the heading of a player's area: name, colour and sign."""
    marks = [
        tag("span", text, class_="rw-badge")
        for text, is_so in (
            (say("picture-you"), seat.is_viewer),
            (say("picture-acts"), seat.is_acting),
            (say("picture-out"), not seat.is_in_play),
            (seat.side, bool(seat.side)),
        )
        if is_so
    ]
    name = pen.choosable(
        seat.options,
        tag(
            "span",
            pen.seat_symbols[seat.seat],
            class_=f"rw-dot {pen.seat_class(seat.seat)}",
            aria_hidden="true",
        ),
        tag("span", seat.name),
        class_="rw-person",
    )
    return tag("h3", name, *marks)
