"""A sampled state looks the same to the player, and is as consistent as the true state."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from rulewright.dsl.loading.loading import load
from rulewright.interpreter.bots.simple import choose_at_random
from rulewright.interpreter.engines.chance import Generator
from rulewright.interpreter.engines.playouts import bot_generator
from rulewright.interpreter.knowledge.hidden_pieces import possible_state
from rulewright.interpreter.matches.audit import audit
from rulewright.interpreter.matches.game import Game, game_of
from rulewright.interpreter.views.view import ALL_SEEING, as_text
from tests.games.variants import game_named
from tests.interpreter.handmade import cards


def check_guesses(game: Game, players: int, seed: int) -> int:
    """Sample for every player at every decision of a match; returns how many samples differ from the true state."""
    generator = Generator.seeded(seed, 7)
    state = game.start(players, seed)
    others = decisions = 0
    while not state.over:
        for player in range(players):
            guess = possible_state(state.compiled, state.cells, player, generator)
            assert as_text(state.compiled.viewer.view(guess, player)) == as_text(state.view(player))
            assert list(audit(state.compiled, guess)) == []
            others += guess != state.cells
        guess = possible_state(state.compiled, state.cells, state.player, generator)
        assert state.compiled.options(guess) == state.option_ids
        state = state.take(choose_at_random(state, bot_generator(seed, decisions)))
        decisions += 1
    return others


@pytest.mark.parametrize("seed", range(5))
def test_guesses_look_the_same(seed: int) -> None:
    assert check_guesses(cards(), 2, seed) > 0


@pytest.mark.parametrize(
    ("name", "players"), [("love_letter", 3), ("night_market", 2), ("leduc_poker", 2)]
)
def test_guesses_look_the_same_in_shipped_games(name: str, players: int) -> None:
    assert check_guesses(game_named(name), players, 1) > 0


def test_every_possible_state_is_guessed_equally_often() -> None:
    state = cards().start(seed=5).choose("0")
    generator = Generator(9)
    seen: Counter[str] = Counter()
    for _ in range(600):
        guess = possible_state(state.compiled, state.cells, 1, generator)
        seen[as_text(state.compiled.viewer.view(guess, ALL_SEEING))] += 1
    # Two cards of the other hand and two of the deck, in order: 4! / 2 possible states.
    assert len(seen) == 12
    assert 25 < min(seen.values()) <= max(seen.values()) < 80


def test_nothing_is_guessed_where_all_is_known() -> None:
    state = cards().playout(seed=1)
    everything = possible_state(state.compiled, state.cells, ALL_SEEING, Generator(1))
    assert everything == state.cells


BACKS = """game "Backs"
    players 2
kind Back = red, blue
piece Spell
    back: Back
    row fire, red
    row frost, blue
piece Beast
    back: Back
    row wolf, red
    row bear, blue
piece Card is Spell or Beast
zone lair: set of Beast, seen by nobody except size
zone stack: pile of Card, seen by nobody except size, back
zone bag: set of Card, seen by nobody except size
setup
    move wolf to lair
    move frost to stack
    move fire to bag
    move bear to bag
play
    each player
        choose one of
            option "wait"
    each player
        choose one of
            option "win"
                win me
"""


def test_guesses_exchange_only_pieces_that_fit(tmp_path: Path) -> None:
    """No spell is in a lair, and the stack shows a red back; all other arrangements are equally frequent."""
    path = tmp_path / "backs.game"
    path.write_text(BACKS, encoding="utf-8")
    state = game_of("backs.game", load(path)).start()
    generator = Generator(3)
    seen: Counter[str] = Counter()
    for _ in range(800):
        guess = possible_state(state.compiled, state.cells, 1, generator)
        assert list(audit(state.compiled, guess)) == []
        seen[as_text(state.compiled.viewer.view(guess, ALL_SEEING))] += 1
    # If frost is on the stack, wolf or bear is in the lair; if bear is on the stack, wolf is.
    assert len(seen) == 3
    assert 200 < min(seen.values()) <= max(seen.values()) < 340
