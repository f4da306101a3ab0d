"""Report each unreadable line once, using the language's own vocabulary, and show the form that the line should have.

This module is independent of the parser: it receives the words of the line, the word that does not
fit, and the types that would fit.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from rulewright.dsl.diagnostics import foreign_words
from rulewright.dsl.diagnostics.advice import Advice, remove, whole_lines, write
from rulewright.dsl.diagnostics.diagnostics import Fix, Label, Problems
from rulewright.dsl.diagnostics.source import Source, Span
from rulewright.dsl.diagnostics.suggest import did_you_mean
from rulewright.dsl.parsing.hints import mistake, pairs, parse_help, whole
from rulewright.dsl.parsing.repairs import Reads, repair_line
from rulewright.dsl.parsing.rewriting import LONGEST, rewrite_line
from rulewright.dsl.parsing.sketched import sketch
from rulewright.dsl.text.lexer import BLOCKS, Word, lex
from rulewright.dsl.text.vocabulary import GROUPS, HEADS, LOCAL, RESERVED, SCENARIOS, SIGNS

FORMS: Final = pairs("forms")
_SYNONYMS: Final = pairs("other names")
NOUNS: Final = pairs("nouns")


def _at(source: Source, word: Word) -> Span:
    return Span(source, word.start, max(word.end, word.start))


def report_unexpected_block(source: Source, word: Word, problems: Problems) -> None:
    """Report an error for a line that is indented more than the previous line allows."""
    start = source.text.rfind("\n", 0, word.start) + 1
    above = source.text[:start].rstrip().rpartition("\n")[2]
    spaces = above[: len(above) - len(above.lstrip())]
    problems.error(
        "bad-indent",
        "this line is indented more, but the line above opens no block",
        _at(source, word),
        help="align it with the line above",
        fix=Fix(Span(source, start, word.start), spaces, "move it under the line above"),
    )


def report_too_many(source: Source, line: list[Word], problems: Problems) -> None:
    """Report that too many lines cannot be read, so the rest is skipped."""
    problems.error(
        "unexpected-word",
        "too many lines cannot be read; the rest of the file is not checked",
        _at(source, line[0]),
        help="check whether it is the right file, or fix the lines above first",
    )


def report_missing_block(source: Source, words: list[Word], at: int, problems: Problems) -> None:
    """Report an error for a header without any lines below it."""
    n = min(at, len(words)) - 1
    while n > 0 and words[n].type in ("_NL", "_INDENT", "_DEDENT"):
        n -= 1
    last = words[n]
    first = n
    while first > 0 and words[first - 1].type not in ("_NL", "_INDENT", "_DEDENT"):
        first -= 1
    head = words[first]
    problems.error(
        "unexpected-end",
        f"`{head.text}` needs something below it",
        Span(source, head.start, max(last.end, head.end)),
        help="write at least one line below it, indented by 4 more spaces",
    )


def report_line(
    source: Source,
    line: list[Word],
    at: int,
    wanted: set[str],
    problems: Problems,
    *,
    inside: str,
    reads: Reads,
) -> None:
    """Report an error for a line that does not fit. `at` is the index of the first word that does not fit."""
    head = line[0]
    all_of_it = _span_from(source, head, line[-1])
    if (
        line[-1].type == "COLON"
        and len(line) > 1
        and _can_be_read(source.text[line[0].start : line[-1].start].rstrip(), reads)
    ):
        problems.error(
            "unexpected-word",
            "a line does not end with a colon",
            _at(source, line[-1]),
            help=remove("remove it; indentation alone shows what belongs to a line"),
        )
        return
    text = source.text[head.start : line[-1].end]
    fault = (line[at].start if at < len(line) else line[-1].end) - head.start
    found = mistake("slips", text, fault) if at > 0 else None
    if at == 1 and inside == "record" and _is_header(source, line):
        columns = "\n".join(f"{word.text}: 0..9" for word in line if word.type == "NAME")
        problems.error(
            "unexpected-word",
            "each column has a line of its own, with its type",
            _at(source, line[at]),
            help=write(columns, all_of_it) + ", each in its own line",
        )
        return
    instead = _rewrite_help(source, line, reads)
    if not instead and found is None and at > 0:
        other = repair_line(line, at, wanted, reads)
        instead = write(other, all_of_it) if other else Advice()
    if not instead and found is None and at > 0 and len(text) > LONGEST:
        found = mistake("long lines", text, fault)
    if found is not None:
        span = Span(source, head.start + found.start, head.start + found.end)
        start, end = (head.start + at for at in found.replaced)
        replaced = Span(source, start, end)
        if "«»" in found.help:
            replaced = _with_spaces(span)
        help = parse_help(found.help, replaced)
        problems.error("unexpected-word", found.message, span, help=help)
        return
    comma = _find_stray_comma(source, line, at)
    if comma is not None:
        problems.error(
            "unexpected-word",
            f"a line of `{head.text}` that ends with a comma continues in the next line",
            _at(source, comma),
            help="remove the comma, or complete the line after it",
        )
        return
    if at >= len(line):
        _report_early_end(source, line, wanted, problems, instead)
        return
    word = line[at]
    place = _at(source, word)
    if at == 0:
        _report_head(source, line, inside, problems, instead, reads)
        return
    ids = line[at - 1]
    if ids.type == "TAG" and "\n" in source.text[ids.end : word.start]:
        problems.error(
            "unexpected-word",
            f"clause ids come after the whole step, but it continues with `{word.text}`",
            _at(source, ids),
            labels=(Label(place, "here"),),
            help=f"write `{ids.text}` at the end of the line that begins with `{word.text}`",
        )
        return
    is_double = word.type == "EQ" and at + 1 < len(line) and line[at + 1].type == "EQ"
    if (
        word.type == "EQ"
        and wanted & {"IS", "TO"}
        and head.type not in ("PIECE", "ROW", "SPACE")
        and not (head.type in ("MODIFY", "COPIES") and instead)
    ):
        problems.error(
            "unexpected-word",
            "`=` only gives things their names; `is` compares",
            place,
            help=write("is", _span_from(source, word, line[at + 1]) if is_double else place),
        )
        return
    following = line[at + 1].start if at + 1 < len(line) else word.end
    if word.type == "COMMA" and not instead and "\n" in source.text[word.end : following]:
        message = "a step does not end with a comma"
        problems.error("unexpected-word", message, place, help=remove())
        return
    if "\n" in source.text[line[at - 1].end : word.start] and word.text in ("then", "or", "and"):
        rest = _text_of(source, line[at + 1 :])
        before = Span(source, line[at - 1].end, word.end)
        gone = Span(source, word.start, following) if rest else before
        problems.error(
            "unexpected-word",
            f"no line begins with `{word.text}`",
            place,
            help=remove(f"remove it: write `{rest}`" if rest else "remove it", gone),
        )
        return
    if "NAME" in wanted and (word.text in RESERVED) and word.text[:1].isalpha() and not instead:
        _report_reserved(word, place, problems)
        return
    if "TYPE" in wanted and word.type == "NAME" and "NAME" not in wanted:
        problems.error(
            "unexpected-word",
            f"a type is expected here, but this is `{word.text}`",
            place,
            help=instead or _type_help(source, word.text),
        )
        return
    if word.type in ("EQ",) and line[at - 1].type == "EQ":
        help = instead if head.type == "COPIES" else Advice()
        signs = _span_from(source, line[at - 1], word)
        help = help or write("is", signs)
        problems.error("unexpected-word", "`==` is not used", place, help=help)
        return
    expected = _expected_words(wanted)
    shown = word.text if len(word.text) <= 30 else word.text[:30] + "..."
    after = line[at + 1].text if at + 1 < len(line) else ""
    is_declared = head.type in _NAMING and at <= 2
    help = instead or (
        Advice() if is_declared else _foreign_word_help(source, word, line[at - 1].text, after)
    )
    if ".." in expected and at > 1 and line[at - 2].type == "COLON" and line[at - 1].type == "NAME":
        problems.error(
            "unexpected-word",
            f"`{line[at - 1].text}` is not a type",
            _at(source, line[at - 1]),
            help=instead or _type_help(source, line[at - 1].text) + "; a range is `0..9`",
        )
        return
    if not help and head.type in ("SURELY", "MAY") and word.type == "NAME" and at == 1:
        help = write(f"{head.text} do {word.text}", _span_from(source, head, word))
    notes = (f"{expected} would fit here",) if expected else ()
    problems.error(
        "unexpected-word",
        f"`{shown}` does not fit here"
        if head is word
        else f"`{shown}` does not fit into this `{head.text}` line",
        place,
        notes=notes,
        labels=(Label(_at(source, head), "this line"),) if head is not word else (),
        help=help
        or _usual_forms(head.type, all_of_it)
        or f"remove `{shown}`, or write it in a line of its own",
    )


_NAMING: Final = frozenset(("STATE", "ZONE", "PIECE", "KIND", "SPACE", "RULE", "ACTION", "COPIES"))
"""Lines that begin with a new name. After this name, `of` does not select an attribute."""


def _find_stray_comma(source: Source, line: list[Word], at: int) -> Word | None:
    """If a line continues the previous one only because of a comma, return the comma; otherwise
    return None.
    """
    for n in range(min(at, len(line)) - 1, max(0, at - 4), -1):
        after = line[n + 1].start if n + 1 < len(line) else line[n].end
        if line[n].type == "COMMA" and "\n" in source.text[line[n].end : after]:
            begun = source.text[after:].partition("\n")[0]
            return line[n] if begun.split(" ")[0] in HEADS else None
    return None


def _is_header(source: Source, line: list[Word]) -> bool:
    """Return whether a line is the first line of a record, and consists only of names."""
    types = [word.type for word in line]
    names = types[::2] == ["NAME"] * len(types[::2]) and set(types[1::2]) == {"COMMA"}
    return names and not _line_above(source, line[0])


def _text_of(source: Source, words: Sequence[Word]) -> str:
    """Return the text of words, with single spaces."""
    return " ".join(source.text[words[0].start : words[-1].end].split()) if words else ""


def _type_help(source: Source, word: str) -> Advice:
    """Return help for a word that is written where a type belongs."""
    known = sketch(source.text).type_name(word)
    typed = known or "".join(part.capitalize() for part in word.split("_"))
    return write(typed) + ": types begin with a capital"


def _report_reserved(word: Word, place: Span, problems: Problems) -> None:
    """Report an error if a word of the language is used as a name, but only once, at the first such
    place in the text.
    """
    others = _SYNONYMS.get(word.text, "")
    message = f"`{word.text}` is a word of the language and cannot be a name"
    if any(known.message == message for known in problems.in_order()):
        return
    problems.error(
        "reserved-name",
        message,
        place,
        help=f"choose another name{', for instance ' + others if others else ''}",
    )


def report_expression(
    source: Source, word: Word, before: str, after: str, problems: Problems
) -> None:
    """Report an error for a word that does not fit into a separately parsed expression."""
    help = _foreign_word_help(source, word, before, after)
    if word.type == "EQ":
        help = write("is") + ": `=` only gives things their names"
    elif word.type == "TEXT":
        name = re.sub(r"\W+", "_", word.text.strip('"')).strip("_").lower()
        help = "remove the quotes: " + write(name) + ", with `_` for spaces"
    problems.error(
        "unexpected-word",
        f"`{word.text}` does not fit here",
        _at(source, word),
        help=help or "remove it, or write `+`, `and`, a dot or a comma before it",
    )


def _expected_words(wanted: set[str]) -> str:
    """Return the words that would fit at a place, or "" if there are too many."""
    words = [NOUNS.get(type) or f"`{WRITTEN[type]}`" for type in sorted(wanted - _UNSAID)]
    if not words or len(words) > 8:
        return ""
    return " or ".join(words)


# words that authors seldom forget, and tokens without text
_UNSAID: Final = frozenset(
    ("AND", "BROKEN", "DOT", "MINUS", "OR", "PLUS", "SLASH", "STAR", "TAG", "_DEDENT", "_INDENT")
)
WRITTEN: Final = {
    type: words
    for written in (SCENARIOS, HEADS, RESERVED, GROUPS, SIGNS)
    for words, type in written.items()
} | {type: word for word, (type, _, _) in LOCAL.items()}


def _line_above(source: Source, head: Word) -> str:
    """Return the nearest line above with the same depth, without its indentation, or "" if there is none."""
    depth = head.start - (source.text.rfind("\n", 0, head.start) + 1)
    for line in reversed(source.text[: head.start].splitlines()[:-1]):
        words = line.lstrip(" ")
        if words and len(line) - len(words) <= depth:
            return words if len(line) - len(words) == depth else ""
    return ""


def _usual_forms(type: str, at: Span) -> Advice:
    """Return help with the forms of a line that begins with a word of the language."""
    row = FORMS.get(type, "")
    return "write " + parse_help(row if "«" in row else f"«{row}»", at) if row else Advice()


def _report_early_end(
    source: Source, line: list[Word], wanted: set[str], problems: Problems, instead: Advice
) -> None:
    head, last = line[0], line[-1]
    all_of_it = _span_from(source, head, last)
    usual = _usual_forms(head.type, all_of_it)
    expected = _expected_words(wanted)
    if head.type in ("PIECE", "SPACE") and len(line) > 2 and line[2].type == "IS":
        known = line[3].text if len(line) > 3 else "ONE"
        usual = write(f"{head.text} {line[1].text} is {known} or ANOTHER")
    problems.error(
        "unexpected-end",
        f"this line ends too early: `{head.text}` is not complete",
        Span(source, last.start, last.end),
        at="the last word",
        notes=(f"{expected} is missing",) if expected else (),
        help=instead or usual or _column_help(source, line),
    )


def _rewrite_help(source: Source, line: list[Word], reads: Reads) -> Advice:
    """Return help that suggests the line to write. The help is empty if no line is known."""
    text = source.text[line[0].start : line[-1].end]
    found = rewrite_line(text, sketch(source.text), lambda text: _can_be_read(text, reads))
    written = found if found.startswith("«") else f"«{found}»"
    return (
        "write " + parse_help(written, _span_from(source, line[0], line[-1])) if found else Advice()
    )


def _can_be_read(text: str, reads: Reads) -> bool:
    found = Problems()
    words = [word for word in lex(Source("", text), found) if word.type not in BLOCKS]
    return not len(found) and reads(words)


def _column_help(source: Source, line: list[Word]) -> Advice:
    """Return help for a column without a type."""
    name = line[0].text
    if not name.isidentifier():
        return Advice()
    written = write(f"{name}: 0..9", _span_from(source, line[0], line[-1]))
    return written + ", with the type of this column after the colon"


def _report_head(
    source: Source,
    line: list[Word],
    inside: str,
    problems: Problems,
    instead: Advice,
    reads: Reads,
) -> None:
    head, text = line[0], _text_of(source, line)
    place, all_of_it = _at(source, head), _span_from(source, head, line[-1])
    smaller = write(f"{head.text.lower()}{source.text[head.end : line[-1].end]}", all_of_it)
    if head.type == "NAME":
        near, meant = instead, did_you_mean(head.text, list(HEADS))
        begun = tuple(f"{known} " for known in HEADS)
        if meant and not any(f"{one.text} ".startswith(begun) for one in near.changes):
            near = Advice()  # no line begins with the rewritten text either
        near = near or _unknown_word_help(all_of_it, place, text, meant, reads)
        if line[-1].type == "TEXT" and len(line) > 3 and line[-2].type == "ELSE" and not instead:
            near = write(f"needs {text}", all_of_it)
        if head.text.lower() in HEADS and head.text not in HEADS:
            near = smaller
        scored = re.fullmatch(r"[a-z]\w*\.(\w+) ?= ?(.+)", text)
        if inside == "score" and scored is not None:
            near = write(f'item "{scored[1]}" = {scored[2]}', all_of_it)
        elif inside == "score" and len(line) > 2 and line[1].type == "EQ":
            near = write(f'item "{head.text}" = {_text_of(source, line[2:])}', all_of_it)
        elif inside == "score" and len(line) > 1 and not instead:
            near = write(f'item "words" = {all_of_it.text}', all_of_it)
        problems.error(
            "unexpected-word",
            f"no line begins with `{head.text}`",
            place,
            notes=("a line begins with the word that says what it is",),
            help=near or _line_start_help(inside, text),
        )
        return
    is_possible = _line_above(source, head).startswith("if possible")
    around = f"{'possible' if is_possible else inside or 'block'}: "
    found = mistake("first words", around + all_of_it.text, len(around))
    if found is not None:
        is_meant = instead and (inside != "file" or "setup" in instead.words)
        start, end = (head.start + max(at - len(around), 0) for at in found.replaced)
        help = instead if is_meant else parse_help(found.help, Span(source, start, end))
        fix = _at_the_margin(place) if help.words.startswith(_MARGIN) else None
        problems.error("unexpected-word", found.message, place, help=help, fix=fix)
        return
    shown = head.text if len(head.text) <= 30 else head.text[:30] + "..."
    is_capital = head.type == "TYPE" and head.text.lower() in HEADS
    known = (
        smaller
        if is_capital
        else instead or _unknown_word_help(all_of_it, place, text, Advice(), reads)
    )
    problems.error(
        "unexpected-word",
        f"`{shown}` cannot begin a line here",
        place,
        help=known or _line_start_help(inside, text),
    )


_MARGIN: Final = "begin its line at the left margin"


def _at_the_margin(word: Span) -> Fix:
    """Return the change that moves the lines of an inner declaration out of the outer declaration
    and puts them below it.
    """
    source = word.source
    lines = source.text[source.line_start(word.line) :].split("\n")
    own = 1 + _count_indented(lines[1:], word.column)
    rest = own + _count_indented(lines[own:], 1)
    moved = [line.removeprefix(" " * (word.column - 1)) for line in lines[:own]]
    text = "\n".join((*lines[own:rest], *([""] if own < rest else []), *moved))
    start = source.line_start(word.line)
    return Fix(
        Span(source, start, start + len("\n".join(lines[:rest]))),
        text,
        "begin it at the left margin",
    )


def _count_indented(lines: Sequence[str], column: int) -> int:
    """Count the leading lines that are indented at least to the given column; stop at an empty line."""
    begun = (n for n, line in enumerate(lines) if not line[:column].isspace() or not line.strip())
    return next(begun, len(lines))


def _unknown_word_help(line: Span, head: Span, said: str, near: Advice, reads: Reads) -> Advice:
    """Return help for a line whose first word is unknown. `near` is the help to use if the word is misspelt."""
    for found in whole("habits", said):
        plain = parse_help(found, whole_lines(line))
        for change in plain.changes[:1]:
            places = (head, line) if change.text.replace("_", "").isalpha() else (line, head)
            for place in places if change.text else ():
                written = change.text.partition("\n")[0] + line.text[place.end - line.start :]
                if written.startswith("#") or _can_be_read(written, reads):
                    return parse_help(found, place)
        return plain if plain.words.startswith("remove it") else Advice(plain.words)
    return near or parse_help(next(whole("conditions", said), ""))


def _span_from(source: Source, first: Word, last: Word) -> Span:
    return Span(source, first.start, last.end)


def _with_spaces(span: Span) -> Span:
    """Return a span together with the spaces before it."""
    return Span(span.source, len(span.source.text[: span.start].rstrip(" ")), span.end)


def _foreign_word_help(source: Source, word: Word, before: str, after: str) -> Advice:
    """Return help for a word from another language, given the words around it."""
    start = source.text.rfind(before, 0, word.start) if before else word.start
    end = source.text.find(after, word.end) + len(after) if word.text == "of" else word.end
    place = Span(source, max(start, 0), max(end, word.end))
    return foreign_words.of_word(before, word.text, after).at(place)


def _line_start_help(inside: str, said: str) -> str:
    """Return help that says how a line at this place may begin."""
    if not said or len(said) > 30:
        said = "..."
    match inside:
        case "rule":
            return f"write a step with it: `set {said} to ...`, `move {said} to ...`, `do {said}`"
        case "record":
            return f"write `row {said}` for one of the type, or `{said}: 0..9` for what each of them has"
        case "score":
            return 'write `item "words" = NUMBER`'
        case "game":
            return (
                "write it at the left margin; its settings, such as `players 2..4`, go below `game`"
            )
        case "file":
            return (
                "a part begins at the left margin with `piece`, `zone`, `player`, `setup`, `play`, `rule`, "
                "`action` or `score`. Put a step below one of them, indented by 4 more spaces"
            )
        case _:
            return (
                f"remove `{said}`, or put it where it belongs, indented by 4 more spaces than the line "
                "that it is part of"
            )
