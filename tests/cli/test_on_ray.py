"""A cluster of two workers on this machine, one of which is killed during the run.

Run by `make deep`; needs the extra `ray`.
"""

from __future__ import annotations

import json
import os
import signal
from pathlib import Path

import pytest

from rulewright.cli.jobs.on_ray import cluster
from rulewright.cli.jobs.processes import workers
from rulewright.cli.jobs.tasks import Done, Work, do_all, load_once, pack, parts, perform, unpack
from rulewright.dsl.loading.confinement import Reach
from tests.cli.conftest import Command

GAME = """game "Rolls"
    players 2
table Prize from "prize.csv"
    points: 0..9
player
    state points: 0..99
play
    repeat 3 times
        each player
            choose one of
                option "roll"
                    roll n in 1..6
                    add n to me.points
                option "take"
                    add Prize(1).points to me.points
score of p
    item "points" = p.points
winner p by p.total then shared
"""


@pytest.fixture
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Work:
    monkeypatch.chdir(tmp_path)
    Path("rolls.game").write_text(GAME, encoding="utf-8")
    Path("prize.csv").write_text("place,points\n1,3\n", encoding="utf-8")
    bots = ("random", "random")
    return Work("rolls.game", Reach(), 2, (), "python", bots, 0, 60, logs=60, full=True)


def test_rules_travel_as_texts(work: Work) -> None:
    here = perform(work)
    parcels = pack([(work.game, work.reach)])
    Path("rolls.game").unlink()
    Path("prize.csv").unlink()
    unpack(parcels)
    try:
        assert load_once(work.game, work.reach).rules.hash
        assert perform(work) == here
    finally:
        unpack({})


def test_interrupted_work_keeps_finished_parts(work: Work) -> None:
    class Tired:
        jobs = 1

        def each(self, do, parts):  # type: ignore[no-untyped-def]  # as `Workers`
            for number, part in enumerate(parts):
                if number == 3:
                    raise KeyboardInterrupt
                yield do(part)

    done, is_cut = do_all(work, Tired())
    assert is_cut
    assert 0 < done.plays < work.games
    assert done == perform(work._replace(games=done.plays))


@pytest.mark.deep
@pytest.mark.filterwarnings("default")
def test_a_worker_that_is_killed(work: Work, tmp_path: Path) -> None:
    with workers(1) as crew:
        here, _ = do_all(work, crew)
    mark = tmp_path / "died"

    def dies_once(part: Work) -> Done:
        if part.first and not mark.exists():
            mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return perform(part)

    with cluster(2, pack([(work.game, work.reach)])) as crew:
        assert crew.jobs == 2
        first, *others = crew.each(dies_once, parts(work, 6))
    for more in others:
        first.join(more)
    assert mark.exists()
    assert first == here


@pytest.mark.deep
@pytest.mark.filterwarnings("default")
def test_the_same_numbers_wherever_they_ran(work: Work, command: Command) -> None:
    Path("rolls.game").write_text(GAME, encoding="utf-8")
    Path("prize.csv").write_text("place,points\n1,3\n", encoding="utf-8")
    # the engine is named, because on a busy machine another one may be the fastest
    words = ("simulate", "rolls.game", "--games", "60", "--full", "--format", "json")
    found = []
    for way in ((), ("--jobs", "2"), ("--jobs", "2", "--on", "ray")):
        data = json.loads(command(*words, "--engine", "python", *way).out)
        for rate in ("seconds", "games_per_second", "decisions_per_second"):
            del data[rate]
        found.append(data)
    assert found[0] == found[1] == found[2]
