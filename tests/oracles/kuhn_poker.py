"""Kuhn poker: three cards, one chip each, one bet of one chip."""

from __future__ import annotations

Position = tuple[str, ...]  # the history: two cards, then check, bet, call or fold

CARDS = ("jack", "queen", "king")


def start() -> Position:
    """Nothing is dealt."""
    return ()


def at_chance(history: Position) -> bool:
    """Whether a card is dealt next."""
    return len(history) < 2


def options(history: Position) -> list[str]:
    """The remaining cards, or the possible calls."""
    match history[2:]:
        case _ if len(history) < 2:
            return [card for card in CARDS if card not in history]
        case () | ("check",):
            return ["check", "bet"]
        case ("bet",) | ("check", "bet"):
            return ["call", "fold"]
        case _:
            return []


def after(history: Position, option: str) -> Position:
    """One step more."""
    return (*history, option)


def gain(history: Position) -> int:
    """The first player's gain at the end."""
    first, second, *said = history
    higher = 1 if CARDS.index(first) > CARDS.index(second) else -1
    match said:
        case ["check", "check"]:
            return higher
        case ["bet", "fold"]:
            return 1
        case ["check", "bet", "fold"]:
            return -1
        case _:
            return 2 * higher


def information_sets() -> tuple[int, int]:
    """The number of information sets of both players."""
    found: tuple[set[Position], set[Position]] = (set(), set())
    waiting = [start()]
    while waiting:
        history = waiting.pop()
        offered = options(history)
        waiting.extend(after(history, option) for option in offered)
        if offered and len(history) >= 2:
            player = len(history) % 2
            found[player].add((history[player], *history[2:]))
    return len(found[0]), len(found[1])
