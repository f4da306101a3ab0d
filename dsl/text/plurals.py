"""Choose singular or plural for words after a number, as in `{n} coin(s)` or `{n} cit(y|ies)`, and for
names.

A word that is not certainly a plural stays unchanged.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_FORMS = re.compile(r"(?<=\w)\((?:s|(\w*)\|(\w*))\)")


def split(text: str) -> Iterator[str | tuple[str, str]]:
    """Split a text into parts: plain parts, and pairs of singular and plural."""
    end = 0
    for form in _FORMS.finditer(text):
        if form.start() > end:
            yield text[end : form.start()]
        yield ("", "s") if form[1] is None else (form[1], form[2])
        end = form.end()
    if end < len(text):
        yield text[end:]


def plural_text(text: str) -> str:
    """Return the text in the plural."""
    return "".join(part if isinstance(part, str) else part[1] for part in split(text))


_OF_ONE = (
    (re.compile(r"(.*[^aeiou\W]|.*qu)ies"), r"\1y"),
    (re.compile(r"(.*(?:ch|sh|ss|x|zz|[^ao\W]us))es"), r"\1"),
    (re.compile(r"(.*[^aiosu\W])s"), r"\1"),
)
"""Patterns of plurals with their singulars; the first pattern that matches is used. Other words in -s may
be singulars.
"""
_IRREGULAR = {
    "cookies": "cookie",
    "movies": "movie",
    "dies": "die",
    "pies": "pie",
    "ties": "tie",
    "axes": "axe",
    "caches": "cache",
    "heroes": "hero",
    "potatoes": "potato",
    "lives": "life",
    "wolves": "wolf",
    "knives": "knife",
    "loaves": "loaf",
    "halves": "half",
    "leaves": "leaf",
    "shelves": "shelf",
    "thieves": "thief",
    "elves": "elf",
}
_UNCHANGED = frozenset(
    (
        "barracks",
        "crossroads",
        "headquarters",
        "lens",
        "means",
        "news",
        "riches",
        "series",
        "species",
    )
)


def singular(name: str) -> str:
    """Return the singular of a name, or the name itself if it is not certainly a plural.

    >>> [singular(name) for name in ("civil actions", "victories", "boxes", "lives", "gold", "bonus")]
    ['civil action', 'victory', 'box', 'life', 'gold', 'bonus']
    """
    front, blank, word = name.rpartition(" ")
    if word in _IRREGULAR:
        return front + blank + _IRREGULAR[word]
    if word in _UNCHANGED or word.endswith("ics"):  # such as politics
        return name
    for form, one in _OF_ONE:
        if form.fullmatch(word) is not None:
            return front + blank + form.sub(one, word)
    return name


_OF_SEVERAL = (
    (re.compile(r"(.*[^aeiou\W]|.*qu)y"), r"\1ies"),
    (re.compile(r"(.*(?:ch|sh|s|x|z))"), r"\1es"),
)
_SEVERAL = {one: several for several, one in _IRREGULAR.items()} | {"man": "men"}


def plural(name: str) -> str:
    """Return the plural of a name.

    >>> [plural(name) for name in ("civil card", "city", "box", "life", "man", "series")]
    ['civil cards', 'cities', 'boxes', 'lives', 'men', 'series']
    """
    front, space, word = name.rpartition(" ")
    if word in _UNCHANGED:
        return name
    if word in _SEVERAL:
        return front + space + _SEVERAL[word]
    for form, several in _OF_SEVERAL:
        if form.fullmatch(word) is not None:
            return front + space + form.sub(several, word)
    return f"{name}s"
