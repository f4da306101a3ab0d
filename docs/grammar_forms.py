"""The rules of `grammar.lark` as the specification shows them: words in quotes, small helper rules written out.

`[x]` is optional, `{x}` may be repeated; names such as `expr` are rules of their own.
"""

from __future__ import annotations

import re
from importlib.resources import files

from rulewright.dsl.parsing.derived_words import CALLS, terminal_spellings

_RULE = re.compile(r"^\??([a-z_]+): (.*(?:\n    .*)*)", re.MULTILINE)
_TOKEN = re.compile(r"->\s*\w+|[A-Za-z_]+|[()\[\]|?*+]")
_MADE = {"NAME": "name", "TYPE": "Type", "NUMBER": "number", "TEXT": "text", "TAG": "", "_NL": ""}
_SHOWN = {"postfix": "thing"}
WIDTH = 100


def grammar(names: list[str]) -> str:
    """Some rules, each with its alternatives, as a block."""
    reader = _Forms()
    lines = [line for name in names for line in reader.rule(name)]
    return "```text\n" + "\n".join(lines) + "\n```\n"


class _Forms:
    """The rules of the grammar as texts."""

    def __init__(self) -> None:
        text = files("rulewright.dsl.parsing").joinpath("grammar.lark").read_text(encoding="utf-8")
        body = text[: text.index("// ---- words at the start")]
        self.rules = {name: self._without_comments(rule) for name, rule in _RULE.findall(body)}
        parts = terminal_spellings(text)
        self.words = {
            name: f'"{words[0]}"' for part in parts.values() for name, words in part.items()
        }
        self.words["QUERY"] = "(" + " | ".join(f'"{w}"' for w in parts[CALLS]["QUERY"]) + ")"

    @staticmethod
    def _without_comments(rule: str) -> str:
        return re.sub(r"//.*", "", rule)

    def rule(self, name: str) -> list[str]:
        """The lines of a rule: one for each alternative."""
        ways = [way for way in self._ways(_TOKEN.findall(self.rules[name])) if way]
        head = _SHOWN.get(name, name)
        lines: list[str] = []
        for n, way in enumerate(ways):
            lead = f"{head} = " if n == 0 else f"{'|':>{len(head) + 2}} "
            lines += _wrap(lead, way)
        return lines

    def _ways(self, tokens: list[str]) -> list[str]:
        """The alternatives of a rule or group."""
        self.tokens = [token for token in tokens if not token.startswith("->")]
        return self._alternatives()

    def _alternatives(self) -> list[str]:
        ways = [self._sequence()]
        while self.tokens and self.tokens[0] == "|":
            self.tokens.pop(0)
            ways.append(self._sequence())
        return ways

    def _sequence(self) -> str:
        parts: list[str] = []
        while self.tokens and self.tokens[0] not in "|)]":
            part, many = self._item()
            if part:
                parts.append(f"{{{part}}}" if many else part)
        return " ".join(parts)

    def _item(self) -> tuple[str, bool]:
        token = self.tokens.pop(0)
        if token in "([":
            ways = self._alternatives()
            self.tokens.pop(0)
            inside = " | ".join(way for way in ways if way)
            if token == "[" or ("" in ways and inside and self._mark() == "-"):
                return (f"[{inside}]" if inside else ""), False
            return self._with_suffix(inside, grouped=" " in inside)
        if token == "_INDENT":
            return "below:", False
        if token == "_DEDENT":
            return "", False
        return self._with_suffix(self._token_form(token), grouped=False)

    def _mark(self) -> str:
        return self.tokens[0] if self.tokens and self.tokens[0] in "?*+" else "-"

    def _with_suffix(self, text: str, *, grouped: bool) -> tuple[str, bool]:
        mark = self._mark()
        if mark != "-":
            self.tokens.pop(0)
        if mark == "?":
            return (f"[{_bare(text)}]" if text else ""), False
        if mark in ("*", "+"):
            return _bare(text), True
        return (f"({text})" if grouped and " | " in text else text), False

    def _token_form(self, token: str) -> str:
        if token in _MADE:
            return _MADE[token]
        if token.isupper():
            return self.words.get(token, "")
        if not token.startswith("_"):
            return _SHOWN.get(token, token)
        kept, self.tokens = self.tokens, []
        ways = [way for way in self._ways(_TOKEN.findall(self.rules[token])) if way]
        self.tokens = kept
        return ways[0] if len(ways) == 1 else f"({' | '.join(ways)})" if ways else ""


def _bare(text: str) -> str:
    """A text without brackets that enclose all of it."""
    if text.startswith("(") and text.endswith(")"):
        depth = 0
        for n, letter in enumerate(text):
            depth += {"(": 1, ")": -1}.get(letter, 0)
            if depth == 0 and n < len(text) - 1:
                return text
        return text[1:-1]
    return text


def _wrap(lead: str, text: str) -> list[str]:
    lines, line = [], lead
    for word in text.split(" "):
        if len(line) + len(word) > WIDTH and line.strip():
            lines.append(line.rstrip())
            line = " " * len(lead)
        line += word + " "
    return [*lines, line.rstrip()]
