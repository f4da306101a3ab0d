"""Leduc poker: six cards of three ranks, two rounds of betting, one common card between them.

An ante of one chip; raises of 2 chips in the first round and 4 in the second, at most two per round. Folding is
possible only if there is a bet to call. A pair with the open card wins,
then the higher rank; equal ranks share.
"""

from __future__ import annotations

Position = tuple[str, ...]  # the history: two cards, words, the open card, words

RANKS = {
    "jack_of_hearts": 0,
    "jack_of_spades": 0,
    "queen_of_hearts": 1,
    "queen_of_spades": 1,
    "king_of_hearts": 2,
    "king_of_spades": 2,
}


def start() -> Position:
    """Nothing is dealt."""
    return ()


def _rounds(history: Position) -> list[list[str]]:
    """The calls of each round that has begun."""
    rounds: list[list[str]] = []
    for n, word in enumerate(history):
        if n == 1 or (n > 1 and word in RANKS):
            rounds.append([])
        elif n > 1:
            rounds[-1].append(word)
    return rounds


def _is_closed(said: list[str]) -> bool:
    return said[-1:] == ["call"] or said == ["check", "check"]


def at_chance(history: Position) -> bool:
    """Whether a card is dealt next."""
    rounds = _rounds(history)
    return not rounds or (len(rounds) == 1 and _is_closed(rounds[0]))


def options(history: Position) -> list[str]:
    """The remaining cards, or the possible calls."""
    if at_chance(history):
        return [card for card in RANKS if card not in history]
    rounds = _rounds(history)
    said = rounds[-1]
    if _is_closed(said) or "fold" in said:
        return []
    words = ["call", "fold"] if "raise" in said else ["check"]
    return words if said.count("raise") == 2 else [*words, "raise"]


def after(history: Position, option: str) -> Position:
    """One step more."""
    return (*history, option)


def gain(history: Position) -> int:
    """The first player's gain at the end."""
    paid = [1, 1]
    for number, said in enumerate(_rounds(history)):
        for n, word in enumerate(said):
            player = n % 2
            if word in ("call", "raise"):
                paid[player] = max(paid)
            if word == "raise":
                paid[player] += (2, 4)[number]
            if word == "fold":
                return paid[1] if player == 1 else -paid[0]
    first, second = RANKS[history[0]], RANKS[history[1]]
    common = next(RANKS[word] for word in history[2:] if word in RANKS)
    mine, theirs = (first == common, first), (second == common, second)
    return 0 if mine == theirs else paid[1] if mine > theirs else -paid[0]
