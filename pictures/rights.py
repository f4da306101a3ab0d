"""The owners of the games whose rules are shipped, and the line about them on pages, exports and prints."""

from __future__ import annotations

from functools import cache

import attrs

from rulewright.interpreter.matches.library import table
from rulewright.pictures.words import say


@attrs.frozen
class Right:
    """A row of `games/rights.csv`: the printed title, author and publisher, and the source of the texts.

    Without an author there is no owner to name: the game is traditional, or ours.
    """

    game: str
    title: str
    author: str
    publisher: str
    texts: str


@cache
def rights() -> dict[str, Right]:
    """Return the rights in all shipped games, keyed by the names of the games."""
    return {row["game"]: Right(**row) for row in table("rights")}


def unofficial(game: str) -> str:
    """Return the line at the foot of a page of a published game, or an empty text for other games."""
    right = rights().get(game)
    if right is None or not right.author:
        return ""
    said = "picture-unofficial" if right.publisher else "picture-unofficial-author"
    return say(said, title=right.title, author=right.author, publisher=right.publisher)
