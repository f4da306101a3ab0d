"""Near names."""

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulewright.dsl.diagnostics.suggest import _edits, did_you_mean, listed_or, near_names

NAMES = ("hand", "stash", "stack", "discard_pile", "draw_pile", "player_count", "me", "we", "Tile")


@pytest.mark.parametrize(
    ("word", "near"),
    [
        ("stach", ("stack", "stash")),
        ("hnad", ("hand",)),
        ("hands", ("hand",)),
        ("han", ("hand",)),
        ("bend", ()),
        ("tile", ("Tile",)),
        ("ME", ("me",)),
        ("he", ()),
        ("x", ()),
        ("", ()),
        ("pile_discard", ("discard_pile",)),
        ("playercount", ("player_count",)),
        ("players_cuont", ("player_count",)),
        ("number_of_players", ()),
        ("hand", ()),
    ],
)
def test_near_names_are_suggested(word: str, near: tuple[str, ...]) -> None:
    assert near_names(word, NAMES) == near


@pytest.mark.parametrize("names", list(permutations(["stack", "stash", "stuck"])))
def test_the_order_of_the_names_does_not_show(names: tuple[str, ...]) -> None:
    assert near_names("stach", names) == ("stack", "stash")


def test_the_nearest_come_first_and_few() -> None:
    names = ["card_a", "card_b", "card_c", "card_d", "cards_a", "card"]
    assert near_names("card_x", names) == ("card_a", "card_b", "card_c")
    assert near_names("card_x", names, limit=1) == ("card_a",)


def test_names_may_come_twice() -> None:
    assert near_names("hnad", iter(["hand", "hand"])) == ("hand",)


def test_long_words_are_compared_at_once() -> None:
    word = "a" * 100_000
    assert near_names(word, [word + "b"]) == ()
    assert near_names(word, [word.upper()]) == (word.upper(),)


@pytest.mark.parametrize(
    ("names", "sentence"),
    [
        ([], ""),
        (["hand"], "did you mean `hand`?"),
        (["hand", "hind"], "did you mean `hand` or `hind`?"),
        (["hand", "hind", "hend"], "did you mean `hand`, `hend` or `hind`?"),
    ],
)
def test_the_nearest_name_is_offered(names: list[str], sentence: str) -> None:
    assert did_you_mean("hond", names) == sentence


def test_few_names_are_listed_and_many_are_not() -> None:
    assert listed_or([]) == ""


@given(st.text("ab_C", max_size=8), st.text("ab_C", max_size=8))
def test_nearness_goes_both_ways(one: str, other: str) -> None:
    assert bool(near_names(one, [other])) == bool(near_names(other, [one]))


@given(st.text("abc", max_size=9), st.text("abc", max_size=9))
def test_edits_are_those_of_the_table(one: str, other: str) -> None:
    assert _edits(one, other) == _by_table(one, other)


def _by_table(one: str, other: str) -> int:
    """The distance by its definition, every cell of the table from its neighbours."""
    cells = {(n, 0): n for n in range(len(one) + 1)} | {(0, n): n for n in range(len(other) + 1)}
    for i, letter in enumerate(one, start=1):
        for j, another in enumerate(other, start=1):
            replaced = cells[i - 1, j - 1] + (letter != another)
            ways = [replaced, cells[i - 1, j] + 1, cells[i, j - 1] + 1]
            if i > 1 and j > 1 and (letter, one[i - 2]) == (other[j - 2], another):
                ways.append(cells[i - 2, j - 2] + 1)
            cells[i, j] = min(ways)
    return cells[len(one), len(other)]
