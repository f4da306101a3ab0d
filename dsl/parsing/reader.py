"""Build the syntax tree from the nodes of the parser, according to the recipes. Also parse separate expressions."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final, TypeAlias

import attrs
from lark import Token, Tree
from lark.exceptions import UnexpectedInput

from rulewright.dsl.diagnostics.advice import write
from rulewright.dsl.diagnostics.diagnostics import Problems
from rulewright.dsl.diagnostics.source import Source, Span
from rulewright.dsl.parsing import parse_errors
from rulewright.dsl.parsing.parse_driver import (
    Driver,
    Node,
    Part,
    keyword,
    lark_parser,
    nodes_in,
    token_of,
)
from rulewright.dsl.parsing.recipes import RECIPES
from rulewright.dsl.text.lexer import BLOCKS, Word, lex
from rulewright.dsl.text.names import as_name
from rulewright.dsl.tree import syntax

MOST_CASES: Final = 50  # the maximum number of cases of an `if`
MOST_STEPS: Final = 999_999  # the maximum number of steps of a `play` line in a scenario
EACH_OF_THEM: Final = "who acts"
"""The local name of the player whose turn it is below `each player in LIST`. Rules cannot write this name."""

_TAG = re.compile(r"([A-Z]{2,}-[A-Z0-9]+)(?:\.\.([A-Z]{2,}-[A-Z0-9]+))?")
_BRACES = re.compile(r"\{\{|\}\}|\{([^{}]*)\}")


def parse_expression(
    source: Source, problems: Problems, start: int = 0, end: int | None = None
) -> syntax.Expression | None:
    """Parse a separate expression. It is in braces inside a text, or a person has typed it."""
    stop = len(source.text) if end is None else end
    words = expression_words(source, problems, start, stop)
    place = Span(source, start, max(stop, start))
    if not words:
        problems.error(
            "unexpected-end",
            "an expression is missing here",
            place,
            help="write an expression, such as `me.coins`",
        )
        return None
    driver: Driver = lark_parser().parse_interactive("", start="expression")
    for at, word in enumerate(words):
        try:
            driver.feed_token(token_of(word))
        except UnexpectedInput:
            if word.type != "BAD":
                after = words[at + 1].text if at + 1 < len(words) else ""
                before = words[at - 1].text if at else ""
                parse_errors.report_expression(source, word, before, after, problems)
            return None
    try:
        tree = driver.feed_eof()
    except UnexpectedInput:
        problems.error(
            "unexpected-end",
            "this expression ends too early",
            place,
            help="complete it after its last word, or remove that word",
        )
        return None
    found: syntax.Expression = Reader(source, problems).read(nodes_in(tree)[0])
    return found


def expression_words(source: Source, problems: Problems, start: int, end: int) -> list[Word]:
    """Return the words of a separate expression."""
    words = [w for w in lex(source, problems, start=start, end=end) if w.type not in BLOCKS]
    return [first_word(words), *words[1:]] if words else []


def first_word(words: list[Word]) -> Word:
    """Return the first word of an expression. There, a head word is a name, and `by` is a query only before a colon."""
    word = words[0]
    if word.text == "by":
        is_query = any(each.type == "COLON" for each in words)
        return attrs.evolve(word, type="BY_QUERY" if is_query else "NAME")
    if word.type in _BEGINS or not word.text[:1].isalpha():
        return word
    return Word("NAME", word.text, word.start, word.end)


_BEGINS: Final = {
    *("IF", "TYPE", "NUMBER", "QUERY", "LPAR", "MINUS", "POSSIBLE", "NOT", "TEXT"),
    *("YES", "NO", "NOTHING", "EMPTY"),
}


def _extent(node: Node) -> tuple[int, int]:
    """Return the start of the first token of a node (-1 without tokens) and the end of the last token.

    The result is stored with the node. A block below a header is not a part of the node.
    """
    kept: tuple[int, int] | None = node.__dict__.get("extent")
    if kept is not None:
        return kept
    first, last = -1, 0
    parts: Sequence[Part] = () if node.data in ("block", "broken_block") else node.children
    for part in parts:
        if isinstance(part, Tree):
            start, end = _extent(part)
        elif part is not None and part.type not in BLOCKS and part.type != "TAG":
            start, end = part.start_pos or 0, part.end_pos or 0
        else:
            continue
        if start >= 0:
            first = start if first < 0 else min(first, start)
            last = max(last, end)
    node.__dict__["extent"] = first, last
    return first, last


class Reader:
    """Turns the nodes of one file into the syntax tree."""

    def __init__(self, source: Source, problems: Problems) -> None:
        self.source, self.problems = source, problems

    def read(self, node: Node) -> Any:
        """Return the node of the syntax tree. The recipe of the parser node gives the class of the syntax tree node."""
        recipe = _COMPILED.get(node.data)
        if recipe is None:
            return syntax.Broken(self.span(node))
        make, fields = recipe
        if make is None:
            return fields[0](self, node)
        return make(self.span(node), *[field(self, node) for field in fields])

    # ---- tokens and parts ---------------------------------------------------------------------------

    def span(self, node: Node) -> Span:
        """Return the span of a node. For a node with a block, return the span of the header."""
        first, last = _extent(node)
        return Span(self.source, max(first, 0), max(last, first, 0))

    def at(self, token: Token) -> Span:
        return Span(self.source, token.start_pos or 0, token.end_pos or 0)

    def token(self, node: Node, *types: str) -> Token | None:
        for child in node.children:
            if isinstance(child, Token) and child.type in types:
                return child
        return None

    def need(self, node: Node, *types: str) -> Token:
        found = self.token(node, *types)
        assert found is not None
        return found

    def names(self, node: Node) -> tuple[str, ...]:
        return tuple(str(token) for token in _tokens(node, "NAME"))

    def parts(self, node: Node, *names: str) -> list[Node]:
        return [c for c in node.children if isinstance(c, Tree) and c.data in names]

    def after(self, node: Node, *types: str) -> Part | None:
        """Return the token or node that follows a token of one of these types; None if there is none."""
        children = node.children
        for n, child in enumerate(children[:-1]):
            if isinstance(child, Token) and child.type in types:
                return children[n + 1]
        return None

    def word(self, token: Part) -> syntax.Word | syntax.TypeWord:
        assert isinstance(token, Token)
        kind = syntax.TypeWord if token.type == "TYPE" else syntax.Word
        return kind(self.at(token), str(token))

    def tags(self, node: Node) -> syntax.Tags:
        found: list[syntax.Tag] = []
        lines: list[Part] = list(node.children)
        for block in self.parts(node, "block")[:1]:
            lines.append(block.children[0] if block.children else None)
        for child in lines:
            if isinstance(child, Token) and child.type == "TAG":
                start = child.start_pos or 0
                for match in _TAG.finditer(child):
                    place = Span(self.source, start + match.start(), start + match.end())
                    found.append(syntax.Tag(place, match.group(1), match.group(2)))
        return tuple(found)

    def text(self, token: Token) -> syntax.Text:
        """Return a text together with the expressions in its braces."""
        raw = str(token)[1:-1]
        origin = (token.start_pos or 0) + 1
        parts: list[str | syntax.Expression] = []
        at = 0
        words = ""
        for match in _BRACES.finditer(raw):
            words += raw[at : match.start()]
            at = match.end()
            if match.group() in ("{{", "}}"):
                words += match.group()[0]
                continue
            if words:
                parts.append(words)
                words = ""
            inner = parse_expression(
                self.source, self.problems, origin + match.start(1), origin + match.end(1)
            )
            if inner is not None:
                parts.append(inner)
        words += raw[at:]
        if "{" in raw[at:].replace("{{", "") and _BRACES.search(raw[at:]) is None:
            brace = at + raw[at:].index("{")
            self.problems.error(
                "unclosed-bracket",
                "this brace is never closed",
                Span(self.source, origin + brace, origin + brace + 1),
                help="a brace in a text holds an expression; "
                + write("{{")
                + " for the brace itself",
            )
        if words:
            parts.append(words)
        return syntax.Text(self.at(token), tuple(parts))

    # ---- fields of declarations ---------------------------------------------------------------------

    def setting_name(self, node: Node) -> str:
        return str(keyword(node.children[0]))

    def setting_value(self, node: Node) -> Any:
        head = node.children[0]
        assert isinstance(head, Token)
        if head.type == "ASK_IF_SEVERAL":
            return syntax.Fixed(self.at(head), "yes")
        (value,) = nodes_in(node)
        if value.data == "text":
            return syntax.Text(self.span(value), (_plain_text(self.need(value, "TEXT")),))
        return self.read(value)

    def option_value(self, node: Node) -> syntax.Word | syntax.Number | syntax.Fixed:
        token = node.children[0]
        assert isinstance(token, Token)
        if token.type == "NUMBER":
            return syntax.Number(self.at(token), int(str(token)))
        if token.type == "NAME":
            return syntax.Word(self.at(token), str(token))
        return syntax.Fixed(self.at(token), "yes" if token.type == "YES" else "no")

    def header(self, node: Node) -> str | None:
        """Return the name of a column in the file of a table if this name differs from the column's
        own name; None otherwise.
        """
        token = self.after(node, "FROM")
        if token is None:
            return None
        assert isinstance(token, Token)
        return as_name(_plain_text(token)) if token.type == "TEXT" else str(token)

    def first_name(self, node: Node) -> str:
        return self.names(node)[0]

    def last_name(self, node: Node) -> str:
        return self.names(node)[-1]

    def printed_words(self, node: Node) -> str:
        (text,) = self.parts(node, "text")
        return _plain_text(self.need(text, "TEXT")).replace("{{", "{").replace("}}", "}")

    def sign_texts(self, node: Node) -> tuple[tuple[str, Span], ...]:
        """Return the quoted texts of a node, each together with its place."""
        return tuple((_plain_text(token), self.at(token)) for token in _tokens(node, "TEXT"))

    def shape(self, node: Node) -> str:
        """Return a word such as `pile` in `pile of`."""
        return str(node.children[0]).split()[0]

    def seen_by(self, node: Node) -> str:
        return (self.names(node) or ("all",))[0]

    def unseen_by(self, node: Node) -> tuple[str, ...]:
        return self.names(node)[1:]

    # ---- statements ---------------------------------------------------------------------------------

    def how(self, node: Node) -> str:
        """Return how much a step moves. A move of all things, or of up to a number of things, must name its source."""
        (moved,) = self.parts(node, "up_to", "everything", "exactly")
        if moved.data != "exactly" and self.token(node, "FROM") is None:
            self.problems.error(
                "unexpected-end",
                "the place that these come from is missing",
                self.span(node),
                help="write `from` and a place before `to`",
            )
        return {"up_to": "up to", "everything": "all"}.get(moved.data, "exactly")

    def arms(self, node: Node) -> tuple[syntax.OptionArm | syntax.Do, ...]:
        arms = tuple(map(self.read, self.parts(node, "option_arm", "do")))
        for arm in arms:
            if isinstance(arm, syntax.Do) and arm.prompt is not None:
                self.problems.error(
                    "unexpected-word",
                    "one option of several has no `prompt` of its own",
                    arm.prompt.span,
                    help="write `prompt` and the question after the `choose` above it",
                )
        return arms

    def option_arm(self, node: Node) -> syntax.OptionArm:
        read = partial(_field, self, node)
        binder, where, reason, body = (
            read("binder?"),
            read("+WHERE?"),
            read("+ELSE?"),
            read("block~"),
        )
        if binder is None and where is not None and reason is not None:
            # A single option that does not meet its condition is refused, as with `needs`.
            needs = syntax.Needs(where.span, self.tags(node), where, reason)
            where, reason, body = None, None, (needs, *body)
        return syntax.OptionArm(
            self.span(node),
            self.tags(node),
            read("words"),
            binder,
            where,
            body,
            reason,
            read("named?"),
        )

    def may(self, node: Node) -> syntax.May:
        """Return `may "words"` with a block, or `may do action`."""
        span, tags, actions = self.span(node), self.tags(node), self.parts(node, "do")
        if actions:
            return syntax.May(span, tags or self.tags(actions[0]), None, (self.read(actions[0]),))
        return syntax.May(
            span, tags, self.text(self.need(node, "TEXT")), _field(self, node, "block~")
        )

    def cases(self, node: Node) -> tuple[tuple[syntax.Expression, syntax.Block], ...]:
        """Return the conditions of an `if`, each together with its block."""
        cases: list[tuple[syntax.Expression, syntax.Block]] = []
        children = node.children
        for n, child in enumerate(children):
            if isinstance(child, Token) and child.type in ("IF", "ELSE_IF"):
                condition, body = children[n + 1 : n + 3]
                assert isinstance(condition, Tree) and isinstance(body, Tree)
                cases.append((self.read(condition), self.read(body)))
                if len(cases) > MOST_CASES:
                    self.problems.error(
                        "nested-too-deep",
                        f"this `if` has more than {MOST_CASES} cases",
                        self.at(child),
                        help="put the cases into a table, or use `by(...)`",
                    )
                    break
        return tuple(cases)

    def how_often(self, node: Node) -> str:
        for how in self.parts(node, "how_often"):
            return str(self.token(how, "WHILE", "UNTIL") or "times")
        return "forever"

    def each_of_them(self, node: Node) -> syntax.ForEach:
        """Return the node for `each player in LIST where C`: each listed player acts in turn."""
        read = partial(_field, self, node)
        source, where, body = read("+IN"), read("+WHERE?"), read("block~")
        span = self.span(node)
        if where is not None:
            body = (syntax.If(where.span, (), ((where, body),), ()),)
        acts = syntax.AsPlayer(span, (), syntax.Word(source.span, EACH_OF_THEM), body)
        binder = syntax.Binder(source.span, EACH_OF_THEM, source.span, None, source)
        return syntax.ForEach(span, self.tags(node), binder, None, False, (acts,))

    def direction(self, node: Node) -> str:
        found = self.token(node, "BACKWARDS", "THERE_AND_BACK")
        return "forward" if found is None else str(keyword(found))

    # ---- expressions and types ----------------------------------------------------------------------

    def whole_number(self, node: Node) -> int:
        return int(str(node.children[0]))

    def all_words(self, node: Node) -> str:
        return " ".join(map(str, node.children))

    def onward(self, node: Node) -> syntax.Binary:
        span = self.span(node)
        low = syntax.Number(span, self.whole_number(node))
        return syntax.Binary(span, "..", low, syntax.Number(span, syntax.ONWARD))

    def by_cases(self, node: Node) -> tuple[syntax.Case, ...]:
        return tuple(
            syntax.Case(
                self.span(case),
                edges[0],
                edges[1] if len(edges) > 1 else None,
                _field(self, case, "+THEN"),
            )
            for case in self.parts(node, "case")
            for label in self.parts(case, "label")
            if (edges := [*map(self.read, nodes_in(label))])
        )

    def by_else(self, node: Node) -> syntax.Expression | None:
        cases = [case for case in self.parts(node, "case") if not self.parts(case, "label")]
        return _field(self, cases[-1], "+ELSE") if cases else None

    def type(self, node: Node) -> syntax.Type:
        inner: syntax.Type = self.read(nodes_in(node)[0])
        is_optional = self.token(node, "OR_NOTHING") is not None
        return syntax.OptionalType(self.span(node), inner) if is_optional else inner

    def edge(self, node: Node) -> syntax.Expression:
        span = self.span(node)
        number, name = self.token(node, "NUMBER"), self.token(node, "NAME")
        if number is None:
            return syntax.Word(span, str(name))
        value = syntax.Number(self.at(number), int(str(number)))
        return syntax.Unary(span, "-", value) if self.token(node, "MINUS") is not None else value

    # ---- lines of scenarios -------------------------------------------------------------------------

    def steps(self, node: Node) -> int | None:
        """Return the number of steps to play, or None for all steps."""
        steps = self.token(node, "NUMBER") if self.token(node, "STEPS") is not None else None
        if steps is not None and int(steps) > MOST_STEPS:
            self.problems.error(
                "bad-number",
                "this number is too large",
                self.at(steps),
                help=f"a line plays at most {MOST_STEPS:,} steps",
            )
        return None if steps is None else int(steps)

    def seed(self, node: Node) -> int:
        seed = self.after(node, "WITH_SEED")
        return int(seed) if isinstance(seed, Token) else 0

    def is_expected(self, node: Node) -> bool:
        return self.token(node, "NO") is None

    def who_is_asked(self, node: Node) -> syntax.Word | syntax.TypeWord | None:
        who = self.need(node, "NAME")
        return None if str(who) == "nobody" else self.word(who)


# ---- recipes ----------------------------------------------------------------------------------------

Field: TypeAlias = Callable[[Reader, Node], Any]


def _plain_text(token: Token) -> str:
    """Return the words of a text without values."""
    return str(token)[1:-1]


def _tokens(node: Node, type: str) -> list[Token]:
    return [c for c in node.children if isinstance(c, Token) and c.type == type]


def _field(reader: Reader, node: Node, written: str) -> Any:
    """Return a field of a node, given the recipe of the field."""
    return _compiled_field(written)(reader, node)


def _compiled_field(written: str) -> Field:
    """Return the function that finds a field."""
    if written not in _FIELDS:
        missing: object = () if written.endswith("~") else None
        may_miss = written.endswith(("?", "~"))
        _FIELDS[written] = _compile(written.rstrip("?~"), may_miss, missing)
    return _FIELDS[written]


_FIELDS: dict[str, Field] = {}


def _compile(written: str, may_miss: bool, missing: object) -> Field:
    operator, rest = written[0], written[1:]
    several = written[-1] if written[-1] in "*+" else ""
    names = written.strip("+@?>*").split("|")
    token: Callable[..., Token | None] = Reader.token if may_miss else Reader.need
    match operator:
        case ".":
            method: Field = getattr(Reader, rest)
            return method
        case "=":
            return lambda r, n: rest
        case "$":
            return lambda r, n: keyword(n.children[0])
        case "?":
            return lambda r, n: r.token(n, *names) is not None
        case "@":
            return lambda r, n: None if (t := token(r, n, *names)) is None else r.at(t)
        case ">":
            return lambda r, n: None if (t := r.after(n, *names)) is None else r.word(t)
        case "+":
            return lambda r, n: _make_node(r, r.after(n, *names), may_miss, missing)
        case "#":
            place = int(rest.rstrip("*"))
            if several:
                return lambda r, n: tuple(map(r.read, nodes_in(n)[place:]))
            return lambda r, n: _make_node(r, _at(nodes_in(n), place), may_miss, missing)
        case _:
            pass
    match written:
        case "None" | "False":
            return lambda r, n: False if written == "False" else None
        case "tags":
            return Reader.tags
        case "plain":
            return lambda r, n: None if (t := token(r, n, "TEXT")) is None else _plain_text(t)
        case "words":
            return lambda r, n: None if (t := token(r, n, "TEXT")) is None else r.text(t)
        case _:
            pass
    if written[:1].isupper():
        if several:
            first = int(several == "+")
            return lambda r, n: tuple(map(r.word, _tokens(n, names[0])[first:]))
        if may_miss:
            return lambda r, n: None if (t := r.token(n, *names)) is None else r.word(t)
        return lambda r, n: keyword(r.need(n, *names))
    if several:
        return lambda r, n: tuple(map(r.read, r.parts(n, *names)))
    return lambda r, n: _make_node(r, _at(r.parts(n, *names), 0), may_miss, missing)


def _at(nodes: list[Node], place: int) -> Node | None:
    return nodes[place] if place < len(nodes) else None


def _make_node(reader: Reader, node: Part | None, may_miss: bool, missing: object) -> Any:
    if isinstance(node, Tree):
        return reader.read(node)
    assert may_miss, node
    return missing


_COMPILED: Final = {
    name: (make, [_compiled_field(field) for field in fields.split()])
    for name, (make, fields) in RECIPES.items()
}
