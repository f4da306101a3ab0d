"""Searches one decision. This is a kernel, which runs as Python and as native code (`native/kernel.py`).

A trial goes down the tree from a possible state, continues at random from a new node, and adds the
result to the nodes on its path. A node is an information set of the player who decides.
`rulewright.interpreter.bots.evaluation` explains the values of positions.
"""

from __future__ import annotations

from math import sqrt

from rulewright.dsl.ir import BOUND, OVER, PLAYER, SITE
from rulewright.interpreter.engines.kernels.numbers import exponential, logarithm
from rulewright.interpreter.engines.kernels.patterns import TRUST, find_weights, worth_by_patterns
from rulewright.interpreter.engines.kernels.tree import (
    DEEP,
    FOUND,
    HERE,
    LEVELS,
    PLAYED,
    SAMPLE,
    SEEN,
    TIMES,
    FullError,
    Game,
    Tree,
)

CURIOSITY = 1.0
"""How strongly rarely tried options are preferred to successful options, if leads predict results.

The number is a multiple of the spread of results.
"""
CAREFULLY_CURIOUS = 0.6
"""The same preference in games with careful playouts."""
LEAST = 0.03
"""The assumed minimum of the spread."""
UNSURE = 10
"""The weight, in trials, of the initial assumption that the spread is one half."""
PATIENCE = 10
"""The number of trials of each option before asides are tried, unless an aside looks better."""
LONGEST = 2000
"""The maximum number of steps in the tree, including steps without a choice."""
PLAYOUTS = 3
"""The number of random playouts that continue from a position."""
FAR = 200
"""The maximum length of a playout, in decisions, if points show the standing."""
LONG = 10000
"""The maximum length of a playout, in decisions, if there are no points."""
OF_POINTS = 0.15
"""The weight of a lead in points relative to winning."""
FURTHER = 40
"""The total number of further consecutive decisions that are examined for all options of a decision."""
AT_LEAST = 4
"""The minimum number of further decisions that are examined for each option."""
END_SLOTS = 4096
"""The size of the table of options that win at once."""
RARE = 64
"""If fewer than one in `RARE` tries of an option win at once, the option is not tested in playouts."""
UNKNOWN = 2048
"""Until `UNKNOWN` options have been taken in total, options that have not yet won are tested too."""
SEEDS = 2147483648
INFINITE = 1e300


# ---- the value of a position ---------------------------------------------------------------------


def later(time: int) -> int:
    """Return the number of decisions of each seat after which leads are recorded. The first time is
    after one decision."""
    if time == 0:
        return 1
    if time == 1:
        return 5
    return 20


def write_leads(t: Tree) -> None:
    """Write to `leads` the points of each seat's side minus the points of the best other side."""
    for seat in range(t.seats):
        t.side_totals[seat] = 0
    for seat in range(t.seats):
        t.side_totals[t.sides[seat]] += t.totals[seat]
    for seat in range(t.seats):
        best = 0
        others = 0
        for other in range(t.seats):
            if t.sides[other] != t.sides[seat]:
                total = t.side_totals[t.sides[other]]
                if others == 0 or total > best:
                    best = total
                others = 1
        t.leads[seat] = t.side_totals[t.sides[seat]] - best


def write_standings(t: Tree) -> None:
    """Write to `parts` the standing of each seat by points (a softmax, or the lead), given `totals` and `leads`."""
    if t.scored == 0:
        for seat in range(t.seats):
            t.parts[seat] = 1.0 / float(t.seats)
        return
    if t.by_points != 0:
        for seat in range(t.seats):
            t.parts[seat] = float(t.leads[seat])
        return
    total = 0
    for seat in range(t.seats):
        total += t.totals[seat]
    middle = float(total) / float(t.seats)
    apart = 0.0
    for seat in range(t.seats):
        apart += abs(float(t.totals[seat]) - middle)
    apart = apart / float(t.seats)
    t.spread += (apart - t.spread) / 20.0
    unit = t.spread
    if unit < 1.0:
        unit = 1.0
    if t.seats == 1:
        alone = float(t.totals[0]) / unit
        if alone < -40.0:
            alone = -40.0
        t.parts[0] = 1.0 / (1.0 + exponential(-alone))
        return
    most = t.totals[0]
    for seat in range(1, t.seats):
        if t.totals[seat] > most:
            most = t.totals[seat]
    whole = 0.0
    for seat in range(t.seats):
        deficit = float(t.totals[seat] - most) / unit
        if deficit < -40.0:
            deficit = -40.0
        t.parts[seat] = exponential(deficit)
        whole += t.parts[seat]
    for seat in range(t.seats):
        t.parts[seat] = t.parts[seat] / whole


def write_shares(t: Tree) -> None:
    """Write to `result` each seat's share of the victory at the end, given `won`."""
    sides = 0
    winners = 0
    for seat in range(t.seats):
        first = 1
        wins = 0
        for other in range(t.seats):
            if t.sides[other] == t.sides[seat]:
                if other < seat:
                    first = 0
                if t.won[other] != 0:
                    wins = 1
        if first != 0:
            sides += 1
            winners += wins
    for seat in range(t.seats):
        if winners == 0 and sides == 1:
            t.result[seat] = 0.0
        elif winners == 0:
            t.result[seat] = 1.0 / float(sides)
        elif t.won[seat] != 0:
            t.result[seat] = 1.0 / float(winners)
        else:
            t.result[seat] = 0.0


def write_ending(game: Game, t: Tree) -> None:
    """Write the value of the end of a match to `result`: the victory, and with a small weight the points."""
    game.ending(t, 0)
    if t.scored != 0:
        write_leads(t)
    if t.by_points != 0:
        for seat in range(t.seats):
            t.result[seat] = float(t.leads[seat])
        return
    write_shares(t)
    if t.scored == 0:
        return
    write_standings(t)
    for seat in range(t.seats):
        t.result[seat] = (1.0 - OF_POINTS) * t.result[seat] + OF_POINTS * t.parts[seat]


def look_at_points(game: Game, t: Tree) -> None:
    """Compute the current points and leads. If things have weights, add them to the leads."""
    game.points(t, 0)
    write_leads(t)
    if t.merits > 0:
        add_merits(t)


def add_merits(t: Tree) -> None:
    """Add the value of things to the leads. All leads are then in the unit of the weights,
    multiplied by the number of other seats."""
    for seat in range(t.seats):
        t.leads[seat] = t.leads[seat] * t.merit_of_point * (t.seats - 1)
    for number in range(t.merits):
        whole = 0
        for seat in range(t.seats):
            whole += t.work[t.merit_cell[number] + seat * t.merit_stride[number]]
        for seat in range(t.seats):
            mine = t.work[t.merit_cell[number] + seat * t.merit_stride[number]]
            t.leads[seat] += t.merit[number] * (t.seats * mine - whole)


# ---- playouts in which nobody overlooks a victory ------------------------------------------------


def end_slot(t: Tree, option: int) -> int:
    """Return the index that an option of the open decision has in the table of options that win at once."""
    return (option + 1031 * t.work[SITE]) & (END_SLOTS - 1)


def may_win(t: Tree, option: int) -> int:
    """Return whether an option has won at once often enough to be tested."""
    slot = end_slot(t, option)
    wins = t.end_wins[slot]
    if t.ends_known + t.noted < UNKNOWN:
        wins += 1
    if wins * RARE > t.end_tries[slot]:
        return 1
    return 0


def wins_at_once(game: Game, t: Tree, option: int) -> int:
    """Take an option. Return whether its player has won by taking it."""
    player = t.work[PLAYER]
    slot = end_slot(t, option)
    wins = 0
    game.advance(t, option)
    if t.work[OVER] != 0:
        write_ending(game, t)
        if t.result[player] == 1.0:
            wins = 1
    if t.noted < END_SLOTS:
        t.noted_ends[t.noted] = 2 * slot + wins
        t.noted += 1
    return wins


def learn_ends(t: Tree) -> None:
    """Count the options that won at once in a trial, and those that did not."""
    for number in range(t.noted):
        slot = t.noted_ends[number] // 2
        t.end_tries[slot] += 1
        t.end_wins[slot] += t.noted_ends[number] % 2
    t.ends_known += t.noted
    t.noted = 0


def take_carefully(game: Game, t: Tree, count: int, place: int, state: int) -> int:
    """Take an offered option that wins at once, or else the option at index `place`. Return whether it wins."""
    other = place
    for _ in range(count - 1):
        other += 1
        if other == count:
            other = 0
        if may_win(t, t.offers[other]) != 0:
            if wins_at_once(game, t, t.offers[other]) != 0:
                return 1
            game.load(t, state)
    return wins_at_once(game, t, t.offers[place])


def play_carefully(game: Game, t: Tree) -> None:
    """Continue at random to the end. A player who can win at once does so.

    If that happens, the previous player takes back the option and takes another option, if there is
    one.
    """
    here = HERE
    before = SEEN
    others = 0
    side = 0
    left = LONG
    while left > 0 and t.work[OVER] == 0:
        left -= 1
        t.decisions += 1
        count = list_offers(game, t)
        now = t.sides[t.work[PLAYER]]
        place = game.below(t, count)
        game.save(t, here)
        if take_carefully(game, t, count, place, here) == 0:
            others = 0
            for number in range(count):
                if number != place:
                    t.listed[others] = t.offers[number]
                    others += 1
            side = now
            before = here
            here = HERE + SEEN - before
        elif others > 0 and side != now:
            game.load(t, before)
            place = game.below(t, others)
            option = t.listed[place]
            others -= 1
            t.listed[place] = t.listed[others]
            game.advance(t, option)


def playout(game: Game, t: Tree) -> None:
    """Run a random playout from the working state. Write its leads to `met` and its result to `result`."""
    decisions = 0
    if t.careful != 0:
        play_carefully(game, t)
        decisions = LONG
    else:
        game.begin_playout(t, game.below(t, SEEDS))
    if t.scored != 0:
        for time in range(TIMES):
            if t.work[OVER] == 0:
                many = later(time) * t.seats
                game.play_on(t, many - decisions)
                decisions = many
            t.is_met[time] = 0
            if t.work[OVER] == 0:
                t.is_met[time] = 1
                look_at_points(game, t)
                for seat in range(t.seats):
                    t.met[time * t.seats + seat] = t.leads[seat]
    if t.work[OVER] == 0:
        many = LONG - decisions
        if t.scored != 0:
            many = FAR - decisions
        if many > 0:
            game.play_on(t, many)
    if t.work[OVER] != 0:
        write_ending(game, t)
        return
    if t.scored != 0:
        game.points(t, 0)
        write_leads(t)
    write_standings(t)
    for seat in range(t.seats):
        t.result[seat] = t.parts[seat]


def predicted_result(t: Tree, time: int, seat: int, lead_then: int) -> float:
    """Return the expected result of a seat that has the lead `lead_then` at a recorded time of a playout."""
    place = time * t.seats + seat
    return t.usual[place] + t.slope[time] * (float(lead_then) - t.usual_lead[place])


def playout_value(t: Tree, seat: int) -> float:
    """Return the value of a playout for a seat.

    The value is the mean of the result of the playout and the results predicted by the leads during
    the playout.
    """
    if t.tells == 0:
        return t.result[seat]
    found = t.result[seat]
    for time in range(TIMES):
        if time > 0 and t.is_met[time] == 0:
            found += t.result[seat]
        else:
            then = t.now[seat]
            if time > 0:
                then = t.met[time * t.seats + seat]
            promise = predicted_result(t, time, seat, then)
            if t.by_points == 0:
                if promise < 0.0:
                    promise = 0.0
                if promise > 1.0:
                    promise = 1.0
            found += promise
    return found / float(1 + TIMES)


def play_from_here(game: Game, t: Tree) -> None:
    """Run random playouts from the working state. Write their mean value for each seat to `gains`."""
    for seat in range(t.seats):
        t.gains[seat] = 0.0
    if t.tells != 0:
        look_at_points(game, t)
        for seat in range(t.seats):
            t.now[seat] = t.leads[seat]
    game.save(t, PLAYED)
    for number in range(t.rollouts):
        if number > 0:
            game.load(t, PLAYED)
        playout(game, t)
        for seat in range(t.seats):
            t.gains[seat] += playout_value(t, seat)
    for seat in range(t.seats):
        t.gains[seat] = t.gains[seat] / float(t.rollouts)


def value_here(game: Game, t: Tree) -> int:
    """Write the value of the working state for each seat to `gains`."""
    worth = 0.0
    if t.patterns > 0:
        find_weights(t, 0)
        worth = worth_by_patterns(t, 0)
    play_from_here(game, t)
    if t.patterns > 0:
        for seat in range(t.seats):
            t.gains[seat] += TRUST * (worth - t.gains[seat])
            worth = 1.0 - worth
    return 0


def guide(t: Tree, count: int) -> int:
    """Rate new options. Native code has no policy for them and so does nothing."""
    return 0


def worth_at_once(game: Game, t: Tree, seat: int) -> None:
    """Write to `found` the expected result of a seat by its lead alone, or the result if the match is over."""
    if t.work[OVER] != 0:
        write_ending(game, t)
        t.found = t.result[seat]
        return
    look_at_points(game, t)
    t.found = predicted_result(t, 0, seat, t.leads[seat])


# ---- moves of several decisions ------------------------------------------------------------------


def list_offers(game: Game, t: Tree) -> int:
    """Write the options of the open decision to `offers`. Return their number."""
    count = game.options(t, t.width)
    if count > t.width:
        raise FullError
    return count


def take(game: Game, t: Tree, option: int) -> None:
    """Take an option, and draw the results of chance that follow."""
    game.advance(t, option)
    while t.work[BOUND] != 0:
        game.advance(t, game.below(t, t.work[BOUND]))


def go_further(game: Game, t: Tree, player: int, level: int) -> None:
    """Find the best sequence of further decisions of a player.

    The value of the sequence is written to `found`, and its options to `best_row`.
    """
    deep = DEEP - 1 - level
    t.best_length[level] = 0
    if t.work[OVER] != 0 or t.work[PLAYER] != player or deep == 0 or t.left <= 0:
        worth_at_once(game, t, player)
        return
    count = list_offers(game, t)
    first = level * t.width
    for place in range(count):
        t.listed[first + place] = t.offers[place]
    if count > 1:
        game.save(t, LEVELS + level)
    is_new = 1
    best = 0.0
    while count > 0 and (t.left > 0 or is_new != 0):
        t.left -= 1
        place = game.below(t, count)
        option = t.listed[first + place]
        count -= 1
        while place < count:
            t.listed[first + place] = t.listed[first + place + 1]
            place += 1
        if is_new == 0:
            game.load(t, LEVELS + level)
        take(game, t, option)
        go_further(game, t, player, level + 1)
        if is_new != 0 or t.found > best:
            best = t.found
            length = t.best_length[level + 1]
            t.best_row[level * DEEP] = option
            for place in range(length):
                t.best_row[level * DEEP + 1 + place] = t.best_row[(level + 1) * DEEP + place]
            t.best_length[level] = length + 1
        is_new = 0
    t.found = best


def follow(game: Game, t: Tree, option: int, first: int, length: int) -> None:
    """Take an option and then the options in `rows`, until one is not possible."""
    player = t.work[PLAYER]
    take(game, t, option)
    for place in range(length):
        if t.work[OVER] != 0 or t.work[PLAYER] != player:
            return
        wanted = t.rows[first + place]
        count = list_offers(game, t)
        is_there = 0
        for other in range(count):
            if t.offers[other] == wanted:
                is_there = 1
        if is_there == 0:
            return
        take(game, t, wanted)


def look_ahead(game: Game, t: Tree, count: int) -> None:
    """For each new option, find the best further decisions of its player, and the gain in expected result.

    The decisions are found in one possible state and rated in another, each with its own hidden
    pieces and chance. Both states differ from the state of the trial, because otherwise players
    would always guess right. If the two states give different results, the lower result is used,
    and the trial does not follow these decisions.
    """
    player = t.work[PLAYER]
    game.save(t, HERE)
    if t.hides != 0:
        game.possible_state(t, FOUND, player)
        game.possible_state(t, SEEN, player)
    else:
        game.save(t, FOUND)
        game.save(t, SEEN)
    game.load(t, SEEN)
    worth_at_once(game, t, player)
    now = t.found
    for place in range(count):
        t.row_length[place] = 0
        if t.fresh[place] != 0:
            edge = t.here[place]
            option = t.edge_option[edge]
            game.load(t, FOUND)
            take(game, t, option)
            t.left = FURTHER // count
            if t.left < AT_LEAST:
                t.left = AT_LEAST
            go_further(game, t, player, 0)
            best = t.found
            length = t.best_length[0]
            for number in range(length):
                t.rows[place * DEEP + number] = t.best_row[number]
            game.load(t, SEEN)
            follow(game, t, option, place * DEEP, length)
            worth_at_once(game, t, player)
            if t.found == best:
                t.row_length[place] = length
            if t.found < best:
                best = t.found
            t.edge_better[edge] = best - now
    game.load(t, HERE)


# ---- the tree ------------------------------------------------------------------------------------


def new_node(t: Tree, key: int) -> int:
    """Make a new node without results, and return its number."""
    if t.nodes >= t.node_room:
        raise FullError
    node = t.nodes
    t.node_key[node] = key
    t.node_taken[node] = 0
    t.node_gained[node] = 0.0
    t.node_first[node] = -1
    t.node_last[node] = -1
    t.node_edges[node] = 0
    t.nodes += 1
    return node


def enter(t: Tree, node: int) -> None:
    """Insert a node into the hash table."""
    place = t.node_key[node] & t.mask
    while t.table[place] != 0:
        place = (place + 1) & t.mask
    t.table[place] = node


def node_here(game: Game, t: Tree) -> int:
    """Return the node of the working state. The root has number 0 and is not in the table."""
    if t.steps == 0:
        return 0
    key = game.place_key(t, t.work[PLAYER])
    place = key & t.mask
    while t.table[place] != 0:
        if t.node_key[t.table[place]] == key:
            return t.table[place]
        place = (place + 1) & t.mask
    node = new_node(t, key)
    t.table[place] = node
    return node


def clear_edge(t: Tree, edge: int) -> None:
    """Clear the results of an edge."""
    t.edge_there[edge] = 0
    t.edge_taken[edge] = 0
    t.edge_gained[edge] = 0.0
    t.edge_better[edge] = 0.0
    t.edge_aside[edge] = 0
    t.edge_certain[edge] = 0


def new_edge(t: Tree, node: int, option: int) -> int:
    """Make a new edge of a node for an option, and return its number."""
    if t.edges >= t.edge_room:
        raise FullError
    edge = t.edges
    t.edges += 1
    clear_edge(t, edge)
    t.edge_option[edge] = option
    t.edge_next[edge] = -1
    if t.node_first[node] < 0:
        t.node_first[node] = edge
    else:
        t.edge_next[t.node_last[node]] = edge
    t.node_last[node] = edge
    t.node_edges[node] += 1
    return edge


def is_aside(t: Tree, option: int) -> int:
    """Return whether an option is always available, independent of the question."""
    for number in range(t.asides):
        first = t.aside[3 * number + 1]
        last = t.aside[3 * number + 2]
        if t.work[SITE] == t.aside[3 * number] and option >= first and option < last:
            return 1
    return 0


def find_edges(t: Tree, node: int, count: int) -> int:
    """Write the edges of the offered options to `here`. Return the number of new edges."""
    fresh = 0
    following = t.node_first[node]
    for place in range(count):
        option = t.offers[place]
        edge = following
        if edge < 0 or t.edge_option[edge] != option:
            edge = t.node_first[node]
            while edge >= 0 and t.edge_option[edge] != option:
                edge = t.edge_next[edge]
        if edge < 0:
            edge = new_edge(t, node, option)
        following = t.edge_next[edge]
        t.here[place] = edge
        t.fresh[place] = 0
        if t.edge_there[edge] == 0:
            clear_edge(t, edge)
            t.edge_aside[edge] = is_aside(t, option)
            t.fresh[place] = 1
            fresh += 1
    return fresh


def log_of(t: Tree, number: int) -> float:
    """Return the logarithm of an integer."""
    if number < t.logs_known:
        return t.logs[number]
    return logarithm(float(number))


def find_ends(game: Game, t: Tree, count: int) -> None:
    """Store the certain results of new options that end the match at once."""
    game.save(t, HERE)
    for place in range(count):
        edge = t.here[place]
        if t.fresh[place] != 0 and may_win(t, t.edge_option[edge]) != 0:
            game.advance(t, t.edge_option[edge])
            if t.work[OVER] != 0:
                write_ending(game, t)
                t.edge_certain[edge] = 1
                for seat in range(t.seats):
                    t.certainty[edge * t.seats + seat] = t.result[seat]
            game.load(t, HERE)


def pick(game: Game, t: Tree, node: int, count: int) -> int:
    """Choose an option to take, and return its index among the offered options."""
    player = t.work[PLAYER]
    hoped = 1.0
    if t.node_taken[node] > 0:
        hoped = t.node_gained[node] / float(t.node_taken[node])
    for place in range(count):
        t.row_length[place] = 0
    if find_edges(t, node, count) > 0:
        if t.tells_at_once != 0:
            look_ahead(game, t, count)
        if t.careful != 0:
            find_ends(game, t, count)
        game.guide(t, count)
    most = -INFINITE
    if t.asides > 0:
        for place in range(count):
            if t.edge_aside[t.here[place]] == 0 and t.edge_better[t.here[place]] > most:
                most = t.edge_better[t.here[place]]
    early = t.node_taken[node] < PATIENCE * count
    place = game.below(t, count)
    if t.touched + count > t.touched_room:
        raise FullError
    best = -INFINITE
    taken = 0
    for _ in range(count):
        edge = t.here[place]
        t.edge_there[edge] += 1
        t.touched_edges[t.touched] = edge
        t.touched += 1
        there = t.edge_there[edge]
        times = t.edge_taken[edge]
        better = t.edge_better[edge]
        promise = -INFINITE
        if t.edge_certain[edge] != 0:
            promise = 3.0 * t.certainty[edge * t.seats + player] - 1.0
            if promise == 2.0:
                promise = INFINITE
        elif times > 0:
            promise = t.edge_gained[edge] / float(times)
            if better != 0.0:
                promise += (hoped + better - promise) / float(times + 1)
            promise += t.curious * sqrt(log_of(t, there) / float(times))
        elif not (early and t.edge_aside[edge] != 0 and better <= most):
            promise = hoped + better + t.curious * sqrt(log_of(t, there + 1) + 1.0)
        if promise > best:
            best = promise
            taken = place
        place += 1
        if place == count:
            place = 0
    return taken


def settle(t: Tree) -> None:
    """Store the certain result of the last choice. If results of earlier choices follow from it, store these too."""
    step = t.steps - 1
    for seat in range(t.seats):
        t.parts[seat] = t.result[seat]
    while step >= 0:
        node = t.path_node[step]
        player = t.path_player[step]
        edge = t.path_edge[step]
        t.edge_certain[edge] = 1
        for seat in range(t.seats):
            t.certainty[edge * t.seats + seat] = t.parts[seat]
        known = 0
        best = -1
        edge = t.node_first[node]
        while edge >= 0:
            if t.edge_certain[edge] != 0:
                known += 1
                here = t.certainty[edge * t.seats + player]
                if best < 0 or here > t.certainty[best * t.seats + player]:
                    best = edge
            edge = t.edge_next[edge]
        if t.certainty[best * t.seats + player] != 1.0 and known != t.node_edges[node]:
            return
        for seat in range(t.seats):
            t.parts[seat] = t.certainty[best * t.seats + seat]
        step -= 1


def is_on_path(t: Tree, node: int) -> int:
    """Return whether the trial has already been at a node."""
    for step in range(t.steps):
        if t.path_node[step] == node:
            return 1
    return 0


def go_down(game: Game, t: Tree) -> None:
    """Go down the tree once and play to the end. Write the value for each seat to `gains`."""
    is_fresh = 0
    left = LONGEST
    while left > 0 and t.work[OVER] == 0:
        left -= 1
        if t.work[BOUND] != 0:
            game.advance(t, game.below(t, t.work[BOUND]))
        elif is_fresh != 0:
            game.value_here(t)
            return
        else:
            player = t.work[PLAYER]
            count = list_offers(game, t)
            if count == 1:
                game.advance(t, t.offers[0])
            else:
                node = node_here(game, t)
                if t.waits != 0 and t.node_first[node] < 0:
                    t.leaf = node
                    game.value_here(t)
                    return
                # A match that returns to a node on its path could loop in the tree forever.
                if (t.waits == 0 and t.node_taken[node] == 0) or is_on_path(t, node) != 0:
                    is_fresh = 1
                place = pick(game, t, node, count)
                edge = t.here[place]
                t.path_node[t.steps] = node
                t.path_edge[t.steps] = edge
                t.path_player[t.steps] = player
                t.steps += 1
                if is_fresh != 0:
                    follow(game, t, t.edge_option[edge], place * DEEP, t.row_length[place])
                else:
                    game.advance(t, t.edge_option[edge])
    if t.work[OVER] == 0:
        game.value_here(t)  # there is nothing to choose, but the match does not end
        return
    write_ending(game, t)
    for seat in range(t.seats):
        t.gains[seat] = t.result[seat]
    if t.certain != 0:
        if t.scored != 0:
            write_shares(t)
        settle(t)


def note(t: Tree, gain: float) -> None:
    """Update the exploration constant from the variance of the gains, because a greater variance needs more trials."""
    if t.tells == 0:
        return  # results are only won or lost
    t.mean += (gain - t.mean) / float(t.playouts)
    t.square += (gain * gain - t.square) / float(t.playouts)
    variance = t.square - t.mean * t.mean
    if variance < 0.0:
        variance = 0.0
    known = (sqrt(variance) * float(t.playouts) + 0.5 * float(UNSURE)) / float(t.playouts + UNSURE)
    if known < LEAST:
        known = LEAST
    t.curious = CURIOSITY * known


def trial(game: Game, t: Tree) -> None:
    """Run one trial from the sample. Results are stored only after its end."""
    t.counter_before = t.counter
    t.spread_before = t.spread
    t.decisions_before = t.decisions
    t.steps = 0
    t.touched = 0
    t.leaf = -1
    t.noted = 0
    game.load(t, SAMPLE)
    go_down(game, t)
    add_up(t)


def add_up(t: Tree) -> None:
    """Add the result of a trial to all nodes and edges on its path."""
    t.playouts += 1
    learn_ends(t)
    note(t, t.gains[t.me])
    for step in range(t.steps):
        node = t.path_node[step]
        edge = t.path_edge[step]
        gain = t.gains[t.path_player[step]]
        t.node_taken[node] += 1
        t.node_gained[node] += gain
        t.edge_taken[edge] += 1
        t.edge_gained[edge] += gain


def undo(t: Tree) -> None:
    """Undo a trial that did not reach its end."""
    t.counter = t.counter_before
    t.spread = t.spread_before
    t.decisions = t.decisions_before
    while t.touched > 0:
        t.touched -= 1
        t.edge_there[t.touched_edges[t.touched]] -= 1


def is_settled(t: Tree) -> int:
    """Return whether the search is settled: an option is certain to win, or all results are certain."""
    known = 0
    edge = t.node_first[0]
    while edge >= 0:
        if t.edge_certain[edge] != 0:
            known += 1
            if t.certainty[edge * t.seats + t.me] == 1.0:
                return 1
        edge = t.edge_next[edge]
    if known == t.node_edges[0]:
        return 1
    return 0


def trials(game: Game, t: Tree, most: int) -> int:
    """Run up to `most` trials from a sample, or fewer if the search is settled. Return the number of trials run."""
    made = 0
    while made < most and is_settled(t) == 0:
        trial(game, t)
        made += 1
    return made


# ---- other tasks ---------------------------------------------------------------------------------


def learn_once(game: Game, t: Tree, nothing: int) -> int:
    """Run a random playout from the sample, to learn how well leads predict results."""
    t.counter_before = t.counter
    t.spread_before = t.spread
    t.decisions_before = t.decisions
    t.touched = 0
    game.load(t, SAMPLE)
    playout(game, t)
    return 0


def fill_table(t: Tree, nothing: int) -> int:
    """Insert all nodes except the root into the empty hash table."""
    for node in range(1, t.nodes):
        enter(t, node)
    return 0


def fill_logs(t: Tree, known: int) -> int:
    """Compute the logarithms of integers below a limit."""
    if t.logs_known == 0:
        t.logs_known = 1
    while t.logs_known < known:
        t.logs[t.logs_known] = logarithm(float(t.logs_known))
        t.logs_known += 1
    return 0
