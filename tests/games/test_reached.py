"""Every line of the long games is reached by a scenario or in random matches, or has a reason why not.

Symbols of cards (`power card: ...`) are many points of one line. A thing without such a symbol never changes
anything, so one card is enough for a line. It does not test the effects of lines: the scenarios do.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from rulewright.dsl.scenarios.scenario_loading import load_together
from rulewright.dsl.text.reading import SCENARIOS
from rulewright.interpreter.matches.library import shipped_games
from rulewright.interpreter.testing.coverage import Key, Point, Watched, point_of, points_of
from rulewright.interpreter.testing.scenarios import Runner
from tests.games.variants import LONG, game_named, some_variants, variants

BECAUSE = re.compile(r'because\s+"([^"]*)"')
PLACE = re.compile(r"\\\{.*?\\\}")
OFTEN = "how often an action may be done is said by the language; scenarios see it refused"
UNUSED = "no leader of our table has this symbol; one of another table might"
SETTLED = "it is settled by the options when the rules are compiled"
REASONS = {
    "leaders.game refusal this can be done {...} time{...} per action phase": OFTEN,
    "wonders.game refusal this can be done {...} time{...} per action phase": OFTEN,
    "leaders.game power card: p.science_rating more card.science": UNUSED,
    "leaders.game power card: p.civil_total more card.civil_actions": UNUSED,
    "through_the_ages.game value two_ages": SETTLED,
    "through_the_ages.game value with_attacks": SETTLED,
    "through_the_ages.game branch if mode is shorter and ended is i": SETTLED,
    "wars.game refusal {card} is this war already": "the shorter game has no other card of this name",
}
"""The reasons why some lines, by file, kind and name, are reached by no scenario and no random match."""
CARD = re.compile(r" \(\w+\)$")
PLAYS = 3


def scenarios_of(game: str) -> list[Path]:
    return sorted(shipped_games()[game].parent.glob(f"*{SCENARIOS}"))


def reached_by_scenarios(files: Sequence[Path]) -> set[Key]:
    runner = Runner("python", counting=True)
    for loaded in load_together(files):
        for compiled in loaded.programs:
            assert all(result.passed for result in runner.run(compiled))
    return {point_of(info).key for info in runner.reached_marks()}


def is_expected(point: Point, texts: str) -> bool:
    """Whether a scenario expects these words as a reason, or this item of the score."""
    if point.word == "score":
        return f"item({point.name.replace(' ', '_').lower()})" in texts
    words = re.compile(PLACE.sub(".+", re.escape(point.name)).replace(r"\(s\)", "s?"))
    return point.word == "refusal" and any(map(words.fullmatch, BECAUSE.findall(texts)))


@pytest.mark.deep
@pytest.mark.parametrize("game", sorted(LONG))
def test_every_line_is_reached(game: str) -> None:
    rules = game_named(game)
    texts = "".join(path.read_text(encoding="utf-8") for path in scenarios_of(game))
    points = points_of(rules.program(variant) for variant in variants(rules))
    reached = reached_by_scenarios(scenarios_of(game))
    for variant in some_variants(rules):
        watched = Watched.of(rules, variant, refusals=True)
        for seed in range(PLAYS):
            reached |= watched.play(seed, ["random"] * variant.players)[0].keys()
        points |= watched.points
    lines = {(point.file, point.line) for key, point in points.items() if key in reached}
    never = {
        f"{Path(point.file).name} {point.word} {CARD.sub('', point.name)}"
        for key, point in points.items()
        if key not in reached
        and not is_expected(point, texts)
        and not (point.word == "power" and (point.file, point.line) in lines)
    }
    assert never - REASONS.keys() == set()
