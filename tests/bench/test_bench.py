"""The benchmarks run, here with numbers too small to measure anything."""

from __future__ import annotations

import json
from math import sqrt

import pytest

from bench.__main__ import TITLES, main
from bench.generated import long_fair
from bench.peers import WHO, Tally, peers
from bench.playouts import winner
from rulewright.interpreter.engines.engines import EngineName, engine_names
from rulewright.interpreter.matches.game import load_game, playout

pytestmark = pytest.mark.slow


def bench_rows(
    capsys: pytest.CaptureFixture[str], *arguments: str
) -> dict[str, list[dict[str, object]]]:
    assert main([*arguments, "--seconds", "0.001", "--format", "json"]) == 0
    found: dict[str, list[dict[str, object]]] = json.loads(capsys.readouterr().out)
    return found


def test_playouts_have_outcomes_and_shares(capsys: pytest.CaptureFixture[str]) -> None:
    rows = bench_rows(capsys, "playouts")["playouts"]
    assert {row["game"] for row in rows} == {"connect_four", "breakthrough", "reversi"}
    for row in rows:
        shares = [row[who] for who in ("first", "second", "draw")]
        assert sum(share for share in shares if isinstance(share, float)) == pytest.approx(
            1, abs=1e-3
        )


@pytest.mark.parametrize(
    "name",
    [
        "connect_four",
        *(pytest.param(name, marks=pytest.mark.deep) for name in ("breakthrough", "reversi")),
    ],
)
def test_peers_play_the_same_games(name: str) -> None:
    """The shares of victories and the lengths are the same as ours, except for chance."""
    game, plays = load_game(name), 3000
    engine: EngineName = "native" if "native" in engine_names() else "python"
    compiled = game.compiled(game.variant(), engine)
    ours = Tally()
    for seed in range(plays):
        counts: list[int] = []
        ours.outcomes[winner(playout(compiled, seed, None, counts).winners)] += 1
        ours.decisions += len(counts)
    for peer, play in peers(name):
        theirs, number = Tally(), 0
        while theirs.outcomes.total() < plays:
            play(theirs, number)
            number += 1
        games = theirs.outcomes.total()
        for who in WHO:
            off = theirs.outcomes[who] / games - ours.outcomes[who] / plays
            assert abs(off) < 4 * sqrt(0.5 / plays), (peer, who)
        assert theirs.decisions / games == pytest.approx(ours.decisions / plays, rel=0.03), peer


def test_results_are_counted_in_decisions(capsys: pytest.CaptureFixture[str]) -> None:
    rows = bench_rows(capsys, "results", "--games", "kalah", "tic_tac_toe")["results"]
    assert [row["game"] for row in rows] == ["kalah", "tic_tac_toe"]
    for row in rows:
        rate = row["decisions_per_second"]
        assert isinstance(rate, int)
        assert rate > 0


@pytest.mark.deep
def test_large_games_are_counted_in_games_of_connect_four(
    capsys: pytest.CaptureFixture[str],
) -> None:
    rows = bench_rows(capsys, "large")["large"]
    ways = ("per_1000_by_choose", "per_1000_by_take", "per_1000_by_playout")
    for row, way in zip(rows, ways, strict=False):
        assert (row["players"], row[way]) == (2, 1000.0)
    assert all(isinstance(row["mean_decisions"], float) for row in rows)
    assert {row["game"]: row["players"] for row in rows}["ginkgopolis"] == 4


def test_engines_are_compared_in_one_run(capsys: pytest.CaptureFixture[str]) -> None:
    rows = bench_rows(capsys, "engines", "--games", "tic_tac_toe", "kuhn_poker")["engines"]
    assert [row["game"] for row in rows] == ["tic_tac_toe", "kuhn_poker"]


def test_copies_are_measured(capsys: pytest.CaptureFixture[str]) -> None:
    rows = bench_rows(capsys, "copies", "--games", "chess", "kalah")["copies"]
    assert [row["game"] for row in rows] == ["chess", "kalah"]


def test_the_generated_game_grows(capsys: pytest.CaptureFixture[str]) -> None:
    (row,) = bench_rows(capsys, "growth", "--sizes", "120")["growth"]
    assert row["growth"] == 1.0
    for lines in (500, 2000, 8000):
        assert abs(long_fair(lines).count("\n") - lines) < 60


@pytest.mark.deep
def test_commands_and_the_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["commands", "--seconds", "0.001"]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith(TITLES["commands"])
    assert "rulewright check games/connect_four.game" in shown


def test_an_unknown_part_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["lunch"])
    assert "there is no part lunch" in capsys.readouterr().err


def test_vectors_are_driven_as_by_learners(capsys: pytest.CaptureFixture[str]) -> None:
    if "native" not in engine_names():
        pytest.skip("only native code steps many plays together")
    (row,) = bench_rows(capsys, "environments", "--games", "kalah")["environments"]
    assert (row["game"], row["observation"]) == ("kalah", 30)
    assert all(row[way] for way in ("lists", "masks", "drawn", "observed", "encoded", "results"))


def test_learners_are_beside_those_of_other_libraries(capsys: pytest.CaptureFixture[str]) -> None:
    if "native" not in engine_names():
        pytest.skip("only native code steps many matches together")
    (row,) = bench_rows(capsys, "learners", "--games", "kuhn_poker")["learners"]
    assert row["game"] == "kuhn_poker"
    assert all(row[way] for way in ("observed", "encoded", "OpenSpiel"))
    assert row["Pgx"] is None or row["Pgx"]


def test_vectors_are_beside_states(capsys: pytest.CaptureFixture[str]) -> None:
    if "native" not in engine_names():
        pytest.skip("only native code steps many plays together")
    rows = bench_rows(capsys, "vectors", "--games", "kalah")["vectors"]
    assert [row["game"] for row in rows] == ["kalah"]
    assert all(row[f"times_{way}"] for row in rows for way in ("alike", "by_name", "bare"))


@pytest.mark.parametrize("engine", ["native", "python"])
def test_answers_are_measured_in_new_processes(
    capsys: pytest.CaptureFixture[str], engine: str
) -> None:
    words = ("answers", "--engine", engine, "--games", "tic_tac_toe", "pig")
    *rows, whole = bench_rows(capsys, *words)["answers"]
    assert [row["game"] for row in rows] == ["tic_tac_toe", "pig"]
    for row in rows:
        assert isinstance(row["first"], float)
        assert row["first"] > 0
    assert str(whole["game"]).startswith("all: ")


@pytest.mark.deep
def test_a_search_runs_in_webassembly_and_here(capsys: pytest.CaptureFixture[str]) -> None:
    (row,) = bench_rows(capsys, "wasm", "--games", "connect_four")["wasm"]
    assert row["game"] == "connect_four"
    assert all(float(str(row[key])) > 0 for key in ("native", "wasm", "ratio"))
