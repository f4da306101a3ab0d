"""Rewrite a line that cannot be read: replace common phrases until the line can be read.

This module uses the words of a line and the names of its text. A line without such a phrase stays
unchanged.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final

from rulewright.dsl.parsing.hints import hints, whole
from rulewright.dsl.parsing.sketched import Sketch, rewrite_tokens_and_cards

LONGEST: Final = 200
"""The maximum length of a line that is rewritten: nobody reads a longer line in a message, and patterns
would be slow.
"""

_ROUNDS: Final = 3
_BELOW: Final = "\n    "
_DECLARES: Final = re.compile(
    r"(?:game|option|kind|piece|space|link|table|token|die|state|zone|open|value|score|winner|effect"
    r"|power|modify|do effect|position|side|board|choose (?:one|all|up|any|at|exactly))\b"
)
"""Lines in which words such as `of` belong to the language."""
_SUBJECT: Final = re.compile(
    r"(?:the |a )?(each |every )?(?:active |current )?(?:player|you|me|he|she|they|i) (?:must |can |has to |have to )?"
    r"(\w+)(?: (.+))?",
    re.IGNORECASE,
)
_TAGS: Final = re.compile(r"(?: \[[A-Z]{2,}-[^\]]*\])+$")
_PIECES: Final = re.compile(r'"([^"]*)"|(?<![\w.])([a-z_][\w.]*(?:\([^()"]*\))?)')
_PLACE: Final = r"[a-z_][\w.]*(?:\([^()]*\))?"
_VALUE: Final = re.compile(r"(value \w+(?: of \w+: [\w ]+?)?(?: ?\([^()]*\))? = )(.+)")
_HEAD: Final = re.compile(r"value [^=]{1,100} = ")
_OF_SOMEBODY: Final = re.compile(r"\b(me|p)\.(\w+)\b(?!\.|\()")
_PERSONS: Final[dict[str, str]] = dict.fromkeys(
    ("p", "player", "who", "target", "opponent", "other", "victim"), "Player"
)
_FLAGS: Final = {"True": "yes", "False": "no", "true": "yes", "false": "no", "None": "nothing"}


def rewrite_line(line: str, names: Sketch, reads: Callable[[str], bool]) -> str:
    """Return the replacement for an unreadable line, or "" if none is known."""
    text = " ".join(line.split())
    tags = _TAGS.search(text)
    if tags is not None:
        without = rewrite_line(text[: tags.start()], names, reads)
        return f"{without}{tags[0]}" if without and not re.search("[«\n]", without) else without
    if len(text) > LONGEST:
        return _rewrite_head(text, names, reads)
    for way in _ways(text, names):
        filled = _with_places(way, names)
        if filled != text and _is_fine(filled, reads):
            return filled
    return ""


def _rewrite_head(text: str, names: Sketch, reads: Callable[[str], bool]) -> str:
    """For a value that has a long formula, return the replacement text up to the `=`; "" if none is known."""
    head = _HEAD.match(text)
    if head is None:
        return ""
    found = rewrite_line(f"{head[0]}0", names, reads)
    return f"{found.removesuffix('0')}..." if found.endswith(" = 0") else ""


def _is_fine(way: str, reads: Callable[[str], bool]) -> bool:
    """Return whether the first line of a rewritten text can be read."""
    text, _, others = way.removeprefix("«").partition("»")
    pieces = [text.partition(_BELOW)[0]] if _BELOW in text else text.split("\n")
    pieces += others.split("`")[1::2]
    return all(piece.startswith("#") or reads(piece) for piece in pieces)


def _ways(text: str, names: Sketch) -> Iterator[str]:
    if text.startswith("surely "):
        yield from (f"surely {way}" for way in _ways(text.removeprefix("surely "), names))
    yield from _whole(text, names)
    value = _VALUE.fullmatch(text)
    if value is not None:
        yield from (f"{value[1]}{way}" for way in _in_parts(value[2], names))
    if not _DECLARES.match(text):
        yield from _in_parts(text, names)


def _in_parts(text: str, names: Sketch) -> Iterator[str]:
    """Yield versions of a line, or of the expression of a value, in which different parts are replaced."""
    changed = text
    for _ in range(_ROUNDS):
        before = changed
        for hint in hints("parts"):
            found = hint.written.search(changed)
            if found is not None:
                changed = changed[: found.start()] + hint.fill(found) + changed[found.end() :]
                yield changed
        if changed == before:
            return
        yield from _whole(changed, names)


def _whole(text: str, names: Sketch) -> Iterator[str]:
    """Yield replacements of a whole line."""
    in_names = rewrite_tokens_and_cards(text, names)
    if in_names:
        yield in_names
    log_line = _log_words(text)
    if log_line:
        yield log_line
    amount = re.fullmatch(r"(cost|costs|price|win) ?[:=]? ?(\d+ [a-z]\w*)", text)
    if amount is not None:
        verb = "gain" if amount[1] == "win" else "pay"
        yield from _whole(f"{verb} {amount[2]}", names)
    yield from _of_places(text, names)
    yield from _after_somebody(text, names)
    either = re.fullmatch(r"choose (\w+) or (\w+)", text)
    if either is not None and not names.rules.isdisjoint(either.groups()):
        arms = [f"do {arm}" if arm in names.rules else f'option "{arm}"' for arm in either.groups()]
        yield f"choose one of{_BELOW}{_BELOW.join(arms)}"
    if text in names.rules:
        yield f"do {text}"
    offered = re.fullmatch(r"option (\w+)", text)
    if offered is not None and offered[1] in names.rules:
        yield f"do {offered[1]}"
    yield from _assignments(text, names)
    yield from _sorted_parameters(text, names)
    yield from _amounts(text, names)
    if text in names.flags:
        yield f"set {text} to yes"
    yield from whole("lines", text)
    yield from _of_somebody(text, names)


def _assignments(text: str, names: Sketch) -> Iterator[str]:
    """Yield replacements of `name = value`: a state is set, or a local name is declared."""
    found = re.fullmatch(r"([a-z_]\w*) (?:=|:=) (.+)", text)
    if found is None:
        return
    value = _FLAGS.get(found[2], found[2])
    if found[1] in names.states:
        yield f"set {found[1]} to {value}"
    yield f"let {found[1]} = {value}"
    yield f"value {found[1]} = {value}"


def _sorted_parameters(text: str, names: Sketch) -> Iterator[str]:
    """Yield replacements of `rule claim(role)` that add the types that the names suggest."""
    found = re.fullmatch(r"(rule \w+|value \w+(?: of \w+: \w+ ?)?)\(([^()]+)\)( = .+)?", text)
    if found is None:
        return
    parts = [part.strip() for part in found[2].split(",")]
    type_names = [_PERSONS.get(part) or names.type_name(part) for part in parts]
    if len(parts) == 1 and found[3] and " of " not in found[1] and type_names[0] == "Player":
        return  # a value of a player, such as `p.worth`
    if all(type_name or ":" in part for type_name, part in zip(type_names, parts, strict=True)):
        written = (
            part if ":" in part else f"{part}: {type_name}"
            for type_name, part in zip(type_names, parts, strict=True)
        )
        yield f"{found[1]}({', '.join(written)}){found[3] or ''}"


def _amounts(text: str, names: Sketch) -> Iterator[str]:
    """Yield replacements of `lose points me.loss`, where `from` or `to` is missing between the amount and the state."""
    found = re.fullmatch(r"(lose|pay|add) ([a-z_]\w*) ([a-z_][\w.]*\.\w+)", text)
    if found is None:
        return
    joint = "to" if found[1] == "add" else "from"
    if found[2] in names.states:
        whose = found[3].partition(".")[0] if found[2] in names.own else ""
        kept = f"{whose}.{found[2]}" if whose else found[2]
        yield f"{found[1]} {found[3]} {joint} {kept}"
    else:
        yield f"{found[1]} {found[2]} {joint} {found[3]}"


def _of_somebody(text: str, names: Sketch) -> Iterator[str]:
    """Yield replacements of `the player loses 1 coin`, `each player draws 2 cards` or `you may sell`."""
    found = _SUBJECT.fullmatch(text)
    if found is None:
        return
    verb = found[2].lower()
    bare = (
        verb.removesuffix("es")
        if verb.endswith(("sses", "shes", "ches"))
        else verb.removesuffix("s")
    )
    said = f"{bare} {found[3]}" if found[3] else bare
    for way in _whole(said, names):
        yield f"each player{_BELOW}{way}" if found[1] else way
    if not found[1]:
        yield said


def _of_places(text: str, names: Sketch) -> Iterator[str]:
    """Yield replacements for lines that select things to move by type or condition, or that
    exchange the contents of places.
    """
    found = re.fullmatch(
        rf"(?:put|place|move) all (?:the )?(\w+) (?:into|in|onto|on|to) (?:the )?({_PLACE})", text
    )
    if found is not None and names.type_name(found[1]):
        yield f"move all from {names.type_name(found[1])} to {found[2]}"
    found = re.fullmatch(
        rf"move (?:all|every|each)(?: \w+)? from ({_PLACE}) where (.+) (to|under) ({_PLACE})", text
    )
    if found is not None:
        yield f"move list({_members(found[1], found[2])}) {found[3]} {found[4]}"
    found = re.fullmatch(rf"(?:swap|exchange|switch) ({_PLACE}) (?:and|with|for) ({_PLACE})", text)
    if found is not None and names.zones.issuperset(
        part.rpartition(".")[2] for part in found.groups()
    ):
        one, other = found.groups()
        yield (
            f"let before = list(x in {one})\nmove all from {other} to {one}\nmove before to {other}"
        )


def _members(source: str, condition: str) -> str:
    """Return `x in A where C`, where `x` is the name that the condition uses for each member."""
    named = re.match(r"(?:not )?([a-z]\w*)(\.)?", condition)
    if named is None or named[1] in ("me", "p", "any", "all"):
        return f"x in {source} where {condition}"
    if named[2]:
        return f"{named[1]} in {source} where {condition}"
    return f"x in {source} where {condition[: named.start(1)]}x.{condition[named.start(1) :]}"


def _after_somebody(text: str, names: Sketch) -> Iterator[str]:
    """Yield replacements of `after p buys card`."""
    found = re.fullmatch(
        r"(after|before|when|whenever|instead of) (?:a player|the player|somebody|someone|p|me|you) (\w+)"
        r"(?: (?:an? |the )?([a-z]\w*))?",
        text,
    )
    if found is None:
        return
    verb = next((one for one in (found[2], found[2][:-1], found[2][:-2]) if one in names.rules), "")
    if verb:
        when = "after" if found[1].startswith("when") else found[1]
        yield f"{when} {verb}({found[3]}) as p" if found[3] else f"{when} {verb} as p"


def _with_places(way: str, names: Sketch) -> str:
    """In a rewritten line, replace PLACE and ZONE with names from the text: places to choose from or to discard to."""
    found = re.search(r"(\w+) in PLACE\b", way)
    if found is not None:
        way = way.replace("PLACE", names.members(found[1]) or "PLACE")
    way = _OF_SOMEBODY.sub(lambda found: _purse_size(found, names), way)
    return re.sub(r"\bZONE\b", names.discards or "ZONE", way)


def _purse_size(found: re.Match[str], names: Sketch) -> str:
    """If the coins are in a purse, return the size of the purse, such as `me.purse.size`, to replace `me.coins`."""
    purse = names.purses.get(names.token_type(found[2]), "")
    if not purse or found[2] in names.purses.values():
        return found[0]
    return f"{found[1]}.{purse}.size"


def _log_words(line: str) -> str:
    """Return as one text a log line whose words are joined from quotes and names; return "" for any other line.

    The words may be joined by `+`, by commas or by nothing.
    """
    head, _, rest = line.partition(" ")
    if head not in ("log", "say", "note") or '"' not in rest:
        return ""
    if rest.startswith('f"'):
        return f"{head} {rest[1:]}"
    if rest.count('"') == 2 and rest.endswith('"') and rest.startswith('"'):
        return ""
    between = re.sub(r"(?:to|where|for) .*$", "", _PIECES.sub("", rest))
    if between.strip(" +,&."):
        return ""
    text = ""
    for found in _PIECES.finditer(rest):
        words = found[1] if found[2] is None else f"{{{found[2]}}}"
        glued = not text or text[-1:] == " " or words[:1] in " ,.:;!?'"
        text += words if glued else f" {words}"
    return f'{head} "{text}"'
