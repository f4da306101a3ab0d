"""A small interpreter of TextMate grammars: patterns line by line, with begin and end."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

Rule = Mapping[str, Any]


class Grammar:
    """A grammar and the grammars that it includes."""

    def __init__(self, grammar: Rule, others: Mapping[str, Rule] | None = None) -> None:
        self.grammar = grammar
        self.others = others or {}

    def scopes(self, text: str) -> list[str]:
        """For each character of a text, the innermost scope."""
        found: list[str] = []
        stack: list[tuple[Rule, Rule]] = []  # open regions, each with its grammar
        for line in text.split("\n"):
            found += [*self._line(line, stack), ""]
        return found[:-1]

    def _line(self, line: str, stack: list[tuple[Rule, Rule]]) -> list[str]:
        marks = [stack[-1][0].get("name", "") if stack else ""] * len(line)
        at = 0
        while at <= len(line):
            rule, match, home, is_end = self._first(line, at, stack)
            if match is None:
                break
            name = stack[-1][0].get("name", "") if is_end else (rule or {}).get("name", "")
            for character in range(match.start(), match.end()):
                marks[character] = name or marks[character]
            for number, capture in ((rule or {}).get("captures") or {}).items():
                start, end = match.span(int(number))
                for character in range(start, end):
                    marks[character] = capture["name"]
            if is_end:
                stack.pop()
                outer = stack[-1][0].get("name", "") if stack else ""
            elif rule is not None and "begin" in rule:
                stack.append((rule, home))
                outer = rule.get("name", "")
            else:
                outer = stack[-1][0].get("name", "") if stack else ""
            for character in range(match.end(), len(line)):
                marks[character] = outer
            at = match.end() if match.end() > at or is_end or (rule and "begin" in rule) else at + 1
            if match.start() == match.end() == len(line) and not is_end:
                break
        return marks

    def _first(
        self, line: str, at: int, stack: Sequence[tuple[Rule, Rule]]
    ) -> tuple[Rule | None, re.Match[str] | None, Rule, bool]:
        """The pattern with the earliest match; if several match there, the first of them."""
        top, home = stack[-1] if stack else (self.grammar, self.grammar)
        best: tuple[Rule | None, re.Match[str] | None, Rule, bool] = (None, None, home, False)
        if stack:
            match = _compile(top["end"]).search(line, at)
            if match is not None:
                best = None, match, home, True
        for rule, its in self._flat(top.get("patterns", ()), home):
            match = _compile(rule.get("match") or rule["begin"]).search(line, at)
            if match is not None and (best[1] is None or match.start() < best[1].start()):
                best = rule, match, its, False
        return best

    def _flat(self, patterns: Sequence[Rule], home: Rule) -> Iterator[tuple[Rule, Rule]]:
        for rule in patterns:
            target = rule.get("include")
            if target is None:
                yield rule, home
                continue
            file, _, name = target.partition("#")
            grammar = self.others[file] if file else home
            inner = grammar["repository"][name] if name else grammar
            if "match" in inner or "begin" in inner:
                yield inner, grammar
            else:
                yield from self._flat(inner["patterns"], grammar)


@cache
def _compile(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)
