"""Samples from native code: equal to those of Python for equal random numbers, with the right probabilities."""

from __future__ import annotations

from array import array
from collections import Counter
from pathlib import Path

import pytest

from rulewright import load_game
from rulewright.interpreter.bots.host import Host
from rulewright.interpreter.bots.search import Search
from rulewright.interpreter.bots.simple import choose_at_random
from rulewright.interpreter.engines.chance import Generator
from rulewright.interpreter.engines.kernels import past
from rulewright.interpreter.engines.kernels.lines import ROOM, lines_in, put_lines
from rulewright.interpreter.engines.kernels.tree import SAMPLE, Tree
from rulewright.interpreter.engines.playouts import bot_generator
from rulewright.interpreter.knowledge.sampling import Sampler
from rulewright.interpreter.matches.fastest import fastest
from rulewright.interpreter.matches.state import State
from rulewright.interpreter.text.names import PIECE
from tests.games.variants import game_named

_SMALL = {"kuhn_poker": 2, "leduc_poker": 2, "love_letter": 3, "night_market": 3, "foxglove": 3}
_LARGE = {"equilibris": 2, "ginkgopolis": 2, "colonial": 2, "through_the_ages": 2}
_ALL = [*_SMALL.items(), *(pytest.param(*each, marks=pytest.mark.deep) for each in _LARGE.items())]


def _decisions(game: str, players: int, seed: int, longest: int) -> list[State]:
    """The states of a random match in which there is something to choose."""
    state, found = game_named(game).start(players, seed=seed, remember=True), list[State]()
    for number in range(longest):
        if state.over:
            break
        if len(state.option_ids) > 1:
            found.append(state)
        state = state.take(choose_at_random(state, bot_generator(seed, number)))
    return found


@pytest.mark.parametrize(("game", "players"), _ALL)
def test_native_samples_are_those_of_python(game: str, players: int) -> None:
    drawn = 0
    for state in _decisions(game, players, 1, 60):
        search = Search(state, Generator.seeded(7))
        expected, generator = Sampler(state, state.player, 12), Generator.seeded(7)
        for _ in range(3):
            assert search.sample() == expected.draw(generator)
        drawn += search.draws_natively
    assert drawn


def test_hidden_pieces_of_a_row_change_places(tmp_path: Path) -> None:
    """A row keeps its pieces in cells. They were not found, so two pieces got the same place."""
    rules = tmp_path / "steps.game"
    rules.write_text("""\
game "Three steps"
    players 2
piece Order per player for number in 1..3
player
    zone hand: set of Order, seen by owner except size
    zone plan: row of 2 Order, seen by owner
setup
    for each o in Order
        move o to o.owner.hand
play
    each player
        for each n in 1..2
            surely choose order in me.hand
            move order to me.plan.slot(n)
""")
    state = load_game(str(rules)).start(2, remember=True)
    for _ in range(2):
        state = state.take(state.option_ids[0])
    search = Search(state, Generator.seeded(7))
    assert search.draws_natively
    expected, generator = Sampler(state, state.player, 12), Generator.seeded(7)
    assert [search.sample() for _ in range(5)] == [expected.draw(generator) for _ in range(5)]


class _InTheTree(Host):
    """Works on the stored states of a tree, as native code does."""

    def load(self, t: Tree, state: int) -> int:
        self.keep(state, t.states[state * t.size : (state + 1) * t.size])
        return super().load(t, state)


def test_the_kernel_in_python_draws_the_same() -> None:
    for state in _decisions("love_letter", 3, 4, 30):
        search = Search(state, Generator.seeded(3))
        t, game = search.tree, _InTheTree(fastest(state.compiled), True)
        keys = t.step_key[:], t.step_lines[:], t.step_known[:]
        past.remember(game, t, t.steps_kept)
        assert (t.step_key, t.step_lines, t.step_known) == keys
        assert not t.strayed
        expected = [search.sample() for _ in range(3)]
        t.counter = Generator.seeded(3).counter
        for cells in expected:
            past.sample(game, t, t.me)
            assert t.states[SAMPLE * t.size : (SAMPLE + 1) * t.size] == cells


def _names(state: State) -> list[str]:
    """The names of all pieces by their numbers."""
    domain = next(each for each in state.compiled.program.domains if each.name == PIECE)
    return list(domain.names)


def _first_piece(state: State, cells: array[int], place: str, owner: int) -> str:
    """The name of the first piece in a place of a player."""
    compiled = state.compiled
    (found,) = (each for each in compiled.program.places if each.name == place)
    zone = {owner: zone for zone, owner in compiled.viewer.zones_of(found)}[owner]
    return _names(state)[next(iter(compiled.viewer.lying(cells, zone)))]


def _unknown(state: State) -> Counter[str]:
    """For each name, the number of pieces unknown to the player who decides."""
    knows, names = state.compiled.viewer.knows_piece, _names(state)
    return Counter(
        names[piece]
        for piece in range(state.compiled.program.links.pieces)
        if not knows(state.cells, piece, state.player)
    )


def _is_as_likely(state: State, weights: Counter[str], samples: int = 3000) -> None:
    """Sample the other player's hand, and compare the frequencies with the exact ones (chi square, 1 of 1000)."""
    search, other = Search(state, Generator.seeded(5)), 1 - state.player
    assert search.draws_natively
    held = Counter(_first_piece(state, search.sample(), "hand", other) for _ in range(samples))
    whole = sum(weights.values())
    assert set(held) <= {name for name, weight in weights.items() if weight}
    found = sum(
        (held[name] - samples * weight / whole) ** 2 / (samples * weight / whole)
        for name, weight in weights.items()
        if weight
    )
    limits = {1: 10.8, 2: 13.8, 3: 16.3, 4: 18.5, 5: 20.5, 6: 22.5, 7: 24.3}
    assert found < limits[sum(weight > 0 for weight in weights.values()) - 1]


@pytest.mark.parametrize("game", ["kuhn_poker", "leduc_poker", "love_letter"])
def test_hands_are_as_likely_as_deals(game: str) -> None:
    state = _decisions(game, 2, 3, 10)[0]
    _is_as_likely(state, _unknown(state))


def test_lines_in_a_buffer() -> None:
    lines = [(3, (5, (1, 2), ()), -1), (0, (), 1), (7, (-4,), 0)]
    buffer = array("q", bytes(8 * ROOM))
    put_lines(buffer, lines)
    assert list(lines_in(buffer)) == lines
