"""The search of bots beside OpenSpiel's in C++, in one run: trials a second, and matches at equal time.

Time is that of the processor, of this process, which uses one thread. A trial here plays `PLAYOUTS` random games to the
end, one of OpenSpiel's one. In matches both have as much time for a decision: ours a clock, OpenSpiel's as many
simulations as it makes in that time, measured before.
"""

from __future__ import annotations

from time import process_time

import pyspiel

from rulewright.interpreter.bots.tree_search import CLOCK, Effort, Search, decide, fastest
from rulewright.interpreter.engines.chance import Generator
from rulewright.interpreter.engines.kernels.search import PLAYOUTS
from rulewright.interpreter.engines.playouts import bot_generator
from rulewright.interpreter.matches.game import load_game
from rulewright.interpreter.matches.match import Match
from rulewright.interpreter.statistics.intervals import mean_interval

PEERS = {"connect_four": "connect_four", "breakthrough": "breakthrough", "reversi": "othello"}
"""Games, and what OpenSpiel calls them."""
LARGE = {"endeavor": 3, "equilibris": 2, "ginkgopolis": 2, "colonial": 2, "through_the_ages": 2}
TURNS = 5
"""How often each takes its turn."""
CHUNK = 20
SIMULATIONS = 2000
MOVE = 0.1
"""Seconds for a decision in a match."""
LONGEST = 2000


def search(seconds: float) -> list[dict[str, object]]:
    """For each game the trials a second, beside OpenSpiel's or beside random games in native code."""
    rows: list[dict[str, object]] = []
    for game in (*PEERS, *LARGE):
        ours = theirs = 0.0
        begun = Match.begin(load_game(game), load_game(game).variant(LARGE.get(game, 2)), 7)
        Search(begun.state, Generator.seeded(0)).look(CHUNK)  # native code is made
        for turn in range(TURNS):
            ours += _trials(begun, turn, seconds / TURNS / 2) / TURNS
            measure = _simulations if game in PEERS else _random_games
            theirs += measure(game, seconds / TURNS / 2) / TURNS
        rows.append(
            {
                "game": game,
                "trials_a_second": round(ours),
                "games_a_second": round(ours * PLAYOUTS),
                "beside": "OpenSpiel" if game in PEERS else "random games",
                "its_games_a_second": round(theirs),
                "games_ratio": round(ours * PLAYOUTS / theirs, 2),
            }
        )
    return rows


def _trials(begun: Match, seed: int, seconds: float) -> float:
    found, begin = Search(begun.state, Generator.seeded(seed)), process_time()
    while process_time() < begin + seconds:
        found.look(CHUNK)
    return found.playouts / (process_time() - begin)


def _simulations(game: str, seconds: float) -> float:
    peer = pyspiel.load_game(PEERS[game])
    state, made, begin = peer.new_initial_state(), 0, process_time()
    while process_time() < begin + seconds:
        _peer(peer, SIMULATIONS, made).step(state)
        made += SIMULATIONS
    return made / (process_time() - begin)


def _peer(game: pyspiel.Game, simulations: int, seed: int) -> pyspiel.MCTSBot:
    evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
    return pyspiel.MCTSBot(game, evaluator, 2.0, simulations, 1000, True, seed, False)


def _random_games(game: str, seconds: float) -> float:
    loaded = load_game(game)
    compiled = fastest(loaded.compiled(loaded.variant(LARGE[game], loaded.for_random_play())))
    made, begin = 0, process_time()
    while process_time() < begin + seconds:
        seeds = range(made, made + CHUNK)
        for _ in compiled.engine.results_at_random(compiled.begin(), seeds, LONGEST):
            made += CHUNK
            break
    return made / (process_time() - begin)


def duels(matches: int) -> list[dict[str, object]]:
    """Matches of Connect Four at equal time; the first move goes round."""
    CLOCK.set(process_time)
    game, peer = load_game("connect_four"), pyspiel.load_game("connect_four")
    simulations = round(_simulations("connect_four", 2.0) * MOVE)
    parts: list[int] = []
    used = [0.0, 0.0]
    for number in range(matches):
        mine = number % 2
        match = Match.begin(game, game.variant(2), number)
        other, bot = peer.new_initial_state(), _peer(peer, simulations, number)
        while not match.state.over:
            begin, is_mine = process_time(), match.state.player == mine
            if is_mine:
                generator = bot_generator(number, match.decisions)
                option = decide(match.state, Effort(seconds=MOVE), generator)
                name = match.state.compiled.option_name(match.state.cells, option)
                action = int(name.removeprefix("drop(").removesuffix(")")) - 1
            else:
                action = bot.step(other)
                name = f"drop({action + 1})"
            used[not is_mine] += process_time() - begin
            match.choose(name)
            other.apply_action(action)
        parts.append(round(2 * match.state.shares[mine]))
    interval = mean_interval(matches, sum(parts), sum(part * part for part in parts))
    low, high = interval or (0.0, 2.0)
    return [
        {
            "game": "connect_four",
            "matches": matches,
            "simulations": simulations,
            "part": round(sum(parts) / matches / 2, 3),
            "from": round(max(0.0, low / 2), 3),
            "to": round(min(1.0, high / 2), 3),
            "time_ratio": round(used[0] / max(used[1], 1e-9), 2),
        }
    ]
