"""Endless loops are refused, and loops that may end are accepted: the smallest game of each kind."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.dsl.loading.loading import load

HEAD = """game "L"
    players 2
token cube
piece Card
    rank: 1..9
    row one, 1
    row two, 2
zone deck: pile of Card
zone gone: pile of Card
zone bank: tokens of cube = 10
state counter: 0..10
state flag: Flag
state other: 0..10
player
    state coins: 0..9
    zone purse: tokens of cube
setup
    move all from Card to deck
"""
TAIL = """
score of p
    item "coins" = p.coins
winner p by p.total then shared
"""

ENDLESS = {
    "a loop whose only change was taken out": """
play
    repeat until deck is empty
        each player where deck is not empty
            if me.coins > 3
                win me
                end game
""",
    "a choice that changes something else": """
play
    repeat until counter is 10
        each player
            choose one of
                option "wait"
                    add 1 to me.coins
""",
    "a stop that leaves an inner loop": """
play
    repeat
        each player
            choose one of
                option "a"
                    stop
                option "b"
                    add 1 to me.coins
""",
    "winning does not end the game": """
play
    repeat
        each player
            choose one of
                option "a"
                    win me
                option "b"
                    add 1 to me.coins
""",
    "through local names, something else changed": """
play
    repeat
        let sum_of = counter + 1
        let enough = sum_of > 5
        if enough
            stop
        add 1 to other
""",
    "through a state that does not change": """
play
    repeat while flag
        set counter to other
        do helper
rule helper
    add 1 to counter
""",
    "an end in a rule, something else changed": """
play
    repeat
        do helper
rule helper
    add 1 to other
    if counter is 10
        end game
""",
    "a condition that always holds": """
play
    repeat while yes
        add 1 to counter
""",
    "a skip before the end": """
play
    repeat
        if flag
            skip
        stop
""",
}

ENDING = {
    "an end that is chosen": """
play
    repeat
        each player
            choose one of
                option "a"
                    end game
                option "b"
                    add 1 to me.coins
""",
    "chance decides": """
play
    repeat
        roll face in 1..6
        if face is 6
            stop
    each player
        choose n in 1..3
        add n to me.coins
""",
    "through local names": """
play
    repeat
        let sum_of = counter + 1
        let enough = sum_of > 5
        if enough
            stop
        add 1 to counter
""",
    "through several states": """
play
    repeat until flag
        set flag to counter > 5
        set counter to other
        add 1 to other
""",
    "an end in a rule": """
play
    repeat
        do helper
rule helper
    add 1 to counter
    if counter is 10
        end game
""",
    "an end in a rule that is given what changes": """
play
    repeat
        do helper(other)
        add 1 to other
rule helper(n: 0..10)
    if n is 10
        end game
""",
    "an end in a trigger": """
play
    repeat
        add 1 to other
whenever other is 8
    end game
""",
    "a trigger changes what is waited for": """
play
    repeat until flag
        add 1 to other
whenever other is 8
    set flag to yes
""",
    "an action moves what is waited for": """
play
    repeat until deck is empty
        each player where deck is not empty
            surely do take
action take(card in deck)
    move card to gone
""",
    "until an action is not possible": """
play
    each player
        repeat while possible(take)
            surely do take
action take
    pay 1 from counter
    move 1 from deck to gone
""",
    "until steps are not possible": """
play
    repeat
        if possible
            move 1 from deck to gone
        otherwise
            stop
""",
    "the score is waited for": """
play
    repeat until any(p in players where p.total > 4)
        each player
            choose n in 1..3
            add n to me.coins
""",
    "until one player is left": """
play
    repeat until players.size is 1
        each player
            choose one of
                option "go on" where me.coins < 9
                    add 1 to me.coins
                option "leave"
                    eliminate me
""",
    "an end that nothing stands before": """
play
    repeat
        add 1 to counter
        stop
""",
    "a place is waited for": """
play
    repeat until one.position is 2
        move one to gone
        move two to gone
""",
    "a local name is changed": """
play
    let n: 0..9 = 0
    repeat until n > 7
        add 1 to n
""",
    "an end in an inner loop": """
play
    repeat
        for each c in deck where c.rank > 1
            stop
        for each c in gone
            end game
        move all from deck to gone
""",
    "a choice decides": """
play
    each player
        repeat
            choose n in 0..3
            if n is 0
                stop
            add n to me.coins
""",
    "what hangs on a rule changes what is waited for": """
play
    repeat until counter is 4
        do helper
rule helper
    add 1 to other
after helper
    add 1 to counter
""",
    "a move sets off what changes": """
play
    repeat until counter is 4
        do helper
rule helper
    move all from deck to gone
    move all from gone to deck
whenever card enters gone
    add card.rank to counter
""",
}


def codes(play: str, folder: Path) -> set[str]:
    path = folder / "loop.game"
    path.write_text(HEAD + play + TAIL, encoding="utf-8")
    return {problem.code for problem in load(path).check()} - {"unused-name"}


@pytest.mark.parametrize("name", ENDLESS)
def test_endless_loops_are_refused(name: str, tmp_path: Path) -> None:
    assert codes(ENDLESS[name], tmp_path) == {"endless-loop"}


@pytest.mark.parametrize("name", ENDING)
def test_loops_that_end_are_accepted(name: str, tmp_path: Path) -> None:
    assert codes(ENDING[name], tmp_path) == set()


PASSING = {
    "where all may wait": """
play
    repeat until counter is 10
        each player
            choose one of
                option "count"
                    add 1 to counter
                option "wait"  # !
""",
    "where only one may leave": """
play
    repeat until players.size is 1
        each player
            choose one of
                option "go on"  # !
                option "leave"
                    eliminate me
""",
    "where a rule asks": """
play
    repeat
        each player
            do turn
        if counter is 10
            end game
rule turn
    add 1 to me.coins
    choose one of
        option "count"
            add 1 to counter
        option "wait"  # !
            log "{me} waits"
""",
    "where what is set off changes nothing": """
play
    repeat
        each player
            choose one of
                option "count"
                    add 1 to counter
                option "earn"  # !
                    add 1 to me.coins
whenever any(p in players where p.coins > 3)
    log "rich"
whenever counter is 10
    end game
""",
}
COUNTED = {
    "where an end can be chosen": """
play
    repeat
        each player
            choose one of
                option "end"
                    end game
                option "wait"
""",
    "where waiting is counted": """
play
    repeat until counter is 10 or other is 2
        each player
            choose one of
                option "count"
                    add 1 to counter
                option "wait" where other < 2
                    add 1 to other
""",
    "where waiting cannot always be chosen": """
play
    repeat until counter is 10
        each player
            choose one of
                option "count"
                    add 1 to counter
                option "wait" where me.coins > 0
                    lose 1 from me.coins
""",
    "where each turn brings the end nearer": """
play
    repeat until deck is empty
        each player
            choose one of
                option "count"
                    add 1 to counter
                option "wait"
        move up to 1 from deck to gone
""",
    "where chance may end it": """
play
    repeat
        each player
            choose one of
                option "count"
                    add 1 to counter
                option "wait"
        roll n in 1..6
        if n is 6
            end game
""",
    "where what is set off brings the end nearer": """
play
    repeat until counter is 10
        each player
            choose one of
                option "count"
                    add 1 to counter
                option "earn"
                    add 1 to me.coins
whenever any(p in players where p.coins > 3)
    add 1 to counter
""",
}


@pytest.mark.parametrize("name", [*PASSING, *COUNTED])
def test_a_loop_in_which_all_may_pass_is_a_warning(tmp_path: Path, name: str) -> None:
    play = PASSING.get(name) or COUNTED[name]
    path = tmp_path / "loop.game"
    path.write_text(HEAD + play + TAIL, encoding="utf-8")
    found = [problem for problem in load(path).check() if problem.code == "endless-loop"]
    assert [problem.severity.value for problem in found] == ["warning"] * (name in PASSING)
    for problem in found:
        lines = (HEAD + play).split("\n")
        assert [lines[label.span.line - 1][-1] for label in problem.labels] == ["!"]
