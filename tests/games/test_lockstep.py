"""Generated Python and native code agree with the reference, in every variant of every game.

Independent of single games: the expected results of a game are beside the game.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from functools import cache

import pytest

from rulewright.dsl import ir
from rulewright.interpreter.engines.chance import Generator, key_of
from rulewright.interpreter.engines.codegen.python import PythonEngine
from rulewright.interpreter.engines.engines import EngineName
from rulewright.interpreter.engines.playouts import at_random, bot_generator
from rulewright.interpreter.matches.game import Game, Variant, first_state, playout
from rulewright.interpreter.matches.match import Match
from rulewright.interpreter.matches.state import ChanceResult, State
from rulewright.interpreter.simulation.simulation import play_on
from rulewright.interpreter.views.view import ALL_SEEING, EVERYBODY
from tests.games.variants import (
    IN_TURN,
    LARGE,
    SHIPPED,
    few_or_last,
    few_variants,
    game_named,
    last_variant,
    some_variants,
    variants,
)
from tests.games.variants import LONG as LONGEST
from tests.interpreter.lockstep import Runners, all_results, lockstep

LONG = 100_000


@cache
def runners(game: str, variant: Variant) -> Runners:
    return Runners(game_named(game).program(variant))


def keep_in_step(
    game: str,
    seed: int,
    steps: int,
    refusals: bool,
    which: Callable[[Game], Iterator[Variant]] = variants,
) -> None:
    for variant in which(game_named(game)):
        played = lockstep(runners(game, variant), seed, steps, refusals=refusals)
        assert played.fault is None
        assert runners(game, variant).native.handed_over == 0
        if steps == LONG:
            assert played.cells[ir.OVER]


@pytest.mark.parametrize("game", IN_TURN)
def test_first_steps_and_whole_games_are_the_same_on_every_engine(game: str) -> None:
    """Both in one test: compiling takes longer than playing."""
    keep_in_step(game, seed=1, steps=6, refusals=True, which=few_or_last)
    keep_in_step(game, seed=2, steps=LONG, refusals=False, which=few_or_last)


@pytest.mark.deep
@pytest.mark.parametrize("game", IN_TURN)
def test_the_first_steps_of_every_variant_are_the_same(game: str) -> None:
    keep_in_step(game, seed=1, steps=12, refusals=True)


@pytest.mark.deep
@pytest.mark.parametrize("seed", range(3, 53))
@pytest.mark.parametrize("game", IN_TURN)
def test_many_games_are_the_same_on_every_engine(game: str, seed: int) -> None:
    keep_in_step(game, seed, LONG, refusals=seed % 10 == 0)


# ---- What people are shown -------------------------------------------------------------------------


def start(game: Game, variant: Variant, engine: EngineName) -> State:
    return first_state(game.compiled(variant, engine), 5)


def shown_facts(state: State) -> dict[str, object]:
    """Everything that a person or a program can learn about a state."""
    seats = range(len(state.players))
    counted: dict[str, object] = {
        "cells": state.cells,
        "counter": state.counter,
        "log": state.log,
        "drawn": state.drawn,
        "views": [state.view(viewer) for viewer in (*seats, EVERYBODY, ALL_SEEING)],
        "scores": state.scores,
        "winners": state.winners,
    }
    if not state.over:
        decision = state.decision
        counted["prompt"] = decision.prompt
        counted["names"] = decision.names
        counted["texts"] = [option.text for option in decision.options]
        counted["refused"] = decision.refused
    return counted


@pytest.mark.parametrize("game", IN_TURN)
def test_both_show_the_same_and_go_on_from_each_others_states(game: str) -> None:
    """In the last variant: a variant changes what happens, and not how it is shown."""
    (last,) = last_variant(game_named(game))
    show_the_same(game, last)


@pytest.mark.deep
@pytest.mark.parametrize("game", IN_TURN)
def test_both_show_the_same_in_some_variants(game: str) -> None:
    for variant in some_variants(game_named(game)):
        show_the_same(game, variant)


def show_the_same(game: str, variant: Variant) -> None:
    generator = random.Random(7)
    rules = game_named(game)
    one, other = (start(rules, variant, engine) for engine in ("python", "reference"))
    for _ in range(6):
        assert shown_facts(one) == shown_facts(other)
        if one.over:
            break
        name = generator.choice(one.decision.names)
        kept = one.cells[:], other.cells[:]
        after = one.choose(name), other.choose(name)
        assert (one.cells, other.cells) == kept, "choosing changed the state before"
        # Only cells are passed on: they contain everything that the other engine had begun.
        taken_over = one.with_cells(other.cells), other.with_cells(one.cells)
        assert [state.choose(name).cells for state in taken_over] == [
            after[0].cells,
            after[1].cells,
        ]
        one, other = after


def test_a_play_is_handed_to_and_fro_deep_in_nested_rules() -> None:
    """An auction may be held while the street is filled in the middle of a turn."""
    game = game_named("night_market")
    variant = game.variant(4)
    engines: tuple[EngineName, EngineName] = ("python", "reference")
    states = [start(game, variant, engine) for engine in engines]
    depths = set()
    generator = random.Random(3)
    while not states[0].over:
        depths.add(depth(states[0]))
        name = generator.choice(states[0].decision.names)
        crossed = [
            first.with_cells(second.cells).choose(name)
            for first, second in zip(states, states[::-1], strict=True)
        ]
        states = [state.choose(name) for state in states]
        assert [state.cells for state in crossed] == [state.cells for state in states[::-1]]
        assert states[0].drawn == states[1].drawn
    assert max(depths) >= 4


def depth(state: State) -> int:
    """The number of frames on the stack."""
    frame, found = state.cells[ir.FP], 0
    while frame:
        found += 1
        frame = state.cells[frame + 1]
    return found


@pytest.mark.parametrize("game", SHIPPED)
def test_chance_left_open_comes_to_the_same(game: str) -> None:
    """If they are given one by one, the chance results of a match lead through the same states."""
    rules = game_named(game)
    generator = random.Random(11)
    seeded = rules.start(seed=9)
    manual = give_results(rules.start(chance="manual"), seeded.drawn)
    for _ in range(15):
        assert manual.cells == seeded.cells
        if seeded.over:
            break
        option = generator.choice(seeded.option_ids)
        seeded = seeded.take(option)
        manual = give_results(manual.take(option), seeded.drawn)


def give_results(state: State, drawn: tuple[ChanceResult, ...]) -> State:
    for one in drawn:
        assert state.at_chance
        assert state.decision.number == one.site
        state = state.take(one.result)
    assert not state.at_chance
    return state


@pytest.mark.parametrize("game", IN_TURN)
def test_plays_at_random_are_those_of_random_bots(game: str) -> None:
    """Playouts inside the engine, step by step, and by bots reach the same end."""
    rules = game_named(game)
    for variant in few_or_last(rules):
        compiled = rules.compiled(variant)
        match = Match.begin(rules, variant, 4)
        play_on(match, ["random"] * compiled.program.seats)
        counts: list[int] = []
        inside = playout(compiled, 4, None, counts)
        assert isinstance(compiled.engine, PythonEngine)
        assert compiled.engine.not_played == 0
        assert inside.cells == match.state.cells
        assert inside.counter == match.state.counter
        assert counts == [len(state.option_ids) for state in match.states[:-1]]
        cells, bots, chance = compiled.begin(), bot_generator(4, 0), Generator(key_of(4))
        at_random(compiled.engine, cells, chance, bots, None, None)
        assert cells == inside.cells
        half = playout(compiled, 4, len(counts) // 2)
        assert half.cells == match.states[len(counts) // 2].cells


@pytest.mark.parametrize("game", IN_TURN)
def test_results_of_plays_at_random_are_the_same(game: str) -> None:
    """Points, winners, lengths and ends of playouts are the same in native code and in the definition."""
    compare_results(game, few_or_last(game_named(game)))


@pytest.mark.deep
@pytest.mark.parametrize("game", sorted(LARGE - LONGEST))
def test_results_of_large_games_are_the_same_in_few_variants(game: str) -> None:
    compare_results(game, few_variants(game_named(game)))


def compare_results(game: str, which: Iterator[Variant]) -> None:
    rules = game_named(game)
    for variant in which:
        each, plain = runners(game, variant).native, rules.compiled(variant)
        found = all_results(each, plain.begin(), range(3), LONG, jobs=2)
        assert found == all_results(plain.engine, plain.begin(), range(3), LONG)
        assert each.handed_over == 0
