"""An inconsistent state is reported; the states of all shipped games are consistent."""

from __future__ import annotations

from array import array
from pathlib import Path

import pytest

from rulewright import load_game
from rulewright.dsl.loading.loading import load
from rulewright.interpreter.matches.audit import audit, box, check_components
from rulewright.interpreter.matches.game import Game, first_state, game_of, playout
from rulewright.interpreter.matches.state import State
from rulewright.interpreter.simulation.simulation import simulate
from rulewright.interpreter.text.faults import InternalError
from tests.games.variants import LARGE, LONG, SHIPPED, game_named

TEXT = """game "Parts"
    players 2
piece Card
    row ace
    row deuce
    row trey
piece Coin
    row gold
    row silver
token cube
zone deck: pile of Card
zone spot_of_honour: spot of Card
zone purse: set of Coin
zone stock: tokens of cube = 5
state names: list of 1..3 up to 2
player
    state coins: 0..9 = 3
    zone cubes: tokens of cube
setup
    move all from Card to deck
    move all from Coin to purse
    surely move 1 from deck to spot_of_honour
    add 1 to names
play
    each player
        surely move 1 from stock to me.cubes
        add 1 to me.coins
        choose one of
            option "stay"
            option "name"
                set names to empty
                add 3 to names
score of p
    item "all" = p.coins + p.cubes.size + spot_of_honour.size + names.size
winner p by p.total then shared
"""


def parts(folder: Path) -> State:
    path = folder / "parts.game"
    path.write_text(TEXT, encoding="utf-8")
    rules = load(path)
    assert rules.check() == ()
    return game_of("parts", rules).start()


def spoilt(state: State, name: str) -> array[int]:
    """The cells with one inconsistency."""
    program, cells = state.compiled.program, state.cells[:]
    links = program.links
    zones = {place.name: place.first for place in program.places}
    deck = zones["deck"]
    kept = {value.name: value for value in program.kept}
    tokens = {place.name: place for place in program.tokens}
    match name:
        case "lost":
            head = cells[links.head + deck]
            cells[links.head + deck] = cells[links.next + head]
            cells[links.count + deck] -= 1
        case "count":
            cells[links.count + deck] += 1
        case "twice":
            cells[links.head + zones["spot_of_honour"]] = cells[links.head + deck]
        case "order":
            gold, silver = cells[links.head + zones["purse"]], cells[links.tail + zones["purse"]]
            cells[links.head + zones["purse"]], cells[links.next + silver] = silver, gold
            cells[links.next + gold] = -1
        case "kind":
            cells[links.head + zones["spot_of_honour"]] = cells[links.head + zones["purse"]]
        case "ring":
            cells[links.next + cells[links.tail + deck]] = cells[links.head + deck]
        case "token":
            cells[tokens["stock"].base] -= 1
        case "debt":
            cells[tokens["stock"].base] -= 9
            cells[tokens["cubes"].base] += 9
        case "counter":
            cells[kept["coins"].base] = 10
        case "item":
            cells[kept["names"].base + 1] = 4
        case _:
            cells[kept["names"].base] = 7
    return cells


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("lost", "ace lies nowhere"),
        ("count", "deck holds 2 pieces but counts 3"),
        ("twice", "ace is linked in spot_of_honour but stored elsewhere"),
        ("order", "the set purse is out of order"),
        ("kind", "gold lies in spot_of_honour, which is not for Coin"),
        ("ring", "deck has pieces linked in a circle"),
        ("token", "there are 4 cube, but 5 in the box"),
        ("debt", "stock holds a negative number of cube"),
        ("counter", "coins is 10, but its range is 0..9"),
        ("item", "names is 4, but its range is 1..3"),
        ("length", "names has 7 items but room for 2"),
    ],
)
def test_one_thing_wrong_is_noticed(tmp_path: Path, name: str, message: str) -> None:
    state = parts(tmp_path)
    assert list(audit(state.compiled, state.cells)) == []
    assert message in "; ".join(audit(state.compiled, spoilt(state, name)))


def test_a_simulated_play_is_looked_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    state = parts(tmp_path)
    with pytest.raises(InternalError, match="coins is 10"):
        check_components(state.compiled, spoilt(state, "counter"))
    rules = load(tmp_path / "parts.game")
    game = game_of("parts", rules)
    looked: list[State] = []
    monkeypatch.setattr(
        "rulewright.interpreter.simulation.simulation.check_components",
        lambda _, cells: looked.append(cells),
    )
    simulate(game, game.variant(), ["random", "greedy"], range(3))
    assert len(looked) == 3
    simulate(game, game.variant(), ["random", "random"], range(3))
    assert len(looked) == 4  # of random matches, only a sample


def test_the_box_has_all_tokens(tmp_path: Path) -> None:
    assert box(parts(tmp_path).compiled.program) == {("cube", -1): 5}


def _check(game: Game, players: int) -> None:
    compiled = game.compiled(game.variant(players))
    for cells in (first_state(compiled, 1).cells, playout(compiled, 1, 2000).cells):
        assert list(audit(compiled, cells)) == []


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=pytest.mark.deep if name in LONG else ()) for name in SHIPPED],
)
def test_shipped_games_hold_together_with_most_players(name: str) -> None:
    game = game_named(name)
    _check(game, game.facts.high)


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=pytest.mark.deep if name in LARGE else ()) for name in SHIPPED],
)
def test_shipped_games_hold_together_with_fewest_players(name: str) -> None:
    game = game_named(name)
    _check(game, game.facts.low)


ALONE = """game "Alone"
    players 1
token disc per player
space Harbor
    row haven
    zone discs: tokens of disc
player
    zone supply: tokens of disc = 5
play
    each player
        choose one of
            option "build"
                move up to 2 from me.supply to haven.discs
                move 1 from haven.discs(me) to me.supply
            option "pass"
score of p
    item "discs" = haven.discs(p)
"""


def test_tokens_of_a_player_who_is_alone(tmp_path: Path) -> None:
    path = tmp_path / "alone.game"
    path.write_text(ALONE)
    state = load_game(path).start().choose("build")
    assert list(audit(state.compiled, state.cells)) == []


NO_PIECES = """game "Rare"
    players 2
option mode = short, full
piece Leader
    worth: 0..9
    copies = if mode is short then 0 else 1
    row caesar, 3
zone box: set of Leader
player
    state best: Leader or nothing = nothing
setup
    move all from Leader to box
play
    each player
        if mode is full
            set me.best to caesar
score of p
    item "best" = if p.best is nothing then 0 else 1
"""


@pytest.mark.parametrize("mode", ["short", "full"])
def test_nothing_of_a_sort_of_which_no_piece_is_there(tmp_path: Path, mode: str) -> None:
    path = tmp_path / "rare.game"
    path.write_text(NO_PIECES)
    game = load_game(path)
    compiled = game.compiled(game.variant(2, {"mode": mode}))
    assert list(audit(compiled, playout(compiled, 1).cells)) == []


SET_OF_NONE = """game "None"
    players 2
piece Leader
    copies = 0
    row caesar
state met: set of Leader
player
    state known: set of Leader
play
    each player
        choose n in 1..2
        if n is 2
            set me.known to met
score of p
    item "known" = p.known.size
winner p by p.total then shared
"""


def test_a_set_of_what_there_is_none_of_is_an_empty_set(tmp_path: Path) -> None:
    path = tmp_path / "none.game"
    path.write_text(SET_OF_NONE)
    game = load_game(path)
    state = game.start(2)
    while not state.over:
        state = state.choose("2")
        check_components(state.compiled, state.cells)
        assert {value.value for value in state.view(0).values} == {()}
    assert state.scores.totals == (0, 0)
