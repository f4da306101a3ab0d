"""`check` plays a fixed number of random decisions, and shows the match that leads to a fault."""

from __future__ import annotations

from pathlib import Path

from rulewright.cli.exits import Exit
from tests.cli.conftest import Command, command

__all__ = ["command"]

FAULTY = """game "Debts"
    players 2

player
    state coins: 0..9 = 3

play
    repeat 5 times
        each player
            choose one of
                option "spend"
                    lose 1 from me.coins
                option "keep"
            if me.coins is 0
                surely pay 1 from me.coins

score of p
    item "coins" = p.coins

winner p by p.total then shared
"""


def test_a_fault_is_shown_with_the_play_that_leads_to_it(command: Command) -> None:
    Path("debts.game").write_text(FAULTY)
    ran = command("check", "debts.game")
    assert ran.code == Exit.PROBLEMS
    assert ran.out.startswith("error[surely-not]: ")
    assert "surely pay 1 from me.coins" in ran.out
    assert "2 players, seed " in ran.out
    assert "plays spend" in ran.out
    assert command("check", "debts.game") == ran


def test_check_without_plays_reports_no_fault(command: Command) -> None:
    Path("debts.game").write_text(FAULTY)
    assert command("check", "debts.game", "--plays", "0").code == Exit.FINE
    # a successful check without playouts does not count as one with playouts
    assert command("check", "debts.game").code == Exit.PROBLEMS


def test_check_plays_with_the_number_of_players_asked_for(command: Command) -> None:
    Path("debts.game").write_text(FAULTY)
    assert command("check", "debts.game", "--players", "2").code == Exit.PROBLEMS
    assert command("check", "debts.game", "--players", "2", "--plays", "0").code == Exit.FINE
