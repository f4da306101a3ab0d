"""Return the view of a player as data for other programs."""

from __future__ import annotations

from rulewright.interpreter.text.score_sheet import Scores
from rulewright.interpreter.views.view import Piece, Place, View


def view_data(view: View) -> dict[str, object]:
    """Return a view as data.

    Hidden counts and values are null. The name of an unknown piece is null, and so is the owner of a piece
    that belongs to nobody.
    """
    return {
        "zones": [
            {
                **_place_data(zone.place),
                "shape": zone.shape,
                "count": zone.count,
                "pieces": [_piece_data(piece) for piece in zone.pieces],
            }
            for zone in view.zones
        ],
        "tokens": [
            {
                **_place_data(tokens.place),
                "token": tokens.token,
                "counts": None if tokens.counts is None else dict(tokens.counts),
            }
            for tokens in view.tokens
        ],
        "values": [
            {
                **_place_data(value.place),
                "value": list(value.value) if isinstance(value.value, tuple) else value.value,
            }
            for value in view.values
        ],
    }


def _place_data(place: Place) -> dict[str, object]:
    return {
        "name": place.name,
        "owner": place.owner or None,
        "of": place.of or None,
        "index": list(place.index),
    }


def _piece_data(piece: Piece) -> dict[str, object]:
    return {
        "name": piece.name or None,
        "owner": piece.whose or None,
        "slot": piece.slot or None,
        **dict(piece.columns),
    }


def scores_data(scores: Scores) -> list[dict[str, object]]:
    """Return the score sheet as data."""
    return [
        {
            "name": player.name,
            "items": [{"item": text, "points": points} for text, points in player.items],
            "total": player.total,
        }
        for player in scores
    ]
