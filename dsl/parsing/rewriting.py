"""The line to write in place of one that cannot be read: usual turns of phrase, and how they are said.

Looks at the words of a line alone; refuses to know names of a game, and to guess where no rule fits.
"""

from __future__ import annotations

import re
from typing import Final

_PLACE = r"[a-z_][\w.]*(?:\([^()]*\))?"
_COINS = r"(?:[a-z_]+)"

# (what is written, what is to be written); the first that fits the whole line counts
_LINES: Final = tuple(
    (re.compile(pattern), instead)
    for pattern, instead in (
        # numbers
        (rf"(?:increase|increment|raise) ({_PLACE}) by (.+)", r"add \2 to \1"),
        (rf"(?:decrease|decrement|reduce|lower) ({_PLACE}) by (.+)", r"lose \2 from \1"),
        (rf"(?:increase|increment|raise) ({_PLACE})", r"add 1 to \1"),
        (rf"(?:decrease|decrement|reduce|lower) ({_PLACE})", r"lose 1 from \1"),
        (rf"({_PLACE}) ?\+ ?\+", r"add 1 to \1"),
        (rf"({_PLACE}) ?- ?-", r"lose 1 from \1"),
        (rf"(?:earn|get|gain|receive) (\d+) ({_COINS})", r"add \1 to me.\2"),
        (rf"(?:spend|pay) (\d+) ({_COINS})", r"pay \1 from me.\2"),
        (rf"lose (\d+) ({_COINS})", r"lose \1 from me.\2"),
        (rf"(?:add|give) (\d+) ({_COINS}) to ({_PLACE})", r"add \1 to \3.\2"),
        (rf"take (\d+) ({_COINS}) from ({_PLACE})", r"lose \1 from \3.\2"),
        (rf"set ({_PLACE}) \+ (.+)", r"add \2 to \1"),
        (rf"set ({_PLACE}) - (.+)", r"lose \2 from \1"),
        (rf"set ({_PLACE})", r"set \1 to yes"),
        (rf"(?:unset|clear|reset) ({_PLACE})", r"set \1 to no"),
        (r"let (\w+) (?:to|be|is) (.+)", r"let \1 = \2"),
        (r"let (\w+)", r"let \1 = EXPRESSION"),
        # pieces
        (
            rf"(?:place|put|move) ({_PLACE}) (?:on top of|on|onto|in|into|at) ({_PLACE})",
            r"move \1 to \2",
        ),
        (rf"move ({_PLACE}) ({_PLACE})", r"move \1 to \2"),
        (rf"move all (?:the )?\w+ from ({_PLACE}) to ({_PLACE})", r"move all from \1 to \2"),
        (rf"move (\w+) of ({_PLACE}) to ({_PLACE})", r"move \1 from \2 to \3"),
        (rf"shuffle ({_PLACE}) into ({_PLACE})", r"move all from \1 to \2` and `shuffle \2"),
        (rf"sort ({_PLACE}) by (\w+)", r"sort x in \1 by x.\2"),
        (r"show (.+) to (?:all|everyone|everybody)", r"show \1 to players"),
        # choices
        (r"choose one of (\w+(?:, \w+)+)", r"choose x in (\1)"),
        (r"(?:choose|either|choose from|choose between):?", "choose one of"),
        (
            r"(?:pick|select|choose) (?:an? |the )?(\w+) (?:from|out of|of|in|among) (.+)",
            r"choose \1 in \2",
        ),
        (r"choose (?:an?|the) (\w+)", r"choose \1 in PLACE"),
        (r"choose (\w+) or (\w+)", r"choose x in (\1, \2)"),
        (r"option (\w+)", r'option "\1"'),
        (r'may "?(\w+)"?', r"may do \1"),
        # steps
        (r"(?:call|run|execute|perform|play) (\w+)(?:\(\))?", r"do \1"),
        (r"(\w+)\(\)", r"do \1"),
        (r"(\w+)(\(.+\))", r"do \1\2"),
        (r'(?:print|message|write|tell|announce) (".*")', r"log \1"),
        (r"(?:assert|require|requires|check|ensure) (.+)", r'needs \1 else "REASON"'),
        (r'needs (.+?)(?:,| or) (".*")', r"needs \1 else \2"),
        (rf"({_PLACE}) (?:wins|win)(?: the game)?", r"win \1"),
        (r"win (?:the )?game", r"win me"),
        (r"(?:game over|end the game|stop (?:the )?game|finish(?: the game)?)", r"end game"),
        (r"(?:skip|miss) (?:the |a |next )?turn", r"skip"),
        (r"roll (?:dice|die|a die|d6|1d6)?(?: ?\((\d+)\))", r"roll n in 1..\1"),
        (r"(?:throw|roll) (?:a|the) (?:die|dice)", r"roll n in 1..6"),
        (
            r"(if|else if|repeat while|repeat until|for each) (.+): (.+)",
            r"\1 \2`, and below it `\3",
        ),
        (
            r"(?:reveal|flip|expose) (?:the )?top(?: card)? of (?:the )?(\w+)",
            r"show \1.top to players",
        ),
        (
            rf"(?:reveal|flip|expose) ({_PLACE})(?: to (?:all|everyone|everybody))?",
            r"show \1 to players",
        ),
        (r"eliminate", "eliminate me"),
        (r"scores?(?: (?:sheet|points|is))?", "score of p"),
        (r"for each (\w+) of (.+)", r"for each \1 in \2"),
        (r"for (?:all|every|each) players?", r"each player"),
        (r"(?:for|foreach|for all|for every) (\w+) (?:in|of) (.+)", r"for each \1 in \2"),
        (r"(?:while|loop while) (.+)", r"repeat while \1"),
        (r"(?:until|loop until) (.+)", r"repeat until \1"),
        (r"repeat (?!while|until|for)(\w+)", r"repeat \1 times"),
        (r"(?:elif|elsif|elseif) (.+)", r"else if \1"),
        (r"unless (.+)", r"if not (\1)"),
        # words in quotes
        (r"(log|note|say|phase|include|invariant|rulebook) ([^\"]*[a-z][^\"=<>]*)", r'\1 "\2"'),
        (r"invariant ([^\"].*[=<>].*)", r'invariant "WORDS" = \1'),
        # declarations
        (r"(\w+): (set|pile|spot|tokens) of (\w+)(.*)", r"zone \1: \2 of \3\4"),
        (r"kind ([A-Za-z]\w*):? \(?(\w+(?:, \w+)+)\)?", "kind {Type} = {rest}"),
        (r"kind ([A-Za-z]\w*) = \(?(\w+(?:, \w+)*)\)?", "kind {Type} = {rest}"),
        (r"token (\w+) = (\d+)", r"token \1`, and `zone bank: tokens of \1 = \2"),
        (r"die (\w+) (?:of|with|:)? ?(.+)", r"die \1 = \2"),
        (r"(?:deck|pile) (\w+) of (\w+)", r"zone \1: pile of \2"),
        (r"zone (\w+): (pile|set|spot) ([A-Z]\w*)(.*)", r"zone \1: \2 of \3\4"),
        (r"zone (\w+): (.+), (?:hidden|secret|face down)", r"zone \1: \2, seen by nobody"),
        (r"zone (\w+): (.+), (?:visible|open|face up|public)", r"zone \1: \2"),
        (r"state (\w+): list of ([\w.]+)", r"state \1: list of \2 up to 10"),
        (r"state (\w+): (?:number|int|integer|num)(.*)", r"state \1: 0..20\2"),
        (r"state (\w+): (?:bool|boolean|flag)(?: = (?:true|yes))", r"state \1: Flag = yes"),
        (r"state (\w+): (?:bool|boolean|flag).*", r"state \1: Flag"),
        (r"state ([A-Z]\w*): (.+)", "state {name}: {rest}"),
        (r"value (\w+) of (\w+): (\w+) ([^=(].*)", r"value \1 of \2: \3 = \4"),
        (r"rule (\w+(?:\(.*\))?) = (.+)", r"value \1 = \2"),
        (r"(action|rule) (\w+)\(([A-Z]\w*) (\w+)\)", "{head} {two}({four}{sep}{three})"),
        (r"space (\w+) grid (\d+) ?(?:,|x|X|\*) ?(\d+)", r"space \1 grid \2 by \3"),
        (r"board (\w+) \d+ by \d+", r"board \1"),
        (
            r"winner (\w+) (?:by )?(?:the )?(?:highest|most|best|largest) .*",
            r"winner \1 by \1.total",
        ),
        (
            r"winner (\w+) (?:by )?(?:the )?(?:lowest|fewest|least|smallest) .*",
            r"winner \1 by \1.total lowest",
        ),
        (r"(?:when|whenever) (.+) (?:happens|occurs)", r"whenever \1"),
        (r"when (.+)", r"whenever \1"),
        (r"on (\w+)", r"after \1"),
        (r"end (?:when|if) (.+)", r"whenever \1`, and below it `end game"),
        (
            r"teams?(?: .*)?",
            "side of p: Team = if mod(p.number, 2) is 1 then first_team else second_team",
        ),
        (r"(?://|--|/\*|%|;) ?(.*)", r"# \1"),
        (r"players? (\d+) (?:to|-) (\d+)", r"players \1..\2"),
    )
)

# parts of a line that stand for something else; the line with it is what is to be written
_PARTS: Final = tuple(
    (re.compile(pattern), instead)
    for pattern, instead in (
        (
            r"\ball (?:the )?other(?: player)?s (?:have|are) (\w+)",
            r"all(p in players where p is not me: p.\1)",
        ),
        (
            r"\b(?:all (?:the )?players|everyone|everybody) (?:have|has|is|are) (\w+)",
            r"all(p in players: p.\1)",
        ),
        (r"\b(?:nobody|no one|no player) (?:has|is) (\w+)", r"not any(p in players where p.\1)"),
        (
            r"\b(?:any player|anyone|anybody|somebody|someone|a player) (?:has|is) (\w+)",
            r"any(p in players where p.\1)",
        ),
        (r"\bis in\b", "in"),
        (r"\bis not in\b", "not in"),
        (r"\bis (?:at least|no less than|not less than)\b", ">="),
        (r"\bis (?:at most|no more than|not more than)\b", "<="),
        (r"\b(?:is )?(?:more|greater|higher|larger) than\b", ">"),
        (r"\b(?:is )?(?:less|fewer|lower|smaller) than\b", "<"),
        (r"\b(?:is )?between (\w+) and (\w+)", r"in \1..\2"),
        (r"\b(me|p) has (\d+) (\w+)", r"\1.\3 is \2"),
        (r"\b(me|p|players) (?:has|have) (?:an? |the )?(\w+)", r"\1.\2"),
        (rf"({_PLACE}) (?:has|have|contains|includes|holds) (?:an? |the )?({_PLACE})", r"\2 in \1"),
        (r"\bis no empty\b", "is not empty"),
        (r"\bis (?:nonempty|non_empty|full of something)\b", "is not empty"),
        (rf"\b(?:the )?(?:number|count|size|amount|length) of (?:\w+ in )?({_PLACE})", r"\1.size"),
        (rf"\b(?:any|there is (?:an? )?|some) ?(\w+) in ({_PLACE})", r"any(\1 in \2)"),
        (rf"\bno (\w+) in ({_PLACE})", r"not any(\1 in \2)"),
        (rf"({_PLACE}) mod (\w+)", r"mod(\1, \2)"),
        (r"\b(\w+) (<=?|>=?) (\w+) (<=?|>=?) (\w+)", r"\1 \2 \3 and \3 \4 \5"),
        (r"\b(is|is not) (?:one of|any of|either of) (\w+(?:, \w+)+)", r"{member} (\2)"),
        (r'\b(is|is not) "(\w+)"', r"\1 \2"),
        (r"\bboth (.+? and )", r"\1"),
        (r"\beither (.+? or )", r"\1"),
        (r"\bnot me (\w+)", r"not me.\1"),
        (r"\bmy (\w+)", r"me.\1"),
        (rf"\b(?:the )?(\w+) of (?:the )?({_PLACE})", r"\2.\1"),
        (rf"\bthe ({_PLACE})", r"\1"),
    )
)


_DECLARES: Final = re.compile(
    r"(?:game|option|kind|piece|space|link|table|token|die|state|zone|open|value|score|winner|effect"
    r"|power|modify|do effect|position|side|row|board|choose (?:one|all|up|any|at|exactly))\b"
)
"""Lines in which `of` and the like are words of the language."""


LONGEST = 200
"""Letters of a line that is written anew: nobody reads a longer one in a message, and patterns take long for it."""


def mended(line: str) -> str:
    """The line to write for one that cannot be read; "" where nothing is known of it."""
    text = " ".join(line.split())
    if len(text) > LONGEST:
        return ""
    told = _told(text)
    if told:
        return told
    for pattern, instead in _LINES:
        found = pattern.fullmatch(text)
        if found is not None:
            return _filled(instead, found)
    if _DECLARES.match(text):
        return ""
    changed = text
    for pattern, instead in _PARTS:
        found = pattern.search(changed)
        if found is not None:
            changed = changed[: found.start()] + _filled(instead, found) + changed[found.end() :]
    return changed if changed != text else ""


_PIECES: Final = re.compile(r'"([^"]*)"|(?<![\w.])([a-z_][\w.]*(?:\([^()"]*\))?)')


def _told(line: str) -> str:
    """Words for the log that are put together with `+`, commas or nothing from quotes and names: as one text."""
    head, _, rest = line.partition(" ")
    if head not in ("log", "say", "note") or '"' not in rest or rest.startswith('f"'):
        return (
            f"{head} {rest[1:]}" if head in ("log", "say", "note") and rest.startswith('f"') else ""
        )
    between = re.sub(r"(?:to|where|for) .*$", "", _PIECES.sub("", rest))
    if rest.count('"') == 2 and rest.endswith('"') and rest.startswith('"'):
        return ""
    if between.strip(" +,&."):
        return ""
    text = ""
    for found in _PIECES.finditer(rest):
        words = found[1] if found[2] is None else f"{{{found[2]}}}"
        glued = not text or text[-1:] == " " or words[:1] in " ,.:;!?'"
        text += words if glued else f" {words}"
    return f'{head} "{text}"'


def _filled(instead: str, found: re.Match[str]) -> str:
    if "{" not in instead:
        return found.expand(instead)
    groups = ("", *(part or "" for part in found.groups()), "", "", "", "")
    typed = "".join(part.capitalize() for part in groups[1].split("_"))
    return found.expand(
        instead.replace("{Type}", typed if groups[1][:1].islower() else groups[1])
        .replace("{rest}", groups[2])
        .replace("{name}", groups[1].lower())
        .replace("{head}", groups[1])
        .replace("{two}", groups[2])
        .replace("{three}", groups[3])
        .replace("{four}", groups[4])
        .replace("{sep}", " in " if groups[1] == "action" else ": ")
        .replace("{member}", "in" if groups[1] == "is" else "not in")
    )
