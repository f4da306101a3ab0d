"""Words of options and refusals that say more than the text of the rules file."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.interpreter.engines.engines import EngineName
from rulewright.interpreter.matches.game import load_game

GAME = """game "Stalls"
    players 2
player
    state coins: 0..9 = 6
open value price of p: Player (n: 1..3) at least 0 = n
play
    each player
        repeat 3 times
            choose one of
                option "at half the price"
                    do buy with me.price is 1
                do rent(2) with me.price(2) less 1
                option "pass"
        do buy_often
action buy(n in 1..3)
    let costs = me.price(n) + 1
    say "buy {n} for {costs}"
    pay costs from me.coins
action rent(n: 1..3)
    say "rent {n} for {me.price(n)}"
    limit 1 per game
    pay me.price(n) from me.coins
rule buy_often
    may do buy with me.price more 1
score of p
    item "coins" = p.coins
winner p by p.total then shared
"""


@pytest.mark.parametrize("engine", ["python", "reference"])
def test_words_show_the_values_of_this_call(tmp_path: Path, engine: EngineName) -> None:
    path = tmp_path / "stalls.game"
    path.write_text(GAME, encoding="utf-8")
    state = load_game(path).start(players=2, seed=1, engine=engine)

    def texts() -> list[str]:
        return [option.text for option in state.decision.options]

    assert texts() == ["at half the price", "rent 2 for 1", "pass"]
    state = state.choose("at_half_the_price")
    assert texts() == ["buy 1 for 2", "buy 2 for 2", "buy 3 for 2"]
    state = state.choose("buy(3)")
    state = state.choose("rent")
    assert state.decision.why("rent") == "this can be done 1 time per game"
    state = state.choose("pass")  # the second turn
    assert texts() == ["buy 1 for 3", "no"]


ACROSS = """game "Across"
    players 1
option last_stop = far_end, half_way
space Cell grid 3 by 3
kind Plan
    act: Action
    row retreat, step_back
play
    log "{last_stop}: {retreat.act}"
    each player
        surely do look
        do retreat.act
action look(side in Direction where side is north_east)
    say "look {side}"
    win me
action step_back
    log "back"
"""


def test_words_of_actions_directions_and_options_have_no_underscores(tmp_path: Path) -> None:
    path = tmp_path / "across.game"
    path.write_text(ACROSS, encoding="utf-8")
    state = load_game(path).start(players=1, seed=1)
    assert [line.text for line in state.log] == ["far end: step back"]
    assert [(option.name, option.text) for option in state.decision.options] == [
        ("look(north_east)", "look north east")
    ]
