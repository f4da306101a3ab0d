"""Knowledge of players, and the drawing of positions."""

from array import array
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import attrs
import pytest

from rulewright import load_game
from rulewright.dsl.borders import Border
from rulewright.dsl.ir import Kept, PieceKind, PlaceInfo, Program, SpaceKind, TokenPlace
from rulewright.dsl.loading.loading import load
from rulewright.interpreter.knowledge.disclosure import may_tell
from rulewright.interpreter.matches.game import game_of
from rulewright.interpreter.matches.state import State
from rulewright.interpreter.text.names import Words
from rulewright.interpreter.views.board import Table, describe, panels
from rulewright.interpreter.views.contents import runs, token_text, zone_text
from rulewright.interpreter.views.grids import Grid, draw_grid, grid_texts, player_marks
from rulewright.interpreter.views.marked import plain
from rulewright.interpreter.views.view import (
    ALL_SEEING,
    EVERYBODY,
    Piece,
    Place,
    SeenTokens,
    SeenValue,
    SeenZone,
    View,
    as_text,
)
from rulewright.interpreter.views.viewer import Viewer
from tests.interpreter.handmade import cards, four
from tests.interpreter.handmade_cards import CARDS
from tests.interpreter.handmade_four import FOUR


def zone(view: View, name: str, owner: int = -1) -> SeenZone:
    (found,) = (
        zone for zone in view.zones if zone.place.name == name and zone.place.owner_id == owner
    )
    return found


def names(zone: SeenZone) -> list[str]:
    return [piece.name for piece in zone.pieces]


def test_a_hand_is_seen_by_its_owner() -> None:
    state = cards().start(seed=5)
    own, other = zone(state.view(0), "hand", 0), zone(state.view(1), "hand", 0)
    assert names(own) == ["two", "three"]
    assert other.count == 2
    assert other.pieces == ()
    assert zone(state.view(EVERYBODY), "hand", 0).pieces == ()
    assert names(zone(state.view(ALL_SEEING), "hand", 0)) == ["two", "three"]


def test_a_card_that_was_shown_is_known_in_its_place() -> None:
    state = cards().start(seed=5)
    assert names(zone(state.view(0), "deck")) == ["five", ""]
    assert zone(state.view(1), "deck").pieces == ()
    assert zone(state.view(1), "deck").count == 2


def test_a_secret_value_is_seen_by_its_owner() -> None:
    state = cards().start(seed=5).choose("3")
    wagers = {
        viewer: [value.value for value in state.view(viewer).values if value.place.name == "wager"]
        for viewer in (0, 1, EVERYBODY, ALL_SEEING)
    }
    assert wagers == {
        0: ["3", None],
        1: [None, "0"],
        EVERYBODY: [None, None],
        ALL_SEEING: ["3", "0"],
    }


def deals() -> Iterator[State]:
    """All deals in which the first two steps of the shuffle are the same."""
    waiting = [cards().start(chance="manual").take(2).take(1)]
    while waiting:
        state = waiting.pop()
        if state.at_chance:
            waiting.extend(state.take(result) for result in state.option_ids)
        else:
            yield state


def test_a_view_depends_on_nothing_hidden() -> None:
    for viewer in (0, 1):
        views = defaultdict(set)
        for state in deals():
            all_seen = state.view(ALL_SEEING)
            may_know = [tuple(names(zone(all_seen, "hand", viewer)))]
            may_know.append((str(state.view(viewer).values),))
            if viewer == 0:
                may_know.append((names(zone(all_seen, "deck"))[0],))
            views[tuple(may_know)].add(as_text(state.view(viewer)))
        assert len(views) > 3
        assert all(len(seen) == 1 for seen in views.values())


def test_secrets_are_noticed() -> None:
    assert cards().start().compiled.viewer.has_secrets
    assert not four().start().compiled.viewer.has_secrets


def test_a_choice_that_names_an_unknown_piece_is_not_reported() -> None:
    state = cards().start(seed=5).choose("1").choose("1")
    after = state.choose("two")
    assert may_tell(state, after, 1), "it lies open now"
    hidden = state.with_cells(state.cells)
    assert may_tell(state, after, state.player)
    assert not may_tell(hidden, _as_if_kept(state), 1)


def _as_if_kept(state: State) -> State:
    """As if the chosen card had stayed in the hand."""
    return State(state.terms, state.cells, 0, (None, state.decision.find("two"), 0, None))


# ---- zones of all sorts, looked at without a game ----


def viewer_of(place: PlaceInfo, kind: PieceKind | None = None) -> Viewer:
    program: Program = attrs.evolve(
        CARDS, places=(place,), kept=(), pieces=(kind or CARDS.pieces[0],)
    )
    return Viewer(Words(program))


def seen_zone(place: PlaceInfo, viewer: int = 1) -> SeenZone:
    state = cards().start(seed=5)
    (found,) = viewer_of(place).view(state.cells, viewer).zones
    return found


DECK = CARDS.places[0]
HAND = attrs.evolve(CARDS.places[1], owner="", owners=(-1,))


def test_a_zone_whose_size_is_hidden() -> None:
    assert seen_zone(attrs.evolve(DECK, except_for=())).count is None
    assert names(seen_zone(attrs.evolve(DECK, except_for=()), viewer=0)) == ["five"]


def test_columns_that_everybody_sees() -> None:
    found = seen_zone(attrs.evolve(DECK, except_for=("size", "rank")))
    assert found.pieces == (Piece("", 0, (("rank", "5"),)), Piece("", 0, (("rank", "1"),)))


def test_unknown_pieces_of_a_set_are_not_in_its_order() -> None:
    state = cards().start(seed=5)
    backwards = PieceKind("Card", 0, 6, CARDS.pieces[0].rows, (("rank", 1, 0),))
    program = attrs.evolve(
        CARDS,
        places=(attrs.evolve(HAND, seen="nobody", except_for=("rank",)),),
        kept=(),
        pieces=(backwards,),
        tables=((6, 5, 4, 3, 2, 1),),
    )
    (found,) = Viewer(Words(program)).view(state.cells, 1).zones
    assert [piece.columns for piece in found.pieces] == [(("rank", "4"),), (("rank", "5"),)]


def test_known_cards_of_a_hidden_set_come_first() -> None:
    place = attrs.evolve(DECK, shape="set")
    assert names(seen_zone(place, viewer=0)) == ["five"]
    assert seen_zone(place, viewer=0).count == 2


# ---- drawing ----


def panel_text(state: State, viewer: int, width: int = 80) -> str:
    table = Table(state.players, state.player)
    return "\n\n".join(one.text for one in panels(state.view(viewer), [], table, width))


def test_players_stand_side_by_side() -> None:
    assert panel_text(cards().start(seed=5), 0).splitlines() == [
        "deck: five, ?   lead: player 1",
        "",
        "     * player 1 (you)  player 2",
        "hand   two, three      2",
        "wager  0               ?",
    ]


def test_players_stand_below_one_another_where_there_is_no_room() -> None:
    assert panel_text(cards().start(seed=5), 1, 24).splitlines() == [
        "deck: 2   lead: player 1",
        "",
        "* player 1",
        "  hand: 2",
        "  player 2 (you)",
        "  hand: four, six",
        "  wager: 0",
    ]


def test_long_columns_stand_below_the_others() -> None:
    played = load_game("ginkgopolis").start(players=3, seed=1)
    lines = panel_text(played, 0).splitlines()
    at = lines.index("dealt characters")
    assert [line[:12] for line in lines[at - 1 : at + 2]] == ["", "dealt charac", "  player 1: "]


@pytest.mark.parametrize(
    ("texts", "logged"),
    [
        ([], []),
        (["red 4", "red 5"], ["red 4", "red 5"]),
        (["red 4", "red 5", "red 6", "red 8", "blue 9"], ["red 4 to 6", "red 8", "blue 9"]),
        (["guard", "guard", "baron", "guard"], ["guard x2", "baron", "guard"]),
        (["9", "10", "11"], ["9", "10", "11"]),
        (["a 3", "b 4", "b 5"], ["a 3", "b 4", "b 5"]),
    ],
    ids=range(6),
)
def test_consecutive_numbers_are_shortened(texts: list[str], logged: list[str]) -> None:
    assert runs(texts) == logged


@pytest.mark.parametrize("width", [24, 40, 80])
def test_no_line_is_too_long(width: int) -> None:
    state = cards().start(seed=5)
    while not state.over:
        for viewer in (0, 1, EVERYBODY, ALL_SEEING):
            assert max(map(len, panel_text(state, viewer, width).splitlines())) <= width
        state = state.choose(state.decision.options[0])


def test_a_grid_is_drawn_with_the_signs_of_what_lies_there() -> None:
    state = four().start().choose("drop(4)").choose("drop(4)").choose("drop(1)")
    kind = FOUR.spaces[0]
    texts = grid_texts(state.view(0), kind, state.players)
    assert draw_grid(Grid(kind, texts)) == [
        "6  . . . . . . .",
        "5  . . . . . . .",
        "4  . . . . . . .",
        "3  . . . . . . .",
        "2  . . . 2 . . .",
        "1  1 . . 1 . . .",
        "   1 2 3 4 5 6 7",
    ]


def test_a_grid_is_drawn_as_the_rules_say() -> None:
    state = four().start().choose("drop(4)").choose("drop(4)")
    texts = state.compiled.board_texts(state.cells, "Cell")
    assert texts is not None
    assert draw_grid(Grid(FOUR.spaces[0], texts))[4:6] == ["2  . . . o . . .", "1  . . . x . . ."]
    assert state.compiled.board_texts(state.cells, "Elsewhere") is None


def test_rows_of_hexagons_are_shifted() -> None:
    places = ((1, 1), (2, 1), (1, 2), (2, 2))
    kind = SpaceKind("Hex", 0, 4, ("a", "b", "c", "d"), (), places, shape="hex")
    texts = {0: "x", 3: "y"}
    assert draw_grid(Grid(kind, texts)) == ["2   . y", "1  x .", "   1 2"]
    slanting = attrs.evolve(kind, shape="rhombus")
    assert draw_grid(Grid(slanting, texts)) == ["2    . y", "1   x .", "   1 2"]
    assert draw_grid(Grid(attrs.evolve(slanting, down=True), texts)) == [
        "1  x .",
        "2   . y",
        "     1 2",
    ]
    assert draw_grid(Grid(attrs.evolve(kind, shape="hexagon"), texts)) == [
        "2  . y",
        "1   x .",
        "     1 2",
    ]


def grid_with_borders(
    shape: str, places: tuple[tuple[int, int], ...], *, down: bool = False
) -> Grid:
    """A grid with its corners (from 100) and edges (from 200)."""
    border = Border(shape, places, down)
    names = [f"{'abcdefghij'[x - 1]}{y}" for x, y in border.corners]
    walls = tuple(f"{names[a]}_{names[b]}" for a, b in border.relation("edges", "corners"))
    rows = tuple(f"{'abc'[x - 1]}{y}" for x, y in places)
    kinds = (
        SpaceKind("Cell", 0, len(places), rows, (), places, shape=shape, down=down),
        SpaceKind("Corner", 100, len(names), tuple(names), (), border.corners, shape="corners"),
        SpaceKind("Wall", 200, len(walls), walls, (), border.edges, shape="edges"),
    )
    points = {"Corner": border.points("corners"), "Wall": border.points("edges")}
    cells, *others = (
        Grid(attrs.evolve(kind, points=points.get(kind.name, ()), of="Cell"), {}, lettered=True)
        for kind in kinds
    )
    return attrs.evolve(cells, borders=tuple(others))


TWO_BY_TWO = ((1, 1), (2, 1), (1, 2), (2, 2))


def test_edges_are_drawn_as_lines_between_corners() -> None:
    grid = grid_with_borders("square", TWO_BY_TWO)
    cells = attrs.evolve(grid, texts={2: "x"})
    walls = attrs.evolve(grid.borders[1], texts={201: "", 203: "", 205: "o", 207: "7"})
    assert draw_grid(attrs.evolve(cells, borders=(walls,))) == [
        "     a   b",
        "3  +   +   +",
        "   7 x        2",
        "2  +-o-+   +",
        "       |      1",
        "1  +   +---+",
        "   a   b   c",
    ]


def test_corners_are_drawn_with_their_signs() -> None:
    grid = grid_with_borders("square", ((1, 1), (2, 1)), down=True)
    corners = attrs.evolve(grid.borders[0], texts={101: "x"}, marked=frozenset({105}))
    walls = attrs.evolve(grid.borders[1], texts={200: "-", 202: "b"}, changed=frozenset({200}))
    lines = draw_grid(attrs.evolve(grid, borders=(corners, walls)))
    assert list(map(plain, lines)) == [
        "     a   b",
        "1  .[-]x   .",
        "   b          1",
        "2  .   .  (.)",
        "   a   b   c",
    ]


def test_corners_and_edges_of_hexagons_lie_around_their_cells() -> None:
    grid = grid_with_borders("hexagon", ((1, 1), (2, 1), (2, 2)))
    corners = attrs.evolve(grid.borders[0], texts={100: "x"})
    every = {200 + number: "" for number in range(15)}
    walls = attrs.evolve(grid.borders[1], texts=every | {203: "2"})
    cells = attrs.evolve(grid, texts={0: "ore", 2: "oats"}, borders=(corners, walls))
    assert draw_grid(cells) == [
        "           .",
        "3        /   \\",
        "       .       .",
        "       |  oats |",
        "       .       .",
        "2    /   \\   /   \\",
        "   .       .       .",
        "   |  ore  |       |",
        "   x       .       .",
        "1    \\   /   \\   2",
        "       .       .",
        "   a   b   c   d   e",
    ]


def test_a_wide_grid_with_corners_is_drawn_in_parts() -> None:
    grid = grid_with_borders("square", ((1, 1), (2, 1), (3, 1)))
    assert draw_grid(grid, 16) == [
        "     a   b",
        "2  .   .   .",
        "              1",
        "1  .   .   .",
        "   a   b   c",
        "",
        "     c",
        "2  .   .",
        "          1",
        "1  .   .",
        "   c   d",
    ]
    assert len(draw_grid(grid, 21)) == 5


def test_rows_are_drawn_as_they_are_counted() -> None:
    kind = SpaceKind(
        "Cell", 0, 3, ("a1", "b1", "a2"), (), ((1, 1), (2, 1), (1, 2)), shape="square", down=True
    )
    assert draw_grid(Grid(kind, {2: "x"}, lettered=True)) == ["1  . .", "2  x", "   a b"]


def test_columns_are_lettered_as_the_cells_are() -> None:
    kind = SpaceKind("Cell", 0, 4, ("a1", "b1", "a2", "b2"), (), ((1, 1), (2, 1), (1, 2), (2, 2)))
    assert draw_grid(Grid(kind, {3: "x"}, lettered=True)) == ["2  . x", "1  . .", "   a b"]
    assert draw_grid(Grid(kind, {3: "x"})) == ["2  . x", "1  . .", "   1 2"]


def test_a_growing_grid_shows_the_part_in_use() -> None:
    places = tuple((x, y) for y in range(-5, 6) for x in range(-5, 6))
    kind = SpaceKind("City", 0, 121, tuple(map(str, range(121))), (), places, growing=True)
    at = {places.index((2, -1)): "red3", places.index((3, -1)): "b"}
    assert draw_grid(Grid(kind, at)) == [
        " 0  .    .    .    .",
        "-1  .    red3 b    .",
        "-2  .    .    .    .",
        "    1    2    3    4",
    ]
    assert draw_grid(Grid(kind, {})) == ["City: empty"]


def test_a_wide_grid_is_drawn_in_parts() -> None:
    places = tuple((x, y) for y in (1, 2) for x in range(1, 8))
    kind = SpaceKind("City", 0, 14, tuple(map(str, range(14))), (), places)
    at = {place: f"c{place}" for place in range(14)}
    assert draw_grid(Grid(kind, at), 18) == [
        "2  c7  c8  c9  c10",
        "1  c0  c1  c2  c3",
        "   1   2   3   4",
        "",
        "2  c11 c12 c13",
        "1  c4  c5  c6",
        "   5   6   7",
    ]
    assert len(draw_grid(Grid(kind, at), 30)) == 3


def test_a_city_of_nine_by_nine_buildings_fits_into_eighty_columns() -> None:
    """Three floors, a number of two digits and an owner in each cell, and a border of tokens."""
    places = tuple((x, y) for y in range(-8, 9) for x in range(-8, 9))
    kind = SpaceKind("Cell", 0, 289, tuple(map(str, range(289))), (), places, growing=True)
    at = {n: "3R12W" for n, (x, y) in enumerate(places) if abs(x) <= 4 and abs(y) <= 4}
    lines = draw_grid(Grid(kind, at))
    assert len(lines) == 9 + 2 + 1
    assert max(map(len, lines)) <= 80
    assert sum(line.count("3R12W") for line in lines) == 81


def test_players_have_letters_or_numbers() -> None:
    assert player_marks(("Nell", "Faye")) == {"Nell": "N", "Faye": "F"}
    assert player_marks(("player 1", "player 2")) == {"player 1": "1", "player 2": "2"}


def test_spaces_stand_in_columns() -> None:
    state = load_game("kalah").start()
    table = Table(state.players, state.player)
    drawn = [line for one in panels(state.view(0), [], table) for line in one.lines]
    assert "south 1      seeds: 4      north 1      seeds: 4" in drawn
    assert "south store  seeds: none   north store  seeds: none" in drawn
    assert describe(state.view(0), lambda names: "south store" in names) == [
        "south store: seeds: none"
    ]
    assert describe(state.view(0), lambda names: "nowhere" in names) == []


def test_rows_show_their_slots() -> None:
    state = load_game("night_market").start(seed=1)
    (street,) = (zone for zone in state.view(0).zones if zone.place.name == "street")
    assert [piece.slot for piece in street.pieces] == [1, 2, 3, 4]
    gap = attrs.evolve(street, count=3, pieces=street.pieces[:1] + street.pieces[2:])
    first, second, third, fourth = (piece.text for piece in street.pieces)
    assert zone_text(street) == f"1 {first}, 2 {second}, 3 {third}, 4 {fourth}"
    assert zone_text(gap) == f"1 {first}, 2 -, 3 {third}, 4 {fourth}"


PLACE = Place("box", "", "", -1)


@pytest.mark.parametrize(
    ("count", "pieces", "text"),
    [
        (0, (), "empty"),
        (3, (), "3"),
        (None, (), "hidden"),
        (3, (Piece("a", text="a"),), "a and 2 more"),
        (None, (Piece("a", text="a"),), "hidden, with a"),
        (
            2,
            (Piece("", columns=(("level", "2"), ("age", "i"))), Piece("")),
            "? (level 2, age i), ?",
        ),
    ],
    ids=range(6),
)
def test_zones_are_described_in_words(
    count: int | None, pieces: tuple[Piece, ...], text: str
) -> None:
    assert zone_text(SeenZone(PLACE, "pile", 0, count, pieces)) == text


@pytest.mark.parametrize(
    ("counts", "text"),
    [
        (None, "hidden"),
        ((), "none"),
        ((("", 3),), "3"),
        ((("player 1", 2), ("player 2", 1)), "2 of player 1, 1 of player 2"),
    ],
    ids=range(4),
)
def test_tokens_are_described_in_words(
    counts: tuple[tuple[str, int], ...] | None, text: str
) -> None:
    assert token_text(SeenTokens(PLACE, "cube", counts)) == text


def test_signs_in_the_cells_of_a_grid() -> None:
    kind = SpaceKind("Cell", 0, 5, tuple("abcde"), (), tuple((n, 1) for n in range(1, 6)))
    place = [Place("z", "Cell", name, number) for number, name in enumerate(kind.rows)]
    red, blue = Piece("red", text="red"), Piece("blue", text="blue")
    view = View(
        0,
        (True, True),
        (SeenValue(place[4], "yes", "yes"), SeenValue(place[4], None)),
        (
            SeenZone(place[0], "pile", 0, 2, (red, blue)),
            SeenZone(place[1], "set", 0, 2, (red, blue)),
            SeenZone(place[2], "spot", 0, 1, ()),
            SeenZone(place[3], "pile", 0, 0, ()),
        ),
        (
            SeenTokens(place[2], "cube", (("", 3),)),
            SeenTokens(place[3], "cube", (("player 2", 1),)),
            SeenTokens(place[4], "cube", None),
        ),
    )
    assert grid_texts(view, kind, ("player 1", "player 2")) == {
        0: "b2",
        1: "rb",
        2: "?c3",
        3: "2",
        4: "?y",
    }


# ---- what lies on pieces, seen only where the piece is known ----


def on_cards(**changes: object) -> View:
    """Player 2's view of six cards, with a stored value on each card."""
    owner, after = ("Card", tuple(range(6)), 1, (), (), ()), ((), None, -1, True)
    kept = Kept("worn", *owner, "all", *after, _SOME, 1, 0, 9, 0, 0)
    tokens = TokenPlace("gold", *owner, "all", *after, -1, _SOME, "coin", 1, False)
    lists = attrs.evolve(kept, name="list", list_capacity=1, stride=0, owners=(-1,), owner="")
    program = attrs.evolve(
        CARDS,
        kept=(attrs.evolve(kept, **changes), lists),  # type: ignore[arg-type]  # of a test
        tokens=(tokens, attrs.evolve(tokens, name="ore", seen="nobody", except_for=("size",))),
        places=(
            *CARDS.places,
            attrs.evolve(CARDS.places[0], name="under", owner="Card", owners=(0,)),
        ),
    )
    state = cards().start(seed=5)
    cells = state.cells[:]
    cells[_SOME : _SOME + 6] = array("i", (1, 2, 3, 4, 5, 6))
    return Viewer(Words(program)).view(cells, 1)


_SOME = 26  # the slots of cards, which this game does not use


def test_only_known_cards_tell_what_lies_on_them() -> None:
    view = on_cards()
    # Player 2 holds the four and the six; all other cards are hidden.
    assert [value.place.of for value in view.values if value.place.name == "worn"] == [
        "four",
        "six",
    ]
    assert [value.value for value in view.values] == ["4", "6", ("2",)]
    assert [(tokens.place.name, tokens.place.of) for tokens in view.tokens] == [
        ("gold", "four"),
        ("gold", "six"),
        ("ore", "four"),
        ("ore", "six"),
    ]
    assert not any(zone.place.name == "under" for zone in view.zones)


def test_a_hidden_value_of_a_card_is_left_out() -> None:
    assert [value.place.name for value in on_cards(seen="nobody").values] == ["list"]


SEALED = """\
game "Sealed"
    players 2

player
    state bid: 0..2, seen by owner

rule bid
    choose one of
        option "low"
            set me.bid to 1
        option "high"
            set me.bid to 2

play
    together each player
        do bid
    end game

score of p
    item "bid" = p.bid
"""


def test_simultaneous_choices_in_a_rule_stay_hidden(tmp_path: Path) -> None:
    (tmp_path / "sealed.game").write_text(SEALED)
    before = load_game(tmp_path / "sealed.game").start()
    for option in before.decision.options:
        after = before.choose(option)
        assert may_tell(before, after, before.player)
        assert not may_tell(before, after, 1 - before.player)


@pytest.mark.parametrize(
    ("text", "logged"),
    [
        ("{n} coin(s)", ["0 coins", "1 coin", "2 coins"]),
        ("{n} cit(y|ies) and {m} ox(|en)", ["0 cities and 2 oxen", "1 city and 1 ox", "2 cities and 0 oxen"]),
        ("card(s): {n}", ["card(s): 0", "card(s): 1", "card(s): 2"]),
        ("{n} of {me} coin(s)", ["0 of player 1 coins", "1 of player 1 coin", "2 of player 1 coins"]),
        ("{n} (s)", ["0 (s)", "1 (s)", "2 (s)"]),
    ],
    ids=range(5),
)  # fmt: skip
def test_words_that_go_with_a_number(text: str, logged: list[str], tmp_path: Path) -> None:
    rules = f"""\
game "Little"
    players 1

play
    each player
        do count
    end game

rule count
    for each n in 0..2
        let m = 2 - n
        log "{{me}}: {text}"

score of p
    item "points" = 1
"""
    (tmp_path / "little.game").write_text(rules)
    state = load_game(tmp_path / "little.game").start()
    assert [line.text.split(": ", 1)[1] for line in state.log] == logged


_WORKERS = """
game "Workers"
    players 2
piece Worker per player
    copies = 2
space Job
    row bank
    row office
    zone workers: set of Worker
space Cell grid 2 by 1
    zone guard: set of Worker
player
    zone idle: set of Worker
setup
    each player
        for each w in Worker where w.owner is me
            move w to me.idle
play
    each player
        choose job in Job
        move up to 1 from me.idle to job.workers
    each player
        choose cell in Cell
        move up to 1 from me.idle to cell.guard
score of p
    item "idle" = p.idle.size
winner p by p.total then shared
"""


def test_whose_pieces_lie_somewhere(tmp_path: Path) -> None:
    (tmp_path / "workers.game").write_text(_WORKERS)
    state = load_game(str(tmp_path / "workers.game")).start(players=2)
    for _ in range(2):
        state = state.choose("bank")
    view = state.view(0)
    zones = {(zone.place.of, zone.place.name): zone for zone in view.zones}
    there = zones["bank", "workers"]
    assert [piece.whose for piece in there.pieces] == ["player 1", "player 2"]
    assert zone_text(there) == "worker of player 1, worker of player 2"
    assert zone_text(zones["player 2", "idle"]) == "worker"
    other = state.choose("a1").choose("b1").view(0)
    kind = next(kind for kind in state.compiled.program.spaces if kind.name == "Cell")
    assert list(grid_texts(other, kind, state.players).values()) == ["1", "2"]


def test_views_tell_players_pieces_apart(tmp_path: Path) -> None:
    (tmp_path / "workers.game").write_text(_WORKERS)
    start = load_game(str(tmp_path / "workers.game")).start(players=2)
    one = start.choose("bank").choose("office")
    other = start.choose("office").choose("bank")
    assert one.view(EVERYBODY) != other.view(EVERYBODY)
    assert as_text(one.view(EVERYBODY)) != as_text(other.view(EVERYBODY))


TOGETHER = """game "Apart"
    players 3
piece Card
    copies = 3
    row ace
    row king
token chip
zone street: set of Card
zone bank: tokens of chip = 9
player
    zone hand: set of Card, seen by owner except size
    zone laid: spot of Card, seen by owner except size, together
    zone dropped: set of Card, seen by owner except size
    zone chips: tokens of chip, seen by owner except size
    zone bet: tokens of chip, seen by owner except size
setup
    move all from Card to street
    each player
        surely move 3 from bank to me.chips
        for each c in Card where c.copy is me.number
            move c to me.hand
play
    repeat 2 times
        together each player
            surely choose card in me.hand
            move card to me.laid
            choose n in 0..1
            move up to n from me.chips to me.bet
            for each c in me.hand
                move c to me.dropped
        each player
            move all from me.laid to me.hand
            move all from me.dropped to me.hand
            move all from me.bet to me.chips
    each player
        choose one of
            option "win"
                win me
"""


def test_simultaneous_actions_show_when_all_are_ready(tmp_path: Path) -> None:
    """Known cards, sizes and tokens of others do not change; everybody sees at once that a card is laid."""
    path = tmp_path / "apart.game"
    path.write_text(TOGETHER, encoding="utf-8")
    state = game_of("apart.game", load(path)).start(seed=1)

    def view_facts(viewer: int) -> dict[str, object]:
        view = state.view(viewer)
        zones = {
            f"{zone.place.of} {zone.place.name}": (zone.count, len(zone.pieces))
            for zone in view.zones
            if zone.place.of == "player 1"
        }
        tokens = {
            f"{each.place.of} {each.place.name}": each.counts
            for each in view.tokens
            if each.place.of == "player 1"
        }
        return {**zones, **tokens}

    began = {
        "player 1 hand": (2, 0),
        "player 1 laid": (0, 0),
        "player 1 dropped": (0, 0),
        "player 1 chips": (("", 3),),
        "player 1 bet": (("", 0),),
    }
    assert view_facts(1) == began
    state = state.choose("ace").choose("1")
    assert state.player == 1
    assert view_facts(1) == view_facts(2) == {**began, "player 1 laid": (1, 0)}
    assert view_facts(0)["player 1 dropped"] == (1, 1)
    assert view_facts(0)["player 1 bet"] == (("", 1),)
    state = state.choose("ace").choose("0").choose("king").choose("0")
    assert view_facts(1) == began
    for _ in range(6):
        state = state.choose(state.decision.names[0])
    # The cards were open once; since then nobody has seen which card was laid and taken back.
    assert view_facts(1)["player 1 hand"] == (2, 0)
