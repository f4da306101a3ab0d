"""Matches against OpenSpiel's `MCTSBot` in C++ with random rollouts, at equal CPU time.

Our bot has a clock. Before each of its moves, the other bot gets as many simulations as it can make in the same
time, by the rate of its last move. If a move took less time, its next move gets more simulations, and the other way
round.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from time import process_time
from typing import Final

import pyspiel

from bench.keeping import Kept, Row
from bench.search import PEERS, peer, simulations
from rulewright.interpreter.bots.tree_search import CLOCK, Effort, decide
from rulewright.interpreter.engines.playouts import bot_generator
from rulewright.interpreter.matches.fastest import get_ready
from rulewright.interpreter.matches.game import load_game
from rulewright.interpreter.matches.match import Match
from rulewright.interpreter.statistics.intervals import mean_interval

MOVE: Final = 0.1
"""Seconds of CPU time for a decision."""


def _column(name: str) -> str:
    return str(int(name.removeprefix("drop(").removesuffix(")")) - 1)


def _step(name: str) -> str:
    """The name of a move of Breakthrough in OpenSpiel, where the first player sits in the north."""
    start, goal = name.removeprefix("advance(").removesuffix(")").split(", ")
    return "".join(f"{cell[0]}{9 - int(cell[1:])}" for cell in (start, goal))


def _cell(name: str) -> str:
    return name.removeprefix("place(").removesuffix(")")


WORDS: Final[Mapping[str, Callable[[str], str]]] = {
    "connect_four": _column,
    "breakthrough": _step,
    "reversi": _cell,
}
"""For each game, a function from an option to its name in OpenSpiel."""


def duels(matches: int, kept: Kept) -> list[Row]:
    """This many matches of each game; the bots take turns to move first."""
    return [_outcome(game, matches, kept) for game in PEERS]


def _outcome(game: str, matches: int, kept: Kept) -> Row:
    rate = simulations(game, 1.0)
    loaded = load_game(game)
    get_ready(loaded.compiled(loaded.variant(2)))
    *_, rows = kept.growing(f"duel {game} {MOVE}", matches, lambda n: duel(game, n, rate))
    parts = [int(str(row["half_points"])) for row in rows]
    used = [sum(float(str(row[who])) for row in rows) for who in ("ours", "theirs")]
    interval = mean_interval(len(rows), sum(parts), sum(part * part for part in parts))
    low, high = interval or (0.0, 2.0)
    return {
        "game": game,
        "matches": len(rows),
        "part": round(sum(parts) / len(rows) / 2, 3),
        "from": round(max(0.0, low / 2), 3),
        "to": round(min(1.0, high / 2), 3),
        "time_ratio": round(used[0] / max(used[1], 1e-9), 2),
    }


def duel(game: str, number: int, rate: float) -> Row:
    """One match; `rate` is the number of simulations that the other bot makes per second at first."""
    CLOCK.set(process_time)
    loaded, other = load_game(game), pyspiel.load_game(PEERS[game])
    mine = number % 2
    match, state = Match.begin(loaded, loaded.variant(2), number), other.new_initial_state()
    used, owed = [0.0, 0.0], 0.0
    while not match.state.over:
        actions = _actions(game, match, state)
        if len(actions) == 1:
            (name,) = actions
        elif match.state.player == mine:
            begin, generator = process_time(), bot_generator(number, match.decisions)
            option = decide(match.state, Effort(seconds=MOVE), generator)
            used[0] += process_time() - begin
            name = match.state.compiled.option_name(match.state.cells, option)
        else:
            many, begin = max(2, round(rate * (MOVE + owed))), process_time()
            action = peer(other, many, 1000 * number + match.decisions).step(state)
            took = process_time() - begin
            used[1] += took
            if took > MOVE / 4:  # otherwise it had already proved the best move
                rate = many / took
                owed = max(-MOVE / 2, min(MOVE / 2, owed + MOVE - took))
            name = next(each for each, one in actions.items() if one == action)
        match.choose(name)
        state.apply_action(actions[name])
    return {
        "number": number,
        "half_points": round(2 * match.state.shares[mine]) if any(match.state.shares) else 1,
        "ours": round(used[0], 3),
        "theirs": round(used[1], 3),
        "moves": match.decisions,
    }


def _actions(game: str, match: Match, state: pyspiel.State) -> dict[str, int]:
    """For each option, its number in OpenSpiel; both programs must have the same options."""
    player = state.current_player()
    theirs = {
        state.action_to_string(player, action).removesuffix("*").lstrip("xo"): action
        for action in state.legal_actions()
    }
    names = match.state.decision.names
    if len(names) == len(theirs) == 1:
        return {names[0]: next(iter(theirs.values()))}
    word = WORDS[game]
    found = {name: theirs.pop(word(name)) for name in names}
    if theirs:
        raise ValueError(f"{game}: OpenSpiel has {sorted(theirs)}, too")
    return found
