"""Bots that search ahead: their information, their limits, their names."""

from __future__ import annotations

from itertools import count
from pathlib import Path

import pytest

from rulewright import load_game
from rulewright.interpreter.bots import search as search_module
from rulewright.interpreter.bots.levels import bot_named, effort_named, is_bot
from rulewright.interpreter.bots.search import Search
from rulewright.interpreter.bots.tree_search import CLOCK, Effort, think
from rulewright.interpreter.bots.trees import Trees
from rulewright.interpreter.bots.weights import using
from rulewright.interpreter.engines.chance import Generator
from rulewright.interpreter.engines.playouts import bot_generator
from rulewright.interpreter.matches.match import Match
from rulewright.interpreter.matches.state import State
from rulewright.interpreter.text.errors import UnknownBotError
from tests.games.variants import game_named
from tests.interpreter.bots.test_greedy import GENEROUS, TWO_STEPS


def _after(game: str, *choices: str) -> State:
    state = game_named(game).start()
    for choice in choices:
        state = state.choose(choice)
    return state


def _name(state: State, option: int) -> str:
    return state.compiled.option_name(state.cells, option)


def _play_match(game: str, seed: int, seats: tuple[str, ...]) -> State:
    loaded = game_named(game)
    match = Match.begin(loaded, loaded.variant(len(seats)), seed)
    while not match.state.over:
        bot = bot_named(seats[match.state.player])
        match.take(bot(match.state, bot_generator(seed, match.decisions)))
    return match.state


@pytest.mark.parametrize(
    ("choices", "best"),
    [
        (("drop(1)", "drop(5)", "drop(2)", "drop(5)", "drop(3)", "drop(6)"), "drop(4)"),
        (("drop(1)", "drop(5)", "drop(1)", "drop(5)", "drop(2)", "drop(5)"), "drop(5)"),
    ],
    ids=["takes three in a row", "blocks three in a row"],
)
@pytest.mark.parametrize("seed", range(5))
def test_three_in_a_row(choices: tuple[str, ...], best: str, seed: int) -> None:
    state = _after("connect_four", *choices)
    thought = think(state, Effort(playouts=400), Generator.seeded(seed))
    assert state.compiled.option_name(state.cells, thought.best) == best


def test_certain_wins_end_the_search() -> None:
    state = _after("connect_four", *("drop(1)", "drop(2)") * 3)
    thought = think(state, Effort(playouts=10_000), Generator.seeded(1))
    assert state.compiled.option_name(state.cells, thought.best) == "drop(1)"
    assert thought.playouts < 1000


@pytest.mark.parametrize("seed", range(3))
def test_nobody_overlooks_a_victory_in_playouts(seed: int) -> None:
    """The first player threatens to complete a row, so every option but `drop(4)` loses in each playout."""
    state = _after("connect_four", "drop(1)", "drop(1)", "drop(2)", "drop(2)", "drop(3)")
    with using(None):  # patterns would change the values
        thought = think(state, Effort(playouts=30), Generator.seeded(seed))
    values = {_name(state, option): value for option, _, value in thought.options}
    assert values.pop("drop(4)") > 0
    assert set(values.values()) == {0.0}


def test_a_losing_option_is_taken_back_in_playouts() -> None:
    """A threat that the other player can parry is no victory."""
    state = _after("connect_four", "drop(1)", "drop(1)", "drop(2)", "drop(2)")
    threat = next(o for o in state.option_ids if _name(state, o) == "drop(3)")
    found = 0.0
    for seed in range(3):
        thought = think(state, Effort(playouts=60), Generator.seeded(seed))
        found += next(value for option, _, value in thought.options if option == threat) / 3
    assert 0.5 < found < 0.75


GUESSING = """game "Guessing"
    players 2
piece Card
    rank: 1..8
    row a, 1
    row b, 2
    row c, 3
    row d, 4
    row e, 5
    row f, 6
    row g, 7
    row h, 8
zone deck: pile of Card, seen by nobody except size
player
    state coins: 0..99
setup
    move all from Card to deck
    shuffle deck
play
    repeat 3 times
        each player
            choose one of
                option "stay"
                    add 2 to me.coins
                do guess
            shuffle deck
action guess
    choose n in 1..8
    if openly(any(c in deck.top where c.rank is n))
        add 9 to me.coins
score of p
    item "coins" = p.coins
winner p by p.total then shared
"""


def test_nobody_guesses_right_because_the_sample_is_known(tmp_path: Path) -> None:
    """Two coins are certain, nine have a chance of one in eight; a few trials show which is better."""
    path = tmp_path / "guessing.game"
    path.write_text(GUESSING, encoding="utf-8")
    game = load_game(path)
    stays = 0
    for seed in range(20):
        state = game.start(seed=seed, remember=True)
        thought = think(state, Effort(playouts=6), Generator.seeded(seed))
        stays += state.compiled.option_name(state.cells, thought.best) == "stay"
    assert stays >= 15


@pytest.mark.parametrize("seed", range(2))
def test_tic_tac_toe_is_not_lost(seed: int) -> None:
    assert 0 in (_play_match("tic_tac_toe", seed, ("mcts:500", "greedy")).winners or (0,))
    assert 1 in (_play_match("tic_tac_toe", seed, ("random", "mcts:500")).winners or (1,))
    assert _play_match("tic_tac_toe", seed, ("mcts:500", "mcts:500")).winners == ()


def test_the_same_seed_thinks_the_same() -> None:
    state = _after("love_letter")
    thoughts = {think(state, Effort(playouts=60), Generator.seeded(3)).options for _ in range(2)}
    assert len(thoughts) == 1


def test_nobody_foresees_chance() -> None:
    """The stored dice of a state do not reveal the best option."""
    game = load_game("pig")
    thoughts = {
        think(game.start(seed=seed), Effort(playouts=40), Generator.seeded(3)).options
        for seed in range(4)
    }
    assert len(thoughts) == 1


def test_search_sees_no_hidden_cards() -> None:
    """The search has the same result for all hands of the others: only the player's own card counts."""
    game = load_game("kuhn_poker")
    thoughts: dict[str, set[tuple[int, ...]]] = {}
    for seed in range(12):
        state = game.start(seed=seed)
        mine = str(state.view(state.player))
        thought = think(state, Effort(playouts=40), Generator.seeded(3))
        thoughts.setdefault(mine, set()).add(tuple(option for option, _, _ in thought.options))
    assert len(thoughts) == 3


def test_a_bot_with_a_clock_stops_in_time() -> None:
    ticks = count()
    state = _after("connect_four")
    before = CLOCK.set(lambda: float(next(ticks)))
    try:
        thought = think(state, Effort(seconds=10), Generator.seeded(1))
    finally:
        CLOCK.reset(before)
    assert 4 <= thought.playouts <= 20


def test_one_who_is_stopped_says_what_is_known() -> None:
    state = _after("connect_four")
    thought = think(state, Effort(playouts=10**6), Generator.seeded(1), stopped=lambda: True)
    assert thought.playouts < 10
    assert 0 <= thought.value <= 1
    assert 0 < thought.confidence <= 1


@pytest.mark.parametrize(
    ("word", "effort"),
    [
        ("easy", Effort(playouts=60)),
        ("mcts", Effort(playouts=600)),
        ("mcts:400", Effort(playouts=400)),
        ("mcts:2s", Effort(seconds=2)),
        ("mcts:0.5s", Effort(seconds=0.5)),
        ("mcts:300ms", Effort(seconds=0.3)),
        ("mcts:400:points", Effort(playouts=400, reward="points")),
        ("mcts:2s:points", Effort(seconds=2, reward="points")),
        ("mcts:400:wins", None),
        ("mcts:0", None),
        ("mcts:0s", None),
        ("mcts:2h", None),
        ("mcts:7200s", None),
        ("mcts:1.5", None),
        ("mcts:", None),
        ("mcts:4oo", None),
        ("mcts:²", None),
    ],
)
def test_levels_have_names(word: str, effort: Effort | None) -> None:
    assert effort_named(word) == effort
    assert is_bot(word) == (effort is not None)


def test_unknown_bots_are_refused() -> None:
    with pytest.raises(UnknownBotError, match="there is no bot `hrad`; did you mean `hard`"):
        bot_named("hrad")
    with pytest.raises(
        UnknownBotError, match=r"`clever`; there are `random`, `greedy`, `easy`, .* and `mcts:2s`"
    ):
        bot_named("clever")
    before = CLOCK.set(None)
    try:
        with pytest.raises(UnknownBotError, match="needs a clock"):
            bot_named("mcts:2s")(_after("connect_four"), Generator.seeded(1))
    finally:
        CLOCK.reset(before)


@pytest.mark.parametrize("seed", range(5))
def test_a_move_of_two_decisions_is_seen_whole(tmp_path: Path, seed: int) -> None:
    """ "prepare" alone scores nothing; it is still tried first, because "cash" comes after it."""
    path = tmp_path / "two.game"
    path.write_text(TWO_STEPS, encoding="utf-8")
    state = load_game(path).start()
    first = Search(state, Generator.seeded(seed))
    first.look()
    assert state.compiled.option_name(state.cells, Trees([first]).result().best) == "prepare"


@pytest.mark.parametrize("seed", range(8))
def test_postponable_actions_are_postponed(tmp_path: Path, seed: int) -> None:
    path = tmp_path / "generous.game"
    path.write_text(GENEROUS, encoding="utf-8")
    state = load_game(path).start(seed=1)
    taken = {
        state.compiled.option_name(state.cells, option): count
        for option, count, _ in think(state, Effort(playouts=24), Generator.seeded(seed)).options
    }
    assert taken["give(seat_2)"] == 0
    state = state.choose("rest").choose("give(seat_1)").choose("give(seat_1)").choose("rest")
    thought = think(state, Effort(playouts=24), Generator.seeded(seed))
    assert state.compiled.option_name(state.cells, thought.best) == "trade"


STUCK = """game "Stuck"
    players 2

state gone: 0..9

play
    repeat until gone is 5
        each player
            choose one of
                option "go" where gone < 1
                    add 1 to gone
                option "stay"

score of p
    item "nothing" = 0

winner p by p.total then shared
"""


def test_a_game_that_goes_on_for_ever_is_thought_about_all_the_same(tmp_path: Path) -> None:
    """After "go" there is nothing to choose, and the match never ends."""
    path = tmp_path / "stuck.game"
    path.write_text(STUCK, encoding="utf-8")
    state = load_game(path).start()
    assert state.decision.names == ["go", "stay"]
    assert think(state, Effort(playouts=6), Generator.seeded(1)).playouts == 6


@pytest.mark.parametrize(("game", "rollouts"), [("connect_four", 1), ("kalah", 3), ("pig", 3)])
def test_a_search_by_time_makes_more_trials_where_all_is_open(game: str, rollouts: int) -> None:
    search = Search(game_named(game).start(), Generator.seeded(1))
    assert Trees([search]).result().rollouts == 3
    search.hurry(lambda: 0.0)
    search.look(20)
    assert Trees([search]).result().rollouts == rollouts
    assert search.playouts == 20


def test_few_options_are_tested_for_a_victory_in_the_first_trial() -> None:
    """In shogi all options of a long first playout took twelve seconds in Python."""
    search = Search(game_named("breakthrough").start(), Generator.seeded(1))
    search.look(1)
    assert 2048 <= search.tree.ends_known < 2048 + search.decisions


@pytest.mark.parametrize(
    ("passed", "learned", "rollouts"), [(0.0, 48, 3), (0.4, 8, 3), (0.6, 0, 1)]
)
def test_less_is_learned_when_it_is_late(
    passed: float, learned: int, rollouts: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A playout of a large game takes long in Python."""
    found: list[int] = []
    monkeypatch.setattr(search_module, "learn", lambda _, playouts: found.append(len(playouts)))
    search = Search(load_game("pig").start(), Generator.seeded(1))
    search.hurry(lambda: passed)
    search.look(2)
    assert found == [learned]
    assert search.tree.rollouts == rollouts
