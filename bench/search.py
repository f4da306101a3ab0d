"""The search of bots compared with OpenSpiel's in C++, in one run: trials per second. `duels` has matches at equal
time.

Time is the CPU time of this process, which uses one thread. A trial of OpenSpiel plays one random game to the end. A
trial here plays as many as in a search with a time limit: one if only victory counts and nothing is hidden, or else
three.
"""

from __future__ import annotations

from time import process_time

import pyspiel

from rulewright.interpreter.bots.search import Search
from rulewright.interpreter.engines.chance import Generator
from rulewright.interpreter.matches.fastest import fastest
from rulewright.interpreter.matches.game import first_state, load_game
from rulewright.interpreter.matches.match import Match

PEERS = {"connect_four": "connect_four", "breakthrough": "breakthrough", "reversi": "othello"}
"""The games, with their names in OpenSpiel."""
LARGE = {"endeavor": 3, "equilibris": 2, "ginkgopolis": 2, "colonial": 2, "through_the_ages": 2}
TURNS = 5
"""The number of turns of each candidate."""
CHUNK = 20
LOOKS = 200
"""The number of trials between two readings of the clock."""
LATER = 40
"""A sample is drawn after this many random decisions."""
SIMULATIONS = 20_000
"""The size of a tree. Larger trees are slower, so all have the same."""
LONGEST = 2000


def search(seconds: float) -> list[dict[str, object]]:
    """For each game, the trials a second, and those of OpenSpiel or the random games in native code."""
    rows: list[dict[str, object]] = []
    for game in (*PEERS, *LARGE):
        ours = careful = theirs = 0.0
        begun = Match.begin(load_game(game), load_game(game).variant(LARGE.get(game, 2)), 7)
        one = _search(begun, 0)
        one.look(CHUNK)  # generates native code
        for turn in range(TURNS):
            ours += _trials(begun, turn, seconds / TURNS / 2, careful=False) / TURNS
            if one.tree.careful:
                careful += _trials(begun, turn, seconds / TURNS / 2, careful=True) / TURNS
            measure = simulations if game in PEERS else _random_games
            theirs += measure(game, seconds / TURNS / 2) / TURNS
        rows.append(
            {
                "game": game,
                "trials_a_second": round(ours),
                "games_a_second": round(ours * one.tree.rollouts),
                "beside": "OpenSpiel" if game in PEERS else "random games",
                "its_games_a_second": round(theirs),
                "games_ratio": round(ours * one.tree.rollouts / theirs, 2),
                "careful_trials": round(careful) or None,
                "milliseconds_a_sample": _sample(begun, seconds / TURNS),
            }
        )
    return rows


def _search(begun: Match, seed: int) -> Search:
    found = Search(begun.state, Generator.seeded(seed))
    found.hurry(lambda: 0.0)
    return found


def _trials(begun: Match, seed: int, seconds: float, *, careful: bool) -> float:
    """The number of trials a second; those of bots are careful in some games."""
    made, begin = 0, process_time()
    while process_time() < begin + seconds:
        found = _search(begun, seed + made)
        found.tree.careful = int(careful)
        while found.playouts < SIMULATIONS and process_time() < begin + seconds:
            found.look(LOOKS)
        made += found.playouts
    return made / (process_time() - begin)


def _sample(begun: Match, seconds: float) -> float | None:
    """The milliseconds of CPU time that a sample of hidden things takes, in the middle of a match."""
    compiled, generator = begun.state.compiled, Generator.seeded(1)
    if not compiled.viewer.has_secrets:
        return None
    state = first_state(compiled, 7, remember=True)
    for _ in range(LATER):
        state = state.take(state.option_ids[generator.below(len(state.option_ids))])
    found = Search(state, generator)
    drawn, begin = 0, process_time()
    while process_time() < begin + seconds:
        found.sample()
        drawn += 1
    return round(1000 * (process_time() - begin) / drawn, 3)


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
