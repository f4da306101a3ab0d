"""One of several indistinguishable copies is offered; things on a copy and references to it distinguish it."""

from pathlib import Path
from typing import get_args

import pytest

from rulewright.interpreter.engines.engines import EngineName
from rulewright.interpreter.matches.game import load_game

CHESTS = """\
game "Chests"
    players 2
token coin
piece Chest
    copies = 3
    row iron_chest
    row oak_chest
    zone inside: tokens of coin
    state is_locked: Flag
zone chests: set of Chest
zone purse: tokens of coin = 4
state watched: Chest or nothing = nothing
setup
    move all from Chest to chests
play
    repeat 6 times
        each player
            choose one of
                do fill
                do lock
                option "watch"
                    surely choose chest in chests
                    set watched to chest
action fill(chest in chests)
    move up to 1 from purse to chest.inside
action lock(chest in chests where chest.inside is empty)
    set chest.is_locked to yes
score of p
    item "one" = 1
winner p by p.total then shared
"""
FILL, LOCK = ("fill(iron_chest)", "fill(oak_chest)"), ("lock(iron_chest)", "lock(oak_chest)")


@pytest.mark.parametrize("engine", get_args(EngineName))
def test_one_of_equal_copies_is_offered(engine: EngineName, tmp_path: Path) -> None:
    path = tmp_path / "chests.game"
    path.write_text(CHESTS)
    state = load_game(path).start(engine=engine)
    assert state.decision.names == [*FILL, *LOCK, "watch"]
    # One has a coin.
    state = state.choose("fill(iron_chest)")
    filled = ("fill(iron_chest)", "fill(iron_chest)#2", "fill(oak_chest)")
    assert state.decision.names == [*filled, *LOCK, "watch"]
    # Two pieces have one coin each: they are identical again.
    state = state.choose("fill(iron_chest)#2")
    assert state.decision.names == [*filled, *LOCK, "watch"]
    # A lock distinguishes them from the third piece.
    state = state.choose("lock(oak_chest)")
    assert state.decision.names == [
        "fill(iron_chest)",
        "fill(iron_chest)#2",
        "fill(oak_chest)",
        "fill(oak_chest)#2",
        "lock(iron_chest)",
        "lock(oak_chest)",
        "lock(oak_chest)#2",
        "watch",
    ]


@pytest.mark.parametrize("engine", get_args(EngineName))
def test_pieces_referred_to_by_a_state_are_offered_separately(
    engine: EngineName, tmp_path: Path
) -> None:
    path = tmp_path / "chests.game"
    path.write_text(CHESTS)
    state = load_game(path).start(engine=engine).choose("watch").choose("oak_chest")
    names = [name for name in state.decision.names if "oak" in name]
    assert names == [
        "fill(oak_chest)",
        "fill(oak_chest)#2",
        "lock(oak_chest)",
        "lock(oak_chest)#2",
    ]


MARKERS = """\
game "Markers"
    players 2
piece Marker per player
    copies = 2
    row marker
zone stack: set of Marker
zone gone: set of Marker
setup
    move all from Marker to stack
play
    each player
        surely choose m in stack
        move m to gone
score of p
    item "left" = count(m in stack where m.owner is p)
winner p by p.total then shared
"""

HOUSES = """\
game "Houses"
    players 2
piece House
    copies = 3
    row house
zone market: set of House
player
    zone houses: set of House
value number of h: House = h.copy
setup
    move all from House to market
play
    each player
        surely choose house in market
        move house to me.houses
score of p
    item "numbers" = sum(h in p.houses: h.number)
winner p by p.total then shared
"""

PILED = """\
game "Piled"
    players 2
piece Card
    copies = 2
    row ant
    row bee
zone street: pile of Card
zone gone: set of Card
setup
    move all from Card to street
play
    each player
        surely choose card in street
        move card to gone
    each player
        move up to 1 from gone to street
        surely choose card in street
        move card to gone
score of p
    item "top" = if street.top is bee then 1 else 0
winner p by p.total then shared
"""

POINTED = """\
game "Pointed"
    players 2
piece Card
    copies = 3
    row ant
zone street: set of Card
zone gone: set of Card
state SEEN
setup
    move all from Card to street
play
    each player
        surely choose card in street
        TAKEN
    move all from gone to street
    log "{SHOWN}"
score of p
    item "one" = 1
winner p by p.total then shared
"""


def _names(tmp_path: Path, text: str, engine: EngineName, *choices: str) -> list[str]:
    path = tmp_path / "alike.game"
    path.write_text(text)
    state = load_game(path).start(engine=engine)
    for choice in choices:
        state = state.choose(choice)
    return list(state.decision.names)


@pytest.mark.parametrize("engine", get_args(EngineName))
def test_pieces_of_different_owners_are_not_equivalent(engine: EngineName, tmp_path: Path) -> None:
    assert _names(tmp_path, MARKERS, engine) == ["marker", "marker#2"]
    path = tmp_path / "alike.game"
    state = load_game(path).start(engine=engine)
    assert [o.text for o in state.decision.options] == ["marker", "marker of player 2"]
    state = state.choose("marker#2")
    assert [o.text for o in state.decision.options] == ["marker of player 1", "marker"]


@pytest.mark.parametrize("engine", get_args(EngineName))
def test_copies_that_rules_tell_apart_are_not_equivalent(
    engine: EngineName, tmp_path: Path
) -> None:
    assert _names(tmp_path, HOUSES, engine) == ["house", "house#2", "house#3"]


@pytest.mark.parametrize("engine", get_args(EngineName))
def test_copies_that_only_the_set_up_tells_apart_are_equivalent(
    engine: EngineName, tmp_path: Path
) -> None:
    text = HOUSES.replace("h.copy", "1").replace("move all from House to market", "do put_up")
    text += """\
rule put_up
    for each h in House where h.copy <= 2
        CHOICE
        move h to market
"""
    assert _names(tmp_path, text.replace("CHOICE", 'log "one more"'), engine) == ["house"]
    asks = """as sure(players.first)
            may "leave it out"
                log "no"
"""
    chosen = text.replace("CHOICE", asks)
    assert _names(tmp_path, chosen, engine, "no", "no") == ["house", "house#2"]


HANDS = """\
game "Hands"
    players 2
piece Spell per player
    copies = 2
    row fire
    row ice
    state charge: 0..9
piece Potion per player
    copies = 2
    row brew
piece Card is Spell or Potion
zone gone: set of Card
player
    zone hand: set of Card, seen by owner except size
setup
    each player
        for each card in list(c in Card where c.owner is me)
            move card to me.hand
play
    repeat 4 times
        each player
            choose one of
                do charge
                do drop
                option "pass"
action charge(spell in list(s: Spell in me.hand))
    add 1 to spell.charge
action drop(card in me.hand)
    move card to gone
score of p
    item "charge" = sum(s: Spell in p.hand: s.charge)
winner p by p.total then shared
"""


@pytest.mark.parametrize("engine", get_args(EngineName))
def test_copies_in_a_hand_are_equivalent_for_whom_holds_it(
    engine: EngineName, tmp_path: Path
) -> None:
    drops = ["drop(fire)", "drop(ice)", "drop(brew)"]
    path = tmp_path / "hands.game"
    path.write_text(HANDS)
    state = load_game(path).start(engine=engine)
    assert state.decision.names == ["charge(fire)", "charge(ice)", *drops, "pass"]
    state = state.choose("charge(fire)").choose("pass")
    # Now one is charged, and the other is not.
    assert sorted(state.decision.names) == sorted(
        ["charge(fire)", "charge(fire)#2", "charge(ice)", *drops, "drop(fire)#2", "pass"]
    )
    state = state.choose("charge(fire)#2").choose("pass")
    assert state.decision.names == ["charge(fire)", "charge(ice)", *drops, "pass"]
    state = state.choose("drop(brew)").choose("pass")
    assert state.decision.names == ["charge(fire)", "charge(ice)", *drops, "pass"]


@pytest.mark.parametrize("engine", get_args(EngineName))
def test_copies_in_a_pile_are_equivalent_where_they_lie_beside_each_other(
    engine: EngineName, tmp_path: Path
) -> None:
    assert _names(tmp_path, PILED, engine) == ["ant", "bee"]
    # Ant, bee, ant from the bottom to the top: which ant is taken makes a difference.
    names = _names(tmp_path, PILED, engine, "ant", "bee")
    assert names == ["ant", "bee", "ant#2"]
    by_position = PILED.replace("street.top is bee", "any(c in street: c.position is 2)")
    assert _names(tmp_path, by_position, engine) == ["ant", "ant#2", "bee", "bee#2"]


@pytest.mark.parametrize("engine", get_args(EngineName))
@pytest.mark.parametrize(
    ("state", "taken", "shown", "names"),
    [
        ("kept: Card or nothing = nothing", "set kept to card", "kept", ["ant", "ant#2"]),
        ("kept: set of Card", "add card to kept", "kept.size", ["ant", "ant#2"]),
        ("kept: 0..9", "set kept to 1", "kept", ["ant"]),
    ],
)
def test_pieces_held_in_a_state_are_distinguished(
    engine: EngineName, state: str, taken: str, shown: str, names: list[str], tmp_path: Path
) -> None:
    text = POINTED.replace("SEEN", state).replace("TAKEN", taken).replace("SHOWN", shown)
    assert _names(tmp_path, text, engine, "ant") == names


HELD = """\
game "Held"
    players 2
piece Cup
    copies = 2
    row cup
zone cups: set of Cup
player
    state mine: Cup or nothing = nothing, SIGHT
setup
    move all from Cup to cups
play
    repeat 2 times
        each player
            surely choose c in cups
            set me.mine to c
score of p
    item "one" = 1
winner p by p.total then shared
"""


@pytest.mark.parametrize("sight", ["seen by owner", "seen by others", "seen by nobody"])
def test_pieces_a_hidden_state_may_hold_are_offered_separately(sight: str, tmp_path: Path) -> None:
    """The reference does not say which piece it holds, so it makes no difference to the options."""
    path = tmp_path / "held.game"
    path.write_text(HELD.replace("SIGHT", sight))
    state = load_game(path).start()
    for _ in range(3):
        assert state.decision.names == ["cup", "cup#2"]
        state = state.choose("cup#2")


def test_distinct_items_need_no_search_for_repeats() -> None:
    """The cells around a cell all differ, so no list of visited cells is kept."""
    game = load_game("breakthrough")
    program = game.program(game.variant())
    body = program.plain[program.sites[0].enumerator].body
    assert "Offer(" in repr(body)
    assert "Has(" not in repr(body)
