"""Pages of all shipped games: well formed, complete, without scripts, equal if a seat sees no difference."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path
from random import Random

import attrs
import pytest

from rulewright.interpreter.matches.game import load_game
from rulewright.interpreter.matches.state import State
from rulewright.interpreter.views.kept import _KEPT
from rulewright.interpreter.views.scene import Board, scene
from rulewright.pictures import styles
from rulewright.pictures.colours import NAMED, SEATS
from rulewright.pictures.markup import Markup, tag
from rulewright.pictures.page import arrange_sections, document, sections
from rulewright.pictures.question import Form
from tests.games.variants import game_named
from tests.pictures.pages import LARGE, SMALL, Page, faces_in, state_after

GAMES = (*SMALL, *(pytest.param(name, marks=pytest.mark.slow) for name in LARGE))


def _html(state: State, viewer: int) -> str:
    return arrange_sections(sections(scene(state, viewer)), "game")


@pytest.mark.parametrize(
    ("name", "steps"),
    [
        *((name, steps) for name in SMALL for steps in (0, 25)),
        *(pytest.param(name, 25, marks=pytest.mark.slow) for name in LARGE),
        *(pytest.param(name, 0, marks=pytest.mark.deep) for name in LARGE),
    ],
)
def test_a_page_holds_every_option_and_every_piece_that_is_seen(name: str, steps: int) -> None:
    state = state_after(name, steps)
    if state.over:
        state = state_after(name, 0)
    shown = scene(state, state.player)
    page = Page(_html(state, state.player))
    ids = [each.get("id") for each in page.elements if each.get("id")]
    assert len(ids) == len(set(ids))
    assert not [
        each for each in page.elements if each.name == "script" or "style" in each.attributes
    ]
    assert shown.decision is not None
    for option in shown.decision.options:
        (item,) = page.having(id=f"option-{option.number}")
        assert option.text.casefold() in item.text.casefold()
        buttons = page.having(name="option", value=str(option.number))
        assert len(buttons) >= 1
        assert all(each.name == "button" and each.get("type") == "submit" for each in buttons)
    for kind, row in faces_in(shown):
        assert page.having(data_piece=kind, data_row=row), f"{kind} {row} is not to be seen"
    for board in shown.boards:
        for space in getattr(board, "spaces", ()):
            assert page.having(data_space=space.face.kind, data_row=space.face.row)


@pytest.mark.parametrize("name", GAMES)
def test_a_page_tells_no_more_than_its_viewer_may_know(name: str) -> None:
    state = state_after(name, 1)
    hides = not state.compiled.viewer.is_open
    differs = False
    whole = _without_log(_html(state, -2))
    for seat in range(len(state.compiled.words.players)):
        mine = _without_log(_html(state, seat))
        for seed in range(4):
            other = state.sample(seat, seed)
            assert _without_log(_html(other, seat)) == mine
            differs = differs or _without_log(_html(other, -2)) != whole
    assert differs == hides


def _without_log(html: str) -> str:
    """A page without the log of the last step, because a sample has no past."""
    return re.sub(r'<section id="log".*?</section>|id="log".*?</section>', "", html)


def test_names_and_texts_of_strangers_are_escaped() -> None:
    state = state_after("love_letter", 3)
    names = {0: '<img src=x onerror="alert(1)">', 1: "</title><script>"}
    shown = scene(state, 0)
    players = tuple(attrs.evolve(each, name=names[each.seat]) for each in shown.players)
    html = arrange_sections(sections(attrs.evolve(shown, players=players)))
    page = Page(html)
    assert not [each for each in page.elements if each.name in ("img", "script")]
    assert any(names[0] in each.text for each in page.elements)


def test_a_form_sends_the_fields_that_it_was_given() -> None:
    state = state_after("tic_tac_toe", 1)
    form = Form("/choose", (("decision", "3"), ("token", 'a"b')))
    page = Page(sections(scene(state, state.player), form)[0].html)
    (element,) = page.having(id="choose")
    assert element.get("action") == "/choose"
    assert page.having(name="token")[0].get("value") == 'a"b'


def test_equal_positions_give_equal_sections() -> None:
    state = state_after("reversi", 9)
    before = sections(scene(state, 0))
    after = sections(scene(state.choose(state.decision.options[0]), 0))
    assert before == sections(scene(state, 0))
    same = {part.id for part in before} & {part.id for part in after if part in before}
    assert {"table"} <= same
    assert "board-0" not in same


@pytest.mark.parametrize("name", ["love_letter", "night_market", "reversi", "ginkgopolis"])
def test_kept_drawings_are_equal_to_new_ones(name: str) -> None:
    game = game_named(name)
    random, kept = Random(2), list[str]()
    states = [game.start(seed=4, remember=True)]
    seats = range(-2, len(states[0].players))
    for fresh in (False, True):
        found = []
        while len(states) < 12 and not states[-1].over:
            states.append(states[-1].take(random.choice(states[-1].option_ids)))
        for number, state in enumerate(states):
            for seat in seats:
                if fresh:
                    _KEPT.clear()
                before = states[max(0, number - 2 - seat % 2)]
                found.append(arrange_sections(sections(scene(state, seat, before))))
        kept = kept or found
        assert found == kept
    assert len({*kept}) > len(states)


def test_drawings_of_a_match_are_kept_while_others_are_drawn() -> None:
    states = [state_after("love_letter", steps) for steps in range(4)]
    drawn = []
    for _ in range(3):
        drawn.append([sections(scene(state, -1)) for state in states])
        states = [state.take(state.option_ids[0]) for state in states]
    pairs = [
        (old, new)
        for before, after in pairwise(drawn)
        for match in zip(before, after, strict=True)
        for old, new in zip(*match, strict=True)
        if old.id.startswith("player-") and old == new
    ]
    assert pairs
    assert all(old is new for old, new in pairs)


def test_changed_spaces_are_marked() -> None:
    state = state_after("tic_tac_toe", 2)
    option = state.decision.options[0]
    after = state.choose(option)
    page = Page(arrange_sections(sections(scene(after, after.player, state))))
    changed = [each for each in page.elements if "rw-changed" in (each.get("class") or "").split()]
    assert [each.get("data-row") for each in changed] == ["a1"]
    assert option.name == "mark(a1)"


def test_an_option_of_two_places_is_found_at_both() -> None:
    state = state_after("breakthrough", 0)
    shown = scene(state, 0)
    assert shown.decision is not None
    option = shown.decision.options[0]
    assert [sort for sort, _ in option.touches] == ["space", "space"]
    page = Page(arrange_sections(sections(shown)))
    places = [
        each
        for each in page.elements
        if str(option.number) in (each.get("data-options") or each.get("data-option") or "").split()
    ]
    assert len(places) == 3  # two places on the board, and the list


def test_columns_that_options_name_can_be_clicked() -> None:
    page = Page(arrange_sections(sections(scene(state_after("connect_four", 0), 0))))
    assert len(page.having(class_="rw-hit")) == 7


def test_attributes_and_text_are_escaped_and_markup_is_not() -> None:
    assert tag("p", "a<b", Markup("<br>"), title='"') == '<p title="&quot;">a&lt;b<br></p>'


def test_a_document_is_one_file() -> None:
    html = document("A & B", "<p>it</p>", styles())
    assert html.startswith("<!doctype html>")
    assert "<title>A &amp; B</title>" in html
    assert "http" not in re.sub(r"http://www.w3.org/2000/svg", "", html)


CARDS = """\
game "Cards"
    players 2
    by "nobody"

piece Card
    cost: 0..9
    row one, 1
    row two, 2

zone deck: pile of Card, seen by nobody except size

player
    zone hand: set of Card, seen by owner except size

setup
    move all from Card to deck
    each player
        surely move 1 from deck to me.hand

play
    each player
        choose one of
            option "go on"
"""


CHOICES = {
    "go on": 'option "go on"',
    "take": 'option "take {card}" for card in market\n                move card to me.row\n            option "pass"',
}
CROWD = """\
game "Crowd"
    players 2
    by "nobody"

piece Card
ROWS

zone box: pile of Card, seen by nobody except size
zone market: SHAPE of Card

player
    zone row: SHAPE of Card

setup
    move all from Card to box
    each player
        surely move COUNT from box to me.row
    surely move COUNT from box to market

play
    each player
        choose one of
            CHOICE
"""


def test_a_hidden_card_is_a_back_and_an_own_card_shows_its_columns(tmp_path: Path) -> None:
    (tmp_path / "cards.game").write_text(CARDS)
    state = load_game(tmp_path / "cards.game").start(seed=1)
    page = Page(_html(state, 0))
    (mine,) = [
        each for each in page.elements if each.get("data-piece") == "Card" and each.get("data-row")
    ]
    (cost,) = page.having(data_column="cost")
    assert cost.get("data-value") == {"one": "1", "two": "2"}[mine.get("data-row") or ""]
    assert len([each for each in page.elements if "rw-back" in (each.get("class") or "")]) == 1


@pytest.mark.parametrize(
    ("count", "folds"), [(14, []), (15, ["fold-table-market", "fold-player-1-row"])]
)
def test_long_zones_are_folded_but_not_own_ones(
    tmp_path: Path, count: int, folds: list[str]
) -> None:
    page = _crowd(tmp_path, count, "go on")
    found = [each for each in page.elements if each.name == "details"]
    assert [each.get("id") for each in found] == folds
    assert not [each for each in found if "open" in each.attributes]
    heads = [each.text for each in page.elements if each.name == "summary"]
    assert heads == [f"market{count}", f"row{count}"][: len(folds)]


def test_a_zone_with_something_to_choose_is_unfolded(tmp_path: Path) -> None:
    page = _crowd(tmp_path, 15, "take")
    found = {each.get("id"): "open" in each.attributes for each in page.elements}
    assert found["fold-table-market"] is True
    assert found["fold-player-1-row"] is False


def test_options_about_equal_cards_of_a_heap_are_one(tmp_path: Path) -> None:
    page = _crowd(tmp_path, 6, "take", copies=3)
    listed = [each for each in page.elements if (each.get("id") or "").startswith("option-")]
    texts = [each.text for each in listed]
    assert texts[-1] == "Pass"
    assert len(set(texts)) == len(texts) < 7
    numbers = [(each.get("id") or "").removeprefix("option-") for each in listed]
    on_cards = [each.get("value") for each in page.having(data_piece="Card", name="option")]
    assert sorted(map(str, on_cards)) == sorted(numbers[:-1])


CAMP = """\
game "Camp"
    players 2

piece Worker per player
    copies = 2

zone camp: set of Worker

setup
    for each w in Worker
        move w to camp

play
    each player
        choose one of
            option "go on"
"""


def test_pieces_without_a_colour_of_their_own_have_that_of_their_owner(tmp_path: Path) -> None:
    (tmp_path / "camp.game").write_text(CAMP)
    page = Page(_html(load_game(tmp_path / "camp.game").start(seed=1), 0))
    workers = page.having(data_piece="Worker")
    assert [each.get("data-player") for each in workers] == ["1", "2"]
    for seat, worker in enumerate(workers):
        assert f"rw-seat-{seat}" in (worker.get("class") or "").split()
        assert "rw-hue" not in (worker.get("class") or "")
    signs = [each.text for each in page.elements if each.get("class") == "rw-owner"]
    assert signs == ["1", "2"]


ROADS = """\
game "Roads"
    players 2
    by "nobody"

kind Color = red, blue

space Town
    row north
    row south
    row west

space Road
    state owner: Player or nothing = nothing
    start: Town
    goal: Town
    length: 1..9
    color: Color
    row first, north, south, 3, red
    row second, south, west, 2, blue

play
    each player
        choose one of
            option "build {road}" for road in Road where road.owner is nothing
                set road.owner to me
            option "stop"
"""


def test_a_link_has_the_colour_of_its_owner_else_of_its_row(tmp_path: Path) -> None:
    (tmp_path / "roads.game").write_text(ROADS)
    state = load_game(tmp_path / "roads.game").start(seed=1)

    def strokes(state: State) -> list[str | None]:
        page = Page(_html(state, 0))
        drawn = [each.get("stroke") for each in page.elements if each.name == "line"]
        edges, colours = drawn[::2], drawn[1::2]
        assert len({*edges}) == 1 and {*edges}.isdisjoint(colours)
        return colours

    assert strokes(state) == [NAMED["red"], NAMED["blue"]]
    after = state.choose("build(first)")
    assert strokes(after) == [SEATS[0], NAMED["blue"]]
    (board,) = (each for each in scene(after, 0).boards if each.title == "Town")
    assert isinstance(board, Board)
    assert board.links[0].on.counters[0].seats == (0,)


STONES = """\
game "Stones"
    players 2

kind Color = white, green

space Cell grid 2 by 1
    state stone: Player or nothing

space Well
    next: Well
    row old_well, new_well
    row new_well, old_well
    state water: 0..9 = 3
    state depth: 0..9
    state keeper: Player or nothing

state starter: Player

player
    signs "X", "O"

value color of p: Player = if p.number is 1 then white else green

play
    each player
        surely choose cell in Cell where cell.stone is nothing
        set cell.stone to me
    log "{first(p in players).color}"
    win starter
"""


def test_signs_of_players_are_discs_in_their_colours(tmp_path: Path) -> None:
    (tmp_path / "stones.game").write_text(STONES)
    state = load_game(tmp_path / "stones.game").start(seed=1)
    page = Page(_html(state.choose("a1"), 0))
    (stone,) = (each for each in page.elements if each.get("class") == "rw-disc")
    assert stone.get("data-player") == "1" and "X" in stone.text
    fills = [each.get("fill") for each in page.elements if each.name == "circle"]
    assert fills == [NAMED["white"]]
    assert "rw-dot rw-c-white" in [each.get("class") for each in page.elements]


def test_of_several_values_of_a_space_each_has_its_name(tmp_path: Path) -> None:
    (tmp_path / "stones.game").write_text(STONES)
    page = Page(_html(load_game(tmp_path / "stones.game").start(seed=1), 0))
    assert page.having(data_row="old_well")[0].text.endswith("old wellwater 3")


def test_of_a_high_pile_the_top_is_shown_and_the_rest_folded(tmp_path: Path) -> None:
    page = _crowd(tmp_path, 5, "go on", "pile")
    heads = [each.text for each in page.elements if each.name == "summary"]
    assert heads == ["4 below", "4 below"]


def _crowd(folder: Path, count: int, option: str, shape: str = "set", copies: int = 1) -> Page:
    """The first player's page of a game with this many cards on the table and in front of both players."""
    rows = [f"    row card{number}" for number in range(3 * count // copies)]
    words = {
        "ROWS": "\n".join([f"    copies = {copies}", *rows]),
        "CHOICE": CHOICES[option],
        "SHAPE": shape,
        "COUNT": str(count),
    }
    text = CROWD
    for word, value in words.items():
        text = text.replace(word, value)
    (folder / "crowd.game").write_text(text)
    state = load_game(folder / "crowd.game").start(seed=1)
    return Page(_html(state, 0))


@pytest.mark.slow
def test_spaces_inside_a_box_share_its_width() -> None:
    html = _html(state_after("colonial", 0), 0)
    barbary = html.partition('data-row="barbary"')[2].partition('class="rw-cell rw-spot')[0]
    assert ">Mediterranean and</tspan>" in barbary
    (width,) = re.findall(r'<rect x="[^"]*" y="[^"]*" width="([^"]*)" height="34"', barbary)
    assert float(width) > 80
