"""Every game behaves as recorded (see `record.py`).

After an intended change of a game, record again with `python -m tests.recorded`, and list the changes.
"""

from __future__ import annotations

import pytest

from rulewright.adapters.registered import names
from rulewright.interpreter.matches.game import load_game
from tests.recorded.games import CHANGELOG, VERSIONS, games, missing_or_changed, record, versions
from tests.recorded.record import lines, matches

GAMES = games()
RECORD = record()


def test_every_game_is_recorded() -> None:
    assert list(RECORD) == list(GAMES)


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_one_variant_has_the_recorded_digest(name: str) -> None:
    (line,) = matches(name, load_game(GAMES[name]), most=1)
    assert line == RECORD[name][1]


@pytest.mark.deep
@pytest.mark.parametrize("name", GAMES)
def test_all_variants_have_their_recorded_digests(name: str) -> None:
    assert list(lines(name, GAMES[name])) == RECORD[name]


def _is_released() -> bool:
    """Whether a version of Rulewright was released; until then version 0 of a game may change."""
    heads = [
        line for line in CHANGELOG.read_text(encoding="utf-8").splitlines() if line[:3] == "## "
    ]
    return any("not yet released" not in head for head in heads)


def test_the_version_of_an_environment_means_the_same_rules() -> None:
    """A released version keeps its meaning: if rules change, they get the next version (`registered.py`)."""
    held = VERSIONS.read_text(encoding="utf-8").splitlines()
    assert [line.partition(" ")[0] for line in held] == [name for _, name in names()]
    assert not missing_or_changed(versions(), held, _is_released()), (
        "raise the versions of these games in adapters/registered.py, and record again by"
        " `python -m tests.recorded`"
    )


@pytest.mark.parametrize(
    ("now", "is_released", "found"),
    [
        ("pig_v0 aaaa", True, []),
        ("pig_v0 bbbb", True, ["pig_v0"]),
        ("pig_v1 bbbb", True, []),
        ("pig_v0 bbbb", False, []),
        ("kalah_v0 cccc", False, ["kalah_v0"]),
    ],
)
def test_changed_rules_want_a_new_version(now: str, is_released: bool, found: list[str]) -> None:
    held = ["pig_v0 aaaa", *(["pig_v1 bbbb"] if "v1" in now else [])]
    assert missing_or_changed([now], held, is_released) == found
