"""In random games with secrets that `check` accepts, `leaks` finds nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.dsl.diagnostics.diagnostics import Severity
from rulewright.dsl.loading.loading import load
from rulewright.interpreter.matches.game import game_of
from rulewright.interpreter.testing.leak_search import search
from tests.properties.secret_games import game_of_seed

NOT_SECRETS = 0.2
"""At most this share of the games is refused for another reason."""


def count_verdicts(seeds: range, folder: Path, games: int) -> tuple[dict[str, int], list[str]]:
    """The number of games that `check` accepts, refuses for a secret, and refuses for another reason; and the leaks
    found in the first."""
    counts = {"accepted": 0, "secret": 0, "other": 0}
    found = []
    for seed in seeds:
        path = folder / "made.game"
        path.write_text(game_of_seed(seed), encoding="utf-8")
        rules = load(path)
        codes = {each.code for each in rules.check() if each.severity is Severity.ERROR}
        if codes:
            counts["secret" if codes == {"secret-leak"} else "other"] += 1
            continue
        counts["accepted"] += 1
        game = game_of("made.game", rules)
        findings = search(game, game.variant(2), range(games), 16, also=[game.variant(3)])
        found += [f"{seed}: {pair.leak}" for pair, _ in findings.found.values()]
    return counts, found


def test_check_and_leaks_agree_on_a_few_games(tmp_path: Path) -> None:
    counts, found = count_verdicts(range(20), tmp_path, 3)
    assert not found
    assert counts["accepted"] > 3
    assert counts["secret"] > 3
    assert counts["other"] <= NOT_SECRETS * 20


@pytest.mark.deep
@pytest.mark.parametrize("part", range(10))
def test_check_and_leaks_agree_on_many_games(part: int, tmp_path: Path) -> None:
    counts, found = count_verdicts(range(part * 400, part * 400 + 400), tmp_path, 12)
    assert not found
    assert counts["other"] <= NOT_SECRETS * 400
