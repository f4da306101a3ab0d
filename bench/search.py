"""The search of bots compared with OpenSpiel's in C++, in one run: trials per second. `duels` has matches at equal
time.

Time is the CPU time of this process, which uses one thread. A trial here plays `PLAYOUTS` random games to the end, a
trial of OpenSpiel plays one.
"""

from __future__ import annotations

from time import process_time

import pyspiel

from rulewright.interpreter.bots.search import Search
from rulewright.interpreter.engines.chance import Generator
from rulewright.interpreter.engines.kernels.search import PLAYOUTS
from rulewright.interpreter.matches.fastest import fastest
from rulewright.interpreter.matches.game import load_game
from rulewright.interpreter.matches.match import Match

PEERS = {"connect_four": "connect_four", "breakthrough": "breakthrough", "reversi": "othello"}
"""The games, with their names in OpenSpiel."""
LARGE = {"endeavor": 3, "equilibris": 2, "ginkgopolis": 2, "colonial": 2, "through_the_ages": 2}
TURNS = 5
"""The number of turns of each candidate."""
CHUNK = 20
SIMULATIONS = 2000
LONGEST = 2000


def search(seconds: float) -> list[dict[str, object]]:
    """For each game, the trials a second, and those of OpenSpiel or the random games in native code."""
    rows: list[dict[str, object]] = []
    for game in (*PEERS, *LARGE):
        ours = theirs = 0.0
        begun = Match.begin(load_game(game), load_game(game).variant(LARGE.get(game, 2)), 7)
        Search(begun.state, Generator.seeded(0)).look(CHUNK)  # generates native code
        for turn in range(TURNS):
            ours += _trials(begun, turn, seconds / TURNS / 2) / TURNS
            measure = simulations if game in PEERS else _random_games
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


def simulations(game: str, seconds: float) -> float:
    """The number of simulations a second of OpenSpiel's bot at the first decision."""
    loaded = pyspiel.load_game(PEERS[game])
    state, made, begin = loaded.new_initial_state(), 0, process_time()
    while process_time() < begin + seconds:
        peer(loaded, SIMULATIONS, made).step(state)
        made += SIMULATIONS
    return made / (process_time() - begin)


def peer(game: pyspiel.Game, simulations: int, seed: int) -> pyspiel.MCTSBot:
    """OpenSpiel's bot with random rollouts and this many simulations."""
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
