"""From words to the written tree: feeds the LALR parser line by line and goes on after a broken line.

Never raises for any text: what cannot be read is reported once and stands as `Broken` in the tree.
"""

from __future__ import annotations

import re
from copy import copy
from functools import lru_cache
from typing import Any, Final, TypeAlias, TypeVar, cast

from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedInput

from rulewright.dsl import declared, parse_errors, syntax
from rulewright.dsl.diagnostics import Problems
from rulewright.dsl.lexer import BLOCKS, Word, lex
from rulewright.dsl.parser_tables import loaded
from rulewright.dsl.source import Source, Span

Node = Tree[Token]
Part = Node | Token | None
Driver: TypeAlias = Any  # lark's interactive parser, which has no types
T = TypeVar("T")
MOST_BROKEN: Final = 100  # lines
MOST_CASES: Final = 50  # of an `if`


@lru_cache(maxsize=1)
def _parser() -> Lark:
    return loaded()


def parse_game(source: Source, problems: Problems) -> declared.GameFile:
    """The declarations of a rules file."""
    tree = _parse(source, lex(source, problems), "game_file", problems)
    reader = _Reader(source, problems)
    declarations = tuple(reader.declaration(node) for node in _nodes(tree))
    return declared.GameFile(Span(source, 0, len(source.text)), declarations)


def parse_expression(
    source: Source, problems: Problems, start: int = 0, end: int | None = None
) -> syntax.Expression | None:
    """An expression standing alone: in braces inside a text, or typed by a person."""
    stop = len(source.text) if end is None else end
    words = expression_words(source, problems, start, stop)
    place = Span(source, start, max(stop, start))
    if not words:
        problems.error("unexpected-end", "an expression is missing here", place)
        return None
    driver: Driver = _parser().parse_interactive("", start="expression")
    for word in words:
        try:
            driver.feed_token(_token(word))
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
        problems.error("unexpected-end", "this expression ends too early", place)
        return None
    return _Reader(source, problems).expression(_nodes(tree)[0])


def expression_words(source: Source, problems: Problems, start: int, end: int) -> list[Word]:
    """The words of an expression standing alone."""
    words = [w for w in lex(source, problems, start=start, end=end) if w.type not in BLOCKS]
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


def _token(word: Word) -> Token:
    return Token(word.type, word.text, start_pos=word.start, end_pos=word.end)


# ---- feeding the parser ---------------------------------------------------------------------------------


def _parse(source: Source, words: list[Word], start: str, problems: Problems) -> Node:
    """The tree of all lines that can be read; a line that cannot is reported and replaced."""
    driver: Driver = _parser().parse_interactive("", start=start)
    at, total, level, told = 0, len(words), 0, 0
    dropped: list[int] = []  # levels of blocks that stand where none belongs
    is_empty = False  # behind a header with nothing below it, whose lines may be those that follow
    broken: dict[int, str] = {}  # for each level the head of the last line, if that was broken
    while at < total:
        word = words[at]
        if word.type == "_INDENT":
            level += 1
            if not _feed(driver, word):
                following = words[at + 1] if at + 1 < total else word
                parse_errors.unexpected_block(source, following, problems)
                dropped.append(level)
            at += 1
            continue
        if word.type == "_DEDENT":
            broken.pop(level, None)
            if dropped and dropped[-1] == level:
                dropped.pop()
            elif not _feed(driver, word):
                if driver.accepts() == {"_INDENT"}:
                    parse_errors.missing_block(source, words, at, problems)
                _mend(driver, word.start)
                _feed(driver, word)
            level -= 1
            at += 1
            continue
        end = _line_end(words, at)
        line = words[at:end]
        kept = _Kept(driver)
        failed, wanted = _feed_line(driver, words[at : end + 1])
        if failed is None:
            broken.pop(level, None)
            is_empty = False
            at = end + 1
            continue
        driver = kept.restored()
        if wanted == {"_INDENT"} and failed == 0:
            parse_errors.missing_block(source, words, at, problems)
            _mend(driver, word.start)
            is_empty = True
            continue
        follows = is_empty and failed == 0
        follows |= failed == 0 and word.type in _FOLLOWERS.get(broken.get(level, ""), ())
        if not follows and not any(part.type == "BAD" for part in line):
            told += 1
            if told > MOST_BROKEN:
                parse_errors.too_many(source, line, problems)
                break
            inside = _inside(driver)
            parse_errors.broken_line(source, line, failed, wanted, problems, inside=inside)
        broken[level] = word.type
        if _feed(driver, Word("BROKEN", "", word.start, word.start)):
            _feed(driver, Word("_NL", "", word.start, word.start))
            at = end + 1
        else:
            at = _skip(words, at)
    last = words[-1].end if words else 0
    try:
        return cast(Node, driver.feed_eof())
    except UnexpectedInput:
        if driver.accepts() == {"_INDENT"}:
            parse_errors.missing_block(source, words, total, problems)
        _mend(driver, last)
    try:
        return cast(Node, driver.feed_eof())
    except UnexpectedInput:
        return Tree(start, [])


# lines that belong to the line before: not reported once more when that one was
_FOLLOWERS: Final = {
    "IF": ("ELSE", "ELSE_IF"),
    "ELSE_IF": ("ELSE", "ELSE_IF"),
    "IF_POSSIBLE": ("OTHERWISE",),
}


def _feed(driver: Driver, word: Word) -> bool:
    """Give a word to the parser, if it can take it."""
    probe = driver.copy(deepcopy_values=False)
    conf = copy(probe.parser_state.parse_conf)
    conf.callbacks = {}
    probe.parser_state.parse_conf = conf
    try:
        probe.feed_token(_token(word))
    except UnexpectedInput:
        return False
    driver.feed_token(_token(word))
    return True


def _feed_line(driver: Driver, words: list[Word]) -> tuple[int | None, set[str]]:
    """Give it a line: the place of the first word that does not fit, and what would have."""
    for at, word in enumerate(words):
        try:
            driver.feed_token(_token(word))
        except UnexpectedInput:
            return at, set(driver.accepts())
    return None, set()


def _mend(driver: Driver, place: int) -> None:
    """Put in the block that is missing, or the line that a block must have."""
    missing = driver.accepts() == {"_INDENT"}
    for kind in ("_INDENT", "BROKEN", "_NL", "_DEDENT") if missing else ("BROKEN", "_NL"):
        _feed(driver, Word(kind, "", place, place))


class _Kept:
    """The state of the parser before a line.

    A longer list of lines is the shorter one, grown in place: so the lengths are kept too.
    """

    def __init__(self, driver: Driver) -> None:
        self.driver = driver.copy(deepcopy_values=False)
        self.lengths = [
            (value.children, len(value.children))
            for value in self.driver.parser_state.value_stack
            if isinstance(value, Tree)
        ]

    def restored(self) -> Driver:
        """The parser as it was."""
        for children, length in self.lengths:
            del children[length:]
        return self.driver


def _inside(driver: Driver) -> str:
    choices = set(driver.accepts())
    if "ITEM" in choices:
        return "score"
    if "LET" in choices:
        return "rule"
    if "GAME" in choices:
        return "file"
    if "COPIES" in choices:
        return "record"
    return ""


def _line_end(words: list[Word], at: int) -> int:
    while at < len(words) and words[at].type != "_NL":
        at += 1
    return at


def _skip(words: list[Word], at: int) -> int:
    """The place behind a line and the block below it."""
    at = _line_end(words, at) + 1
    if at < len(words) and words[at].type == "_INDENT":
        depth = 0
        while at < len(words):
            depth += {"_INDENT": 1, "_DEDENT": -1}.get(words[at].type, 0)
            at += 1
            if depth == 0:
                break
    return min(at, len(words))


# ---- from nodes to the written tree ---------------------------------------------------------------------


def _nodes(node: Node) -> list[Node]:
    return [child for child in node.children if isinstance(child, Tree)]


_TAG = re.compile(r"([A-Z]{2,}-[A-Z0-9]+)(?:\.\.([A-Z]{2,}-[A-Z0-9]+))?")
_BRACES = re.compile(r"\{\{|\}\}|\{([^{}]*)\}")


class _Reader:
    """Turns the nodes of one file into the written tree."""

    def __init__(self, source: Source, problems: Problems) -> None:
        self.source, self.problems = source, problems

    # ---- small things -------------------------------------------------------------------------------

    def span(self, node: Node, *, whole: bool = False) -> Span:
        """Where a node stands; of a node with a block its header."""
        first, last = -1, 0
        stack: list[Part] = [node]
        while stack:
            part = stack.pop()
            if isinstance(part, Tree):
                if part.data in ("block", "broken_block") and not whole:
                    continue
                stack.extend(part.children)
            elif part is not None and part.type not in BLOCKS and part.type != "TAG":
                start, end = part.start_pos or 0, part.end_pos or 0
                first = start if first < 0 else min(first, start)
                last = max(last, end)
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
                return syntax.Fixed(span, str(c[0]))  # type: ignore[arg-type]  # one of the four words
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
                return syntax.Binary(span, str(c[1]), self.sub(c[0]), self.sub(c[2]))  # type: ignore[arg-type]
            case "compare":
                sign = c[1]
                assert isinstance(sign, Tree)
                word = " ".join(str(t) for t in sign.children)
                return syntax.Binary(span, word, self.sub(c[0]), self.sub(c[2]))  # type: ignore[arg-type]
            case "if_else":
                return syntax.IfElse(span, self.sub(c[1]), self.sub(c[3]), self.sub(c[5]))
            case "bracket" | "expression":
                return self.expression(_nodes(node)[0])
            case "list_of":
                return syntax.ListOf(span, tuple(self.expression(n) for n in _nodes(node)))
            case "possible":
                return syntax.Possible(span, self.expression(_nodes(node)[0]))
            case "by":
                return self.by(node, span)
            case _:
                return self.query(node, span)

    def sub(self, part: Part) -> syntax.Expression:
        assert isinstance(part, Tree)
        return self.expression(part)

    def arguments(self, part: Part) -> tuple[syntax.Expression, ...]:
        assert isinstance(part, Tree)
        return tuple(self.expression(n) for n in _nodes(part))

    def by(self, node: Node, span: Span) -> syntax.By:
        cases: list[syntax.Case] = []
        otherwise: syntax.Expression | None = None
        for case in self.parts(node, "case"):
            label = self.part(case, "label")
            if label is None:
                otherwise = self.must(case, "ELSE")
                continue
            edges = _nodes(label)
            cases.append(
                syntax.Case(
                    self.span(case, whole=True),
                    self.expression(edges[0]),
                    self.expression(edges[1]) if len(edges) > 1 else None,
                    self.must(case, "THEN"),
                )
            )
        return syntax.By(span, self.expression(_nodes(node)[0]), tuple(cases), otherwise)

    def query(self, node: Node, span: Span) -> syntax.Query:
        return syntax.Query(
            span,
            str(self.need(node, "QUERY")),  # type: ignore[arg-type]  # one of the query words
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
                self.expression(_nodes(k)[0]),
                self.token(k, "LOWEST") is not None,
            )
            for k in self.parts(node, "sort_key")
        )

    def binder(self, node: Node) -> syntax.Binder:
        name, type = self.need(node, "NAME"), self.token(node, "TYPE")
        return syntax.Binder(
            self.span(node, whole=True),
            str(name),
            self.at(name),
            syntax.TypeWord(self.at(type), str(type)) if type is not None else None,
            self.must(node, "IN"),
            self.maybe(node, "FROM"),
        )

    def type(self, node: Node) -> syntax.Type:
        """A type as written."""
        span = self.span(node, whole=True)
        match node.data:
            case "type":
                inner = self.type(_nodes(node)[0])
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
                nodes = _nodes(node)
                return syntax.ListType(span, self.type(nodes[0]), self.edge(nodes[1]))
            case _:
                return syntax.SetType(span, self.type(_nodes(node)[0]))

    def edge(self, node: Node) -> syntax.Expression:
        span = self.span(node, whole=True)
        number, name = self.token(node, "NUMBER"), self.token(node, "NAME")
        if number is None:
            return syntax.Word(span, str(name))
        value = syntax.Number(self.at(number), int(str(number)))
        return syntax.Unary(span, "-", value) if self.token(node, "MINUS") is not None else value

    # ---- statements ---------------------------------------------------------------------------------

    def block(self, node: Node) -> syntax.Block:
        """The block below a header; empty where there is none."""
        found = self.part(node, "block")
        return self.statements(found) if found is not None else ()

    def statements(self, block: Node) -> syntax.Block:
        return tuple(self.statement(n) for n in _nodes(block))

    def statement(self, node: Node) -> syntax.Statement:
        """One statement."""
        span, tags, c = self.span(node), self.tags(node), node.children
        match node.data:
            case "let":
                name, type = self.need(node, "NAME"), self.part(node, "type")
                value = self.must(node, "EQ")
                return syntax.Let(
                    span,
                    tags,
                    str(name),
                    self.at(name),
                    self.type(type) if type is not None else None,
                    value,
                )
            case "set":
                return syntax.SetTo(span, tags, self.must(node, "SET"), self.must(node, "TO"))
            case "amount":
                verb = self.need(node, "ADD", "LOSE", "PAY")
                return syntax.Amount(
                    span,
                    tags,
                    str(verb),  # type: ignore[arg-type]  # one of these words
                    self.must(node, verb.type),
                    self.must(node, "TO", "FROM"),
                )
            case "move":
                return self.move(node, span, tags)
            case "shuffle":
                return syntax.Shuffle(span, tags, self.must(node, "SHUFFLE"))
            case "sort":
                binder = self.part(node, "binder")
                assert binder is not None
                return syntax.Sort(span, tags, self.binder(binder), self.keys(node))
            case "roll_from":
                return syntax.Roll(
                    span, tags, self.must(node, "ROLL"), self.must(node, "IN"), None, None, None
                )
            case "roll_dice":
                die = self.need(node, "NAME")
                return syntax.Roll(
                    span,
                    tags,
                    self.must(node, "ROLL"),
                    None,
                    self.must(node, "EQ"),
                    str(die),
                    self.at(die),
                )
            case "do":
                return self.do(node, span, tags)
            case "choose":
                return self.choose(node, span, tags)
            case "choose_of":
                quantity = self.part(node, "quantity")
                arms = [self.arm(n) for n in self.parts(node, "option_arm", "do")]
                return syntax.ChooseOf(
                    span,
                    tags,
                    self.quantity(quantity) if quantity is not None else None,
                    self.token(node, "CHOOSE_ALL_OF") is not None,
                    tuple(arms),
                )
            case "may":
                words, action = self.token(node, "TEXT"), self.part(node, "do")
                if action is not None:
                    step = self.statement(action)
                    return syntax.May(span, tags or self.tags(action), None, (step,))
                assert words is not None
                return syntax.May(span, tags, self.text(words), self.block(node))
            case "if":
                return self.if_else(node, span, tags)
            case "if_possible":
                blocks = self.parts(node, "block")
                return syntax.IfPossible(
                    span,
                    tags,
                    self.statements(blocks[0]),
                    self.statements(blocks[1]) if len(blocks) > 1 else (),
                )
            case "repeat":
                return self.repeat(node, span, tags)
            case "for_each":
                binder = self.part(node, "binder")
                assert binder is not None
                any_order = self.token(node, "ANY_ORDER") is not None
                return syntax.ForEach(
                    span,
                    tags,
                    self.binder(binder),
                    self.maybe(node, "WHERE"),
                    any_order,
                    self.block(node),
                )
            case "each_player":
                back, there = self.token(node, "BACKWARDS"), self.token(node, "THERE_AND_BACK")
                return syntax.EachPlayer(
                    span,
                    tags,
                    self.token(node, "TOGETHER") is not None,
                    "backwards"
                    if back is not None
                    else "there and back"
                    if there is not None
                    else "forward",
                    self.maybe(node, "FROM"),
                    self.maybe(node, "WHERE"),
                    self.block(node),
                )
            case "as_player":
                return syntax.AsPlayer(span, tags, self.must(node, "AS"), self.block(node))
            case "at_once":
                return syntax.AtOnce(span, tags, self.block(node))
            case "phase":
                return syntax.Phase(
                    span, tags, self.text(self.need(node, "TEXT")), self.block(node)
                )
            case "needs":
                reason = self.token(node, "TEXT")
                return syntax.Needs(
                    span,
                    tags,
                    self.must(node, "NEEDS"),
                    self.text(reason) if reason is not None else None,
                )
            case "say":
                return syntax.Say(span, tags, self.text(self.need(node, "TEXT")))
            case "log":
                return syntax.Log(
                    span, tags, self.text(self.need(node, "TEXT")), self.maybe(node, "TO")
                )
            case "show":
                return syntax.Show(span, tags, self.must(node, "SHOW"), self.must(node, "TO"))
            case "limit":
                per = self.need(node, "NAME")
                return syntax.Limit(span, tags, self.must(node, "LIMIT"), str(per), self.at(per))
            case "simple":
                word = " ".join(str(c[0]).split())
                return syntax.Simple(span, tags, word)  # type: ignore[arg-type]  # one of the three
            case "win":
                return syntax.Win(span, tags, self.must(node, "WIN"))
            case "eliminate":
                return syntax.Eliminate(span, tags, self.must(node, "ELIMINATE"))
            case "surely":
                step = self.statement(_nodes(node)[0])
                return syntax.Surely(span, tags, step)
            case _:
                return syntax.Broken(span)

    def move(self, node: Node, span: Span, tags: syntax.Tags) -> syntax.Move:
        moved = self.part(node, "up_to", "everything", "exactly")
        assert moved is not None
        under = self.token(node, "UNDER") is not None
        inside = _nodes(moved)
        if moved.data != "exactly" and self.token(node, "FROM") is None:
            self.problems.error(
                "unexpected-end",
                "it is not said from where these are moved",
                span,
                help="write `from` and a place before `to`",
            )
        return syntax.Move(
            span,
            tags,
            "up to"
            if moved.data == "up_to"
            else "all"
            if moved.data == "everything"
            else "exactly",
            self.expression(inside[0]) if inside else None,
            self.maybe(node, "FROM"),
            self.must(node, "UNDER" if under else "TO"),
            under,
        )

    def do(self, node: Node, span: Span, tags: syntax.Tags) -> syntax.Do:
        effect = self.token(node, "EFFECT_OF") is not None
        changes: list[syntax.WithChange] = []
        added = self.part(node, "with")
        for change in self.parts(added, "with_change") if added is not None else ():
            inner = tuple(self.change(x) for x in self.parts(change, "change"))
            changes.append(
                syntax.WithChange(
                    self.span(change, whole=True), self.expression(_nodes(change)[0]), inner
                )
            )
        return syntax.Do(
            span, tags, self.must(node, "EFFECT_OF" if effect else "DO"), effect, tuple(changes)
        )

    def change(self, node: Node) -> syntax.Change:
        word = " ".join(str(node.children[0]).split())
        return syntax.Change(self.span(node, whole=True), word, self.sub(node.children[1]))  # type: ignore[arg-type]

    def choose(self, node: Node, span: Span, tags: syntax.Tags) -> syntax.Choose:
        name = self.need(node, "NAME")
        quantity = self.part(node, "quantity")
        prompt = self.part(node, "text")
        return syntax.Choose(
            span,
            tags,
            str(name),
            self.at(name),
            self.token(node, "OR_NONE") is not None,
            self.must(node, "IN"),
            self.maybe(node, "WHERE"),
            self.quantity(quantity) if quantity is not None else None,
            self.text(self.need(prompt, "TEXT")) if prompt is not None else None,
        )

    def quantity(self, node: Node) -> syntax.Quantity:
        word = " ".join(str(node.children[0]).split())
        inside = _nodes(node)
        return syntax.Quantity(
            self.span(node, whole=True),
            word,  # type: ignore[arg-type]  # one of these words
            self.expression(inside[0]) if inside else None,
        )

    def arm(self, node: Node) -> syntax.OptionArm | syntax.Do:
        if node.data == "do":
            step = self.statement(node)
            assert isinstance(step, syntax.Do)
            return step
        binder = self.part(node, "binder")
        return syntax.OptionArm(
            self.span(node),
            self.tags(node),
            self.text(self.need(node, "TEXT")),
            self.binder(binder) if binder is not None else None,
            self.maybe(node, "WHERE"),
            self.block(node),
        )

    def board_line(self, node: Node) -> declared.BoardLine:
        binder = self.part(node, "binder")
        return declared.BoardLine(
            self.span(node),
            self.text(self.need(node, "TEXT")),
            self.binder(binder) if binder is not None else None,
            self.maybe(node, "WHERE"),
        )

    def if_else(self, node: Node, span: Span, tags: syntax.Tags) -> syntax.If:
        cases: list[tuple[syntax.Expression, syntax.Block]] = []
        otherwise: syntax.Block = ()
        children = node.children
        for n, child in enumerate(children):
            if not isinstance(child, Token):
                continue
            if child.type in ("IF", "ELSE_IF"):
                body = children[n + 2]
                assert isinstance(body, Tree)
                cases.append((self.sub(children[n + 1]), self.statements(body)))
                if len(cases) > MOST_CASES:
                    self.problems.error(
                        "nested-too-deep",
                        f"this `if` has more than {MOST_CASES} cases",
                        self.at(child),
                        help="put the cases into a table, or use `by(...)`",
                    )
                    break
            elif child.type == "ELSE":
                body = children[n + 1]
                assert isinstance(body, Tree)
                otherwise = self.statements(body)
        return syntax.If(span, tags, tuple(cases), otherwise)

    def repeat(self, node: Node, span: Span, tags: syntax.Tags) -> syntax.Repeat:
        how = self.part(node, "how_often")
        if how is None:
            return syntax.Repeat(span, tags, "forever", None, self.block(node))
        value = self.expression(_nodes(how)[0])
        word = self.token(how, "WHILE", "UNTIL")
        kind = "times" if word is None else str(word)
        return syntax.Repeat(span, tags, kind, value, self.block(node))  # type: ignore[arg-type]

    # ---- declarations -------------------------------------------------------------------------------

    def declaration(self, node: Node) -> declared.Declaration:
        """One declaration."""
        span, tags = self.span(node), self.tags(node)
        match node.data:
            case "game":
                settings = tuple(self.setting(n) for n in self.parts(node, "setting"))
                return declared.Game(span, tags, self.plain(self.need(node, "TEXT")), settings)
            case "include":
                return declared.Include(span, self.plain(self.need(node, "TEXT")))
            case "option_declaration":
                name = self.need(node, "NAME")
                values = tuple(self.option_value(n) for n in self.parts(node, "option_value"))
                return declared.OptionDeclaration(span, tags, str(name), self.at(name), values)
            case "kind":
                name = self.need(node, "TYPE")
                return declared.KindList(
                    span,
                    tags,
                    str(name),
                    self.at(name),
                    tuple(self.kind_value(n) for n in self.parts(node, "kind_value")),
                )
            case "union":
                name, *members = self.tokens(node, "TYPE")
                what = str(self.need(node, "PIECE", "SPACE"))
                words = tuple(syntax.TypeWord(self.at(m), str(m)) for m in members)
                return declared.Union(span, tags, what, str(name), self.at(name), words)  # type: ignore[arg-type]
            case "record":
                return self.record(node, span, tags)
            case "player":
                states = tuple(self.state(n) for n in self.parts(node, "state"))
                return declared.PlayerDeclaration(
                    span, tags, states, tuple(self.zone(n) for n in self.parts(node, "zone"))
                )
            case "token":
                name = self.need(node, "NAME")
                return declared.Token(
                    span, tags, str(name), self.at(name), self.token(node, "PER_PLAYER") is not None
                )
            case "die":
                name = self.need(node, "NAME")
                return declared.Die(
                    span,
                    tags,
                    str(name),
                    self.at(name),
                    tuple(self.expression(n) for n in _nodes(node)),
                )
            case "seat":
                name = self.need(node, "NAME")
                return declared.Seat(span, tags, str(name), self.at(name), self.only_if(node))
            case "state":
                return self.state(node)
            case "zone":
                return self.zone(node)
            case "value":
                return self.value(node, span, tags)
            case "rule":
                return self.rule(node)
            case "on_action" | "whenever" | "on_move":
                return self.trigger(node)
            case "power":
                return self.power(node, span, tags)
            case "effect":
                name, type = self.need(node, "NAME"), self.token(node, "TYPE")
                word = syntax.TypeWord(self.at(type), str(type)) if type is not None else None
                return declared.Effect(
                    span, tags, str(name), self.at(name), word, self.params(node), self.block(node)
                )
            case "anytime":
                return self.anytime(node)
            case "section":
                what = str(self.need(node, "SETUP", "PLAY"))
                return declared.Section(span, tags, what, self.only_if(node), self.block(node))  # type: ignore[arg-type]
            case "score":
                name = self.need(node, "NAME")
                items = tuple(
                    declared.Item(
                        self.span(n),
                        self.tags(n),
                        self.plain(self.need(n, "TEXT")),
                        self.must(n, "EQ"),
                        self.only_if(n),
                    )
                    for n in self.parts(node, "item")
                )
                return declared.Score(span, tags, str(name), self.at(name), items)
            case "winner":
                name = self.need(node, "NAME")
                shared = self.token(node, "THEN_SHARED") is not None
                return declared.Winner(
                    span,
                    tags,
                    str(name),
                    self.at(name),
                    self.keys(node),
                    shared,
                    self.only_if(node),
                )
            case "invariant":
                return declared.Invariant(
                    span, tags, self.plain(self.need(node, "TEXT")), self.must(node, "EQ")
                )
            case "note":
                return declared.Note(span, tags, self.plain(self.need(node, "TEXT")))
            case "board":
                type, title = self.token(node, "TYPE"), self.token(node, "TEXT")
                shows = tuple(self.board_line(n) for n in self.parts(node, "board_show"))
                notes = tuple(
                    self.plain(self.need(n, "TEXT")) for n in self.parts(node, "board_note")
                )
                space = syntax.TypeWord(self.at(type), str(type)) if type is not None else None
                heading = self.text(title) if title is not None else None
                return declared.Board(span, tags, space, heading, shows, notes)
            case _:
                return syntax.Broken(span)

    def setting(self, node: Node) -> declared.Setting:
        head = node.children[0]
        assert isinstance(head, Token)
        words = self.part(node, "text")
        value: syntax.Expression
        if words is not None:
            value = syntax.Text(self.span(words), (self.plain(self.need(words, "TEXT")),))
        else:
            value = self.expression(_nodes(node)[0])
        return declared.Setting(self.span(node), self.tags(node), str(head), value)

    def option_value(self, node: Node) -> syntax.Word | syntax.Number | syntax.Fixed:
        token = node.children[0]
        assert isinstance(token, Token)
        if token.type == "NUMBER":
            return syntax.Number(self.at(token), int(str(token)))
        if token.type == "NAME":
            return syntax.Word(self.at(token), str(token))
        return syntax.Fixed(self.at(token), "yes" if token.type == "YES" else "no")

    def kind_value(self, node: Node) -> declared.KindValue:
        words = self.token(node, "TEXT")
        return declared.KindValue(
            self.span(node),
            str(self.need(node, "NAME")),
            self.plain(words) if words is not None else None,
        )

    def only_if(self, node: Node) -> syntax.Expression | None:
        found = self.part(node, "only_if")
        return self.expression(_nodes(found)[0]) if found is not None else None

    def params(self, node: Node) -> tuple[declared.Param, ...]:
        found = self.part(node, "params")
        return tuple(self.param(n) for n in _nodes(found)) if found is not None else ()

    def param(self, node: Node) -> declared.Param:
        name, type = self.need(node, "NAME"), self.part(node, "type")
        return declared.Param(
            self.span(node, whole=True),
            str(name),
            self.at(name),
            self.type(type) if type is not None else None,
            self.maybe(node, "IN"),
            self.maybe(node, "WHERE"),
        )

    def seen(self, node: Node) -> declared.Seen | None:
        found = self.part(node, "seen")
        if found is None:
            return None
        names = [str(t) for t in self.tokens(found, "NAME")]
        return declared.Seen(self.span(found), names[0], tuple(names[1:]))

    def state(self, node: Node) -> declared.State:
        name, type = self.need(node, "NAME"), self.part(node, "type")
        assert type is not None
        return declared.State(
            self.span(node),
            self.tags(node),
            str(name),
            self.at(name),
            self.params(node),
            self.type(type),
            self.maybe(node, "EQ"),
            self.seen(node),
        )

    def zone(self, node: Node) -> declared.Zone:
        name, written = self.need(node, "NAME"), self.part(node, "zone_type")
        assert written is not None
        head = written.children[0]
        of = self.need(written, "TYPE", "NAME")
        slots = _nodes(written)
        type = declared.ZoneType(
            self.span(written),
            str(head).split()[0],  # type: ignore[arg-type]  # one of the five shapes
            str(of),
            self.at(of),
            self.expression(slots[0]) if slots else None,
        )
        return declared.Zone(
            self.span(node),
            self.tags(node),
            str(name),
            self.at(name),
            self.params(node),
            type,
            self.maybe(node, "EQ"),
            self.seen(node),
        )

    def record(self, node: Node, span: Span, tags: syntax.Tags) -> declared.Record:
        name, path = self.need(node, "TYPE"), self.token(node, "TEXT")
        keys = self.part(node, "key_columns")
        copies, joins = self.part(node, "copies"), self.part(node, "joins")
        ends = self.tokens(joins, "NAME") if joins is not None else []
        what = str(self.need(node, "KIND", "PIECE", "SPACE", "LINK", "TABLE"))
        return declared.Record(
            span,
            tags,
            what,  # type: ignore[arg-type]  # one of the five
            str(name),
            self.at(name),
            self.token(node, "PER_PLAYER") is not None,
            self.plain(path) if path is not None else None,
            self.at(path) if path is not None else None,
            tuple(str(t) for t in self.tokens(keys, "NAME")) if keys is not None else (),
            self.grid(node),
            tuple(self.column(n) for n in self.parts(node, "column")),
            declared.Copies(self.span(copies), self.must(copies, "EQ"))
            if copies is not None
            else None,
            declared.Joins(self.span(joins), str(ends[0]), str(ends[1]))
            if joins is not None
            else None,
            tuple(
                declared.Row(
                    self.span(n), self.tags(n), tuple(self.expression(x) for x in _nodes(n))
                )
                for n in self.parts(node, "row")
            ),
            tuple(self.state(n) for n in self.parts(node, "state")),
            tuple(self.zone(n) for n in self.parts(node, "zone")),
        )

    def grid(self, node: Node) -> declared.Grid | None:
        found = self.part(node, "square_grid", "hex_grid", "growing_grid")
        if found is None:
            return None
        edges = [self.expression(n) for n in _nodes(found)]
        shape = str(found.data).removesuffix("_grid")
        other = edges[1] if len(edges) > 1 else None
        return declared.Grid(self.span(found), shape, edges[0], other)  # type: ignore[arg-type]  # one of three

    def column(self, node: Node) -> declared.Column:
        name, type = self.need(node, "NAME"), self.part(node, "type")
        assert type is not None
        header = self.name_behind(node, "FROM")
        return declared.Column(
            self.span(node),
            self.tags(node),
            str(name),
            self.at(name),
            self.type(type),
            self.maybe(node, "EQ"),
            str(header) if header is not None else None,
        )

    def value(self, node: Node, span: Span, tags: syntax.Tags) -> declared.Value:
        name, subject = self.need(node, "NAME"), self.part(node, "subject")
        of: declared.Param | None = None
        if subject is not None:
            own, type = self.need(subject, "NAME"), self.part(subject, "type")
            assert type is not None
            of = declared.Param(self.span(subject), str(own), self.at(own), self.type(type), None)
        bounds = tuple(self.bound(b) for b in self.parts(node, "bound"))
        opened = self.token(node, "OPEN") is not None
        return declared.Value(
            span,
            tags,
            opened,
            str(name),
            self.at(name),
            of,
            self.params(node),
            bounds,
            self.must(node, "EQ"),
        )

    def bound(self, node: Node) -> declared.Bound:
        word = " ".join(str(node.children[0]).split())
        return declared.Bound(self.span(node), word, self.sub(node.children[1]))  # type: ignore[arg-type]  # one of two

    def rule(self, node: Node) -> declared.Rule:
        name = self.need(node, "NAME")
        what = "action" if self.token(node, "ACTION") is not None else "rule"
        return declared.Rule(
            self.span(node),
            self.tags(node),
            what,  # type: ignore[arg-type]  # one of these words
            str(name),
            self.at(name),
            self.params(node),
            self.only_if(node),
            self.block(node),
        )

    def trigger(self, node: Node) -> declared.OnAction | declared.Whenever | declared.OnMove:
        span, tags = self.span(node), self.tags(node)
        if node.data == "on_action":
            when = " ".join(str(self.need(node, "BEFORE", "AFTER", "INSTEAD_OF")).split())
            return declared.OnAction(
                span,
                tags,
                when,  # type: ignore[arg-type]  # one of these words
                self.pattern(node),
                self.maybe(node, "WHERE"),
                self.block(node),
            )
        if node.data == "whenever":
            change, binder = self.name_behind(node, "CHANGES_BY"), self.part(node, "binder")
            return declared.Whenever(
                span,
                tags,
                self.must(node, "WHENEVER"),
                syntax.Word(self.at(change), str(change)) if change is not None else None,
                self.binder(binder) if binder is not None else None,
                self.block(node),
            )
        how = self.need(node, "ENTERS", "LEAVES")
        name = self.need(node, "NAME")
        return declared.OnMove(
            span,
            tags,
            "enters" if how.type == "ENTERS" else "leaves",
            syntax.Word(self.at(name), str(name)),
            self.must(node, how.type),
            self.maybe(node, "WHERE"),
            self.block(node),
        )

    def pattern(self, node: Node) -> declared.Pattern:
        found = self.part(node, "pattern")
        assert found is not None
        name, listed = self.need(found, "NAME"), self.part(found, "names")
        actor = self.name_behind(found, "AS")
        given = self.tokens(listed, "NAME") if listed is not None else []
        return declared.Pattern(
            self.span(found),
            str(name),
            self.at(name),
            tuple(syntax.Word(self.at(t), str(t)) for t in given),
            syntax.Word(self.at(actor), str(actor)) if actor is not None else None,
        )

    def anytime(self, node: Node) -> declared.Anytime:
        action, during = self.tokens(node, "NAME")
        return declared.Anytime(
            self.span(node),
            self.tags(node),
            str(action),
            self.at(action),
            str(during),
            self.at(during),
            self.maybe(node, "WHERE"),
        )

    def power(self, node: Node, span: Span, tags: syntax.Tags) -> declared.Power:
        name, type = self.need(node, "NAME"), self.token(node, "TYPE")
        lines: list[
            declared.Modify
            | declared.OnAction
            | declared.Whenever
            | declared.OnMove
            | declared.Rule
            | declared.Anytime
        ] = []
        for line in self.parts(
            node, "modify", "on_action", "whenever", "on_move", "rule", "anytime"
        ):
            if line.data == "modify":
                changes = tuple(self.change(x) for x in self.parts(line, "change"))
                value, where = self.must(line, "MODIFY"), self.maybe(line, "WHERE")
                lines.append(
                    declared.Modify(self.span(line), self.tags(line), value, changes, where)
                )
            elif line.data == "rule":
                lines.append(self.rule(line))
            elif line.data == "anytime":
                lines.append(self.anytime(line))
            else:
                lines.append(self.trigger(line))
        word = syntax.TypeWord(self.at(type), str(type)) if type is not None else None
        return declared.Power(
            span,
            tags,
            str(name),
            self.at(name),
            word,
            self.must(node, "IN"),
            self.maybe(node, "WHERE"),
            self.only_if(node),
            tuple(lines),
        )

    def word(self, token: Token) -> syntax.Word:
        return syntax.Word(self.at(token), str(token))
