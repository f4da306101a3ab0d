"""Generate, store and load the tables of the parser and lexer. They are generated from
`grammar.lark` and shipped, and load in milliseconds.

Run `python -m rulewright.dsl.parsing.parser_tables` after a change to the grammar; a test fails if
you forget.
"""

from __future__ import annotations

import hashlib
import json
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from lark import Lark
from lark.grammar import Rule
from lark.lexer import Lexer, TerminalDef

from rulewright.dsl.parsing.derived_words import parser_grammar, words_of

GRAMMAR: Final = "grammar.lark"
TABLES: Final = "grammar.tables.json"
WORDS: Final = Path(__file__).parents[1] / "text" / "words.json"
STARTS: Final = ("game_file", "expression", "scenario_head", "scenario_line", "scenario_step")


class _NoLexer(Lexer):
    """The lexer of a parser that receives tokens one by one."""

    def __init__(self, conf: object) -> None:
        pass

    def lex(self, lexer_state: Any, parser_state: Any) -> Any:
        """Raise an error: the text is split into words first, and the parser receives the words one by one."""
        raise NotImplementedError("the parser gets words, not text")


def build_parser(*, strict: bool = False) -> Lark:
    """Generate the parser from the grammar. If `strict` is true, a conflict in the grammar is an error."""
    return Lark(
        parser_grammar(_grammar().decode()),
        parser="lalr",
        lexer=_NoLexer
        if strict
        else "basic",  # in strict mode lark's own lexers need another package
        start=list(STARTS),
        keep_all_tokens=True,
        maybe_placeholders=True,
        strict=strict,
    )


def tables_text() -> str:
    """Return the parse tables as text."""
    data, memo = build_parser().memo_serialize([TerminalDef, Rule])
    table = data["parser"]["parser"]
    symbols = {int(number): name for number, name in table["tokens"].items()}
    rows = []
    for state in range(len(table["states"])):
        actions: dict[tuple[int, int], list[int]] = {}
        for symbol, (kind, argument) in table["states"][state].items():
            target = argument["@"] if kind else argument
            actions.setdefault((kind, target), []).append(symbol)
        rows.append([[kind, target, *sorted(s)] for (kind, target), s in sorted(actions.items())])
    table["states"] = rows
    table["tokens"] = [symbols[n] for n in range(len(symbols))]
    content = {"grammar": hashlib.sha256(_grammar()).hexdigest(), "data": data, "memo": memo}
    return json.dumps(content, separators=(",", ":"), sort_keys=True) + "\n"


def words_text() -> str:
    """Return the tables of the lexer as text."""
    found = words_of(_grammar().decode(), build_parser())
    return json.dumps(found, indent=1) + "\n"


def load_parser() -> Lark:
    """Load the parser from its tables."""
    text = files("rulewright.dsl.parsing").joinpath(TABLES).read_text(encoding="utf-8")
    content: dict[str, Any] = json.loads(text)
    memo = {int(k): v for k, v in content["memo"].items()}
    data = content["data"]
    table = data["parser"]["parser"]
    table["tokens"] = dict(enumerate(table["tokens"]))
    table["states"] = {
        state: {
            symbol: (kind, {"@": target} if kind else target)
            for kind, target, *symbols in row
            for symbol in symbols
        }
        for state, row in enumerate(table["states"])
    }
    parser: Lark = Lark.__new__(Lark)
    return parser._load({"data": data, "memo": memo})


def is_stale() -> bool:
    """Return whether the grammar has changed since the tables were made."""
    text = files("rulewright.dsl.parsing").joinpath(TABLES).read_text(encoding="utf-8")
    return bool(json.loads(text)["grammar"] != hashlib.sha256(_grammar()).hexdigest())


def write_tables() -> None:
    """Write the tables of the parser and of the lexer."""
    Path(__file__).with_name(TABLES).write_text(tables_text(), encoding="utf-8")
    WORDS.write_text(words_text(), encoding="utf-8")


def _grammar() -> bytes:
    return files("rulewright.dsl.parsing").joinpath(GRAMMAR).read_bytes()


if __name__ == "__main__":
    write_tables()
