"""Combinations of players and options: all if there are few, otherwise enough that every pair of choices occurs."""

from __future__ import annotations

from itertools import combinations, product
from math import prod
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulewright import load_game
from rulewright.dsl.loading.combinations import MOST_SETTINGS, MOST_VALUES, rows_of
from rulewright.dsl.loading.loading import Loaded, load
from rulewright.dsl.loading.never import played_rows
from rulewright.interpreter.matches.library import shipped_games
from rulewright.interpreter.testing.coverage import variants_of
from rulewright.interpreter.text.errors import WrongVariantError

SIZES = st.lists(st.integers(1, 5), min_size=1, max_size=9)


@given(SIZES)
def test_every_two_choices_meet(sizes: list[int]) -> None:
    rows = rows_of(sizes)
    assert rows == sorted(set(rows)) and rows[0] == (0,) * len(sizes)
    assert all(0 <= value < size for row in rows for value, size in zip(row, sizes, strict=True))
    for one, other in combinations(range(len(sizes)), 2):
        met = {(row[one], row[other]) for row in rows}
        assert met == set(product(range(sizes[one]), range(sizes[other])))
    if prod(sizes) <= MOST_SETTINGS:
        assert rows == list(product(*map(range, sizes)))


@given(SIZES)
def test_every_two_choices_of_a_long_game_meet_in_fewer(sizes: list[int]) -> None:
    rows = rows_of(sizes, most=8)
    assert len(rows) <= max(8, len(rows_of(sizes)))
    for one, other in combinations(range(len(sizes)), 2):
        met = {(row[one], row[other]) for row in rows}
        assert met == set(product(range(sizes[one]), range(sizes[other])))


def test_a_long_game_is_looked_at_in_fewer_combinations(tmp_path: Path) -> None:
    (tmp_path / "never.game").write_text(NEVER + "# a line\n" * 15_000)
    loaded = load(tmp_path / "never.game")
    assert loaded.number_of_variants() == 13
    assert len(loaded.checked_variants()) < 13
    assert len(loaded.variants()) == 13


@given(st.lists(st.integers(2, 4), min_size=3, max_size=8), st.data())
def test_choices_meet_without_those_that_are_never_played(
    sizes: list[int], data: st.DataObject
) -> None:
    one, other = data.draw(st.permutations(range(len(sizes))))[:2]
    a, b = data.draw(st.integers(0, sizes[one] - 1)), data.draw(st.integers(0, sizes[other] - 1))
    rows = played_rows(sizes, lambda row: (row[one], row[other]) != (a, b))
    assert rows == sorted(set(rows))
    for p, q in combinations(range(len(sizes)), 2):
        met = {(row[p], row[q]) for row in rows}
        wanted = set(product(range(sizes[p]), range(sizes[q])))
        if {p, q} == {one, other}:
            wanted.discard((a, b) if p == one else (b, a))
        assert met == wanted


NEVER = """game "Never"
    players 2..6
    never nations and player_count > 5 else "there are five nations"  [NA-1, NA-2]
    never length is long and not nations
option nations = yes, no
option length = short, long
player
    state coins: 0..9
play
    each player
        choose n in 1..2
        add n to me.coins
        if nations and length is long
            add 1 to me.coins
score of p
    item "coins" = p.coins
winner p by p.total then shared
"""


def test_variants_that_are_never_played_cannot_be_chosen(tmp_path: Path) -> None:
    path = tmp_path / "never.game"
    path.write_text(NEVER, encoding="utf-8")
    loaded = load(path)
    assert loaded.number_of_variants() == len(loaded.variants()) == 13
    assert not loaded.check()
    game = load_game(path)
    assert game.variant(6).options == (("nations", "no"), ("length", "short"))
    assert game.variant(options={"length": "long"}).players == 2
    for players, options, why in (
        (6, {"nations": "yes"}, "there are five nations [NA-1, NA-2]"),
        (3, {"nations": "no", "length": "long"}, "`never length is long and not nations`"),
    ):
        with pytest.raises(WrongVariantError) as refused:
            game.variant(players, options)
        assert str(refused.value) == f"Never has no such variant: {why}"


def test_few_rows_hold_every_pair_of_values() -> None:
    # Known bounds of such arrays: at least 9 rows for 13 factors of 3 values, at least 6 for 10 of
    # 2.
    assert len(rows_of([3] * 13)) <= 32
    assert len(rows_of([2] * 10)) <= 14
    assert len(rows_of([2] * 100)) <= 45


OPTIONS = "abcdefg"
GAME = """game "Many"
    players 2..4
{options}
player
    state coins: 0..9
play
    each player
        choose one of
            option "take"
                add 1 to me.coins
            option "wait"
                skip
{play}
score of p
    item "coins" = p.coins
winner p by p.total then shared
"""


def many(tmp_path: Path, play: str = "", rest: str = "") -> Loaded:
    options = "".join(f"option {name} = no, yes\n" for name in OPTIONS)
    uses = "".join(f'    if {name}\n        log "{name}"\n' for name in OPTIONS)
    path = tmp_path / "many.game"
    path.write_text(GAME.format(options=options, play=uses + play) + rest, encoding="utf-8")
    return load(path)


@pytest.mark.parametrize(("one", "other"), ["ab", "ag", "ef"])
def test_problems_of_two_options_together_are_found(tmp_path: Path, one: str, other: str) -> None:
    loaded = many(tmp_path, f"    if {one} and {other}\n        lose 1 from nobody.coins\n")
    assert loaded.number_of_variants() == 384
    assert len(loaded.variants()) < 20
    assert [problem.code for problem in loaded.check()] == ["unknown-name"]


def test_problems_of_an_option_with_a_player_count_are_found(tmp_path: Path) -> None:
    loaded = many(tmp_path, "    if e and player_count is 4\n        lose 1 from nobody.coins\n")
    assert [problem.code for problem in loaded.check()] == ["unknown-name"]


def test_rules_called_under_three_options_count_as_used(tmp_path: Path) -> None:
    play = "".join(
        f"    if {a} and {b} and {c} and player_count is 4\n        do r_{a}{b}{c}\n"
        for a, b, c in combinations(OPTIONS, 3)
    )
    rest = "".join(
        f'rule r_{a}{b}{c}\n    log "{a}{b}{c}"\n' for a, b, c in combinations(OPTIONS, 3)
    )
    assert not many(tmp_path, play, rest).check()
    left = [problem.code for problem in many(tmp_path, "", rest[: rest.index("rule", 9)]).check()]
    assert left == ["unreachable-rule"]


def test_given_options_are_the_same_in_all_variants(tmp_path: Path) -> None:
    many(tmp_path)
    game = load_game(str(tmp_path / "many.game"))
    given = dict.fromkeys(OPTIONS[:4], "yes")
    found = variants_of(game, 3, given)
    assert len(found) == 8 == len(set(found))
    assert all(each.players == 3 and given.items() <= dict(each.options).items() for each in found)


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ("short, long, short", "`short` appears twice in this option"),
        (
            ", ".join(map(str, range(MOST_VALUES + 1))),
            "an option has at most 30 values, but `length` has 31",
        ),
        ("no, yes, maybe", "`maybe` has another type than `no`, the first value of `length`"),
        ("short, 3, 4", "`3` has another type than `short`, the first value of `length`"),
        ("1, yes, no", "`yes` has another type than `1`, the first value of `length`"),
    ],
)
def test_values_of_an_option(tmp_path: Path, values: str, said: str) -> None:
    path = tmp_path / "one.game"
    options = f"option length = {values}"
    path.write_text(GAME.format(options=options, play=""), encoding="utf-8")
    assert [problem.message for problem in load(path).check()] == [said]


def test_the_number_of_options_is_limited(tmp_path: Path) -> None:
    path = tmp_path / "one.game"
    options = "\n".join(f"option o{n} = no, yes" for n in range(1000))
    path.write_text(GAME.format(options=options, play=""), encoding="utf-8")
    (found,) = load(path).check()
    assert (found.message, found.span.text) == ("a game has at most 100 options", "o100")


COINS = """game "Coins"
    players 1..3
option pot = 5, 7
option quick = yes, no
option ends = early, late
player
    state coins: 0..99 = 0
play
    repeat (if ends is early then 2 else 4) times
        each player
            choose one of
                do take_a_coin
                do take_the_pot
action take_a_coin
    add 1 to me.coins
action take_the_pot only if player_count is 1
    if quick
        add pot to me.coins
    else
        add 2 to me.coins
score of p
    item "coins" = p.coins
winner p by p.total then shared
"""


def test_settings_that_the_rules_cannot_tell_apart_are_compiled_once(tmp_path: Path) -> None:
    path = tmp_path / "coins.game"
    path.write_text(COINS, encoding="utf-8")
    loaded = load(path)
    assert loaded.check() == ()
    blocks: dict[int, set[int]] = {}
    for players, options in loaded.variants():
        program = loaded.program(players, options)
        assert program is not None
        assert program.options == tuple(options.items())
        blocks.setdefault(players, set()).add(id(program.blocks))
    # With one player, `pot` has no effect unless the game is `quick`.
    assert {players: len(found) for players, found in blocks.items()} == {1: 6, 2: 2, 3: 2}


@pytest.mark.parametrize(
    "name",
    [
        "coins",
        *(pytest.param(name, marks=pytest.mark.deep) for name in ("equilibris", "ginkgopolis")),
    ],
)
def test_shared_compilation_is_right_for_each_variant(tmp_path: Path, name: str) -> None:
    path = tmp_path / "coins.game"
    path.write_text(COINS, encoding="utf-8")
    path = shipped_games().get(name, path)
    together = load(path)
    for players, options in together.variants():
        assert together.program(players, options) == load(path).program(players, options)
