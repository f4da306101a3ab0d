"""Expressions, types and texts: from nodes to the syntax tree."""

from __future__ import annotations

import re
from collections.abc import Sequence

import attrs
from lark import Token, Tree
from lark.exceptions import UnexpectedInput

from rulewright.dsl.diagnostics.diagnostics import Problems
from rulewright.dsl.diagnostics.source import Source, Span
from rulewright.dsl.parsing import parse_errors
from rulewright.dsl.parsing.feeding import (
    Driver,
    Node,
    Part,
    keyword,
    lark_parser,
    nodes_in,
    token_of,
)
from rulewright.dsl.text.lexer import BLOCKS, Word, lex
from rulewright.dsl.tree import syntax

_TAG = re.compile(r"([A-Z]{2,}-[A-Z0-9]+)(?:\.\.([A-Z]{2,}-[A-Z0-9]+))?")
_BRACES = re.compile(r"\{\{|\}\}|\{([^{}]*)\}")


def parse_expression(
    source: Source, problems: Problems, start: int = 0, end: int | None = None
) -> syntax.Expression | None:
    """An expression standing alone: in braces inside a text, or typed by a person."""
    stop = len(source.text) if end is None else end
    words = expression_words(source, problems, start, stop)
    place = Span(source, start, max(stop, start))
    if not words:
        problems.error(
            "unexpected-end",
            "an expression is missing here",
            place,
            help="write what is meant, such as `me.coins`",
        )
        return None
    driver: Driver = lark_parser().parse_interactive("", start="expression")
    for word in words:
        try:
            driver.feed_token(token_of(word))
        except UnexpectedInput:
            if word.type != "BAD":
                at = words.index(word)
                behind = words[at + 1].text if at + 1 < len(words) else ""
                parse_errors.broken_expression(
                    source, word, words[at - 1].text if at else "", behind, problems
                )
            return None
    try:
        tree = driver.feed_eof()
    except UnexpectedInput:
        problems.error(
            "unexpected-end",
            "this expression ends too early",
            place,
            help="write what follows its last word, or take that away",
        )
        return None
    return ExpressionReader(source, problems).expression(nodes_in(tree)[0])


def expression_words(source: Source, problems: Problems, start: int, end: int) -> list[Word]:
    """The words of an expression standing alone."""
    words = [w for w in lex(source, problems, start=start, end=end) if w.type not in BLOCKS]
    if words and words[0].type == "BY_LINE" and any(w.type == "COLON" for w in words):
        words[0] = attrs.evolve(words[0], type="BY_QUERY")
    return [_plain(w) if n == 0 else w for n, w in enumerate(words)]


def _plain(word: Word) -> Word:
    """A head word at the start of an expression is a name (or the `if` of an expression)."""
    if word.type in (
        "IF",
        "TYPE",
        "NUMBER",
        "QUERY",
        "LPAR",
        "MINUS",
        "POSSIBLE",
        "BY_QUERY",
        "NOT",
        "TEXT",
    ):
        return word
    if word.type in ("YES", "NO", "NOTHING", "EMPTY"):
        return word
    return Word("NAME", word.text, word.start, word.end) if word.text[:1].isalpha() else word


def _extent(node: Node, whole: bool) -> tuple[int, int]:
    """Where the first token of a node begins, -1 where it has none, and the last one ends; kept with the node."""
    kept: dict[bool, tuple[int, int]] = node.__dict__.setdefault("extents", {})
    if whole not in kept:
        kept[whole] = _extent_of(node, whole)
    return kept[whole]


def _extent_of(node: Node, whole: bool) -> tuple[int, int]:
    first, last = -1, 0
    if not whole and node.data in ("block", "broken_block"):
        return first, last
    parts: Sequence[Part] = node.children
    for part in parts:
        if isinstance(part, Tree):
            start, end = _extent(part, whole)
        elif part is not None and part.type not in BLOCKS and part.type != "TAG":
            start, end = part.start_pos or 0, part.end_pos or 0
        else:
            continue
        if start >= 0:
            first = start if first < 0 else min(first, start)
            last = max(last, end)
    return first, last


class ExpressionReader:
    """Turns the nodes of one file into the written tree."""

    def __init__(self, source: Source, problems: Problems) -> None:
        self.source, self.problems = source, problems

    # ---- small things -------------------------------------------------------------------------------

    def span(self, node: Node, *, whole: bool = False) -> Span:
        """The span of a node; for a node with a block that of its header."""
        first, last = _extent(node, whole)
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

    def tokens(self, node: Node, type: str) -> list[Token]:
        return [c for c in node.children if isinstance(c, Token) and c.type == type]

    def part(self, node: Node, *names: str) -> Node | None:
        for child in node.children:
            if isinstance(child, Tree) and child.data in names:
                return child
        return None

    def parts(self, node: Node, *names: str) -> list[Node]:
        return [c for c in node.children if isinstance(c, Tree) and c.data in names]

    def behind(self, node: Node, *types: str) -> Node | None:
        """The node that follows a token."""
        for n, child in enumerate(node.children):
            if isinstance(child, Token) and child.type in types and n + 1 < len(node.children):
                following = node.children[n + 1]
                return following if isinstance(following, Tree) else None
        return None

    def name_behind(self, node: Node, type: str) -> Token | None:
        for n, child in enumerate(node.children):
            if isinstance(child, Token) and child.type == type and n + 1 < len(node.children):
                following = node.children[n + 1]
                return following if isinstance(following, Token) else None
        return None

    def maybe(self, node: Node, *types: str) -> syntax.Expression | None:
        found = self.behind(node, *types)
        return self.expression(found) if found is not None else None

    def must(self, node: Node, *types: str) -> syntax.Expression:
        found = self.behind(node, *types)
        assert found is not None
        return self.expression(found)

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

    def plain(self, token: Token) -> str:
        """The words of a text without places."""
        return str(token)[1:-1]

    def text(self, token: Token) -> syntax.Text:
        """Words with expressions in braces."""
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
                help="a brace in a text holds an expression; write `{{` for the sign itself",
            )
        if words:
            parts.append(words)
        return syntax.Text(self.at(token), tuple(parts))

    # ---- expressions --------------------------------------------------------------------------------

    def expression(self, node: Node) -> syntax.Expression:
        """One expression."""
        c = node.children
        span = self.span(node, whole=True)
        match node.data:
            case "number":
                return syntax.Number(span, int(str(c[0])))
            case "word":
                return syntax.Word(span, str(c[0]))
            case "fixed":
                return syntax.Fixed(span, keyword(c[0]))
            case "type_word":
                return syntax.TypeWord(span, str(c[0]))
            case "call":
                return syntax.Call(span, str(c[0]), self.arguments(c[1]))
            case "lookup":
                return syntax.Lookup(span, str(c[0]), self.arguments(c[1]))
            case "dot":
                name = self.need(node, "NAME")
                given = self.part(node, "arguments")
                return syntax.Dot(
                    span,
                    self.sub(c[0]),
                    str(name),
                    self.at(name),
                    self.arguments(given) if given is not None else None,
                )
            case "unary":
                return syntax.Unary(span, "not" if str(c[0]) == "not" else "-", self.sub(c[1]))
            case "binary":
                return syntax.Binary(span, keyword(c[1]), self.sub(c[0]), self.sub(c[2]))
            case "compare":
                sign = c[1]
                assert isinstance(sign, Tree)
                word = keyword(" ".join(str(t) for t in sign.children))
                return syntax.Binary(span, word, self.sub(c[0]), self.sub(c[2]))
            case "if_else":
                return syntax.IfElse(span, self.sub(c[1]), self.sub(c[3]), self.sub(c[5]))
            case "bracket" | "expression":
                return self.expression(nodes_in(node)[0])
            case "onward":
                low, high = syntax.Number(span, int(str(c[0]))), syntax.Number(span, syntax.ONWARD)
                return syntax.Binary(span, "..", low, high)
            case "list_of":
                return syntax.ListOf(span, tuple(self.expression(n) for n in nodes_in(node)))
            case "possible":
                return syntax.Possible(span, self.expression(nodes_in(node)[0]))
            case "by":
                return self.by(node, span)
            case _:
                return self.query(node, span)

    def sub(self, part: Part) -> syntax.Expression:
        assert isinstance(part, Tree)
        return self.expression(part)

    def arguments(self, part: Part) -> tuple[syntax.Expression, ...]:
        assert isinstance(part, Tree)
        return tuple(self.expression(n) for n in nodes_in(part))

    def by(self, node: Node, span: Span) -> syntax.By:
        cases: list[syntax.Case] = []
        otherwise: syntax.Expression | None = None
        for case in self.parts(node, "case"):
            label = self.part(case, "label")
            if label is None:
                otherwise = self.must(case, "ELSE")
                continue
            edges = nodes_in(label)
            cases.append(
                syntax.Case(
                    self.span(case, whole=True),
                    self.expression(edges[0]),
                    self.expression(edges[1]) if len(edges) > 1 else None,
                    self.must(case, "THEN"),
                )
            )
        return syntax.By(span, self.expression(nodes_in(node)[0]), tuple(cases), otherwise)

    def query(self, node: Node, span: Span) -> syntax.Query:
        return syntax.Query(
            span,
            keyword(self.need(node, "QUERY")),
            tuple(self.binder(b) for b in self.parts(node, "binder")),
            self.maybe(node, "WHERE"),
            self.keys(node),
            self.token(node, "THEN_ORDER") is not None,
            self.maybe(node, "COLON"),
        )

    def keys(self, node: Node) -> tuple[syntax.Key, ...]:
        return tuple(
            syntax.Key(
                self.span(k, whole=True),
                self.expression(nodes_in(k)[0]),
                self.token(k, "LOWEST") is not None,
            )
            for k in self.parts(node, "sort_key")
        )

    def binder(self, node: Node) -> syntax.Binder:
        name = self.need(node, "NAME")
        return syntax.Binder(
            self.span(node, whole=True),
            str(name),
            self.at(name),
            self.sort_of(node),
            self.must(node, "IN"),
            self.maybe(node, "FROM"),
            self.stretch(node),
        )

    def sort_of(self, node: Node) -> syntax.TypeWord | None:
        """The type after a name: `x: Spell in ...`."""
        type = self.token(node, "TYPE")
        return syntax.TypeWord(self.at(type), str(type)) if type is not None else None

    def stretch(self, node: Node) -> syntax.Stretch | None:
        """The condition that limits the part of a source that is used."""
        found = self.part(node, "stretch")
        if found is None:
            return None
        word = keyword(found.children[0])
        return syntax.Stretch(self.span(found, whole=True), word, self.sub(found.children[1]))

    def type(self, node: Node) -> syntax.Type:
        """A type as written."""
        span = self.span(node, whole=True)
        match node.data:
            case "type":
                inner = self.type(nodes_in(node)[0])
                return (
                    syntax.OptionalType(span, inner)
                    if self.token(node, "OR_NOTHING") is not None
                    else inner
                )
            case "named_type":
                return syntax.NamedType(span, str(self.need(node, "TYPE")))
            case "range_type":
                low, high = self.parts(node, "edge")
                return syntax.RangeType(span, self.edge(low), self.edge(high))
            case "list_type":
                nodes = nodes_in(node)
                return syntax.ListType(span, self.type(nodes[0]), self.edge(nodes[1]))
            case _:
                return syntax.SetType(span, self.type(nodes_in(node)[0]))

    def edge(self, node: Node) -> syntax.Expression:
        span = self.span(node, whole=True)
        number, name = self.token(node, "NUMBER"), self.token(node, "NAME")
        if number is None:
            return syntax.Word(span, str(name))
        value = syntax.Number(self.at(number), int(str(number)))
        return syntax.Unary(span, "-", value) if self.token(node, "MINUS") is not None else value
