"""A random other layout of a file: the same words, comments and empty lines; other spaces, line breaks, line ends.

This module knows where a line may be broken and where words may touch.
"""

from __future__ import annotations

from random import Random

from attrs import define, field

from rulewright.dsl.formatting.lines import Gap, Item, Line, Remark, lines_of
from rulewright.dsl.text.lexer import Word
from rulewright.dsl.text.vocabulary import SIGNS

_SIGNS = frozenset(SIGNS.values())
_GOES_ON = frozenset(("AND", "OR", "WHERE", "THEN", "THEN_SHARED", "THEN_ORDER", "WITH"))
_OPERATORS = frozenset(("PLUS", "MINUS", "STAR", "SLASH"))
_ENDS = frozenset(("NAME", "NUMBER", "TYPE", "RPAR", "YES", "NO", "NOTHING", "EMPTY"))


def another_layout(text: str, words: list[Word], random: Random) -> str:
    """The text of a file in canonical layout, in another layout."""
    return _Layout(random).of(lines_of(text, words))


@define
class _Layout:
    random: Random
    columns: list[int] = field(factory=lambda: [0])
    rows: list[str] = field(factory=list)

    def of(self, items: list[Item]) -> str:
        opened = True  # empty rows below a header or at the beginning do not count
        for item in items:
            match item:
                case Gap():
                    self.rows += self.blank(1, 3)
                case Remark():
                    self.rows.append(" " * self.column(item.depth) + item.text + self.end())
                    opened = False
                case Line():
                    self.rows += self.blank(0, 2) if opened else []
                    self.rows += self.line(item)
                    opened = item.opens
        text = "\n".join([*self.rows, *self.blank(0, 2)])
        text += self.random.choice(("", "\n", "\n\n"))
        return self.random.choice(("", "\ufeff")) + self.random.choice(
            (text, text.replace("\n", "\r\n"))
        )

    def blank(self, least: int, most: int) -> list[str]:
        count = self.random.randint(least, most)
        return [" " * self.random.choice((0, 0, 3)) for _ in range(count)]

    def end(self) -> str:
        return self.random.choice(("", "", " ", "\t"))

    def column(self, depth: int) -> int:
        del self.columns[depth + 1 :]
        while len(self.columns) <= depth:
            self.columns.append(self.columns[-1] + self.random.randint(1, 7))
        return self.columns[depth]

    def line(self, line: Line) -> list[str]:
        indent = self.column(line.depth)
        row, rows = " " * indent, []
        brackets = choices = 0
        for n, word in enumerate(line.words):
            before = line.words[n - 1] if n else None
            if before is not None and n - 1 in line.between:
                first, *more = line.between[n - 1]
                rows.append(row + (" " * self.random.randint(1, 3) + first if first else ""))
                rows += [" " * self.random.randint(0, 9) + comment for comment in more]
                row = " " * (indent + self.random.randint(1, 20))
            elif before is not None:
                turns = self.may_turn(line.words, n, brackets, choices)
                if turns and self.random.random() < 0.2:
                    rows += [row + self.end(), *self.blank(0, 1)]
                    row = " " * (indent + self.random.randint(1, 20))
                else:
                    row += self.between(line.words, n, bool(row.strip()))
            row += word.text
            brackets += {"LPAR": 1, "RPAR": -1}.get(word.type, 0)
            choices += 0 if brackets else {"THEN": 1, "ELSE": -1}.get(word.type, 0)
        row += f"{' ' * self.random.randint(1, 9)}{line.tag}" if line.tag else ""
        row += f"{' ' * self.random.randint(1, 9)}{line.comment}" if line.comment else ""
        return [*rows, row + self.end()]

    def may_turn(self, words: tuple[Word, ...], n: int, brackets: int, choices: int) -> bool:
        before, word = words[n - 1], words[n]
        following = words[n + 1].type if n + 1 < len(words) else ""
        if "HEAD" in (before.type, word.type) or (words[0].type == "HEAD" and n < 2):
            return False
        if brackets:
            return not (word.type == "LPAR" and before.type in ("QUERY", "POSSIBLE", "BY_QUERY"))
        return (
            before.type in ("COMMA", "EQ")
            or word.type in _GOES_ON
            or (word.type == "BY" and following != "TEXT")
            or (word.type == "ELSE" and (following == "TEXT" or choices > 0))
            or (word.type in _OPERATORS and before.type in _ENDS)
        )

    def between(self, words: tuple[Word, ...], n: int, within: bool) -> str:
        """The blanks between two words of a row."""
        before, word = words[n - 1], words[n]
        apart = self.random.choice((" ", " ", "  ", "     ", "\t"))
        stood = word.start > before.end
        if "HEAD" in (before.type, word.type) or word.type == "BECAUSE":
            return " " if stood else ""
        if word.type == "LPAR":
            # some words count only in brackets, unlike a name of that kind
            touching = before.type in ("QUERY", "POSSIBLE", "BY_QUERY") or not stood
            return "" if touching and before.type != "LPAR" else apart
        if before.type in _OPERATORS and n >= 2 and words[n - 2].type in _ENDS:
            return apart  # because it may begin a row
        signs = before.type in _SIGNS or word.type in _SIGNS
        return self.random.choice(("", apart)) if signs else apart
