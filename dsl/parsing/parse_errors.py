"""Reports a line that cannot be read: in the words of the language, once, with its form.

Independent of the parser: it gets the words of the line, the one that did not fit, and the types that would have.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from rulewright.dsl.diagnostics import foreign_words
from rulewright.dsl.diagnostics.advice import Help
from rulewright.dsl.diagnostics.diagnostics import Fix, Label, Problems
from rulewright.dsl.diagnostics.source import Source, Span
from rulewright.dsl.diagnostics.suggest import did_you_mean
from rulewright.dsl.parsing.hints import mistake, pairs, whole
from rulewright.dsl.parsing.repairs import Reads, tried
from rulewright.dsl.parsing.rewriting import LONGEST, repaired
from rulewright.dsl.parsing.sketched import sketched
from rulewright.dsl.text.lexer import BLOCKS, Word, lex
from rulewright.dsl.text.vocabulary import GROUPS, HEADS, LOCAL, RESERVED, SCENARIOS, SIGNS

FORMS: Final = pairs("forms")
_SYNONYMS: Final = pairs("other names")
NOUNS: Final = pairs("nouns")


def _at(source: Source, word: Word) -> Span:
    return Span(source, word.start, max(word.end, word.start))


def unexpected_block(source: Source, word: Word, problems: Problems) -> None:
    """Report a line that is deeper than the one above allows."""
    start = source.text.rfind("\n", 0, word.start) + 1
    above = source.text[:start].rstrip().rpartition("\n")[2]
    spaces = above[: len(above) - len(above.lstrip())]
    problems.error(
        "bad-indent",
        "this line stands deeper, but the line above opens no block",
        _at(source, word),
        help="begin it exactly under the line above",
        fix=Fix(Span(source, start, word.start), spaces, "move it under the line above"),
    )


def too_many(source: Source, line: list[Word], problems: Problems) -> None:
    """Report that so many lines cannot be read that the rest is skipped."""
    problems.error(
        "unexpected-word",
        "too many lines cannot be read; the rest of the file is not checked",
        _at(source, line[0]),
        help="check whether it is the right file, or fix the lines above first",
    )


def missing_block(source: Source, words: list[Word], at: int, problems: Problems) -> None:
    """A header is followed by nothing deeper."""
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
        help="write at least one line below it, 4 spaces deeper",
    )


def broken_line(
    source: Source,
    line: list[Word],
    at: int,
    wanted: set[str],
    problems: Problems,
    *,
    inside: str,
    reads: Reads,
) -> None:
    """A line that does not fit; `at` is the place of the word that did not."""
    head = line[0]
    if line[-1].type == "COLON" and len(line) > 1 and _can_be_read(_bare(source, line), reads):
        problems.error(
            "unexpected-word",
            "no colon stands at the end of a line",
            _at(source, line[-1]),
            help="leave it out; the lines below stand deeper",
        )
        return
    text = source.text[head.start : line[-1].end]
    fault = (line[at].start if at < len(line) else line[-1].end) - head.start
    found = mistake("slips", text, fault) if at > 0 else None
    if at == 1 and inside == "record" and _is_header(source, line):
        columns = "`, `".join(f"{word.text}: 0..9" for word in line if word.type == "NAME")
        problems.error(
            "unexpected-word",
            "each column has a line of its own, with its type",
            _at(source, line[at]),
            help=f"write `{columns}`, each in a line",
        )
        return
    instead = _instead(source, line, reads)
    if not instead and found is None and at > 0:
        other = tried(line, at, wanted, reads)
        instead = f"write `{other}`" if other else ""
    if not instead and found is None and at > 0 and len(text) > LONGEST:
        found = mistake("long lines", text, fault)
    if found is not None:
        span = Span(source, head.start + found.start, head.start + found.end)
        problems.error("unexpected-word", found.message, span, help=found.help)
        return
    comma = _goes_on_by_mistake(source, line, at)
    if comma is not None:
        problems.error(
            "unexpected-word",
            f"a line of `{head.text}` that ends with a comma continues in the next line",
            _at(source, comma),
            help="remove the comma, or complete the line after it",
        )
        return
    if at >= len(line):
        _ends_early(source, line, wanted, problems, instead)
        return
    word = line[at]
    place = _at(source, word)
    form = FORMS.get(head.type, "")
    if at == 0:
        _bad_head(source, line, inside, problems, instead)
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
            help="write `is`",
        )
        return
    following = line[at + 1].start if at + 1 < len(line) else word.end
    if word.type == "COMMA" and not instead and "\n" in source.text[word.end : following]:
        message = "no comma stands at the end of a step"
        problems.error("unexpected-word", message, place, help="leave it out")
        return
    if "\n" in source.text[line[at - 1].end : word.start] and word.text in ("then", "or", "and"):
        rest = _said(source, line[at + 1 :])
        problems.error(
            "unexpected-word",
            f"no line begins with `{word.text}`",
            place,
            help=f"leave it out: write `{rest}`" if rest else "leave it out",
        )
        return
    if "NAME" in wanted and (word.text in RESERVED) and word.text[:1].isalpha() and not instead:
        _reserved(word, place, problems)
        return
    if "TYPE" in wanted and word.type == "NAME" and "NAME" not in wanted:
        problems.error(
            "unexpected-word",
            f"a type is expected here, but this is `{word.text}`",
            place,
            help=instead or _typed(source, word.text),
        )
        return
    if word.type in ("EQ",) and line[at - 1].type == "EQ":
        help = instead if head.type == "COPIES" else ""
        problems.error("unexpected-word", "`==` is not used", place, help=help or "write `is`")
        return
    expected = _expected(wanted)
    shown = word.text if len(word.text) <= 30 else word.text[:30] + "..."
    after = line[at + 1].text if at + 1 < len(line) else ""
    is_declared = head.type in _NAMING and at <= 2
    help = instead or (
        "" if is_declared else foreign_words.of_word(line[at - 1].text, word.text, after)
    )
    if ".." in expected and at > 1 and line[at - 2].type == "COLON" and line[at - 1].type == "NAME":
        problems.error(
            "unexpected-word",
            f"`{line[at - 1].text}` is not a type",
            _at(source, line[at - 1]),
            help=instead or f"{_typed(source, line[at - 1].text)}; a range is `0..9`",
        )
        return
    if not help and head.type in ("SURELY", "MAY") and word.type == "NAME" and at == 1:
        help = f"write `{head.text} do {word.text}`"
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
        or (f"write `{form}`" if form else "")
        or f"remove `{shown}`, or write it in a line of its own",
    )


_NAMING: Final = frozenset(("STATE", "ZONE", "PIECE", "KIND", "SPACE", "RULE", "ACTION", "COPIES"))
"""Lines that begin with a new name, after which `of` asks for nothing."""


def _goes_on_by_mistake(source: Source, line: list[Word], at: int) -> Word | None:
    """A comma at the end of a line, if the word that does not fit begins another line."""
    for n in range(min(at, len(line)) - 1, max(0, at - 4), -1):
        after = line[n + 1].start if n + 1 < len(line) else line[n].end
        if line[n].type == "COMMA" and "\n" in source.text[line[n].end : after]:
            begun = source.text[after:].partition("\n")[0]
            return line[n] if begun.split(" ")[0] in HEADS else None
    return None


def _is_header(source: Source, line: list[Word]) -> bool:
    """Whether this is the first line of a record, and consists only of names."""
    types = [word.type for word in line]
    names = types[::2] == ["NAME"] * len(types[::2]) and set(types[1::2]) == {"COMMA"}
    return names and not _line_above(source, line[0])


def _said(source: Source, words: Sequence[Word]) -> str:
    """The text of words, with single spaces."""
    return " ".join(source.text[words[0].start : words[-1].end].split()) if words else ""


def _typed(source: Source, word: str) -> str:
    """Help for a word that stands where a type belongs."""
    known = sketched(source.text).typed(word)
    typed = known or "".join(part.capitalize() for part in word.split("_"))
    return f"write `{typed}`: types begin with a capital"


def _reserved(word: Word, place: Span, problems: Problems) -> None:
    """Report a word of the language that is used as a name: at its first place, for all places."""
    others = _SYNONYMS.get(word.text, "")
    message = f"`{word.text}` is a word of the language and cannot be a name"
    if any(known.message == message for known in problems.sorted()):
        return
    problems.error(
        "reserved-name",
        message,
        place,
        help=f"choose another name{', for instance ' + others if others else ''}",
    )


def broken_expression(
    source: Source, word: Word, before: str, after: str, problems: Problems
) -> None:
    """Report a word that does not fit into an expression that is parsed by itself."""
    help = foreign_words.of_word(before, word.text, after)
    if word.type == "EQ":
        help = "write `is`: `=` only gives things their names"
    elif word.type == "TEXT":
        name = re.sub(r"\W+", "_", word.text.strip('"')).strip("_").lower()
        help = f"leave the quotes out: write `{name}`, with `_` for spaces"
    problems.error(
        "unexpected-word",
        f"`{word.text}` cannot stand here",
        _at(source, word),
        help=help or "remove it, or write `+`, `and`, a dot or a comma before it",
    )


def _expected(wanted: set[str]) -> str:
    """The words that could stand at a place; nothing if there are too many."""
    words = [NOUNS.get(type) or f"`{WRITTEN[type]}`" for type in sorted(wanted - _UNSAID)]
    if not words or len(words) > 8:
        return ""
    return " or ".join(words)


# words that hardly anybody forgets, or that are never written
_UNSAID: Final = frozenset(
    ("AND", "BROKEN", "DOT", "MINUS", "OR", "PLUS", "SLASH", "STAR", "TAG", "_DEDENT", "_INDENT")
)
WRITTEN: Final = {
    type: words
    for written in (SCENARIOS, HEADS, RESERVED, GROUPS, SIGNS)
    for words, type in written.items()
} | {type: word for word, (type, _, _) in LOCAL.items()}


def _line_above(source: Source, head: Word) -> str:
    """The nearest line above with the same depth, without its indentation."""
    depth = head.start - (source.text.rfind("\n", 0, head.start) + 1)
    for line in reversed(source.text[: head.start].splitlines()[:-1]):
        words = line.lstrip(" ")
        if words and len(line) - len(words) <= depth:
            return words if len(line) - len(words) == depth else ""
    return ""


def _ends_early(
    source: Source, line: list[Word], wanted: set[str], problems: Problems, instead: str
) -> None:
    head, last = line[0], line[-1]
    form = FORMS.get(head.type, "")
    expected = _expected(wanted)
    if head.type in ("PIECE", "SPACE") and len(line) > 2 and line[2].type == "IS":
        known = line[3].text if len(line) > 3 else "ONE"
        form = f"{head.text} {line[1].text} is {known} or ANOTHER"
    problems.error(
        "unexpected-end",
        f"this line ends too early: `{head.text}` is not complete",
        Span(source, last.start, last.end),
        at="the last word",
        notes=(f"{expected} is missing",) if expected else (),
        help=instead or (f"write `{form}`" if form else _column(line)),
    )


def _instead(source: Source, line: list[Word], reads: Reads) -> str:
    """The line to write, where it is known."""

    text = source.text[line[0].start : line[-1].end]
    found = repaired(text, sketched(source.text), lambda text: _can_be_read(text, reads))
    return f"write `{found}`" if found else ""


def _bare(source: Source, line: list[Word]) -> str:
    """A line without its last word."""
    return source.text[line[0].start : line[-1].start].rstrip()


def _can_be_read(text: str, reads: Reads) -> bool:
    found = Problems()
    words = [word for word in lex(Source("", text), found) if word.type not in BLOCKS]
    return not len(found) and reads(words)


def _column(line: list[Word]) -> str:
    """Help for a column without a type."""
    name = line[0].text
    return (
        f"write `{name}: 0..9`, with the type of this column after the colon"
        if name.isidentifier()
        else ""
    )


def _bad_head(
    source: Source, line: list[Word], inside: str, problems: Problems, instead: str
) -> None:
    head = line[0]
    place = _at(source, head)
    text = _said(source, line)
    if head.type == "NAME":
        near: Help = instead
        meant = did_you_mean(head.text, list(HEADS))
        written = instead.removeprefix("write `").rstrip("`")
        if meant and not any(written == head or written.startswith(f"{head} ") for head in HEADS):
            near = ""  # the rewritten text is no line either: the word was meant
        near = near or _habit(text, meant)
        if line[-1].type == "TEXT" and len(line) > 3 and line[-2].type == "ELSE" and not instead:
            near = f"write `needs {_said(source, line)}`"
        if head.text.lower() in HEADS and head.text not in HEADS:
            near = f"write `{head.text.lower()}{source.text[head.end : line[-1].end]}`"
        scored = re.fullmatch(r"[a-z]\w*\.(\w+) ?= ?(.+)", _said(source, line))
        if inside == "score" and scored is not None:
            near = f'write `item "{scored[1]}" = {scored[2]}`'
        elif inside == "score" and len(line) > 2 and line[1].type == "EQ":
            near = f'write `item "{head.text}" = {_said(source, line[2:])}`'
        elif inside == "score" and len(line) > 1 and not instead:
            near = f'write `item "words" = {source.text[head.start : line[-1].end]}`'
        what = "a line begins with the word that says what it is"
        problems.error(
            "unexpected-word",
            f"no line begins with `{head.text}`",
            place,
            notes=(what,),
            help=near or _begun(inside, _said(source, line)),
        )
        return
    is_possible = _line_above(source, head).startswith("if possible")
    around = f"{'possible' if is_possible else inside or 'block'}: "
    found = mistake("first words", around + source.text[head.start : line[-1].end], len(around))
    if found is not None:
        is_meant = instead and (inside != "file" or "setup" in instead)
        said = instead if is_meant else found.help
        problems.error("unexpected-word", found.message, place, help=said)
        return
    shown = head.text if len(head.text) <= 30 else head.text[:30] + "..."
    help: Help = instead or _habit(text, "")
    if head.type == "TYPE" and head.text.lower() in HEADS:
        help = f"write `{head.text.lower()}{source.text[head.end : line[-1].end]}`"
    problems.error(
        "unexpected-word",
        f"`{shown}` cannot begin a line here",
        place,
        help=help or _begun(inside, _said(source, line)),
    )


def _habit(line: str, near: Help) -> Help:
    """Help for a line whose first word is unknown; `near` is the help for a misspelling."""
    return next(whole("habits", line), "") or near or next(whole("conditions", line), "")


def _begun(inside: str, said: str) -> str:
    """Help with the possible beginnings of a line at its place."""
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
            return "write it at the left margin; below `game` stand its settings, such as `players 2..4`"
        case "file":
            return (
                "a part begins at the left margin with `piece`, `zone`, `player`, `setup`, `play`, `rule`, "
                "`action` or `score`. A step stands below one of them, 4 spaces deeper"
            )
        case _:
            return f"remove `{said}`, or put it where it belongs, 4 spaces deeper than the line it is part of"
