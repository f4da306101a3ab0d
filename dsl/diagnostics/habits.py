"""What people write out of habit, from rulebooks and from programming languages, and what is written instead.

Knows no names of a game; does not say what is wrong, only what to write.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Final

HEADS: Final[Mapping[str, str]] = {
    "draw": "write `move 1 from deck to me.hand`",
    "deal": "write `each player`, and below it `move 5 from deck to me.hand`",
    "discard": "write `move card to discards`",
    "fail": 'write `needs CONDITION else "REASON"`: what is impossible is not offered',
    "abort": 'write `needs CONDITION else "REASON"`: what is impossible is not offered',
    "cancel": 'write `needs CONDITION else "REASON"`: what is impossible is not offered',
    "raise": 'write `needs CONDITION else "REASON"`: what is impossible is not offered',
    "wait": "leave it away: who can do nothing else has an `option`",
    "at": "write `whenever CONDITION`, and below it what happens then",
    "hidden": "write `seen by nobody` behind the zone",
    "swap": "write `let before = a`, then `set a to b` and `set b to before`",
    "exchange": "write `let before = a`, then `set a to b` and `set b to before`",
    "call": "write `do`",
    "run": "write `do`",
    "execute": "write `do`",
    "perform": "write `do`",
    "choice": "write `choose one of`, and below it `option` and `do` lines",
    "select": "write `choose x in PLACE`",
    "pick": "write `choose x in PLACE`",
    "ask": 'write `choose x in PLACE`, or `may "words"` for yes or no',
    "flip": "write `show piece to players`, or move it to a zone that all see",
    "return_card": "write `move card to zone`",
    "throw": "write `roll n in 1..6`",
    "assert": 'write `needs CONDITION else "REASON"`, or `invariant "words" = CONDITION`',
    "check": 'write `needs CONDITION else "REASON"`',
    "ensure": 'write `needs CONDITION else "REASON"`',
    "victory": "write `winner p by p.total`, or `win me` and `end game` in a rule",
    "winner_is": "write `win p`",
    "wins": "write `win me`",
    "goto": "write `do RULE`",
    "dim": "write `let NAME = 0`",
    "try": "write `if possible`, and its steps below it; what is done where they cannot be, below `otherwise`",
    "catch": "write `otherwise`",
    "except": "write `otherwise`",
    "global": "leave it away: a `state` is known in all rules",
    "exit": "write `stop` to leave a loop, `end game` to end the game",
    "quit": "write `stop` to leave a loop, `end game` to end the game",
    "del": "nothing leaves the game: write `move PIECE to ZONE`, with a zone for what is out of play",
    "destroy": "nothing leaves the game: write `move PIECE to ZONE`, with a zone for what is out of play",
    "start": "steps at the beginning stand below `setup`, those of the game below `play`",
    "begin": "steps at the beginning stand below `setup`, those of the game below `play`",
    "main": "write `play`",
    "init": "write `setup`",
    "on": "write `whenever CONDITION`, or `after ACTION`",
    "event": "write `whenever CONDITION`, or `after ACTION`",
    "trigger": "write `whenever CONDITION`, or `after ACTION`",
    "resource": "write `token NAME`, and `zone NAME: tokens of NAME` where some lie",
    "resources": "write `token NAME`, and `zone NAME: tokens of NAME` where some lie",
    "dice": "write `roll n in 1..6` where it is thrown, or `die NAME = 1, 1, 2, 3` for other faces",
    "field": "write `space Field grid 8 by 8`, or `space Field` and `row` lines",
    "cell": "write `space Cell grid 8 by 8`",
    "grid": "write `space Cell grid 8 by 8`",
    "tile": "write `piece Tile`",
    "pawn": "write `piece Pawn per player`",
    "type": "write `kind`",
    "variable": "a number that is kept is a `state`, one that is worked out a `value`; inside of a rule write `let`",
    "define": "a number that is kept is a `state`, one that is worked out a `value`",
    "constant": "write `value`",
    "procedure": "write `rule`",
    "method": "write `rule` for steps, `value` for what is worked out",
    "func": "write `rule` for steps, `value` for what is worked out",
    "points": 'write `score of p`, and below it `item "words" = NUMBER`',
    "scoring": 'write `score of p`, and below it `item "words" = NUMBER`',
    "ending": "write `whenever CONDITION`, and below it `end game`",
    "description": 'write `note "words"`',
    "author": 'write `by "NAME"` below the `game` line',
    "name": 'write `game "NAME"`',
    "title": 'write `game "NAME"`',
    "comment": "write `# words`",
    "rem": "write `# words`",
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
    "reveal": "write `show piece to players`, or move it to a zone that all see",
    "pass": 'leave it away; who may do nothing has `option "pass"`, with nothing below it',
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
    "side": "write `side of p: Side = VALUE`, and above it `kind Side = north, south`",
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
"""What is written for the owner, behind `seen by`."""

OUT: Final = frozenset({"eliminated", "out", "dead", "out_of_play", "out_of_game"})
"""What is written for who is not in play any more."""

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
"""What is written for `.size`."""

_ARTICLES: Final = ("the", "a", "an")


def _of_several(words: Sequence[str]) -> str:
    """Help with a line that is told by more than its first word."""
    first = words[0].casefold()
    behind = " ".join(words[1:])
    if first in ("each", "every", "all", "the") and "other" in words[1:3]:
        return (
            "write `let taker = me`, and below it `each player from me.left where me is not taker`: below that line "
            "`me` is each of them"
        )
    if first in ("swap", "exchange") and len(words) > 3:
        middle = next((n for n, word in enumerate(words) if word in ("with", "and")), 0)
        one, other = "".join(words[1:middle]), "".join(words[middle + 1 :])
        if middle and one and other:
            return f"write `let before = {one}`, then `set {one} to {other}` and `set {other} to before`"
    if first in ("next", "following", "change") and behind in ("player", "turn", "the player"):
        return "leave it away: `each player` lets one play after the other"
    if first in ("skip", "lose", "miss") and behind in ("turn", "a turn", "next turn"):
        return "write `skip`: the loop goes on with the next player"
    if first == "end" and behind in ("turn", "round", "phase"):
        return "leave it away: a turn ends where its steps end; `stop` leaves the loop around it"
    if first in ("game", "the") and behind in ("over", "ends", "game ends", "game is over"):
        return "write `end game`"
    if first in ("shuffle",) or len(words) < 2:
        return ""
    return ""


def of_line(words: Sequence[str], near: str) -> str:
    """Help with a line whose first word is none of the language; `near` is what a misspelling would be."""
    if "=" in words and "is" not in words:
        at = words.index("=")
        place = "".join(words[:at])
        sign = words[at - 1]
        amount = _joined(words[at + 1 :])
        if not place and amount.startswith("= "):
            return f"write `is {amount[2:]}` at the end of the line before"
        if not place:
            return f"write `= {amount}` at the end of the line before, or `set NAME to {amount}` for a step"
        if len(words) > 2 and words[1] == ":" and at > 2:
            return f"write `state {words[0]}: {''.join(words[2:at])} = {amount}`"
        if words[0] in ("until", "while") and at > 1:
            return (
                f"write `repeat {words[0]} {''.join(words[1:at])} is {amount}`, and its steps below"
            )
        if any(a.isidentifier() and b.isidentifier() for a, b in pairwise(words[:at])):
            return near  # two names do not stand side by side in a place
        if sign in ("+", "-"):
            place = "".join(words[: at - 1])
            verb = f"add {amount} to" if sign == "+" else f"lose {amount} from"
            return f"write `{verb} {place}`"
        return f"write `set {place} to {amount}`"
    is_path = len(words) > 1 and words[1] in (".", "is", "<", ">", "<=", ">=", "in")
    found = _of_several(words) or ("" if is_path else HEADS.get(words[0].casefold(), ""))
    if found:
        return found
    if near:
        return near
    if "else" in words:
        return 'a condition stands behind a word: write `needs CONDITION else "REASON"`'
    if "is" in words or "<" in words or ">" in words:
        return "a condition stands behind a word: `if`, `needs`, or `repeat until`"
    return ""


def _joined(words: Sequence[str]) -> str:
    """Words with blanks between them, and none around dots and within brackets."""
    said = " ".join(words)
    for sign in (" . ", " (", "( ", " )", " ,"):
        said = said.replace(sign, sign.strip() if sign != " (" or said[:1] != "(" else sign)
    return said


def of_word(before: str, word: str, behind: str) -> str:
    """Help with a word that does not go on with what is before it."""
    if before in _ARTICLES:
        return f"leave `{before}` away: write `{word}`"
    if before in ("my", "his", "her", "their", "your"):
        return f"write `me.{word}`" if before == "my" else f"write the player and a dot: `p.{word}`"
    if word == "of" and behind:
        return f'a dot reads "of": write `{behind}.{before}`'
    return ""


SIZES_OF: Final = frozenset({"empty", "is_empty", "isempty", "none"})
"""What is written for `is empty`, behind a dot."""

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
