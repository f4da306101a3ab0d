"""The line to write in place of one of a scenario that cannot be read: usual turns of phrase, until one can be.

Looks at the words of a line alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final

from rulewright.dsl.text.names import NAME

LONGEST: Final = 200
"""Letters of a line that is written anew."""
_P: Final = rf"((?!(?:expect|offered|refused|given|play|option|player|from)\b){NAME})"
_HERE: Final = r"[a-z_][\w.]*(?:\([^()]*\))?"
_PLAYS: Final = rf"((?:(?:offered|refused) )?{NAME} plays)"
NAMES: Final = ("ann", "bob", "cleo", "dora", "emil", "fay", "gil", "hana", "ivo", "jo", "kim", "lea")  # fmt: skip
_COUNTED: Final = re.compile(r"players? ?[=:]? ?(\d+)(?: players?)?")
_LISTED: Final = re.compile(r"(?:with )?players? ?[=:]? ?(\w+(?:(?:,? and |, ?| & )\w+)*)")
_DOES: Final = re.compile(rf"{_P} ([a-z_]+s)(?: (?:the |an? )?(.+))?")
_NO_OPTIONS: Final = ("is", "has", "sees", "wins", "plays", "was", "does", "loses", "gets", "gains")
_STEP: Final = re.compile(r"(?:set|add|lose|move|shuffle) ")
_GIVEN: Final = re.compile(r"given:? (.+)")

_ROLLED: Final = r"(?:dice|die|rolls?|rolled|chance|random)(?: gives?| is| are| shows?| =|:)?"
# (what is written, what is to be written)
_LINES: Final = tuple(
    (re.compile(pattern), instead)
    for pattern, instead in (
        (r"given ?:", r"given"),
        (rf"{_PLAYS} do (.+)", r"\1 \2"),
        (rf"{_PLAYS} (.+[\w)])[.;,]", r"\1 \2"),
        (rf"{_PLAYS} (\w+\() *[a-z_]\w* ?[:=] ?([^,()]+), *[a-z_]\w* ?[:=] ?([^,()]+)\)(.*)", r"\1 \2\3, \4)\5"),
        (rf"{_PLAYS} (\w+\() *[a-z_]\w* ?[:=] ?(.+)", r"\1 \2\3"),
        (r"given (\".*\")", r"from \1"),
        (rf"(?:expect )?{_P} (?:is the winner|has won|won|wins|wins the game)", r"expect winners is \1"),
        (rf"(?:expect )?(?:the )?winner ({NAME})", r"expect winners is \1"),
        (r"(?:expect )?(?:the )?game (?:is |has )?(?:over|ended|ends)", "expect game_over"),
        (rf"(?:expect )?(?:not|no longer) (?:offered|possible):? {_P} plays (.+)", r"refused \1 plays \2"),
        (rf"expect (offered|refused) ({NAME} plays .+)", r"\1 \2"),
        (r"play (\d+)", r"play \1 steps"),
        (r"play (?:randomly|at random)", "play to the end"),
        (r"expect (log|prompt|view|no log) ([^\"]+)", r'expect \1 "\2"'),
        (rf"(?:expect )?(?:the )?(?:score|total|points) of ({NAME}) (?:is|=|==) (.+)", r"expect \1.total is \2"),
        (rf"expect ({_HERE}) ([<>]=?) (\S+) and ([<>]=?) (\S+)", r"expect \1 \2 \3 and \1 \4 \5"),
        (rf"offered {_P} plays (.+, .+)", r"offered exactly \2"),
        (rf"(?:expect )?(?:the )?winner ?(?:is|=|:) ?({NAME})", r"expect winners is \1"),
        (rf"(?:expect )?(?:it is |the )?(?:turn|player|next)(?: is| of| to move is) ({NAME})", r"expect \1 is asked"),
        (rf"(?:expect )?(?:it is )?({NAME})'s turn", r"expect \1 is asked"),
        (rf"{_P} is asked", r"expect \1 is asked"),
        (rf"(?:expect )?{_P} (?:can't|can ?not|does not|doesn't) see (.+)", r"\1 cannot see \2"),
        (rf"(?:expect )?{_P} (?:can )?sees? (.+)", r"\1 sees \2"),
        (rf"(?:expect )?{_P} (?:can't|can ?not|may not|must not) (?:play |choose |do )?(.+)", r"refused \1 plays \2"),
        (rf"(?:expect )?{_P} (?:can|may|could) (?:play |choose |do )?(.+)", r"offered \1 plays \2"),
        (rf"{_P} plays (.+?) (?:fails|is refused|is impossible|is not possible|not possible)", r"refused \1 plays \2"),
        (r"offered (?:only|exactly ?:) ?(.+)", r"offered exactly \1"),
        (r"expect (offered (?:exactly .+|nothing else))", r"\1"),
        (rf"{_PLAYS} (\w+) (?:at|on|to|with|for|in|of|into|from) (\w+)", r"\1 \2(\3)"),
        (rf"expect {_P} has (\d+) (\w+)", r"expect \1.\3 is \2"),
        (rf"(?:expect )?(offered|refused):? {_P} (?!plays)(.+)", r"\1 \2 plays \3"),
        (r"(?:set )?option (\w+) ?(?:=|:|to|is set to)? ?(\w+)", r"option \1 is \2"),
        (r"(?:expect )?(?:offered |the )?(?:only|options?|choices)(?: are|:)? (?!\w+ is )(.+)", r"offered exactly \1"),
        (r"(offered|refused): ?(.+)", r"\1 \2"),
        (rf"(refused {NAME} plays .+?),? (?:because )?(\".*\")", r"\1 because \2"),
        (rf"(refused {NAME} plays .+?),? because ([^\"]+)", r'\1 because "\2"'),
        (rf"(?:when|if|then|next|and|step) {_P} plays (.+)", r"\1 plays \2"),
        (rf"{_P}:? (?:does|do|takes|chooses|choose|play|uses|picks|selects|plays:) (.+)", r"\1 plays \2"),
        (rf"{_P}: ?(.+)", r"\1 plays \2"),
        (rf"{_PLAYS} (\w+) ([^\s\"].*)", r"\1 \2(\3)"),
        (rf"play (?!until|till|while|up|on|for|to){_P} (\w.*)", r"\1 plays \2"),
        (rf"{_ROLLED} ([^()]+, .+)", r"chance gives (\1)"),
        (rf"{_ROLLED} (.+)", r"chance gives \1"),
        (r"shuffle(?: gives| is| =|:)? ([^()]+, .+)", r"shuffle gives (\1)"),
        (r"shuffle(?: is| =|:)? (.+)", r"shuffle gives \1"),
        (r"play (?:until|till|up to|to) (?:the )?end(?: of the game)?|play (?:on|the game|it out)", r"play to the end"),
        (r"play (\d+) (?:rounds?|turns?|moves?|decisions?|times)(.*)", r"play \1 steps\2"),
        (r"play (to the end|\d+ steps),? (?:seed|with|random)(?: seed)?(?: =|:)? ?(\d+)", r"play \1 with seed \2"),
        (r"(?:expect )?(?:log|message|told|text|output|words)(?: is|:)? (\".*\")", r"expect log \1"),
        (r"expect (\".*\")", r"expect log \1"),
        (r"(?:expect )?(?:an? )?(?:error|fault|failure|fails|exception)(?: is|:)? (\".*\")", r"fault \1"),
        (rf"(?:expect )?({_HERE}) (?:contains|includes|holds) ({_HERE})", r"expect \2 in \1"),
        (rf"(?:expect )?{_P} (?:(?:is )?to (?:play|move|act)|plays next|is (?:next|up))", r"expect \1 is asked"),
        (r"(?:the )?(?:next|first|following) shuffle(?: gives| is| =|:)? ([^()]+)", r"shuffle gives (\1)"),
        (r"(?:the )?(?:next|first) (?:roll|chance|die|dice)(?: gives| is| =|:)? ([^()]+)", r"chance gives \1"),
        (r"(?:expect )?same as ([^\"]+)", r'expect same as "\1"'),
        (r"(?:begin|begins|start|starts|from|like|as in) ([^\"]+)", r'from "\1"'),
        (r"(?:begin|begins|start|starts|use|like|as in)(?: from| with)? (\".*\")", r"from \1"),
        (r"(.+) should (?:be|equal|equals) (.+)", r"expect \1 is \2"),
        (r"(?:expect|assert|check|require|verify|ensure|then|and)(?: that|:)?:? (.+)", r"expect \1"),
        (r"(?!expect)(.+(?: is | in |[<>=]).+)", r"expect \1"),
    )
)  # fmt: skip
_ALSO_ASKED: Final = re.compile(rf"expect (.+) and ({NAME} is (?:not )?asked)")
_NOT_ASKED: Final = re.compile(rf"expect not ({NAME}) is asked")
_LIES: Final = re.compile(
    r"([a-z_][\w.]*(?:\(.*\))?) (?:is|are|=|:=|has|have|holds|contains) \(?([a-z_]\w*(?:, [a-z_]\w*)+)\)?"
)
_STEPS: Final = tuple(
    (re.compile(pattern), instead)
    for pattern, instead in (
        (rf"{_P} has (\d+) (\w+)", r"set \1.\3 to \2"),
        (r"([a-z_][\w.]*(?:\(.*\))?) (?:is|=|:=|:) (yes|no|nothing|empty|\d+)", r"set \1 to \2"),
        (r"([a-z_]\w*) (?:is )?(?:in|on|at) ([a-z_][\w.]*(?:\(.*\))?)", r"move \1 to \2"),
        (r"([a-z_][\w.]*(?:\(.*\))?) (?:has|holds|contains) ([a-z_]\w*)", r"move \2 to \1"),
        (r"([a-z_][\w.]*(?:\(.*\))?) (?:is|=|:=|:) (.+)", r"set \1 to \2"),
    )
)


def in_two_lines(text: str) -> str:
    """The lines to write for one that expects something, and who is (not) asked; "" for any other."""
    found = _ALSO_ASKED.fullmatch(" ".join(text.split()))
    if found is not None:
        return f"expect {found[1]}` and `expect {found[2]}"
    turned = _NOT_ASKED.fullmatch(" ".join(text.split()))
    return f"expect {turned[1]} is not asked" if turned is not None else ""


def mended_line(line: str, player: str, reads: Callable[[str], bool]) -> str:
    """The line to write for a line of a scenario that cannot be read; "" where nothing is known of it."""
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
        step = mended_step(given[1], lambda step: reads(f"given\n        {step}"))
        if not step and reads(f"given\n        {given[1]}"):
            step = given[1]
        return f"given`, and below it `{step}" if step else ""
    if not below and _STEP.match(text) and reads(f"given\n        {text}"):
        return f"given`, and below it `{text}"
    return ""


def mended_step(line: str, reads: Callable[[str], bool]) -> str:
    """The step to write for a row below `given` that says how things are; "" where nothing is known of it."""
    text = " ".join(line.split())
    if len(text) > LONGEST:
        return ""
    lies = _LIES.fullmatch(text)
    if lies is not None:
        return "` and `".join(f"move {name} to {lies[1]}" for name in lies[2].split(", "))
    for pattern, instead in _STEPS:
        found = pattern.fullmatch(text)
        if found is not None and reads(found.expand(instead)):
            return found.expand(instead)
    return ""


def _ways(text: str, player: str) -> Iterator[str]:
    counted = _COUNTED.fullmatch(text)
    if counted is not None and 0 < int(counted[1]) <= len(NAMES):
        yield f"player {', '.join(NAMES[: int(counted[1])])}"
    listed = _LISTED.fullmatch(text)
    if listed is not None:
        yield f"player {', '.join(re.split(r',? and |, ?| & ', listed[1].lower()))}"
    for pattern, instead in _LINES:
        found = pattern.fullmatch(text)
        if found is not None:
            yield found.expand(instead)
    bare = re.fullmatch(r"(offered|refused) (?!exactly|nothing|only)(\w+(?:\(.*\))?)", text)
    if bare is not None and player:
        yield f"{bare[1]} {player} plays {bare[2]}"
    does = _DOES.fullmatch(text)
    if does is not None and does[2] not in _NO_OPTIONS:
        verb = does[2] if does[2].endswith("ss") else does[2].removesuffix("s")
        verb = verb.removesuffix("e") if verb.endswith(("sse", "she", "che", "xe")) else verb
        yield f"{does[1]} plays {verb}({does[3]})" if does[3] else f"{does[1]} plays {verb}"
    alone = re.fullmatch(r"(?:play|choose|do|take) (\w+(?:\(.*\))?)", text)
    if alone is not None and player:
        yield f"{player} plays {alone[1]}"
