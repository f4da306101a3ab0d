"""Near names."""

from itertools import permutations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from rulewright.dsl.diagnostics.suggest import did_you_mean, listed_or, near_names

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
    assert did_you_mean("hond", names).words == sentence


def test_few_names_are_listed_and_many_are_not() -> None:
    assert listed_or([]) == ""


@given(st.text("ab_C", max_size=8), st.text("ab_C", max_size=8))
def test_nearness_goes_both_ways(one: str, other: str) -> None:
    assert bool(near_names(one, [other])) == bool(near_names(other, [one]))


@given(
    st.text("abC", max_size=12),
    st.sets(st.text("abC_", max_size=12), max_size=30),
    st.integers(1, 5),
)
@example("a_b", {"b_a", "B_a", "a_b", "ab", "ba"}, 3)
def test_the_nearest_of_many_are_those_by_the_table(word: str, names: set[str], limit: int) -> None:
    distances = {name: _by_definition(word, name) for name in names - {word}}
    ranked = sorted((far, name) for name, far in distances.items() if far is not None)
    expected = tuple(name for _, name in ranked)
    assert near_names(word, names, limit) == expected[:limit]


@given(st.text("ab", min_size=40, max_size=70), st.lists(st.integers(0, 39), max_size=4))
def test_long_names_have_no_other_distance(word: str, left_out: list[int]) -> None:
    name = "".join(letter for n, letter in enumerate(word) if n not in left_out)
    other = _by_definition(word, name) if word != name else None
    assert near_names(word, [name, name * 2]) == (() if other is None else (name,))


def _by_definition(word: str, name: str) -> int | None:
    """How far a name is from a word; nothing if it is too far to be meant."""
    one, other = word.casefold(), name.casefold()
    if sorted(filter(None, one.split("_"))) == sorted(filter(None, other.split("_"))):
        return 0
    longer = max(len(one), len(other))
    edits = _by_table(one, other)
    return edits if edits <= min(longer // 3, 3) and longer <= 64 else None


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
