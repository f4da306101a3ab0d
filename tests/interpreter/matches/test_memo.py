"""Lines written from the notes of native code equal those of the records of the matches."""

from pathlib import Path

import pytest

from rulewright import load_game
from rulewright.dsl.loading.loading import load
from rulewright.interpreter.matches.game import Game, Variant, game_of, results_of
from rulewright.interpreter.matches.playout_records import Lines
from rulewright.interpreter.matches.recorded_playouts import record_playout
from rulewright.interpreter.matches.records import parse_records
from rulewright.interpreter.simulation.simulation import simulate

SORTS = """\
game "Sörts"
    players 2
piece Card
    copies = 2
    row cafe
    row tea
    row low
zone deck: pile of Card, seen by nobody except size
player
    zone hand: set of Card, seen by owner except size
    state points: 0..99
setup
    move all from Card to deck
    shuffle deck
    each player
        surely move 2 from deck to me.hand
play
    repeat 3 times
        each player
            roll n in 3..5
            let odd = list(m in 1..n where mod(m, 2) is 1)
            roll pick in odd
            choose one of
                option "keep {c}" for c in me.hand
                    add pick to me.points
                option "guess {c}" for c in Card
                    add n to me.points
                option "pass"
        shuffle deck
score of p
    item "pöints" = p.points
winner p by p.total then shared
"""


def same(game: Game, variant: Variant, longest: int = 10_000) -> None:
    compiled = game.compiled(variant, "native")
    lines = Lines.of(game, variant, compiled)
    assert lines is not None
    (ends,) = results_of(compiled, compiled.begin(), range(5), longest, 1)
    for seed in range(5):
        line = lines.line(seed, longest, ends, seed)
        _, record = record_playout(game, variant, compiled, seed, longest, [])
        assert line is not None
        assert line == record.to_line()
        (read,) = parse_records(line, "line")
        assert read.is_whole
        assert (read.result is None) == (ends.over[seed] == 0)


@pytest.mark.parametrize("name", ["connect_four", "love_letter", "pig", "leduc_poker"])
def test_noted_states_equal_fresh_ones(name: str) -> None:
    game = load_game(name)
    same(game, game.variant())


@pytest.mark.parametrize("longest", [10_000, 3, 0])
def test_names_that_are_not_ascii_copies_and_lists(longest: int, tmp_path: Path) -> None:
    path = tmp_path / "sorts.game"
    path.write_text(SORTS, encoding="utf-8")
    rules = load(path)
    assert rules.check() == ()
    game = game_of("sorts", rules)
    same(game, game.variant(), longest)


def test_simulated_plays_are_the_same_on_all_engines() -> None:
    game = load_game("love_letter")
    variant = game.variant()
    seats = ("random",) * variant.players
    native: list[str] = []
    python: list[str] = []
    fast = simulate(game, variant, seats, range(8), "native", on_line=native.append)
    slow = simulate(game, variant, seats, range(8), "python", on_line=python.append)
    assert native == python
    assert fast == slow
