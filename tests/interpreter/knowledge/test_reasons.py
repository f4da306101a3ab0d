"""Reasons of a value: its own value and its changes, and nothing for players who may not know them."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.dsl.loading.loading import load
from rulewright.interpreter.knowledge.reasons import NoSuchValueError, SecretValueError
from rulewright.interpreter.matches.game import game_of
from rulewright.interpreter.matches.state import State

TEXT = """game "Guilds"
    players 2
piece Master
    discount: 0..3
    row architect, 1
    row mason, 2
    row provost, 0
piece Hall
    cost: 1..9
    row mill, 6
zone guild: set of Master
zone market: set of Hall
player
    zone masters: set of Master
    state gold: 0..30 = 10
setup
    move all from Master to guild
    move all from Hall to market
open value price of p: Player (hall: Hall) at least 0 = hall.cost
open value fee at least 1 = 3                                              [GU-006]
value wealth of p: Player = p.gold + p.masters.size                   [GU-003..GU-005]
value is_rich of p: Player = p.gold > 5
value spare = me.gold - 1
power helper: Master in p.masters where helper.discount > 0           [GU-001]
    modify p.price(hall) less helper.discount
power provost in p.masters                                            [GU-002]
    modify p.price(hall) is 9
    modify fee at most 2
action hire(master in guild)
    move master to me.masters
action build(hall in market)
    pay min(spare, me.price(hall)) from me.gold
    lose min(fee, me.gold) from me.gold
    move hall to guild_hall
zone guild_hall: set of Hall
play
    repeat 3 times
        each player
            if guild is not empty or market is not empty
                choose one of
                    do hire
                    do build
                    option "pass"
score of p
    item "all" = p.wealth + (if p.is_rich then 1 else 0)
winner p by p.total then shared
"""


@pytest.fixture
def state(tmp_path: Path) -> State:
    path = tmp_path / "guilds.game"
    path.write_text(TEXT, encoding="utf-8")
    rules = load(path)
    assert [problem.code for problem in rules.check()] == []
    return game_of("guilds", rules).start()


def test_unchanged_values_have_no_base(state: State) -> None:
    why = state.why_value("wealth of player 1")
    assert (why.text, why.number, why.base, why.changes) == ("10", 10, None, ())
    assert why.lines == ["wealth of player 1 is 10 [GU-003..GU-005]"]
    assert why.span is not None
    assert why.span.line == 21
    assert state.why_value("is rich of player 2").lines == ["is rich of player 2 is yes"]


def test_each_change_has_its_card_and_its_clauses(state: State) -> None:
    for name in ("hire(architect)", "hire(provost)", "hire(mason)"):
        state = state.choose(name).choose("pass")
    why = state.why_value("price of player 1 mill")
    assert why.text == "6"
    assert why.base == "6"
    assert list(map(str, why.changes)) == [
        "is 9 by provost [GU-002]",
        "1 less by architect [GU-001]",
        "2 less by mason [GU-001]",
    ]
    assert state.why_value("price of player 2 mill").changes == ()
    assert why.lines[1] == "6 by itself"
    assert state.why_value("fee").lines == [
        "fee is 2",
        "3 by itself [GU-006]",
        "at most 2 by provost [GU-002]",
    ]


def test_a_change_by_less_than_nothing_is_reported_the_other_way_round(tmp_path: Path) -> None:
    path = tmp_path / "moods.game"
    path.write_text(
        """game "Moods"
    players 2
piece Guest
    cheer: -3..3
    row poet, 2
    row critic, -1
    row miser, -2
zone room: set of Guest
setup
    move all from Guest to room
open value mood at most 9 = 5
power guest: Guest in room where guest is not miser
    modify mood more guest.cheer
power miser in room
    modify mood less miser.cheer
play
    repeat mood times
        each player
            choose one of
                option "dance"
                option "sit"
score of p
    item "all" = 1
""",
        encoding="utf-8",
    )
    why = game_of("moods", load(path)).start().why_value("mood")
    assert why.lines == [
        "mood is 8",
        "5 by itself",
        "2 more by poet",
        "1 less by critic",
        "2 more by miser",
    ]


def test_a_card_with_a_power_of_its_own_is_called_by_its_name(tmp_path: Path) -> None:
    (tmp_path / "guests.csv").write_text("id,name,cheer\nj_s_poet,J. S. Poet,2\n", encoding="utf-8")
    path = tmp_path / "moods.game"
    path.write_text(
        """game "Moods"
    players 2
piece Guest from "guests.csv"
    cheer: -3..3
zone room: set of Guest
setup
    move all from Guest to room
open value mood at most 6 = 5
power j_s_poet in room
    modify mood more j_s_poet.cheer
play
    repeat mood times
        each player
            choose one of
                option "dance with {guest}" for guest in room
                option "sit"
score of p
    item "all" = 1
""",
        encoding="utf-8",
    )
    why = game_of("moods", load(path)).start().why_value("mood")
    assert why.lines == ["mood is 6", "5 by itself", "2 more by J. S. Poet", "at most 6"]


@pytest.mark.parametrize(
    "asked",
    ["price of me mill", "me.price(mill)", "Price of Me: mill", "price me mill", "price mill"],
)
def test_why_understands_the_ways_to_ask(state: State, asked: str) -> None:
    assert state.why_value(asked, 0).lines[0] == "price of player 1 (mill) is 6"


def test_a_flag_is_yes_or_no(state: State) -> None:
    assert state.why_value("is rich of player 2").text == "yes"


def test_the_acting_player_is_the_one_who_asks(state: State) -> None:
    assert state.why_value("spare", 1).text == "9"


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ("wealht of me", "there is no value `wealht of me`"),
        ("price of me", "`price` needs a piece: write `price of p hall`"),
        ("price of me castle", "`price` needs a piece: write `price of p hall`"),
        ("wealth of", "`wealth` needs a player: write `wealth of p`"),
        ("wealth of castle", "`wealth` needs a player: write `wealth of p`"),
        ("wealth of me mill", "`mill` does not belong here: write `wealth of p`"),
        ("", "there is no value ``"),
        ("....((", "there is no value `....((`"),
    ],
)
def test_unknown_values_are_refused(state: State, asked: str, message: str) -> None:
    with pytest.raises(NoSuchValueError) as failure:
        state.why_value(asked, 0)
    assert str(failure.value).startswith(message)


SECRET = """game "Hidden Guilds"
    players 2
piece Master
    discount: 0..3
    row architect, 1
    row mason, 2
    row provost, 0
    row elder, 3
zone drawn: pile of Master, seen by nobody except size
player
    zone secret: set of Master, seen by owner except size
    state coins: 0..9 = 5
setup
    move all from Master to drawn
    shuffle drawn
    each player
        surely move 1 from drawn to me.secret
open value price of p: Player at least 0 = 5
value strength of p: Player = sum(m in p.secret: m.discount)
power master: Master in p.secret                                      [GU-003]
    modify p.price less master.discount
play
    each player
        choose one of
            option "stay"
            option "pay"
                lose openly(min(me.price, me.coins)) from me.coins
score of p
    item "all" = p.strength + p.coins
winner p by p.total then shared
"""


def test_nobody_learns_what_another_hides(tmp_path: Path) -> None:
    path = tmp_path / "hidden.game"
    path.write_text(SECRET, encoding="utf-8")
    rules = load(path)
    assert rules.check() == ()
    state = game_of("hidden", rules).start(seed=1)
    held = state.why_value("strength of player 1", 0).number
    assert state.why_value("price of me", 0).number == 5 - held  # type: ignore[operator]  # a number
    for asked in ("strength of player 1", "price of player 1"):
        with pytest.raises(SecretValueError) as failure:
            state.why_value(asked, 1)
        assert str(failure.value).endswith("depends on secret, which player 2 may not see")
