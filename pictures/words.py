"""All words of pictures that are not from the rules of a game, by name.

`web/words.py` includes these words, together with the sentences of its own pages.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

WORDS: Mapping[str, str] = MappingProxyType(
    {
        "picture-question": "Question",
        "picture-log": "What happened",
        "picture-table": "Table",
        "picture-decides": "{name} decides",
        "picture-decides-about": "{name} decides: {prompt}",
        "picture-chance": "chance",
        "picture-again": "Show all options",
        "picture-whole": "Whole board",
        "picture-draw": "The game is over: a draw.",
        "picture-wins": "The game is over: {name} wins.",
        "picture-win": "The game is over: {names} and {name} win.",
        "picture-you": "you",
        "picture-acts": "decides",
        "picture-out": "out",
        "picture-empty": "empty",
        "picture-below": "{count} below",
        "picture-hidden-below": "below",
        "picture-hidden": "hidden",
        "picture-many-hidden": "{count} hidden",
        "picture-choices": "{count} choices: {choices}",
        "picture-column": "column {column}",
        "picture-row": "row {row}",
        "picture-bare": "{count} more with nothing on them",
        "picture-copies": "{count} copies",
        "picture-look": "Look of {title}",
        "picture-unofficial": "Unofficial. {title} is by {author}, published by {publisher}, who have no part in this.",
        "picture-unofficial-author": "Unofficial. {title} is by {author}, who has no part in this.",
        "picture-print": "{title}: print and play",
    }
)


def say(name: str, /, **parts: object) -> str:
    """Return words with their values inserted."""
    return WORDS[name].format_map(parts) if parts else WORDS[name]
