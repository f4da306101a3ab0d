"""Address lines of the log to the player they are about: `player 1 draws a card` becomes `you draw a card`.

Only English lines are changed; a line in another language remains unchanged.
"""

from __future__ import annotations

import re
from re import Match

_VERBS = {"is": "are", "has": "have", "does": "do", "goes": "go", "was": "were"}
_FURTHER = (
    "get gain take pay lose give keep put draw play place move mark score win buy sell build choose"
    " return roll receive spend add remove show use discard"
)
_ALSO = _VERBS | {f"{verb}s": verb for verb in _FURTHER.split()}
_AND_ALSO = re.compile(rf"\band ({'|'.join(_ALSO)}) ")
_ENDINGS = (
    ("sses", "ss"),
    ("shes", "sh"),
    ("ches", "ch"),
    ("xes", "x"),
    ("ies", "y"),
    ("ss", ""),
    ("s", ""),
)
_BEFORE_WHO_DOES = (":", ";", ",", "and", "that", "which", "who")
_BEFORE = (
    r"[:;,]|(?<!\w)(?:and|that|which|who|of|for|from|to|by|with|at|against|asks|gives|shows|beats"
    r"|attacks|tells)"
)


def spoken_to(line: str, me: str) -> str:
    """Rewrite a line so that it calls the player `me` "you".

    >>> spoken_to("player 1 carries 2 crates", "player 1")
    'you carry 2 crates'
    >>> spoken_to("player 2 asks player 1: do you hold the king?", "player 1")
    'player 2 asks you: do you hold the king?'
    >>> spoken_to("player 2 looks at the card of player 1", "player 1")
    'player 2 looks at your card'
    >>> spoken_to("player 1 spielt den König", "player 1")
    'player 1 spielt den König'
    """
    if not me or me not in line:
        return line
    who = rf"{re.escape(me)}(?![\w'])"
    line = re.sub(rf"\bthe (\w+) of {who}", r"your \1", _change_subject(line, me))
    return re.sub(rf"({_BEFORE}) {who}(?: (\w+))?", _inside, line)


def _change_subject(line: str, me: str) -> str:
    if not line.startswith(f"{me} "):
        return line
    verb, space, rest = line.removeprefix(f"{me} ").partition(" ")
    if verb == "and":
        return f"you and {rest}"
    known = _for_you(verb)
    if known is None:
        return line
    rest = _AND_ALSO.sub(lambda found: f"and {_ALSO[found[1]]} ", rest)
    return f"you {known}{space}{rest}"


def _inside(found: Match[str]) -> str:
    before, verb = found[1], found[2]
    if verb and before in _BEFORE_WHO_DOES:
        # after `and`, the verb may be plural: `player 2 and player 1 compare`
        known = _for_you(verb) or (verb if before == "and" else None)
        return found[0] if known is None else f"{before} you {known}"
    return f"{before} you {verb}" if verb else f"{before} you"


def _for_you(verb: str) -> str | None:
    """Return the second person of a verb, such as `draw` for `draws`, or None for other words."""
    if verb in _VERBS:
        return _VERBS[verb]
    end, plain = next(((end, to) for end, to in _ENDINGS if verb.endswith(end)), ("", ""))
    return verb.removesuffix(end) + plain if plain or end == "s" else None
