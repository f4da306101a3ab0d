"""Find the declarations of a text even if some of its lines cannot be read, so that messages can use its names.

This module is independent of types, includes and the grammar. If a name is not found, messages use general
words.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from attrs import field

from rulewright.dsl.immutable import frozen

_ZONE: Final = re.compile(
    r"^( *)zone (\w+)(?:\(.*?\))?: (set of|pile of|row of \w+|spot of|tokens of) (\w+)(.*)"
)
_STATE: Final = re.compile(r"^ *state (\w+)\b")
_RULE: Final = re.compile(r"^(?:rule|action) (\w+)\b")
_TYPE: Final = re.compile(r"^(?:piece|space|kind) ([A-Z]\w*)")
_THROWN_AWAY: Final = re.compile(r"discard|graveyard|trash|box|gone|used|waste")


@frozen
class Sketch:
    """Names in a text: the places of tokens, the piles and hands of cards, and the types."""

    stocks: Mapping[str, str] = field(factory=dict)
    purses: Mapping[str, str] = field(factory=dict)
    states: frozenset[str] = frozenset()
    own: frozenset[str] = frozenset()
    flags: frozenset[str] = frozenset()
    rules: frozenset[str] = frozenset()
    zones: frozenset[str] = frozenset()
    pile: str = ""
    discards: str = ""
    hand: str = ""
    types: Mapping[str, str] = field(factory=dict)

    def token_type(self, word: str) -> str:
        """Return the type of tokens named by a word, in the singular or plural; "" if there is none."""
        return next((one for one in (word, word.removesuffix("s")) if one in self.purses), "")

    def type_name(self, word: str) -> str:
        """Return the type named by a word in small letters, in the singular or plural; "" if there
        is none.
        """
        word = word.lower().replace("_", "")
        many = (word, word.removesuffix("s"))
        return next((self.types[one] for one in many if one in self.types), "")

    def members(self, word: str) -> str:
        """Return the place from which things with a name are chosen; "" if the place is unknown."""
        found = self.type_name(word)
        of_hand, _, zone = self.hand.partition(" ")
        return f"me.{zone}" if found and found == of_hand else found


@lru_cache(maxsize=4)
def sketch(text: str) -> Sketch:
    """Return the names that a text declares, found line by line."""
    stocks: dict[str, str] = {}
    purses: dict[str, str] = {}
    states: set[str] = set()
    own: set[str] = set()
    flags: set[str] = set()
    rules: set[str] = set()
    zones: set[str] = set()
    types: dict[str, str] = {}
    piles: list[tuple[str, bool]] = []
    hand, head = "", ""
    for line in text.splitlines():
        if line[:1].strip():
            head = line.split(" ")[0].split("#")[0]
        named = _TYPE.match(line)
        if named is not None:
            types.setdefault(named[1].lower(), named[1])
        zone = _ZONE.match(line)
        if zone is None:
            if (state := _STATE.match(line)) is not None:
                states.add(state[1])
                if state[0].startswith(" ") and head == "player":
                    own.add(state[1])
                elif line.startswith(f"state {state[1]}: Flag"):
                    flags.add(state[1])
            if (rule := _RULE.match(line)) is not None:
                rules.add(rule[1])
            continue
        depth, name, form, of, rest = zone.groups()
        if form != "tokens of":
            zones.add(name)
        is_own = bool(depth) and head == "player"
        if form == "tokens of" and (is_own or not depth):
            (purses if is_own else stocks).setdefault(of, name)
        elif form == "set of" and is_own and not hand:
            hand = f"{of} {name}"
        elif form in ("pile of", "set of") and not depth:
            piles.append((name, "seen by" in rest))
    drawn = next((name for name, hidden in piles if hidden), piles[0][0] if piles else "")
    others = [name for name, hidden in piles if not hidden and name != drawn]
    away = next((name for name in others if _THROWN_AWAY.search(name)), others[0] if others else "")
    return Sketch(
        stocks,
        purses,
        frozenset(states),
        frozenset(own),
        frozenset(flags),
        frozenset(rules),
        frozenset(zones),
        drawn,
        away,
        hand,
        types,
    )


_GAIN: Final = re.compile(
    r"(?:earn|get|gain|receive|take|add) (\d+) (\w+)(?: to me)?(?: from the (?:bank|supply|stock))?"
)
_LOSE: Final = re.compile(r"(?:spend|pay|lose|return) (\d+) (\w+)")
_GIVE: Final = re.compile(r"(?:give|add|pay) (\d+) (\w+) to ([\w.]+)")
_TAKE: Final = re.compile(r"(?:take|steal|lose) (\d+) (\w+) from ([\w.]+)")
_DRAW: Final = re.compile(
    r"(?:draw|deal) (\d+|an?|one|the top)(?: \w+)?(?: (?:from|off|of) (?:the )?\w+)?"
)
_ONE_EACH: Final = re.compile(
    r"deal (\d+)(?: \w+)?(?: (?:from|off) (?:the )?\w+)? (?:to|for) (?:each|every|all).*"
)
_DISCARD: Final = re.compile(r"(?:discard|trash|bury) ([a-z_][\w.]*)")


def rewrite_tokens_and_cards(line: str, names: Sketch) -> str:
    """Return a replacement for a line about tokens and cards, using the names of the text. Return
    "" if no replacement is known.
    """
    for pattern, form in (
        (_GIVE, "move {n} from me.{purse} to {place}"),
        (_TAKE, "move {n} from {place} to me.{purse}"),
        (_GAIN, "move {n} from {stock} to me.{purse}"),
        (_LOSE, "move {n} from me.{purse} to {stock}"),
    ):
        found = pattern.fullmatch(line)
        if found is None:
            continue
        who = found[3] if pattern in (_GIVE, _TAKE) else ""
        token = names.token_type(found[2])
        stock = names.stocks.get(token, "")
        if not token or who == "me" or (not who and not stock):
            continue
        place = who if who in names.stocks.values() else f"{who}.{names.purses[token]}"
        return form.format(n=found[1], purse=names.purses[token], stock=stock, place=place)
    if not names.hand or not names.pile:
        return ""
    hand = names.hand.partition(" ")[2]
    found = _ONE_EACH.fullmatch(line)
    if found is not None:
        return f"each player`, and below it `move {found[1]} from {names.pile} to me.{hand}"
    found = _DRAW.fullmatch(line)
    if found is not None:
        number = found[1] if found[1].isdigit() else "1"
        return f"move {number} from {names.pile} to me.{hand}"
    found = _DISCARD.fullmatch(line)
    if found is not None and names.discards:
        return f"move {found[1]} to {names.discards}"
    return ""
