"""The match of a table: the precomputed state equals the one that its events lead to."""

from __future__ import annotations

from random import Random

import pytest

from rulewright.interpreter.matches.game import load_game
from rulewright.web.tables.course import Course, chance_at_start


@pytest.mark.parametrize("name", ["love_letter", "pig", "endeavor"])
def test_a_choice_that_is_looked_at_first_leads_to_the_same_state(name: str) -> None:
    game, random = load_game(name), Random(1)
    variant = game.variant()
    start = chance_at_start(game, variant, 1)
    asks, hears = (Course.begin(game, variant, 1, start, ()) for _ in range(2))
    for number in range(60):
        if asks.state.over:
            break
        names = asks.state.decision.names
        steps = asks.after(random.choice(names))
        if number % 3 == 1:
            asks.after(random.choice(names))  # a later request was about another option
        only = [] if number % 3 else [further for _, further in asks.only_after()]
        for course in (asks, hears):
            for further in (steps, *only):
                course.follow(number, further)
        assert asks.state == hears.state
        assert asks.state.drawn == hears.state.drawn
        assert [line.text for line in asks.state.log] == [line.text for line in hears.state.log]
    assert asks.step > 20
