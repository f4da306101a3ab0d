"""Rewrite an unreadable line of a scenario: replace common phrases until the line can be read.

Only the words of the line are used.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final

from rulewright.dsl.diagnostics.advice import Help, form, write
from rulewright.dsl.parsing.hints import whole
from rulewright.dsl.text.names import NAME

LONGEST: Final = 200
"""The maximum length of a line that is rewritten, in characters."""
_P: Final = rf"((?!(?:expect|offered|refused|given|play|option|player|from)\b){NAME})"
NAMES: Final = ("ann", "bob", "cleo", "dora", "emil", "fay", "gil", "hana", "ivo", "jo", "kim", "lea")  # fmt: skip
_COUNTED: Final = re.compile(r"players? ?[=:]? ?(\d+)(?: players?)?")
_LISTED: Final = re.compile(r"(?:with )?players? ?[=:]? ?(\w+(?:(?:,? and |, ?| & )\w+)*)")
_DOES: Final = re.compile(rf"{_P} ([a-z_]+s)(?: (?:the |an? )?(.+))?")
_NO_OPTIONS: Final = re.compile("is|has|sees|wins|plays|was|does|loses|gets|gains|gives")
_LOOSE: Final = re.compile(rf"({NAME})[ \t]+({NAME})")
_STEP: Final = re.compile(r"(?:set|add|lose|move|shuffle) ")
_GIVEN: Final = re.compile(r"given:? (.+)")

_ALSO_ASKED: Final = re.compile(rf"expect (.+) and ({NAME} is (?:not )?asked)")
_ASKED_FIRST: Final = re.compile(rf"expect ({NAME} is (?:not )?asked) and (.+)")
_NOT_ASKED: Final = re.compile(rf"expect not ({NAME}) is asked")
_SEVERAL_TEXTS: Final = re.compile(
    rf'(expect log (?:of {NAME} )?)("[^"]*"(?: ?(?:, and|,|and|then) ?"[^"]*")+)'
)
_LIES: Final = re.compile(
    r"([a-z_][\w.]*(?:\(.*\))?) (?:is|are|=|:=|has|have|holds|contains) \(?([a-z_]\w*(?:, [a-z_]\w*)+)\)?"
)


def in_two_lines(text: str) -> str:
    """Split a line that states two expectations, one of which says who is asked or not asked.
    Return "" for any other line.
    """
    text = " ".join(text.split())
    found = _ALSO_ASKED.fullmatch(text) or _ASKED_FIRST.fullmatch(text)
    if found is not None:
        return f"expect {found[1]}\nexpect {found[2]}"
    turned = _NOT_ASKED.fullmatch(text)
    return f"expect {turned[1]} is not asked" if turned is not None else ""


def texts_in_order(text: str) -> str:
    """Rewrite a line that expects in the log several texts separated by a comma or `and`. Return
    "" for any other line.
    """
    found = _SEVERAL_TEXTS.fullmatch(" ".join(text.split()))
    if found is None:
        return ""
    return found[1] + re.sub(r'" ?(?:, and|,|and|then) ?"', '" before "', found[2])


def option_instead(said: str) -> Help:
    """Return help that gives the name of an option that the author wrote in other words, such as
    `buy apple`. Return "" if there is none.
    """
    loose = _LOOSE.fullmatch(said)
    if loose is not None:
        return write(f"{loose[1]}({loose[2]})")
    if not said.startswith('"'):
        return ""
    all_words = re.findall(r"\w+", said.lower())
    verb, *about = [word for word in all_words if word not in ("the", "a", "an")] or [""]
    wanted = f"{verb}({'_'.join(about)})" if about else verb
    option = "_".join(all_words)
    if option != wanted:
        words = write(option) + " for an option with these words, "
        return words + form(wanted) + " for an action"
    return write(wanted) if wanted else "write it like `buy(apple)`"


def repaired_line(line: str, player: str, reads: Callable[[str], bool]) -> str:
    """Return the replacement for an unreadable line of a scenario, or "" if none is known."""
    head, _, below = line.partition("\n")
    text = " ".join(head.split())
    if len(text) > LONGEST:
        return ""
    for way in _ways(text, player):
        for said in (way, re.sub(r" ==? ", " is ", way)):
            if said != text and reads(f"{said}\n{below}" if below else said):
                return said
    given = None if below else _GIVEN.fullmatch(text)
    if given is not None:
        step = repaired_step(given[1], lambda step: reads(f"given\n        {step}"))
        if not step and reads(f"given\n        {given[1]}"):
            step = given[1]
        return _below("given", step) if step else ""
    if not below and _STEP.match(text) and reads(f"given\n        {text}"):
        return _below("given", text)
    return ""


def _below(head: str, lines: str) -> str:
    return "\n    ".join((head, *lines.split("\n")))


def repaired_step(line: str, reads: Callable[[str], bool]) -> str:
    """Return the step for a row below `given` that describes a state, or "" if none is known."""
    text = " ".join(line.split())
    if len(text) > LONGEST:
        return ""
    lies = _LIES.fullmatch(text)
    if lies is not None:
        return "\n".join(f"move {name} to {lies[1]}" for name in lies[2].split(", "))
    return next((step for step in whole("scenario steps", text) if reads(step)), "")


def _ways(text: str, player: str) -> Iterator[str]:
    counted = _COUNTED.fullmatch(text)
    if counted is not None and 0 < int(counted[1]) <= len(NAMES):
        yield f"player {', '.join(NAMES[: int(counted[1])])}"
    listed = _LISTED.fullmatch(text)
    if listed is not None:
        yield f"player {', '.join(re.split(r',? and |, ?| & ', listed[1].lower()))}"
    yield from whole("scenario lines", text)
    bare = re.fullmatch(r"(offered|refused) (?!exactly|nothing|only)(\w+(?:\(.*\))?)", text)
    if bare is not None and player:
        yield f"{bare[1]} {player} plays {bare[2]}"
    does = _DOES.fullmatch(text)
    if does is not None and not _NO_OPTIONS.fullmatch(does[2]):
        verb = does[2] if does[2].endswith("ss") else does[2].removesuffix("s")
        verb = verb.removesuffix("e") if verb.endswith(("sse", "she", "che", "xe")) else verb
        yield f"{does[1]} plays {verb}({does[3]})" if does[3] else f"{does[1]} plays {verb}"
    alone = re.fullmatch(r"(?:play|choose|do|take) (\w+(?:\(.*\))?)", text)
    if alone is not None and player:
        yield f"{player} plays {alone[1]}"
