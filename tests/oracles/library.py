"""Rules of library games in plain Python, for their first choices and small matches.

Each function plays a match and requests each choice by its number of options. The functions are written from the
rulebooks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import permutations, product

from tests.oracles.counting_sequences import Ask


def _subset(ask: Ask, members: int, size: int) -> tuple[int, ...]:
    """Some of this many members, one by one, in increasing order."""
    chosen: list[int] = []
    for left in range(size, 0, -1):
        first = chosen[-1] + 1 if chosen else 0
        chosen.append(first + ask(members - first - left + 1))
    return tuple(chosen)


def beetle_race(ask: Ask) -> None:
    """Two players write programmes of three cards; two of their seven cards are equal."""
    for _ in range(2):
        hand = [0, 0, 1, 2, 3, 4, 5]
        for _ in range(3):
            sorts = sorted(set(hand))
            hand.remove(sorts[ask(len(sorts))])


def dyers(ask: Ask) -> None:
    """The first three turns of two players, when nobody has the four dyes of the cheapest cloth."""
    bank = [4] * 5
    for _ in range(3):
        large = [dye for dye in range(5) if bank[dye] >= 4]
        chosen = ask(1 + len(large) + 12)
        if chosen == 0:
            there = [dye for dye in range(5) if bank[dye]]
            for at in _subset(ask, len(there), min(3, len(there))):
                bank[there[at]] -= 1
        elif chosen <= len(large):
            bank[large[chosen - 1]] -= 2


def four_terraces(ask: Ask) -> None:
    """Two players write one of three dice into one of four empty terraces, or let a bed run wild."""
    dice = {ask(6) for _ in range(3)}
    for _ in range(2):
        ask(4 * len(dice) + 1)


def harbor_watch(ask: Ask) -> None:
    """Five players vote on a crew of two."""
    _subset(ask, 5, 2)
    for _ in range(5):
        ask(2)


def liars_dice(ask: Ask, faces: int, ones_are_wild: bool) -> int:
    """A round with one die per player; returns the seat of the winner."""
    player = ask(2)
    dice = (ask(faces), ask(faces))
    bid, bidder = -1, None
    while True:
        higher = 2 * faces - 1 - bid
        chosen = ask(higher + (bidder is not None))
        if chosen == higher:
            assert bidder is not None
            number, face = bid // faces + 1, bid % faces
            found = sum(die == face or (ones_are_wild and die == 0) for die in dice)
            return bidder if found >= number else player
        bid, bidder, player = bid + 1 + chosen, player, 1 - player


def quay_street(ask: Ask) -> None:
    """Auctions of three players with fifteen coins."""
    coins, starter = [15] * 3, 0
    for _ in range(8):
        high, bids, inside = 0, [0] * 3, [0, 1, 2]
        player = starter
        while len(inside) > 1:
            if player in inside:
                chosen = ask(max(0, coins[player] - high) + 1)
                if chosen:
                    high = bids[player] = high + chosen
                else:
                    coins[player] -= (bids[player] + 1) // 2
                    inside.remove(player)
            player = (player + 1) % 3
        (starter,) = inside
        coins[starter] -= bids[starter]


def seven_fields(ask: Ask) -> None:
    """Two players place two houses with a path each, on the corners of seven hexagons."""
    corners, edges = _seven_hexagons()
    houses: set[tuple[int, int]] = set()
    paths: set[frozenset[tuple[int, int]]] = set()
    for _ in range(4):
        far = [
            corner
            for corner in corners
            if corner not in houses and not any(corner in edge and edge & houses for edge in edges)
        ]
        house = far[ask(len(far))]
        houses.add(house)
        free = [edge for edge in edges if house in edge and edge not in paths]
        paths.add(free[ask(len(free))])


def _seven_hexagons() -> tuple[list[tuple[int, int]], list[frozenset[tuple[int, int]]]]:
    """The corners and edges of a hexagon and the six around it."""
    centres = [(0, 0), (2, 0), (-2, 0), (1, 3), (-1, 3), (1, -3), (-1, -3)]
    round_it = [(0, 2), (1, 1), (1, -1), (0, -2), (-1, -1), (-1, 1)]
    corners: set[tuple[int, int]] = set()
    edges: set[frozenset[tuple[int, int]]] = set()
    for x, y in centres:
        own = [(x + dx, y + dy) for dx, dy in round_it]
        corners |= set(own)
        edges |= {frozenset((own[n], own[n - 1])) for n in range(6)}
    return sorted(corners), sorted(edges, key=sorted)


def seven_passes(ask: Ask) -> None:
    """Six cards to lay at seven passes; the third card of a player can fill a side."""
    laid = [Counter[int](), Counter[int]()]
    for turn in range(10):
        mine = laid[turn % 2]
        free = [place for place in range(7) if mine[place] < 3]
        mine[free[ask(6 * len(free)) // 6]] += 1


def skat(ask: Ask) -> None:
    """The first bid, and the answer to it or the bid of the next player."""
    if ask(1 + len(skat_bids())) == 0:
        ask(1 + len(skat_bids()))
    else:
        ask(2)


def skat_bids() -> list[int]:
    """All possible values of a game of skat.

    A suit game counts with or without 1 to 11 matadors, a grand with or without 1 to 4; up to six more levels."""
    suits = {
        base * (matadors + 1 + levels)
        for base, matadors, levels in product((9, 10, 11, 12), range(1, 12), range(7))
    }
    grands = {24 * (matadors + 1 + levels) for matadors in range(1, 5) for levels in range(7)}
    return sorted(suits | grands | {23, 35, 46, 59})


def spades(ask: Ask) -> None:
    """Four players bid 1 to 13 tricks, or nil."""
    for _ in range(4):
        ask(14)


def goofspiel(cards: int, ties_stay: bool) -> Counter[tuple[int, ...]]:
    """The winners of all matches of two players, for each order of the prizes and of the bids of both."""
    found: Counter[tuple[int, ...]] = Counter()
    orders = list(permutations(range(1, cards + 1)))
    for prizes, first, second in product(orders, repeat=3):
        points, waiting = [0, 0], 0
        for prize, one, other in zip(prizes, first, second, strict=True):
            waiting += prize
            if one != other:
                points[one < other] += waiting
            if one != other or not ties_stay:
                waiting = 0
        found[tuple(seat for seat in (0, 1) if points[seat] == max(points))] += 1
    return found


def dike_watch(ask: Ask, water: Sequence[int], rain: Sequence[int]) -> None:
    """Two players in a ring of eight villages, all with dikes of two, while the rain falls as given."""
    levels, coming, places, bags = list(water), iter(rain), [0, 0], [0, 0]
    dikes = [2] * len(levels)
    player = 0
    while True:
        bags[player] += 1
        for _ in range(4):
            here, mate = places[player], 1 - player
            options = ["rest", "left", "right"]
            options += ["pump"] * (levels[here] > 0)
            options += ["raise"] * (bags[player] >= 2 and dikes[here] < 5)
            options += ["give"] * (bags[player] > 0 and places[mate] == here)
            step = options[ask(len(options))]
            if step == "rest":
                break
            if step in {"left", "right"}:
                places[player] = (here + (1 if step == "right" else -1)) % len(levels)
            elif step == "pump":
                levels[here] -= 1
            elif step == "raise":
                bags[player] -= 2
                dikes[here] += 1
            else:
                bags[player] -= 1
                bags[mate] += 1
        for _ in range(2):
            _rise(levels, dikes, next(coming))
        player = 1 - player


def _rise(levels: list[int], dikes: Sequence[int], village: int) -> None:
    flooded: set[int] = set()
    rising = [village]
    while rising:
        here = rising.pop()
        if levels[here] < dikes[here]:
            levels[here] += 1
        elif here not in flooded:
            flooded.add(here)
            rising += [(here - 1) % len(levels), (here + 1) % len(levels)]


def narrow_gauge(
    built: Sequence[tuple[str, str]], orders: Sequence[tuple[str, str]]
) -> tuple[int, int]:
    """The points of a player's lines, each between two towns, and of the orders."""
    lines = {
        frozenset(towns.split()): length
        for length, pairs in _LENGTHS.items()
        for towns in pairs.split(", ")
    }
    reached = {town: {town} for pair in lines for town in pair}
    for one, other in built:
        joined = reached[one] | reached[other]
        for town in joined:
            reached[town] = joined
    return (
        sum((0, 1, 2, 4, 7)[lines[frozenset(pair)]] for pair in built),
        sum(
            _ORDERS[f"{start} {goal}"] * (1 if goal in reached[start] else -1)
            for start, goal in orders
        ),
    )


_LENGTHS = {
    1: "birkham dunholm, fellgate hollins, eastry grimsby",
    2: "aldbeck birkham, birkham crossing, crossing eastry, dunholm eastry, grimsby hollins, "
    "hollins jarrow, inverdale jarrow",
    3: "aldbeck crossing, crossing fellgate, eastry hollins, grimsby jarrow, hollins inverdale",
    4: "dunholm grimsby, fellgate inverdale, aldbeck fellgate",
}
_ORDERS = {
    "aldbeck jarrow": 13,
    "aldbeck grimsby": 8,
    "aldbeck hollins": 8,
    "birkham inverdale": 11,
    "birkham hollins": 7,
    "crossing jarrow": 8,
    "crossing grimsby": 5,
    "dunholm fellgate": 6,
    "dunholm jarrow": 6,
    "eastry inverdale": 7,
    "fellgate grimsby": 4,
    "birkham jarrow": 9,
    "aldbeck eastry": 6,
    "crossing inverdale": 7,
}


Board = tuple[tuple[int, ...], tuple[int, ...]]
"""The men of the player on the points 0 (off) to 25 (bar), and those of the other player, with the same numbers."""


def backgammon_start() -> Board:
    """Two men on the 24, five on the 13, three on the 8, five on the 6, for each player."""
    mine = [0] * 26
    mine[24], mine[13], mine[8], mine[6] = 2, 5, 3, 5
    return tuple(mine), tuple(reversed(mine))


def backgammon_plays(board: Board, one: int, other: int) -> set[Board]:
    """The boards after all ways to play two numbers: both if possible, otherwise one, if possible the larger."""
    orders = [[one] * 4] if one == other else [[one, other], [other, one]]
    ways = [way for order in orders for way in _runs(board, order)]
    most = max(len(used) for used, _ in ways)
    longest = [(used, after) for used, after in ways if len(used) == most]
    if most == 1 and one != other:
        largest = max(used for used, _ in longest)
        longest = [(used, after) for used, after in longest if used == largest]
    return {after for _, after in longest}


def _runs(board: Board, numbers: list[int]) -> Iterator[tuple[tuple[int, ...], Board]]:
    yield (), board
    if numbers:
        for after in backgammon_moves(board, numbers[0]):
            for used, last in _runs(after, numbers[1:]):
                yield (numbers[0], *used), last


def backgammon_moves(board: Board, number: int) -> Iterator[Board]:
    mine, theirs = board
    farthest = max((point for point in range(1, 26) if mine[point]), default=0)
    for start in [25] if mine[25] else range(1, 25):
        goal = start - number
        if not mine[start] or (goal > 0 and theirs[goal] > 1):
            continue
        if goal <= 0 and (farthest > 6 or (goal < 0 and start != farthest)):
            continue
        own, other = list(mine), list(theirs)
        own[start] -= 1
        own[max(goal, 0)] += 1
        if goal > 0 and other[goal]:
            other[goal] = 0
            other[0] += 1
        yield tuple(own), tuple(other)
