"""Kalah with six houses of four seeds: sow, capture, move again.

A capture takes nothing if the opposite house is empty; another move is a separate ply. If the houses of one player
are empty after a move, the other player takes the remaining seeds.
"""

from __future__ import annotations

Position = tuple[tuple[int, ...], int]  # houses 0-5, store 6, houses 7-12, store 13; who is to play

HOUSES, SEEDS = 6, 4
STORES = (6, 13)
SIDES = ("south", "north")


def start() -> Position:
    """Four seeds in each house."""
    side = (SEEDS,) * HOUSES + (0,)
    return side * 2, 0


def _own(player: int) -> range:
    return range(6) if player == 0 else range(7, 13)


def options(position: Position) -> list[str]:
    """Every own house with seeds; the first is farthest from the own store."""
    pits, player = position
    side = SIDES[player]
    return [f"sow({side}_{k + 1})" for k, n in enumerate(_own(player)) if pits[n]]


def after(position: Position, option: str) -> Position:
    """Seeds are sown one by one, and skip the store of the other player."""
    before, player = position
    pits = list(before)
    at = _own(player)[int(option[-2]) - 1]
    seeds, pits[at] = pits[at], 0
    while seeds:
        at = (at + 1) % 14
        if at == STORES[1 - player]:
            continue
        pits[at] += 1
        seeds -= 1
    if at in _own(player) and pits[at] == 1 and pits[12 - at]:
        pits[STORES[player]] += 1 + pits[12 - at]
        pits[at] = pits[12 - at] = 0
    for side in (0, 1):
        if not any(pits[n] for n in _own(side)):
            for n in _own(1 - side):
                pits[STORES[1 - side]] += pits[n]
                pits[n] = 0
            break
    return tuple(pits), player if at == STORES[player] else 1 - player


def winner(position: Position) -> int | None:
    """The player with more seeds in the store; called only at the end."""
    first, second = (position[0][n] for n in STORES)
    return None if first == second else int(first < second)
