"""Derive the tables of the lexer from `grammar.lark`: the words that begin a line, and the places of other
keywords.

This module is used only when the tables are generated, never while a game is read.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Final, TypeAlias

from lark import Lark

Symbols: TypeAlias = list[tuple[str, bool]]  # names, and whether each is a terminal
BREAKS: Final = frozenset(("_NL", "_INDENT", "_DEDENT"))
_MADE: Final = frozenset(("BROKEN", "NAME"))
_HEADING = re.compile(r"^// ---- (?:words )?(.*?) -+$", re.MULTILINE)
_BLOCK = re.compile(
    r"(?<=_INDENT )(\([\w |]+\)|\w+)(?=\+ _DEDENT)|(?<=^game_file: )\w+", re.MULTILINE
)
_TERMINAL = re.compile(r"^([A-Z_]+): (.*(?:\n[ ]+.*)*)", re.MULTILINE)
LINE, EVERYWHERE, PLACE, SCENARIOS, CALLS, SIGNS = (
    "at the start of a line",
    "everywhere",
    "only where the grammar has them: elsewhere they are names",
    "only in scenarios",
    "before a bracket",
    "signs",
)


def terminal_spellings(grammar: str) -> dict[str, dict[str, tuple[str, ...]]]:
    """Return, for each heading of the grammar, its terminals with their spellings."""
    parts = _HEADING.split(grammar)
    return {
        heading: {
            name: tuple(re.findall(r'"([^"]+)"', text)) for name, text in _TERMINAL.findall(body)
        }
        for heading, body in zip(parts[1::2], parts[2::2], strict=True)
        if heading in (LINE, EVERYWHERE, PLACE, SCENARIOS, CALLS, SIGNS)
    }


def parser_grammar(grammar: str) -> str:
    """Return the grammar with terminals that are only names, because Lark generates only the parser.

    Rules that accept broken lines are added.
    """
    names = [name for part in terminal_spellings(grammar).values() for name in part]
    start = grammar.index(f"// ---- words {LINE}")
    rest = grammar[grammar.index("%declare") :]
    return with_broken_lines(f"{grammar[:start]}%declare BROKEN {' '.join(names)}\n{rest}")


def with_broken_lines(grammar: str) -> str:
    """Extend the grammar so that a broken line, with any block below it, is allowed wherever a
    block can contain a line.
    """
    lines: dict[str, None] = {}
    for block in dict.fromkeys(found[0] for found in _BLOCK.finditer(grammar)):
        rule = re.search(rf"^{block}:([ |\na-z_]+)$", grammar, re.MULTILINE)
        either = rule[0] if rule else f"_INDENT {block}"
        if block != "_declaration":
            lines |= dict.fromkeys(re.findall(r"\w+", rule[1] if rule else block))
        more = f"{either} | broken" if rule else f"_INDENT ({block.strip('()')} | broken)"
        grammar = grammar.replace(either, more)
    return (
        f"{grammar}\nbroken: BROKEN _NL broken_block?\nbroken_block: _INDENT _any_line+ _DEDENT"
        f"\n_any_line: {' | '.join(lines)} | broken\n"
    )


def words_of(grammar: str, parser: Lark) -> dict[str, object]:
    """Return the tables of the lexer."""
    parts = terminal_spellings(grammar)
    places = _Places(parser)
    openers = {name for name in parts[LINE] if places.after(name) & places.heads}
    local = {
        name: (words[0], places.lines[name] - {name}, places.before[name] - BREAKS - openers)
        for section in (LINE, PLACE)
        for name, words in parts[section].items()
        if section == PLACE or places.before[name] - BREAKS - openers
    }
    every = {word: name for name, (word,) in parts[EVERYWHERE].items()}
    place = {word: name for name, (word,) in parts[PLACE].items() if " " in word}
    spellings = {name: word for part in (LINE, EVERYWHERE) for name, (word,) in parts[part].items()}
    return {
        "heads": {
            _join_follower(name, word, places, spellings): name
            for name, word in spellings.items()
            if name in places.heads
        },
        "reserved": {word: name for word, name in every.items() if " " not in word},
        "groups": {word: name for word, name in every.items() if " " in word} | place,
        "queries": parts[CALLS]["QUERY"],
        "local": {
            word: [name, sorted(heads), sorted(before)]
            for name, (word, heads, before) in local.items()
        },
        "signs": {sign: name for name, (sign,) in parts[SIGNS].items()},
        "scenarios": {
            word: name
            for section in (LINE, EVERYWHERE, PLACE, SCENARIOS)
            for name, words in parts[section].items()
            if name in places.of_scenarios
            for word in words
        },
    }


def _join_follower(name: str, word: str, places: _Places, spellings: dict[str, str]) -> str:
    """Return a word, together with the next word if only one word can follow."""
    following = places.after(name)
    if len(following) == 1 and following <= places.heads:
        return f"{word} {spellings[min(following)]}"
    return word


class _Places:
    """The places of each terminal in the rules of a grammar: the words that can precede it, and the
    lines that contain it.
    """

    def __init__(self, parser: Lark) -> None:
        every: dict[str, list[Symbols]] = {}
        for rule in parser.rules:
            symbols = [(symbol.name, symbol.is_term) for symbol in rule.expansion]
            every.setdefault(rule.origin.name, []).append(symbols)
        # the words of scenarios become terminals only during parsing
        starts = [one for one in parser.options.start if not one.startswith("scenario_")]
        reached = _reachable_rules(every, starts)
        self.rules = {name: every[name] for name in every if name in reached}
        apart = (every[name] for name in every if name not in reached)
        self.of_scenarios = {name for rule in apart for s in rule for name, is_term in s if is_term}
        self.empty = self._closure(any, lambda symbols, known: _inside(symbols) <= known)
        self.breaking = self._closure(all, _breaks)
        self.first = self._collect_terminals(self._edge)
        self.last = self._collect_terminals(lambda symbols: self._edge(symbols[::-1]))
        self.in_line = self._collect_terminals(self._line)
        self.before: dict[str, set[str]] = {}
        for symbols in self._all():
            for n, symbol in enumerate(symbols):
                ends = self.terminals([symbol], self.last)
                for start in self.terminals(self._edge(symbols[n + 1 :]), self.first):
                    self.before.setdefault(start, set()).update(ends)
        self.heads = {name for name, before in self.before.items() if before & BREAKS}
        self.heads = (self.heads | self.first["game_file"]) - BREAKS - _MADE
        self.lines: dict[str, set[str]] = {}
        for name in self.breaking:
            for symbols in self.rules[name]:
                begins = self.terminals(symbols[:1], self.in_line)
                if begins <= self.heads | {"NAME"}:
                    for word in self.terminals(self._line(symbols), self.in_line):
                        self.lines.setdefault(word, set()).update(begins)

    def after(self, name: str) -> set[str]:
        """Return the terminals that may directly follow this terminal."""
        return {other for other, before in self.before.items() if name in before} - _MADE

    @staticmethod
    def terminals(symbols: Symbols, known: dict[str, set[str]]) -> set[str]:
        """Return the symbols that are terminals and, for each other symbol, its terminals in `known`."""
        found: set[str] = set()
        for name, terminal in symbols:
            found |= {name} if terminal else known[name]
        return found

    def _all(self) -> Iterator[Symbols]:
        for productions in self.rules.values():
            yield from productions

    def _closure(
        self,
        which: Callable[[Iterable[bool]], bool],
        holds: Callable[[Symbols, set[str]], bool],
    ) -> set[str]:
        known: set[str] = set()
        while new := {
            name
            for name, productions in self.rules.items()
            if name not in known and which(holds(symbols, known) for symbols in productions)
        }:
            known |= new
        return known

    def _collect_terminals(self, part: Callable[[Symbols], Symbols]) -> dict[str, set[str]]:
        """Return, for each rule, the terminals in the given part of its productions."""
        found: dict[str, set[str]] = {name: set() for name in self.rules}
        grows = True
        while grows:
            grows = False
            for name, productions in self.rules.items():
                for symbols in productions:
                    new = self.terminals(part(symbols), found)
                    grows |= not new <= found[name]
                    found[name] |= new
        return found

    def _edge(self, symbols: Symbols) -> Symbols:
        for n, (name, terminal) in enumerate(symbols):
            if terminal or name not in self.empty:
                return symbols[: n + 1]
        return symbols

    def _line(self, symbols: Symbols) -> Symbols:
        for n, symbol in enumerate(symbols):
            if _breaks([symbol], self.breaking):
                return symbols[: n + 1]
        return symbols


def _reachable_rules(rules: dict[str, list[Symbols]], starts: list[str]) -> set[str]:
    """Return the names of all rules that can be reached from the start rules, including the start rules."""
    found: set[str] = set()
    while starts:
        name = starts.pop()
        if name not in found:
            found.add(name)
            starts += [other for s in rules[name] for other, is_term in s if not is_term]
    return found


def _inside(symbols: Symbols) -> set[str]:
    return {name for name, _ in symbols}


def _breaks(symbols: Symbols, known: set[str]) -> bool:
    return any(name == "_NL" or name in known for name, _ in symbols)
