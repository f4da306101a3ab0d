"""The baselines: the learner learns, its evaluation repeats, and the table has the figures of the page."""

from __future__ import annotations

import csv
import tomllib
from xml.etree import ElementTree

import numpy as np

from bench.baselines import COLUMNS, CURVES, GAMES, POINTS, SEEDS, TABLE, curves
from bench.learner import Matches, Network, against_random, train
from rulewright import load_game
from tests.docs.pages import ROOT


def test_a_network_does_more_often_what_is_worth_more() -> None:
    network, random = Network.of(2, 3, seed=1, hidden=8), np.random.default_rng(1)
    masks = np.ones((64, 3), bool)
    masks[:, 0] = False
    for _ in range(150):
        seen = random.integers(0, 2, (64, 2)).astype(float)
        actions = random.integers(1, 3, 64)
        returns = np.where((seen[:, 0] == 1) == (actions == 1), 1.0, -1.0)
        network.learn(seen, masks, actions, returns, rate=0.02, curious=0.0)
    _, chances, value = network(np.array([[1.0, 0.0], [0.0, 1.0]]), masks[:2])
    assert chances[0, 1] > 0.9 and chances[1, 2] > 0.9
    assert not chances[:, 0].any()
    assert np.abs(value).max() < 0.5


def test_matches_of_a_learner_repeat() -> None:
    game = load_game("tic_tac_toe")
    found = []
    for _ in range(2):
        matches, random = Matches.of(game, 8, 3, "python"), np.random.default_rng(3)
        network = Network.of(matches.seen.shape[1], matches.masks.shape[1], 3)
        train(network, matches, 30, random, batch_size=100)
        found.append(against_random(network, game, 10, 7, "python"))
        assert network.steps > 0
    assert found[0] == found[1]
    assert {*found[0]} <= {0.0, 0.5, 1.0}


def test_the_table_and_the_curves_are_whole() -> None:
    with TABLE.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert {*rows[0]} == {*COLUMNS}
    for game in GAMES:
        for seed in SEEDS:
            mine = [r for r in rows if (r["game"], r["player"]) == (game, f"learned, seed {seed}")]
            assert len(mine) == POINTS + 1
            assert float(mine[-1]["low"]) > float(mine[0]["high"])  # it has learned something
    assert CURVES.read_text(encoding="utf-8") == curves(rows)
    ElementTree.fromstring(curves(rows))


def test_the_citation_names_the_version() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    lines = (ROOT / "CITATION.cff").read_text(encoding="utf-8").splitlines()
    assert f"version: {project['version']}" in lines
    assert f"license: {project['license']}" in lines
    page = (ROOT / "docs" / "citing.md").read_text(encoding="utf-8")
    assert f"version = {{{project['version']}}}" in page
