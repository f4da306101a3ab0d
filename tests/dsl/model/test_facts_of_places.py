"""The facts of the checker about places in the text: the referents of names, and the types of expressions."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from rulewright.dsl.diagnostics.source import Span
from rulewright.dsl.loading.loading import Loaded, load
from rulewright.dsl.model.types import describe
from rulewright.dsl.tree import declared, syntax
from rulewright.dsl.tree.nesting import walk
from tests.games.variants import IN_TURN, game_named

GAME = """\
game "Market"
    players 2

kind Color
    row red
    row blue

piece Card from "cards.csv"
    color: Color
    price: 1..9

option length = short, long

zone deck: pile of Card

player
    zone hand: set of Card
    state coins: 0..99 = 9

value worth of c: Card = c.price * 2

action buy(card in deck)
    needs me.coins >= card.price
    let cost = worth_of_all(card)
    lose cost from me.coins
    move card to me.hand

value worth_of_all(c: Card) = c.worth

setup
    move all from Card to deck

play
    repeat if_long times
        each player
            choose one of
                do buy
                option "pass"

value if_long = if length is long then 5 else 2

score of p
    item "cards" = sum(c in p.hand: c.worth)

winner p by p.total then shared
"""
BONUS = """game "Bonus"
    players 2

space Box
    bonus: Action
    row left, gain_two
    row right, gain_two

player
    state points: 0..99

action gain_two
    add 2 to me.points

play
    each player
        choose b in Box
        do b.bonus

score of p
    item "points" = p.points

winner p by p.total then shared
"""
CARDS = "name,color,price\nfig,red,3\nplum,blue,4\n"


@pytest.fixture
def game(tmp_path: Path) -> Loaded:
    (tmp_path / "market.game").write_text(GAME, encoding="utf-8")
    (tmp_path / "cards.csv").write_text(CARDS, encoding="utf-8")
    loaded = load(tmp_path / "market.game")
    assert loaded.check() == ()
    return loaded


def _place(game: Loaded, text: str, name: str) -> Span:
    """The place of a name within some text of the game."""
    source = next(span.source for span in game.known.types if span.source.name.endswith(".game"))
    start = source.text.index(text) + text.index(name)
    return Span(source, start, start + len(name))


@pytest.mark.parametrize(
    ("text", "name", "kind", "declared"),
    [
        ("c.price * 2", "price", "column", "price: 1..9"),
        ("c.price * 2", "c", "local", "c: Card = c.price"),
        ("lose cost", "cost", "local", "cost = worth"),
        ("from me.coins", "coins", "state", "coins: 0..99"),
        ("to me.hand", "hand", "zone", "hand: set"),
        ("card in deck", "deck", "zone", "deck: pile"),
        ("do buy", "buy", "action", "buy(card"),
        ("= worth_of_all(card)", "worth_of_all", "value", "worth_of_all(c"),
        ("c.worth\n\nsetup", "worth", "value", "worth of c"),
        ("if length is", "length", "option", "length = short"),
        ("set of Card", "Card", "type", "Card from"),
        ("price: 1..9", "price", None, None),
        ("p.total", "total", "built-in", None),
    ],
)
def test_a_name_refers_to_what_is_declared(
    game: Loaded, text: str, name: str, kind: str | None, declared: str | None
) -> None:
    place = _place(game, text, name)
    found = game.known.at(place.source, place.start)
    if kind is None:
        assert found is None or found[0] != place
        return
    assert found is not None
    assert found[0] == place
    assert (found[1].kind, found[1].name) == (kind, name)
    if declared is None:
        assert found[1].declared is None
    else:
        at = found[1].declared
        assert at is not None
        assert at.source.text[at.start :].startswith(declared)


def test_a_cell_of_a_table_refers_to_its_row(game: Loaded) -> None:
    cells = [span for span in game.known.referents if span.source.name.endswith(".csv")]
    shown = [(span.text, span.line) for span in sorted(cells)]
    assert shown == [("red", 2), ("blue", 3)]
    red = game.known.referents[min(cells)].declared
    assert red is not None
    assert red.source.text[red.start :].startswith("red")


def test_all_references_of_a_declaration_are_found(game: Loaded) -> None:
    price = _place(game, "price: 1..9", "price")
    lines = [span.line for span in game.known.references(price)]
    assert lines == [10, 20, 23]


def test_types_are_kept(game: Loaded) -> None:
    place = _place(game, "c.price * 2", "c.price * 2")
    found = game.known.type_at(place.source, place.start + 8)
    assert found is not None
    assert (found[0].text, describe(found[1])) == ("c.price * 2", "a number 2..18")
    names = game.known.locals_before(
        place.source, place.source.text.index("action buy"), _place(game, "lose cost", "cost").start
    )
    assert [(name, type and describe(type)) for name, type in names] == [
        ("cost", "a number 2..18"),
        ("card", "Card"),
    ]


def _names(game: Loaded) -> Iterator[Span]:
    settings = [node for node in walk(game.declarations) if isinstance(node, declared.Setting)]
    words = {setting.value.span for setting in settings if setting.name == "weight"}
    for node in walk(game.declarations):
        match node:
            case syntax.Word(span=span) if span in words:
                pass  # `weight medium` names nothing
            case syntax.Word() | syntax.TypeWord() | syntax.NamedType():
                yield node.span
            case syntax.Dot():
                yield node.name_span
            case syntax.Call():
                yield Span(node.span.source, node.span.start, node.span.start + len(node.name))
            case _:
                pass


def _elsewhere(game: Loaded) -> list[tuple[Span, str]]:
    """Actions and rules whose recorded place does not have their name."""
    return [
        (span, known.name)
        for span, known in game.known.referents.items()
        if known.kind in ("action", "rule") and span.text != known.name
    ]


@pytest.mark.parametrize("name", IN_TURN)
def test_every_name_in_a_game_refers_to_something(name: str) -> None:
    path = game_named(name).facts.path
    assert isinstance(path, Path)
    game = load(path)
    assert game.check() == ()
    unknown = [span for span in _names(game) if span not in game.known.referents]
    assert unknown == []
    assert _elsewhere(game) == []


def test_calls_are_no_places_of_a_name(tmp_path: Path) -> None:
    """The rule that `do b.bonus` runs does not have its name at `b.bonus`."""
    path = tmp_path / "bonus.game"
    path.write_text(BONUS)
    game = load(path)
    assert game.check() == ()
    assert _elsewhere(game) == []


def test_a_parameter_in_words_before_its_first_use(tmp_path: Path) -> None:
    path = tmp_path / "words.game"
    path.write_text(
        'game "Words"\n    players 2\nstate coins: 0..9\nplay\n    each player\n        choose one of\n'
        '            do take\n            option "pass"\n'
        'action take(n in 1..3)\n    say "take {n}"\n    add n to coins\n'
    )
    loaded = load(path)
    loaded.check()
    found = {span.line for span, known in loaded.known.referents.items() if known.name == "n"}
    assert {10, 11} <= found


def test_a_name_of_which_there_is_no_copy(tmp_path: Path) -> None:
    """Unreachable steps are not lowered; their names are resolved all the same."""
    path = tmp_path / "rare.game"
    path.write_text(
        'game "Rare"\n    players 2\npiece Leader\n    copies = 0\n    row caesar\nplay\n    if no\n'
        '        log "{caesar}"\n    end game\nscore of p\n    item "n" = 1\nwinner p by p.total then shared\n'
    )
    loaded = load(path)
    assert [problem.code for problem in loaded.check()] == ["unreachable-code"]
    found = [span.line for span, known in loaded.known.referents.items() if known.name == "caesar"]
    assert found == [5]
