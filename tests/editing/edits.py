"""Random edits, as of an author in a hurry."""

from __future__ import annotations

import random
import re

_WORD = re.compile(r"[A-Za-z_]+")
CHARACTERS = '()[]"#.,:=<>+*/- \n\t{}0a_Z'


def edit_text(text: str, chance: random.Random) -> str:
    """The text with one thing changed."""
    at = chance.randrange(len(text) + 1)
    match chance.randrange(8):
        case 0:
            return text[:at] + chance.choice(CHARACTERS) + text[at:]
        case 1:
            return text[:at] + text[at + chance.randrange(1, 30) :]
        case 2 | 3:
            return _another_word(text, chance)
        case 4:
            lines = text.split("\n")
            line = chance.randrange(len(lines))
            return "\n".join([*lines[: line + 1], *lines[line:]])
        case 5:
            lines = text.split("\n")
            del lines[chance.randrange(len(lines))]
            return "\n".join(lines)
        case 6:
            lines = text.split("\n")
            a, b = chance.randrange(len(lines)), chance.randrange(len(lines))
            lines[a], lines[b] = lines[b], lines[a]
            return "\n".join(lines)
        case _:
            number = re.compile(r"[0-9]+")
            found = [*number.finditer(text)]
            if not found:
                return text
            one = chance.choice(found)
            return text[: one.start()] + str(chance.randrange(20)) + text[one.end() :]


def _another_word(text: str, chance: random.Random) -> str:
    found = [*_WORD.finditer(text)]
    if not found:
        return text
    one, other = chance.choice(found), chance.choice(found)
    return text[: one.start()] + other.group() + text[one.end() :]


def edited_table(text: str, chance: random.Random) -> str:
    """The text of a table with one thing changed; mostly it can still be read."""
    lines = text.rstrip("\n").split("\n")
    row, other = chance.randrange(len(lines)), chance.randrange(len(lines))
    cells, others = lines[row].split(","), lines[other].split(",")
    column = chance.randrange(len(cells))
    match chance.randrange(10):
        case 0:
            lines[row], lines[other] = lines[other], lines[row]
        case 1:
            del lines[row]
        case 2:
            lines.insert(row, lines[row])
        case 3:
            cells[column] = ""
        case 4:
            del cells[column]
        case 5 | 6:
            cells[column] = others[min(column, len(others) - 1)]
        case _:
            numbers = [n for n, cell in enumerate(cells) if cell.strip().isdigit()]
            column = chance.choice(numbers) if numbers else column
            cells[column] = str(chance.randrange(8))
    if row < len(lines) and lines[row] == text.split("\n")[row]:
        lines[row] = ",".join(cells)
    return "\n".join([*lines, ""])


def edited_rows(text: str, chance: random.Random) -> str:
    """The text of a table with a row that is added, removed, renamed or moved."""
    head, *rows = text.rstrip("\n").split("\n")
    if not rows:
        return text
    at, to = chance.randrange(len(rows)), chance.randrange(len(rows))
    name, comma, rest = rows[at].partition(",")
    match chance.randrange(6):
        case 0:
            del rows[at]
        case 1:
            rows.insert(to, f"{name}x{comma}{rest}")
        case 2:
            rows[at], rows[to] = rows[to], rows[at]
        case 3:
            rows[at] = f"{name[:-1] or 'z'}{comma}{rest}"
        case 4:
            rows.append(f"{name}q{comma}{rest}")
        case _:
            rows[at] = re.sub(r"[0-9]+", lambda one: str(chance.randrange(8)), rows[at], count=1)
    return "\n".join([head, *rows, ""])


_LISTS = re.compile(r"^((?:kind|option) \w+ = |(?:piece|space) \w+ is )(.*)$", re.MULTILINE)
_NEW = (
    "kind Novum = alpha, beta",
    "option novum = no, yes",
    "piece Novum",
    "piece Novum\n    size: 0..3\n    row nova, 2\n    row supernova, 3",
    "space Novum\n    zone inside: set of Novum\n    row nova\n    row supernova",
    "state novum: 0..4",
    "table Novum key a\n    b: 0..3\n    row 1, 2",
    "token novum",
    "value novum = 3",
)


def edited_lists(text: str, chance: random.Random) -> str:
    """The text with other members of a kind, an option or a union, or with a new declaration."""
    found = [*_LISTS.finditer(text)]
    if not found or chance.random() < 0.2:
        lines = text.split("\n")
        starts = [n for n, line in enumerate(lines) if line[:1].isalpha()]
        lines.insert(chance.choice(starts or [0]), chance.choice(_NEW))
        return "\n".join(lines)
    one = chance.choice(found)
    between = " or " if one[1].endswith(" is ") else ", "
    values = one[2].split(between)
    at = chance.randrange(len(values))
    match chance.randrange(5):
        case 0:
            values.append("novum" if between == ", " else values[0])
        case 1:
            del values[at]
        case 2:
            values[at] += "x"
        case 3:
            values.insert(0, "novum")
        case _:
            chance.shuffle(values)
    return text[: one.start()] + one[1] + between.join(values) + text[one.end() :]


_HEAD = re.compile(
    r"^(?:kind|option|piece|space|table|token|die|state|zone|value|rule|action) (\w+)|^player$",
    re.MULTILINE,
)
_COLUMN = re.compile(r"^    (\w+): (.+?)(?= from |\s*$)", re.MULTILINE)
_TYPES = ("Flag", "0..3", "1..9", "Player", "Action", "Novum", "list of 0..9 up to 3")
_SETTINGS = (
    "depth 3",
    "lookahead 50",
    "ask if several",
    'by "nobody"',
    "depth many",
    "lookahead 0",
)


def edited_kinds(text: str, chance: random.Random) -> str:
    """The text with another name or other columns for a declaration, without the declaration, or with other
    settings."""
    heads, columns = [*_HEAD.finditer(text)], [*_COLUMN.finditer(text)]
    match chance.randrange(8):
        case 0 | 1 if heads:
            one = chance.choice(heads)
            return text[: one.end()] + chance.choice("xs") + text[one.end() :]
        case 2 if heads:
            one = chance.choice(heads)
            block = re.compile(r".*\n(?:(?:    .*|#.*)?\n)*").match(text, one.start())
            return text[: one.start()] + (text[block.end() :] if block else "")
        case 3 if columns:
            one = chance.choice(columns)
            return text[: one.end(1)] + "s" + text[one.end(1) :]
        case 4 if columns:
            one = chance.choice(columns)
            type = chance.choice([*_TYPES, chance.choice(columns)[2]])
            return text[: one.start(2)] + type + text[one.end(2) :]
        case 5 if columns:
            one = chance.choice(columns)
            new = f"    novum: {chance.choice(_TYPES)}\n"
            return text[: one.start()] + chance.choice((new, "")) + text[one.start() :]
        case 6 if '"' in text and ".csv" in text:
            return text.replace(".csv", "x.csv", 1)
        case _:
            lines = text.split("\n")
            at = next((n for n, line in enumerate(lines) if line.startswith("game ")), None)
            if at is None:
                return text
            match chance.randrange(4):
                case 0:
                    lines[at] = lines[at].replace('"', '"New ', 1)
                case 1:
                    lines.insert(at + 1, f"    {chance.choice(_SETTINGS)}")
                case 2:
                    del lines[at + 1 + chance.randrange(3)]
                case _:
                    return re.sub(r"^    players .*$", "    players 2..3", text, flags=re.MULTILINE)
            return "\n".join(lines)


_AIMED = (
    (r"\benters\b", ("leaves",)),
    (r"\bleaves\b", ("enters",)),
    (r"^( *)(?:before|after|instead of)\b", (r"\1before", r"\1after", r"\1instead of")),
    (r", seen by \w+", ("", ", seen by owner", ", seen by nobody")),
    (r"\bto players$", ("to me", "to me.left")),
    (r"\bto me$", ("to players",)),
    (
        r"\b(?:together )?each player\b",
        ("each player", "together each player", "repeat 2 times", "each player from me.left"),
    ),
    (r"^    players \d.*$", ("    players 2", "    players 3", "    players 2..3")),
    (r"\bonly if (.*)$", ("", r"only if not (\1)")),
    (r"^option (\w+) = (\w+), (\w+)", (r"option \1 = \3, \2", r"option \1 = \2")),
    (r"\b(?:pile|set|spot) of\b", ("pile of", "set of", "spot of")),
    (r"\bme\.", ("me.left.",)),
    (r"\b(?:rule|action) (\w+)", (r"rule \1", r"action \1")),
    (r"^(rule|action|value)( \w+)\(.*\)", (r"\1\2",)),
    (r": 0\.\.(\d+)", (r": 1..\1", ": 0..1", ": Player or nothing")),
)
_STEP = re.compile(
    r"^ +(?:add|move|set|pay|lose|do|show|roll|shuffle|log|choose) .*$", re.MULTILINE
)


def edit_facts(text: str, chance: random.Random) -> str:
    """The text with another trigger, reader, acting player, variant, zone or parameter, or with a step in a new
    place: these decide what a check after an edit may reuse."""
    steps = [*_STEP.finditer(text)]
    if steps and chance.random() < 0.3:
        one, other = chance.choice(steps), chance.choice(steps)
        indent = one[0][: len(one[0]) - len(one[0].lstrip())]
        return text[: one.start()] + indent + other[0].strip() + "\n" + text[one.start() :]
    found = [
        (one, one.expand(new))
        for old, every in _AIMED
        for one in [*re.finditer(old, text, re.MULTILINE)]
        for new in every
        if one.expand(new) != one[0]
    ]
    if not found:
        return text
    one, new = chance.choice(found)
    return text[: one.start()] + new + text[one.end() :]
