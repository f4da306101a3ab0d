"""Format one line: choose the spaces between its words and, if it is too long for a row, the places to break it.

A line may be broken after `=`, before clauses (`where`, `else`, `with`) or at the commas, tried in this order.
Next come the places around `if`, `or`, `and`, sums and products, and finally the inside of the widest
brackets. Only the words matter, not the line breaks of the author.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from attrs import define, field

from rulewright.dsl.formatting.lines import Line
from rulewright.dsl.text.lexer import NAMES_A_CALL, Word
from rulewright.dsl.text.vocabulary import QUERIES

WIDTH: Final = 100
STEP: Final = 4

_LISTS: Final = frozenset(("KIND", "OPTION", "DIE"))  # these words have a list after `=`
_OPERANDS: Final = frozenset(
    ("NAME", "NUMBER", "TYPE", "RPAR", "YES", "NO", "NOTHING", "EMPTY", "TEXT")
)
_CALLED: Final = frozenset(("NAME", "TYPE", "QUERY", "POSSIBLE", "BY_QUERY"))
_CLAUSES: Final = frozenset(("WHERE", "WITH", "BY", "PROMPT", "SAY", "NAMED", "BECAUSE"))
_CONDITIONS: Final = (frozenset(("OR",)), frozenset(("AND",)))
_COMPARISONS: Final = frozenset(("IS", "LT", "GT", "LE", "GE"))
_SUMS: Final = (frozenset(("PLUS", "MINUS")), frozenset(("STAR", "SLASH")))


@define
class Row:
    """A row of a line: its indentation, its words, and a comment after them."""

    indent: int
    text: str = ""
    comment: str = ""


def rows_of(line: Line) -> list[Row]:
    """Return the rows that a line needs."""
    broken = _Broken(line)
    broken.line()
    return broken.rows


def cells_of(line: Line) -> list[str]:
    """Return the texts between the commas of a line, leaving out the first word of the line."""
    broken = _Broken(line)
    parts = broken.split_after_commas(1, len(line.words))
    return [broken.flat_text(start, end).removesuffix(",") for start, end in parts]


@define
class _Broken:
    """A line while it is being laid out.

    A word is given by its number. A part of the line is given by its first word and the word after its last
    word.
    """

    source: Line
    rows: list[Row] = field(factory=list)
    spaced: list[int] = field(factory=list)
    """Whether a space precedes each word."""
    ends: list[int] = field(factory=list)
    """The item at `n` is the width of the first `n` words if they were in one row."""
    forced: list[int] = field(factory=list)
    """The item at `n` says how many of the first `n` words must end a row."""
    closing: dict[int, int] = field(factory=dict)
    """For each opening bracket, the word that closes it."""
    brackets_around: list[int] = field(factory=list)
    """The number of brackets around each word."""
    column: int = 0

    @property
    def words(self) -> tuple[Word, ...]:
        return self.source.words

    def __attrs_post_init__(self) -> None:
        self.rows = [Row(self.source.depth * STEP)]
        self.column = self.source.depth * STEP
        self.spaced = _spaces(self.words)
        self.ends, self.forced = [0], [0]
        opened: list[int] = []
        for n, word in enumerate(self.words):
            self.ends.append(self.ends[-1] + self.spaced[n] + len(_word_text(word)))
            self.forced.append(self.forced[-1] + (n in self.source.between))
            self.brackets_around.append(len(opened))
            if word.type == "LPAR":
                opened.append(n)
            elif word.type == "RPAR" and opened:
                self.closing[opened.pop()] = n

    # ---- measuring --------------------------------------------------------------------------------

    def flat(self, start: int, end: int) -> int:
        """Return the width of a part of the line if it is written in one row."""
        return self.ends[end] - self.ends[start] - self.spaced[start] if start < end else 0

    def flat_text(self, start: int, end: int) -> str:
        """Return the text of a part of the line, written in one row."""
        text = "".join(" " * self.spaced[n] + _word_text(self.words[n]) for n in range(start, end))
        return text[self.spaced[start] :] if start < end else ""

    def is_whole(self, start: int, end: int) -> bool:
        """Return whether a part of the line contains no word after which a row must end."""
        return start >= end or self.forced[end - 1] == self.forced[start]

    def fits(self, start: int, end: int, tail: int, column: int | None = None) -> bool:
        """Return whether a part and the `tail` that must follow it fit into the row.

        The part begins after the last word of the row, or at `column`.
        """
        at = self.column + self.spaced[start] if column is None and start < end else column or 0
        return self.is_whole(start, end) and at + self.flat(start, end) + tail <= WIDTH

    def outside(self, start: int, end: int) -> Iterator[int]:
        """Yield the words of a part of the line that are outside its brackets."""
        n = start
        while n < end:
            yield n
            n = max(n + 1, self.closing.get(n, n))

    def find(self, types: frozenset[str], start: int, end: int) -> list[int]:
        """Return the words that have one of these types and are outside brackets. An operator
        counts only between two values.
        """
        return [
            n
            for n in self.outside(start, end)
            if self.words[n].type in types
            and not (self.words[n].type == "MINUS" and not self.is_between(n))
        ]

    def is_between(self, n: int) -> bool:
        return n > 0 and self.words[n - 1].type in _OPERANDS

    def split_after_commas(self, start: int, end: int) -> list[tuple[int, int]]:
        """Split a list into its items. Each item includes its comma."""
        commas = [n + 1 for n in self.find(frozenset(("COMMA",)), start, end)]
        return _parts(start, commas, end)

    # ---- writing ----------------------------------------------------------------------------------

    def put(self, start: int, end: int, hang: int) -> None:
        """Write words side by side. If a row must end, the next row begins at `hang`."""
        for n in range(start, end):
            row = self.rows[-1]
            row.text += (" " if row.text and self.spaced[n] else "") + _word_text(self.words[n])
            self.column = row.indent + len(row.text)
            said = self.source.between.get(n)
            if said is not None:
                row.comment = said[0]
                self.rows += [Row(hang, "", comment) for comment in said[1:]]
                self.rows.append(Row(hang))
                self.column = hang

    def begin_row(self, hang: int) -> None:
        if self.rows[-1].text:
            self.rows.append(Row(hang))
        self.rows[-1].indent = self.column = hang

    # ---- from the loosest to the tightest ---------------------------------------------------------

    def line(self) -> None:
        """Write the whole line."""
        end = len(self.words)
        # deeper than the block below, so that it does not seem to be a part of the block
        hang = (self.source.depth + (2 if self.source.opens else 1)) * STEP
        if self.fits(0, end, 0):
            return self.put(0, end, hang)
        self.put(0, 1, hang)
        equal = self.find(frozenset(("EQ",)), 1, end)
        if not equal:
            return self.clauses(1, end, hang, hang, 0)
        after_equals = equal[0] + 1
        self.clauses(1, after_equals, hang, hang, 0)
        if self.words[0].type in _LISTS:
            return self.fill(after_equals, end, hang, 0)
        self.begin_row(hang)
        return self.clauses(after_equals, end, hang, hang + STEP, 0)

    def clauses(self, start: int, end: int, hang: int, inner: int, tail: int) -> None:
        """Write a part with clauses such as `where`, `by` and `else "..."`."""
        if self.fits(start, end, tail):
            return self.put(start, end, hang)
        marks = [
            n
            for n in self.outside(start + 1, end)
            if self.words[n].type in _CLAUSES
            or (self.words[n].type == "ELSE" and n + 1 < end and self.words[n + 1].type == "TEXT")
        ]
        parts = _parts(start, marks, end)
        for n, (first, last) in enumerate(parts):
            rest = tail if last == end else 0
            if n:
                self.begin_row(hang)
                self.items(first, last, hang + STEP, hang + STEP, rest)
            else:
                self.items(self.board_text(first, last, hang, rest), last, hang, inner, rest)
        return None

    def board_text(self, start: int, end: int, hang: int, tail: int) -> int:
        """Write the text of a long line of a board. The row can end before `for`; return where the rest begins."""
        marks = self.find(frozenset(("FOR",)), start, end)[:1]
        if not marks or self.words[0].type not in ("SHOW", "NOTE") or self.fits(start, end, tail):
            return start
        self.put(start, marks[0], hang)
        self.begin_row(hang)
        return marks[0]

    def items(self, start: int, end: int, hang: int, inner: int, tail: int) -> None:
        """Write a part that may have commas."""
        if self.fits(start, end, tail):
            return self.put(start, end, hang)
        if len(self.split_after_commas(start, end)) > 1:
            return self.fill(start, end, hang, tail)
        return self.value(start, end, hang, inner, tail)

    def fill(self, start: int, end: int, hang: int, tail: int, *, within: bool = False) -> None:
        """Write a list, with as many items in each row as fit. Inside brackets the first item may begin a
        new row.
        """
        for first, last in self.split_after_commas(start, end):
            rest = tail if last == end else 0
            if self.fits(first, last, rest):
                self.put(first, last, hang)
                continue
            alone = self.fits(first, last, rest, hang)
            if (first > start or within) and (alone or first > start):
                self.begin_row(hang)
            self.clauses(first, last, hang + STEP, hang + STEP, rest)

    def value(self, start: int, end: int, hang: int, inner: int, tail: int) -> None:
        """Write an expression, or a step that contains an expression."""
        if self.fits(start, end, tail):
            return self.put(start, end, hang)
        choice = self.find(frozenset(("IF",)), start, end)[:1]
        then = self.find(frozenset(("THEN",)), start, end)
        if choice and then:
            return self.choice(start, choice[0], end, hang, tail)
        if then:
            return self.case(start, then[0], end, hang, tail)
        for types in _CONDITIONS:
            marks = [n for n in self.find(types, start, end) if n > start]
            parts = _parts(start, marks, end)
            if marks and max(last - first for first, last in parts[1:]) > 2:
                return self.chain(parts, hang, tail)
            if marks:  # only names: a list of types
                return self.sum(parts, hang, tail)
        compared = [n for n in self.find(_COMPARISONS, start, end) if n > start]
        if compared:
            return self.comparison(start, compared[0], end, hang, inner, tail)
        for types in _SUMS:
            marks = [n for n in self.find(types, start, end) if n > start]
            if marks:
                return self.sum(_parts(start, marks, end), hang, tail)
        return self.brackets(start, end, hang, inner, tail)

    def chain(self, parts: list[tuple[int, int]], hang: int, tail: int) -> None:
        """Write conditions: each condition begins a row with its `and` or `or`."""
        for n, (first, last) in enumerate(parts):
            if n:
                self.begin_row(hang)
            rest = tail if n + 1 == len(parts) else 0
            self.value(first, last, hang + STEP, hang + STEP, rest)

    def comparison(self, start: int, mark: int, end: int, hang: int, inner: int, tail: int) -> None:
        """Write two values and their operator. Inside brackets the second value may begin a row with the
        operator.
        """
        if self.brackets_around[mark] and self.fits(start, mark, 0):
            self.put(start, mark, hang)
            self.begin_row(hang)
            return self.brackets(mark, end, hang + STEP, hang + STEP, tail)
        self.value(start, mark, hang, inner, self.flat(mark, end) + 1 + tail)
        return self.brackets(mark, end, hang, inner, tail)

    def sum(self, parts: list[tuple[int, int]], hang: int, tail: int) -> None:
        """Write sums and products, with as much in each row as fits."""
        for n, (first, last) in enumerate(parts):
            rest = tail if n + 1 == len(parts) else 0
            if n and not self.fits(first, last, rest):
                self.begin_row(hang)
            self.value(first, last, hang + STEP, hang + STEP, rest)

    def choice(self, start: int, choice: int, end: int, hang: int, tail: int) -> None:
        """Write `if A then B else C`: each `else` begins a row, and if that is not enough, so does each
        `then`.
        """
        self.brackets(start, choice, hang, hang, 0)
        others = self.find(frozenset(("ELSE",)), choice, end)
        for n, (first, last) in enumerate(_parts(choice, others, end)):
            if n:
                self.begin_row(hang)
            rest = tail if last == end else 0
            then = self.find(frozenset(("THEN",)), first, last)
            if self.fits(first, last, rest) or not then:
                self.put_or_break(first, last, hang + STEP, rest)
            else:
                self.put(first, first + 1, hang + STEP)
                self.value(first + 1, then[0], hang + STEP, hang + STEP, 0)
                self.begin_row(hang + STEP)
                self.value(then[0], last, hang + 2 * STEP, hang + 2 * STEP, rest)

    def put_or_break(self, start: int, end: int, hang: int, tail: int) -> None:
        """Write an `else` with its value."""
        self.put(start, start + 1, hang)
        self.value(start + 1, end, hang, hang, tail)

    def case(self, start: int, then: int, end: int, hang: int, tail: int) -> None:
        """Write an `A then B` that occurs in a `by` clause."""
        if then > start:
            self.value(start, then, hang, hang, 0)
            self.begin_row(hang)
        self.put(then, then + 1, hang)
        self.value(then + 1, end, hang + STEP, hang + STEP, tail)

    # ---- brackets ---------------------------------------------------------------------------------

    def brackets(self, start: int, end: int, hang: int, inner: int, tail: int) -> None:
        """Write a part that can be broken only inside brackets, by breaking the widest pair of brackets."""
        if self.fits(start, end, tail):
            return self.put(start, end, hang)
        opened = [n for n in self.outside(start, end) if n in self.closing]
        if not opened:
            return self.put(start, end, hang)
        widest = max(
            opened,
            key=lambda n: (not self.is_whole(n, self.closing[n]), self.flat(n, self.closing[n])),
        )
        closed = self.closing[widest]
        self.brackets(start, widest, hang, inner, 0)
        self.put(widest, widest + 1, inner)
        self.inside(widest, closed, inner, tail + self.flat(closed, end))
        self.put(closed, closed + 1, inner)
        return self.brackets(closed + 1, end, hang, inner, tail)

    def inside(self, opened: int, closed: int, hang: int, tail: int) -> None:
        """Write the content of a bracket."""
        start = opened + 1
        if self.fits(start, closed, tail):
            return self.put(start, closed, hang)
        match self.words[opened - 1].type if opened else "":
            case "BY_QUERY":
                return self.cases(start, closed, hang, tail)
            case "QUERY":
                return self.query(start, closed, hang, tail)
            case _:
                if len(self.split_after_commas(start, closed)) > 1:
                    return self.fill(start, closed, hang, tail, within=True)
                return self.clauses(start, closed, hang, hang + STEP, tail)

    def cases(self, start: int, end: int, hang: int, tail: int) -> None:
        """Write `SUBJECT: A then B, C then D`: a row for each case."""
        colon = self.find(frozenset(("COLON",)), start, end)
        after_equals = colon[0] + 1 if colon else start
        self.value(start, after_equals, hang, hang + STEP, 0)
        for first, last in self.split_after_commas(after_equals, end):
            self.begin_row(hang)
            self.value(first, last, hang + STEP, hang + STEP, tail if last == end else 0)

    def query(self, start: int, end: int, hang: int, tail: int) -> None:
        """Write `x in PLACE where A by B: C`: first a row for the part after the colon, then a row for each
        clause.
        """
        colon = [n for n in self.find(frozenset(("COLON",)), start, end) if not self.is_typed(n)]
        after_equals = colon[0] + 1 if colon else end
        if not colon:
            return self.clauses(start, end, hang, hang + STEP, tail)
        if self.fits(start, after_equals, 0):
            self.put(start, after_equals, hang)
            self.begin_row(hang)
            return self.clauses(after_equals, end, hang, hang + STEP, tail)
        self.clauses(start, after_equals, hang, hang + STEP, 0)
        self.begin_row(hang + STEP)
        return self.clauses(after_equals, end, hang + STEP, hang + 2 * STEP, tail)

    def is_typed(self, colon: int) -> bool:
        """Return whether a colon is followed by the type of a name."""
        words = self.words[colon + 1 : colon + 3]
        return [word.type for word in words] == ["TYPE", "IN"]


def _parts(start: int, marks: list[int], end: int) -> list[tuple[int, int]]:
    """Split a part before each mark."""
    edges = [start, *(mark for mark in marks if start < mark < end), end]
    return list(pairwise(edges))


def _word_text(word: Word) -> str:
    return word.text if word.type == "TEXT" else " ".join(word.text.split())


# ---- blanks -----------------------------------------------------------------------------------------

_TIGHT_AFTER: Final = frozenset(("LPAR", "DOT", "DOTDOT"))
_TIGHT_BEFORE: Final = frozenset(("RPAR", "COMMA", "COLON", "DOT", "DOTDOT", "ONWARD"))


def _spaces(words: tuple[Word, ...]) -> list[int]:
    """Return, for each word, whether a space precedes it."""
    spaces: list[int] = []
    brackets, subject = 0, False
    for n, word in enumerate(words):
        before = words[n - 1] if n else None
        tight = before is None or word.type in _TIGHT_BEFORE or before.type in _TIGHT_AFTER
        if before is not None and before.type == "MINUS" and not tight:
            tight = n < 2 or words[n - 2].type not in _OPERANDS
        if before is not None and word.type == "LPAR" and not tight:
            tight = before.type in _CALLED and not (subject and not brackets)
            if tight and before.type == "NAME" and before.text in (*QUERIES, "possible", "by"):
                # directly before a bracket, these names would be words of the language
                tight = n > 1 and words[n - 2].type in NAMES_A_CALL
        spaces.append(int(not tight))
        match word.type:
            case "LPAR":
                brackets += 1
            case "RPAR":
                brackets -= 1
            case "COLON" if not brackets and any(w.type == "VALUE" for w in words[:2]):
                subject = True  # `value NAME of x: TYPE (PARAMETERS)`
            case "EQ" | "AT_LEAST" | "AT_MOST" if not brackets:
                subject = False
            case _:
                pass
    return spaces
