"""Through the Ages in random matches: in each mode matches end, nothing is lost, and the engines agree.

Nobody resigns in these matches (bots would at once), so they reach the last age: Age IV, or Age III in the game with
two ages.
"""

from __future__ import annotations

import re
from collections import Counter

import pytest

from rulewright.dsl import ir
from rulewright.interpreter.matches.game import Game, playout
from rulewright.interpreter.matches.match import Match
from rulewright.interpreter.matches.state import State
from rulewright.interpreter.simulation.simulation import play_on
from rulewright.interpreter.testing.leak_search import search
from rulewright.interpreter.views.view import EVERYBODY
from tests.games.sound import assert_sound, broken_invariants
from tests.games.variants import game_named
from tests.interpreter.lockstep import Runners, lockstep

MODES = ("full", "first_game", "shorter", "peaceful", "peaceful_with_pacts")
FAST = (3, "shorter", "yes")
"""The setting with the fewest decisions, and with the additional events; `make deep` plays all."""
EVERY = [(n, mode, conflict) for n in (2, 3, 4) for mode in MODES for conflict in ("no", "yes")]
LONGEST = 3000
CULTURE = re.compile(r"(player \d) (scores|loses) (\d+) culture")
LAST_AGE = {
    "full": "iv",
    "first_game": "iii",
    "shorter": "iii",
    "peaceful": "iv",
    "peaceful_with_pacts": "iv",
}
SECRETS = (
    *((n, {"mode": "full"}) for n in (2, 3, 4)),
    *((n, {"mode": "shorter", "global_conflict": "yes"}) for n in (2, 3, 4)),
    (3, {"mode": "peaceful"}),
    (4, {"mode": "peaceful_with_pacts"}),
    (2, {"mode": "first_game"}),
    (3, {"mode": "full", "resigning": "yes"}),
)


@pytest.fixture(scope="module")
def game() -> Game:
    return game_named("through_the_ages")


def check_games(game: Game, players: int, mode: str, conflict: str, seeds: range) -> None:
    options = {"mode": mode, "global_conflict": conflict, "resigning": "no"}
    compiled = game.compiled(game.variant(players, options), "native")
    for seed in seeds:
        state = playout(compiled, seed, LONGEST)
        assert state.over, seed
        assert age_of(state) == LAST_AGE[mode]
        assert state.winners
        assert broken_invariants(state) == []
        assert_sound(state)
        assert all(score.total >= 0 for score in state.scores)


def age_of(state: State) -> object:
    (found,) = (one.value for one in state.view(EVERYBODY).values if one.place.name == "age")
    return found


@pytest.mark.slow
def test_games_end(game: Game) -> None:
    check_games(game, *FAST, range(2))


@pytest.mark.deep
@pytest.mark.parametrize(("players", "mode", "conflict"), EVERY)
def test_a_thousand_games_end(game: Game, players: int, mode: str, conflict: str) -> None:
    check_games(game, players, mode, conflict, range(1000))


@pytest.mark.slow
def test_the_engines_are_in_step(game: Game) -> None:
    runners = Runners(game.program(game.variant(3, {"mode": "full", "resigning": "no"})))
    played = lockstep(runners, 1, 40, refusals=True)
    assert played.fault is None
    assert not played.cells[ir.OVER]
    assert runners.native.handed_over == 0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("players", "mode"), [(2, "full"), pytest.param(4, "shorter", marks=pytest.mark.deep)]
)
def test_the_log_tells_all_culture(game: Game, players: int, mode: str) -> None:
    variant = game.variant(players, {"mode": mode, "global_conflict": "yes", "resigning": "no"})
    match = Match.begin(game, variant, 1)
    play_on(match, ["random"] * players)
    counted: Counter[str] = Counter()
    for state in match.states:
        for line in state.log:
            for player, verb, amount in CULTURE.findall(line.text):
                counted[player] += int(amount) if verb == "scores" else -int(amount)
    culture = {score.name: dict(score.items)["culture"] for score in match.state.scores}
    assert culture == {name: counted[name] for name in match.state.players}
    assert any(culture.values())


@pytest.mark.deep
@pytest.mark.parametrize(("players", "options"), SECRETS, ids=str)
def test_nobody_learns_what_is_hidden(game: Game, players: int, options: dict[str, str]) -> None:
    """Hands, decks, prepared events, and the events that are dealt in the shorter game."""
    variant = game.variant(players, {"resigning": "no", **options})
    findings = search(game, variant, range(2), pairs=10)
    assert findings.has_secrets
    assert findings.found == {}
