"""Suggest a replacement for symbols of other languages and for the text around them.

This module works on characters, not on words.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final, NamedTuple

from rulewright.dsl.text.names import snake

SIZE: Final = re.compile(r"(\d+)[xX](\d+)")
_STRAIGHT: Final = 'texts need straight double quotes: "like this"'
_OTHERWISE: Final = {
    "!": "write `is not`, or `not` in front of a condition",
    "'": 'texts need double quotes: "like this"',
    "“": _STRAIGHT,
    "”": _STRAIGHT,
    "„": _STRAIGHT,
    "‘": _STRAIGHT,
    "’": _STRAIGHT,
    "«": _STRAIGHT,
    "»": _STRAIGHT,
    "「": _STRAIGHT,
    "」": _STRAIGHT,
    "″": _STRAIGHT,
    "–": "write `-`, or `..` in a range",
    "^": "write `n * n`",
    "?": "write `if CONDITION then A else B`",
    "%": "write `mod(a, b)` for the remainder of a division; there are `+`, `-`, `*` and `/`, which rounds down",
}
_SIGNS: Final = {
    "&": "and",
    "|": "or",
    "≤": "<=",
    "≥": ">=",
    "≠": "is not",
    "×": "*",
    "÷": "/",
    "−": "-",
    "…": "..",
}
"""The word of this language for each symbol of other languages."""
_NO_SIGNS: Final = "lines and indentation make the structure; nothing else is needed"
_LEFT: Final = re.compile(r"[a-z_][\w.]*(?:\([^()]*\))?$|\d+$")
_RIGHT: Final = re.compile(r" *([a-z_][\w.]*(?:\([^()]*\))?|\d+)")
_TYPED: Final = re.compile(r"[A-Z]\w*$")


_PLAYERS: Final = {
    "next": "me.left",
    "other": "me.left",
    "previous": "me.right",
    "active": "me",
    "current": "me",
    "the": "me",
}
_OTHER_PLAYER: Final = re.compile(rf"(?:the )?\b({'|'.join(_PLAYERS)}) $")


class Replacement(NamedTuple):
    """Help, and the new text for a part of the line (None if this text is unknown)."""

    help: str
    start: int = 0
    stop: int = 0
    text: str | None = None


def find_replacement(
    text: str, line: str, at: int, *, is_list: bool = False, whole: str = ""
) -> Replacement:
    """Return the replacement for characters at a place in a line.

    `is_list` says whether a list is allowed at this place, and `whole` is the text that contains the line.
    """
    stop = at + len(text)
    if text[0] in "[]":
        return _square(text, line, at, whole)
    size = SIZE.fullmatch(text)
    if size is not None:
        return _replacement(f"{size[1]} by {size[2]}", at, stop)
    plain = unicodedata.normalize("NFKC", text)
    if (
        plain != text
        and plain.isascii()
        and plain.isprintable()
        and text[0] not in (*_OTHERWISE, *_SIGNS)
    ):
        return (
            _replacement(plain, at, stop)
            if plain.strip()
            else Replacement("write a plain space", at, stop, " ")
        )
    if re.fullmatch(r"\d+d\d+", text):
        number, _, sides = text.partition("d")
        more = " for each of them" if int(number) > 1 else ""
        return Replacement(f"roll dice with `roll n in 1..{sides}`{more}")
    counted = re.fullmatch(r"(\d+)([a-z]+)", text)
    if counted is not None and line[stop : stop + 1] in (".", "("):
        return _replacement(f"{counted[1]} * {counted[2]}", at, stop)
    if counted is not None:
        return _replacement(f"{counted[1]} {counted[2]}", at, stop)
    if text[:1].isdigit():
        return Replacement("a name begins with a small letter")
    if text == "{" and is_list:
        closing = line.find("}", at)
        inside = line[at + 1 : closing].strip() if closing >= 0 else "1, 2"
        advice = f"a list needs round brackets: write `({inside})`"
        return (
            Replacement(advice, at, closing + 1, f"({inside})")
            if closing >= 0
            else Replacement(advice)
        )
    if text == "{" and re.search(r"\b(?:log|say|prompt|option) $", line[:at]):
        return Replacement('words go in quotes, with expressions in braces: `"{me} passes"`')
    if text == "{" and re.match(r" *\w+ *:", line[stop:]):
        return Replacement(
            "write `by(X: tea then 3, silk then 4)`, or a `table` with a row for each"
        )
    if text in (";", "{", "}"):
        is_last = not line[stop:].strip() or line[stop:].lstrip().startswith("#")
        if text == ";" and not is_last:
            return _several_steps(line)
        return Replacement(_NO_SIGNS, at, stop, "") if is_last else Replacement(_NO_SIGNS)
    left = _LEFT.search(line[:at])
    if line.startswith(("'s ", "’s "), at) and left is not None:
        owned = _RIGHT.match(line, at + 2)
        every = re.search(r"\b(?:every|each|all) $", line[: left.start()])
        if left[0] in ("player", "players") and every is not None and owned is not None:
            return Replacement(
                f"write `for each p in players`, and below it a step with `p.{owned[1]}`"
            )
        other = _OTHER_PLAYER.search(line[: left.start()]) if left[0] == "player" else None
        owner = _PLAYERS[other[1]] if other is not None else left[0]
        start = other.start() if other is not None else left.start()
        whose = f"{owner}.{owned[1]}" if owned is not None else f"{owner}."
        advice = f"a dot says whose it is: write `{whose}`"
        return Replacement(advice, start, owned.end() if owned else at + 2, whose)
    typed = _TYPED.search(line[:at]) if text == "?" else None
    if typed is not None:
        return _replacement(f"{typed[0]} or nothing", typed.start(), stop)
    found = _of_two(text, line, at)
    if found is not None:
        return found
    if text[0] in "'‘“„«»「":
        quoted = re.match(r"['‘“„«»「]([^'’“”\"‘«»」]*)['’”“‘«»」]", line[at:])
        if quoted is not None:
            return Replacement(_OTHERWISE[text[0]], at, at + quoted.end(), f'"{quoted[1]}"')
    if text[0] == "`":
        return Replacement('words go in double quotes, with expressions in braces: `"{me} passes"`')
    if text[0] in _SIGNS:
        return _replacement(_SIGNS[text[0]], at, stop)
    if text[0] in _OTHERWISE:
        return Replacement(_OTHERWISE[text[0]])
    if text.isspace():
        return Replacement("write a plain space", at, stop, " ")
    if unicodedata.category(text[0]) == "Cf":
        return Replacement("there is an invisible character here: remove it", at, stop, "")
    if text.isalpha() or "_" in text:
        small = snake(text)
        if text[0].islower() and "__" not in small and small.isidentifier():
            return _replacement(small, at, stop)
        return Replacement("names are written in small letters and `_`, types with a capital first")
    return Replacement("")


def has_line_hint(text: str, line: str, at: int) -> bool:
    """Return whether a hint for the whole line is better than help for this symbol, as in
    `deck.forEach(c => ...)`.
    """
    return text == "forEach" and line[:at].endswith(".") and "=>" in line[at:]


def _several_steps(line: str) -> Replacement:
    """Return the replacement for several steps in a line, such as `add 1 to a; add 2 to b`."""
    written = line.partition("#")[0].rstrip()
    indent = written[: len(written) - len(written.lstrip())]
    steps = [step.strip() for step in written.split(";") if step.strip()]
    if not all(re.match(r"[a-z]\w* ", step) for step in steps):
        return Replacement(_NO_SIGNS)
    if len(steps) > 3 or any('"' in step for step in steps):
        return Replacement(
            "a line holds one step: write the next one below it, with the same indentation"
        )
    advice = f"a line holds one step: write `{'`, and below it `'.join(steps)}`"
    return Replacement(advice, len(indent), len(written), f"\n{indent}".join(steps))


def _replacement(text: str, start: int, stop: int) -> Replacement:
    return Replacement(f"write `{text}`", start, stop, text)


def _of_two(text: str, line: str, at: int) -> Replacement | None:
    """Return the replacement for an operator between two values."""
    left = _LEFT.search(line[:at].rstrip())
    stop = at + len(text)
    right = _RIGHT.match(line, stop)
    if (
        text == "%"
        and right is not None
        and (inside := _find_brackets(line[:at].rstrip())) is not None
    ):
        return _replacement(f"mod({inside[0]}, {right[1]})", inside[1], right.end())
    if text in ("!", "!=") and line.startswith("!=", at) and left is not None:
        return _replacement("is not", at, at + 2)
    if text == "!" and right is not None:
        return _replacement(f"not {right[1]}", at, right.end())
    if left is None or right is None:
        return None
    a, b = left[0], right[1]
    start, end = left.start(), right.end()
    if text == "%":
        return _replacement(f"mod({a}, {b})", start, end)
    if text in ("^", "**") and b == "2":
        return _replacement(f"{a} * {a}", start, end)
    if text == "?":
        return _conditional(line, at)
    return None


def _find_brackets(text: str) -> tuple[str, int] | None:
    """Return the content of the brackets at the end of a text, and where they begin.

    Return None if there are no such brackets, or if a name precedes them.
    """
    depth = 0
    for n in range(len(text) - 1, -1, -1):
        depth += {")": 1, "(": -1}.get(text[n], 0)
        if not depth:
            is_call = n > 0 and (text[n - 1].isalnum() or text[n - 1] == "_")
            return None if is_call or text[n] != "(" else (text[n + 1 : -1], n)
    return None


def _conditional(line: str, at: int) -> Replacement | None:
    """Return the replacement for `C ? A : B`."""
    condition = re.search(r"(?:[\w.)]+ (?:is not|is|[<>]=?|in) )?[\w.()]+ *$", line[:at])
    rest = re.match(r" *([\w.+*/-]+) *: *([\w.+*/-]+)", line[at + 1 :])
    if condition is None or rest is None:
        return None
    text = f"(if {condition[0].strip()} then {rest[1]} else {rest[2]})"
    return _replacement(text, condition.start(), at + 1 + rest.end())


def _find_declaration(whole: str, form: str) -> re.Match[str] | None:
    """Find the line of a text where something is declared in this form, and return its match, or None."""
    return re.search(rf"^ *{form}", whole, re.MULTILINE)


def _square(text: str, line: str, at: int, whole: str) -> Replacement:
    """Return the replacement for square brackets that contain no clauses."""
    inside = text.strip("[] ")
    stop = at + len(text)
    type_found = re.search(r": ([A-Z]\w*)$", line[:at])
    if text == "[]" and type_found is not None:
        return _replacement(f"list of {type_found[1]} up to 10", at - len(type_found[1]), stop)
    if line.startswith(("state ", "zone ", "    state ", "    zone ")) and inside.isdigit():
        kept = _LEFT.search(line[:at])
        found = f"{kept[0] if kept is not None else ''}(n: 1..{inside})"
        return _replacement(found, kept.start() if kept is not None else at, stop)
    stretch = re.fullmatch(r"(\w+) ?(?:\.\.|:) ?(\w+)", inside)
    among = re.search(r"\b(\w+) in ([A-Z]\w*)$", line[:at])
    if stretch is not None and among is not None:
        column = _find_declaration(whole, rf"(?:space|piece) {among[2]} for (\w+) in")
        numbered = f"{among[1]}.{column[1] if column is not None else 'number'}"
        found = f"{among[0]} where {numbered} in {stretch[1]}..{stretch[2]}"
        return _replacement(found, among.start(), stop)
    called = _LEFT.search(line[:at])
    name = called[0].rpartition(".")[2] if called is not None else ""
    if (
        called is not None
        and name
        and _find_declaration(whole, rf"(?:zone|state|value|open value) {name}(?: of [^(=]*)?\(")
    ):
        return _replacement(f"{called[0]}({inside})", called.start(), stop)
    if inside and (typed := _TYPED.search(line[:at])) is not None:
        return _replacement(f"{typed[0]}({inside})", typed.start(), stop)
    if inside and (left := _LEFT.search(line[:at])) is not None:
        if inside == "-1":
            return _replacement(f"{left[0]}.last", left.start(), stop)
        few = re.fullmatch(r"0?:(\d+)", inside)
        if few is not None:
            return _replacement(f"{left[0]}.first_few({few[1]})", left.start(), stop)
        return _replacement(
            f"{left[0]}.nth({'1' if inside == '0' else inside})", left.start(), stop
        )
    every = re.fullmatch(r"(.+) for (\w+) in (.+?)(?: if (.+))?", inside)
    if every is not None:
        where = f" where {every[4]}" if every[4] else ""
        each = "" if every[1] == every[2] else f": {every[1]}"
        return _replacement(f"list({every[2]} in {every[3]}{where}{each})", at, stop)
    if "," in inside:
        names = re.sub(r'"(\w+)"', r"\1", inside)
        found = f"({names})"
        return Replacement(f"a list needs round brackets: write `{found}`", at, stop, found)
    return Replacement("square brackets hold clause ids: `[GK-065]`, `[GK-065..GK-071]`")
