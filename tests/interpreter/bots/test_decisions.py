"""Decisions of the search without weights, with a number of trials and a seed, equal the recorded ones.

They were recorded from an earlier search in Python. Decisions in large games were equal, too; these are
not kept, because their rules still change. `python -m tests.interpreter.bots.test_decisions` records again.
"""

from __future__ import annotations

import json
from itertools import count
from pathlib import Path

import pytest

from rulewright.interpreter.bots.search import Search
from rulewright.interpreter.bots.trees import Trees
from rulewright.interpreter.bots.weights import using
from rulewright.interpreter.engines.chance import Generator
from rulewright.interpreter.engines.playouts import bot_generator
from rulewright.interpreter.matches.match import Match
from rulewright.interpreter.matches.state import State
from tests.games.variants import game_named

_RECORDED = Path(__file__).with_name("decisions.json")
_GAMES = {
    "tic_tac_toe": (2, 100, (0, 2, 5)),
    "connect_four": (2, 100, (0, 11, 24)),
    "breakthrough": (2, 60, (0, 40)),
    "reversi": (2, 60, (0, 30, 55)),
    "kalah": (2, 60, (0, 20)),
    "pig": (2, 60, (0, 10)),
    "foxglove": (3, 60, (0, 9)),
    "kuhn_poker": (2, 60, (0, 1)),
    "leduc_poker": (2, 60, (0, 2)),
    "love_letter": (2, 60, (0, 6)),
    "night_market": (2, 60, (0, 9)),
}
"""For each game: the players, the trials, and the decisions of a random match at which the bot chooses."""


def _searches() -> list[tuple[str, int]]:
    return [(game, place) for game, (_, _, places) in _GAMES.items() for place in places]


def _find_decision(game: str, players: int, place: int, seed: int) -> State | None:
    """The first decision with several options after this many decisions of a random match."""
    loaded = game_named(game)
    match = Match.begin(loaded, loaded.variant(players), seed)
    while not match.state.over:
        offered = match.state.option_ids
        if match.decisions >= place and len(offered) > 1:
            return match.state
        match.take(offered[bot_generator(seed, match.decisions).below(len(offered))])
    return None


def option_trials(game: str, place: int) -> list[tuple[int, int, float]]:
    """The options of a decision in a random match, each with its number of trials and its value."""
    players, trials, _ = _GAMES[game]
    state = next(
        found for seed in count(7) if (found := _find_decision(game, players, place, seed))
    )
    with using(None):
        search = Search(state, Generator.seeded(place))
    while search.playouts < trials and not search.settled:
        search.look()
    return [
        (option, taken, round(value, 6))
        for option, taken, value in Trees([search]).result().options
    ]


@pytest.mark.parametrize(("game", "place"), _searches())
def test_it_decides_as_it_was_recorded(game: str, place: int) -> None:
    recorded = json.loads(_RECORDED.read_text(encoding="utf-8"))
    assert [[*each] for each in option_trials(game, place)] == recorded[f"{game} {place}"]


if __name__ == "__main__":
    lines = [
        f'"{game} {place}": {json.dumps(option_trials(game, place))}' for game, place in _searches()
    ]
    _RECORDED.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
