"""Whole matches of games of the library in plain Python, written from their rulebooks.

Each function yields the player who decides and the names of the options, and receives the chosen name. Its result
is each
player's score. Chance is an argument: the order of the pieces, and the first player.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Sequence
from typing import TypeAlias

Scores: TypeAlias = list[dict[str, int]]
Match: TypeAlias = Generator[tuple[int, list[str]], str, Scores]


def hot_chestnuts(players: int, bags: Sequence[int], starter: int) -> Match:
    """Put a penny on the bag, or take it with its pennies."""
    pennies = [{6: 8, 7: 6}.get(players, 10)] * players
    taken: list[list[int]] = [[] for _ in range(players)]
    for bag in bags:
        player, pot = starter, 0
        while True:
            options = ["take_it", "pass_on"] if pennies[player] else ["take_it"]
            if (yield player, options) == "take_it":
                break
            pennies[player] -= 1
            pot += 1
            player = (player + 1) % players
        pennies[player] += pot
        taken[player].append(bag)
        starter = player
    return [
        {"bags": -sum(bag for bag in own if bag - 1 not in own), "pennies": left}
        for own, left in zip(taken, pennies, strict=True)
    ]


_PRICES = {"clay_1": 3, "clay_2": 7, "clay_4": 15, "glaze_1": 6, "salt_1": 5, "gold_1": 9}


def kiln(players: int, shuffled: Callable[[int], Sequence[str]]) -> Match:
    """Draw bits and buy better ones; `shuffled` gives the order of a player's bag, the first bit first."""
    bags = [Counter(ash_1=4, ash_2=2, ash_3=1, clay_1=2, glaze_1=1) for _ in range(players)]
    shops = [
        Counter(clay_1=2, clay_2=3, clay_4=3, glaze_1=2, salt_1=3, gold_1=3) for _ in range(players)
    ]
    points = [0] * players
    for _ in range(7):
        kilns: list[list[str]] = []
        for player in range(players):
            order = shuffled(player)
            assert Counter(order) == bags[player]
            number = 1
            while number < len(order) and not _is_cracked(order[:number]):
                if (yield player, ["draw", "stop"]) == "stop":
                    break
                number += 1
            kilns.append([*order[:number]])
        for player, bits in enumerate(kilns):
            heat, last = _heat(bits), ""
            if _is_cracked(bits):
                kept = yield player, [f"keep_{heat}_points", f"keep_{heat}_coins"]
                if kept == f"keep_{heat}_points":
                    points[player] += heat
                    continue
            else:
                points[player] += heat + 2 * bits.count("gold_1")
            for _ in range(2):
                offered = [
                    bit
                    for bit, count in shops[player].items()
                    if count and _PRICES[bit] <= heat and bit[:-1] != last
                ]
                chosen = yield player, [*(f"buy({bit})" for bit in offered), "buy_nothing"]
                if chosen == "buy_nothing":
                    break
                bit = chosen[4:-1]
                heat, last = heat - _PRICES[bit], bit[:-1]
                shops[player][bit] -= 1
                bags[player][bit] += 1
    return [{"points": own} for own in points]


def _worth(bits: Sequence[str], sort: str = "") -> int:
    return sum(int(bit[-1]) for bit in bits if bit.startswith(sort))


def _is_cracked(bits: Sequence[str]) -> bool:
    return _worth(bits, "ash") > 7 + bits.count("salt_1")


def _heat(bits: Sequence[str]) -> int:
    clay = sum(bit.startswith("clay") for bit in bits)
    return _worth(bits) + clay * bits.count("glaze_1")


_ROOM = {
    "field": 2,
    "mill": 2,
    "forest": 3,
    "quarry": 2,
    "market": 1,
    "cradle": 1,
    "town_hall": 1,
    "site": 4,
}
_BUILDINGS = {
    "hut": (1, 0, 2),
    "barn": (2, 0, 3),
    "smithy": (1, 1, 4),
    "bakehouse": (2, 1, 5),
    "bridge": (2, 2, 7),
    "tower": (0, 3, 6),
    "chapel": (1, 3, 8),
    "tavern": (3, 1, 6),
    "granary": (3, 0, 4),
    "wall": (0, 2, 4),
    "school": (3, 2, 8),
    "castle": (2, 4, 9),
}
"""Wood, stone and points."""


def mill_valley(players: int, plans: Sequence[str], mayor: int) -> Match:
    """Send people to places, feed them, and build; plans are revealed in the given order."""
    goods = [Counter(grain=1, bread=2, wood=0, stone=0) for _ in range(players)]
    people, hunger = [2] * players, [0] * players
    built: list[list[str]] = [[] for _ in range(players)]
    closed, open_plans = [*plans], list[str]()
    for _ in range(6):
        while closed and len(open_plans) < 4:
            open_plans.append(closed.pop(0))
        home, born, room, first = [*people], [0] * players, Counter(_ROOM), mayor
        for player in ((first + turn) % players for _ in range(4) for turn in range(players)):
            if not home[player]:
                continue
            own = goods[player]
            can_build = [
                plan
                for plan in open_plans
                if _BUILDINGS[plan][0] <= own["wood"] and _BUILDINGS[plan][1] <= own["stone"]
            ]
            possible = {
                "mill": own["grain"] > 0,
                "market": own.total() > 0,
                "cradle": people[player] + born[player] < 4,
                "site": bool(can_build),
            }
            free = [place for place in _ROOM if room[place] and possible.get(place, True)]
            sent = yield player, [f"send({place})" for place in free]
            place = sent[5:-1]
            home[player] -= 1
            room[place] -= 1
            match place:
                case "field":
                    own["grain"] += 2
                case "forest":
                    own["wood"] += 2
                case "quarry":
                    own["stone"] += 1
                case "mill":
                    ground = int(
                        (yield player, [str(n) for n in range(1, 1 + min(3, own["grain"]))])
                    )
                    own["grain"] -= ground
                    own["bread"] += 2 * ground
                case "market":
                    given = yield player, [good for good in own if own[good]]
                    own[(yield player, [good for good in own if good != given])] += 2
                    own[given] -= 1
                case "cradle":
                    born[player] = 1
                case "town_hall":
                    mayor = player
                    own["bread"] += 1
                case _:
                    plan = yield player, can_build
                    wood, stone, _points = _BUILDINGS[plan]
                    own["wood"] -= wood
                    own["stone"] -= stone
                    open_plans.remove(plan)
                    built[player].append(plan)
        for player in range(players):
            eaten = min(people[player], goods[player]["bread"])
            goods[player]["bread"] -= eaten
            hunger[player] += 2 * (people[player] - eaten)
            people[player] += born[player]
    return [
        {
            "buildings": sum(_BUILDINGS[plan][2] for plan in built[player]),
            "family": people[player],
            "stores": goods[player].total() // 4,
            "hunger": -hunger[player],
        }
        for player in range(players)
    ]
