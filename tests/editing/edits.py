"""Edits as hurried hands make them, from a seed."""

from __future__ import annotations

import random
import re

_WORD = re.compile(r"[A-Za-z_]+")
SIGNS = '()[]"#.,:=<>+*/- \n\t{}0a_Z'


def edited(text: str, chance: random.Random) -> str:
    """The text with one thing changed."""
    at = chance.randrange(len(text) + 1)
    match chance.randrange(8):
        case 0:
            return text[:at] + chance.choice(SIGNS) + text[at:]
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
    """The text of a table with one thing changed, mostly so that it still can be read."""
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
