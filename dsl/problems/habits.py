"""What people write out of habit, from rulebooks and from programming languages, and what is written instead.

Knows no names of a game; refuses to say what is wrong, only what to write.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

HEADS: Final[Mapping[str, str]] = {
    "draw": "write `move 1 from deck to me.hand`",
    "deal": "write `each player`, and below it `move 5 from deck to me.hand`",
    "discard": "write `move card to discards`",
    "place": "write `move piece to zone`",
    "put": "write `move piece to zone`",
    "take": "write `move piece to zone`, or `lose 2 from me.coins`",
    "give": "write `move piece to player.zone`, or `add 2 to player.coins`",
    "gain": "write `add 2 to me.coins`",
    "get": "write `add 2 to me.coins`",
    "increase": "write `add 1 to me.coins`",
    "decrease": "write `lose 1 from me.coins`",
    "subtract": "write `lose 1 from me.coins`",
    "remove": "write `lose 1 from me.coins`, or `move piece to zone`",
    "spend": "write `pay 3 from me.coins`",
    "buy": "write `pay 3 from me.coins`, and `move piece to zone`",
    "sell": "write `move piece to zone`, and `add 3 to me.coins`",
    "reveal": "write `show piece to player`, or move it to a zone that all see",
    "pass": 'write `option "pass"`: an option needs nothing below it',
    "each": "write `each player`",
    "every": "write `each player`, or `for each x in PLACE`",
    "round": "write `repeat 3 times`, and below it `each player`",
    "rounds": "write `repeat 3 times`, and below it `each player`",
    "turn": "write `each player`, and below it what is done in a turn",
    "when": "write `whenever`, or inside of a rule `if`",
    "switch": "write `if` and `else if`, or `by(x: a then 1, b then 2)` for a value",
    "case": "write `if` and `else if`, or `by(x: a then 1, b then 2)` for a value",
    "end": "a block ends where a line stands less deep; `end game` ends the game",
    "endif": "a block ends where a line stands less deep",
    "number": "write `state NAME: 0..99`",
    "int": "write `state NAME: 0..99`",
    "integer": "write `state NAME: 0..99`",
    "bool": "write `state NAME: Flag`",
    "boolean": "write `state NAME: Flag`",
    "flag": "write `state NAME: Flag`",
    "hand": "write `zone hand: set of Card, seen by owner except size`, below `player`",
    "map": "write `space`, and `link` for what joins spaces",
    "print": 'write `log "words"`',
    "message": 'write `log "words"`',
    "elif": "write `else if`",
    "elsif": "write `else if`",
    "elseif": "write `else if`",
    "unless": "write `if not`",
    "while": "write `repeat while`",
    "until": "write `repeat until`",
    "loop": "write `repeat`",
    "for": "write `for each`",
    "foreach": "write `for each`",
    "break": "write `stop`",
    "continue": "write `skip`",
    "return": "a `value` gives something back, a `rule` does steps; `stop` leaves a loop",
    "require": 'write `needs CONDITION else "REASON"`',
    "requires": 'write `needs CONDITION else "REASON"`',
    "must": 'write `needs CONDITION else "REASON"`',
    "card": "write `piece Card`",
    "component": "write `piece`",
    "deck": "write `zone deck: pile of Card`",
    "var": "a number that is kept is a `state`, one that is worked out a `value`; inside of a rule write `let`",
    "const": "write `value`",
    "function": "write `rule` for steps, `value` for what is worked out",
    "def": "write `rule` for steps, `value` for what is worked out",
    "enum": "write `kind`",
    "class": "write `piece`, or `kind`",
    "import": 'write `include "cards.game"`',
}
"""First words of lines that the language does not have."""

VALUES: Final[Mapping[str, str]] = {
    "true": "write `yes`",
    "false": "write `no`",
    "null": "write `nothing`",
    "none": "write `nothing`, or `empty` for a zone",
    "nobody": "write `nothing`",
    "my": "write `me.`",
    "self": "write `me`",
    "this": "write `me` for the player, or the name that was given",
    "current_player": "write `me`",
}
"""Names in expressions that the language does not have."""

_NUMBERS: Final = "a number is said by its range: write `0..20`"

TYPES: Final[Mapping[str, str]] = {
    "number": _NUMBERS,
    "int": _NUMBERS,
    "integer": _NUMBERS,
    "num": _NUMBERS,
    "bool": "write `Flag`",
    "boolean": "write `Flag`",
    "string": "words are not kept; a `kind` names the values there can be",
    "text": "words are not kept; a `kind` names the values there can be",
    "color": "write `kind Color = red, blue`",
    "colour": "write `kind Colour = red, blue`",
    "list": "write `list of 5 TYPE`",
}
"""Types that the language does not have."""

HOW_MANY: Final = frozenset({"count", "length", "len", "number", "amount", "cards", "how_many"})
"""What is written for `.size`."""

_ARTICLES: Final = ("the", "a", "an")


def of_line(words: Sequence[str], near: str) -> str:
    """Help with a line whose first word is none of the language; `near` is what a misspelling would be."""
    if "=" in words and "is" not in words:
        at = words.index("=")
        place = "".join(words[:at])
        sign = words[at - 1]
        amount = " ".join(words[at + 1 :])
        if sign in ("+", "-"):
            place = "".join(words[: at - 1])
            verb = f"add {amount} to" if sign == "+" else f"lose {amount} from"
            return f"write `{verb} {place}`"
        return f"write `set {place} to {amount}`"
    if near:
        return near
    found = HEADS.get(words[0].casefold())
    if found is not None:
        return found
    if "else" in words:
        return 'a condition stands behind a word: write `needs CONDITION else "REASON"`'
    if "is" in words or "<" in words or ">" in words:
        return "a condition stands behind a word: `if`, `needs`, or `repeat until`"
    return ""


def of_word(before: str, word: str, behind: str) -> str:
    """Help with a word that does not go on with what is before it."""
    if before in _ARTICLES:
        return f"leave `{before}` away: write `{word}`"
    if before in ("my", "his", "her", "their", "your"):
        return f"write `me.{word}`" if before == "my" else f"write the player and a dot: `p.{word}`"
    if word == "of" and behind:
        return f'a dot reads "of": write `{behind}.{before}`'
    return ""
