"""Lay out options as lines: in columns if there are few, grouped by subject if there are many."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import attrs

from rulewright.interpreter.views.marked import wrap

ROOM = 30
"""The default maximum number of lines for options."""
_GAP = "   "
_FEW = 5  # up to this many options are shown one below the other


@attrs.frozen
class Listed:
    """An option with the key that selects it, its name and its text."""

    label: str
    name: str
    text: str


def option_lines(options: Sequence[Listed], across: int, room: int = ROOM) -> list[str]:
    """List options in columns, or grouped by type if the columns take more than `room` lines.

    If the groups still take more lines, large groups show only how many options they have.
    """
    lines = in_columns(options, across)
    if len(lines) <= room:
        return lines
    groups = groups_of(options)
    if len(groups) == len(options):
        return lines
    blocks = [_group_lines(group, across) for group in groups]
    heads = _heads(groups)
    while sum(map(len, blocks)) > room:
        longest = max(range(len(blocks)), key=lambda at: len(blocks[at]))
        if len(blocks[longest]) <= 2:
            break
        blocks[longest] = _in_short(groups[longest], heads[longest], across)
    return [line for lines in blocks for line in lines]


def _heads(groups: Sequence[Sequence[Listed]]) -> list[str]:
    """Return the heading of each group: the words with which all its options begin or, if several headings
    would be equal, all words that its options share.
    """
    begins = [_common([one.text for one in group]).strip(" ,:;") for group in groups]
    return [
        begin if begin and begins.count(begin) == 1 else _common_words([one.text for one in group])
        for begin, group in zip(begins, groups, strict=True)
    ]


def _common_words(texts: Sequence[str]) -> str:
    """Return the words that all texts have in common, in the order of the first text."""
    first, *others = (text.split(" ") for text in texts)
    return " ".join(word for word in first if all(word in other for other in others)).strip(" ,:;")


def in_columns(options: Sequence[Listed], across: int) -> list[str]:
    """List options with their keys; use columns if there are many short options."""
    side = max(len(option.label) for option in options)
    lines = [
        f"{option.label:>{side}}" if option.text == option.label else f"{option.label:>{side}}  {option.text}"
        for option in options
    ]  # fmt: skip
    longest = max(map(len, lines))
    columns = min((across - 2) // (longest + 3), -(-len(lines) // _FEW))
    if columns < 2:
        return [
            line
            for text in lines
            for line in wrap(text, across, initial_indent="  ", subsequent_indent=" " * (side + 4))
        ]
    rows = -(-len(lines) // columns)
    return [
        ("  " + _GAP.join(text.ljust(longest) for text in lines[row::rows])).rstrip()
        for row in range(rows)
    ]


def groups_of(options: Sequence[Listed]) -> list[list[Listed]]:
    """Group options that do the same with different things; if options name two things, group them by the
    first.
    """
    groups: dict[tuple[str, ...], list[Listed]] = {}
    for option in options:
        word, bracket, inside = option.name.partition("(")
        first, comma, _ = inside.partition(", ")
        key = (word, first if comma else "") if bracket else ("", "")
        groups.setdefault(key, []).append(option)
    return list(groups.values())


def _group_lines(group: Sequence[Listed], across: int) -> list[str]:
    """List the words common to all options once, then the rest of each option."""
    head = _common([option.text for option in group])
    parts = [f"{option.label} {option.text[len(head) :].strip()}".rstrip() for option in group]
    first = f"  {head.strip(' ,:')}: " if head.strip() else "  "
    return list(_flowing(first, parts, across))


def _flowing(first: str, parts: Sequence[str], across: int) -> Iterator[str]:
    line, begun = first, False
    for part in parts:
        if begun and len(line) + len(_GAP) + len(part) > across:
            yield line
            line, begun = "      ", False
        line += (_GAP if begun else "") + part
        begun = True
    if len(line) > across:
        yield from wrap(line, across, subsequent_indent="      ")
    else:
        yield line


def _in_short(group: Sequence[Listed], head: str, across: int) -> list[str]:
    """Describe a group in one line: its subject, the number of options, and the command that lists them."""
    word, _, inside = group[0].name.partition("(")
    about = (
        _common([option.text for option in group]).strip(" ,:") or inside.partition(", ")[0] or word
    )
    first, last = group[0].label, group[-1].label
    how = f"`options {about}` lists them" if about else "`options` lists them"
    return wrap(
        f"{head or word or 'choose'}: {len(group)} options, {first} to {last}; {how}",
        across,
        initial_indent="  ",
        subsequent_indent="      ",
    )


def _common(texts: Sequence[str]) -> str:
    """Return the words with which all texts begin, but leave at least one word of each text."""
    if len(texts) < 2:
        return ""
    words = [text.split(" ") for text in texts]
    shared: list[str] = []
    for column in zip(*(each[:-1] for each in words), strict=False):
        if len(set(column)) > 1:
            break
        shared.append(column[0])
    return " ".join([*shared, ""]) if shared else ""
