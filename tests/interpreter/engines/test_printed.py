"""Values that the compiler computes in advance equal those of the reference interpreter."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from rulewright.dsl.loading.confinement import Reach
from rulewright.dsl.loading.loading import load
from rulewright.dsl.lowering.emit.printed import printed_value
from rulewright.interpreter.engines.reference import Reference
from rulewright.interpreter.matches.library import find_game
from tests.games.variants import EVERY_GAME, game_named, variants

LEAST = {"night_market": 1, "ginkgopolis": 8}


@pytest.mark.parametrize("name", EVERY_GAME)
def test_procedures_without_parameters(name: str) -> None:
    game = game_named(name)
    program = game.program(next(variants(game)))
    reference = Reference(program)
    cells = reference.start()
    found = 0
    for number, procedure in enumerate(program.plain):
        if procedure.parameters:
            continue
        value = printed_value(program, number)
        if value is None:
            continue
        found += 1
        assert value == reference.value(cells, number, ())
    assert found >= LEAST.get(name, 0)


def test_a_row_that_is_missing_breaks_an_invariant(tmp_path: Path) -> None:
    path = find_game("equilibris")
    for table in path.parent.glob("*.csv"):
        shutil.copy(table, tmp_path)
    grid = tmp_path / "politics_grid.csv"
    grid.write_text("".join(grid.read_text("utf-8").splitlines(keepends=True)[:-1]), "utf-8")
    assert {problem.code for problem in load(path, reach=Reach(tmp_path)).check()} == {
        "invariant-broken"
    }


SHARES = """game "Shares"
    players 2
invariant "what is printed" = {asked}
play
    each player
        choose one of
            option "a"
                log "a"
            option "b"
                log "b"
score of p
    item "all" = 1
winner p by p.total then shared
"""


@pytest.mark.parametrize(
    ("asked", "note"),
    [
        ("sum(n in 1..3: 6 / n) is 11", ""),
        ("sum(n in 1..3: 6 / n) is 12", "`sum(n in 1..3: 6 / n)` is 11"),
        ("sum(n in 1..3: mod(n, 2)) is 3", "`sum(n in 1..3: mod(n, 2))` is 2"),
        ("count(n in 1..5 where not n > 2 or n is 4) is 4", "is 3"),
        ("count(n in 1..5 where n > 2 and n < 5) is 3", "is 2"),
        ("largest(n in 1..5: if n > 3 then 0 - n else n) is 5", "is 3"),
    ],
)
def test_numbers_in_loops(tmp_path: Path, asked: str, note: str) -> None:
    path = tmp_path / "shares.game"
    path.write_text(SHARES.format(asked=asked), encoding="utf-8")
    found = [each for problem in load(path).check() for each in problem.notes]
    assert [each.endswith(note) for each in found] == [True] * bool(note)


COUNTED = """game "Counted"
    players 2
value below(limit: 1..5, least: 1..5) = count(n in least..5 where n < limit)
invariant "three" = below(4, 1) is 3
invariant "again" = below(4, 1) + below(4, 1) is 6
invariant "the other way round" = below(1, 4) is 0
invariant "less" = below(4, 2) is {asked}
play
    each player
        choose one of
            option "a"
                log "a"
            option "b"
                log "b"
score of p
    item "all" = 1
winner p by p.total then shared
"""


@pytest.mark.parametrize(("asked", "wrong"), [(2, []), (3, ["`below(4, 2)` is 2"])])
def test_loops_with_arguments_are_worked_out_for_each(
    tmp_path: Path, asked: int, wrong: list[str]
) -> None:
    path = tmp_path / "counted.game"
    path.write_text(COUNTED.format(asked=asked), encoding="utf-8")
    assert [note for problem in load(path).check() for note in problem.notes] == wrong
