"""Matches, bots, counts and simulations with the handwritten programs."""

import pytest

from rulewright.interpreter.bots.simple import BOTS, choose_greedily
from rulewright.interpreter.engines.playouts import bot_generator
from rulewright.interpreter.matches.events import Event, has_one_option
from rulewright.interpreter.matches.game import load_game
from rulewright.interpreter.matches.match import Match
from rulewright.interpreter.matches.recorded_playouts import record_playout
from rulewright.interpreter.matches.records import parse_records, record_of
from rulewright.interpreter.simulation.simulation import play_on, simulate
from rulewright.interpreter.statistics.tally import Tally
from rulewright.interpreter.testing.perft import count_tree, divide, information_sets, perft
from rulewright.interpreter.views.log_lines import NOBODY
from rulewright.interpreter.views.view import ALL_SEEING
from tests.interpreter.handmade import cards, four


def begin_match(seed: int = 5) -> Match:
    game = cards()
    return Match.begin(game, game.variant(), seed)


# ---- plays ----


def test_undo_goes_back_to_a_decision() -> None:
    match = begin_match()
    states = [match.state]
    for name in ("1", "3", "three", "six"):
        states.append(match.choose(name))
    assert [state.player for state in states] == [0, 1, 0, 1, 1]
    assert match.undo([0])
    assert match.state == states[2]
    assert match.undo()
    assert match.state == states[1]
    assert match.undo([0])
    assert match.state == states[0]
    assert not match.undo()
    assert match.decisions == 0


def test_a_player_sees_events_since_the_last_decision() -> None:
    match = begin_match()
    assert match.since_last_decision(0) == [
        Event(NOBODY, "at the bottom of the deck lies the five")
    ]
    assert match.since_last_decision(1) == []
    for name in ("1", "3", "three", "six"):
        match.choose(name)
    assert match.since_last_decision(0) == [
        Event(NOBODY, "player 1 plays the three"),
        Event(NOBODY, "player 2 plays the six"),
        Event(NOBODY, "player 2 takes both cards"),
    ]
    assert match.last_events(0) == match.since_last_decision(0)[1:]


def test_where_nothing_can_be_chosen() -> None:
    match = begin_match()
    for name in ("1", "3", "three", "six"):
        match.choose(name)
    match.choose("four")
    assert has_one_option(match.state)
    match.choose(match.state.decision.options[0])
    assert not has_one_option(match.state)
    logged = match.since_last_decision(0)
    assert Event(NOBODY, "player 1 plays the two (the only option)") in logged
    assert [event.text for event in logged].count("player 2 plays the six") == 1
    assert match.undo([0])
    assert [option.name for option in match.state.decision.options] != ["two"]
    assert match.state.player == 0


def test_all_events_of_a_play() -> None:
    match = begin_match()
    match.choose("1")
    assert match.events_by_step(ALL_SEEING) == [
        [Event(NOBODY, "at the bottom of the deck lies the five")],
        [Event(0, "choose a wager: 1")],
    ]


# ---- bots ----


def test_greedy_takes_what_wins() -> None:
    state = four().start()
    for name in ("drop(1)", "drop(7)", "drop(1)", "drop(7)", "drop(1)", "drop(7)"):
        state = state.choose(name)
    for seed in range(5):
        assert choose_greedily(state, bot_generator(seed, 0)) == 0


def test_greedy_takes_the_lead() -> None:
    # Player 2 has four and six, and answers the three: both cards win, so samples must contain
    # both.
    state = begin_match()
    for name in ("1", "3", "three"):
        state.choose(name)
    chosen = {choose_greedily(state.state, bot_generator(seed, 3)) for seed in range(20)}
    assert chosen == {3, 5}


@pytest.mark.parametrize("bot", sorted(BOTS))
def test_bots_choose_what_is_offered_and_leave_the_state_alone(bot: str) -> None:
    match = begin_match()
    while not match.state.over:
        before = match.state.cells[:]
        choice = BOTS[bot](match.state, bot_generator(1, match.decisions))
        assert choice in match.state.option_ids
        assert match.state.cells == before
        match.take(choice)


def test_undo_does_not_change_what_bots_do() -> None:
    match = begin_match()
    play_on(match, ("greedy", "greedy"))
    states = list(match.states)
    match.undo()
    match.undo()
    play_on(match, ("greedy", "greedy"))
    assert match.states == states


# ---- counts ----


def test_perft_counts_sequences() -> None:
    assert list(perft(four().start(), 4)) == [7, 49, 343, 2401]


def test_perft_branches_on_chance() -> None:
    start = cards().start(chance="manual")
    assert list(perft(start, 4)) == [6, 30, 120, 360]


def test_perft_ends_with_the_game() -> None:
    state = cards().start(seed=5).choose("0").choose("0")
    assert list(perft(state, 9)) == [2, 4, 4, 4]


def test_perft_counts_the_same_without_keeping_states(monkeypatch: pytest.MonkeyPatch) -> None:
    start = four().start()
    kept = list(perft(start, 4))
    with monkeypatch.context() as few:
        few.setattr("rulewright.interpreter.testing.perft._WIDEST", 10)
        assert list(perft(start, 4)) == kept
    for states in (0, 1, 7, 20):
        with monkeypatch.context() as few:
            memory = states * start.compiled.program.size * 4
            few.setattr("rulewright.interpreter.testing.perft._BYTES", memory)
            assert list(perft(start, 4)) == kept
            assert list(perft(cards().start(seed=5).choose("0").choose("0"), 9)) == [2, 4, 4, 4]


def test_divide_tells_the_deepest_count_by_the_first_choice() -> None:
    state = cards().start(seed=5).choose("0")
    assert list(divide(state, 1)) == [("0", 1), ("1", 1), ("2", 1), ("3", 1)]
    assert list(divide(state, 3)) == [("0", 4), ("1", 4), ("2", 4), ("3", 4)]
    assert list(divide(state, 99)) == [("0", 0), ("1", 0), ("2", 0), ("3", 0)]


def test_a_tree_is_counted_by_its_ends() -> None:
    state = cards().start(seed=5).choose("0").choose("0")
    tree = count_tree(state)
    assert (tree.chance, tree.decisions, tree.ends) == (0, 1 + 2 + 4 + 4, 4)
    assert tree.histories == 15
    assert sum(count for _, count in tree.results) == tree.ends
    assert count_tree(cards().start(chance="manual").take(0).take(0).take(0)).chance == 1 + 3 + 6


def test_information_sets_are_what_players_can_tell_apart() -> None:
    """The last two cards of the shuffle and the lead are open: player 1 cannot tell the cards
    of player 2 apart.
    """
    state = cards().start(chance="manual", remember=True)
    for result in (5, 4, 3):
        state = state.take(result)
    sets = information_sets(state)
    first = [text for text in sets[0] if text.count("player") and "player 1: " not in text]
    assert len(first) == len(set(first))
    assert sum(sets[0].values()) + sum(sets[1].values()) == count_tree(state).decisions


# ---- simulations ----


def test_bots_of_one_sort_play_the_same_in_both_ways() -> None:
    game = cards()
    seen: list[Match] = []
    fast = simulate(game, game.variant(), ("random", "random"), range(30))
    slow = simulate(game, game.variant(), ("random", "random"), range(30), on_match=seen.append)
    assert fast == slow
    assert len(seen) == 30


@pytest.mark.parametrize("name", ["love_letter", "pig"])
def test_a_play_written_down_at_once_is_the_record_of_a_play(name: str) -> None:
    game = load_game(name)
    variant = game.variant()
    compiled = game.compiled(variant)
    for seed in range(3):
        counts: list[int] = []
        state, record = record_playout(game, variant, compiled, seed, 10_000, counts)
        match, slow = Match.begin(game, variant, seed, compiled), list[int]()
        play_on(match, ("random", "random"), slow)
        assert record == record_of(match, ("random", "random"))
        assert counts == slow
        assert state.cells == match.state.cells


def test_streamed_records_are_cut_like_kept_ones() -> None:
    game = cards()
    written: list[str] = []
    simulate(game, game.variant(), ("random", "random"), range(2), on_line=written.append)
    lines = parse_records("\n".join(written), "written")
    assert [record.seed for record in lines] == [0, 1]
    variant = game.variant()
    _, record = record_playout(game, variant, game.compiled(variant), 0, 2, [])
    assert record.result is None
    assert lines[0].steps[: len(record.steps)] == record.steps


def test_tallies_can_be_joined() -> None:
    game = cards()
    variant = game.variant()
    bots = ("greedy", "random")
    whole = simulate(game, variant, bots, range(20))
    parts = [simulate(game, variant, bots, range(first, first + 5)) for first in range(0, 20, 5)]
    joined = Tally.empty(game.compiled(variant).program)
    for part in parts:
        joined.join(part)
    assert joined == whole


def test_a_tally_counts_every_play_once() -> None:
    game = cards()
    ticks: list[int] = []
    tally = simulate(
        game, game.variant(), ("random", "random"), range(40), tick=lambda: ticks.append(1)
    )
    assert tally.plays == len(ticks) == 40
    assert sum(tally.wins) + tally.shared[0] + tally.draws == 40
    assert tally.shared[0] == tally.shared[1]
    assert tally.length.mean == 6.0
    assert tally.items == ("cards won", "wager")


def test_a_play_that_goes_on_and_on_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rulewright.interpreter.simulation.simulation.LONGEST", 3)
    game = cards()
    for bots in (("random", "random"), ("greedy", "random")):
        tally = simulate(game, game.variant(), bots, range(4))
        assert (tally.plays, tally.unfinished) == (0, 4)
