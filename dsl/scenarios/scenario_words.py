"""Split scenario files into words, in the form that `lex` returns for rules files."""

from __future__ import annotations

from rulewright.dsl.diagnostics.diagnostics import Problems
from rulewright.dsl.diagnostics.source import Source
from rulewright.dsl.parsing.parse_line import parse_line
from rulewright.dsl.scenarios.scenario_lines import Line, lines_of, rows_of
from rulewright.dsl.text.lexer import BLOCKS, Word, lex


def words_of(line: Line, problems: Problems, start: int = 0, end: int | None = None) -> list[Word]:
    """Return the words of a line, or of a part of the line, without its blocks."""
    stop = len(line.text) if end is None else end
    words = lex(line.source, problems, start=line.start + start, end=line.start + stop)
    return [word for word in words if word.type not in BLOCKS]


def scenario_words(source: Source) -> list[Word]:
    """Return the words and block marks of a mistake-free scenario file, in the form that `lex` returns for rules."""
    words: list[Word] = []
    unheard = Problems()
    for line in lines_of(source, 0, len(source.text), unheard):
        head = line.head
        found = words_of(line, unheard, 0, len(head.text))
        words += [*parse_line(found, "scenario_head").words, _mark("_NL", head.end)]
        if head.end == line.end:
            continue
        words.append(_mark("_INDENT", head.end))
        for below in lines_of(source, head.end + 1, line.end, unheard):
            words += _line_words(below)
        words.append(_mark("_DEDENT", line.end))
    return words


def given_words(line: Line, problems: Problems) -> list[Word]:
    """Return the words of `given` and of the steps below it, with their block marks."""
    given, *words = lex(line.source, problems, start=line.start, end=line.end)
    return [Word("GIVEN", given.text, given.start, given.end), *words]


def _line_words(line: Line) -> list[Word]:
    unheard = Problems()
    if is_given(line):
        return given_words(line, unheard)
    end = len(line.head.text) if is_picture(line) else len(line.text)
    words = [*parse_line(words_of(line, unheard, 0, end), "scenario_line").words]
    words.append(_mark("_NL", line.start + end))
    if not is_picture(line):
        return words
    words.append(_mark("_INDENT", line.start + end))
    for start, row in rows_of(line.text, end + 1):
        words += _row_words(line, start, row)
        words.append(_mark("_NL", line.start + start + len(row)))
    return [*words, _mark("_DEDENT", line.end)]


def _row_words(line: Line, start: int, row: str) -> list[Word]:
    """Return the words of a row of a picture. A row of signs is one word, because its spaces matter."""
    meaning = meaning_of(row)
    if meaning is None:
        return [_word("TEXT", line, start, start + len(row))]
    sign, step = meaning
    means = start + row.index("means", len(sign))
    return [
        _word("TEXT", line, start, start + len(sign)),
        _word("MEANS", line, means, means + len("means")),
        *words_of(line, Problems(), start + step, start + len(row)),
    ]


def is_given(line: Line) -> bool:
    """Return whether a line is `given` with steps below it."""
    return line.text.partition("\n")[0].strip() == "given" and "\n" in line.text


def is_picture(line: Line) -> bool:
    """Return whether a line is `picture of` or `expect picture of`, with rows below it."""
    words = line.text.partition("\n")[0].split()
    return words[words[0] == "expect" :][:2] == ["picture", "of"]


def meaning_of(row: str) -> tuple[str, int] | None:
    """Return the sign of `SIGN means STEP` and the offset at which the step begins, or None for a row of
    signs.
    """
    sign, *rest = row.split(None, 2)
    if len(rest) < 2 or rest[0] != "means":
        return None
    return sign, len(row) - len(rest[1])


def _word(type: str, line: Line, start: int, end: int) -> Word:
    return Word(type, line.text[start:end], line.start + start, line.start + end)


def _mark(type: str, place: int) -> Word:
    return Word(type, "", place, place)
