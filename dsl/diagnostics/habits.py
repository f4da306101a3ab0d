"""Lists words that people write out of habit, from rulebooks and programming languages, with their replacements.

Knows no names of a game; gives only replacements, no messages.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

COUNTED: Final[Mapping[str, str]] = {
    word: str(number)
    for number, word in enumerate(
        (
            "zero",
            "one",
            "two",
            "three",
            "four",
            "five",
            "six",
            "seven",
            "eight",
            "nine",
            "ten",
            "eleven",
            "twelve",
        )
    )
}
"""Numbers in words."""

VALUES: Final[Mapping[str, str]] = {
    "true": "write `yes`",
    "false": "write `no`",
    "null": "write `nothing`",
    "undefined": "write `nothing`",
    "math": "write `max(a, b)`, `min(a, b)` or `abs(n)`; `/` rounds down by itself",
    "none": "write `nothing`, or `empty` for a zone",
    "nobody": "write `nothing`",
    "my": "write `me`",
    "self": "write `me`",
    "this": "write `me` for the player, or the name that was given",
    "it": "write the name that was given",
    "that": "write the name that was given",
    "current_player": "write `me`",
    "active_player": "write `me`",
    "the_player": "write `me`",
    "you": "write `me`",
    "opponent": "write `me.left`, or `p in players where p is not me`",
    "opponents": "write `list(p in players where p is not me)`",
    "other_player": "write `me.left`, or `p in players where p is not me`",
    "others": "write `list(p in players where p is not me)`",
    "next_player": "write `me.left`",
    "previous_player": "write `me.right`",
    "first_player": "write `the(p in players where p.number is 1)`",
    "all_players": "write `players`",
    "everyone": "write `players`",
    "everybody": "write `players`",
    "anyone": "write `any(p in players where ...)`",
    "number_of_players": "write `player_count`",
    "num_players": "write `player_count`",
    "infinity": "a number has a range: write the highest that can come up",
    "game": "write `me`, the player who wins",
    "nonempty": "write `not empty`",
    "score": "write `p.total` for all points, `p.item(NAME)` for one item",
    "points": "write `p.total` for the sum of the score",
    "option": "an option is asked by its name alone: `length is long`",
    "winner": "write `winners`, those who have won, once the game is over",
    "turn": "write `me` for who is acting; a scenario says `expect ann is asked`",
    "random": "write `roll n in 1..6` in a rule, and use `n`",
    "even": "write `mod(n, 2) is 0`",
    "odd": "write `mod(n, 2) is 1`",
    **{word: f"write `{number}`" for word, number in COUNTED.items()},
}
"""Names in expressions that the language does not have."""

OWNERS: Final = frozenset({"me", "self", "player", "mine", "you", "holder", "active_player"})
"""Words that people write for the owner, after `seen by`."""

OUT: Final = frozenset({"eliminated", "out", "dead", "out_of_play", "out_of_game"})
"""Words that people write for a player who has left the game."""

A_FLAG: Final = "write `Flag`"
_NUMBERS: Final = "a number is said by its range: write `0..20`"

TYPES: Final[Mapping[str, str]] = {
    "number": _NUMBERS,
    "int": _NUMBERS,
    "integer": _NUMBERS,
    "num": _NUMBERS,
    "bool": A_FLAG,
    "boolean": A_FLAG,
    "string": "words are not kept; a `kind` names the values there can be",
    "text": "words are not kept; a `kind` names the values there can be",
    "color": "write `kind Color = red, blue`",
    "colour": "write `kind Colour = red, blue`",
    "list": "write `list of 5 TYPE`",
}
"""Types that the language does not have."""

HOW_MANY: Final = frozenset({"count", "length", "len", "number", "amount", "cards", "how_many"})
"""Words that people write for `.size`."""

_ARTICLES: Final = ("the", "a", "an")


def of_word(before: str, word: str, behind: str) -> str:
    """Help for a word that does not fit after the one before it."""
    if before in _ARTICLES:
        return f"leave `{before}` out: write `{word}`"
    if before in ("my", "his", "her", "their", "your"):
        return f"write `me.{word}`" if before == "my" else f"write the player and a dot: `p.{word}`"
    if word == "of" and behind:
        return f'a dot reads "of": write `{behind}.{before}`'
    return ""


SIZES_OF: Final = frozenset({"empty", "is_empty", "isempty", "none"})
"""Words that people write for `is empty`, after a dot."""

CALLS: Final[Mapping[str, str]] = {
    "player": "write `players.nth(1)`",
    "players": "write `players.nth(1)`",
    "option": "an option is asked by its name alone: `length is long`",
    "dice": "write `roll n in 1..6` in a rule, and use `n`",
    "die": "write `roll n in 1..6` in a rule, and use `n`",
    "roll": "write `roll n in 1..6` in a rule, and use `n`",
    "random": "write `roll n in 1..6` in a rule, and use `n`",
    "rand": "write `roll n in 1..6` in a rule, and use `n`",
    "randint": "write `roll n in 1..6` in a rule, and use `n`",
    "d6": "write `roll n in 1..6` in a rule, and use `n`",
    "sorted": "write `ranking(x in PLACE by x.NUMBER)`",
    "isinstance": "write `x in SORT`",
    "typeof": "write `x in SORT`",
    "enumerate": "write `PLACE`; the place of x in it is asked by `x.position`",
    "floor": "`/` rounds down by itself",
    "ceil": "write `div_up(a, b)`",
    "ceiling": "write `div_up(a, b)`",
    "round": "`/` rounds down by itself; `div_up(a, b)` rounds up",
    "modulo": "write `mod(a, b)`",
    "size": "write `ZONE.size`",
    "len": "write `ZONE.size`",
    "length": "write `ZONE.size`",
    "contains": "write `x in ZONE`",
    "has": "write `x in ZONE`",
    "is_empty": "write `ZONE is empty`",
    "empty": "write `ZONE is empty`",
    "exists": "write `any(x in PLACE where CONDITION)`",
    "not_empty": "write `ZONE is not empty`",
    "distance": "write `a.distance(b)`",
    "adjacent": "write `b in a.neighbors`",
    "next": "write `x.next`",
    "top": "write `PILE.top`",
    "draw": "write `move 1 from deck to me.hand`",
    "shuffle": "write `shuffle deck`, as a line of its own",
}
"""Functions that the language does not have, or not so."""
