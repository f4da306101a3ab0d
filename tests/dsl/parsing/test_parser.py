"""The parser: the tree of each snippet in compact form (see `parser.md`), and messages for broken snippets."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from rulewright.dsl.diagnostics.diagnostics import Problems
from rulewright.dsl.diagnostics.source import Source, Span
from rulewright.dsl.parsing import parse_errors, parser_tables
from rulewright.dsl.parsing.parser import parse_game
from rulewright.dsl.parsing.reader import parse_expression
from rulewright.dsl.text.vocabulary import RESERVED
from rulewright.dsl.tree import declared, syntax

PAGE = Path(__file__).with_name("parser.md")
CASE = re.compile(
    r"^## ([^\n]+)\n\n```game\n(.*?)^```\n\n```tree\n(.*?)^```$", re.MULTILINE | re.DOTALL
)
CASES = {title: (text, tree) for title, text, tree in CASE.findall(PAGE.read_text("utf-8"))}


def parse_text(text: str) -> tuple[declared.GameFile, list[str]]:
    problems = Problems()
    tree = parse_game(Source("t.game", text), problems)
    found = problems.in_order()
    return tree, [f"{p.span.line}:{p.span.column} {p.code}: {p.message}" for p in found]


def dump(node: object) -> str:
    """A tree in one line: kinds of nodes with their parts, without places and missing parts."""
    match node:
        case tuple():
            return "[" + ", ".join(dump(part) for part in node) + "]"
        case str():
            return node
        case syntax.Word() | syntax.TypeWord() | syntax.NamedType():
            return node.name
        case syntax.Number():
            return str(node.value)
        case syntax.Fixed():
            return node.word
        case syntax.Tag():
            return node.first + (f"..{node.last}" if node.last else "")
        case syntax.Text():
            return "".join(
                f'"{part}"' if isinstance(part, str) else f"{{{dump(part)}}}" for part in node.parts
            )
        case syntax.Binary():
            return f"({dump(node.left)} {node.operator} {dump(node.right)})"
        case syntax.Unary():
            return f"({node.operator} {dump(node.operand)})"
        case syntax.Dot(arguments=None):
            return f"{dump(node.subject)}.{node.name}"
        case syntax.Dot():
            return f"{dump(node.subject)}.{node.name}{dump(node.arguments)}"
        case _ if hasattr(node, "__attrs_attrs__"):
            parts = [
                f"{field.name}={dump(value)}"
                for field in getattr(node, "__attrs_attrs__")  # noqa: B009 - any node
                if not isinstance(value := getattr(node, field.name), Span)
                and value not in (None, (), False)
            ]
            return f"{type(node).__name__}({' '.join(parts)})"
        case _:
            return str(node)


def _rewrite(title: str, shown: str) -> None:
    page = PAGE.read_text(encoding="utf-8")
    begin = page.index("```tree\n", page.index(f"## {title}\n")) + len("```tree\n")
    end = begin if page.startswith("```", begin) else page.index("\n```\n", begin) + 1
    PAGE.write_text(page[:begin] + shown + page[end:], encoding="utf-8")


@pytest.mark.parametrize("title", CASES)
def test_source_becomes_the_expected_tree(title: str) -> None:
    text, expected = CASES[title]
    tree, problems = parse_text(text)
    shown = "".join(f"{dump(d)}\n" for d in tree.declarations) + "".join(f"{p}\n" for p in problems)
    if os.environ.get("UPDATE"):
        _rewrite(title, shown)
        expected = shown
    assert shown == expected


# ---- the grammar --------------------------------------------------------------------------------


def test_the_grammar_has_no_conflicts() -> None:
    parser_tables.build_parser(strict=True)


def test_the_tables_are_those_of_the_grammar() -> None:
    assert not parser_tables.is_stale(), "run python -m rulewright.dsl.parsing.parser_tables"


def test_every_terminal_has_words() -> None:
    rules = parser_tables.load_parser().rules
    names = {symbol.name for rule in rules for symbol in rule.expansion if symbol.is_term}
    assert not [name for name in names if name.startswith("__")]
    for name in sorted(names):
        if name not in ("_INDENT", "_DEDENT", "BROKEN"):
            assert name in parse_errors.NOUNS or name in parse_errors.WRITTEN


# ---- names --------------------------------------------------------------------------------------

FREE = """
    space value count score first token piece row seat action option title list state kind
    zone sum most link table play player setup item note board rule effect power let set add
    pay move sort roll choose may repeat needs say log show limit stop skip win after before
    copies joins grid hex growing key prompt exactly any the possible groups ranking players
    depth rulebook game die phase once named order shared pile spot cells turn round me
"""


@pytest.mark.parametrize("name", FREE.split())
def test_words_that_can_be_names(name: str) -> None:
    text = (
        f"kind Color = {name}, other\n"
        f"state {name}: 0..9\n"
        f"value {name} of p: Player = p.{name} + {name}\n"
        f"rule {name}({name}: 0..9)\n    let {name} = {name} + me.{name}\n    set {name} to {name}\n"
        f"piece Card\n    {name}: 0..9\n    row ace, 1\n"
    )
    assert parse_text(text)[1] == []


@pytest.mark.parametrize("word", sorted(set(RESERVED) - {"yes", "no", "nothing", "empty"}))
def test_reserved_words_cannot_be_names(word: str) -> None:
    assert f"1:7 reserved-name: `{word}` is a word of the language and cannot be a name" in [
        *parse_text(f"state {word}: 0..9\n")[1]
    ]


# ---- broken lines -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("chooose card in deck", "unexpected-word: no line begins with `chooose`"),
        ("set x = 3", "unexpected-word: `set` takes `to`, not `=`"),
        ("if x == 3", "unexpected-word: `=` only gives things their names; `is` compares"),
        ("log 3", "unexpected-word: `3` does not fit into this `log` line"),
        ("move all to deck", "unexpected-end: the place that these come from is missing"),
        ("move 1 from", "unexpected-end: this line ends too early: `move` is not complete"),
        ('log "x":', "unexpected-word: a line does not end with a colon"),
        ('log "x', "unclosed-text: this text is never closed"),
        ("set x to (1 + 2", "unclosed-bracket: this bracket is never closed"),
        ("set x to 1)", "unclosed-bracket: this bracket was never opened"),
        ("set x to 1; stop", "bad-character: `;` is not used in the language"),
        ("set X to 1 ! 2", "bad-character: `!` is not used in the language"),
        ("let in = 3", "reserved-name: `in` is a word of the language and cannot be a name"),
        ("score of p", "unexpected-word: `score` begins a declaration and cannot be inside another"),
        ("else", "unexpected-word: `else` belongs right after an `if` block, indented like it"),
        ("otherwise", "unexpected-word: `otherwise` belongs right after an `if possible` block, indented like it"),
        ('log "{1 + }"', "unexpected-end: this expression ends too early"),
        ('log "{"', "unclosed-bracket: this brace is never closed"),
    ],
)  # fmt: skip
def test_one_broken_line_is_one_problem(line: str, message: str) -> None:
    text = f'play\n    log "before"\n    {line}\n    log "after"\n\nrule other\n    log "{{1}}"\n'
    found = parse_text(text)[1]
    assert [problem.split(" ", 1)[1] for problem in found] == [message]
    assert found[0].startswith("3:")


def test_many_problems_each_once() -> None:
    text = (
        'game "Little"\n    playrs 2\n\n'
        "kind Color red, blue\n\n"
        "rule one(x)\n    chose y in 1..3\n    if y = 1\n        stopp\n    else\n        skip\n\n"
        "rule two\n    repeat 3\n        add 1 two x\n    win\n\n"
        "state coins: 0...9\n"
        "zone deck: pile Card\n\n"
        "score p\n    item points = 3\n"
    )
    lines = [int(problem.split(":")[0]) for problem in parse_text(text)[1]]
    assert lines == sorted(set(lines))
    assert lines == [2, 4, 6, 7, 8, 9, 14, 15, 16, 18, 19, 21, 22]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("play\nrule x\n    stop\n", "1:1 unexpected-end: `play` needs something below it"),
        ("play\n    if yes\n    stop\n", "2:5 unexpected-end: `if` needs something below it"),
        ("play\n    repeat\n", "2:5 unexpected-end: `repeat` needs something below it"),
        ("play", "1:1 unexpected-end: `play` needs something below it"),
        ("token x\n    stop\n", "2:5 bad-indent: this line is indented more, but the line above opens no block"),
        ("play\n        stop\n      stop\n", "3:1 bad-indent: this line is indented between two levels"),
        ("play\n\tstop\n\tstop\n", "2:1 tab-indent: a tab is used where spaces belong"),
    ],
)  # fmt: skip
def test_blocks_follow_their_indentation(text: str, message: str) -> None:
    assert parse_text(text)[1][0] == message


def test_near_words_and_synonyms_are_offered() -> None:
    problems = Problems()
    parse_game(Source("t.game", "play\n    repaet\n        stop\n"), problems)
    parse_game(Source("u.game", "state empty: 0..9\nstate to: 0..9\n"), problems)
    helps = [p.help for p in problems.in_order()]
    assert helps[0] == "did you mean `repeat`?"
    assert "`goal`" in helps[-1]


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("1 + 2 * 3 - 4", "((1 + (2 * 3)) - 4)"),
        ("not a is b and c or d", "(((not (a is b)) and c) or d)"),
        ("a - -b", "(a - (- b))"),
        ("x not in deck.cards(2)", "(x not in deck.cards[2])"),
        ("a is not nothing", "(a is not nothing)"),
        ("count.sum.first", "count.sum.first"),
    ],
)
def test_expressions_bind_by_precedence(text: str, tree: str) -> None:
    problems = Problems()
    found = parse_expression(Source("t", text), problems)
    assert (dump(found), len(problems)) == (tree, 0)
