"""Split the text of a rules file into words, its tokens, and find the blocks that its indentation forms.

The place of a word decides its token. Head words are recognised only at the start of a line, query words
only before a bracket, connecting words everywhere; every other word is a name. This module is independent
of the grammar. Its running time is linear in the length of the text.
"""

from __future__ import annotations

import re
from typing import Final

from rulewright.dsl.diagnostics.diagnostics import Fix, Problems
from rulewright.dsl.diagnostics.source import Source, Span
from rulewright.dsl.immutable import frozen
from rulewright.dsl.text import foreign_symbols
from rulewright.dsl.text.invisible_characters import UNSEEN, report_invisible
from rulewright.dsl.text.names import LETTER, is_foreign, normal_form
from rulewright.dsl.text.vocabulary import GROUPS, HEADS, LOCAL, QUERIES, RESERVED, SIGNS

MOST_BLOCKS: Final = 40
MOST_BRACKETS: Final = 40
MOST_STEPS: Final = (
    80  # operators in one expression, not counting operators before a comma or in a closed bracket
)
MOST_LINES: Final = 50_000
MOST_ERRORS: Final = 100
BLOCKS: Final = ("_NL", "_INDENT", "_DEDENT")  # the token types that have no text

# the tokens that let an expression contain other expressions
_STEPS: Final = frozenset(
    ("AND", "DOT", "ELSE", "IF", "LPAR", "MINUS", "NOT", "OR", "PLUS", "SLASH", "STAR", "THEN")
)


@frozen
class Word:
    """A token: its type, its text and its place."""

    type: str
    text: str
    start: int
    end: int


def _alternatives(words: dict[str, str]) -> str:
    return "|".join(word.replace(" ", r"[ \t]+") for word in sorted(words, key=len, reverse=True))


# after these tokens, a query word with a bracket is the name of a rule, a state or the like
NAMES_A_CALL: Final = frozenset(
    (
        "ACTION",
        "AFTER",
        "BEFORE",
        "DO",
        "DOT",
        "EFFECT",
        "INSTEAD_OF",
        "RULE",
        "STATE",
        "VALUE",
        "ZONE",
    )
)


_END = rf"(?![{LETTER}])"
# Matches `if possible` on its own; `if possible(buy)` contains a question.
LONGEST_SHOWN = 60  # the maximum number of characters of a line that a message repeats
_HEAD = re.compile(rf"(?:{_alternatives(HEADS)}){_END}(?!(?<=possible)\()(?![ \t]*:)")
_MORE = f"[{LETTER}]"
_CLAUSE = r"[A-Z]{2,}-[A-Z0-9]+"
_WORD = re.compile(
    rf"""(?P<blank>[ \t]+)|(?P<comment>\#[^\n]*)|(?P<newline>\n)
    |(?P<tag>\[{_CLAUSE}(?:(?:,[ ]*|\.\.){_CLAUSE})*\])
    |(?P<text>"[^"\n]*")|(?P<open>"[^\n]*)
    |(?P<number>[0-9]+)(?![^\W\d])|(?P<type>[A-Z][A-Za-z0-9_]*(?!{_MORE}))
    |(?P<query>(?:{"|".join(QUERIES)}|possible|by)(?=\())
    |(?P<group>(?:{_alternatives(GROUPS)}){_END})
    |(?P<word>[a-z_][a-z0-9_]*(?!{_MORE}))
    |(?P<foreign>[^\W\d][{LETTER}]*)
    |(?P<sign>\.\.|<=|>=|[=:,.()<>+*/-])""",
    re.VERBOSE,
)
_CONDITIONS: Final = ("IF", "ELSE_IF", "REPEAT", "WHENEVER")
_PLAIN = re.compile(r"(?P<word>[a-z_][a-z0-9_]*)")
_JUNK = re.compile(r"[^\s\w\"#().,:=<>+*/\[\]-]+|\w+|.")
_GOES_ON = re.compile(
    rf"(?:(?:and|or|where|then|with){_END}|by{_END}(?![ \t]*\")|named[ \t]+\w|(?:else|prompt)[ \t]+\"|[+*/-][ \t])"
)
_BEGINS_A_LINE: Final = frozenset(
    ("AND", "OR", "WHERE", "BY", "THEN", "WITH", "PLUS", "MINUS", "STAR", "SLASH")
)
_ELSE = re.compile(rf"else{_END}")
_FOR = re.compile(r"for[ \t]+(?!each\b)\w")
_IF_DEEPER: Final = {"CHOOSE": re.compile(r"say[ \t]+\""), "SHOW": _FOR, "NOTE": _FOR}
"""For each first word of a line, the beginning of a more indented line that continues this line."""
_ENDS_A_CELL = re.compile(r"[ \t]*(?:[,\n#]|\Z)")
_SPACES = re.compile(r"[ \t]*")


def lex(
    source: Source,
    problems: Problems,
    *,
    start: int = 0,
    end: int | None = None,
) -> list[Word]:
    """Return the tokens of a text, or of a part of the text. Unreadable characters are reported and left
    out.
    """
    return _Lexer(source, problems).run(start, len(source.text) if end is None else end)


def types_and_texts(words: list[Word]) -> list[tuple[str, str]]:
    """Return the types and texts of words, without their layout."""
    return [(word.type, _text_without_layout(word)) for word in words]


def _text_without_layout(word: Word) -> str:
    if word.type in BLOCKS:
        return ""
    return word.text if word.type == "TEXT" else "".join(word.text.split())


class _Lexer:
    """The state of the lexer while a text is read."""

    def __init__(self, source: Source, problems: Problems) -> None:
        self.source, self.problems = source, problems
        self.out: list[Word] = []
        self.indents = [0]
        self.opened: dict[int, tuple[int, int]] = {}  # for each level, the place before its block
        self.brackets: list[int] = []
        self.head = ""
        self.tabs_reported = self.depth_reported = self.steps_reported = self.bad_line = False
        self.steps = [0]  # operators since the last comma, for each open bracket
        self.lines = self.errors = 0
        self.odd = -1  # the indentation of the previous line, if it is between two levels

    def error(
        self,
        code: str,
        message: str,
        start: int,
        end: int,
        *,
        at: str = "",
        help: str = "",
        fix: Fix | None = None,
    ) -> None:
        self.errors += 1
        if self.errors > MOST_ERRORS:
            if self.errors == MOST_ERRORS + 1:
                self.report_too_many(start, "further problems in this line are not shown")
            return
        span = Span(self.source, start, end)
        self.problems.error(code, message, span, at=at, help=help, fix=fix)

    def report_too_many(self, at: int, left: str) -> None:
        """Report that further mistakes are not shown."""
        end = self.source.text.find("\n", at)
        self.problems.error(
            "bad-character",
            f"too much of this file cannot be read; {left}",
            Span(self.source, at, end if end >= 0 else len(self.source.text)),
            help="check whether it is the right file, or fix the lines above first",
        )

    def add(self, type: str, text: str, start: int, end: int) -> None:
        self.out.append(Word(type, text, start, end))

    def run(self, at: int, end: int) -> list[Word]:
        text = self.source.text
        report_invisible(self.source, self.problems, at, end)
        line_start = True
        while at < end:
            if line_start:
                found = _SPACES.match(text, at)
                assert found is not None
                first = found.end()
                if first >= end or text[first] in "\n#":
                    newline = text.find("\n", first)
                    at = end if newline < 0 else newline + 1
                    continue
                line_start = False
                if self.is_continuation(first):
                    at = first
                    continue
                at = self.begin_line(at, first)
                if self.errors >= MOST_ERRORS:
                    self.report_too_many(at, "the rest is not checked")
                if self.depth_reported or self.errors >= MOST_ERRORS:
                    break
                continue
            if self.depth_reported:
                break
            found = _WORD.match(text, at, end)
            if found is None:
                at = self.skip_unreadable(at, end)
                continue
            at = found.end()
            if found.lastgroup == "foreign" and not is_foreign(found.group()):
                at = self.skip_unreadable(found.start(), end)
                continue
            if found.lastgroup == "newline":
                line_start = True
            elif found.lastgroup not in ("blank", "comment"):
                if found.lastgroup == "group" and not self.is_phrase(found):
                    found = _PLAIN.match(text, found.start(), end)
                    assert found is not None
                    at = found.end()
                self.word(found)
        return self.finish(end)

    def is_continuation(self, first: int) -> bool:
        """Return whether a line continues the previous line."""
        text = self.source.text
        if self.brackets:
            if not (_HEAD.match(text, first) and self.is_new_line(first)):
                return True
            opened = self.brackets[0]
            self.report_unclosed(opened)
            self.brackets.clear()
            self.add("BAD", "", first, first)
            return False
        if not self.out or self.out[-1].type in BLOCKS:
            return False
        if self.out[-1].type in ("COMMA", "EQ") or _GOES_ON.match(text, first) is not None:
            return True
        last = self.out[-1]
        ends_condition = last.type == "THEN" and self.head in _CONDITIONS
        is_rule = self.head != "NAME"  # lines of scenarios are continued according to other rules
        if is_rule and last.type in _BEGINS_A_LINE and not ends_condition and self.is_deeper(first):
            line_start = text.rfind("\n", 0, first)
            fix = Fix(Span(self.source, last.start, first), f"{text[line_start:first]}{last.text} ")
            self.error(
                "unexpected-end",
                f"a line does not continue after `{last.text}`",
                last.start,
                last.end,
                help=f"begin the next line with `{last.text}`",
                fix=fix,
            )
            return True
        more = _IF_DEEPER.get(self.head)
        if more is not None and more.match(text, first) is not None:
            return self.is_deeper(first)  # otherwise `say` belongs to the action
        return _ELSE.match(text, first) is not None and self.awaits_else()

    def is_deeper(self, first: int) -> bool:
        """Return whether a line is indented more than the previous line."""
        start = self.source.text.rfind("\n", 0, first) + 1
        return len(self.source.text[start:first].expandtabs(4)) > self.indents[-1]

    def awaits_else(self) -> bool:
        """Return whether a `then` of the line, outside of brackets, has no `else` yet."""
        depth = waiting = 0
        for word in reversed(self.out):
            match word.type:
                case "_NL" | "_INDENT" | "_DEDENT":
                    break
                case "RPAR":
                    depth += 1
                case "LPAR":
                    depth -= 1
                case "THEN" if not depth:
                    waiting += 1
                case "ELSE" if not depth:
                    waiting -= 1
        return waiting > 0

    def is_new_line(self, first: int) -> bool:
        """Return whether a line that begins with a head word while a bracket is open is a new line
        rather than a continuation.
        """
        start = self.source.text.rfind("\n", 0, first) + 1
        column = first - start
        head = _HEAD.match(self.source.text, first)
        word = head.group() if head is not None else ""
        return column <= self.indents[-1] and word not in (
            "if",
            "else",
            "by",
            "as",
            "player",
            "players",
            "row",
            "set",
        )

    def begin_line(self, start: int, first: int) -> int:
        """End the previous line, open and close blocks, and read the head words."""
        text = self.source.text
        blank = text[start:first]
        if "\t" in blank and not self.tabs_reported:
            self.error(
                "tab-indent",
                "a tab is used where spaces belong",
                start,
                first,
                help="indent with 4 spaces",
                fix=Fix(Span(self.source, start, first), blank.expandtabs(4), "indent with spaces"),
            )
            self.tabs_reported = True
        column = len(blank.expandtabs(4))
        if self.out and self.out[-1].type not in BLOCKS:
            end = self.out[-1].end
            self.add("_NL", "\n", end, end)
        self.steps, self.steps_reported, self.bad_line = [0], False, False
        self.lines += 1
        if self.lines > MOST_LINES:
            self.error(
                "file-too-large",
                f"this file has more than {MOST_LINES:,} lines of rules",
                first,
                first + 1,
                help="split it into several files, or check whether it is the right file",
            )
            self.stop(column, first)
            return first
        if column > self.indents[-1]:
            if len(self.indents) > MOST_BLOCKS:
                self.error(
                    "nested-too-deep",
                    f"blocks are nested deeper than {MOST_BLOCKS} levels",
                    first,
                    first + 1,
                )
                self.stop(column, first)
                return first
            self.opened[len(self.indents)] = (start, first)
            self.indents.append(column)
            self.add("_INDENT", "", first, first)
        elif column < self.indents[-1]:
            deep, opened = self.indents[-1], self.opened.get(len(self.indents) - 1)
            while column <= self.indents[-2]:
                self.indents.pop()
                self.add("_DEDENT", "", first, first)
                if column == self.indents[-1]:
                    break
            if column != self.indents[-1]:
                # treated as if it had the depth of the previous line, because this causes the
                # fewest further problems
                if column != self.odd and deep % 4 and not column % 4 and opened is not None:
                    self.error(
                        "bad-indent",
                        f"this line is indented by {deep} spaces, but the lines below it by {column}",
                        *opened,
                        help=f"indent it by {column} spaces, like the lines below it",
                        fix=Fix(
                            Span(self.source, *opened), " " * column, "move it under the line above"
                        ),
                    )
                elif column != self.odd:
                    self.error(
                        "bad-indent",
                        "this line is indented between two levels",
                        start,
                        first,
                        help="align it with the line it belongs to",
                    )
                self.odd = column
            else:
                self.odd = -1
        self.head = "NAME"
        head = _HEAD.match(text, first)
        at = first
        while head is not None:
            word = " ".join(head.group().split())
            type = HEADS[word]
            at = head.end()
            self.head = type
            if type == "OPEN":
                self.add("OPEN", "open", head.start(), head.start() + 4)
                self.add("VALUE", "value", at - 5, at)
                self.head = "VALUE"
            else:
                self.add(type, head.group(), head.start(), at)
            again = len(self.out) > 1 and self.out[-2].type == "SURELY"
            if type not in ("SURELY", "MAY") or again:
                break
            spaces = _SPACES.match(text, at)
            at = spaces.end() if spaces is not None else at
            head = _HEAD.match(text, at)
        return at

    def stop(self, column: int, first: int) -> None:
        """Skip the rest of the text."""
        self.depth_reported = True
        if column > self.indents[-1]:
            self.indents.append(column)
            self.add("_INDENT", "", first, first)
            self.add("BROKEN", "", first, first)

    def is_phrase(self, found: re.Match[str]) -> bool:
        """Return whether words that can form a phrase do so at this place."""
        phrase = " ".join(found.group().split())
        return phrase not in LOCAL or self.is_keyword_here(phrase)

    def is_keyword_here(self, word: str) -> bool:
        """Return whether a word that is a name in most places is a word of the language at this place."""
        _, heads, before = LOCAL[word]
        return self.head in heads and bool(self.out) and self.out[-1].type in before

    def word(self, found: re.Match[str]) -> None:
        start, end, text = found.start(), found.end(), found.group()
        before = self.out[-1].type if self.out else ""
        match found.lastgroup:
            case "tag":
                self.add("TAG", text, start, end)
            case "text":
                self.add("TEXT", text, start, end)
            case "open":
                close = start + len(text.rstrip())
                self.error(
                    "unclosed-text",
                    "this text is never closed",
                    start,
                    start + 1,
                    help='end it with `"` on the same line',
                    fix=Fix(
                        Span(self.source, close, close), '"', 'write `"` at the end of the line'
                    ),
                )
                self.add("TEXT", f'{text}"', start, end)
            case "number":
                if len(text) > 9:
                    self.error(
                        "bad-number",
                        "this number is too large",
                        start,
                        end,
                        help="numbers go up to 999,999,999",
                    )
                self.add("NUMBER", text if len(text) <= 9 else "0", start, end)
            case "type":
                self.add("TYPE", text, start, end)
            case "query":
                if before in NAMES_A_CALL:
                    self.add("NAME", text, start, end)
                else:
                    self.add(
                        {"possible": "POSSIBLE", "by": "BY_QUERY"}.get(text, "QUERY"),
                        text,
                        start,
                        end,
                    )
            case "group":
                self.add(GROUPS[" ".join(text.split())], text, start, end)
            case "foreign":
                self.add("TYPE" if text[0].isupper() else "NAME", normal_form(text), start, end)
            case "word":
                self.step(self.token_type(text, before), text, start, end)
            case _:
                self.character(text, start, end)

    def token_type(self, text: str, before: str) -> str:
        if before == "DOT":
            return "NAME"
        if text in RESERVED:
            return RESERVED[text]
        return LOCAL[text][0] if text in LOCAL and self.is_keyword_here(text) else "NAME"

    def step(self, type: str, text: str, start: int, end: int) -> None:
        """Add a word that may join parts of an expression, unless the expression is nested too deeply."""
        if type in _STEPS:
            self.steps[-1] += 1
            if sum(self.steps) > MOST_STEPS:
                if not self.steps_reported:
                    self.error(
                        "nested-too-deep",
                        f"this expression has more than {MOST_STEPS} parts that belong together",
                        start,
                        end,
                        help="give some of its parts names with `let` or `value`",
                    )
                    self.steps_reported = True
                type = "BAD"
        self.add(type, text, start, end)

    def character(self, text: str, start: int, end: int) -> None:
        if text == "(":
            self.steps.append(0)
            if len(self.brackets) >= MOST_BRACKETS:
                if not self.depth_reported:
                    self.error(
                        "nested-too-deep",
                        f"brackets are nested deeper than {MOST_BRACKETS} levels",
                        start,
                        end,
                        help="give a part of it a name of its own: `value NAME = ...`",
                    )
                self.depth_reported = True
                self.add("BAD", text, start, end)
                return
            self.brackets.append(start)
        elif text == ")":
            if not self.brackets:
                if not self.bad_line:
                    self.error(
                        "unclosed-bracket",
                        "this bracket was never opened",
                        start,
                        end,
                        help="remove it, or write `(` where it begins",
                        fix=Fix(Span(self.source, start, end), ""),
                    )
                self.bad_line = True
                self.add("BAD", text, start, end)
                return
            self.brackets.pop()
            if len(self.steps) > 1:
                self.steps.pop()
        elif text == ",":
            self.steps[-1] = 0
        elif text == "+" and self.head == "ROW" and _ENDS_A_CELL.match(self.source.text, end):
            self.add("ONWARD", text, start, end)
            return
        self.step(SIGNS[text], text, start, end)

    def skip_unreadable(self, at: int, end: int) -> int:
        found = _JUNK.match(self.source.text, at, end)
        stop = found.end() if found is not None and found.end() > at else at + 1
        text = self.source.text[at:stop]
        line_start = self.source.text.rfind("\n", 0, at) + 1
        line_end = self.source.text.find("\n", at, end)
        line = self.source.text[line_start : line_end if line_end >= 0 else end]
        if text == "[" and (closing := line.find("]", at - line_start)) >= 0:
            stop = line_start + closing + 1
            text = self.source.text[at:stop]
        is_list = bool(self.out) and self.out[-1].type == "IN"
        size = foreign_symbols.SIZE.fullmatch(text)
        said = foreign_symbols.find_replacement(
            text, line, at - line_start, is_list=is_list, whole=self.source.text
        )
        fix = None
        if said.text is not None:
            place = Span(self.source, line_start + said.start, line_start + said.stop)
            fix = Fix(place, said.text)
        self.bad_line |= size is not None
        shown = text if len(text) <= 20 else text[:20] + "..."
        word = text[:1].isalnum()
        is_reported = foreign_symbols.has_line_hint(text, line, at - line_start)
        is_reported = is_reported or UNSEEN.match(text) is not None
        if (word or not self.bad_line) and not is_reported:
            message = f"`{shown}` is not used in the language"
            self.error("bad-character", message, at, stop, help=said.help, fix=fix)
        if word and size is None:
            self.add("NAME", "unreadable", at, stop)
        else:
            self.bad_line = True
            self.add("BAD", text, at, stop)
        return stop

    def report_unclosed(self, opened: int) -> None:
        """Report an error for a bracket that is still open at the end of its line."""
        line = self.source.text[opened:].split("\n", 1)[0].split("  #")[0].rstrip()
        written = (
            f"write `{line})`" if len(line) <= LONGEST_SHOWN else "write `)` after its contents"
        )
        fix = Fix(Span(self.source, opened + len(line), opened + len(line)), ")")
        in_comment = ")" in line.partition("#")[2]
        self.error(
            "unclosed-bracket",
            "this bracket is never closed",
            opened,
            opened + 1,
            help="`#` begins a comment: the rest of this line does not count"
            if in_comment
            else written,
            fix=None if in_comment else fix,
        )

    def finish(self, end: int) -> list[Word]:
        if self.brackets and not self.depth_reported:
            opened = self.brackets[0]
            self.report_unclosed(opened)
            self.add("BAD", "", self.out[-1].end, self.out[-1].end)
        last = self.out[-1].end if self.out else end
        if self.out and self.out[-1].type not in BLOCKS:
            self.add("_NL", "\n", last, last)
        while len(self.indents) > 1:
            self.indents.pop()
            self.add("_DEDENT", "", last, last)
        return self.out
