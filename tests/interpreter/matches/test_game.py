"""Games and states: variants, choices, chance, log, scores, refused requests."""

from pathlib import Path
from typing import get_args

import attrs
import pytest

from rulewright.dsl.ir import Domain
from rulewright.interpreter.engines.engines import EngineName
from rulewright.interpreter.matches.game import Game, Variant, load_game
from rulewright.interpreter.matches.state import State
from rulewright.interpreter.text.errors import NoSuchOptionError, WrongVariantError
from rulewright.interpreter.text.faults import RuleFault
from rulewright.interpreter.views.log_lines import NOBODY
from tests.interpreter.handmade import cards, four, handmade
from tests.interpreter.handmade_cards import CARDS
from tests.interpreter.handmade_four import FOUR

FULL_COLUMN = ["drop(4)"] * 6


def choose_all(game: Game, names: list[str], seed: int = 0) -> State:
    state = game.start(seed=seed)
    for name in names:
        state = state.choose(name)
    return state


def test_a_game_is_played_by_names() -> None:
    state = four().start()
    assert state.players == ("player 1", "player 2")
    assert state.decision.player == 0
    assert state.decision.prompt == "choose a column"
    assert [option.name for option in state.decision.options] == [f"drop({n})" for n in range(1, 8)]
    assert state.decision.options[3].text == "drop a disc into column 4"
    assert state.choose("drop(4)").decision.name_of_player == "player 2"


def test_a_game_is_played_by_options() -> None:
    state = four().start()
    steps = 0
    while not state.over:
        options = state.decision.options
        state = state.choose(options[len(options) - 1])
        steps += 1
    assert state.winners == (0,)
    assert steps > 7
    assert [line.text for line in state.log] == ["player 1 has four in a row"]


def test_choosing_leaves_the_state_alone() -> None:
    state = four().start()
    before = state.cells[:]
    state.choose("drop(1)")
    assert state.cells == before
    assert state.copy() is state


def test_options_are_a_sequence() -> None:
    options = four().start().decision.options
    assert len(options) == 7
    assert [option.name for option in options[1:3]] == ["drop(2)", "drop(3)"]
    assert options[-1].name == "drop(7)"
    assert options[0] in options
    assert repr(options).startswith("<Options drop(1), drop(2)")


def test_an_option_of_an_equal_state_can_be_chosen() -> None:
    game = four()
    option = game.start().decision.option("drop(2)")
    assert game.start().choose(option) == game.start().choose("drop(2)")


def test_an_option_of_another_decision_is_looked_up_by_name() -> None:
    game = four()
    option = game.start().decision.option("drop(4)")
    with pytest.raises(NoSuchOptionError, match="column 4 is full"):
        choose_all(game, FULL_COLUMN).choose(option)


def test_a_refusal_has_the_words_of_the_rules() -> None:
    state = choose_all(four(), FULL_COLUMN)
    assert len(state.decision.options) == 6
    assert state.decision.why("drop(4)") == "column 4 is full"
    assert state.decision.why("drop(3)") is None
    assert state.decision.refused == {"drop(4)": "column 4 is full"}
    with pytest.raises(NoSuchOptionError) as refused:
        state.choose("drop(4)")
    assert str(refused.value) == "`drop(4)` cannot be chosen: column 4 is full"
    assert refused.value.reason == "column 4 is full"


def test_an_unknown_name_gets_a_near_one() -> None:
    state = four().start()
    with pytest.raises(NoSuchOptionError) as refused:
        state.choose("drp(3)")
    assert str(refused.value) == (
        "there is no option `drp(3)` here; did you mean `drop(3)`, `drop(1)` or `drop(2)`?"
    )
    assert state.decision.why("drp(3)") == str(refused.value)
    with pytest.raises(NoSuchOptionError, match="there is no option `xyzzy` here"):
        state.decision.option("xyzzy")


def test_equal_states_are_equal() -> None:
    game = four()
    left = choose_all(game, ["drop(1)", "drop(2)", "drop(3)"])
    right = choose_all(game, ["drop(3)", "drop(2)", "drop(1)"])
    assert left == right
    assert hash(left) == hash(right)
    assert left != choose_all(game, ["drop(1)", "drop(2)", "drop(4)"])
    assert left == choose_all(four(), ["drop(1)", "drop(2)", "drop(3)"])


def test_the_same_seed_gives_the_same_play() -> None:
    game = cards()
    assert game.start(seed=8) == game.start(seed=8)
    assert {game.start(seed=seed).cells.tobytes() for seed in range(20)} != {
        game.start(seed=8).cells.tobytes()
    }


def test_the_log_is_reported_to_those_it_is_for() -> None:
    state = cards().start(seed=5)
    (line,) = state.log
    assert line.text == "at the bottom of the deck lies the five"
    assert line.is_for(0)
    assert not line.is_for(1)
    state = state.choose("1").choose("2")
    assert state.log == ()


def test_drawn_results_are_known_afterwards() -> None:
    state = cards().start(seed=5)
    assert [drawn.site for drawn in state.drawn] == [0, 0, 0, 0, 0, 1]
    assert state.choose("1").drawn == ()


def test_chance_can_be_a_decision() -> None:
    state = cards().start(chance="manual")
    assert state.at_chance
    assert state.decision.player == NOBODY
    assert state.decision.name_of_player == "chance"
    assert state.decision.prompt == "shuffle deck"
    assert [option.name for option in state.decision.options] == ["0", "1", "2", "3", "4", "5"]
    assert state.decision.options[2].text == "2"
    assert state.decision.refused == {}
    for bound in range(6, 1, -1):
        assert len(state.decision.options) == bound
        state = state.choose("0")
    assert state.decision.prompt == "roll lead"
    assert [option.name for option in state.decision.options] == ["player_1", "player_2"]
    state = state.choose("player_2")
    assert not state.at_chance
    assert [drawn.result for drawn in state.drawn] == [1]


def test_chance_by_hand_and_by_seed_meet() -> None:
    game = cards()
    seeded = game.start(seed=11)
    manual = game.start(chance="manual")
    for drawn in seeded.drawn:
        manual = manual.take(drawn.result)
    assert manual.cells == seeded.cells


def test_scores_are_itemised() -> None:
    state = cards().playout(seed=4)
    scores = state.scores
    assert [player.name for player in scores] == ["player 1", "player 2"]
    assert len(scores) == 2
    assert scores[1].total == sum(points for _, points in scores[1].items)
    assert scores.totals == (scores[0].total, scores[1].total)
    assert [text for text, _ in scores[0].items] == ["cards won", "wager"]
    lines = str(scores).splitlines()
    assert lines[0].split() == ["player", "1", "player", "2"]
    assert lines[-1].split()[0] == "total"


def test_a_game_without_score_says_so() -> None:
    assert str(four().start().scores) == "no score is kept"


def test_nobody_has_won_before_the_end() -> None:
    assert four().start().winners == ()


def test_a_playout_is_what_random_bots_play() -> None:
    game = cards()
    end = game.playout(seed=3)
    assert end.over
    assert end == game.playout(seed=3)
    assert end.log == ()


def test_every_engine_plays_the_same() -> None:
    game = cards()
    for seed in range(10):
        first, *others = (game.playout(seed, engine=each).cells for each in get_args(EngineName))
        assert others == [first] * 2


def test_past_states_are_kept_when_asked_for() -> None:
    state = four().start(remember=True)
    after = state.choose("drop(1)").choose("drop(2)")
    assert [each.player for each in after.past] == [0, 1]
    assert after.past[0] is state
    assert four().start().choose("drop(1)").past == ()


def test_information_needs_the_past() -> None:
    with pytest.raises(ValueError, match="remember=True"):
        four().start().information(0)


def test_information_differs_by_what_was_seen() -> None:
    game = cards()
    state = game.start(seed=5, remember=True)
    assert state.information(0) != state.information(1)
    assert "five" not in state.information(1)
    assert "told: at the bottom of the deck lies the five" in state.information(0)
    after = state.choose("1").choose("1")
    assert "player 1: 1" in after.information(0)


def test_repr_is_short() -> None:
    game = four()
    state = game.start()
    assert repr(state) == "<State of Four in a Row: player 1, choose a column>"
    assert repr(state.decision) == "<Decision of player 1: choose a column>"
    assert repr(state.decision.options[0]) == "<Option drop(1)>"
    assert repr(game.playout()) == "<State of Four in a Row, over>"


def test_equal_copies_have_names_of_their_own() -> None:
    twins = Domain("piece", 0, ("guard", "guard", "priest", "guard", "king", "king"))
    game = handmade(attrs.evolve(CARDS, domains=(*CARDS.domains[:2], twins)))
    state = game.start(seed=5).choose("1").choose("1")
    assert state.decision.names == ["guard", "priest"]
    state = state.choose("priest")
    assert state.decision.names == ["guard", "king"]
    assert state.decision.refused == {"priest": "the priest is not in your hand"}
    both = attrs.evolve(twins, names=("guard",) * 6)
    game = handmade(attrs.evolve(CARDS, domains=(*CARDS.domains[:2], both)))
    state = game.start(seed=5).choose("1").choose("1")
    assert [option.name for option in state.decision.options] == ["guard", "guard#2"]
    assert state.decision.refused == {}
    after = state.choose("guard#2")
    assert after == state.take(state.option_ids[1])
    assert state.compiled.option_name(state.cells, after.choice) == "guard#2"


# ---- settings ----


def options_game() -> Game:
    return handmade(
        FOUR, low=2, high=4, options=(("start", ("first", "loser")), ("size", ("7", "9")))
    )


def test_a_setting_is_filled_in() -> None:
    assert options_game().variant() == Variant(2, (("start", "first"), ("size", "7")))
    assert options_game().variant(3, {"size": "9"}).options[1] == ("size", "9")
    assert handmade(FOUR, low=1, high=5).variant().players == 2
    assert handmade(FOUR, low=3, high=5).variant().players == 3
    assert handmade(FOUR, low=1, high=1).variant().players == 1


@pytest.mark.parametrize(
    ("players", "options", "message"),
    [
        (5, {}, "Four in a Row is for 2 to 4 players, not 5"),
        (1, {}, "Four in a Row is for 2 to 4 players, not 1"),
        (2, {"sice": "7"}, "Four in a Row has no option `sice`; did you mean `size`?"),
        (2, {"size": "8"}, "the option `size` is 7 or 9, not `8`"),
        (
            2,
            {"start": "lose"},
            "the option `start` is first or loser, not `lose`; did you mean `loser`?",
        ),
    ],
)
def test_a_wrong_setting_is_refused(players: int, options: dict[str, str], message: str) -> None:
    with pytest.raises(WrongVariantError) as refused:
        options_game().variant(players, options)
    assert str(refused.value) == message


def test_one_number_of_players_is_said_as_one() -> None:
    with pytest.raises(WrongVariantError, match="is for 2 players, not 3"):
        four().start(players=3)


ENDLESS = """\
game "Endless"
    players 2
player
    state coins: 0..3
play
    repeat
        each player
            choose one of
                option "earn"
                    add 1 to me.coins
                option "end" where me.coins > 3
                    end game
score of p
    item "coins" = p.coins
winner p by p.total then shared
"""


@pytest.mark.parametrize("engine", get_args(EngineName))
def test_a_play_that_does_not_end_is_a_fault(engine: EngineName, tmp_path: Path) -> None:
    path = tmp_path / "endless.game"
    path.write_text(ENDLESS)
    game = load_game(path)
    for play in (game.playout, lambda **named: game.playouts([1, 2], **named)):
        with pytest.raises(RuleFault, match="not over after 50 decisions") as found:
            play(engine=engine, longest=50)
        assert found.value.code == "no-progress"


@pytest.mark.parametrize("engine", ["reference", "python"])
def test_a_compiled_game_is_shown_in_a_few_words(engine: EngineName) -> None:
    """A failing assertion shows the `repr` of what it compares."""
    game = load_game("tic_tac_toe")
    compiled = game.compiled(game.variant(), engine)
    shown = (compiled, compiled.engine, compiled.viewer, compiled.words, compiled.program)
    assert max(len(repr(one)) for one in shown) < 200
