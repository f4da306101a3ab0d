"""The drawing of a position."""

from __future__ import annotations

import sys
from pathlib import Path

import click
import pytest

from rulewright import load_game
from rulewright.cli.terminal import screen as screen_module
from rulewright.cli.terminal.screen import Screen, event_lines, position
from rulewright.cli.terminal.second_person import spoken_to
from rulewright.interpreter.matches.events import Event
from rulewright.interpreter.matches.match import Match
from rulewright.interpreter.views.log_lines import NOBODY

YARDS = """game "Yards"
    players 2
space Yard grid 2 by 2
    state keeper: Player or nothing = nothing
player
    state pebbles: 0..9
setup
    set Yard(1, 2).keeper to the(p in players where p.number is 1)
    set Yard(1, 1).keeper to the(p in players where p.number is 2)
    set Yard(2, 2).keeper to the(p in players where p.number is 2)
    each player
        set me.pebbles to me.number
play
    each player
        choose one of
            option "pass"
    end game
score of p
    item "fields" = p.fields
winner p by p.total then shared
value fields of p: Player = count(y in Yard where y.keeper is p)
kind Sign = a "A"
value sign(mine: Flag) = if mine then a else nothing
board Yard "Yard of {me}"
    show "{sign(yes)}" where cell.keeper is me
board "Fields"
    show "{p}: {p.fields} field(s)" for p in players where p.fields > 0
board "Empty"
    show "{y}" for y in Yard where y.keeper is not nothing and y.keeper.pebbles is 9
"""


def test_boards_are_those_of_one_player(tmp_path: Path) -> None:
    (tmp_path / "yards.game").write_text(YARDS, encoding="utf-8")
    state = load_game(tmp_path / "yards.game").start()
    assert position(state, 0).splitlines() == [
        "Yard of player 1   Fields",
        "2  A .             player 1: 1 field",
        "1  . .             player 2: 2 fields",
        "   a b",
        "",
        "       * player 1 (you)  player 2",
        "score    1               2",
        "pebbles  1               2",
    ]
    assert position(state, 0, 1).splitlines()[:4] == [
        "Yard of player 2   Fields",
        "2  . A             player 1: 1 field",
        "1  A .             player 2: 2 fields",
        "   a b",
    ]


def test_events_alike_are_counted() -> None:
    events = [Event(0, "chooses cell")] * 3 + [Event(NOBODY, "that was all")]
    assert event_lines(events, ("ann",)) == ["  ann: chooses cell (3 times)", "  that was all"]


PLAYERS = """game "Passing"
    players 2
player
    state coins: 0..9 = 4
    state stones: 0..9 = 3
    state has_passed: Flag
play
    each player
        choose one of
            option "pass"
                set me.has_passed to yes
            option "stay"
score of p
    item "coins" = p.coins
winner p by p.total then shared
board "Players"
    show "{p}: {p.coins} coin(s)" for p in players
    show "{p} has passed" for p in players where p.has_passed
board "Yours"
    show "{me.stones} stones"
"""


def test_values_on_boards_are_not_repeated(tmp_path: Path) -> None:
    (tmp_path / "passing.game").write_text(PLAYERS)
    state = load_game(str(tmp_path / "passing.game")).start(players=2).choose("pass")
    assert (
        position(state, 0)
        == """\
Players               Yours
player 1: 4 coins     3 stones
player 1 has passed
player 2: 4 coins

        player 1 (you) * player 2
score   4                4
stones  3                3"""
    )


MARKETS = """game "Markets"
    players 2
kind Town = york, ghent, siena
kind Good = wool, salt
player
    state coins: 0..9 = 3
space Stall for town in Town, good in Good
    state price: 0..9
    state keeper: Player or nothing
setup
    for each s in Stall where s.town is not york
        set s.price to 3 * s.good.number
    for each s in Stall where s.town is ghent
        set s.keeper to last_player
value last_player = sure(first(p in players by p.number))
play
    each player
        choose stall in Stall
        set stall.keeper to me
score of p
    item "coins" = p.coins
winner p by p.total then shared
board "Market of {t}" for t in Town
    show "{s.good}: {s.price}" for s in Stall where s.town is t and s.price > 0
    show "nothing" where all(s in Stall where s.town is t: s.price is 0)
    note "{p} keeps {s.good}" for p in players, s in Stall where s.town is t and s.keeper is p
board "{p}" for p in players
    show "{p.coins} coin(s)"
"""


def test_a_board_for_each(tmp_path: Path) -> None:
    (tmp_path / "markets.game").write_text(MARKETS)
    state = load_game(str(tmp_path / "markets.game")).start(players=2)
    assert (
        position(state, 0)
        == """\
Market of york   Market of ghent       Market of siena   player 1   player 2
nothing          wool: 3               wool: 3           3 coins    3 coins
                 salt: 6               salt: 6
                 player 2 keeps wool
                 player 2 keeps salt

     * player 1 (you)  player 2
score  3               3"""
    )


def test_whose_board_it_is(tmp_path: Path) -> None:
    (tmp_path / "passing.game").write_text(PLAYERS)
    (tmp_path / "yards.game").write_text(YARDS)
    for name, of_player in (("passing", [False, True]), ("yards", [True, False, False])):
        state = load_game(str(tmp_path / f"{name}.game")).start(players=2)
        assert [board.of_player for board in state.compiled.program.boards] == of_player


def test_a_line_that_wins_is_marked() -> None:
    state = load_game("connect_four").start(players=2)
    for column in (1, 7, 2, 7, 3, 7, 4):
        state = state.choose(f"drop({column})")
    assert "1 (X|X|X|X). . O" in position(state, 0).splitlines()


@pytest.mark.parametrize(
    ("line", "printed"),
    [
        ("player 1 plays the guard", "you play the guard"),
        ("player 1 is out of the round", "you are out of the round"),
        ("player 1 passes", "you pass"),
        ("player 1 pays 4 and has economy 4", "you pay 4 and have economy 4"),
        ("player 1 carries a crate to player 1", "you carry a crate to you"),
        ("player 1 ships to India and gets Finance", "you ship to India and get Finance"),
        ("player 1 and player 2 compare their cards", "you and player 2 compare their cards"),
        ("player 2 asks player 1", "player 2 asks you"),
        ("a new round: player 1 begins", "a new round: you begin"),
        ("Juno, which player 1 has found: 1 for player 1", "Juno, which you have found: 1 for you"),
        ("player 2 and player 1 compare their cards", "player 2 and you compare their cards"),
        ("the card of player 1 is shown", "your card is shown"),
        ("the hand of player 1's rival", "the hand of player 1's rival"),
        ("player 2 fragt player 1", "player 2 fragt player 1"),
        ("player 11 plays", "player 11 plays"),
        ("player 1 nimmt eine Karte", "player 1 nimmt eine Karte"),
        ("player 1: 3 points", "player 1: 3 points"),
    ],
)
def test_lines_that_speak_to_who_plays(line: str, printed: str) -> None:
    assert spoken_to(line, "player 1") == printed
    assert spoken_to(line, "") == line


ASKED = """game "Harvest"
    players 2
kind Crop = wheat, barley
player
    state sown: 0..9
board "Harvest of this year"
    show "wheat grows by 2 where the sun shines, and by 1 where it does not shine"
board "Weather"
    show "it rains in the north, where nothing grows, and it is dry in the south"
play
    each player
        surely choose g in 1..2 PROMPT
        add g to me.sown
    end game
score of p
    item "sown" = p.sown
winner p by p.total then shared
"""


@pytest.mark.parametrize(
    ("prompt", "shown", "asked"),
    [
        ('prompt "how much for the harvest?"', True, "how much for the harvest?"),
        ('prompt "how much?"', False, "how much?"),
        ("", False, "what do you do?"),
    ],
    ids=["a board", "no board", "a name that is no word"],
)
def test_boards_of_which_the_question_speaks_are_drawn_again(
    prompt: str, shown: bool, asked: str, tmp_path: Path
) -> None:
    (tmp_path / "harvest.game").write_text(ASKED.replace(" PROMPT", f" {prompt}".rstrip()))
    game = load_game(tmp_path / "harvest.game")
    match = Match.begin(game, game.variant(2, {}), 1)
    assert match.state.decision.prompt == asked
    screen = Screen()
    whole = screen.draw_position(match, 0, goes_on=False, beside=0)
    again = screen.draw_position(match, 0, goes_on=True, beside=0)
    assert ("wheat" in whole, "rains" in whole) == (True, True)
    assert ("wheat" in again, "rains" in again) == (shown, False)


@pytest.mark.parametrize(
    ("room", "shown", "left"),
    [
        (
            6,
            ("wheat", "player 2 (you)"),
            "(not shown: Weather, other players; `look` shows all, `look NAME` one)",
        ),
        (8, ("wheat", "player 1"), "(not shown: Weather; `look` shows all, `look NAME` one)"),
        (
            9,
            ("wheat", "rains", "player 2 (you)"),
            "(not shown: other players; `look` shows all, `look NAME` one)",
        ),
        (11, ("wheat", "rains", "player 1"), ""),
    ],
)
def test_the_subject_of_the_question_and_own_pieces_come_first(
    room: int,
    shown: tuple[str, ...],
    left: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    text = ASKED.replace("PROMPT", 'prompt "how much for the harvest?"')
    (tmp_path / "harvest.game").write_text(text)
    game = load_game(tmp_path / "harvest.game")
    match = Match.begin(game, game.variant(2, {}), 1)
    match.choose("2")
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setattr(screen_module, "height", lambda: room)
    screen = Screen()
    first = screen.draw_position(match, 1, goes_on=False, beside=0)
    words = ("wheat", "rains", "player 1", "player 2 (you)")
    assert tuple(word for word in words if word in first)[: len(shown)] == shown
    assert first.endswith(left)
    assert ("look" in first) == bool(left)
    assert len(first.splitlines()) <= room
    assert screen.draw_position(match, 1, goes_on=False, beside=0) == first


COLOURED = """game "Signs"
    players 2
kind Colour = red "R", blue "B"
kind Word = cross, r
player
    state flag: Colour = red
board "{p}" for p in players
    show "R is {p.flag}, B is {p.flag}, [no] player 1 <" for p2 in players where p2 is p
board "All"
    show "{c}" for c in Colour
play
    each player
        choose one of
            option "pass"
    end game
score of p
    item "none" = 0
winner p by p.total then shared
"""


def _screen(tmp_path: Path, text: str, monkeypatch: pytest.MonkeyPatch, room: int) -> str:
    """The first screen of a game, at a terminal of this size with colours."""
    (tmp_path / "signs.game").write_text(text)
    game = load_game(tmp_path / "signs.game")
    match = Match.begin(game, game.variant(2, {}), 1)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setattr(screen_module, "height", lambda: room)
    return Screen().draw_position(match, 0, goes_on=False, beside=0)


def test_colours_come_from_what_a_word_refers_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn = _screen(tmp_path, COLOURED, monkeypatch, 40)
    red, blue = (f"\x1b[{code}m\x1b[1m{sign}\x1b[0m" for code, sign in ((31, "R"), (34, "B")))
    seats = [f"\x1b[{code}m\x1b[1mplayer {seat}\x1b[0m" for seat, code in ((1, 36), (2, 33))]
    assert drawn.count(f"R is {red}, B is {red}, [no] player 1 <") == 2
    assert (drawn.count(red), drawn.count(blue)) == (5, 1)
    assert [drawn.count(seat) for seat in seats] == [2, 2]


def test_boards_of_other_players_are_left_out_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = COLOURED.replace(" where p2 is p", "").replace('show "{c}"', 'show "colour {c.number}"')
    monkeypatch.setenv("COLUMNS", "40")
    drawn = click.unstyle(_screen(tmp_path, text, monkeypatch, 11))
    assert "\nAll\n" in f"\n{drawn}"
    assert drawn.startswith("player 1\n")
    assert "player 2" not in drawn
    assert drawn.endswith("(`look` shows all)")


MAP = """game "Travel"
    players 2
space Town
    row york
    row bath
    row leeds
    row derby
    row lynn
    state mark: Player or nothing
player
    state coins: 0..9
board "{p}" for p in players
    show "coins {p.coins} in a purse of red leather"
board "The map"
    show "{t}: {t.mark}" for t in Town
play
    each player
        surely choose t in Town where t is derby or t is lynn
        set t.mark to me
        choose p in players
        add 1 to p.coins
    end game
score of p
    item "coins" = p.coins
winner p by p.total then shared
"""


def test_a_board_that_does_not_fit_is_cut_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    drawn = click.unstyle(_screen(tmp_path, MAP, monkeypatch, 11)).splitlines()
    assert drawn[:2] == ["player 1", "coins 0 in a purse of red leather"]
    assert drawn[3:7] == ["The map", "derby: none", "lynn: none", "(3 more)"]
    assert "player 2" not in " ".join(drawn[:7])
    assert drawn[-1] == "(`look` shows all)"
    assert len(drawn) <= 11


def test_boards_of_others_do_not_take_the_place_of_ones_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "signs.game").write_text(MAP)
    game = load_game(tmp_path / "signs.game")
    match = Match.begin(game, game.variant(2, {}), 1)
    match.choose("derby")
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.setattr(screen_module, "height", lambda: 8)
    # the options name both players
    drawn = Screen().draw_position(match, 0, goes_on=False, beside=0)
    assert drawn.startswith("player 1\ncoins 0 in")
    assert "player 2\ncoins 0 in" not in drawn
