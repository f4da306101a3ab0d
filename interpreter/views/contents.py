"""Describes the contents of a place in words: the pieces of a zone, or the number of tokens."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import groupby
from re import Match

from rulewright.interpreter.views.view import Piece, SeenTokens, SeenZone

EMPTY = "empty"
HIDDEN = "hidden"
NONE = "none"
_NUMBERED = re.compile(r"(.*\D)([0-9]{1,9})")


def zone_text(zone: SeenZone) -> str:
    """Describe the pieces of a zone if they are known; otherwise return their number."""
    if zone.count == 0:
        return EMPTY
    if not zone.pieces:
        return HIDDEN if zone.count is None else str(zone.count)
    unknown = (zone.count or 0) - len(zone.pieces)
    named = _row_texts(zone) if zone.shape == "row" else runs(_piece_texts(zone))
    if zone.count is None:
        return f"hidden, with {', '.join(named)}"
    return ", ".join(named) + (f" and {unknown} more" if unknown > 0 else "")


def _row_texts(zone: SeenZone) -> list[str]:
    by_slot = dict(zip((piece.slot for piece in zone.pieces), _piece_texts(zone), strict=True))
    return [f"{slot} {by_slot.get(slot, '-')}" for slot in range(1, zone.slots + 1)]


def runs(texts: Iterable[str]) -> list[str]:
    """Join equal neighbouring texts into one text, and three or more texts that count up into a range: `red 4 to 9`."""
    found: list[str] = []
    for text, same in groupby(texts):
        times = len(list(same))
        found.append(f"{text} x{times}" if times > 1 else text)
    shown: list[str] = []
    numbered = [_NUMBERED.fullmatch(text) for text in found]
    at = 0
    while at < len(found):
        end = at + 1
        while end < len(found) and _follows(numbered[end - 1], numbered[end]):
            end += 1
        if end - at > 2:
            shown.append(f"{found[at]} to {_number(numbered[end - 1])}")
        else:
            shown += found[at:end]
        at = end
    return shown


def _follows(before: Match[str] | None, after: Match[str] | None) -> bool:
    return (
        before is not None
        and after is not None
        and before[1] == after[1]
        and _number(before) + 1 == _number(after)
    )


def _number(match: Match[str] | None) -> int:
    return int(match[2]) if match else 0


def _piece_texts(zone: SeenZone) -> list[str]:
    """Describe the pieces of a zone, each with its owner unless the zone already shows the owner."""
    return [_piece_text(piece, zone.place.of) for piece in zone.pieces]


def _piece_text(piece: Piece, of: str) -> str:
    if piece.name:
        return f"{piece.text} of {piece.whose}" if piece.whose not in ("", of) else piece.text
    shown = ", ".join(f"{name} {value}" for name, value in piece.columns)
    return f"? ({shown})" if shown else "?"


def token_text(tokens: SeenTokens) -> str:
    """Return the number of tokens, with the owners if these are not clear."""
    if tokens.counts is None:
        return HIDDEN
    shown = [
        f"{count} of {whose}" if whose and whose != tokens.place.of else str(count)
        for whose, count in tokens.counts
        if count
    ]
    return ", ".join(shown) or NONE
