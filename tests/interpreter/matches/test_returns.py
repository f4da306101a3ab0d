"""The returns of an end are the same for bots, learners and callers of a state."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright import load_game
from rulewright.interpreter.bots.search import Search
from rulewright.interpreter.bots.simple import choose_at_random
from rulewright.interpreter.bots.trees import Trees
from rulewright.interpreter.engines.chance import Generator
from rulewright.interpreter.engines.engines import engine_names
from rulewright.interpreter.engines.playouts import bot_generator
from rulewright.interpreter.matches.game import first_state
from rulewright.interpreter.matches.returns import leads_of
from rulewright.interpreter.matches.state import State

ENDS = """game "Ends"
    players {players}
{sides}

player
    state wins: 0..1

play
    each player
        choose one of
            option "win"
                set me.wins to 1
            option "keep"

score of p
    item "seat" = p.number

winner p by p.wins then shared
"""
PAIRS = """
kind Pair = odd, even
side of p: Pair = if mod(p.number, 2) is 1 then odd else even
"""
ONE_AGAINST_ALL = """
kind Part = hunter, hunted
side of p: Part = if p.number is 1 then hunted else hunter
"""
TOGETHER = """
kind Crew = crew
side of p: Crew = crew
"""


def _end(path: Path, players: int, sides: str, winning: tuple[int, ...], then: str = "") -> State:
    text = ENDS.format(players=players, sides=sides)
    path.write_text(text.replace(" then shared", then) if then else text, encoding="utf-8")
    state = load_game(path).start()
    assert state.shares == state.returns() == state.returns("points") == [0.0] * players
    for seat in range(players):
        state = state.choose("win" if seat in winning else "keep")
    assert state.over
    return state


@pytest.mark.parametrize(
    ("players", "sides", "winning", "shares", "returns"),
    [
        (2, "", (0,), [1, 0], [1, -1]),
        (3, "", (1,), [0, 1, 0], [-1 / 2, 1, -1 / 2]),
        (4, "", (0, 1), [1 / 2, 1 / 2, 0, 0], [1 / 3, 1 / 3, -1 / 3, -1 / 3]),
        (3, "", (0, 1, 2), [1 / 3, 1 / 3, 1 / 3], [0, 0, 0]),
        (4, PAIRS, (0, 2), [1, 0, 1, 0], [1, -1, 1, -1]),
        (4, PAIRS, (0, 1, 2, 3), [1 / 2] * 4, [0] * 4),
        (4, ONE_AGAINST_ALL, (0,), [1, 0, 0, 0], [1, -1 / 3, -1 / 3, -1 / 3]),
        (4, ONE_AGAINST_ALL, (1, 2, 3), [0, 1, 1, 1], [-1, 1 / 3, 1 / 3, 1 / 3]),
        (4, ONE_AGAINST_ALL, (0, 1, 2, 3), [1 / 2] * 4, [0] * 4),
        (2, TOGETHER, (0, 1), [1, 1], [1, 1]),
    ],
)
def test_the_victory_is_parted(
    tmp_path: Path,
    players: int,
    sides: str,
    winning: tuple[int, ...],
    shares: list[float],
    returns: list[float],
) -> None:
    state = _end(tmp_path / "ends.game", players, sides, winning)
    assert state.winners == winning
    assert state.shares == pytest.approx(shares)
    assert state.returns() == pytest.approx(returns)


@pytest.mark.parametrize(
    ("players", "sides", "shares"),
    [(3, "", [1 / 3] * 3), (4, ONE_AGAINST_ALL, [1 / 2] * 4)],
)
def test_a_draw_without_winners(
    tmp_path: Path, players: int, sides: str, shares: list[float]
) -> None:
    state = _end(tmp_path / "ends.game", players, sides, (), " ")
    assert state.winners == ()
    assert state.shares == pytest.approx(shares)
    assert state.returns() == pytest.approx([0.0] * players)


def test_points_count_from_their_mean_unless_all_play_together(tmp_path: Path) -> None:
    assert _end(tmp_path / "ends.game", 3, "", (0,)).returns("points") == [-1, 0, 1]
    assert _end(tmp_path / "ends.game", 2, TOGETHER, ()).returns("points") == [1, 2]


ALONE = """game "Alone"
    players 1

play
    each player
        choose one of
            option "win"
                win me
            option "keep"
"""


def test_one_alone_wins_or_does_not(tmp_path: Path) -> None:
    path = tmp_path / "alone.game"
    path.write_text(ALONE, encoding="utf-8")
    won, kept = (load_game(path).start().choose(name) for name in ("win", "keep"))
    assert won.shares == won.returns() == [1.0]
    assert kept.shares == kept.returns() == [0.0]


def test_bots_go_by_the_same_parts(tmp_path: Path) -> None:
    """The last player to choose wins with its side, or shares the victory with the other side."""
    path = tmp_path / "ends.game"
    path.write_text(ENDS.format(players=4, sides=PAIRS), encoding="utf-8")
    state = load_game(path).start()
    for _ in range(3):
        state = state.choose("keep")
    search = Search(state, Generator.seeded(1))
    search.look(40)
    names = {
        state.compiled.option_name(state.cells, o): v
        for o, _, v in Trees([search]).result().options
    }
    assert names["win"] > 0.8
    assert 0.3 < names["keep"] < 0.6


@pytest.mark.parametrize("name", ["kalah", "leduc_poker", "night_market"])
def test_points_of_all_seats_are_the_sums_of_their_items(name: str) -> None:
    """On every engine, also before the end."""
    game = load_game(name)
    for engine in engine_names():
        state = first_state(game.compiled(game.variant(), engine), 3)
        for made in range(12):
            totals = [score.total for score in state.scores]
            assert state.compiled.totals(state.cells) == totals
            if state.over:
                break
            state = state.take(choose_at_random(state, bot_generator(3, made)))


@pytest.mark.parametrize(
    ("sides", "totals", "leads"),
    [
        ("abc", [5, 3, 9], [-4, -6, 4]),
        ("abab", [1, 2, 3, 4], [-2, 2, -2, 2]),
        ("abbb", [9, 1, 2, 3], [3, -3, -3, -3]),
        ("aa", [4, 5], [9, 9]),
    ],
)
def test_a_lead_is_that_of_a_side(sides: str, totals: list[int], leads: list[int]) -> None:
    assert leads_of(sides, totals) == leads
