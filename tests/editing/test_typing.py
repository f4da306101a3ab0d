"""While the author types: current problems, and answers even if some lines cannot be read."""

from pathlib import Path

from rulewright.editing.features.completion import complete
from rulewright.editing.features.hover import hover
from tests.editing.conftest import NIGHT_MARKET, copy_shipped
from tests.editing.opened import Opened

GAME = "night_market.game"


def market_in(folder: Path) -> Opened:
    return Opened(copy_shipped(folder, *NIGHT_MARKET))


def test_problems_are_those_of_check(tmp_path: Path) -> None:
    market = market_in(tmp_path)
    text = market.open(GAME)
    assert market.problems(GAME) == []
    for old, new in (
        ("add me.income to me.coins", "add me.incomes to me.coins"),
        ("repeat until is_last_round", "repeat until until"),
        ("    rulebook", "    rulebok"),
        ("[NM-023]", "[NM-999]"),
        ('from "night_market.csv"', 'from "night_markets.csv"'),
    ):
        market.write(GAME, text.replace(old, new, 1))
        market.settle(GAME)
        found = market.problems(GAME)
        assert found
        assert found == market.check_saved(GAME)
    market.write(GAME, text)
    market.settle(GAME)
    assert market.problems(GAME) == []


def test_problems_of_a_table_are_shown_in_the_table(tmp_path: Path) -> None:
    market = market_in(tmp_path)
    market.open(GAME)
    table = market.open("night_market.csv")
    market.write("night_market.csv", table.replace("tea_cart,tea", "tea_cart,coffee"))
    market.settle(GAME)
    (problem,) = market.problems(GAME)
    assert "night_market.csv" in problem
    assert "table-bad-cell" in problem


def test_known_places_move_with_the_text(tmp_path: Path) -> None:
    market = market_in(tmp_path)
    text = market.open(GAME)
    market.write(GAME, "# one more line\n" + text.replace("rule take_a_turn", "rule ((", 1))
    found = hover(*market.at(GAME, "pay me.pr|ice(stall) from"))
    assert found is not None
    assert "**price**: a value, a number" in found.text
    choices = complete(*market.at(GAME, "if stall.|good is silk"))
    assert choices is not None
    assert {"good", "price"} <= {offer.text for offer in choices.offers}


def test_a_file_that_was_never_readable_is_helped_with(tmp_path: Path) -> None:
    market = market_in(tmp_path)
    text = (tmp_path / GAME).read_text()
    market.write(GAME, text.replace("rule take_a_turn", "rule ((", 1))
    market.settle(GAME)
    found = hover(*market.at(GAME, "pay me.pr|ice(stall) from"))
    assert found is not None
    assert "a value, a number" in found.text


def test_a_line_that_was_just_written_is_known_by_its_names(tmp_path: Path) -> None:
    market = market_in(tmp_path)
    text = market.open(GAME)
    new = "rule generosity(p: Player)\n    for each s in p.hand\n        do buy\n"
    market.write(GAME, text + new)
    found = hover(*market.at(GAME, "        do bu|y\n"[4:]))
    assert found is not None
    assert "an action" in found.text
    choices = complete(*market.at(GAME, "for each s in p.hand\n        |do buy\n"))
    assert choices is not None
    assert {"move", "do", "if"} <= {offer.text for offer in choices.offers}


def test_files_cut_off_anywhere_are_answered(tmp_path: Path) -> None:
    market = market_in(tmp_path)
    text = market.open(GAME)
    for end in range(0, len(text), 331):
        market.write(GAME, text[:end])
        project = market.project(GAME)
        assert project.problems() is not None
        for offset in (0, end // 2, end):
            place = market.at(GAME, offset)
            hover(*place)
            complete(*place)


def test_a_table_that_is_named_no_more_belongs_to_nothing(tmp_path: Path) -> None:
    market = market_in(tmp_path)
    text = market.open(GAME)
    table = tmp_path / "night_market.csv"
    market.open("night_market.csv")
    market.write(GAME, text.replace('from "night_market.csv"', 'from "stalls.csv"', 1))
    assert market.open_games.project(table.resolve()) is None
    assert market.open_games.project(table.resolve()) is None
    market.write(GAME, text)
    project = market.open_games.project(table.resolve())
    assert project is market.project(GAME)
