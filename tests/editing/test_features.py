"""Information at a place: the meaning of a name, its declaration and uses, and completions."""

from pathlib import Path

import pytest
from lsprotocol.types import TextEdit

from rulewright.dsl.text.vocabulary import GROUPS, HEADS, LOCAL, QUERIES, RESERVED
from rulewright.editing.features.completion import complete
from rulewright.editing.features.folding import folds
from rulewright.editing.features.formatting import format_edits
from rulewright.editing.features.hover import hover
from rulewright.editing.features.outline import Entry, outline
from rulewright.editing.features.reference import SCENARIOS, word_entry
from rulewright.editing.features.symbol_at import definition, references
from rulewright.editing.lsp.convert import items
from tests.editing.conftest import NIGHT_MARKET, copy_shipped
from tests.editing.opened import Opened

GAME = "night_market.game"
TABLE = "night_market.csv"
SCENES = "night_market.scenario"
CLAUSES = "night_market.rules.md"

GRID = """game "Stones"
    players 2
space Cell grid {0}
    zone stone: spot of Stone
piece Stone
    copies = 3
zone bag: pile of Stone
setup
    move all from Stone to bag
play
    each player
        set last to nothing
state last: Cell or nothing = nothing
"""

HOVERS = {
    "a value": (
        GAME,
        "pay me.pr|ice(stall) from",
        ["**price**: a value, a number", "open value price of p: Player (stall: Stall)", "line "],
    ),
    "a column": (
        GAME,
        "is stall.go|od is noodles".removeprefix("is "),
        ["**good**: a column of `Stall`, Good", "good: Good"],
    ),
    "a row of a table": (
        SCENES,
        "move tea_hou|se from deck",
        ["tea_house,tea,4,3,3", "night_market.csv, line 3"],
    ),
    "a local name": (GAME, "move s| to deck", ["**s**: a local name, Stall"]),
    "a type of things": (GAME, "pile of Sta|ll, seen", ["in all: ", "`tea_cart`"]),
    "a clause": (
        GAME,
        "coins: 0..99 = 5                                      [NM-0|04]",
        ["**NM-004** Everybody begins with 5 coins.", "cited by", "tested by"],
    ),
    "a word": (
        GAME,
        "shuf|fle deck",
        ["**shuffle**", "order and chance", "docs/spec/chance.md"],
    ),
    "a built-in": (
        GAME,
        "starter.le|ft",
        ["**left**: built in, a player", "docs/spec/builtins.md"],
    ),
    "a cell": (TABLE, "tea_cart,tea,2|,1,5", ["**price** of `tea_cart`", "price: 0..9"]),
    "the names in a table": (TABLE, "na|me,good", ["the names of the rows of `Stall`"]),
    "an action in a scenario": (
        SCENES,
        "ann plays bu|y(",
        ["**buy**: an action", "night_market.game, line "],
    ),
}


@pytest.mark.parametrize("name", HOVERS)
def test_hover_explains_the_word_at_the_cursor(market: Opened, name: str) -> None:
    file, place, wanted = HOVERS[name]
    found = hover(*market.at(file, place))
    assert found is not None
    for words in wanted:
        assert words in found.text


@pytest.mark.parametrize("file", [GAME, CLAUSES])
def test_hover_explains_a_clause(market: Opened, file: str) -> None:
    found = hover(*market.at(file, "N|M-004"))
    assert found is not None
    assert found.span.text == "NM-004"


DEFINITIONS = {
    "an action": (GAME, "do bu|y\n", GAME, "buy"),
    "a zone of a player": (GAME, "to me.ha|nd     ", GAME, "hand"),
    "a row": (SCENES, "move tea_hou|se from", TABLE, "tea_house"),
    "a good in a table": (TABLE, "tea_cart,te|a", GAME, "tea"),
    "a clause": (SCENES, "[NM-004, NM-0|10", CLAUSES, "NM-010"),
    "a column of a table": (TABLE, "name,good,pri|ce", GAME, "price"),
    "a table": (GAME, 'from "night_mar|ket.csv"', TABLE, ""),
    "a beginning": (
        SCENES,
        'from "ann and b|ob with known',
        SCENES,
        'beginning "ann and bob with known hands, in front of four stalls"',
    ),
    "the name itself": (GAME, "action bu|y(", GAME, "buy"),
}


@pytest.mark.parametrize("name", DEFINITIONS)
def test_definition_leads_to_the_declaration(market: Opened, name: str) -> None:
    file, place, target, text = DEFINITIONS[name]
    found = definition(*market.at(file, place))
    assert found is not None
    assert (Path(found.source.name).name, found.text) == (target, text)


def uses(market: Opened, file: str, place: str) -> list[str]:
    return [
        f"{Path(span.source.name).name}:{span.line} {span.text}"
        for span in references(*market.at(file, place))
    ]


def test_references_are_found_in_all_files(market: Opened) -> None:
    of_a_row = uses(market, TABLE, "tea_hou|se,tea")
    assert {TABLE, SCENES} == {where.split(":")[0] for where in of_a_row}
    of_a_value = uses(market, GAME, "value inco|me of")
    assert len([where for where in of_a_value if where.startswith(GAME)]) == 4
    of_a_good = uses(market, GAME, "kind Good = te|a,")
    assert {GAME, TABLE} <= {where.split(":")[0] for where in of_a_good}
    assert f"{TABLE}:3 tea" in of_a_good
    of_a_clause = uses(market, CLAUSES, "**NM-0|04**")
    assert [where.split(":")[0] for where in of_a_clause] == [
        GAME,
        CLAUSES,
        SCENES,
    ]
    of_a_column = uses(market, TABLE, "name,go|od,price")
    assert f"{TABLE}:1 good" in of_a_column
    assert len([where for where in of_a_column if where.startswith(GAME)]) > 2
    assert of_a_column == uses(market, GAME, "is stall.go|od is noodles".removeprefix("is "))
    assert uses(market, TABLE, "na|me,good") == []
    of_an_action = uses(market, GAME, "action bu|y(")
    assert {GAME, SCENES} == {where.split(":")[0] for where in of_an_action}


def offered_texts(opened: Opened, file: str, place: str) -> list[str]:
    found = complete(*opened.at(file, place))
    assert found is not None
    return [offer.text for offer in sorted(found.offers, key=lambda offer: offer.order)]


def test_completion_knows_the_place(market: Opened) -> None:
    assert {"buy", "take_a_turn"} <= {*offered_texts(market, GAME, "do |buy\n")}
    assert "tea" not in offered_texts(market, GAME, "do |buy\n")
    assert offered_texts(market, GAME, "stall.good is |noodles")[:4] == [
        "tea",
        "noodles",
        "silk",
        "lantern",
    ]
    assert {"hand", "shop", "coins", "price", "left"} <= {
        *offered_texts(market, GAME, "needs me.|hand")
    }
    assert "deck" not in offered_texts(market, GAME, "needs me.|hand")
    assert {"good", "price", "points", "amount"} <= {
        *offered_texts(market, GAME, "if stall.|good is silk")
    }
    assert {"zone", "state", "action"} <= {*offered_texts(market, GAME, "zone| deck")}
    assert offered_texts(market, GAME, "zone deck: p|ile of Stall")[:1] == ["pile of"]
    assert "NM-026" in offered_texts(market, GAME, "[NM-02|6]")
    assert offered_texts(market, GAME, 'from "|night_market.csv"') == [TABLE]
    types = ["Good", "Stall", "Player", "Flag", "Direction", "Action"]
    assert offered_texts(market, GAME, "good: |Good")[:6] == types
    assert {"me", "income"}.isdisjoint(offered_texts(market, GAME, "good: |Good"))
    assert "is_last_round" not in offered_texts(market, GAME, "state starter: |Player")
    assert {"red_lantern", "tea_cart"} <= {*offered_texts(market, GAME, "power |red_lantern in")}
    assert "s" in offered_texts(market, GAME, 'log "the {|s} closes"')
    assert "income" in offered_texts(market, GAME, 'log "{me} gets {me.|stalls')


def test_offers_are_whole_for_editors_that_take_the_first_word_of_an_edit(market: Opened) -> None:
    choices = complete(*market.at(GAME, "    |shuffle deck"))
    assert choices is not None
    found = {item.label: item for item in items(choices, "utf-16")}
    assert {item.filter_text for item in found.values()} == {*found}
    assert (found["for each"].text_edit, found["for each"].insert_text) == (None, "for each")
    assert isinstance(found["shuffle"].text_edit, TextEdit)


def test_completion_in_tables_and_scenarios(market: Opened) -> None:
    assert offered_texts(market, TABLE, "tea_cart,|tea") == ["tea", "noodles", "silk", "lantern"]
    assert {"good", "price"} <= {*offered_texts(market, TABLE, "name,|good")}
    assert "buy" in offered_texts(market, SCENES, "ann plays |buy")
    in_a_call = offered_texts(market, SCENES, "ann plays buy(|")
    rows = [at for at, name in enumerate(in_a_call) if name in ("tea_house", "tea_cart")]
    assert len(rows) == 2
    assert max(rows) < in_a_call.index("Stall")
    assert {"ann", "bob", "expect", "given"} <= {
        *offered_texts(market, SCENES, "    |bob cannot see ann.hand")
    }
    assert offered_texts(market, SCENES, "    bob |cannot see ann.hand") == [
        "plays",
        "sees",
        "cannot see",
    ]
    assert "hand" in offered_texts(market, SCENES, "bob cannot see ann.|hand")
    assert offered_texts(market, SCENES, "expect |turn_player is bob")[:3] == ["ann", "bob", "cleo"]
    assert offered_texts(market, SCENES, "    chance |gives") == ["gives"]
    assert offered_texts(market, SCENES, 'from "|ann and bob')[:1] == [
        "ann and bob with known hands, in front of four stalls"
    ]


def test_completion_knows_players_of_scenarios_in_lines_that_cannot_be_read(tmp_path: Path) -> None:
    opened = Opened(copy_shipped(tmp_path, *NIGHT_MARKET))
    text = opened.open(SCENES)
    opened.write(SCENES, text.replace("    expect turn_player is bob", "    expect bob."))
    found = offered_texts(opened, SCENES, "    expect bob.|")
    assert {"hand", "coins", "income"} <= {*found}
    assert "amount" not in found


def names(entries: tuple[Entry, ...]) -> list[str]:
    return [entry.name for entry in entries]


def test_outline_goes_by_the_headings(market: Opened) -> None:
    snapshot, path, _ = market.at(GAME, 0)
    found = outline(snapshot, path)
    assert names(found)[:4] == [
        "Night Market",
        "What is in the box",
        "Numbers that lanterns change",
        "The game",
    ]
    game = next(entry for entry in found if entry.name == "The game")
    assert names(game.inside) == ["setup", "play", "take_a_turn", "buy", "open_stall"]
    box = next(entry for entry in found if entry.name == "What is in the box")
    kind = next(entry for entry in box.inside if entry.name == "Stall")
    assert names(kind.inside) == ["good", "price", "points", "amount"]
    scenes = outline(snapshot, market.folder / SCENES)
    assert "Setup and the turn" in names(scenes)
    clauses = outline(snapshot, market.folder / CLAUSES)
    assert names(clauses)[:2] == ["Night Market: the rules, clause by clause", "What is in the box"]


def test_blocks_can_be_folded(market: Opened) -> None:
    snapshot, path, at = market.at(GAME, "rule take_a_turn|")
    source = snapshot.sources[path]
    line = source.position(at)[0]
    assert (line, line + 8) in [*folds(source, path)]


def test_layout_is_given_as_changes_of_lines(market: Opened) -> None:
    snapshot, path, _ = market.at(GAME, 0)
    assert format_edits(snapshot.sources[path], path) == []


def test_hover_explains_every_word_of_the_language() -> None:
    words = {*HEADS, *RESERVED, *GROUPS, *LOCAL, *QUERIES}
    reported = {word: word_entry(word) for word in sorted(words)}
    assert [
        word for word, entry in reported.items() if entry is None or word not in entry.form
    ] == []


@pytest.mark.parametrize(
    ("word", "page", "form"),
    [
        ("action", "", "action buy(card in market)"),
        ("player", "", "player"),
        ("player", SCENARIOS, "player ann, bob"),
        ("rule", "", "rule income"),
        ("win", "", "win p"),
        ("zone", "", "zone deck: pile of Card"),
        ("scenario", SCENARIOS, 'scenario "words"'),
    ],
)
def test_hover_explains_a_word(word: str, page: str, form: str) -> None:
    entry = word_entry(word, page)
    assert entry is not None
    assert entry.form == form
    assert entry.example.startswith(word)


@pytest.mark.parametrize(("grid", "is_offered"), [("3 by 3", True), ("growing 20", False)])
def test_cells_are_offered_where_they_can_be_counted(
    tmp_path: Path, grid: str, is_offered: bool
) -> None:
    opened = Opened(tmp_path)
    opened.write("grid.game", GRID.format(grid))
    opened.settle("grid.game")
    model = opened.project("grid.game").model
    assert model is not None
    cells = {*model.spaces["Cell"].rows}
    found = {*offered_texts(opened, "grid.game", "set last to |nothing")} & cells
    assert found == (cells if is_offered else set())
