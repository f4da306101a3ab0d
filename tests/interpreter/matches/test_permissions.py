"""The use of a standing permission answers no question: the open decision remains open before and after."""

from pathlib import Path
from typing import get_args

import pytest

from rulewright.interpreter.engines.engines import EngineName
from rulewright.interpreter.matches.game import Game, load_game
from rulewright.interpreter.matches.state import State

PLACES = """\
game "Places"
    players 2
space Place
    row here
    row there
    state owner: Player or nothing = nothing
player
    state coins: 0..9 = 1
action take_place(p in Place where p.owner is nothing)
    set p.owner to me
action give
    pay 1 from me.coins
    add 1 to me.left.coins
anytime give during turn
rule turn
    choose one of
        option "take a place"
            log "{me} looks for a place"
            do take_place
        option "pass"
play
    repeat 5 times
        each player
            do turn
score of p
    item "places" = count(q in Place where q.owner is p)
winner p by p.total then shared
"""

SPENT = """\
game "Spent"
    players 2
player
    state coins: 0..9 = 3
action give
    pay 1 from me.coins
    add 1 to me.left.coins
action lend(n in 1..2)
    choose p in players where p is not me
    pay n from me.coins
    add n to p.coins
anytime give during turn
anytime lend during turn where me.coins > 1
rule turn
    if me.coins > 0
        choose n in 1..me.coins
        lose n from me.coins
play
    repeat 3 times
        each player
            do turn
score of p
    item "coins" = p.coins
winner p by p.total then shared
"""

TESTED_BEFORE = """
game "Tested before"
    players 2
player
    state coins: 0..9 = 1
    state points: 0..9
play
    each player
        do turn
rule turn
    if me.coins > 0
        choose one of
            option "buy"
                lose 1 from me.coins
                add 1 to me.points
            option "rest"
action give
    pay 1 from me.coins
    add 1 to me.left.coins
anytime give during turn
score of p
    item "coins" = p.coins
winner p by p.total then shared
"""

ENDED = """
game "Ended"
    players 2
player
    state coins: 0..9 = 2
    state owed: 0..9 = 2
action repay(n in 1..2)
    pay n from me.coins
    pay n from me.owed
    if me.owed is 0
        end game
anytime repay during turn
rule turn
    surely choose one of
        option "buy"
            pay 2 from me.coins
play
    each player
        do turn
score of p
    item "coins" = p.coins
winner p by p.total then shared
"""

engines = pytest.mark.parametrize("engine", get_args(EngineName))


def _game(tmp_path: Path, text: str) -> Game:
    path = tmp_path / "tried.game"
    path.write_text(text)
    return load_game(path)


def _choose(state: State, *names: str) -> State:
    for name in names:
        state = state.choose(name)
    return state


@engines
def test_a_permission_makes_nothing_possible(engine: EngineName, tmp_path: Path) -> None:
    state = _game(tmp_path, PLACES).start(engine=engine)
    assert state.decision.names == ["take_a_place", "pass", "give"]
    state = _choose(state, "take_a_place", "take_place(here)", "take_a_place", "take_place(there)")
    # The first player has a coin to give, and no place is left.
    assert state.decision.names == ["pass", "give"]
    assert state.decision.why("take_a_place") == "there is nothing to choose: take_place"


@engines
def test_anytime_actions_keep_the_open_decision_possible(
    engine: EngineName, tmp_path: Path
) -> None:
    state = _game(tmp_path, SPENT).start(engine=engine)
    assert state.decision.names == ["1", "2", "3", "give", "lend(1)", "lend(2)"]
    state = _choose(state, "lend(1)", "seat_2", "give")
    # If the last coin were given away, no option would remain.
    assert state.decision.names == ["1"]


@engines
def test_random_plays_end_without_a_fault(engine: EngineName, tmp_path: Path) -> None:
    for text in (PLACES, SPENT):
        game = _game(tmp_path, text)
        assert all(state.over for state in game.playouts(range(20), engine=engine))


@engines
def test_conditions_tested_before_a_decision_may_end(engine: EngineName, tmp_path: Path) -> None:
    state = _game(tmp_path, TESTED_BEFORE).start(engine=engine)
    assert [score.total for score in _choose(state, "give", "buy").scores] == [0, 2]


@engines
def test_an_option_that_ends_the_game_leaves_nothing_open(
    engine: EngineName, tmp_path: Path
) -> None:
    state = _game(tmp_path, ENDED).start(engine=engine)
    # After one repayment no answer remains: the permission to repay the other does not count.
    assert state.decision.names == ["buy", "repay(2)"]
    assert _choose(state, "repay(2)").over
