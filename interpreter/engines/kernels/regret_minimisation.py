"""Kernels that solve games with hidden information, over a whole tree.

`minimise` is counterfactual regret minimisation (Zinkevich and others, Regret minimization in games
with incomplete information, 2007). With `plus`, it is the variant CFR+ (Tammelin, Solving large
imperfect information games using CFR+, 2014): regrets never fall below 0, and later rounds have
more weight. `sample` walks along sampled paths (Lanctot and others, Monte Carlo sampling for regret
minimization in extensive games, 2009). `best_answer` finds the maximum that a seat can win against
the strategies of the other seats.
"""

from __future__ import annotations

from rulewright.interpreter.engines.kernels.game_tree import CHANCE, END, GameTree

FACTOR = 25214903917
BITS = 0xFFFFFFFFFFFF
PARTS = 281474976710656.0


def match(t: GameTree, info: int) -> int:
    """Set the strategy of an information set in proportion to the regrets of its options."""
    begin = t.begin[info]
    end = begin + t.size[info]
    total = 0.0
    for slot in range(begin, end):
        if t.regrets[slot] > 0.0:
            total += t.regrets[slot]
    for slot in range(begin, end):
        if total > 0.0:
            t.strategy[slot] = 0.0
            if t.regrets[slot] > 0.0:
                t.strategy[slot] = t.regrets[slot] / total
        else:
            t.strategy[slot] = 1.0 / float(t.size[info])
    return 0


def match_all(t: GameTree, player: int) -> int:
    """Set the strategies of all information sets of a seat (see `match`)."""
    for info in range(t.sets):
        if t.owner[info] == player:
            match(t, info)
    return 0


def go_down(t: GameTree, player: int) -> int:
    """For each node, compute two probabilities of reaching it: that of the seat, and that of chance
    and the other seats."""
    t.mine[0] = 1.0
    t.others[0] = 1.0
    for node in range(1, t.nodes):
        before = t.parent[node]
        who = t.player[before]
        t.mine[node] = t.mine[before]
        t.others[node] = t.others[before]
        if who == CHANCE:
            t.others[node] = t.others[before] * t.chance[node]
        else:
            if who == player:
                t.mine[node] = t.mine[before] * t.strategy[t.edge[node]]
            else:
                t.others[node] = t.others[before] * t.strategy[t.edge[node]]
    return 0


def go_up(t: GameTree, player: int) -> int:
    """Compute the value of each node to a seat."""
    for node in range(t.nodes):
        t.value[node] = t.worth[node * t.seats + player]
    node = t.nodes - 1
    while node > 0:
        before = t.parent[node]
        if t.player[before] == CHANCE:
            t.value[before] += t.chance[node] * t.value[node]
        else:
            t.value[before] += t.strategy[t.edge[node]] * t.value[node]
        node -= 1
    return 0


def learn(t: GameTree, player: int, weight: float, plus: int) -> int:
    """Add the regrets of a seat, and add its strategy to the sum of strategies."""
    go_down(t, player)
    go_up(t, player)
    for node in range(1, t.nodes):
        before = t.parent[node]
        if t.player[before] == player:
            slot = t.edge[node]
            t.regrets[slot] += t.others[before] * (t.value[node] - t.value[before])
            if node == t.children[t.first[before]]:
                info = t.info[before]
                begin = t.begin[info]
                for each in range(begin, begin + t.size[info]):
                    t.often[each] += weight * t.mine[before] * t.strategy[each]
    if plus:
        for info in range(t.sets):
            if t.owner[info] == player:
                begin = t.begin[info]
                for slot in range(begin, begin + t.size[info]):
                    if t.regrets[slot] < 0.0:
                        t.regrets[slot] = 0.0
    match_all(t, player)
    return 0


def minimise(t: GameTree, rounds: int, plus: int) -> int:
    """Run `rounds` rounds of regret minimisation. In each round, all seats learn in turn."""
    for player in range(t.seats):
        match_all(t, player)
    for _ in range(rounds):
        t.rounds += 1
        weight = 1.0
        if plus:
            weight = float(t.rounds)
        for player in range(t.seats):
            learn(t, player, weight, plus)
    return 0


def worth_of(t: GameTree, player: int) -> int:
    """Compute the value of the game to a seat if all seats play `strategy`. Write the value to `value[0]`."""
    go_up(t, player)
    return 0


def answer_up(t: GameTree, player: int) -> int:
    """Compute the value of each node to a seat that plays the known best responses (see `go_up`)."""
    for node in range(t.nodes):
        t.value[node] = t.worth[node * t.seats + player]
    node = t.nodes - 1
    while node > 0:
        before = t.parent[node]
        who = t.player[before]
        if who == CHANCE:
            t.value[before] += t.chance[node] * t.value[node]
        else:
            if who == player:
                if t.chosen[t.info[before]] == t.edge[node]:
                    t.value[before] += t.value[node]
            else:
                t.value[before] += t.strategy[t.edge[node]] * t.value[node]
        node -= 1
    return 0


def best_answer(t: GameTree, player: int) -> int:
    """Find the best responses of a seat to `strategy`, last decisions first. Write the value that
    they achieve to `value[0]`."""
    go_down(t, player)
    for info in range(t.sets):
        t.chosen[info] = -1
    level = t.levels - 1
    while level >= 0:
        answer_up(t, player)
        for slot in range(t.slots):
            t.gains[slot] = 0.0
        for node in range(1, t.nodes):
            before = t.parent[node]
            if t.player[before] == player and t.level[t.info[before]] == level:
                t.gains[t.edge[node]] += t.others[before] * t.value[node]
        for info in range(t.sets):
            if t.owner[info] == player and t.level[info] == level:
                best = t.begin[info]
                for slot in range(best, best + t.size[info]):
                    if t.gains[slot] > t.gains[best]:
                        best = slot
                t.chosen[info] = best
        level -= 1
    answer_up(t, player)
    return 0


def draw(t: GameTree) -> float:
    """Draw a random number that is at least 0 and less than 1."""
    t.seed = (t.seed * FACTOR + 11) & BITS
    return float(t.seed) / PARTS


def walk(t: GameTree, node: int, player: int, place: int) -> float:
    """Return the value of a node to a seat that tries all its options. The other seats and chance choose at random."""
    who = t.player[node]
    if who == END:
        return t.worth[node * t.seats + player]
    first = t.first[node]
    count = t.count[node]
    if who == CHANCE:
        rest = draw(t)
        taken = 0
        while taken < count - 1 and rest >= t.chance[t.children[first + taken]]:
            rest -= t.chance[t.children[first + taken]]
            taken += 1
        return walk(t, t.children[first + taken], player, place)
    info = t.info[node]
    begin = t.begin[info]
    match(t, info)
    if who != player:
        rest = draw(t)
        taken = 0
        while taken < count - 1 and rest >= t.strategy[begin + taken]:
            rest -= t.strategy[begin + taken]
            taken += 1
        for slot in range(begin, begin + count):
            t.often[slot] += float(t.rounds) * t.strategy[slot]
        return walk(t, t.children[first + taken], player, place)
    mean = 0.0
    for each in range(count):
        t.tried[place + each] = walk(t, t.children[first + each], player, place + t.width)
        mean += t.strategy[begin + each] * t.tried[place + each]
    t.met[info] += 1
    for each in range(count):
        slot = begin + each
        t.regrets[slot] += float(t.rounds) * (t.tried[place + each] - mean)
        t.worths[slot] += (t.tried[place + each] - t.worths[slot]) / float(t.met[info])
    return mean


def sample(t: GameTree, rounds: int) -> int:
    """Run `rounds` rounds along sampled paths. Each round has a walk for every seat."""
    for _ in range(rounds):
        t.rounds += 1
        for player in range(t.seats):
            walk(t, 0, player, 0)
    return 0
